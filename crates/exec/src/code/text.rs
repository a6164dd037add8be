//! The text form of register code: one operation a line, jumps by number.

use std::fmt::{self, Display, Write};

use super::{Code, Op};

impl Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parameters, registers) = (self.parameters, self.registers);
        writeln!(f, "code {} parameters {parameters} registers {registers}", self.function)?;
        for (pc, op) in self.ops.iter().enumerate() {
            for (block, _) in self.starts.iter().filter(|&(_, &start)| start as usize == pc) {
                writeln!(f, "{block}:")?;
            }
            writeln!(f, "{pc:5} {}", self.operation(op))?;
        }
        Ok(())
    }
}

impl Code {
    fn operation(&self, op: &Op) -> String {
        match *op {
            Op::Slow { index } => plain(&format!("{:?}", self.slow[index as usize])),
            Op::Switch { a, table } => {
                let table = &self.tables[table as usize];
                let mut text = format!("switch r{a}");
                for (value, target) in &table.cases {
                    let _ = write!(text, ", {value} to {target}");
                }
                format!("{text}, else to {}", table.default)
            }
            Op::Call { site, .. } | Op::CallIndirect { site, .. } | Op::CallShim { site, .. } => {
                let registers = &self.sites[site as usize].registers;
                let args: Vec<String> = registers.iter().map(|reg| format!("r{reg}")).collect();
                format!("{} with ({})", plain(&format!("{op:?}")), args.join(", "))
            }
            Op::Stop { index } => format!("stop: {:?}", self.halts[index as usize]),
            ref op => plain(&format!("{op:?}")),
        }
    }
}

/// `Add32 { d: 1, a: 2, b: 3 }` as `add32 d r1, a r2, b r3`.
fn plain(debug: &str) -> String {
    let (name, fields) = debug.split_once(" { ").unwrap_or((debug, ""));
    let mut text = name.to_lowercase();
    let mut separator = " ";
    for field in fields.trim_end_matches(" }").split(", ") {
        let Some((name, value)) = field.split_once(": ") else { continue };
        if name == "nsw" {
            if value == "true" {
                let _ = write!(text, "{separator}nsw");
                separator = ", ";
            }
            continue;
        }
        let register = matches!(name, "d" | "a" | "b" | "c" | "to" | "from" | "list" | "flag")
            && value.bytes().all(|byte| byte.is_ascii_digit());
        let mark = if register { "r" } else { "" };
        let _ = write!(text, "{separator}{name} {mark}{value}");
        separator = ", ";
    }
    text
}

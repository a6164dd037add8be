//! Inserts instructions on a value of the text, whose result replaces the value.

use super::super::random::Random;
use super::super::words::{WIDTHS, is_int_type};
use super::Mutation;

/// A line `%name = … type …`, as far as recognisable.
struct Definition {
    line: usize,
    name: String,
    ty: String,
}

impl Mutation<'_> {
    pub(super) fn insert_instructions(&mut self) {
        let Some(definition) = self.find_definition() else { return };
        let fresh: Vec<String> = (0..4).map(|_| self.fresh_name()).collect();
        let code = match definition.ty.as_str() {
            "ptr" => pointer_code(self.random, &definition.name, &fresh),
            "double" | "float" => float_code(self.random, &definition, &fresh),
            _ => integer_code(self.random, &definition, &fresh),
        };
        let Inserted { lines, declarations, result } = code;
        let at = definition.line + 1;
        let count = lines.len();
        self.lines.splice(at..at, lines);
        if let Some(result) = result {
            let end = self.surroundings(definition.line).end;
            let users = at + count..(at + count + 6).min(end).max(at + count);
            self.rename(users, &definition.name, &result);
        }
        for declaration in declarations {
            if !self.lines.contains(&declaration) {
                self.lines.push(declaration);
            }
        }
    }

    /// An instruction whose result has a type that its line names first.
    fn find_definition(&mut self) -> Option<Definition> {
        const GIVES_ITS_TYPE: &[&str] = &[
            "load",
            "add",
            "sub",
            "mul",
            "sdiv",
            "udiv",
            "srem",
            "urem",
            "and",
            "or",
            "xor",
            "shl",
            "lshr",
            "ashr",
            "fadd",
            "fsub",
            "fmul",
            "fdiv",
            "call",
            "alloca",
            "getelementptr",
        ];
        for _ in 0..12 {
            let line = self.pick_line();
            let text = &self.lines[line];
            let Some((name, value)) = text.trim_start().split_once(" = ") else { continue };
            let mut words = value.split([' ', ',', '(']).filter(|word| !word.is_empty());
            let Some(opcode) = words.next() else { continue };
            if !name.starts_with('%') || !GIVES_ITS_TYPE.contains(&opcode) {
                continue;
            }
            let ty = match opcode {
                "alloca" | "getelementptr" => Some("ptr"),
                _ => words
                    .find(|word| is_int_type(word) || matches!(*word, "ptr" | "double" | "float")),
            };
            if let Some(ty) = ty {
                return Some(Definition { line, name: name.to_owned(), ty: ty.to_owned() });
            }
        }
        None
    }
}

#[derive(Default)]
struct Inserted {
    lines: Vec<String>,
    declarations: Vec<String>,
    /// The replacement of the value.
    result: Option<String>,
}

impl Inserted {
    fn line(&mut self, text: String) {
        self.lines.push(format!("  {text}"));
    }
}

fn integer_code(random: &mut Random, definition: &Definition, fresh: &[String]) -> Inserted {
    let Definition { name, ty, .. } = definition;
    let [a, b, c, ..] = fresh else { return Inserted::default() };
    let mut new = Inserted { result: Some(a.clone()), ..Inserted::default() };
    match random.below(9) {
        0 => {
            let (from, to) = (bits(ty), bits(random.pick(WIDTHS)));
            let (there, back) = match from.cmp(&to) {
                std::cmp::Ordering::Less => (random.pick(&["zext", "sext"]), "trunc"),
                _ => ("trunc", random.pick(&["zext", "sext"])),
            };
            let op = random.pick(&["add", "mul", "sdiv", "udiv", "lshr", "ashr", "shl", "xor"]);
            new.line(format!("{b} = {there} {ty} {name} to i{to}"));
            new.line(format!("{c} = {op} i{to} {b}, {b}"));
            new.line(format!("{a} = {back} i{to} {c} to {ty}"));
        }
        1 => {
            let which = random.pick(&["ctlz", "cttz", "abs"]);
            new.line(format!("{a} = call {ty} @llvm.{which}.{ty}({ty} {name}, i1 false)"));
            new.declarations.push(format!("declare {ty} @llvm.{which}.{ty}({ty}, i1)"));
        }
        2 => {
            let which = random.pick(&["bswap", "bitreverse", "ctpop"]);
            new.line(format!("{a} = call {ty} @llvm.{which}.{ty}({ty} {name})"));
            new.declarations.push(format!("declare {ty} @llvm.{which}.{ty}({ty})"));
        }
        3 => {
            let which = random.pick(&["fshl", "fshr"]);
            let args = format!("{ty} {name}, {ty} {name}, {ty} {name}");
            new.line(format!("{a} = call {ty} @llvm.{which}.{ty}({args})"));
            new.declarations.push(format!("declare {ty} @llvm.{which}.{ty}({ty}, {ty}, {ty})"));
        }
        4 => {
            let which = random.pick(&[
                "smax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat",
                "ushl.sat", "ucmp",
            ]);
            new.line(format!("{a} = call {ty} @llvm.{which}.{ty}({ty} {name}, {ty} {name})"));
            new.declarations.push(format!("declare {ty} @llvm.{which}.{ty}({ty}, {ty})"));
        }
        5 => {
            let which = random.pick(&["sadd", "uadd", "ssub", "usub", "smul", "umul"]);
            let pair = format!("{{ {ty}, i1 }}");
            let function = format!("@llvm.{which}.with.overflow.{ty}");
            new.line(format!("{b} = call {pair} {function}({ty} {name}, {ty} {name})"));
            new.line(format!("{a} = extractvalue {pair} {b}, 0"));
            new.declarations.push(format!("declare {pair} {function}({ty}, {ty})"));
        }
        6 => {
            let lanes = *random.choose(&[1u32, 2, 3, 5, 16, 64, 513, 4097]).unwrap_or(&1);
            let vector = format!("<{lanes} x {ty}>");
            let op = random.pick(&["add", "sdiv", "shl", "and", "urem"]);
            new.line(format!("{b} = insertelement {vector} undef, {ty} {name}, {ty} {name}"));
            new.line(format!("{c} = {op} {vector} {b}, {b}"));
            new.line(format!("{a} = extractelement {vector} {c}, {ty} {name}"));
        }
        7 => {
            let float = random.pick(&["half", "bfloat", "float", "double", "x86_fp80", "fp128"]);
            let (there, back) = random.pick(&[&("sitofp", "fptosi"), &("uitofp", "fptoui")]);
            new.line(format!("{b} = {there} {ty} {name} to {float}"));
            new.line(format!("{c} = fdiv {float} {b}, {b}"));
            new.line(format!("{a} = {back} {float} {c} to {ty}"));
        }
        _ => {
            let aggregate = random.pick(&["array", "struct"]);
            let wide = match aggregate {
                "array" => format!("[{} x {ty}]", random.pick(&["1", "3", "300", "70000"])),
                _ => format!("{{ {ty}, {{}}, [0 x i8], <{{ i8, {ty} }}> }}"),
            };
            new.line(format!("{b} = insertvalue {wide} undef, {ty} {name}, 0"));
            new.line(format!("{a} = extractvalue {wide} {b}, 0"));
        }
    }
    new
}

fn bits(ty: &str) -> u32 {
    ty[1..].parse().unwrap_or(32)
}

fn float_code(random: &mut Random, definition: &Definition, fresh: &[String]) -> Inserted {
    let Definition { name, ty, .. } = definition;
    let [a, b, ..] = fresh else { return Inserted::default() };
    let mut new = Inserted { result: Some(a.clone()), ..Inserted::default() };
    let suffix = if ty == "double" { "f64" } else { "f32" };
    match random.below(4) {
        0 => {
            let wide = random.pick(&["x86_fp80", "fp128"]);
            new.line(format!("{b} = fpext {ty} {name} to {wide}"));
            new.line(format!("{a} = fptrunc {wide} {b} to {ty}"));
        }
        1 => {
            let which = random.pick(&[
                "floor", "ceil", "rint", "round", "sqrt", "sin", "exp", "log", "fabs", "trunc",
            ]);
            new.line(format!("{a} = call {ty} @llvm.{which}.{suffix}({ty} {name})"));
            new.declarations.push(format!("declare {ty} @llvm.{which}.{suffix}({ty})"));
        }
        2 => {
            let to = random.pick(WIDTHS);
            let which = random.pick(&["fptosi.sat", "fptoui.sat", "lrint", "lround"]);
            new.line(format!("{b} = call {to} @llvm.{which}.{to}.{suffix}({ty} {name})"));
            new.line(format!("{a} = sitofp {to} {b} to {ty}"));
            new.declarations.push(format!("declare {to} @llvm.{which}.{to}.{suffix}({ty})"));
        }
        _ => {
            let args = format!("{ty} {name}, {ty} {name}, {ty} {name}");
            new.line(format!("{a} = call {ty} @llvm.fma.{suffix}({args})"));
            new.declarations.push(format!("declare {ty} @llvm.fma.{suffix}({ty}, {ty}, {ty})"));
        }
    }
    new
}

fn pointer_code(random: &mut Random, name: &str, fresh: &[String]) -> Inserted {
    let [a, b, c, ..] = fresh else { return Inserted::default() };
    let mut new = Inserted::default();
    let size = random.pick(&["0", "1", "24", "4096", "70000000", "4294967296", "-1"]);
    match random.below(9) {
        0 => {
            new.line(format!("{a} = getelementptr i8, ptr {name}, i64 {size}"));
            new.result = Some(a.clone());
        }
        1 => {
            new.line(format!("{a} = alloca i8, i64 {size}"));
            new.result = Some(a.clone());
        }
        2 => {
            new.line(format!("call void @llvm.memset.p0.i64(ptr {name}, i8 1, i64 {size}, i1 0)"));
            new.declarations.push("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)".to_owned());
        }
        3 => {
            let args = format!("ptr {name}, ptr {name}, i64 {size}, i1 0");
            new.line(format!("call void @llvm.memmove.p0.p0.i64({args})"));
            new.declarations
                .push("declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)".to_owned());
        }
        4 => {
            let ty = random.pick(WIDTHS);
            new.line(format!("{b} = load {ty}, ptr {name}"));
            new.line(format!("store {ty} {b}, ptr {name}"));
        }
        5 => {
            let ty = random.pick(&[
                "<3 x i17>",
                "<70000 x i7>",
                "[5000 x i64]",
                "{ i8, x86_fp80, [3 x i33] }",
                "x86_fp80",
                "[1000000000 x {}]",
                "<4 x ptr>",
                "{}",
                "fp128",
                "<16 x i1>",
            ]);
            new.line(format!("{b} = load {ty}, ptr {name}"));
            new.line(format!("store {ty} {b}, ptr {name}"));
        }
        6 => {
            new.line(format!("{b} = ptrtoint ptr {name} to i64"));
            new.line(format!("{c} = mul i64 {b}, {size}"));
            new.line(format!("{a} = inttoptr i64 {c} to ptr"));
            new.result = Some(a.clone());
        }
        7 => {
            new.line(format!("{a} = call i64 (ptr, ...) {name}(ptr {name}, i64 {size}, i8 3)"));
        }
        _ => {
            let op = random.pick(&["xchg", "add", "nand", "umax", "uinc_wrap"]);
            let ty = random.pick(&["i8", "i32", "i64", "i128"]);
            new.line(format!("{b} = atomicrmw {op} ptr {name}, {ty} {size} seq_cst"));
            new.line(format!("{c} = cmpxchg ptr {name}, {ty} {b}, {ty} {size} seq_cst seq_cst"));
        }
    }
    new
}

//! One line per statement: its id, function, place in the source, and instructions.

use std::fmt::{self, Write};

use base::entity::SecondaryMap;

use super::{Detail, Printer};
use crate::{Body, FuncId, Inst, InstId, Module, Op, Span, StatementId};

/// Writes the statements of a module, one line each.
pub fn print_statements(module: &Module, out: &mut impl Write) -> fmt::Result {
    let printer = Printer { detail: Detail::Short, ..Printer::new(module) };
    let mut insts: SecondaryMap<StatementId, Vec<InstId>> = SecondaryMap::new();
    let bodies = module.functions.values().filter_map(|function| function.body());
    for body in bodies {
        for block in body.blocks.values() {
            for &inst in &block.insts {
                insts[body.insts[inst].statement].push(inst);
            }
        }
    }
    for (id, statement) in module.statements.iter() {
        printer.statement_head(out, id, statement.function, statement.span)?;
        if let Some(body) = module.functions[statement.function].body() {
            let texts = insts[id].iter().map(|&inst| &body.insts[inst]);
            printer.short_insts(out, body, texts)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

impl Printer<'_> {
    fn statement_head(
        &self,
        out: &mut dyn Write,
        id: StatementId,
        function: FuncId,
        span: Span,
    ) -> fmt::Result {
        write!(out, "{id} {}", self.module.functions[function].display_name())?;
        match span.scope.map(|scope| self.module.scopes[scope].file) {
            Some(file) => write!(out, " {}:{}", self.module.files[file].name, span.line)?,
            None => write!(out, " ?:{}", span.line)?,
        }
        Ok(())
    }

    fn short_insts<'a>(
        &self,
        out: &mut dyn Write,
        body: &Body,
        insts: impl Iterator<Item = &'a Inst>,
    ) -> fmt::Result {
        for (index, inst) in insts.enumerate() {
            write!(out, "{}", if index == 0 { "  " } else { "; " })?;
            match (&inst.op, inst.result) {
                (Op::WriteSlot { slot, value }, _) => {
                    write!(out, "{} := {}", self.slot(body, *slot), self.operand(body, *value))?;
                    continue;
                }
                (Op::ReadSlot { slot }, Some(result)) => {
                    write!(out, "{result} = {}", self.slot(body, *slot))?;
                    continue;
                }
                (_, Some(result)) => write!(out, "{result} = ")?,
                (_, None) => {}
            }
            self.op(out, body, &inst.op)?;
        }
        Ok(())
    }
}

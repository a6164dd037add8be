//! The text form of bodies and instructions.

use std::fmt::{self, Display, Write};

use base::entity::{EntityRef, SecondaryMap};

use super::{Detail, Printer, optional, quoted, shown, span, word};
use crate::{
    Access, Body, Call, Callee, Function, Inst, Op, Operand, SlotId, Storage, ValueId, Variable,
};

impl Printer<'_> {
    pub(super) fn body(
        &self,
        out: &mut dyn Write,
        function: &Function,
        body: &Body,
    ) -> fmt::Result {
        writeln!(out, " {{")?;
        self.undefined_values(out, function, body)?;
        for (id, slot) in body.slots.iter() {
            let ty = self.ty(slot.ty);
            writeln!(out, "  slot {id}{}: {ty}", word(&slot.name))?;
        }
        for variable in &body.variables {
            self.variable(out, variable)?;
        }
        for (id, block) in body.blocks.iter() {
            writeln!(out, "{id}{}:", word(&block.name))?;
            for &inst in &block.insts {
                write!(out, "  ")?;
                self.inst(out, body, &body.insts[inst])?;
            }
        }
        writeln!(out, "}}")
    }

    /// Values that no listed instruction defines, but for parameters that are as declared.
    fn undefined_values(
        &self,
        out: &mut dyn Write,
        function: &Function,
        body: &Body,
    ) -> fmt::Result {
        let mut defined: SecondaryMap<ValueId, bool> = SecondaryMap::new();
        for block in body.blocks.values() {
            for &inst in &block.insts {
                if let Some(result) = body.insts[inst].result {
                    defined[result] = true;
                }
            }
        }
        for (id, value) in body.values.iter() {
            let param = function.params.get(id.index());
            let as_declared =
                param.is_some_and(|param| param.ty == value.ty && param.name == value.name);
            if !defined[id] && !as_declared {
                let ty = self.ty(value.ty);
                writeln!(out, "  value {id}{}: {ty}", word(&value.name))?;
            }
        }
        Ok(())
    }

    fn variable(&self, out: &mut dyn Write, variable: &Variable) -> fmt::Result {
        let Variable { name, ty, scope, line, parameter, storage } = variable;
        write!(out, "  variable {}", quoted(name.as_bytes()))?;
        write!(out, "{}{}", optional(" type ", *ty), optional(" scope ", *scope))?;
        write!(out, " line {line}")?;
        if *parameter != 0 {
            write!(out, " parameter {parameter}")?;
        }
        match storage {
            Storage::Slot(slot) => writeln!(out, " slot {slot}"),
            Storage::Memory(value) => writeln!(out, " memory {value}"),
            Storage::Value(value) => writeln!(out, " value {value}"),
            Storage::Unknown => writeln!(out, " unknown"),
        }
    }

    fn inst(&self, out: &mut dyn Write, body: &Body, inst: &Inst) -> fmt::Result {
        if let Some(result) = inst.result {
            let value = &body.values[result];
            let ty = self.ty(value.ty);
            write!(out, "{result}{}: {ty} = ", word(&value.name))?;
        }
        self.op(out, body, &inst.op)?;
        write!(out, "{}", span(inst.span))?;
        if !self.module.statements.is_empty() {
            write!(out, " {}", inst.statement)?;
        }
        writeln!(out)
    }

    pub(super) fn operand<'a>(&'a self, body: &'a Body, operand: Operand) -> impl Display + 'a {
        shown(move |f| match operand {
            Operand::Value(value) => value.fmt(f),
            Operand::Const(constant) => self.constant(&body.consts[constant]).fmt(f),
        })
    }

    pub(super) fn slot<'a>(&'a self, body: &'a Body, slot: SlotId) -> impl Display + 'a {
        shown(move |f| match (self.detail, body.slots[slot].name.as_str()) {
            (Detail::Full, _) | (Detail::Short, "") => slot.fmt(f),
            (Detail::Short, name) => f.write_str(name),
        })
    }

    pub(super) fn op(&self, out: &mut dyn Write, body: &Body, op: &Op) -> fmt::Result {
        let show = |operand: Operand| self.operand(body, operand);
        match op {
            Op::Unary { op, value } => write!(out, "{} {}", op.name(), show(*value)),
            Op::Binary { op, lhs, rhs, nsw } => {
                let flag = if *nsw { " nsw" } else { "" };
                write!(out, "{}{flag} {}, {}", op.name(), show(*lhs), show(*rhs))
            }
            Op::Compare { op, lhs, rhs } => {
                write!(out, "{} {}, {}", op.name(), show(*lhs), show(*rhs))
            }
            Op::Cast { op, value } => write!(out, "{} {}", op.name(), show(*value)),
            Op::Select { condition, then, otherwise } => {
                write!(out, "select {}, {}, {}", show(*condition), show(*then), show(*otherwise))
            }
            Op::Phi { incoming } => {
                let pairs = incoming.iter().map(|(from, value)| (from, show(*value)));
                list(out, "phi ", pairs, |out, (from, value)| write!(out, "{from} {value}"))
            }
            Op::ReadSlot { slot } => write!(out, "read {}", self.slot(body, *slot)),
            Op::WriteSlot { slot, value } => {
                write!(out, "write {}, {}", self.slot(body, *slot), show(*value))
            }
            Op::Alloca { ty, count, align } => {
                write!(out, "alloca {}, {}", self.ty(*ty), show(*count))?;
                self.access(out, Access { align: *align, ..Access::default() })
            }
            Op::Load { address, access } => {
                write!(out, "load {}", show(*address))?;
                self.access(out, *access)
            }
            Op::Store { address, value, access } => {
                write!(out, "store {}, {}", show(*address), show(*value))?;
                self.access(out, *access)
            }
            Op::Offset { base, bytes, scaled, wraps } => {
                let flag = if *wraps { "wraps " } else { "" };
                write!(out, "offset {flag}{}, {bytes}", show(*base))?;
                for (index, scale) in scaled {
                    write!(out, ", {} * {scale}", show(*index))?;
                }
                Ok(())
            }
            Op::AtomicRmw { op, address, value, access } => {
                write!(out, "rmw {} {}, {}", op.name(), show(*address), show(*value))?;
                self.access(out, *access)
            }
            Op::CompareExchange { address, expected, new, access } => {
                write!(out, "cmpxchg {}, {}, {}", show(*address), show(*expected), show(*new))?;
                self.access(out, *access)
            }
            Op::Fence => write!(out, "fence"),
            Op::ExtractValue { aggregate, path } => {
                write!(out, "extractvalue {}", show(*aggregate))?;
                path.iter().try_for_each(|index| write!(out, ", {index}"))
            }
            Op::InsertValue { aggregate, value, path } => {
                write!(out, "insertvalue {}, {}", show(*aggregate), show(*value))?;
                path.iter().try_for_each(|index| write!(out, ", {index}"))
            }
            Op::ExtractElement { vector, index } => {
                write!(out, "extractelement {}, {}", show(*vector), show(*index))
            }
            Op::InsertElement { vector, value, index } => {
                let (vector, value, index) = (show(*vector), show(*value), show(*index));
                write!(out, "insertelement {vector}, {value}, {index}")
            }
            Op::Shuffle { lhs, rhs, mask } => {
                write!(out, "shuffle {}, {}", show(*lhs), show(*rhs))?;
                list(out, ", [", mask.iter(), |out, lane| match lane {
                    Some(lane) => write!(out, "{lane}"),
                    None => write!(out, "any"),
                })?;
                write!(out, "]")
            }
            Op::Call(call) => {
                write!(out, "call ")?;
                self.call(out, body, call)
            }
            Op::VaArg { list } => write!(out, "vaarg {}", show(*list)),
            Op::LandingPad => write!(out, "landingpad"),
            Op::Jump { target } => write!(out, "jump {target}"),
            Op::Branch { condition, then, otherwise } => {
                write!(out, "branch {}, {then}, {otherwise}", show(*condition))
            }
            Op::Switch { value, default, cases } => {
                write!(out, "switch {}, {default}", show(*value))?;
                list(out, " [", cases.iter(), |out, (value, block)| {
                    write!(out, "{value}: {block}")
                })?;
                write!(out, "]")
            }
            Op::IndirectJump { address, targets } => {
                write!(out, "indirectjump {}", show(*address))?;
                list(out, " [", targets.iter(), |out, target| write!(out, "{target}"))?;
                write!(out, "]")
            }
            Op::Return { value: Some(value) } => write!(out, "return {}", show(*value)),
            Op::Return { value: None } => write!(out, "return"),
            Op::Unreachable => write!(out, "unreachable"),
            Op::Invoke { call, normal, unwind } => {
                write!(out, "invoke ")?;
                self.call(out, body, call)?;
                write!(out, " to {normal} unwind {unwind}")
            }
            Op::Resume { value } => write!(out, "resume {}", show(*value)),
        }
    }

    fn access(&self, out: &mut dyn Write, access: Access) -> fmt::Result {
        if self.detail == Detail::Short {
            return Ok(());
        }
        let Access { align, volatile, atomic } = access;
        if align != 0 {
            write!(out, " align {align}")?;
        }
        write!(out, "{}", if volatile { " volatile" } else { "" })?;
        write!(out, "{}", if atomic { " atomic" } else { "" })
    }

    fn call(&self, out: &mut dyn Write, body: &Body, call: &Call) -> fmt::Result {
        if self.detail == Detail::Full {
            write!(out, "{} ", self.ty(call.returns))?;
        }
        match &call.callee {
            Callee::Function(function) => write!(out, "{}", self.symbols[*function])?,
            Callee::Indirect(target) => write!(out, "indirect {}", self.operand(body, *target))?,
            Callee::Builtin(builtin) => write!(out, "builtin {}", builtin.name())?,
            Callee::Asm(asm) => {
                let template = quoted(asm.template.as_bytes());
                write!(out, "asm {template} {}", quoted(asm.constraints.as_bytes()))?;
            }
        }
        list(out, "(", call.args.iter(), |out, argument| {
            write!(out, "{}", self.operand(body, argument.value))?;
            match argument.byval {
                Some(byval) => write!(out, " byval {} {}", byval.size, byval.align),
                None => Ok(()),
            }
        })?;
        write!(out, ")")?;
        match call.fixed {
            Some(fixed) if self.detail == Detail::Full => write!(out, " fixed {fixed}"),
            _ => Ok(()),
        }
    }
}

/// Writes items with commas between them.
fn list<T>(
    out: &mut dyn Write,
    open: &str,
    items: impl Iterator<Item = T>,
    mut item: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    write!(out, "{open}")?;
    for (index, each) in items.enumerate() {
        write!(out, "{}", if index == 0 { "" } else { ", " })?;
        item(out, each)?;
    }
    Ok(())
}

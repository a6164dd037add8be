//! Keys of units: what a unit does, as text with the same meaning in both versions.
//!
//! The whole expression of a unit is part of its key. A key distinguishes a value read before a
//! write from one read after it, so that `y = x++` and `x++; y = x` have different keys.

use ir::{Access, Body, Call, Callee, InstId, Module, Op, Operand, SlotId, TypeId, ValueId};

use super::globals::{describe_const, function_name};
use super::units::{Units, has_effect};

/// Expressions nested deeper are truncated.
pub const DEEPEST: usize = 200;

/// The names of local variables in keys.
pub trait Names {
    fn slot(&self, slot: SlotId) -> String;

    /// A local variable in memory, by the value of its address.
    fn memory(&self, address: ValueId) -> String;
}

/// Writes the keys of one function.
pub struct Keys<'a, N> {
    pub module: &'a Module,
    pub body: &'a Body,
    pub units: &'a Units,
    pub names: &'a N,
}

impl<N: Names> Keys<'_, N> {
    pub fn key(&self, unit: InstId) -> String {
        let mut text = String::new();
        self.write(unit, unit, 0, &mut text);
        text
    }

    fn operand(&self, root: InstId, operand: Operand, depth: usize, text: &mut String) {
        match operand {
            Operand::Const(constant) => {
                text.push_str(&describe_const(self.module, &self.body.consts[constant], 0));
            }
            Operand::Value(value) => match self.units.definitions[value] {
                Some(definition) => self.value(root, definition, depth, text),
                None => text.push_str(&format!("param{}", value.as_u32())),
            },
        }
    }

    fn value(&self, root: InstId, definition: InstId, depth: usize, text: &mut String) {
        if depth > DEEPEST {
            text.push('…');
            return;
        }
        if has_effect(&self.body.insts[definition].op) {
            // The value of an earlier unit: named by its action, without the ages of its operands,
            // which its own key has.
            text.push_str("result of ");
            self.write(definition, definition, depth + 1, text);
            return;
        }
        self.write(root, definition, depth + 1, text);
    }

    /// The number of relevant writes between a read and the unit that uses it.
    fn age(&self, root: InstId, read: InstId, text: &mut String) {
        let writes = |unit: &&super::units::Unit| match self.body.insts[read].op {
            Op::ReadSlot { slot } => unit.writes == Some(slot),
            _ => unit.touches_memory && unit.writes.is_none(),
        };
        let age = self.units.between(read, root).filter(writes).count();
        if age > 0 {
            text.push_str(&format!("@{age}"));
        }
    }

    /// The alignment of an access, if it is less than usual, as for a member of a packed struct.
    fn looseness(&self, access: Access, ty: TypeId) -> String {
        match access.align {
            align if align != 0 && align < self.module.types.layout(ty).align => {
                format!(".{align}")
            }
            _ => String::new(),
        }
    }

    fn size_of(&self, inst: InstId) -> u64 {
        let result = self.body.insts[inst].result;
        result.map_or(0, |value| self.module.types.layout(self.body.values[value].ty).size)
    }

    fn list(&self, root: InstId, operands: &[Operand], depth: usize, text: &mut String) {
        text.push('(');
        for (index, &operand) in operands.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            self.operand(root, operand, depth, text);
        }
        text.push(')');
    }

    fn write(&self, root: InstId, inst: InstId, depth: usize, text: &mut String) {
        let op = &self.body.insts[inst].op;
        let head = match op {
            Op::Unary { op, .. } => op.name().to_owned(),
            Op::Binary { op, nsw, .. } => {
                let flag = if *nsw { ".nsw" } else { "" };
                format!("{}{flag}:{}", op.name(), self.size_of(inst))
            }
            Op::Compare { op, .. } => op.name().to_owned(),
            Op::Cast { op, .. } => format!("{}:{}", op.name(), self.size_of(inst)),
            Op::Select { .. } => "select".to_owned(),
            Op::Phi { .. } => "phi".to_owned(),
            Op::ReadSlot { slot } => {
                text.push_str(&self.names.slot(*slot));
                self.age(root, inst, text);
                return;
            }
            Op::WriteSlot { slot, .. } => format!("{} =", self.names.slot(*slot)),
            Op::Alloca { .. } => {
                let address = self.body.insts[inst].result;
                text.push_str(&address.map_or_else(String::new, |a| self.names.memory(a)));
                return;
            }
            Op::Load { access, .. } => {
                self.age(root, inst, text);
                let ty = self.body.insts[inst].result.map(|value| self.body.values[value].ty);
                let loose = ty.map_or_else(String::new, |ty| self.looseness(*access, ty));
                format!("load{loose}:{}", self.size_of(inst))
            }
            Op::Store { value, access, .. } => {
                let ty = self.body.operand_type(*value);
                let size = self.module.types.layout(ty).size;
                format!("store{}:{size}", self.looseness(*access, ty))
            }
            Op::Offset { bytes, scaled, wraps, .. } => {
                let scales: Vec<String> =
                    scaled.iter().map(|(_, scale)| scale.to_string()).collect();
                let wraps = if *wraps { " wraps" } else { "" };
                format!("offset{wraps}:{bytes}:{}", scales.join(":"))
            }
            Op::AtomicRmw { op, .. } => format!("atomic {}", op.name()),
            Op::CompareExchange { .. } => "compare exchange".to_owned(),
            Op::Fence => "fence".to_owned(),
            Op::ExtractValue { path, .. } => format!("extract {path:?}"),
            Op::InsertValue { path, .. } => format!("insert {path:?}"),
            Op::ExtractElement { .. } => "extract element".to_owned(),
            Op::InsertElement { .. } => "insert element".to_owned(),
            Op::Shuffle { mask, .. } => format!("shuffle {mask:?}"),
            Op::Call(call) | Op::Invoke { call, .. } => self.call(root, call, depth),
            Op::VaArg { .. } => format!("va_arg:{}", self.size_of(inst)),
            Op::LandingPad => "landing pad".to_owned(),
            Op::Jump { .. } => "jump".to_owned(),
            Op::Branch { .. } => "if".to_owned(),
            Op::Switch { cases, .. } => {
                let values: Vec<String> = cases.iter().map(|(case, _)| case.to_string()).collect();
                format!("switch {}", values.join(","))
            }
            Op::IndirectJump { .. } => "goto *".to_owned(),
            Op::Return { .. } => "return".to_owned(),
            Op::Unreachable => "unreachable".to_owned(),
            Op::Resume { .. } => "resume".to_owned(),
        };
        text.push_str(&head);
        let mut operands = Vec::new();
        op.operands(|operand| operands.push(operand));
        self.list(root, &operands, depth, text);
    }

    fn call(&self, root: InstId, call: &Call, depth: usize) -> String {
        let callee = match &call.callee {
            Callee::Function(function) => function_name(self.module, *function).to_owned(),
            Callee::Builtin(builtin) => builtin.name().to_owned(),
            Callee::Asm(asm) => format!("asm {:?} {:?}", asm.template, asm.constraints),
            Callee::Indirect(operand) => {
                let mut text = "*".to_owned();
                self.operand(root, *operand, depth, &mut text);
                text
            }
        };
        format!("call {callee}")
    }
}

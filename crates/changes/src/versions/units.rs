//! The units of a function: instructions with an effect, in the order of its blocks.

use base::entity::SecondaryMap;
use ir::{BlockId, Body, Callee, InstId, Op, Operand, SlotId, StatementId, ValueId};

/// An instruction with an effect.
#[derive(Clone, Debug)]
pub struct Unit {
    pub inst: InstId,
    pub block: BlockId,
    pub statement: StatementId,
    /// The slot it writes.
    pub writes: Option<SlotId>,
    /// The slots that its expression reads.
    pub reads: Vec<SlotId>,
    /// Whether it, or its expression, reads or writes memory, or calls something.
    pub touches_memory: bool,
}

/// The units of a body, and the unit of each instruction.
#[derive(Clone, Debug, Default)]
pub struct Units {
    pub all: Vec<Unit>,
    pub of_inst: SecondaryMap<InstId, Option<u32>>,
    /// The instruction that defines each value.
    pub definitions: SecondaryMap<ValueId, Option<InstId>>,
    /// The position of an instruction among all, by blocks.
    pub position: SecondaryMap<InstId, u32>,
}

impl Units {
    pub fn new(body: &Body) -> Units {
        let mut units = Units::default();
        for (inst, data) in body.insts.iter() {
            if let Some(result) = data.result {
                units.definitions[result] = Some(inst);
            }
        }
        let mut position = 0;
        for (block, data) in body.blocks.iter() {
            for &inst in &data.insts {
                units.position[inst] = position;
                position += 1;
                if has_effect(&body.insts[inst].op) {
                    let unit = units.unit(body, block, inst);
                    units.of_inst[inst] = Some(units.all.len() as u32);
                    units.all.push(unit);
                }
            }
        }
        units
    }

    /// The units between two instructions, neither included.
    pub fn between(&self, from: InstId, to: InstId) -> impl Iterator<Item = &Unit> {
        let (first, last) = (self.position[from], self.position[to]);
        let start = self.all.partition_point(|unit| self.position[unit.inst] <= first);
        self.all[start..].iter().take_while(move |unit| self.position[unit.inst] < last)
    }

    fn unit(&self, body: &Body, block: BlockId, inst: InstId) -> Unit {
        let data = &body.insts[inst];
        let writes = match data.op {
            Op::WriteSlot { slot, .. } => Some(slot),
            _ => None,
        };
        let mut unit = Unit {
            inst,
            block,
            statement: data.statement,
            writes,
            reads: Vec::new(),
            touches_memory: !matches!(
                data.op,
                Op::WriteSlot { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Return { .. }
            ),
        };
        self.collect(body, inst, &mut unit, 0);
        unit
    }

    fn collect(&self, body: &Body, inst: InstId, unit: &mut Unit, depth: usize) {
        if depth > super::key::DEEPEST {
            unit.touches_memory = true;
            return;
        }
        match body.insts[inst].op {
            Op::ReadSlot { slot } => unit.reads.push(slot),
            Op::Load { .. } => unit.touches_memory = true,
            _ => {}
        }
        let mut operands: Vec<Operand> = Vec::new();
        body.insts[inst].op.operands(|operand| operands.push(operand));
        for operand in operands {
            let Operand::Value(value) = operand else { continue };
            let Some(definition) = self.definitions[value] else { continue };
            if has_effect(&body.insts[definition].op) {
                unit.touches_memory = true
            } else {
                self.collect(body, definition, unit, depth + 1)
            }
        }
    }
}

/// Whether an instruction does more than compute a value. Plain jumps do not: their targets show in
/// which statements depend on which decisions.
pub fn has_effect(op: &Op) -> bool {
    match op {
        Op::WriteSlot { .. }
        | Op::Store { .. }
        | Op::AtomicRmw { .. }
        | Op::CompareExchange { .. }
        | Op::Fence
        | Op::VaArg { .. } => true,
        Op::Call(call) => !is_pure(&call.callee),
        Op::Jump { .. } => false,
        op => op.is_terminator(),
    }
}

/// Builtins that compute a value from values.
fn is_pure(callee: &Callee) -> bool {
    use ir::Builtin::*;
    match callee {
        Callee::Builtin(builtin) => !matches!(
            builtin,
            Memcpy
                | Memmove
                | Memset
                | VaStart
                | VaEnd
                | VaCopy
                | StackSave
                | StackRestore
                | Trap
                | DebugTrap
        ),
        _ => false,
    }
}

//! Control flow: jumps, branches, switches, and the moves that fill phis.

use ir::{BlockId, CompareOp, InstId, Operand, ValueId};

use super::registers::Place;
use super::scalar::ImmediateCompare;
use super::{Lowered, Lowering, unsupported};
use crate::code::{Op, Pc, Reg, Scalar, Slow, Table};

/// The target of a jump.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Block(BlockId),
    /// An edge with moves: index into the stubs.
    Stub(usize),
}

/// The moves of an edge, placed after the block that it leaves.
#[derive(Debug)]
pub(super) struct Stub {
    from: BlockId,
    to: BlockId,
    inst: InstId,
    start: Option<Pc>,
}

impl Lowering<'_> {
    pub(super) fn jump(&mut self, from: BlockId, to: BlockId) -> Lowered<()> {
        self.moves(from, to)?;
        self.jump_to(from, to);
        Ok(())
    }

    /// A jump without moves, left out if the target comes next.
    fn jump_to(&mut self, from: BlockId, to: BlockId) {
        if to.as_u32() != from.as_u32() + 1 || !self.stubs.is_empty() {
            self.emit_jump(Op::Jump { target: 0 }, Target::Block(to));
        }
    }

    fn emit_jump(&mut self, op: Op, target: Target) {
        let at = self.code.ops.len();
        match target {
            Target::Block(block) => self.block_jumps.push((at, block)),
            Target::Stub(stub) => self.stub_jumps.push((at, stub)),
        }
        self.emit(op);
    }

    pub(super) fn branch(
        &mut self,
        from: BlockId,
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    ) -> Lowered<()> {
        if let Some(value) = self.immediate(condition) {
            return self.jump(from, if value & 1 == 1 { then } else { otherwise });
        }
        let then_target = self.edge(from, then);
        let else_target = self.edge(from, otherwise);
        let next = from.as_u32() + 1;
        let falls_to_then = matches!(then_target, Target::Block(block) if block.as_u32() == next);
        let no_stubs = self.stubs.is_empty();
        if falls_to_then && no_stubs {
            return self.conditional(condition, true, else_target);
        }
        self.conditional(condition, false, then_target)?;
        match else_target {
            Target::Block(block) if block.as_u32() == next && no_stubs => Ok(()),
            target => {
                self.emit_jump(Op::Jump { target: 0 }, target);
                Ok(())
            }
        }
    }

    /// Jumps if the condition holds (or does not hold, if negated).
    fn conditional(&mut self, condition: Operand, negated: bool, to: Target) -> Lowered<()> {
        if let Some(inst) = self.pending(condition)
            && let ir::Op::Compare { op, lhs, rhs } = self.body.insts[inst].op
            && let Some(Scalar::Int(bits)) = self.scalar(self.operand_type(lhs))
        {
            let op = if negated { negate(op) } else { op };
            if let Some(value) = self.immediate(rhs)
                && let Some(compare) = ImmediateCompare::new(op, bits, value)
            {
                self.absorb(condition);
                let a = self.take(lhs)?;
                self.emit_jump(compare.branch(a, 0), to);
                return Ok(());
            }
            if compare_branch(op, bits, 0, 0).is_some() {
                self.absorb(condition);
                let (a, b) = (self.take(lhs)?, self.take(rhs)?);
                if let Some(op) = compare_branch(op, bits, a, b) {
                    self.emit_jump(op, to);
                }
                return Ok(());
            }
        }
        let a = self.take(condition)?;
        let op = if negated { Op::BranchNot { a, target: 0 } } else { Op::Branch { a, target: 0 } };
        self.emit_jump(op, to);
        Ok(())
    }

    pub(super) fn switch(
        &mut self,
        from: BlockId,
        value: Operand,
        default: BlockId,
        cases: &[(u128, BlockId)],
    ) -> Lowered<()> {
        match self.scalar(self.operand_type(value)) {
            Some(Scalar::Int(bits)) if bits <= 64 => {}
            Some(scalar) => return self.wide_switch(from, (scalar, value), default, cases),
            None => return Err(unsupported("a switch over more than 128 bits")),
        }
        let a = self.take(value)?;
        let table = self.code.tables.len() as u32;
        self.emit(Op::Switch { a, table });
        // The targets replace block numbers until all blocks have a place.
        let mut targets: Vec<(u64, Target)> = Vec::with_capacity(cases.len());
        for &(value, block) in cases {
            targets.push((value as u64, self.edge(from, block)));
        }
        targets.sort_by_key(|(value, _)| *value);
        let default = self.edge(from, default);
        self.code.tables.push(Table {
            cases: targets.iter().map(|&(value, target)| (value, encode(target))).collect(),
            dense: None,
            default: encode(default),
        });
        Ok(())
    }

    /// A switch over more than 64 bits: the cases are tried one by one.
    fn wide_switch(
        &mut self,
        from: BlockId,
        (scalar, value): (Scalar, Operand),
        default: BlockId,
        cases: &[(u128, BlockId)],
    ) -> Lowered<()> {
        let a = self.take(value)?;
        let b = self.registers.temporaries(2);
        let d = self.registers.temporary();
        for &(case, block) in cases {
            self.emit(Op::Const { d: b, value: case as u64 });
            self.emit(Op::Const { d: b + 1, value: (case >> 64) as u64 });
            self.emit_slow(Slow::Compare { op: CompareOp::Eq, scalar, d, a, b });
            let target = self.edge(from, block);
            self.emit_jump(Op::Branch { a: d, target: 0 }, target);
        }
        let target = self.edge(from, default);
        self.emit_jump(Op::Jump { target: 0 }, target);
        Ok(())
    }

    pub(super) fn indirect_jump(&mut self, address: Operand, targets: &[BlockId]) -> Lowered<()> {
        if targets.iter().any(|&target| self.has_phis(target)) {
            return Err(unsupported("a computed goto to a block with phis"));
        }
        let a = self.take(address)?;
        let table = self.code.tables.len() as u32;
        self.emit(Op::IndirectJump { a, table });
        let mut cases: Vec<(u64, Pc)> = targets
            .iter()
            .filter_map(|&block| {
                let label = self.addresses.label(self.code.function, block)?;
                Some((u64::from(label), encode(Target::Block(block))))
            })
            .collect();
        cases.sort_unstable();
        cases.dedup();
        self.code.tables.push(Table { cases: cases.into(), dense: None, default: Table::NOWHERE });
        Ok(())
    }

    pub(super) fn ret(&mut self, value: Option<Operand>) -> Lowered<()> {
        let (a, count) = match value {
            Some(value) => {
                let count = self.width(self.operand_type(value));
                (self.take(value)?, count)
            }
            None => (0, 0),
        };
        self.emit(Op::Return { a, count });
        Ok(())
    }

    fn has_phis(&self, block: BlockId) -> bool {
        self.phis(block).next().is_some()
    }

    fn phis(&self, block: BlockId) -> impl Iterator<Item = (ValueId, &[(BlockId, Operand)])> {
        let insts = self.body.blocks.get(block).map_or(&[][..], |block| &block.insts);
        insts.iter().map_while(|&inst| match &self.body.insts[inst] {
            ir::Inst { op: ir::Op::Phi { incoming }, result: Some(result), .. } => {
                Some((*result, &incoming[..]))
            }
            _ => None,
        })
    }

    /// The target of an edge: the block itself, or a stub with the moves for its phis.
    fn edge(&mut self, from: BlockId, to: BlockId) -> Target {
        if !self.has_phis(to) {
            return Target::Block(to);
        }
        self.stubs.push(Stub { from, to, inst: self.inst, start: None });
        Target::Stub(self.stubs.len() - 1)
    }

    /// Emits the moves of the pending edges, after the block's terminator.
    pub(super) fn flush_stubs(&mut self) {
        for index in 0..self.stubs.len() {
            if self.stubs[index].start.is_some() {
                continue;
            }
            self.stubs[index].start = Some(self.code.ops.len() as Pc);
            let Stub { from, to, inst, .. } = self.stubs[index];
            self.inst = inst;
            if self.moves(from, to).is_err() {
                let feature = crate::stop::Feature::Instruction("a phi of an unusual type".into());
                self.halt(crate::code::Halt::Unsupported(feature));
            }
            self.emit_jump(Op::Jump { target: 0 }, Target::Block(to));
        }
        self.place_stubs();
    }

    /// Replaces references to stubs, now that their places are known.
    fn place_stubs(&mut self) {
        let stubs = std::mem::take(&mut self.stubs);
        let start = |index: usize| stubs[index].start.unwrap_or(0);
        for (op, stub) in self.stub_jumps.drain(..) {
            self.code.ops[op].set_target(start(stub));
        }
        // A block has one switch at most, whose table is the last.
        if let Some(table) = self.code.tables.last_mut() {
            let place = |target: &mut Pc| {
                if let Target::Stub(index) = decode(*target) {
                    *target = PLACED | start(index);
                }
            };
            table.cases.iter_mut().for_each(|(_, target)| place(target));
            place(&mut table.default);
        }
    }

    pub(super) fn resolve_targets(&mut self) {
        for (op, block) in self.block_jumps.drain(..) {
            let start = self.code.starts[block];
            self.code.ops[op].set_target(start);
        }
        let starts = &self.code.starts;
        for table in &mut self.code.tables {
            let resolve = |target: Pc| match target & PLACED {
                _ if target == Table::NOWHERE => target,
                0 => starts[BlockId::at(target)],
                _ => target & !PLACED,
            };
            table.cases.iter_mut().for_each(|(_, target)| *target = resolve(*target));
            table.default = resolve(table.default);
            table.dense = dense(&table.cases, table.default);
        }
    }

    /// The moves of one edge, as if all happened at once.
    fn moves(&mut self, from: BlockId, to: BlockId) -> Lowered<()> {
        let moves: Vec<(ValueId, Operand)> = self
            .phis(to)
            .filter_map(|(value, incoming)| {
                let (_, operand) = incoming.iter().find(|(block, _)| *block == from)?;
                Some((value, *operand))
            })
            .collect();
        if let [(value, operand)] = moves[..] {
            return self.move_to(value, operand);
        }
        let mut copies = Vec::new();
        for (value, operand) in moves {
            let width = self.width(self.body.values[value].ty);
            let a = self.take(operand)?;
            let copy = self.registers.temporaries(width);
            for index in 0..width {
                self.emit(Op::Copy { d: copy + index, a: a + index });
            }
            copies.push((value, copy, width));
        }
        for (value, copy, width) in copies {
            let Place::Register(d) = self.registers.place(value) else { continue };
            for index in 0..width {
                self.emit(Op::Copy { d: d + index, a: copy + index });
            }
        }
        Ok(())
    }

    fn move_to(&mut self, value: ValueId, operand: Operand) -> Lowered<()> {
        let Place::Register(d) = self.registers.place(value) else { return Ok(()) };
        if let Operand::Const(constant) = operand {
            for (index, value) in
                self.constant_words(&self.body.consts[constant])?.into_iter().enumerate()
            {
                self.emit(Op::Const { d: d + index as Reg, value });
            }
            return Ok(());
        }
        let a = self.take(operand)?;
        for index in 0..self.width(self.body.values[value].ty) {
            self.emit(Op::Copy { d: d + index, a: a + index });
        }
        Ok(())
    }
}

/// Marks a table entry whose target is a place already.
const PLACED: Pc = 1 << 31;
/// Marks a table entry that refers to a stub.
const STUB: Pc = 1 << 30;

fn encode(target: Target) -> Pc {
    match target {
        Target::Block(block) => block.as_u32(),
        Target::Stub(index) => STUB | index as Pc,
    }
}

fn decode(target: Pc) -> Target {
    match target & (PLACED | STUB) {
        STUB => Target::Stub((target & !STUB) as usize),
        _ => Target::Block(BlockId::at(target)),
    }
}

/// A table by value, if the values are dense.
fn dense(cases: &[(u64, Pc)], default: Pc) -> Option<(u64, Box<[Pc]>)> {
    let (first, last) = (cases.first()?.0, cases.last()?.0);
    let span = last.checked_sub(first)?.checked_add(1)?;
    if cases.len() < 4 || span > 4 * cases.len() as u64 {
        return None;
    }
    let mut targets = vec![default; span as usize];
    for &(value, target) in cases {
        targets[(value - first) as usize] = target;
    }
    Some((first, targets.into_boxed_slice()))
}

fn negate(op: CompareOp) -> CompareOp {
    use CompareOp::*;
    match op {
        Eq => Ne,
        Ne => Eq,
        Ugt => Ule,
        Uge => Ult,
        Ult => Uge,
        Ule => Ugt,
        Sgt => Sle,
        Sge => Slt,
        Slt => Sge,
        Sle => Sgt,
        // Float comparisons are not fused with branches.
        other => other,
    }
}

fn compare_branch(op: CompareOp, bits: u8, a: Reg, b: Reg) -> Option<Op> {
    let target = 0;
    Some(match (op, bits) {
        (CompareOp::Eq, 1..=64) => Op::BrEq { a, b, target },
        (CompareOp::Ne, 1..=64) => Op::BrNe { a, b, target },
        (CompareOp::Ult, 1..=64) => Op::BrUlt { a, b, target },
        (CompareOp::Ule, 1..=64) => Op::BrUle { a, b, target },
        (CompareOp::Ugt, 1..=64) => Op::BrUlt { a: b, b: a, target },
        (CompareOp::Uge, 1..=64) => Op::BrUle { a: b, b: a, target },
        (CompareOp::Slt, 32) => Op::BrSlt32 { a, b, target },
        (CompareOp::Sle, 32) => Op::BrSle32 { a, b, target },
        (CompareOp::Sgt, 32) => Op::BrSlt32 { a: b, b: a, target },
        (CompareOp::Sge, 32) => Op::BrSle32 { a: b, b: a, target },
        (CompareOp::Slt, 64) => Op::BrSlt64 { a, b, target },
        (CompareOp::Sle, 64) => Op::BrSle64 { a, b, target },
        (CompareOp::Sgt, 64) => Op::BrSlt64 { a: b, b: a, target },
        (CompareOp::Sge, 64) => Op::BrSle64 { a: b, b: a, target },
        _ => return None,
    })
}

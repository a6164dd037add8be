//! Reads of which only some bits are used.
//!
//! A bit-field has no address: to read it, the compiler loads the unit that contains it and
//! extracts some bits; to write it, it loads the unit, replaces some bits, and stores the unit
//! again. Neither uses the unit's other bits, which may be uninitialised. Values with more than one
//! use are not followed; all their bits count as used.

use base::bits;
use ir::{BinaryOp, BlockId, CastOp, InstId, Op as IrOp, Operand, Type, ValueId};

use super::Lowering;
use crate::code::{PartialRead, Pc, Scalar};

/// Operations that are followed from a load to the use of single bits.
const MOST_FOLLOWED: u32 = 4;

impl Lowering<'_> {
    /// Which bits of the result of the current load are used; nothing if all are.
    pub(super) fn partial_read(
        &mut self,
        block: BlockId,
        address: Operand,
        scalar: Scalar,
    ) -> Option<PartialRead> {
        let Scalar::Int(bits @ 1..=64) = scalar else { return None };
        let value = self.body.insts[self.inst].result?;
        if let Some((kept, store)) = self.replaced(block, address, value) {
            self.put_back.push(store);
            return Some(PartialRead { pc: 0, used: 0, kept });
        }
        let used = self.used(value, bits.into(), MOST_FOLLOWED);
        (used != mask(bits.into())).then_some(PartialRead { pc: 0, used, kept: 0 })
    }

    /// Records it for the last emitted operation.
    pub(super) fn note_partial_read(&mut self, part: Option<PartialRead>) {
        if let Some(part) = part {
            let pc = self.code.ops.len().saturating_sub(1) as Pc;
            self.code.partial_reads.push(PartialRead { pc, ..part });
        }
    }

    /// If a loaded value is stored back to its place with some bits replaced: the other bits, and
    /// the store.
    fn replaced(&self, block: BlockId, address: Operand, loaded: ValueId) -> Option<(u64, InstId)> {
        let (mut value, mut kept, mut next) = (loaded, None, self.registers.only_user(loaded)?);
        loop {
            let inst = &self.body.insts[next];
            match inst.op {
                IrOp::Binary { op: BinaryOp::And, lhs, rhs, .. } if kept.is_none() => {
                    kept = Some(self.constant_beside(value, lhs, rhs)?);
                }
                IrOp::Binary { op: BinaryOp::Or, .. } if kept.is_some() => {}
                IrOp::Store { address: to, value: stored, .. } => {
                    let is_back = to == address && stored == Operand::Value(value);
                    let kept = kept.filter(|_| is_back && self.is_undisturbed(block, next))?;
                    return Some((kept, next));
                }
                _ => return None,
            }
            value = inst.result?;
            next = self.registers.only_user(value)?;
        }
    }

    /// Whether nothing touches memory between the current instruction and a later one.
    fn is_undisturbed(&self, block: BlockId, last: InstId) -> bool {
        let insts = self.body.blocks[block].insts.iter();
        let mut between = insts.skip_while(|&&inst| inst != self.inst).skip(1);
        between.by_ref().take_while(|&&inst| inst != last).all(|&inst| {
            matches!(
                self.body.insts[inst].op,
                IrOp::Unary { .. }
                    | IrOp::Binary { .. }
                    | IrOp::Compare { .. }
                    | IrOp::Cast { .. }
                    | IrOp::Select { .. }
                    | IrOp::Offset { .. }
                    | IrOp::ReadSlot { .. }
                    | IrOp::WriteSlot { .. }
            )
        })
    }

    /// The bits of a value that something is computed from.
    fn used(&self, value: ValueId, bits: u32, depth: u32) -> u64 {
        let all = mask(bits);
        let Some(user) = self.registers.only_user(value).filter(|_| depth > 0) else { return all };
        let inst = &self.body.insts[user];
        let Some(result) = inst.result else { return all };
        let Type::Int(width) = *self.module.types.get(self.body.values[result].ty) else {
            return all;
        };
        if width > 64 {
            return all;
        }
        let then = || self.used(result, width, depth - 1);
        match inst.op {
            IrOp::Binary { op: BinaryOp::And, lhs, rhs, .. } => {
                self.constant_beside(value, lhs, rhs).map_or(all, |constant| constant & then())
            }
            IrOp::Binary { op, lhs, rhs, .. } if lhs == Operand::Value(value) => {
                let amount = self.immediate(rhs).filter(|&amount| amount < u64::from(bits));
                let Some(amount) = amount else { return all };
                let top = 1 << (bits - 1);
                match op {
                    BinaryOp::LShr => then() << amount & all,
                    BinaryOp::Shl => then() >> amount,
                    // Copies of the top bit come in from above.
                    BinaryOp::AShr => then() << amount & all | top,
                    _ => all,
                }
            }
            IrOp::Cast { op: CastOp::Trunc | CastOp::ZExt, .. } => then() & all,
            _ => all,
        }
    }

    /// The constant that one operand is, if the other is the value.
    fn constant_beside(&self, value: ValueId, lhs: Operand, rhs: Operand) -> Option<u64> {
        let value = Operand::Value(value);
        match (lhs == value, rhs == value) {
            (true, false) => self.immediate(rhs),
            (false, true) => self.immediate(lhs),
            _ => None,
        }
    }
}

fn mask(bits: u32) -> u64 {
    bits::mask(bits) as u64
}

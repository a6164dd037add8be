//! Slots that may be read before they are written.
//!
//! Only these get a flag that the machine checks; all others need none.

use base::entity::{PrimaryMap, filled};
use base::sets::BitSet;
use ir::{BlockId, Body, SlotId};

use super::Lowering;
use crate::code::Op;

impl Lowering<'_> {
    /// Reserves flags and clears them, with their slots, at the start of the function.
    pub(super) fn prepare_flags(&mut self) {
        let doubtful = doubtful_slots(self.body);
        self.flags = filled(self.body.slots.len(), None);
        for (slot, _) in self.body.slots.iter() {
            if doubtful.contains(slot) {
                let flag = self.registers.reserve();
                self.flags[slot] = Some(flag);
                self.emit(Op::Const { d: flag, value: 0 });
                for index in 0..self.width(self.body.slots[slot].ty) {
                    let d = self.registers.slot(slot) + index;
                    self.emit(Op::Const { d, value: 0 });
                }
            }
        }
    }
}

/// The slots that some path reads before it writes them.
fn doubtful_slots(body: &Body) -> BitSet<SlotId> {
    let mut doubtful = BitSet::new(body.slots.len());
    let mut before = written_before(body);
    for (block, data) in body.blocks.iter() {
        let written = &mut before[block];
        for &inst in &data.insts {
            match body.insts[inst].op {
                ir::Op::ReadSlot { slot } if !written.contains(slot) => {
                    doubtful.insert(slot);
                }
                ir::Op::WriteSlot { slot, .. } => {
                    written.insert(slot);
                }
                // Only slots matter here.
                _ => {}
            }
        }
    }
    doubtful
}

/// For each block, the slots that are written on every path to it.
fn written_before(body: &Body) -> PrimaryMap<BlockId, BitSet<SlotId>> {
    let slots = body.slots.len();
    let mut before: PrimaryMap<BlockId, BitSet<SlotId>> =
        filled(body.blocks.len(), BitSet::full(slots));
    if let Some(entry) = before.get_mut(Body::ENTRY) {
        *entry = BitSet::new(slots);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (block, data) in body.blocks.iter() {
            let Some(&last) = data.insts.last() else { continue };
            let mut after = before[block].clone();
            for &inst in &data.insts {
                if let ir::Op::WriteSlot { slot, .. } = body.insts[inst].op {
                    after.insert(slot);
                }
            }
            body.insts[last].op.successors(|next| changed |= before[next].intersect(&after));
        }
    }
    before
}

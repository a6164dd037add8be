//! Slots that may be read before they are written.
//!
//! Only these get a flag that the machine checks; all others need none.

use ir::{BlockId, Body};

use super::Lowering;
use crate::code::Op;

impl Lowering<'_> {
    /// Reserves flags and clears them, with their slots, at the start of the function.
    pub(super) fn prepare_flags(&mut self) {
        let doubtful = doubtful_slots(self.body);
        self.flags = vec![None; self.body.slots.len()];
        for (slot, _) in self.body.slots.iter() {
            if doubtful[slot.as_u32() as usize] {
                let flag = self.registers.reserve();
                self.flags[slot.as_u32() as usize] = Some(flag);
                self.emit(Op::Const { d: flag, value: 0 });
                for index in 0..self.width(self.body.slots[slot].ty) {
                    let d = self.registers.slot(slot) + index;
                    self.emit(Op::Const { d, value: 0 });
                }
            }
        }
    }
}

/// For each slot, whether some read may come before every write.
fn doubtful_slots(body: &Body) -> Vec<bool> {
    let mut doubtful = vec![false; body.slots.len()];
    let writes = Writes::new(body);
    for (block, data) in body.blocks.iter() {
        let mut written = writes.before[block.as_u32() as usize].clone();
        for &inst in &data.insts {
            match body.insts[inst].op {
                ir::Op::ReadSlot { slot } if !get(&written, slot.as_u32()) => {
                    doubtful[slot.as_u32() as usize] = true;
                }
                ir::Op::WriteSlot { slot, .. } => set(&mut written, slot.as_u32()),
                // Only slots matter here.
                _ => {}
            }
        }
    }
    doubtful
}

/// For each block, the slots that are written on every way to it.
struct Writes {
    before: Vec<Vec<u64>>,
}

impl Writes {
    fn new(body: &Body) -> Writes {
        let words = body.slots.len().div_ceil(64);
        let mut before = vec![vec![u64::MAX; words]; body.blocks.len()];
        if let Some(entry) = before.first_mut() {
            entry.fill(0);
        }
        let generated: Vec<Vec<u64>> =
            body.blocks.keys().map(|block| written_in(body, block, words)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (block, data) in body.blocks.iter() {
                let index = block.as_u32() as usize;
                let mut after = before[index].clone();
                after.iter_mut().zip(&generated[index]).for_each(|(a, g)| *a |= g);
                let Some(&last) = data.insts.last() else { continue };
                body.insts[last].op.successors(|next| {
                    for (b, a) in before[next.as_u32() as usize].iter_mut().zip(&after) {
                        changed |= *b & a != *b;
                        *b &= a;
                    }
                });
            }
        }
        Writes { before }
    }
}

fn written_in(body: &Body, block: BlockId, words: usize) -> Vec<u64> {
    let mut written = vec![0; words];
    for &inst in &body.blocks[block].insts {
        if let ir::Op::WriteSlot { slot, .. } = body.insts[inst].op {
            set(&mut written, slot.as_u32());
        }
    }
    written
}

fn get(bits: &[u64], index: u32) -> bool {
    bits[index as usize / 64] >> (index % 64) & 1 == 1
}

fn set(bits: &mut [u64], index: u32) {
    bits[index as usize / 64] |= 1 << (index % 64);
}

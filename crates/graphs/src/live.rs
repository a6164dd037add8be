//! Which slots hold a value that may still be read.
//!
//! Backward over the control-flow graph: a slot is live where a way leads to a read of it without
//! a write before.

use base::entity::EntityRef;
use base::sets::BitSet;
use ir::{Body, Op, SlotId};

use crate::cfg::{Cfg, NodeId};

#[derive(Clone, Debug)]
pub struct LiveSlots {
    entering: Vec<BitSet>,
    leaving: Vec<BitSet>,
}

impl LiveSlots {
    pub fn new(body: &Body, cfg: &Cfg) -> LiveSlots {
        let empty = BitSet::new(body.slots.len());
        let mut live =
            LiveSlots { entering: vec![empty.clone(); cfg.len()], leaving: vec![empty; cfg.len()] };
        let mut order = cfg.reverse_postorder();
        order.reverse();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order {
                for &(to, _) in cfg.successors(node) {
                    let after = live.entering[to.index()].clone();
                    live.leaving[node.index()].union(&after);
                }
                let mut slots = live.leaving[node.index()].clone();
                for &inst in cfg.insts(body, node).iter().rev() {
                    match body.insts[inst].op {
                        Op::ReadSlot { slot } => {
                            slots.insert(slot.as_u32() as usize);
                        }
                        Op::WriteSlot { slot, .. } => slots.remove(slot.as_u32() as usize),
                        // Nothing else touches slots.
                        _ => {}
                    }
                }
                changed |= live.entering[node.index()].union(&slots);
            }
        }
        live
    }

    /// Live before the first instruction of a node, ascending.
    pub fn entering(&self, node: NodeId) -> impl Iterator<Item = SlotId> + '_ {
        self.entering[node.index()].iter().map(|slot| SlotId::at(slot as u32))
    }

    /// Live after the last instruction of a node, ascending.
    pub fn leaving(&self, node: NodeId) -> impl Iterator<Item = SlotId> + '_ {
        self.leaving[node.index()].iter().map(|slot| SlotId::at(slot as u32))
    }

    pub fn is_live_after(&self, node: NodeId, slot: SlotId) -> bool {
        self.leaving[node.index()].contains(slot.as_u32() as usize)
    }
}

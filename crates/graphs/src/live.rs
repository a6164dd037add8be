//! Which slots have a value that may still be read.
//!
//! Backward over the control-flow graph: a slot is live if a path leads to a read of it without a
//! write before.

use base::entity::{PrimaryMap, filled};
use base::sets::BitSet;
use ir::{Body, Op, SlotId};

use crate::cfg::{Cfg, NodeId};

#[derive(Clone, Debug)]
pub struct LiveSlots {
    entering: PrimaryMap<NodeId, BitSet<SlotId>>,
    leaving: PrimaryMap<NodeId, BitSet<SlotId>>,
}

impl LiveSlots {
    pub fn new(body: &Body, cfg: &Cfg) -> LiveSlots {
        let empty = BitSet::new(body.slots.len());
        let mut live = LiveSlots {
            entering: filled(cfg.len(), empty.clone()),
            leaving: filled(cfg.len(), empty),
        };
        let mut order = cfg.reverse_postorder();
        order.reverse();
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order {
                for &(to, _) in cfg.successors(node) {
                    let after = live.entering[to].clone();
                    live.leaving[node].union(&after);
                }
                let mut slots = live.leaving[node].clone();
                for &inst in cfg.insts(body, node).iter().rev() {
                    match body.insts[inst].op {
                        Op::ReadSlot { slot } => {
                            slots.insert(slot);
                        }
                        Op::WriteSlot { slot, .. } => slots.remove(slot),
                        // Nothing else touches slots.
                        _ => {}
                    }
                }
                changed |= live.entering[node].union(&slots);
            }
        }
        live
    }

    /// Live before the first instruction of a node, ascending.
    pub fn entering(&self, node: NodeId) -> impl Iterator<Item = SlotId> + '_ {
        self.entering[node].iter()
    }

    /// Live after the last instruction of a node, ascending.
    pub fn leaving(&self, node: NodeId) -> impl Iterator<Item = SlotId> + '_ {
        self.leaving[node].iter()
    }
}

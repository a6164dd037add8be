//! What may be defined if a decision has a certain outcome.
//!
//! The slots and regions defined by nodes that depend on the outcome, directly or through further
//! decisions. Tells what would have been defined if a branch had gone the other way (potential
//! dependence). Calls define what the called functions may.

use std::collections::{BTreeMap, BTreeSet};

use ir::{FuncId, Op, SlotId};

use crate::cfg::{Cfg, NodeId, Outcome};
use crate::control::ControlDependence;
use crate::memory::RegionId;
use crate::sdg::Analyses;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    Slot(SlotId),
    Region(RegionId),
}

#[derive(Clone, Debug)]
pub struct MayDefine {
    by_outcome: BTreeMap<(NodeId, Outcome), BTreeSet<Variable>>,
}

impl MayDefine {
    pub fn new(
        analyses: Analyses<'_>,
        function: FuncId,
        cfg: &Cfg,
        control: &ControlDependence,
    ) -> MayDefine {
        let defined: BTreeMap<NodeId, BTreeSet<Variable>> = cfg
            .nodes
            .keys()
            .map(|node| (node, defined_in(analyses, function, cfg, node)))
            .collect();
        let mut by_outcome: BTreeMap<(NodeId, Outcome), BTreeSet<Variable>> = BTreeMap::new();
        for node in cfg.nodes.keys() {
            for &(first, outcome) in control.children(node) {
                let entry = by_outcome.entry((node, outcome)).or_default();
                for reached in below(control, first) {
                    entry.extend(&defined[&reached]);
                }
            }
        }
        MayDefine { by_outcome }
    }

    /// What may be defined because a node was left with an outcome.
    pub fn variables(&self, node: NodeId, outcome: Outcome) -> impl Iterator<Item = Variable> + '_ {
        self.by_outcome.get(&(node, outcome)).into_iter().flatten().copied()
    }
}

/// A node and everything that depends on it by control.
fn below(control: &ControlDependence, first: NodeId) -> BTreeSet<NodeId> {
    let mut seen = BTreeSet::from([first]);
    let mut stack = vec![first];
    while let Some(node) = stack.pop() {
        for &(child, _) in control.children(node) {
            if seen.insert(child) {
                stack.push(child);
            }
        }
    }
    seen
}

fn defined_in(
    analyses: Analyses<'_>,
    function: FuncId,
    cfg: &Cfg,
    node: NodeId,
) -> BTreeSet<Variable> {
    let Analyses { module, points_to, memory, .. } = analyses;
    let mut defined = BTreeSet::new();
    let Some(body) = module.functions[function].body() else { return defined };
    for &inst in cfg.insts(body, node) {
        if let Op::WriteSlot { slot, .. } = body.insts[inst].op {
            defined.insert(Variable::Slot(slot));
        }
        if let Some(access) = memory.access(function, inst) {
            defined.extend(memory.sets[access.writes].iter().copied().map(Variable::Region));
        }
        if let Some(targets) = points_to.calls(function, inst) {
            for &callee in targets.functions.iter().chain(&targets.callbacks) {
                defined.extend(memory.modified(callee).map(Variable::Region));
            }
        }
    }
    defined
}

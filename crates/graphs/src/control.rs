//! Control dependence of the nodes of a control-flow graph on its decisions.
//!
//! Ferrante, Ottenstein, Warren (1987), from the post-dominator tree. Not termination sensitive: a
//! node after an endless loop does not depend on the loop. Calls that may not return are decisions,
//! like branches.

use base::entity::EntityRef;

use crate::cfg::{Cfg, NodeId, Outcome};
use crate::dominators::DominatorTree;

/// For each node, the decisions that it depends on directly.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    parents: Vec<Vec<(NodeId, Outcome)>>,
    children: Vec<Vec<(NodeId, Outcome)>>,
}

impl ControlDependence {
    pub fn new(cfg: &Cfg, post: &DominatorTree) -> ControlDependence {
        let mut parents = vec![Vec::new(); cfg.len()];
        let mut children = vec![Vec::new(); cfg.len()];
        for node in cfg.nodes.keys().filter(|&node| post.contains(node)) {
            let ways = cfg.successors(node);
            if ways.len() < 2 {
                continue;
            }
            for &(to, outcome) in ways {
                let stop = post.parent(node);
                let mut runner = Some(to);
                while let Some(at) = runner
                    && runner != stop
                {
                    if at != cfg.exit() {
                        parents[at.index()].push((node, outcome));
                        children[node.index()].push((at, outcome));
                    }
                    runner = post.parent(at);
                }
            }
        }
        for list in parents.iter_mut().chain(&mut children) {
            list.sort_unstable();
            list.dedup();
        }
        ControlDependence { parents, children }
    }

    /// The decisions that a node depends on, with the outcome that leads to it.
    pub fn parents(&self, node: NodeId) -> &[(NodeId, Outcome)] {
        &self.parents[node.index()]
    }

    /// The nodes that depend on a decision, with the outcome that leads to each.
    pub fn children(&self, node: NodeId) -> &[(NodeId, Outcome)] {
        &self.children[node.index()]
    }
}

//! Dominators and post-dominators of a control-flow graph.
//!
//! Cooper, Harvey, Kennedy (2001), also for dominance frontiers. Unreachable nodes are not in the
//! tree of dominators. For post-dominators, a part of the graph without a path to the exit gets an
//! edge from its last node in reverse postorder, so that every reachable node is in the tree.

use base::entity::EntityRef;

use crate::cfg::{Cfg, NodeId, postorder};

#[derive(Clone, Debug)]
pub struct DominatorTree {
    root: NodeId,
    parents: Vec<Option<NodeId>>,
    children: Vec<Vec<NodeId>>,
    /// Times of entering and leaving a node in a walk of the tree.
    spans: Vec<(u32, u32)>,
    /// Nodes that lead to the root only by such an edge.
    endless: Vec<NodeId>,
}

impl DominatorTree {
    pub fn new(cfg: &Cfg) -> DominatorTree {
        let order = cfg.reverse_postorder();
        let arrivals: Vec<Vec<NodeId>> =
            cfg.nodes.keys().map(|node| cfg.predecessors(node).to_vec()).collect();
        DominatorTree::build(Cfg::ENTRY, &order, &arrivals, Vec::new())
    }

    /// The tree of post-dominators, rooted at the virtual exit.
    pub fn of_postdominance(cfg: &Cfg) -> DominatorTree {
        let forward = cfg.reverse_postorder();
        let mut reachable = vec![false; cfg.len()];
        forward.iter().for_each(|node| reachable[node.index()] = true);
        let endless = ways_out_by_decree(cfg, &forward);
        let mut departures: Vec<Vec<NodeId>> = cfg
            .nodes
            .keys()
            .map(|node| cfg.successors(node).iter().map(|&(to, _)| to).collect())
            .collect();
        for &node in &endless {
            departures[node.index()].push(cfg.exit());
        }
        let mut order = postorder(cfg.len(), cfg.exit(), |node, visit| {
            let before = cfg.predecessors(node).iter().copied();
            before.filter(|from| reachable[from.index()]).for_each(&mut *visit);
            if node == cfg.exit() {
                endless.iter().copied().for_each(visit);
            }
        });
        order.reverse();
        DominatorTree::build(cfg.exit(), &order, &departures, endless)
    }

    fn build(
        root: NodeId,
        order: &[NodeId],
        arrivals: &[Vec<NodeId>],
        endless: Vec<NodeId>,
    ) -> DominatorTree {
        let len = arrivals.len();
        let mut rank = vec![usize::MAX; len];
        order.iter().enumerate().for_each(|(at, node)| rank[node.index()] = at);
        let mut parents: Vec<Option<NodeId>> = vec![None; len];
        parents[root.index()] = Some(root);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let known = arrivals[node.index()].iter().copied();
                let known = known.filter(|from| parents[from.index()].is_some());
                let common = known.reduce(|a, b| meet(&parents, &rank, a, b));
                if parents[node.index()] != common {
                    parents[node.index()] = common;
                    changed = true;
                }
            }
        }
        parents[root.index()] = None;
        let mut children = vec![Vec::new(); len];
        for &node in order {
            if let Some(parent) = parents[node.index()] {
                children[parent.index()].push(node);
            }
        }
        let spans = number(root, &children);
        DominatorTree { root, parents, children, spans, endless }
    }

    pub fn root(&self) -> NodeId {
        self.root
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents[node.index()]
    }

    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.children[node.index()]
    }

    /// Whether the tree contains a node.
    pub fn contains(&self, node: NodeId) -> bool {
        node == self.root || self.parents[node.index()].is_some()
    }

    /// Whether every path from the root to `b` goes through `a`; true for a node and itself.
    pub fn dominates(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.spans[a.index()], self.spans[b.index()]);
        a.0 != 0 && b.0 != 0 && a.0 <= b.0 && b.1 <= a.1
    }

    /// Nodes that got an edge to the exit because no path leads there.
    pub fn endless(&self) -> &[NodeId] {
        &self.endless
    }

    /// For each node, those where its dominance ends. For trees of dominators only.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<NodeId>> {
        let mut frontiers: Vec<Vec<NodeId>> = vec![Vec::new(); cfg.len()];
        for node in cfg.nodes.keys().filter(|&node| self.contains(node)) {
            let before: Vec<NodeId> =
                cfg.predecessors(node).iter().copied().filter(|&p| self.contains(p)).collect();
            // The root is a place where paths meet as soon as anything leads back to it.
            if before.len() < 2 && node != self.root {
                continue;
            }
            for from in before {
                let mut runner = Some(from);
                while let Some(at) = runner
                    && Some(at) != self.parent(node)
                {
                    if frontiers[at.index()].last() != Some(&node) {
                        frontiers[at.index()].push(node);
                    }
                    runner = self.parent(at);
                }
            }
        }
        frontiers
    }
}

fn meet(parents: &[Option<NodeId>], rank: &[usize], a: NodeId, b: NodeId) -> NodeId {
    let (mut a, mut b) = (a, b);
    let up = |node: NodeId| parents[node.index()].expect("a node with a rank has a parent by now");
    while a != b {
        while rank[a.index()] > rank[b.index()] {
            a = up(a);
        }
        while rank[b.index()] > rank[a.index()] {
            b = up(b);
        }
    }
    a
}

/// Numbers the nodes of a tree so that descendants have spans within their ancestors'.
fn number(root: NodeId, children: &[Vec<NodeId>]) -> Vec<(u32, u32)> {
    let mut spans = vec![(0, 0); children.len()];
    let mut time = 1;
    spans[root.index()].0 = time;
    let mut stack = vec![(root, 0)];
    while let Some((node, next)) = stack.last_mut() {
        time += 1;
        match children[node.index()].get(*next) {
            Some(&child) => {
                *next += 1;
                spans[child.index()].0 = time;
                stack.push((child, 0));
            }
            None => {
                spans[node.index()].1 = time;
                stack.pop();
            }
        }
    }
    spans
}

/// One node for each part of the graph without a path to the exit.
fn ways_out_by_decree(cfg: &Cfg, forward: &[NodeId]) -> Vec<NodeId> {
    let mut leaves = vec![false; cfg.len()];
    let mut chosen = Vec::new();
    let mark = |root: NodeId, leaves: &mut Vec<bool>| {
        let mut stack = vec![root];
        leaves[root.index()] = true;
        while let Some(node) = stack.pop() {
            for &from in cfg.predecessors(node) {
                if !std::mem::replace(&mut leaves[from.index()], true) {
                    stack.push(from);
                }
            }
        }
    };
    mark(cfg.exit(), &mut leaves);
    for &node in forward.iter().rev() {
        if !leaves[node.index()] {
            chosen.push(node);
            mark(node, &mut leaves);
        }
    }
    chosen
}

//! How far each branch is from the nearest change.
//!
//! Qi, Roychoudhury, Liang (2010), §3.1 and §4.1: the distance is that of the shortest way to a
//! change in the inter-procedural control-dependence graph, in which the edge from a call to the
//! called function has weight 0 and every other edge weight 1. What holds a change is at distance
//! 0. The paper gives a decision one distance; here each of its outcomes has one of its own as
//! well, because only one of them may lead on. Besides, what decides whether a called function
//! comes back, or where a `longjmp` goes, leads to what depends on that, with weight 0.
//!
//! What is far from a change by control dependence may still come to it by doing nothing special;
//! no distance means that no decision below leads to a change.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::entity::EntityRef;
use graphs::cfg::Ending;
use graphs::{CallGraph, Cfg, ControlDependence, DominatorTree, NodeId, Outcome, PointsTo};
use ir::{BlockId, Body, FuncId, InstId, Module, Op};

use crate::branches::{Branch, BranchIndex};
use crate::points::{ChangePoint, ChangePoints};

/// Distances to the nearest change, of blocks and of branches.
#[derive(Clone, Debug)]
pub struct ChangeDistances {
    index: BranchIndex,
    blocks: Vec<u32>,
    branches: Vec<u32>,
}

/// No way leads to a change.
const FAR: u32 = u32::MAX;

impl ChangeDistances {
    pub fn new(module: &Module, points: &ChangePoints) -> ChangeDistances {
        let points_to = PointsTo::new(module);
        let calls = CallGraph::new(module, &points_to);
        ChangeDistances::with_calls(module, points, &points_to, &calls)
    }

    pub fn with_calls(
        module: &Module,
        points: &ChangePoints,
        points_to: &PointsTo,
        calls: &CallGraph,
    ) -> ChangeDistances {
        let graph = Dependences::new(module, points_to, calls);
        let targets = graph.targets(module, points);
        let distances = graph.distances(&targets);
        let index = BranchIndex::new(module);
        let mut table = ChangeDistances {
            blocks: vec![FAR; index.block_count()],
            branches: vec![FAR; index.len()],
            index,
        };
        for (function, of) in module.functions.iter() {
            let (Some(body), Some(part)) = (of.body(), &graph.parts[function.index()]) else {
                continue;
            };
            table.fill(function, body, part, &distances);
        }
        for way in points.all.iter() {
            let ChangePoint::Way { function, block, successor } = *way else { continue };
            let branch = Branch { function, block, successor: successor as usize };
            if let Some(at) = table.index.branch(branch) {
                table.branches[at] = 1;
            }
        }
        table
    }

    fn fill(&mut self, function: FuncId, body: &Body, part: &Part, distances: &[u32]) {
        let distance = |node: NodeId| distances[part.first + node.index()];
        for (node, of) in part.cfg.nodes.iter().filter(|&(node, _)| node != part.cfg.exit()) {
            let Some(block) = self.index.block(function, of.block) else { continue };
            self.blocks[block] = self.blocks[block].min(distance(node));
            if of.insts.end != body.blocks[of.block].insts.len() {
                continue;
            }
            // The successors of a node that ends a block are in the order of its branches.
            for (successor, &(_, outcome)) in part.cfg.successors(node).iter().enumerate() {
                let branch = Branch { function, block: of.block, successor };
                let Some(at) = self.index.branch(branch) else { continue };
                let children = part.control.children(node).iter();
                let chosen = children.filter(|&&(_, by)| by == outcome);
                let nearest = chosen.map(|&(child, _)| distance(child).saturating_add(1)).min();
                self.branches[at] = nearest.unwrap_or(FAR);
            }
        }
    }

    /// The distance of a block, the smallest of its parts; 0 if it holds a change.
    pub fn of_block(&self, function: FuncId, block: BlockId) -> Option<u32> {
        let at = self.index.block(function, block)?;
        (self.blocks[at] != FAR).then_some(self.blocks[at])
    }

    /// The distance of a decision when it is left by one of its successors: one more than that of
    /// the nearest block that depends on this outcome, and 1 if something changed on this way.
    pub fn of_branch(&self, branch: Branch) -> Option<u32> {
        let at = self.index.branch(branch)?;
        (self.branches[at] != FAR).then_some(self.branches[at])
    }

    /// The branch that an instruction takes by one of its outcomes.
    pub fn branch_at(&self, function: FuncId, inst: InstId, successor: usize) -> Option<Branch> {
        let block = self.index.decided_by(function, inst)?;
        Some(Branch { function, block, successor })
    }
}

/// A function in the control-dependence graph.
struct Part {
    /// The number of its first node; its entry has the number of its exit, its return the next.
    first: usize,
    cfg: Cfg,
    post: DominatorTree,
    control: ControlDependence,
}

/// The inter-procedural control-dependence graph.
struct Dependences {
    parts: Vec<Option<Part>>,
    /// What each node depends on, with the weight of the edge.
    parents: Vec<Vec<(u32, u32)>>,
}

impl Dependences {
    fn new(module: &Module, points_to: &PointsTo, calls: &CallGraph) -> Dependences {
        let (mut parts, mut count) = (Vec::new(), 0);
        for (function, of) in module.functions.iter() {
            let part = of.body().map(|body| {
                let cfg = Cfg::new(body, |inst| calls.ending(module, points_to, function, inst));
                let post = DominatorTree::of_postdominance(&cfg);
                let control = ControlDependence::new(&cfg, &post);
                Part { first: count, cfg, post, control }
            });
            count += part.as_ref().map_or(0, |part| part.cfg.len() + 1);
            parts.push(part);
        }
        let mut graph = Dependences { parts, parents: vec![Vec::new(); count] };
        let ending = |function, inst| calls.ending(module, points_to, function, inst);
        let resumed = graph.resumed(module, ending);
        for (function, of) in module.functions.iter() {
            if let Some(body) = of.body() {
                graph.connect(function, body, calls);
                graph.connect_jumps(function, body, ending, &resumed);
            }
        }
        graph
    }

    /// The nodes behind each `setjmp`.
    fn resumed(&self, module: &Module, ending: impl Fn(FuncId, InstId) -> Ending) -> Vec<u32> {
        let mut resumed = Vec::new();
        for (function, of) in module.functions.iter() {
            let (Some(body), Some(part)) = (of.body(), &self.parts[function.index()]) else {
                continue;
            };
            let nodes = part.cfg.nodes.keys().filter(|&node| {
                part.cfg.last_inst(body, node).is_some_and(|last| ending(function, last).sets)
            });
            resumed.extend(nodes.map(|node| (part.first + node.index()) as u32 + 1));
        }
        resumed
    }

    fn connect_jumps(
        &mut self,
        function: FuncId,
        body: &Body,
        ending: impl Fn(FuncId, InstId) -> Ending,
        resumed: &[u32],
    ) {
        let Some(part) = &self.parts[function.index()] else { return };
        let nodes = part.cfg.nodes.keys().filter(|&node| {
            part.cfg.last_inst(body, node).is_some_and(|last| ending(function, last).jumps)
        });
        for node in nodes {
            let from = (part.first + node.index()) as u32;
            resumed.iter().for_each(|&to| self.parents[to as usize].push((from, 0)));
        }
    }

    fn entry(&self, function: FuncId) -> Option<u32> {
        let part = self.parts[function.index()].as_ref()?;
        Some((part.first + part.cfg.exit().index()) as u32)
    }

    fn connect(&mut self, function: FuncId, body: &Body, calls: &CallGraph) {
        let Some(part) = &self.parts[function.index()] else { return };
        let entry = (part.first + part.cfg.exit().index()) as u32;
        let mut edges: Vec<(u32, u32, u32)> = Vec::new();
        let number = |node: NodeId| (part.first + node.index()) as u32;
        let nodes = part.cfg.nodes.iter().filter(|&(node, _)| node != part.cfg.exit());
        let mut called: Vec<(InstId, FuncId)> = calls.callees(function).to_vec();
        called.sort_unstable();
        for (node, _) in nodes {
            let parents = part.control.parents(node);
            // The head of a loop depends on itself, and is executed whatever is decided.
            if part.post.dominates(node, Cfg::ENTRY) {
                edges.push((entry, number(node), 1));
            }
            edges.extend(parents.iter().map(|&(parent, _)| (number(parent), number(node), 1)));
            for &inst in part.cfg.insts(body, node) {
                let first = called.partition_point(|&(at, _)| at < inst);
                let own = called[first..].iter().take_while(|&&(at, _)| at == inst);
                for entry in own.filter_map(|&(_, callee)| self.entry(callee)) {
                    edges.push((number(node), entry, 0));
                    let children = part.control.children(node).iter();
                    let behind = children.filter(|&&(_, outcome)| outcome == Outcome::Returns);
                    edges.extend(behind.map(|&(child, _)| (entry + 1, number(child), 0)));
                }
            }
            let last = part.cfg.last_inst(body, node);
            if last.is_some_and(|last| matches!(body.insts[last].op, Op::Return { .. })) {
                edges.push((number(node), entry + 1, 0));
            }
        }
        for (from, to, weight) in edges {
            self.parents[to as usize].push((from, weight));
        }
    }

    /// The nodes that hold changes, with their distance. A decision one of whose ways is changed
    /// is one step away from it.
    fn targets(&self, module: &Module, points: &ChangePoints) -> Vec<(u32, u32)> {
        let mut targets = Vec::new();
        for &point in &points.all {
            match point {
                ChangePoint::Statement(statement) | ChangePoint::Behind(statement) => {
                    let at = &module.statements[statement];
                    let Some(part) = &self.parts[at.function.index()] else { continue };
                    let Some(body) = module.functions[at.function].body() else { continue };
                    let held = part.cfg.nodes.keys().filter(|&node| {
                        let mut insts = part.cfg.insts(body, node).iter();
                        part.cfg.nodes[node].block == at.block
                            && insts.any(|&inst| body.insts[inst].statement == statement)
                    });
                    targets.extend(held.map(|node| ((part.first + node.index()) as u32, 0)));
                }
                ChangePoint::Way { function, block, .. } => {
                    let Some(part) = &self.parts[function.index()] else { continue };
                    let Some(body) = module.functions[function].body() else { continue };
                    let end = body.blocks[block].insts.len();
                    let decides = |node: &NodeId| {
                        let of = &part.cfg.nodes[*node];
                        of.block == block && of.insts.end == end
                    };
                    let node = part.cfg.nodes.keys().find(decides);
                    targets.extend(node.map(|node| ((part.first + node.index()) as u32, 1)));
                }
                ChangePoint::Entry(function) => {
                    targets.extend(self.entry(function).map(|entry| (entry, 0)));
                }
            }
        }
        targets
    }

    /// Dijkstra's algorithm, from the targets backwards.
    fn distances(&self, targets: &[(u32, u32)]) -> Vec<u32> {
        let mut distances = vec![FAR; self.parents.len()];
        let mut waiting: BinaryHeap<Reverse<(u32, u32)>> =
            targets.iter().map(|&(node, distance)| Reverse((distance, node))).collect();
        while let Some(Reverse((distance, node))) = waiting.pop() {
            if distances[node as usize] <= distance {
                continue;
            }
            distances[node as usize] = distance;
            for &(parent, weight) in &self.parents[node as usize] {
                if distance + weight < distances[parent as usize] {
                    waiting.push(Reverse((distance + weight, parent)));
                }
            }
        }
        distances
    }
}

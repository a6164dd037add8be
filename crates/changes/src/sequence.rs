//! The change sequence graph of a build: the procedures of algorithm 7 from our IR.
//!
//! A block is changed if it contains a changed statement, or the place of a missing one; something
//! missing on an edge between two blocks gets a block of its own there. The graph contains
//! functions from which calls lead to a change, and those that may end the program. Functions
//! called by unknown code count as called by the instruction that allows it. Handlers of signals
//! and of the program's end count as called from outside.

use std::collections::{BTreeMap, BTreeSet};

use base::entity::EntityRef;
use complexity::sequence::{Block, Call, ChangeSequenceGraph, Procedure, Vertex};
use graphs::points_to::call_of;
use graphs::{CallGraph, Cfg, NodeId, Outcome, PointsTo, ProgramCalls};
use ir::{Body, FuncId, InstId, Linkage, Module, Op, StatementId};
use library::End;

use crate::points::{ChangePoint, ChangePoints};

/// The change sequence graph of a build, and the meaning of its vertices.
#[derive(Clone, Debug)]
pub struct BuildSequences {
    pub graph: ChangeSequenceGraph,
    /// The functions of the graph's procedures.
    pub functions: Vec<FuncId>,
    /// For each procedure and block, the points that make it changed.
    pub points: Vec<Vec<Vec<ChangePoint>>>,
}

impl BuildSequences {
    /// The graph of changes at the given points of a build. Runs begin with `entry`; without it,
    /// with any function that is visible outside or has no callers.
    pub fn new(
        calls: &ProgramCalls<'_>,
        points: &ChangePoints,
        entry: Option<FuncId>,
    ) -> BuildSequences {
        let ProgramCalls { module, points_to, calls } = calls;
        let by_function = by_function(module, points);
        let functions = relevant(module, calls, &by_function);
        let builder = Builder { module, points_to, calls, functions: &functions, entry };
        let (mut procedures, mut places) = (Vec::new(), Vec::new());
        for &function in &functions {
            let own = by_function.get(&function).map_or(&[][..], Vec::as_slice);
            let (procedure, of_blocks) = builder.procedure(function, own);
            procedures.push(procedure);
            places.push(of_blocks);
        }
        let graph = ChangeSequenceGraph::new(&procedures);
        BuildSequences { graph, functions, points: places }
    }

    /// The function of a vertex and its points; `None` for entry and exit.
    pub fn place(&self, vertex: Vertex) -> Option<(FuncId, &[ChangePoint])> {
        let Vertex::Changed { procedure, block } = vertex else { return None };
        Some((self.functions[procedure], &self.points[procedure][block]))
    }
}

fn by_function(module: &Module, points: &ChangePoints) -> BTreeMap<FuncId, Vec<ChangePoint>> {
    let mut by_function: BTreeMap<FuncId, Vec<ChangePoint>> = BTreeMap::new();
    for &point in &points.all {
        by_function.entry(point.function(module)).or_default().push(point);
    }
    by_function
}

/// Functions from which calls lead to a change, and those that they call and that may not return.
fn relevant(
    module: &Module,
    calls: &CallGraph,
    changed: &BTreeMap<FuncId, Vec<ChangePoint>>,
) -> Vec<FuncId> {
    let mut found: BTreeSet<FuncId> = BTreeSet::new();
    let mut waiting: Vec<FuncId> = changed.keys().copied().collect();
    while let Some(function) = waiting.pop() {
        if found.insert(function) {
            waiting.extend(calls.callers(function).iter().map(|&(caller, _)| caller));
        }
    }
    let mut waiting: Vec<FuncId> = found.iter().copied().collect();
    while let Some(function) = waiting.pop() {
        let called = calls.callees(function).iter().map(|&(_, callee)| callee);
        let ending = called.filter(|&callee| calls.may_halt(callee));
        waiting.extend(ending.filter(|&callee| found.insert(callee)));
    }
    found.into_iter().filter(|&function| module.functions[function].body().is_some()).collect()
}

struct Builder<'a> {
    module: &'a Module,
    points_to: &'a PointsTo,
    calls: &'a CallGraph,
    /// Ascending.
    functions: &'a [FuncId],
    entry: Option<FuncId>,
}

impl Builder<'_> {
    fn procedure(
        &self,
        function: FuncId,
        points: &[ChangePoint],
    ) -> (Procedure, Vec<Vec<ChangePoint>>) {
        let Some(body) = self.module.functions[function].body() else {
            return (Procedure::default(), Vec::new());
        };
        let ending = |inst| self.calls.ending(self.module, self.points_to, function, inst);
        let cfg = Cfg::new(body, ending);
        let nodes = cfg.nodes.keys().filter(|&node| node != cfg.exit());
        let mut blocks: Vec<Block> =
            nodes.map(|node| self.block(function, body, &cfg, node)).collect();
        let mut places = vec![Vec::new(); blocks.len()];
        for &point in points {
            place(self.module, body, &cfg, point, &mut blocks, &mut places);
        }
        (Procedure { blocks, is_root: self.is_root(function) }, places)
    }

    /// Whether runs may begin with a function, as far as the program shows.
    fn is_root(&self, function: FuncId) -> bool {
        let kept = &self.points_to.kept;
        let special = self.module.constructors.iter().chain(&self.module.destructors);
        if kept.contains(&function) || special.clone().any(|&(_, own)| own == function) {
            return true;
        }
        match self.entry {
            Some(entry) => entry == function,
            None => {
                self.module.functions[function].linkage != Linkage::Internal
                    || self.calls.callers(function).iter().all(|&(caller, _)| caller == function)
            }
        }
    }

    fn block(&self, function: FuncId, body: &Body, cfg: &Cfg, node: NodeId) -> Block {
        let mut block = Block::default();
        for &inst in cfg.insts(body, node) {
            if call_of(&body.insts[inst].op).is_some() {
                self.add_call(function, inst, &mut block);
            }
        }
        for &(to, outcome) in cfg.successors(node) {
            // Other ways in which a call does not return show in its callees.
            if to != cfg.exit() && !matches!(outcome, Outcome::Halts | Outcome::Resumes) {
                block.successors.push(to.index());
            }
        }
        let last = cfg.last_inst(body, node).map(|last| &body.insts[last].op);
        block.returns = matches!(last, Some(Op::Return { .. } | Op::Resume { .. }));
        let set = |from: &NodeId| {
            let last = cfg.last_inst(body, *from);
            last.is_some_and(|last| self.ends(function, last, End::Sets))
        };
        block.resumes = cfg.predecessors(node).iter().any(set);
        block
    }

    fn add_call(&self, function: FuncId, inst: InstId, block: &mut Block) {
        block.exits |= self.ends(function, inst, End::Exits);
        block.jumps |= self.ends(function, inst, End::Jumps);
        let Some(targets) = self.points_to.calls(function, inst) else { return };
        let all = targets.functions.iter().chain(&targets.callbacks);
        let known = all.clone().filter_map(|callee| self.functions.binary_search(callee).ok());
        let known: BTreeSet<usize> = known.collect();
        if known.is_empty() {
            return;
        }
        let is_skippable = !targets.externals.is_empty()
            || !targets.callbacks.is_empty()
            || all.count() > known.len();
        block.calls.push(Call { targets: known.into_iter().collect(), is_skippable });
    }

    /// Whether an instruction may call a function without code that does not return.
    fn ends(&self, function: FuncId, inst: InstId, end: End) -> bool {
        let externals = self.points_to.calls(function, inst).map(|targets| &targets.externals);
        externals.is_some_and(|externals| {
            let mut names = externals.iter().map(|&id| &self.module.functions[id].name);
            names.any(|name| library::end(name) == Some(end))
        })
    }
}

/// Marks the blocks of a point as changed.
fn place(
    module: &Module,
    body: &Body,
    cfg: &Cfg,
    point: ChangePoint,
    blocks: &mut Vec<Block>,
    places: &mut Vec<Vec<ChangePoint>>,
) {
    match point {
        ChangePoint::Statement(statement) | ChangePoint::Behind(statement) => {
            let nodes = holding(module, body, cfg, statement);
            // The part of a statement after a call is still the same statement.
            let node = match point {
                ChangePoint::Behind(_) => nodes.last(),
                _ => nodes.first(),
            };
            if let Some(node) = node {
                blocks[node.index()].is_changed = true;
                places[node.index()].push(point);
            }
        }
        ChangePoint::Way { block, successor, .. } => {
            let end = body.blocks[block].insts.len();
            let decides =
                |(_, of): &(NodeId, &graphs::cfg::Node)| of.block == block && of.insts.end == end;
            let Some((from, _)) = cfg.nodes.iter().find(decides) else { return };
            let Some(way) = blocks[from.index()].successors.get(successor as usize).copied() else {
                return;
            };
            let between = Block { is_changed: true, successors: vec![way], ..Block::default() };
            let new = blocks.len();
            blocks[from.index()].successors[successor as usize] = new;
            blocks.push(between);
            places.push(vec![point]);
        }
        ChangePoint::Entry(_) => {
            if let (Some(first), Some(of)) = (blocks.first_mut(), places.first_mut()) {
                first.is_changed = true;
                of.push(point);
            }
        }
    }
}

/// The nodes with instructions of a statement.
fn holding(module: &Module, body: &Body, cfg: &Cfg, statement: StatementId) -> Vec<NodeId> {
    let block = module.statements[statement].block;
    let first = cfg.first_of(block).index();
    let of_block = cfg.nodes.iter().skip(first).take_while(|(_, of)| of.block == block);
    let of_block = of_block.filter(|&(node, _)| node != cfg.exit());
    of_block
        .filter(|&(node, _)| {
            let mut insts = cfg.insts(body, node).iter();
            insts.any(|&inst| body.insts[inst].statement == statement)
        })
        .map(|(node, _)| node)
        .collect()
}

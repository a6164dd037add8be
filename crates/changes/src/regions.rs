//! Regions: the piece of a function's control flow that contains a change, in both versions.
//!
//! Changed statements without an unchanged line between them, in either version, form a group. Its
//! region is the smallest set of statements around them with a single entry and a single exit
//! (Taneja et al., 2011, *changed code region*); so the region of a changed decision contains
//! everything that depends on it, and both versions can be compared at the end of a region. Assumes
//! that every call returns. A region may end at the end of the function.

use std::collections::BTreeSet;
use std::ops::Range;

use base::Version;
use base::entity::EntityRef;
use graphs::{Cfg, DominatorTree, NodeId};
use ir::{BlockId, Body, FuncId, Module, StatementId};

use crate::points::{ChangePoint, ChangePoints};
use crate::versions::{Alignment, Change, FunctionPair};

/// Changes that form a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeGroup {
    /// Which of the alignment's pairs, and which of its changes.
    pub pair: usize,
    pub changes: Vec<usize>,
    pub old: Option<Region>,
    pub new: Option<Region>,
}

/// A piece of control flow with one entry and one exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    pub function: FuncId,
    /// Ascending. Statements of the first and last block before or after the changes are no part of
    /// it; a region where something is missing may have no statement.
    pub statements: Vec<StatementId>,
    /// Where control enters it, and the position in that block.
    pub entry: (BlockId, usize),
    /// Where control continues after it; `None` if only the end of the function is left.
    pub exit: Option<(BlockId, usize)>,
}

/// All groups of changes with their regions, in the order of the alignment.
pub fn regions(alignment: &Alignment, old: &Module, new: &Module) -> Vec<ChangeGroup> {
    let of_old = ChangePoints::new(alignment, old, new, Version::Old);
    let of_new = ChangePoints::new(alignment, old, new, Version::New);
    let mut groups = Vec::new();
    for (index, pair) in alignment.functions.iter().enumerate() {
        let flows = (Flow::new(old, pair.old), Flow::new(new, pair.new));
        for changes in grouped(pair, old, new) {
            let region = |points: &ChangePoints, flow: &Option<Flow<'_>>| {
                let points = changes.iter().flat_map(|&at| &points.of_change[index][at]);
                flow.as_ref()?.region(points.copied())
            };
            let (old, new) = (region(&of_old, &flows.0), region(&of_new, &flows.1));
            groups.push(ChangeGroup { pair: index, changes, old, new });
        }
    }
    groups
}

/// Indices of changes, by group.
fn grouped(pair: &FunctionPair, old: &Module, new: &Module) -> Vec<Vec<usize>> {
    let lines = (Lines::new(pair, old, Version::Old), Lines::new(pair, new, Version::New));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, change) in pair.changes.iter().enumerate() {
        let follows = at > 0
            && lines.0.adjoin(&pair.changes[at - 1], change)
            && lines.1.adjoin(&pair.changes[at - 1], change);
        match groups.last_mut() {
            Some(group) if follows => group.push(at),
            _ => groups.push(vec![at]),
        }
    }
    groups
}

/// The unchanged lines of a function in one version.
struct Lines<'a> {
    module: &'a Module,
    version: Version,
    unchanged: BTreeSet<u32>,
}

impl<'a> Lines<'a> {
    fn new(pair: &FunctionPair, module: &'a Module, version: Version) -> Lines<'a> {
        let mut lines = Lines { module, version, unchanged: BTreeSet::new() };
        if let Some(body) = module.functions[pair.of(version)].body() {
            let changed: BTreeSet<u32> =
                pair.changes.iter().filter_map(|change| lines.of(change)).collect();
            let insts = body.blocks.values().flat_map(|block| &block.insts);
            let all = insts.map(|&inst| body.insts[inst].statement);
            let all: BTreeSet<u32> = all.map(|id| module.statements[id].span.line).collect();
            lines.unchanged = all.difference(&changed).copied().collect();
        }
        lines
    }

    fn of(&self, change: &Change) -> Option<u32> {
        Some(self.module.statements[change.of(self.version)?].span.line)
    }

    /// The line of a change, or of the statement after a deleted one.
    fn near(&self, change: &Change) -> Option<u32> {
        match (self.version, change) {
            (Version::New, Change::Deleted { before, .. }) => {
                let line = self.module.statements[(*before)?].span.line;
                Some(line.saturating_sub(1))
            }
            _ => self.of(change),
        }
    }

    /// Whether no unchanged line is between two changes.
    fn adjoin(&self, one: &Change, other: &Change) -> bool {
        let (Some(one), Some(other)) = (self.near(one), self.near(other)) else { return true };
        let (from, to) = (one.min(other), one.max(other));
        to <= from + 1 || self.unchanged.range(from + 1..to).next().is_none()
    }
}

/// A place of a change: positions in a block.
struct Span {
    node: NodeId,
    range: Range<usize>,
}

/// Where control leaves a set of nodes.
#[derive(Clone, Copy)]
enum Exit {
    /// In the middle of a node, before the instruction at that position.
    Within(NodeId, usize),
    /// To another node.
    Before(NodeId),
}

/// The control flow of a function.
struct Flow<'a> {
    function: FuncId,
    module: &'a Module,
    body: &'a Body,
    cfg: Cfg,
    dominators: DominatorTree,
    post: DominatorTree,
}

impl<'a> Flow<'a> {
    fn new(module: &'a Module, function: FuncId) -> Option<Flow<'a>> {
        let body = module.functions[function].body()?;
        let cfg = Cfg::of_blocks(body);
        let (dominators, post) = (DominatorTree::new(&cfg), DominatorTree::of_postdominance(&cfg));
        Some(Flow { function, module, body, cfg, dominators, post })
    }

    fn region(&self, points: impl Iterator<Item = ChangePoint>) -> Option<Region> {
        let spans: Vec<Span> = points.filter_map(|point| self.span(point)).collect();
        let (nodes, entry, exit) = self.enclose(&spans)?;
        let start = self.start(&nodes, entry, &spans);
        // Instructions of one statement are mostly adjacent, so hardly any statement comes twice.
        let mut statements = Vec::new();
        for &node in &nodes {
            let block = self.cfg.nodes[node].block;
            for (at, &inst) in self.body.blocks[block].insts.iter().enumerate() {
                let before = node == entry && at < start;
                let behind = matches!(exit, Exit::Within(last, end) if last == node && at >= end);
                let statement = self.body.insts[inst].statement;
                if !before && !behind && statements.last() != Some(&statement) {
                    statements.push(statement);
                }
            }
        }
        statements.sort_unstable();
        statements.dedup();
        let exit = match exit {
            Exit::Within(node, end) => Some((self.cfg.nodes[node].block, end)),
            Exit::Before(node) if node == self.cfg.exit() => None,
            Exit::Before(node) => Some((self.cfg.nodes[node].block, 0)),
        };
        Some(Region {
            function: self.function,
            statements,
            entry: (self.cfg.nodes[entry].block, start),
            exit,
        })
    }

    fn span(&self, point: ChangePoint) -> Option<Span> {
        let (block, range) = match point {
            ChangePoint::Statement(statement) => {
                let (block, first, last) = self.extent(statement)?;
                (block, first..last + 1)
            }
            ChangePoint::Behind(statement) => {
                let (block, _, last) = self.extent(statement)?;
                let behind = (last + 1).min(self.body.blocks[block].insts.len() - 1);
                (block, behind..behind)
            }
            // There is nothing on an edge; the decision that leads to it takes its place.
            ChangePoint::Way { block, .. } => {
                let end = self.body.blocks[block].insts.len();
                (block, self.decision(block)..end)
            }
            ChangePoint::Entry(_) => (Body::ENTRY, 0..0),
        };
        let node = self.cfg.first_of(block);
        // Unreachable nodes have no place among the others.
        self.dominators.contains(node).then_some(Span { node, range })
    }

    fn extent(&self, statement: StatementId) -> Option<(BlockId, usize, usize)> {
        let block = self.module.statements[statement].block;
        let insts = &self.body.blocks[block].insts;
        let own = |&inst: &ir::InstId| self.body.insts[inst].statement == statement;
        Some((block, insts.iter().position(own)?, insts.iter().rposition(own)?))
    }

    /// The nodes around changes, the one that control enters, and where control leaves them.
    fn enclose(&self, spans: &[Span]) -> Option<(BTreeSet<NodeId>, NodeId, Exit)> {
        let mut nodes: BTreeSet<NodeId> = spans.iter().map(|span| span.node).collect();
        loop {
            let entry = common(&self.dominators, &nodes)?;
            let last = common(&self.post, &nodes)?;
            let exit = self.exit(&nodes, entry, last, spans);
            let mut grown = nodes.clone();
            let (Exit::Before(stop) | Exit::Within(stop, _)) = exit;
            if entry != stop {
                self.spread(entry, stop, &mut grown);
            }
            let inside: Vec<NodeId> = grown.iter().copied().filter(|&at| at != entry).collect();
            for node in inside {
                let before = self.cfg.predecessors(node).iter().copied();
                grown.extend(before.filter(|&from| self.dominators.contains(from)));
            }
            if grown == nodes {
                return Some((nodes, entry, exit));
            }
            nodes = grown;
        }
    }

    /// Where control leaves a set of nodes, given the last of them that all paths pass: in the
    /// middle of it if only statements before its decision changed and no other node comes after
    /// it.
    fn exit(&self, nodes: &BTreeSet<NodeId>, entry: NodeId, last: NodeId, spans: &[Span]) -> Exit {
        if !nodes.contains(&last) {
            return Exit::Before(last);
        }
        let own = spans.iter().filter(|span| span.node == last);
        let end = own.map(|span| span.range.end).max();
        let len = self.body.blocks[self.cfg.nodes[last].block].insts.len();
        match end {
            Some(end) if end < len && (entry != last || nodes.len() == 1) => {
                Exit::Within(last, end)
            }
            _ => Exit::Before(self.post.parent(last).unwrap_or(self.cfg.exit())),
        }
    }

    /// Adds the nodes between an entry and an exit.
    fn spread(&self, entry: NodeId, exit: NodeId, nodes: &mut BTreeSet<NodeId>) {
        let mut seen = vec![false; self.cfg.len()];
        let mut waiting = vec![entry];
        while let Some(node) = waiting.pop() {
            if node == exit || node == self.cfg.exit() {
                continue;
            }
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            nodes.insert(node);
            waiting.extend(self.cfg.successors(node).iter().map(|&(to, _)| to));
        }
    }

    /// Where a region begins in its first block.
    fn start(&self, nodes: &BTreeSet<NodeId>, entry: NodeId, spans: &[Span]) -> usize {
        let before = self.cfg.predecessors(entry);
        let is_loop = nodes.len() > 1 && before.iter().any(|from| nodes.contains(from));
        if is_loop {
            return 0;
        }
        let own = spans.iter().filter(|span| span.node == entry);
        // Without a change in it, the block only decides.
        let decision = self.decision(self.cfg.nodes[entry].block);
        own.map(|span| span.range.start).min().unwrap_or(decision)
    }

    /// The position of the first instruction of a block's last statement.
    fn decision(&self, block: BlockId) -> usize {
        let insts = &self.body.blocks[block].insts;
        let Some(last) = insts.last() else { return 0 };
        let statement = self.body.insts[*last].statement;
        let of = |&inst: &ir::InstId| self.body.insts[inst].statement == statement;
        insts.iter().position(of).unwrap_or(0)
    }
}

/// The nearest common ancestor of some nodes in a tree.
fn common(tree: &DominatorTree, nodes: &BTreeSet<NodeId>) -> Option<NodeId> {
    let mut nodes = nodes.iter().copied();
    let mut found = nodes.next()?;
    for node in nodes {
        while !tree.dominates(found, node) {
            found = tree.parent(found)?;
        }
    }
    Some(found)
}

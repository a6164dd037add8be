//! The places in one build of the changes between two builds.
//!
//! A changed statement that exists in a version is its own place. A statement that exists only in
//! the other version, or is executed under other conditions there, has a place nevertheless: where
//! a run of this version is when the other one reaches it. That place is found backwards in the
//! other version's control flow, from the statement to the nearest statement that both versions
//! share. Every run in which the two versions take different paths or compute different values
//! passes a point first.

use std::collections::BTreeSet;

use base::Version;
use base::entity::{EntityRef, SecondaryMap};
use graphs::{Cfg, Icfg, Outcome, SegmentId};
use ir::{BlockId, Body, FuncId, Module, Op, StatementId};

use crate::versions::units::has_effect;
use crate::versions::{Alignment, Change, FunctionPair, Why};

/// A place of a change in one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangePoint {
    /// The statement itself is changed.
    Statement(StatementId),
    /// Something is missing right after a statement.
    Behind(StatementId),
    /// Something is missing on the edge from a block to the successor of that index.
    Way { function: FuncId, block: BlockId, successor: u32 },
    /// Something is missing, or parameters differ, at the beginning of a function.
    Entry(FuncId),
}

impl ChangePoint {
    /// The function that contains a point.
    pub fn function(self, module: &Module) -> FuncId {
        match self {
            ChangePoint::Statement(statement) | ChangePoint::Behind(statement) => {
                module.statements[statement].function
            }
            ChangePoint::Way { function, .. } | ChangePoint::Entry(function) => function,
        }
    }
}

/// The places of all changes in one version.
#[derive(Clone, Debug, Default)]
pub struct ChangePoints {
    /// Ascending, without repetition.
    pub all: Vec<ChangePoint>,
    /// For each function pair of the alignment and each of its changes, its points.
    pub of_change: Vec<Vec<Vec<ChangePoint>>>,
}

impl ChangePoints {
    /// The points in `version` of the changes between two modules.
    pub fn new(
        alignment: &Alignment,
        old: &Module,
        new: &Module,
        version: Version,
    ) -> ChangePoints {
        let view = View::new(alignment, old, new, version);
        let mut points = ChangePoints::default();
        for pair in &alignment.functions {
            let of_pair: Vec<Vec<ChangePoint>> = view.points_of_pair(pair);
            points.all.extend(of_pair.iter().flatten());
            points.of_change.push(of_pair);
            if pair.signature {
                points.all.push(ChangePoint::Entry(pair.of(version)));
            }
        }
        points.all.extend(view.own_functions(alignment));
        points.all.sort_unstable();
        points.all.dedup();
        points
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a statement is changed.
    pub fn contains(&self, statement: StatementId) -> bool {
        self.all.binary_search(&ChangePoint::Statement(statement)).is_ok()
    }

    /// Whether something is missing on the edge from a block to one of its successors.
    pub fn contains_way(&self, function: FuncId, block: BlockId, successor: usize) -> bool {
        let way = ChangePoint::Way { function, block, successor: successor as u32 };
        self.all.binary_search(&way).is_ok()
    }

    /// The segments with points. A path from the beginning of one can reach a change.
    pub fn segments(&self, module: &Module, icfg: &Icfg) -> Vec<SegmentId> {
        self.each(module, icfg, |function, block, _| icfg.last_of(function, block))
    }

    /// The segments at whose beginning a run may be right at, or after, a change.
    pub fn segments_behind(&self, module: &Module, icfg: &Icfg) -> Vec<SegmentId> {
        self.each(module, icfg, |function, block, successor| {
            let body = module.functions[function].body()?;
            let target = *successors(body, block).get(successor as usize)?;
            icfg.first_of(function, target)
        })
    }

    fn each(
        &self,
        module: &Module,
        icfg: &Icfg,
        of_way: impl Fn(FuncId, BlockId, u32) -> Option<SegmentId>,
    ) -> Vec<SegmentId> {
        let mut segments = BTreeSet::new();
        for &point in &self.all {
            match point {
                ChangePoint::Statement(statement) => {
                    segments.extend(segments_of(module, icfg, statement));
                }
                ChangePoint::Behind(statement) => {
                    segments.extend(segment_behind(module, icfg, statement));
                }
                ChangePoint::Way { function, block, successor } => {
                    segments.extend(of_way(function, block, successor));
                }
                ChangePoint::Entry(function) => {
                    segments.extend(icfg.first_of(function, Body::ENTRY));
                }
            }
        }
        segments.into_iter().collect()
    }
}

/// The segments with instructions of a statement.
pub fn segments_of(module: &Module, icfg: &Icfg, statement: StatementId) -> Vec<SegmentId> {
    let at = &module.statements[statement];
    let Some(body) = module.functions[at.function].body() else { return Vec::new() };
    let insts = body.blocks[at.block].insts.iter().enumerate();
    let own = insts.filter(|&(_, &inst)| body.insts[inst].statement == statement);
    let mut segments: Vec<SegmentId> =
        own.filter_map(|(position, _)| icfg.at(at.function, at.block, position)).collect();
    segments.dedup();
    segments
}

/// The segment that contains control after a statement, before its jump.
fn segment_behind(module: &Module, icfg: &Icfg, statement: StatementId) -> Option<SegmentId> {
    let at = &module.statements[statement];
    let body = module.functions[at.function].body()?;
    let insts = &body.blocks[at.block].insts;
    let last = insts.iter().rposition(|&inst| body.insts[inst].statement == statement)?;
    icfg.at(at.function, at.block, (last + 1).min(insts.len() - 1))
}

/// The successors of a block's terminator, in the order of branch indices: for a branch the true
/// successor first, for a switch its cases and then the default.
pub fn successors(body: &Body, block: BlockId) -> Vec<BlockId> {
    let Some(&last) = body.blocks[block].insts.last() else { return Vec::new() };
    match &body.insts[last].op {
        Op::Jump { target } => vec![*target],
        Op::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Op::Switch { default, cases, .. } => {
            cases.iter().map(|&(_, to)| to).chain([*default]).collect()
        }
        Op::IndirectJump { targets, .. } => targets.to_vec(),
        Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
        _ => Vec::new(),
    }
}

/// The names of a decision's outcomes, one for each of its successors, in order.
fn outcomes(body: &Body, block: BlockId) -> Vec<Outcome> {
    let Some(&last) = body.blocks[block].insts.last() else { return Vec::new() };
    match &body.insts[last].op {
        Op::Branch { .. } => vec![Outcome::True, Outcome::False],
        Op::Switch { cases, .. } => {
            cases.iter().map(|&(value, _)| Outcome::Case(value)).chain([Outcome::Default]).collect()
        }
        Op::IndirectJump { targets, .. } => {
            (0..targets.len() as u32).map(Outcome::Target).collect()
        }
        Op::Invoke { .. } => vec![Outcome::Returns, Outcome::Unwinds],
        _ => Vec::new(),
    }
}

/// One version seen from the other.
struct View<'a> {
    version: Version,
    here: &'a Module,
    there: &'a Module,
    /// For statements of the other version, their counterparts in this one.
    counterparts: SecondaryMap<StatementId, Option<StatementId>>,
    /// Statements of the other version with a counterpart that does something else.
    modified: BTreeSet<StatementId>,
}

impl<'a> View<'a> {
    fn new(alignment: &Alignment, old: &'a Module, new: &'a Module, version: Version) -> View<'a> {
        let modules = [old, new];
        let (here, there) = (modules[version], modules[version.other()]);
        let mut counterparts = alignment.counterparts[version.other()].clone();
        let mut modified = BTreeSet::new();
        for change in alignment.functions.iter().flat_map(|pair| &pair.changes) {
            let (own, others) = (change.of(version), change.of(version.other()));
            match change {
                Change::Modified { why, .. } => {
                    let Some(other) = others else { continue };
                    counterparts[other] = own;
                    if *why == Why::Text {
                        modified.insert(other);
                    }
                }
                // A moved statement says nothing about where control is.
                Change::Moved { .. } => {
                    if let Some(other) = others {
                        counterparts[other] = None;
                    }
                }
                Change::Added { .. } | Change::Deleted { .. } => {}
            }
        }
        View { version, here, there, counterparts, modified }
    }

    /// All statements with an effect of functions that exist in this version only.
    fn own_functions(&self, alignment: &Alignment) -> Vec<ChangePoint> {
        let own = alignment.only_in(self.version).iter();
        let bodies = own.filter_map(|&function| self.here.functions[function].body());
        let statements = bodies.flat_map(|body| {
            let insts = body.blocks.values().flat_map(|block| &block.insts);
            let effective = insts.filter(|&&inst| has_effect(&body.insts[inst].op));
            effective.map(|&inst| body.insts[inst].statement).collect::<BTreeSet<_>>()
        });
        statements.map(ChangePoint::Statement).collect()
    }

    fn points_of_pair(&self, pair: &FunctionPair) -> Vec<Vec<ChangePoint>> {
        let body = self.there.functions[pair.of(self.version.other())].body();
        let cfg = body.map(Cfg::of_blocks);
        let of_change = |change: &Change| {
            let (own, others) = (change.of(self.version), change.of(self.version.other()));
            let mut points: Vec<ChangePoint> =
                own.map(ChangePoint::Statement).into_iter().collect();
            let stays = matches!(change, Change::Modified { why: Why::Text | Why::Uses(_), .. });
            if let (Some(statement), false, Some(body), Some(cfg)) = (others, stays, body, &cfg) {
                points.extend(self.places(pair, body, cfg, statement));
            }
            points
        };
        pair.changes.iter().map(of_change).collect()
    }

    /// Where control is in this version when the other one reaches a statement.
    fn places(
        &self,
        pair: &FunctionPair,
        body: &Body,
        cfg: &Cfg,
        statement: StatementId,
    ) -> BTreeSet<ChangePoint> {
        let mut places = BTreeSet::new();
        let block = self.there.statements[statement].block;
        let insts = &body.blocks[block].insts;
        let first = insts.iter().position(|&inst| body.insts[inst].statement == statement);
        let mut seen = vec![false; body.blocks.len()];
        let mut waiting = vec![(block, first.unwrap_or(0))];
        while let Some((block, end)) = waiting.pop() {
            if let Some(point) = self.shared_before(body, block, end) {
                places.insert(point);
                continue;
            }
            if block == Body::ENTRY {
                places.insert(ChangePoint::Entry(pair.of(self.version)));
            }
            for &before in cfg.predecessors(cfg.first_of(block)) {
                let from = cfg.nodes[before].block;
                let ways = self.ways(body, from, block);
                let is_known = !ways.is_empty();
                places.extend(ways);
                if !is_known && !std::mem::replace(&mut seen[from.index()], true) {
                    waiting.push((from, body.blocks[from].insts.len()));
                }
            }
        }
        places
    }

    /// The last statement of a block, before a position, that this version has as well.
    fn shared_before(&self, body: &Body, block: BlockId, end: usize) -> Option<ChangePoint> {
        let before = body.blocks[block].insts[..end].iter().rev();
        let mut found = before.filter_map(|&inst| self.counterparts[body.insts[inst].statement]);
        found.next().map(ChangePoint::Behind)
    }

    /// The edges in this version that correspond to the edges from one block to another in the
    /// other version, if the decision has a counterpart.
    fn ways(&self, body: &Body, from: BlockId, to: BlockId) -> Vec<ChangePoint> {
        let Some(&last) = body.blocks[from].insts.last() else { return Vec::new() };
        let decision = body.insts[last].statement;
        let Some(counterpart) = self.counterparts[decision] else { return Vec::new() };
        let there = outcomes(body, from);
        let at = &self.here.statements[counterpart];
        let Some(own) = self.here.functions[at.function].body() else { return Vec::new() };
        let here = outcomes(own, at.block);
        let terminator = own.blocks[at.block].insts.last();
        let decides = terminator.is_some_and(|&inst| own.insts[inst].statement == counterpart);
        if there.len() < 2 || here.len() < 2 || !decides {
            return Vec::new();
        }
        let targets = successors(body, from);
        let taken = there.iter().zip(&targets).filter(|(_, target)| **target == to);
        let taken: Vec<Outcome> = taken.map(|(outcome, _)| *outcome).collect();
        // The outcomes of a changed decision may have other meanings.
        let all = self.modified.contains(&decision)
            || taken.iter().any(|outcome| !here.contains(outcome));
        let ways = here.iter().enumerate().filter(|(_, way)| all || taken.contains(way));
        let (function, block) = (at.function, at.block);
        ways.map(|(successor, _)| ChangePoint::Way { function, block, successor: successor as u32 })
            .collect()
    }
}

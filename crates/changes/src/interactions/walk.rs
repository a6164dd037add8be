//! Paths between the vertices of a graph of lines.
//!
//! Each segment of the program is a list of *steps*: lines in the order of execution, and places
//! where something is missing. A path from a vertex continues until it meets another. It passes a
//! call only if a path through the callee meets no vertex. It returns to its own line only after it
//! left it for another block and another line; so the parts of one line, and of a call that is
//! written on several, are no loop.

use std::collections::{BTreeMap, BTreeSet};

use base::entity::EntityRef;
use graphs::{CallGraph, Icfg, Position, SegmentId};
use ir::{BlockId, Body, FuncId, Linkage, Module, Op};

use super::ChangeVertex;
use super::lines::{LineId, Lines};
use crate::points::{ChangePoint, successors};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Line(LineId),
    /// The place of a vertex without a line.
    Missing(usize),
}

/// Which vertices stop a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meets {
    /// Nothing can be affected before the first change.
    Changes,
    All,
}

impl Meets {
    fn of(vertex: usize) -> Meets {
        if vertex == 0 { Meets::Changes } else { Meets::All }
    }
}

/// How far a path is from its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// In the first block.
    Block,
    /// In other blocks, but still on the line.
    Line,
    /// Elsewhere.
    Away,
}

pub struct Walks<'a> {
    module: &'a Module,
    icfg: &'a Icfg,
    vertex_of: &'a BTreeMap<LineId, usize>,
    /// Changes are the vertices from 1 up to this.
    changes: usize,
    /// By function, whether a path through it meets no change, and no vertex at all.
    passable: [Vec<bool>; 2],
    steps: Vec<Vec<Step>>,
    /// Vertices on the paths from a block by one of its successors.
    on_ways: BTreeMap<(FuncId, BlockId), Vec<(BlockId, usize)>>,
}

/// A path to follow: its position, the next step, and the distance from its start.
type Waiting = (Position, usize, Phase);

impl<'a> Walks<'a> {
    pub fn new(
        module: &'a Module,
        icfg: &'a Icfg,
        lines: &Lines,
        vertex_of: &'a BTreeMap<LineId, usize>,
        changes: &[ChangeVertex],
    ) -> Walks<'a> {
        let mut missing: BTreeMap<SegmentId, Vec<(usize, usize)>> = BTreeMap::new();
        let mut on_ways: BTreeMap<(FuncId, BlockId), Vec<(BlockId, usize)>> = BTreeMap::new();
        for (index, change) in changes.iter().enumerate() {
            for &place in &change.places {
                if let ChangePoint::Way { function, block, successor } = place {
                    let body = module.functions[function].body();
                    let target = body
                        .and_then(|body| successors(body, block).get(successor as usize).copied());
                    let ways = on_ways.entry((function, block)).or_default();
                    ways.extend(target.map(|target| (target, index + 1)));
                } else if let Some((segment, position)) = position(module, icfg, place) {
                    missing.entry(segment).or_default().push((position, index + 1));
                }
            }
        }
        let steps = icfg
            .segments
            .keys()
            .map(|segment| {
                let places = missing.get(&segment).map_or(&[][..], Vec::as_slice);
                steps(module, icfg, lines, segment, places)
            })
            .collect();
        let passable = [Vec::new(), Vec::new()];
        let mut walks =
            Walks { module, icfg, vertex_of, changes: changes.len(), passable, steps, on_ways };
        walks.passable = [walks.find_passable(Meets::Changes), walks.find_passable(Meets::All)];
        walks
    }

    /// All pairs of vertices between which control may pass. The exit has the number after the last
    /// vertex.
    pub fn orders(
        &self,
        vertices: usize,
        entry: Option<FuncId>,
        calls: &CallGraph,
    ) -> BTreeSet<(usize, usize)> {
        let roots = self.roots(entry, calls);
        let mut starts: Vec<Vec<Waiting>> = vec![Vec::new(); vertices];
        for &root in &roots {
            let first = self.icfg.first_of(root, Body::ENTRY);
            starts[0].extend(first.map(|first| (Position::Outer(first), 0, Phase::Away)));
        }
        for (at, steps) in self.steps.iter().enumerate() {
            for (index, step) in steps.iter().enumerate() {
                if let Some(vertex) = self.vertex(*step) {
                    let position = Position::Outer(SegmentId::new(at));
                    starts[vertex].push((position, index + 1, Phase::Block));
                }
            }
        }
        for (&(function, _), ways) in &self.on_ways {
            for &(target, vertex) in ways {
                let first = self.icfg.first_of(function, target);
                starts[vertex].extend(first.map(|first| (Position::Outer(first), 0, Phase::Away)));
            }
        }
        let mut orders = BTreeSet::new();
        for (vertex, start) in starts.into_iter().enumerate() {
            let met = self.follow(vertex, start, &roots, vertices);
            orders.extend(met.into_iter().map(|to| (vertex, to)));
        }
        orders.remove(&(0, vertices));
        orders
    }

    /// Functions that runs may begin with.
    fn roots(&self, entry: Option<FuncId>, calls: &CallGraph) -> Vec<FuncId> {
        let is_root = |function: FuncId| {
            self.module.functions[function].linkage != Linkage::Internal
                || calls.callers(function).iter().all(|&(caller, _)| caller == function)
        };
        let running = self.module.functions.keys().filter(|&id| self.icfg.runs(id));
        let first = running.filter(|&function| match entry {
            Some(entry) => entry == function,
            None => is_root(function),
        });
        first.chain(self.icfg.at_any_time().iter().copied()).collect()
    }

    fn vertex(&self, step: Step) -> Option<usize> {
        match step {
            Step::Line(line) => self.vertex_of.get(&line).copied(),
            Step::Missing(vertex) => Some(vertex),
        }
    }

    /// The first vertices on paths from a vertex.
    fn follow(
        &self,
        own: usize,
        mut waiting: Vec<Waiting>,
        roots: &[FuncId],
        exit: usize,
    ) -> BTreeSet<usize> {
        let mut met = BTreeSet::new();
        let mut seen: BTreeSet<(Position, Phase)> = BTreeSet::new();
        while let Some((position, first, phase)) = waiting.pop() {
            let (Position::Outer(segment) | Position::Inner(segment)) = position else {
                if matches!(position, Position::End(function) if roots.contains(&function)) {
                    met.insert(exit);
                }
                waiting.extend(self.next(position, phase, &mut seen, own, &mut met));
                continue;
            };
            let Some(phase) = self.pass(segment, first, phase, own, &mut met) else { continue };
            if self.icfg.ends_program(segment) {
                met.insert(exit);
            }
            waiting.extend(self.next(position, phase, &mut seen, own, &mut met));
        }
        met
    }

    /// Follows the steps of a segment; `None` if the path ends at one of them.
    fn pass(
        &self,
        segment: SegmentId,
        first: usize,
        mut phase: Phase,
        own: usize,
        met: &mut BTreeSet<usize>,
    ) -> Option<Phase> {
        for &step in &self.steps[segment.index()][first..] {
            match self.vertex(step) {
                Some(vertex) if vertex == own && phase != Phase::Away => {}
                Some(vertex) if !self.meets(Meets::of(own), vertex) => {}
                Some(vertex) => {
                    met.insert(vertex);
                    return None;
                }
                None if phase == Phase::Line => phase = Phase::Away,
                None => {}
            }
        }
        Some(phase)
    }

    /// Where a path continues after a position.
    fn next(
        &self,
        position: Position,
        phase: Phase,
        seen: &mut BTreeSet<(Position, Phase)>,
        own: usize,
        met: &mut BTreeSet<usize>,
    ) -> Vec<Waiting> {
        let mut next = Vec::new();
        for to in self.icfg.ways(position) {
            if self.passes_call(position, to) && !self.can_pass(position, Meets::of(own)) {
                continue;
            }
            let stays = self.goes_straight_on(position, to);
            let phase = if stays { phase } else { phase.max(Phase::Line) };
            let mut on_way = self.on_way(position, to);
            on_way.retain(|&vertex| self.meets(Meets::of(own), vertex));
            met.extend(on_way.iter().filter(|&&vertex| vertex != own || phase == Phase::Away));
            let is_blocked = on_way.iter().any(|&vertex| vertex != own || phase == Phase::Away);
            let blocked = is_blocked && !self.has_free_way(position, to);
            if !blocked && seen.insert((to, phase)) {
                next.push((to, 0, phase));
            }
        }
        next
    }

    fn meets(&self, meets: Meets, vertex: usize) -> bool {
        meets == Meets::All || vertex <= self.changes
    }

    /// Whether a path leads from before a call to after it.
    fn passes_call(&self, from: Position, to: Position) -> bool {
        let Some((from, to)) = segments_of(from, to) else { return false };
        let (one, other) = (&self.icfg.segments[from], &self.icfg.segments[to]);
        let enters = self.icfg.first_of(other.function, Body::ENTRY) == Some(to);
        !self.icfg.called(from).functions.is_empty() && one.function == other.function && !enters
    }

    fn can_pass(&self, position: Position, meets: Meets) -> bool {
        let (Position::Outer(segment) | Position::Inner(segment)) = position else { return true };
        let passable = &self.passable[meets as usize];
        let called = self.icfg.called(segment);
        called.is_skippable || called.functions.iter().any(|callee| passable[callee.index()])
    }

    /// By function, whether a path through it meets no vertex.
    fn find_passable(&mut self, meets: Meets) -> Vec<bool> {
        let functions: Vec<FuncId> = self.module.functions.keys().collect();
        self.passable[meets as usize] = vec![false; functions.len()];
        loop {
            let mut found = false;
            for &function in &functions {
                let index = function.index();
                if !self.passable[meets as usize][index] && self.goes_through(function, meets) {
                    self.passable[meets as usize][index] = true;
                    found = true;
                }
            }
            if !found {
                return std::mem::take(&mut self.passable[meets as usize]);
            }
        }
    }

    /// Whether a path leads through a function, as far as its callees are known.
    fn goes_through(&self, function: FuncId, meets: Meets) -> bool {
        let Some(first) = self.icfg.first_of(function, Body::ENTRY) else { return false };
        let mut seen = BTreeSet::from([first]);
        let mut waiting = vec![first];
        while let Some(segment) = waiting.pop() {
            let steps = self.steps[segment.index()].iter();
            let mut met = steps.filter_map(|&step| self.vertex(step));
            if met.any(|vertex| self.meets(meets, vertex)) {
                continue;
            }
            let position = Position::Outer(segment);
            for to in self.icfg.ways(position) {
                match to {
                    Position::End(_) => return true,
                    Position::Outer(next) => {
                        if self.is_free(position, to, meets) && seen.insert(next) {
                            waiting.push(next);
                        }
                    }
                    // Does not enter callees.
                    Position::Inner(_) => {}
                }
            }
        }
        false
    }

    /// Whether a path leads from one segment to another of its function without meeting a vertex.
    fn is_free(&self, from: Position, to: Position, meets: Meets) -> bool {
        if self.passes_call(from, to) && !self.can_pass(from, meets) {
            return false;
        }
        let (Position::Outer(one), Position::Outer(other)) = (from, to) else { return false };
        let is_same = self.icfg.segments[one].function == self.icfg.segments[other].function;
        let on_way = self.on_way(from, to);
        let is_met = on_way.iter().any(|&vertex| self.meets(meets, vertex));
        is_same && (!is_met || self.has_free_way(from, to))
    }

    /// Whether a path only continues in its block.
    fn goes_straight_on(&self, from: Position, to: Position) -> bool {
        let Some((from, to)) = segments_of(from, to) else { return false };
        let (one, other) = (&self.icfg.segments[from], &self.icfg.segments[to]);
        to.index() == from.index() + 1
            && one.function == other.function
            && one.block == other.block
            && one.insts.end == other.insts.start
    }

    /// Vertices between two positions.
    fn on_way(&self, from: Position, to: Position) -> Vec<usize> {
        let Some((function, block, target)) = self.jump(from, to) else { return Vec::new() };
        let ways = self.on_ways.get(&(function, block)).into_iter().flatten();
        ways.filter(|&&(to, _)| to == target).map(|&(_, vertex)| vertex).collect()
    }

    /// Whether another successor of a block leads to the same block without a vertex on the way.
    fn has_free_way(&self, from: Position, to: Position) -> bool {
        let Some((function, block, target)) = self.jump(from, to) else { return true };
        let Some(body) = self.module.functions[function].body() else { return true };
        let all = successors(body, block).into_iter().filter(|&way| way == target).count();
        let marked = self.on_ways.get(&(function, block)).into_iter().flatten();
        let marked: BTreeSet<usize> =
            marked.filter(|&&(to, _)| to == target).map(|&(_, vertex)| vertex).collect();
        all > marked.len()
    }

    /// The blocks between which a path jumps within a function.
    fn jump(&self, from: Position, to: Position) -> Option<(FuncId, BlockId, BlockId)> {
        let (from, to) = segments_of(from, to)?;
        let (one, other) = (&self.icfg.segments[from], &self.icfg.segments[to]);
        let is_last = self.icfg.last_of(one.function, one.block) == Some(from);
        let is_first = other.insts.start == 0;
        let within = one.function == other.function && is_last && is_first;
        within.then_some((one.function, one.block, other.block))
    }
}

/// The steps of a segment, given where in its block something is missing.
fn steps(
    module: &Module,
    icfg: &Icfg,
    lines: &Lines,
    id: SegmentId,
    missing: &[(usize, usize)],
) -> Vec<Step> {
    let segment = &icfg.segments[id];
    let Some(body) = module.functions[segment.function].body() else { return Vec::new() };
    let mut steps = Vec::new();
    for at in segment.insts.clone() {
        let here = missing.iter().filter(|&&(position, _)| position == at);
        steps.extend(here.map(|&(_, vertex)| Step::Missing(vertex)));
        let inst = body.blocks[segment.block].insts[at];
        // A jump does nothing, and its line may be that of some bracket or of the function.
        if matches!(body.insts[inst].op, Op::Jump { .. }) {
            continue;
        }
        let step = Step::Line(lines.of(body.insts[inst].statement));
        if steps.last() != Some(&step) {
            steps.push(step);
        }
    }
    steps
}

/// Where something is missing that is not on an edge: before which instruction of a block.
fn position(module: &Module, icfg: &Icfg, place: ChangePoint) -> Option<(SegmentId, usize)> {
    match place {
        ChangePoint::Behind(statement) => {
            let at = &module.statements[statement];
            let body = module.functions[at.function].body()?;
            let insts = &body.blocks[at.block].insts;
            let last = insts.iter().rposition(|&inst| body.insts[inst].statement == statement)?;
            let behind = (last + 1).min(insts.len() - 1);
            Some((icfg.at(at.function, at.block, behind)?, behind))
        }
        ChangePoint::Entry(function) => Some((icfg.first_of(function, Body::ENTRY)?, 0)),
        ChangePoint::Statement(_) | ChangePoint::Way { .. } => None,
    }
}

/// The segments of two positions within one function's instance.
fn segments_of(from: Position, to: Position) -> Option<(SegmentId, SegmentId)> {
    match (from, to) {
        (Position::Outer(from), Position::Outer(to))
        | (Position::Inner(from), Position::Inner(to)) => Some((from, to)),
        _ => None,
    }
}

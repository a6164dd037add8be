//! The control-flow graph of a whole program, and reachability in it.
//!
//! Vertices are *segments*: consecutive instructions of a block up to the next call of a function
//! with code. Paths between them match calls and returns; a path that starts in the middle of a
//! function may return to any of its callers. That makes two copies of each segment: in the *outer*
//! one the callers are open, in the *inner* one the path came through a call and continues after
//! that call.
//!
//! Contains only functions that may run. Follows calls that never return, `exit`, and `longjmp` to
//! any `setjmp`. Handlers of signals and of the program's end may run at any time; paths through
//! them are not in the graph, see [`Icfg::at_any_time`].

use std::collections::BTreeMap;
use std::ops::Range;

use base::entity::{EntityRef, PrimaryMap, entity_impl};
use ir::{BlockId, FuncId, InstId, Module, Op};
use library::End;

use crate::call_graph::CallGraph;
use crate::cfg::{Cfg, NodeId, Outcome};
use crate::points_to::PointsTo;

/// A segment of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId(u32);
entity_impl!(SegmentId, "segment");

/// Consecutive instructions of a block; at most the last of them calls functions with code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub function: FuncId,
    pub block: BlockId,
    pub node: NodeId,
    /// Positions in the block's list of instructions.
    pub insts: Range<usize>,
}

/// Which segments were reached.
#[derive(Clone, Debug)]
pub struct Reached(Vec<bool>);

impl Reached {
    pub fn contains(&self, segment: SegmentId) -> bool {
        self.0[segment.index()]
    }
}

#[derive(Clone, Debug)]
pub struct Icfg {
    pub segments: PrimaryMap<SegmentId, Segment>,
    /// By function and block, the first segment of the block; none in functions that never run.
    firsts: Vec<Vec<SegmentId>>,
    /// Edges of the outer copy, then those of the inner one; the ends of functions come last.
    successors: Vec<Vec<u32>>,
    predecessors: Vec<Vec<u32>>,
    /// Functions that may run at any time.
    at_any_time: Vec<FuncId>,
    /// By segment, whether the program may end after it, and what it calls.
    ends: Vec<bool>,
    called: Vec<Called>,
}

/// The functions with code that a segment may call at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Called {
    pub functions: Vec<FuncId>,
    /// Control may pass the call without any of them.
    pub is_skippable: bool,
}

/// The position of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// At the beginning of a segment, with open callers.
    Outer(SegmentId),
    /// At the beginning of a segment, in a function that the path called.
    Inner(SegmentId),
    /// At the end of a function with open callers.
    End(FuncId),
}

impl Icfg {
    /// The graph of what may run from an entry, or of all functions with code without one.
    pub fn new(
        module: &Module,
        points_to: &PointsTo,
        calls: &CallGraph,
        entry: Option<FuncId>,
    ) -> Icfg {
        let mut at_any_time: Vec<FuncId> = points_to.kept.clone();
        at_any_time.extend(module.destructors.iter().map(|&(_, function)| function));
        at_any_time.sort_unstable();
        at_any_time.dedup();
        let runs = running(module, calls, entry, &at_any_time);
        let called = module.functions.keys().map(|function| called_by(calls, function, &runs));
        let called = called.collect();
        let mut builder = Builder { module, points_to, calls, runs, called, cfgs: Vec::new() };
        builder.cfgs = module.functions.keys().map(|function| builder.cfg(function)).collect();
        builder.build(at_any_time)
    }

    /// Whether a function may run.
    pub fn runs(&self, function: FuncId) -> bool {
        self.firsts.get(function.index()).is_some_and(|firsts| !firsts.is_empty())
    }

    /// Handlers of signals, of the program's end and destructors.
    pub fn at_any_time(&self) -> &[FuncId] {
        &self.at_any_time
    }

    /// The first segment of a block, if its function may run.
    pub fn first_of(&self, function: FuncId, block: BlockId) -> Option<SegmentId> {
        self.firsts.get(function.index())?.get(block.index()).copied()
    }

    /// The segment that contains a position of a block.
    pub fn at(&self, function: FuncId, block: BlockId, position: usize) -> Option<SegmentId> {
        let mut segment = self.first_of(function, block)?;
        while self.segments[segment].insts.end <= position {
            let next = SegmentId(segment.0 + 1);
            let follows = self.segments.get(next);
            if follows.is_none_or(|at| at.function != function || at.block != block) {
                break;
            }
            segment = next;
        }
        Some(segment)
    }

    /// The last segment of a block: the one with its terminator.
    pub fn last_of(&self, function: FuncId, block: BlockId) -> Option<SegmentId> {
        self.at(function, block, usize::MAX - 1)
    }

    /// Where paths continue from a position.
    pub fn ways(&self, position: Position) -> impl Iterator<Item = Position> + '_ {
        let len = self.segments.len() as u32;
        let at = match position {
            Position::Outer(segment) => segment.0,
            Position::Inner(segment) => segment.0 + len,
            Position::End(function) => 2 * len + function.as_u32(),
        };
        self.successors[at as usize].iter().map(move |&to| match to / len {
            0 => Position::Outer(SegmentId(to)),
            1 => Position::Inner(SegmentId(to - len)),
            _ => Position::End(FuncId::from_u32(to - 2 * len)),
        })
    }

    /// Whether the program may end after a segment, by what it calls.
    pub fn ends_program(&self, segment: SegmentId) -> bool {
        self.ends[segment.index()]
    }

    /// What a segment calls.
    pub fn called(&self, segment: SegmentId) -> &Called {
        &self.called[segment.index()]
    }

    /// The segments on paths from the beginning of some segments, including these.
    pub fn reachable_from(&self, starts: &[SegmentId]) -> Reached {
        let starts = starts.iter().map(|start| start.0).collect();
        let reached = closure(starts, &self.successors);
        let len = self.segments.len();
        Reached((0..len).map(|at| reached[at] || reached[at + len]).collect())
    }

    /// The segments from whose beginning paths lead to some segments, including these.
    pub fn reaching(&self, targets: &[SegmentId]) -> Reached {
        let len = self.segments.len() as u32;
        let both = targets.iter().flat_map(|target| [target.0, target.0 + len]).collect();
        let mut reached = closure(both, &self.predecessors);
        reached.truncate(len as usize);
        Reached(reached)
    }

    /// The segments from whose beginning paths lead to some segments without leaving the function
    /// except by calls.
    pub fn reaching_within(&self, targets: &[SegmentId]) -> Reached {
        let len = self.segments.len() as u32;
        let inner = targets.iter().map(|target| target.0 + len).collect();
        let reached = closure(inner, &self.predecessors);
        Reached(reached[len as usize..2 * len as usize].to_vec())
    }
}

fn closure(mut waiting: Vec<u32>, edges: &[Vec<u32>]) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    waiting.retain(|&at| !std::mem::replace(&mut seen[at as usize], true));
    while let Some(at) = waiting.pop() {
        for &next in &edges[at as usize] {
            if !std::mem::replace(&mut seen[next as usize], true) {
                waiting.push(next);
            }
        }
    }
    seen
}

/// Which functions with code may run.
fn running(
    module: &Module,
    calls: &CallGraph,
    entry: Option<FuncId>,
    at_any_time: &[FuncId],
) -> Vec<bool> {
    let mut waiting: Vec<FuncId> = match entry {
        Some(entry) => {
            let constructors = module.constructors.iter().map(|&(_, function)| function);
            constructors.chain([entry]).chain(at_any_time.iter().copied()).collect()
        }
        None => module.functions.keys().collect(),
    };
    let mut runs = vec![false; module.functions.len()];
    while let Some(function) = waiting.pop() {
        let has_code = module.functions[function].body().is_some();
        if has_code && !std::mem::replace(&mut runs[function.index()], true) {
            waiting.extend(calls.callees(function).iter().map(|&(_, callee)| callee));
        }
    }
    runs
}

/// The functions with code that each call of a function may call.
fn called_by(calls: &CallGraph, function: FuncId, runs: &[bool]) -> BTreeMap<InstId, Vec<FuncId>> {
    let mut called: BTreeMap<InstId, Vec<FuncId>> = BTreeMap::new();
    if runs[function.index()] {
        for &(inst, callee) in calls.callees(function) {
            called.entry(inst).or_default().push(callee);
        }
    }
    called
}

struct Builder<'a> {
    module: &'a Module,
    points_to: &'a PointsTo,
    calls: &'a CallGraph,
    runs: Vec<bool>,
    called: Vec<BTreeMap<InstId, Vec<FuncId>>>,
    cfgs: Vec<Option<Cfg>>,
}

/// A call of functions with code, or a jump out of a function to a `setjmp`.
struct Site {
    segment: SegmentId,
    callees: Vec<FuncId>,
    /// Where control continues when the call returns.
    behind: Vec<SegmentId>,
}

impl Builder<'_> {
    fn cfg(&self, function: FuncId) -> Option<Cfg> {
        let body = self.module.functions[function].body()?;
        let ending = |inst| self.calls.ending(self.module, self.points_to, function, inst);
        self.runs[function.index()].then(|| Cfg::new(body, ending))
    }

    fn build(&self, at_any_time: Vec<FuncId>) -> Icfg {
        let mut icfg = Icfg {
            segments: PrimaryMap::new(),
            firsts: Vec::new(),
            successors: Vec::new(),
            predecessors: Vec::new(),
            at_any_time,
            ends: Vec::new(),
            called: Vec::new(),
        };
        for function in self.module.functions.keys() {
            let firsts = self.divide(function, &mut icfg.segments);
            icfg.firsts.push(firsts);
        }
        let count = 2 * icfg.segments.len() + self.module.functions.len();
        icfg.successors = vec![Vec::new(); count];
        icfg.predecessors = vec![Vec::new(); count];
        let resumed = self.resumed(&icfg);
        let ends = icfg.segments.values().map(|segment| self.ends(segment, End::Exits));
        icfg.ends = ends.collect();
        icfg.called = icfg.segments.values().map(|segment| self.called(segment)).collect();
        for segment in icfg.segments.keys() {
            self.connect(&mut icfg, segment, &resumed);
        }
        for (from, list) in icfg.successors.iter_mut().enumerate() {
            list.sort_unstable();
            list.dedup();
            for &to in list.iter() {
                icfg.predecessors[to as usize].push(from as u32);
            }
        }
        icfg
    }

    /// Divides the nodes of a function after calls of functions with code.
    fn divide(
        &self,
        function: FuncId,
        segments: &mut PrimaryMap<SegmentId, Segment>,
    ) -> Vec<SegmentId> {
        let Some((cfg, body)) = self.code(function) else { return Vec::new() };
        let called = &self.called[function.index()];
        let mut firsts: Vec<SegmentId> = Vec::with_capacity(body.blocks.len());
        for (node, of) in cfg.nodes.iter().filter(|&(node, _)| node != cfg.exit()) {
            if of.insts.start == 0 {
                firsts.push(segments.next_key());
            }
            let mut start = of.insts.start;
            for at in of.insts.clone() {
                let inst = body.blocks[of.block].insts[at];
                if called.contains_key(&inst) && at + 1 < of.insts.end {
                    segments.push(Segment {
                        function,
                        block: of.block,
                        node,
                        insts: start..at + 1,
                    });
                    start = at + 1;
                }
            }
            let insts = start..of.insts.end;
            segments.push(Segment { function, block: of.block, node, insts });
        }
        firsts
    }

    fn code(&self, function: FuncId) -> Option<(&Cfg, &ir::Body)> {
        let cfg = self.cfgs[function.index()].as_ref()?;
        Some((cfg, self.module.functions[function].body()?))
    }

    fn inst(&self, segment: &Segment) -> Option<InstId> {
        let body = self.module.functions[segment.function].body()?;
        body.blocks[segment.block].insts[segment.insts.clone()].last().copied()
    }

    /// Whether a segment may call a function without code that does not return.
    fn ends(&self, segment: &Segment, end: End) -> bool {
        let Some(inst) = self.inst(segment) else { return false };
        let targets = self.points_to.calls(segment.function, inst);
        let externals = targets.map(|targets| &targets.externals[..]).unwrap_or_default();
        let mut names = externals.iter().map(|&id| &self.module.functions[id].name);
        names.any(|name| library::end(name) == Some(end))
    }

    fn called(&self, segment: &Segment) -> Called {
        let Some(inst) = self.inst(segment) else { return Called::default() };
        let functions = self.called[segment.function.index()].get(&inst).cloned();
        let is_skippable = self
            .points_to
            .calls(segment.function, inst)
            .is_none_or(|targets| !targets.externals.is_empty() || !targets.callbacks.is_empty());
        Called { functions: functions.unwrap_or_default(), is_skippable }
    }

    /// Where control continues after each `setjmp`.
    fn resumed(&self, icfg: &Icfg) -> Vec<SegmentId> {
        let found = icfg.segments.iter().filter(|(_, segment)| self.ends(segment, End::Sets));
        found.map(|(id, _)| SegmentId(id.0 + 1)).collect()
    }

    fn connect(&self, icfg: &mut Icfg, id: SegmentId, resumed: &[SegmentId]) {
        let segment = icfg.segments[id].clone();
        let Some((cfg, body)) = self.code(segment.function) else { return };
        let Some(last) = self.inst(&segment) else { return };
        let len = icfg.segments.len() as u32;
        let end = |function: FuncId| 2 * len + function.as_u32();
        let callees = icfg.called[id.index()].functions.clone();
        let mut site = Site { segment: id, callees, behind: Vec::new() };
        if segment.insts.end < cfg.nodes[segment.node].insts.end {
            icfg.successors[id.index()].push(id.0 + 1);
            icfg.successors[(id.0 + len) as usize].push(id.0 + 1 + len);
            site.behind.push(SegmentId(id.0 + 1));
        } else {
            for &(to, outcome) in cfg.successors(segment.node) {
                // The call of `longjmp` itself has the target of the jump.
                if to == cfg.exit() || outcome == Outcome::Resumes {
                    continue;
                }
                let next = &cfg.nodes[to];
                let Some(next) = icfg.at(segment.function, next.block, next.insts.start) else {
                    continue;
                };
                icfg.successors[id.index()].push(next.0);
                icfg.successors[(id.0 + len) as usize].push(next.0 + len);
                if matches!(outcome, Outcome::Returns | Outcome::Unwinds) {
                    site.behind.push(next);
                }
            }
        }
        if matches!(body.insts[last].op, Op::Return { .. } | Op::Resume { .. }) {
            icfg.successors[id.index()].push(end(segment.function));
        }
        if self.ends(&segment, End::Jumps) {
            for copy in [0, len] {
                let ways = resumed.iter().map(|to| to.0);
                icfg.successors[(id.0 + copy) as usize].extend(ways);
            }
        }
        icfg.enter(&site, end);
    }
}

impl Icfg {
    fn enter(&mut self, site: &Site, end: impl Fn(FuncId) -> u32) {
        let len = self.segments.len() as u32;
        for &callee in &site.callees {
            let Some(first) = self.first_of(callee, ir::Body::ENTRY) else { continue };
            for copy in [0, len] {
                self.successors[(site.segment.0 + copy) as usize].push(first.0 + len);
            }
            let behind = site.behind.iter().map(|to| to.0);
            self.successors[end(callee) as usize].extend(behind);
        }
    }
}

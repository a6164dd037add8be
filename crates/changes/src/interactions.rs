//! The change sequence graph with interaction locations: in which orders changes can be executed,
//! and where their effects can meet.
//!
//! Böhme (2014), §4.4, algorithm 5, across functions. Vertices are changed lines, lines with an
//! effect that users can see (*outputs*), and *interaction locations*: unchanged lines that depend
//! on more than one change (definition 11, by forward slices). A line is what a reader calls a
//! statement; its parts in several blocks are one vertex. An edge of *order* says that control may
//! pass from one vertex to another without a third in between, an edge of *influence* that an
//! interaction location depends on a change.
//!
//! The published algorithm has an edge of order to an interaction location only from changes that
//! it depends on, and none from an output, so that it loses sequences on these paths; here every
//! order has an edge. As the paper suggests, a location that depends directly on another one with
//! the same changes is left out. The program's entry leads to the changes that may come first, and
//! those that may come last lead to its exit. Handlers that may run at any time count as entries.

mod lines;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use graphs::{Direction, Icfg, ProgramGraphs, Slice};
use ir::{FuncId, StatementId};

use crate::points::{ChangePoint, ChangePoints};
use crate::versions::{Alignment, Change};
use lines::{LineId, Lines};
use walk::Walks;

/// A vertex of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InteractionVertex {
    Entry,
    /// A changed line of NEW, by its statements.
    Changed(Vec<StatementId>),
    /// A line of OLD that is missing in NEW, or a function whose signature differs.
    Missing(Vec<StatementId>),
    Signature(FuncId),
    /// An interaction location: a line of NEW.
    Location(Vec<StatementId>),
    Output(Vec<StatementId>),
    Exit,
}

/// The graph. Edges are pairs of indices of vertices, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InteractionGraph {
    pub vertices: Vec<InteractionVertex>,
    pub order: Vec<(usize, usize)>,
    pub influence: Vec<(usize, usize)>,
}

/// Two versions with their analyses.
#[derive(Clone, Copy, Debug)]
pub struct TwoBuilds<'a> {
    pub alignment: &'a Alignment,
    pub old: &'a ProgramGraphs<'a>,
    pub new: &'a ProgramGraphs<'a>,
    /// Where runs of NEW begin; without it, in any function without callers.
    pub entry: Option<FuncId>,
}

impl InteractionGraph {
    /// The graph of the changes between two builds, whose outputs are the given statements of NEW.
    /// Searches interaction locations in the functions of NEW that `is_own` selects.
    pub fn new(
        builds: TwoBuilds<'_>,
        outputs: &BTreeSet<StatementId>,
        is_own: impl Fn(FuncId) -> bool,
    ) -> InteractionGraph {
        let TwoBuilds { alignment, old, new, entry } = builds;
        let points = ChangePoints::new(alignment, old.module, new.module, Version::New);
        if points.is_empty() {
            return InteractionGraph::default();
        }
        let lines = Lines::new(new.module);
        let changes = collect(builds, &points, &lines);
        let depends = depends(builds, &changes, &lines);
        let changed: BTreeSet<LineId> =
            changes.iter().flat_map(|change| change.lines.iter().copied()).collect();
        let outputs: BTreeSet<LineId> = outputs.iter().map(|&id| lines.of(id)).collect();
        let locations = locations(new, &lines, &depends, |line| {
            !changed.contains(&line) && !outputs.contains(&line) && is_own(lines.function(line))
        });
        let icfg = Icfg::new(new.module, &new.points_to, &new.calls, entry);
        let mut draft = Draft { lines: &lines, vertices: Vec::new(), of_line: BTreeMap::new() };
        draft.add_changes(&changes);
        draft.add_lines(&locations, InteractionVertex::Location);
        draft.add_lines(&outputs, InteractionVertex::Output);
        let walks = Walks::new(new.module, &icfg, &lines, &draft.of_line, &changes);
        let order = walks.orders(draft.vertices.len(), entry, &new.calls);
        draft.finish(order, &locations, &depends)
    }
}

/// Which lines of NEW each change may affect.
#[derive(Clone, Debug)]
pub struct Effects {
    /// The changes: vertices that are changed, missing or signatures.
    pub changes: Vec<InteractionVertex>,
    lines: Lines,
    depends: Vec<Vec<usize>>,
}

impl Effects {
    /// The effects of the changes between two builds, by forward slices. A deletion acts through
    /// what it would have affected in OLD.
    pub fn new(builds: TwoBuilds<'_>) -> Effects {
        let TwoBuilds { alignment, old, new, .. } = builds;
        let points = ChangePoints::new(alignment, old.module, new.module, Version::New);
        let lines = Lines::new(new.module);
        let changes = collect(builds, &points, &lines);
        let depends = depends(builds, &changes, &lines);
        Effects {
            changes: changes.into_iter().map(|change| change.vertex).collect(),
            lines,
            depends,
        }
    }

    /// Where all changes of a set may interfere: the lines, by their statements, that the effects
    /// of each of them may reach. If there is none, some of them can be tested alone.
    pub fn meet(&self, changes: &[usize]) -> Vec<&[StatementId]> {
        let all = self.depends.iter().enumerate();
        let met = all.filter(|(_, by)| changes.iter().all(|change| by.contains(change)));
        met.map(|(line, _)| self.lines.statements(line)).collect()
    }
}

/// A change of the graph: a changed line, or a missing one.
#[derive(Clone, Debug)]
struct ChangeVertex {
    vertex: InteractionVertex,
    /// Its lines in NEW.
    lines: Vec<LineId>,
    /// Where something is missing in NEW.
    places: Vec<ChangePoint>,
    /// Its statements of OLD, if it has none in NEW.
    old: Vec<StatementId>,
}

/// The changes of both versions, by lines.
fn collect(builds: TwoBuilds<'_>, points: &ChangePoints, lines: &Lines) -> Vec<ChangeVertex> {
    let old_lines = Lines::new(builds.old.module);
    let mut of_new: BTreeMap<LineId, Vec<ChangePoint>> = BTreeMap::new();
    let mut of_old: BTreeMap<LineId, (Vec<StatementId>, Vec<ChangePoint>)> = BTreeMap::new();
    for &point in &points.all {
        if let ChangePoint::Statement(statement) = point {
            of_new.entry(lines.of(statement)).or_default();
        }
    }
    for (pair, of_pair) in builds.alignment.functions.iter().zip(&points.of_change) {
        for (change, of_change) in pair.changes.iter().zip(of_pair) {
            let places = of_change.iter().filter(|at| !matches!(at, ChangePoint::Statement(_)));
            match (change.in_new(), change) {
                (Some(new), _) => of_new.entry(lines.of(new)).or_default().extend(places),
                (None, Change::Deleted { old, .. }) => {
                    let missing = of_old.entry(old_lines.of(*old)).or_default();
                    missing.0.push(*old);
                    missing.1.extend(places);
                }
                (None, _) => {}
            }
        }
    }
    let changed = of_new.into_iter().map(|(line, places)| ChangeVertex {
        vertex: InteractionVertex::Changed(lines.statements(line).to_vec()),
        lines: vec![line],
        places,
        old: Vec::new(),
    });
    let missing = of_old.into_values().map(|(old, places)| ChangeVertex {
        vertex: InteractionVertex::Missing(old.clone()),
        lines: Vec::new(),
        places,
        old,
    });
    let signatures = builds.alignment.functions.iter().filter(|pair| pair.signature);
    let signatures = signatures.map(|pair| ChangeVertex {
        vertex: InteractionVertex::Signature(pair.new),
        lines: Vec::new(),
        places: vec![ChangePoint::Entry(pair.new)],
        old: Vec::new(),
    });
    changed.chain(missing).chain(signatures).collect()
}

/// For each line of NEW, the changes that it depends on, ascending.
fn depends(builds: TwoBuilds<'_>, changes: &[ChangeVertex], lines: &Lines) -> Vec<Vec<usize>> {
    let TwoBuilds { alignment, old, new, .. } = builds;
    let mut depends: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
    for (index, change) in changes.iter().enumerate() {
        let own = change.lines.iter().flat_map(|&line| lines.statements(line).iter().copied());
        let own: Vec<StatementId> = own.collect();
        let slice = Slice::of_statements(&new.sdg, own, Direction::Forward);
        let mut reached = slice.statements(&new.sdg);
        if !change.old.is_empty() {
            let gone = change.old.iter().copied();
            let slice = Slice::of_statements(&old.sdg, gone, Direction::Forward);
            let affected = slice.statements(&old.sdg).into_iter();
            reached.extend(
                affected.filter_map(|statement| alignment.counterparts[Version::Old][statement]),
            );
        }
        let reached: BTreeSet<LineId> = reached.into_iter().map(|id| lines.of(id)).collect();
        reached.into_iter().for_each(|line| depends[line].push(index));
    }
    depends
}

/// Lines that depend on several changes. Of lines that depend directly on each other with the same
/// changes, only the first.
fn locations(
    new: &ProgramGraphs<'_>,
    lines: &Lines,
    depends: &[Vec<usize>],
    may_be: impl Fn(LineId) -> bool,
) -> BTreeSet<LineId> {
    let candidates: BTreeSet<LineId> =
        (0..lines.len()).filter(|&line| depends[line].len() > 1 && may_be(line)).collect();
    let leads = direct(new, lines, &candidates, depends);
    let led: BTreeSet<LineId> = leads.values().flatten().copied().collect();
    let mut covered: BTreeSet<LineId> = BTreeSet::new();
    let mut found = BTreeSet::new();
    // After lines without predecessors only cycles are left; the first line of each stays.
    for line in candidates.difference(&led).chain(&candidates).copied() {
        if covered.insert(line) {
            found.insert(line);
            let mut waiting = vec![line];
            while let Some(at) = waiting.pop() {
                let next = leads.get(&at).into_iter().flatten();
                waiting.extend(next.copied().filter(|&to| covered.insert(to)));
            }
        }
    }
    found
}

/// Direct dependences among lines with the same changes. A callee depends on the call.
fn direct(
    new: &ProgramGraphs<'_>,
    lines: &Lines,
    candidates: &BTreeSet<LineId>,
    depends: &[Vec<usize>],
) -> BTreeMap<LineId, BTreeSet<LineId>> {
    let mut leads: BTreeMap<LineId, BTreeSet<LineId>> = BTreeMap::new();
    let mut add = |from: LineId, to: LineId| {
        let both = candidates.contains(&from) && candidates.contains(&to);
        if both && from != to && depends[from] == depends[to] {
            leads.entry(from).or_default().insert(to);
        }
    };
    let mut by_function: BTreeMap<FuncId, Vec<LineId>> = BTreeMap::new();
    for &line in candidates {
        by_function.entry(lines.function(line)).or_default().push(line);
    }
    for (&function, own) in &by_function {
        for dependence in &new.pdg(function).dependences {
            add(lines.of(dependence.from), lines.of(dependence.to));
        }
        for &(caller, inst) in new.calls.callers(function) {
            let Some(body) = new.module.functions[caller].body() else { continue };
            let call = lines.of(body.insts[inst].statement);
            own.iter().for_each(|&line| add(call, line));
        }
    }
    leads
}

/// The graph under construction.
struct Draft<'a> {
    lines: &'a Lines,
    vertices: Vec<InteractionVertex>,
    of_line: BTreeMap<LineId, usize>,
}

impl Draft<'_> {
    /// Changes have the indices from 1 on.
    fn add_changes(&mut self, changes: &[ChangeVertex]) {
        self.vertices.push(InteractionVertex::Entry);
        for change in changes {
            for &line in &change.lines {
                self.of_line.insert(line, self.vertices.len());
            }
            self.vertices.push(change.vertex.clone());
        }
    }

    fn add_lines(
        &mut self,
        lines: &BTreeSet<LineId>,
        vertex: impl Fn(Vec<StatementId>) -> InteractionVertex,
    ) {
        for &line in lines {
            if !self.of_line.contains_key(&line) {
                self.of_line.insert(line, self.vertices.len());
                self.vertices.push(vertex(self.lines.statements(line).to_vec()));
            }
        }
    }

    /// Adds the edges for a path from a change.
    fn finish(
        mut self,
        order: BTreeSet<(usize, usize)>,
        locations: &BTreeSet<LineId>,
        depends: &[Vec<usize>],
    ) -> InteractionGraph {
        let exit = self.vertices.len();
        self.vertices.push(InteractionVertex::Exit);
        let mut is_met = vec![false; exit + 1];
        order.iter().filter(|&&(from, _)| from != 0).for_each(|&(_, to)| is_met[to] = true);
        let mut influence = BTreeSet::new();
        for line in locations {
            let to = self.of_line[line];
            influence.extend(depends[*line].iter().map(|&change| (change + 1, to)));
        }
        let stays = |index: usize| match self.vertices[index] {
            InteractionVertex::Location(_) | InteractionVertex::Output(_) => is_met[index],
            _ => true,
        };
        let mut numbers = vec![0; self.vertices.len()];
        let mut vertices = Vec::new();
        for (index, vertex) in self.vertices.iter().enumerate() {
            numbers[index] = vertices.len();
            if stays(index) {
                vertices.push(vertex.clone());
            }
        }
        let renumbered = |edges: BTreeSet<(usize, usize)>| {
            let kept = edges.into_iter().filter(|&(from, to)| stays(from) && stays(to));
            kept.map(|(from, to)| (numbers[from], numbers[to])).collect()
        };
        let (order, influence) = (renumbered(order), renumbered(influence));
        InteractionGraph { vertices, order, influence }
    }
}

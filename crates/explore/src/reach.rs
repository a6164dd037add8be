//! The strategy `reach`: inputs that execute a change, the nearest decision first.
//!
//! Algorithm 1 of Qi, Roychoudhury, Liang (2010). Every run leaves partial path conditions: the
//! conditions up to a decision whose other side is nearer to the target, in decisions of the
//! inter-procedural control-dependence graph. Only the nearest one is queried next. Ends when the
//! target is reached, and does not examine the effect of the change there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use exec::concolic::Step;
use rustc_hash::FxHashSet;
use smt::TermId;
use trace::{Trace, Tracer};

use crate::edges::Edges;
use crate::guidance::{Guidance, Target};
use crate::nearer::{Definitions, Flip, correlated_flips, direct_flips, sliced};
use crate::pair::{Advance, Arena, Searcher, Tried};
use crate::symbolic::{Meter, Seeds, common_input, repeat, tracer, worker};
use crate::worker::{Worker, at_step, with_outcome};

/// A run with partial path conditions.
struct Run {
    /// Its input, in the common space and as the version takes it.
    common: Box<[u64]>,
    own: Vec<u64>,
    steps: Vec<Step>,
}

/// The conditions of a run up to one of its steps, whose other outcome is wanted.
struct PartialPath {
    run: Arc<Run>,
    position: usize,
    condition: TermId,
}

/// How near a partial path comes to the target; smaller is better. Among equals, prefers runs that
/// covered something new, then later runs, because they have already made progress, and then later
/// steps.
type Rank = (u32, bool, Reverse<u64>, Reverse<usize>);

/// The search for one target.
pub struct Reacher<'p> {
    worker: Worker<'p>,
    tracer: Tracer<'p>,
    edges: Edges<'p>,
    definitions: Definitions<'p>,
    target: Target,
    waiting: BinaryHeap<Reverse<(Rank, usize)>>,
    partial: Vec<Option<PartialPath>>,
    /// Paths that were taken or queried.
    seen: FxHashSet<u64>,
    meter: Meter,
    runs: u64,
}

/// The result of an attempt to come nearer.
pub enum Attempt {
    /// An input was run, which reached the target or not.
    Ran { assignment: Box<[u64]>, tried: Tried, is_there: bool },
    /// A query had no answer, or one that leads nowhere new.
    Failed,
    /// There is nothing left to try.
    Nothing,
}

impl<'p> Reacher<'p> {
    pub fn new(
        arena: &Arena<'p>,
        name: &[u8],
        target: Target,
        guidance: &'p Guidance,
    ) -> Reacher<'p> {
        let program = arena.pair.side(target.version).concolic;
        Reacher {
            worker: worker(arena, target.version, name),
            tracer: tracer(arena, target.version, name, guidance),
            edges: Edges::new(program),
            definitions: Definitions::new(program, &guidance.control[target.version]),
            target,
            waiting: BinaryHeap::new(),
            partial: Vec::new(),
            seen: FxHashSet::default(),
            meter: Meter::default(),
            runs: 0,
        }
    }

    /// Runs an input on the target's version and keeps the partial paths of its run; returns
    /// whether it reached the target.
    pub fn execute(&mut self, arena: &mut Arena<'_>, assignment: &[u64]) -> bool {
        let mut own = Vec::new();
        arena.pair.side(self.target.version).assignment_into(assignment, &mut own);
        self.worker.trace(&own);
        self.runs += 1;
        self.meter.charge(&self.worker, arena);
        let steps = std::mem::take(&mut self.worker.machine.observer.path);
        let trace = self.tracer.trace(&own);
        self.keep(Run { common: assignment.into(), own, steps }, &trace);
        let observer = &self.worker.machine.observer;
        self.target.statements.iter().any(|&statement| observer.has_executed(statement))
    }

    /// Keeps the other outcomes of a run's steps that lead nearer.
    fn keep(&mut self, run: Run, trace: &Trace) {
        let (steps, distances) = (&run.steps, &self.target.distances);
        let observer = &mut self.worker.machine.observer;
        let is_stale = !observer.covered_new;
        let (edges, definitions) = (&mut self.edges, &mut self.definitions);
        let mut flips = direct_flips(observer, edges, distances, steps);
        flips.extend(correlated_flips(observer, edges, definitions, distances, steps, trace));
        flips.sort_by_key(|flip| flip.rank);
        let mut before = 1;
        let mut places = Vec::with_capacity(steps.len());
        for step in steps {
            places.push(at_step(before, step));
            before = with_outcome(at_step(before, step), step.outcome);
            self.seen.insert(before);
        }
        let run = Arc::new(run);
        for Flip { rank, position, outcome, condition } in flips {
            if self.seen.insert(with_outcome(places[position], outcome)) {
                let rank = (rank, is_stale, Reverse(self.runs), Reverse(position));
                self.waiting.push(Reverse((rank, self.partial.len())));
                let run = Arc::clone(&run);
                self.partial.push(Some(PartialPath { run, position, condition }));
            }
        }
    }

    /// Queries the nearest partial path and runs the resulting input.
    pub fn attempt(&mut self, arena: &mut Arena<'_>) -> Attempt {
        let Some(Reverse((_, index))) = self.waiting.pop() else { return Attempt::Nothing };
        let Some(partial) = self.partial[index].take() else { return Attempt::Failed };
        let answer = self.solve(&partial);
        self.meter.charge(&self.worker, arena);
        let side = arena.pair.side(self.target.version);
        match answer.and_then(|own| common_input(side, &own, &partial.run.common)) {
            Some(assignment) => {
                let is_there = self.execute(arena, &assignment);
                let tried = arena.try_input(&assignment);
                Attempt::Ran { assignment, tried, is_there }
            }
            None => Attempt::Failed,
        }
    }

    /// An input that takes a partial path, or at least satisfies what the last decision depends on.
    fn solve(&mut self, partial: &PartialPath) -> Option<Box<[u64]>> {
        let PartialPath { run, position, condition } = partial;
        let before: Vec<TermId> =
            run.steps[..*position].iter().map(|step| step.condition).collect();
        let site = run.steps[*position].site;
        let answer = self.worker.solve(&before, *condition, &run.own, site);
        answer.or_else(|| {
            let trace = self.tracer.trace(&run.own);
            let needed = sliced(&run.steps, &trace, *position)?;
            self.worker.solve(&needed, *condition, &run.own, site)
        })
    }
}

/// Reaches one target after the other.
pub struct Reach<'p> {
    searches: Vec<Reacher<'p>>,
    seeds: Seeds,
    /// All seeds so far, and how many of them the current search knows.
    pool: Vec<Box<[u64]>>,
    known: usize,
    /// Inputs that reached their target.
    pub(crate) reached: Vec<Box<[u64]>>,
}

impl<'p> Reach<'p> {
    /// Starts from the given inputs and, if it shares, from the inputs that other strategies keep.
    pub fn new(
        arena: &Arena<'p>,
        name: &[u8],
        given: &[Box<[u64]>],
        shares: bool,
        guidance: &'p Guidance,
    ) -> Reach<'p> {
        let new = |target: &Target| Reacher::new(arena, name, target.clone(), guidance);
        Reach {
            searches: guidance.targets.iter().rev().map(new).collect(),
            seeds: Seeds::new(arena.pair.layout(), given, shares),
            pool: Vec::new(),
            known: 0,
            reached: Vec::new(),
        }
    }

    /// Takes new seeds for the search.
    fn take_seeds(&mut self, arena: &mut Arena<'_>) {
        for seed in self.seeds.take(arena) {
            arena.try_input(&seed);
            self.pool.push(seed);
        }
    }

    /// One run or query towards the current target; false if there is no target left.
    pub(crate) fn advance_once(&mut self, arena: &mut Arena<'_>) -> bool {
        self.take_seeds(arena);
        let Some(search) = self.searches.last_mut() else { return false };
        if let Some(seed) = self.pool.get(self.known) {
            self.known += 1;
            if search.execute(arena, seed) {
                self.reached.push(seed.clone());
                self.next_target();
            }
            return true;
        }
        match search.attempt(arena) {
            Attempt::Ran { assignment, is_there, .. } => {
                self.seeds.tried(&assignment);
                // An input on the path to one target may be on the path to another.
                self.pool.push(assignment.clone());
                self.known += 1;
                if is_there {
                    self.reached.push(assignment);
                    self.next_target();
                }
            }
            Attempt::Failed => {}
            Attempt::Nothing => self.next_target(),
        }
        true
    }

    fn next_target(&mut self) {
        self.searches.pop();
        self.known = 0;
    }
}

impl Searcher for Reach<'_> {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        repeat(arena, work, |arena, _| {
            let is_left = self.advance_once(arena);
            // Nobody reads them in this strategy.
            self.reached.clear();
            is_left
        })
    }
}

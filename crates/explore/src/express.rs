//! The strategy `express`: `dart` without branches that cannot lead to a difference.
//!
//! Taneja, Xie, Tillmann, de Halleux (2011), §4.5 and §4.6. Another outcome of a decision is not
//! requested
//! - if its edge cannot be before or after a change (P¬P),
//! - if no change is reachable through its edge and none was executed before (P¬E),
//! - if no change is reachable through its edge and the states of both versions are the same at the
//!   decision (P¬I).
//!
//! The paper prunes all three. The third is not safe, because another input with the same path so
//! far may have other states; so such outcomes wait until nothing else is left. An outcome that is
//! never requested cannot show a difference.

use base::Version;
use exec::Stop;
use exec::concolic::Step;
use rustc_hash::FxHashMap;
use trace::{Infection, Tracer};

use crate::edges::Edges;
use crate::guidance::Guidance;
use crate::pair::{Advance, Arena, Searcher};
use crate::symbolic::{Instance, Meter, Seeds, decisions, instance, repeat, tracer, worker};
use crate::worker::{Guide, Worker};

/// How many outcomes were not requested, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The change is neither before nor after them.
    pub propagation: u64,
    /// No change was executed before and none can be after.
    pub execution: u64,
    /// The states were the same; they wait.
    pub infection: u64,
}

pub struct Express<'p> {
    worker: Worker<'p>,
    tracers: [Tracer<'p>; 2],
    edges: Edges<'p>,
    guidance: &'p Guidance,
    seeds: Seeds,
    meter: Meter,
    /// Inputs with postponed outcomes.
    waiting: Vec<Box<[u64]>>,
    pub pruned: Pruned,
}

impl<'p> Express<'p> {
    /// Starts from the given inputs and, if it shares, from the inputs that other strategies keep.
    pub fn new(
        arena: &Arena<'p>,
        name: &[u8],
        given: &[Box<[u64]>],
        shares: bool,
        guidance: &'p Guidance,
    ) -> Express<'p> {
        Express {
            worker: worker(arena, Version::New, name),
            tracers: Version::BOTH.map(|version| tracer(arena, version, name, guidance)),
            edges: Edges::new(arena.pair.new.concolic),
            guidance,
            seeds: Seeds::new(arena.pair.layout(), given, shares),
            meter: Meter::default(),
            waiting: Vec::new(),
            pruned: Pruned::default(),
        }
    }

    /// Runs the next candidate, or resumes postponed ones; false if nothing is left.
    fn step(&mut self, arena: &mut Arena<'_>) -> bool {
        let waiting = self.worker.frontier.is_empty().then(|| self.waiting.pop()).flatten();
        let mut pruning = Pruning {
            arena,
            tracers: &mut self.tracers,
            edges: &mut self.edges,
            guidance: self.guidance,
            seeds: &mut self.seeds,
            meter: &mut self.meter,
            pruned: &mut self.pruned,
            takes_up: waiting.is_some(),
            reaches: waiting.is_some(),
            infection: Infection::NONE,
            decisions: FxHashMap::default(),
            puts_off: false,
        };
        match &waiting {
            Some(assignment) => {
                self.worker.expand_again(assignment, &mut pruning);
                true
            }
            None => {
                let is_run = self.worker.step_guided(&mut pruning);
                if pruning.puts_off {
                    let last = self.worker.found.last();
                    self.waiting.extend(last.map(|found| found.assignment.clone()));
                }
                is_run
            }
        }
    }
}

impl Searcher for Express<'_> {
    fn name(&self) -> &'static str {
        "express"
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        self.seeds.give(arena, &mut self.worker);
        repeat(arena, work, |arena, _| {
            if !self.step(arena) {
                return false;
            }
            self.worker.found.clear();
            self.meter.charge(&self.worker, arena);
            true
        })
    }
}

/// Judges the outcomes of one run.
struct Pruning<'a, 'p, 'q> {
    arena: &'a mut Arena<'q>,
    tracers: &'a mut [Tracer<'p>; 2],
    edges: &'a mut Edges<'p>,
    guidance: &'p Guidance,
    seeds: &'a mut Seeds,
    meter: &'a mut Meter,
    pruned: &'a mut Pruned,
    /// Whether only postponed outcomes are wanted.
    takes_up: bool,
    reaches: bool,
    infection: Infection,
    decisions: FxHashMap<Instance, usize>,
    puts_off: bool,
}

impl Guide for Pruning<'_, '_, '_> {
    fn ran(&mut self, assignment: &[u64], _: &Stop) {
        self.arena.charge_concolic(1);
        self.meter.charged_run();
        self.seeds.tried(assignment);
        self.reaches = self.arena.try_input(assignment).reaches;
    }

    fn judge(&mut self, assignment: &[u64], _: &[Step]) {
        if !self.reaches {
            return;
        }
        let mut own = Vec::new();
        let events = self.arena.affordable_events();
        let traces = Version::BOTH.map(|version| {
            self.arena.pair.side(version).assignment_into(assignment, &mut own);
            self.tracers[version].trace_some(&own, events)
        });
        self.arena.charge_traces(2);
        let [old, new] = [0, 1].map(|index| self.tracers[index].run(&traces[index]));
        self.infection = Infection::new(old, new, &self.guidance.matching);
        self.decisions = decisions(&traces[1]);
    }

    fn wants(&mut self, _: usize, step: &Step, outcome: u64) -> bool {
        let Some(edge) = self.edges.edge(step, outcome) else { return !self.takes_up };
        let relevance = &self.guidance.relevance;
        if relevance.is_unaffected(edge) {
            self.pruned.propagation += 1;
            return false;
        }
        if !relevance.is_outside(edge) {
            return !self.takes_up;
        }
        let Infection { reached, infected } = self.infection;
        let number = self.decisions.get(&instance(step)).copied();
        let is_before = |moment: Option<usize>| match (number, moment) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(number), Some(moment)) => number < moment,
        };
        if is_before(reached) {
            self.pruned.execution += 1;
            return false;
        }
        if !is_before(infected) {
            return !self.takes_up;
        }
        self.pruned.infection += u64::from(!self.takes_up);
        self.puts_off = true;
        self.takes_up
    }
}

//! One worker: runs candidates and negates the conditions of their paths.

use std::hash::Hasher;
use std::sync::Arc;
use std::time::Duration;

use exec::concolic::{Concolic, Origin, Pin, Step};
use exec::stop::{Bound, Site};
use exec::{Limits, Machine, Stop};
use inputs::Layout;
use rustc_hash::{FxHashSet, FxHasher};
use smt::{Answer, Budget, Chain, Model, Path, Reason, TermId, Terms};
use trace::Harness;

use crate::budget::{Stopped, Stopwatch};
use crate::candidate::{Candidate, Frontier, Variant};
use crate::input_terms::InputTerms;

/// Steps of a run between two checks of the time.
const SLICE: u64 = 10_000;
/// How many values to try if a value itself decides where the run continues.
const MOST_VALUES: usize = 256;
/// How many values to try if one was pinned.
const MOST_PINNED: usize = 4;

/// Why an exploration may have missed something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gap {
    /// A value was pinned.
    Pinned { pin: Pin },
    /// The solver did not know.
    Unknown { site: Site, reason: Unknown },
    /// A run diverged from the predicted path.
    Diverged { site: Option<Site> },
    /// There are more values than were tried.
    ManyValues { site: Site },
    /// A run used something that is not modelled.
    Unsupported(Box<exec::stop::Unsupported>),
    /// A run reached a bound.
    Exhausted(exec::stop::Bound),
    /// A run took a path that its terms exclude.
    Contradiction { site: Site },
    /// The exploration ended before all candidates were tried.
    Stopped(Stopped),
    /// Inputs were drawn, not derived.
    Sampled,
}

/// Why the solver did not know; as [`Reason`], with an order for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unknown {
    Effort,
    Functions,
    Failure,
}

/// A path and an input that takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub assignment: Box<[u64]>,
    pub stop: Stop,
    /// Names the path.
    pub path: u64,
    /// How many conditions it has.
    pub conditions: u32,
    /// Whether its run covered something new.
    pub covers_new: bool,
}

/// Decides which outcomes to request. The default wants them all.
pub trait Guide {
    /// An input was run; its path may have been taken before.
    fn ran(&mut self, _assignment: &[u64], _stop: &Stop) {}

    /// The steps of a new path are about to be judged.
    fn judge(&mut self, _assignment: &[u64], _steps: &[Step]) {}

    /// Whether to request another outcome of a step. For a step that fixes a value the outcome is
    /// the one it had.
    fn wants(&mut self, _position: usize, _step: &Step, _outcome: u64) -> bool {
        true
    }
}

/// Wants all outcomes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unguided;

impl Guide for Unguided {}

pub struct Worker<'p> {
    pub harness: Harness<'p>,
    pub machine: Machine<'p, Concolic>,
    pub terms: InputTerms,
    pub chain: Chain,
    pub path: Path,
    pub frontier: Frontier,
    pub found: Vec<Found>,
    pub runs: u64,
    /// In the order of discovery.
    gaps: Vec<Gap>,
    known_gaps: FxHashSet<Gap>,
    solver_time: Duration,
    /// Paths that have been taken.
    seen: FxHashSet<u64>,
    /// Outcomes that were already requested, if several seeds may request the same.
    asked: Option<FxHashSet<u64>>,
    /// How many conditions of the solver's path hold for all inputs.
    base: usize,
    hashes: Vec<u64>,
    /// The bound of a single run.
    steps: u64,
    /// The budget of a query; a run ends with it, too.
    pub budget: Budget,
    /// Whether the last run ended because the budget was exhausted.
    pub is_cut: bool,
    model: Model,
    /// The input whose path is negated.
    origin: Arc<[u64]>,
}

impl<'p> Worker<'p> {
    pub fn new(
        harness: Harness<'p>,
        layout: &Layout,
        limits: Limits,
        frontier: Frontier,
        budget: Budget,
    ) -> Worker<'p> {
        let mut table = Terms::new();
        let terms = InputTerms::new(&mut table, layout);
        Worker::with_terms(harness, terms, limits, frontier, budget, table)
    }

    /// A worker that continues with a table of terms that contains its input.
    pub fn with_terms(
        harness: Harness<'p>,
        terms: InputTerms,
        limits: Limits,
        frontier: Frontier,
        budget: Budget,
        table: Terms,
    ) -> Worker<'p> {
        let mut observer = Concolic::new();
        observer.terms = table;
        let mut path = Path::new();
        for &condition in &terms.domain {
            path.push(&mut observer.terms, condition);
        }
        let base = path.len();
        let machine = Machine::idle(harness.program, &exec::Input::default(), limits, observer);
        Worker {
            harness,
            machine,
            terms,
            chain: smt::standard(),
            path,
            frontier,
            found: Vec::new(),
            runs: 0,
            gaps: Vec::new(),
            known_gaps: FxHashSet::default(),
            solver_time: Duration::ZERO,
            seen: FxHashSet::default(),
            asked: None,
            base,
            hashes: Vec::new(),
            steps: limits.steps,
            budget,
            is_cut: false,
            model: Model::new(),
            origin: Arc::default(),
        }
    }

    /// Lets several seeds share a path without exploring the common part twice.
    pub fn expect_many_seeds(&mut self) {
        self.asked.get_or_insert_default();
    }

    /// Time spent on queries so far.
    pub fn solver_time(&self) -> Duration {
        self.solver_time
    }

    pub fn take_gaps(&mut self) -> Vec<Gap> {
        std::mem::take(&mut self.gaps)
    }

    fn note(&mut self, gap: Gap) {
        if self.known_gaps.insert(gap.clone()) {
            self.gaps.push(gap);
        }
    }

    /// Runs the next candidate; false if there is none.
    pub fn step(&mut self) -> bool {
        self.step_guided(&mut Unguided)
    }

    /// Runs the next candidate and requests only what a guide wants; false if there is none.
    pub fn step_guided(&mut self, guide: &mut dyn Guide) -> bool {
        let Some(candidate) = self.frontier.pop() else { return false };
        let assignment = candidate.input.assignment();
        let stop = self.run(&assignment);
        guide.ran(&assignment, &stop);
        self.hash_path();
        if self.has_diverged(&candidate) {
            let site = self.machine.observer.path.last().map(|step| step.site);
            self.note(Gap::Diverged { site });
            self.expect_many_seeds();
        }
        let path = self.hashes.last().copied().unwrap_or(0);
        if !self.seen.insert(path) {
            return true;
        }
        self.note_gaps(&stop);
        let covers_new = self.machine.observer.covered_new;
        self.found.push(Found {
            assignment: (*assignment).into(),
            stop,
            path,
            conditions: self.machine.observer.path.len() as u32,
            covers_new,
        });
        self.judge_and_expand(&candidate, assignment, covers_new, guide);
        true
    }

    /// Runs an input whose path was taken before again and requests what a guide wants of it.
    pub fn expand_again(&mut self, assignment: &[u64], guide: &mut dyn Guide) {
        self.run(assignment);
        self.hash_path();
        let candidate = Candidate::seed(assignment.into());
        self.judge_and_expand(&candidate, candidate.input.assignment(), false, guide);
    }

    fn judge_and_expand(
        &mut self,
        candidate: &Candidate,
        assignment: Arc<[u64]>,
        is_hot: bool,
        guide: &mut dyn Guide,
    ) {
        self.remember_ways();
        guide.judge(&assignment, &self.machine.observer.path);
        self.origin = assignment;
        let watch = Stopwatch::start();
        self.expand(candidate, is_hot, guide);
        self.solver_time += watch.elapsed();
    }

    /// Runs an input for its own sake: returns how it ends, and the name of its path, whose steps
    /// the machine's observer has.
    pub fn trace(&mut self, assignment: &[u64]) -> (Stop, u64) {
        let stop = self.run(assignment);
        self.hash_path();
        (stop, self.hashes.last().copied().unwrap_or(0))
    }

    fn run(&mut self, assignment: &[u64]) -> Stop {
        self.runs += 1;
        self.is_cut = false;
        let started = self.terms.start(&mut self.harness, &mut self.machine, assignment);
        let most = self.steps;
        let stop = match started {
            Ok(()) => loop {
                // Terms can make steps slow, so check the time in between.
                let next = self.machine.state.steps.saturating_add(SLICE).min(most);
                self.machine.state.limits.steps = next;
                let stop = self.machine.run();
                let is_slice = stop == Stop::Exhausted(Bound::Steps) && next < most;
                self.is_cut = is_slice && self.budget.exhausted().is_some();
                if !is_slice || self.is_cut {
                    break stop;
                }
            },
            Err(stop) => stop,
        };
        self.machine.state.limits.steps = most;
        stop
    }

    /// Whether conditions are satisfiable together, and an input that satisfies them, which keeps
    /// the values of one that satisfies all but the last as far as possible.
    pub fn solve(
        &mut self,
        conditions: &[TermId],
        last: TermId,
        start: &[u64],
        site: Site,
    ) -> Option<Box<[u64]>> {
        let watch = Stopwatch::start();
        self.path.follow(&mut self.machine.observer.terms, self.base, conditions);
        self.model = self.terms.model(&self.machine.observer.terms, start);
        let model = self.ask(&[last], site);
        self.solver_time += watch.elapsed();
        model.map(|model| self.terms.assignment(&self.machine.observer.terms, &model))
    }

    /// The names of all prefixes of the path, by their places and outcomes.
    fn hash_path(&mut self) {
        self.hashes.clear();
        let mut hash = 1;
        for step in &self.machine.observer.path {
            hash = with_outcome(at_step(hash, step), step.outcome);
            self.hashes.push(hash);
        }
    }

    /// Another seed need not request outcomes that a run already took.
    fn remember_ways(&mut self) {
        let Some(asked) = &mut self.asked else { return };
        let steps = self.machine.observer.path.iter().zip(&self.hashes);
        // A step that fixes a value is requested under the values that it had.
        let fixes = |step: &Step| matches!(step.origin, Origin::Value { .. } | Origin::Pin { .. });
        asked.extend(steps.filter(|(step, _)| !fixes(step)).map(|(_, &hash)| hash));
    }

    fn has_diverged(&self, candidate: &Candidate) -> bool {
        if candidate.expected == 0 {
            return false;
        }
        // A step that fixes a value is negated again, so the bound is its own position.
        let position = if candidate.excluded.is_empty() {
            candidate.bound as usize - 1
        } else {
            candidate.bound as usize
        };
        let Some(step) = self.machine.observer.path.get(position) else { return true };
        let before = position.checked_sub(1).map_or(1, |last| self.hashes[last]);
        at_step(before, step) != candidate.expected
    }

    fn note_gaps(&mut self, stop: &Stop) {
        for index in 0..self.machine.observer.pins.len() {
            let pin = self.machine.observer.pins[index];
            self.note(Gap::Pinned { pin });
        }
        if let Some(site) = self.machine.observer.contradiction {
            self.note(Gap::Contradiction { site });
        }
        match stop {
            Stop::Unsupported(what) => self.note(Gap::Unsupported(what.clone())),
            Stop::Exhausted(bound) => self.note(Gap::Exhausted(*bound)),
            Stop::Exit(_) | Stop::Signal(_) | Stop::Fault(_) => {}
        }
    }

    /// Requests inputs that leave the path at each of its steps.
    fn expand(&mut self, candidate: &Candidate, is_hot: bool, guide: &mut dyn Guide) {
        let steps = std::mem::take(&mut self.machine.observer.path);
        let known = self.path.conditions()[self.base..].iter();
        let shared =
            known.zip(&steps).take_while(|(known, step)| **known == step.condition).count();
        let shared = shared.min(candidate.bound as usize);
        self.path.truncate(self.base + shared);
        self.model = self.terms.model(&self.machine.observer.terms, &self.origin);
        for (position, step) in steps.iter().enumerate().skip(shared) {
            // Outcomes that are not requested are missed; the end of the budget says so.
            if self.budget.exhausted().is_some() {
                self.note(Gap::Unknown { site: step.site, reason: Unknown::Effort });
                break;
            }
            if position >= candidate.bound as usize {
                let excluded = if position == candidate.bound as usize {
                    &candidate.excluded[..]
                } else {
                    &[]
                };
                self.turn(position, step, excluded, is_hot, guide);
            }
            self.path.push(&mut self.machine.observer.terms, step.condition);
        }
        self.machine.observer.path = steps;
    }

    /// Requests the other outcomes of a step.
    fn turn(
        &mut self,
        position: usize,
        step: &Step,
        excluded: &[u64],
        is_hot: bool,
        guide: &mut dyn Guide,
    ) {
        let before = position.checked_sub(1).map_or(1, |last| self.hashes[last]);
        let expected = at_step(before, step);
        let (term, value, most) = match step.origin {
            Origin::Value { term, value } => (term, value, MOST_VALUES),
            Origin::Pin { term, value } => (term, value, MOST_PINNED),
            Origin::Branch | Origin::Check | Origin::Extent | Origin::Switch { .. } => {
                return self.turn_way((position, expected), step, is_hot, guide);
            }
        };
        if !guide.wants(position, step, step.outcome) {
            return;
        }
        if excluded.len() + 1 >= most {
            if matches!(step.origin, Origin::Value { .. }) {
                self.note(Gap::ManyValues { site: step.site });
            }
            return;
        }
        let values: Vec<u64> = excluded.iter().copied().chain([value]).collect();
        if !self.is_new(values.iter().fold(expected, |hash, &value| with_outcome(hash, value))) {
            return;
        }
        let terms = &mut self.machine.observer.terms;
        let width = terms.width(term);
        let mut others: Vec<TermId> = Vec::with_capacity(values.len());
        for &value in &values {
            let constant = terms.constant(width, value);
            others.push(terms.ne(term, constant));
        }
        if let Some(input) = self.ask_variant(&others, step.site) {
            let excluded = values.into_boxed_slice();
            let candidate = Candidate { input, bound: position as u32, excluded, expected };
            self.frontier.push(candidate, step, is_hot);
        }
    }

    fn turn_way(
        &mut self,
        (position, expected): (usize, u64),
        step: &Step,
        is_hot: bool,
        guide: &mut dyn Guide,
    ) {
        let program = self.harness.program;
        let alternatives = self.machine.observer.alternatives(program, step);
        for (outcome, alternative) in alternatives {
            if !guide.wants(position, step, outcome)
                || !self.is_new(with_outcome(expected, outcome))
            {
                continue;
            }
            if let Some(input) = self.ask_variant(&[alternative], step.site) {
                let bound = position as u32 + 1;
                let excluded = Box::default();
                let candidate = Candidate { input, bound, excluded, expected };
                self.frontier.push(candidate, step, is_hot);
            }
        }
    }

    /// Whether an outcome was not requested before, as far as remembered.
    fn is_new(&mut self, way: u64) -> bool {
        self.asked.as_mut().is_none_or(|asked| asked.insert(way))
    }

    /// An input with the same path, and an alternative at its end.
    fn ask_variant(&mut self, alternatives: &[TermId], site: Site) -> Option<Variant> {
        let model = self.ask(alternatives, site)?;
        let changed = self.terms.changes(&model, &self.model);
        Some(Variant::new(&self.origin, changed))
    }

    fn ask(&mut self, alternatives: &[TermId], site: Site) -> Option<Model> {
        let terms = &mut self.machine.observer.terms;
        let answer = self.path.ask(&mut self.chain, terms, alternatives, &self.model, &self.budget);
        match answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) => None,
            Answer::Unknown(reason) => {
                let reason = match reason {
                    Reason::Conflicts | Reason::Time | Reason::Stopped | Reason::Memory => {
                        Unknown::Effort
                    }
                    Reason::Refinements => Unknown::Functions,
                    Reason::Backend | Reason::External | Reason::Disagreement => Unknown::Failure,
                };
                self.note(Gap::Unknown { site, reason });
                None
            }
        }
    }
}

/// The name of a path up to the place of a step.
pub(crate) fn at_step(before: u64, step: &Step) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(before);
    hasher.write_u32(step.site.function.as_u32());
    hasher.write_u32(step.site.inst.as_u32());
    hasher.finish() | 1
}

/// The name of a path with the outcome of its last step.
pub(crate) fn with_outcome(place: u64, outcome: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(place);
    hasher.write_u64(outcome);
    hasher.finish()
}

//! What a comparison costs, measured in instructions rather than time, so that it is the same on
//! every machine.

use std::time::Duration;

/// What a comparison cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairEffort {
    /// Inputs run on both versions.
    pub runs: u64,
    /// Those of them on which it is not known how a version ends.
    pub undecided: u64,
    /// Concolic runs.
    pub concolic: u64,
    /// Questions to the solver, and those that needed its last resort.
    pub questions: u64,
    pub solver_calls: u64,
    /// All of it, measured in instructions of plain runs: the same on every machine.
    pub ticks: u64,
    pub time: Duration,
}

/// Instructions that could be executed in the time that it takes to start a run.
pub(super) const START: u64 = 400;
/// How many times as long as a plain run a concolic run takes.
pub(super) const CONCOLIC: u64 = 20;
/// The same for a run whose dependences are recorded, and for one whose comparisons are seen.
pub(super) const TRACE: u64 = 20;
pub(super) const WATCHED: u64 = 4;
/// Instructions that could be executed while a question is answered without a SAT solver.
pub(super) const QUESTION: u64 = 500;
/// Instructions that could be executed during a propagation of the SAT solver.
pub(super) const PROPAGATION: u64 = 20;

impl PairEffort {
    /// Effort without the clock: a unit is what a few hundred instructions on both versions take.
    pub fn work(&self) -> u64 {
        self.ticks >> 10
    }

    /// Adds what was spent between two moments.
    pub fn add_between(&mut self, before: &PairEffort, after: &PairEffort) {
        self.runs += after.runs - before.runs;
        self.undecided += after.undecided - before.undecided;
        self.concolic += after.concolic - before.concolic;
        self.questions += after.questions - before.questions;
        self.solver_calls += after.solver_calls - before.solver_calls;
        self.ticks += after.ticks - before.ticks;
    }
}

/// When something happened for the first time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Milestones {
    /// A changed statement was executed.
    pub reached: Option<PairEffort>,
    /// A branch that both versions have went other ways, or what was shown differs.
    pub infected: Option<PairEffort>,
    /// What was shown differs.
    pub propagated: Option<PairEffort>,
}

impl Milestones {
    /// The first of each that either has.
    pub(super) fn earlier(&self, other: &Milestones) -> Milestones {
        let first = |one: Option<PairEffort>, other: Option<PairEffort>| {
            one.into_iter().chain(other).min_by_key(|effort| effort.ticks)
        };
        Milestones {
            reached: first(self.reached, other.reached),
            infected: first(self.infected, other.infected),
            propagated: first(self.propagated, other.propagated),
        }
    }
}

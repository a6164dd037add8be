//! The cost of a comparison, measured in instructions rather than time, so that it is the same on
//! every machine.

use std::time::Duration;

/// The cost of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairEffort {
    /// Inputs run on both versions.
    pub runs: u64,
    /// How many of them had an unknown ending in a version.
    pub undecided: u64,
    /// Concolic runs.
    pub concolic: u64,
    /// Solver queries, and how many of them needed the SAT solver.
    pub questions: u64,
    pub solver_calls: u64,
    /// Total effort in instructions of plain runs: the same on every machine.
    pub ticks: u64,
    pub time: Duration,
}

/// The cost of starting a run, in instructions.
pub(super) const START: u64 = 400;
/// How many times as long as a plain run a concolic run takes.
pub(super) const CONCOLIC: u64 = 20;
/// The same for a run whose dependences are recorded, and for one whose comparisons are observed.
pub(super) const TRACE: u64 = 20;
pub(super) const WATCHED: u64 = 4;
/// The cost of a query without the SAT solver, in instructions.
pub(super) const QUESTION: u64 = 500;
/// The cost of a propagation of the SAT solver, in instructions.
pub(super) const PROPAGATION: u64 = 20;

impl PairEffort {
    /// Effort without the clock: a unit is the cost of a few hundred instructions on both versions.
    pub fn work(&self) -> u64 {
        self.ticks >> 10
    }

    /// Adds the effort between two moments.
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
    /// A branch that both versions have went different ways, or an observable differs.
    pub infected: Option<PairEffort>,
    /// An observable differs.
    pub propagated: Option<PairEffort>,
}

impl Milestones {
    /// The earlier milestone of each kind.
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

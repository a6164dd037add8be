//! Solver queries and their answers. Layers wrap the same trait.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use base::memory::Bound;

use crate::model::Model;
use crate::term::{TermId, Terms};

/// What a solver may spend on one query.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Conflicts of the SAT solver: the same on every machine. With 0 it does not run.
    pub conflicts: Option<u32>,
    /// The one place where this crate reads the clock.
    pub deadline: Option<Instant>,
    /// Set from outside to stop early.
    pub stop: Option<Arc<AtomicBool>>,
    /// Memory of the whole process.
    pub memory: Option<Bound>,
}

impl Budget {
    /// Why the budget is exhausted, if it is.
    pub fn exhausted(&self) -> Option<Reason> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Reason::Stopped);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Reason::Time);
        }
        self.memory.as_ref().is_some_and(Bound::is_reached).then_some(Reason::Memory)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// All conditions hold under this assignment, which has been checked by evaluation.
    Sat(Model),
    /// No assignment satisfies even this subset of the conditions (positions, in order).
    Unsat(Vec<usize>),
    Unknown(Reason),
}

/// Why a solver does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Conflicts,
    Time,
    Stopped,
    Memory,
    /// Values of functions and arrays did not converge.
    Refinements,
    /// Another solver was asked and did not know either, or its answer is wrong.
    External,
    /// Another solver disagrees.
    Disagreement,
    /// The SAT solver failed, or evaluation refuted its model: a bug in Ripple.
    Backend,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Conflicts => "the limit of conflicts was reached",
            Reason::Time => "time ran out",
            Reason::Stopped => "stopped",
            Reason::Memory => "memory ran out",
            Reason::Refinements => "values of functions did not settle",
            Reason::External => "another solver does not know either",
            Reason::Disagreement => "two solvers disagree",
            Reason::Backend => "the SAT solver failed",
        })
    }
}

/// A named count, for statistics.
pub type Counter = (&'static str, u64);

/// The work of a SAT solver so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatCounts {
    pub questions: u64,
    /// In propagations; the same on every machine.
    pub effort: u64,
}

pub trait Solver {
    /// Whether all conditions (bit vectors of width 1) can hold together.
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer;

    /// Appends the counts of this layer and of those below it.
    fn counters(&self, counters: &mut Vec<Counter>);

    /// The work of the SAT solver below the layers; nothing if there is none.
    fn sat(&self) -> SatCounts;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        (**self).check(terms, conditions, budget)
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        (**self).counters(counters);
    }

    fn sat(&self) -> SatCounts {
        (**self).sat()
    }
}

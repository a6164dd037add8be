//! The conditions of one path, pushed one after another, any of which can be flipped.

use crate::solver::{Answer, Budget, Solver};
use crate::term::{TermId, Terms};

/// A path condition.
#[derive(Clone, Debug, Default)]
pub struct Path {
    conditions: Vec<TermId>,
}

impl Path {
    pub fn new() -> Path {
        Path::default()
    }

    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }

    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    pub fn push(&mut self, condition: TermId) {
        self.conditions.push(condition);
    }

    /// Forgets all conditions from that position on.
    pub fn truncate(&mut self, length: usize) {
        self.conditions.truncate(length);
    }

    /// Whether the conditions before this one can hold without it. Positions of a core are those
    /// of the path; the flipped one counts as its own.
    pub fn flip(
        &self,
        solver: &mut dyn Solver,
        terms: &mut Terms,
        position: usize,
        budget: &Budget,
    ) -> Answer {
        let mut question = self.conditions[..=position].to_vec();
        question[position] = terms.not(self.conditions[position]);
        solver.check(terms, &question, budget)
    }
}

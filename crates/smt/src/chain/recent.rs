//! Tries models of earlier queries on the next one, as they are or repaired.
//!
//! Most queries differ from an earlier one in a single condition, and a known model or one close to
//! it answers most of those.

use std::collections::VecDeque;

use super::repair::repair;
use crate::eval::Evaluator;
use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, SatCounts, Solver};
use crate::term::{TermId, Terms};

/// How many models are remembered.
const REMEMBERED: usize = 12;

pub struct Recent<S> {
    inner: S,
    models: VecDeque<Model>,
    evaluator: Evaluator,
    /// Moves of one repair.
    moves: usize,
    reused: u64,
    repaired: u64,
}

impl<S> Recent<S> {
    /// `moves` bounds the repair of a nearly satisfying model; 0 for none.
    pub fn new(inner: S, moves: usize) -> Recent<S> {
        Recent {
            inner,
            models: VecDeque::new(),
            evaluator: Evaluator::new(),
            moves,
            reused: 0,
            repaired: 0,
        }
    }

    /// A model to try on later queries, for instance the input of the path.
    pub fn remember(&mut self, model: Model) {
        self.models.push_front(model);
        self.models.truncate(REMEMBERED);
    }

    fn find(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Option<Model> {
        let mut nearest: Option<(usize, usize)> = None;
        for at in 0..self.models.len() {
            let enough = nearest.map_or(usize::MAX, |(violated, _)| violated);
            let violated = self.count_violated(terms, conditions, at, enough);
            if violated == 0 {
                self.reused += 1;
                let model = self.models.remove(at)?;
                self.models.push_front(model.clone());
                return Some(model);
            }
            if violated < enough {
                nearest = Some((violated, at));
            }
        }
        if self.moves == 0 {
            return None;
        }
        let nothing = Model::new();
        let start = nearest.map_or(&nothing, |(_, at)| &self.models[at]);
        let model = repair(terms, &mut self.evaluator, conditions, start, self.moves)?;
        self.repaired += 1;
        self.remember(model.clone());
        Some(model)
    }

    /// How many conditions a model violates; counting ends at `enough`.
    fn count_violated(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        at: usize,
        enough: usize,
    ) -> usize {
        self.evaluator.restart();
        // Without repair it only matters whether any is violated.
        let enough = if self.moves == 0 { 1 } else { enough };
        let mut violated = 0;
        for condition in conditions.iter().rev() {
            violated += usize::from(self.evaluator.value(terms, &self.models[at], *condition) == 0);
            if violated >= enough {
                break;
            }
        }
        violated
    }
}

impl<S: Solver> Solver for Recent<S> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        if let Some(position) = conditions.iter().position(|c| *c == Terms::FALSE) {
            return Answer::Unsat(vec![position]);
        }
        if let Some(model) = self.find(terms, conditions) {
            return Answer::Sat(model);
        }
        let answer = self.inner.check(terms, conditions, budget);
        if let Answer::Sat(model) = &answer {
            self.remember(model.clone());
        }
        answer
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("models reused", self.reused));
        counters.push(("models repaired", self.repaired));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

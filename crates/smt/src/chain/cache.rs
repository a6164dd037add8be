//! Answers to sets of conditions, and sets that are known to be unsatisfiable.
//!
//! A query that contains an unsatisfiable set is unsatisfiable. Unknown is not cached: the next
//! query may have a larger budget.

use rustc_hash::FxHashMap;

use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, SatCounts, Solver};
use crate::term::{TermId, Terms};

/// Above this number of answers, all are forgotten at once.
const MOST_ANSWERS: usize = 100_000;

pub struct Cache<S> {
    inner: S,
    models: FxHashMap<Box<[TermId]>, Model>,
    /// Unsatisfiable sets, sorted, by their last member.
    cores: FxHashMap<TermId, Vec<Box<[TermId]>>>,
    core_count: usize,
    repeated: u64,
    subsets: u64,
}

impl<S> Cache<S> {
    pub fn new(inner: S) -> Cache<S> {
        Cache {
            inner,
            models: FxHashMap::default(),
            cores: FxHashMap::default(),
            core_count: 0,
            repeated: 0,
            subsets: 0,
        }
    }

    fn known_core(&self, sorted: &[TermId]) -> Option<&[TermId]> {
        let contains = |core: &[TermId]| {
            let mut rest = sorted.iter();
            core.iter().all(|member| rest.any(|condition| condition == member))
        };
        let of_last =
            |last: &TermId| self.cores.get(last)?.iter().map(AsRef::as_ref).find(|c| contains(c));
        sorted.iter().find_map(of_last)
    }

    fn remember_core(&mut self, mut core: Vec<TermId>) {
        core.sort_unstable();
        core.dedup();
        let Some(last) = core.last().copied() else { return };
        if self.core_count >= MOST_ANSWERS {
            self.cores.clear();
            self.core_count = 0;
        }
        self.core_count += 1;
        self.cores.entry(last).or_default().push(core.into_boxed_slice());
    }
}

impl<S: Solver> Solver for Cache<S> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        let mut sorted = conditions.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if let Some(model) = self.models.get(sorted.as_slice()) {
            self.repeated += 1;
            return Answer::Sat(model.clone());
        }
        if let Some(core) = self.known_core(&sorted) {
            let position = |member: &TermId| conditions.iter().position(|c| c == member);
            let mut positions: Vec<usize> = core.iter().filter_map(position).collect();
            positions.sort_unstable();
            self.subsets += 1;
            return Answer::Unsat(positions);
        }
        let answer = self.inner.check(terms, conditions, budget);
        match &answer {
            Answer::Sat(model) => {
                if self.models.len() >= MOST_ANSWERS {
                    self.models.clear();
                }
                self.models.insert(sorted.into_boxed_slice(), model.clone());
            }
            Answer::Unsat(core) => {
                self.remember_core(core.iter().map(|at| conditions[*at]).collect());
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("answers repeated", self.repeated));
        counters.push(("unsatisfiable subsets", self.subsets));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

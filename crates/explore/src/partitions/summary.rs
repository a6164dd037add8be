//! The results of an exploration, as plain values that do not depend on it.

use super::explorer::Explorer;
use crate::budget::{Stopwatch, within};
use crate::proved::{MOST_TOLD, Partition, Summary, Told, Verdict, Wanted, Why};

/// About the most conditions of all partitions together to write: that takes a quarter of a second.
const MOST_TOLD_OF_ALL: usize = 10_000;

impl Explorer<'_> {
    pub fn told(&self, partition: &Partition) -> Told {
        let terms = self.terms();
        let (condition, smtlib) = (partition.people(terms, self.words()), partition.smtlib(terms));
        Told { partition: partition.clone(), condition, smtlib }
    }

    /// The results so far; `None` if there are none.
    pub fn summary(&mut self, wanted: Wanted) -> Option<Summary> {
        if self.found().list.is_empty() {
            return None;
        }
        // The search may have used up its own time.
        self.set_question(within(self.question(), wanted.time));
        let watch = Stopwatch::start();
        let shares = self.shares();
        let says_when = wanted.incomplete || self.is_complete();
        let differs_when = if says_when { self.differs_when(wanted.questions) } else { None };
        let mut order: Vec<&Partition> = self.found().list.iter().collect();
        order.sort_by_key(|partition| rank(&partition.verdict));
        let mut conditions = 0;
        let is_told = |partition: &&Partition| {
            let before = conditions;
            conditions += partition.conditions.len().min(MOST_TOLD);
            before < MOST_TOLD_OF_ALL
        };
        let told = order.into_iter().take(wanted.partitions).take_while(is_told);
        let told = told.map(|one| self.told(one)).collect();
        let proof = self.proof();
        Some(Summary {
            partitions: told,
            counts: self.found().counts(),
            left: proof.left,
            is_complete: self.is_complete(),
            is_equal: proof.is_equal,
            path_pairs: self.partitions().path_pairs,
            shares,
            differs_when,
            planes: wanted
                .planes
                .then(|| self.planes(wanted.time.saturating_sub(watch.elapsed())))
                .flatten(),
        })
    }
}

fn rank(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Different => 0,
        Verdict::Unknown(_) => 1,
        Verdict::Equal(Why::NotPropagated) => 2,
        Verdict::Equal(Why::NotReached) => 3,
    }
}

//! What an exploration has found out, as plain values that do not need it any more.

use std::time::Duration;

use super::explorer::Explorer;
use super::merged::DiffersWhen;
use super::planes::Planes;
use super::shares::Shares;
use super::{Counts, MOST_TOLD, Partition, Verdict, Why};
use crate::budget::{Stopwatch, within};

/// Conditions of all partitions together that are told, about: writing them takes a quarter of a
/// second.
const MOST_TOLD_OF_ALL: usize = 10_000;

/// What a summary is to have.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Partitions that are told at most.
    pub partitions: usize,
    /// Questions to the solver that may go into saying when versions differ.
    pub questions: usize,
    /// Whether that is to be said although the partitions are not the whole space.
    pub incomplete: bool,
    /// Whether there are to be pictures.
    pub planes: bool,
    /// How long that and the questions may take.
    pub time: Duration,
}

/// What an exploration has found out.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The ones of most interest first: different, unknown, equal although a change is executed,
    /// equal.
    pub partitions: Vec<Told>,
    pub counts: Counts,
    /// Regions that nobody has looked at, or of which the solver knows nothing.
    pub left: usize,
    /// Whether the partitions are the whole space.
    pub is_complete: bool,
    pub is_equal: bool,
    pub path_pairs: usize,
    pub shares: Shares,
    pub differs_when: Option<DiffersWhen>,
    pub planes: Option<Planes>,
}

/// A partition and its condition in words.
#[derive(Clone, Debug)]
pub struct Told {
    pub partition: Partition,
    /// For people: infix, in the names of the input.
    pub condition: String,
    /// The same as a question in SMT-LIB, unless it is very long.
    pub smtlib: Option<String>,
}

impl Explorer<'_> {
    pub fn told(&self, partition: &Partition) -> Told {
        let terms = self.terms();
        let (condition, smtlib) = (partition.people(terms), partition.smtlib(terms));
        Told { partition: partition.clone(), condition, smtlib }
    }

    /// What has been found out so far; nothing if that is nothing.
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
            planes: match wanted.planes {
                true => self.planes(wanted.time.saturating_sub(watch.elapsed())),
                false => None,
            },
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

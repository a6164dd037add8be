//! The options of an exploration of one program, and its result, as plain data.

use std::time::Duration;

use exec::Limits;
use exec::stop::Fault;
use smt::path::PathCounts;

use crate::budget::Budget;
use crate::candidate::Search;
use crate::worker::{Found, Gap};

/// How to find inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Inputs drawn at random from the space, boundary values preferred.
    Random,
    /// Every feasible path once.
    #[default]
    Dart,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    pub search: Search,
    pub jobs: usize,
    pub budget: Budget,
    /// Of a single run.
    pub limits: Limits,
    pub seed: u64,
    /// The program's name.
    pub name: Vec<u8>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            search: Search::default(),
            jobs: 1,
            budget: Budget::default(),
            limits: Limits { steps: 10_000_000, memory: 1 << 28, output: 1 << 22, depth: 1 << 16 },
            seed: 1,
            name: b"program".to_vec(),
        }
    }
}

/// What an exploration found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// One for each path, in the order in which they were found.
    pub paths: Vec<Found>,
    /// Why the result may be incomplete; empty if the exploration is complete.
    pub gaps: Vec<Gap>,
    /// One for each kind and place, each with a small input.
    pub faults: Vec<FaultFound>,
    /// The outcomes of each branch, by function and operation: bit 0 not taken, bit 1 taken, and
    /// [`crate::JUMPED`] at the target of a switch.
    pub covered: Vec<Vec<u8>>,
    pub effort: Effort,
}

impl Exploration {
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

/// The cost of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    pub runs: u64,
    pub time: Duration,
    pub solver_time: Duration,
    /// How the queries were answered.
    pub questions: PathCounts,
}

/// A fault and an input that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultFound {
    pub fault: Box<Fault>,
    /// Minimised as far as possible.
    pub assignment: Box<[u64]>,
    /// The number of paths with this fault.
    pub paths: u64,
}

/// Adds the coverage of others.
pub(crate) fn cover(all: &mut Vec<Vec<u8>>, more: &[Vec<u8>]) {
    if all.len() < more.len() {
        all.resize(more.len(), Vec::new());
    }
    for (all, more) in all.iter_mut().zip(more) {
        if all.len() < more.len() {
            all.resize(more.len(), 0);
        }
        for (all, more) in all.iter_mut().zip(more) {
            *all |= more;
        }
    }
}

//! What is proved about two or more versions, as plain data.
//!
//! `partitions` computes it; this file only presents it.

mod shares;

use std::time::Duration;

use exec::stop::{Bound, Unsupported};
use inputs::snapshot::Incomparable;
use ir::StatementId;
use smt::people::Glossary;
use smt::{TermId, Terms, smtlib};

pub use shares::{Portion, Share, Shares};

/// Inputs that behave the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// Exactly the inputs of the partition satisfy all of these.
    pub conditions: Vec<TermId>,
    /// One of the inputs.
    pub input: Box<[u64]>,
    pub verdict: Verdict,
    /// By version: versions with the same number have the same observables on all of the inputs,
    /// versions with different numbers differ on each of them. Meaningless if the verdict is
    /// unknown.
    pub classes: Vec<usize>,
    /// By version, for people: the observables. Parts that depend on the input are in braces.
    pub outputs: Vec<String>,
    /// By version: changed statements that the outputs depend on.
    pub changes: Vec<Vec<StatementId>>,
    /// By version, if changes are executed and all versions are equal: the statements at which the
    /// effect of the changes ends, as far as known.
    pub stops: Vec<Vec<StatementId>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All versions behave the same on every input.
    Equal(Why),
    /// On every input, some version differs from another.
    Different,
    Unknown(Unclear),
}

/// Why versions behave the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No changed statement is executed.
    NotReached,
    /// Changes are executed but have no visible effect.
    NotPropagated,
}

/// Why there is no claim about a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// A run hit a bound.
    Exhausted(Bound),
    /// A run used something that is not modelled.
    Unsupported(Box<Unsupported>),
    /// A run read uninitialised memory, or ended in a fault that native programs may survive.
    Undetermined,
    /// A run took a path that its conditions exclude: a bug in Ripple.
    Contradiction,
    /// Output arrived in a form that its terms do not follow.
    Output,
    /// The contents of a file depend on the input.
    Files,
    /// The memory that a function left cannot be compared completely.
    Memory(Incomparable),
    /// Terms do not decide whether observables differ, such as rounded numbers.
    Rounded,
    /// The versions take different input.
    Incomparable,
}

/// The number of partitions of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub equal: usize,
    pub different: usize,
    pub unknown: usize,
}

impl Counts {
    /// Partitions of all kinds.
    pub fn total(&self) -> usize {
        self.equal + self.different + self.unknown
    }
}

/// The most conditions of a partition to write.
pub(crate) const MOST_TOLD: usize = 500;

impl Partition {
    /// The condition for people: infix, in the names of the input. Only the beginning of a very
    /// long one.
    pub fn people(&self, terms: &Terms, words: &Glossary) -> String {
        match self.conditions.len().checked_sub(MOST_TOLD) {
            None | Some(0) => words.conjunction(terms, &self.conditions),
            Some(more) => {
                let beginning = words.conjunction(terms, &self.conditions[..MOST_TOLD]);
                format!("{beginning} ∧ … and {more} more conditions")
            }
        }
    }

    /// The condition as a query in SMT-LIB, unless it is very long.
    pub fn smtlib(&self, terms: &Terms) -> Option<String> {
        let is_short = self.conditions.len() <= MOST_TOLD;
        is_short.then(|| smtlib::print_question(terms, &self.conditions))
    }
}

/// What a summary should contain.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The most partitions to describe.
    pub partitions: usize,
    /// Solver queries for the predicate that says when versions differ.
    pub questions: usize,
    /// Whether to compute it although the partitions do not cover the whole space.
    pub incomplete: bool,
    /// Whether to draw planes.
    pub planes: bool,
    /// The time for planes and queries.
    pub time: Duration,
}

/// The results of an exploration.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The most interesting ones first: different, unknown, equal although a change is executed,
    /// equal.
    pub partitions: Vec<Told>,
    pub counts: Counts,
    /// Regions that were not examined, or that the solver could not decide.
    pub left: usize,
    /// Whether the partitions cover the whole space.
    pub is_complete: bool,
    pub is_equal: bool,
    pub path_pairs: usize,
    pub shares: Shares,
    pub differs_when: Option<DiffersWhen>,
    pub planes: Option<Planes>,
}

/// A partition and its condition as text.
#[derive(Clone, Debug)]
pub struct Told {
    pub partition: Partition,
    /// For people: infix, in the names of the input.
    pub condition: String,
    /// The same as a query in SMT-LIB, unless it is very long.
    pub smtlib: Option<String>,
}

/// When versions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffersWhen {
    /// For people: infix, in the names of the input; `true` if on every input.
    pub condition: String,
    /// The same as a query in SMT-LIB.
    pub smtlib: String,
    /// The same in the terms of the exploration.
    pub predicate: TermId,
    pub how: How,
}

/// What a predicate says about the inputs that satisfy it and about the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Versions differ on all inputs that satisfy it and on no others.
    Exactly,
    /// On all of them, and possibly on others.
    AtLeast,
    /// On some of them, and on no others.
    Only,
}

/// Planes through the input space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planes {
    pub axes: Vec<Axis>,
    /// The values of cells that are not on an axis.
    pub held: Box<[u64]>,
    /// For pairs of axes, the most interesting ones first.
    pub planes: Vec<Plane>,
}

/// A cell and some of its values, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its position in an input.
    pub cell: usize,
    pub name: String,
    /// As bits.
    pub values: Vec<u64>,
    /// As numbers.
    pub numbers: Vec<i128>,
}

/// What is proved about the inputs of a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Positions among the axes; there is no second one if only one cell varies.
    pub x: usize,
    pub y: Option<usize>,
    /// Row by row.
    pub squares: Vec<Square>,
}

/// What is proved about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Square {
    Equal,
    Different,
    Unknown,
    Left,
}

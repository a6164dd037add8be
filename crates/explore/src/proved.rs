//! What is proved of two or more versions, as plain data.
//!
//! Found out by `partitions`; here it is only told.

mod shares;

use std::time::Duration;

use exec::stop::{Bound, Unsupported};
use inputs::snapshot::Incomparable;
use ir::StatementId;
use smt::people::Glossary;
use smt::{TermId, Terms, smtlib};

pub use shares::{Portion, Share, Shares};

/// Inputs that behave alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// All of them satisfy all of these, and so does no other input.
    pub conditions: Vec<TermId>,
    /// One of the inputs.
    pub input: Box<[u64]>,
    pub verdict: Verdict,
    /// By version: versions with the same number show the same on all of the inputs, others show
    /// something else on each of them. Without meaning if the verdict is unknown.
    pub classes: Vec<usize>,
    /// By version, for people: what is shown. What depends on the input is in braces.
    pub outputs: Vec<String>,
    /// By version: changed statements that the outputs depend on.
    pub changes: Vec<Vec<StatementId>>,
    /// By version, if changes are executed and all versions show the same: the statements at which
    /// the effect of the changes ends, as far as that is known.
    pub stops: Vec<Vec<StatementId>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All versions show the same on every input.
    Equal(Why),
    /// On every input, some version shows something else than another.
    Different,
    Unknown(Unclear),
}

/// Why versions show the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No changed statement is executed.
    NotReached,
    /// Changes are executed and have no effect on what is shown.
    NotPropagated,
}

/// Why nothing is claimed of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// A run hit a bound.
    Exhausted(Bound),
    /// A run used something that is not modelled.
    Unsupported(Box<Unsupported>),
    /// A run read memory that was never written, or ended in a fault that native programs may
    /// survive.
    Undetermined,
    /// A run took a way that its conditions exclude: a fault of ours.
    Contradiction,
    /// Output arrived in a way that its terms do not follow.
    Output,
    /// What is written to a file depends on the input.
    Files,
    /// What a function left in memory cannot be compared as a whole.
    Memory(Incomparable),
    /// Terms do not say when what is shown is different, such as numbers that are rounded.
    Rounded,
    /// The versions take different input.
    Incomparable,
}

/// How many partitions there are of each sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub equal: usize,
    pub different: usize,
    pub unknown: usize,
}

impl Counts {
    /// Partitions of all sorts.
    pub fn total(&self) -> usize {
        self.equal + self.different + self.unknown
    }
}

/// Conditions of a partition that are told.
pub(crate) const MOST_TOLD: usize = 500;

impl Partition {
    /// The condition for people: infix, in the names of the input. Of a very long one, the
    /// beginning.
    pub fn people(&self, terms: &Terms, words: &Glossary) -> String {
        match self.conditions.len().checked_sub(MOST_TOLD) {
            None | Some(0) => words.conjunction(terms, &self.conditions),
            Some(more) => {
                let beginning = words.conjunction(terms, &self.conditions[..MOST_TOLD]);
                format!("{beginning} ∧ … and {more} more conditions")
            }
        }
    }

    /// The condition as a question in SMT-LIB, unless it is very long.
    pub fn smtlib(&self, terms: &Terms) -> Option<String> {
        let is_short = self.conditions.len() <= MOST_TOLD;
        is_short.then(|| smtlib::print_question(terms, &self.conditions))
    }
}

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

/// When versions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffersWhen {
    /// For people: infix, in the names of the input; `true` if on every input.
    pub condition: String,
    /// The same as a question in SMT-LIB.
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
    /// On all of them, and perhaps on others.
    AtLeast,
    /// On some of them, and on no others.
    Only,
}

/// Planes through the input space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planes {
    pub axes: Vec<Axis>,
    /// What cells that are not on an axis have.
    pub held: Box<[u64]>,
    /// For pairs of axes, the ones of most interest first.
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

/// What is proved of the inputs of a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// Positions among the axes; there is no second one if only one cell varies.
    pub x: usize,
    pub y: Option<usize>,
    /// Row by row.
    pub squares: Vec<Square>,
}

/// What is proved of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Square {
    Equal,
    Different,
    Unknown,
    Left,
}

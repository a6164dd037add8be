//! Partition-based regression verification: the input space of two or more versions, divided into
//! partitions in which all inputs behave alike, each proved equal or proved different.
//!
//! Böhme, Oliveira, Roychoudhury (2013). An input is run on all versions; the conditions that its
//! behaviour rests on are its *partition*; each of them is negated in turn, and every negation
//! that has a solution is a *region* from which the next input comes. Regions and partitions are
//! kept so that together they are always the whole space: if no region is left, the partitions
//! are. That does not depend on which conditions are left out of a partition or how they are
//! ordered; only the number of partitions does.
//!
//! What is compared are all observables of a run as terms (`shown`). Nothing is claimed of a
//! partition in which a run hit a bound, used something that is not modelled, read memory that
//! was never written, damaged memory, or showed something that terms do not follow.

mod check;
mod explorer;
mod given;
mod instances;
mod lookup;
mod merged;
mod planes;
mod propagation;
mod regions;
mod runs;
mod search;
mod shares;
mod shown;
mod slices;
mod state;
mod summary;
pub mod tables;
mod undefined;

use exec::Program;
use exec::stop::{Bound, Unsupported};
use inputs::Layout;
use inputs::snapshot::Incomparable;
use ir::StatementId;
use smt::{TermId, Terms, people, smtlib};

use crate::pair::CellFrom;

pub use explorer::{Explorer, Stepped, explore_all, explore_watched};
pub use merged::{DiffersWhen, How};
pub use planes::{Axis, Plane, Planes, Square};
pub use regions::{Known, Promise, Region, Unresolved};
pub use search::Partitioning;
pub use shares::{Portion, Share, Shares};
pub use summary::{Summary, Told, Wanted};

pub(crate) use shown::fit;

/// One version, ready for concolic runs.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'p> {
    /// With all statements marked, and the C library open.
    pub program: &'p Program,
    pub layout: &'p Layout,
    /// How the function is called natively, unless it is `main`.
    pub caller: Option<&'p inputs::Harness>,
    /// Where the cells of the layout come from; one to one from the common space if nothing is
    /// said.
    pub cells: Option<&'p [CellFrom]>,
}

/// The input space that all versions have in common: the layout of the newest one, which has no
/// other cells.
fn common_layout<'p>(subjects: &[Subject<'p>]) -> &'p Layout {
    subjects[subjects.len() - 1].layout
}

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

/// What an exploration has found out so far.
#[derive(Clone, Debug, Default)]
pub struct Partitions {
    /// In the order of their discovery.
    pub list: Vec<Partition>,
    /// Regions of which nothing is known yet.
    pub frontier: Vec<Region>,
    /// Regions of which the solver does not know whether there is an input in them.
    pub unresolved: Vec<Unresolved>,
    /// Whether a value was pinned in some run, so that there may be a partition for each value.
    pub pinned: bool,
    /// Distinct combinations of whole paths, one for each version, that were run.
    pub path_pairs: usize,
}

impl Partitions {
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for partition in &self.list {
            match partition.verdict {
                Verdict::Equal(_) => counts.equal += 1,
                Verdict::Different => counts.different += 1,
                Verdict::Unknown(_) => counts.unknown += 1,
            }
        }
        counts
    }

    /// Whether the partitions are the whole space.
    pub fn is_complete(&self) -> bool {
        self.frontier.is_empty() && self.unresolved.is_empty()
    }

    /// Whether it is proved that all versions show the same on every input.
    pub fn proves_equality(&self) -> bool {
        let is_equal = |partition: &Partition| matches!(partition.verdict, Verdict::Equal(_));
        self.is_complete() && !self.list.is_empty() && self.list.iter().all(is_equal)
    }
}

/// Conditions of a partition that are told.
const MOST_TOLD: usize = 500;

impl Partition {
    /// The condition for people: infix, in the names of the input. Of a very long one, the
    /// beginning.
    pub fn people(&self, terms: &Terms) -> String {
        match self.conditions.len().checked_sub(MOST_TOLD) {
            None | Some(0) => people::conjunction(terms, &self.conditions),
            Some(more) => {
                let beginning = people::conjunction(terms, &self.conditions[..MOST_TOLD]);
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

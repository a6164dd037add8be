//! Partition-based regression verification: divides the input space of two or more versions into
//! partitions in which all inputs behave the same, each proved equal or proved different.
//!
//! Böhme, Oliveira, Roychoudhury (2013). An input is run on all versions; the conditions that its
//! behaviour depends on are its *partition*; each of them is negated in turn, and every negation
//! that has a solution is a *region* from which the next input comes. Regions and partitions
//! together always cover the whole space: if no region is left, the partitions do. That does not
//! depend on which conditions are omitted from a partition or on their order; only the number of
//! partitions does.
//!
//! Compares all observables of a run as terms (`shown`). Makes no claim about a partition in which
//! a run hit a bound, used something that is not modelled, read uninitialised memory, damaged
//! memory, or had output that terms do not follow.

mod check;
mod explorer;
mod given;
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
mod undefined;

use exec::Program;
use inputs::Layout;

use crate::cells::CellFrom;
use crate::proved::{Counts, Partition, Verdict};

pub use explorer::{Explorer, Stepped, explore_all, explore_watched};
pub use regions::{Known, Promise, Region, Unresolved};
pub use search::Partitioning;

/// One version, ready for concolic runs.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'p> {
    /// With all statements marked, and the C library open to terms.
    pub program: &'p Program,
    pub layout: &'p Layout,
    /// The native caller of the function, unless it is `main`.
    pub caller: Option<&'p inputs::Harness>,
    /// The sources of the layout's cells; one to one from the common space if `None`.
    pub cells: Option<&'p [CellFrom]>,
}

/// The input space that all versions have in common: the layout of the newest one, which has no
/// other cells.
fn common_layout<'p>(subjects: &[Subject<'p>]) -> &'p Layout {
    subjects[subjects.len() - 1].layout
}

/// The result of an exploration so far.
#[derive(Clone, Debug, Default)]
pub struct Partitions {
    /// In the order of their discovery.
    pub list: Vec<Partition>,
    /// Regions that were not examined yet.
    pub frontier: Vec<Region>,
    /// Regions for which the solver does not know whether they contain an input.
    pub unresolved: Vec<Unresolved>,
    /// Whether some run pinned a value, so that there may be a partition for each value.
    pub pinned: bool,
    /// The number of distinct combinations of whole paths, one for each version.
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

    /// Whether the partitions cover the whole space.
    pub fn is_complete(&self) -> bool {
        self.frontier.is_empty() && self.unresolved.is_empty()
    }

    /// Whether all versions are proved equal on every input.
    pub fn proves_equality(&self) -> bool {
        let is_equal = |partition: &Partition| matches!(partition.verdict, Verdict::Equal(_));
        self.is_complete() && !self.list.is_empty() && self.list.iter().all(is_equal)
    }
}

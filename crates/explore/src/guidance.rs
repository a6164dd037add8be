//! What is known of two versions before any run: the tables that strategies look up.
//!
//! Plain data, filled by whoever has laid the versions side by side. All of it speaks of the
//! programs that concolic runs execute; all their statements must be marked.

use base::Version;
use ir::StatementId;
use trace::{Matching, Postdominators};

use crate::control::{ControlGraph, Distances};
use crate::relevance::Relevance;
use crate::tables::SliceTables;

#[derive(Clone, Debug, Default)]
pub struct Guidance {
    pub matching: Matching,
    /// Of NEW.
    pub relevance: Relevance,
    pub control: [ControlGraph; 2],
    pub postdominators: [Postdominators; 2],
    /// The parts of the change.
    pub targets: Vec<Target>,
    /// What slices of runs need, where they are wanted.
    pub slicing: Option<[SliceTables; 2]>,
}

/// Where a run is to get to.
#[derive(Clone, Debug)]
pub struct Target {
    pub version: Version,
    /// Any of these will do.
    pub statements: Vec<StatementId>,
    pub distances: Distances,
}

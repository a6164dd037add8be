//! Static knowledge about two versions: the tables that strategies look up.
//!
//! Plain data, filled by whoever has aligned the versions. All of it is about the programs that
//! concolic runs execute; all their statements must be marked.

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
    /// The tables for slices of runs, if they are wanted.
    pub slicing: Option<[SliceTables; 2]>,
}

/// What a run has to reach.
#[derive(Clone, Debug)]
pub struct Target {
    pub version: Version,
    /// Any of these suffices.
    pub statements: Vec<StatementId>,
    pub distances: Distances,
}

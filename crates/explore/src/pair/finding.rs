//! Inputs on which two versions differ, or on which one of them was not seen to end.

use base::{Both, Version};
use ir::StatementId;

use super::effort::PairEffort;

/// An input on which the machine's runs differ.
#[derive(Clone, Debug)]
pub struct Finding {
    pub assignment: Box<[u64]>,
    /// The strategy that found it.
    pub by: &'static str,
    /// The effort until then.
    pub effort: PairEffort,
    /// Shared by differences of one kind: what differs, how both versions end, and the changed
    /// statements that they executed.
    pub(super) sort: u64,
    /// Whether it is invisible to users.
    pub(super) is_silent: bool,
    /// Changed statements that it executes.
    pub(super) reached: Both<Vec<StatementId>>,
}

impl Finding {
    /// A difference of its own kind.
    pub fn of(assignment: Box<[u64]>, by: &'static str, effort: PairEffort) -> Finding {
        Finding { assignment, by, effort, sort: 0, is_silent: false, reached: Default::default() }
    }
}

/// An input on which one version ended and the other did not within its bounds, so that it is
/// unknown whether it ever does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    pub assignment: Box<[u64]>,
    /// The version that did not end.
    pub version: Version,
    /// Steps of OLD and NEW until the end or the bound.
    pub steps: [u64; 2],
    /// Changed statements that OLD and NEW executed.
    pub reached: [Vec<StatementId>; 2],
    /// The strategy that found it, and the effort until then.
    pub by: &'static str,
    pub effort: PairEffort,
}

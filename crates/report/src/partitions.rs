//! What is proved about partitions of the input space, for all reports.

pub(crate) mod json;
mod text;

use effects::proved::{Described, Proved};
use effects::verify::{DiffersWhen, How, Shares, Verified};
use explore::proved::{Counts, Verdict, Why};

pub(crate) use text::{bar, line, meter, percent, write};

use crate::printable::harmless;
use crate::words;

/// What is proved, by any command.
#[derive(Clone, Copy)]
pub(crate) struct Proof<'a> {
    pub counts: Counts,
    /// Regions without a result.
    pub left: usize,
    pub is_complete: bool,
    pub shares: &'a Shares,
    pub differs_when: Option<&'a DiffersWhen>,
    pub partitions: &'a [Described],
}

impl<'a> From<&'a Proved> for Proof<'a> {
    fn from(proved: &'a Proved) -> Proof<'a> {
        Proof {
            counts: proved.counts,
            left: proved.left,
            is_complete: proved.is_complete,
            shares: &proved.shares,
            differs_when: proved.differs_when.as_ref(),
            partitions: &proved.partitions,
        }
    }
}

impl<'a> From<&'a Verified> for Proof<'a> {
    fn from(verified: &'a Verified) -> Proof<'a> {
        Proof {
            counts: verified.counts,
            left: verified.waiting + verified.unresolved,
            is_complete: verified.is_complete,
            shares: &verified.shares,
            differs_when: verified.differs_when.as_ref(),
            partitions: &verified.partitions,
        }
    }
}

impl Proof<'_> {
    /// All partitions, described or not.
    pub fn total(&self) -> usize {
        self.counts.equal + self.counts.different + self.counts.unknown
    }
}

/// When versions differ, as a clause.
pub(crate) fn differs_when(when: &DiffersWhen) -> String {
    let condition = harmless(&when.condition);
    match (when.how, condition.as_str()) {
        (How::Exactly | How::AtLeast, "true") => "they differ on every input".to_owned(),
        (How::Exactly, _) => format!("they differ exactly when {condition}"),
        (How::AtLeast, _) => format!("they differ at least when {condition}"),
        (How::Only, _) => format!("they differ only when {condition}"),
    }
}

/// A verdict in one word.
pub(crate) fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Equal(_) => "equal",
        Verdict::Different => "different",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Why a partition is equal or unknown.
pub(crate) fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Different => None,
        Verdict::Equal(Why::NotReached) => Some("no change is executed".to_owned()),
        Verdict::Equal(Why::NotPropagated) => Some("changes have no observable effect".to_owned()),
        Verdict::Unknown(unclear) => Some(words::unclear(unclear)),
    }
}

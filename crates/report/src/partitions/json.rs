//! What is proved, as JSON.

use effects::proved::Described;
use effects::verify::{How, Portion, Share};
use effects::versions::Place;
use inputs::{Input, Test};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Proof, reason, verdict_name};
use crate::pieces::raw;

/// The most bytes of a condition in SMT-LIB, which is omitted beyond, and the most characters of a
/// condition for people, which is cut beyond.
const MOST_SMTLIB: usize = 4_000;
const MOST_CONDITION: usize = 2_000;

#[derive(Serialize)]
pub(crate) struct PartitionsOf {
    counts: CountsOf,
    complete: bool,
    shares: SharesOf,
    differs_when: Option<WhenOf>,
    list: Vec<PartitionOf>,
    omitted: usize,
}

/// The number of partitions of the space by verdict.
#[derive(Serialize)]
pub(crate) struct CountsOf {
    equal: usize,
    different: usize,
    unknown: usize,
    left: usize,
}

#[derive(Serialize)]
pub(crate) struct SharesOf {
    uniform: ShareOf,
    tests: Option<ShareOf>,
}

#[derive(Serialize)]
pub(crate) struct ShareOf {
    samples: usize,
    equal: PortionOf,
    different: PortionOf,
    unknown: PortionOf,
    left: PortionOf,
}

#[derive(Serialize)]
pub(crate) struct PortionOf {
    count: usize,
    share: f64,
    low: f64,
    high: f64,
    exact: bool,
}

#[derive(Serialize)]
pub(crate) struct WhenOf {
    condition: String,
    smtlib: String,
    /// Whether it says when they differ, and when they do not.
    how: &'static str,
}

#[derive(Serialize)]
struct PartitionOf {
    verdict: &'static str,
    reason: Option<String>,
    condition: String,
    smtlib: Option<String>,
    input: Box<RawValue>,
    command: String,
    classes: Vec<usize>,
    outputs: Vec<String>,
    changes: Vec<Vec<At>>,
    stops: Vec<Vec<At>>,
}

#[derive(Serialize)]
struct At {
    file: String,
    line: u32,
}

/// Everything about partitions; `typed` prints an input as people type it.
pub(crate) fn partitions(proof: &Proof<'_>, typed: &dyn Fn(&Input) -> String) -> PartitionsOf {
    let list = proof.partitions.iter();
    PartitionsOf {
        counts: counts(proof),
        complete: proof.is_complete,
        shares: shares(proof),
        differs_when: when(proof),
        omitted: proof.total() - proof.partitions.len(),
        list: list.map(|one| partition(one, typed)).collect(),
    }
}

pub(crate) fn shares(proof: &Proof<'_>) -> SharesOf {
    SharesOf {
        uniform: share(&proof.shares.uniform),
        tests: proof.shares.tests.as_ref().map(share),
    }
}

pub(crate) fn counts(proof: &Proof<'_>) -> CountsOf {
    let counts = &proof.counts;
    CountsOf {
        equal: counts.equal,
        different: counts.different,
        unknown: counts.unknown,
        left: proof.left,
    }
}

pub(crate) fn when(proof: &Proof<'_>) -> Option<WhenOf> {
    proof.differs_when.map(|when| WhenOf {
        condition: when.condition.clone(),
        smtlib: when.smtlib.clone(),
        how: match when.how {
            How::Exactly => "exactly",
            How::AtLeast => "at_least",
            How::Only => "only",
        },
    })
}

pub(crate) fn share(share: &Share) -> ShareOf {
    ShareOf {
        samples: share.samples,
        equal: portion(&share.equal),
        different: portion(&share.different),
        unknown: portion(&share.unknown),
        left: portion(&share.left),
    }
}

pub(crate) fn portion(portion: &Portion) -> PortionOf {
    // Six digits are more than a sample supports.
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    PortionOf {
        count: portion.count,
        share: rounded(portion.share),
        low: rounded(portion.low),
        high: rounded(portion.high),
        exact: portion.is_exact,
    }
}

fn partition(one: &Described, typed: &dyn Fn(&Input) -> String) -> PartitionOf {
    let places = |all: &[Vec<Place>]| -> Vec<Vec<At>> {
        let at = |place: &Place| At { file: place.file.clone(), line: place.line };
        all.iter().map(|places| places.iter().map(at).collect()).collect()
    };
    PartitionOf {
        verdict: verdict_name(&one.verdict),
        reason: reason(&one.verdict),
        condition: cut(&one.condition),
        smtlib: one.smtlib.clone().filter(|text| text.len() <= MOST_SMTLIB),
        input: raw(&Test { input: one.input.clone(), ..Test::default() }),
        command: typed(&one.input),
        classes: one.classes.clone(),
        outputs: one.outputs.clone(),
        changes: places(&one.changes),
        stops: places(&one.stops),
    }
}

fn cut(condition: &str) -> String {
    let mut text: String = condition.chars().take(MOST_CONDITION).collect();
    if text.len() < condition.len() {
        text.push('…');
    }
    text
}

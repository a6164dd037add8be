//! Why versions differ on a witness: the chain from the change to the observable, with places in
//! the source.

use base::Version;
use explore::Pair;
use ir::StatementId;
use trace::why::{self, Question, Via, What, Why};

use crate::marked::Tracing;
use crate::trial::Place;

pub use trace::why::Value;

/// The most events of a run to trace.
pub(super) const MOST_EVENTS: u32 = 1 << 20;

/// How the difference came about.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The first changed statement that was executed, in OLD and in NEW.
    pub reached: [Option<Place>; 2],
    /// The first state that differs after that.
    pub infected: Option<Link>,
    /// From the change to the output.
    pub chain: Vec<Link>,
    /// Whether the chain begins with a change.
    pub complete: bool,
    /// Whether the runs were too long to be traced completely.
    pub truncated: bool,
}

/// A statement on the chain.
#[derive(Clone, Debug)]
pub struct Link {
    pub old: Option<Place>,
    pub new: Option<Place>,
    pub what: What,
    /// What it is in OLD, if that is something else.
    pub old_what: Option<What>,
    pub old_value: Option<Value>,
    pub new_value: Option<Value>,
    /// The version that it happened in, if only in one.
    pub only: Option<Version>,
    /// Whether it is part of the change.
    pub changed: bool,
    /// How it makes the next one differ; `None` for the last.
    pub via: Option<Via>,
    /// How often the chain repeats this and the following ones with the same number.
    pub repeats: u32,
}

/// Traces both runs of an input, up to a number of events. Returns the explanation, and the changed statements that the
/// observable depends on, in OLD and in NEW; `None` if the versions cannot be traced.
pub(super) fn explain(
    tracing: &Tracing<'_>,
    pair: &Pair<'_>,
    (question, events): (Question<'_>, u32),
    assignment: &[u64],
    place: &dyn Fn(Version, StatementId) -> Option<Place>,
) -> Option<(Explanation, [Vec<StatementId>; 2])> {
    let marked = tracing.marked(pair)?;
    let mut own: [Vec<u64>; 2] = Default::default();
    for version in Version::BOTH {
        pair.side(version).assignment_into(assignment, &mut own[version]);
    }
    let side = |version: Version| why::Side {
        program: &marked.programs[version],
        layout: pair.side(version).layout,
        postdominators: &marked.postdominators[version],
        assignment: &own[version],
    };
    let (old, new) = (side(Version::Old), side(Version::New));
    let limits = tracing.limits(events.min(MOST_EVENTS));
    let why = why::why(old, new, tracing.name, pair.matching, question, limits);
    Some((explanation(&why, place), [why.responsible_old, why.responsible_new]))
}

fn explanation(why: &Why, place: &dyn Fn(Version, StatementId) -> Option<Place>) -> Explanation {
    let link = |step: &why::Step| Link {
        old: step.old.and_then(|instance| place(Version::Old, instance.statement)),
        new: step.new.and_then(|instance| place(Version::New, instance.statement)),
        what: step.what.clone(),
        old_what: step.old_what.clone(),
        only: step.only,
        changed: step.changed,
        old_value: step.old_value.clone(),
        new_value: step.new_value.clone(),
        via: step.via,
        repeats: step.repeats,
    };
    Explanation {
        reached: [
            why.reached.old.and_then(|statement| place(Version::Old, statement)),
            why.reached.new.and_then(|statement| place(Version::New, statement)),
        ],
        infected: why.infected.as_ref().map(link),
        chain: why.steps.iter().map(link).collect(),
        complete: why.complete,
        truncated: why.truncated,
    }
}

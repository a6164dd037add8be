//! Which lines a witness executes, and which of them are infected: their state, decisions or
//! outputs differ from the other version, or happen in one version only.

use std::collections::BTreeSet;

use base::Version;
use explore::Pair;
use trace::{Alignment, EventId, Kind, Run, Trace, record};

use super::sources::Texts;
use super::{FileLine, RunLines};
use crate::marked::Tracing;

/// The most events of a run to follow.
pub(super) const MOST_EVENTS: u32 = 1 << 18;

/// Runs both versions on an input, up to a number of events. `None` if they cannot be traced.
pub(super) fn lines(
    tracing: &Tracing<'_>,
    pair: &Pair<'_>,
    assignment: &[u64],
    texts: &Texts<'_>,
    events: u32,
) -> Option<RunLines> {
    let marked = tracing.marked(pair)?;
    let trace = |version: Version| {
        let side = pair.side(version);
        let mut own = Vec::new();
        side.assignment_into(assignment, &mut own);
        let (program, after) = (&marked.programs[version], &marked.postdominators[version]);
        record(program, side.layout, tracing.name, after, &own, tracing.limits(events))
    };
    let traces = Version::BOTH.map(trace);
    let [old, new] = Version::BOTH
        .map(|version| Run { program: &marked.programs[version], trace: &traces[version] });
    let alignment = Alignment::new(old, new, pair.matching);
    let differs = |version: Version, event: EventId| match version {
        Version::Old => {
            alignment.in_new(event).is_none_or(|other| alignment.differ(old, new, event, other))
        }
        Version::New => {
            alignment.in_old(event).is_none_or(|other| alignment.differ(old, new, other, event))
        }
    };
    Some(RunLines {
        assignment: assignment.into(),
        executed: Version::BOTH.map(|version| executed(version, &traces[version], texts)),
        infected: Version::BOTH.map(|version| {
            let is_infected = |event: EventId| differs(version, event);
            infected(version, &traces[version], texts, &is_infected)
        }),
        truncated: traces.iter().any(|trace| trace.truncated),
    })
}

fn executed(version: Version, trace: &Trace, texts: &Texts<'_>) -> Vec<FileLine> {
    let executed = trace.executed.iter().filter(|(_, times)| times.1 > 0);
    let lines: BTreeSet<FileLine> =
        executed.filter_map(|(statement, _)| texts.line(version, statement)).collect();
    lines.into_iter().collect()
}

fn infected(
    version: Version,
    trace: &Trace,
    texts: &Texts<'_>,
    is_infected: &dyn Fn(EventId) -> bool,
) -> Vec<FileLine> {
    // Values that only depend on the path are no state of their own.
    let is_state =
        |kind: Kind| !matches!(kind, Kind::Start | Kind::Phi | Kind::Call(_) | Kind::Object);
    let states = trace.events.iter().filter(|(_, event)| is_state(event.kind));
    let events = states.map(|(id, _)| id).filter(|&event| is_infected(event));
    let statements = events.filter_map(|event| trace.statement(event));
    let lines: BTreeSet<FileLine> =
        statements.filter_map(|statement| texts.line(version, statement)).collect();
    lines.into_iter().collect()
}

//! Which lines a witness executes, and which of them are infected: their state, decisions or
//! outputs are others than in the other version, or happen in one version only.

use std::collections::BTreeSet;

use exec::{Instrumentation, Program};
use explore::trace::alignment::Run;
use explore::trace::{Alignment, EventId, Kind, Postdominators, Trace, TraceLimits, record};
use explore::{Matching, Pair, Version};

use super::sources::Texts;
use super::{FileLine, RunLines};
use crate::versions::{Versions, postdominators};

/// Events of a run beyond which it is not followed.
const MOST_EVENTS: u32 = 1 << 18;

/// Both versions with all statements marked.
pub(super) struct Tracer<'a> {
    programs: [Program; 2],
    postdominators: [Postdominators; 2],
    matching: &'a Matching,
    name: &'a [u8],
    limits: TraceLimits,
}

impl<'a> Tracer<'a> {
    pub fn new(
        pair: &Pair<'a>,
        versions: &Versions,
        name: &'a [u8],
        limits: exec::Limits,
    ) -> Option<Tracer<'a>> {
        let modules = [&versions.old.module, &versions.new.module];
        let program = |version: Version| {
            let plain = pair.side(version).program;
            let module = modules[version as usize].clone();
            let entry = plain.module.functions[plain.entry].name.clone();
            Program::new(module, &entry, Instrumentation { statements: true }).ok()
        };
        // Marks of statements count as steps, too.
        let run = exec::Limits { steps: limits.steps.saturating_mul(2), ..limits };
        Some(Tracer {
            programs: [program(Version::Old)?, program(Version::New)?],
            postdominators: modules.map(postdominators),
            matching: pair.matching,
            name,
            limits: TraceLimits { events: MOST_EVENTS, run },
        })
    }

    /// Runs both versions on an input.
    pub fn lines(&self, pair: &Pair<'_>, assignment: &[u64], texts: &Texts<'_>) -> RunLines {
        let trace = |version: Version| {
            let index = version as usize;
            let side = pair.side(version);
            let mut own = Vec::new();
            side.assignment_into(assignment, &mut own);
            let (program, after) = (&self.programs[index], &self.postdominators[index]);
            record(program, side.layout, self.name, after, &own, self.limits)
        };
        let traces = [trace(Version::Old), trace(Version::New)];
        let run = |index: usize| Run { program: &self.programs[index], trace: &traces[index] };
        let (old, new) = (run(0), run(1));
        let alignment = Alignment::new(old, new, self.matching);
        let differs = |version: Version, event: EventId| match version {
            Version::Old => {
                alignment.in_new(event).is_none_or(|other| alignment.differ(old, new, event, other))
            }
            Version::New => {
                alignment.in_old(event).is_none_or(|other| alignment.differ(old, new, other, event))
            }
        };
        RunLines {
            assignment: assignment.into(),
            executed: Version::BOTH
                .map(|version| executed(version, &traces[version as usize], texts)),
            infected: Version::BOTH.map(|version| {
                let is_infected = |event: EventId| differs(version, event);
                infected(version, &traces[version as usize], texts, &is_infected)
            }),
            truncated: traces.iter().any(|trace| trace.truncated),
        }
    }
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
    // Values that only depend on the way that control took are no state of their own.
    let is_state =
        |kind: Kind| !matches!(kind, Kind::Start | Kind::Phi | Kind::Call(_) | Kind::Object);
    let states = trace.events.iter().filter(|(_, event)| is_state(event.kind));
    let events = states.map(|(id, _)| id).filter(|&event| is_infected(event));
    let statements = events.filter_map(|event| trace.statement(event));
    let lines: BTreeSet<FileLine> =
        statements.filter_map(|statement| texts.line(version, statement)).collect();
    lines.into_iter().collect()
}

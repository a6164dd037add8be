//! Recorded tests and their replays, as JSON. `docs/record.md` says what the members mean.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Recorded, Replays, name, reason};

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.record/1";

/// The report as JSON; ends with a newline.
pub fn json(recorded: &Recorded<'_>) -> String {
    let report = Report {
        schema: SCHEMA,
        recorded: recorded.converted.map(|converted| Recording {
            executions: converted.executions,
            tests: converted.tests.len(),
            repeated: converted.repeated,
            left_out: &converted.left_out,
        }),
        replayed: recorded.replays.as_ref().map(Replayed::of),
    };
    crate::pieces::written(&report)
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    recorded: Option<Recording<'a>>,
    replayed: Option<Replayed<'a>>,
}

#[derive(Serialize)]
struct Recording<'a> {
    executions: usize,
    tests: usize,
    repeated: usize,
    left_out: &'a BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct Replayed<'a> {
    tests: usize,
    reproducible: usize,
    results: Vec<OfTest<'a>>,
}

#[derive(Serialize)]
struct OfTest<'a> {
    name: &'a str,
    result: &'static str,
    reason: Option<String>,
}

impl<'a> Replayed<'a> {
    fn of(replays: &Replays<'a>) -> Replayed<'a> {
        let result = |(test, replay): (&'a String, &effects::record::Replay)| OfTest {
            name: test,
            result: name(&replay.outcome),
            reason: reason(replays.program, replay),
        };
        Replayed {
            tests: replays.replays.len(),
            reproducible: replays.same(),
            results: replays.names.iter().zip(replays.replays).map(result).collect(),
        }
    }
}

//! An exploration as JSON, for programs. `docs/explore.md` says what the members mean.

use effects::explore::coverage::{FileCoverage, Share as CoverageShare};
use effects::explore::replay::{Confirmation, Difference, Replay};
use effects::explore::{Explored, FoundFault, Incomplete, KeptTest};
use effects::trial::{Native as NativeRun, Place as SourcePlace};
use serde::Serialize;
use serde_json::value::RawValue;

use super::typed;
use crate::bytes::Bytes;
use crate::compare::json::pairs;
use crate::pieces::{self, LeftOut, known, left_out, raw, written};
use crate::places::blamed;
use crate::{native, words};

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.explore/1";
/// The same under an older name, kept for programs that read it.
const FORMAT: &str = "ripple explore 1";

/// The report as JSON; ends with a newline.
pub fn json(explored: &Explored) -> String {
    let report = Report::of(explored);
    written(&report)
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    format: &'static str,
    program: Program,
    inputs: Inputs,
    paths: u64,
    ends: Ends,
    complete: bool,
    incomplete_because: Vec<Reason>,
    faults: Vec<Fault>,
    tests: Vec<Box<RawValue>>,
    outcomes: Vec<Outcome>,
    paths_without_test: u64,
    internal_errors: Vec<InternalError>,
    coverage: Coverage,
    effort: Effort,
}

#[derive(Serialize)]
struct Program {
    files: Vec<String>,
    entry: Option<String>,
}

#[derive(Serialize)]
struct Inputs {
    origin: &'static str,
    assumptions: Vec<String>,
    aliases: Vec<[String; 2]>,
    tests_left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct Ends {
    normal: u64,
    fault: u64,
    unsupported: u64,
    bound: u64,
}

#[derive(Serialize)]
struct Place {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: String,
    in_library: bool,
}

#[derive(PartialEq, Serialize)]
struct Reason {
    kind: &'static str,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: Option<String>,
    stack: Vec<Place>,
    allocated: Option<Place>,
    freed: Option<Place>,
    paths: u64,
    test: Box<RawValue>,
    input: String,
    native: Option<Native>,
    confirmed_by: Option<&'static str>,
    sanitizer: Option<String>,
}

#[derive(Serialize)]
struct Native {
    end: &'static str,
    number: Option<i32>,
}

#[derive(Serialize)]
struct Outcome {
    name: Option<String>,
    end: &'static str,
    status: Option<i32>,
    stdout: Bytes,
    result: Option<String>,
    replay: &'static str,
}

#[derive(Serialize)]
struct InternalError {
    test: Box<RawValue>,
    input: String,
    differs: Vec<&'static str>,
    machine: Side,
    native: Side,
}

#[derive(Serialize)]
struct Side {
    end: &'static str,
    status: Option<i32>,
    stdout: Bytes,
    result: Option<String>,
}

#[derive(Serialize)]
struct Coverage {
    functions: Share,
    lines: Share,
    branches: Share,
    files: Vec<File>,
}

#[derive(Serialize)]
struct Share {
    covered: u64,
    total: u64,
}

#[derive(Serialize)]
struct File {
    file: String,
    functions: Share,
    lines: Share,
    branches: Share,
    missed_lines: Vec<u32>,
}

#[derive(Serialize)]
struct Effort {
    runs: u64,
    seconds: f64,
    solver_seconds: f64,
    questions: u64,
    answered_without_sat: f64,
}

impl Report {
    fn of(explored: &Explored) -> Report {
        let name = |file: &std::path::PathBuf| file.display().to_string();
        let ends = explored.ends;
        Report {
            schema: SCHEMA,
            format: FORMAT,
            program: Program {
                files: explored.files.iter().map(name).collect(),
                entry: explored.entry.clone(),
            },
            inputs: inputs(explored),
            paths: explored.paths(),
            ends: Ends {
                normal: ends.exited,
                fault: ends.faulted,
                unsupported: ends.unsupported,
                bound: ends.exhausted,
            },
            complete: explored.is_complete(),
            incomplete_because: reasons(explored),
            faults: explored.faults.iter().map(|found| fault(explored, found)).collect(),
            tests: explored.tests.iter().map(|test| raw(&test.test)).collect(),
            outcomes: explored.tests.iter().map(outcome).collect(),
            paths_without_test: explored.left_out,
            internal_errors: explored
                .internal_errors()
                .filter_map(|test| internal_error(explored, test))
                .collect(),
            coverage: coverage(explored),
            effort: effort(explored),
        }
    }
}

fn inputs(explored: &Explored) -> Inputs {
    let origin = pieces::origin(explored.origin);
    let assumptions = explored.assumptions.iter().map(ToString::to_string).collect();
    let aliases = pairs(&explored.aliases);
    Inputs { origin, assumptions, aliases, tests_left_out: left_out(&explored.misfits) }
}

fn place(place: &SourcePlace) -> Place {
    Place {
        file: place.file.clone(),
        line: known(place.line),
        column: known(place.column),
        function: place.function.clone(),
        in_library: place.in_library,
    }
}

/// Each reason once, even if a line has several places of it.
fn reasons(explored: &Explored) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for reason in explored.gaps.iter().map(reason) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}

fn reason(incomplete: &Incomplete) -> Reason {
    let place = incomplete.place.as_ref();
    Reason {
        kind: words::gap_name(&incomplete.gap),
        message: words::gap(&incomplete.gap),
        file: place.and_then(|place| place.file.clone()),
        line: place.and_then(|place| known(place.line)),
        function: place.map(|place| place.function.clone()),
    }
}

fn fault(explored: &Explored, found: &FoundFault) -> Fault {
    let fault = &found.fault;
    let blamed = blamed(&fault.stack);
    let test = &explored.tests[found.test];
    let replayed = match &test.replay {
        Replay::Fault { native, confirmed } => Some((native, confirmed)),
        _ => None,
    };
    Fault {
        kind: words::fault_name(&fault.kind),
        message: words::fault(&fault.kind, fault.local.as_deref()),
        file: blamed.and_then(|place| place.file.clone()),
        line: blamed.and_then(|place| known(place.line)),
        column: blamed.and_then(|place| known(place.column)),
        function: blamed.map(|place| place.function.clone()),
        stack: fault.stack.iter().map(place).collect(),
        allocated: fault.allocated.as_ref().map(place),
        freed: fault.freed.as_ref().map(place),
        paths: found.paths,
        test: raw(&test.test),
        input: typed(explored, test),
        native: replayed.map(|(native, _)| Native {
            end: native::end_name(native.end),
            number: native::end_number(native.end),
        }),
        confirmed_by: replayed.and_then(|(_, confirmed)| native::confirmation_name(confirmed)),
        sanitizer: replayed.and_then(|(_, confirmed)| match confirmed {
            Confirmation::Sanitizer(complaint) => Some(complaint.clone()),
            Confirmation::Signal | Confirmation::Nobody => None,
        }),
    }
}

fn outcome(test: &KeptTest) -> Outcome {
    let machine = &test.machine;
    Outcome {
        name: test.test.name.clone(),
        end: native::machine_end_name(machine),
        status: machine.status(),
        stdout: Bytes::of(&machine.stdout),
        result: machine.result.clone(),
        replay: match test.replay {
            Replay::Agrees => "agrees",
            Replay::Fault { .. } => "fault",
            Replay::Incomparable { .. } => "incomparable",
            Replay::Undetermined { .. } => "undetermined",
            Replay::Disagrees { .. } => "disagrees",
        },
    }
}

fn internal_error(explored: &Explored, test: &KeptTest) -> Option<InternalError> {
    let Replay::Disagrees { native, differs } = &test.replay else { return None };
    let differs = differs.iter().map(|difference| match difference {
        Difference::Status => "status",
        Difference::Stdout => "stdout",
        Difference::Result => "result",
    });
    Some(InternalError {
        test: raw(&test.test),
        input: typed(explored, test),
        differs: differs.collect(),
        machine: Side {
            end: native::machine_end_name(&test.machine),
            status: test.machine.status(),
            stdout: Bytes::of(&test.machine.stdout),
            result: test.machine.result.clone(),
        },
        native: native_side(native),
    })
}

fn native_side(native: &NativeRun) -> Side {
    Side {
        end: native::end_name(native.end),
        status: native::end_number(native.end),
        stdout: Bytes::of(&native.stdout),
        result: native.result.clone(),
    }
}

fn share(share: CoverageShare) -> Share {
    Share { covered: share.covered, total: share.total }
}

fn coverage(explored: &Explored) -> Coverage {
    let coverage = &explored.coverage;
    let file = |file: &FileCoverage| File {
        file: file.name.clone(),
        functions: share(file.function_share()),
        lines: share(file.line_share()),
        branches: share(file.branch_share()),
        missed_lines: file.lines.iter().filter(|(_, n)| *n == 0).map(|(line, _)| *line).collect(),
    };
    Coverage {
        functions: share(coverage.functions()),
        lines: share(coverage.lines()),
        branches: share(coverage.branches()),
        files: coverage.files.iter().map(file).collect(),
    }
}

fn effort(explored: &Explored) -> Effort {
    let effort = &explored.effort;
    let asks = effort.questions.asks;
    let without = asks - effort.questions.by_sat.min(asks);
    Effort {
        runs: effort.runs,
        seconds: effort.time.as_secs_f64(),
        solver_seconds: effort.solver_time.as_secs_f64(),
        questions: asks,
        answered_without_sat: if asks == 0 { 1.0 } else { without as f64 / asks as f64 },
    }
}

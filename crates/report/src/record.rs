//! Recorded tests and their replays, in all formats.

mod json;
mod text;

pub use json::{SCHEMA, json};
pub use text::{recorded, replayed};

use effects::record::{Converted, Outcome, Part, Replay};
use exec::{Program, Stop};

use crate::printable::printable;
use crate::words;

/// What is reported: the recording, if there was one, and the replays with the names of the tests.
#[derive(Clone, Copy)]
pub struct Recorded<'a> {
    pub converted: Option<&'a Converted>,
    pub replays: Option<Replays<'a>>,
}

/// How tests went on the machine.
#[derive(Clone, Copy)]
pub struct Replays<'a> {
    pub program: &'a Program,
    /// One for each test.
    pub names: &'a [String],
    pub replays: &'a [Replay],
}

impl Replays<'_> {
    fn same(&self) -> usize {
        self.replays.iter().filter(|replay| replay.outcome.is_same()).count()
    }
}

/// The name of an outcome, for programs.
fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "reproducible",
        Outcome::Unknown => "nothing-recorded",
        Outcome::Stopped(Stop::Unsupported(_)) => "unsupported",
        Outcome::Stopped(Stop::Exhausted(_)) => "bound",
        Outcome::Stopped(Stop::Fault(_)) => "fault",
        Outcome::Stopped(Stop::Exit(_) | Stop::Signal(_)) | Outcome::Differs(_) => "differs",
    }
}

/// Why a test is not reproducible, in one line; `None` if it is.
fn reason(program: &Program, replay: &Replay) -> Option<String> {
    let mut reason = match &replay.outcome {
        Outcome::Same => return None,
        Outcome::Unknown => "its end was not recorded".to_owned(),
        Outcome::Stopped(stop) => stopped(program, stop),
        Outcome::Differs(difference) => {
            let what = match difference.part {
                Part::Status => "the exit status".to_owned(),
                Part::Stdout(line) => format!("line {line} of standard output"),
                Part::Stderr(line) => format!("line {line} of standard error"),
            };
            let shown = |bytes: &[u8]| match difference.part {
                Part::Status => printable(bytes),
                Part::Stdout(_) | Part::Stderr(_) => line(bytes),
            };
            let (recorded, replayed) = (shown(&difference.recorded), shown(&difference.replayed));
            format!("{what} differs: {replayed} instead of {recorded}")
        }
    };
    if !replay.flaws.is_empty() {
        reason.push_str(&format!(" ({})", replay.flaws.join("; ")));
    }
    Some(reason)
}

/// A line of output, in quotes.
fn line(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    format!("`{}`", crate::counting::shortened(&printable(bytes), 60))
}

fn stopped(program: &Program, stop: &Stop) -> String {
    let at = |site| {
        let position = program.position(site);
        match position.file {
            Some(file) => format!(" at {file}:{}", position.line),
            None => format!(" in {}", position.function),
        }
    };
    match stop {
        Stop::Exit(status) => format!("the exit status is {status}"),
        Stop::Signal(signal) => format!("killed by signal {signal}"),
        Stop::Fault(fault) => {
            let local = fault.allocated.and_then(|site| program.local_name(site));
            let place = fault.stack.first().map(|&site| at(site)).unwrap_or_default();
            format!("fault: {}{place}", words::fault(&fault.kind, local))
        }
        Stop::Unsupported(unsupported) => {
            let place = unsupported.site.map(at).unwrap_or_default();
            format!("unsupported: {}{place}", words::feature(&unsupported.feature))
        }
        Stop::Exhausted(bound) => words::bound(*bound).to_owned(),
    }
}

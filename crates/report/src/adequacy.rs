//! The adequacy of tests for a change, in all formats.

mod findings;
mod html;
pub(crate) mod json;
mod markdown;
pub mod selection;
pub(crate) mod steps;
mod text;

pub use html::html;
pub use json::{SCHEMA, json};
pub use markdown::markdown;
pub use text::text;

use effects::adequacy::{Adequacy, ChangedLine, Limit, TestState, Verdict};

use crate::counting::counted;
use crate::finding::Base;
use crate::finding::sarif;
use crate::places::position;
use crate::printable::printable;
use crate::words;

/// Findings at the changed lines, as SARIF 2.1.0.
pub fn sarif(adequacy: &Adequacy, base: &Base) -> String {
    let notes: Vec<String> = adequacy.limits.iter().map(limit).collect();
    sarif::sarif("adequacy", findings::rules(), &findings::findings(adequacy, base), &notes)
}

pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Adequate => "adequate",
        Verdict::Inadequate => "inadequate",
        Verdict::NothingToTest => "nothing to test",
        Verdict::Inconclusive => "inconclusive",
    }
}

fn tests(count: usize) -> String {
    counted(count as u64, "test", "tests")
}

/// The verdict in a sentence.
fn sentence(adequacy: &Adequacy) -> String {
    let all = tests(adequacy.tests.len());
    let lines = counted(adequacy.lines.len() as u64, "changed line", "changed lines");
    let reach = adequacy.tests.iter().filter(|test| test.reaches).count();
    let shown = adequacy.lines.iter().filter(|line| line.confirmed.is_some()).count();
    match adequacy.verdict {
        Verdict::NothingToTest => "nothing changed that affects how the program behaves".to_owned(),
        Verdict::Adequate if adequacy.lines.is_empty() => {
            format!("{all} ran, and no statement changed that a chain could begin at")
        }
        Verdict::Adequate => {
            format!(
                "{all} satisfy every requirement of {lines} up to distance {}",
                adequacy.distance
            )
        }
        _ if adequacy.tests.is_empty() => {
            format!("there is no test; name some with --tests ({lines})")
        }
        _ if adequacy.lines.is_empty() => {
            format!("{all} ran, and no statement changed that a chain could begin at")
        }
        _ if reach == 0 => format!("no test reaches the change ({all}, {lines})"),
        Verdict::Inadequate => {
            format!(
                "of {lines}, tests show a difference for {shown} ({reach} of {all} reach the change)"
            )
        }
        Verdict::Inconclusive => {
            format!(
                "not everything about {all} is known; they show a difference for {shown} of {lines}"
            )
        }
    }
}

/// Why something may be missing from the report.
pub(crate) fn limit(limit: &Limit) -> String {
    match *limit {
        Limit::Variables(ref names) => {
            let names: Vec<String> =
                names.iter().map(|name| format!("`{}`", printable(name.as_bytes()))).collect();
            format!(
                "the initial value of {} changed; chains begin at statements only",
                names.join(", ")
            )
        }
        Limit::Tests(count) => format!("{} could not be followed to the end", tests(count)),
        Limit::Stopped(stopped) => {
            format!("{}; later tests did not run", words::stopped(stopped))
        }
        Limit::Chains { complete } => {
            format!("there are too many chains; the report has those up to length {complete}")
        }
        Limit::NotTraced => "runs of these versions cannot be traced".to_owned(),
        Limit::Unconfirmed(count) => format!(
            "{} differ on Ripple's machine, and the native programs do not confirm it",
            tests(count)
        ),
    }
}

fn limit_name(limit: &Limit) -> &'static str {
    match limit {
        Limit::Tests(_) => "tests",
        Limit::Stopped(_) => "stopped",
        Limit::Chains { .. } => "chains",
        Limit::NotTraced => "not_traced",
        Limit::Unconfirmed(_) => "unconfirmed",
        Limit::Variables(_) => "variables",
    }
}

/// What became of a test that was not followed to its end.
pub(crate) fn state(state: &TestState) -> Option<String> {
    use exec::Stop;
    Some(match state {
        TestState::Followed => return None,
        TestState::Misfit => "is not in the input space".to_owned(),
        TestState::Unusual => {
            "needs an environment, directories or other programs that runs here do not have"
                .to_owned()
        }
        TestState::Cut => "is too long to be traced".to_owned(),
        TestState::NotRun => "did not run".to_owned(),
        TestState::Unknown(version, stop) => {
            let why = match stop {
                Stop::Exhausted(bound) => format!("reaches its bound of {}", words::bound(*bound)),
                Stop::Unsupported(unsupported) => words::feature(&unsupported.feature),
                _ => "does not end in a known way".to_owned(),
            };
            format!("{}: {why}", words::version(*version))
        }
    })
}

pub(crate) fn state_name(state: &TestState) -> &'static str {
    match state {
        TestState::Followed => "followed",
        TestState::Misfit => "misfit",
        TestState::Unusual => "unusual",
        TestState::Unknown(..) => "unknown",
        TestState::Cut => "cut",
        TestState::NotRun => "not_run",
    }
}

/// Where a changed line is.
fn place(line: &ChangedLine) -> String {
    let deleted = if line.version == base::Version::Old { " (deleted)" } else { "" };
    format!("{}{deleted}", position(&line.place))
}

//! `ripple verify` as people type it: partitions and verdicts, interruptions, reports, and errors.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

#[path = "verify/arguments.rs"]
mod arguments;
#[path = "verify/check.rs"]
mod check;
#[path = "verify/hunks.rs"]
mod hunks;
#[path = "compare/interrupted.rs"]
mod interrupted;
#[path = "verify/invalid.rs"]
mod invalid;
#[path = "compare/members.rs"]
mod members;
#[path = "verify/papers.rs"]
mod papers;
#[path = "verify/report.rs"]
mod report;
#[path = "verify/resuming.rs"]
mod resuming;
#[path = "verify/several.rs"]
mod several;
#[path = "verify/trouble.rs"]
mod trouble;

use interrupted::program;
use serde_json::Value;
use testkit::desk::{self, Desk, Said, said};

/// Runs the command.
fn verify(desk: &Desk, args: &[&str]) -> Said {
    let said = said(&mut desk.ripple(&[&["verify"], args].concat()));
    // The next message, such as the place of the report, must begin on a line of its own.
    assert!(said.out.is_empty() || said.out.ends_with('\n'), "{args:?}: {}", said.out);
    said
}

/// The report as JSON; the exit code must be as expected.
fn verified(desk: &Desk, args: &[&str], code: i32) -> Value {
    let said = verify(desk, &[&["--format", "json"], args].concat());
    assert_eq!(said.code, code, "{args:?}: {}{}", said.out, said.err);
    serde_json::from_str(&said.out).unwrap()
}

fn partitions(report: &Value) -> &[Value] {
    report["partitions"].as_array().unwrap()
}

/// Condition and agreement of all partitions, sorted.
fn table(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let mut rows: Vec<(String, String)> = partitions(report)
        .iter()
        .map(|one| (text(&one["condition"]), text(&one["agreement"])))
        .collect();
    rows.sort();
    rows
}

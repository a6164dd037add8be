//! Recorded tests and their replays, as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use effects::record::Converted;

use super::{Replays, reason};
use crate::counting::counted;
use crate::printable::{harmless, printable};

/// The most tests that are not reproducible to list, and names of them for one reason.
const SHOWN: usize = 40;

/// What was recorded into a file; ends with a newline.
pub fn recorded(converted: &Converted, program: &str, file: &str) -> String {
    let tests = counted(converted.tests.len() as u64, "test", "tests");
    let executions = counted(converted.executions as u64, "execution", "executions");
    let mut text = format!("recorded {tests} of `{program}` in {file} ({executions}");
    if converted.repeated > 0 {
        let _ = write!(text, ", {} repeated", converted.repeated);
    }
    let left_out: usize = converted.left_out.values().sum();
    if left_out > 0 {
        let _ = write!(text, ", {left_out} left out");
    }
    text.push_str(")\n");
    for (reason, count) in &converted.left_out {
        let _ = writeln!(text, "  left out {count}: {}", printable(reason.as_bytes()));
    }
    text
}

/// How tests went on the machine; ends with a newline.
pub fn replayed(replays: &Replays<'_>) -> String {
    let (same, all) = (replays.same(), replays.replays.len());
    let share = percent(same, all);
    let mut text = format!("replayed on the machine: {same} of {all} reproducible ({share} %)\n");
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut order = Vec::new();
    for (name, replay) in replays.names.iter().zip(replays.replays) {
        let Some(reason) = reason(replays.program, replay) else { continue };
        if !reasons.contains_key(&reason) {
            order.push(reason.clone());
        }
        reasons.entry(reason).or_default().push(name);
    }
    for reason in order.iter().take(SHOWN) {
        let names = &reasons[reason];
        let more = match names.len() {
            0 | 1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let name = names.first().map_or(String::new(), |name| printable(name.as_bytes()));
        let _ = writeln!(text, "  {name}{more}: {}", harmless(reason));
    }
    if order.len() > SHOWN {
        let _ = writeln!(text, "  … and {} more reasons", order.len() - SHOWN);
    }
    text
}

/// Rounded down to a tenth, so that 100 means all.
fn percent(part: usize, all: usize) -> String {
    let tenths = (part * 1000).checked_div(all).unwrap_or(1000);
    if tenths.is_multiple_of(10) {
        (tenths / 10).to_string()
    } else {
        format!("{}.{}", tenths / 10, tenths % 10)
    }
}

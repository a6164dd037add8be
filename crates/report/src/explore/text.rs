//! An exploration as text: findings first, in the style of a compiler, then a summary.

use std::fmt::Write;

use effects::explore::coverage::{FileCoverage, Share};
use effects::explore::replay::{Difference, Replay};
use effects::explore::{Explored, FoundFault, KeptTest};
use effects::trial::Native;
use exec::Stop;

use super::{percent, typed};
use crate::counting::counted;
use crate::places::{FaultAt, position};
use crate::{native, notes, shell, words};

/// The most reasons, misfits and the like to show.
const SHOWN_ITEMS: usize = 10;
/// The most bytes of an output to show.
const SHOWN_BYTES: usize = 400;

/// The whole report; ends with a newline.
pub fn text(explored: &Explored) -> String {
    let mut text = String::new();
    for test in explored.internal_errors() {
        write_internal_error(&mut text, explored, test);
    }
    for fault in &explored.faults {
        write_fault(&mut text, explored, fault);
    }
    notes::write_origin(&mut text, explored.origin, &explored.chosen);
    notes::write_assumptions(&mut text, &explored.assumptions);
    notes::write_aliases(&mut text, &explored.aliases);
    notes::write_misfits(&mut text, &explored.misfits);
    write_paths(&mut text, explored);
    write_coverage(&mut text, explored);
    write_tests(&mut text, explored);
    write_effort(&mut text, explored);
    text
}

fn write_fault(text: &mut String, explored: &Explored, fault: &FoundFault) {
    let at = FaultAt(&fault.fault);
    let _ = writeln!(text, "fault: {}", at.message());
    at.write(text, "");
    let width = at.width();
    let mut note = |words: &str| {
        let _ = writeln!(text, "{:width$} = {words}", "");
    };
    if let Some(test) = explored.tests.get(fault.test) {
        note(&format!("input: {}", typed(explored, test)));
        if let Replay::Fault { native, confirmed } = &test.replay {
            note(&format!("the native program {}", native::fault(native, confirmed)));
        }
    }
    if fault.paths > 1 {
        note(&format!("on {} paths", fault.paths));
    }
    text.push('\n');
}

fn write_internal_error(text: &mut String, explored: &Explored, test: &KeptTest) {
    let Replay::Disagrees { native, differs } = &test.replay else { return };
    let _ = writeln!(
        text,
        "internal error: Ripple and the native program differ; this is a bug in Ripple"
    );
    let _ = writeln!(text, "  = input: {}", typed(explored, test));
    let mut pair = |what: &str, ours: &str, theirs: &str| {
        let _ = writeln!(text, "  = {what}: {ours}");
        let _ = writeln!(text, "  = {what} natively: {theirs}");
    };
    for difference in differs {
        match difference {
            Difference::Status => pair("end", &ended(test), &ended_natively(native)),
            Difference::Stdout => {
                pair("standard output", &shown(&test.machine.stdout), &shown(&native.stdout))
            }
            Difference::Result => {
                let result = |result: &Option<String>| match result {
                    Some(result) => shown(result.as_bytes()),
                    None => "none".to_owned(),
                };
                pair("result", &result(&test.machine.result), &result(&native.result));
            }
        }
    }
    text.push('\n');
}

fn ended(test: &KeptTest) -> String {
    match (&test.machine.result, &test.machine.stop) {
        (Some(_), _) => "returns".to_owned(),
        (None, Stop::Exit(status)) => format!("exits with status {}", status & 0xff),
        (None, Stop::Signal(signal)) => native::end(source::End::Signaled(*signal)),
        (None, stop) => format!("{stop:?}"),
    }
}

fn ended_natively(native: &Native) -> String {
    match native.result {
        Some(_) => "returns".to_owned(),
        None => native::end(native.end),
    }
}

fn shown(bytes: &[u8]) -> String {
    if bytes.len() > SHOWN_BYTES {
        format!("{}… ({} bytes)", shell::c_text(&bytes[..SHOWN_BYTES]), bytes.len())
    } else {
        shell::c_text(bytes)
    }
}

fn write_more(text: &mut String, lead: &str, count: usize, what: &str) {
    if count > SHOWN_ITEMS {
        let _ = writeln!(text, "{lead}{} more {what}", count - SHOWN_ITEMS);
    }
}

fn write_paths(text: &mut String, explored: &Explored) {
    let files: Vec<String> = explored.files.iter().map(|file| file.display().to_string()).collect();
    let subject = match &explored.entry {
        Some(entry) => format!("{entry} of {}", files.join(" ")),
        None => files.join(" "),
    };
    let count = counted(explored.paths(), "path", "paths");
    let _ = if explored.is_complete() {
        writeln!(text, "explored {subject}: {count}; there are no others")
    } else {
        writeln!(text, "explored {subject}: {count}; there may be more, because")
    };
    let mut reasons: Vec<String> = Vec::new();
    for gap in &explored.gaps {
        let place = gap.place.as_ref().map(|place| format!("{}: ", position(place)));
        let reason = format!("{}{}", place.unwrap_or_default(), words::gap(&gap.gap));
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    for reason in reasons.iter().take(SHOWN_ITEMS) {
        let _ = writeln!(text, "  - {reason}");
    }
    write_more(text, "  - and ", reasons.len(), "reasons");
    let ends = explored.ends;
    let ends = [
        (ends.faulted, "with a fault"),
        (ends.unsupported, "at something not supported"),
        (ends.exhausted, "at a bound"),
    ];
    let ends: Vec<String> = ends
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, how)| format!("{count} {how}"))
        .collect();
    if !ends.is_empty() {
        let _ = writeln!(
            text,
            "  of these, {} end normally, {}",
            explored.ends.exited,
            ends.join(", ")
        );
    }
}

fn write_coverage(text: &mut String, explored: &Explored) {
    let share = |share: Share, what: &str| {
        let Share { covered, total } = share;
        format!("{covered} of {total} {what} ({} %)", percent(covered, total))
    };
    let coverage = &explored.coverage;
    let _ = writeln!(
        text,
        "covered: {}, {}",
        share(coverage.lines(), "lines"),
        share(coverage.branches(), "branch directions")
    );
    for file in &coverage.files {
        let missed = missed_lines(file);
        if !missed.is_empty() {
            let _ = writeln!(text, "  not covered: {}:{}", file.name, missed.join(", "));
        }
    }
}

/// Ranges of lines that no test executed; lines without code join their neighbours.
fn missed_lines(file: &FileCoverage) -> Vec<String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut is_open = false;
    for &(line, count) in &file.lines {
        match (count, ranges.last_mut()) {
            (0, Some(range)) if is_open => range.1 = line,
            (0, _) => ranges.push((line, line)),
            _ => {}
        }
        is_open = count == 0;
    }
    let mut shown: Vec<String> = ranges
        .iter()
        .take(SHOWN_ITEMS)
        .map(
            |&(first, last)| {
                if first == last { first.to_string() } else { format!("{first}-{last}") }
            },
        )
        .collect();
    if ranges.len() > SHOWN_ITEMS {
        shown.push("…".to_owned());
    }
    shown
}

fn write_tests(text: &mut String, explored: &Explored) {
    let count = |is: fn(&Replay) -> bool| {
        explored.tests.iter().filter(|test| is(&test.replay)).count() as u64
    };
    let agree = count(|replay| matches!(replay, Replay::Agrees));
    let tests = counted(explored.tests.len() as u64, "test", "tests");
    let _ = write!(text, "kept: {tests}, replayed natively: {agree} with the same outcome");
    let rest = [
        (count(|replay| matches!(replay, Replay::Fault { .. })), "with a fault"),
        (
            count(|replay| matches!(replay, Replay::Undetermined { .. })),
            "not determined by their input",
        ),
        (count(|replay| matches!(replay, Replay::Incomparable { .. })), "unfinished"),
        (count(|replay| matches!(replay, Replay::Disagrees { .. })), "with a different outcome"),
    ];
    for (count, what) in rest.iter().filter(|(count, _)| *count > 0) {
        let _ = write!(text, ", {count} {what}");
    }
    text.push('\n');
    if explored.left_out > 0 {
        let paths = counted(explored.left_out, "path has no test", "paths have no test");
        let _ = writeln!(text, "  {paths}");
    }
    let undetermined = explored.tests.iter().find_map(|test| match &test.replay {
        Replay::Undetermined { cause, .. } => Some((test, cause)),
        _ => None,
    });
    if let Some((test, cause)) = undetermined {
        let _ = writeln!(
            text,
            "  not determined by its input: {} ({})",
            typed(explored, test),
            native::cause(cause)
        );
    }
}

fn write_effort(text: &mut String, explored: &Explored) {
    let effort = &explored.effort;
    let asks = effort.questions.asks;
    let _ = write!(
        text,
        "effort: {} in {:.2} s",
        counted(effort.runs, "run", "runs"),
        effort.time.as_secs_f64()
    );
    if asks > 0 {
        let without = percent(asks - effort.questions.by_sat.min(asks), asks);
        let _ = write!(
            text,
            ", {}, {without} % answered without SAT solving",
            counted(asks, "solver query", "solver queries")
        );
    }
    text.push('\n');
}

//! What changes may affect, as text.

use std::fmt::Write;

use effects::versions::{
    AffectedFunction, AffectedLine, AffectedOutput, Impact, NumberedChange, OutputKind, Prediction,
};

use crate::changes::position;
use crate::counting::{counted, first, list};

/// The most lines where two changes meet to show.
const SHOWN_LINES: usize = 8;

/// The most changes, functions and outputs to show if not everything is asked for.
const SHOWN: usize = 12;

/// The report as text; ends with a newline. With `all`, lists every line.
pub fn text(impact: &Impact, all: bool) -> String {
    if impact.changes.is_empty() {
        return "no change, so nothing is affected\n".to_owned();
    }
    let most = if all { usize::MAX } else { SHOWN };
    let mut text = String::new();
    let changes = impact.changes.iter().map(|c| format!("{}  {}", c.number, place(c)));
    section(&mut text, "changes", changes, most);
    let outputs = impact.outputs.iter().map(shown_output);
    section(&mut text, "outputs that may be affected, most likely first", outputs, most);
    if impact.outputs.is_empty() {
        text.push_str("no output is affected\n");
    }
    let functions = impact.functions.iter().map(shown_function);
    section(&mut text, "functions that may be affected, most likely first", functions, most);
    if all {
        let lines = impact
            .lines
            .iter()
            .map(|line| format!("{}  by {}{}", affected(line), list(&line.changes), seen(line)));
        section(&mut text, "lines that may be affected, most likely first", lines, most);
    }
    let others = counted(impact.unaffected_functions as u64, "other function", "other functions");
    let lines = counted(impact.unaffected as u64, "other line", "other lines");
    let _ = writeln!(text, "cannot be affected: {others}, {lines}");
    interference(&mut text, impact, most);
    if !all && !impact.lines.is_empty() {
        let lines = counted(impact.lines.len() as u64, "affected line", "affected lines");
        let _ = writeln!(text, "--all lists the {lines}");
    }
    text
}

/// A heading with its lines, if there are any.
fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>, most: usize) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}");
    for line in lines.iter().take(most) {
        let _ = writeln!(text, "  {line}");
    }
    if lines.len() > most {
        let _ = writeln!(text, "  and {} more", lines.len() - most);
    }
}

/// Which changes may interfere, and which can be tested alone.
fn interference(text: &mut String, impact: &Impact, most: usize) {
    for meeting in impact.meetings.iter().take(most) {
        let places = meeting.places.iter().take(SHOWN_LINES).map(|place| position(Some(place)));
        let (one, other) = meeting.changes;
        let _ = writeln!(text, "{one} and {other} may interfere at {}", list(places));
    }
    if impact.meetings.len() > most {
        let more = impact.meetings.len() - most;
        let _ = writeln!(text, "{more} more pairs of changes may interfere");
    }
    let alone = impact.alone.iter().map(usize::to_string).collect();
    if !impact.alone.is_empty() {
        let _ = writeln!(text, "can be tested alone: {}", first(alone, most));
    }
}

fn shown_output(output: &AffectedOutput) -> String {
    let kind = match output.kind {
        OutputKind::Stdout => "standard output",
        OutputKind::Stderr => "standard error",
        OutputKind::Files => "files",
        OutputKind::Exit => "exit status",
        OutputKind::Result => "result",
    };
    let (by, function) = (&output.by, &output.function);
    let what = format!("{by} in {function}");
    let at = position(Some(&output.place));
    format!("{:4.2}  {kind:<15}  {what}, {at}  by {}", output.probability, changes(&output.changes))
}

fn shown_function(function: &AffectedFunction) -> String {
    let AffectedFunction { name, affected, statements, probability, .. } = function;
    let result = match function.result {
        Some(result) => format!(", its result ({result:.2})"),
        None => String::new(),
    };
    let (at, by) = (position(function.place.as_ref()), changes(&function.changes));
    format!(
        "{probability:4.2}  {name}, {at}: {affected} of {statements} statements{result}  by {by}"
    )
}

/// The first numbers of a list of changes.
fn changes(numbers: &[usize]) -> String {
    first(numbers.iter().map(usize::to_string).collect(), SHOWN_LINES)
}

/// What a future change may affect; ends with a newline.
pub fn prediction_text(prediction: &Prediction) -> String {
    let mut text = String::new();
    for line in &prediction.lines {
        let _ = writeln!(text, "{}{}", affected(line), seen(line));
    }
    text
}

fn place(change: &NumberedChange) -> String {
    match (&change.old, &change.new) {
        (_, new) if change.is_function => {
            format!("{} ({}, added function)", position(new.as_ref()), change.function)
        }
        (_, Some(new)) => position(Some(new)),
        (Some(old), None) => format!("{} (deleted)", position(Some(old))),
        (None, None) => format!("in {}", change.function),
    }
}

fn affected(line: &AffectedLine) -> String {
    format!("{:4.2}  {}", line.probability, position(Some(&line.place)))
}

fn seen(line: &AffectedLine) -> &'static str {
    if line.is_output { ", observable" } else { "" }
}

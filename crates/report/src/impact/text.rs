//! What changes may affect, as text.

use std::fmt::Write;

use effects::versions::{AffectedLine, Impact, NumberedChange, Prediction};

use crate::changes::position;
use crate::counting::list;

/// The most lines where two changes meet to show.
const SHOWN_LINES: usize = 8;

/// The report as text; ends with a newline.
pub fn text(impact: &Impact) -> String {
    if impact.changes.is_empty() {
        return "no change, so nothing is affected\n".to_owned();
    }
    let mut text = String::from("changes\n");
    for change in &impact.changes {
        let _ = writeln!(text, "  {}  {}", change.number, place(change));
    }
    text.push_str("may be affected, most likely first\n");
    for line in &impact.lines {
        let by = format!("  by {}", list(&line.changes));
        let _ = writeln!(text, "  {}{by}{}", affected(line), seen(line));
    }
    for function in &impact.functions {
        let _ = writeln!(
            text,
            "  in {}: {} of {} statements",
            function.name, function.affected, function.statements
        );
    }
    let _ = writeln!(text, "cannot be affected: {} other lines", impact.unaffected);
    for meeting in &impact.meetings {
        let places = meeting.places.iter().take(SHOWN_LINES).map(|place| position(Some(place)));
        let (one, other) = meeting.changes;
        let _ = writeln!(text, "{one} and {other} may interfere at {}", list(places));
    }
    if !impact.alone.is_empty() {
        let _ = writeln!(text, "can be tested alone: {}", list(&impact.alone));
    }
    text
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

//! Complexity as text.

use std::fmt::Write;

use complexity::measure::ChangeKind;

use super::{ErrorReport, Measured, date, short};

/// How many functions of a range's commit are not worth a line each.
const DETAILED: usize = 1;

pub fn text(measured: &[Measured]) -> String {
    let mut text = String::new();
    if measured.len() > DETAILED {
        let _ = writeln!(
            text,
            "{:>6} {:>6}  {:<10}  {:<10}  subject",
            "CyCC", "CLoC", "commit", "date"
        );
    }
    for measured in measured {
        match &measured.commit {
            Some(_) => line(&mut text, measured),
            None => summary(&mut text, measured),
        }
        unparsed(&mut text, measured);
    }
    if let [one] = measured {
        details(&mut text, one);
    }
    if measured.is_empty() {
        text.push_str("no commits\n");
    }
    text
}

// Writing to a string cannot fail, hence the ignored results.

fn line(text: &mut String, measured: &Measured) {
    let Some(commit) = &measured.commit else { return };
    let (cycc, cloc) = (measured.complexity.cycc, measured.complexity.cloc());
    let merge = if commit.parents > 1 { " (merge)" } else { "" };
    let (id, date) = (short(&commit.id), date(commit.time));
    let _ = writeln!(text, "{cycc:>6} {cloc:>6}  {id}  {date}  {}{merge}", commit.subject);
}

fn summary(text: &mut String, measured: &Measured) {
    let found = &measured.complexity;
    let _ = writeln!(text, "CyCC {}, CLoC {}", found.cycc, found.cloc());
}

fn unparsed(text: &mut String, measured: &Measured) {
    for unparsed in &measured.complexity.unparsed {
        let place = format!("{}:{}", unparsed.file, unparsed.line);
        let _ = writeln!(
            text,
            "  not understood: {} ({place}): {}",
            unparsed.function, unparsed.reason
        );
    }
}

fn details(text: &mut String, measured: &Measured) {
    let found = &measured.complexity;
    let _ = writeln!(
        text,
        "  {} lines added, {} deleted, {} modified",
        found.lines.added, found.lines.deleted, found.lines.modified
    );
    for function in &found.functions {
        let kind = kind(function.kind);
        let place = format!("{}:{}", function.file, function.first_line);
        let _ = writeln!(
            text,
            "  {kind:<8} {} ({place}): CyCC {}, CLoC {}, changed blocks {}",
            function.name,
            function.cycc,
            function.lines.total(),
            function.blocks
        );
    }
    for (file, declaration) in &found.declarations {
        let kind = format!("{:?}", declaration.kind).to_lowercase();
        let place = format!("{file}:{}", declaration.line);
        let _ = writeln!(
            text,
            "  changed  {kind} {} ({place}): CLoC {}",
            declaration.name,
            declaration.lines.total()
        );
    }
    for skipped in &measured.skipped {
        let _ = writeln!(text, "  skipped  {} ({})", skipped.path, skipped.reason.describe());
    }
}

pub(super) fn kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "added",
        ChangeKind::Deleted => "deleted",
        ChangeKind::Modified => "modified",
        ChangeKind::Affected => "affected",
    }
}

/// The complexity of an error.
pub fn error_text(report: &ErrorReport) -> String {
    let mut text = String::new();
    let found = &report.fix.complexity;
    let _ = writeln!(text, "error complexity: CyCC {}, CLoC {}", found.cycc, found.cloc());
    text.push_str("fixed by\n");
    line(&mut text, &report.fix);
    unparsed(&mut text, &report.fix);
    if let Some(introduced) = &report.introduced {
        text.push_str("introduced by\n");
        line(&mut text, introduced);
        unparsed(&mut text, introduced);
    }
    if let Some(days) = report.life_span {
        let _ = writeln!(text, "life span: {days:.1} days");
    }
    text
}

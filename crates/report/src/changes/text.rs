//! Changes for people: function by function, what only looks like a change, hunks, and which hunks
//! do not build alone.

use std::fmt::Write;

use effects::versions::{
    BuildDependence, BuildDependences, Cause, CauseKind, ChangeKind, ChangedFunction,
    ChangedGlobal, ChangedRegion, ChangedStatement, Changes, Direction, HunkEffect, HunkId,
    HunkMeaning, NamedFunction, Needs, NotAChange, Why,
};

use super::position;
use crate::counting::list;
use crate::hunks::{all_inactive, number, place_of_hunk};

/// The report as text; ends with a newline.
pub fn text(changes: &Changes) -> String {
    let mut text = String::new();
    for function in &changes.functions {
        add_function(&mut text, function);
    }
    for (title, functions) in [("added", &changes.added), ("removed", &changes.removed)] {
        for function in functions {
            let _ = writeln!(text, "{}: {title} function", named(function));
        }
    }
    for global in &changes.globals {
        let _ = writeln!(text, "{}: {} global variable", global.name, what_became(global));
    }
    if changes.is_empty() {
        let is_inactive = |one: &HunkMeaning| matches!(one.effect, HunkEffect::Inactive(_));
        text.push_str(if changes.hunks.iter().any(is_inactive) {
            "no change in this build\n"
        } else {
            "no change\n"
        });
    }
    add_not_changes(&mut text, &changes.not_changes);
    add_hunks(&mut text, &changes.hunks);
    if let Some(dependences) = &changes.dependences {
        add_dependences(&mut text, dependences);
    }
    text
}

fn add_function(text: &mut String, function: &ChangedFunction) {
    text.push_str(&function.name);
    if function.place.is_some() {
        let _ = write!(text, " ({})", position(function.place.as_ref()));
    }
    if function.signature {
        text.push_str(", with a different signature");
    }
    text.push('\n');
    for statement in &function.statements {
        add_statement(text, statement);
    }
    let wide =
        |region: &&ChangedRegion| region.new.as_ref().is_some_and(|new| new.first < new.last);
    for region in function.regions.iter().filter(wide) {
        add_region(text, region);
    }
}

/// A region, if there is more to it than one line.
fn add_region(text: &mut String, region: &ChangedRegion) {
    let Some(new) = &region.new else { return };
    let _ = writeln!(text, "  region {}:{}-{}", new.file, new.first, new.last);
}

fn named(function: &NamedFunction) -> String {
    match &function.place {
        Some(place) => format!("{} ({})", function.name, position(Some(place))),
        None => function.name.clone(),
    }
}

fn what_became(global: &ChangedGlobal) -> &'static str {
    match (global.in_old, global.in_new) {
        (true, true) => "changed",
        (false, _) => "added",
        (true, false) => "removed",
    }
}

fn add_statement(text: &mut String, statement: &ChangedStatement) {
    let (old, new) = (position(statement.old.as_ref()), position(statement.new.as_ref()));
    let _ = match statement.kind {
        ChangeKind::Added => write!(text, "  + {new}"),
        ChangeKind::Deleted => write!(text, "  - {old}"),
        ChangeKind::Modified => write!(text, "  ~ {new}"),
        ChangeKind::Moved => write!(text, "  > {new} (from {old})"),
    };
    match &statement.why {
        Some(Why::Control) => text.push_str(", under different conditions"),
        Some(Why::Uses(names)) => {
            let _ = write!(text, ", through {}", names.join(", "));
        }
        Some(Why::Text) | None => {}
    }
    text.push('\n');
    if statement.is_same_text {
        add_same_text(text, statement);
        return;
    }
    let is_deleted = statement.kind == ChangeKind::Deleted;
    if is_deleted || statement.kind == ChangeKind::Modified {
        add_excerpt(text, '-', statement.old_text.as_deref());
    }
    if !is_deleted {
        add_excerpt(text, '+', statement.new_text.as_deref());
    }
}

/// A statement whose text is the same, and what makes the difference.
fn add_same_text(text: &mut String, statement: &ChangedStatement) {
    let line = statement.new_text.as_deref().or(statement.old_text.as_deref());
    add_excerpt(text, ' ', line);
    let is_told = matches!(statement.why, Some(Why::Control | Why::Uses(_)));
    match &statement.cause {
        Some(Cause { kind, name, old, new }) => {
            let _ = match kind {
                CauseKind::Macro => writeln!(text, "      the macro {name} changed:"),
                CauseKind::Type => writeln!(text, "      the type of {name} changed:"),
                CauseKind::Constant => writeln!(text, "      a constant in it changed:"),
            };
            for (sign, what) in [('-', old), ('+', new)].into_iter().filter(|(_, w)| !w.is_empty())
            {
                add_excerpt(text, sign, Some(what));
            }
        }
        None if is_told => {}
        None => {
            let _ = writeln!(text, "      the text is the same, but its code differs");
        }
    }
}

fn add_excerpt(text: &mut String, sign: char, excerpt: Option<&str>) {
    for line in excerpt.unwrap_or_default().lines() {
        let _ = writeln!(text, "      {sign} {line}");
    }
}

fn add_not_changes(text: &mut String, not_changes: &[NotAChange]) {
    if !not_changes.is_empty() {
        text.push_str("\nThe text differs, but not the behaviour, in\n");
    }
    for same in not_changes {
        let mut reasons: Vec<String> = same
            .renamed
            .iter()
            .map(|(old, new)| format!("`{old}` is renamed to `{new}`"))
            .collect();
        if same.moved {
            reasons.push("moved".to_owned());
        }
        if same.position {
            reasons.push("a position changed".to_owned());
        }
        if !same.inactive.is_empty() {
            let because = all_inactive(&same.inactive);
            reasons.push(format!("code that is not compiled in this build ({because})"));
        }
        let has_reason = !same.renamed.is_empty() || same.moved || same.position;
        if reasons.is_empty() || same.reformatted && !has_reason {
            reasons.push("comments, white space or spelling".to_owned());
        }
        let _ = writeln!(text, "  {}: {}", same.name, reasons.join(", "));
    }
}

fn add_hunks(text: &mut String, hunks: &[HunkMeaning]) {
    if !hunks.is_empty() {
        text.push_str("\nHunks\n");
    }
    for meaning in hunks {
        let what = match &meaning.effect {
            HunkEffect::Changes if meaning.functions.is_empty() => {
                "changes more than statements".to_owned()
            }
            HunkEffect::Changes => format!("changes {}", meaning.functions.join(", ")),
            HunkEffect::Nothing => "no change".to_owned(),
            HunkEffect::Inactive(because) => {
                format!("not compiled in this build: {}", all_inactive(because))
            }
            HunkEffect::NotInProgram => "its file is not part of the program".to_owned(),
            HunkEffect::Needed => "the rest does not build without it".to_owned(),
            HunkEffect::Unknown => "unknown, finding out takes too many builds".to_owned(),
        };
        let _ = writeln!(
            text,
            "  {}  {}: {what}",
            number(meaning.hunk.id),
            place_of_hunk(&meaning.hunk)
        );
    }
}

fn add_dependences(text: &mut String, found: &BuildDependences) {
    let are_complete = found.untried.is_empty();
    if found.dependences.is_empty() && are_complete {
        text.push_str("\nEvery hunk builds alone.\n");
        return;
    }
    if !found.dependences.is_empty() {
        text.push_str("\nDo not build alone\n");
    }
    for dependence in &found.dependences {
        let _ = writeln!(text, "  {}", dependence_line(dependence));
    }
    let is_unproved = |of: &BuildDependence| !matches!(of.needs, Needs::Smallest(_));
    if !are_complete || found.dependences.iter().any(is_unproved) {
        let _ = writeln!(
            text,
            "The limit of {} builds was reached; `--max-builds` raises it.",
            found.limit
        );
    }
    if !are_complete {
        let untried = found.untried.iter().map(|(hunk, direction)| match direction {
            Direction::Applied => format!("{} applied", number(*hunk)),
            Direction::Undone => format!("{} undone", number(*hunk)),
        });
        let _ = writeln!(text, "Not tried alone: {}", list(untried));
    }
}

fn dependence_line(dependence: &BuildDependence) -> String {
    let hunk = number(dependence.hunk);
    let numbers = |hunks: &[HunkId]| list(hunks.iter().map(|&hunk| number(hunk)));
    let needs = match &dependence.needs {
        Needs::Smallest(hunks) => format!("needs {}", numbers(hunks)),
        Needs::Irreducible(hunks) => {
            format!("builds with {}, maybe with fewer", numbers(hunks))
        }
        Needs::Unknown => "its needs are unknown".to_owned(),
    };
    match dependence.direction {
        Direction::Applied => format!("{hunk} applied to OLD: {needs}"),
        Direction::Undone => format!("{hunk} undone from NEW: {needs}"),
    }
}

//! The status of every hunk of a change, in words, as a table and for other programs; and what a
//! verdict must mention: hunks that are not compiled, and changes that no run reached.

use std::fmt::Write;
use std::path::Path;

use effects::versions::{HunkId, HunkKind, HunkStatus, Inactive, Reach, Standing};
use serde::Serialize;
use source::{Hunk, Lines};
use unicode_width::UnicodeWidthStr;

use crate::counting::{counted, first, list};
use crate::printable::printable;

/// The most rows of a table, and conditions of a sentence.
const SHOWN: usize = 40;
const SHOWN_CONDITIONS: usize = 3;
/// The most characters of a condition to show.
const SHOWN_CONDITION: usize = 80;

/// Numbers for people, from 1.
pub(crate) fn number(hunk: HunkId) -> u32 {
    hunk.0 + 1
}

/// The place of a hunk: in NEW, or in OLD if NEW has nothing of it.
pub(crate) fn place_of_hunk(hunk: &Hunk) -> String {
    let lines = |lines: &Lines| match lines.count {
        1 => lines.first.to_string(),
        count => format!("{}-{}", lines.first, lines.first + count.saturating_sub(1)),
    };
    let shown = |file: &Path| printable(file.as_os_str().as_encoded_bytes());
    let (old, new) = (shown(&hunk.old_file), shown(&hunk.new_file));
    match hunk.kind {
        HunkKind::FileAdded => format!("{new} (added)"),
        HunkKind::FileRemoved => format!("{old} (removed)"),
        HunkKind::Lines if hunk.new.count == 0 => {
            format!("{old}:{} (deleted)", lines(&hunk.old))
        }
        HunkKind::Lines => format!("{new}:{}", lines(&hunk.new)),
    }
}

/// The unit of the counts of executed hunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Runs,
    /// Partitions, with one executed input each.
    Partitions,
}

impl Counted {
    fn of(self, count: u64) -> String {
        match self {
            Counted::Runs => counted(count, "run", "runs"),
            Counted::Partitions => {
                format!("the input of {}", counted(count, "partition", "partitions"))
            }
        }
    }
}

/// Why the preprocessor skips something.
pub(crate) fn inactive(because: &Inactive) -> String {
    let name = |text: &str| match text.char_indices().nth(SHOWN_CONDITION) {
        Some((end, _)) => format!("`{}…`", printable(&text.as_bytes()[..end])),
        None => format!("`{}`", printable(text.as_bytes())),
    };
    match because {
        Inactive::NotDefined(macro_name) => format!("{} is not defined", name(macro_name)),
        Inactive::Defined(macro_name) => format!("{} is defined", name(macro_name)),
        Inactive::False(expression) if expression == "0" => "`#if 0`".to_owned(),
        Inactive::False(expression) => format!("{} is false", name(expression)),
        Inactive::True(expression) => format!("{} is true", name(expression)),
    }
}

/// Several of them, each once.
pub(crate) fn all_inactive<'a>(all: impl IntoIterator<Item = &'a Inactive>) -> String {
    let mut words: Vec<String> = Vec::new();
    for because in all {
        let said = inactive(because);
        if !words.contains(&said) {
            words.push(said);
        }
    }
    first(words, SHOWN_CONDITIONS)
}

/// The status in a few words. Without an entry, runs begin at `main`.
pub(crate) fn status(status: &HunkStatus, unit: Counted, entry: Option<&str>) -> String {
    let runs = &status.runs;
    match &status.standing {
        Standing::NotInProgram => "its file is not part of the program".to_owned(),
        Standing::NotCompiled(because) => {
            format!("not compiled in this build: {}", all_inactive(because))
        }
        Standing::NoEffect => "no effect on the compiled code".to_owned(),
        Standing::Compiled => "compiled; its effect is unknown".to_owned(),
        Standing::Unreachable => format!("compiled, but not reachable from {}", from(entry)),
        Standing::NotReached => "compiled, but no run reached it".to_owned(),
        Standing::Reached if runs.different > 0 => {
            format!("reached by {}; it causes none of the differences shown", unit.of(runs.total()))
        }
        Standing::Reached if runs.same == 0 => {
            format!("reached by {} with unknown result", unit.of(runs.unknown))
        }
        Standing::Reached if runs.unknown > 0 => format!(
            "reached without effect by {}, and with unknown result by {}",
            unit.of(runs.same),
            unit.of(runs.unknown)
        ),
        Standing::Reached => format!("reached without effect by {}", unit.of(runs.same)),
        Standing::Hidden => "makes a difference alone, which other hunks hide".to_owned(),
        Standing::Proved if runs.total() == 0 => "proved to have no effect".to_owned(),
        Standing::Proved => {
            format!("proved to have no effect, reached by {}", unit.of(runs.total()))
        }
        Standing::Executed { differences } => {
            format!("executed by {}", differing(unit, differences))
        }
        Standing::Shown { differences } => format!("shown by {}", differing(unit, differences)),
        Standing::Accepted { differences } => {
            let count = counted(*differences as u64, "accepted difference", "accepted differences");
            format!("shown by {count}")
        }
    }
}

fn differing(unit: Counted, differences: &[usize]) -> String {
    match (unit, differences) {
        (Counted::Runs, [one]) => format!("difference {}", one + 1),
        (Counted::Runs, _) => {
            format!("differences {}", list(differences.iter().map(|number| number + 1)))
        }
        (Counted::Partitions, _) => {
            let many = "partitions that differ";
            counted(differences.len() as u64, "partition that differs", many)
        }
    }
}

/// The start of runs.
pub(crate) fn from(entry: Option<&str>) -> String {
    format!("`{}`", printable(entry.unwrap_or("main").as_bytes()))
}

/// One word, for programs.
pub(crate) fn status_name(standing: &Standing) -> &'static str {
    match standing {
        Standing::NotInProgram => "not_in_program",
        Standing::NotCompiled(_) => "not_compiled",
        Standing::NoEffect => "no_effect",
        Standing::Compiled => "compiled",
        Standing::Unreachable => "unreachable",
        Standing::NotReached => "not_reached",
        Standing::Reached => "reached",
        Standing::Hidden => "hidden",
        Standing::Proved => "proved",
        Standing::Executed { .. } => "executed",
        Standing::Shown { .. } => "shown",
        Standing::Accepted { .. } => "accepted",
    }
}

pub(crate) fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::NoChange => "no_change",
        Reach::Unreachable => "unreachable",
        Reach::NotReached => "not_reached",
        Reach::Reached => "reached",
    }
}

/// The rows of the table: number, place and status of each hunk.
pub(crate) fn rows(
    hunks: &[HunkStatus],
    unit: Counted,
    entry: Option<&str>,
) -> Vec<(u32, String, String)> {
    let row = |one: &HunkStatus| {
        let hunk = &one.meaning.hunk;
        (number(hunk.id), place_of_hunk(hunk), status(one, unit, entry))
    };
    hunks.iter().map(row).collect()
}

/// The table as text.
pub(crate) fn write_table(
    text: &mut String,
    title: &str,
    hunks: &[HunkStatus],
    unit: Counted,
    entry: Option<&str>,
) {
    if hunks.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}:");
    let rows = rows(&hunks[..hunks.len().min(SHOWN)], unit, entry);
    let width = |text: &str| UnicodeWidthStr::width(text);
    let widest = rows.iter().map(|(_, place, _)| width(place)).max().unwrap_or(0);
    let digits = rows.iter().map(|(number, ..)| number.to_string().len()).max().unwrap_or(0);
    for (number, place, status) in &rows {
        let pad = " ".repeat(widest - width(place));
        let _ = writeln!(text, "  {number:>digits$}  {place}{pad}  {status}");
    }
    if hunks.len() > SHOWN {
        let more = (hunks.len() - SHOWN) as u64;
        let _ = writeln!(text, "  … and {}", counted(more, "more hunk", "more hunks"));
    }
}

/// What a verdict about the whole change must add: which hunks are not compiled, and that no run
/// executed the change. Begins with a semicolon, or is empty.
pub(crate) fn reservations(hunks: &[HunkStatus], reach: Reach) -> String {
    let mut text = left_out(hunks).map(|words| format!("; {words}")).unwrap_or_default();
    match reach {
        Reach::NotReached => text.push_str("; no run executed the change"),
        Reach::Unreachable => text.push_str("; no run can execute the change"),
        Reach::Reached | Reach::NoChange => {}
    }
    text
}

/// The first line of a report if no changed statement is reachable.
pub(crate) fn write_unreachable(text: &mut String, reach: Reach, entry: Option<&str>) {
    if reach == Reach::Unreachable {
        let from = from(entry);
        let _ = writeln!(
            text,
            "unreachable: no changed statement can be reached from {from}; what follows says \
             nothing about the change"
        );
    }
}

/// Hunks that the compiler does not see: `1 of 3 hunks is not compiled in this build (…)`.
pub(crate) fn left_out(hunks: &[HunkStatus]) -> Option<String> {
    let all = hunks.len();
    let part = |count: usize| match (count, all) {
        (1, 1) => "the only hunk is".to_owned(),
        (1, _) => format!("1 of {all} hunks is"),
        _ if count == all => format!("all {all} hunks are"),
        _ => format!("{count} of {all} hunks are"),
    };
    let mut because: Vec<&Inactive> = Vec::new();
    let (mut skipped, mut outside) = (0, 0);
    for one in hunks {
        match &one.standing {
            Standing::NotCompiled(conditions) => {
                skipped += 1;
                because.extend(conditions);
            }
            Standing::NotInProgram => outside += 1,
            _ => {}
        }
    }
    let mut parts = Vec::new();
    if skipped > 0 {
        parts.push(format!(
            "{} not compiled in this build ({})",
            part(skipped),
            all_inactive(because)
        ));
    }
    if outside > 0 {
        let files = if outside == 1 { "a file that is" } else { "files that are" };
        parts.push(format!("{} in {files} not part of the program", part(outside)));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A hunk for other programs.
#[derive(Serialize)]
pub(crate) struct HunkOf {
    number: u32,
    #[serde(flatten)]
    lines: HunkLines,
    status: &'static str,
    conditions: Vec<ConditionOf>,
    functions: Vec<String>,
    changes: Vec<usize>,
    reached: RunsOf,
    differences: Vec<usize>,
}

/// Why a hunk is not compiled.
#[derive(Serialize)]
pub(crate) struct ConditionOf {
    kind: &'static str,
    text: String,
}

#[derive(Serialize)]
struct RunsOf {
    same: u64,
    different: u64,
    unknown: u64,
}

pub(crate) fn json(hunks: &[HunkStatus]) -> Vec<HunkOf> {
    hunks.iter().map(hunk).collect()
}

fn hunk(one: &HunkStatus) -> HunkOf {
    let (meaning, runs) = (&one.meaning, &one.runs);
    let because: &[Inactive] = match &one.standing {
        Standing::NotCompiled(because) => because,
        _ => &[],
    };
    let differences: &[usize] = match &one.standing {
        Standing::Shown { differences } | Standing::Executed { differences } => differences,
        _ => &[],
    };
    HunkOf {
        number: number(meaning.hunk.id),
        lines: HunkLines::of(&meaning.hunk),
        status: status_name(&one.standing),
        conditions: conditions(because),
        functions: meaning.functions.clone(),
        changes: meaning.changes.clone(),
        reached: RunsOf { same: runs.same, different: runs.different, unknown: runs.unknown },
        differences: differences.iter().map(|number| number + 1).collect(),
    }
}

pub(crate) fn conditions(because: &[Inactive]) -> Vec<ConditionOf> {
    let condition = |one: &Inactive| {
        let (kind, text) = match one {
            Inactive::NotDefined(name) => ("not_defined", name),
            Inactive::Defined(name) => ("defined", name),
            Inactive::False(expression) => ("false", expression),
            Inactive::True(expression) => ("true", expression),
        };
        ConditionOf { kind, text: text.clone() }
    };
    because.iter().map(condition).collect()
}

/// Which lines differ.
#[derive(Serialize)]
pub(crate) struct HunkLines {
    kind: &'static str,
    old: Range,
    new: Range,
}

#[derive(Serialize)]
struct Range {
    file: String,
    first: u32,
    count: u32,
}

impl HunkLines {
    pub(crate) fn of(hunk: &Hunk) -> HunkLines {
        let range = |file: &Path, lines: &Lines| Range {
            file: file.display().to_string(),
            first: lines.first,
            count: lines.count,
        };
        HunkLines {
            kind: match hunk.kind {
                HunkKind::Lines => "lines",
                HunkKind::FileAdded => "file added",
                HunkKind::FileRemoved => "file removed",
            },
            old: range(&hunk.old_file, &hunk.old),
            new: range(&hunk.new_file, &hunk.new),
        }
    }
}

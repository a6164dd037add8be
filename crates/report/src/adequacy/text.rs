//! The adequacy of tests as text: the verdict, what tests do with each changed line, coverage, what
//! is missing, and the chain trees.

use std::fmt::Write;

use effects::adequacy::{Adequacy, Counts, Coverage, Criterion, Fate, TreeRow, Verdict};

use super::{limit, place, sentence, state, steps, verdict_name};
use crate::counting::{counted, shortened};
use crate::hunks::{number, place_of_hunk};
use crate::notes;
use crate::paint::Look;
use crate::places::position;
use crate::printable::{printable, source_line};

/// The most lines of a table, of missing requirements and of a tree.
const MOST_LINES: usize = 40;
const MOST_MISSING: usize = 12;
const MOST_ROWS: usize = 24;
/// The most tests to name that were not followed.
const MOST_TESTS: usize = 5;
/// The most characters of a source line.
const MOST_TEXT: usize = 40;

/// The report; ends with a newline.
pub fn text(adequacy: &Adequacy, look: Look) -> String {
    let mut text = String::new();
    let name = verdict_name(adequacy.verdict);
    let painted = match adequacy.verdict {
        Verdict::Adequate | Verdict::NothingToTest => look.calm(name),
        Verdict::Inadequate => look.alarm(name),
        Verdict::Inconclusive => look.unsure(name),
    };
    let _ = writeln!(text, "{painted}: {}", sentence(adequacy));
    let _ = writeln!(text, "  OLD: {}", printable(adequacy.old.name.as_bytes()));
    let _ = writeln!(text, "  NEW: {}", printable(adequacy.new.name.as_bytes()));
    if adequacy.verdict == Verdict::NothingToTest {
        return text;
    }
    write_lines(&mut text, adequacy, look);
    write_hunks(&mut text, adequacy, look);
    write_coverage(&mut text, adequacy, look);
    write_missing(&mut text, adequacy, look);
    write_mutants(&mut text, adequacy, look);
    write_trees(&mut text, adequacy, look);
    write_notes(&mut text, adequacy);
    text
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// The columns of counts.
fn columns(counts: &Counts) -> String {
    let Counts { reach, infect, propagate, show } = counts;
    let share = percent(counts.detectability());
    format!("{reach:>6} {infect:>7} {propagate:>10} {show:>6} {share:>14}")
}

const HEADS: &str = " reach  infect  propagate   show  detectability";

fn write_lines(text: &mut String, adequacy: &Adequacy, look: Look) {
    let lines: Vec<&_> = adequacy.lines.iter().take(MOST_LINES).collect();
    let width = lines.iter().map(|line| place(line).chars().count()).max().unwrap_or(0).max(12);
    let head = format!("{:<1$}", "changed lines", width + 6);
    let _ = writeln!(text, "\n{}", look.strong(&format!("{head}{HEADS}")));
    for line in &lines {
        let code = line.place.text.as_deref().map(source_line).unwrap_or_default();
        let code = shortened(code.trim(), MOST_TEXT);
        let (at, counts) = (place(line), columns(&line.counts));
        let row = format!("{:>4}  {at:<width$}{counts}  {}", line.number, look.faint(&code));
        let _ = writeln!(text, "{}", row.trim_end());
    }
    if adequacy.lines.len() > MOST_LINES {
        let more = (adequacy.lines.len() - MOST_LINES) as u64;
        let _ = writeln!(text, "      and {}", counted(more, "more line", "more lines"));
    }
}

fn write_hunks(text: &mut String, adequacy: &Adequacy, look: Look) {
    if adequacy.hunks.len() < 2 {
        return;
    }
    let places: Vec<String> =
        adequacy.hunks.iter().map(|one| place_of_hunk(&one.meaning.hunk)).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0).max(12);
    let head = format!("{:<1$}", "hunks", width + 6);
    let _ = writeln!(text, "\n{}", look.strong(&format!("{head}{HEADS}")));
    for (one, at) in adequacy.hunks.iter().zip(&places).take(MOST_LINES) {
        let (id, counts) = (number(one.meaning.hunk.id), columns(&one.counts));
        let _ = writeln!(text, "{id:>4}  {at:<width$}{counts}");
    }
}

/// The name of a coverage.
pub(super) fn coverage_name(coverage: &Coverage) -> String {
    match coverage.distance {
        Some(distance) => format!("{}:{distance}", coverage.criterion.name()),
        None => coverage.criterion.name().to_owned(),
    }
}

pub(super) fn meaning(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Statements => "changed statements",
        Criterion::Branches => "decisions of changed statements",
        Criterion::Uses => "uses of what changed statements define",
        Criterion::Chains => "dependence chains from the change",
        Criterion::Propagation => "the same with a different state all along",
        Criterion::Output => "changed lines with a difference that users see",
    }
}

fn write_coverage(text: &mut String, adequacy: &Adequacy, look: Look) {
    let _ = writeln!(text, "\n{}", look.strong("coverage"));
    for coverage in &adequacy.criteria {
        let share = match coverage.total {
            0 => "-".to_owned(),
            _ => format!("{:.1} %", coverage.percent()),
        };
        let of = format!("{} of {}", coverage.satisfied, coverage.total);
        let last = adequacy.coverage(coverage.criterion) == Some(coverage);
        let meaning = if last { meaning(coverage.criterion) } else { "" };
        let name = coverage_name(coverage);
        let row = format!("  {name:<10} {share:>8}  {of:<14} {}", look.faint(meaning));
        let _ = writeln!(text, "{}", row.trim_end());
    }
}

fn write_missing(text: &mut String, adequacy: &Adequacy, look: Look) {
    if adequacy.missing.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", look.strong("missing"));
    for one in adequacy.missing.iter().take(MOST_MISSING) {
        let deleted = if one.is_deleted { " (deleted)" } else { "" };
        let _ = writeln!(text, "  {}{deleted}: {}", position(&one.change), steps::missing(one));
    }
    if adequacy.missing.len() > MOST_MISSING {
        let more = (adequacy.missing.len() - MOST_MISSING) as u64;
        let more = counted(more, "more requirement", "more requirements");
        let _ = writeln!(text, "  and {more}; --format json lists all");
    }
}

fn write_mutants(text: &mut String, adequacy: &Adequacy, look: Look) {
    let Some(mutants) = &adequacy.mutants else { return };
    let [killed, equivalent] = [fate_is_killed, fate_is_equivalent]
        .map(|is: fn(&Fate) -> bool| mutants.iter().filter(|mutant| is(&mutant.fate)).count());
    let head = format!("mutants  {killed} of {} killed", mutants.len() - equivalent);
    let _ = writeln!(text, "\n{}", look.strong(&head));
    let others =
        mutants.iter().filter(|one| !fate_is_killed(&one.fate) && !fate_is_equivalent(&one.fate));
    for mutant in others.clone().take(MOST_MISSING) {
        let (at, edit) = (position(&mutant.place), steps::edit(&mutant.edit));
        let _ = writeln!(text, "  {at}: {edit}: {}", steps::fate(&mutant.fate));
    }
    let more = others.count().saturating_sub(MOST_MISSING) as u64;
    if more > 0 {
        let _ = writeln!(text, "  and {}; --format json lists all", counted(more, "more", "more"));
    }
    if equivalent > 0 {
        let all = counted(equivalent as u64, "mutant", "mutants");
        let _ = writeln!(text, "  {all} left out: proved to do the same on all inputs");
    }
}

fn fate_is_killed(fate: &Fate) -> bool {
    matches!(fate, Fate::Killed { .. })
}

fn fate_is_equivalent(fate: &Fate) -> bool {
    *fate == Fate::Equivalent
}

/// The sign of a chain: propagated along, covered, or of the frontier.
pub(super) fn sign(row: &TreeRow) -> char {
    match (row.covered, row.propagated) {
        (0, _) => '○',
        (_, 0) => '◐',
        _ => '●',
    }
}

fn write_trees(text: &mut String, adequacy: &Adequacy, look: Look) {
    let trees = adequacy.lines.iter().filter(|line| line.tree.len() > 1);
    for line in trees.take(MOST_LINES) {
        let title = format!("chains from {}", place(line));
        let legend = "● with a different state, ◐ with the same, ○ not covered";
        let _ = writeln!(text, "\n{}  {}", look.strong(&title), look.faint(legend));
        for row in line.tree.iter().take(MOST_ROWS) {
            let indent = "  ".repeat((row.length as usize + 1).min(20));
            let what = match &row.step {
                None => "executed".to_owned(),
                Some(step) => {
                    format!("{} → line {}", steps::through(&step.through), step.to.line)
                }
            };
            let counts = match row.covered {
                0 => String::new(),
                covered => format!("  {covered}/{}", row.propagated),
            };
            let _ = writeln!(text, "{indent}{} {what}{}", sign(row), look.faint(&counts));
        }
        if line.tree.len() > MOST_ROWS {
            let more = (line.tree.len() - MOST_ROWS) as u64;
            let _ = writeln!(text, "    and {}", counted(more, "more chain", "more chains"));
        }
    }
}

fn write_notes(text: &mut String, adequacy: &Adequacy) {
    let mut notes = String::new();
    for one in &adequacy.limits {
        let _ = writeln!(notes, "note: {}", limit(one));
    }
    let open = adequacy.tests.iter().enumerate();
    let open = open.filter_map(|(number, test)| Some((number, test, state(&test.state)?)));
    for (number, test, why) in open.take(MOST_TESTS) {
        let name = test.name.as_ref().map(|name| format!(" ({})", printable(name.as_bytes())));
        let _ = writeln!(notes, "note: test {}{} {why}", number + 1, name.unwrap_or_default());
    }
    notes::write_misfits(&mut notes, &adequacy.misfits);
    if !notes.is_empty() {
        let _ = write!(text, "\n{notes}");
    }
}

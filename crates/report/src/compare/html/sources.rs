//! The source of both versions side by side, with annotations of every line.
//!
//! Marks are beside the lines, so that nothing depends on colour alone. Unchanged lines of no
//! interest are folded, and left out of large programs (`layout`), where no link leads to them. The marks of a run are
//! those of the first difference until the reader chooses another one.

use std::collections::BTreeMap;

use base::Version;
use effects::compare::Compared;
use effects::compare::illustration::{FileLine, Illustration, RunLines, SideFile, SourceFile};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::anchors::{Anchors, id};
use super::layout::{FileLayout, Layout, MOST_OF_LINE, MOST_RUNS, Row, State};
use super::visible;
use crate::counting::{counted, first};
use crate::printable::printable;

/// The most numbers of lines of runs in the page.
const MOST_NUMBERS: usize = 60_000;
/// The most functions to name where lines are left out.
const MOST_NAMES: usize = 8;

pub fn section(
    compared: &Compared,
    illustration: &Illustration,
    layout: &Layout<'_>,
    anchors: &Anchors,
) -> Markup {
    let witnesses = compared.witnesses.iter().take(MOST_RUNS);
    let mut room = MOST_NUMBERS;
    let runs: Vec<Option<RunLines>> = witnesses
        .map(|witness| {
            let run = in_page(illustration.run_of(witness)?, anchors);
            let all = run.executed.iter().chain(&run.infected).map(Vec::len).sum();
            room = room.checked_sub(all)?;
            Some(run)
        })
        .collect();
    let shown = runs.first().and_then(Option::as_ref);
    html! {
        (chooser(&runs))
        (legend(illustration))
        @if layout.is_partial {
            p.note {
                "The program is large. Shown are changed functions, those on the way of an \
                 explained difference, and those that directly call one of them."
            }
        }
        @for (number, file) in illustration.files.iter().enumerate() {
            (one_file(number, file, &layout.files[number], illustration, shown))
        }
        (lines_of_runs(&runs))
    }
}

/// The lines of a run that the page shows.
fn in_page(run: &RunLines, anchors: &Anchors) -> RunLines {
    let kept = |all: &[Vec<FileLine>; 2]| {
        Version::BOTH.map(|version| {
            let lines = all[version].iter().copied();
            lines.filter(|&at| anchors.has(version, at)).collect()
        })
    };
    RunLines { executed: kept(&run.executed), infected: kept(&run.infected), ..run.clone() }
}

fn chooser(runs: &[Option<RunLines>]) -> Markup {
    html! {
        @if runs.iter().any(Option::is_some) {
            p.controls {
                label for="run" { "Show the runs of " }
                select #run {
                    @for (index, _) in runs.iter().enumerate().filter(|(_, run)| run.is_some()) {
                        option value=(index) { "difference " (index + 1) }
                    }
                    option value="" { "no input" }
                }
            }
        }
    }
}

fn legend(illustration: &Illustration) -> Markup {
    html! {
        dl.legend {
            div { dt { "Δ" } dd { "changed statement" } }
            div { dt { "≠" } dd { "infected: state differs in this run" } }
            div { dt { "•" } dd { "executed in this run" } }
            @if illustration.has_effects {
                div { dt { "○" } dd { "code that the change cannot affect" } }
            }
        }
        @if !illustration.has_effects {
            p.note { "What the change may affect is not shown: the program is too large, or the budget too small." }
        }
    }
}

fn one_file(
    number: usize,
    file: &SourceFile,
    layout: &FileLayout<'_>,
    illustration: &Illustration,
    run: Option<&RunLines>,
) -> Markup {
    let is_open = layout.rows.iter().any(|row| row.state == State::Shown);
    let left = layout.beyond;
    html! {
        details.file open[is_open] {
            summary {
                h3 { (title(file)) }
            }
            @for (side, version) in file.sides.iter().zip(Version::BOTH) {
                @if side.as_ref().is_some_and(|side| side.text.is_none()) {
                    p.note { "The file of " (crate::words::version(version)) " could not be read, or is too large." }
                }
            }
            div.code role="group" aria-label="OLD on the left, NEW on the right" {
                (segments(layout, number, file, run, illustration.has_effects))
            }
            @if left > 0 {
                p.note { (counted(left as u64, "more line is", "more lines are")) " left out." }
            }
        }
    }
}

fn title(file: &SourceFile) -> String {
    let names = file.sides.each_ref().map(|side| side.as_ref().map(|side| side.name.as_str()));
    let shown = |name: &str| printable(visible::cut(name.as_bytes(), MOST_OF_LINE).0);
    match names {
        [Some(old), Some(new)] if old != new => format!("{} → {}", shown(old), shown(new)),
        [Some(_), Some(name)] => shown(name),
        [Some(name), None] => format!("{} (only in OLD)", shown(name)),
        [None, Some(name)] => format!("{} (only in NEW)", shown(name)),
        [None, None] => shown(&file.name),
    }
}

/// Shown rows, folds and gaps.
fn segments(
    layout: &FileLayout<'_>,
    number: usize,
    file: &SourceFile,
    run: Option<&RunLines>,
    has_effects: bool,
) -> Markup {
    let FileLayout { rows, texts, .. } = layout;
    let one = |row: &Row| {
        let side = |version: Version, at: Option<usize>| {
            let line = at.map(|at| (at as u32 + 1, texts[version][at]));
            let marks =
                line.map(|(line, _)| marks(version, (number, line), file, run, has_effects));
            cell(version, number, line, marks.unwrap_or_default())
        };
        html! {
            div.r.d[row.is_changed] {
                (side(Version::Old, row.old))
                (side(Version::New, row.new))
            }
        }
    };
    html! {
        @for group in rows.chunk_by(|one, other| one.state == other.state) {
            @match group[0].state {
                State::Shown => div.seg { @for row in group { (one(row)) } },
                State::Folded => details.fold {
                    summary { "… " (counted(group.len() as u64, "unchanged line", "unchanged lines")) }
                    div.seg { @for row in group { (one(row)) } }
                },
                State::Left => p.left { (left_out(group, file)) },
            }
        }
    }
}

/// What a gap leaves out.
fn left_out(group: &[Row], file: &SourceFile) -> String {
    let lines = counted(group.len() as u64, "line", "lines");
    let of = |version: Version, at: fn(&Row) -> Option<usize>| {
        let within: Vec<u32> = group.iter().filter_map(|row| Some(at(row)? as u32 + 1)).collect();
        let functions = file.sides[version].iter().flat_map(|side| &side.functions);
        let (first, last) = (within.first().copied(), within.last().copied());
        let holds = |line: u32| first <= Some(line) && Some(line) <= last;
        functions.filter(|one| holds(one.first)).map(|one| one.name.as_str()).collect::<Vec<_>>()
    };
    let mut names = of(Version::New, |row| row.new);
    if names.is_empty() {
        names = of(Version::Old, |row| row.old);
    }
    if names.is_empty() {
        return format!("… {lines} left out");
    }
    let functions = counted(names.len() as u64, "function", "functions");
    let names = names.iter().map(|name| printable(name.as_bytes())).collect();
    format!("… {lines} left out, with {functions}: {}", first(names, MOST_NAMES))
}

/// The annotations of a line, and its classes.
#[derive(Default)]
struct Marks {
    text: String,
    class: &'static str,
}

fn marks(
    version: Version,
    at: FileLine,
    file: &SourceFile,
    run: Option<&RunLines>,
    has_effects: bool,
) -> Marks {
    let Some(side) = &file.sides[version] else { return Marks::default() };
    let has = |lines: &[u32]| lines.binary_search(&at.1).is_ok();
    let in_run = |lines: &[Vec<FileLine>; 2]| lines[version].binary_search(&at).is_ok();
    let is_changed = has(&side.changed);
    let is_infected = run.is_some_and(|run| in_run(&run.infected));
    let is_executed = run.is_some_and(|run| in_run(&run.executed));
    let is_unaffected = has_effects && is_unaffected(side, at.1);
    let mut text = String::new();
    text.push_str(if is_changed { "Δ" } else { "" });
    let (sign, class) = if is_infected {
        ("≠", "in")
    } else if is_executed {
        ("•", "ex")
    } else {
        ("", if is_unaffected { "un" } else { "" })
    };
    text.push_str(sign);
    text.push_str(if is_unaffected { "○" } else { "" });
    Marks { text, class }
}

fn is_unaffected(side: &SideFile, line: u32) -> bool {
    side.code.binary_search(&line).is_ok() && side.affected.binary_search(&line).is_err()
}

fn cell(version: Version, number: usize, line: Option<(u32, &[u8])>, marks: Marks) -> Markup {
    html! {
        @match line {
            Some((line, text)) => {
                span.n id=(id(version, (number, line))) { (line) }
                span.m { (marks.text) }
                code class=[(!marks.class.is_empty()).then_some(marks.class)] {
                    (visible::text(text, MOST_OF_LINE))
                }
            }
            None => { span.n {} span.m {} code.none {} }
        }
    }
}

/// The lines of all runs, for the script of the page.
fn lines_of_runs(runs: &[Option<RunLines>]) -> Markup {
    let lines = |all: &[Vec<FileLine>; 2]| {
        let mut by_file: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (version, lines) in Version::BOTH.into_iter().zip(all) {
            for &(file, line) in lines {
                let name = id(version, (file, line));
                let name = name.split('-').next().unwrap_or_default().to_owned();
                by_file.entry(name).or_default().push(line);
            }
        }
        json!(by_file)
    };
    let of = |run: &Option<RunLines>| match run {
        Some(run) => json!({ "e": lines(&run.executed), "i": lines(&run.infected) }),
        None => Value::Null,
    };
    let all: Vec<Value> = runs.iter().map(of).collect();
    // Only our own numbers and names; still, nothing in it may close the element.
    let text = Value::from(all).to_string().replace('<', "\\u003c");
    html! { script #runs type="application/json" { (PreEscaped(text)) } }
}

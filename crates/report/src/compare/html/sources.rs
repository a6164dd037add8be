//! The source of both versions side by side, with annotations of every line.
//!
//! Marks are beside the lines, so that nothing depends on colour alone. Unchanged lines of no
//! interest are folded, not omitted, so that every link finds its line. The marks of a run are
//! those of the first difference until the reader chooses another one.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use effects::compare::illustration::{FileLine, Illustration, RunLines, SideFile, SourceFile};
use effects::compare::{Behaviour, Compared, Witness};
use effects::trial::Place;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::anchors::{Anchors, MOST_LINES, id, lines};
use super::visible;
use crate::counting::counted;
use crate::printable::printable;

/// Lines of context that are not folded.
const CONTEXT: usize = 3;
/// The most lines that are not worth folding.
const FEWEST_FOLDED: usize = 4;
/// The most bytes of a line to show.
const MOST_OF_LINE: usize = 400;
/// The most runs to choose from.
const MOST_RUNS: usize = 50;

/// Two lines side by side, by index.
struct Row {
    old: Option<usize>,
    new: Option<usize>,
    is_changed: bool,
    is_shown: bool,
}

/// Lines of interest, in OLD and in NEW.
type Interest = [BTreeSet<FileLine>; 2];

pub fn section(compared: &Compared, illustration: &Illustration, anchors: &Anchors) -> Markup {
    let interest = interest(compared, illustration, anchors);
    let witnesses = compared.witnesses.iter().take(MOST_RUNS);
    let runs: Vec<Option<&RunLines>> =
        witnesses.map(|witness| illustration.run_of(witness)).collect();
    html! {
        (chooser(&runs))
        (legend(illustration))
        @for (number, file) in illustration.files.iter().enumerate() {
            (one_file(number, file, illustration, runs.first().copied().flatten(), &interest))
        }
        (lines_of_runs(&runs))
    }
}

fn chooser(runs: &[Option<&RunLines>]) -> Markup {
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
    illustration: &Illustration,
    run: Option<&RunLines>,
    interest: &Interest,
) -> Markup {
    let texts = file.sides.each_ref().map(|side| {
        side.as_ref().and_then(|side| side.text.as_deref()).map(lines).unwrap_or_default()
    });
    let [old, new] = texts.each_ref().map(|text| &text[..text.len().min(MOST_LINES)]);
    let mut rows = align(old, new);
    show(&mut rows, number, interest);
    let is_open = rows.iter().any(|row| row.is_shown);
    let left = (texts[0].len() - old.len()) + (texts[1].len() - new.len());
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
                (segments(&rows, number, file, [old, new], run, illustration.has_effects))
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

/// Shown rows and folds, alternating.
fn segments(
    rows: &[Row],
    number: usize,
    file: &SourceFile,
    texts: [&[&[u8]]; 2],
    run: Option<&RunLines>,
    has_effects: bool,
) -> Markup {
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
        @for group in rows.chunk_by(|one, other| one.is_shown == other.is_shown) {
            @if group[0].is_shown {
                div.seg { @for row in group { (one(row)) } }
            } @else {
                details.fold {
                    summary { "… " (counted(group.len() as u64, "unchanged line", "unchanged lines")) }
                    div.seg { @for row in group { (one(row)) } }
                }
            }
        }
    }
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

/// The lines of both texts side by side.
fn align(old: &[&[u8]], new: &[&[u8]]) -> Vec<Row> {
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Histogram, old, new) {
        let (left, right) = (op.old_range(), op.new_range());
        let is_changed = !matches!(op, DiffOp::Equal { .. });
        for at in 0..left.len().max(right.len()) {
            let old = (at < left.len()).then(|| left.start + at);
            let new = (at < right.len()).then(|| right.start + at);
            rows.push(Row { old, new, is_changed, is_shown: false });
        }
    }
    rows
}

/// Marks the rows that are not folded.
fn show(rows: &mut [Row], number: usize, interest: &Interest) {
    let is_in = |version: Version, at: Option<usize>| {
        at.is_some_and(|at| interest[version].contains(&(number, at as u32 + 1)))
    };
    let wanted: Vec<usize> = (0..rows.len())
        .filter(|&at| {
            let row = &rows[at];
            row.is_changed || is_in(Version::Old, row.old) || is_in(Version::New, row.new)
        })
        .collect();
    for &at in &wanted {
        let end = (at + CONTEXT + 1).min(rows.len());
        rows[at.saturating_sub(CONTEXT)..end].iter_mut().for_each(|row| row.is_shown = true);
    }
    if wanted.is_empty() {
        return;
    }
    for group in rows.chunk_by_mut(|one, other| one.is_shown == other.is_shown) {
        if group.len() < FEWEST_FOLDED {
            group.iter_mut().for_each(|row| row.is_shown = true);
        }
    }
}

/// Lines that a reader visits: changed ones, infected ones, and targets of links.
fn interest(compared: &Compared, illustration: &Illustration, anchors: &Anchors) -> Interest {
    let mut interest = Interest::default();
    for (number, file) in illustration.files.iter().enumerate() {
        for (side, lines) in file.sides.iter().zip(&mut interest) {
            let changed = side.iter().flat_map(|side| &side.changed);
            lines.extend(changed.map(|&line| (number, line)));
        }
    }
    for run in illustration.runs.iter().take(MOST_RUNS) {
        for (infected, lines) in run.infected.iter().zip(&mut interest) {
            lines.extend(infected.iter().copied());
        }
    }
    for witness in &compared.witnesses {
        for (version, place) in linked(witness) {
            interest[version].extend(anchors.of_place(version, place));
        }
    }
    interest
}

/// The places that the report of a difference links to.
fn linked(witness: &Witness) -> Vec<(Version, &Place)> {
    let mut places = Vec::new();
    let links = witness.why.iter().flat_map(|why| &why.chain);
    for link in links {
        places.extend(link.old.iter().map(|place| (Version::Old, place)));
        places.extend(link.new.iter().map(|place| (Version::New, place)));
    }
    let behaviours: [&Behaviour; 2] = [&witness.old, &witness.new];
    for (version, behaviour) in Version::BOTH.into_iter().zip(behaviours) {
        let stack = behaviour.fault.iter().flat_map(|fault| &fault.stack);
        places.extend(stack.map(|place| (version, place)));
    }
    places
}

/// The lines of all runs, for the script of the page.
fn lines_of_runs(runs: &[Option<&RunLines>]) -> Markup {
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
    let of = |run: &Option<&RunLines>| match run {
        Some(run) => json!({ "e": lines(&run.executed), "i": lines(&run.infected) }),
        None => Value::Null,
    };
    let all: Vec<Value> = runs.iter().map(of).collect();
    // Only our own numbers and names; still, nothing in it may close the element.
    let text = Value::from(all).to_string().replace('<', "\\u003c");
    html! { script #runs type="application/json" { (PreEscaped(text)) } }
}

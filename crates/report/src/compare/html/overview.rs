//! The overview: the verdict, its basis, and what changed.

use base::Version;
use effects::compare::{Class, Compared, Verdict};
use effects::versions::{ChangedFunction, HunkStatus, NamedFunction};
use maud::{Markup, html};
use source::Checkout;

use super::anchors::Anchors;
use super::{change, visible};
use crate::compare::brief;
use crate::compare::text::{unchanged_functions, verdict_sentence};
use crate::counting::{counted, first, grouped};
use crate::hunks::{self, Counted};
use crate::printable::printable;
use crate::{notes, words};

/// The most functions to list, and statements of each.
const MOST_FUNCTIONS: usize = 60;
const MOST_STATEMENTS: usize = 12;
/// The most hunks to list.
const MOST_HUNKS: usize = 200;
/// The most bytes of a name.
const MOST_OF_NAME: usize = 200;

pub fn verdict(compared: &Compared) -> Markup {
    let (class, sign) = match compared.verdict {
        Verdict::Different => ("different", "≠"),
        Verdict::Equal => ("equal", "="),
        Verdict::Accepted => ("equal", "✓"),
        Verdict::Inconclusive => ("inconclusive", "?"),
    };
    let mut unreachable = String::new();
    hunks::write_unreachable(&mut unreachable, compared.reach, compared.entry.as_deref());
    html! {
        div class={ "verdict " (class) } {
            p.badge { span aria-hidden="true" { (sign) " " } (words::verdict_name(compared.verdict)) }
            @if !unreachable.is_empty() { p.sentence { strong { (unreachable.trim_end()) "." } } }
            p.sentence { (verdict_sentence(compared)) "." }
        }
    }
}

pub fn section(compared: &Compared, anchors: &Anchors) -> Markup {
    html! {
        (tiles(compared))
        (subject(compared))
        @if let Some(illustration) = &compared.illustration { (change::diff(illustration)) }
        h2.minor { "What changed" }
        (changes(compared, anchors))
        (hunk_table(&compared.hunks(), Counted::Runs, compared.entry.as_deref()))
        (notes(compared))
    }
}

fn tiles(compared: &Compared) -> Markup {
    let changes = &compared.changes;
    let statements: usize = changes.functions.iter().map(|f| f.statements.len()).sum();
    let by_class = [
        Class::FaultAppeared,
        Class::DoesNotEnd,
        Class::OutputChanged,
        Class::Ends,
        Class::FaultDisappeared,
        Class::UndefinedAppeared,
        Class::UndefinedDisappeared,
        Class::UnwrittenAppeared,
        Class::UnwrittenDisappeared,
        Class::PositionChanged,
    ];
    let count = |class: Class| compared.witnesses.iter().filter(|w| w.class == class).count();
    let tests = compared.illustration.as_ref().map(|one| &one.tests);
    html! {
        ul.tiles {
            li {
                b { (compared.witnesses.len()) } " " (plural(compared.witnesses.len(), "difference", "differences"))
                @for class in by_class {
                    @if count(class) > 0 { small { (count(class)) "× " (words::class(class)) } }
                }
                @if compared.only_inconsistent() > 0 {
                    small { (compared.only_inconsistent()) " only for inconsistent input" }
                }
            }
            li {
                b { (grouped(statements as u64)) } " " (plural(statements, "changed statement", "changed statements"))
                small { "in " (counted(changes.functions.len() as u64, "function", "functions")) }
                @if changes.added.len() + changes.removed.len() > 0 {
                    small { (changes.added.len()) " added, " (changes.removed.len()) " removed" }
                }
            }
            li {
                b { (grouped(compared.effort.total.runs)) } " " (plural(compared.effort.total.runs as usize, "input run", "inputs run"))
                @if compared.effort.total.questions > 0 {
                    small { (counted(compared.effort.total.questions, "solver query", "solver queries")) }
                }
            }
            @if let Some(tests) = tests {
                li {
                    @let noticing = tests.iter().filter(|test| test.differs.is_some()).count();
                    b { (noticing) " of " (tests.len()) } " given tests"
                    small { "show a difference" }
                }
            }
        }
    }
}

fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// The subject of the comparison.
fn subject(compared: &Compared) -> Markup {
    let space = &compared.space;
    html! {
        dl.facts {
            div { dt { "OLD" } dd { (version(&compared.old)) } }
            div { dt { "NEW" } dd { (version(&compared.new)) } }
            (change::facts(compared))
            @if let Some(golden) = &compared.golden {
                div { dt { "Golden version" } dd { (version(golden)) } }
            }
            @if let Some(entry) = &compared.entry {
                div { dt { "Function" } dd { code { (printable(entry.as_bytes())) } } }
            }
            div { dt { "Strategy" } dd { (compared.strategy.name()) } }
            @if space.cells > 0 {
                div { dt { "Input space" } dd {
                    (counted(space.cells as u64, "value varies", "values vary"))
                    @if let Some(size) = space.size { ", " (about(size)) " inputs in all" }
                } }
            }
            @for assumption in &space.assumptions {
                div { dt { "Assumed" } dd { (printable(assumption.to_string().as_bytes())) } }
            }
        }
    }
}

/// Large numbers are rounded to their magnitude.
fn about(number: u128) -> String {
    match u64::try_from(number) {
        Ok(small @ 0..1_000_000_000_000) => grouped(small),
        _ => format!("about {:.1e}", number as f64),
    }
}

fn version(checkout: &Checkout) -> Markup {
    html! {
        (printable(visible::cut(checkout.name.as_bytes(), MOST_OF_NAME).0))
        @if let Some(revision) = &checkout.revision {
            " (commit " code { (revision.commit.get(..12).unwrap_or(&revision.commit)) } ")"
        }
    }
}

fn changes(compared: &Compared, anchors: &Anchors) -> Markup {
    let changes = &compared.changes;
    if changes.is_empty() {
        return html! {
            p {
                "Nothing that affects behaviour."
                @for (what, functions) in unchanged_functions(compared) {
                    " Only " (what) " differs in "
                    (names(functions.iter().map(String::as_str))) "."
                }
            }
        };
    }
    html! {
        ul.changes {
            @for function in changes.functions.iter().take(MOST_FUNCTIONS) {
                li { (changed_function(function, anchors)) }
            }
            @if changes.functions.len() > MOST_FUNCTIONS {
                li { (changes.functions.len() - MOST_FUNCTIONS) " more changed functions" }
            }
            (named("added function", &changes.added, Version::New, anchors))
            (named("removed function", &changes.removed, Version::Old, anchors))
            @if !changes.globals.is_empty() {
                li {
                    "changed global variables: "
                    (names(changes.globals.iter().map(|global| global.name.as_str())))
                }
            }
        }
    }
}

/// The status of every hunk.
pub(crate) fn hunk_table(hunks: &[HunkStatus], unit: Counted, entry: Option<&str>) -> Markup {
    let rows = hunks::rows(&hunks[..hunks.len().min(MOST_HUNKS)], unit, entry);
    html! {
        @if !rows.is_empty() {
            h2.minor { "Hunks" }
            div.scroll tabindex="0" role="region" aria-label="Hunks of the change" {
                table.hunks {
                    thead { tr {
                        th scope="col" { "hunk" } th scope="col" { "lines" }
                        th scope="col" { "status" }
                    } }
                    tbody {
                        @for (number, place, status) in &rows {
                            tr { td.num { (number) } td { code { (place) } } td { (status) } }
                        }
                    }
                }
            }
            @if hunks.len() > MOST_HUNKS { p { (hunks.len() - MOST_HUNKS) " more hunks" } }
        }
    }
}

fn changed_function(function: &ChangedFunction, anchors: &Anchors) -> Markup {
    html! {
        code { (printable(function.name.as_bytes())) } ": "
        @if function.signature { "its signature; " }
        @for (index, statement) in function.statements.iter().take(MOST_STATEMENTS).enumerate() {
            @if index > 0 { ", " }
            @match (&statement.new, &statement.old) {
                (Some(at), _) => (anchors.link_to(Version::New, &at.file, at.line)),
                (None, Some(at)) => { (anchors.link_to(Version::Old, &at.file, at.line)) " of OLD" }
                (None, None) => "?",
            }
            " " (crate::changes::kind_word(statement.kind))
        }
        @if function.statements.len() > MOST_STATEMENTS {
            " and " (function.statements.len() - MOST_STATEMENTS) " more"
        }
    }
}

fn named(what: &str, functions: &[NamedFunction], version: Version, anchors: &Anchors) -> Markup {
    html! {
        @for function in functions.iter().take(MOST_FUNCTIONS) {
            li {
                (what) " " code { (printable(function.name.as_bytes())) }
                @if let Some(place) = &function.place {
                    ": " (anchors.link_to(version, &place.file, place.line))
                }
            }
        }
        @if functions.len() > MOST_FUNCTIONS {
            li { (functions.len() - MOST_FUNCTIONS) " more " (what) "s" }
        }
    }
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    first(names.map(|name| printable(name.as_bytes())).collect(), MOST_FUNCTIONS)
}

/// Notes, in the words of the text report.
fn notes(compared: &Compared) -> Markup {
    let mut text = String::new();
    brief::write_accepted(&mut text, compared);
    notes::write_positions(&mut text, &compared.positions);
    brief::write_space(&mut text, compared);
    brief::write_unconfirmed(&mut text, compared);
    brief::write_slower(&mut text, compared);
    brief::write_hidden(&mut text, compared);
    brief::write_limits(&mut text, compared);
    brief::write_advice(&mut text, compared);
    html! {
        @if !text.is_empty() {
            h2.minor { "Notes" }
            ul.notes { @for line in text.lines() { li { (line.trim_start()) } } }
        }
    }
}

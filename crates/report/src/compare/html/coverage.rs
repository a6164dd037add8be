//! How the given tests cover the change: which changed statements each of them executes, and
//! whether one of them shows a difference.

use base::Version;
use effects::compare::illustration::{Illustration, TestRun};
use effects::compare::{Compared, Verdict};
use effects::versions::{ChangedStatement, Place};
use maud::{Markup, html};

use super::anchors::Anchors;
use super::visible;
use crate::changes::kind_word;
use crate::compare::typed;
use crate::counting::counted;
use crate::printable::printable;

/// The most names of tests to show for one statement.
const SHOWN_TESTS: usize = 6;
/// The most bytes of a line, and of an input.
const MOST_OF_LINE: usize = 120;
/// The most statements to list.
const MOST_STATEMENTS: usize = 1000;

/// A changed statement, or an added function.
struct Changed<'a> {
    number: usize,
    kind: &'static str,
    function: &'a str,
    old: Option<&'a Place>,
    new: Option<&'a Place>,
    text: Option<&'a str>,
}

pub fn section(compared: &Compared, illustration: &Illustration, anchors: &Anchors) -> Markup {
    let changes = changed(compared);
    let tests = &illustration.tests;
    if tests.is_empty() {
        return html! {
            p {
                "No tests were run: "
                @if illustration.tests_left_out > 0 { "those given are not in the input space." }
                @else { "none were given (" code { "--tests" } ")." }
            }
        };
    }
    let is_covered =
        |change: &&Changed<'_>| tests.iter().any(|test| test.changes.contains(&change.number));
    let covered = changes.iter().filter(is_covered).count();
    let noticing: Vec<&TestRun> = tests.iter().filter(|test| test.differs.is_some()).collect();
    html! {
        p {
            (counted(tests.len() as u64, "test was", "tests were")) " run. They execute "
            strong { (covered) " of " (counted(changes.len() as u64, "change", "changes")) } "."
            @if illustration.tests_left_out > 0 {
                " " (counted(illustration.tests_left_out as u64, "test was", "tests were"))
                " left out."
            }
        }
        p.meter {
            meter min="0" max=(changes.len()) value=(covered)
                aria-label="changes that the tests execute" {}
        }
        p {
            @if !noticing.is_empty() {
                (counted(noticing.len() as u64, "test shows", "tests show"))
                " a difference: " (names(&noticing)) "."
            } @else if compared.verdict == Verdict::Different {
                strong { "No test shows a difference" } ", so these tests would not notice it."
            } @else {
                "No test shows a difference."
            }
        }
        (table(&changes, tests, anchors))
        details {
            summary { "The tests" }
            ol.plain {
                @for test in tests.iter().take(MOST_STATEMENTS) {
                    li id={ "t" (test.number) } {
                        (name(test)) ": "
                        code { (visible::text(typed(compared, &test.test).as_bytes(), MOST_OF_LINE)) }
                        @if test.differs.is_some() { strong { " shows a difference" } }
                    }
                }
            }
        }
    }
}

fn table(changes: &[Changed<'_>], tests: &[TestRun], anchors: &Anchors) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Changes and the tests that execute them" {
            table {
                caption { "Changes and the tests that execute them" }
                thead { tr {
                    th.num scope="col" { "change" } th scope="col" { "where" }
                    th scope="col" { "statement" } th scope="col" { "executed by" }
                } }
                tbody {
                    @for change in changes.iter().take(MOST_STATEMENTS) {
                        @let by: Vec<&TestRun> = tests.iter()
                            .filter(|test| test.changes.contains(&change.number)).collect();
                        tr.uncovered[by.is_empty()] {
                            th.num scope="row" { (change.number) }
                            td {
                                (change.kind) " in " (printable(change.function.as_bytes())) ", "
                                (place(change, anchors))
                            }
                            td { code { @if let Some(text) = change.text {
                                (visible::text(text.as_bytes(), MOST_OF_LINE))
                            } } }
                            td { @if by.is_empty() { strong { "✗ no test" } } @else { "✓ " (names(&by)) } }
                        }
                    }
                }
            }
        }
        @if changes.len() > MOST_STATEMENTS {
            p.note { (counted((changes.len() - MOST_STATEMENTS) as u64, "more change is", "more changes are")) " not listed." }
        }
    }
}

fn place(change: &Changed<'_>, anchors: &Anchors) -> Markup {
    html! {
        @match (change.new, change.old) {
            (Some(at), _) => (anchors.link_to(Version::New, &at.file, at.line)),
            (None, Some(at)) => { (anchors.link_to(Version::Old, &at.file, at.line)) " of OLD" }
            (None, None) => "?",
        }
    }
}

fn name(test: &TestRun) -> String {
    match &test.test.name {
        Some(name) => printable(visible::cut(name.as_bytes(), MOST_OF_LINE).0),
        None => format!("test {}", test.number),
    }
}

fn names(tests: &[&TestRun]) -> Markup {
    html! {
        @for (index, test) in tests.iter().take(SHOWN_TESTS).enumerate() {
            @if index > 0 { ", " }
            (name(test))
        }
        @if tests.len() > SHOWN_TESTS { " and " (tests.len() - SHOWN_TESTS) " more" }
    }
}

fn changed(compared: &Compared) -> Vec<Changed<'_>> {
    let mut all = Vec::new();
    for function in &compared.changes.functions {
        let one = |statement: &'_ ChangedStatement| (statement.number, kind_word(statement.kind));
        for statement in &function.statements {
            let (number, kind) = one(statement);
            all.push(Changed {
                number,
                kind,
                function: &function.name,
                old: statement.old.as_ref(),
                new: statement.new.as_ref(),
                text: statement.new_text.as_deref().or(statement.old_text.as_deref()),
            });
        }
    }
    // Added functions are numbered after all statements.
    for function in &compared.changes.added {
        all.push(Changed {
            number: all.len() + 1,
            kind: "added function",
            function: &function.name,
            old: None,
            new: function.place.as_ref(),
            text: None,
        });
    }
    all
}

//! The adequacy of tests as one page of HTML that needs nothing else. Chain trees fold.

use effects::adequacy::{Adequacy, ChangedLine, TreeRow, Verdict};
use maud::{Markup, PreEscaped, html};

use super::text::{coverage_name, meaning, sign};
use super::{limit, place, sentence, steps, tests, verdict_name};
use crate::page::Page;
use crate::places::position;
use crate::printable::{printable, source_line};

/// The most rows of a list, and chains of a tree.
const MOST_ROWS: usize = 200;
const MOST_CHAINS: usize = 2_000;
/// How far trees are open at first, and how deep they nest: browsers limit that.
const OPEN: u32 = 2;
const DEEPEST: u32 = 100;

pub fn html(adequacy: &Adequacy) -> String {
    let name = verdict_name(adequacy.verdict);
    let page = Page {
        title: &format!("{name}: {}", tests(adequacy.tests.len())),
        head: html! {},
        main: html! {
            (overview(adequacy))
            @if adequacy.verdict != Verdict::NothingToTest {
                (coverage(adequacy))
                (missing(adequacy))
                (mutants(adequacy))
                (trees(adequacy))
            }
        },
        footer: "Tests ran on Ripple's machine; differences of changed lines that count as shown \
                 were replayed on the native programs.",
        script: None,
    };
    page.text()
}

/// The class of the verdict's badge, as other pages have it.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Adequate | Verdict::NothingToTest => "equal",
        Verdict::Inadequate => "different",
        Verdict::Inconclusive => "inconclusive",
    }
}

fn overview(adequacy: &Adequacy) -> Markup {
    html! {
        section #overview aria-labelledby="h-overview" {
            h1 #h-overview { "Do the tests notice the change?" }
            div class={ "verdict " (class(adequacy.verdict)) } {
                p.badge { (verdict_name(adequacy.verdict)) }
                p.sentence { (sentence(adequacy)) "." }
            }
            ul.plain {
                li { "OLD: " code { (printable(adequacy.old.name.as_bytes())) } }
                li { "NEW: " code { (printable(adequacy.new.name.as_bytes())) } }
            }
            @if !adequacy.limits.is_empty() {
                ul.notes { @for one in &adequacy.limits { li { (limit(one)) } } }
            }
            @if !adequacy.lines.is_empty() { (lines(adequacy)) }
        }
    }
}

fn lines(adequacy: &Adequacy) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Changed lines" {
            table {
                thead { tr {
                    th scope="col" { "changed line" } th scope="col" { "reach" }
                    th scope="col" { "infect" } th scope="col" { "propagate" }
                    th scope="col" { "show" } th scope="col" { "detectability" }
                } }
                tbody { @for line in adequacy.lines.iter().take(MOST_ROWS) { tr {
                    td {
                        (place(line)) br;
                        code { (source_line(line.place.text.as_deref().unwrap_or_default()).trim()) }
                    }
                    td.num { (line.counts.reach) } td.num { (line.counts.infect) }
                    td.num { (line.counts.propagate) } td.num { (line.counts.show) }
                    td.num { @if let Some(share) = line.counts.detectability() {
                        (format!("{:.1} %", share * 100.0))
                    } }
                } } }
            }
        }
    }
}

fn coverage(adequacy: &Adequacy) -> Markup {
    html! {
        section #coverage aria-labelledby="h-coverage" {
            h2 #h-coverage { "Coverage" }
            div.scroll tabindex="0" role="region" aria-label="Coverage" {
                table {
                    thead { tr {
                        th scope="col" { "criterion" } th scope="col" { "satisfied" }
                        th scope="col" { "required" } th scope="col" { "share" }
                        th scope="col" { "of" }
                    } }
                    tbody { @for one in &adequacy.criteria { tr {
                        td { (coverage_name(one)) }
                        td.num { (one.satisfied) } td.num { (one.total) }
                        td.num { @if one.total > 0 { (format!("{:.1} %", one.percent())) } }
                        td { (meaning(one.criterion)) }
                    } } }
                }
            }
        }
    }
}

fn missing(adequacy: &Adequacy) -> Markup {
    html! {
        @if !adequacy.missing.is_empty() {
            section #missing aria-labelledby="h-missing" {
                h2 #h-missing { "What is missing" }
                ol { @for one in adequacy.missing.iter().take(MOST_ROWS) {
                    li { code { (position(&one.change)) } ": " (steps::missing(one)) }
                } }
                @if adequacy.missing.len() > MOST_ROWS {
                    p { (adequacy.missing.len() - MOST_ROWS) " more are in the JSON report." }
                }
            }
        }
    }
}

fn mutants(adequacy: &Adequacy) -> Markup {
    let all = adequacy.mutants.as_deref().unwrap_or_default();
    html! {
        @if !all.is_empty() {
            section #mutants aria-labelledby="h-mutants" {
                h2 #h-mutants { "Mutants of the change" }
                ul { @for mutant in all.iter().take(MOST_ROWS) {
                    li {
                        code { (position(&mutant.place)) } ": " (steps::edit(&mutant.edit)) ": "
                        (steps::fate(&mutant.fate))
                    }
                } }
                @if all.len() > MOST_ROWS {
                    p { (all.len() - MOST_ROWS) " more are in the JSON report." }
                }
            }
        }
    }
}

fn trees(adequacy: &Adequacy) -> Markup {
    html! {
        section #chains aria-labelledby="h-chains" {
            h2 #h-chains { "Chains of dependences" }
            p { "● taken with a different state, ◐ taken with the same state, ○ not taken" }
            @for line in adequacy.lines.iter().filter(|line| !line.tree.is_empty()) {
                h3 { (place(line)) }
                (PreEscaped(tree(line)))
            }
        }
    }
}

/// Nested lists, from rows in the order of a walk.
fn tree(line: &ChangedLine) -> String {
    let rows: Vec<&TreeRow> = line.tree.iter().take(MOST_CHAINS).collect();
    let mut text = String::new();
    let mut open: Vec<u32> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let length = row.length.min(DEEPEST);
        while open.last().is_some_and(|&last| last >= length) {
            open.pop();
            text += "</div></details>";
        }
        let has_children = rows.get(index + 1).is_some_and(|next| next.length > row.length);
        if has_children && row.length < DEEPEST {
            let start = if row.length < OPEN { "<details open>" } else { "<details>" };
            text += &format!("{start}<summary>{}</summary>", label(row).into_string());
            text += "<div style=\"margin-left:1.5rem\">";
            open.push(length);
        } else {
            text += &html! { p { (label(row)) } }.into_string();
        }
    }
    text + &"</div></details>".repeat(open.len())
}

fn label(row: &TreeRow) -> Markup {
    html! {
        (sign(row)) " "
        @match &row.step {
            None => { "executed" }
            Some(step) => {
                (steps::through(&step.through)) " → " (position(&step.to)) " "
                code { (source_line(step.to.text.as_deref().unwrap_or_default()).trim()) }
            }
        }
        @if row.covered > 0 {
            " " span.count { (row.covered) " / " (row.propagated) }
        }
    }
}

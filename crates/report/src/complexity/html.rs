//! Complexity as a page: a plot over time and a ranking.

use std::cmp::Reverse;

use maud::{Markup, html};

use super::{Measured, date, short};
use crate::page::Page;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 44.0;
/// The most functions to name in a row of the ranking.
const MOST_FUNCTIONS: usize = 3;

/// The whole page.
pub fn html(measured: &[Measured]) -> String {
    let page = Page {
        title: "Change complexity",
        head: html! {},
        main: html! {
            (summary(measured))
            section #time aria-labelledby="h-time" {
                h2 #h-time { "Over time" }
                (plot(measured))
            }
            section #ranking aria-labelledby="h-ranking" {
                h2 #h-ranking { "Ranking" }
                (ranking(measured))
            }
        },
        footer: "Nothing was built or run.",
        script: None,
    };
    page.text()
}

fn summary(measured: &[Measured]) -> Markup {
    let mut values: Vec<u64> = measured.iter().map(|m| m.complexity.cycc).collect();
    values.sort_unstable();
    let median = values.get(values.len() / 2).copied().unwrap_or(0);
    let highest = values.last().copied().unwrap_or(0);
    html! {
        section #overview aria-labelledby="h-overview" {
            h1 #h-overview { "Change complexity" }
            p {
                (measured.len()) " changes. CyCC: median " (median) ", highest " (highest) ". \
                 CyCC counts the linearly independent sequences of changed statements, CLoC the \
                 changed executable lines."
            }
        }
    }
}

/// A point per change, by time; the vertical scale is logarithmic, because complexities are.
fn plot(measured: &[Measured]) -> Markup {
    let time = |m: &Measured| m.commit.as_ref().map_or(0, |commit| commit.time);
    let first = measured.iter().map(time).min().unwrap_or(0);
    let last = measured.iter().map(time).max().unwrap_or(0);
    let highest = measured.iter().map(|m| m.complexity.cycc).max().unwrap_or(0).max(1);
    let top = ((highest + 1) as f64).log2();
    let x = |seconds: i64| match last as f64 - first as f64 {
        0.0 => WIDTH / 2.0,
        span => MARGIN + (seconds as f64 - first as f64) / span * (WIDTH - 2.0 * MARGIN),
    };
    let y =
        |cycc: u64| HEIGHT - MARGIN - ((cycc + 1) as f64).log2() / top * (HEIGHT - 2.0 * MARGIN);
    let ticks = std::iter::successors(Some(0), |tick| Some(tick * 4 + 3));
    let (right, bottom) = (WIDTH - MARGIN, HEIGHT - MARGIN);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Plot of the complexity" {
            svg.plot viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
                aria-label="CyCC over time; the table below has the numbers" {
                @for tick in ticks.take_while(|tick| *tick <= highest) {
                    @let at = y(tick);
                    line.grid x1=(MARGIN) y1=(format!("{at:.1}"))
                        x2=(right) y2=(format!("{at:.1}")) {}
                    text x=(MARGIN - 6.0) y=(format!("{:.1}", at + 4.0)) text-anchor="end" {
                        (tick)
                    }
                }
                line.axis x1=(MARGIN) y1=(bottom) x2=(right) y2=(bottom) {}
                @if measured.iter().any(|m| m.commit.is_some()) {
                    text x=(MARGIN) y=(bottom + 18.0) { (date(first)) }
                    text x=(right) y=(bottom + 18.0) text-anchor="end" { (date(last)) }
                }
                @for one in measured {
                    circle.change cx=(format!("{:.1}", x(time(one))))
                        cy=(format!("{:.1}", y(one.complexity.cycc))) r="4" {
                        title { (title(one)) }
                    }
                }
            }
        }
    }
}

fn title(measured: &Measured) -> String {
    let what = match &measured.commit {
        Some(commit) => format!("{} {}", short(&commit.id), commit.subject),
        None => "the change".to_owned(),
    };
    let found = &measured.complexity;
    format!("CyCC {}, CLoC {}: {what}", found.cycc, found.cloc())
}

fn ranking(measured: &[Measured]) -> Markup {
    let mut ranked: Vec<&Measured> = measured.iter().collect();
    ranked.sort_by_key(|m| Reverse((m.complexity.cycc, m.complexity.cloc())));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Ranking" {
            table {
                thead { tr {
                    th.num scope="col" { "CyCC" } th.num scope="col" { "CLoC" }
                    th scope="col" { "Commit" } th scope="col" { "Date" }
                    th scope="col" { "Subject" } th scope="col" { "Most complex functions" }
                } }
                tbody { @for one in ranked { (row(one)) } }
            }
        }
    }
}

fn row(measured: &Measured) -> Markup {
    let found = &measured.complexity;
    let commit = measured.commit.as_ref();
    let mut functions: Vec<_> = found.functions.iter().collect();
    functions.sort_by_key(|function| Reverse(function.cycc));
    html! {
        tr {
            td.num { (found.cycc) }
            td.num { (found.cloc()) }
            td { @if let Some(commit) = commit { code { (short(&commit.id)) } } }
            td { @if let Some(commit) = commit { (date(commit.time)) } }
            td { @if let Some(commit) = commit { (commit.subject) } }
            td {
                @for (index, function) in functions.iter().take(MOST_FUNCTIONS).enumerate() {
                    @if index > 0 { ", " }
                    code { (function.name) } " " (function.cycc)
                }
                @if !found.unparsed.is_empty() {
                    " " small { "(" (found.unparsed.len()) " not understood)" }
                }
            }
        }
    }
}

//! The cost of the search, as a plot and as a table.
//!
//! The axis is counted work, not time, so that the same search gives the same plot. It is logarithmic: most differences are found in the first thousandth of the work.

use effects::compare::Compared;
use explore::pair::PairEffort;
use maud::{Markup, html};

use crate::counting::{counted, grouped};

const WIDTH: f64 = 640.0;
const LEFT: f64 = 36.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const HEIGHT: f64 = 110.0;
const BAR: f64 = 16.0;

pub fn section(compared: &Compared) -> Markup {
    let effort = &compared.effort;
    if effort.total.runs == 0 {
        return html! { p { "Nothing was run." } };
    }
    html! {
        (plot(compared))
        (table(compared))
    }
}

/// The horizontal position of some work, out of a total.
fn across(work: u64, all: u64) -> f64 {
    let share = ((work + 1) as f64).ln() / ((all + 1) as f64).ln().max(1.0);
    LEFT + share.min(1.0) * (WIDTH - LEFT - RIGHT)
}

fn plot(compared: &Compared) -> Markup {
    let effort = &compared.effort;
    let mut found: Vec<u64> =
        compared.witnesses.iter().map(|witness| witness.found_after.work()).collect();
    found.sort_unstable();
    let all = effort.total.work().max(found.last().copied().unwrap_or(0)).max(1);
    let most = found.len().max(1) as f64;
    let base = TOP + HEIGHT;
    let height = |count: usize| base - HEIGHT * count as f64 / most;
    let mut steps = format!("M{LEFT:.1},{base:.1}");
    for (index, &work) in found.iter().enumerate() {
        let x = across(work, all);
        steps.push_str(&format!(" H{x:.1} V{:.1}", height(index + 1)));
    }
    steps.push_str(&format!(" H{:.1}", WIDTH - RIGHT));
    let milestones = &effort.milestones;
    let stations = [
        ("reached", milestones.reached),
        ("infected", milestones.infected),
        ("propagated", milestones.propagated),
    ];
    let bottom = base + 24.0;
    html! {
        figure {
            div.scroll tabindex="0" role="region" aria-label="Plot of the effort" {
            svg.plot viewBox={ "0 0 " (WIDTH) " " (bottom + BAR + 8.0) } role="img"
                aria-label="Differences found by work done; the table below has the numbers" {
                line.axis x1=(LEFT) y1=(base) x2=(WIDTH - RIGHT) y2=(base) {}
                line.axis x1=(LEFT) y1=(TOP) x2=(LEFT) y2=(base) {}
                text.tick x=(LEFT - 6.0) y=(base) text-anchor="end" { "0" }
                text.tick x=(LEFT - 6.0) y=(TOP + 6.0) text-anchor="end" { (found.len()) }
                @for power in 0..20_u32 {
                    @if let Some(work) = 10_u64.checked_pow(power) {
                        @if work <= all {
                            line.grid x1=(format!("{:.1}", across(work, all))) y1=(TOP)
                                x2=(format!("{:.1}", across(work, all))) y2=(base + 4.0) {}
                            text.tick x=(format!("{:.1}", across(work, all))) y=(base + 16.0)
                                text-anchor="middle" { (short(work)) }
                        }
                    }
                }
                path.found d=(steps) {}
                @for (row, (name, when)) in stations.iter().enumerate() {
                    @if let Some(when) = when {
                        @let x = across(when.work(), all);
                        line.station x1=(format!("{x:.1}")) y1=(TOP - 8.0) x2=(format!("{x:.1}")) y2=(base) {}
                        text.tick x=(format!("{:.1}", x + 3.0)) y=(TOP - 24.0 + 11.0 * row as f64) { (name) }
                    }
                }
                (shares(compared, bottom))
            }
            }
            figcaption {
                "Differences found (line), when the change was first reached, infected the state \
                 and showed (marks), and how the work was shared (bar). Work is counted, not \
                 timed: a run counts 1, a concolic run 20, a question 5, a call of the SAT solver \
                 500; the scale is logarithmic."
            }
        }
    }
}

/// How the work was shared among strategies.
fn shares(compared: &Compared, y: f64) -> Markup {
    let strategies: Vec<(&str, u64)> = compared
        .effort
        .strategies
        .iter()
        .map(|(name, spent, _)| (*name, spent.work()))
        .filter(|(_, work)| *work > 0)
        .collect();
    let all: u64 = strategies.iter().map(|(_, work)| work).sum();
    let mut x = LEFT;
    let mut bars = Vec::new();
    for (index, (name, work)) in strategies.iter().enumerate() {
        let width = *work as f64 / all.max(1) as f64 * (WIDTH - LEFT - RIGHT);
        bars.push((index, *name, x, width));
        x += width;
    }
    html! {
        @for (index, name, x, width) in bars {
            rect class={ "share s" (index % 6) } x=(format!("{x:.1}")) y=(y)
                width=(format!("{width:.1}")) height=(BAR) {}
            @if width > 7.0 * name.len() as f64 + 8.0 {
                text.share x=(format!("{:.1}", x + 4.0)) y=(y + 12.0) { (name) }
            }
        }
    }
}

/// `10k`.
fn short(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}k", number / 1_000),
        1_000_000..1_000_000_000 => format!("{}M", number / 1_000_000),
        _ => format!("{}G", number / 1_000_000_000),
    }
}

fn table(compared: &Compared) -> Markup {
    let effort = &compared.effort;
    html! {
        div.scroll tabindex="0" role="region" aria-label="Effort by strategy" {
            table {
                caption { "Effort by strategy" }
                thead { tr {
                    th scope="col" { "strategy" } th.num scope="col" { "runs" }
                    th.num scope="col" { "concolic" } th.num scope="col" { "queries" }
                    th.num scope="col" { "by SAT" } th.num scope="col" { "kinds found" }
                } }
                tbody {
                    @for (name, spent, sorts) in &effort.strategies {
                        (row(name, spent, Some(*sorts)))
                    }
                    (row("all, with tests and replays", &effort.total, None))
                }
            }
        }
        @let milestones = &effort.milestones;
        ul.plain {
            li { (station("the change was reached", milestones.reached)) }
            li { (station("the state was infected", milestones.infected)) }
            li { (station("the output differed", milestones.propagated)) }
        }
    }
}

fn station(what: &str, when: Option<PairEffort>) -> String {
    match when {
        Some(effort) => {
            format!("First, {what} after {}.", counted(effort.runs, "run", "runs"))
        }
        None => format!("Never: {what}."),
    }
}

fn row(name: &str, spent: &PairEffort, sorts: Option<u64>) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            td.num { (grouped(spent.runs)) }
            td.num { (grouped(spent.concolic)) }
            td.num { (grouped(spent.questions)) }
            td.num { (grouped(spent.solver_calls)) }
            td.num { @if let Some(sorts) = sorts { (grouped(sorts)) } }
        }
    }
}

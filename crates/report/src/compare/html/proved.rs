//! What is proved: the shares of the input space, when the versions differ, a picture of the
//! partitions and a table of them.

use base::Version;
use effects::compare::Compared;
use effects::proved::{Described, Proved};
use effects::verify::Share;
use effects::versions::Place;
use explore::proved::Verdict;
use maud::{Markup, html};

use super::anchors::Anchors;
use super::planes;
use super::visible;
use crate::compare::typed_input;
use crate::conditions::readable_condition;
use crate::counting::{counted, grouped};
use crate::partitions::{self, Proof, percent, reason, verdict_name};
use crate::printable::harmless;

/// The most rows of the table, bytes of a cell, and places in a cell.
const MOST_ROWS: usize = 100;
const MOST_OF_CELL: usize = 240;
const MOST_PLACES: usize = 6;
const WIDTH: f64 = 640.0;

pub fn section(compared: &Compared, proved: &Proved, anchors: &Anchors) -> Markup {
    let proof = Proof::from(proved);
    html! {
        @if let Some(when) = proof.differs_when {
            p.sentence { "It is proved that " (partitions::differs_when(when)) "." }
        }
        (meter(&proof))
        @if let Some((planes, held)) = &proved.planes {
            (planes::figure(planes, &shortened(&typed_input(compared, held))))
        }
        (table(compared, &proof, anchors))
    }
}

/// Bars for the distributions, with their legend.
pub(crate) fn meter(proof: &Proof<'_>) -> Markup {
    let shares = proof.shares;
    html! {
        figure {
            (bar("All inputs of the declared space", &shares.uniform))
            @if let Some(tests) = &shares.tests {
                (bar(&counted(tests.samples as u64, "given test", "given tests"), tests))
            }
            figcaption {
                @if shares.uniform.is_all {
                    "Shares of the declared input space, which has "
                    (grouped(shares.uniform.samples as u64)) " inputs."
                } @else {
                    "Shares of the declared input space, every value drawn uniformly, estimated \
                     from " (grouped(shares.uniform.samples as u64)) " inputs, with intervals of \
                     95 % confidence. What is proved holds for every input of a partition, not \
                     for the sample alone; only how large partitions are is estimated."
                }
            }
        }
    }
}

fn bar(name: &str, share: &Share) -> Markup {
    let parts = [
        ("eq", "proved equal", share.equal),
        ("df", "proved different", share.different),
        ("un", "unknown", share.unknown),
        ("op", "not explored", share.left),
    ];
    let mut x = 0.0;
    let mut bars = Vec::new();
    for (class, _, portion) in &parts {
        let width = portion.share * WIDTH;
        bars.push((*class, x, width));
        x += width;
    }
    html! {
        p { (name) ":" }
        svg.meter viewBox={ "0 0 " (WIDTH) " 16" } role="img" preserveAspectRatio="none"
            aria-label={ (name) ", by what is proved; the numbers are below" } {
            @for (class, x, width) in bars {
                rect class={ "part " (class) } x=(format!("{x:.1}")) y="0"
                    width=(format!("{width:.1}")) height="16" {}
            }
        }
        dl.legend {
            @for (class, name, portion) in &parts {
                div {
                    dt { span class={ "key " (class) } aria-hidden="true" {} }
                    dd { (name) " " (percent(portion)) }
                }
            }
        }
    }
}

fn table(compared: &Compared, proof: &Proof<'_>, anchors: &Anchors) -> Markup {
    let shown = proof.partitions.len().min(MOST_ROWS);
    let rest = proof.total() - shown;
    html! {
        div.scroll tabindex="0" role="region" aria-label="Partitions" {
            table.partitions {
                caption {
                    (counted(proof.total() as u64, "partition", "partitions"))
                    @if proof.is_complete { ", which cover the whole space" }
                    @else { ", and " (counted(proof.left as u64, "part", "parts")) " of the space left" }
                    @if rest > 0 { "; " (grouped(rest as u64)) " are not shown" }
                }
                thead { tr {
                    th scope="col" { "condition" } th scope="col" { "verdict" }
                    th scope="col" { "for example" } th scope="col" { "OLD shows" }
                    th scope="col" { "NEW shows" } th scope="col" { "changes" }
                    th scope="col" { "because" }
                } }
                tbody {
                    @for one in &proof.partitions[..shown] { (row(compared, one, anchors)) }
                }
            }
        }
    }
}

fn row(compared: &Compared, one: &Described, anchors: &Anchors) -> Markup {
    let sign = match one.verdict {
        Verdict::Equal(_) => "=",
        Verdict::Different => "≠",
        Verdict::Unknown(_) => "?",
    };
    let output = |version: usize| match one.outputs.get(version) {
        Some(text) => html! { code { (visible::text(text.trim_end().as_bytes(), MOST_OF_CELL)) } },
        None => html! {},
    };
    html! {
        tr {
            td { code { (shortened(&harmless(&readable_condition(&one.condition)))) } }
            td { span class={ "key " (key(&one.verdict)) } aria-hidden="true" { (sign) } " " (verdict_name(&one.verdict)) }
            td { code { (shortened(&typed_input(compared, &one.input))) } }
            td { (output(0)) }
            td { (output(1)) }
            td { (places(&one.changes, anchors)) }
            td {
                @if let Some(reason) = reason(&one.verdict) { (harmless(&reason)) }
                @if one.stops.iter().any(|stops| !stops.is_empty()) {
                    ": their effect ends at " (places(&one.stops, anchors))
                }
            }
        }
    }
}

fn key(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Equal(_) => "eq",
        Verdict::Different => "df",
        Verdict::Unknown(_) => "un",
    }
}

/// Places of both versions; those of OLD are marked.
fn places(all: &[Vec<Place>], anchors: &Anchors) -> Markup {
    let of = |version: Version| all.get(version as usize).into_iter().flatten();
    let new = of(Version::New).map(|place| (Version::New, place));
    let old = of(Version::Old).map(|place| (Version::Old, place));
    let all: Vec<(Version, &Place)> = new.chain(old).collect();
    html! {
        @for (index, (version, place)) in all.iter().take(MOST_PLACES).enumerate() {
            @if index > 0 { ", " }
            (anchors.link_to(*version, &place.file, place.line))
            @if *version == Version::Old { " of OLD" }
        }
        @if all.len() > MOST_PLACES { " and " (all.len() - MOST_PLACES) " more" }
    }
}

/// A text in a cell, cut if it is too long.
pub(crate) fn shortened(text: &str) -> String {
    let (kept, left) = visible::cut(text.as_bytes(), MOST_OF_CELL);
    let mut text = harmless(&String::from_utf8_lossy(kept));
    if left > 0 {
        text.push('…');
    }
    text
}

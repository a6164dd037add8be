//! A verification as one page of HTML that needs nothing else: no network, no other file. Nothing
//! in it depends on the clock.

use effects::proved::Described;
use effects::verify::{Replay, Step, Verification};
use effects::versions::Place;
use explore::proved::Verdict;
use maud::{Markup, html};

use super::text::{reason, sentence};
use super::{Standing, agreement, doubt, outcome_name, proof, standings, typed, version_names};
use crate::compare::html::overview::hunk_table;
use crate::compare::html::proved::{meter, shortened};
use crate::compare::html::{planes, visible};
use crate::conditions::readable_condition;
use crate::counting::{counted, grouped};
use crate::hunks::Counted;
use crate::page::{PLANES, Page};
use crate::partitions::{differs_when, percent};
use crate::printable::{harmless, printable};
use crate::{notes, words};

/// The most rows of the table, bytes of a cell, and places in a cell.
const MOST_ROWS: usize = 500;
const MOST_OF_CELL: usize = 240;
const MOST_PLACES: usize = 6;

/// The whole page.
pub fn html(verification: &Verification) -> String {
    let verdict = outcome_name(verification.outcome);
    let count = verification.versions.len() as u64;
    let picture = picture(verification);
    let page = Page {
        title: &format!("{verdict}: {}", counted(count, "version", "versions")),
        head: html! {},
        main: html! {
            (overview(verification, verdict))
            @if let Some(steps) = &verification.steps { (towards(steps)) }
            @if let Some(picture) = &picture { (picture) }
            @if verification.found.is_some() { (table(verification)) }
        },
        footer: "The example input of every different partition was run on the native programs \
                 of all versions.",
        script: picture.is_some().then_some(PLANES),
    };
    page.text()
}

/// The partitions over two inputs, unless native programs refute some of them.
fn picture(verification: &Verification) -> Option<Markup> {
    let (planes, held) = verification.planes.as_ref().filter(|_| proof(verification).is_some())?;
    let held = typed(verification, held);
    Some(html! {
        section #picture aria-labelledby="h-picture" {
            h2 #h-picture { "Where versions differ" }
            (planes::figure(planes, &shortened(&held)))
        }
    })
}

fn overview(verification: &Verification, verdict: &str) -> Markup {
    html! {
        section #overview aria-labelledby="h-overview" {
            h1 #h-overview { "What is proved about these versions" }
            div class={ "verdict " (verdict) } {
                p.badge { (verdict) }
                p.sentence { (sentence(verification)) "." }
            }
            ul.plain {
                @for (number, version) in verification.versions.iter().enumerate() {
                    li { "v" (number) ": " code { (printable(version.name.as_bytes())) } }
                }
            }
            (space(verification))
            @for step in &verification.hunks {
                (hunk_table(&step.hunks, Counted::Partitions, verification.entry.as_deref()))
            }
            @if let Some(proof) = proof(verification) {
                (meter(&proof))
                @if let Some(when) = proof.differs_when {
                    p.sentence { "It is proved that " (differs_when(when)) "." }
                }
            }
        }
    }
}

/// How the common input space was derived, in the words of the text report.
fn space(verification: &Verification) -> Markup {
    let mut text = String::new();
    if let Some(found) = &verification.found {
        notes::write_space(&mut text, &found.space, &version_names(verification));
    }
    html! {
        @if !text.is_empty() {
            ul.notes { @for line in text.lines() { li { (line) } } }
        }
    }
}

/// How each version progresses towards the last one.
fn towards(steps: &[Step]) -> Markup {
    html! {
        section #steps aria-labelledby="h-steps" {
            h2 #h-steps { "Towards v" (steps.len()) }
            div.scroll tabindex="0" role="region" aria-label="Steps between versions" {
                table {
                    thead { tr {
                        th scope="col" { "step" } th scope="col" { "partitions" }
                        th scope="col" { "different" } th scope="col" { "progression" }
                        th scope="col" { "regression" } th scope="col" { "intermediate" }
                    } }
                    tbody { @for step in steps { (towards_row(step)) } }
                }
            }
        }
    }
}

fn towards_row(step: &Step) -> Markup {
    let shares = step.shares.as_ref();
    let cells = [
        (step.progression, shares.map(|shares| shares.progression)),
        (step.regression, shares.map(|shares| shares.regression)),
        (step.intermediate, shares.map(|shares| shares.intermediate)),
    ];
    html! {
        tr {
            td { "v" (step.from) " → v" (step.from + 1) }
            td.num { (step.equal + step.different()) }
            td.num { (step.different()) }
            @for (count, share) in cells {
                td.num {
                    (count)
                    @if let Some(share) = share { br; small { (percent(&share)) " of all inputs" } }
                }
            }
        }
    }
}

fn table(verification: &Verification) -> Markup {
    let mut all: Vec<(Standing, &Described, &Replay)> = standings(verification).collect();
    all.sort_by_key(|(standing, _, _)| *standing);
    let rest = all.len().saturating_sub(MOST_ROWS);
    let total = all.len() + verification.omitted();
    let left = verification.tally().left;
    html! {
        section #partitions aria-labelledby="h-partitions" {
            h2 #h-partitions { "Partitions" }
            div.scroll tabindex="0" role="region" aria-label="Partitions" {
                table.partitions {
                    caption {
                        (counted(total as u64, "partition", "partitions"))
                        @if left == 0 { ", which cover the whole space" }
                        @else { ", and " (counted(left as u64, "region", "regions")) " of the space left" }
                        @if rest > 0 { "; " (grouped(rest as u64)) " are in verify.json only" }
                        @if verification.omitted() > 0 {
                            "; " (grouped(verification.omitted() as u64)) " are only counted"
                        }
                    }
                    thead { tr {
                        th scope="col" { "condition" } th scope="col" { "verdict" }
                        th scope="col" { "agree" } th scope="col" { "for example" }
                        @for number in 0..verification.versions.len() {
                            th scope="col" { "v" (number) " shows" }
                        }
                        th scope="col" { "changes" } th scope="col" { "because" }
                    } }
                    tbody { @for one in all.iter().take(MOST_ROWS) { (row(verification, *one)) } }
                }
            }
        }
    }
}

fn row(
    verification: &Verification,
    (standing, one, replay): (Standing, &Described, &Replay),
) -> Markup {
    let condition = harmless(&readable_condition(&one.condition));
    let is_known = standing != Standing::Unknown && standing != Standing::Unconfirmed;
    let because = match (&one.verdict, replay) {
        (Verdict::Equal(why), _) => reason(*why, one),
        (Verdict::Unknown(unclear), _) => words::unclear(unclear),
        (Verdict::Different, Replay::Unconfirmed(why, _)) => doubt(why),
        (Verdict::Different, _) => String::new(),
    };
    html! {
        tr {
            td { code { (cell(&condition)) } }
            td { span style="white-space: nowrap" { (standing.name().replace('_', " ")) } }
            td { @if is_known { (agreement(&one.classes)) } }
            td { code { (cell(&typed(verification, &one.input))) } }
            @for number in 0..verification.versions.len() {
                td { @if let Some(output) = one.outputs.get(number).filter(|_| is_known) {
                    code { (cell(output.trim_end())) }
                } }
            }
            td { (places(&one.changes)) }
            td { (harmless(&because)) }
        }
    }
}

fn cell(text: &str) -> Markup {
    visible::text(text.as_bytes(), MOST_OF_CELL)
}

/// Places with their versions.
fn places(all: &[Vec<Place>]) -> Markup {
    let all = all.iter().enumerate();
    let all: Vec<(usize, &Place)> = all
        .flat_map(|(version, places)| places.iter().map(move |place| (version, place)))
        .collect();
    html! {
        @for (index, (version, place)) in all.iter().take(MOST_PLACES).enumerate() {
            @if index > 0 { ", " }
            "v" (version) " " (printable(place.file.as_bytes())) ":" (place.line)
        }
        @if all.len() > MOST_PLACES { " and " (all.len() - MOST_PLACES) " more" }
    }
}

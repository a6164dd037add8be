//! A comparison as one page of HTML that needs nothing else: no network, no other file. Nothing in
//! it depends on the clock.

mod anchors;
mod beside;
mod chain;
mod change;
mod coverage;
mod differences;
mod effort;
mod graph;
mod layout;
pub(crate) mod overview;
mod pictures;
pub(crate) mod planes;
pub(crate) mod proved;
mod sources;
pub(crate) mod visible;

use effects::compare::Compared;
use maud::{Markup, html};

use self::anchors::Anchors;
use self::layout::Layout;
use crate::page::{PLANES, Page};
use crate::printable::printable;
use crate::words;

const SCRIPT: &str = include_str!("html/script.js");
/// The most bytes of a version's name in the title.
const MOST_OF_NAME: usize = 80;

/// The whole page.
pub fn html(compared: &Compared) -> String {
    let mut anchors = Anchors::of(compared.illustration.as_ref());
    let illustration = compared.illustration.as_ref();
    let layout = illustration.map(|illustration| Layout::of(compared, illustration, &anchors));
    anchors.keep(layout.as_ref().and_then(Layout::kept));
    let [old, new] = [&compared.old, &compared.new]
        .map(|side| printable(visible::cut(side.name.as_bytes(), MOST_OF_NAME).0));
    let title = format!("{}: {old} and {new}", words::verdict_name(compared.verdict));
    let page = Page {
        title: &title,
        head: html! { (head(compared, &old, &new)) (arrow()) },
        main: sections(compared, layout.as_ref(), &anchors),
        footer: "OLD is the version before the change, NEW the one after it. Every difference \
                 was replayed on both native programs.",
        script: Some(&[SCRIPT, PLANES].concat()),
    };
    page.text()
}

fn head(compared: &Compared, old: &str, new: &str) -> Markup {
    let illustration = compared.illustration.as_ref();
    html! {
        header {
            div.bar {
                p.name { strong { "Ripple" } " " span { (old) " → " (new) } }
                button #theme type="button" aria-label="Colours: as the system has them" { "◐" }
            }
            nav aria-label="Sections" {
                a href="#overview" { "Overview" }
                a href="#differences" { "Differences " span.count { (compared.witnesses.len()) } }
                @if compared.proof.is_some() { a href="#proved" { "Proved" } }
                @if illustration.is_some() {
                    a href="#source" { "Source" }
                    a href="#tests" { "Tests" }
                    a href="#graphs" { "Graphs" }
                }
                a href="#effort" { "Effort" }
            }
        }
    }
}

/// The head of arrows, for all drawings of the page.
fn arrow() -> Markup {
    html! {
        svg.defs width="0" height="0" aria-hidden="true" focusable="false" {
            defs {
                marker #arrow viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"
                    markerHeight="8" orient="auto" {
                    path d="M0,0 L8,4 L0,8 z" fill="context-stroke" {}
                }
            }
        }
    }
}

fn sections(compared: &Compared, layout: Option<&Layout<'_>>, anchors: &Anchors) -> Markup {
    html! {
        section #overview aria-labelledby="h-overview" {
            h1 #h-overview { "What the change does" }
            (overview::verdict(compared))
            (overview::section(compared, anchors))
        }
        section #differences aria-labelledby="h-differences" {
            h2 #h-differences { "Differences" }
            (differences::section(compared, anchors))
        }
        @if let Some(proof) = &compared.proof {
            section #proved aria-labelledby="h-proved" {
                h2 #h-proved { "What is proved" }
                (proved::section(compared, proof, anchors))
            }
        }
        @if let (Some(illustration), Some(layout)) = (&compared.illustration, layout) {
            section #source aria-labelledby="h-source" {
                h2 #h-source { "Source" }
                (sources::section(compared, illustration, layout, anchors))
            }
            section #tests aria-labelledby="h-tests" {
                h2 #h-tests { "Coverage of the change by the given tests" }
                (coverage::section(compared, illustration, anchors))
            }
            section #graphs aria-labelledby="h-graphs" {
                h2 #h-graphs { "Graphs of the change" }
                (pictures::section(illustration, anchors))
            }
        }
        section #effort aria-labelledby="h-effort" {
            h2 #h-effort { "Effort" }
            (effort::section(compared))
        }
    }
}

//! A comparison as one page of HTML that needs nothing else: no network, no other file.
//!
//! The page is text escaped when it is put together (by `maud`), one style sheet and one script,
//! and a policy that lets the browser run that script only and load nothing at all; so hostile
//! content of sources and outputs stays content. Nothing in it depends on the clock.

mod anchors;
mod beside;
mod chain;
mod coverage;
mod differences;
mod effort;
mod graph;
mod overview;
mod pictures;
mod planes;
pub(crate) mod proved;
mod sources;
pub(crate) mod visible;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use effects::compare::Compared;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use self::anchors::Anchors;
use crate::printable::printable;
use crate::words;

pub(crate) const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");
/// Bytes of a version's name in the title.
const MOST_OF_NAME: usize = 80;

/// The whole page.
pub fn html(compared: &Compared) -> String {
    let anchors = Anchors::of(compared.illustration.as_ref());
    let [old, new] = [&compared.old, &compared.new]
        .map(|side| printable(visible::cut(side.name.as_bytes(), MOST_OF_NAME).0));
    let title = format!("{}: {old} and {new}", words::verdict_name(compared.verdict));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (title) " – Ripple" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the report" }
                (head(compared, &old, &new))
                (arrow())
                main #main tabindex="-1" { (sections(compared, &anchors)) }
                footer {
                    p { "Made by Ripple. OLD is the version before the change, NEW the one after it. \
                         Every difference was replayed on both native programs." }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// Only the script of the page runs, and nothing is loaded.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; \
         img-src data:; base-uri 'none'; form-action 'none'"
    )
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

fn sections(compared: &Compared, anchors: &Anchors) -> Markup {
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
        @if let Some(illustration) = &compared.illustration {
            section #source aria-labelledby="h-source" {
                h2 #h-source { "Source" }
                (sources::section(compared, illustration, anchors))
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

//! Why a difference comes about: the chain from the change to the output, as a drawing and as
//! a list for screen readers.

use base::Version;
use effects::compare::{Drawing, Explanation, Link, Style, Value, Via, Witness};
use maud::{Markup, html};

use super::anchors::{Anchors, id};
use super::graph::{self, BoxLook};
use crate::compare::why;
use crate::counting::shortened;
use crate::places::position;
use crate::printable::{printable, source_line};
use crate::words;

/// The most steps to draw: of the beginning, and of the end.
const FIRST: usize = 14;
const LAST: usize = 10;
/// The most characters of a line of source, and of a value.
const MOST_OF_LINE: usize = 60;
const MOST_OF_VALUE: usize = 40;

pub fn section(witness: &Witness, anchors: &Anchors) -> Markup {
    html! {
        @if let Some(why) = &witness.why {
            @if !why.chain.is_empty() {
                h4 { "Why" }
                (drawn(why, anchors))
            }
        }
        (blame(witness))
    }
}

fn drawn(why: &Explanation, anchors: &Anchors) -> Markup {
    let all = why.chain.len();
    let is_shown = |index: usize| index < FIRST || index + LAST >= all;
    let mut drawing = Drawing::new("why");
    let mut looks = Vec::new();
    let mut before: Option<(usize, Option<Via>)> = None;
    let mut was_left_out = false;
    for (index, link) in why.chain.iter().enumerate() {
        if !is_shown(index) {
            was_left_out = true;
            continue;
        }
        let at = drawing.add_box(head(link), body(link));
        looks.push(look(link, anchors));
        if let Some((from, via)) = before {
            let (label, style) = match via {
                _ if was_left_out => {
                    (format!("… {} more steps", all - FIRST - LAST), Style::Dotted)
                }
                Some(Via::Control) => ("controls".to_owned(), Style::Dashed),
                _ => ("flows into".to_owned(), Style::Solid),
            };
            drawing.add_line(from, at, label, style);
        }
        was_left_out = false;
        before = Some((at, link.via));
    }
    html! {
        @if !why.complete {
            p.note { "The path from the change to the first step is unknown." }
        }
        figure {
            (graph::svg(&drawing, &looks, "The path from the change to the output"))
            figcaption {
                "From the change to the output. Values are OLD | NEW; Δ is changed. A solid line \
                 means that a value flows on, a dashed one that a decision does."
            }
        }
        details {
            summary { "The same as a list" }
            ol.chain {
                @for (index, link) in why.chain.iter().enumerate() {
                    @if is_shown(index) { (item(link, anchors)) }
                    @else if index == FIRST {
                        li { "… " (all - FIRST - LAST) " more steps, which are in the JSON report" }
                    }
                }
            }
        }
        @if why.truncated {
            p.note { "The runs were too long to trace in full." }
        }
    }
}

fn head(link: &Link) -> String {
    let place = link.new.as_ref().or(link.old.as_ref());
    let at = place.map(position).unwrap_or_else(|| "somewhere".to_owned());
    match link.only {
        Some(version) => format!("{at} (in {} only)", words::version(version)),
        None => at,
    }
}

fn body(link: &Link) -> String {
    let mut label = String::new();
    let place = link.new.as_ref().or(link.old.as_ref());
    if let Some(line) = place.and_then(|place| place.text.as_deref()) {
        label.push_str(&shortened(source_line(line).trim_start(), MOST_OF_LINE));
        label.push('\n');
    }
    label.push_str(&statement(link).replace('\n', " "));
    label
}

/// The subject of the step, with its values.
fn statement(link: &Link) -> String {
    let what = match &link.old_what {
        Some(old) => format!("{} | {}", words::step(old), words::step(&link.what)),
        None => words::step(&link.what),
    };
    let values = match (&link.old_value, &link.new_value) {
        (None, None) => String::new(),
        (old, new) => format!(": {} | {}", value(old.as_ref()), value(new.as_ref())),
    };
    let repeats = match link.repeats {
        0 | 1 => String::new(),
        times => format!(" ({times} times)"),
    };
    format!("{what}{values}{repeats}")
}

fn value(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), |value| {
        shortened(&crate::values::readable(value), MOST_OF_VALUE)
    })
}

/// Where the step is: in NEW, unless it is only in OLD.
fn side(link: &Link) -> Version {
    if link.new.is_some() { Version::New } else { Version::Old }
}

fn look(link: &Link, anchors: &Anchors) -> BoxLook {
    let place = link.new.as_ref().or(link.old.as_ref());
    let at = place.and_then(|place| anchors.of_place(side(link), place));
    BoxLook {
        target: at.map(|at| id(side(link), at)),
        changed: link.changed,
        affected: !link.changed,
    }
}

fn item(link: &Link, anchors: &Anchors) -> Markup {
    let place = link.new.as_ref().or(link.old.as_ref());
    html! {
        li {
            @if link.changed { strong { "changed " } }
            @if let Some(place) = place { (anchors.link(side(link), place)) ": " }
            code { (source_line(&statement(link))) }
            @if let Some(version) = link.only { " (in " (words::version(version)) " only)" }
            @match link.via {
                Some(Via::Data) => " – flows into",
                Some(Via::Control) => " – controls",
                None => "",
            }
        }
    }
}

fn blame(witness: &Witness) -> Markup {
    html! {
        @if let Some((places, how)) = why::blame(witness) {
            h4 { "To blame" }
            p { (printable(places.join(", ").as_bytes())) " (" (how) ")" }
        }
    }
}

//! Graphs of the change: orders in which changes can be executed, and dependences in changed
//! functions.

use effects::compare::illustration::{Illustration, Picture, Subject};
use maud::{Markup, html};

use super::anchors::{Anchors, id};
use super::graph::{self, BoxLook};
use crate::counting::counted;
use crate::printable::printable;

pub fn section(illustration: &Illustration, anchors: &Anchors) -> Markup {
    html! {
        @if illustration.pictures.is_empty() {
            @if illustration.has_effects { p { "There is nothing to draw." } }
            @else { p { "There are no graphs of the changes: the program is too large, or the budget too small." } }
        }
        @for picture in &illustration.pictures { (one(picture, anchors)) }
    }
}

fn one(picture: &Picture, anchors: &Anchors) -> Markup {
    let looks: Vec<BoxLook> = picture
        .boxes
        .iter()
        .map(|meaning| BoxLook {
            target: meaning
                .at
                .filter(|&(version, at)| anchors.has(version, at))
                .map(|(version, at)| id(version, at)),
            changed: meaning.changed,
            affected: meaning.affected,
        })
        .collect();
    let title = title(&picture.subject);
    html! {
        details.picture open {
            summary { h3 { (title) } }
            figure {
                @if !picture.boxes.is_empty() { (graph::svg(&picture.drawing, &looks, &title)) }
                figcaption {
                    (caption(&picture.subject))
                    @if picture.left_out > 0 {
                        " " (counted(picture.left_out as u64, "line is", "lines are"))
                        " left out to keep the drawing readable."
                    }
                }
            }
        }
    }
}

fn title(subject: &Subject) -> String {
    match subject {
        Subject::Sequences { .. } => "Change sequence graph".to_owned(),
        Subject::Dependences { function } => {
            format!("Dependences in {} of NEW", printable(function.as_bytes()))
        }
    }
}

fn caption(subject: &Subject) -> Markup {
    match subject {
        Subject::Sequences { complexity } => html! {
            "In which orders the changes can be executed (solid lines), what they affect (dashed), \
             and where their effects may meet. Cyclomatic change complexity: " (complexity) "."
        },
        Subject::Dependences { .. } => html! {
            "Lines close to the change. A solid line is a decision about another line, a dashed \
             one a value that flows there. Δ is changed, ≠ may be affected."
        },
    }
}

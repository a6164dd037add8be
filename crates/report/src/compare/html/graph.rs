//! A placed drawing as SVG inside the page: it uses the colours of the page, and boxes link to the
//! source.

use effects::compare::{Drawing, Placed, Style};
use maud::{Markup, html};

use crate::printable::source_line;

/// What the page knows about a box.
#[derive(Clone, Debug, Default)]
pub struct BoxLook {
    /// The target of its link, inside the page.
    pub target: Option<String>,
    pub changed: bool,
    pub affected: bool,
}

/// The picture; `title` is for screen readers.
pub fn svg(drawing: &Drawing, looks: &[BoxLook], title: &str) -> Markup {
    let placed = drawing.place();
    let (width, height) = (placed.width.ceil(), placed.height.ceil());
    html! {
        div.scroll tabindex="0" role="region" aria-label=(title) {
            svg.graph viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height)
                role="group" aria-label=(title) {
                (lines(drawing, &placed))
                @for (index, at) in placed.boxes.iter().enumerate() {
                    @let look = looks.get(index).cloned().unwrap_or_default();
                    @match &look.target {
                        Some(target) => a href={ "#" (target) } {
                            (one_box(drawing, index, at.x, at.y, at.width, at.height, &look))
                        },
                        None => (one_box(drawing, index, at.x, at.y, at.width, at.height, &look)),
                    }
                }
            }
        }
    }
}

fn lines(drawing: &Drawing, placed: &Placed) -> Markup {
    html! {
        @for (line, route) in drawing.lines.iter().zip(&placed.routes) {
            @let points: Vec<String> = route.iter().map(|(x, y)| format!("{x:.0},{y:.0}")).collect();
            polyline.edge.dashed[line.style == Style::Dashed].dotted[line.style == Style::Dotted]
                points=(points.join(" ")) marker-end="url(#arrow)" {}
            @if let [first, second, ..] = route[..] {
                @if !line.label.is_empty() {
                    @let (x, y) = ((first.0 + second.0) / 2.0 + 4.0, (first.1 + second.1) / 2.0 + 4.0);
                    text.label x=(format!("{x:.0}")) y=(format!("{y:.0}")) {
                        (source_line(&line.label))
                    }
                }
            }
        }
    }
}

fn one_box(
    drawing: &Drawing,
    index: usize,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    look: &BoxLook,
) -> Markup {
    let (id, label) = &drawing.boxes[index];
    let texts = std::iter::once(id.as_str()).chain(label.lines());
    let mark = if look.changed {
        "Δ"
    } else if look.affected {
        "≠"
    } else {
        ""
    };
    html! {
        g.box.changed[look.changed].affected[look.affected && !look.changed] {
            rect x=(format!("{x:.0}")) y=(format!("{y:.0}")) width=(format!("{width:.0}"))
                height=(format!("{height:.0}")) rx="4" {}
            @for (row, text) in texts.enumerate() {
                text.head[row == 0] x=(format!("{:.0}", x + 8.0))
                    y=(format!("{:.0}", y + 15.0 + 15.0 * row as f64)) {
                    (source_line(text))
                }
            }
            @if !mark.is_empty() {
                text.mark x=(format!("{:.0}", x + width + 4.0)) y=(format!("{:.0}", y + 12.0)) {
                    (mark)
                }
            }
        }
    }
}

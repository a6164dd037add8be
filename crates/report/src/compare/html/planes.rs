//! A picture of the partitions over two inputs, as a grid of inputs. The first plane is drawn
//! here; the script of the page draws the others when they are chosen.

use explore::proved::{Axis, Plane, Planes, Square};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::counting::grouped;
use crate::printable::printable;

/// The size of a square, and the space above, and for numbers beside and below. The script has the
/// same.
const SIDE: usize = 18;
const ABOVE: usize = 18;
const LEFT: usize = 80;
const RIGHT: usize = 40;
const BELOW: usize = 40;
/// Numbers along an axis.
const TICKS: usize = 5;

/// The picture with controls to choose its axes.
pub fn figure(planes: &Planes, held: &str) -> Markup {
    let Some(first) = planes.planes.first() else { return html! {} };
    let x = &planes.axes[first.x];
    let y = first.y.map(|y| &planes.axes[y]);
    html! {
        figure #plane {
            @if y.is_some() { (controls(planes, first)) }
            div.scroll tabindex="0" role="region" aria-label="Picture of the partitions" {
                (picture(first, x, y))
            }
            figcaption {
                "What is proved of inputs around " code { (held) } ": every square is one input, \
                 in which "
                @match y {
                    Some(_) => "the two inputs on the axes have the values there",
                    None => { (printable(x.name.as_bytes())) " has the value there" }
                }
                " and all others are as in that one. Distances are not to scale: values next to \
                 which conditions change are shown, and some between."
            }
            (described(planes))
        }
    }
}

fn controls(planes: &Planes, first: &Plane) -> Markup {
    let options = |chosen: usize| {
        html! {
            @for (index, axis) in planes.axes.iter().enumerate() {
                option value=(index) selected[index == chosen] { (printable(axis.name.as_bytes())) }
            }
        }
    };
    html! {
        form.controls aria-label="What the picture shows" {
            label { "Across " select #across { (options(first.x)) } }
            label { "Up " select #up { (options(first.y.unwrap_or(first.x))) } }
            p #drawn role="status" { (summary(&first.squares)) }
        }
    }
}

/// How many squares there are of each kind.
fn summary(squares: &[Square]) -> String {
    let sorts = [
        (Square::Equal, "equal"),
        (Square::Different, "different"),
        (Square::Unknown, "unknown"),
        (Square::Left, "not explored"),
    ];
    let counts = sorts.iter().map(|(sort, name)| {
        let count = squares.iter().filter(|square| *square == sort).count();
        (count, *name)
    });
    let parts: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{} {name}", grouped(count as u64)))
        .collect();
    format!("{} inputs: {}", grouped(squares.len() as u64), parts.join(", "))
}

fn picture(plane: &Plane, x: &Axis, y: Option<&Axis>) -> Markup {
    let (columns, rows) = (x.values.len(), y.map_or(1, |y| y.values.len()));
    let (width, height) = (LEFT + columns * SIDE + RIGHT, ABOVE + rows * SIDE + BELOW);
    let base = ABOVE + rows * SIDE;
    // The first row is the lowest.
    let top = |row: usize| ABOVE + (rows - 1 - row) * SIDE;
    html! {
        svg.plane viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
            aria-label={ "Grid of " (summary(&plane.squares)) "; the table below has the conditions" } {
            g.squares {
                @for (row, squares) in plane.squares.chunks(columns).enumerate() {
                    @for (from, count, square) in runs(squares) {
                        rect class={ "part " (class(square)) } x=(LEFT + from * SIDE) y=(top(row))
                            width=(count * SIDE) height=(SIDE) {}
                        @if square == Square::Different {
                            @for column in from..from + count {
                                path.sign d=(slash(LEFT + column * SIDE, top(row))) {}
                            }
                        }
                    }
                }
            }
            g.ticks {
                @for column in ticks(columns) {
                    text x=(LEFT + column * SIDE + SIDE / 2) y=(base + 14) text-anchor="middle" { (x.numbers[column]) }
                }
                @if let Some(y) = y {
                    @for row in ticks(rows) {
                        text x=(LEFT - 6) y=(top(row) + SIDE - 5) text-anchor="end" { (y.numbers[row]) }
                    }
                }
            }
            text.across x=(LEFT + columns * SIDE / 2) y=(base + 32) text-anchor="middle" { (printable(x.name.as_bytes())) " →" }
            @if let Some(y) = y {
                text.up x="4" y="12" { "↑ " (printable(y.name.as_bytes())) }
            }
        }
    }
}

/// Runs of squares of one kind: their start and length.
fn runs(squares: &[Square]) -> Vec<(usize, usize, Square)> {
    let mut runs: Vec<(usize, usize, Square)> = Vec::new();
    for (at, &square) in squares.iter().enumerate() {
        match runs.last_mut() {
            Some((_, count, sort)) if *sort == square => *count += 1,
            _ => runs.push((at, 1, square)),
        }
    }
    runs
}

fn ticks(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let steps = (TICKS - 1).min(last.max(1));
    let mut ticks: Vec<usize> = (0..=steps).map(|step| step * last / steps).collect();
    ticks.dedup();
    ticks
}

fn slash(x: usize, y: usize) -> String {
    format!("M{},{}l{},-{}", x + 4, y + SIDE - 4, SIDE - 8, SIDE - 8)
}

fn class(square: Square) -> &'static str {
    match square {
        Square::Equal => "eq",
        Square::Different => "df",
        Square::Unknown => "un",
        Square::Left => "op",
    }
}

/// All planes for the script.
fn described(planes: &Planes) -> Markup {
    let axis = |axis: &Axis| {
        let values: Vec<String> = axis.numbers.iter().map(i128::to_string).collect();
        json!({ "name": printable(axis.name.as_bytes()), "values": values })
    };
    let letter = |square: &Square| match square {
        Square::Equal => 'e',
        Square::Different => 'd',
        Square::Unknown => 'u',
        Square::Left => 'o',
    };
    let plane = |plane: &Plane| {
        let squares: String = plane.squares.iter().map(letter).collect();
        json!({ "x": plane.x, "y": plane.y, "squares": squares })
    };
    let all = json!({
        "axes": planes.axes.iter().map(axis).collect::<Vec<Value>>(),
        "planes": planes.planes.iter().map(plane).collect::<Vec<Value>>(),
    });
    // Names come from sources; nothing in them may close the element.
    let text = all.to_string().replace('<', "\\u003c");
    html! { script #planes type="application/json" { (PreEscaped(text)) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_drawn_together() {
        use Square::{Different, Equal};
        let squares = [Equal, Equal, Different, Equal];
        assert_eq!(runs(&squares), [(0, 2, Equal), (2, 1, Different), (3, 1, Equal)]);
    }

    #[test]
    fn ticks_are_at_both_ends_and_between() {
        assert_eq!(ticks(25), [0, 6, 12, 18, 24]);
        assert_eq!(ticks(2), [0, 1]);
        assert_eq!(ticks(1), [0]);
    }

    #[test]
    fn hostile_names_stay_names() {
        let axis = |name: &str| Axis {
            cell: 0,
            name: name.to_owned(),
            values: vec![0, 1],
            numbers: vec![0, 1],
        };
        let planes = Planes {
            axes: vec![axis("</script><script>alert(1)</script>"), axis("b")],
            held: Box::default(),
            planes: vec![Plane { x: 0, y: Some(1), squares: vec![Square::Equal; 4] }],
        };
        let page = figure(&planes, "<held>").into_string();
        assert!(!page.contains("</script><script>") && !page.contains("<held>"), "{page}");
        assert!(page.contains("&lt;held&gt;"));
    }
}

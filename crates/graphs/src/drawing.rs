//! Graphs as text, DOT and SVG, for people.
//!
//! A drawing has only labels and lines; `views` makes drawings of the analyses.

mod layout;
mod svg;

use std::fmt::Write;

pub use layout::{Placed, Rect};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Solid,
    Dashed,
    Dotted,
}

#[derive(Clone, Debug)]
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub style: Style,
}

/// A graph with labels. Several of them make a text or DOT file together.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    pub name: String,
    /// What a box is called in text and in DOT, and what is written in it.
    pub boxes: Vec<(String, String)>,
    pub lines: Vec<Line>,
}

impl Drawing {
    pub fn new(name: impl Into<String>) -> Drawing {
        Drawing { name: name.into(), ..Drawing::default() }
    }

    pub fn add_box(&mut self, id: impl Into<String>, label: impl Into<String>) -> usize {
        self.boxes.push((id.into(), label.into()));
        self.boxes.len() - 1
    }

    pub fn add_line(&mut self, from: usize, to: usize, label: impl Into<String>, style: Style) {
        self.lines.push(Line { from, to, label: label.into(), style });
    }

    /// One paragraph per box: its label, and below it the targets of its lines.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.name);
        let mut leaving: Vec<Vec<&Line>> = vec![Vec::new(); self.boxes.len()];
        for line in &self.lines {
            leaving[line.from].push(line);
        }
        for (at, (id, label)) in self.boxes.iter().enumerate() {
            let label = label.replace('\n', "; ");
            let gap = if label.is_empty() { "" } else { "  " };
            let _ = writeln!(text, "  {id}{gap}{label}");
            for line in &leaving[at] {
                let (to, _) = &self.boxes[line.to];
                let gap = if line.label.is_empty() { "" } else { "  " };
                let _ = writeln!(text, "    -> {to}{gap}{}", line.label);
            }
        }
        text
    }

    pub fn dot(&self) -> String {
        let mut text = format!("digraph {} {{\n  node [shape=box]\n", quoted(&self.name));
        for (id, label) in &self.boxes {
            let shown = if label.is_empty() { id.clone() } else { format!("{id}\n{label}") };
            let _ = writeln!(text, "  {} [label={}]", quoted(id), quoted(&shown));
        }
        for line in &self.lines {
            let (from, to) = (&self.boxes[line.from].0, &self.boxes[line.to].0);
            let style = match line.style {
                Style::Solid => "solid",
                Style::Dashed => "dashed",
                Style::Dotted => "dotted",
            };
            let label = quoted(&line.label);
            let _ = writeln!(
                text,
                "  {} -> {} [label={label}, style={style}]",
                quoted(from),
                quoted(to)
            );
        }
        text.push_str("}\n");
        text
    }

    /// The positions in a layered picture.
    pub fn place(&self) -> Placed {
        layout::place(self)
    }

    /// A picture with its own layered layout; needs no other program.
    pub fn svg(&self) -> String {
        svg::draw(self, &self.place())
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diamond() -> Drawing {
        let mut drawing = Drawing::new("f");
        let ids = ["a", "b", "c", "d"].map(|id| drawing.add_box(id, format!("line \"{id}\" <1>")));
        for (from, to) in [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (0, 3), (1, 1)] {
            drawing.add_line(ids[from], ids[to], "T", Style::Solid);
        }
        drawing
    }

    #[test]
    fn dot_quotes_labels() {
        assert!(diamond().dot().contains(r#""a" [label="a\nline \"a\" <1>"]"#));
    }

    #[test]
    fn text_lists_the_lines_of_each_box() {
        assert!(diamond().text().contains("  b  line \"b\" <1>\n    -> d  T\n    -> b  T\n"));
    }

    #[test]
    fn boxes_of_a_picture_do_not_overlap_and_lines_go_down_unless_they_go_back() {
        let drawing = diamond();
        let placed = layout::place(&drawing);
        let all = &placed.boxes;
        for (at, a) in all.iter().enumerate() {
            for b in &all[at + 1..] {
                let apart = a.x + a.width <= b.x
                    || b.x + b.width <= a.x
                    || a.y + a.height <= b.y
                    || b.y + b.height <= a.y;
                assert!(apart, "{a:?} {b:?}");
            }
        }
        assert!(all[0].y < all[1].y && all[1].y < all[3].y);
        let svg = drawing.svg();
        assert_eq!(svg.matches("<rect").count(), 4);
        assert!(svg.contains("&lt;1&gt;") && svg.ends_with("</svg>\n"));
    }
}

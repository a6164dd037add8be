//! Two texts side by side: the differing lines with the differing characters marked, and a line of
//! context around them. Texts that are too wide are placed one above the other.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::paint::{Look, Paint};
use crate::printable::printable;

/// The most rows to show.
const SHOWN_ROWS: usize = 12;
/// The most lines to compare one by one.
const COMPARED_LINES: usize = 400;
/// The most characters of a line to compare one by one.
const COMPARED_CHARACTERS: usize = 400;
/// Characters shown before the first differing one, if a line is cut.
const LEAD: usize = 16;
/// The separator of the columns.
const BAR: &str = " | ";
const CUT: char = '…';

/// A line of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cell {
    characters: Vec<char>,
    /// Which characters have no match in the other text.
    marks: Vec<bool>,
    /// Whether a newline is missing that the other text has.
    is_open: bool,
}

enum Row {
    Same(Cell),
    Differ(Option<Cell>, Option<Cell>),
    /// This many lines are omitted.
    Left(usize),
}

/// Lines that show how two texts differ, to be indented by `indent`.
pub fn side_by_side(old: &[u8], new: &[u8], indent: usize, look: Look) -> Vec<String> {
    let rows = rows(old, new);
    let room = look.width.saturating_sub(indent).max(24);
    let column = (room - BAR.len()) / 2;
    let is_narrow = |row: &Row| match row {
        Row::Same(_) | Row::Left(_) => true,
        Row::Differ(old, new) => {
            [old, new].into_iter().flatten().all(|cell| cell.width() <= column)
        }
    };
    if rows.iter().all(is_narrow) { beside(&rows, column, look) } else { above(&rows, room, look) }
}

fn beside(rows: &[Row], column: usize, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    for row in rows {
        match row {
            Row::Left(count) => lines.push(look.faint(&left_out(*count))),
            Row::Same(cell) => {
                let shown = cell.cut(column);
                let (text, gap) = (shown.text(), shown.gap(column));
                lines.push(look.faint(&format!("{text}{gap}{BAR}{text}")));
            }
            Row::Differ(old, new) => {
                let empty = Cell::default();
                let [old, new] = [old, new].map(|cell| cell.as_ref().unwrap_or(&empty));
                let gap = old.gap(column);
                let (left, right) =
                    (old.painted(look, Look::of_old), new.painted(look, Look::of_new));
                lines.push(format!("{left}{gap}{BAR}{right}").trim_end().to_owned());
                let marks = format!("{:column$}{:3$}{}", old.marks(), "", new.marks(), BAR.len());
                if !marks.trim().is_empty() {
                    lines.push(marks.trim_end().to_owned());
                }
            }
        }
    }
    lines
}

fn above(rows: &[Row], room: usize, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    let width = room - 2;
    for row in rows {
        match row {
            Row::Left(count) => lines.push(look.faint(&format!("  {}", left_out(*count)))),
            Row::Same(cell) => lines.push(look.faint(&format!("  {}", cell.cut(width).text()))),
            Row::Differ(old, new) => {
                let sides = [("-", old, Look::of_old as Paint), ("+", new, Look::of_new)];
                for (sign, cell, paint) in sides {
                    let Some(cell) = cell else { continue };
                    let cell = cell.cut(width);
                    lines.push(format!("{} {}", paint(look, sign), cell.painted(look, paint)));
                    if !cell.marks().trim().is_empty() {
                        lines.push(format!("  {}", cell.marks()));
                    }
                }
            }
        }
    }
    lines
}

fn left_out(count: usize) -> String {
    format!("{CUT} {count} more line{}", if count == 1 { "" } else { "s" })
}

/// The differing lines, with one line of context before, between and after.
fn rows(old: &[u8], new: &[u8]) -> Vec<Row> {
    let (old, new) = (lines(old), lines(new));
    let prefix = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let same_ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = same_ends.take_while(|(old, new)| old == new).count();
    let old_middle = &old_rest[..old_rest.len() - suffix];
    let new_middle = &new_rest[..new_rest.len() - suffix];
    let mut rows = context(&old[..prefix], true);
    let cut = |lines: &[&[u8]]| lines.len().min(COMPARED_LINES);
    let (old_shown, new_shown) = (&old_middle[..cut(old_middle)], &new_middle[..cut(new_middle)]);
    let mut middle = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, old_shown, new_shown) {
        push_op(&mut middle, &op, old_shown, new_shown);
    }
    let beyond = old_middle.len().max(new_middle.len()) - old_shown.len().max(new_shown.len());
    let is_cut = middle.len() > SHOWN_ROWS || beyond > 0;
    let left = middle.len().saturating_sub(SHOWN_ROWS) + beyond;
    middle.truncate(SHOWN_ROWS);
    rows.extend(middle);
    if is_cut {
        rows.push(Row::Left(left + suffix))
    } else {
        rows.extend(context(&old[old.len() - suffix..], false))
    }
    rows
}

fn push_op(rows: &mut Vec<Row>, op: &DiffOp, old: &[&[u8]], new: &[&[u8]]) {
    let (_, old_range, new_range) = op.as_tag_tuple();
    if let DiffOp::Equal { .. } = op {
        let same = &old[old_range];
        match same.len() {
            0..=3 => rows.extend(same.iter().map(|line| Row::Same(Cell::of(line)))),
            count => {
                rows.push(Row::Same(Cell::of(same[0])));
                rows.push(Row::Left(count - 2));
                rows.push(Row::Same(Cell::of(same[count - 1])));
            }
        }
        return;
    }
    for index in 0..old_range.len().max(new_range.len()) {
        let at = |range: &Range<usize>, lines: &[&[u8]]| {
            (index < range.len()).then(|| lines[range.start + index].to_vec())
        };
        rows.push(match (at(&old_range, old), at(&new_range, new)) {
            (Some(old), Some(new)) => {
                let [old, new] = compared(&old, &new);
                Row::Differ(Some(old), Some(new))
            }
            (old, new) => Row::Differ(old.map(|line| Cell::of(&line)), new.map(|l| Cell::of(&l))),
        });
    }
}

/// The context before (or after) the differing lines: the line next to them.
fn context(same: &[&[u8]], is_before: bool) -> Vec<Row> {
    let Some(next) = (if is_before { same.last() } else { same.first() }) else {
        return Vec::new();
    };
    let mut rows = vec![Row::Same(Cell::of(next))];
    if same.len() > 1 {
        rows.push(Row::Left(same.len() - 1));
    }
    if is_before {
        rows.reverse();
    }
    rows
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Two lines with their differences marked.
fn compared(old: &[u8], new: &[u8]) -> [Cell; 2] {
    let mut cells = [Cell::of(old), Cell::of(new)];
    let newlines = [old, new].map(|line| line.ends_with(b"\n"));
    for (cell, index) in cells.iter_mut().zip(0..) {
        cell.is_open = !newlines[index] && newlines[1 - index];
    }
    let [old, new] = &mut cells;
    let prefix = old.characters.iter().zip(&new.characters).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old.characters[prefix..], &new.characters[prefix..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let suffix = ends.take_while(|(a, b)| a == b).count();
    let old_range = prefix..old.characters.len() - suffix;
    let new_range = prefix..new.characters.len() - suffix;
    let is_short = old_range.len().max(new_range.len()) <= COMPARED_CHARACTERS;
    let mut equal = Vec::new();
    if is_short {
        let (a, b) = (&old.characters[old_range.clone()], &new.characters[new_range.clone()]);
        for op in capture_diff_slices(Algorithm::Myers, a, b) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                equal.push((old_index + prefix, new_index + prefix, len));
            }
        }
    }
    // If little is the same, single equal characters only confuse.
    let same: usize = equal.iter().map(|(_, _, len)| len).sum();
    if 2 * same < old_range.len().max(new_range.len()) {
        equal.clear();
    }
    old_range.for_each(|index| old.marks[index] = true);
    new_range.for_each(|index| new.marks[index] = true);
    for (old_index, new_index, len) in equal {
        old.marks[old_index..old_index + len].fill(false);
        new.marks[new_index..new_index + len].fill(false);
    }
    cells
}

impl Cell {
    fn of(line: &[u8]) -> Cell {
        let text = printable(line.strip_suffix(b"\n").unwrap_or(line));
        let characters: Vec<char> = text.chars().collect();
        Cell { marks: vec![false; characters.len()], characters, is_open: false }
    }

    fn text(&self) -> String {
        let mut text: String = self.characters.iter().collect();
        if self.is_open {
            text.push_str(" (no newline)");
        }
        text
    }

    fn width(&self) -> usize {
        self.text().width()
    }

    /// Spaces that fill the column.
    fn gap(&self, column: usize) -> String {
        " ".repeat(column.saturating_sub(self.width()))
    }

    fn marks(&self) -> String {
        let mut marks = String::new();
        for (character, is_marked) in self.characters.iter().zip(&self.marks) {
            let width = character.width().unwrap_or(0);
            marks.push_str(&(if *is_marked { "^" } else { " " }).repeat(width));
        }
        marks.trim_end().to_owned()
    }

    fn painted(&self, look: Look, paint: Paint) -> String {
        if !self.marks.contains(&true) {
            return paint(look, &self.text());
        }
        let mut text = String::new();
        let mut from = 0;
        for part in self.marks.chunk_by(|one, other| one == other) {
            let to = from + part.len();
            let piece: String = self.characters[from..to].iter().collect();
            text.push_str(&if part[0] { paint(look, &piece) } else { piece });
            from = to;
        }
        if self.is_open {
            text.push_str(" (no newline)");
        }
        text
    }

    /// The part around the first differing character, if there is not enough room for all of it.
    fn cut(&self, room: usize) -> Cell {
        if self.width() <= room {
            return self.clone();
        }
        let first = self.marks.iter().position(|is_marked| *is_marked).unwrap_or(0);
        let from = if first + LEAD < room { 0 } else { first.saturating_sub(LEAD) };
        let mut cut = Cell::default();
        if from > 0 {
            cut.characters.push(CUT);
            cut.marks.push(false);
        }
        let mut width = cut.characters.len();
        for index in from..self.characters.len() {
            width += self.characters[index].width().unwrap_or(0);
            if width >= room {
                cut.characters.push(CUT);
                cut.marks.push(false);
                break;
            }
            cut.characters.push(self.characters[index]);
            cut.marks.push(self.marks[index]);
        }
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, width: usize, expected: &[&str]) {
        let look = Look { colours: false, width };
        assert_eq!(side_by_side(old.as_bytes(), new.as_bytes(), 0, look), expected);
    }

    #[test]
    fn short_lines_stand_side_by_side_with_marks() {
        check(
            "1800-03-01\n",
            "1800-02-29\n",
            43,
            &["1800-03-01           | 1800-02-29", "      ^^^^                   ^^^^"],
        );
    }

    #[test]
    fn long_lines_stand_above_each_other_and_are_cut() {
        let long = "x".repeat(60);
        check(
            &format!("{long}a{long}\n"),
            &format!("{long}b{long}\n"),
            40,
            &[
                "- …xxxxxxxxxxxxxxxxaxxxxxxxxxxxxxxxxxxx…",
                "                   ^",
                "+ …xxxxxxxxxxxxxxxxbxxxxxxxxxxxxxxxxxxx…",
                "                   ^",
            ],
        );
    }

    #[test]
    fn equal_lines_around_are_left_out_but_one() {
        check(
            "1\n2\n3\n4\n5\n6\n",
            "1\n2\n3\n5\n6\n",
            23,
            &[
                "… 2 more lines",
                "3          | 3",
                "4          |",
                "5          | 5",
                "… 1 more line",
            ],
        );
    }

    #[test]
    fn a_missing_newline_is_seen() {
        check("a\n", "a", 47, &["a                      | a (no newline)"]);
    }

    #[test]
    fn lines_that_have_little_in_common_are_marked_as_a_whole() {
        check("abc", "xbyzw", 27, &["abc          | xbyzw", "^^^            ^^^^^"]);
    }
}

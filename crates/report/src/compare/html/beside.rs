//! Two outputs side by side, with the differing bytes marked.
//!
//! Long outputs are shown from shortly before the first differing byte; the omitted bytes on either
//! side are counted.

use maud::{Markup, html};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::visible;
use crate::counting::counted;

/// The most bytes of an output to show.
const MOST_BYTES: usize = 6 << 10;
/// The most lines of it.
const MOST_LINES: usize = 120;
/// The most bytes of one line.
const MOST_OF_LINE: usize = 600;
/// The most bytes of a line to compare one by one.
const COMPARED: usize = 600;
/// Bytes shown before the first differing one, if a text or a line is cut.
const LEAD: usize = 160;

/// One row of the table: a line of each, if there is one, with the differing parts.
type Row<'a> = (Option<Cell<'a>>, Option<Cell<'a>>);

struct Cell<'a> {
    number: usize,
    line: &'a [u8],
    /// Runs of bytes, and whether the other text lacks them.
    parts: Vec<(&'a [u8], bool)>,
}

/// A table of both; `None` for a missing one.
pub fn table(name: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Markup {
    let [left, right] = [old, new].map(Option::unwrap_or_default);
    let from = start(left, right);
    let [shown_left, shown_right] =
        [left, right].map(|text| visible::cut(&text[from.min(text.len())..], MOST_BYTES));
    let before = left[..from].iter().filter(|&&byte| byte == b'\n').count();
    let rows = rows(shown_left.0, shown_right.0);
    let shown = rows.len().min(MOST_LINES);
    html! {
        div.scroll tabindex="0" role="region" aria-label={ (name) " of both versions" } {
            table.beside {
                caption { (name) }
                colgroup { col.num; col; col.num; col; }
                thead { tr {
                    th scope="col" colspan="2" { "OLD" (absent(old)) }
                    th scope="col" colspan="2" { "NEW" (absent(new)) }
                } }
                tbody {
                    @if from > 0 {
                        tr.left { td colspan="4" {
                            (counted(from as u64, "byte", "bytes")) " before this are the same and left out"
                        } }
                    }
                    @for (left, right) in &rows[..shown] {
                        tr.differs[is_different(left, right)] {
                            (cell(left.as_ref(), before, true))
                            (cell(right.as_ref(), before, false))
                        }
                    }
                    @if rows.len() > shown {
                        tr.left { td colspan="4" {
                            (counted((rows.len() - shown) as u64, "more line is", "more lines are"))
                            " left out"
                        } }
                    }
                    @if shown_left.1 + shown_right.1 > 0 {
                        tr.left {
                            td colspan="2" { (behind(shown_left.1)) }
                            td colspan="2" { (behind(shown_right.1)) }
                        }
                    }
                }
            }
        }
    }
}

fn absent(text: Option<&[u8]>) -> &'static str {
    match text {
        None => ": not there",
        Some([]) => ": nothing",
        Some(_) => "",
    }
}

fn behind(bytes: usize) -> Markup {
    html! { @if bytes > 0 { (visible::missing(bytes)) } }
}

/// The start of the shown part of both.
fn start(old: &[u8], new: &[u8]) -> usize {
    if old.len().max(new.len()) <= MOST_BYTES {
        return 0;
    }
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let lead = same.saturating_sub(LEAD);
    // A whole line is easier to read, unless it is long.
    let line = old[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if same - line <= LEAD { line.min(lead.max(line)) } else { lead }
}

fn rows<'a>(old: &'a [u8], new: &'a [u8]) -> Vec<Row<'a>> {
    let [old, new] =
        [old, new].map(|text| text.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>());
    let mut rows = Vec::new();
    let same = |index: usize, line: &'a [u8]| Cell { number: index + 1, line, parts: Vec::new() };
    let all =
        |index: usize, line: &'a [u8]| Cell { number: index + 1, line, parts: vec![(line, true)] };
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => rows.extend((0..len).map(|at| {
                let (one, other) = (old_index + at, new_index + at);
                (Some(same(one, old[one])), Some(same(other, new[other])))
            })),
            DiffOp::Delete { old_index, old_len, .. } => {
                let lines = old_index..old_index + old_len;
                rows.extend(lines.map(|at| (Some(all(at, old[at])), None)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                let lines = new_index..new_index + new_len;
                rows.extend(lines.map(|at| (None, Some(all(at, new[at])))));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                for at in 0..old_len.max(new_len) {
                    let one = (at < old_len).then_some(old_index + at);
                    let other = (at < new_len).then_some(new_index + at);
                    rows.push(match (one, other) {
                        (Some(one), Some(other)) => {
                            let (left, right) = marked(old[one], new[other]);
                            (
                                Some(Cell { number: one + 1, line: old[one], parts: left }),
                                Some(Cell { number: other + 1, line: new[other], parts: right }),
                            )
                        }
                        (one, other) => {
                            (one.map(|at| all(at, old[at])), other.map(|at| all(at, new[at])))
                        }
                    });
                }
            }
        }
    }
    rows
}

fn is_different(old: &Option<Cell<'_>>, new: &Option<Cell<'_>>) -> bool {
    [old, new].into_iter().any(|cell| cell.as_ref().is_none_or(|cell| !cell.parts.is_empty()))
}

type Parts<'a> = Vec<(&'a [u8], bool)>;

/// The bytes of two lines without a match in the other.
fn marked<'a>(old: &'a [u8], new: &'a [u8]) -> (Parts<'a>, Parts<'a>) {
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let mut prefix = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    if old.len().max(new.len()) <= COMPARED {
        while prefix > 0 && is_word(old.get(prefix - 1)) {
            prefix -= 1;
        }
    }
    let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let mut suffix = ends.take_while(|(old, new)| old == new).count();
    if old.len().max(new.len()) <= COMPARED {
        while suffix > 0 && is_word(old.get(old.len() - suffix)) {
            suffix -= 1;
        }
    }
    let [left, right] = [old_rest, new_rest].map(|rest| &rest[..rest.len() - suffix]);
    let (mut one, mut other): (Parts<'a>, Parts<'a>) = (Vec::new(), Vec::new());
    one.push((&old[..prefix], false));
    other.push((&new[..prefix], false));
    if left.len().max(right.len()) > COMPARED || !left.is_ascii() || !right.is_ascii() {
        one.push((left, true));
        other.push((right, true));
    } else {
        let (words, others) = (words(left), words(right));
        for op in capture_diff_slices(Algorithm::Myers, &words, &others) {
            let is_marked = !matches!(op, DiffOp::Equal { .. });
            one.extend(words[op.old_range()].iter().map(|word| (*word, is_marked)));
            other.extend(others[op.new_range()].iter().map(|word| (*word, is_marked)));
        }
    }
    one.push((&old[old.len() - suffix..], false));
    other.push((&new[new.len() - suffix..], false));
    for parts in [&mut one, &mut other] {
        parts.retain(|(part, _)| !part.is_empty());
    }
    (one, other)
}

/// Words and numbers are compared as a whole, because letters that two different words happen to
/// share mean nothing.
fn words(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|one, other| one.is_ascii_alphanumeric() && other.is_ascii_alphanumeric())
        .collect()
}

/// The number of a line and the line itself.
fn cell(cell: Option<&Cell<'_>>, before: usize, is_old: bool) -> Markup {
    let Some(cell) = cell else {
        return html! { td.num {} td.none {} };
    };
    let whole = [(cell.line, false)];
    let parts = if cell.parts.is_empty() { &whole[..] } else { &cell.parts[..] };
    let (skipped, parts) = skip_to_mark(parts);
    let mut left = MOST_OF_LINE;
    let mut dropped = 0;
    let mut shown: Vec<(&[u8], bool)> = Vec::new();
    for &(part, is_marked) in &parts {
        let (kept, rest) = visible::cut(part, left);
        left -= kept.len();
        dropped += rest;
        shown.push((kept, is_marked));
    }
    html! {
        td.num { (before + cell.number) }
        td {
            @if skipped > 0 { i.cut { (counted(skipped as u64, "byte", "bytes")) " … " } }
            @for &(part, is_marked) in &shown {
                @if !is_marked { (visible::runs(strip(part))) }
                @else if is_old { del { (visible::runs(strip(part))) (newline(part)) } }
                @else { ins { (visible::runs(strip(part))) (newline(part)) } }
            }
            @if dropped > 0 { (visible::missing(dropped)) }
        }
    }
}

/// Omits most of a long line before the first mark.
fn skip_to_mark<'a>(parts: &[(&'a [u8], bool)]) -> (usize, Vec<(&'a [u8], bool)>) {
    let length: usize = parts.iter().map(|(part, _)| part.len()).sum();
    match parts {
        [(first, false), rest @ ..] if length > MOST_OF_LINE && first.len() > LEAD => {
            let mut from = first.len() - LEAD;
            while from < first.len() && first[from] & 0xc0 == 0x80 {
                from += 1;
            }
            (from, [&[(&first[from..], false)], rest].concat())
        }
        _ => (0, parts.to_vec()),
    }
}

fn strip(part: &[u8]) -> &[u8] {
    part.strip_suffix(b"\n").unwrap_or(part)
}

/// A marked newline must be visible.
fn newline(part: &[u8]) -> &'static str {
    if part.ends_with(b"\n") { "↵" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_that_differ_are_marked_on_both_sides() {
        let shown = table("standard output", Some(b"a\nprice 12\n"), Some(b"a\nprice 14\n")).0;
        assert!(shown.contains("price <del>12</del>"), "{shown}");
        assert!(shown.contains("price <ins>14</ins>"), "{shown}");
    }

    #[test]
    fn a_newline_that_is_missing_is_seen() {
        let shown = table("standard output", Some(b"a\n"), Some(b"a")).0;
        assert!(shown.contains("a<del>↵</del>"), "{shown}");
    }

    #[test]
    fn a_huge_output_is_cut_and_counted() {
        let mut old = vec![b'x'; 100_000_000];
        let new = old.clone();
        old[50_000_000] = b'<';
        let shown = table("standard output", Some(&old), Some(&new)).0;
        assert!(shown.len() < 60_000, "{}", shown.len());
        assert!(shown.contains("<del>&lt;</del>"));
        assert!(shown.contains("49,999,840 bytes before this"), "{}", &shown[..600]);
        assert!(shown.contains("more bytes</i>"));
    }
}

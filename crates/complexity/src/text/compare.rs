//! Compares two versions of one function: which statements changed, and how many lines.
//!
//! A histogram diff of tokens aligns the sequences of pieces and ends of bodies, so comments and
//! layout do not count. A head whose body begins or ends elsewhere counts as changed. Deleted
//! statements leave a *place* in the new version. Renamed variables are changes: nothing here knows
//! what a name means.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::syntax::{Element, Function, PieceId, PieceKind, Position, Tree};
use super::token::Kind;
use super::unit::Unit;

/// Executable lines that are only in the new version, only in the old one, or in both but
/// different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub added: u64,
    pub deleted: u64,
    pub modified: u64,
}

impl Lines {
    /// CLoC: changed executable lines of code.
    pub fn total(&self) -> u64 {
        self.added + self.deleted + self.modified
    }

    fn hunk(&mut self, old: u64, new: u64) {
        self.modified += old.min(new);
        self.added += new.saturating_sub(old);
        self.deleted += old.saturating_sub(new);
    }
}

impl std::ops::AddAssign for Lines {
    fn add_assign(&mut self, other: Lines) {
        self.added += other.added;
        self.deleted += other.deleted;
        self.modified += other.modified;
    }
}

/// What changed in a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Pieces of the new version that were added or modified.
    pub pieces: BTreeSet<PieceId>,
    /// Where pieces of the old version were deleted without a replacement.
    pub places: BTreeSet<Position>,
    pub lines: Lines,
    /// Statements, counted like lines.
    pub statements: Lines,
}

/// Whether two functions consist of the same tokens.
pub fn is_same(old: (&Unit<'_>, &Function), new: (&Unit<'_>, &Function)) -> bool {
    let tokens = |(unit, function): (&Unit<'_>, &Function)| {
        let mut ranges = vec![function.head.clone()];
        ranges.extend(unit.own_tokens(function));
        ranges
    };
    same_tokens(old.0, &tokens(old), new.0, &tokens(new))
}

/// Whether ranges of two units contain the same tokens.
pub fn same_tokens(
    old: &Unit<'_>,
    olds: &[Range<usize>],
    new: &Unit<'_>,
    news: &[Range<usize>],
) -> bool {
    let mut olds = olds.iter().cloned().flatten();
    let mut news = news.iter().cloned().flatten();
    loop {
        match (olds.next(), news.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if same_token(old, a, new, b) => {}
            _ => return false,
        }
    }
}

fn same_token(old: &Unit<'_>, a: usize, new: &Unit<'_>, b: usize) -> bool {
    let (kind, other) = (old.tokens[a].kind, new.tokens[b].kind);
    let (text, other_text) = (old.token_text(a), new.token_text(b));
    kind == other
        && match kind {
            Kind::GroupEnd => true,
            Kind::Directive | Kind::GroupStart | Kind::GroupAlternative => {
                text == other_text || tidy(text) == tidy(other_text)
            }
            _ => text == other_text,
        }
}

/// A directive without comments and with single spaces.
fn tidy(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        bare.push_str(&rest[..start]);
        bare.push(' ');
        rest = rest[start + 2..].find("*/").map_or("", |end| &rest[start + end + 4..]);
    }
    bare.push_str(rest);
    let words =
        bare.split(|c: char| c.is_whitespace() || c == '\\').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Everything in a function that exists in one version only.
pub fn all_new(unit: &Unit<'_>, tree: &Tree) -> Changes {
    let pieces: BTreeSet<PieceId> = (0..tree.pieces.len()).collect();
    let lines = code_lines(unit, tree, statements_of(tree)).len() as u64;
    let statements = Lines { added: count(tree, pieces.iter().copied()), ..Lines::default() };
    let lines = Lines { added: lines, ..Lines::default() };
    Changes { pieces, places: BTreeSet::new(), lines, statements }
}

/// The lines and statements of a function that was deleted.
pub fn all_deleted(unit: &Unit<'_>, tree: &Tree) -> (Lines, Lines) {
    let lines = code_lines(unit, tree, statements_of(tree)).len() as u64;
    let statements = count(tree, 0..tree.pieces.len());
    (
        Lines { deleted: lines, ..Lines::default() },
        Lines { deleted: statements, ..Lines::default() },
    )
}

/// Statements among pieces; the head of a function is none.
fn count(tree: &Tree, pieces: impl Iterator<Item = PieceId>) -> u64 {
    pieces.filter(|&piece| tree.pieces[piece].kind != PieceKind::Function).count() as u64
}

/// Compares two versions of a function.
pub fn compare(old: (&Unit<'_>, &Tree), new: (&Unit<'_>, &Tree)) -> Changes {
    let mut input: InternedInput<String> = InternedInput::default();
    input.update_before((0..old.1.sequence.len()).map(|at| element_text(old, at)));
    input.update_after((0..new.1.sequence.len()).map(|at| element_text(new, at)));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let mut changes = Changes::default();
    let mut moved_ends = BTreeSet::new();
    // Positions of matched elements move by this much from old to new.
    let mut shift = 0i64;
    let mut shifts: Vec<(usize, i64)> = vec![(0, 0)];
    for hunk in diff.hunks() {
        let before = hunk.before.start as usize..hunk.before.end as usize;
        let after = hunk.after.start as usize..hunk.after.end as usize;
        compare_hunk(old, new, &before, &after, &mut changes);
        for at in after.clone() {
            if let Element::End(piece) = new.1.sequence[at] {
                moved_ends.insert(piece);
            }
        }
        shift += after.len() as i64 - before.len() as i64;
        shifts.push((before.end, shift));
    }
    for at in (0..old.1.sequence.len()).filter(|&at| diff.is_removed(at as u32)) {
        if let Element::End(piece) = old.1.sequence[at] {
            let head = old.1.pieces[piece].position;
            if !diff.is_removed(head as u32) {
                let index = shifts.partition_point(|(from, _)| *from <= head) - 1;
                let position = (head as i64 + shifts[index].1) as usize;
                if let Some(Element::Piece(piece)) = new.1.sequence.get(position) {
                    moved_ends.insert(*piece);
                }
            }
        }
    }
    // A head that stayed the same while its body ends elsewhere is a modified statement.
    for piece in moved_ends {
        let is_head = new.1.pieces[piece].kind == PieceKind::Function;
        if !is_head && changes.pieces.insert(piece) {
            changes.lines.modified += 1;
            changes.statements.modified += 1;
        }
    }
    changes
}

fn compare_hunk(
    old: (&Unit<'_>, &Tree),
    new: (&Unit<'_>, &Tree),
    before: &Range<usize>,
    after: &Range<usize>,
    changes: &mut Changes,
) {
    let pieces = |tree: &Tree, range: &Range<usize>| -> Vec<PieceId> {
        let of = |at: usize| match tree.sequence[at] {
            Element::Piece(piece) => Some(piece),
            Element::End(_) => None,
        };
        range.clone().filter_map(of).collect()
    };
    let (olds, news) = (pieces(old.1, before), pieces(new.1, after));
    if olds.is_empty() && news.is_empty() {
        return;
    }
    let old_lines = code_lines(old.0, old.1, olds.iter().copied());
    let new_lines = code_lines(new.0, new.1, news.iter().copied());
    changes.lines += compare_lines(&old_lines, &new_lines);
    let (deleted, added) = (count(old.1, olds.into_iter()), count(new.1, news.iter().copied()));
    changes.statements.hunk(deleted, added);
    if news.is_empty() {
        let last = new.1.sequence.len().saturating_sub(1);
        changes.places.insert(after.start.min(last));
    }
    changes.pieces.extend(news);
}

/// Counts the lines that differ between two lists of lines.
pub fn compare_lines(old: &[String], new: &[String]) -> Lines {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(old.iter().map(String::as_str));
    input.update_after(new.iter().map(String::as_str));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut lines = Lines::default();
    for hunk in diff.hunks() {
        lines.hunk(hunk.before.len() as u64, hunk.after.len() as u64);
    }
    lines
}

/// The key by which two elements are compared.
fn element_text((unit, tree): (&Unit<'_>, &Tree), at: usize) -> String {
    match tree.sequence[at] {
        Element::Piece(piece) => piece_text(unit, tree, piece),
        Element::End(piece) => format!("end of {}", piece_text(unit, tree, piece)),
    }
}

fn piece_text(unit: &Unit<'_>, tree: &Tree, piece: PieceId) -> String {
    let piece = &tree.pieces[piece];
    let mut text = format!("{:?}", piece.kind);
    for at in piece.ranges.iter().cloned().flatten() {
        text.push(' ');
        push_token(&mut text, unit, at);
    }
    text
}

fn push_token(text: &mut String, unit: &Unit<'_>, at: usize) {
    match unit.tokens[at].kind {
        Kind::GroupEnd => text.push_str("#endif"),
        Kind::Directive | Kind::GroupStart | Kind::GroupAlternative => {
            text.push_str(&tidy(unit.token_text(at)))
        }
        _ => text.push_str(unit.token_text(at)),
    }
}

/// The lines of pieces, each as its tokens.
fn code_lines(unit: &Unit<'_>, tree: &Tree, pieces: impl Iterator<Item = PieceId>) -> Vec<String> {
    token_lines(unit, pieces.flat_map(|piece| &tree.pieces[piece].ranges).cloned())
}

/// All pieces except the head of the function, which is executable only as a changed part.
fn statements_of(tree: &Tree) -> impl Iterator<Item = PieceId> {
    (0..tree.pieces.len()).filter(|&piece| tree.pieces[piece].kind != PieceKind::Function)
}

/// The lines of some tokens, each as its tokens, without empty ones.
pub fn token_lines(unit: &Unit<'_>, ranges: impl Iterator<Item = Range<usize>>) -> Vec<String> {
    let mut lines: BTreeMap<u32, String> = BTreeMap::new();
    for at in ranges.flatten() {
        let token = &unit.tokens[at];
        for (offset, part) in unit.token_text(at).lines().enumerate() {
            let part = match token.kind {
                Kind::Directive => part.trim().trim_end_matches('\\').trim_end(),
                _ => part,
            };
            if !part.is_empty() {
                let line = lines.entry(token.line + offset as u32).or_default();
                line.push(' ');
                line.push_str(part);
            }
        }
    }
    lines.into_values().collect()
}

//! Which source lines the page has: all of a small program; of a large one, those that a reader of
//! the report visits, within a bound.
//!
//! First come changed lines and targets of links, then the functions that matter, then lines that
//! runs infected. What is left out is counted, with the functions in it by name.

use std::collections::BTreeSet;

use base::Version;
use effects::compare::illustration::{FileLine, FunctionLines, Illustration, SourceFile};
use effects::compare::{Behaviour, Compared, Witness};
use effects::trial::Place;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::anchors::{Anchors, MOST_LINES, lines};

/// The most bytes of source in the page, estimated with their markup.
const MOST_BYTES: usize = 1_000_000;
/// Estimated markup of a row.
const ROW: usize = 190;
/// The most bytes of a line to show.
pub const MOST_OF_LINE: usize = 400;
/// Lines of context that are not folded.
const CONTEXT: usize = 3;
/// The most lines that are not worth folding.
const FEWEST_FOLDED: usize = 4;
/// The most runs to choose from.
pub const MOST_RUNS: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Shown,
    Folded,
    Left,
}

/// Two lines side by side, by index.
pub struct Row {
    pub old: Option<usize>,
    pub new: Option<usize>,
    pub is_changed: bool,
    pub state: State,
}

/// The lines of a file, side by side.
pub struct FileLayout<'a> {
    pub texts: [Vec<&'a [u8]>; 2],
    pub rows: Vec<Row>,
    /// Lines beyond the largest number of lines of a file.
    pub beyond: usize,
}

pub struct Layout<'a> {
    pub files: Vec<FileLayout<'a>>,
    /// Whether the program is too large to be shown as a whole.
    pub is_partial: bool,
}

/// Lines of interest, in OLD and in NEW.
type Interest = [BTreeSet<FileLine>; 2];

impl<'a> Layout<'a> {
    pub fn of(
        compared: &Compared,
        illustration: &'a Illustration,
        anchors: &Anchors,
    ) -> Layout<'a> {
        let mut files: Vec<FileLayout<'a>> =
            illustration.files.iter().map(FileLayout::of).collect();
        let all: usize = files.iter().map(FileLayout::cost).sum();
        let is_partial = all > MOST_BYTES;
        let visited = visited(compared, illustration, anchors);
        let infected = infected(illustration);
        if is_partial {
            let mut left = MOST_BYTES;
            for (number, file) in files.iter_mut().enumerate() {
                file.rows.iter_mut().for_each(|row| row.state = State::Left);
                let wanted = file.wanted(number, &visited, true);
                file.keep(&wanted, State::Shown, &mut left);
            }
            for (file, source) in files.iter_mut().zip(&illustration.files) {
                let wanted = file.of_functions(source);
                file.keep(&wanted, State::Folded, &mut left);
            }
            for (number, file) in files.iter_mut().enumerate() {
                let wanted = file.wanted(number, &infected, false);
                file.keep(&wanted, State::Shown, &mut left);
            }
        } else {
            for (number, file) in files.iter_mut().enumerate() {
                let mut left = usize::MAX;
                let mut wanted = file.wanted(number, &visited, true);
                wanted.extend(file.wanted(number, &infected, false));
                file.keep(&wanted, State::Shown, &mut left);
            }
        }
        files.iter_mut().for_each(FileLayout::unfold_short);
        Layout { files, is_partial }
    }

    /// The lines in the page, if some are left out.
    pub fn kept(&self) -> Option<[BTreeSet<FileLine>; 2]> {
        let mut kept: [BTreeSet<FileLine>; 2] = Default::default();
        for (number, file) in self.files.iter().enumerate().filter(|_| self.is_partial) {
            for row in file.rows.iter().filter(|row| row.state != State::Left) {
                for (lines, at) in kept.iter_mut().zip([row.old, row.new]) {
                    lines.extend(at.map(|at| (number, at as u32 + 1)));
                }
            }
        }
        self.is_partial.then_some(kept)
    }
}

impl<'a> FileLayout<'a> {
    fn of(file: &'a SourceFile) -> FileLayout<'a> {
        let mut texts = file.sides.each_ref().map(|side| {
            side.as_ref().and_then(|side| side.text.as_deref()).map(lines).unwrap_or_default()
        });
        let mut beyond = 0;
        for text in &mut texts {
            beyond += text.len().saturating_sub(MOST_LINES);
            text.truncate(MOST_LINES);
        }
        let rows = align(&texts[0], &texts[1]);
        FileLayout { texts, rows, beyond }
    }

    fn cost(&self) -> usize {
        self.rows.iter().map(|row| self.cost_of(row)).sum()
    }

    fn cost_of(&self, row: &Row) -> usize {
        let length = |version: Version, at: Option<usize>| {
            at.map_or(0, |at| self.texts[version][at].len().min(MOST_OF_LINE))
        };
        ROW + length(Version::Old, row.old) + length(Version::New, row.new)
    }

    /// The rows with lines of interest, and some around them.
    fn wanted(&self, number: usize, interest: &Interest, changed: bool) -> BTreeSet<usize> {
        let is_in = |version: Version, at: Option<usize>| {
            at.is_some_and(|at| interest[version].contains(&(number, at as u32 + 1)))
        };
        let mut wanted = BTreeSet::new();
        for (at, row) in self.rows.iter().enumerate() {
            let is_wanted = (changed && row.is_changed)
                || is_in(Version::Old, row.old)
                || is_in(Version::New, row.new);
            if is_wanted {
                wanted.extend(at.saturating_sub(CONTEXT)..self.rows.len().min(at + CONTEXT + 1));
            }
        }
        wanted
    }

    /// The rows of functions that matter.
    fn of_functions(&self, file: &SourceFile) -> BTreeSet<usize> {
        let matters = |version: Version, at: Option<usize>| {
            let functions = file.sides[version].iter().flat_map(|side| &side.functions);
            // The bracket that ends a function has no statement.
            let holds = |one: &FunctionLines, line: u32| (one.first..=one.last + 1).contains(&line);
            at.is_some_and(|at| {
                functions.clone().any(|one| one.matters && holds(one, at as u32 + 1))
            })
        };
        let is_wanted =
            |row: &Row| matters(Version::Old, row.old) || matters(Version::New, row.new);
        (0..self.rows.len()).filter(|&at| is_wanted(&self.rows[at])).collect()
    }

    /// Puts rows into the page, as many as there is room for.
    fn keep(&mut self, wanted: &BTreeSet<usize>, state: State, left: &mut usize) {
        for &at in wanted {
            if self.rows[at].state == State::Left {
                let cost = self.cost_of(&self.rows[at]);
                let Some(rest) = left.checked_sub(cost) else { return };
                *left = rest;
                self.rows[at].state = state;
            } else if state == State::Shown {
                self.rows[at].state = state;
            }
        }
    }

    /// Unfolds what is not worth folding, unless the whole file is folded.
    fn unfold_short(&mut self) {
        if self.rows.iter().all(|row| row.state != State::Shown) {
            return;
        }
        for group in self.rows.chunk_by_mut(|one, other| one.state == other.state) {
            if group[0].state == State::Folded && group.len() < FEWEST_FOLDED {
                group.iter_mut().for_each(|row| row.state = State::Shown);
            }
        }
    }
}

/// The lines of both texts side by side.
fn align(old: &[&[u8]], new: &[&[u8]]) -> Vec<Row> {
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Histogram, old, new) {
        let (left, right) = (op.old_range(), op.new_range());
        let is_changed = !matches!(op, DiffOp::Equal { .. });
        for at in 0..left.len().max(right.len()) {
            let old = (at < left.len()).then(|| left.start + at);
            let new = (at < right.len()).then(|| right.start + at);
            rows.push(Row { old, new, is_changed, state: State::Folded });
        }
    }
    rows
}

/// Changed lines and targets of links.
fn visited(compared: &Compared, illustration: &Illustration, anchors: &Anchors) -> Interest {
    let mut interest = Interest::default();
    for (number, file) in illustration.files.iter().enumerate() {
        for (side, lines) in file.sides.iter().zip(&mut interest) {
            let changed = side.iter().flat_map(|side| &side.changed);
            lines.extend(changed.map(|&line| (number, line)));
        }
    }
    for witness in &compared.witnesses {
        for (version, place) in linked(witness) {
            interest[version].extend(anchors.of_place(version, place));
        }
    }
    interest
}

fn infected(illustration: &Illustration) -> Interest {
    let mut interest = Interest::default();
    for run in illustration.runs.iter().take(MOST_RUNS) {
        for (infected, lines) in run.infected.iter().zip(&mut interest) {
            lines.extend(infected.iter().copied());
        }
    }
    interest
}

/// The places that the report of a difference links to.
fn linked(witness: &Witness) -> Vec<(Version, &Place)> {
    let mut places = Vec::new();
    let links = witness.why.iter().flat_map(|why| &why.chain);
    for link in links {
        places.extend(link.old.iter().map(|place| (Version::Old, place)));
        places.extend(link.new.iter().map(|place| (Version::New, place)));
    }
    let behaviours: [&Behaviour; 2] = [&witness.old, &witness.new];
    for (version, behaviour) in Version::BOTH.into_iter().zip(behaviours) {
        let stack = behaviour.fault.iter().flat_map(|fault| &fault.stack);
        places.extend(stack.map(|place| (version, place)));
    }
    places
}

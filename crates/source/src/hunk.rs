//! Textual hunks between two versions of a file, and files with some of the hunks applied.
//!
//! Lines are bytes with their line ends, so that any file can be reassembled. A file that one
//! version lacks is one hunk. Does not know what hunks mean for the program.

use std::ops::Range;
use std::path::{Path, PathBuf};

use imara_diff::{Algorithm, Diff, InternedInput};

/// Number of a hunk, from 0, in the order of files and lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HunkId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HunkKind {
    /// Lines of a file that both versions have.
    Lines,
    FileAdded,
    FileRemoved,
}

/// Lines that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub id: HunkId,
    pub kind: HunkKind,
    /// The file's name from the root of either version; empty if versions are lone files.
    pub key: PathBuf,
    /// The file as the user knows it in each version.
    pub old_file: PathBuf,
    pub new_file: PathBuf,
    pub old: Lines,
    pub new: Lines,
}

/// A range of lines. An empty one stands for the place right before `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// From 1.
    pub first: u32,
    pub count: u32,
}

impl Lines {
    fn of(range: &Range<u32>) -> Lines {
        Lines { first: range.start + 1, count: range.end - range.start }
    }

    pub fn contains(&self, line: u32) -> bool {
        (self.first..self.first + self.count).contains(&line)
    }

    pub(crate) fn indices(&self) -> Range<usize> {
        let start = self.first as usize - 1;
        start..start + self.count as usize
    }
}

/// Ranges of lines that differ, in order.
pub(crate) fn compare(old: &[u8], new: &[u8]) -> Vec<(Lines, Lines)> {
    let mut input = InternedInput::default();
    input.update_before(lines(old).into_iter());
    input.update_after(lines(new).into_iter());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks().map(|hunk| (Lines::of(&hunk.before), Lines::of(&hunk.after))).collect()
}

/// Adds the hunks between two versions of a file, one of which may lack it. Numbers continue.
pub(crate) fn add_hunks(
    hunks: &mut Vec<Hunk>,
    key: &Path,
    (old_file, new_file): (PathBuf, PathBuf),
    (old, new): (Option<&[u8]>, Option<&[u8]>),
) {
    let whole = |text: &[u8]| Lines { first: 1, count: line_count(text) };
    let none = Lines { first: 1, count: 0 };
    let (kind, ranges) = match (old, new) {
        (Some(old), Some(new)) => (HunkKind::Lines, compare(old, new)),
        (None, Some(new)) => (HunkKind::FileAdded, vec![(none, whole(new))]),
        (Some(old), None) => (HunkKind::FileRemoved, vec![(whole(old), none)]),
        (None, None) => return,
    };
    for (old, new) in ranges {
        let id = HunkId(hunks.len() as u32);
        let (old_file, new_file) = (old_file.clone(), new_file.clone());
        hunks.push(Hunk { id, kind, key: key.to_owned(), old_file, new_file, old, new });
    }
}

/// The old text with some of its hunks applied. Hunks are in order.
pub(crate) fn apply<'a>(
    old: &[u8],
    new: &[u8],
    hunks: impl Iterator<Item = (&'a Hunk, bool)>,
) -> Vec<u8> {
    let (old, new) = (lines(old), lines(new));
    let mut text = Vec::new();
    let mut copied = 0;
    for (hunk, is_applied) in hunks {
        let (before, after) = (hunk.old.indices(), hunk.new.indices());
        text.extend(old[copied..before.start].concat());
        copied = before.end;
        text.extend(if is_applied { new[after].concat() } else { old[before].concat() });
    }
    text.extend(old[copied..].concat());
    text
}

/// Number of lines.
fn line_count(text: &[u8]) -> u32 {
    lines(text).len() as u32
}

pub(crate) fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunks(old: &str, new: &str) -> Vec<Hunk> {
        let made = compare(old.as_bytes(), new.as_bytes()).into_iter().enumerate();
        made.map(|(index, (old, new))| Hunk {
            id: HunkId(index as u32),
            kind: HunkKind::Lines,
            key: PathBuf::new(),
            old_file: PathBuf::new(),
            new_file: PathBuf::new(),
            old,
            new,
        })
        .collect()
    }

    #[test]
    fn any_subset_of_hunks_can_be_applied() {
        let (old, new) = ("a\nb\nc\nd\ne", "x\na\nc\nD\ne\n");
        let hunks = hunks(old, new);
        assert_eq!(hunks.len(), 3);
        let applied = |set: [bool; 3]| {
            let text = apply(old.as_bytes(), new.as_bytes(), hunks.iter().zip(set));
            String::from_utf8(text).expect("it is text")
        };
        assert_eq!(applied([false; 3]), old);
        assert_eq!(applied([true; 3]), new);
        assert_eq!(applied([true, false, false]), "x\na\nb\nc\nd\ne");
        assert_eq!(applied([false, true, false]), "a\nc\nd\ne");
        assert_eq!(applied([false, false, true]), "a\nb\nc\nD\ne\n");
    }

    #[test]
    fn lines_that_only_stand_in_one_version_have_a_place_in_the_other() {
        let hunks = hunks("a\nb\n", "a\nnew\nb\n");
        assert_eq!(hunks[0].old, Lines { first: 2, count: 0 });
        assert_eq!(hunks[0].new, Lines { first: 2, count: 1 });
    }
}

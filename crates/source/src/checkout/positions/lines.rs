//! Maps each line of the newer version to a line of the older one, by text.
//!
//! One to one: no two lines map to the same line. The pairing follows what readers expect and
//! proves nothing, so every line gets a partner if one is left nearby.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::hunk::{Lines, compare, lines};

/// Lines that only the newer version has get numbers in a range of this size, after the older
/// version's lines. Lines outside of any file, as `#line` makes them, follow that range.
const FRESH: u32 = 1_000_000_000;

/// Lines of the newer version and their numbers.
pub(super) struct LineMap {
    /// By line of the newer version, from 1.
    old: Vec<u32>,
    /// Number of lines of the older version.
    count: u32,
}

impl LineMap {
    pub fn new(before: &[u8], after: &[u8]) -> LineMap {
        let (old, new) = (lines(before), lines(after));
        let mut pairs = Pairs { old: vec![None; new.len()], taken: vec![false; old.len()] };
        let hunks = compare(before, after);
        let (mut at_old, mut at_new) = (0, 0);
        for (from, to) in &hunks {
            for (old, new) in (at_old..from.indices().start).zip(at_new..to.indices().start) {
                pairs.add(old, new);
            }
            (at_old, at_new) = (from.indices().end, to.indices().end);
        }
        for (old, new) in (at_old..old.len()).zip(at_new..new.len()) {
            pairs.add(old, new);
        }
        let trimmed = |lines: Vec<&'_ [u8]>| -> Vec<Vec<u8>> {
            lines.into_iter().map(|line| line.trim_ascii().to_vec()).collect()
        };
        let (old, new) = (trimmed(old), trimmed(new));
        for (from, to) in &hunks {
            pairs.add_equal((&old, from), (&new, to));
        }
        pairs.add_moved(&old, &new);
        for (from, to) in &hunks {
            pairs.add_rest(from, to);
        }
        let count = old.len() as u32;
        LineMap { old: pairs.numbered(count, &new), count }
    }

    pub fn line(&self, new: u32) -> u32 {
        let known = (new as usize).checked_sub(1).and_then(|index| self.old.get(index).copied());
        known.unwrap_or(if new > FRESH {
            // A later version assigned its number, which had to avoid this file's lines, too.
            new
        } else {
            self.count.saturating_add(FRESH).saturating_add(new)
        })
    }

    /// Whether any line that both versions have moved.
    pub fn moves(&self) -> bool {
        let mut all = (1u32..).zip(&self.old);
        all.any(|(new, &old)| old <= self.count && old != new)
    }
}

/// Lines that belong together, by index.
struct Pairs {
    old: Vec<Option<usize>>,
    taken: Vec<bool>,
}

impl Pairs {
    fn add(&mut self, old: usize, new: usize) {
        self.old[new] = Some(old);
        self.taken[old] = true;
    }

    /// The lines' numbers. A line without a partner gets a number derived from its text, so that it
    /// does not depend on other changes of the file.
    fn numbered(&self, count: u32, texts: &[Vec<u8>]) -> Vec<u32> {
        let mut used = BTreeSet::new();
        let mut fresh = |text: &[u8]| {
            let hash = blake3::hash(text);
            let [a, b, c, d, ..] = *hash.as_bytes();
            let mut number = u32::from_le_bytes([a, b, c, d]) % FRESH;
            while !used.insert(number) {
                number = (number + 1) % FRESH;
            }
            count + 1 + number
        };
        let number = |(old, text): (&Option<usize>, &Vec<u8>)| match old {
            Some(old) => *old as u32 + 1,
            None => fresh(text),
        };
        self.old.iter().zip(texts).map(number).collect()
    }

    /// Lines of a hunk that differ only in surrounding white space.
    fn add_equal(&mut self, (old, from): (&[Vec<u8>], &Lines), (new, to): (&[Vec<u8>], &Lines)) {
        let mut next = from.indices().start;
        for index in to.indices() {
            let found = (next..from.indices().end).find(|&other| old[other] == new[index]);
            if let Some(found) = found.filter(|_| has_words(&new[index])) {
                self.add(found, index);
                next = found + 1;
            }
        }
    }

    /// Lines that moved, in their new order.
    fn add_moved(&mut self, old: &[Vec<u8>], new: &[Vec<u8>]) {
        let mut left: BTreeMap<&[u8], VecDeque<usize>> = BTreeMap::new();
        for (index, text) in old.iter().enumerate() {
            if !self.taken[index] && has_words(text) {
                left.entry(text).or_default().push_back(index);
            }
        }
        for (index, text) in new.iter().enumerate() {
            if self.old[index].is_none()
                && let Some(found) = left.get_mut(&text[..]).and_then(VecDeque::pop_front)
            {
                self.add(found, index);
            }
        }
    }

    /// Pairs the other lines of a hunk one by one.
    fn add_rest(&mut self, from: &Lines, to: &Lines) {
        let old: Vec<usize> = from.indices().filter(|&index| !self.taken[index]).collect();
        let new: Vec<usize> = to.indices().filter(|&index| self.old[index].is_none()).collect();
        for (old, new) in old.into_iter().zip(new) {
            self.add(old, new);
        }
    }
}

fn has_words(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(before: &str, after: &str) -> Vec<u32> {
        let map = LineMap::new(before.as_bytes(), after.as_bytes());
        (1..=after.lines().count() as u32).map(|line| map.line(line)).collect()
    }

    #[test]
    fn lines_keep_their_numbers_where_others_come_and_go() {
        assert_eq!(mapped("a\nb\nc\n", "x\na\nc\n")[1..], [1, 3]);
        assert_eq!(mapped("a\nb\n", "a\n  b\nc\n")[..2], [1, 2]);
    }

    #[test]
    fn a_line_that_is_new_has_a_number_that_does_not_hang_on_others() {
        let alone = mapped("a\n", "a\nnew\n")[1];
        assert!(alone > 1);
        assert_eq!(mapped("a\n", "other\na\nnew\n")[2], alone);
        assert_ne!(mapped("a\n", "a\nnew\nnew\n")[2], alone);
    }

    #[test]
    fn a_line_that_is_changed_is_the_same_line() {
        assert_eq!(mapped("a\nb = 1\nc\n", "a\nb = 2\nc\n"), [1, 2, 3]);
    }

    #[test]
    fn lines_that_moved_are_found_and_no_two_lines_become_one() {
        let (old, new) = ("f\nf1\ng\ng1\nh\nh1\n", "g\ng1\nh\nh1\nnew\nf\nf1\nf1\n");
        let lines = mapped(old, new);
        assert_eq!(lines[..4], [3, 4, 5, 6]);
        assert_eq!(lines[5..7], [1, 2]);
        let mut once = lines.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), lines.len());
    }
}

//! Sets of small numbers: sparse sets that grow and are compared often, and dense sets of handles.

use std::marker::PhantomData;

use crate::entity::EntityRef;

/// A set of `u32`, as 64-bit words; words that are 0 are not stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SparseSet {
    keys: Vec<u32>,
    words: Vec<u64>,
}

impl SparseSet {
    pub fn new() -> SparseSet {
        SparseSet::default()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn contains(&self, element: u32) -> bool {
        match self.keys.binary_search(&(element / 64)) {
            Ok(at) => self.words[at] >> (element % 64) & 1 == 1,
            Err(_) => false,
        }
    }

    /// Whether the element is new.
    pub fn insert(&mut self, element: u32) -> bool {
        let (key, bit) = (element / 64, 1 << (element % 64));
        let at = match self.keys.last() {
            Some(&last) if last < key => Err(self.keys.len()),
            None => Err(0),
            _ => self.keys.binary_search(&key),
        };
        match at {
            Ok(at) => {
                let before = self.words[at];
                self.words[at] |= bit;
                before & bit == 0
            }
            Err(at) => {
                self.keys.insert(at, key);
                self.words.insert(at, bit);
                true
            }
        }
    }

    /// Whether anything was new.
    pub fn union(&mut self, other: &SparseSet) -> bool {
        if other.is_empty() {
            return false;
        }
        if self.is_empty() {
            self.clone_from(other);
            return true;
        }
        if let Some(changed) = self.union_in_place(other) {
            return changed;
        }
        let merged = merge(self, other, |a, b| a | b);
        *self = merged;
        true
    }

    /// The union in place, if this set already stores every word it needs.
    fn union_in_place(&mut self, other: &SparseSet) -> Option<bool> {
        if other.keys.len() > self.keys.len() {
            return None;
        }
        let mut at = 0;
        let mut changed = false;
        for (done, key) in other.keys.iter().enumerate() {
            at += ahead(&self.keys[at..], *key);
            if self.keys.get(at) != Some(key) {
                return None;
            }
            // Words that are added before a later one turns out to be missing are part of the union.
            changed |= other.words[done] & !self.words[at] != 0;
            self.words[at] |= other.words[done];
        }
        Some(changed)
    }

    /// The elements of this set that are not in the other.
    pub fn difference(&self, other: &SparseSet) -> SparseSet {
        if other.is_empty() {
            return self.clone();
        }
        merge(self, other, |a, b| a & !b)
    }

    pub fn intersection(&self, other: &SparseSet) -> SparseSet {
        merge(self, other, |a, b| a & b)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.keys
            .iter()
            .zip(&self.words)
            .flat_map(|(key, &word)| bits(word).map(move |bit| key * 64 + bit))
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<I: IntoIterator<Item = u32>>(elements: I) -> SparseSet {
        let mut set = SparseSet::new();
        for element in elements {
            set.insert(element);
        }
        set
    }
}

/// How many keys come before `key`: near ones are found first, because both sets are walked through
/// side by side.
fn ahead(keys: &[u32], key: u32) -> usize {
    let mut step = 1;
    while step < keys.len() && keys[step] < key {
        step *= 2;
    }
    let from = step / 2;
    from + keys[from..keys.len().min(step + 1)].partition_point(|&known| known < key)
}

fn merge(a: &SparseSet, b: &SparseSet, combine: impl Fn(u64, u64) -> u64) -> SparseSet {
    let mut result = SparseSet::new();
    let (mut i, mut j) = (0, 0);
    while i < a.keys.len() || j < b.keys.len() {
        let (x, y) = (a.keys.get(i).copied(), b.keys.get(j).copied());
        let key = match (x, y) {
            (Some(x), Some(y)) => x.min(y),
            (x, y) => x.or(y).unwrap_or_default(),
        };
        let left = if x == Some(key) { a.words[i] } else { 0 };
        let right = if y == Some(key) { b.words[j] } else { 0 };
        i += usize::from(x == Some(key));
        j += usize::from(y == Some(key));
        let word = combine(left, right);
        if word != 0 {
            result.keys.push(key);
            result.words.push(word);
        }
    }
    result
}

fn bits(word: u64) -> impl Iterator<Item = u32> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// A set of handles below a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitSet<K> {
    words: Vec<u64>,
    handles: PhantomData<K>,
}

impl<K: EntityRef> BitSet<K> {
    pub fn new(bound: usize) -> BitSet<K> {
        BitSet { words: vec![0; bound.div_ceil(64)], handles: PhantomData }
    }

    /// The set of all handles below the bound.
    pub fn full(bound: usize) -> BitSet<K> {
        let mut set = BitSet::new(bound);
        (0..bound).for_each(|element| {
            set.insert(K::new(element));
        });
        set
    }

    pub fn contains(&self, element: K) -> bool {
        let at = element.index();
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Whether the element is new.
    pub fn insert(&mut self, element: K) -> bool {
        let word = &mut self.words[element.index() / 64];
        let before = *word;
        *word |= 1 << (element.index() % 64);
        *word != before
    }

    pub fn remove(&mut self, element: K) {
        self.words[element.index() / 64] &= !(1 << (element.index() % 64));
    }

    /// Whether anything was new. Both sets have the same bound.
    pub fn union(&mut self, other: &BitSet<K>) -> bool {
        union_words(&mut self.words, &other.words)
    }

    /// Keeps the elements that the other set has too; whether any was lost.
    pub fn intersect(&mut self, other: &BitSet<K>) -> bool {
        let mut changed = 0;
        for (word, &other) in self.words.iter_mut().zip(&other.words) {
            changed |= *word & !other;
            *word &= other;
        }
        changed != 0
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(at, &word)| bits(word).map(move |bit| K::new(at * 64 + bit as usize)))
    }
}

/// A relation between numbers below two bounds.
#[derive(Clone, Debug, Default)]
pub struct BitMatrix {
    width: usize,
    words: Vec<u64>,
}

impl BitMatrix {
    pub fn new(rows: usize, columns: usize) -> BitMatrix {
        let width = columns.div_ceil(64);
        BitMatrix { width, words: vec![0; rows * width] }
    }

    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.words[row * self.width + column / 64] >> (column % 64) & 1 == 1
    }

    pub fn insert(&mut self, row: usize, column: usize) -> bool {
        let word = &mut self.words[row * self.width + column / 64];
        let before = *word;
        *word |= 1 << (column % 64);
        *word != before
    }

    /// Adds the columns of one row to another; whether anything was new.
    pub fn add_row(&mut self, from: usize, to: usize) -> bool {
        if from == to || self.width == 0 {
            return false;
        }
        let (low, high) = (from.min(to) * self.width, from.max(to) * self.width);
        let (left, right) = self.words.split_at_mut(high);
        let (low, high) = (&mut left[low..low + self.width], &mut right[..self.width]);
        if from < to { union_words(high, low) } else { union_words(low, high) }
    }

    pub fn row(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let words = self.words[row * self.width..(row + 1) * self.width].iter().enumerate();
        words.flat_map(|(at, &word)| bits(word).map(move |bit| at * 64 + bit as usize))
    }
}

fn union_words(into: &mut [u64], from: &[u64]) -> bool {
    let mut changed = 0;
    for (word, &other) in into.iter_mut().zip(from) {
        changed |= other & !*word;
        *word |= other;
    }
    changed != 0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::random::Random;

    fn set(elements: &[u32]) -> SparseSet {
        elements.iter().copied().collect()
    }

    #[test]
    fn a_union_says_whether_anything_was_new() {
        let mut a = set(&[1, 64, 700]);
        assert!(!a.union(&set(&[64, 700])));
        assert!(a.union(&set(&[65])));
        assert!(a.union(&set(&[9000, 2])));
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 2, 64, 65, 700, 9000]);
        assert_eq!(a.len(), 6);
    }

    #[test]
    fn unions_are_those_of_the_elements() {
        let mut random = Random::new(7);
        for round in 0..300_u64 {
            let mut some = |most: u64| -> Vec<u32> {
                let count = random.number(most);
                (0..count).map(|_| random.number(6000) as u32).collect()
            };
            let (one, other) = (some(200), some(1 + round % 60));
            let mut union = set(&one);
            let is_new = union.union(&set(&other));
            let expected: BTreeSet<u32> = one.iter().chain(&other).copied().collect();
            assert_eq!(union.iter().collect::<Vec<_>>(), Vec::from_iter(expected));
            assert_eq!(is_new, other.iter().any(|element| !one.contains(element)));
        }
    }

    #[test]
    fn a_difference_keeps_what_the_other_lacks() {
        let difference = set(&[1, 64, 700]).difference(&set(&[64, 9000]));
        assert_eq!(difference, set(&[1, 700]));
        assert_eq!(set(&[1, 64]).intersection(&set(&[64, 2])), set(&[64]));
    }

    #[test]
    fn a_row_of_a_matrix_is_added_to_another_in_both_directions() {
        let mut matrix = BitMatrix::new(3, 70);
        matrix.insert(0, 69);
        assert!(matrix.add_row(0, 2));
        assert!(!matrix.add_row(0, 2));
        assert!(matrix.add_row(2, 1));
        assert_eq!(matrix.row(1).collect::<Vec<_>>(), [69]);
    }
}

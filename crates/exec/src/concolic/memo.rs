//! A memory of terms by place and operands.
//!
//! Runs are repetitive: the same operation on the same terms gives the same term, and looking it up
//! here is much cheaper than building it again. Entries are lossy: two operations with the same
//! entry displace each other.

use smt::TermId;

use crate::observer::{At, Operand};

const ENTRIES: usize = 1 << 13;

/// An operation and its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Key {
    place: u64,
    shadows: [u32; 3],
    /// The values of operands without a shadow.
    bits: [u64; 3],
}

impl Key {
    pub fn new(at: At<'_>, sources: &[Operand]) -> Key {
        let place = u64::from(at.code.function.as_u32()) << 32 | at.pc as u64;
        let mut key = Key { place, ..Key::default() };
        for (index, source) in sources.iter().take(3).enumerate() {
            key.shadows[index] = source.shadow;
            key.bits[index] = if source.shadow == 0 { source.bits } else { 0 };
        }
        key
    }

    fn entry(&self) -> usize {
        let mut mixed = self.place;
        for (&shadow, &bits) in self.shadows.iter().zip(&self.bits) {
            mixed = (mixed ^ u64::from(shadow) ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^= mixed >> 29;
        }
        (mixed >> 16) as usize % ENTRIES
    }
}

/// Terms that were built before: of an operation, or of a branch's two outcomes.
pub(super) struct Memo {
    entries: Vec<(Key, Option<[TermId; 2]>)>,
}

impl Memo {
    pub fn new() -> Memo {
        Memo { entries: vec![(Key::default(), None); ENTRIES] }
    }

    #[inline]
    pub fn get(&self, key: &Key) -> Option<[TermId; 2]> {
        let (known, terms) = &self.entries[key.entry()];
        terms.filter(|_| known == key)
    }

    pub fn set(&mut self, key: Key, terms: [TermId; 2]) {
        self.entries[key.entry()] = (key, Some(terms));
    }
}

//! Cells: the unknown scalars of an input space.
//!
//! A cell's value is a `u64` that holds its bits, the upper ones zero. Its domain says whether
//! these bits are a signed number. This module does not know terms or solver variables.

use std::ops::RangeInclusive;

use base::entity::entity_impl;

/// A cell of a layout, dense in the order in which an input is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u32);
entity_impl!(CellId, "cell");

impl CellId {
    pub const fn at(index: u32) -> CellId {
        CellId(index)
    }

    /// Position in an assignment.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// One unknown scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// For people: `arg1`, `stdin[3]`, `p->next->value`.
    pub name: String,
    /// From 1 to 64.
    pub bits: u32,
    pub domain: Domain,
    pub role: Role,
}

/// What a cell stands for. Decides how to guess and print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A number, written in decimal or a variable of integer type.
    Number,
    /// One byte of a text or buffer.
    Byte,
    /// The bits of a `float` or `double`.
    Float,
    /// Bits of a scalar that is wider than 64 bits, or of a union.
    Raw,
    /// The number of bytes, lines or arguments.
    Count,
    /// Which of several texts.
    Choice,
    /// 1 if a pointer is null.
    Null,
    /// 1 if a file is missing.
    Missing,
    /// 1 if a pointer is the same as another one.
    Alias,
}

/// The allowed values of a cell: sorted, disjoint ranges of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    bits: u32,
    signed: bool,
    ranges: Vec<(i128, i128)>,
}

impl Domain {
    /// All values of this many bits.
    pub fn full(bits: u32, signed: bool) -> Domain {
        let (low, high) = extremes(bits, signed);
        Domain { bits, signed, ranges: vec![(low, high)] }
    }

    /// The numbers of a range that can be represented; `None` if there are none.
    pub fn range(bits: u32, signed: bool, range: RangeInclusive<i128>) -> Option<Domain> {
        Domain::union(bits, signed, [range])
    }

    /// The numbers of several ranges that can be represented; `None` if there are none.
    pub fn union(
        bits: u32,
        signed: bool,
        ranges: impl IntoIterator<Item = RangeInclusive<i128>>,
    ) -> Option<Domain> {
        let (low, high) = extremes(bits, signed);
        let clipped =
            ranges.into_iter().map(|range| (*range.start().max(&low), *range.end().min(&high)));
        let mut sorted: Vec<(i128, i128)> = clipped.filter(|(low, high)| low <= high).collect();
        sorted.sort_unstable();
        let mut merged: Vec<(i128, i128)> = Vec::with_capacity(sorted.len());
        for (low, high) in sorted {
            match merged.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        (!merged.is_empty()).then_some(Domain { bits, signed, ranges: merged })
    }

    /// Whether the bits are a two's complement number.
    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// The allowed numbers: inclusive, ascending, disjoint and not adjacent.
    pub fn ranges(&self) -> &[(i128, i128)] {
        &self.ranges
    }

    /// Whether every bit pattern is allowed.
    pub fn is_full(&self) -> bool {
        self.ranges == [extremes(self.bits, self.signed)]
    }

    /// The smallest and the largest allowed number.
    pub fn bounds(&self) -> (i128, i128) {
        let last = self.ranges.len() - 1;
        (self.ranges[0].0, self.ranges[last].1)
    }

    /// How many values there are, at least 1.
    pub fn count(&self) -> u128 {
        self.ranges.iter().map(|(low, high)| (high - low) as u128 + 1).sum()
    }

    /// The value at a position in ascending order, as bits. Positions wrap around at the end.
    pub fn nth(&self, position: u128) -> u64 {
        let mut left = position % self.count();
        for &(low, high) in &self.ranges {
            let length = (high - low) as u128 + 1;
            if left < length {
                return self.encode(low + left as i128);
            }
            left -= length;
        }
        self.encode(self.ranges[0].0)
    }

    /// The plainest value: zero, or the smallest if zero is not allowed.
    pub fn plain(&self) -> u64 {
        if self.contains_number(0) { self.encode(0) } else { self.nth(0) }
    }

    /// Whether these bits are allowed.
    pub fn contains(&self, bits: u64) -> bool {
        bits & !mask(self.bits) == 0 && self.contains_number(self.decode(bits))
    }

    pub fn contains_number(&self, number: i128) -> bool {
        self.ranges.iter().any(|&(low, high)| low <= number && number <= high)
    }

    /// The number that the bits mean.
    pub fn decode(&self, bits: u64) -> i128 {
        if self.signed {
            i128::from((bits << (64 - self.bits)) as i64 >> (64 - self.bits))
        } else {
            i128::from(bits)
        }
    }

    /// The bits of a number, truncated to the width.
    pub fn encode(&self, number: i128) -> u64 {
        number as u64 & mask(self.bits)
    }
}

/// The lowest `bits` bits, of 1 to 64.
pub(crate) fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

fn extremes(bits: u32, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_clipped_sorted_and_merged() {
        let domain = Domain::union(8, true, [5..=9, -1000..=-100, 0..=4, 20..=20]).unwrap();
        assert_eq!(domain.ranges(), [(-128, -100), (0, 9), (20, 20)]);
        assert_eq!(domain.count(), 29 + 10 + 1);
        assert_eq!(domain.bounds(), (-128, 20));
        assert_eq!(Domain::range(8, false, 256..=300), None);
    }

    #[test]
    fn values_are_bits_of_numbers() {
        let domain = Domain::union(8, true, [-2..=-1, 7..=7]).unwrap();
        let values: Vec<u64> = (0..4).map(|n| domain.nth(n)).collect();
        assert_eq!(values, [0xfe, 0xff, 7, 0xfe]);
        assert!(values.iter().all(|&bits| domain.contains(bits)));
        assert!(!domain.contains(0x1ff), "no bits above the width");
        assert!(!domain.contains(1));
        assert_eq!(domain.decode(0xfe), -2);
    }

    #[test]
    fn the_widest_cell_has_every_value() {
        for signed in [false, true] {
            let domain = Domain::full(64, signed);
            assert!(domain.is_full());
            assert_eq!(domain.count(), 1 << 64);
            let (low, high) = domain.bounds();
            assert_eq!(domain.decode(domain.encode(low)), low);
            assert_eq!(domain.decode(domain.encode(high)), high);
        }
        let narrow = Domain::range(64, false, 3..=4).unwrap();
        assert!(!narrow.contains(5));
    }
}

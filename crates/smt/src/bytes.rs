//! Sets of values of at most eight bits, one bit per value.

/// Variables up to this width are examined value by value.
pub const SMALL_WIDTH: u32 = 8;

/// A set of values of at most eight bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub const EMPTY: ByteSet = ByteSet([0; 4]);

    /// Digits and letters: readable inputs.
    const PLEASANT: ByteSet = ByteSet([0x03ff_0000_0000_0000, 0x07ff_fffe_07ff_fffe, 0, 0]);
    const PRINTABLE: ByteSet = ByteSet([0xffff_ffff_0000_0000, 0x7fff_ffff_ffff_ffff, 0, 0]);

    /// All values of that many bits.
    pub fn all(width: u32) -> ByteSet {
        ByteSet::below(1 << width.min(SMALL_WIDTH))
    }

    /// The values below this number.
    pub fn below(count: u64) -> ByteSet {
        let word = |at: u64| match count.saturating_sub(64 * at) {
            0 => 0,
            1..64 => (1 << (count - 64 * at)) - 1,
            _ => u64::MAX,
        };
        ByteSet([word(0), word(1), word(2), word(3)])
    }

    /// The positions of ones.
    pub fn of_truths(truths: &[u64]) -> ByteSet {
        let mut words = [0; 4];
        for (word, chunk) in words.iter_mut().zip(truths.chunks(64)) {
            for (at, truth) in chunk.iter().enumerate() {
                *word |= (truth & 1) << at;
            }
        }
        ByteSet(words)
    }

    pub fn is_empty(self) -> bool {
        self == ByteSet::EMPTY
    }

    pub fn contains(self, value: u64) -> bool {
        value < 256 && self.0[value as usize / 64] >> (value % 64) & 1 == 1
    }

    pub fn intersect(self, other: ByteSet) -> ByteSet {
        let (a, b) = (self.0, other.0);
        ByteSet([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    pub fn first(self) -> Option<u64> {
        let at = self.0.iter().position(|word| *word != 0)?;
        Some(at as u64 * 64 + u64::from(self.0[at].trailing_zeros()))
    }

    /// In ascending order.
    pub fn members(self) -> impl Iterator<Item = u64> {
        let mut left = self;
        std::iter::from_fn(move || {
            let first = left.first()?;
            left.0[first as usize / 64] &= !(1 << (first % 64));
            Some(first)
        })
    }

    /// The member to choose for a variable of that width: the given one if it is a member, else
    /// for whole bytes a digit or letter, else a printable character, else the smallest.
    pub fn preferred(self, width: u32, current: u64) -> Option<u64> {
        if self.contains(current) {
            return Some(current);
        }
        if width == SMALL_WIDTH {
            for liked in [ByteSet::PLEASANT, ByteSet::PRINTABLE] {
                if let Some(member) = self.intersect(liked).first() {
                    return Some(member);
                }
            }
        }
        self.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order_and_are_contained() {
        let truths: Vec<u64> = (0..256).map(|value| u64::from(value % 7 == 3)).collect();
        let set = ByteSet::of_truths(&truths);
        let members: Vec<u64> = set.members().collect();
        let expected: Vec<u64> = (0..256).filter(|value| value % 7 == 3).collect();
        assert_eq!(members, expected);
        assert!((0..300).all(|value| set.contains(value) == expected.contains(&value)));
        for width in 1..=8 {
            assert_eq!(ByteSet::all(width).members().count(), 1 << width);
        }
    }

    #[test]
    fn a_byte_stays_else_is_a_letter_or_digit_else_printable_else_small() {
        let all = ByteSet::all(8);
        assert_eq!(all.preferred(8, 200), Some(200));
        let without = |low: u64, high: u64| {
            let truths: Vec<u64> =
                (0..256).map(|value| u64::from(!(low..=high).contains(&value))).collect();
            ByteSet::of_truths(&truths)
        };
        assert_eq!(without(0, 0).preferred(8, 0), Some(u64::from(b'0')));
        assert_eq!(without(0, 0x60).preferred(8, 0), Some(u64::from(b'a')));
        assert_eq!(without(0, 0x7a).preferred(8, 0), Some(u64::from(b'{')));
        assert_eq!(without(0x20, 0x7e).preferred(8, 0x41), Some(0));
        assert_eq!(without(0, 3).preferred(4, 0), Some(4));
        assert_eq!(ByteSet::EMPTY.preferred(8, 0), None);
        let truths: Vec<u64> =
            (0..256).map(|value| u64::from((value as u8).is_ascii_alphanumeric())).collect();
        assert_eq!(ByteSet::of_truths(&truths), ByteSet::PLEASANT);
        let truths: Vec<u64> =
            (0..256).map(|value| u64::from((0x20..0x7f).contains(&value))).collect();
        assert_eq!(ByteSet::of_truths(&truths), ByteSet::PRINTABLE);
    }
}

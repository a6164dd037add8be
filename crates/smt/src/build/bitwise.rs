//! And, or, xor, not; on one bit they are the boolean connectives.

use crate::term::{Op, TermId, Terms, mask};

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if self.raw {
            return self.unary(Op::Not, width, a);
        }
        if let Some(x) = self.match_unary(Op::Not, a) {
            return x;
        }
        if let Some(x) = self.match_unary(Op::Neg, a) {
            let minus_one = self.ones(width);
            return self.add(x, minus_one);
        }
        if self.is_choice(a) {
            return self.map_choice(a, |terms, branch| terms.not(branch));
        }
        self.unary(Op::Not, width, a)
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a conjunction of different widths");
        if self.raw {
            return self.binary(Op::And, width, a, b);
        }
        let (a, b) = self.ordered(a, b);
        if a == b || self.is_ones(b) {
            return a;
        }
        if self.is_zero(b) {
            return b;
        }
        if self.complementary(a, b) {
            return self.zero(width);
        }
        if let Some(c) = self.as_constant(b) {
            return self.and_constant(a, b, c, width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simpler) = self.absorbed(Op::And, x, y) {
                return simpler;
            }
        }
        if width == 1 && self.contradictory_comparisons(a, b) {
            return Terms::FALSE;
        }
        self.binary(Op::And, width, a, b)
    }

    fn and_constant(&mut self, a: TermId, b: TermId, c: u64, width: u32) -> TermId {
        if self.facts(a).possible() & !c & mask(width) == 0 {
            return a;
        }
        if let Some((x, inner)) = self.match_constant(Op::And, a) {
            let c = self.constant(width, c & inner);
            return self.and(x, c);
        }
        if self.is_choice(a) {
            return self.map_choice(a, |terms, branch| terms.and(branch, b));
        }
        // One block of ones: the bits there, between zeros.
        let low = c.trailing_zeros();
        let count = (c >> low).trailing_ones();
        if c >> low == mask(count) {
            let piece = self.extract(a, low, count);
            let shifted = match low {
                0 => piece,
                _ => {
                    let zeros = self.zero(low);
                    self.concat(piece, zeros)
                }
            };
            return self.zext(shifted, width);
        }
        self.binary(Op::And, width, a, b)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a disjunction of different widths");
        if self.raw {
            return self.binary(Op::Or, width, a, b);
        }
        let (a, b) = self.ordered(a, b);
        if a == b || self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) {
            return b;
        }
        if self.complementary(a, b) {
            return self.ones(width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(simpler) = self.absorbed(Op::Or, x, y) {
                return simpler;
            }
            if let Some(joined) = self.or_disjoint(x, y, width) {
                return joined;
            }
        }
        if let Some(c) = self.as_constant(b) {
            if let Some((x, inner)) = self.match_constant(Op::Or, a) {
                let c = self.constant(width, c | inner);
                return self.or(x, c);
            }
            if self.is_choice(a) {
                return self.map_choice(a, |terms, branch| terms.or(branch, b));
            }
        }
        self.binary(Op::Or, width, a, b)
    }

    /// `high | low` of values without common bits is a concatenation.
    fn or_disjoint(&mut self, high: TermId, low: TermId, width: u32) -> Option<TermId> {
        if width > 64 {
            return None;
        }
        let (upper, lower) = (self.facts(high).possible(), self.facts(low).possible());
        let split = 64 - lower.leading_zeros();
        if split == 0 || split >= width || upper & mask(split) != 0 {
            return None;
        }
        let upper = self.extract(high, split, width - split);
        let lower = self.extract(low, 0, split);
        Some(self.concat(upper, lower))
    }

    /// The conjunction or disjunction of a connective `x` and one of its parts, or the complement of
    /// one: `(p & q) & p`, `(p | q) & p`, `(p | q) & !p`.
    fn absorbed(&mut self, op: Op, x: TermId, y: TermId) -> Option<TermId> {
        let other = if op == Op::And { Op::Or } else { Op::And };
        if let Some((p, q)) = self.match_binary(op, x) {
            if p == y || q == y {
                return Some(x);
            }
            if self.complementary(p, y) || self.complementary(q, y) {
                let width = self.width(x);
                return Some(if op == Op::And { self.zero(width) } else { self.ones(width) });
            }
        }
        let (p, q) = self.match_binary(other, x)?;
        if p == y || q == y {
            return Some(y);
        }
        let rest = match (self.complementary(p, y), self.complementary(q, y)) {
            (true, _) => q,
            (_, true) => p,
            _ => return None,
        };
        Some(if op == Op::And { self.and(rest, y) } else { self.or(rest, y) })
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "an exclusive or of different widths");
        if self.raw {
            return self.binary(Op::Xor, width, a, b);
        }
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.zero(width);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) {
            return self.not(a);
        }
        if self.complementary(a, b) {
            return self.ones(width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(x) = self.match_unary(Op::Not, x) {
                let inner = self.xor(x, y);
                return self.not(inner);
            }
            if let Some((p, q)) = self.match_binary(Op::Xor, x)
                && (p == y || q == y)
            {
                return if p == y { q } else { p };
            }
        }
        if let Some(c) = self.as_constant(b) {
            if let Some((x, inner)) = self.match_constant(Op::Xor, a) {
                let c = self.constant(width, c ^ inner);
                return self.xor(x, c);
            }
            if self.is_choice(a) {
                return self.map_choice(a, |terms, branch| terms.xor(branch, b));
            }
        }
        self.binary(Op::Xor, width, a, b)
    }

    fn complementary(&self, a: TermId, b: TermId) -> bool {
        self.match_unary(Op::Not, a) == Some(b) || self.match_unary(Op::Not, b) == Some(a)
    }

    /// Two conditions that cannot hold together: `x = 1` and `x = 2`, `x < y` and `y < x`.
    fn contradictory_comparisons(&self, a: TermId, b: TermId) -> bool {
        if let (Some((x, c)), Some((y, d))) =
            (self.match_constant(Op::Eq, a), self.match_constant(Op::Eq, b))
        {
            return x == y && c != d;
        }
        [Op::Ult, Op::Slt].into_iter().any(|op| {
            match (self.match_binary(op, a), self.match_binary(op, b)) {
                (Some((p, q)), Some((r, s))) => p == s && q == r,
                _ => false,
            }
        })
    }

    /// The conjunction of all.
    pub fn all(&mut self, conditions: &[TermId]) -> TermId {
        conditions.iter().fold(Terms::TRUE, |all, one| self.and(all, *one))
    }

    /// The disjunction of all.
    pub fn any(&mut self, conditions: &[TermId]) -> TermId {
        conditions.iter().fold(Terms::FALSE, |any, one| self.or(any, *one))
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.not(a);
        self.or(not, b)
    }
}

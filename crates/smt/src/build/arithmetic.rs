//! Addition, multiplication, division. Sums keep their constant outermost: `(x + y) + c`.

use crate::term::{Op, TermId, Terms, mask};

impl Terms {
    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if self.raw || self.is_constant(a) {
            return self.unary(Op::Neg, width, a);
        }
        if width == 1 {
            return a;
        }
        if let Some(x) = self.match_unary(Op::Neg, a) {
            return x;
        }
        if let Some(x) = self.match_unary(Op::Not, a) {
            let one = self.constant(width, 1);
            return self.add(x, one);
        }
        if let Some((x, c)) = self.match_constant(Op::Add, a) {
            let (x, c) = (self.neg(x), self.constant(width, c.wrapping_neg()));
            return self.add(x, c);
        }
        if let Some((x, c)) = self.match_constant(Op::Mul, a) {
            let c = self.constant(width, c.wrapping_neg());
            return self.mul(x, c);
        }
        if self.is_choice(a) {
            return self.map_choice(a, |terms, branch| terms.neg(branch));
        }
        self.unary(Op::Neg, width, a)
    }

    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a sum of different widths");
        if self.raw {
            return self.binary(Op::Add, width, a, b);
        }
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if self.is_constant(b) {
            return self.add_constant(a, b, width);
        }
        if let Some(result) = self.add_cancelling(a, b, width) {
            return result;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((inner, c)) = self.match_constant(Op::Add, x) {
                let sum = self.add(inner, y);
                let c = self.constant(width, c);
                return self.add(sum, c);
            }
        }
        if width <= 64 && self.facts(a).possible() & self.facts(b).possible() == 0 {
            return self.or(a, b);
        }
        self.binary(Op::Add, width, a, b)
    }

    fn add_constant(&mut self, a: TermId, b: TermId, width: u32) -> TermId {
        if self.is_zero(b) {
            return a;
        }
        if let Some((x, inner)) = self.match_binary(Op::Add, a)
            && self.is_constant(inner)
        {
            let c = self.add(inner, b);
            return self.add(x, c);
        }
        if self.is_choice(a) {
            return self.map_choice(a, |terms, branch| terms.add(branch, b));
        }
        self.binary(Op::Add, width, a, b)
    }

    /// `x + -x`, `(x + y) + -y`, `x·c + x·d` and the like.
    fn add_cancelling(&mut self, a: TermId, b: TermId, width: u32) -> Option<TermId> {
        for (x, y) in [(a, b), (b, a)] {
            if let Some(positive) = self.match_unary(Op::Neg, y) {
                if positive == x {
                    return Some(self.zero(width));
                }
                if let Some((p, q)) = self.match_binary(Op::Add, x) {
                    if p == positive {
                        return Some(q);
                    }
                    if q == positive {
                        return Some(p);
                    }
                }
            }
            if let Some((p, q)) = self.match_binary(Op::Add, x) {
                let opposite = self.is_negation(p, y) || self.is_negation(q, y);
                if opposite {
                    return Some(if self.is_negation(p, y) { q } else { p });
                }
            }
        }
        let ((x, c), (y, d)) = (self.factor(a)?, self.factor(b)?);
        (x == y).then(|| {
            let c = self.constant(width, c.wrapping_add(d));
            self.mul(x, c)
        })
    }

    fn is_negation(&self, a: TermId, b: TermId) -> bool {
        self.match_unary(Op::Neg, a) == Some(b) || self.match_unary(Op::Neg, b) == Some(a)
    }

    /// The term as a product with a constant, for widths up to 64.
    fn factor(&self, term: TermId) -> Option<(TermId, u64)> {
        if self.width(term) > 64 {
            return None;
        }
        if let Some(x) = self.match_unary(Op::Neg, term) {
            return Some((x, u64::MAX));
        }
        Some(self.match_constant(Op::Mul, term).unwrap_or((term, 1)))
    }

    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a product of different widths");
        if self.raw {
            return self.binary(Op::Mul, width, a, b);
        }
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if self.is_zero(b) {
            return b;
        }
        if self.is_one(b) {
            return a;
        }
        if self.is_ones(b) {
            return self.neg(a);
        }
        if let Some(c) = self.as_constant(b) {
            return self.mul_constant(a, b, c, width);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((inner, c)) = self.match_constant(Op::Mul, x) {
                let product = self.mul(inner, y);
                let c = self.constant(width, c);
                return self.mul(product, c);
            }
            if let Some(inner) = self.match_unary(Op::Neg, x) {
                let product = self.mul(inner, y);
                return self.neg(product);
            }
        }
        self.binary(Op::Mul, width, a, b)
    }

    fn mul_constant(&mut self, a: TermId, b: TermId, c: u64, width: u32) -> TermId {
        if let Some(x) = self.match_unary(Op::Neg, a) {
            let c = self.constant(width, c.wrapping_neg());
            return self.mul(x, c);
        }
        if let Some((x, inner)) = self.match_constant(Op::Mul, a) {
            let c = self.constant(width, c.wrapping_mul(inner));
            return self.mul(x, c);
        }
        if let Some((x, inner)) = self.match_constant(Op::Add, a) {
            let (x, c) = (self.mul(x, b), self.constant(width, c.wrapping_mul(inner)));
            return self.add(x, c);
        }
        if self.is_choice(a) {
            return self.map_choice(a, |terms, branch| terms.mul(branch, b));
        }
        self.binary(Op::Mul, width, a, b)
    }

    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a quotient of different widths");
        if self.raw {
            return self.binary(Op::UDiv, width, a, b);
        }
        if self.is_one(b) {
            return a;
        }
        if let Some(c) = self.as_constant(b) {
            if c.is_power_of_two() {
                let by = self.constant(width, u64::from(c.trailing_zeros()));
                return self.lshr(a, by);
            }
            if c != 0 && self.facts(a).umax < c {
                return self.zero(width);
            }
            if self.is_choice(a) {
                return self.map_choice(a, |terms, branch| terms.udiv(branch, b));
            }
            if let Some(narrow) = self.narrow_division(Op::UDiv, a, c, width) {
                return narrow;
            }
        }
        self.binary(Op::UDiv, width, a, b)
    }

    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a remainder of different widths");
        if self.raw {
            return self.binary(Op::URem, width, a, b);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_one(b) || a == b {
            return self.zero(width);
        }
        if let Some(c) = self.as_constant(b) {
            if c.is_power_of_two() {
                let bits = self.constant(width, c - 1);
                return self.and(a, bits);
            }
            if self.facts(a).umax < c {
                return a;
            }
            if self.is_choice(a) {
                return self.map_choice(a, |terms, branch| terms.urem(branch, b));
            }
            if let Some(narrow) = self.narrow_division(Op::URem, a, c, width) {
                return narrow;
            }
        }
        self.binary(Op::URem, width, a, b)
    }

    /// A division of an extended value by a constant that fits the narrow width.
    fn narrow_division(&mut self, op: Op, a: TermId, c: u64, width: u32) -> Option<TermId> {
        let x = self.match_unary(Op::ZExt, a)?;
        let narrow = self.width(x);
        if narrow > 64 || c == 0 || c > mask(narrow) {
            return None;
        }
        let c = self.constant(narrow, c);
        let result = match op {
            Op::UDiv => self.udiv(x, c),
            _ => self.urem(x, c),
        };
        Some(self.zext(result, width))
    }

    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a quotient of different widths");
        if self.raw {
            return self.binary(Op::SDiv, width, a, b);
        }
        if self.is_one(b) && width > 1 {
            return a;
        }
        if self.is_ones(b) && width > 1 {
            return self.neg(a);
        }
        if self.both_non_negative(a, b) {
            return self.udiv(a, b);
        }
        if self.is_choice(a) && self.is_constant(b) {
            return self.map_choice(a, |terms, branch| terms.sdiv(branch, b));
        }
        self.binary(Op::SDiv, width, a, b)
    }

    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a remainder of different widths");
        if self.raw {
            return self.binary(Op::SRem, width, a, b);
        }
        if self.is_zero(b) {
            return a;
        }
        if a == b || (width > 1 && (self.is_one(b) || self.is_ones(b))) {
            return self.zero(width);
        }
        if self.both_non_negative(a, b) {
            return self.urem(a, b);
        }
        if let Some(c) = self.as_constant(b) {
            let facts = self.facts(a);
            let limit = crate::term::signed(c, width).unsigned_abs();
            if facts.smin.unsigned_abs() < limit && facts.smax.unsigned_abs() < limit {
                return a;
            }
            if self.is_choice(a) {
                return self.map_choice(a, |terms, branch| terms.srem(branch, b));
            }
        }
        self.binary(Op::SRem, width, a, b)
    }

    /// Both operands certainly have a clear sign bit.
    pub(crate) fn both_non_negative(&self, a: TermId, b: TermId) -> bool {
        let non_negative = |term| self.width(term) <= 64 && self.facts(term).smin >= 0;
        non_negative(a) && non_negative(b)
    }
}

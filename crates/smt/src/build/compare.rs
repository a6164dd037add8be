//! Comparisons. Only equality and the two strict orders exist as terms.

use crate::term::{Op, TermId, Terms, mask, signed};

impl Terms {
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    /// Equality of bit vectors.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.width(a), self.width(b), "an equation of different widths");
        if self.raw {
            return self.binary(Op::Eq, 1, a, b);
        }
        let (a, b) = self.ordered(a, b);
        if a == b {
            return Terms::TRUE;
        }
        if self.certainly_differ(a, b) {
            return Terms::FALSE;
        }
        if self.width(a) == 1 {
            return self.eq_boolean(a, b);
        }
        let simpler =
            if self.is_constant(b) { self.eq_constant(a, b) } else { self.eq_terms(a, b) };
        simpler.unwrap_or_else(|| self.binary(Op::Eq, 1, a, b))
    }

    fn certainly_differ(&self, a: TermId, b: TermId) -> bool {
        if self.width(a) > 64 {
            return false;
        }
        let (x, y) = (self.facts(a), self.facts(b));
        x.ones & y.zeros != 0
            || x.zeros & y.ones != 0
            || x.umax < y.umin
            || y.umax < x.umin
            || x.smax < y.smin
            || y.smax < x.smin
    }

    fn eq_boolean(&mut self, a: TermId, b: TermId) -> TermId {
        match b {
            Terms::TRUE => a,
            Terms::FALSE => self.not(a),
            _ => {
                let differ = self.xor(a, b);
                self.not(differ)
            }
        }
    }

    fn eq_constant(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let node = self.node(a);
        match node.op {
            Op::ZExt | Op::SExt => {
                let x = self.operand(a, 0);
                let inner = self.width(x);
                let low = self.extract(b, 0, inner);
                let back = match node.op {
                    Op::ZExt => self.zext(low, self.width(b)),
                    _ => self.sext(low, self.width(b)),
                };
                Some(if back == b { self.eq(x, low) } else { Terms::FALSE })
            }
            Op::Add if self.is_constant(self.operand(a, 1)) => {
                let (x, c) = (self.operand(a, 0), self.operand(a, 1));
                let rest = self.sub(b, c);
                Some(self.eq(x, rest))
            }
            Op::Add if self.is_zero(b) => {
                let (x, y) = (self.operand(a, 0), self.operand(a, 1));
                if let Some(y) = self.match_unary(Op::Neg, y) {
                    return Some(self.eq(x, y));
                }
                let x = self.match_unary(Op::Neg, x)?;
                Some(self.eq(x, y))
            }
            Op::Neg => {
                let (x, c) = (self.operand(a, 0), self.neg(b));
                Some(self.eq(x, c))
            }
            Op::Not => {
                let (x, c) = (self.operand(a, 0), self.not(b));
                Some(self.eq(x, c))
            }
            Op::Xor if self.is_constant(self.operand(a, 1)) => {
                let (x, c) = (self.operand(a, 0), self.operand(a, 1));
                let c = self.xor(b, c);
                Some(self.eq(x, c))
            }
            Op::Xor if self.is_zero(b) => {
                let (x, y) = (self.operand(a, 0), self.operand(a, 1));
                Some(self.eq(x, y))
            }
            Op::Or if self.is_zero(b) => {
                let (x, y) = (self.operand(a, 0), self.operand(a, 1));
                let (x, y) = (self.eq(x, b), self.eq(y, b));
                Some(self.and(x, y))
            }
            Op::Mul => self.eq_product(a, b),
            Op::Concat => {
                let (x, y) = (self.operand(a, 0), self.operand(a, 1));
                let split = self.width(y);
                let (high, low) =
                    (self.extract(b, split, self.width(x)), self.extract(b, 0, split));
                let (x, y) = (self.eq(x, high), self.eq(y, low));
                Some(self.and(x, y))
            }
            Op::Ite => self.compare_choice(a, |terms, branch| terms.eq(branch, b)),
            _ => None,
        }
    }

    /// `x · c = d`: an odd factor has an inverse; an even one is divided by its powers of two.
    fn eq_product(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, c) = self.match_constant(Op::Mul, a)?;
        let (d, width) = (self.as_constant(b)?, self.width(a));
        let twos = c.trailing_zeros();
        if d & mask(twos) != 0 {
            return Some(Terms::FALSE);
        }
        let rest = width - twos;
        let inverse = odd_inverse(c >> twos);
        let value = self.constant(rest, (d >> twos).wrapping_mul(inverse));
        let low = self.extract(x, 0, rest);
        Some(self.eq(low, value))
    }

    fn eq_terms(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (p, q) = (self.node(a), self.node(b));
        match (p.op, q.op) {
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt) => {
                let (x, y) = self.same_width_inside(a, b);
                Some(self.eq(x, y))
            }
            (Op::Neg, Op::Neg) | (Op::Not, Op::Not) => {
                let (x, y) = (self.operand(a, 0), self.operand(b, 0));
                Some(self.eq(x, y))
            }
            (Op::Concat, Op::Concat) => {
                let (x, y) = (self.operand(a, 0), self.operand(a, 1));
                let (u, v) = (self.operand(b, 0), self.operand(b, 1));
                (self.width(x) == self.width(u)).then(|| {
                    let (high, low) = (self.eq(x, u), self.eq(y, v));
                    self.and(high, low)
                })
            }
            (Op::Add, _) | (_, Op::Add) => self.eq_sums(a, b),
            (Op::Ite, _) | (_, Op::Ite) => self.eq_same_condition(a, b),
            _ => None,
        }
    }

    /// `x + c = y + d` moves the constants to one side and drops equal summands.
    fn eq_sums(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if let (Some((x, c)), Some((y, d))) =
            (self.match_constant(Op::Add, a), self.match_constant(Op::Add, b))
        {
            let rest = self.constant(width, d.wrapping_sub(c));
            let other = self.add(y, rest);
            return Some(self.eq(x, other));
        }
        for (s, t) in [(a, b), (b, a)] {
            let Some((x, y)) = self.match_binary(Op::Add, s) else { continue };
            for (same, rest) in [(x, y), (y, x)] {
                if same == t {
                    let zero = self.zero(width);
                    return Some(self.eq(rest, zero));
                }
                if let Some((u, v)) = self.match_binary(Op::Add, t) {
                    if u == same {
                        return Some(self.eq(rest, v));
                    }
                    if v == same {
                        return Some(self.eq(rest, u));
                    }
                }
            }
        }
        None
    }

    fn eq_same_condition(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (c, t, e) = self.match_ite(a)?;
        let (d, u, f) = self.match_ite(b)?;
        if c != d {
            return None;
        }
        let (then, otherwise) = (self.eq(t, u), self.eq(e, f));
        Some(self.ite(c, then, otherwise))
    }

    /// The operands of two extensions, the narrower one extended to the other.
    fn same_width_inside(&mut self, a: TermId, b: TermId) -> (TermId, TermId) {
        let op = self.op(a);
        let (x, y) = (self.operand(a, 0), self.operand(b, 0));
        let width = self.width(x).max(self.width(y));
        match op {
            Op::ZExt => (self.zext(x, width), self.zext(y, width)),
            _ => (self.sext(x, width), self.sext(y, width)),
        }
    }

    /// A comparison of an if-then-else with a constant branch becomes one of the branches.
    fn compare_choice(
        &mut self,
        choice: TermId,
        mut compare: impl FnMut(&mut Terms, TermId) -> TermId,
    ) -> Option<TermId> {
        let (c, t, e) = self.match_ite(choice)?;
        if !self.is_constant(t) && !self.is_constant(e) {
            return None;
        }
        let (then, otherwise) = (compare(self, t), compare(self, e));
        Some(self.ite(c, then, otherwise))
    }

    /// Unsigned less-than.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.width(a), self.width(b), "a comparison of different widths");
        if self.raw {
            return self.binary(Op::Ult, 1, a, b);
        }
        if a == b || self.is_zero(b) || self.is_ones(a) {
            return Terms::FALSE;
        }
        if self.width(a) <= 64
            && let Some(decided) = self.ult_by_facts(a, b)
        {
            return decided;
        }
        if self.width(a) == 1 {
            let not = self.not(a);
            return self.and(not, b);
        }
        let simpler = self.ult_simpler(a, b);
        simpler.unwrap_or_else(|| self.binary(Op::Ult, 1, a, b))
    }

    fn ult_by_facts(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (*self.facts(a), *self.facts(b));
        if x.umax < y.umin {
            return Some(Terms::TRUE);
        }
        if x.umin >= y.umax {
            return Some(Terms::FALSE);
        }
        // Against a constant next to a bound, order is equality.
        if let Some(c) = self.as_constant(b) {
            if c == x.umin + 1 {
                let least = self.constant(x.width, x.umin);
                return Some(self.eq(a, least));
            }
            if c == x.umax {
                return Some(self.ne(a, b));
            }
        }
        if let Some(c) = self.as_constant(a) {
            if c + 1 == y.umax {
                let most = self.constant(y.width, y.umax);
                return Some(self.eq(b, most));
            }
            if c == y.umin {
                return Some(self.ne(a, b));
            }
        }
        None
    }

    fn ult_simpler(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.op(a), self.op(b)) {
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt) => {
                let (x, y) = self.same_width_inside(a, b);
                Some(self.ult(x, y))
            }
            (Op::ZExt, _) if self.is_constant(b) => {
                // The facts have decided constants beyond the narrow width, unless it is wide.
                let x = self.operand(a, 0);
                let low = self.extract(b, 0, self.width(x));
                (self.zext(low, self.width(b)) == b).then(|| self.ult(x, low))
            }
            (_, Op::ZExt) if self.is_constant(a) => {
                let y = self.operand(b, 0);
                let low = self.extract(a, 0, self.width(y));
                (self.zext(low, self.width(a)) == a).then(|| self.ult(low, y))
            }
            (Op::Add, _) if self.is_constant(b) => self.ult_sum(a, b),
            (_, Op::Add) if self.is_constant(a) => self.constant_ult_sum(a, b),
            (Op::Not, Op::Not) => {
                let (x, y) = (self.operand(a, 0), self.operand(b, 0));
                Some(self.ult(y, x))
            }
            (Op::Ite, _) if self.is_constant(b) => {
                self.compare_choice(a, |terms, branch| terms.ult(branch, b))
            }
            (_, Op::Ite) if self.is_constant(a) => {
                self.compare_choice(b, |terms, branch| terms.ult(a, branch))
            }
            _ => None,
        }
    }

    /// `x + c < d` where the sum certainly does not wrap, or certainly does.
    fn ult_sum(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, c) = self.match_constant(Op::Add, a)?;
        let d = self.as_constant(b)?;
        let shift = self.shift_without_wrap(x, c)?;
        self.shifted_bound(d, shift, x).map(|bound| self.ult(x, bound))
    }

    fn constant_ult_sum(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, c) = self.match_constant(Op::Add, b)?;
        let d = self.as_constant(a)?;
        let shift = self.shift_without_wrap(x, c)?;
        self.shifted_bound(d, shift, x).map(|bound| self.ult(bound, x))
    }

    /// The effect of adding `c` to `x` as an integer, if it is the same for all values of `x`.
    fn shift_without_wrap(&self, x: TermId, c: u64) -> Option<i128> {
        let facts = self.facts(x);
        let modulus = i128::from(mask(facts.width)) + 1;
        let c = i128::from(c);
        if i128::from(facts.umax) + c < modulus {
            return Some(c);
        }
        (i128::from(facts.umin) + c >= modulus).then_some(c - modulus)
    }

    fn shifted_bound(&mut self, d: u64, shift: i128, x: TermId) -> Option<TermId> {
        let bound = u64::try_from(i128::from(d) - shift).ok()?;
        let width = self.width(x);
        (bound <= mask(width)).then(|| self.constant(width, bound))
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.width(a), self.width(b), "a comparison of different widths");
        if self.raw {
            return self.binary(Op::Slt, 1, a, b);
        }
        if a == b {
            return Terms::FALSE;
        }
        if self.width(a) == 1 {
            // 1 is minus one, and so below 0.
            let not = self.not(b);
            return self.and(a, not);
        }
        if self.width(a) <= 64
            && let Some(decided) = self.slt_by_facts(a, b)
        {
            return decided;
        }
        let simpler = self.slt_simpler(a, b);
        simpler.unwrap_or_else(|| self.binary(Op::Slt, 1, a, b))
    }

    fn slt_by_facts(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (*self.facts(a), *self.facts(b));
        if x.smax < y.smin {
            return Some(Terms::TRUE);
        }
        if x.smin >= y.smax {
            return Some(Terms::FALSE);
        }
        let negative = x.smax < 0 && y.smax < 0;
        if negative || (x.smin >= 0 && y.smin >= 0) {
            return Some(self.ult(a, b));
        }
        if let Some(c) = self.as_signed(b) {
            if c == x.smin + 1 {
                let least = self.constant(x.width, x.smin as u64);
                return Some(self.eq(a, least));
            }
            if c == x.smax {
                return Some(self.ne(a, b));
            }
        }
        if let Some(c) = self.as_signed(a) {
            if c + 1 == y.smax {
                let most = self.constant(y.width, y.smax as u64);
                return Some(self.eq(b, most));
            }
            if c == y.smin {
                return Some(self.ne(a, b));
            }
        }
        None
    }

    fn slt_simpler(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.op(a), self.op(b)) {
            (Op::ZExt, Op::ZExt) => {
                let (x, y) = self.same_width_inside(a, b);
                Some(self.ult(x, y))
            }
            (Op::SExt, Op::SExt) => {
                let (x, y) = self.same_width_inside(a, b);
                Some(self.slt(x, y))
            }
            (Op::SExt, _) if self.is_constant(b) => {
                let x = self.operand(a, 0);
                let low = self.extract(b, 0, self.width(x));
                (self.sext(low, self.width(b)) == b).then(|| self.slt(x, low))
            }
            (_, Op::SExt) if self.is_constant(a) => {
                let y = self.operand(b, 0);
                let low = self.extract(a, 0, self.width(y));
                (self.sext(low, self.width(a)) == a).then(|| self.slt(low, y))
            }
            (Op::Add, _) if self.is_constant(b) => {
                let (x, bound) = self.signed_bound(a, b)?;
                Some(self.slt(x, bound))
            }
            (_, Op::Add) if self.is_constant(a) => {
                let (x, bound) = self.signed_bound(b, a)?;
                Some(self.slt(bound, x))
            }
            (Op::Not, Op::Not) => {
                let (x, y) = (self.operand(a, 0), self.operand(b, 0));
                Some(self.slt(y, x))
            }
            (Op::Ite, _) if self.is_constant(b) => {
                self.compare_choice(a, |terms, branch| terms.slt(branch, b))
            }
            (_, Op::Ite) if self.is_constant(a) => {
                self.compare_choice(b, |terms, branch| terms.slt(a, branch))
            }
            _ => None,
        }
    }

    /// `x + c` against `d` is `x` against `d - c`, if neither sum overflows.
    fn signed_bound(&mut self, sum: TermId, bound: TermId) -> Option<(TermId, TermId)> {
        let (x, c) = self.match_constant(Op::Add, sum)?;
        let width = self.width(x);
        let (c, d) = (signed(c, width), self.as_signed(bound)?);
        let facts = self.facts(x);
        let limits = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
        let fits = |value: Option<i64>| value.filter(|v| (limits.0..=limits.1).contains(v));
        fits(facts.smin.checked_add(c))?;
        fits(facts.smax.checked_add(c))?;
        let bound = fits(d.checked_sub(c))?;
        Some((x, self.constant(width, bound as u64)))
    }
}

/// The multiplicative inverse of an odd number modulo 2^64: Newton's iteration doubles the number
/// of correct bits, and every odd number is its own inverse modulo 8.
fn odd_inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

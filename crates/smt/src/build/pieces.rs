//! Extracts, concatenations, extensions, and shifts, which are built from them if possible.
//!
//! A value that is cut into bytes and reassembled gives the original term. Concatenations nest to
//! the right: `a ++ (b ++ c)`.

use crate::term::{Node, Op, Sort, TermId, Terms, signed};

impl Terms {
    /// `width` bits of the term, from bit `low` upwards.
    pub fn extract(&mut self, a: TermId, low: u32, width: u32) -> TermId {
        let whole = self.width(a);
        assert!(width >= 1 && low + width <= whole, "bits {low}..{} of {whole}", low + width);
        if low == 0 && width == whole {
            return a;
        }
        if !self.raw
            && let Some(simpler) = self.extract_through(a, low, width)
        {
            return simpler;
        }
        let width = self.encode_sort(Sort::Bits(width));
        self.make(Node { op: Op::Extract, rounding: 0, width, a: a.raw(), b: low, c: 0 })
    }

    pub fn trunc(&mut self, a: TermId, width: u32) -> TermId {
        self.extract(a, 0, width)
    }

    fn extract_through(&mut self, a: TermId, low: u32, width: u32) -> Option<TermId> {
        let node = self.node(a);
        match node.op {
            Op::Extract => {
                let x = self.operand(a, 0);
                Some(self.extract(x, low + node.b, width))
            }
            Op::Concat => {
                let (x, y) = (self.operand(a, 0), self.operand(a, 1));
                let split = self.width(y);
                Some(if low >= split {
                    self.extract(x, low - split, width)
                } else if low + width <= split {
                    self.extract(y, low, width)
                } else {
                    let upper = self.extract(x, 0, low + width - split);
                    let lower = self.extract(y, low, split - low);
                    self.concat(upper, lower)
                })
            }
            Op::ZExt | Op::SExt => Some(self.extract_extension(node.op, a, low, width)),
            Op::Ite if self.is_choice(a) => {
                Some(self.map_choice(a, |terms, branch| terms.extract(branch, low, width)))
            }
            Op::Add | Op::Mul | Op::Neg | Op::Not | Op::And | Op::Or | Op::Xor if low == 0 => {
                self.truncate_operation(a, node.op, width)
            }
            _ => None,
        }
    }

    fn extract_extension(&mut self, op: Op, a: TermId, low: u32, width: u32) -> TermId {
        let x = self.operand(a, 0);
        let inner = self.width(x);
        if low + width <= inner {
            return self.extract(x, low, width);
        }
        if low < inner {
            let piece = self.extract(x, low, inner - low);
            return self.extend(op, piece, width);
        }
        match op {
            Op::ZExt => self.zero(width),
            _ => {
                let sign = self.extract(x, inner - 1, 1);
                self.sext(sign, width)
            }
        }
    }

    /// The low bits of an operation whose operands were extended from no more than those bits
    /// are the operation on the low bits.
    fn truncate_operation(&mut self, a: TermId, op: Op, width: u32) -> Option<TermId> {
        let fits = |terms: &Terms, term: TermId| match terms.op(term) {
            Op::ZExt | Op::SExt => terms.width(terms.operand(term, 0)) <= width,
            _ => terms.is_constant(term),
        };
        let x = self.operand(a, 0);
        if !fits(self, x) {
            return None;
        }
        if matches!(op, Op::Neg | Op::Not) {
            let x = self.extract(x, 0, width);
            return Some(if op == Op::Neg { self.neg(x) } else { self.not(x) });
        }
        let y = self.operand(a, 1);
        if !fits(self, y) {
            return None;
        }
        let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
        Some(match op {
            Op::Add => self.add(x, y),
            Op::Mul => self.mul(x, y),
            Op::And => self.and(x, y),
            Op::Or => self.or(x, y),
            _ => self.xor(x, y),
        })
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        if self.raw {
            return self.binary(Op::Concat, width, high, low);
        }
        if let Some(merged) = self.merge(high, low) {
            return merged;
        }
        if self.is_zero(high) {
            return self.zext(low, width);
        }
        if let Some((x, y)) = self.match_binary(Op::Concat, high) {
            let low = self.concat(y, low);
            return self.concat(x, low);
        }
        if matches!(self.op(high), Op::ZExt | Op::SExt) {
            let op = self.op(high);
            let x = self.operand(high, 0);
            let joined = self.concat(x, low);
            return self.extend(op, joined, width);
        }
        if let Some((x, y)) = self.match_binary(Op::Concat, low)
            && let Some(merged) = self.merge(high, x)
        {
            return self.concat(merged, y);
        }
        self.binary(Op::Concat, width, high, low)
    }

    /// Two neighbours that form one term.
    fn merge(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        let (upper, lower) = (self.width(high), self.width(low));
        if self.is_constant(high) && self.is_constant(low) {
            return Some(self.binary(Op::Concat, upper + lower, high, low));
        }
        if self.op(high) == Op::Extract {
            let start = self.node(high).b;
            let x = self.operand(high, 0);
            if start >= lower && self.extract(x, start - lower, lower) == low {
                return Some(self.extract(x, start - lower, upper + lower));
            }
        }
        if self.is_sign_of(high, low) {
            return Some(self.sext(low, upper + lower));
        }
        let (c, t, e) = self.match_ite(high)?;
        let (d, u, f) = self.match_ite(low)?;
        (c == d).then(|| {
            let (then, otherwise) = (self.concat(t, u), self.concat(e, f));
            self.ite(c, then, otherwise)
        })
    }

    /// All bits of `high` are the topmost bit of `low`.
    fn is_sign_of(&mut self, high: TermId, low: TermId) -> bool {
        let bit = match self.match_unary(Op::SExt, high) {
            Some(bit) => bit,
            None => high,
        };
        if self.width(bit) != 1 || self.is_constant(low) {
            return false;
        }
        let top = self.width(low) - 1;
        self.extract(low, top, 1) == bit
    }

    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        self.extend(Op::ZExt, a, width)
    }

    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        self.extend(Op::SExt, a, width)
    }

    fn extend(&mut self, op: Op, a: TermId, width: u32) -> TermId {
        let inner = self.width(a);
        assert!(inner <= width, "an extension from {inner} to {width} bits");
        if inner == width {
            return a;
        }
        if self.raw {
            return self.unary(op, width, a);
        }
        match (op, self.op(a)) {
            (_, Op::ZExt) => {
                let x = self.operand(a, 0);
                return self.unary(Op::ZExt, width, x);
            }
            (Op::SExt, Op::SExt) => {
                let x = self.operand(a, 0);
                return self.unary(Op::SExt, width, x);
            }
            _ => {}
        }
        if self.is_choice(a) {
            return self.map_choice(a, |terms, branch| terms.extend(op, branch, width));
        }
        if op == Op::SExt && inner <= 64 && self.facts(a).smin >= 0 {
            return self.unary(Op::ZExt, width, a);
        }
        self.unary(op, width, a)
    }

    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.shift_amount(a, b) {
            Some(0) => a,
            Some(by) if by >= width => self.zero(width),
            Some(by) => {
                let kept = self.extract(a, 0, width - by);
                let zeros = self.zero(by);
                self.concat(kept, zeros)
            }
            None => self.binary(Op::Shl, width, a, b),
        }
    }

    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.shift_amount(a, b) {
            Some(0) => a,
            Some(by) if by >= width => self.zero(width),
            Some(by) => {
                let kept = self.extract(a, by, width - by);
                self.zext(kept, width)
            }
            None => self.binary(Op::LShr, width, a, b),
        }
    }

    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        match self.shift_amount(a, b) {
            Some(0) => a,
            Some(by) => {
                let by = by.min(width - 1);
                let kept = self.extract(a, by, width - by);
                self.sext(kept, width)
            }
            None => self.binary(Op::AShr, width, a, b),
        }
    }

    /// The amount of a shift, if it is known; amounts beyond the width become the width.
    fn shift_amount(&self, a: TermId, b: TermId) -> Option<u32> {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "a shift by another width");
        if self.raw {
            return None;
        }
        if self.is_zero(a) {
            return Some(0);
        }
        if self.is_constant(b) {
            let amount = self.big_value(b);
            return Some(u32::try_from(amount).map_or(width, |by| by.min(width)));
        }
        (width <= 64 && self.facts(b).umin >= u64::from(width)).then_some(width)
    }

    /// Rotation to the left; the amount is taken modulo the width.
    pub fn rotate_left(&mut self, a: TermId, b: TermId) -> TermId {
        self.rotate(a, b, true)
    }

    pub fn rotate_right(&mut self, a: TermId, b: TermId) -> TermId {
        self.rotate(a, b, false)
    }

    fn rotate(&mut self, a: TermId, b: TermId, left: bool) -> TermId {
        let width = self.width(a);
        let modulus = self.constant(width, u64::from(width));
        let by = self.urem(b, modulus);
        if self.is_zero(by) {
            return a;
        }
        let back = self.sub(modulus, by);
        if left {
            let (x, y) = (self.shl(a, by), self.lshr(a, back));
            self.or(x, y)
        } else {
            let (x, y) = (self.lshr(a, by), self.shl(a, back));
            self.or(x, y)
        }
    }

    /// The value of a constant as a signed number.
    pub fn as_signed(&self, term: TermId) -> Option<i64> {
        Some(signed(self.as_constant(term)?, self.width(term)))
    }
}

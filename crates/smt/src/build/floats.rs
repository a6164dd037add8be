//! Operations on floats, which are bit vectors of 32 or 64 bits.
//!
//! Uses bit operations where possible: sign, absolute value, tests of class, minimum and maximum.
//! Operands of sums and products keep their order unless one is a number, because the first of two
//! NaNs wins.

use crate::float::{Format, is_float_width};
use crate::term::{Node, Op, Rounding, Sort, TermId, Terms};

/// When a comparison of floats holds: for which outcomes of `a ? b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatOrder {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    pub unordered: bool,
}

impl Terms {
    fn float_format(&self, a: TermId) -> Format {
        let width = self.width(a);
        assert!(is_float_width(width), "{width} bits are no float");
        Format::of_width(width)
    }

    fn float_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let width = self.float_format(a).width();
        assert_eq!(width, self.width(b), "floats of different widths");
        self.binary(op, width, a, b)
    }

    pub fn fadd(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        self.float_binary(Op::FAdd, a, b)
    }

    pub fn fsub(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FSub, a, b)
    }

    pub fn fmul(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        self.float_binary(Op::FMul, a, b)
    }

    /// A division by a power of two is a product: both are the same number, rounded once.
    pub fn fdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let format = self.float_format(a);
        let divisor = self.as_constant(b).filter(|_| !self.raw);
        if let Some(inverse) = divisor.and_then(|bits| format.inverse_of_power(bits)) {
            let inverse = self.constant(format.width(), inverse);
            return self.fmul(a, inverse);
        }
        self.float_binary(Op::FDiv, a, b)
    }

    /// The operands of a sum or product, a constant behind the other one: with at most one NaN,
    /// their order does not matter.
    fn constant_last(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let format = self.float_format(a);
        let is_number = |term| self.as_constant(term).is_some_and(|bits| !format.is_nan(bits));
        if !self.raw && is_number(a) && !is_number(b) { (b, a) } else { (a, b) }
    }

    /// The remainder of C's `fmod`.
    pub fn frem(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_binary(Op::FRem, a, b)
    }

    pub fn fsqrt(&mut self, a: TermId) -> TermId {
        let width = self.float_format(a).width();
        self.unary(Op::FSqrt, width, a)
    }

    /// `a · b + c` rounded once.
    pub fn fma(&mut self, a: TermId, b: TermId, c: TermId) -> TermId {
        let width = self.float_format(a).width();
        assert!(width == self.width(b) && width == self.width(c), "floats of different widths");
        let width = self.encode_sort(Sort::Bits(width));
        let (a, b, c) = (a.raw(), b.raw(), c.raw());
        self.make(Node { op: Op::FFma, rounding: 0, width, a, b, c })
    }

    pub fn fneg(&mut self, a: TermId) -> TermId {
        let format = self.float_format(a);
        let sign = self.constant(format.width(), format.sign_bit());
        self.xor(a, sign)
    }

    pub fn fabs(&mut self, a: TermId) -> TermId {
        let width = self.float_format(a).width();
        let rest = self.extract(a, 0, width - 1);
        self.zext(rest, width)
    }

    pub fn copysign(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.float_format(a).width();
        let (sign, rest) = (self.extract(b, width - 1, 1), self.extract(a, 0, width - 1));
        self.concat(sign, rest)
    }

    pub fn is_nan(&mut self, a: TermId) -> TermId {
        let format = self.float_format(a);
        let rest = self.extract(a, 0, format.width() - 1);
        let infinity = self.constant(format.width() - 1, format.infinity());
        self.ult(infinity, rest)
    }

    pub fn is_infinite(&mut self, a: TermId) -> TermId {
        let format = self.float_format(a);
        let rest = self.extract(a, 0, format.width() - 1);
        let infinity = self.constant(format.width() - 1, format.infinity());
        self.eq(rest, infinity)
    }

    pub fn is_float_zero(&mut self, a: TermId) -> TermId {
        let width = self.float_format(a).width();
        let rest = self.extract(a, 0, width - 1);
        let zero = self.zero(width - 1);
        self.eq(rest, zero)
    }

    /// Equal and ordered.
    pub fn feq(&mut self, a: TermId, b: TermId) -> TermId {
        let format = self.float_format(a);
        if self.raw {
            return self.binary(Op::FEq, 1, a, b);
        }
        let (a, b) = self.ordered(a, b);
        if a == b {
            let nan = self.is_nan(a);
            return self.not(nan);
        }
        match self.as_constant(b) {
            Some(bits) if format.is_nan(bits) => Terms::FALSE,
            Some(bits) if bits & !format.sign_bit() == 0 => self.is_float_zero(a),
            Some(_) => self.eq(a, b),
            None => self.binary(Op::FEq, 1, a, b),
        }
    }

    pub fn flt(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_order(Op::FLt, a, b)
    }

    pub fn fle(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_order(Op::FLe, a, b)
    }

    fn float_order(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let format = self.float_format(a);
        if self.raw {
            return self.binary(op, 1, a, b);
        }
        let is_nan = |value: Option<u64>| value.is_some_and(|bits| format.is_nan(bits));
        if is_nan(self.as_constant(a)) || is_nan(self.as_constant(b)) {
            return Terms::FALSE;
        }
        if a == b {
            return if op == Op::FLt { Terms::FALSE } else { self.feq(a, a) };
        }
        if let Some(simpler) = self.integer_order(op, a, b) {
            return simpler;
        }
        self.binary(op, 1, a, b)
    }

    /// An exactly converted integer against a constant is an integer comparison.
    fn integer_order(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        let format = self.float_format(a);
        let value = |bits: u64| match format.width() {
            64 => f64::from_bits(bits),
            _ => f64::from(f32::from_bits(bits as u32)),
        };
        let (converted, constant, below) = match (self.as_constant(a), self.as_constant(b)) {
            (None, Some(bits)) => (a, value(bits), true),
            (Some(bits), None) => (b, value(bits), false),
            _ => return None,
        };
        let kind = self.op(converted);
        if !matches!(kind, Op::SiToF | Op::UiToF) {
            return None;
        }
        let x = self.operand(converted, 0);
        let width = self.width(x);
        if width > format.fraction {
            return None;
        }
        // Below: x < c is x < ⌈c⌉, x ≤ c is ¬(⌊c⌋ < x). Above: c < x is ⌊c⌋ < x, and so on.
        let strict = op == Op::FLt;
        let bound = if strict == below { constant.ceil() } else { constant.floor() };
        // Two bits more hold the integer and its bound, which is cut off where all is decided.
        let limit = (1i64 << width) as f64;
        let bound = bound.clamp(-limit, limit) as i64;
        let wide = width + 2;
        let x = if kind == Op::SiToF { self.sext(x, wide) } else { self.zext(x, wide) };
        let bound = self.constant(wide, bound as u64);
        Some(match (strict, below) {
            (true, true) => self.slt(x, bound),
            (false, true) => self.sle(x, bound),
            (true, false) => self.slt(bound, x),
            (false, false) => self.sle(bound, x),
        })
    }

    /// Any of LLVM's sixteen comparisons of floats.
    pub fn fcmp(&mut self, order: FloatOrder, a: TermId, b: TermId) -> TermId {
        let FloatOrder { less, equal, greater, unordered } = order;
        if unordered {
            let opposite =
                FloatOrder { less: !less, equal: !equal, greater: !greater, unordered: false };
            let holds = self.fcmp(opposite, a, b);
            return self.not(holds);
        }
        match (less, equal, greater) {
            (false, false, false) => Terms::FALSE,
            (true, false, false) => self.flt(a, b),
            (false, true, false) => self.feq(a, b),
            (false, false, true) => self.flt(b, a),
            (true, true, false) => self.fle(a, b),
            (false, true, true) => self.fle(b, a),
            (true, false, true) => {
                let (below, above) = (self.flt(a, b), self.flt(b, a));
                self.or(below, above)
            }
            (true, true, true) => {
                let (x, y) = (self.feq(a, a), self.feq(b, b));
                self.and(x, y)
            }
        }
    }

    /// C's `fmin`: a number wins against a NaN, and the first of two equal ones wins.
    pub fn fmin(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_extreme(a, b, true)
    }

    /// C's `fmax`: a number wins against a NaN, and the first of two equal ones wins.
    pub fn fmax(&mut self, a: TermId, b: TermId) -> TermId {
        self.float_extreme(a, b, false)
    }

    fn float_extreme(&mut self, a: TermId, b: TermId, smaller: bool) -> TermId {
        let (a_nan, b_nan) = (self.is_nan(a), self.is_nan(b));
        let first = if smaller { self.fle(a, b) } else { self.fle(b, a) };
        let take = self.or(b_nan, first);
        let number = self.ite(take, a, b);
        self.ite(a_nan, b, number)
    }

    /// Truncation to a signed integer as on x86: in the register that holds the width, whose
    /// smallest integer stands for everything that does not fit.
    pub fn fptosi(&mut self, a: TermId, width: u32) -> TermId {
        let register = match width {
            0..=32 => 32,
            33..=64 => 64,
            _ => 128,
        };
        let whole = self.indefinite(a, register);
        self.extract(whole, 0, width)
    }

    /// Truncation to a signed integer of exactly that width (at most 128 bits); the smallest one
    /// for everything that does not fit.
    pub fn indefinite(&mut self, a: TermId, width: u32) -> TermId {
        self.float_format(a);
        assert!(width <= 128, "a float is truncated to {width} bits");
        self.unary(Op::FToSi, width, a)
    }

    /// Truncation to an unsigned integer as compilers do it on x86, up to 64 bits: by the next
    /// wider signed conversion, and for 64 bits by two conversions.
    pub fn fptoui(&mut self, a: TermId, width: u32) -> TermId {
        assert!(width <= 64, "a float is truncated to {width} unsigned bits");
        if width <= 32 {
            let register = if width <= 16 { 32 } else { 64 };
            let whole = self.indefinite(a, register);
            return self.extract(whole, 0, width);
        }
        let low = self.indefinite(a, 64);
        let half = match self.float_format(a).width() {
            64 => (2f64).powi(63).to_bits(),
            _ => u64::from((2f32).powi(63).to_bits()),
        };
        let half = self.constant(self.width(a), half);
        let shifted = self.fsub(a, half);
        let high = self.indefinite(shifted, 64);
        let sign = self.extract(low, 63, 1);
        let big = self.sext(sign, 64);
        let high = self.and(high, big);
        let whole = self.or(low, high);
        self.extract(whole, 0, width)
    }

    /// A signed integer of at most 128 bits as a float of that width.
    pub fn sitofp(&mut self, a: TermId, width: u32) -> TermId {
        assert!(is_float_width(width) && self.width(a) <= 128, "an integer becomes a float");
        if !self.raw && self.width(a) <= 64 && self.facts(a).smin >= 0 {
            return self.uitofp(a, width);
        }
        if !self.raw
            && let Some(x) = self.match_unary(Op::SExt, a)
        {
            return self.sitofp(x, width);
        }
        self.unary(Op::SiToF, width, a)
    }

    pub fn uitofp(&mut self, a: TermId, width: u32) -> TermId {
        assert!(is_float_width(width) && self.width(a) <= 128, "an integer becomes a float");
        if !self.raw
            && let Some(x) = self.match_unary(Op::ZExt, a)
        {
            return self.uitofp(x, width);
        }
        self.unary(Op::UiToF, width, a)
    }

    /// A float as one of another width.
    pub fn fptofp(&mut self, a: TermId, width: u32) -> TermId {
        self.float_format(a);
        if self.width(a) == width {
            return a;
        }
        assert!(is_float_width(width), "{width} bits are no float");
        self.unary(Op::FToF, width, a)
    }

    /// Rounded to an integral value.
    pub fn fround(&mut self, a: TermId, rounding: Rounding) -> TermId {
        let width = self.float_format(a).width();
        let width = self.encode_sort(Sort::Bits(width));
        let node = Node { op: Op::FRound, rounding: rounding as u8, width, a: a.raw(), b: 0, c: 0 };
        self.make(node)
    }
}

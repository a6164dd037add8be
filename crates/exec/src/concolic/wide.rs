//! The terms of operations without an instruction of their own: scalars of two registers,
//! conversions, builtins.
//!
//! Follows integers of any width and floats of 32 and 64 bits. Pins all other operands.

use ir::{BinaryOp, Builtin, CastOp, CompareOp, RmwOp};
use smt::{Function, Rounding, TermId};

use super::Concolic;
use super::operate::float_width;
use crate::builtin;
use crate::code::{Scalar, Slow};
use crate::observer::{At, Operand, Use};

impl Concolic {
    pub(super) fn operate_slow(
        &mut self,
        at: At<'_>,
        slow: &Slow,
        s: &[Operand],
        results: &mut [u32],
    ) {
        results.fill(0);
        let term = match *slow {
            Slow::Binary { op, scalar, .. } => self.slow_binary(at, op, scalar, s),
            Slow::BigBinary { op, bits, .. } if is_simple(op) => {
                let words = bits.div_ceil(64) as usize;
                let (x, y) = (self.joined(&s[..words], bits), self.joined(&s[words..], bits));
                // These operations never trap, so their values do not matter here.
                Some(self.int_terms(at, op, bits, (x, 0), (y, 1)))
            }
            Slow::BigCompare { op, bits, .. } => {
                let words = bits.div_ceil(64) as usize;
                let (x, y) = (self.joined(&s[..words], bits), self.joined(&s[words..], bits));
                Some(self.compare_terms(op, x, y))
            }
            Slow::BigCast { op, from, to, .. } => {
                let x = self.joined(s, from);
                Some(match op {
                    CastOp::SExt => self.terms.sext(x, to),
                    _ => self.fit(x, to),
                })
            }
            Slow::Negate { scalar, .. } => float_width(scalar).map(|width| {
                let x = self.term(s[0], width);
                self.terms.fneg(x)
            }),
            Slow::Compare { op, scalar, .. } => self.slow_compare(op, scalar, s),
            Slow::Cast { op, from, to, .. } => self.cast(op, from, to, s),
            Slow::Bitcast { from, from_lanes: 1, to, to_lanes: 1, .. }
                if from.registers() == 1 && to.registers() == 1 =>
            {
                Some(self.term(s[0], to.bits()))
            }
            Slow::Builtin { builtin, scalar, result, .. } => {
                return self.slow_builtin(at, builtin, scalar, result, s, results);
            }
            Slow::AtomicRmw { op, scalar, .. } => self.modify(at, op, scalar, s),
            Slow::ExtractLane { width, lanes, .. } => {
                return self.extract_lane(at, width, lanes, s, results);
            }
            Slow::InsertLane { width, lanes, .. } => {
                return self.insert_lane(at, width, lanes, s, results);
            }
            _ => None,
        };
        match term {
            Some(term) => self.split(term, results),
            None => self.pin_all(at, s),
        }
    }

    pub(super) fn pin_all(&mut self, at: At<'_>, s: &[Operand]) {
        for source in s.iter().filter(|source| source.shadow != 0) {
            self.pin(at, *source, Use::Argument);
        }
    }

    /// The value of consecutive registers, lowest first.
    pub(super) fn joined(&mut self, words: &[Operand], bits: u32) -> TermId {
        let mut value = self.term(words[0], 64);
        for &word in &words[1..] {
            let high = self.term(word, 64);
            value = self.terms.concat(high, value);
        }
        self.fit(value, bits)
    }

    /// The shadows of consecutive registers that hold a value.
    fn split(&mut self, term: TermId, results: &mut [u32]) {
        let width = self.terms.width(term);
        for (index, result) in (0u32..).zip(results.iter_mut()) {
            let low = 64 * index;
            if low >= width {
                break;
            }
            let part = self.terms.extract(term, low, (width - low).min(64));
            *result = self.shadow_of(part);
        }
    }

    fn slow_binary(
        &mut self,
        at: At<'_>,
        op: BinaryOp,
        scalar: Scalar,
        s: &[Operand],
    ) -> Option<TermId> {
        let (x, y, a, b) = self.two(scalar, s)?;
        Some(match scalar {
            Scalar::Int(bits) => self.int_terms(at, op, bits.into(), (x, a), (y, b)),
            _ => self.float_terms(op, x, y),
        })
    }

    /// Two operands of a type that terms follow, and their values.
    fn two(&mut self, scalar: Scalar, s: &[Operand]) -> Option<(TermId, TermId, u128, u128)> {
        let bits = followed(scalar)?;
        let words = usize::from(scalar.registers());
        let (first, second) = (&s[..words], s.get(words..2 * words)?);
        let (x, y) = (self.joined(first, bits), self.joined(second, bits));
        Some((x, y, concrete(first), concrete(second)))
    }

    fn slow_compare(&mut self, op: CompareOp, scalar: Scalar, s: &[Operand]) -> Option<TermId> {
        match scalar {
            Scalar::Int(_) => {
                let (x, y, ..) = self.two(scalar, s)?;
                Some(self.compare_terms(op, x, y))
            }
            _ => self.float_compare(op, float_width(scalar)?, s[0], s[1]),
        }
    }

    fn cast(&mut self, op: CastOp, from: Scalar, to: Scalar, s: &[Operand]) -> Option<TermId> {
        let (from_bits, to_bits) = (followed(from)?, followed(to)?);
        let x = self.joined(s, from_bits);
        let narrow = from_bits <= 64 && to_bits <= 64;
        Some(match (op, from, to) {
            (CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr, ..) => {
                self.fit(x, to_bits)
            }
            (CastOp::SExt, ..) => self.terms.sext(x, to_bits),
            (CastOp::Bitcast, ..) if from_bits == to_bits => x,
            (CastOp::FpTrunc | CastOp::FpExt, ..) => self.terms.fptofp(x, to_bits),
            (CastOp::FpToSi, _, Scalar::Int(32 | 64)) => self.terms.fptosi(x, to_bits),
            // Narrow results are cut from 32 bits, as the hardware has no narrower ones.
            (CastOp::FpToSi, _, Scalar::Int(8 | 16)) => {
                let wide = self.terms.fptosi(x, 32);
                self.fit(wide, to_bits)
            }
            (CastOp::SiToFp, Scalar::Int(_), _) if narrow => self.terms.sitofp(x, to_bits),
            (CastOp::UiToFp, Scalar::Int(_), _) if narrow => self.terms.uitofp(x, to_bits),
            _ => return None,
        })
    }

    fn modify(&mut self, at: At<'_>, op: RmwOp, scalar: Scalar, s: &[Operand]) -> Option<TermId> {
        let Scalar::Int(bits @ 1..=64) = scalar else { return None };
        let (x, y) = (self.term(s[0], bits.into()), self.term(s[1], bits.into()));
        let mut pick = |op| {
            let first = self.compare_terms(op, x, y);
            self.terms.ite(first, x, y)
        };
        Some(match op {
            RmwOp::Xchg => y,
            RmwOp::Max => pick(CompareOp::Sgt),
            RmwOp::Min => pick(CompareOp::Slt),
            RmwOp::UMax => pick(CompareOp::Ugt),
            RmwOp::UMin => pick(CompareOp::Ult),
            RmwOp::Nand => {
                let both = self.terms.and(x, y);
                self.terms.not(both)
            }
            RmwOp::Add => self.int(at, BinaryOp::Add, bits.into(), s[0], s[1]),
            RmwOp::Sub => self.int(at, BinaryOp::Sub, bits.into(), s[0], s[1]),
            RmwOp::And => self.terms.and(x, y),
            RmwOp::Or => self.terms.or(x, y),
            RmwOp::Xor => self.terms.xor(x, y),
            _ => return None,
        })
    }

    fn extract_lane(
        &mut self,
        at: At<'_>,
        width: u16,
        lanes: u32,
        s: &[Operand],
        results: &mut [u32],
    ) {
        let width = usize::from(width);
        let index = s[width * lanes as usize];
        self.pin_all(at, &[index]);
        let lane = (index.bits % u64::from(lanes)) as usize;
        for (result, source) in results.iter_mut().zip(&s[lane * width..][..width]) {
            *result = source.shadow;
        }
    }

    fn insert_lane(
        &mut self,
        at: At<'_>,
        width: u16,
        lanes: u32,
        s: &[Operand],
        results: &mut [u32],
    ) {
        let width = usize::from(width);
        let all = width * lanes as usize;
        let index = s[all];
        self.pin_all(at, &[index]);
        let lane = (index.bits % u64::from(lanes)) as usize;
        for (result, source) in results.iter_mut().zip(&s[..all]) {
            *result = source.shadow;
        }
        for (result, source) in results[lane * width..].iter_mut().zip(&s[all + 1..]) {
            *result = source.shadow;
        }
    }

    fn slow_builtin(
        &mut self,
        at: At<'_>,
        builtin: Builtin,
        scalar: Scalar,
        result: Scalar,
        s: &[Operand],
        results: &mut [u32],
    ) {
        if let Some((value, flag)) = self.overflow(builtin, scalar, s) {
            let registers = usize::from(result.registers());
            self.split(value, &mut results[..registers]);
            results[registers] = self.shadow_of(flag);
            return;
        }
        let term = match scalar {
            Scalar::Int(bits @ 1..=64) => self.integer_builtin(builtin, bits.into(), s),
            _ => float_width(scalar)
                .and_then(|width| self.float_builtin(builtin, (scalar, width), result, s)),
        };
        match term {
            Some(term) => {
                let term = self.fit(term, result.bits());
                self.split(term, results);
            }
            None => self.pin_all(at, s),
        }
    }

    /// A value and whether it differs from the exact one: computed in twice the width.
    fn overflow(
        &mut self,
        builtin: Builtin,
        scalar: Scalar,
        s: &[Operand],
    ) -> Option<(TermId, TermId)> {
        use Builtin::*;
        let Scalar::Int(bits) = scalar else { return None };
        let bits = u32::from(bits);
        let (op, is_signed) = match builtin {
            SAddOverflow => (BinaryOp::Add, true),
            SSubOverflow => (BinaryOp::Sub, true),
            SMulOverflow => (BinaryOp::Mul, true),
            UAddOverflow => (BinaryOp::Add, false),
            USubOverflow => (BinaryOp::Sub, false),
            UMulOverflow => (BinaryOp::Mul, false),
            _ => return None,
        };
        let (x, y, ..) = self.two(scalar, s)?;
        let double = if op == BinaryOp::Mul { 2 * bits } else { bits + 1 };
        let (x, y) = if is_signed {
            (self.terms.sext(x, double), self.terms.sext(y, double))
        } else {
            (self.terms.zext(x, double), self.terms.zext(y, double))
        };
        let exact = match op {
            BinaryOp::Add => self.terms.add(x, y),
            BinaryOp::Sub => self.terms.sub(x, y),
            _ => self.terms.mul(x, y),
        };
        let value = self.terms.trunc(exact, bits);
        let back =
            if is_signed { self.terms.sext(value, double) } else { self.terms.zext(value, double) };
        let flag = self.terms.ne(back, exact);
        Some((value, flag))
    }

    fn integer_builtin(&mut self, builtin: Builtin, bits: u32, s: &[Operand]) -> Option<TermId> {
        use Builtin::*;
        let x = self.term(s[0], bits);
        let second = s.get(1).copied().unwrap_or_default();
        let pick = |this: &mut Self, op| {
            let y = this.term(second, bits);
            let first = this.compare_terms(op, x, y);
            this.terms.ite(first, x, y)
        };
        Some(match builtin {
            SMax => pick(self, CompareOp::Sgt),
            SMin => pick(self, CompareOp::Slt),
            UMax => pick(self, CompareOp::Ugt),
            UMin => pick(self, CompareOp::Ult),
            Abs => {
                let zero = self.terms.constant(bits, 0);
                let (negative, negated) = (self.terms.slt(x, zero), self.terms.neg(x));
                self.terms.ite(negative, negated, x)
            }
            Bswap => self.rearranged(x, 8),
            BitReverse => self.rearranged(x, 1),
            Ctpop => self.count(bits, x, |this, bit, sum| {
                let bit = this.fit(bit, bits);
                this.terms.add(sum, bit)
            }),
            Ctlz => self.first_one(x, bits, true),
            Cttz => self.first_one(x, bits, false),
            Fshl | Fshr => {
                let low = self.term(second, bits);
                self.funnel(builtin, bits, x, low, *s.get(2)?)
            }
            _ => return None,
        })
    }

    /// The value with its pieces in reverse order.
    fn rearranged(&mut self, x: TermId, piece: u32) -> TermId {
        let count = self.terms.width(x) / piece;
        let mut value = self.terms.extract(x, 0, piece);
        for index in 1..count {
            let next = self.terms.extract(x, index * piece, piece);
            value = self.terms.concat(value, next);
        }
        value
    }

    fn count(
        &mut self,
        bits: u32,
        x: TermId,
        mut add: impl FnMut(&mut Self, TermId, TermId) -> TermId,
    ) -> TermId {
        let mut sum = self.terms.constant(bits, 0);
        for index in 0..bits {
            let bit = self.terms.extract(x, index, 1);
            sum = add(self, bit, sum);
        }
        sum
    }

    /// How many zeros there are before the first one, from the top or from the bottom.
    fn first_one(&mut self, x: TermId, bits: u32, from_top: bool) -> TermId {
        let mut value = self.terms.constant(bits, bits.into());
        for distance in (0..bits).rev() {
            let index = if from_top { bits - 1 - distance } else { distance };
            let bit = self.terms.extract(x, index, 1);
            let here = self.terms.constant(bits, distance.into());
            value = self.terms.ite(bit, here, value);
        }
        value
    }

    fn funnel(
        &mut self,
        builtin: Builtin,
        bits: u32,
        high: TermId,
        low: TermId,
        amount: Operand,
    ) -> TermId {
        let modulus = self.terms.constant(bits, bits.into());
        let amount = self.term(amount, bits);
        let amount = self.terms.urem(amount, modulus);
        let both = self.terms.concat(high, low);
        let amount = self.terms.zext(amount, 2 * bits);
        match builtin {
            Builtin::Fshl => {
                let shifted = self.terms.shl(both, amount);
                self.terms.extract(shifted, bits, bits)
            }
            _ => {
                let shifted = self.terms.lshr(both, amount);
                self.terms.trunc(shifted, bits)
            }
        }
    }

    fn float_builtin(
        &mut self,
        builtin: Builtin,
        (scalar, width): (Scalar, u32),
        result: Scalar,
        s: &[Operand],
    ) -> Option<TermId> {
        use Builtin::*;
        let x = self.term(s[0], width);
        let second = s.get(1).copied();
        Some(match builtin {
            FAbs => self.terms.fabs(x),
            Sqrt => self.terms.fsqrt(x),
            CopySign => {
                let y = self.term(second?, width);
                self.terms.copysign(x, y)
            }
            Floor => self.terms.fround(x, Rounding::TowardNegative),
            Ceil => self.terms.fround(x, Rounding::TowardPositive),
            TruncF => self.terms.fround(x, Rounding::TowardZero),
            Rint | NearbyInt | RoundEven => self.terms.fround(x, Rounding::NearestEven),
            Round => self.terms.fround(x, Rounding::NearestAway),
            Fma => {
                let (y, z) = (self.term(second?, width), self.term(*s.get(2)?, width));
                self.terms.fma(x, y, z)
            }
            FMulAdd => {
                let (y, z) = (self.term(second?, width), self.term(*s.get(2)?, width));
                let product = self.terms.fmul(x, y);
                self.terms.fadd(product, z)
            }
            Pow | Sin | Cos | Tan | Exp | Exp2 | Exp10 | Log | Log2 | Log10 if scalar == result => {
                let arguments: Vec<TermId> = s.iter().map(|&a| self.term(a, width)).collect();
                self.real_function(builtin, scalar, &arguments)
            }
            _ => return None,
        })
    }

    /// A function of which only equality is known, with its implementation.
    fn real_function(&mut self, builtin: Builtin, scalar: Scalar, args: &[TermId]) -> TermId {
        let width = scalar.bits();
        let value = move |bits: &[u64]| {
            let args: Vec<u128> = bits.iter().map(|&bits| bits.into()).collect();
            let answer = builtin::evaluate(builtin, scalar, &args, scalar);
            answer.map_or(0, |answer| answer.value as u64)
        };
        let function = self.terms.function(Function {
            name: format!("{}.{width}", builtin.name()),
            arguments: vec![width; args.len()],
            result: width,
            value: Some(std::sync::Arc::new(value)),
        });
        self.terms.apply(function, args)
    }
}

/// The width of a scalar that terms follow.
fn followed(scalar: Scalar) -> Option<u32> {
    match scalar {
        Scalar::Int(bits) => Some(bits.into()),
        scalar => float_width(scalar),
    }
}

fn concrete(words: &[Operand]) -> u128 {
    let high = words.get(1).map_or(0, |word| u128::from(word.bits));
    u128::from(words[0].bits) | high << 64
}

/// Whether an operation never traps, whatever its operands.
fn is_simple(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Sub | Mul | And | Or | Xor)
}

//! The terms of operations, and the conditions of branches.
//!
//! A register's term may be narrower than the operation that reads it, because values are
//! kept zero-extended. Every operation has the meaning that `operator` gives it on bits.

use base::bits;
use ir::{BinaryOp, CompareOp};
use smt::{FloatOrder, TermId};

use super::Concolic;
use super::memo::Key;
use super::path::Origin;
use crate::code::{Op, Scalar};
use crate::observer::{At, Operand, Use};

/// How deep choices are matched with each other.
const MOST_MATCHED: u32 = 8;

impl Concolic {
    /// The shadows of the results of an operation.
    pub(super) fn operate(&mut self, at: At<'_>, s: &[Operand], results: &mut [u32]) {
        let op = at.op();
        if let Op::Slow { index } = op {
            return self.operate_slow(at, &at.code.slow[index as usize], s, results);
        }
        let key = Key::new(at, s);
        if let Some([known, _]) = self.memo.get(&key) {
            results[0] = self.shadow_of(known);
            return;
        }
        let term = match self.plain_term(at, op, s) {
            Some(term) => term,
            None => {
                for source in s.iter().filter(|source| source.shadow != 0) {
                    self.pin(at, *source, Use::Argument);
                }
                results.fill(0);
                return;
            }
        };
        // Divisions add conditions each time.
        if !op.is_division() {
            self.memo.set(key, [term, term]);
        }
        results[0] = self.shadow_of(term);
    }

    #[rustfmt::skip] // One operation a line.
    fn plain_term(&mut self, at: At<'_>, op: Op, s: &[Operand]) -> Option<TermId> {
        use BinaryOp as B;
        use Op::*;
        Some(match op {
            Add32 { .. } => self.int(at, B::Add, 32, s[0], s[1]),
            Add64 { .. } => self.int(at, B::Add, 64, s[0], s[1]),
            Sub32 { .. } => self.int(at, B::Sub, 32, s[0], s[1]),
            Sub64 { .. } => self.int(at, B::Sub, 64, s[0], s[1]),
            Mul32 { .. } => self.int(at, B::Mul, 32, s[0], s[1]),
            Mul64 { .. } => self.int(at, B::Mul, 64, s[0], s[1]),
            And { .. } => self.bitwise(at, B::And, s[0], s[1]),
            Or { .. } => self.bitwise(at, B::Or, s[0], s[1]),
            Xor { .. } => self.bitwise(at, B::Xor, s[0], s[1]),
            Shl32 { .. } => self.int(at, B::Shl, 32, s[0], s[1]),
            Shl64 { .. } => self.int(at, B::Shl, 64, s[0], s[1]),
            LShr32 { .. } => self.int(at, B::LShr, 32, s[0], s[1]),
            LShr64 { .. } => self.int(at, B::LShr, 64, s[0], s[1]),
            AShr32 { .. } => self.int(at, B::AShr, 32, s[0], s[1]),
            AShr64 { .. } => self.int(at, B::AShr, 64, s[0], s[1]),
            UDiv { .. } => self.bitwise(at, B::UDiv, s[0], s[1]),
            URem { .. } => self.bitwise(at, B::URem, s[0], s[1]),
            SDiv32 { .. } => self.int(at, B::SDiv, 32, s[0], s[1]),
            SRem32 { .. } => self.int(at, B::SRem, 32, s[0], s[1]),
            Int { op, bits, .. } => self.int(at, op, bits.into(), s[0], s[1]),

            Add32I { value, .. } => self.int(at, B::Add, 32, s[0], constant(value)),
            Add64I { value, .. } | OffsetI { value, .. } => {
                self.int(at, B::Add, 64, s[0], constant(value))
            }
            Mul32I { value, .. } => self.int(at, B::Mul, 32, s[0], constant(value)),
            Mul64I { value, .. } => self.int(at, B::Mul, 64, s[0], constant(value)),
            AndI { value, .. } => self.bitwise(at, B::And, s[0], constant(value)),
            OrI { value, .. } => self.bitwise(at, B::Or, s[0], constant(value)),
            XorI { value, .. } => self.bitwise(at, B::Xor, s[0], constant(value)),
            Shl32I { value, .. } => self.int(at, B::Shl, 32, s[0], constant(value)),
            Shl64I { value, .. } => self.int(at, B::Shl, 64, s[0], constant(value)),
            LShrI { value, .. } => self.int(at, B::LShr, 64, s[0], constant(value)),
            AShr32I { value, .. } => self.int(at, B::AShr, 32, s[0], constant(value)),
            AShr64I { value, .. } => self.int(at, B::AShr, 64, s[0], constant(value)),

            Sext8To32 { .. } => self.sign_extend(8, 32, s[0]),
            Sext16To32 { .. } => self.sign_extend(16, 32, s[0]),
            Sext8To64 { .. } => self.sign_extend(8, 64, s[0]),
            Sext16To64 { .. } => self.sign_extend(16, 64, s[0]),
            Sext32To64 { .. } => self.sign_extend(32, 64, s[0]),
            Sext { from, to, .. } => self.sign_extend(from.into(), to.into(), s[0]),

            FAdd64 { .. } => self.float(B::FAdd, 64, s[0], s[1]),
            FSub64 { .. } => self.float(B::FSub, 64, s[0], s[1]),
            FMul64 { .. } => self.float(B::FMul, 64, s[0], s[1]),
            FDiv64 { .. } => self.float(B::FDiv, 64, s[0], s[1]),
            FAdd32 { .. } => self.float(B::FAdd, 32, s[0], s[1]),
            FSub32 { .. } => self.float(B::FSub, 32, s[0], s[1]),
            FMul32 { .. } => self.float(B::FMul, 32, s[0], s[1]),
            FDiv32 { .. } => self.float(B::FDiv, 32, s[0], s[1]),
            FMulAdd64 { .. } => self.multiply_add(64, s),
            FMulAdd32 { .. } => self.multiply_add(32, s),
            FCompare64 { op, .. } => self.float_compare(op, 64, s[0], s[1])?,
            Si32ToF64 { .. } => { let a = self.term(s[0], 32); self.terms.sitofp(a, 64) }
            Si64ToF64 { .. } => { let a = self.term(s[0], 64); self.terms.sitofp(a, 64) }
            F64ToSi32 { .. } => { let a = self.term(s[0], 64); self.terms.fptosi(a, 32) }
            F64ToSi64 { .. } => { let a = self.term(s[0], 64); self.terms.fptosi(a, 64) }
            F32ToF64 { .. } => { let a = self.term(s[0], 32); self.terms.fptofp(a, 64) }
            F64ToF32 { .. } => { let a = self.term(s[0], 64); self.terms.fptofp(a, 32) }

            Select { .. } => self.select(s),
            Offset { scale, offset, .. } => self.offset(s, scale.into(), offset.into()),
            comparison => return self.compared(comparison, s),
        })
    }

    /// An integer operation of a width, as `operator::int_binary` computes it.
    pub(super) fn int(
        &mut self,
        at: At<'_>,
        op: BinaryOp,
        bits: u32,
        a: Operand,
        b: Operand,
    ) -> TermId {
        let (x, y) = (self.term(a, bits), self.term(b, bits));
        self.int_terms(at, op, bits, (x, a.bits.into()), (y, b.bits.into()))
    }

    pub(super) fn int_terms(
        &mut self,
        at: At<'_>,
        op: BinaryOp,
        bits: u32,
        (x, a): (TermId, u128),
        (y, b): (TermId, u128),
    ) -> TermId {
        use BinaryOp::*;
        if matches!(op, UDiv | URem | SDiv | SRem) {
            let (a, b) = (bits::truncate(a, bits), bits::truncate(b, bits));
            self.check_division(at, op, bits, (x, a), (y, b));
        }
        self.int_operation(op, bits, x, y)
    }

    fn int_operation(&mut self, op: BinaryOp, bits: u32, x: TermId, y: TermId) -> TermId {
        use BinaryOp::*;
        match op {
            Add => self.terms.add(x, y),
            Sub => self.distance(x, y, MOST_MATCHED),
            Mul => self.terms.mul(x, y),
            And => self.terms.and(x, y),
            Or => self.terms.or(x, y),
            Xor => self.terms.xor(x, y),
            Shl | LShr | AShr => self.shift(op, bits, x, y),
            UDiv => self.terms.udiv(x, y),
            URem => self.terms.urem(x, y),
            SDiv => self.terms.sdiv(x, y),
            SRem => self.terms.srem(x, y),
            FAdd | FSub | FMul | FDiv | FRem => unreachable!("{op:?} of integers"),
        }
    }

    /// A difference. For two pointers into the same unknown object, the choice of the object
    /// cancels out.
    fn distance(&mut self, x: TermId, y: TermId, depth: u32) -> TermId {
        if depth == 0 || self.terms.op(x) != smt::Op::Ite || self.terms.op(y) != smt::Op::Ite {
            return self.terms.sub(x, y);
        }
        let (mut a, mut b) = (self.terms.operands(x), self.terms.operands(y));
        match [a.next(), b.next(), a.next(), b.next(), a.next(), b.next()] {
            [Some(c), Some(d), Some(x1), Some(y1), Some(x2), Some(y2)] if c == d => {
                let then = self.distance(x1, y1, depth - 1);
                let otherwise = self.distance(x2, y2, depth - 1);
                self.terms.ite(c, then, otherwise)
            }
            _ => self.terms.sub(x, y),
        }
    }

    /// Hardware uses only the low bits of the amount.
    fn shift(&mut self, op: BinaryOp, bits: u32, x: TermId, y: TermId) -> TermId {
        // Few bits do not hold the mask.
        let width = bits.max(8);
        let mask = match bits {
            0..=32 => 31,
            33..=64 => 63,
            _ => 127,
        };
        let x = match op {
            BinaryOp::AShr => self.terms.sext(x, width),
            _ => self.fit(x, width),
        };
        let (y, mask) = (self.fit(y, width), self.terms.constant(width, mask));
        let amount = self.terms.and(y, mask);
        let shifted = match op {
            BinaryOp::Shl => self.terms.shl(x, amount),
            BinaryOp::LShr => self.terms.lshr(x, amount),
            _ => self.terms.ashr(x, amount),
        };
        self.fit(shifted, bits)
    }

    /// Adds that a division does not trap, or that it does.
    fn check_division(
        &mut self,
        at: At<'_>,
        op: BinaryOp,
        bits: u32,
        (x, a): (TermId, u128),
        (y, b): (TermId, u128),
    ) {
        let zero = self.terms.constant(bits, 0);
        let by_zero = self.terms.eq(y, zero);
        self.push_truth(at, by_zero, b == 0, Origin::Check);
        // Narrower operands are divided as 32-bit integers, where the quotient fits.
        if b == 0 || bits < 32 || matches!(op, BinaryOp::UDiv | BinaryOp::URem) {
            return;
        }
        let one = self.terms.constant(bits, 1);
        let minus_one = self.terms.neg(one);
        let top = self.terms.constant(bits, u64::from(bits) - 1);
        let smallest = self.terms.shl(one, top);
        let (extreme, inverse) = (self.terms.eq(x, smallest), self.terms.eq(y, minus_one));
        let overflows = self.terms.and(extreme, inverse);
        let does = a == 1 << (bits - 1) && b == bits::mask(bits);
        self.push_truth(at, overflows, does, Origin::Check);
    }

    /// Operations that have the same meaning in every width that holds their operands.
    fn bitwise(&mut self, at: At<'_>, op: BinaryOp, a: Operand, b: Operand) -> TermId {
        let width = self.common_width(&[a, b]);
        self.int(at, op, width, a, b)
    }

    fn unsigned(&mut self, op: CompareOp, a: Operand, b: Operand) -> TermId {
        let width = self.common_width(&[a, b]);
        self.compare(op, width, a, b)
    }

    fn compare(&mut self, op: CompareOp, bits: u32, a: Operand, b: Operand) -> TermId {
        let (x, y) = (self.term(a, bits), self.term(b, bits));
        self.compare_terms(op, x, y)
    }

    /// An integer comparison.
    pub(super) fn compare_terms(&mut self, op: CompareOp, x: TermId, y: TermId) -> TermId {
        use CompareOp::*;
        match op {
            Eq => self.terms.eq(x, y),
            Ne => self.terms.ne(x, y),
            Ugt => self.terms.ugt(x, y),
            Uge => self.terms.uge(x, y),
            Ult => self.terms.ult(x, y),
            Ule => self.terms.ule(x, y),
            Sgt => self.terms.sgt(x, y),
            Sge => self.terms.sge(x, y),
            Slt => self.terms.slt(x, y),
            Sle => self.terms.sle(x, y),
            _ => unreachable!("{op:?} of integers"),
        }
    }

    fn sign_extend(&mut self, from: u32, to: u32, a: Operand) -> TermId {
        let a = self.term(a, from);
        self.terms.sext(a, to)
    }

    fn float(&mut self, op: BinaryOp, bits: u32, a: Operand, b: Operand) -> TermId {
        let (x, y) = (self.term(a, bits), self.term(b, bits));
        self.float_terms(op, x, y)
    }

    /// A float operation.
    pub(super) fn float_terms(&mut self, op: BinaryOp, x: TermId, y: TermId) -> TermId {
        match op {
            BinaryOp::FAdd => self.terms.fadd(x, y),
            BinaryOp::FSub => self.terms.fsub(x, y),
            BinaryOp::FMul => self.terms.fmul(x, y),
            BinaryOp::FDiv => self.terms.fdiv(x, y),
            BinaryOp::FRem => self.terms.frem(x, y),
            _ => unreachable!("{op:?} of floats"),
        }
    }

    fn multiply_add(&mut self, bits: u32, s: &[Operand]) -> TermId {
        let product = self.float(BinaryOp::FMul, bits, s[0], s[1]);
        let c = self.term(s[2], bits);
        self.terms.fadd(product, c)
    }

    pub(super) fn float_compare(
        &mut self,
        op: CompareOp,
        bits: u32,
        a: Operand,
        b: Operand,
    ) -> Option<TermId> {
        let order = float_order(op)?;
        let (x, y) = (self.term(a, bits), self.term(b, bits));
        Some(self.terms.fcmp(order, x, y))
    }

    /// Sources are in the order: if so, if not, condition.
    fn select(&mut self, s: &[Operand]) -> TermId {
        let width = self.common_width(&s[..2]);
        let (then, otherwise) = (self.term(s[0], width), self.term(s[1], width));
        let condition = self.term(s[2], 1);
        self.terms.ite(condition, then, otherwise)
    }

    fn offset(&mut self, s: &[Operand], scale: i64, offset: i64) -> TermId {
        let (base, index) = (self.term(s[0], 64), self.term(s[1], 64));
        let scale = self.terms.constant(64, scale as u64);
        let distance = self.terms.mul(index, scale);
        let sum = self.terms.add(base, distance);
        let offset = self.terms.constant(64, offset as u64);
        self.terms.add(sum, offset)
    }

    /// Saves what control depends on until its target is known.
    pub(super) fn take_way(&mut self, at: At<'_>, s: &[Operand]) {
        let op = at.op();
        if let Op::Switch { .. } = op {
            self.undecided = TermId::from_raw(s[0].shadow).map(|value| [value, value]);
            return;
        }
        let key = Key::new(at, s);
        if let Some(known) = self.memo.get(&key) {
            self.undecided = Some(known);
            return;
        }
        match self.compared(op, s) {
            Some(condition) => {
                let conditions = [self.terms.not(condition), condition];
                self.memo.set(key, conditions);
                self.undecided = Some(conditions);
            }
            // A computed goto or a call through a pointer.
            None => {
                if let Some(term) = TermId::from_raw(s[0].shadow) {
                    self.push_value(at, term, s[0].bits);
                }
            }
        }
    }

    /// The truth of a comparison, and what a branch depends on.
    #[rustfmt::skip] // One operation a line.
    fn compared(&mut self, op: Op, s: &[Operand]) -> Option<TermId> {
        use Op::*;
        Some(match op {
            Branch { .. } => self.term(s[0], 1),
            BranchNot { .. } => { let a = self.term(s[0], 1); self.terms.not(a) }
            Eq { .. } | BrEq { .. } => self.unsigned(CompareOp::Eq, s[0], s[1]),
            Ne { .. } | BrNe { .. } => self.unsigned(CompareOp::Ne, s[0], s[1]),
            Ult { .. } | BrUlt { .. } => self.unsigned(CompareOp::Ult, s[0], s[1]),
            Ule { .. } | BrUle { .. } => self.unsigned(CompareOp::Ule, s[0], s[1]),
            Slt32 { .. } | BrSlt32 { .. } => self.compare(CompareOp::Slt, 32, s[0], s[1]),
            Sle32 { .. } | BrSle32 { .. } => self.compare(CompareOp::Sle, 32, s[0], s[1]),
            Slt64 { .. } | BrSlt64 { .. } => self.compare(CompareOp::Slt, 64, s[0], s[1]),
            Sle64 { .. } | BrSle64 { .. } => self.compare(CompareOp::Sle, 64, s[0], s[1]),
            EqI { value, .. } | BrEqI { value, .. } => self.unsigned(CompareOp::Eq, s[0], constant(value)),
            NeI { value, .. } | BrNeI { value, .. } => self.unsigned(CompareOp::Ne, s[0], constant(value)),
            UltI { value, .. } | BrUltI { value, .. } => self.unsigned(CompareOp::Ult, s[0], constant(value)),
            UgtI { value, .. } | BrUgtI { value, .. } => self.unsigned(CompareOp::Ugt, s[0], constant(value)),
            Slt32I { value, .. } | BrSlt32I { value, .. } => self.compare(CompareOp::Slt, 32, s[0], constant(value)),
            Sgt32I { value, .. } | BrSgt32I { value, .. } => self.compare(CompareOp::Sgt, 32, s[0], constant(value)),
            Slt64I { value, .. } | BrSlt64I { value, .. } => self.compare(CompareOp::Slt, 64, s[0], constant(value)),
            Sgt64I { value, .. } | BrSgt64I { value, .. } => self.compare(CompareOp::Sgt, 64, s[0], constant(value)),
            Compare { op, bits, .. } => self.compare(op, bits.into(), s[0], s[1]),
            _ => return None,
        })
    }
}

fn constant(bits: u64) -> Operand {
    Operand { bits, shadow: 0 }
}

/// For which outcomes a float comparison holds; `None` for integer comparisons.
fn float_order(op: CompareOp) -> Option<FloatOrder> {
    use CompareOp::*;
    let order =
        |less, equal, greater, unordered| Some(FloatOrder { less, equal, greater, unordered });
    match op {
        FFalse => order(false, false, false, false),
        FOeq => order(false, true, false, false),
        FOgt => order(false, false, true, false),
        FOge => order(false, true, true, false),
        FOlt => order(true, false, false, false),
        FOle => order(true, true, false, false),
        FOne => order(true, false, true, false),
        FOrd => order(true, true, true, false),
        FUno => order(false, false, false, true),
        FUeq => order(false, true, false, true),
        FUgt => order(false, false, true, true),
        FUge => order(false, true, true, true),
        FUlt => order(true, false, false, true),
        FUle => order(true, true, false, true),
        FUne => order(true, false, true, true),
        FTrue => order(true, true, true, true),
        _ => None,
    }
}

/// How a scalar that terms can follow is represented.
pub(super) fn float_width(scalar: Scalar) -> Option<u32> {
    match scalar {
        Scalar::F32 => Some(32),
        Scalar::F64 => Some(64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_terms<T>(bits: u32, of: impl FnOnce(&mut Concolic, TermId, TermId) -> T) -> T {
        let mut concolic = Concolic::new();
        let (x, y) = (concolic.terms.constant(bits, 5), concolic.terms.constant(bits, 3));
        of(&mut concolic, x, y)
    }

    #[test]
    #[should_panic(expected = "FAdd of integers")]
    fn a_float_operation_among_integer_terms_is_refused() {
        with_terms(32, |concolic, x, y| concolic.int_operation(BinaryOp::FAdd, 32, x, y));
    }

    #[test]
    #[should_panic(expected = "FOeq of integers")]
    fn a_float_comparison_among_integer_terms_is_refused() {
        with_terms(32, |concolic, x, y| concolic.compare_terms(CompareOp::FOeq, x, y));
    }

    #[test]
    #[should_panic(expected = "Add of floats")]
    fn an_integer_operation_among_float_terms_is_refused() {
        with_terms(64, |concolic, x, y| concolic.float_terms(BinaryOp::Add, x, y));
    }
}

//! On which inputs the operations of a run are undefined, as terms.
//!
//! Together with the path, these conditions say for every input on the same path whether its run is
//! undefined. An undefined operation that does not depend on the input is undefined for every such
//! input.

use base::bits::{mask, signed};
use ir::{BinaryOp, CastOp};
use smt::{FloatOrder, TermId, Terms};

use super::Concolic;
use super::memo::{Key, Memo};
use crate::code::{Op, Scalar, Slow};
use crate::memory::ObjectView;
use crate::observer::{At, Operand};
use crate::undefined::UndefinedKind;

/// An operation that may be undefined.
enum Watched {
    /// The second operand is here if it is a part of the operation.
    Binary(BinaryOp, u32, Option<u64>),
    Cast(CastOp, Scalar, u32),
    /// A distance from a pointer: of an index, if there is one, and a constant one.
    Distance(i64, u64),
}

impl Concolic {
    /// Starts to record when operations are undefined.
    pub fn watch_undefined(&mut self) {
        self.undefined = Some(Vec::new());
        self.undefined_memo = Some(Memo::new());
    }

    /// An operation on what depends on the input is about to be executed.
    pub(super) fn note_condition(&mut self, at: At<'_>, s: &[Operand]) {
        let Some((kind, watched)) = watched(at, s).filter(|_| !at.code.in_archive) else { return };
        self.conditional = Some((at.site(), at.pc, at.steps));
        let key = Key::new(at, s);
        // A key has the values of three operands at most.
        let known = self.undefined_memo.as_ref().filter(|_| s.len() <= 3);
        let condition = match known.and_then(|memo| memo.get(&key)) {
            Some([condition, _]) => condition,
            None => {
                let condition = self.condition(&watched, s);
                if let Some(memo) = self.undefined_memo.as_mut().filter(|_| s.len() <= 3) {
                    memo.set(key, [condition, condition]);
                }
                condition
            }
        };
        self.keep_condition(kind, condition);
    }

    /// A read or write at an address that depends on the input, within an object, is about to be
    /// executed.
    pub(super) fn note_alignment(
        &mut self,
        at: At<'_>,
        address: TermId,
        object: ObjectView,
        bytes: u32,
    ) {
        let is_watched = !matches!(at.op(), Op::Slow { .. }) && !at.code.in_archive;
        if self.undefined.is_none() || !is_watched {
            return;
        }
        self.conditional = Some((at.site(), at.pc, at.steps));
        let align = at.code.alignment(at.pc, bytes.into());
        if self.terms.trailing_zeros(address) >= align.trailing_zeros() {
            return;
        }
        // Objects have the largest alignment.
        let start = self.terms.constant(64, object.start);
        let distance = self.terms.sub(address, start);
        let rest = self.terms.trunc(distance, align.trailing_zeros());
        let zero = self.terms.constant(align.trailing_zeros(), 0);
        let condition = self.terms.ne(rest, zero);
        self.keep_condition(UndefinedKind::Alignment, condition);
    }

    fn keep_condition(&mut self, kind: UndefinedKind, condition: TermId) {
        if condition != Terms::FALSE
            && let Some(undefined) = &mut self.undefined
            && undefined.last() != Some(&(kind, condition))
        {
            undefined.push((kind, condition));
        }
    }

    /// An operation was undefined.
    pub(super) fn note_undefined(&mut self, at: At<'_>, kind: UndefinedKind) {
        // No condition expresses whether something was written.
        let is_conditional = kind != UndefinedKind::Uninitialised
            && self.conditional == Some((at.site(), at.pc, at.steps));
        if !is_conditional {
            self.keep_condition(kind, Terms::TRUE);
        }
    }

    fn condition(&mut self, watched: &Watched, s: &[Operand]) -> TermId {
        match *watched {
            Watched::Binary(op, bits, constant) => {
                let registers = s.len() / 2;
                let (x, y) = match constant {
                    Some(value) => (self.term(s[0], bits), self.terms.constant(bits, value)),
                    None if registers == 1 => (self.term(s[0], bits), self.term(s[1], bits)),
                    None => {
                        let (x, y) = s.split_at(registers);
                        (self.joined(x, bits), self.joined(y, bits))
                    }
                };
                match op {
                    BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                        let width = self.terms.constant(bits, bits.into());
                        self.terms.uge(y, width)
                    }
                    op => self.overflows(op, bits, x, y),
                }
            }
            Watched::Cast(op, from, bits) => {
                let x = self.term(s[0], from.bits());
                self.is_out_of_range(op, from, bits, x)
            }
            Watched::Distance(scale, offset) => {
                let base = self.term(s[0], 64);
                let zero = self.terms.constant(64, 0);
                let is_null = self.terms.eq(base, zero);
                if is_null == Terms::FALSE {
                    return Terms::FALSE;
                }
                let mut distance = self.terms.constant(64, offset);
                if let Some(&index) = s.get(1) {
                    let scale = self.terms.constant(64, scale as u64);
                    let index = self.term(index, 64);
                    let scaled = self.terms.mul(index, scale);
                    distance = self.terms.add(distance, scaled);
                }
                let is_some = self.terms.ne(distance, zero);
                self.terms.and(is_null, is_some)
            }
        }
    }

    /// When the exact result of signed arithmetic overflows.
    fn overflows(&mut self, op: BinaryOp, bits: u32, x: TermId, y: TermId) -> TermId {
        if x == y && op == BinaryOp::Sub {
            return Terms::FALSE;
        }
        if bits <= 64 {
            if x == y && op == BinaryOp::Add {
                return self.beyond(BinaryOp::Mul, bits, x, 2);
            }
            match (op, self.terms.as_constant(x), self.terms.as_constant(y)) {
                (BinaryOp::Add, Some(c), _) => return self.beyond(op, bits, y, c),
                (BinaryOp::Mul, Some(c), _) => return self.beyond(op, bits, y, c),
                (_, _, Some(c)) => return self.beyond(op, bits, x, c),
                (BinaryOp::Sub, Some(c), _) => {
                    // c - y fits if y is between c - largest and c - smallest.
                    let (smallest, largest) = limits(bits);
                    let c = signed(c.into(), bits);
                    return self.outside(bits, y, c - largest, c - smallest);
                }
                _ => {}
            }
        }
        let wide = if op == BinaryOp::Mul { 2 * bits } else { bits + 1 };
        let (x, y) = (self.terms.sext(x, wide), self.terms.sext(y, wide));
        let exact = match op {
            BinaryOp::Add => self.terms.add(x, y),
            BinaryOp::Sub => self.terms.sub(x, y),
            _ => self.terms.mul(x, y),
        };
        let cut = self.terms.trunc(exact, bits);
        let back = self.terms.sext(cut, wide);
        self.terms.ne(back, exact)
    }

    /// When `x op c` overflows.
    fn beyond(&mut self, op: BinaryOp, bits: u32, x: TermId, c: u64) -> TermId {
        let (smallest, largest) = limits(bits);
        let c = signed(c.into(), bits);
        match op {
            BinaryOp::Add => self.outside(bits, x, smallest - c, largest - c),
            BinaryOp::Sub => self.outside(bits, x, smallest + c, largest + c),
            _ if c == 0 => Terms::FALSE,
            // Division rounds to zero, which is to the inside.
            _ if c > 0 => self.outside(bits, x, smallest / c, largest / c),
            _ => self.outside(bits, x, largest / c, smallest / c),
        }
    }

    /// When a signed number is less than `low` or greater than `high`.
    fn outside(&mut self, bits: u32, x: TermId, low: i128, high: i128) -> TermId {
        let (smallest, largest) = limits(bits);
        let mut outside = Terms::FALSE;
        if low > smallest {
            let bound = self.terms.constant(bits, (low as u128 & mask(bits)) as u64);
            outside = self.terms.slt(x, bound);
        }
        if high < largest {
            let bound = self.terms.constant(bits, (high as u128 & mask(bits)) as u64);
            let above = self.terms.slt(bound, x);
            outside = self.terms.or(outside, above);
        }
        outside
    }

    /// When a number, truncated, is no value of an integer type.
    fn is_out_of_range(&mut self, op: CastOp, from: Scalar, bits: u32, x: TermId) -> TermId {
        let precision = if from == Scalar::F32 { 24 } else { 53 };
        let (lowest, beyond) = match op {
            CastOp::FpToSi => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1)),
            _ => (0.0, 2f64.powi(bits as i32)),
        };
        // A number less than one below the lowest value fits; where there is no such number, the
        // lowest value itself is the bound.
        let is_exact = op != CastOp::FpToSi || bits <= precision;
        let (low, with_equal) = if is_exact { (lowest - 1.0, false) } else { (lowest, true) };
        let (low, high) = (self.float_constant(from, low), self.float_constant(from, beyond));
        let above = FloatOrder { less: false, equal: with_equal, greater: true, unordered: false };
        let below = FloatOrder { less: true, equal: false, greater: false, unordered: false };
        let (above, below) = (self.terms.fcmp(above, x, low), self.terms.fcmp(below, x, high));
        let fits = self.terms.and(above, below);
        self.terms.not(fits)
    }

    fn float_constant(&mut self, scalar: Scalar, value: f64) -> TermId {
        match scalar {
            Scalar::F32 => self.terms.constant(32, (value as f32).to_bits().into()),
            _ => self.terms.constant(64, value.to_bits()),
        }
    }
}

/// The smallest and the largest signed number.
fn limits(bits: u32) -> (i128, i128) {
    let half = 1i128 << (bits - 1);
    (-half, half - 1)
}

/// The operation at a place, if it may be undefined.
fn watched(at: At<'_>, s: &[Operand]) -> Option<(UndefinedKind, Watched)> {
    use BinaryOp as B;
    use UndefinedKind::{Conversion, Null, Overflow, Shift};
    let binary = |op, bits: u32| {
        let kind = if matches!(op, B::Shl | B::LShr | B::AShr) { Shift } else { Overflow };
        Some((kind, Watched::Binary(op, bits, None)))
    };
    let with = |op, bits: u32, value| Some((Overflow, Watched::Binary(op, bits, Some(value))));
    let cast = |op, from, to: Scalar| Some((Conversion, Watched::Cast(op, from, to.bits())));
    match at.op() {
        Op::Add32 { nsw: true, .. } => binary(B::Add, 32),
        Op::Add32I { nsw: true, value, .. } => with(B::Add, 32, value),
        Op::Add64 { nsw: true, .. } => binary(B::Add, 64),
        Op::Add64I { nsw: true, value, .. } => with(B::Add, 64, value),
        Op::Sub32 { nsw: true, .. } => binary(B::Sub, 32),
        Op::Sub64 { nsw: true, .. } => binary(B::Sub, 64),
        Op::Mul32 { nsw: true, .. } => binary(B::Mul, 32),
        Op::Mul32I { nsw: true, value, .. } => with(B::Mul, 32, value),
        Op::Mul64 { nsw: true, .. } => binary(B::Mul, 64),
        Op::Mul64I { nsw: true, value, .. } => with(B::Mul, 64, value),
        Op::Shl32 { .. } => binary(B::Shl, 32),
        Op::Shl64 { .. } => binary(B::Shl, 64),
        Op::LShr32 { .. } => binary(B::LShr, 32),
        Op::LShr64 { .. } => binary(B::LShr, 64),
        Op::AShr32 { .. } => binary(B::AShr, 32),
        Op::AShr64 { .. } => binary(B::AShr, 64),
        Op::Int { op: op @ (B::Shl | B::LShr | B::AShr), bits, .. } => binary(op, bits.into()),
        Op::Int { op: op @ (B::Add | B::Sub | B::Mul), bits, nsw: true, .. } => {
            binary(op, bits.into())
        }
        Op::F64ToSi32 { .. } => cast(CastOp::FpToSi, Scalar::F64, Scalar::Int(32)),
        Op::F64ToSi64 { .. } => cast(CastOp::FpToSi, Scalar::F64, Scalar::Int(64)),
        Op::Offset { within: true, scale, offset, .. } => {
            let offset = i64::from(offset) as u64;
            Some((Null, Watched::Distance(scale.into(), offset)))
        }
        Op::OffsetI { value, .. } => Some((Null, Watched::Distance(0, value))),
        Op::Slow { index } => match at.code.slow[index as usize] {
            Slow::Binary { op, scalar: Scalar::Int(bits), nsw, .. }
                if s.len().is_multiple_of(2) =>
            {
                match op {
                    B::Shl | B::LShr | B::AShr => binary(op, bits.into()),
                    B::Add | B::Sub | B::Mul if nsw => binary(op, bits.into()),
                    _ => None,
                }
            }
            Slow::Cast {
                op: op @ (CastOp::FpToSi | CastOp::FpToUi),
                from,
                to: to @ Scalar::Int(_),
                ..
            } if matches!(from, Scalar::F32 | Scalar::F64) => cast(op, from, to),
            _ => None,
        },
        _ => None,
    }
}

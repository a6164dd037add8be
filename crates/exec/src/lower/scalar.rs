//! Arithmetic, comparisons, casts and selections of scalars, and lane by lane of vectors.

use base::bits;
use ir::{BinaryOp, CastOp, CompareOp, Operand, Type, TypeId, TypedConst, UnaryOp};

use super::{Lowered, Lowering, unsupported};
use crate::addresses::Words;
use crate::code::{Op, Reg, Scalar, Slow};

/// Lanes of a scalar or vector type.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    pub(super) scalar: Scalar,
    pub(super) count: u16,
}

impl Lowering<'_> {
    pub(super) fn constant_words(&self, constant: &TypedConst) -> Lowered<Words> {
        self.addresses
            .words(&self.module.types, constant)
            .ok_or_else(|| unsupported("a constant without a value known here"))
    }

    /// The value of an integer constant of at most 64 bits, zero-extended.
    pub(super) fn immediate(&self, operand: Operand) -> Option<u64> {
        let Operand::Const(constant) = operand else { return None };
        let constant = &self.body.consts[constant];
        match self.scalar(constant.ty)? {
            Scalar::Int(bits) if bits <= 64 => {
                Some(self.addresses.value(&self.module.types, constant)? as u64)
            }
            _ => None,
        }
    }

    pub(super) fn lanes(&self, ty: TypeId) -> Lowered<Lanes> {
        match self.module.types.get(ty) {
            Type::Vector { element, lanes } if self.width(ty) > 0 => {
                Ok(Lanes { scalar: self.scalar_or_unsupported(*element)?, count: *lanes as u16 })
            }
            _ => Ok(Lanes { scalar: self.scalar_or_unsupported(ty)?, count: 1 }),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: Operand) -> Lowered<()> {
        match op {
            UnaryOp::Copy => self.copy_value(value),
            UnaryOp::FNeg => {
                let lanes = self.lanes(self.result_type())?;
                let a = self.take(value)?;
                let d = self.define_lanes(lanes);
                self.each_lane(lanes, |this, at| {
                    this.emit_slow(Slow::Negate { scalar: lanes.scalar, d: d + at, a: a + at });
                });
                Ok(())
            }
        }
    }

    /// A result that is the operand, register by register.
    pub(super) fn copy_value(&mut self, value: Operand) -> Lowered<()> {
        let width = self.width(self.result_type());
        if width == 1 && self.postpone() {
            return Ok(());
        }
        let a = self.take(value)?;
        let d = if width == 1 { self.define() } else { self.define_apart() };
        for index in 0..width {
            self.emit(Op::Copy { d: d + index, a: a + index });
        }
        self.registers.flush();
        Ok(())
    }

    /// The destination of a lane-wise operation. Operands of several lanes stay intact.
    fn define_lanes(&mut self, lanes: Lanes) -> Reg {
        match lanes.count * lanes.scalar.registers() {
            1 => self.define(),
            _ => self.define_apart(),
        }
    }

    fn each_lane(&mut self, lanes: Lanes, mut emit: impl FnMut(&mut Self, Reg)) {
        for lane in 0..lanes.count {
            emit(self, lane * lanes.scalar.registers());
        }
        self.registers.flush();
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
        nsw: bool,
    ) -> Lowered<()> {
        if let Some(bits) = self.big_bits(lhs) {
            let (a, b) = (self.take(lhs)?, self.take(rhs)?);
            let d = self.define_apart();
            self.emit_slow(Slow::BigBinary { op, bits, d, a, b });
            self.registers.flush();
            return Ok(());
        }
        let lanes = self.lanes(self.result_type())?;
        if let (Scalar::Int(bits), 1) = (lanes.scalar, lanes.count) {
            let (lhs, rhs) = match (self.immediate(lhs), commutes(op)) {
                (Some(_), true) => (rhs, lhs),
                _ => (lhs, rhs),
            };
            if let Some(value) = self.immediate(rhs)
                && let Some(form) = with_immediate(op, bits, nsw, value, 0, 0)
            {
                let a = self.take(lhs)?;
                let d = self.define();
                self.emit(with_immediate(op, bits, nsw, value, d, a).unwrap_or(form));
                return Ok(());
            }
            let (a, b) = (self.take(lhs)?, self.take(rhs)?);
            let d = self.define_lanes(lanes);
            self.binary_lane(op, lanes.scalar, nsw, [d, a, b]);
            self.registers.flush();
            return Ok(());
        }
        let (a, b) = (self.take(lhs)?, self.take(rhs)?);
        let d = self.define_lanes(lanes);
        self.each_lane(lanes, |this, at| {
            this.binary_lane(op, lanes.scalar, nsw, [d + at, a + at, b + at]);
        });
        Ok(())
    }

    fn binary_lane(&mut self, op: BinaryOp, scalar: Scalar, nsw: bool, [d, a, b]: [Reg; 3]) {
        match quick_binary(op, scalar, nsw, [d, a, b]) {
            Some(op) => self.emit(op),
            None => self.emit_slow(Slow::Binary { op, scalar, nsw, d, a, b }),
        }
    }

    /// The width of an operand that is an integer of more than 128 bits.
    pub(super) fn big_bits(&self, operand: Operand) -> Option<u32> {
        self.addresses.big_bits(&self.module.types, self.operand_type(operand))
    }

    pub(super) fn compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) -> Lowered<()> {
        if let Some(bits) = self.big_bits(lhs) {
            let (a, b) = (self.take(lhs)?, self.take(rhs)?);
            let d = self.define_apart();
            self.emit_slow(Slow::BigCompare { op, bits, d, a, b });
            self.registers.flush();
            return Ok(());
        }
        let lanes = self.lanes(self.operand_type(lhs))?;
        if lanes.count == 1 && lanes.scalar.registers() == 1 && self.postpone() {
            return Ok(());
        }
        self.compare_now(op, lhs, rhs)
    }

    pub(super) fn compare_now(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) -> Lowered<()> {
        let lanes = self.lanes(self.operand_type(lhs))?;
        if let (Scalar::Int(bits), 1) = (lanes.scalar, lanes.count)
            && let Some(value) = self.immediate(rhs)
            && let Some(compare) = ImmediateCompare::new(op, bits, value)
        {
            let a = self.take(lhs)?;
            let d = self.define();
            self.emit(compare.set(d, a));
            return Ok(());
        }
        let (a, b) = (self.take(lhs)?, self.take(rhs)?);
        if lanes.count == 1 {
            let d = self.define();
            self.compare_lane(op, lanes.scalar, d, a, b);
            return Ok(());
        }
        let d = self.define_apart();
        for lane in 0..lanes.count {
            let at = lane * lanes.scalar.registers();
            self.compare_lane(op, lanes.scalar, d + lane, a + at, b + at);
        }
        self.registers.flush();
        Ok(())
    }

    fn compare_lane(&mut self, op: CompareOp, scalar: Scalar, d: Reg, a: Reg, b: Reg) {
        let op = match scalar {
            Scalar::Int(bits) if bits <= 64 => quick_compare(op, bits, d, a, b),
            Scalar::F64 => Op::FCompare64 { op, d, a, b },
            _ => return self.emit_slow(Slow::Compare { op, scalar, d, a, b }),
        };
        self.emit(op);
    }

    pub(super) fn cast(&mut self, op: CastOp, value: Operand) -> Lowered<()> {
        let (from_type, to_type) = (self.operand_type(value), self.result_type());
        if let (Type::Int(from), Type::Int(to)) =
            (self.module.types.get(from_type), self.module.types.get(to_type))
            && (*from).max(*to) > 128
            && self.width(from_type).min(self.width(to_type)) > 0
        {
            let a = self.take(value)?;
            let d = self.define_apart();
            self.emit_slow(Slow::BigCast { op, from: *from, to: *to, d, a });
            self.registers.flush();
            return Ok(());
        }
        if op == CastOp::Bitcast {
            return self.bitcast(value, from_type, to_type);
        }
        let (from, to) = (self.lanes(from_type)?, self.lanes(to_type)?);
        if from.count == 1 && is_identity(op, from.scalar, to.scalar) {
            return self.copy_value(value);
        }
        let a = self.take(value)?;
        let single = from.count == 1 && from.scalar.registers() == 1 && to.scalar.registers() == 1;
        let d = if single { self.define() } else { self.define_apart() };
        for lane in 0..from.count {
            let (d, a) = (d + lane * to.scalar.registers(), a + lane * from.scalar.registers());
            match quick_cast(op, from.scalar, to.scalar, d, a) {
                Some(op) => self.emit(op),
                None => {
                    self.emit_slow(Slow::Cast { op, from: from.scalar, to: to.scalar, d, a });
                }
            }
        }
        self.registers.flush();
        Ok(())
    }

    fn bitcast(&mut self, value: Operand, from: TypeId, to: TypeId) -> Lowered<()> {
        let (from, to) = (self.lanes(from)?, self.lanes(to)?);
        if from.count == to.count && from.scalar.bits() == to.scalar.bits() {
            return self.copy_value(value);
        }
        let a = self.take(value)?;
        let d = self.define_apart();
        self.emit_slow(Slow::Bitcast {
            from: from.scalar,
            from_lanes: u32::from(from.count),
            to: to.scalar,
            to_lanes: u32::from(to.count),
            d,
            a,
        });
        self.registers.flush();
        Ok(())
    }

    pub(super) fn select(
        &mut self,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    ) -> Lowered<()> {
        let width = self.width(self.result_type());
        let by_lane =
            matches!(self.module.types.get(self.operand_type(condition)), Type::Vector { .. });
        let lane_width =
            if by_lane { self.lanes(self.result_type())?.scalar.registers() } else { width.max(1) };
        let (c, a, b) = (self.take(condition)?, self.take(then)?, self.take(otherwise)?);
        let d = if width == 1 { self.define() } else { self.define_apart() };
        for index in 0..width {
            let c = c + index / lane_width;
            self.emit(Op::Select { d: d + index, c, a: a + index, b: b + index });
        }
        self.registers.flush();
        Ok(())
    }
}

fn commutes(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Mul | And | Or | Xor)
}

/// Whether the bits in the register stay as they are.
fn is_identity(op: CastOp, from: Scalar, to: Scalar) -> bool {
    let one = from.registers() == 1 && to.registers() == 1;
    match op {
        CastOp::ZExt => one,
        CastOp::PtrToInt | CastOp::IntToPtr => one && from.bits() <= to.bits(),
        _ => false,
    }
}

/// The operation with a constant as its right operand, where the machine has one.
fn with_immediate(op: BinaryOp, bits: u8, nsw: bool, value: u64, d: Reg, a: Reg) -> Option<Op> {
    let small = value < u64::from(bits);
    let negated = value.wrapping_neg();
    // The smallest number is its own negation: adding it overflows where subtracting does not.
    let is_smallest = value == 1 << (bits - 1).min(63);
    if op == BinaryOp::Sub && nsw && is_smallest {
        return None;
    }
    Some(match (op, bits) {
        (BinaryOp::Add, 32) => Op::Add32I { d, a, nsw, value },
        (BinaryOp::Add, 64) => Op::Add64I { d, a, nsw, value },
        (BinaryOp::Sub, 32) => Op::Add32I { d, a, nsw, value: negated },
        (BinaryOp::Sub, 64) => Op::Add64I { d, a, nsw, value: negated },
        (BinaryOp::Mul, 32) => Op::Mul32I { d, a, nsw, value },
        (BinaryOp::Mul, 64) => Op::Mul64I { d, a, nsw, value },
        (BinaryOp::And, 1..=64) => Op::AndI { d, a, value },
        (BinaryOp::Or, 1..=64) => Op::OrI { d, a, value },
        (BinaryOp::Xor, 1..=64) => Op::XorI { d, a, value },
        (BinaryOp::Shl, 32) if small => Op::Shl32I { d, a, value },
        (BinaryOp::Shl, 64) if small => Op::Shl64I { d, a, value },
        (BinaryOp::LShr, 1..=64) if small => Op::LShrI { d, a, value },
        (BinaryOp::AShr, 32) if small => Op::AShr32I { d, a, value },
        (BinaryOp::AShr, 64) if small => Op::AShr64I { d, a, value },
        _ => return None,
    })
}

fn quick_binary(op: BinaryOp, scalar: Scalar, nsw: bool, [d, a, b]: [Reg; 3]) -> Option<Op> {
    use BinaryOp::*;
    Some(match (op, scalar) {
        (Add, Scalar::Int(32)) => Op::Add32 { d, a, b, nsw },
        (Add, Scalar::Int(64)) => Op::Add64 { d, a, b, nsw },
        (Sub, Scalar::Int(32)) => Op::Sub32 { d, a, b, nsw },
        (Sub, Scalar::Int(64)) => Op::Sub64 { d, a, b, nsw },
        (Mul, Scalar::Int(32)) => Op::Mul32 { d, a, b, nsw },
        (Mul, Scalar::Int(64)) => Op::Mul64 { d, a, b, nsw },
        (And, Scalar::Int(1..=64)) => Op::And { d, a, b },
        (Or, Scalar::Int(1..=64)) => Op::Or { d, a, b },
        (Xor, Scalar::Int(1..=64)) => Op::Xor { d, a, b },
        (Shl, Scalar::Int(32)) => Op::Shl32 { d, a, b },
        (Shl, Scalar::Int(64)) => Op::Shl64 { d, a, b },
        (LShr, Scalar::Int(32)) => Op::LShr32 { d, a, b },
        (LShr, Scalar::Int(64)) => Op::LShr64 { d, a, b },
        (AShr, Scalar::Int(32)) => Op::AShr32 { d, a, b },
        (AShr, Scalar::Int(64)) => Op::AShr64 { d, a, b },
        (UDiv, Scalar::Int(1..=64)) => Op::UDiv { d, a, b },
        (URem, Scalar::Int(1..=64)) => Op::URem { d, a, b },
        (SDiv, Scalar::Int(32)) => Op::SDiv32 { d, a, b },
        (SRem, Scalar::Int(32)) => Op::SRem32 { d, a, b },
        (op, Scalar::Int(bits @ 1..=64)) => Op::Int { op, bits, nsw, d, a, b },
        (FAdd, Scalar::F64) => Op::FAdd64 { d, a, b },
        (FSub, Scalar::F64) => Op::FSub64 { d, a, b },
        (FMul, Scalar::F64) => Op::FMul64 { d, a, b },
        (FDiv, Scalar::F64) => Op::FDiv64 { d, a, b },
        (FAdd, Scalar::F32) => Op::FAdd32 { d, a, b },
        (FSub, Scalar::F32) => Op::FSub32 { d, a, b },
        (FMul, Scalar::F32) => Op::FMul32 { d, a, b },
        (FDiv, Scalar::F32) => Op::FDiv32 { d, a, b },
        _ => return None,
    })
}

fn quick_compare(op: CompareOp, bits: u8, d: Reg, a: Reg, b: Reg) -> Op {
    match (op, bits) {
        (CompareOp::Eq, _) => Op::Eq { d, a, b },
        (CompareOp::Ne, _) => Op::Ne { d, a, b },
        (CompareOp::Ult, _) => Op::Ult { d, a, b },
        (CompareOp::Ule, _) => Op::Ule { d, a, b },
        (CompareOp::Ugt, _) => Op::Ult { d, a: b, b: a },
        (CompareOp::Uge, _) => Op::Ule { d, a: b, b: a },
        (CompareOp::Slt, 32) => Op::Slt32 { d, a, b },
        (CompareOp::Sle, 32) => Op::Sle32 { d, a, b },
        (CompareOp::Sgt, 32) => Op::Slt32 { d, a: b, b: a },
        (CompareOp::Sge, 32) => Op::Sle32 { d, a: b, b: a },
        (CompareOp::Slt, 64) => Op::Slt64 { d, a, b },
        (CompareOp::Sle, 64) => Op::Sle64 { d, a, b },
        (CompareOp::Sgt, 64) => Op::Slt64 { d, a: b, b: a },
        (CompareOp::Sge, 64) => Op::Sle64 { d, a: b, b: a },
        (op, bits) => Op::Compare { op, bits, d, a, b },
    }
}

fn quick_cast(op: CastOp, from: Scalar, to: Scalar, d: Reg, a: Reg) -> Option<Op> {
    Some(match (op, from, to) {
        (CastOp::Trunc | CastOp::PtrToInt, Scalar::Int(_), Scalar::Int(bits)) if bits < 64 => {
            Op::AndI { d, a, value: bits::mask(u32::from(bits)) as u64 }
        }
        (CastOp::Trunc, Scalar::Int(_), Scalar::Int(64)) => Op::Copy { d, a },
        // Within a vector, where lanes have places of their own.
        (
            CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr,
            Scalar::Int(1..=64),
            Scalar::Int(1..=64),
        ) => Op::Copy { d, a },
        (CastOp::SExt, Scalar::Int(8), Scalar::Int(32)) => Op::Sext8To32 { d, a },
        (CastOp::SExt, Scalar::Int(16), Scalar::Int(32)) => Op::Sext16To32 { d, a },
        (CastOp::SExt, Scalar::Int(8), Scalar::Int(64)) => Op::Sext8To64 { d, a },
        (CastOp::SExt, Scalar::Int(16), Scalar::Int(64)) => Op::Sext16To64 { d, a },
        (CastOp::SExt, Scalar::Int(32), Scalar::Int(64)) => Op::Sext32To64 { d, a },
        (CastOp::SExt, Scalar::Int(from @ 1..=64), Scalar::Int(to @ 1..=64)) => {
            Op::Sext { from, to, d, a }
        }
        (CastOp::SiToFp, Scalar::Int(32), Scalar::F64) => Op::Si32ToF64 { d, a },
        (CastOp::SiToFp, Scalar::Int(64), Scalar::F64) => Op::Si64ToF64 { d, a },
        (CastOp::FpToSi, Scalar::F64, Scalar::Int(32)) => Op::F64ToSi32 { d, a },
        (CastOp::FpToSi, Scalar::F64, Scalar::Int(64)) => Op::F64ToSi64 { d, a },
        (CastOp::FpExt, Scalar::F32, Scalar::F64) => Op::F32ToF64 { d, a },
        (CastOp::FpTrunc, Scalar::F64, Scalar::F32) => Op::F64ToF32 { d, a },
        _ => return None,
    })
}

/// A comparison with a constant in one of the forms that the machine has.
#[derive(Clone, Copy, Debug)]
pub(super) enum ImmediateCompare {
    Eq(u64),
    Ne(u64),
    Ult(u64),
    Ugt(u64),
    Slt32(u64),
    Sgt32(u64),
    Slt64(u64),
    Sgt64(u64),
}

impl ImmediateCompare {
    pub(super) fn new(op: CompareOp, bits: u8, value: u64) -> Option<ImmediateCompare> {
        use ImmediateCompare::*;
        let (smallest, largest) = match bits {
            32 => (1u64 << 31, (1u64 << 31) - 1),
            64 => (1u64 << 63, (1u64 << 63) - 1),
            _ => (value, value),
        };
        let up = bits::truncate(u128::from(value) + 1, u32::from(bits)) as u64;
        let down = bits::truncate(u128::from(value).wrapping_sub(1), u32::from(bits)) as u64;
        let all_ones = bits::mask(u32::from(bits)) as u64;
        Some(match (op, bits) {
            (CompareOp::Eq, 1..=64) => Eq(value),
            (CompareOp::Ne, 1..=64) => Ne(value),
            (CompareOp::Ult, 1..=64) => Ult(value),
            (CompareOp::Ugt, 1..=64) => Ugt(value),
            (CompareOp::Ule, 1..=64) if value != all_ones => Ult(up),
            (CompareOp::Uge, 1..=64) if value != 0 => Ugt(down),
            (CompareOp::Slt, 32) => Slt32(value),
            (CompareOp::Sgt, 32) => Sgt32(value),
            (CompareOp::Sle, 32) if value != largest => Slt32(up),
            (CompareOp::Sge, 32) if value != smallest => Sgt32(down),
            (CompareOp::Slt, 64) => Slt64(value),
            (CompareOp::Sgt, 64) => Sgt64(value),
            (CompareOp::Sle, 64) if value != largest => Slt64(up),
            (CompareOp::Sge, 64) if value != smallest => Sgt64(down),
            _ => return None,
        })
    }

    fn set(self, d: Reg, a: Reg) -> Op {
        match self {
            ImmediateCompare::Eq(value) => Op::EqI { d, a, value },
            ImmediateCompare::Ne(value) => Op::NeI { d, a, value },
            ImmediateCompare::Ult(value) => Op::UltI { d, a, value },
            ImmediateCompare::Ugt(value) => Op::UgtI { d, a, value },
            ImmediateCompare::Slt32(value) => Op::Slt32I { d, a, value },
            ImmediateCompare::Sgt32(value) => Op::Sgt32I { d, a, value },
            ImmediateCompare::Slt64(value) => Op::Slt64I { d, a, value },
            ImmediateCompare::Sgt64(value) => Op::Sgt64I { d, a, value },
        }
    }

    pub(super) fn branch(self, a: Reg, target: u32) -> Op {
        match self {
            ImmediateCompare::Eq(value) => Op::BrEqI { a, target, value },
            ImmediateCompare::Ne(value) => Op::BrNeI { a, target, value },
            ImmediateCompare::Ult(value) => Op::BrUltI { a, target, value },
            ImmediateCompare::Ugt(value) => Op::BrUgtI { a, target, value },
            ImmediateCompare::Slt32(value) => Op::BrSlt32I { a, target, value },
            ImmediateCompare::Sgt32(value) => Op::BrSgt32I { a, target, value },
            ImmediateCompare::Slt64(value) => Op::BrSlt64I { a, target, value },
            ImmediateCompare::Sgt64(value) => Op::BrSgt64I { a, target, value },
        }
    }
}

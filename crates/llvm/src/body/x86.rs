//! SSE and SSE2 instructions, expanded to operations of the IR, so that nothing after the reader
//! knows them.

use base::bits::truncate;
use ir::{
    Argument, BinaryOp, Builtin, Call, Callee, CastOp, CompareOp, Const, Op, Operand, Type, TypeId,
    TypedConst, Types,
};

use super::BodyReader;
use super::calls::ReadCall;
use crate::cursor::Parsed;
use crate::intrinsics::Packed;

/// The comparisons in the order of their numbers in instructions.
const COMPARISONS: [CompareOp; 8] = [
    CompareOp::FOeq,
    CompareOp::FOlt,
    CompareOp::FOle,
    CompareOp::FUno,
    CompareOp::FUne,
    CompareOp::FUge,
    CompareOp::FUgt,
    CompareOp::FOrd,
];

/// A vector type, taken apart.
#[derive(Clone, Copy)]
struct Shape {
    ty: TypeId,
    element: TypeId,
    lanes: u32,
    /// Of one lane.
    bits: u32,
}

/// Whether an instruction works on vectors of such a shape; a text may contain anything.
fn fits(packed: Packed, shape: Shape) -> bool {
    let whole = u64::from(shape.bits) * u64::from(shape.lanes) == 128;
    whole
        && match packed {
            Packed::SumDifferences => shape.bits == 8,
            Packed::Narrow { .. } | Packed::MultiplyHigh { .. } | Packed::Average => {
                shape.bits <= 32
            }
            Packed::MultiplyAdd => shape.bits == 16,
            _ => matches!(shape.bits, 16 | 32 | 64),
        }
}

impl<'t> BodyReader<'_, 't> {
    /// Makes the instructions that implement a vector instruction.
    pub fn packed(&mut self, packed: Packed, read: &ReadCall<'t>) -> Parsed<()> {
        let returns = read.returns;
        let operand = |index: usize| read.args.get(index).map(|argument| argument.value);
        let shape = read.types.first().and_then(|&ty| self.shape(ty));
        let shape = shape.filter(|shape| fits(packed, *shape));
        let (Some(a), Some(shape)) = (operand(0), shape) else {
            return self.c.fault("a vector instruction has no vector to work on");
        };
        let op = match (packed, operand(1)) {
            (Packed::ToIntegers { round }, _) => self.integers_of(a, shape, returns, round)?,
            (Packed::FirstToInteger { round }, _) => {
                let first = self.first(a, shape);
                let first = if round { self.rounded(first, shape.element) } else { first };
                Op::Cast { op: CastOp::FpToSi, value: first }
            }
            (Packed::ToFloats, _) => self.widened_cast(CastOp::FpTrunc, a, shape, returns)?,
            (Packed::Signs, _) => self.signs(a, shape),
            (_, None) => return self.c.fault("a vector instruction has one operand only"),
            (Packed::Narrow { signed }, Some(b)) => self.narrow(a, b, shape, signed),
            (Packed::MultiplyHigh { signed }, Some(b)) => self.multiply_high(a, b, shape, signed),
            (Packed::Average, Some(b)) => self.average(a, b, shape),
            (Packed::MultiplyAdd, Some(b)) => self.multiply_add(a, b, shape),
            (Packed::SumDifferences, Some(b)) => self.sum_differences(a, b, shape, returns),
            (Packed::Shift(op), Some(b)) => {
                let amount = self.amount(b, read.types[1]);
                self.shift(op, a, amount, shape)
            }
            (Packed::Pick(op), Some(b)) => {
                let flags = self.vector(Types::I1, shape.lanes);
                let condition = self.temporary(Op::Compare { op, lhs: a, rhs: b }, flags);
                Op::Select { condition, then: a, otherwise: b }
            }
            (Packed::PickFirst(op), Some(b)) => {
                let (x, y) = (self.first(a, shape), self.first(b, shape));
                let condition = self.temporary(Op::Compare { op, lhs: x, rhs: y }, Types::I1);
                let pick = Op::Select { condition, then: x, otherwise: y };
                let value = self.temporary(pick, shape.element);
                self.with_first(a, value)
            }
            (Packed::CompareFirst, Some(b)) => {
                let number = operand(2).and_then(|number| self.number_argument(number));
                let Some(&op) = number.and_then(|number| COMPARISONS.get(number as usize)) else {
                    return self.c.fault("a comparison has an unknown number");
                };
                self.compare_first(op, a, b, shape)
            }
            (Packed::Test(op), Some(b)) => {
                let (lhs, rhs) = (self.first(a, shape), self.first(b, shape));
                let flag = self.temporary(Op::Compare { op, lhs, rhs }, Types::I1);
                Op::Cast { op: CastOp::ZExt, value: flag }
            }
            (Packed::FirstToFloat, Some(b)) => {
                let Some(from) = self.shape(read.types[1]) else {
                    return self.c.fault("a vector instruction converts no vector");
                };
                let value = self.first(b, from);
                let cast = Op::Cast { op: CastOp::FpTrunc, value };
                let value = self.temporary(cast, shape.element);
                self.with_first(a, value)
            }
        };
        self.define(op, returns)
    }

    // Types and small pieces.

    fn shape(&self, ty: TypeId) -> Option<Shape> {
        let types = &self.reader.types.types;
        let Type::Vector { element, lanes } = *types.get(ty) else { return None };
        let bits = match *types.get(element) {
            Type::Int(bits) => bits,
            Type::Float(kind) => kind.bits(),
            _ => return None,
        };
        Some(Shape { ty, element, lanes, bits })
    }

    fn vector(&mut self, element: TypeId, lanes: u32) -> TypeId {
        self.reader.types.types.intern(Type::Vector { element, lanes })
    }

    fn integers(&mut self, bits: u32, lanes: u32) -> Shape {
        let element = self.reader.types.types.int(bits);
        Shape { ty: self.vector(element, lanes), element, lanes, bits }
    }

    /// A vector of equal lanes.
    fn all(&mut self, shape: Shape, value: i64) -> Operand {
        let bits = truncate(value as i128 as u128, shape.bits);
        let lane = TypedConst { ty: shape.element, value: Const::Int(bits) };
        let lanes = vec![lane; shape.lanes as usize];
        self.constant(shape.ty, Const::Elements(lanes.into()))
    }

    fn binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand, ty: TypeId) -> Operand {
        self.temporary(Op::Binary { op, lhs, rhs, nsw: false }, ty)
    }

    fn converted(&mut self, op: CastOp, value: Operand, ty: TypeId) -> Operand {
        self.temporary(Op::Cast { op, value }, ty)
    }

    fn built(&mut self, builtin: Builtin, args: &[Operand], returns: TypeId) -> Operand {
        let args = args.iter().map(|&value| Argument { value, byval: None }).collect();
        let call = Call { callee: Callee::Builtin(builtin), args, returns, fixed: None };
        self.temporary(Op::Call(Box::new(call)), returns)
    }

    fn lane(&mut self, vector: Operand, lane: u128, element: TypeId) -> Operand {
        let index = self.constant(Types::I32, Const::Int(lane));
        self.temporary(Op::ExtractElement { vector, index }, element)
    }

    fn first(&mut self, vector: Operand, shape: Shape) -> Operand {
        self.lane(vector, 0, shape.element)
    }

    fn with_first(&mut self, vector: Operand, value: Operand) -> Op {
        let index = self.constant(Types::I32, Const::Int(0));
        Op::InsertElement { vector, value, index }
    }

    fn shuffled(
        &mut self,
        lhs: Operand,
        rhs: Operand,
        lanes: impl Iterator<Item = u32>,
        ty: TypeId,
    ) -> Operand {
        self.temporary(Op::Shuffle { lhs, rhs, mask: lanes.map(Some).collect() }, ty)
    }

    // The instructions.

    fn narrow(&mut self, a: Operand, b: Operand, shape: Shape, signed: bool) -> Op {
        let wide = self.integers(shape.bits, 2 * shape.lanes);
        let half = shape.bits / 2;
        let (least, most) = if signed {
            (-(1i64 << (half - 1)), (1i64 << (half - 1)) - 1)
        } else {
            (0, (1i64 << half) - 1)
        };
        let both = self.shuffled(a, b, 0..wide.lanes, wide.ty);
        let (least, most) = (self.all(wide, least), self.all(wide, most));
        let value = self.built(Builtin::SMax, &[both, least], wide.ty);
        let value = self.built(Builtin::SMin, &[value, most], wide.ty);
        Op::Cast { op: CastOp::Trunc, value }
    }

    fn multiply_high(&mut self, a: Operand, b: Operand, shape: Shape, signed: bool) -> Op {
        let wide = self.integers(2 * shape.bits, shape.lanes);
        let extend = if signed { CastOp::SExt } else { CastOp::ZExt };
        let (a, b) = (self.converted(extend, a, wide.ty), self.converted(extend, b, wide.ty));
        let product = self.binary(BinaryOp::Mul, a, b, wide.ty);
        let amount = self.all(wide, i64::from(shape.bits));
        let value = self.binary(BinaryOp::LShr, product, amount, wide.ty);
        Op::Cast { op: CastOp::Trunc, value }
    }

    fn average(&mut self, a: Operand, b: Operand, shape: Shape) -> Op {
        let wide = self.integers(2 * shape.bits, shape.lanes);
        let (a, b) =
            (self.converted(CastOp::ZExt, a, wide.ty), self.converted(CastOp::ZExt, b, wide.ty));
        let one = self.all(wide, 1);
        let sum = self.binary(BinaryOp::Add, a, b, wide.ty);
        let sum = self.binary(BinaryOp::Add, sum, one, wide.ty);
        let value = self.binary(BinaryOp::LShr, sum, one, wide.ty);
        Op::Cast { op: CastOp::Trunc, value }
    }

    fn multiply_add(&mut self, a: Operand, b: Operand, shape: Shape) -> Op {
        let wide = self.integers(2 * shape.bits, shape.lanes);
        let half = self.integers(2 * shape.bits, shape.lanes / 2);
        let (a, b) =
            (self.converted(CastOp::SExt, a, wide.ty), self.converted(CastOp::SExt, b, wide.ty));
        let product = self.binary(BinaryOp::Mul, a, b, wide.ty);
        let even = (0..half.lanes).map(|lane| 2 * lane);
        let odd = (0..half.lanes).map(|lane| 2 * lane + 1);
        let lhs = self.shuffled(product, product, even, half.ty);
        let rhs = self.shuffled(product, product, odd, half.ty);
        Op::Binary { op: BinaryOp::Add, lhs, rhs, nsw: false }
    }

    fn sum_differences(&mut self, a: Operand, b: Operand, shape: Shape, returns: TypeId) -> Op {
        let wide = self.integers(16, shape.lanes);
        let eight = self.integers(16, 8);
        let (a, b) =
            (self.converted(CastOp::ZExt, a, wide.ty), self.converted(CastOp::ZExt, b, wide.ty));
        let difference = self.binary(BinaryOp::Sub, a, b, wide.ty);
        let distance = self.built(Builtin::Abs, &[difference], wide.ty);
        let [low, high] = [0, 8].map(|start| {
            let part = self.shuffled(distance, distance, start..start + 8, eight.ty);
            let total = self.built(Builtin::ReduceAdd, &[part], Types::I16);
            self.converted(CastOp::ZExt, total, Types::I64)
        });
        let zero = self.constant(returns, Const::Zero);
        let low = self.with_first(zero, low);
        let vector = self.temporary(low, returns);
        let index = self.constant(Types::I32, Const::Int(1));
        Op::InsertElement { vector, value: high, index }
    }

    /// The amount of a shift: a number, or the lower half of a vector.
    fn amount(&mut self, operand: Operand, ty: TypeId) -> Operand {
        if self.shape(ty).is_none() {
            return self.converted(CastOp::ZExt, operand, Types::I64);
        }
        let words = self.integers(64, 2);
        let halves = self.converted(CastOp::Bitcast, operand, words.ty);
        self.lane(halves, 0, Types::I64)
    }

    fn shift(&mut self, op: BinaryOp, a: Operand, amount: Operand, shape: Shape) -> Op {
        let most = self.constant(Types::I64, Const::Int(u128::from(shape.bits - 1)));
        let within = self.built(Builtin::UMin, &[amount, most], Types::I64);
        let lane = match shape.bits {
            64 => within,
            _ => self.converted(CastOp::Trunc, within, shape.element),
        };
        let zero = self.constant(shape.ty, Const::Zero);
        let one = self.with_first(zero, lane);
        let one = self.temporary(one, shape.ty);
        let rhs = self.shuffled(one, one, (0..shape.lanes).map(|_| 0), shape.ty);
        let shifted = Op::Binary { op, lhs: a, rhs, nsw: false };
        if op == BinaryOp::AShr {
            return shifted;
        }
        let shifted = self.temporary(shifted, shape.ty);
        let over = Op::Compare { op: CompareOp::Ugt, lhs: amount, rhs: most };
        let condition = self.temporary(over, Types::I1);
        Op::Select { condition, then: zero, otherwise: shifted }
    }

    fn compare_first(&mut self, op: CompareOp, a: Operand, b: Operand, shape: Shape) -> Op {
        let (lhs, rhs) = (self.first(a, shape), self.first(b, shape));
        let flag = self.temporary(Op::Compare { op, lhs, rhs }, Types::I1);
        let integer = self.reader.types.types.int(shape.bits);
        let mask = self.converted(CastOp::SExt, flag, integer);
        let value = self.converted(CastOp::Bitcast, mask, shape.element);
        self.with_first(a, value)
    }

    fn rounded(&mut self, value: Operand, ty: TypeId) -> Operand {
        self.built(Builtin::Rint, &[value], ty)
    }

    fn integers_of(
        &mut self,
        a: Operand,
        shape: Shape,
        returns: TypeId,
        round: bool,
    ) -> Parsed<Op> {
        let a = if round { self.rounded(a, shape.ty) } else { a };
        self.widened_cast(CastOp::FpToSi, a, shape, returns)
    }

    /// Casts all lanes to those of a vector that may have more of them.
    fn widened_cast(
        &mut self,
        op: CastOp,
        value: Operand,
        shape: Shape,
        returns: TypeId,
    ) -> Parsed<Op> {
        let Some(result) = self.shape(returns) else {
            return self.c.fault("a vector instruction has no vector as its result");
        };
        if result.lanes == shape.lanes {
            return Ok(Op::Cast { op, value });
        }
        let narrow = self.vector(result.element, shape.lanes);
        let lhs = self.converted(op, value, narrow);
        let rhs = self.constant(narrow, Const::Zero);
        let mask = (0..result.lanes).map(|lane| Some(lane.min(2 * shape.lanes - 1)));
        Ok(Op::Shuffle { lhs, rhs, mask: mask.collect() })
    }

    fn signs(&mut self, a: Operand, shape: Shape) -> Op {
        let integers = self.integers(shape.bits, shape.lanes);
        let flags = self.vector(Types::I1, shape.lanes);
        let bits = self.converted(CastOp::Bitcast, a, integers.ty);
        let zero = self.constant(integers.ty, Const::Zero);
        let negative = Op::Compare { op: CompareOp::Slt, lhs: bits, rhs: zero };
        let negative = self.temporary(negative, flags);
        let mask = self.reader.types.types.int(shape.lanes);
        let value = self.converted(CastOp::Bitcast, negative, mask);
        Op::Cast { op: CastOp::ZExt, value }
    }
}

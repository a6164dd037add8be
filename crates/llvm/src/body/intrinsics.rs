//! Translates calls of intrinsics.

use base::bits::mask;
use ir::{Access, Call, Callee, CastOp, Const, FloatKind, Op, Type, Types, UnaryOp};

use super::BodyReader;
use super::calls::ReadCall;
use crate::cursor::Parsed;
use crate::intrinsics::Intrinsic;
use crate::words::float_compare;

impl<'t> BodyReader<'_, 't> {
    /// Makes the instruction of an intrinsic.
    pub fn intrinsic(&mut self, intrinsic: Intrinsic, mut read: ReadCall<'t>) -> Parsed<()> {
        let returns = read.returns;
        let first = read.args.first().map(|argument| argument.value);
        let second = read.args.get(1).map(|argument| argument.value);
        match (intrinsic, first, second) {
            (Intrinsic::Builtin(builtin, count), ..) => {
                read.args.truncate(count);
                let callee = Callee::Builtin(builtin);
                let call = Call { callee, args: read.args, returns, fixed: None };
                self.define(Op::Call(Box::new(call)), returns)
            }
            (Intrinsic::Packed(packed), ..) => self.packed(packed, &read),
            (Intrinsic::Nothing, ..) if returns == Types::VOID => Ok(()),
            (Intrinsic::Nothing, ..) => {
                let value = self.constant(returns, Const::Undef);
                self.define(Op::Unary { op: UnaryOp::Copy, value }, returns)
            }
            (Intrinsic::Binary(op), Some(lhs), Some(rhs)) => {
                self.define(Op::Binary { op, lhs, rhs, nsw: false }, returns)
            }
            (Intrinsic::Cast(op), Some(value), _) => self.define(Op::Cast { op, value }, returns),
            (Intrinsic::Compare, Some(lhs), Some(rhs)) => {
                match read.metadata.first().and_then(|word| float_compare(word)) {
                    Some(op) => self.define(Op::Compare { op, lhs, rhs }, returns),
                    None => self.c.fault("a comparison has no predicate"),
                }
            }
            (Intrinsic::Identity, Some(value), _) if read.types.first() == Some(&returns) => {
                self.define(Op::Unary { op: UnaryOp::Copy, value }, returns)
            }
            (Intrinsic::IsConstant, ..) if returns == Types::I1 => {
                let value = self.constant(Types::I1, Const::Int(0));
                self.define(Op::Unary { op: UnaryOp::Copy, value }, returns)
            }
            (Intrinsic::ObjectSize, Some(_), Some(minimum)) => {
                let least = self.number_argument(minimum) == Some(1);
                let bits = match *self.reader.types.types.get(returns) {
                    Type::Int(bits) if bits <= 128 => bits,
                    _ => return self.c.fault("an object's size is not an integer"),
                };
                let size = if least { 0 } else { mask(bits) };
                let value = self.constant(returns, Const::Int(size));
                self.define(Op::Unary { op: UnaryOp::Copy, value }, returns)
            }
            (Intrinsic::ToHalf, Some(value), _) => {
                let half = self.reader.types.types.intern(Type::Float(FloatKind::Half));
                let value = self.temporary(Op::Cast { op: CastOp::FpTrunc, value }, half);
                self.define(Op::Cast { op: CastOp::Bitcast, value }, returns)
            }
            (Intrinsic::FromHalf, Some(value), _) => {
                let half = self.reader.types.types.intern(Type::Float(FloatKind::Half));
                let value = self.temporary(Op::Cast { op: CastOp::Bitcast, value }, half);
                self.define(Op::Cast { op: CastOp::FpExt, value }, returns)
            }
            (Intrinsic::LoadRelative, Some(base), Some(index)) => {
                let step = |index| Op::Offset {
                    base,
                    bytes: 0,
                    scaled: [(index, 1)].into(),
                    wraps: false,
                };
                let address = self.temporary(step(index), Types::PTR);
                let access = Access { align: 4, ..Access::default() };
                let distance = self.temporary(Op::Load { address, access }, Types::I32);
                self.define(step(distance), returns)
            }
            _ => self.c.fault("an intrinsic is called with unexpected arguments"),
        }
    }
}

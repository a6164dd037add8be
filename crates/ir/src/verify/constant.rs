//! Whether constants fit their types, and what casts are possible.

use super::{Place, Verifier};
use crate::{BinaryOp, CastOp, CompareOp, Const, Type, TypeId, TypedConst, Types};

impl Verifier<'_> {
    pub(super) fn constant(&mut self, place: Place, constant: &TypedConst) {
        constant.visit(&mut |part| {
            if let Some(problem) = self.constant_problem(part) {
                self.report(place, problem);
            }
        });
    }

    fn constant_problem(&self, constant: &TypedConst) -> Option<&'static str> {
        let types = &self.module.types;
        let ty = types.get(constant.ty);
        let (fits, problem) = match &constant.value {
            Const::Int(value) => (
                matches!(ty, Type::Int(bits) if value.checked_shr(*bits).unwrap_or(0) == 0),
                "an integer constant does not fit its type",
            ),
            Const::Float(bits) => (
                matches!(ty, Type::Float(kind) if bits.checked_shr(kind.bits()).unwrap_or(0) == 0),
                "a float constant does not fit its type",
            ),
            Const::Null | Const::Global(_) | Const::Function(_) | Const::Block(..) => {
                (*ty == Type::Ptr, "an address is not of pointer type")
            }
            Const::Offset { base, .. } => (
                is_pointer(types, constant.ty) && is_pointer(types, base.ty),
                "an offset is not from a pointer to a pointer",
            ),
            Const::Undef | Const::Zero => (!matches!(ty, Type::Void), "a constant is of type void"),
            Const::Bytes(bytes) => (
                matches!(ty, Type::Array { element, length }
                    if *element == Types::I8 && *length == bytes.len() as u64),
                "bytes are not of an array type of their length",
            ),
            Const::Elements(elements) => {
                (elements_fit(ty, elements), "elements do not fit the type of their aggregate")
            }
            Const::Binary { op, lhs, rhs } => (
                lhs.ty == constant.ty && rhs.ty == constant.ty && takes(types, *op, lhs.ty),
                "the operands of a constant operation have other types",
            ),
            Const::Compare { op, lhs, rhs } => (
                lhs.ty == rhs.ty
                    && compares(types, *op, lhs.ty)
                    && is_truth_of(types, constant.ty, lhs.ty),
                "the operands of a constant comparison have other types",
            ),
            Const::Cast { op, value } => (
                can_cast(types, *op, value.ty, constant.ty),
                "a constant is cast between types that do not allow it",
            ),
        };
        (!fits).then_some(problem)
    }
}

fn elements_fit(ty: &Type, elements: &[TypedConst]) -> bool {
    match ty {
        Type::Array { element, length } => {
            elements.len() as u64 == *length && elements.iter().all(|it| it.ty == *element)
        }
        Type::Vector { element, lanes } => {
            elements.len() == *lanes as usize && elements.iter().all(|it| it.ty == *element)
        }
        Type::Struct { fields, .. } => elements.iter().map(|it| it.ty).eq(fields.iter().copied()),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Opaque => false,
    }
}

/// The type of a lane and the number of lanes; a scalar has one that is not a vector's.
pub(super) fn lanes(types: &Types, ty: TypeId) -> (&Type, Option<u32>) {
    match types.get(ty) {
        Type::Vector { element, lanes } => (types.get(*element), Some(*lanes)),
        scalar => (scalar, None),
    }
}

pub(super) fn is_int(types: &Types, ty: TypeId) -> bool {
    matches!(lanes(types, ty).0, Type::Int(_))
}

pub(super) fn is_float(types: &Types, ty: TypeId) -> bool {
    matches!(lanes(types, ty).0, Type::Float(_))
}

pub(super) fn is_pointer(types: &Types, ty: TypeId) -> bool {
    matches!(lanes(types, ty).0, Type::Ptr)
}

/// Whether an operation works on operands of the type.
pub(super) fn takes(types: &Types, op: BinaryOp, ty: TypeId) -> bool {
    match op {
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            is_float(types, ty)
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => is_int(types, ty),
    }
}

pub(super) fn compares(types: &Types, op: CompareOp, ty: TypeId) -> bool {
    if op.name().starts_with('f') {
        is_float(types, ty)
    } else {
        is_int(types, ty) || is_pointer(types, ty)
    }
}

/// Whether `ty` is the type of comparing values of type `compared`.
pub(super) fn is_truth_of(types: &Types, ty: TypeId, compared: TypeId) -> bool {
    let (lane, count) = lanes(types, ty);
    *lane == Type::Int(1) && count == lanes(types, compared).1
}

pub(super) fn can_cast(types: &Types, op: CastOp, from: TypeId, to: TypeId) -> bool {
    let ((source, source_lanes), (target, target_lanes)) = (lanes(types, from), lanes(types, to));
    if op == CastOp::Bitcast {
        return is_plain(source)
            && is_plain(target)
            && total_bits(types, from) == total_bits(types, to);
    }
    if source_lanes != target_lanes {
        return false;
    }
    match (op, source, target) {
        (CastOp::Trunc, Type::Int(from), Type::Int(to)) => from > to,
        (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => from < to,
        (CastOp::FpTrunc, Type::Float(from), Type::Float(to)) => from.bits() > to.bits(),
        (CastOp::FpExt, Type::Float(from), Type::Float(to)) => from.bits() < to.bits(),
        (CastOp::UiToFp | CastOp::SiToFp, Type::Int(_), Type::Float(_)) => true,
        (
            CastOp::FpToUi | CastOp::FpToSi | CastOp::FpToUiSat | CastOp::FpToSiSat,
            Type::Float(_),
            Type::Int(_),
        ) => true,
        (CastOp::PtrToInt, Type::Ptr, Type::Int(_)) => true,
        (CastOp::IntToPtr, Type::Int(_), Type::Ptr) => true,
        _ => false,
    }
}

fn is_plain(ty: &Type) -> bool {
    matches!(ty, Type::Int(_) | Type::Float(_) | Type::Ptr)
}

fn total_bits(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Vector { element, lanes } => {
            types.lane_bits(*element).saturating_mul(u64::from(*lanes))
        }
        _ => types.lane_bits(ty),
    }
}

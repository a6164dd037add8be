//! Simplifies constant expressions as they are read.
//!
//! Only folds what is certain without addresses; everything else stays an expression.

use base::bits::{mask, signed};
use ir::{BinaryOp, CastOp, CompareOp, Const, Type, TypeId, TypedConst, Types};

fn int_bits(types: &Types, ty: TypeId) -> Option<u32> {
    match types.get(ty) {
        Type::Int(bits) if *bits <= 128 => Some(*bits),
        _ => None,
    }
}

/// The constant as an index, if it is a literal; wrapped to 64 bits.
pub(crate) fn signed_value(types: &Types, constant: &TypedConst) -> Option<i64> {
    match &constant.value {
        Const::Int(value) => int_bits(types, constant.ty).map(|bits| signed(*value, bits) as i64),
        // A vector of equal indices, as in addresses of several lanes.
        Const::Elements(lanes) => {
            let first = signed_value(types, lanes.first()?)?;
            let same = lanes.iter().all(|lane| signed_value(types, lane) == Some(first));
            same.then_some(first)
        }
        Const::Zero => matches!(types.get(constant.ty), Type::Vector { .. }).then_some(0),
        _ => None,
    }
}

pub(crate) fn binary(types: &Types, op: BinaryOp, lhs: TypedConst, rhs: TypedConst) -> Const {
    if let (Const::Int(a), Const::Int(b), Some(bits)) =
        (&lhs.value, &rhs.value, int_bits(types, lhs.ty))
        && let Some(value) = fold_ints(op, *a, *b)
    {
        return Const::Int(value & mask(bits));
    }
    Const::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

fn fold_ints(op: BinaryOp, a: u128, b: u128) -> Option<u128> {
    match op {
        BinaryOp::Add => Some(a.wrapping_add(b)),
        BinaryOp::Sub => Some(a.wrapping_sub(b)),
        BinaryOp::Mul => Some(a.wrapping_mul(b)),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
        // The rest is rare, and division may be undefined.
        _ => None,
    }
}

pub(crate) fn compare(types: &Types, op: CompareOp, lhs: TypedConst, rhs: TypedConst) -> Const {
    if let (Const::Int(a), Const::Int(b), Some(bits)) =
        (&lhs.value, &rhs.value, int_bits(types, lhs.ty))
    {
        let (sa, sb) = (signed(*a, bits), signed(*b, bits));
        let holds = match op {
            CompareOp::Eq => Some(a == b),
            CompareOp::Ne => Some(a != b),
            CompareOp::Ugt => Some(a > b),
            CompareOp::Uge => Some(a >= b),
            CompareOp::Ult => Some(a < b),
            CompareOp::Ule => Some(a <= b),
            CompareOp::Sgt => Some(sa > sb),
            CompareOp::Sge => Some(sa >= sb),
            CompareOp::Slt => Some(sa < sb),
            CompareOp::Sle => Some(sa <= sb),
            // Comparisons of floats do not apply to integers.
            _ => None,
        };
        if let Some(holds) = holds {
            return Const::Int(u128::from(holds));
        }
    }
    Const::Compare { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }
}

pub(crate) fn cast(types: &Types, op: CastOp, value: TypedConst, target: TypeId) -> Const {
    if op == CastOp::Bitcast && value.ty == target {
        return value.value;
    }
    if let (Const::Int(bits), Some(from)) = (&value.value, int_bits(types, value.ty)) {
        let to = int_bits(types, target);
        match (op, to) {
            (CastOp::Trunc | CastOp::ZExt, Some(to)) => return Const::Int(bits & mask(to)),
            (CastOp::SExt, Some(to)) => {
                return Const::Int(signed(*bits, from) as u128 & mask(to));
            }
            (CastOp::IntToPtr, _) if *bits == 0 && target == Types::PTR => return Const::Null,
            _ => {}
        }
    }
    match (op, value.value) {
        (CastOp::PtrToInt, Const::Null) if int_bits(types, target).is_some() => Const::Int(0),
        // There and back again: the address itself.
        (CastOp::IntToPtr, Const::Cast { op: CastOp::PtrToInt, value: inner })
            if value.ty == Types::I64 && target == Types::PTR && inner.ty == Types::PTR =>
        {
            inner.value
        }
        (op, inner) => {
            Const::Cast { op, value: Box::new(TypedConst { ty: value.ty, value: inner }) }
        }
    }
}

/// One of two numbers or addresses, selected by a condition that is an expression: `otherwise ^
/// ((then ^ otherwise) & -condition)`.
pub(crate) fn select(
    types: &Types,
    condition: TypedConst,
    then: TypedConst,
    otherwise: TypedConst,
) -> Option<Const> {
    let ty = then.ty;
    let word = if ty == Types::PTR { Types::I64 } else { ty };
    int_bits(types, word)?;
    let number = |constant: TypedConst| {
        if ty == Types::PTR {
            TypedConst { ty: word, value: cast(types, CastOp::PtrToInt, constant, word) }
        } else {
            constant
        }
    };
    let combine = |op, lhs, rhs| TypedConst { ty: word, value: binary(types, op, lhs, rhs) };
    let (then, otherwise) = (number(then), number(otherwise));
    let all = if word == condition.ty {
        condition
    } else {
        TypedConst { ty: word, value: cast(types, CastOp::SExt, condition, word) }
    };
    let difference = combine(BinaryOp::Xor, then, otherwise.clone());
    let chosen = combine(BinaryOp::Xor, otherwise, combine(BinaryOp::And, difference, all));
    Some(if ty == Types::PTR {
        cast(types, CastOp::IntToPtr, chosen, Types::PTR)
    } else {
        chosen.value
    })
}

/// The address that many bytes further.
pub(crate) fn offset(base: TypedConst, bytes: i64) -> Const {
    match base.value {
        value if bytes == 0 => value,
        Const::Offset { base, bytes: first } => {
            Const::Offset { base, bytes: first.wrapping_add(bytes) }
        }
        value => Const::Offset { base: Box::new(TypedConst { ty: base.ty, value }), bytes },
    }
}

/// An address plus an index that is itself an expression, times its element's size.
pub(crate) fn add_scaled(
    types: &Types,
    base: TypedConst,
    index: TypedConst,
    scale: i64,
) -> TypedConst {
    let word = |value| TypedConst { ty: Types::I64, value };
    let index = match int_bits(types, index.ty) {
        Some(64) | None => index,
        Some(bits) if bits < 64 => word(cast(types, CastOp::SExt, index, Types::I64)),
        Some(_) => word(cast(types, CastOp::Trunc, index, Types::I64)),
    };
    let scale = word(Const::Int(u128::from(scale as u64)));
    let distance = word(binary(types, BinaryOp::Mul, index, scale));
    let address = word(cast(types, CastOp::PtrToInt, base, Types::I64));
    let sum = word(binary(types, BinaryOp::Add, address, distance));
    TypedConst { ty: Types::PTR, value: cast(types, CastOp::IntToPtr, sum, Types::PTR) }
}

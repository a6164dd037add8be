//! The meaning of operators on bit patterns of up to 128 bits.
//!
//! As the x86-64 code of clang at -O0: arithmetic wraps, shift amounts are masked,
//! float to integer conversions out of range give the "integer indefinite" value.

use base::bits::{signed, truncate};
use ir::{BinaryOp, CastOp, CompareOp};

use crate::code::Scalar;
use crate::float;
use crate::stop::FaultKind;

/// An integer operation; gives 0 for float operations.
pub fn int_binary(op: BinaryOp, bits: u32, a: u128, b: u128) -> Result<u128, FaultKind> {
    use BinaryOp::*;
    let value = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv | URem if b == 0 => return Err(FaultKind::DivisionByZero),
        UDiv => a / b,
        URem => a % b,
        SDiv | SRem => signed_division(op, bits, a, b)? as u128,
        Shl => a.checked_shl(shift_amount(bits, b)).unwrap_or(0),
        LShr => a.checked_shr(shift_amount(bits, b)).unwrap_or(0),
        AShr => (signed(a, bits) >> shift_amount(bits, b).min(127)) as u128,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        FAdd | FSub | FMul | FDiv | FRem => unreachable!("{op:?} of integers"),
    };
    Ok(truncate(value, bits))
}

fn signed_division(op: BinaryOp, bits: u32, a: u128, b: u128) -> Result<i128, FaultKind> {
    let (a, b) = (signed(a, bits), signed(b, bits));
    if b == 0 {
        return Err(FaultKind::DivisionByZero);
    }
    let smallest = i128::MIN >> (128 - bits);
    // Narrower operands are divided as 32-bit integers, where the quotient fits.
    if a == smallest && b == -1 && bits >= 32 {
        return Err(FaultKind::DivisionOverflow);
    }
    Ok(if op == BinaryOp::SDiv { a.wrapping_div(b) } else { a.wrapping_rem(b) })
}

/// Hardware uses the low bits of the amount only: five for up to 32 bits.
fn shift_amount(bits: u32, amount: u128) -> u32 {
    let mask = match bits {
        0..=32 => 31,
        33..=64 => 63,
        _ => 127,
    };
    (amount & mask) as u32
}

pub fn int_compare(op: CompareOp, bits: u32, a: u128, b: u128) -> bool {
    use CompareOp::*;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    match op {
        Eq => a == b,
        Ne => a != b,
        Ugt => a > b,
        Uge => a >= b,
        Ult => a < b,
        Ule => a <= b,
        Sgt => sa > sb,
        Sge => sa >= sb,
        Slt => sa < sb,
        Sle => sa <= sb,
        _ => unreachable!("{op:?} of integers"),
    }
}

/// A float comparison, given how the operands compare (`None`: one is a NaN).
pub fn float_compare(op: CompareOp, order: Option<std::cmp::Ordering>) -> bool {
    use CompareOp::*;
    use std::cmp::Ordering::*;
    match op {
        FFalse => false,
        FTrue => true,
        FOrd => order.is_some(),
        FUno => order.is_none(),
        FOeq => order == Some(Equal),
        FOne => matches!(order, Some(Less | Greater)),
        FOgt => order == Some(Greater),
        FOge => matches!(order, Some(Greater | Equal)),
        FOlt => order == Some(Less),
        FOle => matches!(order, Some(Less | Equal)),
        FUeq => matches!(order, None | Some(Equal)),
        FUne => order != Some(Equal),
        FUgt => matches!(order, None | Some(Greater)),
        FUge => order != Some(Less),
        FUlt => matches!(order, None | Some(Less)),
        FUle => order != Some(Greater),
        _ => unreachable!("{op:?} of floats"),
    }
}

/// Any operation on any scalar.
pub fn binary(op: BinaryOp, scalar: Scalar, a: u128, b: u128) -> Result<u128, FaultKind> {
    match scalar {
        Scalar::Int(bits) => int_binary(op, u32::from(bits), a, b),
        scalar => Ok(float::binary(op, scalar, a, b)),
    }
}

pub fn compare(op: CompareOp, scalar: Scalar, a: u128, b: u128) -> bool {
    match scalar {
        Scalar::Int(bits) => int_compare(op, u32::from(bits), a, b),
        scalar => float_compare(op, float::order(scalar, a, b)),
    }
}

/// A conversion; `None` if the types do not fit the operation.
pub fn cast(op: CastOp, from: Scalar, to: Scalar, value: u128) -> Option<u128> {
    let (from_bits, to_bits) = (from.bits(), to.bits());
    Some(match (op, from, to) {
        (CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr, ..) => {
            truncate(value, to_bits)
        }
        (CastOp::SExt, ..) => truncate(signed(value, from_bits) as u128, to_bits),
        (CastOp::Bitcast, ..) => value,
        (CastOp::FpTrunc | CastOp::FpExt, ..) => float::convert(from, to, value),
        (CastOp::FpToSi, _, Scalar::Int(bits)) => float::to_signed(from, value, bits.into()),
        (CastOp::FpToUi, _, Scalar::Int(bits)) => float::to_unsigned(from, value, bits.into()),
        (CastOp::FpToSiSat, _, Scalar::Int(bits)) => {
            float::to_signed_saturating(from, value, bits.into())
        }
        (CastOp::FpToUiSat, _, Scalar::Int(bits)) => {
            float::to_unsigned_saturating(from, value, bits.into())
        }
        (CastOp::SiToFp, Scalar::Int(bits), _) => {
            float::from_signed(to, signed(value, bits.into()))
        }
        (CastOp::UiToFp, Scalar::Int(_), _) => float::from_unsigned(to, value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_amounts_are_masked_as_the_hardware_does() {
        assert_eq!(int_binary(BinaryOp::Shl, 32, 1, 33), Ok(2));
        assert_eq!(int_binary(BinaryOp::Shl, 64, 1, 65), Ok(2));
        assert_eq!(int_binary(BinaryOp::Shl, 8, 1, 9), Ok(0));
    }

    #[test]
    fn the_smallest_integer_divided_by_minus_one_overflows() {
        let divide = |bits, a, b| int_binary(BinaryOp::SDiv, bits, a, b);
        assert_eq!(divide(32, 1 << 31, 0xffff_ffff), Err(FaultKind::DivisionOverflow));
        assert_eq!(divide(8, 1 << 7, 0xff), Ok(1 << 7));
        assert_eq!(divide(32, 7, 0), Err(FaultKind::DivisionByZero));
    }

    #[test]
    fn conversions_out_of_range_give_the_indefinite_integer() {
        let huge = u128::from(1e30f64.to_bits());
        let to = |bits| cast(CastOp::FpToSi, Scalar::F64, Scalar::Int(bits), huge);
        assert_eq!(to(32), Some(1 << 31));
        assert_eq!(to(64), Some(1 << 63));
    }

    #[test]
    fn zero_divided_by_zero_is_the_negative_default_nan_in_long_double() {
        let nan = binary(BinaryOp::FDiv, Scalar::F80, 0, 0).unwrap();
        assert_eq!(nan >> 64, 0xffff);
    }
}

//! Integers of more than 128 bits, as compilers use them for packed bit-fields.
//!
//! A value is a list of 64-bit words, lowest first; bits beyond the width are zero.

use ir::{BinaryOp, CastOp, CompareOp};
use num_bigint::{BigInt, BigUint, Sign};

use crate::stop::FaultKind;

/// The widest supported integer.
pub const MAX_BITS: u32 = 4096;

pub fn words(bits: u32) -> usize {
    bits.div_ceil(64) as usize
}

fn unsigned(value: &[u64]) -> BigUint {
    let digits = value.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    BigUint::new(digits.collect())
}

fn signed(value: &[u64], bits: u32) -> BigInt {
    let value = unsigned(value);
    if value.bit(u64::from(bits) - 1) {
        BigInt::from(value) - (BigInt::from(1) << bits)
    } else {
        value.into()
    }
}

/// The lowest `bits` bits of a number.
fn wrap(value: BigInt, bits: u32) -> Vec<u64> {
    let modulus = BigInt::from(1) << bits;
    let value = ((value % &modulus) + &modulus) % modulus;
    let mut result = value.to_u64_digits().1;
    result.resize(words(bits), 0);
    result
}

pub fn binary(op: BinaryOp, bits: u32, a: &[u64], b: &[u64]) -> Result<Vec<u64>, FaultKind> {
    use BinaryOp::*;
    let (ua, ub) = (unsigned(a), unsigned(b));
    let amount = b.first().copied().unwrap_or(0).min(u64::from(MAX_BITS));
    let zero = ub == BigUint::ZERO;
    let value: BigInt = match op {
        Add => (ua + ub).into(),
        Sub => BigInt::from(ua) - BigInt::from(ub),
        Mul => (ua * ub).into(),
        UDiv | URem | SDiv | SRem if zero => return Err(FaultKind::DivisionByZero),
        UDiv => (ua / ub).into(),
        URem => (ua % ub).into(),
        SDiv => signed(a, bits) / signed(b, bits),
        SRem => signed(a, bits) % signed(b, bits),
        Shl => (ua << amount).into(),
        LShr => (ua >> amount).into(),
        AShr => signed(a, bits) >> amount,
        And => (ua & ub).into(),
        Or => (ua | ub).into(),
        Xor => (ua ^ ub).into(),
        // Not an operation on integers.
        FAdd | FSub | FMul | FDiv | FRem => BigInt::new(Sign::NoSign, Vec::new()),
    };
    Ok(wrap(value, bits))
}

pub fn compare(op: CompareOp, bits: u32, a: &[u64], b: &[u64]) -> bool {
    use CompareOp::*;
    let order = match op {
        Sgt | Sge | Slt | Sle => signed(a, bits).cmp(&signed(b, bits)),
        _ => unsigned(a).cmp(&unsigned(b)),
    };
    match op {
        Eq => order.is_eq(),
        Ne => order.is_ne(),
        Ugt | Sgt => order.is_gt(),
        Uge | Sge => order.is_ge(),
        Ult | Slt => order.is_lt(),
        Ule | Sle => order.is_le(),
        // Not a comparison of integers.
        _ => false,
    }
}

/// Truncation or extension.
pub fn cast(op: CastOp, from: u32, to: u32, value: &[u64]) -> Vec<u64> {
    match op {
        CastOp::SExt => wrap(signed(value, from), to),
        _ => wrap(unsigned(value).into(), to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_cut_out_of_a_wide_integer() {
        let value = [u64::MAX, 0, 0b1011_0000];
        let shifted = binary(BinaryOp::LShr, 152, &value, &[132, 0, 0]).unwrap();
        assert_eq!(shifted, [0b1011, 0, 0]);
        assert_eq!(cast(CastOp::Trunc, 152, 3, &shifted), [0b011]);
    }

    #[test]
    fn negative_values_are_extended_and_wrapped() {
        assert_eq!(cast(CastOp::SExt, 8, 136, &[0x80]), [u64::MAX << 7, u64::MAX, 0xff]);
        let minus_one = binary(BinaryOp::Sub, 136, &[0, 0, 0], &[1, 0, 0]).unwrap();
        assert_eq!(minus_one, [u64::MAX, u64::MAX, 0xff]);
        assert!(compare(CompareOp::Slt, 136, &minus_one, &[0, 0, 0]));
    }
}

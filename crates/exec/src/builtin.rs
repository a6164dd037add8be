//! Builtins on scalars: the operations that compilers express as calls.

use base::bits::{mask, signed, truncate};
use ir::{BinaryOp, Builtin, CompareOp};
use rustc_apfloat::Round as Rounding;

use crate::code::Scalar;
use crate::float::{self, f32_of, f64_of};
use crate::operator::{int_binary, int_compare};

/// A value, and for overflow checks whether it overflowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub value: u128,
    pub overflow: Option<bool>,
}

/// Evaluates a builtin; `None` if it is unknown for the type. `args` has at least as many elements
/// as the builtin needs.
pub fn evaluate(builtin: Builtin, scalar: Scalar, args: &[u128], result: Scalar) -> Option<Answer> {
    if let Some(answer) = overflow(builtin, scalar, args) {
        return Some(answer);
    }
    let value = match scalar {
        Scalar::Int(bits) => integer(builtin, u32::from(bits), args)?,
        scalar => of_float(builtin, scalar, args, result)?,
    };
    Some(Answer { value: truncate(value, result.bits()), overflow: None })
}

fn overflow(builtin: Builtin, scalar: Scalar, args: &[u128]) -> Option<Answer> {
    use Builtin::*;
    let Scalar::Int(bits) = scalar else { return None };
    let bits = u32::from(bits);
    let &[a, b, ..] = args else { return None };
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let (value, wide_overflow, is_signed) = match builtin {
        SAddOverflow => with_flag(sa.overflowing_add(sb)),
        SSubOverflow => with_flag(sa.overflowing_sub(sb)),
        SMulOverflow => with_flag(sa.overflowing_mul(sb)),
        UAddOverflow => without_sign(a.overflowing_add(b)),
        USubOverflow => without_sign(a.overflowing_sub(b)),
        UMulOverflow => without_sign(a.overflowing_mul(b)),
        _ => return None,
    };
    let narrow = truncate(value, bits);
    let back = if is_signed { signed(narrow, bits) as u128 } else { narrow };
    Some(Answer { value: narrow, overflow: Some(wide_overflow || back != value) })
}

fn with_flag((value, overflow): (i128, bool)) -> (u128, bool, bool) {
    (value as u128, overflow, true)
}

fn without_sign((value, overflow): (u128, bool)) -> (u128, bool, bool) {
    (value, overflow, false)
}

fn integer(builtin: Builtin, bits: u32, args: &[u128]) -> Option<u128> {
    use Builtin::*;
    let a = *args.first()?;
    let b = args.get(1).copied().unwrap_or(0);
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let unused = 128 - bits;
    Some(match builtin {
        SMax => sa.max(sb) as u128,
        SMin => sa.min(sb) as u128,
        UMax => a.max(b),
        UMin => a.min(b),
        Abs => sa.wrapping_abs() as u128,
        Bswap => a.swap_bytes() >> unused,
        BitReverse => a.reverse_bits() >> unused,
        Ctpop => u128::from(a.count_ones()),
        Ctlz => u128::from(a.leading_zeros() - unused),
        Cttz => u128::from(a.trailing_zeros().min(bits)),
        Fshl | Fshr => funnel(builtin, bits, a, b, args.get(2).copied()?),
        UCmp => a.cmp(&b) as i128 as u128,
        SCmp => sa.cmp(&sb) as i128 as u128,
        SAddSat => clamp(sa.saturating_add(sb), bits),
        SSubSat => clamp(sa.saturating_sub(sb), bits),
        UAddSat => a.saturating_add(b).min(mask(bits)),
        USubSat => a.saturating_sub(b),
        UShlSat => saturating_shift(a, b, bits),
        SShlSat => {
            let shifted = int_binary(BinaryOp::Shl, bits, a, b).ok()?;
            let back = int_binary(BinaryOp::AShr, bits, shifted, b).ok()?;
            match (back == a, sa < 0) {
                (true, _) => shifted,
                (false, true) => 1 << (bits - 1),
                (false, false) => mask(bits - 1),
            }
        }
        _ => return None,
    })
}

fn clamp(value: i128, bits: u32) -> u128 {
    let largest = mask(bits - 1) as i128;
    value.clamp(-largest - 1, largest) as u128
}

fn saturating_shift(a: u128, amount: u128, bits: u32) -> u128 {
    let amount = (amount as u32).min(127);
    let lost = a.leading_zeros() < 128 - bits + amount;
    if lost && a != 0 { mask(bits) } else { a << amount }
}

fn funnel(builtin: Builtin, bits: u32, high: u128, low: u128, amount: u128) -> u128 {
    let amount = (amount % u128::from(bits)) as u32;
    let left = match (builtin, amount) {
        (Builtin::Fshl, 0) => return high,
        (_, 0) => return low,
        (Builtin::Fshl, amount) => amount,
        (_, amount) => bits - amount,
    };
    (high << left) | (low >> (bits - left))
}

fn of_float(builtin: Builtin, scalar: Scalar, args: &[u128], result: Scalar) -> Option<u128> {
    use Builtin::*;
    let a = *args.first()?;
    let b = args.get(1).copied().unwrap_or(0);
    let sign = 1u128 << (scalar.bits() - 1);
    Some(match builtin {
        FAbs => a & !sign,
        CopySign => (a & !sign) | (b & sign),
        Floor => float::round(scalar, a, Rounding::TowardNegative),
        Ceil => float::round(scalar, a, Rounding::TowardPositive),
        TruncF => float::round(scalar, a, Rounding::TowardZero),
        Rint | NearbyInt | RoundEven => float::round(scalar, a, Rounding::NearestTiesToEven),
        Round => float::round(scalar, a, Rounding::NearestTiesToAway),
        MinNum | MaxNum => number(builtin, scalar, a, b),
        Minimum | Maximum if float::is_nan(scalar, a) => a,
        Minimum | Maximum if float::is_nan(scalar, b) => b,
        Minimum | Maximum => extreme(builtin == Minimum, scalar, a, b),
        Fma => float::fma(scalar, a, b, args.get(2).copied()?),
        FMulAdd => {
            let product = float::binary(BinaryOp::FMul, scalar, a, b);
            float::binary(BinaryOp::FAdd, scalar, product, args.get(2).copied()?)
        }
        IsFpClass => u128::from(float::is_class(scalar, a, b)),
        LRint => {
            let rounded = float::round(scalar, a, Rounding::NearestTiesToEven);
            float::to_signed(scalar, rounded, result.bits())
        }
        LRound => {
            let rounded = float::round(scalar, a, Rounding::NearestTiesToAway);
            float::to_signed(scalar, rounded, result.bits())
        }
        Powi => powi(scalar, a, b as u32 as i32),
        _ => return transcendental(builtin, scalar, a, b),
    })
}

/// `fmin` and `fmax`: a number wins against a NaN. Of two zeros the first is the result, whatever
/// its sign, because the instruction does so; the function that replaces the missing instruction
/// for `long double` gives the second as the greater one.
fn number(builtin: Builtin, scalar: Scalar, a: u128, b: u128) -> u128 {
    match (float::is_nan(scalar, a), float::is_nan(scalar, b)) {
        (true, _) => b,
        (_, true) => a,
        _ if float::order(scalar, a, b) == Some(std::cmp::Ordering::Equal) => {
            if builtin == Builtin::MaxNum && scalar == Scalar::F80 { b } else { a }
        }
        _ => extreme(builtin == Builtin::MinNum, scalar, a, b),
    }
}

fn extreme(smaller: bool, scalar: Scalar, a: u128, b: u128) -> u128 {
    use std::cmp::Ordering::*;
    let negative = |value: u128| value >> (scalar.bits() - 1) & 1 == 1;
    let is_first = match float::order(scalar, a, b) {
        Some(Less) => smaller,
        Some(Greater) => !smaller,
        // Zeros of different sign: the negative one is the smaller.
        _ => negative(a) == smaller,
    };
    if is_first { a } else { b }
}

/// A function of the host's math library, in the float type of the argument.
macro_rules! transcendental {
    ($builtin:expr, $a:expr, $b:expr) => {
        match $builtin {
            Builtin::Sqrt => $a.sqrt(),
            Builtin::Pow => $a.powf($b),
            Builtin::Sin => $a.sin(),
            Builtin::Cos => $a.cos(),
            Builtin::Tan => $a.tan(),
            Builtin::Exp => $a.exp(),
            Builtin::Exp2 => $a.exp2(),
            Builtin::Log => $a.ln(),
            Builtin::Log2 => $a.log2(),
            Builtin::Log10 => $a.log10(),
            _ => return None,
        }
    };
}

fn transcendental(builtin: Builtin, scalar: Scalar, a: u128, b: u128) -> Option<u128> {
    match scalar {
        Scalar::F64 => {
            let value: f64 = transcendental!(builtin, f64_of(a), f64_of(b));
            Some(u128::from(value.to_bits()))
        }
        Scalar::F32 => {
            let value: f32 = transcendental!(builtin, f32_of(a), f32_of(b));
            Some(u128::from(value.to_bits()))
        }
        _ => None,
    }
}

/// Whether the host's math library computes a builtin.
pub(crate) fn is_transcendental(builtin: Builtin) -> bool {
    // A square root is the same everywhere.
    builtin != Builtin::Sqrt && transcendental(builtin, Scalar::F64, 0, 0).is_some()
}

/// Repeated squaring in the type itself, in the order of the compiler's run-time library.
fn powi(scalar: Scalar, mut base: u128, exponent: i32) -> u128 {
    let one = float::from_unsigned(scalar, 1);
    let times = |a, b| float::binary(BinaryOp::FMul, scalar, a, b);
    let mut rest = exponent.unsigned_abs();
    let mut result = one;
    loop {
        if rest & 1 == 1 {
            result = times(result, base);
        }
        rest /= 2;
        if rest == 0 {
            break;
        }
        base = times(base, base);
    }
    if exponent < 0 { float::binary(BinaryOp::FDiv, scalar, one, result) } else { result }
}

/// Reduces lanes to one value; `None` if the builtin is no reduction of the type.
pub fn reduce(
    builtin: Builtin,
    scalar: Scalar,
    start: Option<u128>,
    lanes: &[u128],
) -> Option<u128> {
    let mut lanes = lanes.iter().copied();
    let first = match start {
        Some(start) => start,
        None => lanes.next()?,
    };
    lanes.try_fold(first, |a, b| reduce_pair(builtin, scalar, a, b))
}

fn reduce_pair(builtin: Builtin, scalar: Scalar, a: u128, b: u128) -> Option<u128> {
    use Builtin::*;
    let bits = scalar.bits();
    let pick = |op, a, b| if int_compare(op, bits, a, b) { a } else { b };
    Some(match builtin {
        ReduceAdd => truncate(a.wrapping_add(b), bits),
        ReduceMul => truncate(a.wrapping_mul(b), bits),
        ReduceAnd => a & b,
        ReduceOr => a | b,
        ReduceXor => a ^ b,
        ReduceSMax => pick(CompareOp::Sgt, a, b),
        ReduceSMin => pick(CompareOp::Slt, a, b),
        ReduceUMax => a.max(b),
        ReduceUMin => a.min(b),
        ReduceFAdd => float::binary(BinaryOp::FAdd, scalar, a, b),
        ReduceFMul => float::binary(BinaryOp::FMul, scalar, a, b),
        ReduceFMax => number(MaxNum, scalar, a, b),
        ReduceFMin => number(MinNum, scalar, a, b),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(builtin: Builtin, bits: u8, args: &[u128]) -> u128 {
        let scalar = Scalar::Int(bits);
        evaluate(builtin, scalar, args, scalar).expect("known").value
    }

    #[test]
    fn overflow_is_noticed_in_every_width() {
        let check = |builtin, bits, a, b| {
            evaluate(builtin, Scalar::Int(bits), &[a, b], Scalar::Int(bits)).unwrap().overflow
        };
        assert_eq!(check(Builtin::SAddOverflow, 8, 127, 1), Some(true));
        assert_eq!(check(Builtin::UAddOverflow, 8, 127, 1), Some(false));
        assert_eq!(check(Builtin::UMulOverflow, 64, 1 << 63, 2), Some(true));
        assert_eq!(check(Builtin::SMulOverflow, 128, mask(127), 2), Some(true));
    }

    #[test]
    fn bits_are_counted_within_the_width() {
        assert_eq!(int(Builtin::Ctlz, 32, &[1]), 31);
        assert_eq!(int(Builtin::Cttz, 16, &[0]), 16);
        assert_eq!(int(Builtin::Bswap, 32, &[0x1122_3344]), 0x4433_2211);
    }

    #[test]
    fn a_funnel_shift_by_the_width_is_no_shift() {
        assert_eq!(int(Builtin::Fshl, 32, &[1, 2, 32]), 1);
        assert_eq!(int(Builtin::Fshr, 32, &[1, 2, 0]), 2);
        assert_eq!(int(Builtin::Fshl, 8, &[0x81, 0x81, 1]), 0x03);
    }
}

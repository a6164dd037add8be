//! Floats: single and double by the hardware, all other formats by software.

use std::cmp::Ordering;

use base::bits::{mask, truncate};
use ir::BinaryOp;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::code::Scalar;

/// Runs an expression with `F` standing for the software float of a scalar.
macro_rules! with_format {
    ($scalar:expr, $f:ident, $body:expr) => {
        match $scalar {
            Scalar::F16 => with_format!(@ $f = Half, $body),
            Scalar::BF16 => with_format!(@ $f = BFloat, $body),
            Scalar::F32 => with_format!(@ $f = Single, $body),
            Scalar::F64 | Scalar::Int(_) => with_format!(@ $f = Double, $body),
            Scalar::F80 => with_format!(@ $f = X87DoubleExtended, $body),
            Scalar::F128 => with_format!(@ $f = Quad, $body),
        }
    };
    (@ $f:ident = $format:ty, $body:expr) => {{
        type $f = $format;
        $body
    }};
}

pub fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

pub fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

pub fn binary(op: BinaryOp, scalar: Scalar, a: u128, b: u128) -> u128 {
    match scalar {
        Scalar::F64 => u128::from(binary_f64(op, f64_of(a), f64_of(b)).to_bits()),
        Scalar::F32 => u128::from(binary_f32(op, f32_of(a), f32_of(b)).to_bits()),
        scalar => with_format!(scalar, F, binary_soft::<F>(op, scalar, a, b)),
    }
}

fn binary_f64(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        _ => a % b,
    }
}

fn binary_f32(op: BinaryOp, a: f32, b: f32) -> f32 {
    match op {
        BinaryOp::FAdd => a + b,
        BinaryOp::FSub => a - b,
        BinaryOp::FMul => a * b,
        BinaryOp::FDiv => a / b,
        _ => a % b,
    }
}

fn binary_soft<F: Float>(op: BinaryOp, scalar: Scalar, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        BinaryOp::FAdd => (a + b).value,
        BinaryOp::FSub => (a - b).value,
        BinaryOp::FMul => (a * b).value,
        BinaryOp::FDiv => (a / b).value,
        _ => a.c_fmod(b).value,
    };
    if result.is_nan() && !a.is_nan() && !b.is_nan() {
        return default_nan(scalar);
    }
    result.to_bits()
}

/// The NaN that x86 makes of an invalid operation: quiet and negative.
pub fn default_nan(scalar: Scalar) -> u128 {
    match scalar {
        Scalar::F16 => 0xfe00,
        Scalar::BF16 => 0xffc0,
        Scalar::F32 => 0xffc0_0000,
        Scalar::F64 | Scalar::Int(_) => 0xfff8_0000_0000_0000,
        Scalar::F80 => 0xffff_c000_0000_0000_0000,
        Scalar::F128 => 0xffff_8000_0000_0000 << 64,
    }
}

/// How two floats compare; `None` if one is a NaN.
pub fn order(scalar: Scalar, a: u128, b: u128) -> Option<Ordering> {
    match scalar {
        Scalar::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        Scalar::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        scalar => with_format!(scalar, F, F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

/// The sign bit flipped.
pub fn negate(scalar: Scalar, a: u128) -> u128 {
    a ^ (1 << (scalar.bits() - 1))
}

pub fn convert(from: Scalar, to: Scalar, value: u128) -> u128 {
    match (from, to) {
        (Scalar::F32, Scalar::F64) => u128::from(f64::from(f32_of(value)).to_bits()),
        (Scalar::F64, Scalar::F32) => u128::from((f64_of(value) as f32).to_bits()),
        _ => with_format!(from, From, with_format!(to, To, convert_soft::<From, To>(value))),
    }
}

fn convert_soft<From: FloatConvert<To>, To: Float>(value: u128) -> u128 {
    From::from_bits(value).convert(&mut false).value.to_bits()
}

/// Truncation to a signed integer as the hardware does it in the next register width.
pub fn to_signed(from: Scalar, value: u128, bits: u32) -> u128 {
    let width = match bits {
        // The x87 stores 16 bits too.
        0..=16 if from == Scalar::F80 => 16,
        0..=32 => 32,
        33..=64 => 64,
        _ => 128,
    };
    truncate(indefinite(from, value, width), bits)
}

/// Truncation to `width` bits; the smallest integer if it does not fit.
fn indefinite(from: Scalar, value: u128, width: u32) -> u128 {
    with_format!(from, F, {
        let result = F::from_bits(value).to_i128_r(width as usize, Round::TowardZero, &mut false);
        if result.status.contains(rustc_apfloat::Status::INVALID_OP) {
            1 << (width - 1)
        } else {
            truncate(result.value as u128, width)
        }
    })
}

pub fn to_unsigned(from: Scalar, value: u128, bits: u32) -> u128 {
    match bits {
        0..=8 if from == Scalar::F80 => truncate(indefinite(from, value, 16), bits),
        0..=16 => truncate(indefinite(from, value, 32), bits),
        17..=32 => truncate(indefinite(from, value, 64), bits),
        33..=64 => truncate(to_u64(from, value), bits),
        _ => to_unsigned_saturating(from, value, bits),
    }
}

/// Two signed conversions, as the compiler does it: one of the value, and for values that do not
/// fit, one of the value minus 2^63.
fn to_u64(from: Scalar, value: u128) -> u128 {
    let limit = from_unsigned(from, 1 << 63);
    let shifted = || indefinite(from, binary(BinaryOp::FSub, from, value, limit), 64) as u64;
    let low = indefinite(from, value, 64) as u64;
    match from {
        // The x87 code compares first, where a NaN counts as large, and adds the top bit back.
        Scalar::F80 if order(from, value, limit) != Some(Ordering::Less) => {
            u128::from(shifted() ^ (1 << 63))
        }
        Scalar::F80 => u128::from(low),
        _ => u128::from(low | (shifted() & ((low as i64) >> 63) as u64)),
    }
}

pub fn to_signed_saturating(from: Scalar, value: u128, bits: u32) -> u128 {
    with_format!(from, F, {
        let value = F::from_bits(value);
        if value.is_nan() {
            return 0;
        }
        // The software floats do not support signed integers of one bit.
        let width = bits.clamp(2, 128);
        let whole = value.to_i128_r(width as usize, Round::TowardZero, &mut false).value;
        let whole = if bits == 1 { whole.clamp(-1, 0) } else { whole };
        truncate(whole as u128, bits)
    })
}

pub fn to_unsigned_saturating(from: Scalar, value: u128, bits: u32) -> u128 {
    with_format!(from, F, {
        let value = F::from_bits(value);
        if value.is_nan() {
            return 0;
        }
        value.to_u128_r(bits as usize, Round::TowardZero, &mut false).value & mask(bits)
    })
}

pub fn from_signed(to: Scalar, value: i128) -> u128 {
    match to {
        Scalar::F64 => u128::from((value as f64).to_bits()),
        Scalar::F32 => u128::from((value as f32).to_bits()),
        to => with_format!(to, F, F::from_i128(value).value.to_bits()),
    }
}

pub fn from_unsigned(to: Scalar, value: u128) -> u128 {
    match to {
        Scalar::F64 => u128::from((value as f64).to_bits()),
        Scalar::F32 => u128::from((value as f32).to_bits()),
        to => with_format!(to, F, F::from_u128(value).value.to_bits()),
    }
}

/// Rounds to an integral value.
pub fn round(scalar: Scalar, value: u128, how: Round) -> u128 {
    with_format!(scalar, F, F::from_bits(value).round_to_integral(how).value.to_bits())
}

pub fn fma(scalar: Scalar, a: u128, b: u128, c: u128) -> u128 {
    match scalar {
        Scalar::F64 => u128::from(f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits()),
        Scalar::F32 => u128::from(f32_of(a).mul_add(f32_of(b), f32_of(c)).to_bits()),
        scalar => with_format!(scalar, F, {
            F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
        }),
    }
}

pub fn is_nan(scalar: Scalar, value: u128) -> bool {
    with_format!(scalar, F, F::from_bits(value).is_nan())
}

/// Whether the float belongs to one of the ten classes of LLVM's `is.fpclass` mask.
pub fn is_class(scalar: Scalar, value: u128, classes: u128) -> bool {
    with_format!(scalar, F, {
        let float = F::from_bits(value);
        // The class of a negative float, and of a positive one.
        let (negative, positive) = match float {
            _ if float.is_nan() && float.is_signaling() => (0, 0),
            _ if float.is_nan() => (1, 1),
            _ if float.is_infinite() => (2, 9),
            _ if float.is_zero() => (5, 6),
            _ if float.is_denormal() => (4, 7),
            _ => (3, 8),
        };
        let class = if float.is_negative() { negative } else { positive };
        classes >> class & 1 == 1
    })
}

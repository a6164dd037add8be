//! Floats as bit patterns, computed by the hardware.
//!
//! Where the hardware's result depends on the order of operands, SSE is the model: an operation on
//! a NaN gives the first NaN among its operands, made quiet, and an invalid operation gives the
//! negative quiet NaN without payload. Rounding is to nearest even.

use crate::term::{Op, Rounding, mask};

/// The widths that are floats.
pub const fn is_float_width(width: u32) -> bool {
    width == 32 || width == 64
}

/// The format of a float: widths of exponent and fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub exponent: u32,
    pub fraction: u32,
}

impl Format {
    pub const F32: Format = Format { exponent: 8, fraction: 23 };
    pub const F64: Format = Format { exponent: 11, fraction: 52 };

    /// The format of a float of that width.
    pub fn of_width(width: u32) -> Format {
        match width {
            32 => Format::F32,
            64 => Format::F64,
            other => panic!("there is no float of {other} bits"),
        }
    }

    pub fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    pub fn sign_bit(self) -> u64 {
        1 << (self.width() - 1)
    }

    pub fn infinity(self) -> u64 {
        mask(self.exponent) << self.fraction
    }

    /// The NaN of an invalid operation.
    pub fn default_nan(self) -> u64 {
        self.sign_bit() | self.infinity() | self.quiet_bit()
    }

    pub fn quiet_bit(self) -> u64 {
        1 << (self.fraction - 1)
    }

    /// The inverse of a normal power of two, or of its negative, if it is a normal number as well.
    pub fn inverse_of_power(self, bits: u64) -> Option<u64> {
        let exponent = bits >> self.fraction & mask(self.exponent);
        // The bias is half of the largest exponent.
        let inverse = mask(self.exponent).checked_sub(1 + exponent)?;
        let is_power = bits & mask(self.fraction) == 0;
        let are_normal = exponent > 0 && inverse > 0;
        (is_power && are_normal).then_some(bits & self.sign_bit() | inverse << self.fraction)
    }

    pub fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign_bit() > self.infinity()
    }
}

/// The first NaN among the operands made quiet, or the NaN of an invalid operation.
fn nan(format: Format, operands: &[u64]) -> u64 {
    let given = operands.iter().find(|bits| format.is_nan(**bits));
    given.map_or(format.default_nan(), |bits| bits | format.quiet_bit())
}

/// An operation whose result is a float of the operands' width.
pub fn arithmetic(op: Op, width: u32, a: u64, b: u64, c: u64) -> u64 {
    let (result, is_nan) = match width {
        64 => {
            let result = compute(op, f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            (result.to_bits(), result.is_nan())
        }
        _ => {
            let of = |bits: u64| f32::from_bits(bits as u32);
            let result = compute(op, of(a), of(b), of(c));
            (u64::from(result.to_bits()), result.is_nan())
        }
    };
    let operands = [a, b, c];
    let count = usize::from(op.operand_count());
    if is_nan { nan(Format::of_width(width), &operands[..count]) } else { result }
}

fn compute<F: num_traits::Float>(op: Op, a: F, b: F, c: F) -> F {
    match op {
        Op::FAdd => a + b,
        Op::FSub => a - b,
        Op::FMul => a * b,
        Op::FDiv => a / b,
        Op::FRem => a % b,
        Op::FSqrt => a.sqrt(),
        _ => a.mul_add(b, c),
    }
}

/// An ordered comparison.
pub fn compare(op: Op, width: u32, a: u64, b: u64) -> bool {
    // Every f32 is an f64, and the order is the same.
    let (a, b) = match width {
        64 => (f64::from_bits(a), f64::from_bits(b)),
        _ => (f64::from(f32::from_bits(a as u32)), f64::from(f32::from_bits(b as u32))),
    };
    match op {
        Op::FEq => a == b,
        Op::FLt => a < b,
        _ => a <= b,
    }
}

pub fn round(rounding: u8, width: u32, bits: u64) -> u64 {
    let format = Format::of_width(width);
    if format.is_nan(bits) {
        return bits | format.quiet_bit();
    }
    let rounding = Rounding::ALL[usize::from(rounding)];
    match width {
        64 => {
            let value = f64::from_bits(bits);
            let rounded = match rounding {
                Rounding::NearestEven => value.round_ties_even(),
                Rounding::NearestAway => value.round(),
                Rounding::TowardPositive => value.ceil(),
                Rounding::TowardNegative => value.floor(),
                Rounding::TowardZero => value.trunc(),
            };
            rounded.to_bits()
        }
        _ => {
            let value = f32::from_bits(bits as u32);
            let rounded = match rounding {
                Rounding::NearestEven => value.round_ties_even(),
                Rounding::NearestAway => value.round(),
                Rounding::TowardPositive => value.ceil(),
                Rounding::TowardNegative => value.floor(),
                Rounding::TowardZero => value.trunc(),
            };
            u64::from(rounded.to_bits())
        }
    }
}

/// Between the two formats.
pub fn convert(from: u32, to: u32, bits: u64) -> u64 {
    match (from, to) {
        (32, 64) if Format::F32.is_nan(bits) => {
            let sign = (bits >> 31) << 63;
            let payload = (bits & mask(23)) << 29;
            sign | Format::F64.infinity() | Format::F64.quiet_bit() | payload
        }
        (64, 32) if Format::F64.is_nan(bits) => {
            let sign = (bits >> 63) << 31;
            let payload = (bits >> 29) & mask(23);
            sign | Format::F32.infinity() | Format::F32.quiet_bit() | payload
        }
        (32, 64) => f64::from(f32::from_bits(bits as u32)).to_bits(),
        (64, 32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        _ => bits,
    }
}

/// Truncation to a signed integer of at most 128 bits; the smallest one if it does not fit.
pub fn to_signed(from: u32, bits: u64, width: u32) -> i128 {
    let value = match from {
        64 => f64::from_bits(bits),
        _ => f64::from(f32::from_bits(bits as u32)),
    };
    let smallest = i128::MIN >> (128 - width);
    let limit = (2f64).powi(width as i32 - 1);
    let whole = value.trunc();
    if whole >= -limit && whole < limit { whole as i128 } else { smallest }
}

pub fn from_signed(value: i128, width: u32) -> u64 {
    match width {
        64 => (value as f64).to_bits(),
        _ => u64::from((value as f32).to_bits()),
    }
}

pub fn from_unsigned(value: u128, width: u32) -> u64 {
    match width {
        64 => (value as f64).to_bits(),
        _ => u64::from((value as f32).to_bits()),
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

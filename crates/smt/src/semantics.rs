//! The result of each operation, given values of its operands.
//!
//! The only definition: constant folding, evaluation and the check of models all use it. Division
//! by zero and shifts beyond the width follow SMT-LIB. Arrays and functions need more than values;
//! `eval` evaluates them.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use crate::float;
use crate::term::{Node, Op, mask, signed};

/// The result of an operation all of whose operands and whose result have at most 64 bits.
/// `operand` is the width of the first operand.
pub fn narrow(node: &Node, operand: u32, a: u64, b: u64, c: u64) -> u64 {
    let width = u32::from(node.width);
    let result = match node.op {
        Op::Const => node.value(),
        Op::Not => !a,
        Op::Neg => a.wrapping_neg(),
        Op::Add => a.wrapping_add(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => signed_division(signed(a, width), signed(b, width)),
        Op::SRem => signed_remainder(signed(a, width), signed(b, width)),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b
            }
        }
        Op::LShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        Op::AShr => (signed(a, width) >> b.min(63)) as u64,
        Op::Eq => u64::from(a == b),
        Op::Ult => u64::from(a < b),
        Op::Slt => u64::from(signed(a, operand) < signed(b, operand)),
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Extract => a >> node.b,
        Op::Concat => (a << (width - operand)) | b,
        Op::ZExt => a,
        Op::SExt => signed(a, operand) as u64,
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FSqrt | Op::FFma => {
            float::arithmetic(node.op, width, a, b, c)
        }
        Op::FEq | Op::FLt | Op::FLe => u64::from(float::compare(node.op, operand, a, b)),
        Op::FToSi => float::to_signed(operand, a, width) as u64,
        Op::SiToF => float::from_signed(i128::from(signed(a, operand)), width),
        Op::UiToF => float::from_unsigned(u128::from(a), width),
        Op::FToF => float::convert(operand, width, a),
        Op::FRound => float::round(node.rounding, width, a),
        Op::WideConst | Op::Var | Op::Select | Op::Store | Op::ConstArray | Op::Apply => {
            unreachable!("not an operation on narrow values")
        }
    };
    result & mask(width)
}

fn signed_division(a: i64, b: i64) -> u64 {
    match b {
        0 if a < 0 => 1,
        0 => u64::MAX,
        b => a.wrapping_div(b) as u64,
    }
}

fn signed_remainder(a: i64, b: i64) -> u64 {
    if b == 0 { a as u64 } else { a.wrapping_rem(b) as u64 }
}

/// The same for operations with a wide operand or result.
pub fn wide(node: &Node, operand: u32, values: [&BigUint; 3]) -> BigUint {
    let width = u32::from(node.width);
    let [a, b, c] = values;
    let truth = |value: bool| BigUint::from(u8::from(value));
    let result = match node.op {
        Op::Not => modulus(width) - 1u8 - a,
        Op::Neg => negate(a, width),
        Op::Add => a + b,
        Op::Mul => a * b,
        Op::UDiv => {
            if b.is_zero() {
                modulus(width) - 1u8
            } else {
                a / b
            }
        }
        Op::URem => {
            if b.is_zero() {
                a.clone()
            } else {
                a % b
            }
        }
        Op::SDiv => wide_signed_division(a, b, width),
        Op::SRem => wide_signed_remainder(a, b, width),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => amount(b, width).map_or_else(BigUint::zero, |by| a << by),
        Op::LShr => amount(b, width).map_or_else(BigUint::zero, |by| a >> by),
        Op::AShr => arithmetic_shift(a, amount(b, width).unwrap_or(width), width),
        Op::Eq => truth(a == b),
        Op::Ult => truth(a < b),
        Op::Slt => truth(flip_sign(a, operand) < flip_sign(b, operand)),
        Op::Ite => {
            if a.is_zero() {
                c.clone()
            } else {
                b.clone()
            }
        }
        Op::Extract => a >> node.b,
        Op::Concat => (a << (width - operand)) | b,
        Op::ZExt => a.clone(),
        Op::SExt => {
            if negative(a, operand) {
                a + modulus(width) - modulus(operand)
            } else {
                a.clone()
            }
        }
        Op::SiToF => BigUint::from(float::from_signed(to_i128(a, operand), width)),
        Op::UiToF => BigUint::from(float::from_unsigned(to_i128(a, 128) as u128, width)),
        Op::FToSi => {
            let bits = a.to_u64().unwrap_or(0);
            let value = float::to_signed(operand, bits, width);
            BigUint::from(value as u128)
        }
        _ => unreachable!("not an operation on wide values"),
    };
    result % modulus(width)
}

fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

fn negative(value: &BigUint, width: u32) -> bool {
    value.bit(u64::from(width) - 1)
}

fn negate(value: &BigUint, width: u32) -> BigUint {
    (modulus(width) - value) % modulus(width)
}

fn magnitude(value: &BigUint, width: u32) -> BigUint {
    if negative(value, width) { negate(value, width) } else { value.clone() }
}

/// Signed order is unsigned order with the sign bits flipped.
fn flip_sign(value: &BigUint, width: u32) -> BigUint {
    value ^ (BigUint::one() << (width - 1))
}

fn wide_signed_division(a: &BigUint, b: &BigUint, width: u32) -> BigUint {
    if b.is_zero() {
        return if negative(a, width) { BigUint::one() } else { modulus(width) - 1u8 };
    }
    let quotient = magnitude(a, width) / magnitude(b, width);
    if negative(a, width) == negative(b, width) { quotient } else { negate(&quotient, width) }
}

fn wide_signed_remainder(a: &BigUint, b: &BigUint, width: u32) -> BigUint {
    if b.is_zero() {
        return a.clone();
    }
    let remainder = magnitude(a, width) % magnitude(b, width);
    if negative(a, width) { negate(&remainder, width) } else { remainder }
}

/// A shift amount below the width.
fn amount(value: &BigUint, width: u32) -> Option<u32> {
    value.to_u32().filter(|by| *by < width)
}

fn arithmetic_shift(a: &BigUint, by: u32, width: u32) -> BigUint {
    let shifted = a >> by;
    if negative(a, width) { shifted + modulus(width) - modulus(width - by) } else { shifted }
}

/// The lowest 128 bits, extended with the sign at `width`.
fn to_i128(value: &BigUint, width: u32) -> i128 {
    let low = (value % modulus(128)).to_u128().unwrap_or(0);
    let unused = 128 - width.min(128);
    (low << unused) as i128 >> unused
}

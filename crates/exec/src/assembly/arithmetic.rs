//! What instructions compute: results and flags from values.
//!
//! Values are zero-extended to 64 bits. Flags that the processor leaves undefined keep
//! their values, except where processors agree on more.

use super::flags::Flags;
use super::register::Size;
use super::{Arithmetic, Scan, Shift, Single};

pub fn binary(op: Arithmetic, size: Size, a: u64, b: u64, flags: &mut Flags) -> u64 {
    let carry = u64::from(flags.carry);
    match op {
        Arithmetic::Add => add(size, a, b, 0, flags),
        Arithmetic::AddCarry => add(size, a, b, carry, flags),
        Arithmetic::Subtract | Arithmetic::Compare => subtract(size, a, b, 0, flags),
        Arithmetic::SubtractBorrow => subtract(size, a, b, carry, flags),
        Arithmetic::And | Arithmetic::Test => logical(size, a & b, flags),
        Arithmetic::Or => logical(size, a | b, flags),
        Arithmetic::Xor => logical(size, a ^ b, flags),
    }
}

fn add(size: Size, a: u64, b: u64, carry: u64, flags: &mut Flags) -> u64 {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    let result = sum as u64 & size.mask();
    flags.carry = sum > u128::from(size.mask());
    flags.overflow = (a ^ result) & (b ^ result) & size.sign_bit() != 0;
    flags.set_result(result, size);
    result
}

fn subtract(size: Size, a: u64, b: u64, borrow: u64, flags: &mut Flags) -> u64 {
    let result = a.wrapping_sub(b).wrapping_sub(borrow) & size.mask();
    flags.carry = u128::from(a) < u128::from(b) + u128::from(borrow);
    flags.overflow = (a ^ b) & (a ^ result) & size.sign_bit() != 0;
    flags.set_result(result, size);
    result
}

fn logical(size: Size, result: u64, flags: &mut Flags) -> u64 {
    (flags.carry, flags.overflow) = (false, false);
    flags.set_result(result, size);
    result
}

pub fn single(op: Single, size: Size, a: u64, flags: &mut Flags) -> u64 {
    let carry = flags.carry;
    match op {
        Single::Increment => {
            let result = add(size, a, 1, 0, flags);
            flags.carry = carry;
            result
        }
        Single::Decrement => {
            let result = subtract(size, a, 1, 0, flags);
            flags.carry = carry;
            result
        }
        Single::Negate => subtract(size, 0, a, 0, flags),
        Single::Not => !a & size.mask(),
        Single::SwapBytes => a.swap_bytes() >> (64 - size.bits()),
    }
}

/// The part of a shift count that the processor uses.
pub fn shift_count(size: Size, count: u64) -> u32 {
    count as u32 & if size == Size::Quad { 63 } else { 31 }
}

pub fn shift(op: Shift, size: Size, a: u64, count: u64, flags: &mut Flags) -> u64 {
    let count = shift_count(size, count);
    if count == 0 {
        return a;
    }
    let (wide, sign) = (u128::from(a), size.sign_bit());
    match op {
        Shift::Left => {
            let result = (wide << count) as u64 & size.mask();
            flags.carry = wide << count >> size.bits() & 1 == 1;
            flags.overflow = (result & sign != 0) != flags.carry;
            flags.set_result(result, size);
            result
        }
        Shift::LogicalRight => {
            let result = (wide >> count) as u64;
            flags.carry = wide >> (count - 1) & 1 == 1;
            flags.overflow = a & sign != 0;
            flags.set_result(result, size);
            result
        }
        Shift::ArithmeticRight => {
            let signed = i128::from(size.signed(a));
            let result = (signed >> count) as u64 & size.mask();
            flags.carry = signed >> (count - 1) & 1 == 1;
            flags.overflow = false;
            flags.set_result(result, size);
            result
        }
        Shift::RotateLeft | Shift::RotateRight => rotate(op, size, a, count, flags),
        Shift::RotateCarryLeft | Shift::RotateCarryRight => rotate_carry(op, size, a, count, flags),
    }
}

fn rotate(op: Shift, size: Size, a: u64, count: u32, flags: &mut Flags) -> u64 {
    let (bits, left) = (size.bits(), op == Shift::RotateLeft);
    let count = if left { count % bits } else { (bits - count % bits) % bits };
    // Two copies side by side: the rotated value is a window over them.
    let twice = u128::from(a) << bits | u128::from(a);
    let result = (twice >> (bits - count)) as u64 & size.mask();
    let top = result & size.sign_bit() != 0;
    if left {
        flags.carry = result & 1 == 1;
        flags.overflow = top != flags.carry;
    } else {
        flags.carry = top;
        flags.overflow = top != (result & size.sign_bit() >> 1 != 0);
    }
    result
}

fn rotate_carry(op: Shift, size: Size, mut a: u64, count: u32, flags: &mut Flags) -> u64 {
    let sign = size.sign_bit();
    for _ in 0..count {
        let carry = flags.carry;
        if op == Shift::RotateCarryLeft {
            flags.carry = a & sign != 0;
            a = (a << 1 | u64::from(carry)) & size.mask();
        } else {
            flags.carry = a & 1 == 1;
            a = a >> 1 | if carry { sign } else { 0 };
        }
    }
    let top = a & sign != 0;
    flags.overflow = match op {
        Shift::RotateCarryLeft => top != flags.carry,
        _ => top != (a & sign >> 1 != 0),
    };
    a
}

/// Shifts `a` and fills the space from `b`.
pub fn double_shift(left: bool, size: Size, a: u64, b: u64, count: u64, flags: &mut Flags) -> u64 {
    let (bits, count) = (size.bits(), shift_count(size, count));
    // Counts beyond the size, possible with 16 bits only, have no defined result.
    if count == 0 || count > bits {
        return a;
    }
    let result = if left {
        let both = u128::from(a) << bits | u128::from(b);
        flags.carry = a >> (bits - count) & 1 == 1;
        (both << count >> bits) as u64 & size.mask()
    } else {
        let both = u128::from(b) << bits | u128::from(a);
        flags.carry = a >> (count - 1) & 1 == 1;
        (both >> count) as u64 & size.mask()
    };
    flags.overflow = (a ^ result) & size.sign_bit() != 0;
    flags.set_result(result, size);
    result
}

/// The low half of a signed product.
pub fn multiply(size: Size, a: u64, b: u64, flags: &mut Flags) -> u64 {
    let product = i128::from(size.signed(a)) * i128::from(size.signed(b));
    let result = product as u64 & size.mask();
    flags.carry = i128::from(size.signed(result)) != product;
    flags.overflow = flags.carry;
    result
}

/// `None`: the destination keeps its value.
pub fn scan(op: Scan, size: Size, a: u64, flags: &mut Flags) -> Option<u64> {
    let bits = u64::from(size.bits());
    let leading = u64::from(a.leading_zeros()) - (64 - bits);
    let trailing = u64::from(a.trailing_zeros()).min(bits);
    let result = match op {
        Scan::Forward | Scan::Reverse => {
            flags.zero = a == 0;
            let found =
                if op == Scan::Forward { trailing } else { bits - 1 - leading.min(bits - 1) };
            return (a != 0).then_some(found);
        }
        Scan::CountOnes => {
            *flags = Flags { zero: a == 0, ..Flags::default() };
            return Some(u64::from(a.count_ones()));
        }
        Scan::LeadingZeros => leading,
        Scan::TrailingZeros => trailing,
    };
    flags.carry = a == 0;
    flags.zero = result == 0;
    Some(result)
}

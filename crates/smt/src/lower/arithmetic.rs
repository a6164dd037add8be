//! Sum, product, quotient, square root and fused multiplication of floats.

use super::float::{
    Exact, Unpacked, exponent_width, normalise, quiet, round, shift_sticky, unpack,
};
use crate::float::Format;
use crate::term::{TermId, Terms};

/// An unsigned value in another width, saturated if it does not fit.
pub fn same_width(t: &mut Terms, value: TermId, width: u32) -> TermId {
    let given = t.width(value);
    if given <= width {
        return t.zext(value, width);
    }
    let (low, high) = (t.extract(value, 0, width), t.extract(value, width, given - width));
    let nothing = t.zero(given - width);
    let fits = t.eq(high, nothing);
    let largest = t.ones(width);
    t.ite(fits, low, largest)
}

fn infinity(t: &mut Terms, sign: TermId, format: Format) -> TermId {
    let magnitude = t.constant(format.width() - 1, format.infinity());
    t.concat(sign, magnitude)
}

/// The result unless an operand is a NaN or the operation invalid.
fn with_nans(
    t: &mut Terms,
    result: TermId,
    invalid: TermId,
    operands: &[(TermId, &Unpacked)],
    format: Format,
) -> TermId {
    let default = t.constant(format.width(), format.default_nan());
    let mut result = t.ite(invalid, default, result);
    for (operand, unpacked) in operands.iter().rev() {
        let nan = quiet(t, *operand, format);
        result = t.ite(unpacked.nan, nan, result);
    }
    result
}

pub fn sum(t: &mut Terms, a: TermId, b: TermId, subtract: bool) -> TermId {
    let format = Format::of_width(t.width(a));
    let x = unpack(t, a, format);
    let mut y = unpack(t, b, format);
    if subtract {
        y.sign = t.not(y.sign);
    }
    let exact = add_exactly(t, exact_of(&x), exact_of(&y));
    let rounded = round(t, exact, format);
    let (infinite_x, infinite_y) = (infinity(t, x.sign, format), infinity(t, y.sign, format));
    let result = t.ite(y.infinite, infinite_y, rounded);
    let result = t.ite(x.infinite, infinite_x, result);
    let opposite = t.xor(x.sign, y.sign);
    let both = t.and(x.infinite, y.infinite);
    let invalid = t.and(both, opposite);
    with_nans(t, result, invalid, &[(a, &x), (b, &y)], format)
}

fn exact_of(x: &Unpacked) -> Exact {
    Exact { sign: x.sign, exponent: x.exponent, significand: x.significand }
}

/// The sum of two normalised numbers of the same precision, normalised, with three bits more of
/// which the last is sticky. An exact zero of opposite signs is positive.
fn add_exactly(t: &mut Terms, a: Exact, b: Exact) -> Exact {
    let swap = t.slt(a.exponent, b.exponent);
    let pick = |t: &mut Terms, x, y| (t.ite(swap, y, x), t.ite(swap, x, y));
    let (exponent, low_exponent) = pick(t, a.exponent, b.exponent);
    let (high, low) = pick(t, a.significand, b.significand);
    let (high_sign, low_sign) = pick(t, a.sign, b.sign);
    let distance = t.sub(exponent, low_exponent);

    let width = t.width(high) + 4;
    let extra = t.zero(3);
    let (high, low) = (t.concat(high, extra), t.concat(low, extra));
    let low = shift_sticky(t, low, distance);
    let (high, low) = (t.zext(high, width), t.zext(low, width));
    let opposite = t.xor(high_sign, low_sign);
    let minus_low = t.neg(low);
    let summand = t.ite(opposite, minus_low, low);
    let total = t.add(high, summand);
    // Only a difference of equal exponents can be negative.
    let smaller = t.ult(high, low);
    let negative = t.and(opposite, smaller);
    let negated = t.neg(total);
    let magnitude = t.ite(negative, negated, total);

    let (significand, count) = normalise(t, magnitude);
    let ewidth = t.width(exponent);
    let one = t.constant(ewidth, 1);
    let raised = t.add(exponent, one);
    let count = t.zext(count, ewidth);
    let exponent = t.sub(raised, count);
    let nothing = t.zero(width);
    let zero = t.eq(magnitude, nothing);
    let sign = t.xor(high_sign, negative);
    let zero_sign = t.and(high_sign, low_sign);
    let sign = t.ite(zero, zero_sign, sign);
    Exact { sign, exponent, significand }
}

/// The exact product, normalised, in twice the precision. Zero if a factor is.
fn multiply_exactly(t: &mut Terms, x: &Unpacked, y: &Unpacked, ewidth: u32) -> Exact {
    let precision = t.width(x.significand);
    let (a, b) = (t.zext(x.significand, 2 * precision), t.zext(y.significand, 2 * precision));
    let product = t.mul(a, b);
    let top = t.extract(product, 2 * precision - 1, 1);
    let low = t.extract(product, 0, 2 * precision - 1);
    let zero = t.zero(1);
    let moved = t.concat(low, zero);
    let (ex, ey) = (t.sext(x.exponent, ewidth), t.sext(y.exponent, ewidth));
    let exponent = t.add(ex, ey);
    let carry = t.zext(top, ewidth);
    Exact {
        sign: t.xor(x.sign, y.sign),
        exponent: t.add(exponent, carry),
        significand: t.ite(top, product, moved),
    }
}

pub fn product(t: &mut Terms, a: TermId, b: TermId) -> TermId {
    let format = Format::of_width(t.width(a));
    let (x, y) = (unpack(t, a, format), unpack(t, b, format));
    let exact = multiply_exactly(t, &x, &y, exponent_width(format));
    let rounded = round(t, exact, format);
    let infinite = t.or(x.infinite, y.infinite);
    let zero = t.or(x.zero, y.zero);
    let unbounded = infinity(t, exact.sign, format);
    let result = t.ite(infinite, unbounded, rounded);
    let invalid = t.and(infinite, zero);
    with_nans(t, result, invalid, &[(a, &x), (b, &y)], format)
}

pub fn product_sum(t: &mut Terms, a: TermId, b: TermId, c: TermId) -> TermId {
    let format = Format::of_width(t.width(a));
    let (x, y, z) = (unpack(t, a, format), unpack(t, b, format), unpack(t, c, format));
    let precision = format.fraction + 1;
    let ewidth = exponent_width(format) + 1;
    let mut product = multiply_exactly(t, &x, &y, ewidth);
    let zero = t.or(x.zero, y.zero);
    // A product of zero must not count as the greater one.
    let lowest = super::float::number(t, ewidth, -(1 << (ewidth - 2)));
    product.exponent = t.ite(zero, lowest, product.exponent);
    let padding = t.zero(precision);
    let summand = Exact {
        sign: z.sign,
        exponent: t.sext(z.exponent, ewidth),
        significand: t.concat(z.significand, padding),
    };
    let exact = add_exactly(t, product, summand);
    let rounded = round(t, exact, format);

    let infinite = t.or(x.infinite, y.infinite);
    let (unbounded, infinite_z) = (infinity(t, product.sign, format), infinity(t, z.sign, format));
    let result = t.ite(z.infinite, infinite_z, rounded);
    let result = t.ite(infinite, unbounded, result);
    let undefined = t.and(infinite, zero);
    let both = t.and(infinite, z.infinite);
    let opposite = t.xor(product.sign, z.sign);
    let cancelling = t.and(both, opposite);
    let invalid = t.or(undefined, cancelling);
    with_nans(t, result, invalid, &[(a, &x), (b, &y), (c, &z)], format)
}

pub fn quotient(t: &mut Terms, a: TermId, b: TermId) -> TermId {
    let format = Format::of_width(t.width(a));
    let (x, y) = (unpack(t, a, format), unpack(t, b, format));
    let precision = format.fraction + 1;
    let (quotient, sticky) = divide_significands(t, x.significand, y.significand, precision + 2);
    let all = t.concat(quotient, sticky);
    let width = t.width(all);
    let top = t.extract(all, width - 1, 1);
    let low = t.extract(all, 0, width - 1);
    let zero_bit = t.zero(1);
    let moved = t.concat(low, zero_bit);
    let significand = t.ite(top, all, moved);
    let exponent = t.sub(x.exponent, y.exponent);
    let ewidth = t.width(exponent);
    let one_less = t.ones(ewidth);
    let lowered = t.add(exponent, one_less);
    let exponent = t.ite(top, exponent, lowered);
    let sign = t.xor(x.sign, y.sign);
    let rounded = round(t, Exact { sign, exponent, significand }, format);
    let nothing = t.zero(format.width() - 1);
    let zero = t.concat(sign, nothing);
    let unbounded = infinity(t, sign, format);
    let vanishes = t.or(x.zero, y.infinite);
    let explodes = t.or(x.infinite, y.zero);
    let result = t.ite(vanishes, zero, rounded);
    let result = t.ite(explodes, unbounded, result);
    let (zeros, infinities) = (t.and(x.zero, y.zero), t.and(x.infinite, y.infinite));
    let invalid = t.or(zeros, infinities);
    with_nans(t, result, invalid, &[(a, &x), (b, &y)], format)
}

/// `digits` bits of `a / b` with the point after the first, and whether there is a remainder.
fn divide_significands(t: &mut Terms, a: TermId, b: TermId, digits: u32) -> (TermId, TermId) {
    let width = t.width(a) + 1;
    let divisor = t.zext(b, width);
    let mut rest = t.zext(a, width);
    let mut quotient: Option<TermId> = None;
    for _ in 0..digits {
        let below = t.ult(rest, divisor);
        let fits = t.not(below);
        let reduced = t.sub(rest, divisor);
        let left = t.ite(fits, reduced, rest);
        // The remainder is below the divisor, so its topmost bit is clear.
        let kept = t.extract(left, 0, width - 1);
        let zero = t.zero(1);
        rest = t.concat(kept, zero);
        quotient = Some(match quotient {
            Some(digits) => t.concat(digits, fits),
            None => fits,
        });
    }
    let nothing = t.zero(width);
    (quotient.unwrap_or(Terms::FALSE), t.ne(rest, nothing))
}

pub fn square_root(t: &mut Terms, a: TermId) -> TermId {
    let format = Format::of_width(t.width(a));
    let x = unpack(t, a, format);
    let precision = format.fraction + 1;
    let ewidth = t.width(x.exponent);
    let odd = t.extract(x.exponent, 0, 1);
    let zero_bit = t.zero(1);
    let doubled = t.concat(x.significand, zero_bit);
    let plain = t.zext(x.significand, precision + 1);
    let radicand = t.ite(odd, doubled, plain);
    let half = t.extract(x.exponent, 1, ewidth - 1);
    let exponent = t.sext(half, ewidth);
    let (root, sticky) = integer_root(t, radicand, precision + 2);
    let significand = t.concat(root, sticky);
    let rounded = round(t, Exact { sign: Terms::FALSE, exponent, significand }, format);
    let unchanged = t.or(x.zero, x.infinite);
    let result = t.ite(unchanged, a, rounded);
    let not_zero = t.not(x.zero);
    let invalid = t.and(x.sign, not_zero);
    with_nans(t, result, invalid, &[(a, &x)], format)
}

/// `digits` bits of the root of a number with two bits before the point, one bit of the root before
/// the point, and whether there is a remainder. Two bits of the number per bit of the root.
fn integer_root(t: &mut Terms, radicand: TermId, digits: u32) -> (TermId, TermId) {
    let given = t.width(radicand);
    let zeros = t.zero(2 * digits - given);
    let radicand = t.concat(radicand, zeros);
    let width = digits + 2;
    let mut rest = t.zero(width);
    let mut root = t.zero(width);
    for step in (0..digits).rev() {
        let pair = t.extract(radicand, 2 * step, 2);
        let kept = t.extract(rest, 0, width - 2);
        let candidate = t.concat(kept, pair);
        let shifted = t.extract(root, 0, width - 2);
        let one = t.constant(2, 1);
        let trial = t.concat(shifted, one);
        let below = t.ult(candidate, trial);
        let fits = t.not(below);
        let reduced = t.sub(candidate, trial);
        rest = t.ite(fits, reduced, candidate);
        let bits = t.extract(root, 0, width - 1);
        root = t.concat(bits, fits);
    }
    let nothing = t.zero(width);
    (t.extract(root, 0, digits), t.ne(rest, nothing))
}

//! IEEE operations on bit patterns, expressed in bit vectors.
//!
//! Unpacks operands (sign, exponent, normalised significand), computes exactly or with enough bits
//! and a sticky bit, and rounds once to nearest even. NaNs are those of `float`.

use super::arithmetic as exact;
use crate::float::Format;
use crate::term::{Op, Rounding, TermId, Terms};

/// An unpacked float. The significand has its leading one at the top, except for zero, whose
/// significand is 0 and whose exponent is below all others. Infinities and NaNs have their flags;
/// their other fields are meaningless.
#[derive(Clone, Copy)]
pub struct Unpacked {
    pub sign: TermId,
    /// Signed, of the width that the operation requested.
    pub exponent: TermId,
    pub significand: TermId,
    pub nan: TermId,
    pub infinite: TermId,
    pub zero: TermId,
}

/// A finite number before rounding: ± significand · 2^exponent with the point below the topmost
/// bit, which is one unless the number is zero.
#[derive(Clone, Copy)]
pub struct Exact {
    pub sign: TermId,
    pub exponent: TermId,
    pub significand: TermId,
}

pub fn lower(t: &mut Terms, term: TermId) -> TermId {
    let op = t.op(term);
    let a = t.operand(term, 0);
    match op {
        Op::FSqrt => exact::square_root(t, a),
        Op::FToSi => to_signed(t, a, t.width(term)),
        Op::SiToF | Op::UiToF => from_integer(t, a, op == Op::SiToF, t.width(term)),
        Op::FToF => convert(t, a, t.width(term)),
        Op::FRound => {
            let rounding = Rounding::ALL[usize::from(t.node(term).rounding)];
            round_to_integral(t, a, rounding)
        }
        _ => {
            let b = t.operand(term, 1);
            match op {
                Op::FAdd | Op::FSub => exact::sum(t, a, b, op == Op::FSub),
                Op::FMul => exact::product(t, a, b),
                Op::FDiv => exact::quotient(t, a, b),
                Op::FFma => {
                    let c = t.operand(term, 2);
                    exact::product_sum(t, a, b, c)
                }
                _ => compare(t, op, a, b),
            }
        }
    }
}

/// A constant of a signed number.
pub fn number(t: &mut Terms, width: u32, value: i64) -> TermId {
    if width <= 64 {
        t.constant(width, value as u64)
    } else {
        let narrow = t.constant(64, value as u64);
        t.sext(narrow, width)
    }
}

pub fn bias(format: Format) -> i64 {
    (1 << (format.exponent - 1)) - 1
}

/// The exponent of the smallest normal number.
pub fn least_exponent(format: Format) -> i64 {
    1 - bias(format)
}

/// Exponents of all floats of a format, and of products and quotients of two, fit this width.
pub fn exponent_width(format: Format) -> u32 {
    format.exponent + 3
}

pub fn unpack(t: &mut Terms, a: TermId, format: Format) -> Unpacked {
    let Format { exponent: ebits, fraction: fbits } = format;
    let width = exponent_width(format);
    let sign = t.extract(a, ebits + fbits, 1);
    let field = t.extract(a, fbits, ebits);
    let fraction = t.extract(a, 0, fbits);
    let (no_exponent, no_fraction) = (t.zero(ebits), t.zero(fbits));
    let all_ones = t.ones(ebits);
    let (low, high) = (t.eq(field, no_exponent), t.eq(field, all_ones));
    let empty = t.eq(fraction, no_fraction);
    let (zero, infinite) = (t.and(low, empty), t.and(high, empty));
    let not_empty = t.not(empty);
    let nan = t.and(high, not_empty);

    let hidden = t.constant(1, 1);
    let normal = t.concat(hidden, fraction);
    let wide_field = t.zext(field, width);
    let minus_bias = number(t, width, -bias(format));
    let normal_exponent = t.add(wide_field, minus_bias);

    let small = t.zext(fraction, fbits + 1);
    let (shifted, count) = normalise(t, small);
    let least = number(t, width, least_exponent(format));
    let count = t.zext(count, width);
    let small_exponent = t.sub(least, count);
    let lowest = number(t, width, least_exponent(format) - i64::from(fbits) - 2);
    let small_exponent = t.ite(empty, lowest, small_exponent);
    Unpacked {
        sign,
        exponent: t.ite(low, small_exponent, normal_exponent),
        significand: t.ite(low, shifted, normal),
        nan,
        infinite,
        zero,
    }
}

/// The value shifted left until its top bit is one, and by how much. Zero stays zero.
pub fn normalise(t: &mut Terms, value: TermId) -> (TermId, TermId) {
    let width = t.width(value);
    let stages = 32 - (width - 1).leading_zeros();
    let mut value = value;
    let mut count: Option<TermId> = None;
    for stage in (0..stages).rev() {
        let distance = 1 << stage;
        let top = t.extract(value, width - distance, distance);
        let zeros = t.zero(distance);
        let empty = t.eq(top, zeros);
        let low = t.extract(value, 0, width - distance);
        let moved = t.concat(low, zeros);
        value = t.ite(empty, moved, value);
        count = Some(match count {
            Some(count) => t.concat(count, empty),
            None => empty,
        });
    }
    (value, count.unwrap_or(Terms::FALSE))
}

/// Shifts right by an unsigned amount; the lost bits are kept as a sticky lowest bit.
pub fn shift_sticky(t: &mut Terms, value: TermId, by: TermId) -> TermId {
    let width = t.width(value);
    let amount = exact::same_width(t, by, width);
    // Twice the width holds all lost bits, unless everything is lost.
    let zeros = t.zero(width);
    let wide = t.concat(value, zeros);
    let wide_amount = t.zext(amount, 2 * width);
    let shifted = t.lshr(wide, wide_amount);
    let (kept, lost) = (t.extract(shifted, width, width), t.extract(shifted, 0, width));
    let exact_shift = t.eq(lost, zeros);
    let sticky = t.not(exact_shift);
    let limit = t.constant(width, u64::from(width));
    let beyond = t.ult(limit, amount);
    let something = t.ne(value, zeros);
    let all_lost = t.and(beyond, something);
    let sticky = t.or(sticky, all_lost);
    let sticky = t.zext(sticky, width);
    t.or(kept, sticky)
}

/// Rounds to nearest even and packs. A zero significand gives a zero of its sign.
pub fn round(t: &mut Terms, exact: Exact, format: Format) -> TermId {
    let Format { exponent: ebits, fraction: fbits } = format;
    // At least one bit to round by and one that is sticky.
    let given = t.width(exact.significand);
    let width = given.max(fbits + 3);
    let padding = width - given;
    let significand = match padding {
        0 => exact.significand,
        _ => {
            let zeros = t.zero(padding);
            t.concat(exact.significand, zeros)
        }
    };
    let ewidth = t.width(exact.exponent);
    let least = number(t, ewidth, least_exponent(format));
    let subnormal = t.slt(exact.exponent, least);
    let distance = t.sub(least, exact.exponent);
    let none = t.zero(ewidth);
    let distance = t.ite(subnormal, distance, none);
    let significand = shift_sticky(t, significand, distance);

    let low = width - fbits - 1;
    let fraction = t.extract(significand, low, fbits);
    let guard = t.extract(significand, low - 1, 1);
    let rest = t.extract(significand, 0, low - 1);
    let nothing = t.zero(low - 1);
    let sticky = t.ne(rest, nothing);
    let odd = t.extract(fraction, 0, 1);
    let sticky_or_odd = t.or(sticky, odd);
    let up = t.and(guard, sticky_or_odd);

    let offset = number(t, ewidth, bias(format));
    let biased = t.add(exact.exponent, offset);
    let field = t.extract(biased, 0, ebits);
    let top = t.extract(significand, width - 1, 1);
    let no_field = t.zero(ebits);
    // Without its leading one the number is subnormal, or zero.
    let field = t.ite(top, field, no_field);
    let packed = t.concat(field, fraction);
    // A carry out of the fraction rightly goes into the exponent, up to infinity.
    let up = t.zext(up, ebits + fbits);
    let packed = t.add(packed, up);
    let most = number(t, ewidth, bias(format));
    let overflow = t.slt(most, exact.exponent);
    let overflow = t.and(overflow, top);
    let infinity = t.constant(ebits + fbits, format.infinity());
    let magnitude = t.ite(overflow, infinity, packed);
    t.concat(exact.sign, magnitude)
}

/// The NaN as an operation propagates it.
pub fn quiet(t: &mut Terms, a: TermId, format: Format) -> TermId {
    let bit = t.constant(format.width(), format.quiet_bit());
    t.or(a, bit)
}

fn compare(t: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    let format = Format::of_width(t.width(a));
    let top = format.width() - 1;
    let (a_nan, b_nan) = (t.is_nan(a), t.is_nan(b));
    let unordered = t.or(a_nan, b_nan);
    let ordered = t.not(unordered);
    let (a_zero, b_zero) = (t.is_float_zero(a), t.is_float_zero(b));
    let zeros = t.and(a_zero, b_zero);
    let same = t.eq(a, b);
    let equal = t.or(zeros, same);
    let (a_negative, b_negative) = (t.extract(a, top, 1), t.extract(b, top, 1));
    let (below, above) = (t.ult(a, b), t.ult(b, a));
    let positive_side = t.ite(b_negative, Terms::FALSE, below);
    let not_b = t.not(b_negative);
    let negative_side = t.or(not_b, above);
    let order = t.ite(a_negative, negative_side, positive_side);
    let not_equal = t.not(equal);
    let less = t.and(order, not_equal);
    let holds = match op {
        Op::FEq => equal,
        Op::FLt => less,
        _ => t.or(less, equal),
    };
    t.and(ordered, holds)
}

fn convert(t: &mut Terms, a: TermId, width: u32) -> TermId {
    let (from, to) = (Format::of_width(t.width(a)), Format::of_width(width));
    let x = unpack(t, a, from);
    let exact = Exact { sign: x.sign, exponent: x.exponent, significand: x.significand };
    // The exponents of the wider format must fit.
    let ewidth = exponent_width(from).max(exponent_width(to));
    let exact = Exact { exponent: t.sext(exact.exponent, ewidth), ..exact };
    let rounded = round(t, exact, to);
    let infinity = t.constant(to.width() - 1, to.infinity());
    let infinity = t.concat(x.sign, infinity);
    let fraction = t.extract(a, 0, from.fraction);
    let payload = if to.fraction < from.fraction {
        t.extract(fraction, from.fraction - to.fraction, to.fraction)
    } else {
        let zeros = t.zero(to.fraction - from.fraction);
        t.concat(fraction, zeros)
    };
    let payload = t.zext(payload, to.width());
    let nan = t.or(infinity, payload);
    let nan = quiet(t, nan, to);
    let number = t.ite(x.infinite, infinity, rounded);
    t.ite(x.nan, nan, number)
}

fn from_integer(t: &mut Terms, a: TermId, signed: bool, width: u32) -> TermId {
    let format = Format::of_width(width);
    let bits = t.width(a);
    let sign = if signed { t.extract(a, bits - 1, 1) } else { Terms::FALSE };
    let negated = t.neg(a);
    let magnitude = t.ite(sign, negated, a);
    let (significand, count) = normalise(t, magnitude);
    let ewidth = exponent_width(format).max(12);
    let highest = number(t, ewidth, i64::from(bits) - 1);
    let count = t.zext(count, ewidth);
    let exponent = t.sub(highest, count);
    round(t, Exact { sign, exponent, significand }, format)
}

fn to_signed(t: &mut Terms, a: TermId, width: u32) -> TermId {
    let format = Format::of_width(t.width(a));
    let x = unpack(t, a, format);
    let ewidth = exponent_width(format);
    let zero = t.zero(ewidth);
    let limit = number(t, ewidth, i64::from(width) - 1);
    let fits = t.slt(x.exponent, limit);
    let fraction = t.slt(x.exponent, zero);
    let wide = width + format.fraction + 1;
    let significand = t.zext(x.significand, wide);
    let by = exact::same_width(t, x.exponent, wide);
    let shifted = t.shl(significand, by);
    let magnitude = t.extract(shifted, format.fraction, width);
    let negated = t.neg(magnitude);
    let whole = t.ite(x.sign, negated, magnitude);
    let nothing = t.zero(width);
    let whole = t.ite(fraction, nothing, whole);
    let one = t.constant(1, 1);
    let zeros = t.zero(width - 1);
    let smallest = t.concat(one, zeros);
    let special = t.or(x.nan, x.infinite);
    let finite = t.not(special);
    let fits = t.and(fits, finite);
    t.ite(fits, whole, smallest)
}

fn round_to_integral(t: &mut Terms, a: TermId, rounding: Rounding) -> TermId {
    let format = Format::of_width(t.width(a));
    let precision = format.fraction + 1;
    let x = unpack(t, a, format);
    let ewidth = exponent_width(format);
    let highest = number(t, ewidth, i64::from(format.fraction));
    let small = t.slt(x.exponent, highest);
    // The number of bits below the point: beyond all of them counts as one more.
    let below = t.sub(highest, x.exponent);
    let most = number(t, ewidth, i64::from(precision) + 1);
    let far = t.ult(most, below);
    let below = t.ite(far, most, below);
    let zeros = t.zero(precision + 1);
    let wide = t.concat(x.significand, zeros);
    let by = exact::same_width(t, below, 2 * precision + 1);
    let shifted = t.lshr(wide, by);
    let kept = t.extract(shifted, precision + 1, precision);
    let guard = t.extract(shifted, precision, 1);
    let rest = t.extract(shifted, 0, precision);
    let nothing = t.zero(precision);
    let sticky = t.ne(rest, nothing);
    let inexact = t.or(guard, sticky);
    let up = match rounding {
        Rounding::NearestEven => {
            let odd = t.extract(kept, 0, 1);
            let more = t.or(sticky, odd);
            t.and(guard, more)
        }
        Rounding::NearestAway => guard,
        Rounding::TowardPositive => {
            let positive = t.not(x.sign);
            t.and(positive, inexact)
        }
        Rounding::TowardNegative => t.and(x.sign, inexact),
        Rounding::TowardZero => Terms::FALSE,
    };
    let kept = t.zext(kept, precision + 1);
    let up = t.zext(up, precision + 1);
    let whole = t.add(kept, up);
    let (significand, count) = normalise(t, whole);
    let top = number(t, ewidth, i64::from(precision));
    let count = t.zext(count, ewidth);
    let exponent = t.sub(top, count);
    let rounded = round(t, Exact { sign: x.sign, exponent, significand }, format);
    let special = t.or(x.nan, x.infinite);
    let finite = t.not(special);
    let change = t.and(small, finite);
    let result = t.ite(change, rounded, a);
    let nan = quiet(t, a, format);
    t.ite(x.nan, nan, result)
}

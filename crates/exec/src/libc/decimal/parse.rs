//! `strtod`, `strtof`, `strtold`: the grammar, the correctly rounded value, and the range error.
//!
//! The range error is glibc's: overflow, or a result that is inexact and tiny, where tininess is
//! judged after rounding as x86 does. Ordinary doubles go through the standard library's parser;
//! everything near a limit and all 80-bit numbers through exact integer division.

use std::str::FromStr;

use num_bigint::BigUint;

use super::X87;

/// The result of a conversion. A `length` of 0 means that there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed<T> {
    pub value: T,
    /// Bytes consumed, including leading white space.
    pub length: usize,
    /// Whether errno becomes ERANGE.
    pub range: bool,
}

/// `strtod`. The text ends at its end or at the first byte that does not belong to the number.
pub fn parse_f64(text: &[u8]) -> Parsed<f64> {
    let Some(scanned) = scan(text) else {
        return nothing(0.0);
    };
    if let Some(value) = scanned.ordinary(f64::MIN_POSITIVE, f64::MAX) {
        return scanned.with(if scanned.negative { -value } else { value }, false);
    }
    let (bits, range) = scanned.bits(&DOUBLE, 64);
    scanned.with(f64::from_bits(bits), range)
}

/// `strtof`.
pub fn parse_f32(text: &[u8]) -> Parsed<f32> {
    let Some(scanned) = scan(text) else {
        return nothing(0.0);
    };
    if let Some(value) = scanned.ordinary(f32::MIN_POSITIVE, f32::MAX) {
        return scanned.with(if scanned.negative { -value } else { value }, false);
    }
    let (bits, range) = scanned.bits(&SINGLE, 32);
    scanned.with(f32::from_bits(bits as u32), range)
}

/// `strtold` with the x86 80-bit format.
pub fn parse_x87(text: &[u8]) -> Parsed<X87> {
    let Some(scanned) = scan(text) else {
        return nothing(X87::default());
    };
    let (bits, range) = scanned.encode(&EXTENDED);
    let sign = u16::from(scanned.negative) << 15;
    let value = match bits {
        Encoded::Infinite => X87::new(sign | 0x7fff, 1 << 63),
        Encoded::Nan(payload) => X87::new(sign | 0x7fff, 3 << 62 | payload & ((1 << 62) - 1)),
        Encoded::Finite { mantissa, lsb } => {
            let biased = if mantissa >> 63 == 0 { 0 } else { lsb + 16446 };
            X87::new(sign | biased as u16, mantissa)
        }
    };
    scanned.with(value, range)
}

fn nothing<T>(value: T) -> Parsed<T> {
    Parsed { value, length: 0, range: false }
}

/// A binary floating-point format.
struct Layout {
    /// Bits of the mantissa, the leading one included.
    precision: i32,
    /// The power of two of the last bit of a subnormal number.
    min_lsb: i32,
    /// The power of two of the last bit of the largest number.
    max_lsb: i32,
    /// Significant decimal digits beyond which only "is there more" matters.
    digit_limit: usize,
}

const SINGLE: Layout = Layout { precision: 24, min_lsb: -149, max_lsb: 104, digit_limit: 120 };
const DOUBLE: Layout = Layout { precision: 53, min_lsb: -1074, max_lsb: 971, digit_limit: 780 };
const EXTENDED: Layout =
    Layout { precision: 64, min_lsb: -16445, max_lsb: 16320, digit_limit: 11600 };

enum Encoded {
    Infinite,
    Nan(u64),
    /// `mantissa · 2^lsb`.
    Finite {
        mantissa: u64,
        lsb: i32,
    },
}

struct Scanned<'a> {
    negative: bool,
    length: usize,
    body: Body<'a>,
}

enum Body<'a> {
    Infinity,
    /// Payload, and whether reading it overflowed.
    Nan(u64, bool),
    Decimal(Decimal<'a>),
    /// `mantissa · 2^exponent`, a little more if `sticky`.
    Hex {
        mantissa: u128,
        exponent: i64,
        sticky: bool,
    },
}

struct Decimal<'a> {
    /// The whole number without sign, as the standard library's parser reads it.
    text: &'a [u8],
    /// Digits with at most one point.
    digits: &'a [u8],
    exponent: i64,
}

/// Finds the longest number at the start of the text.
fn scan(text: &[u8]) -> Option<Scanned<'_>> {
    let space = text.iter().take_while(|&&byte| is_space(byte)).count();
    let signed = matches!(text.get(space), Some(b'+' | b'-'));
    let negative = text.get(space) == Some(&b'-');
    let start = space + usize::from(signed);
    let rest = &text[start..];
    let (body, used) = scan_hex(rest).or_else(|| scan_decimal(rest)).or_else(|| scan_word(rest))?;
    Some(Scanned { negative, length: start + used, body })
}

/// `isspace` in the C locale.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn scan_word(text: &[u8]) -> Option<(Body<'_>, usize)> {
    let starts =
        |word: &[u8]| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    if starts(b"infinity") {
        return Some((Body::Infinity, 8));
    }
    if starts(b"inf") {
        return Some((Body::Infinity, 3));
    }
    if !starts(b"nan") {
        return None;
    }
    if text.get(3) == Some(&b'(') {
        let inside = &text[4..];
        let length =
            inside.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        if inside.get(length) == Some(&b')') {
            let (payload, overflow) = payload(&inside[..length]);
            return Some((Body::Nan(payload, overflow), length + 5));
        }
    }
    Some((Body::Nan(0, false), 3))
}

/// The number between the parentheses of `nan(…)` as `strtoull` with base 0 reads it, 0 if there is
/// something else too; and whether it overflowed, which shows in errno.
fn payload(text: &[u8]) -> (u64, bool) {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', rest @ ..] if !rest.is_empty() => (rest, 16),
        [b'0', ..] => (text, 8),
        _ => (text, 10),
    };
    let mut value = Some(0u64);
    for &byte in digits {
        let Some(digit) = char::from(byte).to_digit(radix) else {
            return (0, value.is_none());
        };
        value = value
            .and_then(|sum| sum.checked_mul(u64::from(radix)))
            .and_then(|sum| sum.checked_add(u64::from(digit)));
    }
    (value.unwrap_or(u64::MAX), value.is_none())
}

fn scan_decimal(text: &[u8]) -> Option<(Body<'_>, usize)> {
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = whole;
    let mut fraction = 0;
    if text.get(whole) == Some(&b'.') {
        fraction = text[whole + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    let (exponent, used) = scan_exponent(&text[end..], b'e');
    let number = Decimal { text: &text[..end + used], digits: &text[..end], exponent };
    Some((Body::Decimal(number), end + used))
}

/// An exponent part like `e-12`: its value (saturated) and length, both 0 if there is none.
fn scan_exponent(text: &[u8], marker: u8) -> (i64, usize) {
    if !text.first().is_some_and(|byte| byte.eq_ignore_ascii_case(&marker)) {
        return (0, 0);
    }
    let signed = matches!(text.get(1), Some(b'+' | b'-'));
    let start = 1 + usize::from(signed);
    let digits = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return (0, 0);
    }
    let value = text[start..start + digits]
        .iter()
        .fold(0i64, |sum, byte| (sum * 10 + i64::from(byte - b'0')).min(1 << 50));
    let value = if text[1] == b'-' { -value } else { value };
    (value, start + digits)
}

fn scan_hex(text: &[u8]) -> Option<(Body<'_>, usize)> {
    let [b'0', b'x' | b'X', rest @ ..] = text else {
        return None;
    };
    let mut mantissa = 0u128;
    let mut exponent = 0i64;
    let mut sticky = false;
    let mut seen_point = false;
    let mut digits = 0;
    let mut end = 0;
    for &byte in rest {
        match char::from(byte).to_digit(16) {
            Some(digit) => {
                digits += 1;
                if mantissa >> 120 == 0 {
                    mantissa = mantissa << 4 | u128::from(digit);
                    exponent -= if seen_point { 4 } else { 0 };
                } else {
                    sticky |= digit != 0;
                    exponent += if seen_point { 0 } else { 4 };
                }
            }
            None if byte == b'.' && !seen_point => seen_point = true,
            None => break,
        }
        end += 1;
    }
    if digits == 0 {
        return None;
    }
    let (power, used) = scan_exponent(&rest[end..], b'p');
    let body = Body::Hex { mantissa, exponent: exponent.saturating_add(power), sticky };
    Some((body, 2 + end + used))
}

impl Scanned<'_> {
    fn with<T>(&self, value: T, range: bool) -> Parsed<T> {
        Parsed { value, length: self.length, range }
    }

    /// The absolute value, if it is decimal and nowhere near a limit of the type.
    fn ordinary<F: FromStr + PartialOrd + Copy>(&self, least: F, largest: F) -> Option<F> {
        let Body::Decimal(number) = &self.body else { return None };
        let value = std::str::from_utf8(number.text).ok()?.parse().ok()?;
        (value > least && value <= largest).then_some(value)
    }

    /// The bits of a `double` or `float` of some width, and whether errno becomes ERANGE.
    fn bits(&self, layout: &Layout, width: u32) -> (u64, bool) {
        let fraction = layout.precision - 1;
        let infinite = (1 << (width - 1)) - (1 << fraction);
        let quiet = 1 << (fraction - 1);
        let (encoded, range) = self.encode(layout);
        let bits = match encoded {
            Encoded::Infinite => infinite,
            Encoded::Nan(payload) => infinite | quiet | payload & (quiet - 1),
            Encoded::Finite { mantissa, lsb } => {
                let biased = (lsb - layout.min_lsb + 1) as u64;
                // The implicit bit of a normal number adds the missing one to the exponent.
                let biased = if mantissa >> fraction == 0 { 0 } else { biased - 1 };
                (biased << fraction).wrapping_add(mantissa)
            }
        };
        (bits | u64::from(self.negative) << (width - 1), range)
    }

    fn encode(&self, layout: &Layout) -> (Encoded, bool) {
        match &self.body {
            Body::Infinity => (Encoded::Infinite, false),
            Body::Nan(payload, overflow) => (Encoded::Nan(*payload), *overflow),
            Body::Hex { mantissa, exponent, sticky } => layout.round(*mantissa, *exponent, *sticky),
            Body::Decimal(number) => number.encode(layout),
        }
    }
}

impl Decimal<'_> {
    fn encode(&self, layout: &Layout) -> (Encoded, bool) {
        let (digits, exponent) = self.significant(layout.digit_limit);
        if digits.is_empty() {
            return layout.round(0, 0, false);
        }
        // Far outside every format the division would only waste time.
        let magnitude = exponent.saturating_add(digits.len() as i64);
        if magnitude > 6000 {
            return layout.round(1, i64::from(i32::MAX), false);
        }
        if magnitude < -6000 {
            return layout.round(1, i64::from(i32::MIN), true);
        }
        let mut numerator = BigUint::parse_bytes(&digits, 10).unwrap_or_default();
        let mut denominator = BigUint::from(1u32);
        let scale = BigUint::from(10u32).pow(exponent.unsigned_abs() as u32);
        if exponent >= 0 {
            numerator *= scale;
        } else {
            denominator = scale;
        }
        // Enough quotient bits for any format and one more to round by.
        let shift = 100 - (numerator.bits() as i64 - denominator.bits() as i64);
        if shift >= 0 {
            numerator <<= shift as u64;
        } else {
            denominator <<= shift.unsigned_abs();
        }
        let quotient = &numerator / &denominator;
        let sticky = &quotient * &denominator != numerator;
        let bits =
            quotient.iter_u64_digits().rev().fold(0u128, |sum, limb| sum << 64 | u128::from(limb));
        layout.round(bits, -shift, sticky)
    }

    /// Digits without leading zeros and point, at most about `limit` of them, and the power of
    /// ten of the last one. Digits beyond the limit are represented by one that is not zero.
    fn significant(&self, limit: usize) -> (Vec<u8>, i64) {
        let mut digits = Vec::new();
        let mut exponent = self.exponent;
        let mut behind_point = false;
        let mut more = false;
        for &byte in self.digits {
            if byte == b'.' {
                behind_point = true;
                continue;
            }
            if digits.len() < limit {
                exponent -= i64::from(behind_point);
                if byte != b'0' || !digits.is_empty() {
                    digits.push(byte);
                }
            } else {
                exponent += i64::from(!behind_point);
                more |= byte != b'0';
            }
        }
        if more {
            digits.push(b'1');
            exponent -= 1;
        }
        (digits, exponent)
    }
}

impl Layout {
    /// Rounds `mantissa · 2^exponent` (a little more if `sticky`) to the format.
    ///
    /// A sticky mantissa must have more bits than the format.
    fn round(&self, mantissa: u128, exponent: i64, sticky: bool) -> (Encoded, bool) {
        if mantissa == 0 {
            let zero = Encoded::Finite { mantissa: 0, lsb: self.min_lsb };
            return (zero, false);
        }
        let bits = 128 - i64::from(mantissa.leading_zeros());
        let ideal_lsb = exponent + bits - i64::from(self.precision);
        let lsb = ideal_lsb.max(i64::from(self.min_lsb));
        let (mut rounded, inexact) = shift_round(mantissa, lsb - exponent, sticky);
        let mut lsb = lsb;
        if rounded >> self.precision != 0 {
            rounded >>= 1;
            lsb += 1;
        }
        if lsb > i64::from(self.max_lsb) {
            return (Encoded::Infinite, true);
        }
        // Tiny means below the smallest normal number even when rounded to full precision.
        let tiny = ideal_lsb < i64::from(self.min_lsb) && {
            let (full, _) = shift_round(mantissa, ideal_lsb - exponent, sticky);
            ideal_lsb + 1 < i64::from(self.min_lsb) || full >> self.precision == 0
        };
        let encoded = Encoded::Finite { mantissa: rounded as u64, lsb: lsb as i32 };
        (encoded, tiny && inexact)
    }
}

/// `mantissa / 2^shift` rounded half to even, and whether anything was lost.
fn shift_round(mantissa: u128, shift: i64, sticky: bool) -> (u128, bool) {
    if shift <= 0 {
        return (mantissa << shift.unsigned_abs(), sticky);
    }
    if shift > 128 {
        return (0, true);
    }
    let quotient = mantissa.checked_shr(shift as u32).unwrap_or(0);
    let half = 1u128 << (shift - 1);
    let rest = mantissa & ((half - 1) | half);
    let up = rest > half || rest == half && (sticky || quotient & 1 == 1);
    (quotient + u128::from(up), rest != 0 || sticky)
}

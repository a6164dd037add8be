//! Numbers: decimal and hexadecimal integers, and floats in all spellings.

use base::bits::mask;
use ir::{Const, FloatKind, Type, TypeId, Types};

use crate::cursor::{Cursor, Parsed, hex};
use crate::wide;

/// A number of the given type.
pub(crate) fn number(c: &mut Cursor<'_>, types: &Types, ty: TypeId) -> Parsed<Const> {
    match types.get(ty) {
        Type::Int(bits) if *bits > 128 => wide::number(c, ty, *bits),
        Type::Int(bits) => integer(c, *bits).map(Const::Int),
        Type::Float(kind) => float(c, *kind).map(Const::Float),
        _ => c.fault("a number stands where another type is expected"),
    }
}

/// An integer, reduced to its width.
#[inline]
pub(crate) fn integer(c: &mut Cursor<'_>, bits: u32) -> Parsed<u128> {
    let negative = c.eat(b'-');
    let start = *c;
    let word = c.word_here();
    let magnitude = match word {
        [b'u' | b's', b'0', b'x', digits @ ..] => hex_number(digits),
        _ => decimal(word),
    };
    let Some(magnitude) = magnitude else {
        let overlong = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        return if overlong {
            start.fault("integers above 2^128 are not supported")
        } else {
            start.expected("an integer")
        };
    };
    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
    Ok(value & mask(bits))
}

#[inline]
fn decimal(word: &[u8]) -> Option<u128> {
    if word.is_empty() {
        return None;
    }
    if word.len() <= 18 {
        let mut value = 0u64;
        for byte in word {
            if !byte.is_ascii_digit() {
                return None;
            }
            value = value * 10 + u64::from(byte - b'0');
        }
        return Some(u128::from(value));
    }
    word.iter().try_fold(0u128, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| u128::from(byte - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}

fn hex_number(digits: &[u8]) -> Option<u128> {
    if digits.is_empty() || digits.len() > 32 {
        return None;
    }
    digits.iter().try_fold(0u128, |value, byte| Some(value << 4 | u128::from(hex(*byte)?)))
}

/// Whether the word is `u0x…`, `s0x…` or `f0x…`.
pub(crate) fn is_typed_hex(word: &[u8]) -> bool {
    matches!(word, [b'u' | b's' | b'f', b'0', b'x', ..])
}

/// The bit pattern of a float.
fn float(c: &mut Cursor<'_>, kind: FloatKind) -> Parsed<u128> {
    let start = *c;
    let bits = if let [b'f', b'0', b'x', digits @ ..] = c.peek_word() {
        let bits = hex_number(digits);
        c.word_here();
        bits
    } else if c.byte() == b'0' && c.byte_at(1) == b'x' {
        hex_float(&c.word_here()[2..], kind)
    } else {
        decimal_float(c, kind)
    };
    match bits {
        Some(bits) if bits & !mask(kind.bits()) == 0 => Ok(bits),
        _ => start.expected("a float of the right type"),
    }
}

fn hex_float(word: &[u8], kind: FloatKind) -> Option<u128> {
    let (wanted, digits) = match word.split_first()? {
        (b'K', digits) => (FloatKind::X87, digits),
        (b'L', digits) => (FloatKind::Quad, digits),
        (b'H', digits) => (FloatKind::Half, digits),
        (b'R', digits) => (FloatKind::BFloat, digits),
        // Without a letter the digits are those of a double, also for a float.
        _ => return from_double(f64_bits(word)?, kind),
    };
    if wanted != kind {
        return None;
    }
    let bits = hex_number(digits)?;
    // A quad's low half is written first.
    Some(if kind == FloatKind::Quad && digits.len() == 32 { bits.rotate_left(64) } else { bits })
}

fn f64_bits(digits: &[u8]) -> Option<u64> {
    u64::try_from(hex_number(digits)?).ok()
}

fn decimal_float(c: &mut Cursor<'_>, kind: FloatKind) -> Option<u128> {
    let start = c.at;
    while matches!(c.byte(), b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-') {
        c.at += 1;
    }
    let text = std::str::from_utf8(&c.text[start..c.at]).ok()?;
    let value: f64 = text.parse().ok()?;
    from_double(value.to_bits(), kind)
}

/// A double that the narrower type represents exactly.
fn from_double(bits: u64, kind: FloatKind) -> Option<u128> {
    match kind {
        FloatKind::Double => Some(u128::from(bits)),
        FloatKind::Single => {
            let value = f64::from_bits(bits);
            if value.is_nan() {
                // The hardware's conversion would change a signalling NaN.
                let sign = (bits >> 63) << 31;
                let payload = (bits >> 29) & 0x7F_FFFF;
                return Some(u128::from(sign | 0x7F80_0000 | payload.max(1)));
            }
            Some(u128::from((value as f32).to_bits()))
        }
        FloatKind::Half => narrow(bits, 5, 10),
        FloatKind::BFloat => narrow(bits, 8, 7),
        // The wide formats are always written in hexadecimal.
        FloatKind::X87 | FloatKind::Quad => (bits == 0).then_some(0),
    }
}

/// A double in a narrower format, if it is a finite number of it.
fn narrow(bits: u64, exponent_bits: u32, fraction_bits: u32) -> Option<u128> {
    let sign = (bits >> 63) << (exponent_bits + fraction_bits);
    if bits << 1 == 0 {
        return Some(u128::from(sign));
    }
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let exponent = ((bits >> 52) & 0x7FF) as i64 - 1023 + bias;
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    if exponent > 2 * bias {
        return None;
    }
    // Below the smallest exponent the significand moves to the right instead.
    let shift = 52 - i64::from(fraction_bits) + (1 - exponent).max(0);
    if shift > 52 || significand.trailing_zeros() < shift as u32 {
        return None;
    }
    let magnitude = (significand >> shift) + ((exponent.max(1) as u64 - 1) << fraction_bits);
    Some(u128::from(sign | magnitude))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, ty: Type) -> Option<Const> {
        let mut types = Types::new();
        let ty = types.intern(ty);
        let mut cursor = Cursor::new(text.as_bytes(), 0);
        number(&mut cursor, &types, ty).ok()
    }

    #[test]
    fn integers_wrap_to_their_width() {
        assert_eq!(read("-1", Type::Int(8)), Some(Const::Int(255)));
        assert_eq!(read("-1", Type::Int(128)), Some(Const::Int(u128::MAX)));
        assert_eq!(read("u0xFF", Type::Int(16)), Some(Const::Int(255)));
        assert_eq!(read("1", Type::Int(200)), Some(Const::Int(1)));
        assert!(matches!(read("-1", Type::Int(200)), Some(Const::Binary { .. })));
    }

    #[test]
    fn floats_are_read_in_every_spelling() {
        let single = Type::Float(FloatKind::Single);
        let double = Type::Float(FloatKind::Double);
        assert_eq!(read("1.500000e+00", single.clone()), Some(Const::Float(0x3FC0_0000)));
        assert_eq!(read("0x3FB99999A0000000", single), Some(Const::Float(0x3DCC_CCCD)));
        assert_eq!(read("-0.000000e+00", double), Some(Const::Float(1 << 63)));
        assert_eq!(
            read("0xK4000D000000000000000", Type::Float(FloatKind::X87)),
            Some(Const::Float(0x4000_D000_0000_0000_0000))
        );
        assert_eq!(
            read("0xL00000000000000003FFF000000000000", Type::Float(FloatKind::Quad)),
            Some(Const::Float(0x3FFF << 112))
        );
        for (text, bits) in
            [("1.0", 0x3C00), ("-2.5", 0xC100), ("65504.0", 0x7BFF), ("0x3E70000000000000", 1)]
        {
            assert_eq!(read(text, Type::Float(FloatKind::Half)), Some(Const::Float(bits)));
        }
        assert_eq!(read("65536.0", Type::Float(FloatKind::Half)), None);
        assert_eq!(read("1.0", Type::Float(FloatKind::BFloat)), Some(Const::Float(0x3F80)));
        assert_eq!(read("0xH3C00", Type::Float(FloatKind::Half)), Some(Const::Float(0x3C00)));
    }
}

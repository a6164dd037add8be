//! Text of floating-point numbers: exact formatting for `%e %f %g %a` and correctly rounded parsing.
//!
//! Formatting works on the exact binary value (`mantissa · 2^exponent`) and rounds half to even;
//! signs, padding and the `0x` prefix are added by the printf engine.

mod digits;
mod hex;
mod parse;

pub use digits::{Digits, Keep};
pub use hex::write_hex;
pub use parse::{Parsed, is_space, parse_f32, parse_f64, parse_x87};

/// An x86 80-bit `long double` as it is stored: sign and exponent, then the explicit mantissa.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct X87 {
    pub sign_exponent: u16,
    pub mantissa: u64,
}

impl X87 {
    pub const fn new(sign_exponent: u16, mantissa: u64) -> X87 {
        X87 { sign_exponent, mantissa }
    }

    /// From the ten bytes in memory order.
    pub fn from_bytes(bytes: [u8; 10]) -> X87 {
        let [a, b, c, d, e, f, g, h, i, j] = bytes;
        X87::new(u16::from_le_bytes([i, j]), u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    /// The ten bytes in memory order.
    pub fn to_bytes(self) -> [u8; 10] {
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&self.mantissa.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sign_exponent.to_le_bytes());
        bytes
    }
}

impl From<f64> for X87 {
    fn from(value: f64) -> X87 {
        let float = Float::from(value);
        let sign = u16::from(float.negative) << 15;
        match float.kind {
            Kind::Infinite => X87::new(sign | 0x7fff, 1 << 63),
            Kind::Nan => X87::new(sign | 0x7fff, (3 << 62) | (value.to_bits() << 11)),
            Kind::Finite { mantissa: 0, .. } => X87::new(sign, 0),
            Kind::Finite { mantissa, exponent } => {
                let shift = mantissa.leading_zeros();
                let biased = exponent + 63 - shift as i32 + 16383;
                X87::new(sign | biased as u16, mantissa << shift)
            }
        }
    }
}

/// An unpacked number, whatever its storage format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    pub negative: bool,
    pub kind: Kind,
    /// The storage format, which decides how `%a` places the first digit.
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Infinite,
    Nan,
    /// `mantissa · 2^exponent`; zero has mantissa 0.
    Finite {
        mantissa: u64,
        exponent: i32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Double,
    Extended,
}

impl From<f64> for Float {
    fn from(value: f64) -> Float {
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let biased = (bits >> 52 & 0x7ff) as i32;
        let kind = match (biased, fraction) {
            (0x7ff, 0) => Kind::Infinite,
            (0x7ff, _) => Kind::Nan,
            (0, _) => Kind::Finite { mantissa: fraction, exponent: -1074 },
            _ => Kind::Finite { mantissa: fraction | 1 << 52, exponent: biased - 1075 },
        };
        Float { negative: bits >> 63 != 0, kind, format: Format::Double }
    }
}

impl From<X87> for Float {
    fn from(value: X87) -> Float {
        let biased = i32::from(value.sign_exponent & 0x7fff);
        let integer_bit = value.mantissa >> 63 != 0;
        let kind = match biased {
            0x7fff if value.mantissa << 1 == 0 => Kind::Infinite,
            0x7fff => Kind::Nan,
            0 => Kind::Finite { mantissa: value.mantissa, exponent: -16445 },
            // An exponent without the integer bit is an invalid operand to the processor.
            _ if !integer_bit => Kind::Nan,
            _ => Kind::Finite { mantissa: value.mantissa, exponent: biased - 16446 },
        };
        Float { negative: value.sign_exponent >> 15 != 0, kind, format: Format::Extended }
    }
}

/// Which notation a finite number is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `%e`
    Scientific,
    /// `%f`
    Fixed,
    /// `%g`
    General,
}

/// Writes a finite non-negative number without sign: `%e`, `%f` or `%g` with a precision.
///
/// `alternate` is the `#` flag: keep the point, and for `%g` the trailing zeros.
pub fn write_decimal(
    (mantissa, exponent): (u64, i32),
    notation: Notation,
    precision: usize,
    alternate: bool,
    upper: bool,
    out: &mut Vec<u8>,
) {
    let style =
        Style { point: alternate || precision > 0, marker: if upper { b'E' } else { b'e' } };
    match notation {
        Notation::Fixed => {
            let digits = Digits::of(mantissa, exponent, Keep::Fraction(precision));
            style.fixed(&digits, precision, out);
        }
        Notation::Scientific => {
            let digits = Digits::of(mantissa, exponent, Keep::Significant(precision + 1));
            style.scientific(&digits, precision, out);
        }
        Notation::General => write_general((mantissa, exponent), precision, alternate, style, out),
    }
}

fn write_general(
    (mantissa, exponent): (u64, i32),
    precision: usize,
    alternate: bool,
    style: Style,
    out: &mut Vec<u8>,
) {
    let precision = precision.max(1);
    let digits = Digits::of(mantissa, exponent, Keep::Significant(precision));
    let power = digits.exponent;
    let scientific = power < -4 || i64::from(power) >= precision as i64;
    // Digits wanted after the point: all of the precision, or those up to the last non-zero one.
    let wanted =
        if alternate && scientific && digits.carried && i64::from(power) == precision as i64 {
            // A number just below 10^precision: glibc has chosen `%f` before rounding, and forgets the
            // zeros of `#` when it turns to `%e` after all.
            1
        } else if alternate {
            precision
        } else {
            digits.trimmed_len().max(1)
        };
    let fraction = if scientific {
        wanted - 1
    } else {
        (wanted as i64 - 1 - i64::from(power)).max(0) as usize
    };
    let style = Style { point: alternate || fraction > 0, ..style };
    if scientific {
        style.scientific(&digits, fraction, out);
    } else {
        style.fixed(&digits, fraction, out);
    }
}

#[derive(Clone, Copy)]
struct Style {
    point: bool,
    marker: u8,
}

impl Style {
    fn fixed(self, digits: &Digits, fraction: usize, out: &mut Vec<u8>) {
        let mut rest = digits.digits.as_slice();
        let mut leading_zeros = 0;
        if digits.exponent >= 0 && !rest.is_empty() {
            let whole = digits.exponent as usize + 1;
            let (head, tail) = rest.split_at(rest.len().min(whole));
            out.extend_from_slice(head);
            zeros(whole - head.len(), out);
            rest = tail;
        } else {
            out.push(b'0');
            leading_zeros = (-1 - i64::from(digits.exponent)).max(0) as usize;
        }
        if self.point {
            out.push(b'.');
        }
        let leading_zeros = leading_zeros.min(fraction);
        zeros(leading_zeros, out);
        let take = rest.len().min(fraction - leading_zeros);
        out.extend_from_slice(&rest[..take]);
        zeros(fraction - leading_zeros - take, out);
    }

    fn scientific(self, digits: &Digits, fraction: usize, out: &mut Vec<u8>) {
        let (first, rest) = match digits.digits.split_first() {
            Some((&first, rest)) => (first, rest),
            None => (b'0', &[][..]),
        };
        out.push(first);
        if self.point {
            out.push(b'.');
        }
        let take = rest.len().min(fraction);
        out.extend_from_slice(&rest[..take]);
        zeros(fraction - take, out);
        out.push(self.marker);
        out.push(if digits.exponent < 0 { b'-' } else { b'+' });
        let power = digits.exponent.unsigned_abs();
        if power < 10 {
            out.push(b'0');
        }
        write_unsigned(u64::from(power), out);
    }
}

fn zeros(count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count, b'0');
}

/// Appends a number in decimal.
pub fn write_unsigned(mut number: u64, out: &mut Vec<u8>) {
    let mut buffer = [0u8; 20];
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&buffer[start..]);
}

#[cfg(test)]
mod tests;

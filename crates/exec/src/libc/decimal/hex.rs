//! `%a`: the hexadecimal form of a finite number.
//!
//! A `double` shows its implicit bit as the first digit (0 when subnormal); a `long double` shows
//! the top four bits of its explicit mantissa, which is what glibc does on x86.

use super::{Float, Format, Kind, write_unsigned};

/// Writes the digits, point and exponent of `%a`, without sign and without the `0x` prefix.
///
/// No precision means just as many digits as are needed for the exact value. Infinities and NaNs
/// have no such form and write nothing.
pub fn write_hex(
    float: Float,
    precision: Option<usize>,
    alternate: bool,
    upper: bool,
    out: &mut Vec<u8>,
) {
    let Kind::Finite { mantissa, exponent } = float.kind else {
        return;
    };
    let (mut lead, mut fraction, places, mut power) = split(float.format, mantissa, exponent);
    let kept = match precision {
        Some(precision) if precision < places as usize => {
            let cut = 4 * (places - precision as u32);
            let half = 1u64 << (cut - 1);
            let rest = fraction & ((half << 1) - 1);
            fraction = fraction.checked_shr(cut).unwrap_or(0);
            let last = if precision == 0 { lead } else { fraction };
            if rest > half || rest == half && last & 1 == 1 {
                fraction += 1;
                let limit = 1u64 << (4 * precision);
                if fraction >= limit {
                    fraction -= limit;
                    lead += 1;
                }
            }
            if lead == 16 {
                lead = 1;
                power += 4;
            }
            precision as u32
        }
        Some(_) => places,
        None => {
            let zeros = (fraction.trailing_zeros() / 4).min(places);
            fraction = fraction.checked_shr(4 * zeros).unwrap_or(0);
            places - zeros
        }
    };
    push_digit(lead, upper, out);
    let padding = precision.map_or(0, |precision| precision - kept as usize);
    if alternate || kept > 0 || padding > 0 {
        out.push(b'.');
    }
    for place in (0..kept).rev() {
        push_digit(fraction >> (4 * place) & 15, upper, out);
    }
    out.resize(out.len() + padding, b'0');
    out.push(if upper { b'P' } else { b'p' });
    out.push(if power < 0 { b'-' } else { b'+' });
    write_unsigned(u64::from(power.unsigned_abs()), out);
}

/// First digit, fraction, number of hexadecimal digits in the fraction, binary exponent.
fn split(format: Format, mantissa: u64, exponent: i32) -> (u64, u64, u32, i32) {
    match format {
        Format::Double => {
            let power = if mantissa == 0 { 0 } else { exponent + 52 };
            (mantissa >> 52, mantissa & ((1 << 52) - 1), 13, power)
        }
        Format::Extended => {
            let power = if mantissa == 0 { 0 } else { exponent + 60 };
            (mantissa >> 60, mantissa & ((1 << 60) - 1), 15, power)
        }
    }
}

fn push_digit(digit: u64, upper: bool, out: &mut Vec<u8>) {
    let letters: &[u8; 16] = if upper { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
    out.push(letters[(digit & 15) as usize]);
}

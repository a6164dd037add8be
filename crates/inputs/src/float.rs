//! The 80-bit format of `long double`, as far as numbers of tests need it.

/// The bits of a `double` widened to the x87 format; exact for every number.
pub fn extended_bits(number: f64) -> u128 {
    let bits = number.to_bits();
    let sign = u128::from(bits >> 63) << 79;
    let exponent = (bits >> 52 & 0x7ff) as u128;
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, significand) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        // A subnormal number becomes a normal one in the wider format.
        (0, _) => {
            let shift = fraction.leading_zeros();
            (u128::from(15372 - shift), fraction << shift)
        }
        (0x7ff, _) => (0x7fff, 1 << 63 | fraction << 11),
        (exponent, _) => (exponent + 15360, 1 << 63 | fraction << 11),
    };
    sign | exponent << 64 | u128::from(significand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_widened_exactly() {
        let cases: [(f64, u128); 7] = [
            (0.0, 0),
            (-0.0, 1 << 79),
            (1.0, 0x3fff_8000_0000_0000_0000),
            (-2.5, 0xc000_a000_0000_0000_0000),
            (f64::INFINITY, 0x7fff_8000_0000_0000_0000),
            (5e-324, 0x3bcd_8000_0000_0000_0000),
            (f64::MIN_POSITIVE, 0x3c01_8000_0000_0000_0000),
        ];
        for (number, bits) in cases {
            assert_eq!(extended_bits(number), bits, "{number:?}");
        }
    }
}

//! The decimal digits of `mantissa · 2^exponent`, cut at a place and rounded half to even.
//!
//! Two methods with the same result: 128-bit arithmetic if the number fits, else an exact big
//! number in base 10⁹. Both produce exact digits, so rounding never sees an approximation.

/// Where to cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// This many digits from the first non-zero one (at least 1).
    Significant(usize),
    /// All digits before the point and this many behind it.
    Fraction(usize),
}

/// ASCII digits `d₀d₁…` meaning `d₀.d₁… · 10^exponent`.
///
/// There may be fewer digits than requested: the rest are zeros. No digits at all mean zero, whose
/// exponent is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digits {
    pub digits: Vec<u8>,
    pub exponent: i32,
    /// Whether rounding made the first digit move up a place (9.99 → 10.0).
    pub carried: bool,
}

/// How the part cut off compares with half a unit of the last digit kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    Below,
    Half,
    Above,
}

impl Digits {
    /// The digits of a number, rounded at the cut.
    pub fn of(mantissa: u64, exponent: i32, keep: Keep) -> Digits {
        if mantissa == 0 {
            return Digits::default();
        }
        match exponent {
            0..=63 => small(u128::from(mantissa) << exponent, 0, 0, keep),
            -120..=-1 => {
                let places = exponent.unsigned_abs();
                let mask = (1u128 << places) - 1;
                let whole = u128::from(mantissa) >> places;
                small(whole, u128::from(mantissa) & mask, places, keep)
            }
            _ => big(mantissa, exponent, keep),
        }
    }

    /// The number of digits without trailing zeros.
    pub fn trimmed_len(&self) -> usize {
        let zeros = self.digits.iter().rev().take_while(|&&d| d == b'0').count();
        self.digits.len() - zeros
    }

    fn round(&mut self, tail: Tail) {
        let up = match tail {
            Tail::Below => false,
            Tail::Above => true,
            // An absent last digit is a zero, which is even.
            Tail::Half => self.digits.last().is_some_and(|digit| digit % 2 == 1),
        };
        if up {
            self.increment();
        }
        if self.digits.is_empty() {
            self.exponent = 0;
        }
    }

    fn increment(&mut self) {
        let nines = self.digits.iter().rev().take_while(|&&d| d == b'9').count();
        let stop = self.digits.len() - nines;
        for digit in &mut self.digits[stop..] {
            *digit = b'0';
        }
        match stop.checked_sub(1) {
            Some(last) => self.digits[last] += 1,
            None => {
                self.digits.insert(0, b'1');
                self.carried = true;
                self.exponent += 1;
            }
        }
    }
}

/// Digits of `whole + fraction / 2^places`, with `fraction < 2^places ≤ 2^120`.
fn small(whole: u128, mut fraction: u128, places: u32, keep: Keep) -> Digits {
    let mut digits = Vec::with_capacity(40);
    if whole > 0 {
        write_wide(whole, &mut digits);
        let exponent = digits.len() as i32 - 1;
        let wanted = match keep {
            Keep::Significant(count) => count,
            Keep::Fraction(count) => digits.len().saturating_add(count),
        };
        if digits.len() > wanted {
            return cut(digits, exponent, wanted, fraction != 0);
        }
        return fill(digits, exponent, fraction, places, wanted);
    }
    // Below one: skip the zeros behind the point.
    let mask = (1u128 << places) - 1;
    let mut exponent = 0;
    let mut first = 0;
    while first == 0 {
        if let Keep::Fraction(count) = keep
            && -exponent as usize >= count
        {
            return fill(digits, exponent - 1, fraction, places, 0);
        }
        fraction *= 10;
        first = (fraction >> places) as u8;
        fraction &= mask;
        exponent -= 1;
    }
    digits.push(b'0' + first);
    let wanted = match keep {
        Keep::Significant(count) => count,
        Keep::Fraction(count) => count - (-exponent as usize - 1),
    };
    fill(digits, exponent, fraction, places, wanted)
}

/// Appends digits of the fraction until `wanted` are there, then rounds by what is left.
fn fill(
    mut digits: Vec<u8>,
    exponent: i32,
    mut fraction: u128,
    places: u32,
    wanted: usize,
) -> Digits {
    let mask = (1u128 << places) - 1;
    while digits.len() < wanted && fraction != 0 {
        fraction *= 10;
        digits.push(b'0' + (fraction >> places) as u8);
        fraction &= mask;
    }
    let tail = match (fraction << 1).cmp(&(1u128 << places)) {
        std::cmp::Ordering::Less => Tail::Below,
        std::cmp::Ordering::Equal => Tail::Half,
        std::cmp::Ordering::Greater => Tail::Above,
    };
    let mut result = Digits { digits, exponent, carried: false };
    // Nothing is cut off when the fraction ran out early.
    if fraction != 0 {
        result.round_at_unit(tail);
    } else if result.digits.is_empty() {
        result.exponent = 0;
    }
    result
}

impl Digits {
    /// Rounds when possibly no digit was kept: rounding up then makes a one at the last place.
    fn round_at_unit(&mut self, tail: Tail) {
        if self.digits.is_empty() && tail == Tail::Above {
            self.digits.push(b'1');
            self.exponent += 1;
        } else {
            self.round(tail);
        }
    }
}

/// Keeps the first `wanted` of exact digits; `sticky` says that more non-zero digits follow them.
fn cut(mut digits: Vec<u8>, exponent: i32, wanted: usize, sticky: bool) -> Digits {
    let rest = &digits[wanted..];
    let more = sticky || rest[1..].iter().any(|&digit| digit != b'0');
    let tail = match rest[0] {
        b'5' if !more => Tail::Half,
        b'5'..=b'9' => Tail::Above,
        _ => Tail::Below,
    };
    digits.truncate(wanted);
    let mut result = Digits { digits, exponent, carried: false };
    result.round_at_unit(tail);
    result
}

fn write_wide(number: u128, out: &mut Vec<u8>) {
    const CHUNK: u128 = 10_000_000_000_000_000_000;
    match u64::try_from(number) {
        Ok(small) => super::write_unsigned(small, out),
        Err(_) => {
            write_wide(number / CHUNK, out);
            let start = out.len();
            super::write_unsigned((number % CHUNK) as u64, out);
            let missing = 19 - (out.len() - start);
            out.splice(start..start, std::iter::repeat_n(b'0', missing));
        }
    }
}

/// The general way: all digits of the number, then one cut.
fn big(mantissa: u64, exponent: i32, keep: Keep) -> Digits {
    const FIVES: u32 = 5u32.pow(13);
    let mut number = Big::new(mantissa);
    let mut places = exponent.unsigned_abs();
    // m · 2^-n = m · 5^n · 10^-n, so both directions are multiplications.
    let (chunk, step, base) = if exponent > 0 { (1 << 29, 29, 2u32) } else { (FIVES, 13, 5u32) };
    while places >= step {
        number.multiply(chunk);
        places -= step;
    }
    number.multiply(base.pow(places));
    let digits = number.digits();
    let fraction_digits = if exponent > 0 { 0 } else { -i64::from(exponent) };
    let first = digits.len() as i64 - 1 - fraction_digits;
    let wanted = match keep {
        Keep::Significant(count) => count as i64,
        Keep::Fraction(count) => (first + 1).saturating_add(count as i64),
    };
    if wanted >= digits.len() as i64 {
        return Digits { digits, exponent: first as i32, carried: false };
    }
    match usize::try_from(wanted) {
        Ok(wanted) => cut(digits, first as i32, wanted, false),
        // The first digit is more than one place behind the cut: less than half a unit.
        Err(_) => Digits::default(),
    }
}

/// A natural number in base 10⁹, least significant limb first.
struct Big(Vec<u32>);

impl Big {
    const BASE: u64 = 1_000_000_000;

    fn new(mut number: u64) -> Big {
        let mut limbs = Vec::with_capacity(16);
        while number > 0 {
            limbs.push((number % Big::BASE) as u32);
            number /= Big::BASE;
        }
        Big(limbs)
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0u64;
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (product % Big::BASE) as u32;
            carry = product / Big::BASE;
        }
        while carry > 0 {
            self.0.push((carry % Big::BASE) as u32);
            carry /= Big::BASE;
        }
    }

    fn digits(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.0.len() * 9);
        let mut limbs = self.0.iter().rev();
        if let Some(&top) = limbs.next() {
            super::write_unsigned(u64::from(top), &mut out);
        }
        for &limb in limbs {
            let mut divisor = 100_000_000;
            while divisor > 0 {
                out.push(b'0' + (limb / divisor % 10) as u8);
                divisor /= 10;
            }
        }
        out
    }
}

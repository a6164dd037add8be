//! Circuits of arithmetic on vectors of literals, lowest bit first.

use rustsat::types::Lit;

use super::gates::{FALSE, Gates, TRUE};

pub type Bits = Vec<Lit>;

impl Gates {
    /// The sum and the carry out of it.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Bits, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }

    pub fn negation(&mut self, a: &[Lit]) -> Bits {
        let zeros = vec![FALSE; a.len()];
        let inverted: Bits = a.iter().map(|lit| !*lit).collect();
        self.sum(&inverted, &zeros, TRUE).0
    }

    /// Whether `a < b`, unsigned: there is no carry out of `a - b`.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut borrow = FALSE;
        for (&x, &y) in a.iter().zip(b) {
            borrow = self.majority(!x, y, borrow);
        }
        borrow
    }

    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let flip = |bits: &[Lit]| {
            let mut flipped = bits.to_vec();
            if let Some(sign) = flipped.last_mut() {
                *sign = !*sign;
            }
            flipped
        };
        self.less(&flip(a), &flip(b))
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Bits = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.all(&same)
    }

    pub fn choose(&mut self, c: Lit, t: &[Lit], e: &[Lit]) -> Bits {
        t.iter().zip(e).map(|(&x, &y)| self.mux(c, x, y)).collect()
    }

    /// The low half of the product, by adding shifted copies. The factor with more constant bits
    /// decides which copies there are.
    pub fn product(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let constants = |bits: &[Lit]| bits.iter().filter(|lit| is_constant(**lit)).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        if b.iter().all(|lit| is_constant(*lit)) {
            return self.product_with_constant(a, b);
        }
        let width = a.len();
        let mut total = vec![FALSE; width];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == FALSE {
                continue;
            }
            let row: Bits = a[..width - shift].iter().map(|&x| self.and(x, bit)).collect();
            let (sum, _) = self.sum(&total[shift..], &row, FALSE);
            total[shift..].copy_from_slice(&sum);
        }
        total
    }

    /// By the digits 0, 1 and −1 of the constant, without two neighbours that are non-zero.
    fn product_with_constant(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let width = a.len();
        let mut total = vec![FALSE; width];
        let inverted: Bits = a.iter().map(|lit| !*lit).collect();
        for (shift, digit) in signed_digits(b).into_iter().enumerate() {
            let (row, carry) = match digit {
                0 => continue,
                1 => (&a[..width - shift], FALSE),
                _ => (&inverted[..width - shift], TRUE),
            };
            let (sum, _) = self.sum(&total[shift..], row, carry);
            total[shift..].copy_from_slice(&sum);
        }
        total
    }

    /// Quotient and remainder, by restoring division. Division by zero gives all ones and the
    /// dividend, as SMT-LIB requires, without a special case.
    pub fn division(&mut self, a: &[Lit], b: &[Lit]) -> (Bits, Bits) {
        let width = a.len();
        let mut quotient = vec![FALSE; width];
        // The remainder is smaller than a divisor that is not zero.
        let significant = b.iter().rposition(|lit| *lit != FALSE).map_or(0, |at| at + 1);
        let kept = if b.contains(&TRUE) { significant } else { width };
        // One bit more: the remainder is doubled before it is reduced.
        let mut rest = vec![FALSE; kept];
        let mut divisor = b[..kept].to_vec();
        divisor.push(FALSE);
        let inverted: Bits = divisor.iter().map(|lit| !*lit).collect();
        for step in (0..width).rev() {
            let mut doubled = vec![a[step]];
            doubled.extend_from_slice(&rest);
            let (reduced, fits) = self.sum(&doubled, &inverted, TRUE);
            quotient[step] = fits;
            rest = self.choose(fits, &reduced[..kept], &doubled[..kept]);
        }
        rest.resize(width, FALSE);
        (quotient, rest)
    }

    /// Shift by a variable amount, with `fill` coming in. `left` shifts towards the top.
    pub fn shift(&mut self, a: &[Lit], by: &[Lit], fill: Lit, left: bool) -> Bits {
        let width = a.len();
        let mut bits = a.to_vec();
        let stages = usize::BITS - (width - 1).leading_zeros();
        for (stage, &select) in by.iter().enumerate().take(stages as usize) {
            let distance = 1usize << stage;
            let moved: Bits = (0..width)
                .map(|at| {
                    let from =
                        if left { at.checked_sub(distance) } else { at.checked_add(distance) };
                    from.and_then(|from| bits.get(from)).copied().unwrap_or(fill)
                })
                .collect();
            bits = self.choose(select, &moved, &bits);
        }
        let beyond = by.get(stages as usize..).unwrap_or(&[]);
        let beyond = self.any(beyond);
        let filled = vec![fill; width];
        self.choose(beyond, &filled, &bits)
    }
}

fn is_constant(lit: Lit) -> bool {
    lit == TRUE || lit == FALSE
}

fn signed_digits(bits: &[Lit]) -> Vec<i8> {
    let mut digits = vec![0; bits.len()];
    let mut carry = 0;
    for (at, slot) in digits.iter_mut().enumerate() {
        let bit = |at: usize| u8::from(bits.get(at) == Some(&TRUE));
        let here = bit(at) + carry;
        // An odd digit becomes −1 if a one follows, so that the run is closed further up.
        match (here, bit(at + 1)) {
            (1, 1) => {
                *slot = -1;
                carry = 1;
            }
            (1, _) => {
                *slot = 1;
                carry = 0;
            }
            (0, _) => carry = 0,
            _ => carry = 1,
        }
    }
    digits
}

//! Facts about a term that hold for all assignments: known bits and ranges.
//!
//! Only for terms of at most 64 bits; wider ones have no facts. Sound, never complete.

use super::{Node, Op, TermId, Terms, mask, signed};

/// Known bits and bounds, all consistent with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub width: u32,
    /// Bits that are certainly 0.
    pub zeros: u64,
    /// Bits that are certainly 1.
    pub ones: u64,
    pub umin: u64,
    pub umax: u64,
    pub smin: i64,
    pub smax: i64,
}

impl Facts {
    pub fn unknown(width: u32) -> Facts {
        let width = width.clamp(1, 64);
        Facts {
            width,
            zeros: !mask(width),
            ones: 0,
            umin: 0,
            umax: mask(width),
            smin: i64::MIN >> (64 - width),
            smax: i64::MAX >> (64 - width),
        }
    }

    fn exactly(width: u32, value: u64) -> Facts {
        let number = signed(value, width);
        Facts {
            width,
            zeros: !value,
            ones: value,
            umin: value,
            umax: value,
            smin: number,
            smax: number,
        }
    }

    fn range(width: u32, umin: u64, umax: u64) -> Facts {
        Facts { umin, umax, ..Facts::unknown(width) }.agree()
    }

    fn signed_range(width: u32, smin: i64, smax: i64) -> Facts {
        Facts { smin, smax, ..Facts::unknown(width) }.agree()
    }

    fn bits(width: u32, zeros: u64, ones: u64) -> Facts {
        let zeros = zeros | !mask(width);
        Facts { zeros, ones: ones & mask(width), ..Facts::unknown(width) }.agree()
    }

    /// The only possible value.
    pub fn only_value(&self) -> Option<u64> {
        (self.umin == self.umax && self.width <= 64).then_some(self.umin)
    }

    /// Bits that may be 1.
    pub fn possible(&self) -> u64 {
        !self.zeros
    }

    /// The facts of a node whose operands are in the table.
    pub fn of(terms: &Terms, node: &Node) -> Facts {
        if node.is_array() {
            return Facts { umax: 1, ..Facts::unknown(64) };
        }
        let width = u32::from(node.width);
        if width > 64 {
            return Facts::unknown(64);
        }
        match node.op {
            Op::Const => Facts::exactly(width, node.value()),
            Op::WideConst | Op::Var | Op::Select | Op::Apply => Facts::unknown(width),
            _ => Facts::of_operation(terms, node, width),
        }
    }

    fn of_operation(terms: &Terms, node: &Node, width: u32) -> Facts {
        let narrow = |raw| {
            let term = TermId::from_raw(raw)?;
            let is_narrow = !terms.is_array(term) && terms.width(term) <= 64;
            is_narrow.then(|| *terms.facts(term))
        };
        let Some(a) = narrow(node.a) else { return Facts::unknown(width) };
        if node.op.operand_count() == 1 {
            return a.unary(node, width);
        }
        let Some(b) = narrow(node.b) else { return Facts::unknown(width) };
        match (node.op, narrow(node.c)) {
            (Op::Ite, Some(c)) => b.either(&c),
            (Op::Ite, None) => Facts::unknown(width),
            (op, _) => a.binary(op, &b, width),
        }
    }

    fn unary(&self, node: &Node, width: u32) -> Facts {
        match node.op {
            Op::Not => Facts::bits(width, self.ones | !mask(width), self.zeros & mask(width)),
            Op::Neg => self.negated(width),
            Op::Extract => self.extracted(node.b, width),
            Op::ZExt => Facts {
                umin: self.umin,
                umax: self.umax,
                ..Facts::bits(width, self.zeros, self.ones)
            }
            .agree(),
            Op::SExt => self.sign_extended(width),
            _ => Facts::unknown(width),
        }
    }

    fn binary(&self, op: Op, other: &Facts, width: u32) -> Facts {
        let (a, b) = (self, other);
        match op {
            Op::And => Facts::bits(width, a.zeros | b.zeros, a.ones & b.ones),
            Op::Or => Facts::bits(width, a.zeros & b.zeros, a.ones | b.ones),
            Op::Xor => Facts::bits(
                width,
                (a.zeros & b.zeros) | (a.ones & b.ones),
                (a.zeros & b.ones) | (a.ones & b.zeros),
            ),
            Op::Add => a.sum(b, width),
            Op::Mul => a.product(b, width),
            Op::UDiv if b.umin > 0 => Facts::range(width, a.umin / b.umax, a.umax / b.umin),
            Op::URem if b.umin > 0 => Facts::range(width, 0, a.umax.min(b.umax - 1)),
            Op::URem => Facts::range(width, 0, a.umax),
            Op::SRem if b.smin > 0 => {
                let most = b.smax - 1;
                let low = if a.smin < 0 { a.smin.max(-most) } else { 0 };
                let high = if a.smax > 0 { a.smax.min(most) } else { 0 };
                Facts::signed_range(width, low, high)
            }
            Op::SDiv if b.smin > 0 => {
                let ends = [a.smin / b.smin, a.smin / b.smax, a.smax / b.smin, a.smax / b.smax];
                Facts::signed_range(width, least(ends), largest(ends))
            }
            Op::LShr => Facts::range(width, 0, a.umax),
            Op::Concat => a.joined(b, width),
            _ => Facts::unknown(width),
        }
    }

    fn either(&self, other: &Facts) -> Facts {
        Facts {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    fn negated(&self, width: u32) -> Facts {
        let zeros = self.trailing_zeros(width);
        let low = Facts::bits(width, !mask(width) | mask(zeros), 0);
        let (umin, umax) = match self.umin {
            0 => (0, mask(width)),
            least => (self.umax.wrapping_neg() & mask(width), least.wrapping_neg() & mask(width)),
        };
        let least_signed = i64::MIN >> (64 - width);
        let (smin, smax) =
            if self.smin == least_signed { (low.smin, low.smax) } else { (-self.smax, -self.smin) };
        Facts { umin, umax, smin, smax, ..low }.agree()
    }

    fn sum(&self, other: &Facts, width: u32) -> Facts {
        let certain = (self.zeros | self.ones) & (other.zeros | other.ones);
        let low = mask(certain.trailing_ones());
        let bits = self.ones.wrapping_add(other.ones) & low & mask(width);
        let known = Facts::bits(width, (low & !bits) | !mask(width), bits);
        let most = u128::from(self.umax) + u128::from(other.umax);
        let fits = most <= u128::from(mask(width));
        let (umin, umax) =
            if fits { (self.umin + other.umin, most as u64) } else { (known.umin, known.umax) };
        let smin = i128::from(self.smin) + i128::from(other.smin);
        let smax = i128::from(self.smax) + i128::from(other.smax);
        let all = Facts::unknown(width);
        let fits = smin >= i128::from(all.smin) && smax <= i128::from(all.smax);
        let (smin, smax) = if fits { (smin as i64, smax as i64) } else { (known.smin, known.smax) };
        Facts { umin, umax, smin, smax, ..known }.agree()
    }

    fn product(&self, other: &Facts, width: u32) -> Facts {
        let zeros = self.trailing_zeros(width) + other.trailing_zeros(width);
        let low = mask(zeros.min(width));
        let known = Facts::bits(width, low | !mask(width), 0);
        let most = u128::from(self.umax) * u128::from(other.umax);
        let all = Facts::unknown(width);
        let (umin, umax) = if most <= u128::from(mask(width)) {
            (self.umin * other.umin, most as u64)
        } else {
            (known.umin, known.umax)
        };
        let product = |x: i64, y: i64| i128::from(x) * i128::from(y);
        let ends = [
            product(self.smin, other.smin),
            product(self.smin, other.smax),
            product(self.smax, other.smin),
            product(self.smax, other.smax),
        ];
        let (smin, smax) = (least(ends), largest(ends));
        let fits = smin >= i128::from(all.smin) && smax <= i128::from(all.smax);
        let (smin, smax) = if fits { (smin as i64, smax as i64) } else { (known.smin, known.smax) };
        Facts { umin, umax, smin, smax, ..known }.agree()
    }

    fn extracted(&self, low: u32, width: u32) -> Facts {
        let bits = Facts::bits(width, (self.zeros >> low) | !mask(width), self.ones >> low);
        let (umin, umax) = (self.umin >> low, self.umax >> low);
        let fits = umax <= mask(width);
        let bounded = if fits { Facts { umin, umax, ..bits } } else { bits };
        let all = Facts::unknown(width);
        let fits = low == 0 && self.smin >= all.smin && self.smax <= all.smax;
        if fits {
            Facts { smin: self.smin, smax: self.smax, ..bounded }.agree()
        } else {
            bounded.agree()
        }
    }

    fn sign_extended(&self, width: u32) -> Facts {
        let high = mask(width) & !mask(self.width - 1);
        let sign = 1 << (self.width - 1);
        let zeros = (self.zeros & mask(self.width)) | if self.zeros & sign != 0 { high } else { 0 };
        let ones = self.ones | if self.ones & sign != 0 { high } else { 0 };
        let bits = Facts::bits(width, zeros | !mask(width), ones);
        Facts { smin: self.smin, smax: self.smax, ..bits }.agree()
    }

    fn joined(&self, low: &Facts, width: u32) -> Facts {
        let by = low.width;
        let zeros = (self.zeros << by) | (low.zeros & mask(by));
        let bits = Facts::bits(width, zeros, (self.ones << by) | low.ones);
        let (umin, umax) = ((self.umin << by) | low.umin, (self.umax << by) | low.umax);
        Facts { umin, umax, ..bits }.agree()
    }

    fn trailing_zeros(&self, width: u32) -> u32 {
        self.zeros.trailing_ones().min(width)
    }

    /// Lets bits and bounds refine each other.
    fn agree(mut self) -> Facts {
        for _ in 0..2 {
            self.umin = self.umin.max(self.ones);
            self.umax = self.umax.min(self.possible());
            self.bounds_of_signs();
            if self.umin > self.umax {
                // Facts of a term without a value under any assignment are contradictory: stay
                // sound.
                return Facts::unknown(self.width);
            }
            let differing = self.umin ^ self.umax;
            let common = !mask(64 - differing.leading_zeros());
            self.ones |= self.umin & common;
            self.zeros |= !self.umin & common;
        }
        self
    }

    fn bounds_of_signs(&mut self) {
        let sign = 1u64 << (self.width - 1);
        if self.umin & sign == self.umax & sign {
            self.smin = self.smin.max(signed(self.umin, self.width));
            self.smax = self.smax.min(signed(self.umax, self.width));
        }
        if (self.smin < 0) == (self.smax < 0) {
            self.umin = self.umin.max(self.smin as u64 & mask(self.width));
            self.umax = self.umax.min(self.smax as u64 & mask(self.width));
        }
    }
}

fn least<T: Ord, const N: usize>(values: [T; N]) -> T {
    values.into_iter().min().expect("there are some")
}

fn largest<T: Ord, const N: usize>(values: [T; N]) -> T {
    values.into_iter().max().expect("there are some")
}

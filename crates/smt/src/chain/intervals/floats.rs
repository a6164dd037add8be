//! Comparisons of a float with a constant as intervals of its bits.
//!
//! Bits of positive floats have the order of the floats, bits of negative ones the reverse. Both
//! zeros are one number, and NaNs are unordered.

use super::IntervalSet;
use crate::float::Format;
use crate::term::{Op, TermId, Terms, VarId, mask};

/// Readable numbers.
const PLEASANT: [f64; 12] =
    [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 10.0, -10.0, 100.0, 1000.0, -1000.0];

/// The variable and the bits for which the comparison holds, if it compares with a constant.
pub fn comparison(terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<(VarId, IntervalSet)> {
    let (side, set) = compared_side(terms, op, a, b)?;
    Some((terms.variable_of(side)?, set))
}

/// What is compared with a constant, and its bits for which the comparison holds.
pub fn compared_side(terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<(TermId, IntervalSet)> {
    let width = terms.width(a);
    let format = Format::of_width(width);
    let (side, constant, below) = match (terms.as_constant(a), terms.as_constant(b)) {
        (None, Some(constant)) => (a, constant, true),
        (Some(constant), None) => (b, constant, false),
        _ => return None,
    };
    if format.is_nan(constant) {
        return Some((side, IntervalSet::empty(width)));
    }
    let key = |bits: u64| key(bits, format);
    let is_zero = constant & !format.sign_bit() == 0;
    let least = if is_zero { key(format.sign_bit()) } else { key(constant) };
    let most = if is_zero { key(0) } else { key(constant) };
    let bottom = key(format.sign_bit() | format.infinity());
    let top = key(format.infinity());
    let (first, last) = match (op, below) {
        (Op::FEq, _) => (least, most),
        (Op::FLt, true) => (bottom, least - 1),
        (Op::FLt, false) => (most + 1, top),
        (_, true) => (bottom, most),
        (_, false) => (least, top),
    };
    Some((side, bits_between(first, last, format)))
}

/// A number whose unsigned order is that of the floats, the negative zero before the other.
fn key(bits: u64, format: Format) -> u64 {
    match bits & format.sign_bit() {
        0 => bits | format.sign_bit(),
        _ => !bits & mask(format.width()),
    }
}

/// The bits of all floats between two keys.
fn bits_between(first: u64, last: u64, format: Format) -> IntervalSet {
    let sign = format.sign_bit();
    let mut intervals = Vec::new();
    if first <= last && last >= sign {
        intervals.push((first.max(sign) - sign, last - sign));
    }
    if first <= last && first < sign {
        let bits = |key: u64| !key & mask(format.width());
        intervals.push((bits(last.min(sign - 1)), bits(first)));
    }
    IntervalSet { width: format.width(), intervals }
}

/// The most readable float of a set of bits: a small round number if there is one.
pub fn pleasant_float(set: &IntervalSet) -> Option<u64> {
    let bits = |number: f64| match set.width {
        64 => number.to_bits(),
        _ => u64::from((number as f32).to_bits()),
    };
    let number = |bits: u64| match set.width {
        64 => f64::from_bits(bits),
        _ => f64::from(f32::from_bits(bits as u32)),
    };
    let ends = set.intervals.iter().flat_map(|(first, last)| [number(*first), number(*last)]);
    let whole = ends.filter(|end| end.is_finite()).flat_map(|end| [end.ceil(), end.floor()]);
    let mut liked = PLEASANT.into_iter().chain(whole).map(bits);
    liked.find(|bits| set.contains(*bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::interval_set;
    use crate::eval::Evaluator;
    use crate::model::Model;
    use crate::term::Sort;

    #[test]
    fn sets_of_bits_contain_the_floats_that_compare_so() {
        let numbers = [
            0.0,
            -0.0,
            1.5,
            -1.5,
            f32::MIN_POSITIVE,
            -1e-45,
            1e-45,
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        let mut samples: Vec<u64> = Vec::new();
        for number in numbers {
            let bits = number.to_bits();
            samples.extend([bits.wrapping_sub(1), bits, bits.wrapping_add(1)].map(u64::from));
        }
        for constant in numbers {
            let t = &mut Terms::new();
            let x = t.variable("x", Sort::Bits(32));
            let c = t.constant(32, u64::from(constant.to_bits()));
            let conditions =
                [t.flt(x, c), t.flt(c, x), t.fle(x, c), t.fle(c, x), t.feq(x, c), t.feq(c, x)];
            for condition in conditions {
                if t.is_constant(condition) {
                    continue;
                }
                let (variable, set) = interval_set(t, condition).expect("a set of bits");
                for &value in &samples {
                    let mut model = Model::new();
                    model.set(variable, value);
                    let holds = Evaluator::new().holds(t, &model, &[condition]);
                    assert_eq!(set.contains(value), holds, "{constant:e} {value:#x} {set:x?}");
                }
            }
        }
    }

    #[test]
    fn a_round_number_is_preferred() {
        let t = &mut Terms::new();
        let x = t.variable("x", Sort::Bits(64));
        let c = t.constant(64, 2.25f64.to_bits());
        let above = t.flt(c, x);
        let (_, set) = interval_set(t, above).expect("a set of bits");
        assert_eq!(pleasant_float(&set).map(f64::from_bits), Some(10.0));
        let d = t.constant(64, 3.5f64.to_bits());
        let below = t.flt(x, d);
        let (_, other) = interval_set(t, below).expect("a set of bits");
        let both = set.intersect(&other);
        assert_eq!(pleasant_float(&both).map(f64::from_bits), Some(3.0));
    }
}

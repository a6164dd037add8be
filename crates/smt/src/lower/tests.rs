//! Floats in bits against floats of the hardware, and other lowered operations by evaluation.

use base::Random;

use super::*;
use crate::eval::Evaluator;
use crate::model::Model;
use crate::term::{Rounding, Sort, VarId};

/// Bits of a float; special and close values more often than chance has them.
fn float(random: &mut Random, width: u32) -> u64 {
    let fraction = if width == 64 { 52 } else { 23 };
    let all = crate::term::mask(width);
    let bits = random.next() & all;
    let sign = bits & (1 << (width - 1));
    let exponent_bits = crate::term::mask(width - 1 - fraction);
    let bias = exponent_bits >> 1;
    match random.next() % 8 {
        0 => sign | (exponent_bits << fraction),
        1 => sign,
        2 => sign | (bits & crate::term::mask(fraction)),
        3 => {
            sign | ((bias + random.next() % 70 - 4) << fraction)
                | (bits & crate::term::mask(fraction))
        }
        4 => sign | ((bias + random.next() % 4) << fraction) | (random.next() % 4),
        5 => sign | (random.next() % 4) | ((random.next() % 3) << fraction),
        6 => {
            sign | ((bias + random.next() % 60) << fraction)
                | (bits & crate::term::mask(fraction) & !crate::term::mask(fraction - 5))
        }
        _ => bits,
    }
}

/// Evaluates the term and its lowered form under random values of the variables.
fn check(terms: &mut Terms, term: TermId, rounds: usize, random: &mut Random) {
    let lowered = lower(terms, term).expect("the operation has a simpler form");
    let mut evaluator = Evaluator::new();
    for _ in 0..rounds {
        let mut model = Model::new();
        for variable in terms.variables() {
            let Sort::Bits(width) = terms.variable_info(variable).sort else { continue };
            let value = match width {
                32 | 64 => float(random, width),
                _ => random.next() & crate::term::mask(width),
            };
            model.set(VarId(variable.0), value);
        }
        evaluator.restart();
        let expected = evaluator.wide_value(terms, &model, term);
        let found = evaluator.wide_value(terms, &model, lowered);
        let values: Vec<String> =
            terms.variables().map(|v| format!("{:#x}", model.get(v))).collect();
        assert_eq!(
            found,
            expected,
            "{:?} of {values:?}: {found:x} not {expected:x}",
            terms.op(term)
        );
    }
}

#[test]
fn float_circuits_agree_with_the_hardware() {
    let mut random = Random::new(1);
    for width in [32, 64] {
        let t = &mut Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| t.variable(name, Sort::Bits(width)));
        let operations = [
            t.fadd(a, b),
            t.fsub(a, b),
            t.fmul(a, b),
            t.fdiv(a, b),
            t.fsqrt(a),
            t.fma(a, b, c),
            t.feq(a, b),
            t.flt(a, b),
            t.fle(a, b),
            t.fptofp(a, 96 - width),
        ];
        for term in operations {
            check(t, term, 2000, &mut random);
        }
        for rounding in Rounding::ALL {
            let term = t.fround(a, rounding);
            check(t, term, 1000, &mut random);
        }
        for integer in [8, 32, 64, 128] {
            let term = t.indefinite(a, integer);
            check(t, term, 1000, &mut random);
        }
        for (name, integer) in [("i", 16), ("j", 32), ("k", 64)] {
            let x = t.variable(name, Sort::Bits(integer));
            for term in [t.sitofp(x, width), t.uitofp(x, width)] {
                check(t, term, 1000, &mut random);
            }
        }
    }
}

#[test]
fn signed_division_is_unsigned_division_with_signs() {
    let mut random = Random::new(2);
    let t = &mut Terms::new();
    let (a, b) = (t.variable("a", Sort::Bits(5)), t.variable("b", Sort::Bits(5)));
    for term in [t.sdiv(a, b), t.srem(a, b)] {
        check(t, term, 2000, &mut random);
    }
}

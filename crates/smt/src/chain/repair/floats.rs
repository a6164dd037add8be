//! Values of one variable that may give a comparison of floats the wanted outcome.
//!
//! The difference of both sides is a function of the variable; the secant method finds a zero if
//! the function behaves well there. Nearby integers and some common constants are proposed too.
//! Nothing here needs to be right: every proposal is evaluated.

use crate::eval::Evaluator;
use crate::model::Model;
use crate::term::{Op, Sort, TermId, Terms, VarId, mask, signed};

/// Steps of the secant method.
const STEPS: usize = 14;

/// Numbers that often suffice.
const USUAL: [f64; 8] = [0.0, 1.0, -1.0, 0.5, 2.0, 10.0, 100.0, -100.0];

/// How to read a variable's bits as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Float,
    Integer,
}

/// Whether the sides of a comparison are floats: by its operation, or by that of one side.
pub fn is_about_floats(terms: &Terms, comparison: TermId) -> bool {
    let op = terms.op(comparison);
    let is_float = |side: usize| {
        let side = terms.operand(comparison, side);
        let made = matches!(
            terms.op(side),
            Op::FAdd
                | Op::FSub
                | Op::FMul
                | Op::FDiv
                | Op::FRem
                | Op::FSqrt
                | Op::FFma
                | Op::SiToF
                | Op::UiToF
                | Op::FToF
                | Op::FRound
                | Op::Apply
        );
        made && matches!(terms.width(side), 32 | 64)
    };
    matches!(op, Op::FEq | Op::FLt | Op::FLe) || is_float(0) || is_float(1)
}

/// Appends values of the variable to try. The comparison is one of floats.
pub fn propose(
    terms: &Terms,
    evaluator: &mut Evaluator,
    model: &mut Model,
    comparison: TermId,
    variable: VarId,
    proposals: &mut Vec<u64>,
) {
    let Sort::Bits(width @ 1..=64) = terms.variable_info(variable).sort else { return };
    let kind = kind_of(terms, comparison, terms.variable_term(variable));
    let old = model.get(variable);
    let mut numbers: Vec<f64> = USUAL.to_vec();
    let start = number(kind, width, old);
    let start = if start.is_finite() { start } else { 0.0 };
    let mut difference = |x: f64| {
        model.set(variable, bits(kind, width, x));
        evaluator.restart();
        let [a, b] = [0, 1].map(|side| {
            let side = terms.operand(comparison, side);
            let value = evaluator.value(terms, model, side);
            number(Kind::Float, terms.width(side), value)
        });
        a - b
    };
    for first in [start, 1.0] {
        secant(first, &mut difference, &mut numbers);
    }
    model.set(variable, old);
    for x in numbers {
        for near in [x, x.round(), x + 1.0, x - 1.0] {
            let value = bits(kind, width, near);
            if !proposals.contains(&value) {
                proposals.push(value);
            }
        }
    }
    // The comparison may even require a NaN.
    if kind == Kind::Float {
        proposals
            .extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|x| bits(kind, width, x)));
    }
}

/// Appends the numbers that the secant method visits on its way to a zero of the function.
fn secant(first: f64, function: &mut impl FnMut(f64) -> f64, numbers: &mut Vec<f64>) {
    let (mut x, mut y) = (first, first + 1.0 + first.abs() * 0.125);
    let (mut at_x, mut at_y) = (function(x), function(y));
    for _ in 0..STEPS {
        let next = y - at_y * (y - x) / (at_y - at_x);
        if !next.is_finite() || next == y {
            break;
        }
        numbers.push(next);
        (x, at_x) = (y, at_y);
        (y, at_y) = (next, function(next));
    }
}

/// A variable is a float if an operation on floats takes it directly.
fn kind_of(terms: &Terms, comparison: TermId, variable: TermId) -> Kind {
    let mut stack = vec![comparison];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let op = terms.op(term);
        let of_floats = (Op::FAdd..=Op::FRound).contains(&op)
            && !matches!(op, Op::SiToF | Op::UiToF)
            || op == Op::Apply;
        if of_floats && terms.operands(term).any(|operand| operand == variable) {
            return Kind::Float;
        }
        stack.extend(terms.operands(term));
    }
    Kind::Integer
}

fn number(kind: Kind, width: u32, value: u64) -> f64 {
    match (kind, width) {
        (Kind::Float, 64) => f64::from_bits(value),
        (Kind::Float, 32) => f64::from(f32::from_bits(value as u32)),
        _ => signed(value, width) as f64,
    }
}

fn bits(kind: Kind, width: u32, number: f64) -> u64 {
    match (kind, width) {
        (Kind::Float, 64) => number.to_bits(),
        (Kind::Float, 32) => u64::from((number as f32).to_bits()),
        _ => number as i64 as u64 & mask(width),
    }
}

//! Rewrites operations in simpler ones, for the bit-blaster: signed division, reads of written
//! arrays, and floats.
//!
//! One step at a time, terms to terms, so that the simplifier works on the result and each rule can
//! be tested by evaluation.

mod arithmetic;
mod float;
#[cfg(test)]
mod tests;

use crate::term::{Op, TermId, Terms};

/// The term in simpler terms, unless its topmost operation has a circuit or is cut off.
pub fn lower(terms: &mut Terms, term: TermId) -> Option<TermId> {
    let op = terms.op(term);
    match op {
        Op::SDiv | Op::SRem => Some(signed_division(terms, term, op)),
        Op::Select => select(terms, term),
        Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FSqrt
        | Op::FFma
        | Op::FEq
        | Op::FLt
        | Op::FLe
        | Op::FToSi
        | Op::SiToF
        | Op::UiToF
        | Op::FToF
        | Op::FRound => Some(float::lower(terms, term)),
        _ => None,
    }
}

fn signed_division(t: &mut Terms, term: TermId, op: Op) -> TermId {
    let (a, b) = (t.operand(term, 0), t.operand(term, 1));
    let top = t.width(a) - 1;
    let (a_negative, b_negative) = (t.extract(a, top, 1), t.extract(b, top, 1));
    let (minus_a, minus_b) = (t.neg(a), t.neg(b));
    let (x, y) = (t.ite(a_negative, minus_a, a), t.ite(b_negative, minus_b, b));
    let (result, negative) = match op {
        Op::SDiv => (t.udiv(x, y), t.xor(a_negative, b_negative)),
        _ => (t.urem(x, y), a_negative),
    };
    let negated = t.neg(result);
    t.ite(negative, negated, result)
}

fn select(t: &mut Terms, term: TermId) -> Option<TermId> {
    let (array, index) = (t.operand(term, 0), t.operand(term, 1));
    match t.op(array) {
        Op::Store => {
            let (below, at, value) =
                (t.operand(array, 0), t.operand(array, 1), t.operand(array, 2));
            let hit = t.eq(at, index);
            let rest = t.select(below, index);
            Some(t.ite(hit, value, rest))
        }
        Op::Ite => {
            let (c, x, y) = t.match_ite(array)?;
            let (x, y) = (t.select(x, index), t.select(y, index));
            Some(t.ite(c, x, y))
        }
        _ => None,
    }
}

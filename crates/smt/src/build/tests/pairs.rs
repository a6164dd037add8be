//! Every operation on every pair of operands of the forms that rules look for, compared with the
//! same term as written: bit vectors under all values of their variables, floats under many.

use super::super::*;
use crate::FloatOrder;
use crate::eval::Evaluator;
use crate::model::Model;
use crate::term::{Rounding, VarId, mask};

/// The same term simplified and as written.
type Pair = (TermId, TermId);

/// Two tables, of which the second leaves terms as they are asked for.
struct Tables {
    simple: Terms,
    raw: Terms,
    pairs: Vec<Pair>,
}

impl Tables {
    fn new(variables: &[(&str, u32)]) -> Tables {
        let mut tables = Tables { simple: Terms::new(), raw: Terms::new(), pairs: Vec::new() };
        tables.raw.raw = true;
        for (name, width) in variables {
            tables.variable(name, *width);
        }
        tables
    }

    fn variable(&mut self, name: &str, width: u32) -> Pair {
        let sort = Sort::Bits(width);
        (self.simple.variable(name, sort), self.raw.variable(name, sort))
    }

    /// Builds a term in both tables and keeps it.
    fn make(&mut self, operands: &[Pair], build: impl Fn(&mut Terms, &[TermId]) -> TermId) -> Pair {
        let simple: Vec<TermId> = operands.iter().map(|pair| pair.0).collect();
        let raw: Vec<TermId> = operands.iter().map(|pair| pair.1).collect();
        let pair = (build(&mut self.simple, &simple), build(&mut self.raw, &raw));
        self.pairs.push(pair);
        pair
    }

    fn constant(&mut self, width: u32, value: u64) -> Pair {
        self.make(&[], |t, _| t.constant(width, value))
    }

    /// All pairs have the same value under the assignment.
    fn compare(&self, evaluators: &mut [Evaluator; 2], values: &[u64]) {
        let mut model = Model::new();
        for (number, value) in (0..).zip(values) {
            model.set(VarId(number), *value);
        }
        let [simple, raw] = evaluators;
        simple.restart();
        raw.restart();
        for (a, b) in &self.pairs {
            let x = simple.value(&self.simple, &model, *a);
            let y = raw.value(&self.raw, &model, *b);
            assert_eq!(
                x,
                y,
                "under {values:x?}: {} and {}",
                crate::smtlib::print_definitions(&self.simple, &[*a]),
                crate::smtlib::print_definitions(&self.raw, &[*b]),
            );
        }
    }
}

/// Operands of four bits in the forms that rules look for.
fn bit_shapes(t: &mut Tables) -> Vec<Pair> {
    let (x, y, p) = (t.variable("x", 4), t.variable("y", 4), t.variable("p", 1));
    let mut shapes = vec![x, y];
    for value in [0, 1, 2, 3, 7, 8, 12, 15] {
        shapes.push(t.constant(4, value));
    }
    let three = t.constant(4, 3);
    let one = t.constant(4, 1);
    let eight = t.constant(4, 8);
    shapes.extend([
        t.make(&[x], |t, o| t.not(o[0])),
        t.make(&[x], |t, o| t.neg(o[0])),
        t.make(&[x, one], |t, o| t.add(o[0], o[1])),
        t.make(&[x, y], |t, o| t.add(o[0], o[1])),
        t.make(&[x, y], |t, o| t.sub(o[0], o[1])),
        t.make(&[x, three], |t, o| t.mul(o[0], o[1])),
        t.make(&[x, y], |t, o| t.mul(o[0], o[1])),
        t.make(&[x, y], |t, o| t.and(o[0], o[1])),
        t.make(&[x, three], |t, o| t.and(o[0], o[1])),
        t.make(&[y, eight], |t, o| t.or(o[0], o[1])),
        t.make(&[x, y], |t, o| t.xor(o[0], o[1])),
        t.make(&[x, one], |t, o| t.shl(o[0], o[1])),
        t.make(&[x, one], |t, o| t.lshr(o[0], o[1])),
        t.make(&[x, one], |t, o| t.ashr(o[0], o[1])),
        t.make(&[x, three], |t, o| t.udiv(o[0], o[1])),
        t.make(&[x, three], |t, o| t.srem(o[0], o[1])),
        t.make(&[p], |t, o| t.zext(o[0], 4)),
        t.make(&[p], |t, o| t.sext(o[0], 4)),
        t.make(&[p, x, y], |t, o| t.ite(o[0], o[1], o[2])),
        t.make(&[p, one, eight], |t, o| t.ite(o[0], o[1], o[2])),
        t.make(&[p, x, three], |t, o| t.ite(o[0], o[1], o[2])),
    ]);
    let low = t.make(&[x], |t, o| t.extract(o[0], 0, 2));
    let high = t.make(&[y], |t, o| t.extract(o[0], 2, 2));
    shapes.extend([
        t.make(&[low], |t, o| t.zext(o[0], 4)),
        t.make(&[low], |t, o| t.sext(o[0], 4)),
        t.make(&[high, low], |t, o| t.concat(o[0], o[1])),
    ]);
    shapes
}

fn binary_operation(t: &mut Terms, number: usize, a: TermId, b: TermId) -> TermId {
    match number {
        0 => t.add(a, b),
        1 => t.sub(a, b),
        2 => t.mul(a, b),
        3 => t.udiv(a, b),
        4 => t.sdiv(a, b),
        5 => t.urem(a, b),
        6 => t.srem(a, b),
        7 => t.and(a, b),
        8 => t.or(a, b),
        9 => t.xor(a, b),
        10 => t.shl(a, b),
        11 => t.lshr(a, b),
        12 => t.ashr(a, b),
        13 => t.rotate_left(a, b),
        14 => t.eq(a, b),
        15 => t.ult(a, b),
        16 => t.slt(a, b),
        17 => t.ule(a, b),
        18 => t.sle(a, b),
        _ => t.concat(a, b),
    }
}

#[test]
fn operations_on_pairs_of_bit_vectors_keep_their_values() {
    let mut t = Tables::new(&[("x", 4), ("y", 4), ("p", 1)]);
    let shapes = bit_shapes(&mut t);
    let p = t.variable("p", 1);
    let limits: Vec<Pair> = [0, 1, 5, 8, 15].map(|value| t.constant(4, value)).to_vec();
    let mut turn = 0;
    for a in &shapes {
        for b in &shapes {
            for number in 0..20 {
                let result = t.make(&[*a, *b], |t, o| binary_operation(t, number, o[0], o[1]));
                turn += 1;
                // Results in turn become operands of what rules like to look through.
                match (number, turn % 7) {
                    (0..=13, 0..=2) => {
                        let limit = limits[turn % limits.len()];
                        t.make(&[result, limit], |t, o| {
                            binary_operation(t, 14 + turn % 3, o[0], o[1])
                        });
                        t.make(&[limit, result], |t, o| t.slt(o[0], o[1]));
                    }
                    (0..=13, 3) => {
                        t.make(&[result], |t, o| t.extract(o[0], (turn % 3) as u32, 2));
                    }
                    (0..=13, 4) => {
                        t.make(&[p, result, *b], |t, o| t.ite(o[0], o[1], o[2]));
                    }
                    (14..=18, 0..=2) => {
                        t.make(&[result, *a, *b], |t, o| t.ite(o[0], o[1], o[2]));
                        t.make(&[result, p], |t, o| binary_operation(t, 7 + turn % 3, o[0], o[1]));
                    }
                    (14..=18, 3) => {
                        t.make(&[result], |t, o| t.not(o[0]));
                        t.make(&[result], |t, o| t.zext(o[0], 4));
                    }
                    _ => {}
                }
            }
        }
        for width in 1..=4 {
            for low in 0..=4 - width {
                let piece = t.make(&[*a], |t, o| t.extract(o[0], low, width));
                t.make(&[piece], |t, o| t.sext(o[0], 6));
                t.make(&[piece], |t, o| t.zext(o[0], 6));
            }
        }
    }
    let mut evaluators = [Evaluator::new(), Evaluator::new()];
    for values in 0..512 {
        t.compare(&mut evaluators, &[values & 15, values >> 4 & 15, values >> 8]);
    }
}

/// Operands that are floats, in the forms that rules look for.
fn float_shapes(t: &mut Tables, width: u32) -> Vec<Pair> {
    let (x, y) = (t.variable("x", width), t.variable("y", width));
    let (i, p) = (t.variable("i", 16), t.variable("p", 1));
    let mut shapes = vec![x, y];
    for number in [0.0, -0.0, 1.0, -1.5, 2.0, -0.125, 40000.5, f64::INFINITY, f64::NAN] {
        let bits = match width {
            64 => number.to_bits(),
            _ => u64::from((number as f32).to_bits()),
        };
        shapes.push(t.constant(width, bits));
    }
    shapes.extend([
        t.make(&[x], |t, o| t.fneg(o[0])),
        t.make(&[x], |t, o| t.fabs(o[0])),
        t.make(&[i], |t, o| t.sitofp(o[0], width)),
        t.make(&[i], |t, o| t.uitofp(o[0], width)),
        t.make(&[x, y], |t, o| t.fadd(o[0], o[1])),
        t.make(&[x, y], |t, o| t.copysign(o[0], o[1])),
        t.make(&[x], |t, o| t.fround(o[0], Rounding::TowardZero)),
        t.make(&[p, x, y], |t, o| t.ite(o[0], o[1], o[2])),
    ]);
    let other = 96 - width;
    let converted = t.make(&[x], |t, o| t.fptofp(o[0], other));
    shapes.push(t.make(&[converted], |t, o| t.fptofp(o[0], width)));
    let whole = t.make(&[y], |t, o| t.fptosi(o[0], 32));
    shapes.push(t.make(&[whole], |t, o| t.sitofp(o[0], width)));
    shapes
}

fn float_operation(t: &mut Terms, number: usize, a: TermId, b: TermId) -> TermId {
    let order = |bits: usize| FloatOrder {
        less: bits & 1 != 0,
        equal: bits & 2 != 0,
        greater: bits & 4 != 0,
        unordered: bits & 8 != 0,
    };
    match number {
        0..=15 => t.fcmp(order(number), a, b),
        16 => t.fadd(a, b),
        17 => t.fsub(a, b),
        18 => t.fmul(a, b),
        19 => t.fdiv(a, b),
        20 => t.fmin(a, b),
        21 => t.fmax(a, b),
        22 => t.copysign(a, b),
        23 => t.frem(a, b),
        24 => t.fma(a, b, a),
        25 => t.feq(a, b),
        26 => t.flt(a, b),
        _ => t.fle(a, b),
    }
}

fn check_floats(width: u32) {
    let mut t = Tables::new(&[("x", width), ("y", width), ("i", 16), ("p", 1)]);
    let shapes = float_shapes(&mut t, width);
    for a in &shapes {
        for b in &shapes {
            for number in 0..28 {
                t.make(&[*a, *b], |t, o| float_operation(t, number, o[0], o[1]));
            }
        }
        for bits in [8, 32, 64] {
            t.make(&[*a], |t, o| t.fptosi(o[0], bits));
            t.make(&[*a], |t, o| t.fptoui(o[0], bits));
        }
        for rounding in Rounding::ALL {
            t.make(&[*a], |t, o| t.fround(o[0], rounding));
        }
        t.make(&[*a], |t, o| t.fptofp(o[0], 96 - width));
        t.make(&[*a], |t, o| t.fsqrt(o[0]));
        t.make(&[*a], |t, o| t.is_nan(o[0]));
        t.make(&[*a], |t, o| t.is_infinite(o[0]));
        t.make(&[*a], |t, o| t.is_float_zero(o[0]));
    }
    let mut generator = super::Generator { random: base::Random::new(u64::from(width)) };
    let mut evaluators = [Evaluator::new(), Evaluator::new()];
    for round in 0..150 {
        let mut values = [width, width, 16, 1].map(|w| generator.value(w) & mask(w));
        // Equal operands are a case of their own.
        if round % 8 == 0 {
            values[1] = values[0];
        }
        t.compare(&mut evaluators, &values);
    }
}

#[test]
fn operations_on_pairs_of_floats_keep_their_values() {
    check_floats(32);
    check_floats(64);
}

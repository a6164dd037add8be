//! Generated queries: a few operations on a few variables, compared with each other.

use base::Random;
use smt::{Function, Rounding, Sort, TermId, Terms};

/// Small numbers, powers of two and their neighbours, the largest ones.
fn constant(r: &mut Random, width: u32) -> u64 {
    match r.number(4) {
        0 | 1 => r.number(20),
        2 => (1u64 << r.number(u64::from(width.min(64)))).wrapping_sub(r.number(3)),
        _ => r.number(20).wrapping_neg(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Bits,
    Arrays,
    Functions,
    Floats,
}

impl Theory {
    pub const ALL: [Theory; 4] = [Theory::Bits, Theory::Arrays, Theory::Functions, Theory::Floats];

    pub fn logic(self) -> &'static str {
        match self {
            Theory::Bits => "QF_BV",
            Theory::Arrays => "QF_ABV",
            Theory::Functions => "QF_UFBV",
            Theory::Floats => "QF_FP",
        }
    }
}

/// Conditions over the variables `x`, `y`, `z`, the array `m` and the function `f`.
pub fn question(t: &mut Terms, r: &mut Random, theory: Theory) -> Vec<TermId> {
    if theory == Theory::Floats {
        return float_question(t, r);
    }
    let width = r.pick(&[1, 3, 8, 8, 8, 12, 16, 32, 64, 70]).min(match theory {
        Theory::Bits => 70,
        _ => 32,
    });
    let mut pool: Vec<TermId> =
        ["x", "y", "z"].map(|name| t.variable(name, Sort::Bits(width))).to_vec();
    let narrow = width.min(64);
    let mut array = t.variable("m", Sort::Array { index: narrow, element: narrow });
    let other = t.variable("n", Sort::Array { index: narrow, element: narrow });
    let function = t.function(Function {
        name: "f".to_owned(),
        arguments: vec![narrow],
        result: narrow,
        value: None,
    });
    for _ in 0..5 {
        let (a, b) = (r.pick(&pool), r.pick(&pool));
        let term = match (theory, r.number(2)) {
            (Theory::Arrays, 0) => t.select(array, a),
            (Theory::Functions, 0) => t.apply(function, &[a]),
            _ => operation(t, r, a, b),
        };
        pool.push(term);
        match (theory, r.number(6)) {
            (Theory::Arrays, 0..=2) => array = t.store(array, a, b),
            (Theory::Arrays, 3) => {
                let condition = t.ult(a, b);
                array = t.ite(condition, array, other);
            }
            _ => {}
        }
    }
    (0..4).map(|_| comparison(t, r, &pool)).collect()
}

fn comparison(t: &mut Terms, r: &mut Random, pool: &[TermId]) -> TermId {
    let (a, b) = (r.pick(pool), r.pick(pool));
    let width = t.width(a);
    let b = if r.number(3) == 0 { t.constant(width, constant(r, width)) } else { b };
    let condition = match r.number(3) {
        0 => t.eq(a, b),
        1 => t.ult(a, b),
        _ => t.slt(a, b),
    };
    if r.number(3) == 0 { t.not(condition) } else { condition }
}

fn operation(t: &mut Terms, r: &mut Random, a: TermId, b: TermId) -> TermId {
    let width = t.width(a);
    let k = t.constant(width, constant(r, width));
    // Circuits of wide products and quotients are slow in every solver.
    let slow = width > 12;
    let b = if slow && r.number(4) > 0 { k } else { b };
    let first = if slow && r.number(4) > 0 { 7 } else { 0 };
    match first + r.number(20 - first) {
        0 => t.add(a, b),
        1 => t.sub(a, b),
        2 => t.mul(a, b),
        3 => t.udiv(a, k),
        4 => t.urem(a, b),
        5 => t.sdiv(a, b),
        6 => t.srem(a, k),
        7 => t.shl(a, b),
        8 => t.lshr(a, b),
        9 => t.ashr(a, b),
        10 => t.and(a, b),
        11 => t.xor(a, b),
        12 => t.or(a, k),
        13 => t.rotate_right(a, b),
        14 => t.neg(a),
        15 if width > 1 => {
            let half = width / 2;
            let low = t.extract(a, 0, half);
            if r.number(2) == 0 { t.sext(low, width) } else { t.zext(low, width) }
        }
        16 if width > 1 => {
            let cut = 1 + r.number(u64::from(width) - 1) as u32;
            let (high, low) = (t.extract(a, 0, width - cut), t.extract(b, width - cut, cut));
            t.concat(high, low)
        }
        17 if width <= 16 => {
            // Whether a product overflows, in the way that compilers check it.
            let (wide_a, wide_b) = (t.sext(a, 2 * width), t.sext(b, 2 * width));
            let product = t.mul(wide_a, wide_b);
            let narrow = t.extract(product, 0, width);
            let again = t.sext(narrow, 2 * width);
            let overflows = t.ne(product, again);
            t.ite(overflows, k, narrow)
        }
        _ => {
            let condition = t.ult(a, b);
            t.ite(condition, a, k)
        }
    }
}

fn float_question(t: &mut Terms, r: &mut Random) -> Vec<TermId> {
    let width = r.pick(&[32, 32, 32, 64]);
    let mut pool: Vec<TermId> = ["x", "y"].map(|name| t.variable(name, Sort::Bits(width))).to_vec();
    for _ in 0..2 {
        let constant = float_constant(t, r, width);
        pool.push(constant);
    }
    for _ in 0..3 {
        let (a, b) = (r.pick(&pool), r.pick(&pool));
        let term = float_operation(t, r, a, b);
        pool.push(term);
    }
    let mut conditions = Vec::new();
    for _ in 0..3 {
        let (a, b) = (r.pick(&pool), r.pick(&pool));
        let condition = match r.number(6) {
            0 => t.feq(a, b),
            1 | 2 => t.flt(a, b),
            3 => t.fle(a, b),
            4 => t.is_nan(a),
            _ => t.is_infinite(a),
        };
        conditions.push(if r.number(3) == 0 { t.not(condition) } else { condition });
    }
    conditions
}

fn float_constant(t: &mut Terms, r: &mut Random, width: u32) -> TermId {
    let numbers =
        [1.0, -2.5, 0.1, 1e20, 0.0, -0.0, 3.0, f64::INFINITY, 5e-324, 1e-40, 2147483648.0, -0.5];
    let number = r.pick(&numbers);
    match width {
        32 => t.constant(32, u64::from((number as f32).to_bits())),
        _ => t.constant(64, number.to_bits()),
    }
}

fn float_operation(t: &mut Terms, r: &mut Random, a: TermId, b: TermId) -> TermId {
    let width = t.width(a);
    let rounding = r.pick(&Rounding::ALL);
    let constant = float_constant(t, r, width);
    match r.number(16) {
        0 | 1 => t.fadd(a, b),
        2 => t.fsub(a, b),
        3 if width == 32 => t.fmul(a, b),
        3 | 4 => t.fmul(a, constant),
        5 => t.fdiv(a, constant),
        6 if width == 32 => t.fsqrt(a),
        7 if width == 32 => t.fma(a, constant, b),
        8 => t.fneg(a),
        9 => t.fabs(b),
        10 | 6 | 7 => t.fround(a, rounding),
        11 => {
            let bits = r.pick(&[8, 16, 32, 64]);
            let number = t.fptosi(a, bits);
            t.sitofp(number, width)
        }
        12 => {
            let bits = r.pick(&[8, 16, 32, 64]);
            let number = t.fptoui(a, bits);
            t.uitofp(number, width)
        }
        13 => {
            let other = t.fptofp(a, 96 - width);
            let doubled = t.fadd(other, other);
            t.fptofp(doubled, width)
        }
        14 => t.fmin(a, b),
        _ => {
            let condition = t.flt(a, b);
            t.ite(condition, a, b)
        }
    }
}

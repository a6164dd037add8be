//! Rules of the simplifier, each by example, and all together against evaluation.

mod pairs;

use base::Random;
use num_bigint::BigUint;

use super::*;
use crate::eval::Evaluator;
use crate::model::Model;
use crate::term::{Function, FunctionId, Rounding, VarId};

fn var(terms: &mut Terms, name: &str, width: u32) -> TermId {
    terms.variable(name, Sort::Bits(width))
}

#[test]
fn a_value_cut_into_bytes_and_joined_again_is_itself() {
    let mut t = Terms::new();
    let x = var(&mut t, "x", 32);
    let c = var(&mut t, "c", 8);
    let extended = t.sext(c, 32);
    let one = t.constant(32, 1);
    let sum = t.add(extended, one);
    let unsigned = t.zext(c, 32);
    let condition = t.eq(x, one);
    let choice = t.ite(condition, one, x);
    for value in [x, extended, sum, unsigned, choice] {
        let bytes: Vec<TermId> = (0..4).map(|i| t.extract(value, 8 * i, 8)).collect();
        let joined = bytes[1..].iter().fold(bytes[0], |low, high| t.concat(*high, low));
        assert_eq!(joined, value);
        let right = bytes[..3].iter().rev().fold(bytes[3], |high, low| t.concat(high, *low));
        assert_eq!(right, value);
    }
}

#[test]
fn a_comparison_of_an_extended_byte_is_one_of_the_byte() {
    let mut t = Terms::new();
    let c = var(&mut t, "c", 8);
    let wide = t.sext(c, 32);
    let (sixty, narrow) = (t.constant(32, 60), t.constant(8, 60));
    let (left, right) = (t.slt(wide, sixty), t.slt(c, narrow));
    assert_eq!(left, right);
    let big = t.constant(32, 200);
    assert_eq!(t.slt(wide, big), Terms::TRUE);
    assert_eq!(t.eq(wide, big), Terms::FALSE);
    let flag = var(&mut t, "flag", 1);
    let number = t.zext(flag, 32);
    let zero = t.constant(32, 0);
    assert_eq!(t.ne(number, zero), flag);
}

#[test]
fn a_division_by_a_power_of_two_is_a_product_whose_constant_is_last() {
    let mut t = Terms::new();
    let x = var(&mut t, "x", 64);
    let [two, half, three] = [2.0, 0.5, 3.0].map(|number: f64| t.constant(64, number.to_bits()));
    let (quotient, product) = (t.fdiv(x, two), t.fmul(x, half));
    assert_eq!((quotient, t.fmul(half, x)), (product, product));
    assert_eq!(t.fadd(two, x), t.fadd(x, two));
    let third = t.fdiv(x, three);
    assert_eq!(t.op(third), Op::FDiv);
    let nan = t.constant(64, f64::NAN.to_bits());
    assert_ne!(t.fadd(nan, x), t.fadd(x, nan));
}

#[test]
fn constants_move_to_one_side_of_an_equation() {
    let mut t = Terms::new();
    let x = var(&mut t, "x", 32);
    let (three, ten) = (t.constant(32, 3), t.constant(32, 10));
    let sum = t.add(x, three);
    let equal = t.eq(sum, ten);
    let seven = t.constant(32, 7);
    assert_eq!(equal, t.eq(x, seven));
    let product = t.mul(x, three);
    let twenty_one = t.constant(32, 21);
    assert_eq!(t.eq(product, twenty_one), equal);
}

#[test]
fn bytes_put_together_by_shifts_are_a_concatenation() {
    let mut t = Terms::new();
    let (a, b) = (var(&mut t, "a", 8), var(&mut t, "b", 8));
    let (wide_a, wide_b) = (t.zext(a, 32), t.zext(b, 32));
    let eight = t.constant(32, 8);
    let shifted = t.shl(wide_b, eight);
    let both = t.or(shifted, wide_a);
    let joined = t.concat(b, a);
    assert_eq!(both, t.zext(joined, 32));
    assert_eq!(t.add(shifted, wide_a), both);
}

#[test]
fn reads_see_the_stores_they_certainly_hit() {
    let mut t = Terms::new();
    let array = t.variable("m", Sort::Array { index: 64, element: 8 });
    let (i, j) = (var(&mut t, "i", 64), var(&mut t, "j", 64));
    let value = var(&mut t, "v", 8);
    let one = t.constant(64, 1);
    let next = t.add(i, one);
    let stored = t.store(array, i, value);
    let twice = t.store(stored, next, value);
    assert_eq!(t.select(twice, i), value);
    assert_eq!(t.select(twice, next), value);
    let other = t.select(twice, j);
    assert_eq!(t.op(other), Op::Select);
}

/// A generator of random terms that replays the same choices into two tables.
struct Generator {
    random: Random,
}

impl Generator {
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    fn value(&mut self, width: u32) -> u64 {
        let interesting = [0, 1, 2, 7, 8, 10, 48, 127, 128, 255, 256, u64::MAX, u64::MAX - 1];
        match self.below(4) {
            0 => self.random.next(),
            1 => 1 << self.below(width.min(64) as usize),
            2 => {
                // Floats that are not all NaN: small numbers, infinities, zeros.
                let floats = [0.0, -0.0, 1.0, 0.5, -2.5, 1e10, f64::INFINITY, f64::NAN, 5e-324];
                let float = floats[self.below(floats.len())];
                if width == 32 { u64::from((float as f32).to_bits()) } else { float.to_bits() }
            }
            _ => interesting[self.below(interesting.len())],
        }
    }
}

const WIDTHS: [u32; 7] = [1, 8, 16, 32, 64, 100, 128];

/// Pools of corresponding terms, by width.
struct Pools {
    pairs: Vec<Vec<(TermId, TermId)>>,
}

impl Pools {
    fn pick(&self, g: &mut Generator, width: usize) -> (TermId, TermId) {
        let pool = &self.pairs[width];
        // Recent terms more often, to get depth.
        let recent = pool.len().saturating_sub(6);
        let start = if g.below(2) == 0 { recent } else { 0 };
        pool[start + g.below(pool.len() - start)]
    }
}

fn width_index(width: u32) -> Option<usize> {
    WIDTHS.iter().position(|w| *w == width)
}

/// One random operation done in both tables. `None` if its width is not one of the pools'.
fn random_step(
    g: &mut Generator,
    pools: &Pools,
    function: FunctionId,
    both: &mut [Terms; 2],
) -> Option<(usize, [TermId; 2])> {
    let kind = g.below(40);
    let index = g.below(WIDTHS.len());
    let width = WIDTHS[index];
    let (a, b, c) = (pools.pick(g, index), pools.pick(g, index), pools.pick(g, 0));
    let (constant, shift) = (g.value(width), g.below(width as usize) as u64);
    let other = WIDTHS[g.below(WIDTHS.len())];
    let low = g.below(width as usize) as u32;
    let count = 1 + g.below((width - low) as usize) as u32;
    let float = 3 + g.below(2);
    let (fa, fb, fc) = (pools.pick(g, float), pools.pick(g, float), pools.pick(g, float));
    let rounding = Rounding::ALL[g.below(5)];
    let beside = g.below(WIDTHS.len());
    let neighbour = pools.pick(g, beside);
    let (mut results, mut result_width) = ([a.0; 2], None);
    for (side, terms) in both.iter_mut().enumerate() {
        let of = |pair: (TermId, TermId)| if side == 0 { pair.0 } else { pair.1 };
        let (a, b, c) = (of(a), of(b), of(c));
        let (fa, fb, fc) = (of(fa), of(fb), of(fc));
        let k = terms.constant(width, constant);
        let by = terms.constant(width, shift);
        let result = match kind {
            0 => terms.add(a, b),
            1 => terms.add(a, k),
            2 => terms.sub(a, b),
            3 => terms.mul(a, b),
            4 => terms.mul(a, k),
            5 => terms.udiv(a, b),
            6 => terms.sdiv(a, k),
            7 => terms.urem(a, k),
            8 => terms.srem(a, b),
            9 => terms.and(a, b),
            10 => terms.and(a, k),
            11 => terms.or(a, b),
            12 => terms.xor(a, k),
            13 => terms.not(a),
            14 => terms.neg(a),
            15 => terms.shl(a, by),
            16 => terms.lshr(a, by),
            17 => terms.ashr(a, by),
            18 => terms.shl(a, b),
            19 => terms.ashr(a, b),
            20 => terms.rotate_left(a, k),
            21 | 22 => terms.extract(a, low, count),
            23 if width + terms.width(of(neighbour)) <= 128 => terms.concat(a, of(neighbour)),
            23 => terms.lshr(a, b),
            24 if other > width => terms.zext(a, other),
            25 if other > width => terms.sext(a, other),
            24 | 25 => terms.extract(a, 0, other),
            26 => terms.eq(a, b),
            27 => terms.eq(a, k),
            28 => terms.ult(a, k),
            29 => terms.ult(k, a),
            30 => terms.slt(a, k),
            31 => terms.sle(k, b),
            32 => terms.ult(a, b),
            33 => terms.ite(c, a, b),
            34 => terms.ite(c, a, k),
            35 => match low % 6 {
                0 => terms.fadd(fa, fb),
                1 => terms.fsub(fa, fb),
                2 => terms.fmul(fa, fb),
                3 => terms.fdiv(fa, fb),
                4 => terms.fma(fa, fb, fc),
                _ => terms.fsqrt(fa),
            },
            36 => match low % 4 {
                0 => terms.feq(fa, fb),
                1 => terms.flt(fa, fb),
                2 => terms.fle(fa, fb),
                _ => {
                    let bits = terms.constant(WIDTHS[float], constant);
                    if constant % 2 == 0 { terms.fle(fa, bits) } else { terms.flt(bits, fa) }
                }
            },
            37 => match low % 4 {
                0 => terms.fptosi(fa, 32),
                1 => terms.fptoui(fa, 64),
                2 => terms.fround(fa, rounding),
                _ => terms.fptofp(fa, if WIDTHS[float] == 32 { 64 } else { 32 }),
            },
            38 => match low % 2 {
                0 => terms.sitofp(a, 64),
                _ => terms.uitofp(a, 32),
            },
            _ => {
                let x = terms.extract(fa, 0, 32);
                terms.apply(function, &[x])
            }
        };
        result_width = width_index(terms.width(result));
        results[side] = result;
    }
    result_width.map(|index| (index, results))
}

fn check_random_terms(seed: u64, steps: usize) {
    let mut g = Generator { random: Random::new(seed) };
    let mut both = [Terms::new(), Terms::new()];
    both[1].raw = true;
    let mut pools = Pools { pairs: vec![Vec::new(); WIDTHS.len()] };
    let mut function = FunctionId(0);
    for terms in &mut both {
        function = terms.function(Function {
            name: "f".to_owned(),
            arguments: vec![32],
            result: 32,
            value: Some(std::sync::Arc::new(|a| a[0].wrapping_mul(77) & 0xffff_ffff)),
        });
    }
    for (index, width) in WIDTHS.iter().enumerate() {
        for number in 0..3 {
            let name = format!("v{width}_{number}");
            let [simple, raw] = &mut both;
            let sort = Sort::Bits(*width);
            pools.pairs[index].push((simple.variable(&name, sort), raw.variable(&name, sort)));
        }
    }
    for _ in 0..steps {
        if let Some((index, [simple, raw])) = random_step(&mut g, &pools, function, &mut both) {
            pools.pairs[index].push((simple, raw));
        }
    }
    let [simple, raw] = &both;
    let mut evaluators = (Evaluator::new(), Evaluator::new());
    for _ in 0..20 {
        let mut model = Model::new();
        for variable in simple.variables() {
            let Sort::Bits(width) = simple.variable_info(variable).sort else { continue };
            let big = BigUint::from(g.value(width)) << (width.saturating_sub(64));
            let low = BigUint::from(g.value(width) & crate::term::mask(width));
            let value = if width > 64 { big | low } else { low };
            model.set_wide(simple, VarId(variable.0), value);
        }
        evaluators.0.restart();
        evaluators.1.restart();
        for (index, pool) in pools.pairs.iter().enumerate() {
            for (a, b) in pool {
                let x = evaluators.0.wide_value(simple, &model, *a);
                let y = evaluators.1.wide_value(raw, &model, *b);
                assert_eq!(
                    x,
                    y,
                    "seed {seed}, width {}: {a:?} {:?} and {b:?} {:?}",
                    WIDTHS[index],
                    simple.node(*a),
                    raw.node(*b)
                );
                check_facts(simple, *a, &x);
            }
        }
    }
}

fn check_facts(terms: &Terms, term: TermId, value: &BigUint) {
    let width = terms.width(term);
    if width > 64 {
        return;
    }
    let value = value.iter_u64_digits().next().unwrap_or(0);
    let facts = terms.facts(term);
    assert_eq!(value & facts.zeros, 0, "{:?} {facts:?} {value:#x}", terms.node(term));
    assert_eq!(value & facts.ones, facts.ones, "{:?} {facts:?}", terms.node(term));
    assert!((facts.umin..=facts.umax).contains(&value), "{:?} {facts:?}", terms.node(term));
    let number = crate::term::signed(value, width);
    assert!((facts.smin..=facts.smax).contains(&number), "{:?} {facts:?}", terms.node(term));
}

#[test]
fn simplified_terms_have_the_values_of_the_terms_as_written() {
    for seed in 0..600 {
        check_random_terms(seed, 150);
    }
}

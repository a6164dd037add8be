//! The SAT solver against brute force and against evaluation.

use std::sync::Arc;

use super::*;
use crate::term::{Function, Rounding, Sort};

fn check(terms: &mut Terms, conditions: &[TermId]) -> Answer {
    SatSolver::new().check(terms, conditions, &Budget::default())
}

/// Every condition over two variables of four bits, decided by the solver and by trying all.
#[test]
fn answers_agree_with_trying_all_values() {
    let mut numbers = base::Random::new(12345);
    let mut random = move |limit: u64| numbers.number(limit);
    for _ in 0..600 {
        let t = &mut Terms::new();
        let x = t.variable("x", Sort::Bits(4));
        let y = t.variable("y", Sort::Bits(4));
        let mut pool = vec![x, y];
        for _ in 0..6 {
            let a = pool[random(pool.len() as u64) as usize];
            let b = match random(3) {
                0 => t.constant(4, random(16)),
                _ => pool[random(pool.len() as u64) as usize],
            };
            let term = match random(14) {
                0 => t.add(a, b),
                1 => t.sub(a, b),
                2 => t.mul(a, b),
                3 => t.udiv(a, b),
                4 => t.urem(a, b),
                5 => t.sdiv(a, b),
                6 => t.srem(a, b),
                7 => t.shl(a, b),
                8 => t.lshr(a, b),
                9 => t.ashr(a, b),
                10 => t.and(a, b),
                11 => t.xor(a, b),
                12 => t.rotate_left(a, b),
                _ => {
                    let c = t.slt(a, b);
                    t.ite(c, b, x)
                }
            };
            pool.push(term);
        }
        let mut conditions = Vec::new();
        for _ in 0..3 {
            let a = pool[random(pool.len() as u64) as usize];
            let b = pool[random(pool.len() as u64) as usize];
            let condition = match random(3) {
                0 => t.eq(a, b),
                1 => t.ult(a, b),
                _ => t.slt(a, b),
            };
            conditions.push(if random(4) == 0 { t.not(condition) } else { condition });
        }
        compare_with_all_values(t, &conditions);
    }
}

fn satisfiable(t: &Terms, conditions: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new();
    (0..256u64).any(|values| {
        let mut model = Model::new();
        model.set(VarId(0), values & 15);
        model.set(VarId(1), values >> 4);
        evaluator.holds(t, &model, conditions)
    })
}

fn compare_with_all_values(t: &mut Terms, conditions: &[TermId]) {
    let expected = satisfiable(t, conditions);
    match check(t, conditions) {
        Answer::Sat(_) => assert!(expected),
        Answer::Unsat(core) => {
            assert!(!expected);
            let core: Vec<TermId> = core.iter().map(|at| conditions[*at]).collect();
            assert!(!satisfiable(t, &core), "the core can be satisfied");
        }
        Answer::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn a_float_equation_is_solved_exactly() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(32));
    let half = t.constant(32, u64::from(0.5f32.to_bits()));
    let three = t.constant(32, u64::from(3.25f32.to_bits()));
    let sum = t.fadd(x, half);
    let equal = t.feq(sum, three);
    let Answer::Sat(model) = check(t, &[equal]) else { panic!("2.75 is a solution") };
    let found = f32::from_bits(model.get(VarId(0)) as u32);
    assert_eq!(found + 0.5, 3.25);
    // No number is its own successor below 2^24.
    let one = t.constant(32, u64::from(1f32.to_bits()));
    let limit = t.constant(32, u64::from(1000f32.to_bits()));
    let next = t.fadd(x, one);
    let (same, small) = (t.feq(next, x), t.flt(x, limit));
    let minus = t.constant(32, u64::from((-1000f32).to_bits()));
    let large = t.flt(minus, x);
    assert!(matches!(check(t, &[same, small, large]), Answer::Unsat(_)));
}

#[test]
fn rounding_and_conversion_are_solved() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(64));
    let whole = t.fround(x, Rounding::TowardNegative);
    let number = t.fptosi(whole, 32);
    let seven = t.constant(32, 7);
    let is_seven = t.eq(number, seven);
    let different = t.feq(x, whole);
    let different = t.not(different);
    let Answer::Sat(model) = check(t, &[is_seven, different]) else { panic!("7.5 is a solution") };
    let found = f64::from_bits(model.get(VarId(0)));
    assert!(found > 7.0 && found < 8.0);
}

#[test]
fn equal_arguments_give_equal_results() {
    let t = &mut Terms::new();
    let (x, y) = (t.variable("x", Sort::Bits(32)), t.variable("y", Sort::Bits(32)));
    let f =
        t.function(Function { name: "f".to_owned(), arguments: vec![32], result: 32, value: None });
    let (fx, fy) = (t.apply(f, &[x]), t.apply(f, &[y]));
    let (same, different) = (t.eq(x, y), t.ne(fx, fy));
    assert!(matches!(check(t, &[same, different]), Answer::Unsat(_)));
    assert!(matches!(check(t, &[different]), Answer::Sat(_)));
    let array = t.variable("m", Sort::Array { index: 64, element: 8 });
    let (i, j) = (t.variable("i", Sort::Bits(64)), t.variable("j", Sort::Bits(64)));
    let (a, b) = (t.select(array, i), t.select(array, j));
    let (same, different) = (t.eq(i, j), t.ne(a, b));
    assert!(matches!(check(t, &[same, different]), Answer::Unsat(_)));
    let Answer::Sat(model) = check(t, &[different]) else { panic!("two elements can differ") };
    assert_ne!(model.arrays[&VarId(2)].elements.len(), 0);
}

#[test]
fn a_function_with_values_is_checked_with_them() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(8));
    let square = t.function(Function {
        name: "square".to_owned(),
        arguments: vec![8],
        result: 16,
        value: Some(Arc::new(|a| a[0] * a[0])),
    });
    let y = t.apply(square, &[x]);
    let target = t.constant(16, 144);
    let hit = t.eq(y, target);
    let Answer::Sat(model) = check(t, &[hit]) else { panic!("12 is a solution") };
    assert_eq!(model.get(VarId(0)), 12);
    let never = t.constant(16, 143);
    let hit = t.eq(y, never);
    assert!(matches!(check(t, &[hit]), Answer::Unsat(_)));
}

#[test]
fn a_limit_of_conflicts_is_obeyed() {
    let t = &mut Terms::new();
    let (x, y) = (t.variable("x", Sort::Bits(64)), t.variable("y", Sort::Bits(64)));
    let product = t.mul(x, y);
    let prime = t.constant(64, 0xffff_fffb_0000_0005 | 1);
    let one = t.constant(64, 1);
    let limit = t.constant(64, 1 << 32);
    let conditions =
        [t.eq(product, prime), t.ult(one, x), t.ult(one, y), t.ult(x, limit), t.ult(y, limit)];
    let budget = Budget { conflicts: Some(10), ..Budget::default() };
    let answer = SatSolver::new().check(t, &conditions, &budget);
    assert_eq!(answer, Answer::Unknown(Reason::Conflicts));
}

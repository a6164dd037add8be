//! Functions of math.h as the machine uses them: shared by name, with their real values.

use std::sync::Arc;

use ripple_smt::{
    Answer, Budget, Evaluator, Function, FunctionId, Model, Path, Sort, TermId, Terms,
};
use ripple_smt::{Solver, VarId, standard};

fn unary(terms: &mut Terms, name: &str, value: fn(f64) -> f64) -> FunctionId {
    terms.function(Function {
        name: name.to_owned(),
        arguments: vec![64],
        result: 64,
        value: Some(Arc::new(move |a| value(f64::from_bits(a[0])).to_bits())),
    })
}

fn binary(terms: &mut Terms, name: &str, value: fn(f64, f64) -> f64) -> FunctionId {
    terms.function(Function {
        name: name.to_owned(),
        arguments: vec![64, 64],
        result: 64,
        value: Some(Arc::new(move |a| value(f64::from_bits(a[0]), f64::from_bits(a[1])).to_bits())),
    })
}

fn double(terms: &mut Terms, value: f64) -> TermId {
    terms.constant(64, value.to_bits())
}

/// Asks the chain and, from all zeros, a path; both answers are checked and given back.
fn ask(terms: &mut Terms, conditions: &[TermId]) -> [Answer; 2] {
    let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
    let alone = standard().check(terms, conditions, &budget);
    let flip = Path::new().ask(&mut standard(), terms, conditions, &Model::new(), &budget);
    for answer in [&alone, &flip] {
        if let Answer::Sat(model) = answer {
            assert!(Evaluator::new().holds(terms, model, conditions), "{model:?}");
        }
    }
    [alone, flip]
}

fn number(answer: &Answer) -> f64 {
    match answer {
        Answer::Sat(model) => f64::from_bits(model.get(VarId(0))),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sine_above_a_half_beyond_one_is_found() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(64));
    let sin = unary(t, "sin", f64::sin);
    let sine = t.apply(sin, &[x]);
    let (half, one) = (double(t, 0.5), double(t, 1.0));
    let conditions = [t.flt(half, sine), t.flt(one, x)];
    for answer in ask(t, &conditions) {
        let x = number(&answer);
        assert!(x.sin() > 0.5 && x > 1.0, "{x}");
    }
}

#[test]
fn a_power_that_is_nine_is_that_of_three() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(64));
    let pow = binary(t, "pow", f64::powf);
    let (two, nine) = (double(t, 2.0), double(t, 9.0));
    let square = t.apply(pow, &[x, two]);
    let condition = t.feq(square, nine);
    for answer in ask(t, &[condition]) {
        assert_eq!(number(&answer).abs(), 3.0);
    }
}

#[test]
fn logarithms_and_exponentials_are_solved_near_enough() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(64));
    let (log, exp) = (unary(t, "log", f64::ln), unary(t, "exp", f64::exp));
    let (logarithm, exponential) = (t.apply(log, &[x]), t.apply(exp, &[x]));
    let (low, high) = (double(t, 2.5), double(t, 2.75));
    for value in [logarithm, exponential] {
        let conditions = [t.flt(low, value), t.flt(value, high)];
        for answer in ask(t, &conditions) {
            number(&answer);
        }
    }
}

#[test]
fn an_integer_behind_a_root_is_found() {
    let t = &mut Terms::new();
    let n = t.variable("n", Sort::Bits(32));
    let wide = t.sitofp(n, 64);
    let root = t.fsqrt(wide);
    let whole = t.fptosi(root, 32);
    let again = t.mul(whole, whole);
    let (twelve, limit) = (double(t, 12.0), t.constant(32, 1000));
    let conditions = [t.eq(again, n), t.flt(twelve, root), t.slt(n, limit)];
    for answer in ask(t, &conditions) {
        let Answer::Sat(model) = answer else { panic!("169 is a solution: {answer:?}") };
        let n = model.get(VarId(0));
        assert!((1..32).any(|root| root * root == n) && n > 144, "{n}");
    }
}

#[test]
fn what_does_not_settle_is_unknown_and_never_wrong() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(64));
    let (sin, cos) = (unary(t, "sin", f64::sin), unary(t, "cos", f64::cos));
    let (sine, cosine) = (t.apply(sin, &[x]), t.apply(cos, &[x]));
    let bound = double(t, 0.9);
    // Both squares together are one, which nobody here knows.
    let conditions = [t.flt(bound, sine), t.flt(bound, cosine)];
    for answer in ask(t, &conditions) {
        assert!(!matches!(answer, Answer::Sat(_)), "{answer:?}");
        assert!(matches!(answer, Answer::Unknown(_)), "no proof is known: {answer:?}");
    }
}

#[test]
fn equal_arguments_of_a_function_with_values_give_equal_results() {
    let t = &mut Terms::new();
    let (x, y) = (t.variable("x", Sort::Bits(64)), t.variable("y", Sort::Bits(64)));
    let tan = unary(t, "tan", f64::tan);
    let (a, b) = (t.apply(tan, &[x]), t.apply(tan, &[y]));
    let conditions = [t.eq(x, y), t.ne(a, b)];
    for answer in ask(t, &conditions) {
        assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
    }
}

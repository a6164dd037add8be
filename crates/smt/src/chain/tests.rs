//! The whole chain against the SAT solver alone, and each layer by what it should answer.

use base::Random;

use super::*;
use crate::eval::Evaluator;
use crate::model::Model;
use crate::solver::{Answer, Budget, Reason, Solver};
use crate::term::{Sort, TermId, Terms, VarId};

fn condition(t: &mut Terms, random: &mut Random, variables: &[TermId]) -> TermId {
    let x = variables[random.number(variables.len() as u64) as usize];
    let width = t.width(x);
    let same: Vec<TermId> = variables.iter().copied().filter(|v| t.width(*v) == width).collect();
    let y = same[random.number(same.len() as u64) as usize];
    let c = t.constant(width, random.number(40));
    let a = match random.number(4) {
        0 => t.add(x, y),
        1 => t.add(x, c),
        2 if width <= 8 => t.mul(x, y),
        _ => x,
    };
    let b = match random.number(3) {
        0 => y,
        _ => t.constant(width, random.number(60)),
    };
    let condition = match random.number(3) {
        0 => t.eq(a, b),
        1 => t.ult(a, b),
        _ => t.slt(a, b),
    };
    if random.number(2) == 0 { t.not(condition) } else { condition }
}

#[test]
fn the_chain_answers_as_the_sat_solver_alone() {
    let mut random = Random::new(7);
    let budget = Budget::default();
    for _ in 0..30 {
        let t = &mut Terms::new();
        let mut chain = standard();
        let widths = [8, 8, 8, 4, 32, 32, 32];
        let variables: Vec<TermId> =
            (0..7).map(|i| t.variable(&format!("v{i}"), Sort::Bits(widths[i]))).collect();
        for _ in 0..40 {
            let conditions: Vec<TermId> =
                (0..1 + random.number(6)).map(|_| condition(t, &mut random, &variables)).collect();
            let alone = SatSolver::new().check(t, &conditions, &budget);
            let answer = chain.check(t, &conditions, &budget);
            match (&answer, &alone) {
                (Answer::Sat(model), Answer::Sat(_)) => {
                    assert!(Evaluator::new().holds(t, model, &conditions));
                }
                (Answer::Unsat(core), Answer::Unsat(_)) => {
                    let core: Vec<TermId> = core.iter().map(|at| conditions[*at]).collect();
                    let again = SatSolver::new().check(t, &core, &budget);
                    assert!(matches!(again, Answer::Unsat(_)), "the core is satisfiable");
                }
                _ => panic!("{answer:?} and {alone:?}"),
            }
        }
    }
}

#[test]
fn without_conflicts_the_sat_solver_is_not_asked() {
    let mut random = Random::new(11);
    let without = Budget { conflicts: Some(0), ..Budget::default() };
    let (t, mut chain) = (&mut Terms::new(), standard());
    let variables: Vec<TermId> =
        (0..4).map(|i| t.variable(&format!("v{i}"), Sort::Bits(32))).collect();
    let mut unknown = 0;
    for _ in 0..200 {
        let conditions: Vec<TermId> =
            (0..4).map(|_| condition(t, &mut random, &variables)).collect();
        let alone = SatSolver::new().check(t, &conditions, &Budget::default());
        match (chain.check(t, &conditions, &without), alone) {
            (Answer::Sat(_), Answer::Sat(_)) | (Answer::Unsat(_), Answer::Unsat(_)) => {}
            (Answer::Unknown(reason), _) => {
                assert_eq!(reason, Reason::Conflicts);
                unknown += 1;
            }
            (answer, alone) => panic!("{answer:?} and {alone:?}"),
        }
    }
    assert!((1..200).contains(&unknown), "{unknown} of 200 need it");
    assert_eq!(chain.sat().questions, 0);
}

#[test]
fn interval_sets_contain_what_satisfies_the_condition() {
    let mut random = Random::new(3);
    let mut choices = 0;
    for _ in 0..300 {
        let t = &mut Terms::new();
        let x = t.variable("x", Sort::Bits(5));
        let (a, b) = (condition(t, &mut random, &[x]), condition(t, &mut random, &[x]));
        let both = t.and(a, b);
        let either = t.or(a, both);
        let differ = t.xor(a, b);
        let choose = |t: &mut Terms, by: TermId, random: &mut Random| {
            let [one, other] = [0, 1].map(|_| t.constant(5, random.number(4)));
            t.ite(by, one, other)
        };
        let (one, other) = (choose(t, a, &mut random), choose(t, b, &mut random));
        let chosen = match random.number(3) {
            0 => t.eq(one, other),
            1 => t.ult(one, other),
            _ => t.slt(other, one),
        };
        for condition in [a, b, both, either, differ, chosen] {
            let Some((variable, set)) = interval_set(t, condition) else { continue };
            choices += usize::from(condition == chosen);
            for value in 0..32 {
                let mut model = Model::new();
                model.set(variable, value);
                let holds = Evaluator::new().holds(t, &model, &[condition]);
                assert_eq!(set.contains(value), holds, "{set:?} {value}");
            }
        }
    }
    assert!(choices > 50, "{choices}");
}

#[test]
fn a_variable_is_moved_by_the_distance_of_both_sides() {
    let t = &mut Terms::new();
    let mut chain = standard();
    let (x, y) = (t.variable("x", Sort::Bits(32)), t.variable("y", Sort::Bits(32)));
    let five = t.constant(32, 5);
    let product = t.mul(x, five);
    let condition = t.slt(y, product);
    let Answer::Sat(model) = chain.check(t, &[condition], &Budget::default()) else {
        panic!("a variable can be moved")
    };
    assert!(Evaluator::new().holds(t, &model, &[condition]));
    let mut counters = Vec::new();
    chain.counters(&mut counters);
    assert!(counters.contains(&("models repaired", 1)), "{counters:?}");
    assert!(counters.contains(&("sat questions", 0)), "{counters:?}");
}

#[test]
fn orders_are_refuted_only_where_there_is_none() {
    let mut random = Random::new(19);
    let mut refuted = 0;
    let mut missed = 0;
    for _ in 0..400 {
        let t = &mut Terms::new();
        let variables: Vec<TermId> =
            (0..4).map(|i| t.variable(&format!("v{i}"), Sort::Bits(4))).collect();
        let mixed = random.number(4) == 0;
        let signed = random.number(2) == 0;
        let conditions: Vec<TermId> = (0..2 + random.number(6))
            .map(|_| {
                let a = variables[random.number(4) as usize];
                let b = match random.number(3) {
                    0 => t.constant(4, random.number(16)),
                    _ => variables[random.number(4) as usize],
                };
                let (a, b) = if random.number(2) == 0 { (a, b) } else { (b, a) };
                match (random.number(5), signed ^ (mixed && random.number(2) == 0)) {
                    (0, _) => t.eq(a, b),
                    (1 | 2, true) => t.slt(a, b),
                    (1 | 2, false) => t.ult(a, b),
                    (_, true) => t.sle(a, b),
                    (_, false) => t.ule(a, b),
                }
            })
            .collect();
        if conditions.contains(&Terms::FALSE) {
            continue;
        }
        let alone = SatSolver::new().check(t, &conditions, &Budget::default());
        match (OrderGraph::default().refute(t, &conditions), alone) {
            (Some(core), Answer::Unsat(_)) => {
                refuted += 1;
                let core: Vec<TermId> = core.iter().map(|at| conditions[*at]).collect();
                let again = SatSolver::new().check(t, &core, &Budget::default());
                assert!(matches!(again, Answer::Unsat(_)), "the core is satisfiable");
            }
            (None, Answer::Sat(_)) => {}
            (None, Answer::Unsat(_)) => missed += 1,
            (found, alone) => panic!("{found:?} and {alone:?}"),
        }
    }
    // Mixed orders can be missed, and bounds of single variables, which other layers know.
    assert!(refuted > 50 && missed * 5 < refuted, "{refuted} refuted, {missed} missed");
}

#[test]
fn an_order_of_variables_is_found_without_the_sat_solver() {
    let t = &mut Terms::new();
    let variables: Vec<TermId> =
        (0..6).map(|i| t.variable(&format!("v{i}"), Sort::Bits(32))).collect();
    let below: Vec<TermId> = variables.windows(2).map(|pair| t.slt(pair[1], pair[0])).collect();
    let mut chain = standard();
    let Answer::Sat(model) = chain.check(t, &below, &Budget::default()) else {
        panic!("there is an order")
    };
    let values: Vec<u64> = (0..6).map(|i| model.get(VarId(i))).collect();
    assert_eq!(values, [5, 4, 3, 2, 1, 0]);
    assert_eq!(chain.sat().questions, 0);
}

#[test]
fn a_number_in_a_small_range_is_tried_value_by_value() {
    let t = &mut Terms::new();
    let x = t.variable("x", Sort::Bits(32));
    let (low, high) = (t.constant(32, -500i64 as u64), t.constant(32, 3000));
    let range = [t.slt(low, x), t.slt(x, high)];
    let square = t.mul(x, x);
    let mut chain = standard();
    for (number, root) in [(1_000_000, Some(1000)), (1_000_001, None), (249_001, Some(499))] {
        let number = t.constant(32, number);
        let equation = t.eq(square, number);
        let answer = chain.check(t, &[range[0], range[1], equation], &Budget::default());
        match (answer, root) {
            (Answer::Sat(model), Some(root)) => assert_eq!(model.get(VarId(0)), root),
            (Answer::Unsat(core), None) => assert_eq!(core, [0, 1, 2]),
            (answer, _) => panic!("{answer:?}"),
        }
    }
    assert_eq!(chain.sat().questions, 0);
}

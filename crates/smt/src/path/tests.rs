//! Flips of random paths against the chain alone, and single flips by the means they should take.

use base::Random;

use super::*;
use crate::chain::standard;
use crate::solver::Solver;
use crate::term::{Function, Sort};

/// Variables of several widths, an array, and a function.
struct Subject {
    terms: Terms,
    variables: Vec<TermId>,
    array: TermId,
    function: FunctionId,
}

impl Subject {
    fn new() -> Subject {
        let mut terms = Terms::new();
        let widths = [8, 8, 8, 8, 1, 4, 32, 32, 32, 64, 100];
        let named = widths.iter().enumerate();
        let variables =
            named.map(|(i, width)| terms.variable(&format!("v{i}"), Sort::Bits(*width))).collect();
        let array = terms.variable("m", Sort::Array { index: 8, element: 8 });
        let function = terms.function(Function {
            name: "f".to_owned(),
            arguments: vec![8],
            result: 8,
            value: None,
        });
        Subject { terms, variables, array, function }
    }

    fn start(&self, random: &mut Random) -> Model {
        let mut model = Model::new();
        for term in &self.variables {
            let Some(variable) = self.terms.variable_of(*term) else { continue };
            let width = self.terms.width(*term);
            model.set(variable, random.number(70) & crate::term::mask(width));
        }
        model
    }

    fn condition(&mut self, random: &mut Random) -> TermId {
        let x = self.variables[random.number(11) as usize];
        let t = &mut self.terms;
        let width = t.width(x);
        let same: Vec<TermId> =
            self.variables.iter().copied().filter(|v| t.width(*v) == width).collect();
        let y = same[random.number(same.len() as u64) as usize];
        let c = t.constant(width, random.number(70));
        let a = match random.number(14) {
            0 => t.add(x, y),
            1 | 2 => t.add(x, c),
            3 if width <= 8 => t.mul(x, y),
            4 => t.and(x, c),
            5 if width == 8 => t.select(self.array, x),
            6 if width == 8 => t.apply(self.function, &[x]),
            _ => x,
        };
        let b = match random.number(4) {
            0 => y,
            _ => t.constant(width, random.number(70)),
        };
        let condition = match random.number(3) {
            0 => t.eq(a, b),
            1 => t.ult(a, b),
            _ => t.slt(a, b),
        };
        match random.number(8) {
            0 => {
                let other = self.condition(random);
                self.terms.or(condition, other)
            }
            _ => condition,
        }
    }

    /// A condition, or its negation, that holds under the model.
    fn true_condition(&mut self, random: &mut Random, model: &Model) -> TermId {
        let condition = self.condition(random);
        if Evaluator::new().holds(&self.terms, model, &[condition]) {
            condition
        } else {
            self.terms.not(condition)
        }
    }
}

/// Compares an answer with that of a fresh chain, which is asked about everything.
fn compare(subject: &mut Subject, path: &Path, alternatives: &[TermId], answer: &Answer) -> bool {
    let terms = &mut subject.terms;
    let question: Vec<TermId> = path.conditions().iter().chain(alternatives).copied().collect();
    let alone = standard().check(terms, &question, &Budget::default());
    match (answer, alone) {
        (Answer::Sat(model), Answer::Sat(_)) => {
            assert!(Evaluator::new().holds(terms, model, &question), "not a model");
            true
        }
        (Answer::Unsat(core), Answer::Unsat(_)) => {
            assert!(core.is_sorted());
            let core: Vec<TermId> = core.iter().map(|at| question[*at]).collect();
            let again = standard().check(terms, &core, &Budget::default());
            assert!(matches!(again, Answer::Unsat(_)), "the core is satisfiable");
            false
        }
        (answer, alone) => panic!("{answer:?} and {alone:?}"),
    }
}

#[test]
fn flips_are_answered_as_by_the_chain_alone() {
    let mut random = Random::new(11);
    let mut answers = [0; 2];
    let mut counts = PathCounts::default();
    for _ in 0..12 {
        let mut subject = Subject::new();
        let mut path = Path::new();
        let mut solver = standard();
        let mut start = subject.start(&mut random);
        for _ in 0..12 {
            // Back to some prefix, and along another path from there.
            let kept = random.number(path.len() as u64 + 1) as usize;
            path.truncate(kept);
            for _ in 0..random.number(8) {
                let condition = subject.true_condition(&mut random, &start);
                path.push(&mut subject.terms, condition);
            }
            let mut next = None;
            for _ in 0..3 {
                let count = if random.number(4) == 0 { 2 } else { 1 };
                let alternatives: Vec<TermId> = (0..count)
                    .map(|_| {
                        let condition = subject.true_condition(&mut random, &start);
                        subject.terms.not(condition)
                    })
                    .collect();
                let budget = Budget::default();
                let answer =
                    path.ask(&mut solver, &mut subject.terms, &alternatives, &start, &budget);
                answers[usize::from(compare(&mut subject, &path, &alternatives, &answer))] += 1;
                if let Answer::Sat(model) = answer {
                    next = Some(model);
                }
            }
            start = next.unwrap_or(start);
        }
        counts += path.counts();
    }
    assert!(answers.iter().all(|count| *count > 20), "one-sided: {answers:?}");
    let means = [counts.by_domain, counts.by_move, counts.by_repair, counts.by_chain];
    assert!(means.iter().all(|count| *count > 0), "not all means are tried: {counts:?}");
}

#[test]
fn a_flip_leaves_what_it_need_not_touch() {
    let mut subject = Subject::new();
    let mut random = Random::new(5);
    let start = subject.start(&mut random);
    let mut path = Path::new();
    let mut solver = standard();
    for _ in 0..30 {
        let condition = subject.true_condition(&mut random, &start);
        path.push(&mut subject.terms, condition);
    }
    for position in (0..30).rev() {
        let condition = path.conditions()[position];
        path.truncate(position);
        let flipped = subject.terms.not(condition);
        let budget = Budget::default();
        let answer = path.ask(&mut solver, &mut subject.terms, &[flipped], &start, &budget);
        let Answer::Sat(model) = answer else { continue };
        path.collect(&mut subject.terms, &[flipped]);
        for variable in subject.terms.variables() {
            if !path.members.contains(&variable_entity(variable)) {
                assert_eq!(model.get(variable), start.get(variable));
                assert_eq!(model.arrays.get(&variable), start.arrays.get(&variable));
            }
        }
    }
}

#[test]
fn conditions_on_single_variables_never_reach_the_chain() {
    let mut terms = Terms::new();
    let bytes: Vec<TermId> =
        (0..4).map(|i| terms.variable(&format!("b{i}"), Sort::Bits(8))).collect();
    let number = terms.variable("n", Sort::Bits(32));
    let mut path = Path::new();
    let mut solver = standard();
    let start = Model::new();
    let mut conditions = Vec::new();
    for byte in &bytes {
        let wide = terms.sext(*byte, 32);
        for limit in [b'0', b'9', b'A', b'z'] {
            let limit = terms.constant(32, u64::from(limit));
            conditions.push(terms.slt(wide, limit));
        }
    }
    for limit in [100, 50, 20] {
        let limit = terms.constant(32, limit);
        conditions.push(terms.slt(number, limit));
    }
    let mut sat = 0;
    for condition in conditions {
        let flipped = terms.not(condition);
        let answer = path.ask(&mut solver, &mut terms, &[flipped], &start, &Budget::default());
        sat += usize::from(matches!(answer, Answer::Sat(_)));
        path.push(&mut terms, condition);
    }
    // Bytes below '0' are below all the other limits; numbers get smaller and smaller limits.
    assert_eq!(sat, 4 + 3);
    assert_eq!(path.counts().by_domain, path.counts().asks);
}

#[test]
fn floats_compared_with_constants_never_reach_the_chain() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(64));
    let mut path = Path::new();
    let mut solver = standard();
    let start = Model::new();
    let mut found = Vec::new();
    for limit in [100.0f64, 7.25, 2.5] {
        let limit = terms.constant(64, limit.to_bits());
        let condition = terms.flt(x, limit);
        let flipped = terms.not(condition);
        match path.ask(&mut solver, &mut terms, &[flipped], &start, &Budget::default()) {
            Answer::Sat(model) => found.push(f64::from_bits(model.get(VarId(0)))),
            answer => panic!("{answer:?}"),
        }
        path.push(&mut terms, condition);
    }
    assert_eq!(found, [100.0, 10.0, 3.0]);
    assert_eq!(path.counts().by_domain, 3);
}

#[test]
fn a_byte_that_others_hang_on_is_moved_alone() {
    let mut terms = Terms::new();
    let a = terms.variable("a", Sort::Bits(8));
    let b = terms.variable("b", Sort::Bits(8));
    let mut path = Path::new();
    let mut start = Model::new();
    start.set(VarId(0), u64::from(b'p'));
    start.set(VarId(1), u64::from(b'q'));
    let below = terms.ult(a, b);
    path.push(&mut terms, below);
    let letter = terms.constant(8, u64::from(b'p'));
    let differs = terms.ne(a, letter);
    let mut solver = standard();
    let answer = path.ask(&mut solver, &mut terms, &[differs], &start, &Budget::default());
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    assert_eq!((model.get(VarId(0)), model.get(VarId(1))), (u64::from(b'0'), u64::from(b'q')));
    assert_eq!(path.counts().by_move, 1);
}

#[test]
fn undoing_leaves_a_path_as_it_was() {
    let mut random = Random::new(3);
    let mut subject = Subject::new();
    let start = subject.start(&mut random);
    let mut path = Path::new();
    let entities = [variable_entity(VarId(11)), function_entity(subject.function)];
    for entity in (0..11).map(|at| variable_entity(VarId(at))).chain(entities) {
        path.touch(&subject.terms, entity);
    }
    let state = |path: &Path| {
        let known = path.known.iter().map(|k| (k.domain.clone(), k.own.clone(), k.links.clone()));
        let groups = (0..path.known.len() as u32).map(|at| path.partition.members(at).collect());
        (known.collect::<Vec<_>>(), groups.collect::<Vec<Vec<u32>>>())
    };
    let mut states = Vec::new();
    for _ in 0..60 {
        states.push(state(&path));
        let condition = subject.true_condition(&mut random, &start);
        path.push(&mut subject.terms, condition);
    }
    for (length, expected) in states.iter().enumerate().rev() {
        path.truncate(length);
        assert_eq!(&state(&path), expected, "at {length}");
    }
}

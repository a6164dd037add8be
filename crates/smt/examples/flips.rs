//! Measures flips of generated path conditions: 1000 flips over 30 conjuncts of 12 variables of
//! 32 bits, of which each conjunct compares one or two.
#![allow(clippy::print_stdout)] // Printing is what this program is for.

use std::time::{Duration, Instant};

use ripple_smt as smt;
use smt::{Answer, Budget, Evaluator, Model, Path, SatSolver, Solver, Sort, TermId, Terms};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// A path that the model takes: conditions are negated where it violates them.
fn path(terms: &mut Terms, random: &mut Random) -> (Path, Model) {
    let variables: Vec<TermId> =
        (0..12).map(|i| terms.variable(&format!("v{i}"), Sort::Bits(32))).collect();
    let mut model = Model::new();
    for variable in &variables {
        let variable = terms.variable_of(*variable).expect("it is one");
        model.set(variable, random.below(1000));
    }
    let mut path = Path::new();
    for _ in 0..30 {
        let x = variables[random.below(12) as usize];
        let y = variables[random.below(12) as usize];
        let c = terms.constant(32, random.below(1000));
        let (a, b) = match random.below(4) {
            0 => (x, c),
            1 => (x, y),
            2 => (terms.add(x, y), c),
            _ => (terms.sub(x, y), c),
        };
        let condition = match random.below(3) {
            0 => terms.slt(a, b),
            1 => terms.ult(a, b),
            _ => terms.eq(a, b),
        };
        let mut evaluator = Evaluator::new();
        let holds = evaluator.holds(terms, &model, &[condition]);
        path.push(if holds { condition } else { terms.not(condition) });
    }
    (path, model)
}

fn measure(name: &str, mut solver: Box<dyn Solver>, seeded: bool) {
    let mut random = Random(42);
    let mut times = Vec::new();
    let (mut sat, mut unsat) = (0, 0);
    while times.len() < 1000 {
        let mut terms = Terms::new();
        let (path, model) = path(&mut terms, &mut random);
        if !seeded {
            solver.new_path();
        } else {
            let mut chain = smt::standard();
            chain.start_from(&model);
            solver = Box::new(chain);
        }
        for position in 0..path.len() {
            let start = Instant::now();
            let answer = path.flip(&mut *solver, &mut terms, position, &Budget::default());
            times.push(start.elapsed());
            match answer {
                Answer::Sat(_) => sat += 1,
                Answer::Unsat(_) => unsat += 1,
                Answer::Unknown(reason) => println!("unknown: {reason}"),
            }
        }
    }
    let mut counters = Vec::new();
    solver.counters(&mut counters);
    println!("last path: {counters:?}");
    times.sort();
    let total: Duration = times.iter().sum();
    println!(
        "{name}: median {:?}, 90% {:?}, mean {:?}, sat {sat}, unsat {unsat}",
        times[times.len() / 2],
        times[times.len() * 9 / 10],
        total / times.len() as u32
    );
}

fn main() {
    measure("sat alone", Box::new(SatSolver::new()), false);
    measure("chain", Box::new(smt::standard()), true);
}

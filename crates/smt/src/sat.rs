//! The solver at the end of the chain: conditions as circuits, decided by CaDiCaL.
//!
//! One instance serves the queries of one path, each condition being an assumption. Results of
//! array reads and functions are free at first; if the values of a model are inconsistent, the
//! instance learns a lemma and runs again. A model is returned only if evaluation confirms it.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::solvers::{
    ControlSignal, GetInternalStats, Solve, SolveIncremental, SolverResult, Terminate,
};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::Limit;

use num_bigint::BigUint;

use crate::blast::{Blaster, FALSE, TRUE};
use crate::eval::Evaluator;
use crate::model::Model;
use crate::semantics;
use crate::solver::{Answer, Budget, Counter, Reason, SatCounts, Solver};
use crate::term::{FunctionId, Op, TermId, Terms, VarId, mask};

/// An instance with more SAT variables than this is replaced by a new one.
const LARGEST_INSTANCE: u32 = 400_000;
/// So is an instance with this many times as many conditions as a query has, and some more: its
/// knowledge of other paths slows it down.
const STALE_FACTOR: usize = 4;
const STALE_MARGIN: usize = 64;
/// How many lemmas the instance may learn from one query.
const MOST_REFINEMENTS: usize = 300;

#[derive(Default)]
pub struct SatSolver {
    instance: Option<Blaster>,
    /// The conditions that the instance knows.
    known: FxHashSet<TermId>,
    evaluator: Evaluator,
    questions: u64,
    instances: u64,
    refinements: u64,
    effort: u64,
}

/// Why the values of a model are inconsistent: the bits involved, and what they should be.
enum Lemma {
    /// Both results must be equal if all arguments are.
    Same(TermId, TermId),
    /// The result for these arguments.
    Value(TermId, Vec<u64>, u64),
}

impl SatSolver {
    pub fn new() -> SatSolver {
        SatSolver::default()
    }

    /// Asks an instance, which is kept for later queries unless it failed.
    fn ask(
        &mut self,
        mut blaster: Blaster,
        terms: &mut Terms,
        conditions: &[TermId],
        budget: &Budget,
    ) -> Answer {
        let mut literals = Vec::with_capacity(conditions.len());
        for (position, condition) in conditions.iter().enumerate() {
            // Circuits can take longer than the search.
            if let Some(reason) = budget.exhausted() {
                self.instance = Some(blaster);
                return Answer::Unknown(reason);
            }
            let literal = blaster.condition(terms, *condition);
            if literal == FALSE {
                self.instance = Some(blaster);
                return Answer::Unsat(vec![position]);
            }
            literals.push(literal);
        }
        if blaster.gates.failed {
            return Answer::Unknown(Reason::Backend);
        }
        let answer = self.solve(&mut blaster, terms, conditions, &literals, budget);
        if !matches!(answer, Answer::Unknown(Reason::Backend)) {
            self.instance = Some(blaster);
        }
        answer
    }

    fn solve(
        &mut self,
        blaster: &mut Blaster,
        terms: &mut Terms,
        conditions: &[TermId],
        literals: &[Lit],
        budget: &Budget,
    ) -> Answer {
        for _ in 0..MOST_REFINEMENTS {
            if let Some(reason) = budget.exhausted() {
                return Answer::Unknown(reason);
            }
            match run(blaster, literals, budget) {
                Ok(SolverResult::Sat) => {}
                Ok(SolverResult::Unsat) => return core(blaster, literals),
                Ok(SolverResult::Interrupted) => {
                    let reason = budget.exhausted().unwrap_or(Reason::Conflicts);
                    return Answer::Unknown(reason);
                }
                Err(_) => return Answer::Unknown(Reason::Backend),
            }
            let (model, lemmas) = read_model(blaster, terms);
            if self.evaluator.holds(terms, &model, conditions) {
                return Answer::Sat(model);
            }
            if lemmas.is_empty() {
                return Answer::Unknown(Reason::Backend);
            }
            self.refinements += 1;
            for lemma in lemmas {
                learn(blaster, terms, &lemma);
            }
        }
        Answer::Unknown(Reason::Refinements)
    }
}

impl Solver for SatSolver {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        if budget.conflicts == Some(0) {
            return Answer::Unknown(Reason::Conflicts);
        }
        self.questions += 1;
        let is_stale = self.known.len() > STALE_FACTOR * conditions.len() + STALE_MARGIN;
        let fits = |blaster: &Blaster| blaster.gates.size() < LARGEST_INSTANCE && !is_stale;
        let kept = self.instance.take().filter(fits);
        let blaster = kept.unwrap_or_else(|| {
            self.instances += 1;
            self.known.clear();
            Blaster::new()
        });
        self.known.extend(conditions);
        let before = effort_of(&blaster);
        let answer = self.ask(blaster, terms, conditions, budget);
        let after = self.instance.as_ref().map_or(before, effort_of);
        self.effort += after.saturating_sub(before);
        answer
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("sat questions", self.questions));
        counters.push(("sat instances", self.instances));
        counters.push(("sat refinements", self.refinements));
    }

    fn sat(&self) -> SatCounts {
        SatCounts { questions: self.questions, effort: self.effort }
    }
}

/// A new gate takes about as long as this many propagations.
const GATE: u64 = 8;

/// The work of an instance so far, in propagations.
fn effort_of(blaster: &Blaster) -> u64 {
    let gates = &blaster.gates;
    gates.solver.propagations() as u64 + GATE * u64::from(gates.size())
}

/// One call of the SAT solver.
fn run(blaster: &mut Blaster, literals: &[Lit], budget: &Budget) -> Result<SolverResult, Reason> {
    let solver = &mut blaster.gates.solver;
    if let Some(conflicts) = budget.conflicts {
        let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
        solver.set_limit(Limit::Conflicts(limit)).map_err(|_| Reason::Backend)?;
    }
    let timed = budget.deadline.is_some() || budget.stop.is_some() || budget.memory.is_some();
    if timed {
        let budget = budget.clone();
        solver.attach_terminator(move || match budget.exhausted() {
            Some(_) => ControlSignal::Terminate,
            None => ControlSignal::Continue,
        });
    }
    let assumptions: Vec<Lit> = literals.iter().copied().filter(|lit| *lit != TRUE).collect();
    let result = solver.solve_assumps(&assumptions);
    if timed {
        solver.detach_terminator();
    }
    result.map_err(|_| Reason::Backend)
}

fn core(blaster: &mut Blaster, literals: &[Lit]) -> Answer {
    let Ok(negated) = blaster.gates.solver.core() else {
        return Answer::Unknown(Reason::Backend);
    };
    let mut positions: Vec<usize> = negated
        .iter()
        .filter_map(|failed| literals.iter().position(|literal| *literal == !*failed))
        .collect();
    positions.sort_unstable();
    positions.dedup();
    if positions.is_empty() {
        // The circuits alone cannot contradict themselves.
        Answer::Unknown(Reason::Backend)
    } else {
        Answer::Unsat(positions)
    }
}

/// The values of a term's bits in the last model.
fn value(blaster: &Blaster, term: TermId) -> BigUint {
    let bits = blaster.bits(term);
    let mut digits = vec![0u32; bits.len().div_ceil(32)];
    for (at, literal) in bits.iter().enumerate() {
        if blaster.gates.solver.lit_val(*literal).is_ok_and(|v| v == TernaryVal::True) {
            digits[at / 32] |= 1 << (at % 32);
        }
    }
    BigUint::new(digits)
}

fn narrow_value(blaster: &Blaster, term: TermId) -> u64 {
    let read = |literal: &Lit| blaster.gates.solver.lit_val(*literal);
    let bits = blaster.bits(term).iter().enumerate();
    bits.filter(|(_, literal)| read(literal).is_ok_and(|v| v == TernaryVal::True))
        .fold(0, |value, (at, _)| value | 1 << at)
}

fn read_model(blaster: &Blaster, terms: &Terms) -> (Model, Vec<Lemma>) {
    let mut model = Model::new();
    for &term in &blaster.variables {
        let Some(variable) = terms.variable_of(term) else { continue };
        match terms.width(term) {
            0..=64 => model.set(variable, narrow_value(blaster, term)),
            _ => model.set_wide(terms, variable, value(blaster, term)),
        }
    }
    let mut lemmas = Vec::new();
    // Free results, by function or array and arguments.
    let mut seen: FxHashMap<(Op, u32, Vec<u64>), (TermId, u64)> = FxHashMap::default();
    for &term in &blaster.cut {
        let node = terms.node(term);
        let arguments = arguments(terms, term);
        let values: Vec<u64> = arguments.iter().map(|a| narrow_value(blaster, *a)).collect();
        let result = narrow_value(blaster, term);
        let real = real_value(terms, term, &values);
        let owner = match node.op {
            Op::Select => terms.variable_of(terms.operand(term, 0)).map_or(0, |v| v.0),
            Op::FRem => u32::from(node.width),
            _ => node.a,
        };
        if let Some(real) = real.filter(|real| *real != result) {
            lemmas.push(Lemma::Value(term, values.clone(), real));
        }
        match seen.get(&(node.op, owner, values.clone())) {
            Some((other, known)) if *known != result => lemmas.push(Lemma::Same(term, *other)),
            Some(_) => {}
            None => {
                match node.op {
                    Op::Select => {
                        let array = model.arrays.entry(VarId(owner)).or_default();
                        array.elements.insert(values[0], result);
                    }
                    Op::Apply if real.is_none() => {
                        let table = model.functions.entry(FunctionId(owner)).or_default();
                        table.insert(values.clone(), result);
                    }
                    // Functions with an implementation are in no model.
                    _ => {}
                }
                seen.insert((node.op, owner, values), (term, result));
            }
        }
    }
    (model, lemmas)
}

/// The bit vectors that a free result depends on.
fn arguments(terms: &Terms, term: TermId) -> Vec<TermId> {
    terms.operands(term).filter(|operand| !terms.is_array(*operand)).collect()
}

/// The result of a function with an implementation for these arguments.
fn real_value(terms: &Terms, term: TermId, values: &[u64]) -> Option<u64> {
    let node = terms.node(term);
    let width = u32::from(node.width);
    match node.op {
        Op::FRem => Some(semantics::narrow(&node, width, values[0], values[1], 0)),
        Op::Apply => {
            let function = terms.function_info(FunctionId(node.a));
            function.value.as_ref().map(|value| value(values) & mask(width))
        }
        _ => None,
    }
}

fn learn(blaster: &mut Blaster, terms: &Terms, lemma: &Lemma) {
    let mut clause = Vec::new();
    match lemma {
        Lemma::Same(term, other) => {
            let pairs = arguments(terms, *term).into_iter().zip(arguments(terms, *other));
            for (x, y) in pairs {
                let (x, y) = (blaster.bits(x).to_vec(), blaster.bits(y).to_vec());
                clause.push(!blaster.gates.equal(&x, &y));
            }
            let (x, y) = (blaster.bits(*term).to_vec(), blaster.bits(*other).to_vec());
            clause.push(blaster.gates.equal(&x, &y));
            blaster.gates.clause(&clause);
        }
        Lemma::Value(term, values, result) => {
            for (argument, value) in arguments(terms, *term).into_iter().zip(values) {
                let bits = blaster.bits(argument);
                let differs =
                    |(at, bit): (usize, &Lit)| if value >> at & 1 == 1 { !*bit } else { *bit };
                clause.extend(bits.iter().enumerate().map(differs));
            }
            for (at, bit) in blaster.bits(*term).to_vec().into_iter().enumerate() {
                let mut implication = clause.clone();
                implication.push(if result >> at & 1 == 1 { bit } else { !bit });
                blaster.gates.clause(&implication);
            }
        }
    }
}

#[cfg(test)]
mod tests;

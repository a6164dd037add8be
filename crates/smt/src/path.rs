//! The conditions of one path, and queries about alternatives to them.
//!
//! Conditions are pushed one after another and popped from the end. The knowledge about each
//! variable (the values that conditions on it alone leave, and which variables are connected)
//! follows in both directions. So a flip of a condition on one variable is answered from its known
//! values, moving one variable is tried if that is enough, and only the conditions connected with
//! the flipped one reach a solver.
//!
//! A path caches by ids of terms and so belongs to one table of terms. It is meant to be reused for
//! many runs: facts about a condition stay when it is popped.

mod known;
mod partition;
mod shape;
#[cfg(test)]
mod tests;

use self::known::{Domain, Known};
use self::partition::Partition;
use self::shape::{Shape, Shapes};
use crate::chain::{IntervalSet, OrderGraph, pleasant_float, pleasant_member, repair};
use crate::eval::Evaluator;
use crate::lanes::Lanes;
use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, Solver};
use crate::term::{FunctionId, Op, TermId, Terms, VarId};

/// Moves of the local search before the solver is asked.
const MOVES: usize = 24;
/// Alternatives over more variables are not tried by moving them one by one.
const MOST_MOVED: usize = 8;

/// How many queries were answered, and by which means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    pub asks: u64,
    /// By the remaining values of one variable.
    pub by_domain: u64,
    /// By moving one variable to a value that satisfies all its conditions.
    pub by_move: u64,
    /// By comparisons that contradict each other.
    pub by_order: u64,
    /// By local search from the start.
    pub by_repair: u64,
    /// By the layers of the solver before its SAT solver.
    pub by_chain: u64,
    /// By the SAT solver below them.
    pub by_sat: u64,
    /// Work of the SAT solver, in propagations.
    pub sat_effort: u64,
}

impl std::ops::AddAssign for PathCounts {
    fn add_assign(&mut self, other: PathCounts) {
        self.asks += other.asks;
        self.by_domain += other.by_domain;
        self.by_move += other.by_move;
        self.by_order += other.by_order;
        self.by_repair += other.by_repair;
        self.by_chain += other.by_chain;
        self.by_sat += other.by_sat;
        self.sat_effort += other.sat_effort;
    }
}

/// A path condition.
#[derive(Default)]
pub struct Path {
    conditions: Vec<TermId>,
    /// How to undo each condition.
    steps: Vec<Step>,
    /// By entity: variables and functions without an implementation.
    known: Vec<Known>,
    /// Entities connected by conditions that concern several.
    partition: Partition,
    /// Narrowed domains, as they were before.
    narrowed: Vec<(u32, Domain)>,
    shapes: Shapes,
    evaluator: Evaluator,
    lanes: Lanes,
    orders: OrderGraph,
    counts: PathCounts,
    /// Buffers for collecting a group.
    positions: Vec<u32>,
    members: Vec<u32>,
    stamps: Vec<u32>,
    generation: u32,
}

/// The state before a condition was pushed.
#[derive(Clone, Copy, Debug)]
struct Step {
    shape: u32,
    unions: u32,
    narrowed: u32,
}

/// A number for variables and functions alike.
fn variable_entity(variable: VarId) -> u32 {
    variable.0 * 2
}

fn function_entity(function: FunctionId) -> u32 {
    function.0 * 2 + 1
}

impl Path {
    pub fn new() -> Path {
        Path::default()
    }

    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }

    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Appends a condition.
    pub fn push(&mut self, terms: &mut Terms, condition: TermId) {
        let position = self.conditions.len() as u32;
        let shape = self.shapes.of(terms, condition);
        self.steps.push(Step {
            shape,
            unions: self.partition.mark() as u32,
            narrowed: self.narrowed.len() as u32,
        });
        self.conditions.push(condition);
        if let Some(variable) = self.shapes.get(shape).variable() {
            let entity = variable_entity(variable);
            self.touch(terms, entity);
            let known = &mut self.known[entity as usize];
            known.own.push(position);
            if let Some(old) = known.domain.narrow(self.shapes.get(shape)) {
                self.narrowed.push((entity, old));
            }
            return;
        }
        let Shape::Other(support) = self.shapes.get(shape) else { return };
        let support = support.clone();
        let variables = support.variables.iter().map(|v| variable_entity(*v));
        let functions = support.functions.iter().map(|f| function_entity(*f));
        let mut first = None;
        for entity in variables.chain(functions) {
            self.touch(terms, entity);
            self.known[entity as usize].links.push(position);
            self.partition.union(*first.get_or_insert(entity), entity);
        }
    }

    /// Makes the path these conditions, behind as many as stay in any case.
    pub fn follow(&mut self, terms: &mut Terms, kept: usize, conditions: &[TermId]) {
        let known = &self.conditions[kept..];
        let shared = known.iter().zip(conditions).take_while(|(a, b)| a == b).count();
        self.truncate(kept + shared);
        for &condition in &conditions[shared..] {
            self.push(terms, condition);
        }
    }

    /// Pops all conditions from that position on.
    pub fn truncate(&mut self, length: usize) {
        while self.conditions.len() > length {
            let Some(step) = self.steps.pop() else { return };
            self.conditions.pop();
            while self.narrowed.len() > step.narrowed as usize {
                let Some((entity, domain)) = self.narrowed.pop() else { break };
                self.known[entity as usize].domain = domain;
            }
            self.partition.undo(step.unions as usize);
            match self.shapes.get(step.shape) {
                Shape::Other(support) => {
                    let variables = support.variables.iter().map(|v| variable_entity(*v));
                    let functions = support.functions.iter().map(|f| function_entity(*f));
                    for entity in variables.chain(functions) {
                        self.known[entity as usize].links.pop();
                    }
                }
                Shape::Values(variable, _) | Shape::Intervals(variable, _) => {
                    self.known[variable_entity(*variable) as usize].own.pop();
                }
            }
        }
    }

    /// Whether the conditions so far can hold together with these alternatives (usually one: the
    /// negation of the next condition). `start` must satisfy all conditions so far, else the answer
    /// is meaningless; the model of a Sat answer keeps its values wherever possible. The positions
    /// of a core are those of the conditions, followed by those of the alternatives.
    pub fn ask(
        &mut self,
        solver: &mut impl Solver,
        terms: &mut Terms,
        alternatives: &[TermId],
        start: &Model,
        budget: &Budget,
    ) -> Answer {
        self.counts.asks += 1;
        if let Some(at) = alternatives.iter().position(|a| *a == Terms::FALSE) {
            self.counts.by_domain += 1;
            return Answer::Unsat(vec![self.len() + at]);
        }
        if let [alternative] = alternatives {
            let shape = self.shapes.of(terms, *alternative);
            let answer = match self.shapes.get(shape) {
                Shape::Values(variable, _) => self.ask_values(terms, shape, *variable, start),
                Shape::Intervals(variable, set) => {
                    let (variable, set) = (*variable, set.clone());
                    self.ask_intervals(terms, *alternative, variable, &set, start)
                }
                Shape::Other(_) => None,
            };
            if let Some(answer) = answer {
                return answer;
            }
        }
        if let Some(model) = self.move_one(terms, alternatives, start) {
            self.counts.by_move += 1;
            return Answer::Sat(model);
        }
        self.ask_group(solver, terms, alternatives, start, budget)
    }

    pub fn counts(&self) -> PathCounts {
        self.counts
    }

    pub fn counters(&self, counters: &mut Vec<Counter>) {
        let counts = &self.counts;
        counters.push(("flips", counts.asks));
        counters.push(("flips by the domain of a variable", counts.by_domain));
        counters.push(("flips by moving one variable", counts.by_move));
        counters.push(("flips by orders", counts.by_order));
        counters.push(("flips by local search", counts.by_repair));
        counters.push(("flips by other layers", counts.by_chain));
        counters.push(("flips by the SAT solver", counts.by_sat));
    }

    /// Registers an entity.
    fn touch(&mut self, terms: &Terms, entity: u32) {
        let index = entity as usize;
        if self.known.len() <= index {
            self.known.resize_with(index + 1, Known::default);
            self.partition.grow(index + 1);
        }
        if matches!(self.known[index].domain, Domain::Unseen) {
            self.known[index].domain = match entity % 2 {
                0 => Domain::of(terms, VarId(entity / 2)),
                _ => Domain::Open,
            };
        }
    }

    /// A flip of a condition on one small variable.
    fn ask_values(
        &mut self,
        terms: &Terms,
        shape: u32,
        variable: VarId,
        start: &Model,
    ) -> Option<Answer> {
        let entity = variable_entity(variable);
        self.touch(terms, entity);
        let known = &self.known[entity as usize];
        let (Domain::Bytes(width, left), Shape::Values(_, set)) =
            (&known.domain, self.shapes.get(shape))
        else {
            return None;
        };
        let (width, allowed) = (*width, left.intersect(*set));
        let Some(value) = allowed.preferred(width, start.get(variable)) else {
            return Some(self.no_value(entity));
        };
        let mut model = start.clone();
        model.set(variable, value);
        if known.links.is_empty() {
            self.counts.by_domain += 1;
            return Some(Answer::Sat(model));
        }
        if self.links_hold(terms, entity, &model) {
            self.counts.by_move += 1;
            return Some(Answer::Sat(model));
        }
        self.lanes.start(terms, variable);
        let mut allowed = allowed;
        for position in &self.known[entity as usize].links {
            let condition = self.conditions[*position as usize];
            allowed = allowed.intersect(self.lanes.values(terms, start, condition)?);
        }
        let value = allowed.preferred(width, start.get(variable))?;
        model.set(variable, value);
        self.counts.by_move += 1;
        Some(Answer::Sat(model))
    }

    /// A flip of a comparison of one variable with constants.
    fn ask_intervals(
        &mut self,
        terms: &Terms,
        alternative: TermId,
        variable: VarId,
        set: &IntervalSet,
        start: &Model,
    ) -> Option<Answer> {
        let entity = variable_entity(variable);
        self.touch(terms, entity);
        let known = &self.known[entity as usize];
        let Domain::Intervals(left) = &known.domain else { return None };
        let allowed = left.intersect(set);
        let mut compared = alternative;
        while let Some(inner) = terms.match_unary(Op::Not, compared) {
            compared = inner;
        }
        let is_float = matches!(terms.op(compared), Op::FLt | Op::FLe | Op::FEq);
        let liked = is_float.then(|| pleasant_float(&allowed)).flatten();
        let Some(pleasant) = liked.or_else(|| pleasant_member(&allowed)) else {
            return Some(self.no_value(entity));
        };
        let is_free = known.links.is_empty();
        let current = start.get(variable);
        let mut model = start.clone();
        let nearest = allowed.nearest(current);
        for value in [Some(pleasant).filter(|_| is_free), nearest, Some(pleasant)] {
            let Some(value) = value else { continue };
            let value = if allowed.contains(current) { current } else { value };
            model.set(variable, value);
            if self.own_hold(terms, entity, alternative, &model)
                && self.links_hold(terms, entity, &model)
            {
                if is_free {
                    self.counts.by_domain += 1
                } else {
                    self.counts.by_move += 1
                }
                return Some(Answer::Sat(model));
            }
        }
        None
    }

    /// The answer if the conditions on a variable alone leave it no value.
    fn no_value(&mut self, entity: u32) -> Answer {
        self.counts.by_domain += 1;
        let own = &self.known[entity as usize].own;
        let mut core = Vec::with_capacity(own.len() + 1);
        core.extend(own.iter().map(|position| *position as usize));
        core.push(self.conditions.len());
        Answer::Unsat(core)
    }

    /// Whether the conditions that concern an entity and others hold.
    fn links_hold(&mut self, terms: &Terms, entity: u32, model: &Model) -> bool {
        self.evaluator.restart();
        let links = &self.known[entity as usize].links;
        let holds =
            |at: &u32| self.evaluator.value(terms, model, self.conditions[*at as usize]) == 1;
        links.iter().all(holds)
    }

    /// Whether an alternative and the conditions on a variable alone hold.
    fn own_hold(&mut self, terms: &Terms, entity: u32, alternative: TermId, model: &Model) -> bool {
        self.evaluator.restart();
        let own = &self.known[entity as usize].own;
        let conditions = own.iter().map(|at| self.conditions[*at as usize]);
        let mut all = conditions.chain([alternative]);
        all.all(|condition| self.evaluator.value(terms, model, condition) == 1)
    }

    /// A model that differs from the start in one small variable.
    fn move_one(
        &mut self,
        terms: &mut Terms,
        alternatives: &[TermId],
        start: &Model,
    ) -> Option<Model> {
        let mut variables: Vec<VarId> = Vec::new();
        for alternative in alternatives {
            let shape = self.shapes.of(terms, *alternative);
            match self.shapes.get(shape) {
                Shape::Other(support) => variables.extend_from_slice(&support.variables),
                Shape::Values(variable, _) | Shape::Intervals(variable, _) => {
                    variables.push(*variable);
                }
            }
        }
        variables.sort_unstable();
        variables.dedup();
        if variables.len() > MOST_MOVED {
            return None;
        }
        variables.into_iter().find_map(|variable| {
            let entity = variable_entity(variable);
            self.touch(terms, entity);
            let known = &self.known[entity as usize];
            let Domain::Bytes(width, mut allowed) = known.domain else { return None };
            self.lanes.start(terms, variable);
            let links = known.links.iter().map(|at| self.conditions[*at as usize]);
            for condition in alternatives.iter().copied().chain(links) {
                allowed = allowed.intersect(self.lanes.values(terms, start, condition)?);
                if allowed.is_empty() {
                    return None;
                }
            }
            let value = allowed.preferred(width, start.get(variable))?;
            let mut model = start.clone();
            model.set(variable, value);
            Some(model)
        })
    }

    /// Collects the group connected with the alternatives and asks about it.
    fn ask_group(
        &mut self,
        solver: &mut impl Solver,
        terms: &mut Terms,
        alternatives: &[TermId],
        start: &Model,
        budget: &Budget,
    ) -> Answer {
        self.collect(terms, alternatives);
        let mut question: Vec<TermId> =
            self.positions.iter().map(|at| self.conditions[*at as usize]).collect();
        question.extend_from_slice(alternatives);
        if let Some(core) = self.orders.refute(terms, &question) {
            self.counts.by_order += 1;
            return Answer::Unsat(self.positions_of(core));
        }
        if let Some(model) = repair(terms, &mut self.evaluator, &question, start, MOVES) {
            self.counts.by_repair += 1;
            return Answer::Sat(model);
        }
        let before = solver.sat();
        let answer = solver.check(terms, &question, budget);
        self.counts.sat_effort += solver.sat().effort - before.effort;
        if solver.sat().questions == before.questions {
            self.counts.by_chain += 1
        } else {
            self.counts.by_sat += 1
        }
        match answer {
            Answer::Sat(found) => {
                let mut model = start.clone();
                for &entity in &self.members {
                    match entity % 2 {
                        0 => model.take_variable(&found, VarId(entity / 2)),
                        _ => model.take_function(&found, FunctionId(entity / 2)),
                    }
                }
                Answer::Sat(model)
            }
            Answer::Unsat(core) => Answer::Unsat(self.positions_of(core)),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Maps positions in the query about a group to positions in the path.
    fn positions_of(&self, mut core: Vec<usize>) -> Vec<usize> {
        for at in &mut core {
            *at = match self.positions.get(*at) {
                Some(position) => *position as usize,
                None => *at - self.positions.len() + self.conditions.len(),
            };
        }
        core
    }

    /// Entities connected with the alternatives, and the positions of all conditions that concern
    /// them.
    fn collect(&mut self, terms: &mut Terms, alternatives: &[TermId]) {
        self.members.clear();
        self.positions.clear();
        self.generation += 1;
        for alternative in alternatives {
            let support = terms.support(*alternative);
            let variables = support.variables.iter().map(|v| variable_entity(*v));
            let functions = support.functions.iter().map(|f| function_entity(*f));
            for entity in variables.chain(functions) {
                self.touch(terms, entity);
                self.stamps.resize(self.known.len(), 0);
                if self.stamps[entity as usize] == self.generation {
                    continue;
                }
                for member in self.partition.members(entity) {
                    self.stamps[member as usize] = self.generation;
                    self.members.push(member);
                    let known = &self.known[member as usize];
                    self.positions.extend_from_slice(&known.own);
                    self.positions.extend_from_slice(&known.links);
                }
            }
        }
        self.positions.sort_unstable();
        self.positions.dedup();
    }
}

//! Conditions that share no variable are independent queries.

use rustc_hash::FxHashMap;

use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, SatCounts, Solver};
use crate::term::{TermId, Terms};

pub struct Groups<S> {
    inner: S,
    questions: u64,
    groups: u64,
}

impl<S> Groups<S> {
    pub fn new(inner: S) -> Groups<S> {
        Groups { inner, questions: 0, groups: 0 }
    }
}

/// Positions of conditions by group, groups and positions in ascending order.
fn split(terms: &mut Terms, conditions: &[TermId]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..conditions.len()).collect();
    // Functions without an implementation count like variables: both groups must agree on them.
    let mut owner: FxHashMap<(bool, u32), usize> = FxHashMap::default();
    for (position, condition) in conditions.iter().enumerate() {
        let support = terms.support(*condition);
        let variables = support.variables.iter().map(|v| (false, v.0));
        let functions = support.functions.iter().map(|f| (true, f.0));
        for key in variables.chain(functions) {
            let other = *owner.entry(key).or_insert(position);
            let (a, b) = (find(&mut leader, position), find(&mut leader, other));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut number = vec![usize::MAX; conditions.len()];
    for position in 0..conditions.len() {
        let leader = find(&mut leader, position);
        if number[leader] == usize::MAX {
            number[leader] = groups.len();
            groups.push(Vec::new());
        }
        groups[number[leader]].push(position);
    }
    groups
}

fn find(leader: &mut [usize], mut at: usize) -> usize {
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

impl<S: Solver> Solver for Groups<S> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        self.questions += 1;
        let groups = split(terms, conditions);
        self.groups += groups.len() as u64;
        let mut whole = Model::new();
        let mut unknown = None;
        // The last condition is the newest, and most likely the one that decides.
        for group in groups.iter().rev() {
            let part: Vec<TermId> = group.iter().map(|position| conditions[*position]).collect();
            match self.inner.check(terms, &part, budget) {
                Answer::Sat(model) => {
                    for condition in &part {
                        let support = terms.support(*condition);
                        for variable in &support.variables {
                            whole.take_variable(&model, *variable);
                        }
                        for function in &support.functions {
                            whole.take_function(&model, *function);
                        }
                    }
                }
                Answer::Unsat(core) => {
                    return Answer::Unsat(core.into_iter().map(|at| group[at]).collect());
                }
                // Another group may still be unsatisfiable.
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Answer::Sat(whole), Answer::Unknown)
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("questions split", self.questions));
        counters.push(("groups", self.groups));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

//! Questions about one small thing, decided exactly: a variable compared with constants, or one
//! or two variables of at most eight bits.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::intervals::{IntervalSet, interval_set, pleasant_member};
use crate::eval::Evaluator;
use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, Solver};
use crate::term::{Sort, TermId, Terms, VarId};

/// Variables up to this width are tried value by value.
const SMALL_WIDTH: u32 = 8;
/// Pairs of values that are tried before the question is passed on.
const MOST_PAIRS: u32 = 4096;
/// Conditions larger than this are not tried value by value.
const LARGEST_CONDITION: usize = 200;

/// A set of values of at most eight bits.
type ByteSet = [u64; 4];

pub struct Domains<S> {
    inner: S,
    intervals: FxHashMap<TermId, Option<(VarId, Arc<IntervalSet>)>>,
    bytes: FxHashMap<TermId, ByteSet>,
    evaluator: Evaluator,
    by_interval: u64,
    by_values: u64,
}

impl<S> Domains<S> {
    pub fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    pub fn new(inner: S) -> Domains<S> {
        Domains {
            inner,
            intervals: FxHashMap::default(),
            bytes: FxHashMap::default(),
            evaluator: Evaluator::new(),
            by_interval: 0,
            by_values: 0,
        }
    }

    fn decide_by_intervals(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Answer> {
        let mut sets: Vec<Arc<IntervalSet>> = Vec::with_capacity(conditions.len());
        let mut only = None;
        for condition in conditions {
            let entry = self.intervals.entry(*condition);
            let known = entry.or_insert_with(|| {
                interval_set(terms, *condition).map(|(variable, set)| (variable, Arc::new(set)))
            });
            let (variable, set) = known.as_ref()?;
            if *only.get_or_insert(*variable) != *variable {
                return None;
            }
            sets.push(Arc::clone(set));
        }
        let variable = only?;
        let all = IntervalSet::all(sets[0].width);
        let meet = |members: &[usize]| {
            let sets = members.iter().map(|at| &sets[*at]);
            sets.fold(all.clone(), |meet, set| meet.intersect(set))
        };
        let everything: Vec<usize> = (0..sets.len()).collect();
        self.by_interval += 1;
        Some(match pleasant_member(&meet(&everything)) {
            Some(value) => {
                let mut model = Model::new();
                model.set(variable, value);
                Answer::Sat(model)
            }
            None => Answer::Unsat(minimal_core(sets.len(), |members| meet(members).is_empty())),
        })
    }

    fn decide_by_values(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Option<Answer> {
        let mut variables: Vec<VarId> = Vec::new();
        for condition in conditions {
            let support = terms.support(*condition);
            if support.size > LARGEST_CONDITION || !support.functions.is_empty() {
                return None;
            }
            variables.extend_from_slice(&support.variables);
        }
        variables.sort_unstable();
        variables.dedup();
        let is_small = |variable: &VarId| {
            matches!(terms.variable_info(*variable).sort, Sort::Bits(1..=SMALL_WIDTH))
        };
        if variables.len() > 2 || !variables.iter().all(is_small) {
            return None;
        }
        match variables.as_slice() {
            [one] => Some(self.decide_one(terms, conditions, *one)),
            [one, two] => self.decide_two(terms, conditions, *one, *two),
            _ => None,
        }
    }

    fn decide_one(&mut self, terms: &Terms, conditions: &[TermId], variable: VarId) -> Answer {
        self.by_values += 1;
        let sets: Vec<ByteSet> =
            conditions.iter().map(|c| self.values_of(terms, *c, variable)).collect();
        let meet = |members: &[usize]| {
            let mut meet = [u64::MAX; 4];
            for at in members {
                for (word, other) in meet.iter_mut().zip(sets[*at]) {
                    *word &= other;
                }
            }
            meet
        };
        let everything: Vec<usize> = (0..sets.len()).collect();
        match members(&meet(&everything)).next() {
            Some(value) => {
                let mut model = Model::new();
                model.set(variable, value);
                Answer::Sat(model)
            }
            None => Answer::Unsat(minimal_core(sets.len(), |m| meet(m) == [0; 4])),
        }
    }

    fn values_of(&mut self, terms: &Terms, condition: TermId, variable: VarId) -> ByteSet {
        if let Some(known) = self.bytes.get(&condition) {
            return *known;
        }
        let Sort::Bits(width) = terms.variable_info(variable).sort else { return [0; 4] };
        let mut set = [0; 4];
        let mut model = Model::new();
        for value in 0..1u64 << width {
            model.set(variable, value);
            if self.evaluator.holds(terms, &model, &[condition]) {
                set[value as usize / 64] |= 1 << (value % 64);
            }
        }
        self.bytes.insert(condition, set);
        set
    }

    /// Values of each variable that the conditions on it alone allow, tried in pairs on the rest.
    fn decide_two(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        one: VarId,
        two: VarId,
    ) -> Option<Answer> {
        let mut sets = [[u64::MAX; 4]; 2];
        let mut rest = Vec::new();
        for condition in conditions {
            let support = terms.support(*condition);
            match support.variables.as_slice() {
                [alone] => {
                    let set = self.values_of(terms, *condition, *alone);
                    let slot = &mut sets[usize::from(*alone == two)];
                    for (word, other) in slot.iter_mut().zip(set) {
                        *word &= other;
                    }
                }
                _ => rest.push(*condition),
            }
        }
        let widths = [one, two].map(|variable| match terms.variable_info(variable).sort {
            Sort::Bits(width) => width,
            Sort::Array { .. } => 0,
        });
        let fits = |width: u32| move |value: &u64| value >> width == 0;
        let firsts: Vec<u64> = members(&sets[0]).filter(fits(widths[0])).collect();
        let seconds: Vec<u64> = members(&sets[1]).filter(fits(widths[1])).collect();
        let mut tried = 0;
        let mut model = Model::new();
        for &first in &firsts {
            model.set(one, first);
            for &second in &seconds {
                tried += 1;
                if tried > MOST_PAIRS {
                    return None;
                }
                model.set(two, second);
                if self.evaluator.holds(terms, &model, &rest) {
                    self.by_values += 1;
                    return Some(Answer::Sat(model));
                }
            }
        }
        self.by_values += 1;
        Some(Answer::Unsat((0..conditions.len()).collect()))
    }
}

fn members(set: &ByteSet) -> impl Iterator<Item = u64> + use<> {
    let set = *set;
    (0..256u64).filter(move |value| set[*value as usize / 64] >> (value % 64) & 1 == 1)
}

/// Leaves out what is not needed for emptiness, one by one.
fn minimal_core(count: usize, is_empty: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut core: Vec<usize> = (0..count).collect();
    let mut at = 0;
    while at < core.len() {
        let member = core.remove(at);
        if !is_empty(&core) {
            core.insert(at, member);
            at += 1;
        }
    }
    core
}

impl<S: Solver> Solver for Domains<S> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        if let Some(answer) = self.decide_by_intervals(terms, conditions) {
            return answer;
        }
        if let Some(answer) = self.decide_by_values(terms, conditions) {
            return answer;
        }
        self.inner.check(terms, conditions, budget)
    }

    fn new_path(&mut self) {
        self.inner.new_path();
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("intervals", self.by_interval));
        counters.push(("small domains", self.by_values));
        self.inner.counters(counters);
    }
}

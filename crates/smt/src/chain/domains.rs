//! Exact answers to small queries: a variable compared with constants, a variable that such
//! comparisons leave few values, or one or two variables of at most eight bits.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::intervals::{IntervalSet, interval_set, pleasant_member};
use crate::bytes::{ByteSet, SMALL_WIDTH};
use crate::lanes::{LANES, Lanes};
use crate::model::Model;
use crate::solver::{Answer, Budget, Counter, SatCounts, Solver};
use crate::term::{Sort, TermId, Terms, VarId};

/// Conditions with more terms are not tried value by value.
const LARGEST_CONDITION: usize = 1000;
/// Values of a larger variable are tried in rows side by side: at most this many rows, times the
/// number of terms.
const MOST_ROWS: u64 = 10_000;
/// The same for all conditions on two variables together, each tried for all values of one.
const LARGEST_PAIR: usize = 100;

pub struct Domains<S> {
    inner: S,
    intervals: FxHashMap<TermId, Option<(VarId, Arc<IntervalSet>)>>,
    bytes: FxHashMap<TermId, Option<ByteSet>>,
    lanes: Lanes,
    by_interval: u64,
    by_values: u64,
}

impl<S> Domains<S> {
    pub fn new(inner: S) -> Domains<S> {
        Domains {
            inner,
            intervals: FxHashMap::default(),
            bytes: FxHashMap::default(),
            lanes: Lanes::default(),
            by_interval: 0,
            by_values: 0,
        }
    }

    fn decide_by_intervals(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Answer> {
        let mut sets: Vec<Arc<IntervalSet>> = Vec::with_capacity(conditions.len());
        let mut only = None;
        for condition in conditions {
            let (variable, set) = self.interval_of(terms, *condition)?;
            if *only.get_or_insert(variable) != variable {
                return None;
            }
            sets.push(set);
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

    fn interval_of(
        &mut self,
        terms: &Terms,
        condition: TermId,
    ) -> Option<(VarId, Arc<IntervalSet>)> {
        let entry = self.intervals.entry(condition);
        let known = entry.or_insert_with(|| {
            interval_set(terms, condition).map(|(variable, set)| (variable, Arc::new(set)))
        });
        known.clone()
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
        match variables.as_slice() {
            [one] if !is_small(one) => self.decide_range(terms, conditions, *one),
            _ if !variables.iter().all(is_small) => None,
            [one] => self.decide_one(terms, conditions, *one),
            [one, two] => self.decide_two(terms, conditions, *one, *two),
            _ => None,
        }
    }

    fn decide_one(
        &mut self,
        terms: &Terms,
        conditions: &[TermId],
        variable: VarId,
    ) -> Option<Answer> {
        let mut sets = Vec::with_capacity(conditions.len());
        for condition in conditions {
            sets.push(self.values_of(terms, *condition, variable)?);
        }
        self.by_values += 1;
        let width = terms.width(terms.variable_term(variable));
        let meet = |members: &[usize]| {
            members.iter().fold(ByteSet::all(width), |meet, at| meet.intersect(sets[*at]))
        };
        let everything: Vec<usize> = (0..sets.len()).collect();
        Some(match meet(&everything).first() {
            Some(value) => {
                let mut model = Model::new();
                model.set(variable, value);
                Answer::Sat(model)
            }
            None => Answer::Unsat(minimal_core(sets.len(), |m| meet(m).is_empty())),
        })
    }

    fn values_of(&mut self, terms: &Terms, condition: TermId, variable: VarId) -> Option<ByteSet> {
        if let Some(known) = self.bytes.get(&condition) {
            return *known;
        }
        self.lanes.start(terms, variable);
        let set = self.lanes.values(terms, &Model::new(), condition);
        self.bytes.insert(condition, set);
        set
    }

    /// One variable of up to 64 bits for which comparisons leave few values.
    fn decide_range(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        variable: VarId,
    ) -> Option<Answer> {
        let Sort::Bits(width @ ..=64) = terms.variable_info(variable).sort else { return None };
        let mut left = IntervalSet::all(width);
        let mut rest = Vec::new();
        let mut size = 0;
        for condition in conditions {
            match self.interval_of(terms, *condition) {
                Some((_, set)) => left = left.intersect(&set),
                None => {
                    size += terms.support(*condition).size as u64;
                    rest.push(*condition);
                }
            }
        }
        let rows_of = |(first, last): &(u64, u64)| (last - first) / LANES as u64 + 1;
        let rows = left.intervals.iter().map(rows_of).fold(0, u64::saturating_add);
        if rows.saturating_mul(size) > MOST_ROWS {
            return None;
        }
        for &(first, last) in &left.intervals {
            for start in (first..=last).step_by(LANES) {
                self.lanes.start_at(terms, variable, start);
                let mut values = ByteSet::below((last - start).saturating_add(1));
                for condition in &rest {
                    let model = Model::new();
                    values = values.intersect(self.lanes.values(terms, &model, *condition)?);
                }
                if let Some(value) = values.first() {
                    self.by_values += 1;
                    let mut model = Model::new();
                    model.set(variable, start + value);
                    return Some(Answer::Sat(model));
                }
            }
        }
        self.by_values += 1;
        Some(Answer::Unsat((0..conditions.len()).collect()))
    }

    /// For each value of one variable, all values of the other one.
    fn decide_two(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        one: VarId,
        two: VarId,
    ) -> Option<Answer> {
        let mut sets = [one, two].map(|v| ByteSet::all(terms.width(terms.variable_term(v))));
        let mut rest = Vec::new();
        let mut size = 0;
        for condition in conditions {
            let support = terms.support(*condition);
            match support.variables.as_slice() {
                [alone] => {
                    let set = self.values_of(terms, *condition, *alone)?;
                    let slot = &mut sets[usize::from(*alone == two)];
                    *slot = slot.intersect(set);
                }
                _ => {
                    size += support.size;
                    rest.push(*condition);
                }
            }
        }
        if size > LARGEST_PAIR {
            return None;
        }
        let mut model = Model::new();
        for first in sets[0].members() {
            model.set(one, first);
            self.lanes.start(terms, two);
            let mut seconds = sets[1];
            for condition in &rest {
                seconds = seconds.intersect(self.lanes.values(terms, &model, *condition)?);
                if seconds.is_empty() {
                    break;
                }
            }
            if let Some(second) = seconds.first() {
                model.set(two, second);
                self.by_values += 1;
                return Some(Answer::Sat(model));
            }
        }
        self.by_values += 1;
        Some(Answer::Unsat((0..conditions.len()).collect()))
    }
}

/// Drops conditions that the contradiction does not need, one by one.
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

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("intervals", self.by_interval));
        counters.push(("small domains", self.by_values));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

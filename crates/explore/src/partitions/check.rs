//! Checks the claim of a partition: draws inputs from it and runs them.

use base::Random;
use smt::{Answer, Budget, TermId};

use super::explorer::Explorer;
use crate::proved::{Partition, Verdict};

/// Conflicts of the SAT solver for one drawn input.
const CONFLICTS: u32 = 200;

impl Explorer<'_> {
    /// Inputs of a partition, at most this many. Half of them are mutations of the known input, the
    /// solver finds the others beyond a drawn value.
    pub fn samples(&mut self, number: usize, count: usize, seed: u64) -> Vec<Box<[u64]>> {
        let Partition { conditions, input, .. } = self.found().list[number].clone();
        let mut random = Random::new(seed);
        let mut found: Vec<Box<[u64]>> = Vec::new();
        for round in 0..count {
            let drawn = match round % 2 {
                0 => self.change(&input, &conditions, &mut random),
                _ => self.beyond(&conditions, &mut random),
            };
            found.extend(drawn.filter(|drawn| !found.contains(drawn)));
        }
        found
    }

    /// An input of a partition that violates its claim, if one is drawn. `differs` says whether the
    /// versions differ on an input.
    pub fn counterexample(
        &mut self,
        number: usize,
        count: usize,
        seed: u64,
        differs: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Option<Box<[u64]>> {
        let claim = match self.found().list[number].verdict {
            Verdict::Equal(_) => false,
            Verdict::Different => true,
            Verdict::Unknown(_) => return None,
        };
        self.samples(number, count, seed).into_iter().find(|input| differs(input) != claim)
    }

    /// Another value for some cells of an input.
    fn change(
        &mut self,
        input: &[u64],
        conditions: &[TermId],
        random: &mut Random,
    ) -> Option<Box<[u64]>> {
        let layout = self.layout();
        for _ in 0..8 {
            let mut changed: Box<[u64]> = input.into();
            for (value, cell) in changed.iter_mut().zip(layout.cells.values()) {
                if random.next().is_multiple_of(2) {
                    *value = cell.domain.nth(u128::from(random.next()) % cell.domain.count());
                }
            }
            if self.satisfies(&changed, conditions) {
                return Some(changed);
            }
        }
        None
    }

    /// An input with a cell on the other side of a drawn value.
    fn beyond(&mut self, conditions: &[TermId], random: &mut Random) -> Option<Box<[u64]>> {
        let cells = self.inputs().cells.clone();
        if cells.is_empty() {
            return None;
        }
        let cell = cells[(random.next() % cells.len() as u64) as usize];
        let mut all: Vec<TermId> = self.inputs().domain.clone();
        all.extend(conditions);
        let terms = self.terms_mut();
        let width = terms.width(cell);
        let bound = terms.constant(width, random.next() & (u64::MAX >> (64 - width.clamp(1, 64))));
        all.push(match random.next() % 2 {
            0 => terms.ule(cell, bound),
            _ => terms.uge(cell, bound),
        });
        let budget = Budget { conflicts: Some(CONFLICTS), ..Budget::default() };
        match self.solve(&all, &budget) {
            Answer::Sat(model) => Some(self.inputs().assignment(self.terms(), &model)),
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        }
    }
}

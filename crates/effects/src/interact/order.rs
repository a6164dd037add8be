//! In which order runs of NEW pass the parts of a change.
//!
//! A part that is passed several times in a row counts once. Very long orders are cut.

use std::collections::BTreeSet;

use exec::{Limits, Machine, Observer, Program, Stop};
use explore::Pair;
use ir::{FuncId, Module, StatementId};
use trace::Harness;

use super::parts::Passed;
use crate::error::Error;
use crate::trial::Subject;

/// The most passes to keep of a run.
const MOST_PASSES: usize = 512;

/// Runs NEW and watches which parts it passes.
pub(super) struct Orders<'p> {
    program: Program,
    pair: Pair<'p>,
    passed: &'p Passed,
    name: &'p [u8],
    limits: Limits,
}

impl<'p> Orders<'p> {
    pub fn new(
        new: &Subject<'_>,
        pair: Pair<'p>,
        passed: &'p Passed,
        name: &'p [u8],
        limits: Limits,
    ) -> Result<Orders<'p>, Error> {
        // Marks of statements count as steps, too.
        let limits = Limits { steps: limits.steps.saturating_mul(2), ..limits };
        Ok(Orders { program: new.instrumented()?, pair, passed, name, limits })
    }

    /// The order in which an input passes parts.
    pub fn of(&self, assignment: &[u64]) -> Vec<usize> {
        let side = &self.pair.new;
        let mut own = Vec::new();
        side.assignment_into(assignment, &mut own);
        let mut harness = Harness::new(&self.program, side.layout, self.name);
        let observer = Watch {
            passed: self.passed,
            module: &self.program.module,
            frames: Vec::new(),
            order: Vec::new(),
        };
        let given = exec::Input::default();
        let mut machine = Machine::idle(&self.program, &given, self.limits, observer);
        let _: Stop = harness.run(&mut machine, &own);
        machine.observer.order
    }
}

struct Watch<'p> {
    passed: &'p Passed,
    module: &'p Module,
    /// The last statement of each active function.
    frames: Vec<Option<StatementId>>,
    order: Vec<usize>,
}

impl Watch<'_> {
    fn pass(&mut self, parts: Option<&BTreeSet<usize>>) {
        for &part in parts.into_iter().flatten() {
            if self.order.last() != Some(&part) && self.order.len() < MOST_PASSES {
                self.order.push(part);
            }
        }
    }
}

impl Observer for Watch<'_> {
    const STATEMENTS: bool = true;

    fn statement(&mut self, statement: StatementId) {
        if self.frames.is_empty() {
            self.frames.push(None);
        }
        let before = self.frames.last_mut().and_then(|frame| frame.replace(statement));
        let passed = self.passed;
        if let Some(before) = before.filter(|_| !passed.ways.is_empty()) {
            let (from, to) = (&self.module.statements[before], &self.module.statements[statement]);
            self.pass(passed.ways.get(&(from.function, from.block, to.block)));
        }
        self.pass(passed.statements.get(&statement));
    }

    fn enter(&mut self, function: FuncId) {
        self.frames.push(None);
        self.pass(self.passed.entries.get(&function));
    }

    fn leave(&mut self, _function: FuncId) {
        self.frames.pop();
    }
}

/// Whether an order passes these parts one after the other, perhaps with others in between.
pub(super) fn contains(order: &[usize], sequence: &[usize]) -> bool {
    let mut left = sequence.iter();
    let mut next = left.next();
    for part in order {
        if next == Some(part) {
            next = left.next();
        }
    }
    next.is_none()
}

/// The parts of an order by their first pass.
pub(super) fn by_first_pass(order: &[usize]) -> Vec<usize> {
    let mut first = Vec::new();
    for &part in order {
        if !first.contains(&part) {
            first.push(part);
        }
    }
    first
}

/// The longest sequence that two orders have in common.
pub(super) fn common(one: &[usize], other: &[usize]) -> Vec<usize> {
    let width = other.len() + 1;
    let mut longest = vec![0_u32; (one.len() + 1) * width];
    for (i, a) in one.iter().enumerate().rev() {
        for (j, b) in other.iter().enumerate().rev() {
            longest[i * width + j] = match a == b {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < one.len() && j < other.len() {
        if one[i] == other[j] {
            found.push(one[i]);
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_contains_what_it_passes_with_others_in_between() {
        assert!(contains(&[1, 7, 5, 7], &[1, 5, 7]));
        assert!(!contains(&[1, 7, 5], &[1, 5, 7]));
        assert!(contains(&[1], &[]));
    }

    #[test]
    fn the_first_passes_name_an_order() {
        assert_eq!(by_first_pass(&[1, 7, 7, 5, 1]), [1, 7, 5]);
    }

    #[test]
    fn two_orders_have_a_longest_common_sequence() {
        assert_eq!(common(&[1, 7, 5, 7], &[1, 5, 5, 7]), [1, 5, 7]);
        assert_eq!(common(&[1, 2], &[2, 1]).len(), 1);
        assert_eq!(common(&[], &[2, 1]), Vec::<usize>::new());
    }
}

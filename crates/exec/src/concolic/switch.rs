//! Conditions of switches: one for each target, mutually exclusive and covering all values.

use smt::{TermId, Terms};

use super::Concolic;
use super::path::{Origin, Step};
use crate::code::{Op, Table};
use crate::observer::At;
use crate::program::Program;

impl Concolic {
    /// Adds the outcome of a switch.
    pub(super) fn take_switch(&mut self, at: At<'_>, value: TermId, target: u32) {
        let Op::Switch { table: number, .. } = at.op() else { return };
        let function = at.code.function.as_u32();
        let table = &at.code.tables[number as usize];
        let condition = self.target_condition((function, number), table, value, target);
        let origin = Origin::Switch { value, function, table: number, target };
        self.push(at, condition, origin, target.into());
    }

    /// The alternatives of a run at one of its steps: the outcome and its condition. A step that
    /// fixes a value has one condition, that the value is another, and its outcome is meaningless.
    pub fn alternatives(&mut self, program: &Program, step: &Step) -> Vec<(u64, TermId)> {
        let Origin::Switch { value, function, table: number, target } = step.origin else {
            return vec![(u64::from(step.outcome == 0), self.terms.not(step.condition))];
        };
        let table = &program.code(ir::FuncId::at(function)).tables[number as usize];
        let mut targets: Vec<u32> = table.cases.iter().map(|&(_, target)| target).collect();
        targets.push(table.default);
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|&other| other != target);
        let conditions = targets.into_iter().map(|other| {
            let condition = self.target_condition((function, number), table, value, other);
            (u64::from(other), condition)
        });
        conditions.filter(|&(_, condition)| condition != Terms::FALSE).collect()
    }

    /// When a switch goes to a target.
    fn target_condition(
        &mut self,
        (function, number): (u32, u32),
        table: &Table,
        value: TermId,
        target: u32,
    ) -> TermId {
        let key = (function, number, value, target);
        if let Some(&known) = self.switches.get(&key) {
            return known;
        }
        let condition = if target == table.default {
            let elsewhere = table.cases.iter().filter(|case| case.1 != target);
            let cases: Vec<u64> = elsewhere.map(|case| case.0).collect();
            let other = self.is_one_of(value, &cases);
            self.terms.not(other)
        } else {
            let here = table.cases.iter().filter(|case| case.1 == target);
            let cases: Vec<u64> = here.map(|case| case.0).collect();
            self.is_one_of(value, &cases)
        };
        self.switches.insert(key, condition);
        condition
    }

    /// Whether a value is one of some constants in ascending order.
    fn is_one_of(&mut self, value: TermId, constants: &[u64]) -> TermId {
        let width = self.terms.width(value);
        let fits = |constant: &u64| width >= 64 || constant >> width == 0;
        let mut any = Terms::FALSE;
        let mut rest = constants;
        while let Some(&first) = rest.first() {
            let run = rest.iter().zip(first..).take_while(|(case, next)| **case == *next).count();
            let last = rest[run - 1];
            rest = &rest[run..];
            if !fits(&first) {
                continue;
            }
            let last = if fits(&last) { last } else { u64::MAX >> (64 - width) };
            let within = self.is_between(value, first, last);
            any = self.terms.or(any, within);
        }
        any
    }

    fn is_between(&mut self, value: TermId, first: u64, last: u64) -> TermId {
        let width = self.terms.width(value);
        let low = self.terms.constant(width, first);
        if first == last {
            return self.terms.eq(value, low);
        }
        let high = self.terms.constant(width, last);
        let (above, below) = (self.terms.uge(value, low), self.terms.ule(value, high));
        self.terms.and(above, below)
    }
}

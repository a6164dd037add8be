//! The path condition of a run.

use ir::InstId;
use smt::{TermId, Terms};

use super::Concolic;
use crate::Program;
use crate::observer::{At, Operand, Use};
use crate::stop::Site;

/// A condition that a run met, as it held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub condition: TermId,
    pub origin: Origin,
    /// The outcome, in numbers that do not depend on terms: whether a branch was taken, the target
    /// of a switch, the fixed value.
    pub outcome: u64,
    pub site: Site,
    /// Steps of the run at that time. With the site it identifies the instance of a statement.
    pub moment: u64,
}

/// Where a condition comes from, and so what its negation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A branch; the negation takes the other side.
    Branch,
    /// A switch on a value; there are several other targets.
    Switch { value: TermId, function: u32, table: u32, target: u32 },
    /// Something that must hold for the run to continue, such as a divisor that is not 0, or an
    /// index within its object. The negation leads to a fault or to another object.
    Check,
    /// How much of the input there is to read.
    Extent,
    /// A value decides by itself where the run goes: a function pointer, or a wild address.
    Value { term: TermId, value: u64 },
    /// A value was pinned because terms do not follow it further.
    Pin { term: TermId, value: u64 },
}

/// A place where the run depends on a value of the input that terms do not follow further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pin {
    pub site: Site,
    pub how: Use,
    /// The function of the machine that used the value.
    pub by: Option<&'static str>,
}

impl Concolic {
    /// Adds a condition that holds, unless it is already implied.
    pub(super) fn push(&mut self, at: At<'_>, condition: TermId, origin: Origin, outcome: u64) {
        if condition == Terms::TRUE {
            return;
        }
        if condition == Terms::FALSE {
            self.contradiction.get_or_insert(at.site());
            return;
        }
        let step = Step { condition, origin, outcome, site: at.site(), moment: at.steps };
        match (self.mark(condition), &mut self.repeats) {
            (true, _) => self.path.push(step),
            (false, Some(repeats)) => repeats.push(step),
            (false, None) => {}
        }
    }

    /// Adds, before a run begins, that a value of the input is what it is because it decides what
    /// there is to be read.
    pub fn fix_extent(&mut self, program: &Program, term: TermId, value: u64) {
        let constant = self.terms.constant(self.terms.width(term), value);
        let condition = self.terms.eq(term, constant);
        if condition != Terms::TRUE && self.mark(condition) {
            let site = Site { function: program.entry, inst: InstId::from_u32(0) };
            let origin = Origin::Extent;
            self.path.push(Step { condition, origin, outcome: value, site, moment: 0 });
        }
    }

    /// Records that a condition is on the path; returns whether it was new.
    pub(super) fn mark(&mut self, condition: TermId) -> bool {
        let index = condition.raw() as usize;
        if index >= self.on_path.len() {
            self.on_path.resize(index.max(self.terms.len()) + 1, 0);
        }
        let known = std::mem::replace(&mut self.on_path[index], self.run);
        known != self.run
    }

    /// Adds the outcome of a branch.
    pub(super) fn push_truth(&mut self, at: At<'_>, term: TermId, holds: bool, origin: Origin) {
        let condition = if holds { term } else { self.terms.not(term) };
        self.push(at, condition, origin, holds.into());
    }

    /// Fixes a value to that of this run, and lists the pin.
    pub(super) fn pin(&mut self, at: At<'_>, operand: Operand, how: Use) {
        let Some(term) = TermId::from_raw(operand.shadow) else { return };
        // Few values can all be tried.
        if self.choices(term).is_some() {
            return self.push_value(at, term, operand.bits);
        }
        if self.pin_term(at, term, operand.bits) {
            let pin = Pin { site: at.site(), how, by: self.pending.name };
            if !self.pins.contains(&pin) {
                self.pins.push(pin);
            }
        }
    }

    /// Adds that a term has a value; returns whether that was new.
    fn pin_term(&mut self, at: At<'_>, term: TermId, value: u64) -> bool {
        let before = self.path.len();
        let constant = self.terms.constant(self.terms.width(term), value);
        let value = self.terms.as_constant(constant).unwrap_or(value);
        let condition = self.terms.eq(term, constant);
        self.push(at, condition, Origin::Pin { term, value }, value);
        self.path.len() > before
    }

    /// Fixes a value that decides by itself.
    pub(super) fn push_value(&mut self, at: At<'_>, term: TermId, value: u64) {
        let constant = self.terms.constant(self.terms.width(term), value);
        let value = self.terms.as_constant(constant).unwrap_or(value);
        let condition = self.terms.eq(term, constant);
        self.push(at, condition, Origin::Value { term, value }, value);
    }
}

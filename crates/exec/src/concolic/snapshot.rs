//! Returns to an earlier moment of a concolic run, with the same input or another.

use smt::{Evaluator, Model, TermId};

use super::path::{Pin, Step};
use super::source::Sources;
use super::{Concolic, Event};
use crate::Machine;
use crate::memory::Shade;
use crate::observer::Operand;
use crate::state::State;

/// A moment of a run, which can be restored any number of times.
pub struct Snapshot {
    state: State,
    path: Vec<Step>,
    pins: Vec<Pin>,
    events: Vec<Event>,
    result: Vec<Operand>,
    sources: Sources,
}

impl Snapshot {
    /// The path condition up to there.
    pub fn path(&self) -> &[Step] {
        &self.path
    }
}

impl Machine<'_, Concolic> {
    pub fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            state: self.state.fork(),
            path: self.observer.path.clone(),
            pins: self.observer.pins.clone(),
            events: self.observer.events.clone(),
            result: self.observer.result.clone(),
            sources: self.observer.sources.clone(),
        }
    }

    /// Goes back to a moment of an earlier run of the same program with the same terms.
    pub fn resume(&mut self, moment: &mut Snapshot) {
        self.state = moment.state.fork();
        self.observer.start();
        for step in &moment.path {
            self.observer.mark(step.condition);
        }
        self.observer.path.clone_from(&moment.path);
        self.observer.pins.clone_from(&moment.pins);
        self.observer.events.clone_from(&moment.events);
        self.observer.result.clone_from(&moment.result);
        self.observer.sources.clone_from(&moment.sources);
    }

    /// Changes every value that depends on the input to that of another input, which must satisfy
    /// the path condition so far. The caller replaces the input that has not been read yet.
    pub fn rebase(&mut self, model: &Model) {
        let mut evaluator = Evaluator::new();
        evaluator.restart();
        let terms = &self.observer.terms;
        let used = self.state.frames.last().map_or(0, |frame| {
            frame.base as usize + usize::from(self.program.code(frame.function).registers)
        });
        for register in 0..used.min(self.state.shadows.len()) {
            if let Some(term) = TermId::from_raw(self.state.shadows[register]) {
                self.state.registers[register] = evaluator.value(terms, model, term);
            }
        }
        self.state.memory.reevaluate(|shade: Shade| {
            let term = TermId::from_raw(shade.shadow)?;
            let value = evaluator.value(terms, model, term);
            Some((value >> (8 * u32::from(shade.part)).min(63)) as u8)
        });
    }
}

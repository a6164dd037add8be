//! One version alone on its plain machine: runs inputs and returns their observables.

use std::sync::Arc;

use exec::{Limits, Stop};
use ir::StatementId;
use trace::outcome::Seen;

use super::side::{Runner, Side, runner};
use super::ways::Numbering;

/// The machine of a version.
pub struct Plain<'p> {
    runner: Box<dyn Runner + 'p>,
    /// The bound of a run.
    steps: u64,
}

impl<'p> Plain<'p> {
    pub fn new(side: Side<'p>, name: &[u8], limits: Limits, counts_leaks: bool) -> Plain<'p> {
        let numbering = Arc::new(Numbering::alone(side.program));
        Plain { runner: runner(side, name, limits, numbering, counts_leaks), steps: limits.steps }
    }

    pub fn run(&mut self, assignment: &[u64]) {
        self.runner.run(assignment, self.steps);
    }

    /// The observables of the last run.
    pub fn seen(&self) -> Seen<'_> {
        self.runner.seen()
    }

    /// How the last run ended.
    pub fn stop(&self) -> &Stop {
        self.runner.stop()
    }

    /// The marked statements that the last run executed.
    pub fn reached(&self) -> &[StatementId] {
        self.runner.reached()
    }

    /// Whether the last run ended in a fault, and executed no marked statement until then.
    pub fn faults_before_change(&self) -> bool {
        matches!(self.runner.stop(), Stop::Fault(_)) && self.runner.reached().is_empty()
    }

    /// Whether the last run ended and its input determines the behaviour of a native program:
    /// nothing that a native program may survive happened, and it read no uninitialised memory.
    pub fn is_determined(&self) -> bool {
        let is_clear = match self.runner.stop() {
            Stop::Exit(_) | Stop::Signal(_) => true,
            Stop::Fault(fault) => fault.kind.is_certain(),
            Stop::Unsupported(_) | Stop::Exhausted(_) => false,
        };
        is_clear && !self.runner.reads_unwritten()
    }
}

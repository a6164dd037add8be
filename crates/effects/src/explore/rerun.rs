//! Runs kept tests again on the machine: their output, results, and executed statements.

use base::entity::EntityRef;
use exec::observer::Operand;
use exec::{Limits, Machine, Observer, Program, Stop};
use explore::{Options, Taker};
use inputs::Snapshot;
use ir::StatementId;
use trace::Harness;

use super::select::Selected;
use crate::error::Error;
use crate::trial::Subject;

/// The outcome of a run on the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineOutcome {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    /// For a function that returned: the state that it left, as a harness writes it.
    pub result: Option<String>,
    /// Whether it read uninitialised memory, so that its behaviour is not determined.
    pub reads_unwritten: bool,
}

impl MachineOutcome {
    /// The exit status of the native program, if known: the harness ends with 0 if the function
    /// returns.
    pub fn status(&self) -> Option<i32> {
        match self.result {
            Some(_) => Some(0),
            None => self.stop.status(),
        }
    }
}

pub(super) struct Rerun {
    /// One for each test.
    pub outcomes: Vec<MachineOutcome>,
    /// How often each statement was executed, by its number, over all tests.
    pub statements: Vec<u64>,
}

/// Counts statements and keeps the result of the entry.
#[derive(Default)]
struct Watch<const RESULTS: bool> {
    statements: Vec<u64>,
    returned: Option<Vec<u64>>,
}

impl<const RESULTS: bool> Observer for Watch<RESULTS> {
    const STATEMENTS: bool = true;
    /// Only observers with shadows see the result of the entry.
    const SHADOWS: bool = RESULTS;

    fn statement(&mut self, statement: StatementId) {
        self.statements[statement.index()] += 1;
    }

    fn finish(&mut self, results: &[Operand]) {
        self.returned = Some(results.iter().map(|operand| operand.bits).collect());
    }
}

pub(super) fn rerun(
    subject: &Subject<'_>,
    tests: &[Selected],
    options: &Options,
) -> Result<Rerun, Error> {
    let program = subject.instrumented()?;
    Ok(if subject.harness.is_some() {
        rerun_watched::<true>(subject, &program, tests, options)
    } else {
        rerun_watched::<false>(subject, &program, tests, options)
    })
}

fn rerun_watched<const RESULTS: bool>(
    subject: &Subject<'_>,
    program: &Program,
    tests: &[Selected],
    options: &Options,
) -> Rerun {
    // Marks of statements count as steps, too: one at most for each other one.
    let limits = Limits { steps: options.limits.steps.saturating_mul(2), ..options.limits };
    let mut harness = Harness::new(program, &subject.layout, &options.name);
    let statements = vec![0; program.module.statements.len()];
    let watch = Watch::<RESULTS> { statements, returned: None };
    let mut machine = Machine::idle(program, &exec::Input::default(), limits, watch);
    let mut taker = subject.harness.as_deref().map(|caller| (Taker::new(caller, program), caller));
    let outcomes = tests.iter().map(|selected| {
        machine.observer.returned = None;
        let stop = match harness.start(&mut machine, &selected.assignment) {
            Ok(()) => machine.run(),
            Err(stop) => stop,
        };
        let vfs = &machine.state.process.vfs;
        let undefined = machine.state.memory.undefined_reads + machine.state.undefined_slots;
        MachineOutcome {
            stdout: vfs.stdout().to_vec(),
            result: result(taker.as_mut(), &harness, &machine, &stop),
            reads_unwritten: undefined > 0,
            stop,
        }
    });
    let outcomes = outcomes.collect();
    Rerun { outcomes, statements: machine.observer.statements }
}

/// The state that a function left when it returned, as its harness writes it.
fn result<const RESULTS: bool>(
    taker: Option<&mut (Taker, &inputs::Harness)>,
    placed: &Harness<'_>,
    machine: &Machine<'_, Watch<RESULTS>>,
    stop: &Stop,
) -> Option<String> {
    let (taker, harness) = taker?;
    let registers = machine.observer.returned.as_ref()?;
    // Code of the program may still fail after the function has returned.
    if !matches!(stop, Stop::Exit(_)) {
        return None;
    }
    let mut left = Snapshot::default();
    taker.take(harness, placed, machine, registers, false, &mut left);
    Some(harness.text_of(&left))
}

//! Runs can be stopped, forked and resumed, and two runs of one program are the same.

use exec::observer::At;
use exec::stop::Bound;
use exec::{
    Input, Instrumentation, Limits, Machine, Observer, Program, StatementTrace, Stop, Unobserved,
};
use ir::StatementId;
use ripple_effects::{Libc, Loader};
use testkit::conformance::{Case, input_of};

const LIMITS: Limits = Limits { steps: 400_000, memory: 1 << 30, output: 1 << 20, depth: 10_000 };

/// Some of the programs under `tests/run`, with their inputs.
fn for_programs(step: usize, mut check: impl FnMut(&str, &Program, &Input)) {
    let root = testkit::root();
    let Some(compiler) = testkit::compiler_in(&root) else { return };
    let cases = Case::all(&root, "tests/run").expect("the cases are well-formed");
    for case in cases.iter().step_by(step) {
        let loader = Loader { compiler: &compiler, cflags: case.cflags.clone(), libc: Libc::Quick };
        let program = loader.program(&case.files, Instrumentation { statements: true });
        let program = program.unwrap_or_else(|error| panic!("{}: {error}", case.name));
        check(&case.name, &program, &input_of(&case.invocation));
    }
}

fn start<'p, O: Observer>(
    program: &'p Program,
    input: &Input,
    limits: Limits,
    observer: O,
) -> Machine<'p, O> {
    match Machine::new(program, input, limits, observer) {
        Ok(machine) => machine,
        Err(stop) => panic!("the machine does not start: {stop:?}"),
    }
}

/// The whole state that a run leaves, including the address of the next object.
fn rest<O>(machine: &mut Machine<'_, O>) -> (Vec<u8>, Vec<u8>, u64, u64, u64) {
    machine.state.memory.set_limit(u64::MAX);
    let next = machine.state.allocate_heap(8, true).expect("there is room");
    let vfs = &machine.state.process.vfs;
    let live = machine.state.memory.live_bytes();
    (vfs.stdout().to_vec(), vfs.stderr().to_vec(), machine.state.steps, live, next)
}

/// Keeps statements and addresses.
#[derive(Default, PartialEq, Eq, Debug)]
struct Trace {
    statements: Vec<StatementId>,
    accesses: Vec<(bool, u64, u64)>,
    branches: Vec<bool>,
}

impl Observer for Trace {
    const STATEMENTS: bool = true;

    fn statement(&mut self, statement: StatementId) {
        self.statements.push(statement);
    }

    fn branch(&mut self, _at: At<'_>, taken: bool) {
        self.branches.push(taken);
    }

    fn read(&mut self, _at: At<'_>, address: u64, size: u64) {
        self.accesses.push((false, address, size));
    }

    fn write(&mut self, _at: At<'_>, address: u64, size: u64) {
        self.accesses.push((true, address, size));
    }
}

#[test]
fn two_runs_give_the_same_trace_and_the_same_addresses() {
    for_programs(3, |name, program, input| {
        let run = || {
            let mut machine = start(program, input, LIMITS, Trace::default());
            let stop = machine.run();
            let rest = rest(&mut machine);
            (stop, rest, machine.observer)
        };
        assert!(run() == run(), "{name}");
    });
}

#[test]
fn a_run_in_slices_is_the_run_at_a_stretch() {
    for_programs(4, |name, program, input| {
        let mut whole = start(program, input, LIMITS, StatementTrace::default());
        let expected = whole.run();
        for slice in [1, 7, 1000, 77_777] {
            let first = Limits { steps: slice, ..LIMITS };
            let mut machine = start(program, input, first, StatementTrace::default());
            let mut stop = machine.run();
            let mut slices = 0;
            while stop == Stop::Exhausted(Bound::Steps) && machine.state.limits.steps < LIMITS.steps
            {
                slices += 1;
                // Tiny slices at first, larger ones later, or it would take forever.
                let more = slice * (1 + slices / 50);
                machine.state.limits.steps = (machine.state.steps + more).min(LIMITS.steps);
                stop = machine.run();
            }
            assert_eq!(stop, expected, "{name} in slices of {slice}");
            assert_eq!(machine.observer.statements, whole.observer.statements, "{name}");
            assert_eq!(rest(&mut machine), rest(&mut whole), "{name}");
            // The comparison allocated in both; the next one starts from the same state.
            whole = start(program, input, LIMITS, StatementTrace::default());
            whole.run();
        }
    });
}

#[test]
fn a_fork_goes_on_as_the_original_does_and_neither_sees_the_other() {
    for_programs(4, |name, program, input| {
        let mut whole = start(program, input, LIMITS, Unobserved);
        let expected = whole.run();
        let expected_rest = rest(&mut whole);
        for at in [10, 3_000, 50_000] {
            let first = Limits { steps: at, ..LIMITS };
            let mut original = start(program, input, first, Unobserved);
            let stop = original.run();
            let mut fork = Machine { program, state: original.state.fork(), observer: Unobserved };
            let mut late = Machine { program, state: original.state.fork(), observer: Unobserved };
            if stop == Stop::Exhausted(Bound::Steps) {
                original.state.limits.steps = LIMITS.steps;
                assert_eq!(original.run(), expected, "{name} forked at {at}");
                fork.state.limits.steps = LIMITS.steps;
                assert_eq!(fork.run(), expected, "{name} forked at {at}");
                // Forked before the other two continued, and run after them.
                late.state.limits.steps = LIMITS.steps;
                assert_eq!(late.run(), expected, "{name} forked at {at}");
            }
            for machine in [&mut original, &mut fork, &mut late] {
                assert_eq!(rest(machine), expected_rest, "{name} forked at {at}");
            }
        }
    });
}

#[test]
fn a_run_that_has_ended_stays_ended() {
    for_programs(9, |name, program, input| {
        let mut machine = start(program, input, LIMITS, Unobserved);
        let stop = machine.run();
        if stop != Stop::Exhausted(Bound::Steps) {
            let steps = machine.state.steps;
            assert_eq!(machine.run(), stop, "{name}");
            let mut fork = Machine { program, state: machine.state.fork(), observer: Unobserved };
            assert_eq!(fork.run(), stop, "{name}");
            assert_eq!(machine.state.steps, steps, "{name}");
        }
    });
}

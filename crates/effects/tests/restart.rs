//! A restarted machine behaves like a new one, whatever it ran before.

use exec::{Input, Instrumentation, Limits, Machine, Stop, Unobserved};
use ripple_effects::{Libc, Loader};
use testkit::conformance::{Case, input_of};

/// The observables of a run, including the number of instructions.
type Shown = (Stop, Vec<u8>, Vec<u8>, u64);

fn show(machine: &mut Machine<'_, Unobserved>) -> Shown {
    let stop = machine.run();
    let vfs = &machine.state.process.vfs;
    (stop, vfs.stdout().to_vec(), vfs.stderr().to_vec(), machine.state.steps)
}

fn other_input() -> Input {
    let args = ["other", "-x", "7", "8", "9"].map(|arg| arg.as_bytes().to_vec()).to_vec();
    Input { args, stdin: b"some other text\n1 2 3\n".to_vec(), ..Input::default() }
}

#[test]
fn a_restarted_machine_shows_what_a_new_one_shows() {
    let root = testkit::root();
    let Some(compiler) = testkit::compiler_in(&root) else { return };
    let limits = Limits { steps: 3_000_000, ..Limits::default() };
    let cases = Case::all(&root, "tests/run").expect("the cases are well-formed");
    for case in cases.iter().step_by(4) {
        let loader = Loader { compiler: &compiler, cflags: case.cflags.clone(), libc: Libc::Quick };
        let program = loader
            .program(&case.files, Instrumentation::default())
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let input = input_of(&case.invocation);
        let start =
            |input| Machine::new(&program, input, limits, Unobserved).expect("a machine starts");
        let expected = show(&mut start(&input));
        let mut machine = start(&other_input());
        for _ in 0..2 {
            show(&mut machine);
            machine.restart(&input).expect("a machine starts again");
            assert_eq!(show(&mut machine), expected, "{}", case.name);
        }
    }
}

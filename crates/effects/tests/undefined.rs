//! Uninitialised memory, bit by bit, and operations that the language leaves undefined, on the
//! plain machine and in concolic runs.

use exec::observer::Shade;
use exec::stop::FaultKind;
use exec::undefined::UndefinedKind;
use exec::{Concolic, Input, Limits, Machine, Observer, Program, Stop, Unobserved};
use smt::{Sort, Terms};

/// Fields in one unit, some of them signed, and a unit of one byte.
const BIT_FIELDS: &str = "\
#include <stdbool.h>
#include <stdlib.h>
struct flags { unsigned kind : 3; int level : 5; unsigned count : 10; bool on : 1; };
struct small { unsigned char low : 4, high : 4; };
int main(int argc, char **argv) {
    struct flags *flags = malloc(sizeof *flags);
    struct small small;
    flags->kind = argc;
    flags->level = -3;
    flags->count = 0;
    flags->level += 2;
    flags->on = argv[1][0] == 'x';
    small.low = 7;
    int sum = flags->kind + flags->level + flags->count + flags->on + small.low;
    if (argc > 2)
        sum += argv[2][0] == 'h' ? small.high : 0;
    if (argc > 3)
        small.high = 1, sum += small.high;
    free(flags);
    return sum;
}
";

const ARITHMETIC: &str = "\
int main(int argc, char **argv) {
    int x = argv[1][0];
    int scaled = x * 20000000;
    unsigned wrapped = (unsigned)x * 2000000000u + 4000000000u;
    long shifted = 1L << (x - 60);
    int whole = (int)(x * 1e8);
    return argc > 9 ? scaled + (int)wrapped + (int)shifted + whole : 0;
}
";

/// Operations on pointers and memory depend on two characters. Also a packed struct and a function
/// of the C library.
const POINTERS: &str = "\
#include <stdlib.h>
#include <string.h>
struct __attribute__((packed)) odd { char tag; int value; };
struct pair { int a, b; };
int main(int argc, char **argv) {
    struct pair *pair = argv[1][0] == 'n' ? 0 : malloc(8);
    int *second = &pair->b;
    char bytes[16] = { 0 };
    int x = *(int *)(bytes + (argv[1][1] & 7));
    struct odd odd = { 1, 2 };
    x += odd.value + (int)strlen(argv[1] + 1) + (int)strlen(bytes + 3);
    int never;
    if (argv[1][0] == 'u')
        x += never;
    if (argv[1][0] == 'm')
        memcpy(bytes, argc == 2 ? 0 : bytes, argc - 2);
    return second == 0 ? x & 0 : 0;
}
";

/// Sees undefined operations and nothing else.
struct Watching;

impl Observer for Watching {
    const UNDEFINED: bool = true;
}

fn program(name: &str, text: &str) -> Option<Program> {
    testkit::program("undefined", name, text)
}

fn machine<'p, O: Observer>(program: &'p Program, args: &[&str], observer: O) -> Machine<'p, O> {
    let all = ["program"].iter().chain(args).map(|arg| arg.as_bytes().to_vec());
    let input = Input { args: all.collect(), ..Input::default() };
    Machine::new(program, &input, Limits::default(), observer).expect("a machine starts")
}

/// How a run ends, and how often it reads uninitialised memory.
fn run<O: Observer>(mut machine: Machine<'_, O>) -> (Stop, u64) {
    let stop = machine.run();
    (stop, machine.state.memory.undefined_reads + machine.state.undefined_slots)
}

/// A machine whose first argument is one byte that depends on the input.
fn concolic<'p>(program: &'p Program, args: &[&str]) -> Machine<'p, Concolic> {
    let mut observer = Concolic::new();
    observer.watch_undefined();
    let byte = observer.terms.variable("byte", Sort::Bits(8));
    let mut machine = machine(program, args, observer);
    let argv = machine.state.process.arguments[1].bits;
    let address = machine.state.memory.read_u64(argv + 8).expect("an argument");
    let shade = Shade { shadow: byte.raw(), part: 0, size: 1 };
    machine.state.memory.set_shades(address, &[shade]).expect("the argument's byte");
    machine
}

#[test]
fn writing_a_bit_field_of_fresh_memory_reads_nothing() {
    let Some(program) = program("fields", BIT_FIELDS) else { return };
    assert_eq!(run(machine(&program, &["x"], Unobserved)), (Stop::Exit(9), 0));
    assert_eq!(run(concolic(&program, &["y"])), (Stop::Exit(8), 0));
    let mut strict = machine(&program, &["x", "-", "-"], Unobserved);
    strict.state.memory.strict = true;
    assert_eq!(run(strict), (Stop::Exit(12), 0));
}

#[test]
fn reading_a_bit_field_that_was_never_written_counts() {
    let Some(program) = program("unwritten", BIT_FIELDS) else { return };
    assert_eq!(run(machine(&program, &["x", "h"], Unobserved)), (Stop::Exit(10), 1));
    assert_eq!(run(concolic(&program, &["x", "h"])), (Stop::Exit(10), 1));
    let mut strict = machine(&program, &["x", "h"], Unobserved);
    strict.state.memory.strict = true;
    let (Stop::Fault(fault), _) = run(strict) else { panic!("a strict run ends there") };
    assert!(matches!(fault.kind, FaultKind::Uninitialised { .. }), "{fault:?}");
}

#[test]
fn undefined_operations_are_noted_and_unsigned_ones_are_not() {
    let Some(program) = program("arithmetic", ARITHMETIC) else { return };
    let kinds = |arg: &str| {
        let mut machine = machine(&program, &[arg], Watching);
        assert_eq!(machine.run(), Stop::Exit(0));
        let lines = machine
            .state
            .undefined
            .places()
            .iter()
            .map(|(kind, site)| (*kind, program.position(*site).line));
        lines.collect::<Vec<_>>()
    };
    use UndefinedKind::{Conversion, Overflow, Shift};
    assert_eq!(kinds("z"), [(Overflow, 3), (Conversion, 6)]);
    assert_eq!(kinds("0"), [(Shift, 5), (Conversion, 6)]);
    assert_eq!(kinds("\t"), [(Shift, 5)]);
}

#[test]
fn uses_of_null_and_misaligned_and_unwritten_memory_are_noted_with_their_places() {
    let Some(program) = program("pointers", POINTERS) else { return };
    let kinds = |arg: &str| {
        let mut watched = machine(&program, &[arg], Watching);
        assert_eq!(watched.run(), Stop::Exit(0));
        let places = watched.state.undefined.places();
        // A concolic run sees the same.
        let mut observer = Concolic::new();
        observer.watch_undefined();
        let mut concolic = machine(&program, &[arg], observer);
        assert_eq!(concolic.run(), Stop::Exit(0));
        let noted = concolic.observer.undefined.take().expect("it was asked for");
        let always: Vec<_> = places.iter().map(|(kind, _)| (*kind, Terms::TRUE)).collect();
        assert_eq!(noted, always);
        let lines = places.iter().map(|(kind, site)| (*kind, program.position(*site).line));
        lines.collect::<Vec<_>>()
    };
    use UndefinedKind::{Alignment, Null, Uninitialised};
    assert_eq!(kinds("n0"), [(Null, 7)]);
    assert_eq!(kinds("m0"), [(Null, 16)]);
    assert_eq!(kinds("x1"), [(Alignment, 9)]);
    assert_eq!(kinds("u0"), [(Uninitialised, 14)]);
    assert_eq!(kinds("x0"), []);
    assert_eq!(kinds("x4"), []);
}

#[test]
fn concolic_runs_tell_on_which_inputs_operations_are_undefined() {
    let Some(program) = program("conditions", ARITHMETIC) else { return };
    let mut depends = concolic(&program, &["A"]);
    assert_eq!(depends.run(), Stop::Exit(0));
    let noted = depends.observer.undefined.take().expect("it was asked for");
    let overflow: Vec<String> = noted
        .iter()
        .filter(|(kind, _)| *kind == UndefinedKind::Overflow)
        .map(|(_, condition)| smt::people::term(&depends.observer.terms, *condition))
        .collect();
    assert_eq!(overflow.len(), 1, "{overflow:?}");
    assert!(overflow[0].contains("107"), "{overflow:?}");
    assert!(noted.iter().all(|(_, condition)| *condition != Terms::TRUE), "{noted:?}");
    // If nothing depends on the input, it holds for every input.
    let mut observer = Concolic::new();
    observer.watch_undefined();
    let mut constant = machine(&program, &["z"], observer);
    assert_eq!(constant.run(), Stop::Exit(0));
    let noted = constant.observer.undefined.take().expect("it was asked for");
    let always =
        [UndefinedKind::Overflow, UndefinedKind::Conversion].map(|kind| (kind, Terms::TRUE));
    assert_eq!(noted, always);
}

//! Shadows follow values through registers, memory and calls, and their uses are visible.

use exec::observer::{At, Operand, Shade, Use};
use exec::{Input, Limits, Machine, Observer, Program, Stop};
use ir::FuncId;

/// Source line, how, which labels.
type Used = (u32, Use, u32);

/// A shadow is a set of labels, one bit for each argument of the program.
struct Labels {
    main: FuncId,
    /// Without repetitions of the last.
    used: Vec<Used>,
    lines: Vec<u32>,
}

impl Labels {
    fn new(program: &Program) -> Labels {
        let main = program.module.functions[program.entry].body().expect("main has a body");
        let lines = main.insts.values().map(|inst| inst.span.line).collect();
        Labels { main: program.entry, used: Vec::new(), lines }
    }
}

impl Observer for Labels {
    const SHADOWS: bool = true;

    fn derive(&mut self, _: At<'_>, sources: &[Operand], results: &mut [u32]) {
        results.fill(sources.iter().fold(0, |all, source| all | source.shadow));
    }

    fn assemble(&mut self, _: At<'_>, shades: &[Shade], _: &[u8]) -> u32 {
        shades.iter().fold(0, |all, shade| all | shade.shadow)
    }

    fn consume(&mut self, at: At<'_>, how: Use, operand: Operand) {
        let shadow = operand.shadow;
        if at.function() != self.main {
            return;
        }
        let line = self.lines[at.inst().as_u32() as usize];
        if self.used.last() != Some(&(line, how, shadow)) {
            self.used.push((line, how, shadow));
        }
    }
}

/// Runs the body of a `main` with arguments labelled 1, 2, 4 … and returns the uses of labels
/// within `main`, and the exit status.
fn check(name: &str, text: &str, args: &[&str]) -> Option<(Vec<Used>, Stop)> {
    let program = testkit::program("shadows", name, text)?;
    let mut all = vec![b"program".to_vec()];
    all.extend(args.iter().map(|arg| arg.as_bytes().to_vec()));
    let input = Input { args: all, ..Input::default() };
    let labels = Labels::new(&program);
    let mut machine =
        Machine::new(&program, &input, Limits::default(), labels).expect("a machine starts");
    let argv = machine.state.process.arguments[1].bits;
    for (index, arg) in (0u32..).zip(args) {
        let cell = argv + 8 * u64::from(index + 1);
        let address = machine.state.memory.read_u64(cell).expect("an argument");
        let shade = Shade { shadow: 1 << index, part: 0, size: 1 };
        let shades = vec![shade; arg.len()];
        machine.state.memory.set_shades(address, &shades).expect("the argument's bytes");
    }
    let stop = machine.run();
    Some((machine.observer.used, stop))
}

#[test]
fn a_value_keeps_its_labels_through_arithmetic_memory_and_calls() {
    let text = "
static int twice(int x) { return 2 * x; }
struct pair { int first, second; };
int main(int argc, char **argv) {
  struct pair p = {argv[1][0], argv[2][0]};
  struct pair q = p;
  int sum = twice(q.first) + 1;
  if (sum > 0) argc++;
  if (q.second + sum > 0) argc++;
  if (argc > 100) return 1;
  return 0;
}
";
    let Some((used, stop)) = check("arithmetic", text, &["a", "b"]) else { return };
    assert_eq!(stop, Stop::Exit(0));
    assert_eq!(used, [(8, Use::Control, 1), (9, Use::Control, 3)]);
}

#[test]
fn labels_pass_through_the_c_library() {
    let text = "
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char copy[16];
  memcpy(copy, argv[1], strlen(argv[1]) + 1);
  int n = atoi(copy);
  if (n == 42) return 0;
  return 1;
}
";
    let Some((used, stop)) = check("library", text, &["42"]) else { return };
    assert_eq!(stop, Stop::Exit(0));
    assert_eq!(used, [(8, Use::Control, 1)]);
}

#[test]
fn an_overwritten_value_loses_its_labels() {
    let text = "
int main(int argc, char **argv) {
  char buffer[4] = {argv[1][0], 0, 0, 0};
  int x = argv[1][0];
  buffer[0] = 'z';
  x = 3;
  if (buffer[0] == 'z' && x == 3) return 0;
  return 1;
}
";
    let Some((used, stop)) = check("overwritten", text, &["a"]) else { return };
    assert_eq!(stop, Stop::Exit(0));
    assert_eq!(used, []);
}

#[test]
fn labelled_addresses_are_seen() {
    let text = "
static int table[256];
int main(int argc, char **argv) {
  int value = table[(unsigned char)argv[1][0]];
  if (value > 0) return 1;
  return 0;
}
";
    let Some((used, stop)) = check("addresses", text, &["a"]) else { return };
    assert_eq!(stop, Stop::Exit(0));
    assert_eq!(used, [(4, Use::Address, 1)]);
}

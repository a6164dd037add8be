//! Runs that start at any statement, and runs that are resumed with another input.

use exec::{Concolic, Input, Limits, Machine, Program, Stop};
use explore::Partial;
use inputs::{Flags, Room};
use ir::StatementId;
use smt::Evaluator;
use trace::Harness;

fn program(name: &str, text: &str) -> Option<Program> {
    testkit::program("partial", name, text)
}

/// The first statement of a function on a line.
fn statement(program: &Program, function: &str, line: u32) -> StatementId {
    let functions = &program.module.functions;
    let (_, function) =
        functions.iter().find(|(_, f)| f.name == function).expect("the function is there");
    let body = function.body().expect("it has a body");
    let inst = body.insts.values().find(|inst| inst.span.line == line);
    inst.expect("there is a statement on the line").statement
}

fn machine(program: &Program) -> Machine<'_, Concolic> {
    Machine::idle(program, &Input::default(), Limits::default(), Concolic::new())
}

const LIST: &str = "\
struct node { int value; struct node *next; };
int total(struct node *n, int limit) {
  int sum = 0;
  while (n) {
    sum += n->value;
    if (sum > limit)
      return 99;
    n = n->next;
  }
  return sum == 7;
}
int main(void) { return 0; }
";

#[test]
fn a_run_starts_in_the_middle_with_everything_before_unknown() {
    let Some(program) = program("list", LIST) else { return };
    let mut machine = machine(&program);
    let mut partial =
        Partial::at(&program, statement(&program, "total", 6)).expect("the line has code");
    let mut solver = smt::standard();
    let run = partial.run(&mut machine, &mut solver);
    assert_eq!(run.stop, Stop::Exit(0));
    // sum ≤ limit, the node exists, it is the last, no branch tests the sum.
    let shown: Vec<String> = run
        .path
        .iter()
        .map(|step| smt::people::term(&machine.observer.terms, step.condition))
        .collect();
    assert!(shown[0].contains("sum") && shown[0].contains("limit"), "{shown:?}");
    assert!(shown.iter().any(|condition| condition.contains("object0")), "{shown:?}");
    let mut evaluator = Evaluator::new();
    let conditions: Vec<_> = run.path.iter().map(|step| step.condition).collect();
    assert!(evaluator.holds(&machine.observer.terms, &partial.model, &conditions));
}

#[test]
fn unknown_values_can_be_chosen_for_another_way() {
    let Some(program) = program("list", LIST) else { return };
    let mut machine = machine(&program);
    let mut partial =
        Partial::at(&program, statement(&program, "total", 6)).expect("the line has code");
    let sum = machine.observer.terms.variable("sum:32", smt::Sort::Bits(32));
    let sum = machine.observer.terms.variable_of(sum).expect("it is a variable");
    partial.model.set(sum, 5);
    let run = partial.run(&mut machine, &mut smt::standard());
    assert_eq!(run.stop, Stop::Exit(99));
    assert_eq!(run.path.len(), 1);
}

#[test]
fn every_followed_pointer_gets_an_object_of_its_own() {
    let text = "\
struct node { int value; struct node *next; };
int depth(struct node *n) {
  int count = 0;
  if (n->next->next->value == 3)
    count = 1;
  return count;
}
int main(void) { return 0; }
";
    let Some(program) = program("depth", text) else { return };
    let mut machine = machine(&program);
    let mut partial =
        Partial::at(&program, statement(&program, "depth", 4)).expect("the line has code");
    let run = partial.run(&mut machine, &mut smt::standard());
    assert_eq!(run.stop, Stop::Exit(0));
    let last = run.path.last().expect("a branch");
    let shown = smt::people::term(&machine.observer.terms, last.condition);
    assert!(shown.contains("object2"), "{shown}");
}

#[test]
fn a_snapshot_goes_on_with_another_input() {
    let text = "\
#include <stdlib.h>
static int table[8];
int main(int argc, char **argv) {
  int x = atoi(argv[1]);
  int y = 3 * x + argc;
  for (int i = 0; i < 8; i++) table[i] = i * y;
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += table[i];
  return sum & 127;
}
";
    let Some(program) = program("snapshot", text) else { return };
    let flags = Flags { args: vec![b"int".to_vec()], ..Flags::default() };
    let (space, _) = flags.program_space(&[], &Room::default()).expect("a space");
    let layout = space.layout();
    let mut harness = Harness::new(&program, &layout, b"program");
    let mut machine = machine(&program);
    let terms = explore::InputTerms::new(&mut machine.observer.terms, &layout);
    let expected = |x: i32| (28 * (3 * x + 2)) & 127;

    terms.start(&mut harness, &mut machine, &[5]).expect("a run starts");
    machine.state.limits.steps = 140;
    assert_eq!(machine.run(), Stop::Exhausted(exec::stop::Bound::Steps));
    let mut moment = machine.snapshot();
    machine.state.limits.steps = 1_000_000;
    assert_eq!(machine.run(), Stop::Exit(expected(5)));

    for x in [6, -1, 1000] {
        machine.resume(&mut moment);
        let assignment = [u64::from(x as u32)];
        let model = terms.model(&machine.observer.terms, &assignment);
        machine.rebase(&model);
        machine.state.limits.steps = 1_000_000;
        assert_eq!(machine.run(), Stop::Exit(expected(x)), "with {x}");
    }
}

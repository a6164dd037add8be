//! How many runs it takes to reach a change.

use explore::Searcher;
use explore::dart::Dart;
use explore::express::Express;
use explore::pair::{Advance, Arena, PairEffort};
use explore::reach::Reach;

use super::pair::{NAME, Versions};

/// After Taneja et al., Fig. 1: a line is added behind a sequence of four characters.
const SCANNER: &str = r#"
#include <stdio.h>
#include <string.h>
static int scan(const char *text, int length) {
  int state = 0;
  if (length == 0)
    return -1;
  for (int i = 0; i < length; i++) {
    if (text[i] == '[')
      state = 1;
    else if (state == 1 && text[i] == '{')
      state = 2;
    else if (state == 2 && text[i] == '<')
      state = 3;
    else if (state == 3 && text[i] == '*') {
      state = 4;
#ifdef NEW
      if (length == 15)
        state = state + 1;
#endif
    }
    if (text[i] == ' ')
      return state;
    if (text[i] >= 'a' && text[i] <= 'z') {
      state = -1;
      return state;
    }
  }
  if (length >= 15 && text[14] == '}')
    return state;
  return 0;
}
int main(int argc, char **argv) {
  printf("%d\n", scan(argv[1], (int)strlen(argv[1])));
  return 0;
}
"#;

fn run(searcher: &mut dyn Searcher, arena: &mut Arena<'_>) {
    while arena.findings.is_empty() && arena.exhausted().is_none() {
        if searcher.advance(arena, 100) == Advance::Done {
            break;
        }
    }
}

/// The effort when the added line was executed: its effect differs at once.
fn until_added_line(arena: &Arena<'_>) -> PairEffort {
    arena.milestones.propagated.expect("the added line makes a difference")
}

#[test]
fn pruning_reaches_the_added_line_in_fewer_runs_and_seeds_in_fewer_still() {
    let Some(versions) = Versions::new("scanner", SCANNER, &["str:16"]) else { return };
    let mut arena = versions.arena(100_000);
    run(&mut Dart::new(&arena, NAME, &[], false), &mut arena);
    let dart = until_added_line(&arena);

    let mut arena = versions.arena(100_000);
    let mut express = Express::new(&arena, NAME, &[], false, &versions.guidance);
    run(&mut express, &mut arena);
    let pruned = until_added_line(&arena);
    let counts = express.pruned;
    drop(express);

    let seed = versions.input(&["[A{B<C*D.....}"]);
    let mut arena = versions.arena(100_000);
    run(&mut Express::new(&arena, NAME, &[seed], false, &versions.guidance), &mut arena);
    let seeded = until_added_line(&arena);
    assert!(counts.execution > 0);
    assert!(2 * pruned.runs < dart.runs, "{} against {}", pruned.runs, dart.runs);
    assert!(2 * seeded.runs < pruned.runs, "{} against {}", seeded.runs, pruned.runs);
}

#[test]
fn the_nearest_decision_first_reaches_a_change_behind_states() {
    let Some(versions) = Versions::new("nearest", SCANNER, &["str:16"]) else { return };
    let mut arena = versions.arena(10_000);
    run(&mut Reach::new(&arena, NAME, &[], false, &versions.guidance), &mut arena);
    let reached = arena.milestones.reached.expect("it gets there");
    assert!(reached.questions <= 200, "{} questions", reached.questions);
}

/// After Qi et al., §4.3: the first decision excludes the second one.
const EXCLUDING: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = atoi(argv[1]), seen = 0;
  if (x > 2)
    seen = 1;
  if (x < 0)
#ifdef NEW
    seen = 3;
#else
    seen = 2;
#endif
  printf("%d\n", seen);
  return 0;
}
"#;

#[test]
fn a_condition_that_excludes_another_is_left_out_if_it_does_not_matter() {
    let Some(versions) = Versions::new("excluding", EXCLUDING, &["int"]) else { return };
    let mut arena = versions.arena(100);
    let seed = versions.input(&["3"]);
    run(&mut Reach::new(&arena, NAME, &[seed], false, &versions.guidance), &mut arena);
    let found = arena.findings.first().expect("a negative number is found");
    assert!((found.assignment[0] as i32) < 0);
    assert!(arena.effort.concolic <= 3, "{:?}", arena.effort);
}

/// After Qi et al., §4.3: the second decision does not depend on the input by data.
const INDIRECT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = atoi(argv[1]), y = 0, shown = 0;
  if (x > 1000)
    y = 1;
  else
    y = 0;
  if (y) {
#ifdef NEW
    shown = 2;
#else
    shown = 1;
#endif
  }
  printf("%d\n", shown);
  return 0;
}
"#;

#[test]
fn a_decision_without_a_condition_is_changed_by_what_it_depends_on() {
    let Some(versions) = Versions::new("indirect", INDIRECT, &["int"]) else { return };
    let mut arena = versions.arena(100);
    let seed = versions.input(&["0"]);
    run(&mut Reach::new(&arena, NAME, &[seed], false, &versions.guidance), &mut arena);
    let found = arena.findings.first().expect("a large number is found");
    assert!(found.assignment[0] as i32 > 1000);
    assert!(arena.effort.questions <= 2, "{:?}", arena.effort);
}

//! From executing a change to showing it.

use explore::Searcher;
use explore::pair::{Advance, Arena};
use explore::propagate::Propagate;

use super::pair::{NAME, Versions};

fn propagate(versions: &Versions, args: &[&str], runs: u64) -> (Option<Vec<i32>>, u64, u64) {
    let mut arena = versions.arena(runs);
    let seed = versions.input(args);
    let mut searcher = Propagate::new(&arena, NAME, &[seed], false, &versions.guidance);
    search(&mut searcher, &mut arena);
    let found = arena.findings.first();
    let found = found.map(|found| found.assignment.iter().map(|&cell| cell as i32).collect());
    (found, arena.effort.questions, arena.effort.runs)
}

fn search(searcher: &mut dyn Searcher, arena: &mut Arena<'_>) {
    while arena.findings.is_empty() && arena.exhausted().is_none() {
        if searcher.advance(arena, 100) == Advance::Done {
            break;
        }
    }
}

/// After Qi et al., Fig. 1. The text mentions only 3, but up to 20 the output is the changed value
/// itself.
const MOTIVATING: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = atoi(argv[1]), y, o;
  if (x > 0) {
#ifdef NEW
    y = 2;
#else
    y = 3;
#endif
    if (x - y > 0)
      o = y;
    else
      o = 0;
  } else
    o = -1;
  if (x > 20)
    o = 10;
  printf("%d\n", o);
  return 0;
}
"#;

#[test]
fn the_motivating_example_differs_from_3_to_20() {
    let Some(versions) = Versions::new("motivating", MOTIVATING, &["int"]) else { return };
    let mut arena = versions.arena(u64::MAX);
    for x in -300..300i32 {
        let differs = arena.try_input(&[u64::from(x as u32)]).differs.is_some();
        assert_eq!(differs, (3..=20).contains(&x), "{x}");
    }
    let (found, questions, _) = propagate(&versions, &["-1"], 100);
    let found = found.expect("a difference is found");
    assert!((3..=20).contains(&found[0]), "{found:?}");
    assert!(questions <= 4, "{questions} questions");
}

/// The result computed from a changed value is the same as long as it is multiplied by 0.
const MASKED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int a = atoi(argv[1]), b = atoi(argv[2]), y, z;
#ifdef NEW
  y = a + 2;
#else
  y = a + 3;
#endif
  z = y * b;
  printf("%d\n", z);
  return 0;
}
"#;

#[test]
fn a_value_that_masks_a_difference_is_chosen_otherwise() {
    let Some(versions) = Versions::new("masked", MASKED, &["int", "int"]) else { return };
    let (found, questions, _) = propagate(&versions, &["7", "0"], 100);
    let found = found.expect("a difference is found");
    assert_ne!(found[1], 0);
    assert!(questions <= 4, "{questions} questions");
}

/// A changed value is used only under a condition.
const UNUSED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int equipped = atoi(argv[1]), reports = atoi(argv[2]), rac = atoi(argv[3]);
  int unknown, separation = 0;
#ifdef NEW
  unknown = reports == 1 || rac == 0;
#else
  unknown = reports == 1 && rac == 0;
#endif
  if (equipped == 77)
    separation = unknown ? 5 : 6;
  printf("%d\n", separation);
  return 0;
}
"#;

#[test]
fn a_definition_that_nothing_uses_is_led_to_a_use() {
    let Some(versions) = Versions::new("unused", UNUSED, &["int", "int", "int"]) else { return };
    let (found, _, _) = propagate(&versions, &["0", "1", "1"], 200);
    let found = found.expect("a difference is found");
    assert_eq!(found[0], 77);
}

/// The same decision with another bound.
const BOUND: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int confident = atoi(argv[1]), rate = atoi(argv[2]), enabled;
#ifdef NEW
  enabled = confident && rate <= 700;
#else
  enabled = confident && rate <= 600;
#endif
  printf("%s\n", enabled ? "climb" : "stay");
  return 0;
}
"#;

#[test]
fn a_decision_that_goes_the_same_way_is_made_to_go_apart() {
    let Some(versions) = Versions::new("bound", BOUND, &["int", "int"]) else { return };
    let (found, questions, _) = propagate(&versions, &["0", "0"], 200);
    let found = found.expect("a difference is found");
    assert!(found[0] != 0 && (601..=700).contains(&found[1]), "{found:?}");
    assert!(questions <= 8, "{questions} questions");
}

/// Only OLD has the statement that makes the difference.
const DELETED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = atoi(argv[1]), total = x;
  if (x > 100) {
    total += 1;
#ifndef NEW
    if (x % 7 == 3)
      total = 0;
#endif
  }
  printf("%d\n", total);
  return 0;
}
"#;

#[test]
fn a_deleted_statement_is_reached_in_old() {
    let Some(versions) = Versions::new("deleted", DELETED, &["int"]) else { return };
    let (found, _, _) = propagate(&versions, &["0"], 200);
    let found = found.expect("a difference is found");
    assert!(found[0] > 100 && found[0] % 7 == 3, "{found:?}");
}

/// A refactoring: nothing can differ.
const SAME: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int x = atoi(argv[1]), y;
#ifdef NEW
  y = x + x;
#else
  y = 2 * x;
#endif
  if (y > 10)
    y = y - 1;
  printf("%d\n", y);
  return 0;
}
"#;

#[test]
fn a_refactoring_comes_to_an_end_without_a_difference() {
    let Some(versions) = Versions::new("same", SAME, &["int"]) else { return };
    let (found, _, runs) = propagate(&versions, &["0"], 1_000);
    assert_eq!(found, None);
    assert!(runs < 100, "{runs} runs");
}

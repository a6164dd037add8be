//! Pruned outcomes show no difference: `express` against all paths.

use std::collections::BTreeSet;

use explore::Searcher;
use explore::dart::Dart;
use explore::express::Express;
use explore::pair::{Advance, Arena};

use super::pair::{NAME, Versions};

/// The observables of both versions, over all differences that a strategy finds.
fn differences(searcher: &mut dyn Searcher, mut arena: Arena<'_>) -> BTreeSet<[String; 2]> {
    while searcher.advance(&mut arena, 10_000) == Advance::More {
        assert!(arena.exhausted().is_none(), "it comes to an end");
    }
    let found: Vec<Box<[u64]>> =
        arena.findings.iter().map(|finding| finding.assignment.clone()).collect();
    let mut shown = BTreeSet::new();
    for assignment in found {
        arena.try_input(&assignment);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        shown.insert(arena.outcomes().map(|outcome| text(outcome.stdout)));
    }
    shown
}

/// Checks that `express` finds everything that `dart` finds; returns how much it finds and how many
/// outcomes it did not request.
fn check(name: &str, text: &str, args: &[&str]) -> Option<(usize, u64)> {
    let versions = Versions::new(name, text, args)?;
    let arena = versions.arena(50_000);
    let dart = differences(&mut Dart::new(&arena, NAME, &[], false), versions.arena(50_000));
    let mut express = Express::new(&arena, NAME, &[], false, &versions.guidance);
    let found = differences(&mut express, versions.arena(50_000));
    assert!(dart.is_subset(&found), "{name}: {:?} is lost", dart.difference(&found));
    Some((found.len(), express.pruned.execution + express.pruned.propagation))
}

fn program(decisions: &str) -> String {
    format!(
        r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {{
  int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]), r = 0;
{decisions}
  printf("%d\n", r);
  return 0;
}}
"#
    )
}

#[test]
fn ways_that_cannot_execute_the_change_are_not_asked_for() {
    let text = program(
        "  if (a > 5) {
    if (b > 1) r = 1;
    if (c > 1) r += 2;
  } else {
#ifdef NEW
    r = 9;
#else
    r = 8;
#endif
    if (b > 2) r += 10;
    if (c > 2) r += 20;
  }",
    );
    let Some((found, pruned)) = check("outside", &text, &["int", "int", "int"]) else { return };
    assert_eq!(found, 4);
    assert!(pruned > 0);
}

#[test]
fn an_infection_by_another_input_on_the_same_way_is_not_lost() {
    let text = program(
        "#ifdef NEW
  r = a;
#else
  r = a & 255;
#endif
  if (b > 3) r = r + 1;
  else r = 5;
  if (c == 9 && a > 256) r = 77;",
    );
    let Some((found, _)) = check("infection", &text, &["int", "int", "int"]) else { return };
    assert!(found > 0);
}

#[test]
fn a_loop_with_another_bound_is_explored_as_far_as_it_matters() {
    let text = program(
        "#ifdef NEW
  for (int i = 0; i <= (a & 3); i++)
#else
  for (int i = 0; i < (a & 3); i++)
#endif
    r += 3;
  if (b == 4) r = 1;
  if (c == 4) r = r + 100;",
    );
    let Some((found, _)) = check("bounds", &text, &["int", "int", "int"]) else { return };
    assert!(found >= 8, "{found}");
}

#[test]
fn a_deleted_return_is_a_change_of_what_comes_after() {
    let text = program(
        "  if (a == 3) {
    r = 4;
#ifndef NEW
    printf(\"early\\n\");
    return 0;
#endif
  }
  if (b == 1) r += 10;
  if (c == 1) r += 20;",
    );
    let Some((found, _)) = check("return", &text, &["int", "int", "int"]) else { return };
    assert_eq!(found, 4);
}

#[test]
fn a_change_in_a_function_that_is_called_under_a_condition() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
static int weigh(int v, int w) {
  if (v > 10)
#ifdef NEW
    return w + 2;
#else
    return w + 1;
#endif
  return w;
}
int main(int argc, char **argv) {
  int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]), r = 0;
  if (a == 1)
    r = weigh(b, 5);
  else if (a == 2)
    r = weigh(c, 6);
  else if (b > 4)
    r = c > 4 ? 1 : 2;
  printf("%d\n", r);
  return 0;
}
"#;
    let Some((found, pruned)) = check("function", text, &["int", "int", "int"]) else { return };
    assert_eq!(found, 2);
    assert!(pruned > 0);
}

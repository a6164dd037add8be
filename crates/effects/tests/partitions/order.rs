//! The order in which regions are examined.

use super::cover::explorer_from;
use super::pair::Versions;

/// No solver finds the key in a reasonable time; a given input has it.
const LOCK: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  unsigned key = atoi(argv[1]), other = atoi(argv[2]), hash = 17;
  for (int i = 0; i < 3; i++)
    hash = (hash ^ key) * 2654435761u ^ (hash * other >> 7);
  int o = 0;
  if (hash == HASH)
#ifdef NEW
    o = 1;
#else
    o = 2;
#endif
  printf("%d\n", o);
  return 0;
}
"#;

/// What the program computes from 12345 and 678.
fn hash() -> u32 {
    let (key, other) = (12345u32, 678u32);
    (0..3).fold(17u32, |hash, _| {
        (hash ^ key).wrapping_mul(2_654_435_761) ^ (hash.wrapping_mul(other) >> 7)
    })
}

#[test]
fn regions_with_given_inputs_are_looked_at_without_the_solver() {
    let text = LOCK.replace("HASH", &format!("{}u", hash()));
    let Some(versions) = Versions::new("lock", &text, &["int", "int"]) else { return };
    let given = [["0", "0"], ["12345", "678"]].map(|input| versions.input(&input));
    let mut explorer = explorer_from(&versions, &given);
    assert_eq!(explorer.step().expect("a region").input, given[0]);
    assert_eq!(explorer.step().expect("a region").input, given[1]);
    assert_eq!(explorer.found().counts().different, 1);
    let (_, _, solver_calls) = explorer.spent();
    assert_eq!(solver_calls, 0);
}

/// Runs with as many conditions as the first argument says.
const LONG: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]), o = 0;
  for (int i = 0; i < n; i++)
    o += i;
#ifdef NEW
  o++;
#endif
  printf("%d\n", o);
  return 0;
}
"#;

#[test]
fn the_solver_is_asked_when_the_turn_of_a_region_comes() {
    let Some(versions) = Versions::new("long", LONG, &["int:0..4000"]) else { return };
    let mut explorer = explorer_from(&versions, &[versions.input(&["3000"])]);
    assert!(explorer.step().is_some());
    assert!(explorer.waiting() > 3000, "{} regions", explorer.waiting());
    assert_eq!(explorer.questions().asks, 0);
    assert!(explorer.step().is_some());
    assert_eq!(explorer.questions().asks, 1);
}

#[test]
fn of_very_many_conditions_the_first_are_told() {
    let Some(versions) = Versions::new("many", LONG, &["int:0..4000"]) else { return };
    let given = ["3000", "3"].map(|number| versions.input(&[number]));
    let mut explorer = explorer_from(&versions, &given);
    assert!(explorer.step().is_some() && explorer.step().is_some());
    let [long, short] = [0, 1].map(|number| explorer.told(&explorer.found().list[number]));
    assert!(long.condition.ends_with("more conditions"), "{}", long.condition);
    assert_eq!(long.smtlib, None);
    assert_eq!(short.condition, "arg1 = 3");
    assert!(short.smtlib.is_some_and(|text| text.contains("(check-sat)")));
}

//! In which order regions are looked at.

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

/// What the program computes of 12345 and 678.
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

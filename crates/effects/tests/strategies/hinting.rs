//! What comparisons of a run tell about the input.

use explore::Searcher;
use explore::fuzz::{FuzzSearch, RandomSearch, Tokens};
use explore::pair::{Advance, Arena};

use super::pair::Versions;

/// Runs that do not suffice to find a number of 32 bits by chance.
const RUNS: u64 = 3000;

fn finds(searcher: &mut dyn Searcher, arena: &mut Arena<'_>) -> bool {
    while arena.findings.is_empty() && arena.exhausted().is_none() {
        if searcher.advance(arena, 50) == Advance::Done {
            break;
        }
    }
    !arena.findings.is_empty()
}

/// Whether `fuzz` and `random` find the difference, starting from an input.
fn check(name: &str, text: &str, args: &[&str], start: &[&str]) -> Option<[bool; 2]> {
    let versions = Versions::new(name, text, args)?;
    let tokens = Tokens::default();
    let begin = || {
        let mut arena = versions.arena(RUNS);
        arena.try_input(&versions.input(start));
        arena
    };
    let (mut one, mut other) = (begin(), begin());
    let mut fuzz = FuzzSearch::new(&one, &tokens, 1, &[]);
    let mut random = RandomSearch::new(&versions.layout, &tokens, 1, &[]);
    Some([finds(&mut fuzz, &mut one), finds(&mut random, &mut other)])
}

#[test]
fn a_number_that_must_fit_another_one_is_read_off_the_comparison() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int one = atoi(argv[1]), other = atoi(argv[2]), shown = 0;
  if (other == one * 7919 + 1234567)
#ifdef NEW
    shown = 2;
#else
    shown = 1;
#endif
  printf("%d\n", shown);
  return 0;
}
"#;
    if let Some(found) = check("fitting", text, &["int", "int"], &["3", "5"]) {
        assert_eq!(found, [true, false]);
    }
}

#[test]
fn a_number_within_a_text_is_read_off_the_comparison() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  const char *number = strchr(argv[1], '=');
  int sum = 99991, shown = 0;
  for (const char *at = argv[1]; *at && at != number; at++)
    sum = sum * 31 + *at;
  if (number != NULL && atoi(number + 1) == sum)
#ifdef NEW
    shown = 2;
#else
    shown = 1;
#endif
  printf("%d\n", shown);
  return 0;
}
"#;
    if let Some(found) = check("checked", text, &["str:12"], &["abc=17"]) {
        assert_eq!(found, [true, false]);
    }
}

//! How many runs it takes to reach a change.

use explore::Searcher;
use explore::dart::Dart;
use explore::pair::{Advance, Arena};
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
        if searcher.advance(arena, 2_000) == Advance::Done {
            break;
        }
    }
}

#[test]
fn the_nearest_decision_first_reaches_a_change() {
    let Some(versions) = Versions::new("scanner", SCANNER, &["str:16"]) else { return };
    let mut arena = versions.arena(20_000);
    let mut dart = Dart::new(&arena, NAME, &[], false);
    run(&mut dart, &mut arena);
    println!("dart {:?} {:?} {}", arena.milestones, arena.effort, arena.findings.len());
    let mut arena = versions.arena(20_000);
    let targets = versions.guidance.targets.clone();
    println!("{}", targets.len());
    let mut reach = Reach::new(&arena, NAME, &[], false, targets);
    run(&mut reach, &mut arena);
    println!("reach {:?} {:?} {}", arena.milestones, arena.effort, arena.findings.len());
}

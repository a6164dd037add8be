//! Two arenas on which strategies work in parallel.

use super::pair::Versions;

const TEXT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int number = atoi(argv[1]);
  if (number > 1000)
    printf("large\n");
  else if (number < 0)
    printf("negative\n");
#ifdef NEW
  else if (number == 7)
    printf("seven\n");
#endif
  else
    printf("%d\n", number);
  return 0;
}
"#;

#[test]
fn what_one_arena_finds_both_know_after_they_met() {
    let Some(versions) = Versions::new("meeting", TEXT, &["int"]) else { return };
    let input = |number: &str| versions.input(&[number]);
    let mut one = versions.arena(100);
    one.try_input(&input("1"));
    let mut other = one.fork();
    let mut meeting = one.meeting(&mut other);
    one.try_input(&input("5000"));
    other.try_input(&input("-5"));
    other.by = "other";
    other.try_input(&input("7"));
    one.meet(&mut other, &mut meeting);

    // None of it is new on either side, and nothing was counted twice.
    assert_eq!(one.effort.runs, 4);
    assert_eq!(other.effort, one.effort);
    let kept = (one.kept.len(), other.kept.len());
    for arena in [&mut one, &mut other] {
        for number in ["5000", "-5", "7"] {
            arena.try_input(&input(number));
        }
    }
    assert_eq!((one.kept.len(), other.kept.len()), kept);

    // The first one has the difference, as it was found.
    let [finding] = &one.findings[..] else { panic!("one difference: {:?}", one.findings) };
    assert_eq!((finding.by, finding.effort.runs), ("other", 3));
    assert_eq!(one.sorts(), other.sorts());
}

#[test]
fn two_arenas_share_the_runs_that_are_left() {
    let Some(versions) = Versions::new("sharing", TEXT, &["int"]) else { return };
    let input = versions.input(&["1"]);
    let mut one = versions.arena(11);
    one.try_input(&input);
    let mut other = one.fork();
    let mut meeting = one.meeting(&mut other);
    while one.exhausted().is_none() || other.exhausted().is_none() {
        for arena in [&mut one, &mut other] {
            if arena.exhausted().is_none() {
                arena.try_input(&input);
            }
        }
        one.meet(&mut other, &mut meeting);
    }
    assert_eq!(one.effort.runs, 11);

    let mut one = versions.arena(11);
    let mut other = one.fork();
    let meeting = one.meeting(&mut other);
    one.part(&meeting);
    while one.exhausted().is_none() {
        one.try_input(&input);
    }
    assert_eq!(one.effort.runs, 11);
}

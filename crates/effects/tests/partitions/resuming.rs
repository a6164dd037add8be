//! Explorations that are interrupted, saved and resumed.

use base::Version;
use explore::partitions::{Explorer, Subject};
use explore::proved::Verdict;
use explore::saved::StateError;
use trace::Observe;

use super::pair::{NAME, Versions};

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int a = atoi(argv[1]), b = atoi(argv[2]), o = 0;
  for (int i = 0; i < (a & 7); i++)
    o += b;
  if (b > 3)
#ifdef NEW
    o += a * 2;
#else
    o += a + a;
#endif
  if (a == b)
#ifdef NEW
    o = 1;
#else
    o = 2;
#endif
  printf("%d\n", o);
  return 0;
}
"#;

fn explorer(versions: &Versions) -> Explorer<'_> {
    let arena = versions.arena(u64::MAX);
    let subjects = Version::BOTH.map(|version| {
        let side = arena.pair.side(version);
        Subject { program: side.concolic, layout: side.layout, caller: side.caller, cells: None }
    });
    let question = smt::Budget { conflicts: Some(50_000), ..smt::Budget::default() };
    let guidance = Some(&versions.guidance);
    Explorer::new(&subjects, NAME, arena.limits, Observe::default(), question, guidance)
}

/// Conditions and verdicts, in words.
fn found(explorer: &Explorer<'_>) -> Vec<(String, Verdict)> {
    let (terms, words) = (explorer.terms(), explorer.words());
    let list = &explorer.found().list;
    let mut all: Vec<(String, Verdict)> =
        list.iter().map(|one| (one.people(terms, words), one.verdict.clone())).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

#[test]
fn an_exploration_that_is_taken_up_ends_as_if_it_had_not_been_interrupted() {
    let Some(versions) = Versions::new("resumed", PROGRAM, &["int", "int"]) else { return };
    let mut whole = explorer(&versions);
    whole.start(&[versions.input(&["0", "0"])]);
    while !whole.is_done() {
        whole.step();
    }
    let expected = found(&whole);
    assert!(whole.partitions().is_complete() && expected.len() > 8, "{expected:#?}");
    for steps in [0, 1, 2, 5, 11] {
        let mut first = explorer(&versions);
        first.start(&[versions.input(&["0", "0"])]);
        for _ in 0..steps {
            first.step();
        }
        let (before, text) = (found(&first), first.save());
        // A process that is killed may leave half a line.
        let damaged = &text[..text.len() - text.len().min(3)];
        for text in [&text[..], damaged] {
            let mut second = explorer(&versions);
            match second.resume(text) {
                Ok(()) => {}
                Err(error) => assert!(steps == 0 && error == StateError::OtherSpace, "{error}"),
            }
            if second.is_done() && second.found().list.is_empty() {
                continue;
            }
            if text.len() == damaged.len() + 3 {
                assert_eq!(found(&second), before, "after {steps} steps");
            }
            while !second.is_done() {
                second.step();
            }
            assert_eq!(found(&second), expected, "after {steps} steps");
        }
    }
}

#[test]
fn the_state_of_other_versions_is_refused() {
    let Some(versions) = Versions::new("first", PROGRAM, &["int", "int"]) else { return };
    let mut first = explorer(&versions);
    first.start(&[versions.input(&["3", "9"])]);
    (0..5).for_each(|_| drop(first.step()));
    let other = PROGRAM.replace("(a & 7)", "(b & 3)");
    let Some(versions) = Versions::new("second", &other, &["int", "int"]) else { return };
    let mut second = explorer(&versions);
    assert!(matches!(second.resume(&first.save()), Err(StateError::OtherVersions { .. })));
}

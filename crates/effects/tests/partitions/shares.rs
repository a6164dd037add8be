//! Shares of the input space during an exploration and at its end.

use explore::proved::Portion;

use super::cover::{explored, explorer};
use super::pair::Versions;

/// Differs where both numbers are in a row of boxes, and beyond a bound that both have.
const BOXES: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int i = atoi(argv[1]), j = atoi(argv[2]), o = 0;
  for (int k = 0; k < 6; k++)
    if (i > 10 * k && i < 10 * k + 5)
      o = k + (j > 20 ? j : 0);
#ifdef NEW
  if (o > 3)
    o++;
#endif
  printf("%d\n", o);
  return 0;
}
"#;

const ARGS: [&str; 2] = ["int:0..63", "int:0..63"];

#[test]
fn proved_shares_never_shrink() {
    let Some(versions) = Versions::new("boxes", BOXES, &ARGS) else { return };
    let mut explorer = explorer(&versions, &["0", "0"]);
    explorer.set_tests(&[versions.input(&["1", "30"]), versions.input(&["63", "0"])]);
    let mut before = explorer.shares();
    assert!(before.uniform.left.is_exact && before.uniform.left.share == 1.0);
    let mut changes = 0;
    while !explorer.is_done() {
        explorer.step();
        let now = explorer.shares();
        let uniform = &now.uniform;
        assert!(uniform.equal.count >= before.uniform.equal.count);
        assert!(uniform.different.count >= before.uniform.different.count);
        let sorted = [uniform.equal, uniform.different, uniform.unknown, uniform.left];
        let sum: usize = sorted.iter().map(|portion| portion.count).sum();
        assert_eq!(sum, uniform.samples);
        changes += usize::from(now != before);
        before = now;
    }
    assert!(changes > 3, "it came to this in {changes} steps");
    assert!(before.uniform.left.is_exact && before.uniform.left.share == 0.0);
    let tests = before.tests.expect("there are tests");
    assert_eq!([tests.samples, tests.equal.count, tests.different.count], [2, 1, 1]);
    let classes: Vec<&[usize]> =
        before.uniform.classes.iter().map(|(classes, _)| &classes[..]).collect();
    assert_eq!(classes, [&[0, 0][..], &[0, 1]]);
}

/// The share of different inputs, checked against all of them.
fn different(versions: &Versions) -> Portion {
    let mut explored = explored(versions, &["0", "0"]);
    assert!(explored.violations().is_empty());
    let wrong = explored.wrong_shares();
    assert!(wrong.is_empty(), "{wrong:#?}");
    explored.explorer.shares().uniform.different
}

/// By hand: i is 1 to 4 in box 0 to 3 and j above 20, or i is 41 to 44 or 51 to 54.
const DIFFERENT: f64 = 4.0 * 4.0 * 43.0 + 8.0 * 64.0;

#[test]
fn intervals_have_the_true_share() {
    let args = ["int:0..127", "int:0..63"];
    let Some(versions) = Versions::new("boxes-drawn", BOXES, &args) else { return };
    let different = different(&versions);
    let truth = DIFFERENT / (128.0 * 64.0);
    assert!(!different.is_exact && different.low < different.high);
    assert!((different.low..=different.high).contains(&truth), "{different:?} {truth}");
}

#[test]
fn shares_of_a_small_space_are_exact() {
    let Some(versions) = Versions::new("boxes-all", BOXES, &ARGS) else { return };
    let different = different(&versions);
    assert!(different.is_exact && different.count == 1200, "{different:?}");
    assert_eq!(different.share, DIFFERENT / (64.0 * 64.0));
}

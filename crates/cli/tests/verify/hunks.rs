//! The status of every hunk in proofs.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::{verified, verify};

const OLD: &str = "\
#include <stdio.h>
#include <stdlib.h>
int unused(int x) { return x; }
int main(int argc, char **argv) {
    int x = argc > 1 ? atoi(argv[1]) : 0;
#ifdef EXTRA
    x = 1;
#endif
    if (x == 1000)
        puts(\"rare\");
    /* Sizes. */
    puts(x > 4 ? \"big\" : \"small\");
    return 0;
}
";

const SPACE: [&str; 3] = ["--arg", "int:0..9", "--no-out"];

fn desk(replacements: &[(&str, &str)]) -> Desk {
    let new = replacements.iter().fold(OLD.to_owned(), |text, (from, to)| text.replace(from, to));
    Desk::with(&[("v0.c", OLD), ("v1.c", &new), ("v2.c", &new.replace("x > 4", "x > 5"))])
}

fn statuses(step: &Value) -> Vec<&str> {
    let hunks = step["hunks"].as_array().unwrap().iter();
    hunks.map(|hunk| hunk["status"].as_str().unwrap()).collect()
}

#[test]
fn a_proof_says_which_hunks_it_is_not_about() {
    let desk = desk(&[("x = 1", "x = 2"), ("\"rare\"", "\"seldom\""), ("x > 4", "4 < x")]);
    let args = [&["v0.c", "v1.c"], &SPACE[..]].concat();
    let report = verified(&desk, &args, 0);
    assert_eq!(report["reach"], "reached");
    assert_eq!((&report["hunks"][0]["from"], &report["hunks"][0]["to"]), (&json!(0), &json!(1)));
    assert_eq!(statuses(&report["hunks"][0]), ["not_compiled", "not_reached", "proved"]);
    let said = verify(&desk, &args);
    let first = said.out.lines().next().unwrap();
    let end = "; 1 of 3 hunks is not compiled in this build (`EXTRA` is not defined)";
    assert!(first.starts_with("equal: ") && first.ends_with(end), "{first}");
    said.has(&["proved to have no effect, reached by the input of 2 partitions\n"]);
}

#[test]
fn a_proof_without_the_change_says_so_at_once() {
    for (replacement, begin, end, reach) in [
        (("\"rare\"", "\"seldom\""), "equal: ", "; no run executed the change", "not_reached"),
        (("return x", "return -x"), "unreachable: no changed statement ", "change", "unreachable"),
        (
            ("x = 1", "x = 2"),
            "equal: nothing changed in this build that affects how v0 and v1 behave",
            "defined)",
            "no_change",
        ),
    ] {
        let desk = desk(&[replacement]);
        let args = [&["v0.c", "v1.c"], &SPACE[..]].concat();
        let said = verify(&desk, &args);
        let first = said.out.lines().next().unwrap();
        assert!(said.code == 0 && first.starts_with(begin) && first.ends_with(end), "{first}");
        let report = verified(&desk, &[&args[..], &["--require-reached"]].concat(), 3);
        assert_eq!(report["reach"], reach);
    }
}

#[test]
fn every_step_between_versions_has_its_hunks() {
    let desk = desk(&[("x = 1", "x = 2")]);
    let args = [&["v0.c", "v1.c", "v2.c"], &SPACE[..]].concat();
    let report = verified(&desk, &args, 1);
    let steps: Vec<Vec<&str>> = report["hunks"].as_array().unwrap().iter().map(statuses).collect();
    assert_eq!(steps, [vec!["not_compiled"], vec!["shown"]], "{report:#}");
    let said = verify(&desk, &args);
    said.has(&["hunks from v1 to v2:\n  1  v2.c:12  shown by 1 partition that differs\n"]);
}

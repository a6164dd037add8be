//! Explorations that are interrupted at any moment and resumed: no proof is lost.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use base::Random;
use serde_json::Value;

use super::{table, verified};

use crate::desk::{Desk, signal};
use crate::interrupted::{deciding, wait_for, whole_lines};

const DECISIONS: usize = 9;
/// Differ on one value of one input.
pub const DIFFERENT: [&str; 2] = ["i0 * 2", "(i0 == 77 ? 1 : i0 + i0)"];

fn desk() -> Desk {
    deciding(DECISIONS, DIFFERENT)
}

fn arguments() -> Vec<&'static str> {
    let mut arguments = vec!["old.c", "new.c"];
    arguments.extend(["--arg", "int"].repeat(DECISIONS));
    arguments
}

fn start(desk: &Desk, more: &[&str]) -> Child {
    let arguments = arguments();
    let mut command = desk.ripple(&[&["verify"], &arguments[..], more].concat());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn state(desk: &Desk) -> String {
    whole_lines(&desk.path().join("ripple.verify/state.txt"))
}

/// Conditions and verdicts in a state, obtained by resuming a copy of it for a moment.
fn known(desk: &Desk) -> BTreeSet<(String, String)> {
    let copy = desk.path().join("copy");
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir(&copy).unwrap();
    fs::copy(desk.path().join("ripple.verify/state.txt"), copy.join("state.txt")).unwrap();
    let arguments = arguments();
    let flags = ["--format", "json", "--resume", "--max-runs", "1", "--out", "copy"];
    let said = super::verify(desk, &[&arguments[..], &flags].concat());
    assert!([1, 3].contains(&said.code), "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    table(&report).into_iter().collect()
}

/// The result of the exploration without interruption.
fn uninterrupted(desk: &Desk) -> Value {
    let arguments = arguments();
    verified(desk, &[&arguments[..], &["--out", "whole"]].concat(), 1)
}

#[test]
fn an_exploration_that_is_killed_again_and_again_loses_nothing() {
    let desk = desk();
    let whole = uninterrupted(&desk);
    let all = whole["partitions"].as_array().unwrap().len();
    assert!(all > 500, "there are only {all} partitions");
    let mut random = Random::new(20_240_607);
    let (mut before, mut kills) = (String::new(), 0);
    let mut earlier: BTreeSet<(String, String)> = BTreeSet::new();
    loop {
        let more: &[&str] = if kills == 0 { &[] } else { &["--resume"] };
        let mut child = start(&desk, more);
        let lines = before.lines().count() + 20 + random.number(200) as usize;
        let is_running = wait_for(&mut child, &|| state(&desk), lines);
        if !is_running {
            assert_eq!(child.wait().unwrap().code(), Some(1));
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        let after = state(&desk);
        assert!(after.starts_with(&before), "after {kills} kills");
        before = after;
        // Everything proved until then is still there after the next time.
        if kills % 3 == 1 {
            earlier.extend(known(&desk));
        }
    }
    assert!(kills > 2, "it was killed {kills} times");
    assert!(state(&desk).starts_with(&before));
    let report: Value = serde_json::from_str(&desk.read("ripple.verify/verify.json")).unwrap();
    assert_eq!(report["counts"]["whole_space"], true);
    let found: BTreeSet<(String, String)> = table(&report).into_iter().collect();
    assert!(earlier.len() > 10 && earlier.is_subset(&found), "of {} proved", earlier.len());
    assert_eq!(table(&report), table(&whole));
    assert_eq!(report["verdict"], whole["verdict"]);
}

#[test]
fn an_exploration_that_is_interrupted_says_what_it_has_and_can_be_taken_up() {
    let desk = desk();
    let whole: BTreeSet<(String, String)> = table(&uninterrupted(&desk)).into_iter().collect();
    let mut child = start(&desk, &[]);
    assert!(wait_for(&mut child, &|| state(&desk), 120));
    signal(&child, "INT");
    let since = Instant::now();
    let code = child.wait().unwrap().code();
    assert!([Some(1), Some(3)].contains(&code), "{code:?}");
    assert!(since.elapsed() < Duration::from_secs(5));
    let report: Value = serde_json::from_str(&desk.read("ripple.verify/verify.json")).unwrap();
    assert_eq!(
        (&report["stopped"], &report["guarantee"]),
        (&"interrupted".into(), &"so_far".into())
    );
    let found: BTreeSet<(String, String)> = table(&report).into_iter().collect();
    assert!(!found.is_empty() && found.is_subset(&whole));
    assert_eq!(known(&desk).intersection(&found).count(), found.len());
    let arguments = arguments();
    let rest = verified(&desk, &[&arguments[..], &["--resume"]].concat(), 1);
    assert_eq!(rest["counts"]["whole_space"], true);
    assert_eq!(table(&rest).into_iter().collect::<BTreeSet<_>>(), whole);
}

#[test]
fn a_budget_that_ends_can_be_given_again() {
    let desk = desk();
    let whole = uninterrupted(&desk);
    let arguments = arguments();
    let mut counts = Vec::new();
    for more in [&["--max-runs", "40"][..], &["--resume", "--max-runs", "60"]] {
        let said = super::verify(&desk, &[&arguments[..], more].concat());
        said.has(&["limit: the run budget ran out", "help: continue with --resume"]);
        counts.push(state(&desk).lines().filter(|line| line.starts_with("step ")).count());
    }
    assert_eq!(counts, [40, 100]);
    let said = super::verify(&desk, &[&arguments[..], &["--resume", "--budget", "50ms"]].concat());
    assert!([1, 3].contains(&said.code), "{}", said.err);
    let rest = verified(&desk, &[&arguments[..], &["--resume"]].concat(), 1);
    assert_eq!(table(&rest), table(&whole));
}

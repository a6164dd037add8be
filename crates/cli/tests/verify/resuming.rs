//! Explorations that are interrupted at any moment and taken up: nothing that was proved is lost.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{program, table, verified};
use crate::desk::{Desk, signal};

/// Random numbers that are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

const DECISIONS: usize = 9;

fn desk() -> Desk {
    deciding(DECISIONS)
}

/// Versions that differ on one value of one input, behind decisions on all of them: a partition
/// for each combination of decisions.
pub fn deciding(decisions: usize) -> Desk {
    let version = |last: &str| {
        let names: Vec<String> = (0..decisions).map(|number| format!("i{number}")).collect();
        let decisions: String = names
            .iter()
            .enumerate()
            .map(|(number, name)| format!("  if ({name} > {number}) o += {name} * {number};\n"))
            .collect();
        program(&names.join(" "), &format!("{decisions}  o += {last};"))
    };
    Desk::pair(&version("i0 * 2"), &version("(i0 == 77 ? 1 : i0 + i0)"))
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

/// Whole lines of the state; nothing before there is one.
fn state(desk: &Desk) -> String {
    let bytes = fs::read(desk.path().join("ripple.verify/state.txt")).unwrap_or_default();
    let text = String::from_utf8(bytes).unwrap();
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    text[..end].to_owned()
}

/// Waits until the state has so many lines; says whether the process is still running.
fn wait_for(child: &mut Child, desk: &Desk, lines: usize) -> bool {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(60) {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if state(desk).lines().count() >= lines {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the state does not grow");
}

/// Conditions and verdicts that a state stands for, told by taking a copy of it up for a moment.
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

/// What the exploration comes to if nobody interrupts it.
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
    let mut random = Random(20_240_607);
    let (mut before, mut kills) = (String::new(), 0);
    let mut earlier: BTreeSet<(String, String)> = BTreeSet::new();
    loop {
        let more: &[&str] = if kills == 0 { &[] } else { &["--resume"] };
        let mut child = start(&desk, more);
        let lines = before.lines().count() + 20 + random.below(200) as usize;
        let is_running = wait_for(&mut child, &desk, lines);
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
        // What was proved until then is there after the next time, too.
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
    assert!(wait_for(&mut child, &desk, 120));
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
        said.has(&["limit: the runs of the budget are used up", "help: take it up"]);
        counts.push(state(&desk).lines().filter(|line| line.starts_with("step ")).count());
    }
    assert_eq!(counts, [40, 100]);
    let said = super::verify(&desk, &[&arguments[..], &["--resume", "--budget", "50ms"]].concat());
    assert!([1, 3].contains(&said.code), "{}", said.err);
    let rest = verified(&desk, &[&arguments[..], &["--resume"]].concat(), 1);
    assert_eq!(table(&rest), table(&whole));
}

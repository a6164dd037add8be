//! Searches that are interrupted at any moment and resumed: no proof or finding is lost, and
//! neither is the previous result.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use base::Random;
use serde_json::Value;

use crate::desk::{Desk, signal};
use crate::interrupted::{deciding, wait_for, whole_lines};

const DECISIONS: usize = 13;
const PARTITIONS: u64 = 1 << DECISIONS;
/// Strategies that prove something.
const PROVING: [&[&str]; 2] = [&["--strategy", "partitions"], &[]];

/// Equal versions with decisions on all inputs.
fn equal() -> Desk {
    deciding(DECISIONS, ["i0 * 2", "i0 + i0"])
}

fn arguments<'a>(more: &[&[&'a str]]) -> Vec<&'a str> {
    let mut arguments = vec!["old.c", "new.c"];
    arguments.extend(["--arg", "int"].repeat(DECISIONS));
    arguments.extend(more.concat());
    arguments
}

fn start(desk: &Desk, more: &[&[&str]]) -> Child {
    let mut command = desk.command(&arguments(more));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn unfinished(desk: &Desk) -> String {
    whole_lines(&desk.path().join("ripple.out/unfinished.txt"))
}

fn steps(state: &str) -> u64 {
    state.lines().filter(|line| line.starts_with("step ")).count() as u64
}

fn report(desk: &Desk) -> Value {
    serde_json::from_str(&desk.read("ripple.out/report.json")).unwrap()
}

fn proved(report: &Value) -> u64 {
    report["partitions"]["counts"]["equal"].as_u64().unwrap()
}

fn exists(desk: &Desk, name: &str) -> bool {
    desk.path().join(name).exists()
}

#[test]
fn a_search_that_is_killed_again_and_again_loses_nothing() {
    for (strategy, seed) in PROVING.into_iter().zip([20_250_301, 7]) {
        let desk = equal();
        // A previous result, of another comparison.
        assert_eq!(desk.run(&arguments(&[&["--max-runs", "5"]])).code, 3);
        let before = desk.read("ripple.out/report.json");
        let (mut random, mut known, mut kills) = (Random::new(seed), String::new(), 0);
        loop {
            let more: &[&str] = if kills == 0 { &[] } else { &["--resume"] };
            let mut child = start(&desk, &[strategy, more]);
            let lines = known.lines().count() + 50 + random.number(1500) as usize;
            if !wait_for(&mut child, &|| unfinished(&desk), lines) {
                assert_eq!(child.wait().unwrap().code(), Some(0), "{strategy:?}");
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            let after = unfinished(&desk);
            assert!(after.starts_with(&known), "{strategy:?}: after {kills} kills");
            assert_eq!(desk.read("ripple.out/report.json"), before, "{strategy:?}");
            known = after;
        }
        assert!(kills > 2, "{strategy:?}: it was killed {kills} times");
        assert_eq!(
            (&report(&desk)["verdict"], proved(&report(&desk))),
            (&"equal".into(), PARTITIONS)
        );
        let state = desk.read("ripple.out/state.txt");
        assert!(state.starts_with(&known) && steps(&state) == PARTITIONS, "{strategy:?}");
        assert_eq!(desk.read("ripple.out.1/report.json"), before, "{strategy:?}");
        assert!(!exists(&desk, "ripple.out.1/unfinished.txt"), "{strategy:?}");
        assert!(!exists(&desk, "ripple.out/unfinished.txt"), "{strategy:?}");
    }
}

#[test]
fn a_first_search_that_is_killed_leaves_its_state_alone() {
    let desk = equal();
    let mut child = start(&desk, &[PROVING[0]]);
    assert!(wait_for(&mut child, &|| unfinished(&desk), 100));
    child.kill().unwrap();
    child.wait().unwrap();
    let files = fs::read_dir(desk.path().join("ripple.out")).unwrap().count();
    assert_eq!((files, steps(&unfinished(&desk)) > 50), (1, true));
    desk.report(&arguments(&[PROVING[0], &["--resume"]]), 0);
    // There was no previous result.
    assert_eq!(desk.names(), ["new.c", "old.c", "ripple.out"]);
    assert!(exists(&desk, "ripple.out/state.txt") && !exists(&desk, "ripple.out/unfinished.txt"));
}

#[test]
fn a_search_that_is_interrupted_says_what_it_has_and_can_be_taken_up() {
    for strategy in PROVING {
        let desk = equal();
        let mut child = start(&desk, &[strategy]);
        assert!(wait_for(&mut child, &|| unfinished(&desk), 150));
        signal(&child, "INT");
        let since = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(3), "{strategy:?}");
        assert!(since.elapsed() < Duration::from_secs(10));
        let told = report(&desk);
        assert!(told["limits"].to_string().contains("interrupted"), "{strategy:?}: {told:#}");
        assert_eq!(proved(&told), steps(&desk.read("ripple.out/state.txt")), "{strategy:?}");
        let rest = desk.report(&arguments(&[strategy, &["--resume"]]), 0);
        assert_eq!((&rest["guarantee"]["kind"], proved(&rest)), (&"proved".into(), PARTITIONS));
        // Known results need no further search.
        let again = desk.report(&arguments(&[strategy, &["--resume", "--max-runs", "1"]]), 0);
        assert_eq!(proved(&again), PARTITIONS, "{strategy:?}");
    }
}

#[test]
fn a_budget_that_ends_can_be_given_again() {
    let desk = equal();
    let mut counts = Vec::new();
    for more in [&["--max-runs", "40"][..], &["--resume", "--max-runs", "60"]] {
        desk.report(&arguments(&[PROVING[0], more]), 3);
        counts.push(steps(&desk.read("ripple.out/state.txt")));
    }
    // The plain input at the start is a run, too.
    assert_eq!(counts, [39, 99]);
    let said = desk.run(&arguments(&[PROVING[0], &["--resume", "--budget", "100ms"]]));
    assert!([0, 3].contains(&said.code), "{}", said.err);
    assert_eq!(proved(&desk.report(&arguments(&[PROVING[0], &["--resume"]]), 0)), PARTITIONS);
}

#[test]
fn a_search_that_begins_anew_takes_nothing_over() {
    let desk = equal();
    let anew = || {
        desk.report(&arguments(&[PROVING[0], &["--max-runs", "40"]]), 3);
        ["report.json", "report.html", "state.txt"]
            .map(|name| desk.read(&format!("ripple.out/{name}")))
    };
    let first = anew();
    assert_eq!(first, anew());
    desk.report(&arguments(&[PROVING[0], &["--max-runs", "40", "--resume"]]), 3);
    assert_eq!(first, anew());
}

#[test]
fn differences_are_found_again_and_tests_stay_those_of_the_user() {
    for strategy in PROVING {
        let desk = deciding(3, ["i0 * 2", "(i0 == 77123 ? 1 : i0 + i0)"]);
        desk.write(&[("tests.txt", "program 1 2 3\nprogram 4 5 6\n")]);
        let args = [&["old.c", "new.c", "--tests", "tests.txt"], strategy].concat();
        let first = desk.report(&[&args[..], &["--thorough", "--budget", "2s"]].concat(), 1);
        let second = desk.report(&[&args[..], &["--first", "--resume"]].concat(), 1);
        let witness = &second["witnesses"][0];
        assert_eq!(witness["found_by"], "saved state", "{strategy:?}");
        assert_eq!(witness["input"], first["witnesses"][0]["input"], "{strategy:?}");
        assert_eq!(second["partitions"]["shares"]["tests"]["samples"], 2, "{strategy:?}");
        let text = desk.read("ripple.out/report.txt");
        assert!(text.contains("found among the inputs of the saved state after"), "{text}");
    }
}

#[test]
fn a_state_of_something_else_is_not_taken_up() {
    let desk = deciding(2, ["i0 * 2", "i0 + i0"]);
    desk.write(&[("other.c", &desk.read("old.c").replace("i0 * 2", "i0 * 3"))]);
    let flags = ["--arg", "int", "--arg", "int"];
    let resumed = |args: &[&str], words: &[&str]| {
        desk.refuses(&[args, &["--resume"]].concat(), words);
    };
    resumed(&["old.c", "new.c"], &["`--resume`: there is no ripple.out/state.txt"]);
    assert_eq!(desk.compare(&flags).code, 0);
    let state = desk.read("ripple.out/state.txt");
    let with =
        |versions: [&'static str; 2], more: &[&'static str]| [&versions[..], &flags, more].concat();
    let usual = ["old.c", "new.c"];
    let cannot = "cannot resume the saved state: it was saved with another";
    resumed(&with(["other.c", "new.c"], &[]), &[cannot, "version OLD"]);
    resumed(&with(["old.c", "other.c"], &[]), &[cannot, "version NEW"]);
    resumed(&with(usual, &["--arg", "int"]), &["it belongs to another input space"]);
    resumed(&with(usual, &["--strategy", "partitions"]), &[cannot, "--strategy"]);
    resumed(&with(usual, &["--observe", "exit"]), &[cannot, "--observe"]);
    resumed(&with(usual, &["--max-steps", "900000"]), &[cannot, "--max-steps"]);
    assert_eq!(desk.read("ripple.out/state.txt"), state);
    let path = desk.path().join("ripple.out/state.txt");
    let line = state.lines().position(|line| line.starts_with("step ")).unwrap();
    for (kind, other) in [("step ", "stop "), ("input ", "input x")] {
        fs::write(&path, state.replacen(kind, other, 1)).unwrap();
        let line = match kind {
            "step " => line,
            _ => state.lines().position(|line| line.starts_with(kind)).unwrap(),
        };
        resumed(&with(usual, &[]), &[&format!("line {} is damaged", line + 1)]);
    }
    fs::write(&path, "something else\n").unwrap();
    resumed(&with(usual, &[]), &["it is not the state of a comparison"]);
}

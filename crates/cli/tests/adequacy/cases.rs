//! The pairs under `tests/adequacy`: `old.c`, `new.c`, and `expected`.
//!
//! An expectation has `flags:`, and then for each list of tests: `tests:` with `grid M N` for all pairs of
//! numbers from 1, words such as `a=1,b=2` for parameters, or command lines between `|`; `exit:`; and
//! what is found. `line L:` has the counts of a changed line, `chain …:` the tests that cover a chain,
//! propagate along it, and show a difference among those that cover it; 0 0 0 is the frontier.
//! Kinds of facts (`line`, `chain`, `coverage`, `missing`, `mutant`) of which there are none are not compared.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::desk::Desk;

pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/adequacy")
}

fn cases() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// A part of an expectation: the tests as a file, the exit code, and facts.
struct Expected {
    tests: (&'static str, String),
    code: i32,
    facts: BTreeSet<String>,
}

/// Tests as a file, and its name.
pub fn tests(words: &str) -> (&'static str, String) {
    if let Some(sizes) = words.strip_prefix("grid ") {
        let (xs, ys) = sizes.split_once(' ').unwrap();
        let (xs, ys): (u32, u32) = (xs.parse().unwrap(), ys.parse().unwrap());
        let all = (1..=xs).flat_map(|x| (1..=ys).map(move |y| format!("{x} {y}\n")));
        return ("tests.txt", all.collect());
    }
    if words.contains('=') {
        let line = |word: &str| {
            let pairs = word.split(',').map(|pair| pair.split_once('=').unwrap());
            let pairs: Vec<String> =
                pairs.map(|(name, value)| format!("\"{name}\": {value}")).collect();
            format!("{{\"params\": {{{}}}}}\n", pairs.join(", "))
        };
        return ("tests.jsonl", words.split(' ').map(line).collect());
    }
    ("tests.txt", words.split('|').map(|line| format!("{}\n", line.trim())).collect())
}

fn read(text: &str) -> (Vec<String>, Vec<Expected>) {
    let mut flags = Vec::new();
    let mut all: Vec<Expected> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(words) = line.strip_prefix("flags:") {
            flags = words.split_whitespace().map(str::to_owned).collect();
        } else if let Some(words) = line.strip_prefix("tests: ") {
            all.push(Expected { tests: tests(words), code: 1, facts: BTreeSet::new() });
        } else if let Some(code) = line.strip_prefix("exit: ") {
            all.last_mut().unwrap().code = code.parse().unwrap();
        } else {
            assert!(all.last_mut().unwrap().facts.insert(line.to_owned()), "twice: {line}");
        }
    }
    (flags, all)
}

/// `11 -[true]-> 12 -[y]-> 16`.
fn chain(start: &Value, steps: &[&Value]) -> String {
    let steps = steps
        .iter()
        .map(|step| format!(" -[{}]-> {}", step["through"].as_str().unwrap(), step["to"]["line"]));
    format!("{start}{}", steps.collect::<String>())
}

/// The chains of a changed line, with the tests that cover it, propagate along it, and show a
/// difference.
pub fn chains(line: &Value) -> Vec<(String, [u64; 3])> {
    let mut path: Vec<&Value> = Vec::new();
    let rows = line["chains"].as_array().unwrap().iter().map(|row| {
        let length = row["length"].as_u64().unwrap() as usize;
        if length > 0 {
            path.truncate(length - 1);
            path.push(&row["step"]);
        }
        let numbers = ["covered", "propagated", "shown"].map(|name| row[name].as_u64().unwrap());
        (chain(&line["place"]["line"], &path), numbers)
    });
    rows.collect()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// What a report says, a line for each fact.
pub fn facts(report: &Value) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    let list = |name: &str| report[name].as_array().unwrap().iter();
    for line in list("lines") {
        let counts = &line["counts"];
        let counts = ["reach", "infect", "propagate", "show"]
            .map(|name| format!("{name} {}", counts[name]))
            .join(" ");
        facts.insert(format!("line {}: {counts}", line["place"]["line"]));
        for (chain, [covered, propagated, shown]) in chains(line) {
            facts.insert(format!("chain {chain}: {covered} {propagated} {shown}"));
        }
    }
    for one in list("coverage") {
        let distance = one["distance"].as_u64().map(|distance| format!(":{distance}"));
        let (name, distance) = (word(&one["criterion"]), distance.unwrap_or_default());
        facts
            .insert(format!("coverage {name}{distance}: {} of {}", one["satisfied"], one["total"]));
    }
    for one in list("missing") {
        let steps: Vec<&Value> = one["steps"].as_array().unwrap().iter().collect();
        let at = &one["change"]["line"];
        let chain = if steps.is_empty() { String::new() } else { chain(at, &steps) };
        let words = format!("missing: {at} {} {chain}", word(&one["kind"]));
        facts.insert(words.trim_end().to_owned());
    }
    for one in report["mutants"].as_array().into_iter().flatten() {
        let (at, edit) = (&one["place"]["line"], word(&one["edit"]));
        let test = if one["test"].is_null() { String::new() } else { format!(" {}", one["test"]) };
        facts.insert(format!("mutant {at} {edit}: {}{test}", word(&one["fate"])));
    }
    facts
}

#[test]
fn each_pair_has_the_chains_that_are_worked_out() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let cases = cases();
    assert!(cases.len() >= 5, "{cases:?}");
    for case in cases {
        let (flags, all) = read(&fs::read_to_string(case.join("expected")).unwrap());
        let desk = Desk::of(&["adequacy"], &[]);
        for name in ["old.c", "new.c"] {
            desk.write(&[(name, &fs::read_to_string(case.join(name)).unwrap())]);
        }
        for Expected { tests: (name, text), code, facts: expected } in all {
            desk.write(&[(name, &text)]);
            let mut args = vec!["old.c", "new.c", "--no-out", "--tests", name];
            args.extend(flags.iter().map(String::as_str));
            let kinds: BTreeSet<&str> = expected.iter().map(|fact| kind(fact)).collect();
            let mut found = facts(&desk.report(&args, code));
            found.retain(|fact| kinds.contains(kind(fact)));
            let show = |facts: Vec<&String>| {
                facts.iter().map(|fact| format!("\n  {fact}")).collect::<String>()
            };
            let (lost, odd) =
                (expected.difference(&found).collect(), found.difference(&expected).collect());
            let (lost, odd) = (show(lost), show(odd));
            assert!(
                lost.is_empty() && odd.is_empty(),
                "{} with {name}:\nexpected and not found:{lost}\nfound and not expected:{odd}\n{text}",
                case.display()
            );
        }
    }
}

fn kind(fact: &str) -> &str {
    fact.split([' ', ':']).next().unwrap()
}

/// §3.2.1 of the paper: how probably a test for each chain of a length shows a difference.
#[test]
fn longer_chains_reveal_a_difference_more_probably() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let desk = Desk::of(&["adequacy"], &[]);
    for name in ["old.c", "new.c"] {
        let text = fs::read_to_string(directory().join("bin_first").join(name)).unwrap();
        desk.write(&[(name, &text)]);
    }
    let (name, text) = tests("grid 10 10");
    desk.write(&[(name, &text)]);
    let report = desk.report(&["old.c", "new.c", "--no-out", "--tests", name], 1);
    let chains = chains(&report["lines"][0]);
    let probability = |length: usize| {
        let of_length = chains.iter().filter(|(chain, _)| chain.matches("->").count() == length);
        let missed =
            of_length.map(|(_, [covered, _, shown])| 1.0 - *shown as f64 / *covered as f64);
        ((1.0 - missed.product::<f64>()) * 1000.0).round() / 10.0
    };
    assert_eq!([0, 1, 3].map(probability), [20.0, 36.0, 74.1]);
    // Four random tests: the paper says 59 %.
    let four = 1.0 - (1.0 - probability(0) / 100.0_f64).powi(4);
    assert_eq!((four * 100.0).round(), 59.0);
    // Tests that propagate along a chain of length 3 all show the difference.
    let ends = chains.iter().filter(|(chain, _)| chain.matches("->").count() == 3);
    assert!(ends.clone().all(|(_, [_, propagated, shown])| propagated == shown));
    assert_eq!(ends.map(|(_, [_, propagated, _])| propagated).sum::<u64>(), 20);
}

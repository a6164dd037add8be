//! `ripple interact` on the pairs under `tests/interact`, each a directory with two versions and what
//! is to be found, worked out by hand; and how it speaks about changes with few and many parts.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::desk::Desk;

const BUDGET: [&str; 2] = ["--max-runs", "20000"];

fn cases() -> Vec<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/interact");
    let mut found: Vec<PathBuf> =
        fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn read_into(desk: &Desk, from: &Path, below: &str) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{below}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            read_into(desk, &path, &format!("{name}/"));
        } else {
            desk.write(&[(&name, &fs::read_to_string(&path).unwrap())]);
        }
    }
}

fn set(parts: &Value) -> String {
    let numbers = parts.as_array().unwrap().iter().map(|part| part.to_string());
    numbers.collect::<Vec<_>>().join("+")
}

/// What a report says, a line for each fact.
fn facts(report: &Value) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    facts.insert(format!("verdict: {}", report["verdict"].as_str().unwrap()));
    facts.insert(format!("parts: {}", report["parts"].as_array().unwrap().len()));
    for difference in report["differences"].as_array().unwrap() {
        let mut sets = Vec::new();
        for minimal in difference["minimal"].as_array().unwrap() {
            assert_eq!(minimal["is_proved"], true, "{minimal}");
            let mut words = set(&minimal["parts"]);
            if minimal["parts"].as_array().unwrap().len() > 1 && !minimal["single_part"].is_null() {
                words += &format!(" of {}", minimal["single_part"]);
            }
            let masks = minimal["masked_by"].as_array().unwrap().iter().map(set);
            for mask in masks {
                words += &format!(" by {mask}");
            }
            sets.push(words);
        }
        let mut words =
            format!("difference: {} {}", difference["kind"].as_str().unwrap(), sets.join(", "));
        if difference["error"]["is_interaction"] == true {
            let critical = set(&difference["error"]["critical"]).replace('+', " ");
            words += &format!(" critical {critical}");
            assert_eq!(difference["error"]["skipping_and_failing_otherwise"], 0);
        }
        facts.insert(words);
    }
    for broken in report["configurations"]["do_not_build"].as_array().unwrap() {
        facts.insert(format!("not built: {}", set(broken)));
    }
    facts
}

#[test]
fn each_pair_shows_the_parts_that_its_differences_need() {
    if testkit::compiler("interact").is_none() {
        return;
    }
    let cases = cases();
    assert!(cases.len() >= 7, "{cases:?}");
    for case in cases {
        let expected = fs::read_to_string(case.join("expected")).unwrap();
        let mut lines = expected.lines().filter(|line| !line.starts_with('#'));
        let flags = lines.next().unwrap().strip_prefix("flags: ").unwrap();
        let expected: BTreeSet<String> = lines.map(str::to_owned).collect();
        let desk = Desk::of(&["interact"], &[]);
        read_into(&desk, &case, "");
        let versions = match case.join("old.c").exists() {
            true => ["old.c", "new.c"],
            false => ["old", "new"],
        };
        let flags: Vec<&str> = flags.split(' ').collect();
        let report = desk.report(&[&versions[..], &flags, &BUDGET].concat(), 1);
        assert_eq!(facts(&report), expected, "{}", case.display());
    }
}

/// The parser of Fig. 4.5.
fn cut() -> Option<Desk> {
    testkit::compiler("interact")?;
    let desk = Desk::of(&["interact"], &[]);
    let case = cases().into_iter().find(|case| case.ends_with("cut_ranges")).unwrap();
    read_into(&desk, &case, "");
    Some(desk)
}

#[test]
fn the_sequences_of_the_running_example_are_those_of_its_graph() {
    let Some(desk) = cut() else { return };
    let flags = ["old.c", "new.c", "--arg", "str:3"];
    let report = desk.report(&[&flags[..], &BUDGET].concat(), 1);
    let sequences = &report["sequences"];
    // Part 1 comes first, then 2 and 3 in either order, or one of them, or none.
    assert_eq!(sequences["first"], serde_json::json!([1]));
    assert_eq!(sequences["steps"], serde_json::json!([[1, 2], [1, 3], [2, 3], [3, 2]]));
    assert_eq!(sequences["last"], serde_json::json!([1, 2, 3]));
    let exercised: Vec<String> = sequences["exercised"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| set(&one["sequence"]))
        .collect();
    assert_eq!(exercised, ["1", "1+2", "1+3", "1+2+3", "1+3+2"]);
    assert_eq!(sequences["left"], serde_json::json!([]));
    let witness = &report["comparison"]["witnesses"][0];
    assert_eq!(witness["input"]["args"], serde_json::json!(["0-"]), "{witness}");
}

#[test]
fn the_text_names_parts_sequences_and_configurations() {
    let Some(desk) = cut() else { return };
    let flags = ["old.c", "new.c", "--arg", "str:3", "--golden", "old.c"];
    let said = desk.run(&[&flags[..], &BUDGET].concat());
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let wanted = [
        "interaction: 1 of 1 difference needs several parts of the change together\n",
        "difference 1 of 1: interaction of parts 1, 2, 3\n",
        "\n  shown by: parts 1, 2, 3\n",
        "\n  change interaction error: 1 → 2 → 3 is critical\n",
        "a part of it: none fails (evidence, not a proof)\n",
        "5 sequences of parts exercised",
        "do not build, with only these parts: {2} {2, 3} {3}\n",
    ];
    for wanted in wanted {
        assert!(said.out.contains(wanted), "{wanted}\n{}", said.out);
    }
}

#[test]
fn a_comment_has_a_table_of_differences_and_parts() {
    let Some(desk) = cut() else { return };
    let flags = ["old.c", "new.c", "--arg", "str:3", "--format", "markdown"];
    let said = desk.run(&[&flags[..], &BUDGET].concat());
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let row = "| 1 | `./new 0-` | interaction | parts 1, 2, 3 |";
    assert!(said.out.starts_with("**Ripple: interaction.**"), "{}", said.out);
    assert!(said.out.contains(row), "{}", said.out);
}

const PLAIN: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    \
    int n = atoi(argv[1]);\n    printf(\"%d\\n\", n);\n    return 0;\n}\n";

#[test]
fn a_change_without_parts_is_equal_and_one_part_is_single() {
    if testkit::compiler("interact").is_none() {
        return;
    }
    let new = PLAIN.replace("n);", "n + 1);");
    let comment = PLAIN.replace("    return", "    /* The end. */\n    return");
    let desk =
        Desk::of(&["interact"], &[("old.c", PLAIN), ("new.c", &new), ("comment.c", &comment)]);
    let report = desk.report(&["old.c", "comment.c", "--arg", "int:0..9"], 0);
    assert_eq!(report["verdict"], "equal");
    assert_eq!(report["parts"], serde_json::json!([]));
    assert_eq!(report["hunks_without_effect"], serde_json::json!([1]));
    let report = desk.report(&["old.c", "new.c", "--arg", "int:0..9"], 1);
    assert_eq!(report["verdict"], "single");
    assert_eq!(report["differences"][0]["minimal"][0]["parts"], serde_json::json!([1]));
    assert_eq!(report["configurations"]["built"], 0);
}

#[test]
fn fifty_parts_end_within_the_bound_on_configurations() {
    if testkit::compiler("interact").is_none() {
        return;
    }
    let version = |step: usize| {
        let mut text = String::from(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    \
             int n = atoi(argv[1]);\n",
        );
        for part in 0..50 {
            text += &format!("    int v{part} = {};\n    puts(\"\");\n", step);
        }
        text + "    printf(\"%d\\n\", n == 7 ? v3 * v40 : 0);\n    return 0;\n}\n"
    };
    let (old, new) = (version(0), version(1));
    let desk = Desk::of(&["interact"], &[("old.c", &old), ("new.c", &new)]);
    let flags = ["old.c", "new.c", "--arg", "int:0..9", "--max-configurations", "60"];
    let report = desk.report(&[&flags[..], &BUDGET].concat(), 1);
    assert_eq!(report["parts"].as_array().unwrap().len(), 50);
    assert_eq!(report["configurations"]["is_cut"], true);
    assert_eq!(report["configurations"]["built"], 60);
    assert_ne!(report["differences"][0]["kind"], "single");
}

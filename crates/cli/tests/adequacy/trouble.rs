//! Tests that crash, hang or do not fit; changes that no test reaches; bounds; interruptions; and
//! where versions and tests can come from.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::desk::{Desk, binary, said, signal};

/// A program of one number, with this code before it prints `o`.
fn program(code: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint limit = 5;\n\
         int main(int argc, char **argv) {{\n    int n = atoi(argv[1]), o = 0;\n    \
         {code}\n    printf(\"%d\\n\", o);\n    return 0;\n}}\n"
    )
}

fn desk(old: &str, new: &str, tests: &str) -> Option<Desk> {
    testkit::compiler("adequacy")?;
    let files = [("old.c", program(old)), ("new.c", program(new)), ("t.txt", tests.to_owned())];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    Some(Desk::of(&["adequacy"], &files))
}

const ARGS: [&str; 5] = ["old.c", "new.c", "--no-out", "--tests", "t.txt"];

fn report(desk: &Desk, flags: &[&str], code: i32) -> Value {
    desk.report(&[&ARGS, flags].concat(), code)
}

fn states(report: &Value) -> Vec<&str> {
    let tests = report["tests"].as_array().unwrap();
    tests.iter().map(|test| test["state"].as_str().unwrap()).collect()
}

#[test]
fn a_test_that_crashes_in_one_version_shows_a_difference() {
    let code = "int a[2] = {1, 2}, *p = n > 3 ? 0 : a; o = p[n & 1];";
    let Some(desk) = desk("o = 1 + (n & 1);", code, "1\n5\n2\n") else { return };
    let found = report(&desk, &[], 1);
    assert_eq!(states(&found), ["followed"; 3]);
    let tests = &found["tests"];
    let differs: Vec<&Value> = (0..3).map(|test| &tests[test]["differs"]).collect();
    assert_eq!(differs, [&json!(false), &json!(true), &json!(false)]);
    assert_eq!(tests[1]["confirmed"], true);
    assert_eq!(found["limits"], json!([]));
    // A crash of both versions is no difference.
    let Some(desk) = self::desk("o = 100 / n;", "o = 100 / n + (n > 50);", "0\n1\n") else {
        return;
    };
    let found = report(&desk, &[], 1);
    assert_eq!(states(&found), ["followed"; 2]);
    assert_eq!(found["tests"][0]["differs"], false);
}

#[test]
fn a_test_that_hangs_shows_a_difference_or_is_told() {
    // A run that comes back to the same state is known not to end.
    let hang = "while (n == 3) o = 1;";
    let Some(desk) = desk("while (n == 4) o = 1;", hang, "1\n3\n") else { return };
    let found = report(&desk, &[], 3);
    assert_eq!(states(&found), ["followed", "cut"]);
    let hangs = &found["tests"][1];
    assert_eq!((&hangs["differs"], &hangs["confirmed"]), (&json!(true), &json!(true)), "{found:#}");
    // Of a long run, nothing is known, and other tests are judged.
    let long = "if (n == 3) for (long i = 0; i < 10000000; i++) o ^= i; o = n;";
    let Some(desk) = self::desk("o = n + (n == 9);", long, "1\n3\n9\n") else { return };
    let found = report(&desk, &["--max-steps", "100000"], 3);
    assert_eq!(states(&found), ["followed", "unknown", "followed"], "{found:#}");
    assert!(found["tests"][1]["reason"].as_str().unwrap().starts_with("NEW: "), "{found:#}");
    assert_eq!(found["tests"][2]["differs"], true);
    assert_eq!(found["limits"][0]["message"], "1 test could not be followed to the end");
    assert_eq!(found["verdict"], "inconclusive");
    // Thresholds that are met anyway decide.
    let flags = ["--max-steps", "100000", "--fail-under", "OUT:100"];
    assert_eq!(report(&desk, &flags, 0)["verdict"], "inconclusive");
    let flags = ["--max-steps", "100000", "--fail-under", "PROP:100"];
    assert_eq!(report(&desk, &flags, 3)["verdict"], "inconclusive");
}

#[test]
fn a_test_that_does_not_fit_is_named() {
    let Some(desk) = desk("o = n;", "o = n + 1;", "1\nx\n2 3\n") else { return };
    let said = desk.run(&[&ARGS[..], &["--arg", "int:0..9"]].concat());
    // Everything is satisfied without them.
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&[
        "adequate: 3 tests satisfy every requirement of 1 changed line",
        "note: 2 tests could not be followed to the end\n",
        "note: test 2 is not in the input space\n",
    ]);
    let found = report(&desk, &["--arg", "int:0..9"], 0);
    assert_eq!(states(&found), ["followed", "misfit", "misfit"]);
}

#[test]
fn a_change_that_no_test_reaches_is_named() {
    let Some(desk) = desk("if (n > 9) o = 1;", "if (n > 9) o = 2;", "1\n2\n") else { return };
    let said = desk.run(&ARGS);
    assert_eq!(said.code, 1, "{}", said.err);
    said.has(&[
        "inadequate: no test reaches the change (2 tests, 1 changed line)\n",
        "new.c:6: no test executes it\n",
    ]);
    let found = report(&desk, &[], 1);
    assert_eq!(found["lines"][0]["chains"], json!([]));
    let names: Vec<&str> = found["coverage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["criterion"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["STMT", "BR", "DU", "CHAIN", "PROP", "OUT"]);
    let none = found["coverage"].as_array().unwrap().iter();
    assert!(none.clone().all(|one| one["satisfied"] == 0), "{found:#}");
    // Without any test there is nothing to judge, and that is said.
    let said = desk.run(&["old.c", "new.c", "--no-out"]);
    assert_eq!(said.code, 1, "{}", said.err);
    said.has(&["inadequate: there is no test; name some with --tests (1 changed line)\n"]);
}

#[test]
fn nothing_is_to_be_tested_where_nothing_changed() {
    let same = "/* Another comment. */ o = n;";
    let Some(desk) = desk("o = n;", same, "1\n") else { return };
    let said = desk.run(&ARGS);
    assert_eq!(said.code, 0, "{}", said.err);
    said.has(&["nothing to test: nothing changed that affects how the program behaves\n"]);
    assert_eq!(desk.run(&[&ARGS[..], &["--fail-under", "OUT:100"]].concat()).code, 0);
    assert_eq!(desk.run(&[&ARGS[..], &["--format", "markdown"]].concat()).out, "");
    let found = report(&desk, &["--mutants"], 0);
    assert_eq!((states(&found), &found["lines"]), (vec!["not_run"], &json!([])));
}

#[test]
fn an_assignment_of_a_variable_to_itself_asks_for_nothing() {
    let Some(desk) = desk("o = n;\n    o = o;", "o = n;", "1\n") else { return };
    let said = desk.run(&ARGS);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&["adequate: 1 test ran, and no statement changed that a chain could begin at\n"]);
}

#[test]
fn a_changed_initial_value_is_no_reason_to_call_tests_adequate() {
    let Some(desk) = desk("o = n > limit;", "o = n > limit;", "1\n6\n") else { return };
    desk.write(&[("new.c", &program("o = n > limit;").replace("= 5", "= 6"))]);
    let found = report(&desk, &[], 3);
    assert_eq!(found["verdict"], "inconclusive");
    assert_eq!(found["limits"][0]["kind"], "variables");
    assert!(found["limits"][0]["message"].as_str().unwrap().contains("`limit`"), "{found:#}");
    assert_eq!(found["tests"][1]["differs"], true);
}

/// A loop in which everything depends on everything.
const TANGLE: &str = "int a = n, b = 1, c = 2, d = 3; for (int i = 0; i < n; i++) {\n    \
     a = b + d + 1;\n    b = c * 3 + a;\n    c = d ^ b;\n    d = a + c;\n    \
     if (d & 1) a++;\n    if (b & 2) c--;\n    }\n    o = a + b + c + d;";

#[test]
fn distances_are_bounded_by_what_a_report_can_hold() {
    let new = TANGLE.replace("+ 1;", "+ 2;");
    let Some(desk) = desk(TANGLE, &new, "3\n40\n") else { return };
    let none = report(&desk, &["--distance", "0"], 1);
    // Direct dependences count, also if chains have no length.
    let uses = &none["coverage"][2];
    assert_eq!((&uses["criterion"], &uses["satisfied"]), (&json!("DU"), &json!(3)), "{none:#}");
    let chains = none["lines"][0]["chains"].as_array().unwrap();
    assert_eq!((chains.len(), &chains[0]["covered"]), (1, &json!(2)));
    let coverage = none["coverage"].as_array().unwrap().iter();
    let distances: Vec<&Value> =
        coverage.map(|one| &one["distance"]).filter(|distance| !distance.is_null()).collect();
    assert_eq!(distances, [&json!(0), &json!(0)]);
    let start = std::time::Instant::now();
    let far = report(&desk, &["--distance", "1000"], 1);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let limits = far["limits"].as_array().unwrap();
    assert_eq!(limits.len(), 1, "{limits:?}");
    assert_eq!(limits[0]["kind"], "chains");
    let words = limits[0]["message"].as_str().unwrap();
    let complete: u64 = words.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((3..100).contains(&complete), "{words}");
    // What is complete at that length is the same with a shorter distance.
    let near = report(&desk, &["--distance", &complete.to_string()], 1);
    assert_eq!(near["limits"], json!([]));
    let of = |report: &Value, distance: u64| {
        let all = report["coverage"].as_array().unwrap().clone();
        all.into_iter().filter(|one| one["distance"] == distance).collect::<Vec<_>>()
    };
    assert!((1..=complete).all(|length| of(&near, length) == of(&far, length)), "{complete}");
    let said = desk.run(&[&ARGS[..], &["--distance=-1"]].concat());
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("--distance"), "{}", said.err);
}

#[test]
fn tests_that_the_budget_does_not_allow_are_not_judged() {
    let Some(desk) = desk("o = n;", "o = n > 2 ? n : n + 1;", "3\n4\n1\n2\n") else { return };
    let found = report(&desk, &["--max-runs", "2"], 3);
    assert_eq!(states(&found), ["followed", "followed", "not_run", "not_run"]);
    assert_eq!(found["limits"][0]["kind"], "stopped");
    assert_eq!(found["lines"][0]["counts"]["reach"], 2);
}

#[test]
fn an_interrupted_command_tells_what_it_found() {
    let slow = "for (long i = 0; i < 3000000; i++) o += i ^ n;";
    let tests: String = (0..2000).map(|n| format!("{n}\n")).collect();
    let Some(desk) = desk(slow, &slow.replace("^ n", "^ (n + 1)"), &tests) else { return };
    for command in ["adequacy", "select"] {
        let mut started = std::process::Command::new("env");
        started.arg("--default-signal=INT").arg(binary()).arg(command).args(["old.c", "new.c"]);
        started.args(["--tests", "t.txt", "--format", "json"]);
        let ripple = desk.ripple(&[]);
        started.current_dir(desk.path());
        for (name, value) in ripple.get_envs() {
            match value {
                Some(value) => started.env(name, value),
                None => started.env_remove(name),
            };
        }
        let mut child = started
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(2500));
        assert!(child.try_wait().unwrap().is_none(), "{command} is too fast for this test");
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{err}");
        assert!(err.contains("interrupted: finishing with what was found"), "{err}");
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        if command == "select" {
            // What did not run is selected.
            let all = found["selected"].as_array().unwrap().len();
            assert_eq!(all + found["unaffected"].as_array().unwrap().len(), 2000);
            continue;
        }
        assert_eq!(found["verdict"], "inconclusive");
        let states = states(&found);
        assert_eq!(states.len(), 2000);
        let ran = states.iter().filter(|state| **state != "not_run").count();
        assert!((1..2000).contains(&ran), "{ran}");
        let reach = found["lines"].as_array().unwrap().iter().map(|line| &line["counts"]["reach"]);
        assert!(reach.clone().any(|reach| reach.as_u64().unwrap() as usize == ran), "{found}");
        let written: Value =
            serde_json::from_str(&desk.read("ripple.adequacy/adequacy.json")).unwrap();
        assert_eq!(written, found);
    }
}

#[test]
fn a_version_that_does_not_build_has_an_exit_code_of_its_own() {
    let Some(desk) = desk("o = n;", "o = n", "1\n") else { return };
    let said = desk.run(&ARGS);
    assert_eq!((said.code, said.out.as_str()), (4, ""), "{}", said.err);
    let said = said_of(&desk, &["select", "old.c", "new.c", "--tests", "t.txt"]);
    assert_eq!((said.code, said.out.as_str()), (4, ""), "{}", said.err);
    desk.refuses(&["old.c", "old.c", "--tests", "nowhere.txt"], &["nowhere.txt"]);
}

fn said_of(desk: &Desk, args: &[&str]) -> testkit::desk::Said {
    said(&mut desk.ripple(args))
}

#[test]
fn versions_are_revisions_or_directories_and_tests_a_file_or_a_directory() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let Some(desk) = Desk::repository(&["adequacy"]) else { return };
    let (old, new) = (program("o = n;"), program("o = n > 3 ? 3 : n;"));
    desk.commit(&[("src/p.c", &old)], "one");
    desk.commit(&[("src/p.c", &new)], "two");
    desk.write(&[("t.txt", "1\n7\n"), ("v1/p.c", &old), ("v2/p.c", &new)]);
    let counts = |args: &[&str]| {
        let report = desk.report(&[args, &["--no-out", "--tests", "t.txt"]].concat(), 1);
        report["lines"][0]["counts"].clone()
    };
    let of_files = counts(&["v1/p.c", "v2/p.c"]);
    assert_eq!(of_files["show"], 1);
    assert_eq!(counts(&["HEAD~1", "HEAD"]), of_files);
    assert_eq!(counts(&["v1", "v2"]), of_files);
    let said =
        said_of(&desk, &["select", "HEAD~1", "HEAD", "--tests", "t.txt", "--format", "lines"]);
    assert_eq!(said.code, 0, "{}", said.err);
    // What is selected is a file of tests again.
    desk.write(&[("some.jsonl", &said.out)]);
    let report = desk.report(&["v1", "v2", "--no-out", "--tests", "some.jsonl"], 1);
    assert_eq!(report["tests"].as_array().unwrap().len(), 2);
    assert_eq!(report["tests"][0]["differs"], true);
    // A directory of files, each the standard input of a test.
    let cat = "#include <stdio.h>\nint main(void) {\n    int c;\n    \
        while ((c = getchar()) != EOF) putchar(c == 'a' ? 'b' : c);\n    return 0;\n}\n";
    desk.write(&[("c1.c", cat), ("c2.c", &cat.replace("'b'", "'d'"))]);
    desk.write(&[("corpus/1", "xyz"), ("corpus/2", "bab"), ("corpus/3", "")]);
    let flags = ["--no-out", "--tests", "corpus", "--stdin", "text:3"];
    let report = desk.report(&[&["c1.c", "c2.c"], &flags[..]].concat(), 0);
    let differs: Vec<bool> =
        report["tests"].as_array().unwrap().iter().map(|test| test["differs"] == true).collect();
    assert_eq!(differs, [false, true, false], "{report:#}");
}

#[test]
fn recorded_tests_are_judged_by_name() {
    if testkit::compiler("adequacy").is_none() || !testkit::is_installed("cc") {
        return;
    }
    let sum = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    \
        long sum = getenv(\"MODE\") != NULL, value;\n    \
        while (scanf(\"%ld\", &value) == 1)\n        sum += value;\n    \
        printf(\"%ld\\n\", sum);\n    return 0;\n}\n";
    let new = sum.replace("sum += value", "sum += value > 99 ? 99 : value");
    let script = "cc -o sum sum.c\necho 1 2 | ./sum\necho 100 | ./sum\necho | ./sum\n\
        echo 7 | MODE=fast ./sum\n";
    let files = [("sum.c", sum), ("new.c", &new), ("check.sh", script)];
    let desk = Desk::of(&["adequacy"], &files);
    let said = said_of(&desk, &["record", "sum.c", "--program", "sum", "--", "sh", "check.sh"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let report = desk.report(&["sum.c", "new.c", "--no-out", "--tests", "tests.jsonl"], 3);
    let found: Vec<(&str, bool, bool)> = report["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| {
            let name = test["name"].as_str().unwrap();
            (name, test["reaches"] == true, test["differs"] == true)
        })
        .collect();
    // A run of the last one would not be the recorded one.
    let expected = [
        ("check.sh 1", true, false),
        ("check.sh 2", true, true),
        ("check.sh 3", false, false),
        ("check.sh 4", false, false),
    ];
    assert_eq!(found, expected);
    assert_eq!(states(&report), ["followed", "followed", "followed", "unusual"]);
    let said = said_of(
        &desk,
        &["select", "sum.c", "new.c", "--tests", "tests.jsonl", "--format", "names"],
    );
    assert_eq!(said.out, "check.sh 2\ncheck.sh 1\ncheck.sh 4\n");
}

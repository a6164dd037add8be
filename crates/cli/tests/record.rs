//! `ripple record` through the command line: a shell test suite of a small program, replays on the
//! machine, errors, and what becomes of the tests.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use testkit::desk::{Desk, said as output_of, wait_until};
use testkit::{is_installed, skip};

const TALLY: &str = include_str!("record/tally.c");

/// A desk with the program and its test suite; skips if the tools for it are missing.
fn project() -> Option<Desk> {
    if !["cc", "make", "clang"].into_iter().all(is_installed) {
        skip("cc, make and clang are needed to record a test suite");
        return None;
    }
    let desk = Desk::of(
        &["record"],
        &[
            ("tally.c", TALLY),
            ("Makefile", include_str!("record/Makefile")),
            ("tests/basic.sh", include_str!("record/basic.sh")),
            ("tests/files.sh", include_str!("record/files.sh")),
            ("tests/settings.sh", include_str!("record/settings.sh")),
            ("tests/errors.sh", include_str!("record/errors.sh")),
            ("tests/parallel.sh", include_str!("record/parallel.sh")),
            ("tests/data/one", "1\n2\n3\n"),
            ("tests/data/two", "100\n200\n"),
            ("tests/data/text", "no number\n"),
        ],
    );
    let built =
        output_of(Command::new("make").arg("-s").current_dir(desk.path()).stdin(Stdio::null()));
    assert_eq!(built.code, 0, "{}", built.err);
    Some(desk)
}

fn tests(desk: &Desk, file: &str) -> Vec<Value> {
    desk.read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The test of that name.
fn named<'a>(tests: &'a [Value], name: &str) -> &'a Value {
    tests.iter().find(|test| test["name"] == name).unwrap_or_else(|| panic!("no test {name}"))
}

#[test]
fn a_test_suite_is_recorded_and_replays_on_the_machine() {
    let Some(desk) = project() else { return };
    let json = desk.report(&["tally.c", "--program", "tally", "--", "make", "-s", "check"], 0);
    let (recorded, replayed) = (&json["recorded"], &json["replayed"]);
    assert_eq!(recorded["left_out"], serde_json::json!({}), "{json:#}");
    assert!(recorded["executions"].as_u64().unwrap() >= 60, "{recorded}");
    assert!(recorded["repeated"].as_u64().unwrap() >= 1, "{recorded}");
    let failed: Vec<&Value> = replayed["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|result| result["result"] != "reproducible")
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let tests = tests(&desk, "tests.jsonl");
    assert_eq!(tests.len() as u64, recorded["tests"].as_u64().unwrap());

    let first = named(&tests, "tests/basic.sh 1");
    assert_eq!(first["stdin"], "1\n2\n");
    assert_eq!(first["expect"], serde_json::json!({"status": 0, "stdout": "-: 3\n"}));
    let crash = tests.iter().find(|test| test["args"] == serde_json::json!(["-x"])).unwrap();
    assert_eq!(crash["expect"]["signal"], 6);
    assert_eq!(crash["expect"]["stderr"], "about to crash\n");
    let text = desk.read("tests.jsonl");
    assert!(!text.contains(desk.path().to_str().unwrap()), "{text}");
    assert!(!text.contains("tmp."), "{text}");
    let mode = tests.iter().filter(|test| test["env"]["TALLY_MODE"] == "count").count();
    assert_eq!(mode, 2);
    let beside = tests.iter().find(|test| test["cwd"] == "sub").unwrap();
    assert_eq!(beside["files"]["../a"], "1\n2\n3\n");
    let overwritten = tests
        .iter()
        .find(|test| test["args"] == serde_json::json!(["-o", "both", "both"]))
        .unwrap();
    assert_eq!(overwritten["files"]["both"], "1\n2\n3\n");
    assert_eq!(desk.names().iter().filter(|name| name.starts_with(".tmp")).count(), 0);
}

#[test]
fn a_parallel_run_records_the_same_tests() {
    let Some(desk) = project() else { return };
    for (out, jobs) in [("one.jsonl", "-j1"), ("other.jsonl", "-j4")] {
        let said =
            desk.run(&["--program", "tally", "--out", out, "--", "make", "-s", jobs, "check"]);
        assert_eq!(said.code, 0, "{}", said.err);
    }
    assert_eq!(desk.read("one.jsonl"), desk.read("other.jsonl"));
}

#[test]
fn the_command_runs_as_without_recording() {
    let Some(desk) = project() else { return };
    let script = "echo 4 | ./tally; ./tally missing; echo end >&2; exit 7";
    let plain = output_of(Command::new("sh").args(["-c", script]).current_dir(desk.path()));
    let said = desk.run(&["--program", "./tally", "--", "sh", "-c", script]);
    assert_eq!(said.out, plain.out);
    assert!(said.err.starts_with(&plain.err), "{}", said.err);
    let expected = format!(
        "`sh -c {script}` exited with status 7\nrecorded 2 tests of `tally` in tests.jsonl (2 executions)\n"
    );
    assert!(said.err.contains(&expected), "{}", said.err);
    assert_eq!(said.code, 0);
}

#[test]
fn tests_that_do_not_replay_have_a_reason() {
    let Some(desk) = project() else { return };
    let script = "./tally -E; ./tally tests/data/one; echo x > conf; ./tally < conf";
    let said = desk.run(&["--program", "tally", "--quiet", "--", "sh", "-c", script]);
    assert_eq!(said.code, 0, "{}", said.err);
    desk.write(&[("tally.c", &TALLY.replace("\"not a number\"", "\"no number\""))]);
    let said = desk.run(&["tally.c", "--check", "tests.jsonl"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines[0], "replayed on the machine: 1 of 3 reproducible (33.3 %)");
    assert_eq!(lines[1], "  tally 1: the exit status differs: 9 instead of 0 (it executes `echo`)");
    assert_eq!(
        lines[2],
        "  tally 3: line 1 of standard error differs: `./tally: -: no number\\n` instead of \
         `./tally: -: not a number\\n`"
    );
    let json = desk.report(&["tally.c", "--check", "tests.jsonl"], 3);
    assert_eq!(json["schema"], "ripple.record/1");
    assert_eq!(json["recorded"], Value::Null);
    let results: Vec<&str> = json["replayed"]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["result"].as_str().unwrap())
        .collect();
    assert_eq!(results, ["differs", "reproducible", "differs"]);
}

#[test]
fn recorded_tests_are_the_inputs_of_a_comparison() {
    let Some(desk) = project() else { return };
    let script = "echo 4 | ./tally; printf '1\\n2\\n' | ./tally -c; ./tally tests/data/one";
    let said = desk.run(&["--program", "tally", "--", "sh", "-c", script]);
    assert_eq!(said.code, 0, "{}", said.err);
    desk.write(&[("new.c", &TALLY.replace("lines++;", "lines += 2;"))]);
    let mut command = desk.ripple(&[
        "compare",
        "tally.c",
        "new.c",
        "--tests",
        "tests.jsonl",
        "--budget",
        "3s",
        "--format",
        "short",
    ]);
    let said = output_of(&mut command);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("[output-changed]"), "{}", said.out);
}

#[test]
fn what_cannot_be_recorded_is_explained() {
    let Some(desk) = project() else { return };
    let fails = |args: &[&str], words: &[&str]| desk.refuses(args, words);
    fails(&["--program", "tally", "--", "no-such-command"], &["`no-such-command` was not found"]);
    fails(
        &["--program", "jq", "--", "sh", "-c", "./tally </dev/null >/dev/null; true"],
        &["executed no program named `jq`; it executed: ", "tally (1)", "(1)"],
    );
    fails(&["--program", "..", "--", "true"], &["names no file"]);
    fails(&["--program", "tally", "--out", "no/dir", "--", "true"], &["cannot write no/dir"]);
    fails(&["--program", "tally", "--out", "tests", "--", "true"], &["is a directory"]);
    fails(&["tally.c", "--check", "none.jsonl"], &["cannot read none.jsonl"]);
}

#[test]
fn an_interrupted_recording_keeps_what_was_recorded_until_then() {
    let Some(desk) = project() else { return };
    let script = "echo 1 | ./tally; : > ready; sleep 30; echo 2 | ./tally";
    let mut command = desk.command(&["--program", "tally", "--", "sh", "-c", script]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let child = command.spawn().unwrap();
    for _ in 0..500 {
        if desk.path().join("ready").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // To the whole group, as the terminal does.
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-TERM", "--", &group]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{err}");
    assert!(err.contains("kept what was recorded until then"), "{err}");
    assert_eq!(tests(&desk, "tests.jsonl").len(), 1);
}

#[test]
fn a_recording_that_is_killed_leaves_the_earlier_tests() {
    let Some(desk) = project() else { return };
    let earlier = "{\"args\": [], \"stdin\": \"7\\n\"}\n";
    desk.write(&[("tests.jsonl", earlier)]);
    let script = "echo 1 | ./tally; : > ready; sleep 30; echo 2 | ./tally";
    let mut command = desk.command(&["--program", "tally", "--", "sh", "-c", script]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    assert!(wait_until(|| desk.path().join("ready").exists()));
    let before = desk.names();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(desk.read("tests.jsonl"), earlier);
    assert_eq!(desk.names(), before, "nothing half is left");
}

#[test]
fn a_program_that_forks_calls_itself_or_runs_on_is_recorded() {
    let Some(desk) = project() else { return };
    desk.write(&[(
        "self.c",
        "#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\n\
         int main(int argc, char **argv) {\n\
         if (argc > 2) { if (fork() == 0) { close(0); sleep(60); } return 0; }\n\
         if (argc > 1) { execl(argv[0], argv[0], (char *)0); return 9; }\n\
         if (fork() == 0) { write(1, \"child\\n\", 6); _exit(0); }\n\
         wait(0); write(1, \"parent\\n\", 7); return 3; }\n",
    )]);
    let cc = output_of(Command::new("cc").args(["-o", "self", "self.c"]).current_dir(desk.path()));
    assert_eq!(cc.code, 0, "{}", cc.err);
    let said =
        desk.run(&["--program", "self", "--", "sh", "-c", "./self again; ./self on now; true"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let tests = tests(&desk, "tests.jsonl");
    assert_eq!(tests.len(), 3, "{tests:#?}");
    assert_eq!(tests[0]["flaws"][0], "it executes `self`");
    assert_eq!(tests[1]["expect"]["stdout"], "child\nparent\n");
    assert_eq!(tests[1]["expect"]["status"], 3);
    assert_eq!(tests[2]["expect"]["status"], 0);
}

#[test]
fn files_that_are_too_large_are_left_out_with_the_reason() {
    let Some(desk) = project() else { return };
    let script = "seq 1 400000 > large; ./tally large; ./tally < large; echo 1 | ./tally";
    let said = desk.run(&["--program", "tally", "--", "sh", "-c", script]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("(3 executions, 2 left out)"), "{}", said.err);
    assert!(said.err.contains("left out 1: standard input is too large"), "{}", said.err);
    assert!(said.err.contains("large` is too large"), "{}", said.err);
}

#[test]
fn the_files_of_a_directory_are_tests() {
    let Some(desk) = project() else { return };
    desk.write(&[
        ("corpus/queue/id:000000,orig", "1\n2\n"),
        ("corpus/queue/id:000001,src:000000", "7\n"),
        ("corpus/fuzzer_stats", "no test"),
        ("new.c", &TALLY.replace("sum += value", "sum += value == 7 ? 8 : value")),
    ]);
    for flags in
        [&["--budget", "2s"][..], &["--file", "in=bytes:9", "--arg", "=in", "--budget", "2s"]]
    {
        let args = [&["compare", "tally.c", "new.c", "--tests", "corpus"], flags].concat();
        let said = output_of(&mut desk.ripple(&args));
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    }
    fs::create_dir(desk.path().join("empty")).unwrap();
    let said = output_of(&mut desk.ripple(&["compare", "tally.c", "new.c", "--tests", "empty"]));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("empty: there are no tests in it"), "{}", said.err);
}

//! Programs that misbehave, usage errors, and system failures.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::desk::{Desk, said, signal, wait_until};

/// A program that does something with its numeric argument.
fn program(does: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <wordexp.h>\n\
         int main(int argc, char **argv) {{\n    int n = argc > 1 ? atoi(argv[1]) : 0;\n    \
         {does}\n    printf(\"%d\\n\", n);\n    return 0;\n}}\n"
    )
}

fn pair(old: &str, new: &str) -> Desk {
    Desk::pair(&program(old), &program(new))
}

const SMALL: &[&str] = &["--arg", "int:0..9"];
const LARGE: &[&str] = &["--arg", "int", "--arg", "text:6"];

#[test]
fn a_version_that_does_not_compile_is_named() {
    let good = program(";");
    let desk = Desk::pair(&good, "int main(void) { return nothing; }\n");
    let said = desk.compare(SMALL);
    assert_eq!((said.code, said.out.as_str()), (4, ""), "{}", said.err);
    assert!(said.err.contains("NEW does not build"), "{}", said.err);
    assert!(said.err.contains("new.c:1:"), "{}", said.err);
    assert!(said.err.contains("undeclared identifier 'nothing'"), "{}", said.err);
    assert_eq!(desk.names(), ["new.c", "old.c"]);
    let said = desk.run(&["new.c", "old.c"]);
    assert_eq!(said.code, 4);
    assert!(said.err.contains("OLD does not build"), "{}", said.err);
    // Compiled, but not linked.
    desk.write(&[("new.c", "int other(void);\nint main(void) { return other(); }\n")]);
    let said = desk.compare(SMALL);
    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
    assert!(said.err.contains("NEW") && said.err.contains("other"), "{}", said.err);
}

#[test]
fn a_golden_version_that_does_not_compile_is_named() {
    let desk = pair(";", "n += n == 3;");
    desk.write(&[("golden.c", "int main(void) { return nothing; }\n")]);
    let said = desk.compare(&[SMALL, &["--golden", "golden.c"]].concat());
    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
    assert!(said.err.contains("golden"), "{}", said.err);
}

#[test]
fn an_endless_loop_in_one_version_is_a_difference() {
    let desk = pair(";", "while (n == 7) ;");
    let report = desk.report(&[&["old.c", "new.c"], SMALL].concat(), 1);
    let witness = &report["witnesses"][0];
    assert_eq!(witness["class"], "does_not_end");
    assert_eq!(witness["input"], json!({"args": ["7"]}));
    assert_eq!(witness["new"]["end"], "timeout");
    assert_eq!(
        (&witness["old"]["never_ends"], &witness["new"]["never_ends"]),
        (&json!(false), &json!(true))
    );
    let said = desk.run(&[&["new.c", "old.c"], SMALL].concat());
    assert_eq!(said.code, 1, "{}", said.out);
    said.has(&["NEW terminates where OLD did not", "OLD never ends"]);
}

#[test]
fn an_endless_loop_in_both_versions_says_nothing() {
    let desk = pair("while (n == n) ;", "while (n == n) { n = 1; }");
    let flags = ["--max-steps", "2000", "--budget", "5s"];
    let start = Instant::now();
    let said = desk.compare(&[SMALL, &flags].concat());
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&["limit: OLD and NEW: the instruction limit was reached (--max-steps)"]);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_crash_at_once_is_shown_with_its_place() {
    let desk = pair(";", "int *p = 0; n = *p;");
    let said = desk.compare(SMALL);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&[
        "difference 1 of 1: a fault appeared\n",
        "OLD exits with status 0",
        "| NEW is killed by SIGSEGV\n",
        "fault in NEW: read of 4 bytes through a null pointer\n",
        "--> new.c:7:",
        "7 |     int *p = 0; n = *p;\n",
    ]);
    let both = pair("abort();", "n = 5; abort();");
    let report = both.report(&[&["old.c", "new.c"], SMALL].concat(), 0);
    assert_eq!(report["guarantee"]["kind"], "all_inputs");
}

#[test]
fn damaged_memory_proves_nothing() {
    let desk = pair("int t[2] = {0}; t[n + 9] = 1;", "int t[2] = {0}; t[n + 9] = 2;");
    let report = desk.report(&[&["old.c", "new.c"], SMALL].concat(), 3);
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["limits"][0]["kind"], "undetermined");
}

#[test]
fn endless_output_ends() {
    let desk = pair(";", "while (n == 7) puts(\"and on\");");
    let start = Instant::now();
    let said = desk.compare(&[SMALL, &["--budget", "10s"]].concat());
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&["NEW does not terminate", "NEW never ends"]);
    let both = pair("for (;;) puts(\"and on\");", "for (;;) puts(\"and on and on\");");
    let said = both.compare(&[SMALL, &["--budget", "5s", "--max-output", "2000"]].concat());
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn what_is_not_supported_is_named_with_its_place() {
    let words = "wordexp_t words; n += wordexp(argv[1], &words, 0);";
    let desk = pair(words, &words.replace("+=", "-="));
    let report = desk.report(&[&["old.c", "new.c"], SMALL].concat(), 3);
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["limits"][0]["kind"], "unsupported");
    assert_eq!(report["limits"][0]["file"], "old.c");
    assert_eq!(report["limits"][0]["line"], 7);
    let said = desk.compare(SMALL);
    assert_eq!(said.code, 3);
    said.has(&[
        "not supported: call of wordexp at old.c:7",
        "not supported: call of wordexp at new.c:7",
    ]);
}

#[test]
fn a_program_that_does_something_else_each_time_is_no_witness() {
    let desk = pair("n = 0;", "n = getpid();");
    let report = desk.report(&[&["old.c", "new.c"], SMALL].concat(), 3);
    assert_eq!(report["witnesses"], json!([]));
    assert_eq!(report["unconfirmed"][0]["observable"], "stdout");
    let said = desk.compare(SMALL);
    said.has(&["unconfirmed: 1 difference not confirmed by the native programs (not counted)"]);
}

#[test]
fn hostile_output_does_not_reach_the_terminal() {
    let evil = "fputs(\"\\033]0;evil\\007\\033[2J\\xff\\xe2\\x80\\xae\" \"%s\\r\", stdout);";
    let desk = pair(&evil.replace("%s", "a"), &evil.replace("%s", "b"));
    for colours in [false, true] {
        let mut command = desk.command(&[&["old.c", "new.c"], SMALL].concat());
        if !colours {
            command.env("NO_COLOR", "1");
        }
        let said = said(&mut command);
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        let is_plain = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
        assert!(said.out.chars().all(is_plain), "{:?}", said.out);
        said.has(&["\\x1b]0;evil\\x07\\x1b[2J\\xff\\u{202e}a\\r"]);
    }
    assert!(desk.read("ripple.out/report.txt").chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn wrong_use_is_one_sentence() {
    let desk = pair(";", "n++;");
    desk.write(&[("tests.jsonl", "{\"args\": [}\n"), ("mine/precious.txt", "keep\n")]);
    let cases: &[(&[&str], &[&str])] = &[
        (&["--arg", "intt"], &["intt"]),
        (&["--budget", "soon"], &["`--budget soon` is not a time"]),
        (&["--budget", "0s"], &["leaves no time"]),
        (&["--max-runs", "0"], &["`--max-runs 0`"]),
        (&["--max-memory-total", "much"], &["`--max-memory-total much` is not a size", "512M"]),
        (&["--max-memory-total", "0G"], &["leaves no memory"]),
        (&["--ignore-regex", "("], &["`--ignore-regex (` is not a regular expression", "unclosed"]),
        (&["--tests", "nowhere.jsonl"], &["nowhere.jsonl"]),
        (&["--tests", "tests.jsonl"], &["tests.jsonl", "1"]),
        (&["--entry", "nothing"], &["nothing"]),
        (&["--golden", "nowhere.c"], &["nowhere.c"]),
        (&["--out", "mine"], &["mine exists and is not a result of `ripple compare`"]),
        (&["--out", "old.c/out"], &["old.c/out"]),
        (&["--out", ".."], &["`--out ..`"]),
    ];
    for (flags, words) in cases {
        desk.refuses(&[&["old.c", "new.c"], *flags].concat(), words);
    }
    desk.refuses(&["nowhere.c", "new.c"], &["nowhere.c"]);
    for flags in [&["--observe", "smell"][..], &["--strategy", "luck"], &["--first", "--thorough"]]
    {
        assert_eq!(desk.compare(flags).code, 2, "{flags:?}");
    }
    assert_eq!(desk.read("mine/precious.txt"), "keep\n");
}

#[test]
fn a_memory_bound_ends_a_search_that_proves_nothing() {
    let desk = pair(";", "n = n + 1 - 1;");
    for space in [SMALL, LARGE] {
        let said = desk.compare(&[space, &["--max-memory-total", "1M"]].concat());
        assert_eq!(said.code, 3, "{}{}", said.out, said.err);
        said.has(&["the memory bound (--max-memory-total) was reached"]);
    }
}

#[test]
fn tests_that_cannot_be_read_are_refused() {
    let desk = pair(";", "n++;");
    desk.write(&[("tests.jsonl", "{\"args\": [\"1\"]}\n")]);
    let path = desk.path().join("tests.jsonl");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is unreadable for root.
    if fs::read(&path).is_err() {
        desk.refuses(&["old.c", "new.c", "--tests", "tests.jsonl"], &["tests.jsonl"]);
    }
    fs::create_dir(desk.path().join("empty")).unwrap();
    desk.refuses(&["old.c", "new.c", "--tests", "empty"], &["empty", "no tests"]);
}

#[test]
fn the_result_before_is_kept_once() {
    let desk = pair(";", "n += n == 3;");
    for seed in ["1", "2", "3"] {
        desk.compare(&[SMALL, &["--seed", seed]].concat());
    }
    assert_eq!(desk.names(), ["new.c", "old.c", "ripple.out", "ripple.out.1"]);
    let files: Vec<String> = {
        let entries = fs::read_dir(desk.path().join("ripple.out.1")).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(
        files,
        [
            "report.html",
            "report.json",
            "report.md",
            "report.sarif",
            "report.txt",
            "state.txt",
            "tests.jsonl",
            "timing.json",
            "witness-001.sh"
        ]
    );
    let said = desk.compare(&[SMALL, &["--no-out", "--quiet"]].concat());
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    assert!(!said.out.contains("ripple.out"), "{}", said.out);
}

#[test]
fn killed_in_the_middle_the_result_before_stays_whole() {
    let desk = pair(";", "n += n == 3;");
    assert_eq!(desk.compare(SMALL).code, 1);
    let before = desk.read("ripple.out/report.json");
    desk.write(&[("new.c", &program("n += n == 1234567 && argv[2][3] == 'q' && argc > 3;"))]);
    let mut command = desk.command(&[&["old.c", "new.c", "--budget", "60s"], LARGE].concat());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    signal(&child, "KILL");
    child.wait().unwrap();
    assert_eq!(desk.read("ripple.out/report.json"), before);
    assert_eq!(desk.names(), ["new.c", "old.c", "ripple.out"]);
}

#[test]
fn whenever_it_is_killed_the_directory_is_whole() {
    let desk = pair(";", "n += n == 3;");
    assert_eq!(desk.compare(SMALL).code, 1);
    for delay in [40, 80, 120, 160, 200, 300, 400] {
        let mut command = desk.command(&[&["old.c", "new.c"], SMALL].concat());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        signal(&child, "KILL");
        child.wait().unwrap();
        let report: Value = serde_json::from_str(&desk.read("ripple.out/report.json")).unwrap();
        assert_eq!(report["witnesses"][0]["script"], "witness-001.sh");
        assert!(desk.read("ripple.out/witness-001.sh").ends_with("echo \"no difference\"\n"));
        assert_eq!(desk.read("ripple.out/tests.jsonl").lines().count(), 1);
    }
}

#[test]
fn an_interrupt_gives_what_there_is() {
    let desk = pair(";", "n += n == 3;");
    let flags = ["--thorough", "--budget", "60s", "--arg", "int"];
    let mut command = desk.command(&[&["old.c", "new.c"], &flags[..]].concat());
    // A search that does not look at the clock ends once long nothing new came.
    command.env_remove("RIPPLE_DETERMINISTIC");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(4000));
    signal(&child, "INT");
    let start = Instant::now();
    assert!(wait_until(|| child.try_wait().unwrap().is_some()));
    assert!(start.elapsed() < Duration::from_secs(20));
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("limit: the search was interrupted"), "{out}");
    assert!(desk.read("ripple.out/report.json").contains("\"interrupted\""));
}

#[test]
fn a_full_disk_is_one_sentence() {
    let desk = pair(";", "n += n == 3;");
    fs::create_dir(desk.path().join("full")).unwrap();
    let filled = "mount -t tmpfs -o size=64k none full && cat /dev/zero >full/zeros 2>/dev/null; \
         test -s full/zeros || exit 99; \"$@\"";
    let ripple = desk.command(&[&["old.c", "new.c", "--out", "full/out"], SMALL].concat());
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", filled, "sh"]);
    command.arg(ripple.get_program()).args(ripple.get_args()).current_dir(desk.path());
    command.envs(ripple.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let Ok(output) = command.output() else { return testkit::leave_out("there is no unshare") };
    let err = String::from_utf8_lossy(&output.stderr);
    // If users may not mount anything, there is nothing to test.
    if output.status.code() == Some(99) || err.contains("unshare:") || err.contains("mount:") {
        return testkit::leave_out("users may not mount anything here");
    }
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(
        err.contains("cannot write full/out; --no-out writes no files: No space left"),
        "{err}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("different: "));
}

//! Runs that take long, never end, deviate from the native ones, or are useless because they end
//! before the change.

use serde_json::{Value, json};

use crate::desk::Desk;

/// A function that counts down before it returns its result.
fn counting(counts: &str, gives: &str) -> String {
    format!("int f(int a, int n) {{\n    long rounds = 0;\n    {counts}\n    return {gives};\n}}\n")
}

const COUNTDOWN: &str = "while (n > a) { n--; rounds++; }";
/// A few tenths of a second natively, but beyond the bound of the machine.
const FAR: &[&str] =
    &["--entry", "f", "--param", "a=int:0..1", "--param", "n=int:150000000..150000001"];

#[test]
fn slow_is_not_endless() {
    let desk = Desk::pair(&counting(";", "a"), &counting(COUNTDOWN, "a"));
    for (versions, slow) in [(["old.c", "new.c"], "new"), (["new.c", "old.c"], "old")] {
        let report = desk.report(&[&versions, FAR, &["--budget", "30s"]].concat(), 3);
        assert_eq!(
            (&report["verdict"], &report["witnesses"]),
            (&json!("inconclusive"), &json!([]))
        );
        let slower = &report["slower"][0];
        assert_eq!((&slower["version"], &slower["natively"]), (&json!(slow), &json!("same")));
        let steps = |of: &str| slower[format!("{of}_steps")].as_u64().unwrap();
        assert!(steps(slow) > 5_000_000 && steps("old").min(steps("new")) < 100, "{slower}");
    }
    let said = desk.compare(&[FAR, &["--budget", "30s"]].concat());
    said.has(&[
        "much slower: NEW does not finish within 5,000,0",
        "natively both terminate and behave the same",
    ]);
    assert!(!said.out.contains("does not end"), "{}", said.out);
}

#[test]
fn what_differs_after_a_long_time_is_an_ordinary_difference() {
    let desk =
        Desk::pair(&counting(";", "a"), &counting(COUNTDOWN, "rounds > 100000000 ? a + 1 : a"));
    let report = desk.report(&[&["old.c", "new.c"], FAR, &["--budget", "30s"]].concat(), 1);
    let witness = &report["witnesses"][0];
    assert_eq!(
        (&witness["class"], &witness["observable"]),
        (&json!("output_changed"), &json!("result"))
    );
    // The machine has not seen its end.
    assert_eq!((&witness["why"], &witness["condition"]), (&json!([]), &Value::Null));
    assert_eq!(witness["unlike_machine"][0], json!({"version": "new", "observable": "exit"}));
}

#[test]
fn what_differs_after_a_long_time_differs_in_the_programs_as_they_are_written() {
    let version = |above: &str, counts: &str, gives: &str| {
        format!(
            "{above}int f(int a, int n) {{\n    long rounds = 0;\n    int line = __LINE__;\n    \
             {counts}\n    return {gives};\n}}\n"
        )
    };
    let old = version("", ";", "a + line");
    let above = "/* Counts. */\n";
    // With the positions of OLD it is one less, and with its own the same.
    let desk = Desk::pair(&old, &version(above, COUNTDOWN, "a + line - 1"));
    let flags = [&["old.c", "new.c"], FAR, &["--budget", "30s"]].concat();
    let report = desk.report(&flags, 3);
    assert_eq!(
        (&report["witnesses"], &report["slower"][0]["natively"]),
        (&json!([]), &json!("same"))
    );
    // The output of NEW has its own positions.
    desk.write(&[("new.c", &version(above, COUNTDOWN, "line + 1"))]);
    let report = desk.report(&flags, 1);
    let result = report["witnesses"][0]["new"]["result"].as_str().unwrap();
    assert!(result.contains("00000005"), "{result}");
}

#[test]
fn what_cannot_be_proved_endless_is_not_known() {
    let endless = "if (n == 7) for (unsigned long i = 1; i != 0; i += 2) ;";
    let desk = Desk::pair(&counting(";", "a"), &counting(endless, "a"));
    let flags = ["--entry", "f", "--param", "a=int:0..1", "--param", "n=int:0..9"];
    let report = desk.report(&[&["old.c", "new.c"], &flags[..], &["--budget", "4s"]].concat(), 3);
    assert_eq!((&report["verdict"], &report["witnesses"]), (&json!("inconclusive"), &json!([])));
    assert_eq!(report["slower"][0]["natively"], "unfinished");
    // A counter beside an endless loop does not hide it.
    let idle = "if (n == 7) while (a >= 0) rounds++;";
    desk.write(&[("new.c", &counting(idle, "a"))]);
    let report = desk.report(&[&["old.c", "new.c"], &flags[..], &["--budget", "20s"]].concat(), 1);
    assert_eq!(report["witnesses"][0]["class"], "does_not_end");
    assert_eq!(report["witnesses"][0]["new"]["never_ends"], true);
}

#[test]
fn a_version_that_only_sleeps_does_end() {
    let sleeping = "#include <unistd.h>\nint f(int a) {\n    if (a == 3) sleep(6);\n    return a == 3 ? 4 : a;\n}\n";
    let desk = Desk::pair("int f(int a) {\n    return a;\n}\n", sleeping);
    let flags = ["--entry", "f", "--param", "a=int:0..5", "--budget", "20s"];
    let report = desk.report(&[&["old.c", "new.c"], &flags[..]].concat(), 3);
    // The machine does not sleep, and nobody waits for native programs; that says nothing.
    assert_eq!(
        (&report["witnesses"], report["unconfirmed"].as_array().unwrap().len()),
        (&json!([]), 1)
    );
}

/// A program that warns, on a stream, if it cannot read a file that only real systems have.
fn warning(stream: &str, warns: &str, prints: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n    \
         int n = argc > 1 ? atoi(argv[1]) : 0;\n    FILE *maps = fopen(\"/proc/self/maps\", \"r\");\n    \
         if (!maps)\n        fprintf({stream}, \"{warns}\\n\");\n    \
         printf(\"%d\\n\", {prints});\n    return 0;\n}}\n"
    )
}

/// A report with a difference that only the machine shows, and with a slow input.
pub fn unlike_and_slower() -> Value {
    let new = warning("stderr", "cannot read the maps", "n > 5 ? n + 1 : n");
    let slow =
        "    volatile long left = n == 9 ? 1L << 62 : 0;\n    while (left) left--;\n    return 0;";
    let desk = Desk::pair(&warning("stderr", "no maps", "n"), &new.replace("    return 0;", slow));
    desk.report(&["old.c", "new.c", "--arg", "int:0..9", "--budget", "20s"], 1)
}

#[test]
fn what_only_the_machine_shows_is_not_the_explanation() {
    let report = unlike_and_slower();
    let witness = &report["witnesses"][0];
    assert_eq!(witness["observable"], "stdout");
    let unlike = |version: &str| json!({"version": version, "observable": "stderr"});
    assert_eq!(witness["unlike_machine"], json!([unlike("old"), unlike("new")]));
    assert_eq!(witness["condition"], Value::Null);
    let why = witness["why"].as_array().unwrap();
    assert!(
        !why.is_empty() && !why.iter().any(|step| step.to_string().contains("maps")),
        "{why:?}"
    );
    assert_eq!(why.last().unwrap()["new_value"], "\"7\\n\"");
}

#[test]
fn what_is_not_replayed_is_not_explained() {
    let desk = Desk::pair(
        &warning("stdout", "no maps", "n"),
        &warning("stdout", "cannot read the maps", "n > 5 ? n + 1 : n"),
    );
    let flags = ["--arg", "int:0..9", "--budget", "20s"];
    let report = desk.report(&[&["old.c", "new.c"], &flags[..]].concat(), 1);
    let witness = &report["witnesses"][0];
    assert_eq!((&witness["why"], &witness["condition"]), (&json!([]), &Value::Null));
    assert_eq!(witness["unlike_machine"][0], json!({"version": "old", "observable": "stdout"}));
    let note = "the machine's run differs from the native run of OLD (standard output) and of NEW \
                (standard output); executed statements are those of the machine's run, and no \
                explanation is given";
    assert!(desk.read("ripple.out/report.txt").contains(note));
    assert!(desk.read("ripple.out/report.html").contains("no explanation is given"));
    let said = desk.compare(&[&flags[..], &["--format", "markdown"]].concat());
    said.has(&["no explanation is given"]);
}

#[test]
fn inputs_that_all_end_before_the_change_are_not_valid() {
    // The text must be preceded by its length.
    let version = |more: &str| {
        format!(
            "struct header {{ unsigned long length; }};\n\
             static int length(const char *s) {{\n    return ((const struct header *)s)[-1].length;\n}}\n\
             int f(const char *s) {{\n    int n = length(s);\n    return n + {more};\n}}\n"
        )
    };
    let desk = Desk::pair(&version("1"), &version("2"));
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--max-runs", "2000"], 3);
    let is_invalid = |limit: &&Value| limit["kind"] == "invalid_inputs";
    let limit = report["limits"].as_array().unwrap().iter().find(is_invalid).unwrap();
    assert_eq!((&limit["file"], &limit["line"]), (&json!("new.c"), &json!(3)));
    let said = desk.compare(&["--entry", "f", "--max-runs", "2000"]);
    said.has(&[
        "inconclusive: the inputs are not valid: f of old.c and f of new.c end in a fault before \
         they reach the change (read of 8 bytes at offset -8, out of bounds of",
        "at new.c:3), on all ",
        "help: declare the parameters (--param NAME=...), or write a driver",
    ]);
    assert!(!said.out.contains("behave the same"), "{}", said.out);
    // Nor are they equal if all of them were run.
    let aborts = |more: &str| {
        format!(
            "#include <stdlib.h>\nint main(int c, char **v) {{\n    if (c < 9) abort();\n    return c + {more};\n}}\n"
        )
    };
    let desk = Desk::pair(&aborts("1"), &aborts("2"));
    let said = desk.compare(&["--arg", "int:0..9"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&["the inputs are not valid", "--tests"]);
}

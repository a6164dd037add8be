//! Inputs that no test resembles, and hunks whose effect others hide.

use serde_json::Value;

use crate::desk::{Desk, said};

const COMMANDS: &str = "\
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[80];
    int total = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, \"subtract everything\\n\") == 0)
            total -= 7;
        else if (strncmp(line, \"multiply\", 8) == 0)
            total *= 3;
        else
            total += strlen(line);
    }
    FILE *rates = fopen(\"rates\", \"r\");
    if (!rates) {
        printf(\"no rates: %d\\n\", total);
        return 1;
    }
    int rate = fgetc(rates);
    printf(\"%d %d\\n\", total, argc > 1 ? rate : 0);
    return 0;
}
";

const TESTS: &str = r#"{"args": ["a"], "stdin": "one\ntwo\n", "files": {"rates": "x"}}
{"args": ["b"], "stdin": "three\n", "files": {"rates": "yz"}}
{"args": ["c"], "stdin": "", "files": {}}
"#;

fn differs(new: &str) -> Value {
    let desk = Desk::pair(COMMANDS, new);
    desk.write(&[("tests.jsonl", TESTS)]);
    let args = ["old.c", "new.c", "--tests", "tests.jsonl", "--no-out", "--budget", "20s"];
    let report = desk.report(&args, 1);
    report["witnesses"][0]["input"].clone()
}

#[test]
fn a_long_word_that_the_program_compares_with_is_found() {
    let input = differs(&COMMANDS.replace("total -= 7", "total -= 8"));
    let stdin = input["stdin"].as_str().unwrap();
    assert!(stdin.contains("subtract everything\n"), "{stdin:?}");
    let input = differs(&COMMANDS.replace("total *= 3", "total *= 4"));
    let stdin = input["stdin"].as_str().unwrap();
    assert!(stdin.contains("multiply"), "{stdin:?}");
}

#[test]
fn tests_with_and_without_a_file_are_both_used_and_either_may_be_needed() {
    let input = differs(&COMMANDS.replace("no rates: %d", "no rates: %x"));
    assert!(input["files"].is_null(), "{input}");
    let input = differs(&COMMANDS.replace("? rate :", "? rate + 1 :"));
    assert!(input["files"]["rates"].is_string(), "{input}");
}

#[test]
fn fewer_arguments_than_all_tests_have_and_longer_lines_than_an_array_are_tried() {
    let input = differs(&COMMANDS.replace("argc > 1 ? rate : 0", "argc > 1 ? rate : 1"));
    assert_eq!(input["args"], serde_json::json!([]), "{input}");
    // A line of 79 characters or more is read in pieces.
    let pieces = "        else\n            total += strlen(line) + 5 * (strlen(line) == 79);\n";
    let input =
        differs(&COMMANDS.replace("        else\n            total += strlen(line);\n", pieces));
    assert!(input["stdin"].as_str().unwrap().len() >= 79, "{input}");
}

#[test]
fn a_proof_over_files_that_may_be_missing_covers_both() {
    let old = "#include <stdio.h>\nint main(void) {\n    FILE *file = fopen(\"f\", \"r\");\n    \
               if (!file) return 3;\n    return fgetc(file) == 'x';\n}\n";
    let tests = "{\"files\": {\"f\": \"a\"}}\n{\"files\": {}}\n";
    let flags = ["--tests", "tests.jsonl", "--no-out"];
    let desk = Desk::pair(old, &old.replace("if (!file) return 3", "if (file == 0) return 3"));
    desk.write(&[("tests.jsonl", tests)]);
    let verify = [&["verify", "old.c", "new.c"], &flags[..]].concat();
    let said_of = |desk: &Desk| said(&mut desk.ripple(&verify));
    let said = said_of(&desk);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    for (from, to) in [("return 3", "return 4"), ("== 'x'", "== 'y'")] {
        let desk = Desk::pair(old, &old.replace(from, to));
        desk.write(&[("tests.jsonl", tests)]);
        let said = said_of(&desk);
        assert_eq!(said.code, 1, "{from}: {}{}", said.out, said.err);
        let said = desk.compare(&flags);
        assert_eq!(said.code, 1, "{from}: {}{}", said.out, said.err);
    }
}

/// Every run executes all hunks, and one of them hides another.
const SUM: &str = "\
#include <stdio.h>
#include <stdlib.h>
static int fee(int x) {
    if (x > 100)
        return 3;
    return 0;
}

static int rate(int x) {
    return x * 2;
}

static int reduced(int x) {
    if (x < -50)
        return -50;
    return x;
}

int main(int argc, char **argv) {
    int x = argc > 1 ? atoi(argv[1]) : 0;
    printf(\"%d\\n\", fee(x) + rate(reduced(x)));
    return 0;
}
";

#[test]
fn each_hunk_is_shown_by_a_difference_of_its_own() {
    let new = SUM.replace("x > 100", "x > 10").replace("x < -50", "x <= -50 - 5");
    let new = new.replace("return x * 2;", "return x == -20 ? 1 : x * 2;");
    let desk = Desk::pair(SUM, &new);
    let report = desk.report(&["old.c", "new.c", "--arg", "int", "--no-out"], 1);
    for hunk in report["hunks"].as_array().unwrap() {
        assert_eq!(hunk["status"], "shown", "{hunk}");
    }
}

/// The third hunk has no effect together with the second one.
fn hiding() -> Desk {
    let new = SUM.replace("return -50;", "return -51;").replace("x > 100", "x > 99");
    let new = new.replace("return x * 2;", "return x <= -50 ? -100 : x * 2;");
    Desk::pair(SUM, &new)
}

const HIDING: [&str; 5] = ["old.c", "new.c", "--arg", "int", "--no-out"];

/// The report of a comparison in which a hunk hides another.
pub fn hidden_report() -> Value {
    hiding().report(&HIDING, 1)
}

#[test]
fn a_hunk_whose_effect_another_hides_is_told_apart() {
    let report = hidden_report();
    let hunks = report["hunks"].as_array().unwrap();
    let status: Vec<&str> = hunks.iter().map(|hunk| hunk["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["shown", "reached", "hidden"]);
    assert_eq!(report["hidden"][0]["hunk"], 3);
    let said = hiding().compare(&HIDING[2..]);
    said.has(&["hidden: hunk 3 alone makes a difference, which other hunks hide: ./new -5"]);
}

#[test]
fn hard_questions_are_asked_once_the_easy_ones_are_answered() {
    let old = "double twice(double x) {\n    return x * 2.0;\n}\n";
    let desk = Desk::pair(old, &old.replace("* 2.0", "+ x"));
    let args = ["old.c", "new.c", "--entry", "twice", "--no-out", "--budget", "120s"];
    assert_eq!(desk.report(&args, 0)["verdict"], "equal");
}

#[test]
fn a_division_by_two_is_a_product_without_any_question_to_a_solver() {
    let old = "double half(double x) {\n    return x * 0.5;\n}\n";
    let desk = Desk::pair(old, &old.replace("* 0.5", "/ 2.0"));
    let report = desk.report(&["old.c", "new.c", "--entry", "half", "--no-out"], 0);
    assert_eq!(report["verdict"], "equal");
    assert_eq!(report["effort"]["total"]["solver_calls"], 0);
}

//! Undefined behaviour that only one version has, and bit-fields, which have none.

use crate::desk::{Desk, said};

const SHIFT: &str = "\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int x = argc > 1 ? atoi(argv[1]) : 0;
    printf(\"%d\\n\", (x << 35) & 0);
    return 0;
}
";

/// The sum wraps around in one version and overflows in the other; the result is the same.
const WRAPS: &str = "\
int middle(int low, int high) { return (int)(((unsigned)low + (unsigned)high) / 2); }
";
const OVERFLOWS: &str = "\
int middle(int low, int high) { return (int)((unsigned)(low + high) / 2); }
";
const MIDDLE: &[&str] = &["--entry", "middle", "--max-runs", "20000"];

#[test]
fn a_repaired_shift_is_a_difference_although_every_input_shows_the_same() {
    let desk = Desk::pair(SHIFT, &SHIFT.replace("35", "3"));
    let flags = ["old.c", "new.c", "--arg", "int:-20..20"];
    let report = desk.report(&flags, 1);
    assert_eq!(report["verdict"], "different");
    assert!(report["observe"].as_array().unwrap().contains(&"ub".into()));
    let witness = &report["witnesses"][0];
    assert_eq!(witness["class"], "undefined_behaviour_disappeared");
    assert_eq!(witness["observable"], "ub");
    assert_eq!(witness["undefined"]["kind"], "shift");
    assert_eq!(witness["undefined"]["version"], "old");
    assert_eq!(witness["undefined"]["place"]["line"], 5);
    let complaint = witness["undefined_behaviour"].as_str().unwrap();
    assert!(complaint.contains("shift exponent 35"), "{complaint}");
    // The script builds with sanitizers, which detect it.
    assert_eq!(desk.script("witness-001.sh").code, 1);
    let unobserved = desk.run(&[&flags[..], &["--observe", "stdout,exit"]].concat());
    assert_eq!(unobserved.code, 0, "{}", unobserved.out);
    assert!(unobserved.out.contains("on all 41 inputs"), "{}", unobserved.out);
}

#[test]
fn a_repaired_overflow_is_told_with_its_place_and_condition() {
    let desk = Desk::pair(OVERFLOWS, WRAPS);
    let said = desk.compare(MIDDLE);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&[
        "behave the same on the inputs tried, but differ in undefined behaviour in 1 way",
        "difference 1 of 1: undefined behaviour disappeared",
        "when: low + high does not fit 32 bits",
        "an undefined operation in OLD only (signed integer overflow, at old.c:1)",
        "a sanitizer build reports: OLD: UndefinedBehaviorSanitizer: signed integer overflow",
    ]);
}

#[test]
fn an_introduced_overflow_has_a_rule_of_its_own() {
    let desk = Desk::pair(WRAPS, OVERFLOWS);
    let said = desk.run(&[&["old.c", "new.c", "--format", "sarif"], MIDDLE].concat());
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let log: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "undefined-behaviour-appeared");
    let message = result["message"]["text"].as_str().unwrap();
    assert!(message.contains("in NEW only (signed integer overflow, at new.c:1)"), "{message}");
    let markdown = desk.run(&[&["old.c", "new.c", "--format", "markdown"], MIDDLE].concat());
    markdown.has(&["undefined behaviour appeared", "A sanitizer build reports"]);
}

#[test]
fn arithmetic_that_is_undefined_on_the_same_inputs_is_proved_equal() {
    let old = "int sum(int a, int b) { return a + b + 1; }\n";
    let new = "int sum(int a, int b) { int both = a + b; return both + 1; }\n";
    let desk = Desk::pair(old, new);
    let report = desk.report(&["old.c", "new.c", "--entry", "sum"], 0);
    assert_eq!(report["guarantee"]["kind"], "proved");
    // The sum in another order overflows on other inputs.
    let desk = Desk::pair(old, "int sum(int a, int b) { return a + 1 + b; }\n");
    let report = desk.report(&["old.c", "new.c", "--entry", "sum", "--max-runs", "20000"], 1);
    let class = report["witnesses"][0]["class"].as_str().unwrap();
    assert!(class.starts_with("undefined_behaviour_"), "{class}");
}

/// The steps of the first witness of a difference in undefined behaviour: subject, line, whether it
/// is changed, and how it leads to the next.
fn chain(old: &str, new: &str) -> Vec<(String, u64, bool, String)> {
    let desk = Desk::pair(old, new);
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--max-runs", "20000"], 1);
    let witness = &report["witnesses"][0];
    let class = witness["class"].as_str().unwrap();
    assert!(class.starts_with("undefined_behaviour_"), "{class}");
    assert_eq!(witness["why_complete"], true, "{witness}");
    let steps = witness["why"].as_array().unwrap().iter();
    let told = steps.map(|step| {
        let side = if step["new"].is_null() { &step["old"] } else { &step["new"] };
        let text = |member: &str| step[member].as_str().unwrap_or("").to_owned();
        (text("what"), side["line"].as_u64().unwrap(), step["changed"] == true, text("via"))
    });
    told.collect()
}

#[test]
fn why_an_operation_is_undefined_is_told_from_the_change_to_the_operation() {
    let step = |what: &str, line: u64, changed: bool, via: &str| {
        (what.to_owned(), line, changed, via.to_owned())
    };
    // A value that another one made too large.
    let by_data = "int f(int x) {\n    int n = x & 15;\n    int y = n + 1;\n    \
                   return (1 << y) & 0;\n}\n";
    let found = chain(by_data, &by_data.replace("15", "63"));
    assert_eq!(found.first(), Some(&step("variable", 2, true, "data")), "{found:?}");
    assert_eq!(found.last(), Some(&step("undefined", 4, false, "")), "{found:?}");
    // A removed guard.
    let guarded = "int f(int x) {\n    if (x < 0 || x > 31)\n        return 0;\n    \
                   return (1 << x) & 0;\n}\n";
    let found = chain(guarded, &guarded.replace("x > 31", "x > 40"));
    assert!(found[0].2, "{found:?}");
    assert_eq!(found.last(), Some(&step("undefined", 4, false, "")), "{found:?}");
    let unguarded = guarded.replace("    if (x < 0 || x > 31)\n        return 0;\n", "");
    let found = chain(guarded, &unguarded);
    assert!(found[0].2, "{found:?}");
    assert_eq!(found.last().unwrap().0, "undefined", "{found:?}");
    // The operation itself.
    let found = chain(&WRAPS.replace("middle", "f"), &OVERFLOWS.replace("middle", "f"));
    assert_eq!(found, [step("undefined", 1, true, "")]);
}

#[test]
fn what_users_see_comes_before_undefined_behaviour() {
    let old = "\
int f(int x) {
    int y = x + 1;
    return x == 77 ? 1 : y > 0;
}
";
    let new = "\
int f(int x) {
    unsigned y = x + 1u;
    return x == 77 ? 2 : (int)y > 0;
}
";
    let desk = Desk::pair(old, new);
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--budget", "20s"], 1);
    let witnesses = report["witnesses"].as_array().unwrap();
    let classes: Vec<&str> = witnesses.iter().map(|w| w["class"].as_str().unwrap()).collect();
    assert_eq!(classes, ["output_changed", "undefined_behaviour_disappeared"]);
}

#[test]
fn bit_fields_rest_on_nothing_undefined_and_are_proved() {
    let old = "\
#include <stdlib.h>
struct flags { unsigned kind : 3; int level : 5; unsigned on : 1; };
int f(int kind, int level) {
    struct flags *flags = malloc(sizeof *flags);
    flags->kind = kind;
    flags->level = level;
    flags->on = 1;
    int result = flags->kind * 100 + flags->level;
    free(flags);
    return result;
}
";
    let desk = Desk::pair(old, &old.replace("kind * 100", "kind * 99"));
    let flags = ["old.c", "new.c", "--entry", "f", "--strategy", "partitions"];
    let report = desk.report(&flags, 1);
    let witness = &report["witnesses"][0];
    assert_eq!(witness["class"], "output_changed");
    assert_eq!(witness["undefined_behaviour"], serde_json::Value::Null);
    assert_eq!(report["partitions"]["counts"]["unknown"], 0, "{}", report["partitions"]);
    desk.write(&[("new.c", &old.replace("kind * 100", "kind * 50 * 2"))]);
    let verified = said(&mut desk.ripple(&["verify", "old.c", "new.c", "--entry", "f"]));
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
}

#[test]
fn proofs_observe_undefined_behaviour_only_if_they_are_told_to() {
    let desk = Desk::pair(OVERFLOWS, WRAPS);
    let flags = ["verify", "old.c", "new.c", "--entry", "middle", "--format", "json"];
    let verified = said(&mut desk.ripple(&flags));
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("\"defined_arithmetic\""), "{}", verified.out);
    let observed = said(&mut desk.ripple(&[&flags[..], &["--observe", "result,ub"]].concat()));
    assert_eq!(observed.code, 1, "{}{}", observed.out, observed.err);
    assert!(observed.out.contains("signed integer overflow"), "{}", observed.out);
}

//! Versions of all kinds, and the verdicts about them.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::desk::{Desk, said};

/// The price of a parcel; NEW forgets that the boundary belongs to the lower class.
const PRICE: &str = "\
#include <stdio.h>
#include <stdlib.h>
int price(int grams) {
    int cents = 100;
    if (grams > 50)
        cents = 200;
    return cents;
}
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int grams = atoi(argv[1]);
    printf(\"%d g\\n\", grams);
    printf(\"%d cents\\n\", price(grams));
    return 0;
}
";
const GRAMS: &[&str] = &["--arg", "int:0..1000"];

fn changed() -> String {
    PRICE.replace("grams > 50", "grams >= 50")
}

#[test]
fn versions_that_only_look_different_are_equal_at_once() {
    let new = PRICE.replace("cents", "money").replace("int main", "/* Begins here. */\nint main");
    let new = new.replace("%d money", "%d cents");
    let desk = Desk::pair(PRICE, &new);
    let said = desk.compare(&[]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(
        said.out.starts_with("equal: nothing changed that affects how old.c and new.c behave"),
        "{}",
        said.out
    );
    said.has(&["only the text differs in price", "effort: nothing was run"]);
    assert_eq!(said.err, "wrote ripple.out\n");
    let report = desk.report(&["old.c", "new.c"], 0);
    assert_eq!(report["verdict"], "equal");
    assert_eq!(
        report["guarantee"],
        json!({"kind": "no_change", "inputs": null, "partitions": null, "assumes": ["compiler"]})
    );
    assert_eq!(desk.read("ripple.out/tests.jsonl"), "");
}

#[test]
fn a_difference_is_shown_side_by_side() {
    let desk = Desk::pair(PRICE, &changed());
    let said = desk.compare(GRAMS);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.starts_with("different: old.c and new.c differ in 1 way"), "{}", said.out);
    said.has(&[
        "difference 1 of 1: the output changed\n  ./new 50\n",
        "  50 g                                            | 50 g\n",
        "  100 cents                                       | 200 cents\n  ^",
        "- old.c:5: if (grams > 50)\n",
        "+ new.c:5: if (grams >= 50)\n",
        "  reproduce: sh ripple.out/witness-001.sh\n",
        "changes: 1 changed statement in price\n",
    ]);
    assert!(!said.out.contains('\x1b'), "{}", said.out);
}

#[test]
fn the_script_of_a_witness_builds_both_versions_and_shows_the_difference() {
    let desk = Desk::pair(PRICE, &changed());
    desk.compare(GRAMS);
    assert_eq!(desk.read("ripple.out/tests.jsonl"), "{\"args\": [\"50\"]}\n");
    let said = desk.script("witness-001.sh");
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    said.has(&["\n-100 cents\n+200 cents\n"]);
    // The tests distinguish the versions, too, and without atoms they declare what varies.
    let again = desk.report(&["old.c", "new.c", "--tests", "ripple.out/tests.jsonl"], 1);
    assert_eq!(again["witnesses"][0]["found_by"], "tests");
    // Once NEW is repaired, there is no difference.
    desk.write(&[("new.c", PRICE)]);
    let said = desk.script("witness-001.sh");
    assert_eq!((said.code, said.out.as_str()), (0, "no difference\n"), "{}", said.err);
    fs::remove_file(desk.path().join("old.c")).unwrap();
    let said = desk.script("witness-001.sh");
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.err.ends_with("OLD does not build\n"), "{}", said.err);
}

#[test]
fn the_chain_from_the_change_to_the_output_is_told() {
    let desk = Desk::pair(PRICE, &changed());
    let report = desk.report(&[&["old.c", "new.c"], GRAMS].concat(), 1);
    let witness = &report["witnesses"][0];
    let what = |step: &serde_json::Value| (step["what"].clone(), step["new"]["line"].clone());
    let steps: Vec<_> = witness["why"].as_array().unwrap().iter().map(what).collect();
    assert_eq!(steps.first(), Some(&(json!("condition"), json!(5))));
    assert_eq!(steps.last(), Some(&(json!("output"), json!(13))));
    assert_eq!(witness["why_complete"], true);
    assert_eq!(witness["infected"]["old_value"], "false");
    assert_eq!(witness["infected"]["new_value"], "true");
    assert_eq!(witness["changes"][0]["new"], json!({"file": "new.c", "first": 5, "count": 1}));
    let said = desk.compare(GRAMS);
    said.has(&[
        "why (OLD | NEW; * is changed):\n  * new.c:5: condition: false | true\n",
        "to blame: new.c:5 (",
    ]);
}

#[test]
fn partitions_prove_equality_in_a_large_space() {
    let new = PRICE.replace("grams > 50", "50 < grams && grams != 50");
    let desk = Desk::pair(PRICE, &new);
    let report = desk.report(&["old.c", "new.c", "--arg", "int"], 0);
    assert_eq!(report["verdict"], "equal");
    assert_eq!(report["guarantee"]["kind"], "proved");
    let partitions = &report["guarantee"]["partitions"];
    assert!(partitions["equal"].as_u64() > Some(0), "{partitions}");
    assert_eq!([&partitions["different"], &partitions["unknown"], &partitions["left"]], [0, 0, 0]);
}

#[test]
fn all_inputs_of_a_small_space_prove_equality() {
    let new = PRICE.replace("grams > 50", "50 < grams && grams != 50");
    let desk = Desk::pair(PRICE, &new);
    let report = desk.report(&[&["old.c", "new.c"], GRAMS].concat(), 0);
    let assumes = ["compiler", "machine", "environment"];
    let guarantee =
        json!({"kind": "all_inputs", "inputs": 1001, "partitions": null, "assumes": assumes});
    assert_eq!(report["guarantee"], guarantee);
    assert_eq!(report["space"]["size"], "1001");
}

#[test]
fn nothing_found_in_a_large_space_is_inconclusive_and_says_what_may_help() {
    let new =
        PRICE.replace("cents = 200", "cents = (unsigned)grams * 2654435761u == 12345u ? 300 : 200");
    let desk = Desk::pair(PRICE, &new);
    let flags = ["--arg", "int", "--strategy", "random", "--max-runs", "500"];
    let said = desk.compare(&flags);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&[
        "inconclusive: no difference found between old.c and new.c in 5",
        "inputs (not a proof)",
        "limit: the run budget ran out",
        "help: raise the budget",
        "help: use all strategies",
    ]);
}

#[test]
fn a_golden_version_tells_regressions_from_progress() {
    let desk = Desk::pair(PRICE, &changed());
    let wrong = PRICE.replace("cents = 200", "cents = 250");
    desk.write(&[("right.c", PRICE), ("other.c", &wrong)]);
    let judged = |old: &str, new: &str, golden: &str| {
        let flags = ["--golden", golden, "--arg", "int:50..50"];
        let report = desk.report(&[&[old, new], &flags[..]].concat(), 1);
        report["witnesses"][0]["golden"]["judgement"].clone()
    };
    assert_eq!(judged("old.c", "new.c", "right.c"), "regression");
    assert_eq!(judged("new.c", "old.c", "right.c"), "progression");
    let flags = ["--golden", "right.c", "--arg", "int:51..60"];
    let report = desk.report(&[&["other.c", "new.c"], &flags[..]].concat(), 1);
    assert_eq!(report["witnesses"][0]["golden"]["judgement"], "progression");
    let third = PRICE.replace("cents = 200", "cents = 300");
    desk.write(&[("third.c", &third)]);
    let said = desk.run(&["other.c", "third.c", "--golden", "right.c", "--arg", "int:51..60"]);
    said.has(&["differential error: neither behaves like the golden version"]);
}

#[test]
fn directories_are_programs_of_several_files() {
    let main = "#include <stdio.h>\n#include <stdlib.h>\n#include \"limit.h\"\nint over(int);\n\
        int main(int c, char **v) { return c > 1 && printf(\"%d\\n\", over(atoi(v[1]))) < 0; }\n";
    let over = "#include \"limit.h\"\nint over(int n) { return n > LIMIT; }\n";
    let desk = Desk::with(&[
        ("v1/main.c", main),
        ("v1/over.c", over),
        ("v1/limit.h", "#define LIMIT 7\n"),
        ("v2/main.c", main),
        ("v2/over.c", over),
        ("v2/limit.h", "#define LIMIT 8\n"),
    ]);
    let report = desk.report(&["v1", "v2", "--arg", "int:0..99"], 1);
    assert_eq!(report["witnesses"][0]["input"], json!({"args": ["8"]}));
    assert_eq!(report["old"]["files"], json!(["v1/main.c", "v1/over.c"]));
    let said = desk.script("witness-001.sh");
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    said.has(&["\n-1\n+0\n"]);
}

#[test]
fn revisions_are_versions() {
    if !testkit::is_installed("git") {
        return;
    }
    let desk = Desk::with(&[("src/price.c", PRICE)]);
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(args);
        let said = said(git.current_dir(desk.path()));
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "src"]);
    git(&["commit", "--quiet", "--message", "One"]);
    desk.write(&[("src/price.c", &changed())]);
    git(&["commit", "--quiet", "--all", "--message", "Two"]);
    let said = desk.run(&[&["HEAD~1", "HEAD"], GRAMS, &["--", "src/price.c"]].concat());
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&["different: HEAD~1 and HEAD differ", "+ src/price.c:5: if (grams >= 50)"]);
    // The script uses the commits, not what HEAD means later or what the work tree contains.
    git(&["commit", "--quiet", "--allow-empty", "--message", "Three"]);
    desk.write(&[("src/price.c", "no program\n")]);
    let said = desk.script("witness-001.sh");
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    said.has(&["\n-100 cents\n+200 cents\n"]);
    let said = desk.run(&["HEAD", "src/price.c", "--", "src/price.c"]);
    assert_eq!(said.code, 2, "{}", said.err);
}

#[test]
fn a_function_may_get_another_parameter() {
    let old = "int sum(int a, int b) { return a + b; }\n";
    let new = "int sum(int a, int b, int c) { return a + b + c + (a == 9); }\n";
    let desk = Desk::pair(old, new);
    let flags = ["--entry", "sum", "--param", "a=int:0..20", "--param", "b=int:0..5"];
    let said = desk.compare(&flags);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&[
        "different: sum of old.c and sum of new.c differ",
        "  sum(a = 9, b = 0, c = 0)\n",
        "OLD: returns ",
        "note: only NEW has c, fixed to one value\n",
    ]);
    let said = desk.script("witness-001.sh");
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    said.has(&["ripple.result", "\n+"]);
}

#[test]
fn what_counts_as_a_difference_can_be_said() {
    let old =
        "#include <stdio.h>\nint main(void) { puts(\"took 12 ms\"); puts(\"1.0\"); return 0; }\n";
    let new = old.replace("12", "13").replace("1.0", "1.0000000000000002");
    let desk = Desk::pair(old, &new.replace("return 0", "return 3"));
    let exit = |flags: &[&str], code: i32| {
        let said = desk.compare(&[&["--arg", "=x"], flags].concat());
        assert_eq!(said.code, code, "{flags:?}: {}{}", said.out, said.err);
        said
    };
    let said = exit(&[], 1);
    said.has(&["OLD exits with status 0 ", "| NEW exits with status 3\n", "took 12 ms"]);
    let said = exit(&["--observe", "exit"], 1);
    assert!(!said.out.contains("standard output:\n"), "{}", said.out);
    exit(&["--observe", "stdout,stderr", "--ignore-regex", "[0-9]+ ms"], 1);
    exit(&["--observe", "stdout", "--ignore-regex", "[0-9]+ ms", "--float-tolerance", "1"], 0);
    exit(&["--observe", "files"], 0);
}

#[test]
fn a_chain_leads_to_what_is_observed() {
    let old = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    \
               int n = atoi(argv[1]);\n    int shown = n + 1;\n    int status = n > 5;\n    \
               printf(\"took %d ms\\n\", shown);\n    printf(\"%d\\n\", 7 - status);\n    \
               return status;\n}\n";
    let new = old.replace("n + 1", "n + 2").replace("n > 5", "n > 6");
    let desk = Desk::pair(old, &new);
    let chain = |flags: &[&str]| {
        let pair = ["old.c", "new.c", "--arg", "int:0..9", "--first"];
        let report = desk.report(&[&pair, flags].concat(), 1);
        let steps = report["witnesses"][0]["why"].as_array().expect("a chain");
        let line = |step: &Value| step["new"]["line"].as_u64().expect("a line");
        steps.iter().map(line).collect::<Vec<u64>>()
    };
    assert_eq!(chain(&["--observe", "stdout"]), [6, 8]);
    assert_eq!(chain(&["--observe", "exit"]).first(), Some(&7));
    // The chain does not lead to an ignored difference.
    let ignoring = chain(&["--observe", "stdout", "--ignore-regex", "[0-9]+ ms"]);
    assert_eq!(ignoring, [7, 9]);
}

#[test]
fn partitions_prove_equality_of_functions_whose_parameters_changed_places() {
    let old = "int rest(int number, unsigned char shift) {
  return number > 9 ? number - shift : 0;
}
";
    let new = "int rest(unsigned char shift, int number) {
  return 9 < number ? number - shift : 0;
}
";
    let desk = Desk::pair(old, new);
    let report = desk.report(&["old.c", "new.c", "--entry", "rest"], 0);
    assert_eq!(report["guarantee"]["kind"], "proved");
    // The differing case is known as well.
    desk.write(&[("other.c", &new.replace("9 < number", "10 < number"))]);
    let flags = ["--entry", "rest", "--thorough", "--budget", "2s"];
    let report = desk.report(&[&["old.c", "other.c"], &flags[..]].concat(), 1);
    let differs_when = &report["partitions"]["differs_when"];
    assert_eq!(differs_when["condition"], "number = 10 ∧ number ≠ shift");
    assert_eq!(differs_when["how"], "exactly");
}

#[test]
fn the_hunks_of_a_function_that_are_to_blame_are_told_from_others() {
    let old = "static int twice(int a) {
  return a + a;
}

static int limit = 100;

int price(int a) {
  return a > limit ? limit : twice(a);
}
";
    // The first hunk has no visible effect.
    let new = old.replace("a + a", "2 * a").replace("a > limit", "a > limit + 3");
    let desk = Desk::pair(old, &new);
    let report = desk.report(&["old.c", "new.c", "--entry", "price"], 1);
    let witness = &report["witnesses"][0];
    let lines = json!([{"file": "new.c", "first": 8, "count": 1}]);
    let changes = witness["changes"].as_array().unwrap();
    assert_eq!(json!(changes.iter().map(|hunk| &hunk["new"]).collect::<Vec<_>>()), lines);
    assert_eq!(witness["changes_minimal"], true);
}

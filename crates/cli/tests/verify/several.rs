//! More than two versions, with the last of them as the correct one.

use serde_json::json;

use super::{program, table, verified, verify};
use crate::desk::Desk;

fn desk() -> Desk {
    let version = |code: &str| program("i", &format!("  {code}"));
    Desk::with(&[
        ("v0.c", &version("if (i > 0) o = 1;")),
        ("v1.c", &version("if (i > 10) o = 1; else if (i == 5) o = 3;")),
        ("v2.c", &version("if (i > 10) o = 2; else if (i == 5) o = 4;")),
        ("right.c", &version("if (i > 10) o = 2; else if (i > 0) o = 1;")),
    ])
}

#[test]
fn partitions_of_several_versions_say_which_of_them_agree() {
    let report = verified(&desk(), &["v0.c", "v1.c", "v2.c", "--arg", "int"], 1);
    let row = |condition: &str, agreement: &str| (condition.to_owned(), agreement.to_owned());
    let table = table(&report);
    assert!(table.contains(&row("11 ≤ arg1", "v0 = v1 ≠ v2")), "{table:?}");
    assert!(table.contains(&row("arg1 = 5", "v0 ≠ v1 ≠ v2")), "{table:?}");
    assert!(table.iter().any(|(_, agreement)| agreement == "v0 = v1 = v2"), "{table:?}");
    assert_eq!(report["counts"]["whole_space"], true);
    assert_eq!(report["steps"], json!(null));
    let natives = report["partitions"].as_array().unwrap().iter().map(|one| &one["native"]);
    let counts: Vec<usize> = natives.map(|native| native.as_array().unwrap().len()).collect();
    assert!(counts.contains(&3), "{counts:?}");
}

/// Fig. 3.12: from v0 to v1, numbers above 10 stay as wrong as they were, those from 1 to 10
/// regress; v2 repairs those above 10; 5 is wrong in a different way each time.
#[test]
fn a_right_version_tells_progress_from_regressions() {
    let desk = desk();
    let args = ["v0.c", "v1.c", "v2.c", "right.c", "--arg", "int", "--golden-last"];
    let report = verified(&desk, &args, 1);
    let steps = report["steps"].as_array().unwrap();
    let counts = |step: &serde_json::Value| {
        ["progression", "regression", "intermediate"].map(|name| step[name].as_u64().unwrap())
    };
    assert_eq!(steps.len(), 3);
    assert_eq!((&steps[1]["from"], &steps[1]["to"]), (&json!(1), &json!(2)));
    let [progression, regression, intermediate] = counts(&steps[0]);
    assert!(progression == 0 && regression > 0 && intermediate == 0, "{steps:#?}");
    let [progression, regression, intermediate] = counts(&steps[1]);
    assert!(progression == 1 && regression == 0 && intermediate == 1, "{steps:#?}");
    let [progression, regression, intermediate] = counts(&steps[2]);
    assert!(progression > 0 && regression + intermediate == 0, "{steps:#?}");
    verify(&desk, &args).has(&[
        "towards v3:",
        "v0 → v1: ",
        "regression 100 %",
        "progression 50 %, regression 0 %, intermediate 50 %",
    ]);
}

#[test]
fn versions_that_only_look_different_are_equal_at_once() {
    let desk = desk();
    desk.write(&[("same.c", &format!("/* A comment. */ {}", desk.read("v0.c")))]);
    let report = verified(&desk, &["v0.c", "same.c", "v0.c", "--arg", "int"], 0);
    assert_eq!((&report["guarantee"], &report["effort"]), (&json!("no_change"), &json!(null)));
    assert_eq!(report["counts"]["whole_space"], true);
}

#[test]
fn versions_may_be_directories_and_a_function_may_be_verified_alone() {
    let clamp = |code: &str| format!("int clamp(int n, int top) {{\n  {code}\n}}\n");
    let main = "int clamp(int, int);\nint main(void) { return clamp(3, 4); }\n";
    let desk = Desk::with(&[
        ("a/clamp.c", &clamp("return n > top ? top : n;")),
        ("a/main.c", main),
        ("b/clamp.c", &clamp("return n < top ? n : top;")),
        ("b/main.c", main),
        ("c/clamp.c", &clamp("return n <= top ? n : top - 1;")),
        ("c/main.c", main),
    ]);
    let equal = verified(&desk, &["a", "b", "--entry", "clamp"], 0);
    assert_eq!(equal["guarantee"], "proved");
    let report = verified(&desk, &["a", "b", "c", "--entry", "clamp"], 1);
    let different: Vec<_> =
        table(&report).into_iter().filter(|(_, agreement)| agreement.contains('≠')).collect();
    assert!(!different.is_empty());
    assert!(different.iter().all(|(_, agreement)| agreement == "v0 = v1 ≠ v2"), "{different:?}");
    let called = report["partitions"].as_array().unwrap().iter().map(|one| &one["command"]);
    assert!(called.into_iter().all(|call| call.as_str().unwrap().starts_with("clamp(n = ")));
}

/// Parameters are matched by name; every format reports the others.
#[test]
fn a_function_may_get_lose_and_reorder_parameters() {
    let main = "int main(void) { return 0; }\n";
    let desk = Desk::with(&[
        ("v0.c", &format!("int f(int a, int b) {{ return a > b ? a : b; }}\n{main}")),
        ("v1.c", &format!("int f(int b, int c, int a) {{ return a > b ? a + c : b; }}\n{main}")),
        (
            "v2.c",
            &format!("int f(short a, int c) {{ return a > 3 ? a + 1 : a < 0 ? c : a; }}\n{main}"),
        ),
    ]);
    let all = ["v0.c", "v1.c", "v2.c", "--entry", "f", "--check", "4"];
    let report = verified(&desk, &all, 1);
    assert_eq!(report["counts"]["whole_space"], true);
    assert_eq!(report["space"]["only"], json!([["b"], ["b", "c"], ["c"]]));
    assert_eq!(report["space"]["narrowed"], json!(["a"]));
    assert_eq!(report["check"]["violations"], json!([]));
    assert_eq!(report["differs_when"]["condition"], "4 ≤ a");
    let notes = [
        "note: only v0, v1 have b, fixed to one value",
        "note: only v1, v2 have c, fixed to one value",
        "note: only values of a that all versions allow are tried",
    ];
    let said = verify(&desk, &all);
    said.has(&notes);
    said.has(&["v0 = v1 ≠ v2 when", "f(a = 4, c = 0)"]);
    let page = desk.read("ripple.verify/verify.html");
    assert!(notes.iter().all(|note| page.contains(note)), "{page}");
    // There is no such note about versions that take the same input.
    assert!(!verify(&desk, &["v0.c", "v0.c", "--entry", "f"]).out.contains("note: only"));
}

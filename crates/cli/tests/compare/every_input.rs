//! Spaces that are too small to be searched by chance and too hard to be divided by a solver.

use serde_json::json;

use crate::desk::Desk;

const BY_REMAINDERS: &str = "\
unsigned divisor(unsigned char a, unsigned char b) {
    while (b) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
";

/// Also for zeros, unless `zeros` says otherwise.
fn by_differences(zeros: &str) -> String {
    format!(
        "unsigned divisor(unsigned char a, unsigned char b) {{\n    if (!a || !b)\n        \
         return {zeros};\n    while (a != b) {{\n        if (a > b)\n            a -= b;\n        \
         else\n            b -= a;\n    }}\n    return a;\n}}\n"
    )
}

#[test]
fn every_input_of_a_space_that_is_small_enough_is_run() {
    let desk = Desk::pair(BY_REMAINDERS, &by_differences("a + b"));
    let report = desk.report(&["old.c", "new.c", "--entry", "divisor", "--budget", "60s"], 0);
    let guarantee = &report["guarantee"];
    assert_eq!((&guarantee["kind"], &guarantee["inputs"]), (&json!("all_inputs"), &json!(65_536)));
    assert_eq!(report["partitions"], json!(null), "nothing is open");
}

#[test]
fn a_difference_in_such_a_space_is_found() {
    let desk = Desk::pair(BY_REMAINDERS, &by_differences("a == 211 ? 1 : a + b"));
    let report = desk.report(&["old.c", "new.c", "--entry", "divisor", "--budget", "60s"], 1);
    assert_eq!(report["witnesses"][0]["input"]["params"], json!({ "a": 211, "b": 0 }));
}

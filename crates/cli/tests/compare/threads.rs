//! Threads of the search that do not wait for each other, and runs that are cut short.

use serde_json::{Value, json};

use crate::desk::Desk;

/// The report of a comparison whose threads do not wait for each other.
fn free(desk: &Desk, flags: &[&str], code: i32) -> Value {
    let args = [&["old.c", "new.c", "--format", "json"], flags].concat();
    let output = desk.command(&args).env_remove("RIPPLE_DETERMINISTIC").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{flags:?}: {text}");
    serde_json::from_str(&text).unwrap()
}

fn program(expression: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n    \
         int n = argc > 1 ? atoi(argv[1]) : 0;\n    printf(\"%d\\n\", {expression});\n    return 0;\n}}\n"
    )
}

#[test]
fn threads_that_do_not_wait_find_what_only_a_solver_finds() {
    let desk =
        Desk::pair(&program("n"), &program("((unsigned)n ^ 0x5a5a5a5a) * 7 == 1234567 ? ~n : n"));
    for jobs in ["1", "2", "4"] {
        let report = free(&desk, &["--arg", "int", "--jobs", jobs], 1);
        assert_eq!(report["verdict"], "different");
        assert_eq!(report["witnesses"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn threads_that_do_not_wait_prove_what_is_equal() {
    let desk = Desk::pair(&program("n * 2"), &program("n + n"));
    let report = free(&desk, &["--arg", "int"], 0);
    assert_eq!(
        (&report["verdict"], &report["guarantee"]["kind"]),
        (&json!("equal"), &json!("proved"))
    );
    desk.refuses(&["old.c", "new.c", "--jobs", "0"], &["--jobs 0"]);
}

#[test]
fn what_was_cut_short_is_not_known() {
    let endless = |expression: &str| {
        let loop_ = "    if (n & 1) for (unsigned long i = 1; i != 0; i += 2) ;\n    printf";
        program(expression).replace("    printf", loop_)
    };
    let desk = Desk::pair(&endless("n * 2"), &endless("n + n"));
    let flags = ["--arg", "int", "--strategy", "random", "--max-runs", "4000"];
    let report = free(&desk, &flags, 3);
    assert_eq!(report["verdict"], "inconclusive");
    let limits = report["limits"].as_array().unwrap();
    assert!(limits.iter().any(|limit| limit["kind"] == "bound"), "{limits:?}");
}

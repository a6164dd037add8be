//! Partitions of examples hold for inputs drawn from them, on the machine and natively.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{program, verified, verify};
use crate::desk::Desk;

/// Pairs of the examples that take no time, and what varies.
const PAIRS: [(&str, &str, &str, &[&str]); 4] = [
    ("avoid", "v1.c", "v3.c", &["--tests", "tests.jsonl"]),
    ("tariff", "v1.c", "v2.c", &["--tests", "tests.jsonl"]),
    ("dates", "v1.c", "v2.c", &["--tests", "tests.jsonl"]),
    ("calc", "v1.c", "v2.c", &["--tests", "tests.jsonl"]),
];

#[test]
fn inputs_drawn_from_partitions_behave_as_claimed() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, old, new, flags) in PAIRS {
        let desk = Desk::with(&[]);
        for entry in fs::read_dir(examples.join(name)).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, desk.path().join(path.file_name().unwrap())).unwrap();
        }
        let wanted = ["--format", "json", "--check", "6", "--budget", "6s", old, new];
        let said = verify(&desk, &[&wanted[..], flags].concat());
        assert!([0, 1, 3].contains(&said.code), "{name}: {}{}", said.out, said.err);
        let report: Value = serde_json::from_str(&said.out).unwrap();
        let check = &report["check"];
        assert_eq!(check["violations"], serde_json::json!([]), "{name}");
        assert!(check["inputs"].as_u64().unwrap() > 0, "{name}: {check}");
    }
}

/// What a program does that asks for its own number is not decided by its input.
#[test]
fn programs_that_do_something_else_each_time_break_no_claim() {
    let version = |code: &str| {
        let text = program("i", &format!("  if (i == 3) o = getpid();\n  {code}"));
        format!("#include <unistd.h>\n{text}")
    };
    let desk = Desk::pair(&version("if (i == 5) o = 1;"), &version("if (i == 5) o = 2;"));
    let report = verified(&desk, &["old.c", "new.c", "--arg", "int:0..9", "--check", "4"], 1);
    assert_eq!(report["check"]["violations"], serde_json::json!([]));
    verify(&desk, &["old.c", "new.c", "--arg", "int:0..9", "--check", "4"])
        .has(&["checked: ", "on the machine and natively"]);
}

/// What only the machine tells apart is not called different.
#[test]
fn what_native_programs_do_not_confirm_is_not_called_different() {
    let version = |code: &str| {
        let text = program("i", &format!("  if (i == 3) {{ {code} }}"));
        format!("#include <unistd.h>\n{text}")
    };
    let desk = Desk::pair(&version("o = getpid();"), &version("o = getppid();"));
    let report = verified(&desk, &["old.c", "new.c", "--arg", "int:0..9"], 3);
    assert_eq!(report["counts"]["different"], 0);
    let unconfirmed = report["counts"]["unconfirmed"].as_u64().unwrap();
    let unknown = report["counts"]["unknown"].as_u64().unwrap();
    assert_eq!(unconfirmed + unknown, 1, "{report:#}");
}

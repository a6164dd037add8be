//! Partitions of examples hold for inputs drawn from them, on the machine and natively.

use std::path::Path;

use serde_json::Value;

use super::{program, verified, verify};
use crate::desk::{Desk, said};

/// Pairs of the examples, and what varies.
const PAIRS: [(&str, [&str; 2], &[&str]); 4] = [
    ("avoid", ["v1.c", "v3.c"], &["--tests", "tests.jsonl"]),
    ("calc", ["v1.c", "v2.c"], &["--stdin", "text:=2"]),
    ("tokens", ["v1.c", "v2.c"], &["--stdin", "text:=2"]),
    ("tlv", ["v1", "v2"], &["--tests", "tests.jsonl"]),
];

#[test]
fn inputs_drawn_from_partitions_behave_as_claimed() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, versions, flags) in PAIRS {
        let desk = Desk::with(&[]);
        let mut command = desk.ripple(&["verify", "--format", "json", "--no-out", "--check", "3"]);
        command.args(versions).args(flags).args(["--max-runs", "25", "--budget", "60s"]);
        let said = said(command.current_dir(examples.join(name)));
        assert!([0, 1, 3].contains(&said.code), "{name}: {}{}", said.out, said.err);
        let report: Value = serde_json::from_str(&said.out).unwrap();
        let check = &report["check"];
        assert_eq!(check["violations"], serde_json::json!([]), "{name}");
        assert_eq!(check["left"], 0, "{name}");
        assert!(check["inputs"].as_u64().unwrap() > 10, "{name}: {check}");
    }
}

/// The input does not determine the behaviour of a program that uses its process id.
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

/// A difference that only the machine shows is not reported as different.
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

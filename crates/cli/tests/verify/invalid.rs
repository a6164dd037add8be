//! Inputs on which every version ends in a fault before the change prove nothing.

use serde_json::Value;

use super::{verified, verify};
use crate::desk::Desk;

/// Every run reads through a null pointer, which a native program does not survive either.
fn desk() -> Desk {
    let version = |more: &str| {
        format!(
            "static int *table(int key) {{ return key ? 0 : (int *)8; }}\n\
             int look_up(int key) {{\n    int found = *table(key);\n    return found + {more};\n}}\n"
        )
    };
    Desk::with(&[("old.c", &version("1")), ("new.c", &version("2"))])
}

/// The report of such a verification.
pub fn report() -> Value {
    verified(&desk(), &["old.c", "new.c", "--entry", "look_up", "--budget", "20s"], 3)
}

#[test]
fn versions_that_only_fault_are_not_proved_equal() {
    let report = report();
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["invalid_inputs"]["message"], "read of 4 bytes through a null pointer");
    let place = (&report["invalid_inputs"]["file"], &report["invalid_inputs"]["line"]);
    assert_eq!(place, (&"new.c".into(), &3.into()));
    assert_eq!(report["shares"], Value::Null);
    let desk = desk();
    let said = verify(&desk, &["old.c", "new.c", "--entry", "look_up", "--budget", "20s"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&["inconclusive: the inputs are not valid: look_up of v0 and v1", "--param"]);
    // One input that does not fault is enough.
    desk.write(&[("old.c", "int look_up(int key) { return key ? 0 : 1; }\n")]);
    desk.write(&[("new.c", "int look_up(int key) { return !key; }\n")]);
    let args = ["old.c", "new.c", "--entry", "look_up", "--budget", "20s"];
    assert_eq!(verified(&desk, &args, 0)["invalid_inputs"], Value::Null);
}

//! The worked examples of Böhme's thesis, verified as a user would.

use serde_json::Value;

use super::{partitions, program, table, verified, verify};
use crate::desk::Desk;

fn row(condition: &str, agreement: &str) -> (String, String) {
    (condition.to_owned(), agreement.to_owned())
}

/// Fig. 3.2.
#[test]
fn one_more_gives_three_partitions() {
    let version = |b: &str| program("i", &format!("  int b = {b};\n  if (b > 0)\n    o = b;"));
    let desk = Desk::pair(&version("i"), &version("i + 1"));
    let report = verified(&desk, &["old.c", "new.c", "--arg", "int:-1000..1000"], 1);
    assert_eq!(
        (&report["verdict"], &report["guarantee"]),
        (&"different".into(), &"replayed".into())
    );
    assert_eq!(report["counts"]["whole_space"], true);
    assert_eq!(
        table(&report),
        [row("1 ≤ arg1", "v0 ≠ v1"), row("arg1 = 0", "v0 ≠ v1"), row("arg1 ≤ -1", "v0 = v1"),]
    );
    // The outputs are those of the figure, as terms and natively.
    let zero = partitions(&report).iter().find(|one| one["condition"] == "arg1 = 0").unwrap();
    assert_eq!(zero["outputs"], serde_json::json!(["0\n", "{arg1 + 1}\n"]));
    assert_eq!(zero["native"][0]["stdout"], "0\n");
    assert_eq!(zero["native"][1]["stdout"], "1\n");
    // The effect of the change ends at the decision.
    let equal = partitions(&report).iter().find(|one| one["verdict"] == "equal").unwrap();
    assert_eq!(equal["reason"], "not_propagated");
    assert_eq!(equal["stops"][1][0], serde_json::json!({"file": "new.c", "line": 7}));
    let said = verify(&desk, &["old.c", "new.c", "--arg", "int:-1000..1000"]);
    said.has(&[
        "different: v0 and v1 differ in 2 of 3 partitions, each replayed",
        "v0 ≠ v1 when arg1 = 0",
        "v1 shows {arg1 + 1}",
        "the effect of the change ends at old.c:7, new.c:7",
        "partitions: 2 different, 1 equal; they cover the whole input space",
    ]);
}

/// Figs 2.1 and 2.13.
#[test]
fn three_changes_give_six_partitions() {
    let version = |a: &str, b: &str, last: &str| {
        let code = format!(
            "  int a = {a}, b = 0;\n  if (a > 0) {{\n    b = {b};\n    o = 1;\n  }}\n  if (b > 0)\n    o = {last};"
        );
        program("i j", &code)
    };
    let desk = Desk::pair(&version("i", "j", "2"), &version("i + 1", "j + 1", "o + 1"));
    let any = "int:-1000..1000";
    let report = verified(&desk, &["old.c", "new.c", "--arg", any, "--arg", any], 1);
    assert_eq!(partitions(&report).len(), 6, "{:#?}", table(&report));
    assert_eq!(report["counts"]["equal"], 3);
    assert_eq!(report["counts"]["different"], 3);
    // A relevant changed statement is named with its version.
    let changes = partitions(&report).iter().flat_map(|one| one["changes"][1].as_array().unwrap());
    assert!(changes.into_iter().any(|place| place["line"] == 7), "{report:#}");
}

/// Four mutants of a function: three are different, one is proved equal.
#[test]
fn mutants_of_a_minimum_are_different_or_proved_equal() {
    let version = |code: &str| program("a b", &format!("  {code}"));
    let right = version("if (a < b) o = a; else o = b;");
    let mutants = [
        ("if (a > b) o = a; else o = b;", 1),
        ("if (a < b) o = a; else o = a;", 1),
        ("if (a <= b) o = a; else o = b;", 0),
        ("if (a < b) o = a + 1; else o = b;", 1),
    ];
    for (mutant, code) in mutants {
        let desk = Desk::pair(&right, &version(mutant));
        let report = verified(&desk, &["old.c", "new.c", "--arg", "int", "--arg", "int"], code);
        let guarantee: &Value = &report["guarantee"];
        assert_eq!(*guarantee, if code == 0 { "proved" } else { "replayed" }, "{mutant}");
    }
}

//! Scripts by what they say. `cargo xtask agree` compares with other solvers.

use super::*;
use crate::chain::standard;
use crate::solver::Budget;

fn say(text: &str) -> String {
    let mut output = String::new();
    let budget = Budget::default;
    let result = run(text, &mut standard(), &budget, &mut |line| {
        output.push_str(line);
        output.push('\n');
    });
    match result {
        Ok(()) => output,
        Err(error) => format!("{output}{error}\n"),
    }
}

#[test]
fn a_script_is_answered_command_by_command() {
    let text = "(set-logic QF_BV)
        (declare-const x (_ BitVec 8)) ; a byte
        (declare-fun p () Bool)
        (define-fun twice ((y (_ BitVec 8))) (_ BitVec 8) (bvadd y y))
        (assert (! (= (twice x) #x0a) :named a))
        (assert (let ((y (bvult x #x10))) (=> p (not y))))
        (check-sat)
        (get-value (x p (bvmul x x)))
        (push 1)
        (assert p)
        (check-sat)
        (get-value (x))
        (assert (bvult x #x80))
        (check-sat)
        (pop 1)
        (assert (and (not p) (bvult x #x80)))
        (check-sat)
        (get-model)";
    let expected = "sat\n((x #x05)\n (p false)\n ((bvmul x x) #x19))\nsat\n((x #x85))\nunsat\nsat\n\
        (\n  (define-fun x () (_ BitVec 8) #x05)\n  (define-fun p () Bool false)\n)\n";
    assert_eq!(say(text), expected);
}

#[test]
fn arrays_functions_and_floats_are_read() {
    let text = "(declare-const m (Array (_ BitVec 32) (_ BitVec 8)))
        (declare-const i (_ BitVec 32))
        (assert (= (select (store m i #x07) #x00000003) #x07))
        (assert (not (= (select m #x00000003) #x07)))
        (declare-fun f ((_ BitVec 32)) (_ BitVec 32))
        (assert (= (f (f i)) #x00000009))
        (check-sat)
        (get-value (i))";
    assert_eq!(say(text), "sat\n((i #x00000003))\n");
    let text = "(declare-const x Float64)
        (define-fun c () Float64 ((_ to_fp 11 53) RNE 0.1))
        (assert (= (fp.add RNE x c) ((_ to_fp 11 53) RNE 0.3)))
        (assert (fp.lt x (fp #b0 #b10000000000 #x0000000000000)))
        (check-sat)
        (assert (fp.isNaN x))
        (check-sat)";
    assert_eq!(say(text), "sat\nunsat\n");
}

#[test]
fn a_fault_in_the_text_is_one_sentence_with_its_line() {
    let cases = [
        ("(check-sat))", "line 1: a parenthesis closes nothing"),
        ("\n(assert (= x", "line 2: a parenthesis is never closed"),
        ("(assert x)", "line 1: `x` is not declared"),
        ("(frob 1)", "line 1: the command `frob` is not supported"),
        ("(assert)", "line 1: `assert` should look like `(assert term)`"),
        ("x", "line 1: a command is expected, not `x`"),
        ("(declare-const x Int)", "line 1: the sort `Int` is not supported"),
        ("(declare-const x Bul)", "line 1: `Bul` is no sort"),
        ("(get-model)", "line 1: there is no model: the last answer was not `sat`"),
        ("(pop 1)", "line 1: there are fewer than 1 levels to pop"),
        (
            "(declare-const x Bool)\n(assert (bvult x #x1))",
            "line 2: `bvult` does not take these arguments: Bool, (_ BitVec 4)",
        ),
        (
            "(assert (bvult #b1 #b11))",
            "line 1: `bvult` does not take these arguments: (_ BitVec 1), (_ BitVec 2)",
        ),
        ("(echo \"a", "line 1: a string has no end"),
        ("(declare-const x Bool)\n(declare-const x Bool)", "line 2: `x` is declared twice"),
    ];
    for (text, expected) in cases {
        assert_eq!(say(text), format!("{expected}\n"));
    }
}

#[test]
fn texts_nested_too_deep_are_refused() {
    let deep = format!("(assert {}true{})", "(not ".repeat(200_000), ")".repeat(200_000));
    assert!(say(&deep).contains("nested deeper"));
    let lets = format!(
        "(assert {}true{})(check-sat)",
        "(let ((x true)) ".repeat(50_000),
        ")".repeat(50_000)
    );
    assert_eq!(say(&lets), "sat\n");
}

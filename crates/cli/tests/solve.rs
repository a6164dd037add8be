//! `ripple solve` as people type it.

use std::process::{Command, Output};

fn solve(text: &str) -> Output {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let file = directory.path().join("question.smt2");
    std::fs::write(&file, text).expect("the question can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
    command.arg("solve").arg(file).output().expect("the binary was built for this test")
}

#[test]
fn a_question_is_answered_with_its_model() {
    let output = solve(
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 32))\n(assert (= (bvmul x x) #x00000051))\n\
         (assert (bvult x #x00000100))\n(check-sat)\n(get-model)\n",
    );
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "sat\n(\n  (define-fun x () (_ BitVec 32) #x00000009)\n)\n");
}

#[test]
fn a_malformed_text_is_one_sentence_and_exit_code_two() {
    let output = solve("(check-sat)\n(assert (bvfoo true))\n");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("line 2:"), "{message}");
}

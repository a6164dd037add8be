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

/// A script that replaces another solver.
fn solve_beside(said: &str, options: &[&str]) -> Output {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let answer = directory.path().join("answer");
    std::fs::write(&answer, said).expect("the answer can be written");
    let file = directory.path().join("question.smt2");
    let question = "(declare-const x (_ BitVec 16))\n(declare-const y (_ BitVec 16))\n\
        (assert (= (bvmul x y) #xfff1))\n(assert (bvult #x0001 x))\n(assert (bvult #x0001 y))\n\
        (assert (bvult x #x0100))\n(assert (bvult y #x0100))\n(check-sat)\n";
    std::fs::write(&file, question).expect("the question can be written");
    let other = format!("cat {}", answer.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
    command.arg("solve").arg(file);
    for option in options {
        command.arg(if *option == "OTHER" { &other } else { *option });
    }
    command.output().expect("the binary was built for this test")
}

#[test]
fn another_solver_answers_what_is_unknown_if_what_it_says_holds() {
    let said = |text: &str, options: &[&str]| {
        let output = solve_beside(text, options);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("answers are text")
    };
    // 0xfff1 is a prime number.
    assert_eq!(said("", &[]), "unsat\n");
    assert_eq!(said("", &["--conflicts", "0"]), "unknown\n");
    assert_eq!(said("unsat\n", &["--conflicts", "0", "--solver", "OTHER"]), "unsat\n");
    let wrong = "sat\n((x #x0003)\n (y #x0003))\n";
    assert_eq!(said(wrong, &["--conflicts", "0", "--solver", "OTHER"]), "unknown\n");
    assert_eq!(said("unknown\n", &["--conflicts", "0", "--solver", "OTHER"]), "unknown\n");
}

#[test]
fn a_disagreement_of_solvers_is_an_internal_error() {
    let output = solve_beside("unsat\n", &["--cross-check", "OTHER"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let directory = tempfile::tempdir().expect("a directory can be made");
    let answer = directory.path().join("answer");
    std::fs::write(&answer, "unsat\n").expect("the answer can be written");
    let file = directory.path().join("question.smt2");
    std::fs::write(&file, "(declare-const p Bool)\n(assert p)\n(check-sat)\n")
        .expect("the question can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
    let other = format!("cat {}", answer.display());
    let output = command.arg("solve").arg(file).arg("--cross-check").arg(other).output();
    let output = output.expect("the binary was built for this test");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(output.stdout, b"unknown\n");
    let message = String::from_utf8(output.stderr).expect("messages are text");
    assert!(message.contains("internal error: Ripple answers sat and `cat "), "{message}");
}

#[test]
fn a_solver_that_is_not_there_is_named() {
    let output = solve_beside("", &["--solver", "no-such-solver"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).expect("messages are text");
    assert_eq!(message, "error: the solver `no-such-solver` was not found or cannot be executed\n");
}

#[test]
fn solvers_on_the_path_give_their_opinion() {
    let mut asked = 0;
    for other in ["z3", "cvc5", "bitwuzla"] {
        let path = std::env::var_os("PATH").unwrap_or_default();
        if !std::env::split_paths(&path).any(|directory| directory.join(other).is_file()) {
            continue;
        }
        asked += 1;
        let output = solve_beside("", &["--cross-check", other, "--stats"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let counts = String::from_utf8(output.stderr).expect("counts are text");
        assert!(counts.contains("1  compared with another solver"), "{other}: {counts}");
        let output = solve_beside("", &["--conflicts", "0", "--solver", other]);
        assert_eq!(output.stdout, b"unsat\n", "{other}");
    }
    if asked == 0 {
        testkit::skip("there is no other solver");
    }
}

//! Usage errors, and states that cannot be written or resumed.

use std::fs;

use super::{program, verify};
use crate::desk::Desk;

fn desk() -> Desk {
    let version = |code: &str| program("i", &format!("  if (i > 3) o = {code};"));
    let broken = version("1").replace("int o", "int o o");
    Desk::with(&[
        ("a.c", &version("1")),
        ("b.c", &version("2")),
        ("c.c", &version("3")),
        ("broken.c", &broken),
    ])
}

/// Checks that the command fails with one line that contains the words, and changes nothing.
fn refuses(desk: &Desk, args: &[&str], words: &[&str]) {
    let before = desk.names();
    let said = verify(desk, args);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}: {}", said.err);
    assert_eq!(said.err.trim_end().lines().count(), 1, "{args:?}: {}", said.err);
    for word in words {
        assert!(said.err.contains(word), "{args:?}: no `{word}` in {}", said.err);
    }
    assert_eq!(desk.names(), before, "{args:?}");
}

#[test]
fn wrong_uses_are_refused_in_one_sentence() {
    let desk = desk();
    refuses(&desk, &["a.c", "--arg", "int"], &["at least two versions"]);
    refuses(&desk, &["a.c", "b.c", "--arg", "int", "--golden-last"], &["at least three"]);
    refuses(&desk, &["a.c", "b.c", "--arg", "int", "--check", "0"], &["--check 0"]);
    refuses(&desk, &["a.c", "b.c", "--arg", "int", "--resume"], &["ripple.verify/state.txt"]);
    refuses(&desk, &["a.c", "b.c", "--arg", "int", "--budget", "0s"], &["--budget 0s"]);
    refuses(&desk, &["a.c", "b.c", "--param", "n=int"], &["--entry"]);
    refuses(&desk, &["a.c", "nowhere.c", "--arg", "int"], &["nowhere.c"]);
    desk.write(&[("mine/notes", "keep me")]);
    refuses(
        &desk,
        &["a.c", "b.c", "--arg", "int", "--out", "mine"],
        &["not a result of `ripple verify`"],
    );
}

#[test]
fn a_version_that_does_not_build_has_an_exit_code_of_its_own() {
    let desk = desk();
    let said = verify(&desk, &["a.c", "broken.c", "--arg", "int"]);
    assert_eq!((said.code, said.out.as_str()), (4, ""), "{}", said.err);
    assert!(said.err.contains("v1: "), "{}", said.err);
    assert!(!desk.names().contains(&"ripple.verify".to_owned()));
}

#[test]
fn a_state_of_programs_that_compute_names_the_mathematical_library() {
    let old = "#include <math.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n    \
               return argc > 1 && cos(atoi(argv[1])) > 0.5;\n}\n";
    let desk = Desk::pair(old, &old.replace("0.5", "0.4"));
    let args = ["old.c", "new.c", "--arg", "int:0..3", "--cflags", "-lm"];
    let said = verify(&desk, &args);
    assert!(said.code <= 1, "{}{}", said.out, said.err);
    let state = desk.read("ripple.verify/state.txt");
    let named = "of mathematical library (libm): ";
    let line =
        state.lines().find(|line| line.starts_with(named)).unwrap_or_else(|| panic!("{state}"));
    assert!(line.contains("libm.so.6: GNU libc 2.") && line.contains(", BLAKE3 "), "{line}");
    // With another library, the proofs may not hold.
    let (path, other) =
        (desk.path().join("ripple.verify/state.txt"), line.replace("GNU libc 2.", "GNU libc 1."));
    std::fs::write(path, state.replace(line, &other)).unwrap();
    refuses(&desk, &[&args[..], &["--resume"]].concat(), &["another mathematical library (libm)"]);
}

#[test]
fn a_state_of_something_else_is_not_taken_up() {
    let desk = desk();
    assert_eq!(verify(&desk, &["a.c", "b.c", "--arg", "int"]).code, 1);
    let state = desk.read("ripple.verify/state.txt");
    assert!(!state.contains("libm"), "{state}");
    let resumed = |versions: &[&str], words: &[&str]| {
        refuses(&desk, &[versions, &["--resume"]].concat(), words);
        assert_eq!(desk.read("ripple.verify/state.txt"), state);
    };
    resumed(&["a.c", "c.c", "--arg", "int"], &["another version v1"]);
    resumed(&["c.c", "b.c", "--arg", "int"], &["another version v0"]);
    resumed(&["a.c", "b.c", "c.c", "--arg", "int"], &["another number of versions"]);
    resumed(&["a.c", "b.c", "--arg", "int:0..9"], &["another input space"]);
    resumed(&["a.c", "b.c", "--arg", "int", "--observe", "exit"], &["--observe"]);
    resumed(&["a.c", "b.c", "--arg", "int", "--no-slices"], &["--no-slices"]);
    resumed(&["a.c", "b.c", "--arg", "int", "--max-steps", "9"], &["--max-steps"]);
}

#[test]
fn a_damaged_state_is_refused_with_its_line() {
    let desk = desk();
    assert_eq!(verify(&desk, &["a.c", "b.c", "--arg", "int"]).code, 1);
    let path = desk.path().join("ripple.verify/state.txt");
    let state = fs::read_to_string(&path).unwrap();
    let line = state.lines().position(|line| line.starts_with("step ")).unwrap();
    fs::write(&path, state.replacen("step ", "stop ", 1)).unwrap();
    let wrong = format!("line {} is damaged", line + 1);
    refuses(&desk, &["a.c", "b.c", "--arg", "int", "--resume"], &[&wrong]);
    fs::write(&path, "something else\n").unwrap();
    refuses(&desk, &["a.c", "b.c", "--arg", "int", "--resume"], &["not the state"]);
    // The previous result can still be replaced, because its report exists.
    assert_eq!(verify(&desk, &["a.c", "b.c", "--arg", "int"]).code, 1);
}

#[test]
fn results_rotate_and_can_be_left_out() {
    let desk = desk();
    assert_eq!(verify(&desk, &["a.c", "b.c", "--arg", "int", "--no-out"]).code, 1);
    assert!(!desk.names().contains(&"ripple.verify".to_owned()));
    assert_eq!(verify(&desk, &["a.c", "b.c", "--arg", "int"]).code, 1);
    let first = desk.read("ripple.verify/verify.json");
    assert_eq!(verify(&desk, &["a.c", "c.c", "--arg", "int"]).code, 1);
    assert_eq!(desk.read("ripple.verify.1/verify.json"), first);
    assert_ne!(desk.read("ripple.verify/verify.json"), first);
    let left = desk.names().into_iter().filter(|name| name.starts_with(".ripple-"));
    assert_eq!(left.count(), 0);
}

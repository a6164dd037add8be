//! `ripple changes` and `ripple impact`, in good and in bad hands.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::process::Command;

const OLD: &str = "\
#include <stdio.h>
static int scale(int v) {
    return v * 2;
}
int main(int argc, char **argv) {
    int b = scale(argc);
    int c = 7;
    if (b > 10)
        printf(\"big %d\\n\", b);
    printf(\"c %d\\n\", c);
    return argv == 0;
}
";

/// A fresh directory with some files, and a cache of its own.
struct Desk {
    place: tempfile::TempDir,
}

impl Desk {
    fn with(files: &[(&str, &str)]) -> Desk {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Desk { place }
    }

    /// Exit code, standard output, standard error.
    fn ripple(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
        command.current_dir(self.place.path()).args(args);
        command.env("XDG_CACHE_HOME", self.place.path().join("cache"));
        command.env_remove("RIPPLE_CLANG");
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    }
}

#[test]
fn a_modified_line_is_shown_as_it_was_and_as_it_is() {
    let new = OLD.replace("c = 7", "c = 8");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = desk.ripple(&["changes", "old.c", "new.c"]);
    assert_eq!(code, 1);
    assert_eq!(out, "main (new.c:5)\n  ~ new.c:7\n      - int c = 7;\n      + int c = 8;\n");
}

#[test]
fn renaming_and_reformatting_are_no_change_and_are_said_to_be_none() {
    let new = OLD.replace("int b", "int doubled").replace("b > 10", "doubled>10");
    let new =
        new.replace(", b)", ", doubled)").replace("    return v * 2;", "  return v*2; /* x */");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = desk.ripple(&["changes", "old.c", "new.c"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("no change\n"), "{out}");
    assert!(out.contains("main: `b` is called `doubled`"), "{out}");
    assert!(out.contains("scale: comments, white space or spelling"), "{out}");
}

#[test]
fn functions_and_globals_come_and_go() {
    let new = OLD.replace(
        "static int scale",
        "int rate = 2;\nstatic int half(int v) {\n    return v / 2;\n}\nstatic int scale",
    );
    let new = new.replace("scale(argc)", "scale(argc) + half(rate)");
    let desk = Desk::with(&[("a/main.c", OLD), ("b/main.c", &new)]);
    let (code, out, _) = desk.ripple(&["changes", "a", "b"]);
    assert_eq!(code, 1);
    assert!(out.contains("half (b/main.c:3): added function"), "{out}");
    assert!(out.contains("rate: added global variable"), "{out}");
    let (_, out, _) = desk.ripple(&["changes", "b", "a"]);
    assert!(out.contains("half (b/main.c:3): removed function"), "{out}");
}

#[test]
fn impact_tells_what_may_be_affected_and_which_changes_may_meet() {
    let new = OLD.replace("c = 7", "c = 8").replace("v * 2", "v * 3");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = desk.ripple(&["impact", "old.c", "new.c"]);
    assert_eq!(code, 0);
    assert!(out.contains("new.c:10  by 1, can be seen"), "{out}");
    assert!(out.contains("new.c:9  by 2, can be seen"), "{out}");
    assert!(out.contains("can be tested alone: 1, 2"), "{out}");
    let both = new.replace("c = 8", "c = b");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &both)]);
    let (_, out, _) = desk.ripple(&["impact", "old.c", "new.c"]);
    assert!(out.contains("1 and 2 may interfere at"), "{out}");
}

#[test]
fn impact_answers_before_the_change_is_made() {
    let desk = Desk::with(&[("old.c", OLD)]);
    let (code, out, _) = desk.ripple(&["impact", "old.c", "--at", "7"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().map(|line| line.rsplit(':').next().unwrap()).collect();
    assert_eq!(lines, ["7", "10"]);
}

#[test]
fn what_is_wrong_is_said_in_one_sentence() {
    let desk = Desk::with(&[("old.c", OLD), ("bad.c", "int main( {"), ("empty/readme", "")]);
    let check = |args: &[&str], wanted: i32, words: &str| {
        let (code, out, err) = desk.ripple(args);
        assert_eq!((code, out.as_str()), (wanted, ""), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    };
    check(&["changes", "old.c", "none.c"], 2, "cannot read `none.c`");
    check(&["changes", "old.c", "bad.c"], 4, "NEW does not build");
    check(&["changes", "old.c", "empty"], 2, "there is no C file in `empty`");
    check(&["impact", "old.c"], 2, "NEW");
    check(&["impact", "old.c", "--at", "99"], 2, "99");
}

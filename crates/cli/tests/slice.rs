//! `ripple slice` and the graphs of `ripple dump`, in good and in bad hands.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::process::Command;

const SUM: &str = "\
#include <stdio.h>
static int limit = 10;
static int add(int a, int b) {
    return a + b;
}
int main(void) {
    int total = 0;
    int shown = 1;
    for (int i = 0; i < limit; i++) {
        total = add(total, i);
    }
    printf(\"%d\\n\", shown);
    printf(\"%d\\n\", total);
    return 0;
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
            fs::write(place.path().join(name), text).unwrap();
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

    /// The lines that a slice shows, without those of the C library.
    fn slice(&self, args: &[&str]) -> Vec<u32> {
        let (code, out, err) = self.ripple(&[&["slice"], args].concat());
        assert_eq!(code, 0, "{args:?}: {err}");
        let numbers = out.lines().filter_map(|line| {
            let line = line.trim_start_matches('>').trim_start();
            line.split("  ").next()?.parse().ok()
        });
        numbers.collect()
    }

    fn refuses(&self, args: &[&str], words: &[&str]) {
        let (code, out, err) = self.ripple(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{args:?}: {err}");
        for word in words {
            assert!(err.contains(word), "{args:?}: no `{word}` in {err}");
        }
    }
}

#[test]
fn a_slice_shows_what_a_line_may_affect_and_what_may_affect_it() {
    let desk = Desk::with(&[("sum.c", SUM)]);
    let forward = desk.slice(&["sum.c", "--from", "7", "--forward"]);
    assert_eq!(forward, [3, 4, 7, 10, 13]);
    let backward = desk.slice(&["sum.c", "--from", "12", "--backward"]);
    assert_eq!(backward, [8, 12]);
    let chop = desk.slice(&["sum.c", "--from", "9", "--chop", "13"]);
    assert_eq!(chop, [3, 4, 9, 10, 13]);
}

#[test]
fn a_variable_narrows_a_slice() {
    let desk = Desk::with(&[("sum.c", SUM)]);
    let total = desk.slice(&["sum.c", "--from", "10:i", "--backward"]);
    assert_eq!(total, [9, 10]);
    let all = desk.slice(&["sum.c", "--from", "10", "--backward"]);
    assert!(all.contains(&7) && all.len() > total.len(), "{all:?}");
}

#[test]
fn a_ranking_begins_with_the_line_itself() {
    let desk = Desk::with(&[("sum.c", SUM)]);
    let (code, out, err) = desk.ripple(&["slice", "sum.c", "--from", "9", "--rank"]);
    assert_eq!(code, 0, "{err}");
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("1.000") && first.contains("for (int i = 0"), "{out}");
}

#[test]
fn lines_of_several_files_are_told_apart_by_the_file() {
    let one = "int twice(int);\nint main(void) {\n    return twice(4);\n}\n";
    let two = "int twice(int x) {\n    int y = x;\n    return 2 * y;\n}\n";
    let desk = Desk::with(&[("one.c", one), ("two.c", two)]);
    let lines = desk.slice(&["one.c", "two.c", "--from", "two.c:2", "--forward"]);
    assert_eq!(lines, [3, 2, 3]);
    let both = ["slice", "one.c", "two.c", "--from", "3", "--forward"];
    desk.refuses(&both, &["several files", "FILE:3"]);
}

#[test]
fn what_is_not_there_is_said_in_one_sentence() {
    let desk = Desk::with(&[("sum.c", SUM)]);
    let slice = |from: &'static str| ["slice", "sum.c", "--forward", "--from", from];
    desk.refuses(&slice("99"), &["no line 99", "15"]);
    desk.refuses(&slice("2"), &["no statement on line 2", "line 3"]);
    desk.refuses(&slice("11"), &["no statement on line 11"]);
    desk.refuses(&slice("7:shown"), &["`shown`", "total"]);
    desk.refuses(&slice("other.c:7"), &["no file `other.c`"]);
    desk.refuses(&slice("total"), &["names no line"]);
    desk.refuses(&["slice", "sum.c", "--from", "7"], &["--forward or --backward"]);
    desk.refuses(&["dump", "cfg", "sum.c", "--function", "nobody"], &["`nobody`"]);
    desk.refuses(&["dump", "cfg", "sum.c", "--format", "svg"], &["--function"]);
    desk.refuses(&["dump", "ir", "sum.c", "--format", "dot"], &["graphs"]);
}

#[test]
fn graphs_are_shown_as_text_dot_and_svg() {
    let desk = Desk::with(&[("sum.c", SUM)]);
    for stage in ["cfg", "pdg", "domtree"] {
        for (format, mark) in [("text", "main\n"), ("dot", "digraph \"main\""), ("svg", "<svg ")] {
            let args = ["dump", stage, "sum.c", "--function", "main", "--format", format];
            let (code, out, err) = desk.ripple(&args);
            assert!(code == 0 && out.starts_with(mark), "{args:?}: {out}{err}");
        }
    }
    let (_, calls, _) = desk.ripple(&["dump", "callgraph", "sum.c"]);
    assert!(calls.contains("  main\n    -> add\n    -> printf\n"), "{calls}");
    let (_, sdg, _) = desk.ripple(&["dump", "sdg", "sum.c"]);
    assert!(sdg.contains("add gets a") && sdg.contains("summary"), "{sdg}");
}

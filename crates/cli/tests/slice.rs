//! `ripple slice` and the graphs of `ripple dump`, used correctly and incorrectly.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use testkit::desk::{Desk, said};

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

fn ripple(desk: &Desk, args: &[&str]) -> (i32, String, String) {
    let said = said(&mut desk.ripple(args));
    (said.code, said.out, said.err)
}

/// The lines that a slice shows, without those of the C library.
fn slice(desk: &Desk, args: &[&str]) -> Vec<u32> {
    let (code, out, err) = ripple(desk, &[&["slice"], args].concat());
    assert_eq!(code, 0, "{args:?}: {err}");
    let numbers = out.lines().filter_map(|line| {
        let line = line.trim_start_matches('>').trim_start();
        line.split("  ").next()?.parse().ok()
    });
    numbers.collect()
}

#[test]
fn a_slice_shows_what_a_line_may_affect_and_what_may_affect_it() {
    let desk = Desk::of(&[], &[("sum.c", SUM)]);
    let forward = slice(&desk, &["sum.c", "--from", "7", "--forward"]);
    assert_eq!(forward, [3, 4, 7, 10, 13]);
    let backward = slice(&desk, &["sum.c", "--from", "12", "--backward"]);
    assert_eq!(backward, [8, 12]);
    let chop = slice(&desk, &["sum.c", "--from", "9", "--chop", "13"]);
    assert_eq!(chop, [3, 4, 9, 10, 13]);
}

#[test]
fn a_variable_narrows_a_slice() {
    let desk = Desk::of(&[], &[("sum.c", SUM)]);
    let total = slice(&desk, &["sum.c", "--from", "10:i", "--backward"]);
    assert_eq!(total, [9, 10]);
    let all = slice(&desk, &["sum.c", "--from", "10", "--backward"]);
    assert!(all.contains(&7) && all.len() > total.len(), "{all:?}");
}

#[test]
fn a_ranking_begins_with_the_line_itself() {
    let desk = Desk::of(&[], &[("sum.c", SUM)]);
    let (code, out, err) = ripple(&desk, &["slice", "sum.c", "--from", "9", "--rank"]);
    assert_eq!(code, 0, "{err}");
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("1.000") && first.contains("for (int i = 0"), "{out}");
}

#[test]
fn lines_of_several_files_are_told_apart_by_the_file() {
    let one = "int twice(int);\nint main(void) {\n    return twice(4);\n}\n";
    let two = "int twice(int x) {\n    int y = x;\n    return 2 * y;\n}\n";
    let desk = Desk::of(&[], &[("one.c", one), ("two.c", two)]);
    let lines = slice(&desk, &["one.c", "two.c", "--from", "two.c:2", "--forward"]);
    assert_eq!(lines, [3, 2, 3]);
    let both = ["slice", "one.c", "two.c", "--from", "3", "--forward"];
    desk.refuses(&both, &["several files", "FILE:3"]);
}

#[test]
fn what_is_not_there_is_said_in_one_sentence() {
    let desk = Desk::of(&[], &[("sum.c", SUM)]);
    let slice = |from: &'static str| ["slice", "sum.c", "--forward", "--from", from];
    desk.refuses(&slice("99"), &["no line 99", "15"]);
    desk.refuses(&slice("2"), &["no statement on line 2", "line 3"]);
    desk.refuses(&slice("11"), &["no statement on line 11"]);
    desk.refuses(&slice("7:shown"), &["`shown`", "total"]);
    desk.refuses(&slice("other.c:7"), &["no file `other.c`"]);
    desk.refuses(&slice("total"), &["has no line number"]);
    desk.refuses(&["slice", "sum.c", "--from", "7"], &["--forward or --backward"]);
    desk.refuses(&["dump", "cfg", "sum.c", "--function", "nobody"], &["`nobody`"]);
    desk.refuses(&["dump", "cfg", "sum.c", "--format", "svg"], &["--function"]);
    desk.refuses(&["dump", "ir", "sum.c", "--format", "dot"], &["graphs"]);
}

#[test]
fn graphs_are_shown_as_text_dot_and_svg() {
    let desk = Desk::of(&[], &[("sum.c", SUM)]);
    for stage in ["cfg", "pdg", "domtree"] {
        for (format, mark) in [("text", "main\n"), ("dot", "digraph \"main\""), ("svg", "<svg ")] {
            let args = ["dump", stage, "sum.c", "--function", "main", "--format", format];
            let (code, out, err) = ripple(&desk, &args);
            assert!(code == 0 && out.starts_with(mark), "{args:?}: {out}{err}");
        }
    }
    let (_, calls, _) = ripple(&desk, &["dump", "callgraph", "sum.c"]);
    assert!(calls.contains("  main\n    -> add\n    -> printf\n"), "{calls}");
    let (_, sdg, _) = ripple(&desk, &["dump", "sdg", "sum.c"]);
    assert!(sdg.contains("add gets a") && sdg.contains("summary"), "{sdg}");
}

//! Emitted tests: compiled and run, they pass on the version that they expect and fail on the
//! other, with nothing but the project and a compiler.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use testkit::desk::{Desk, Said, said};

const PROGRAM: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[64] = "";
    int n = argc > 1 ? atoi(argv[1]) : 0;
    FILE *log = fopen("log.txt", "w");
    if (fgets(line, sizeof line, stdin) == NULL) line[0] = 0;
    fprintf(log, "%d\n", n * 2);
    fclose(log);
    printf("%s: \"%d\" of %d\n", line, n + 1, (int)strlen(line));
    return n == 7 ? 3 : 0;
}
"#;

/// The one test that was emitted with this ending.
fn emitted(desk: &Desk, ending: &str) -> PathBuf {
    let tests = fs::read_dir(desk.path().join("ripple.out/tests")).unwrap();
    let mut found: Vec<PathBuf> = tests.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.to_string_lossy().ends_with(ending));
    found.sort();
    assert_eq!(found.len(), 1, "{found:?}");
    found.pop().unwrap()
}

fn run(desk: &Desk, program: &str, args: &[&str]) -> Said {
    said(Command::new(program).args(args).current_dir(desk.path()))
}

fn build(desk: &Desk, args: &[&str]) {
    let done = run(desk, "cc", &[&["-w"], args].concat());
    assert_eq!(done.code, 0, "{args:?}: {}", done.err);
}

/// Two programs, `old` and `new`, and the tests that a comparison emits.
fn desk_with(old: &str, new: &str, flags: &[&str], emit: &str) -> Desk {
    let desk = Desk::pair(old, new);
    let done = desk.compare(&[flags, &["--emit", emit, "--first"]].concat());
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(!done.err.contains("note: no "), "{}", done.err);
    desk
}

#[test]
fn a_shell_test_of_a_program_tells_the_versions_apart() {
    let new = PROGRAM.replace("n + 1", "n + (n > 4)");
    let flags = ["--arg", "int:0..9", "--stdin", "text:3"];
    for (expect, passing, failing) in [("old", "old", "new"), ("new", "new", "old")] {
        let desk = desk_with(PROGRAM, &new, &[&flags[..], &["--expect", expect]].concat(), "shell");
        build(&desk, &["-o", "old", "old.c"]);
        build(&desk, &["-o", "new", "new.c"]);
        let test = emitted(&desk, ".sh");
        let test = test.to_str().unwrap();
        let passed = run(&desk, "sh", &[test, passing]);
        assert_eq!((passed.code, passed.out.as_str()), (0, ""), "{}", passed.err);
        assert_eq!(run(&desk, "sh", &[test, failing]).code, 1);
        // Without a program, the sources of the project are built.
        let expected = if expect == "new" { 0 } else { 1 };
        assert_eq!(run(&desk, "sh", &[test]).code, expected);
    }
}

#[test]
fn a_shell_test_checks_status_and_files_too() {
    for (new, flags) in [
        (PROGRAM.replace("? 3 : 0", "? 4 : 0"), &["--arg", "int:0..9"][..]),
        (PROGRAM.replace("n * 2", "n * 2 + (n == 8)"), &["--arg", "int:0..9"][..]),
        (
            PROGRAM.replace("fclose(log);", "fclose(log); if (n == 3) remove(\"log.txt\");"),
            &["--arg", "int:0..9"][..],
        ),
    ] {
        let desk = desk_with(PROGRAM, &new, flags, "shell,c");
        build(&desk, &["-o", "old", "old.c"]);
        build(&desk, &["-o", "new", "new.c"]);
        let test = emitted(&desk, ".sh");
        let test = test.to_str().unwrap();
        assert_eq!(run(&desk, "sh", &[test, "./old"]).code, 0);
        assert_eq!(run(&desk, "sh", &[test, "./new"]).code, 1);
        let test = emitted(&desk, ".c");
        build(&desk, &["-o", "test", test.to_str().unwrap()]);
        assert_eq!(run(&desk, "./test", &["old"]).code, 0);
        assert_eq!(run(&desk, "./test", &["new"]).code, 1);
    }
}

#[test]
fn a_test_reads_as_if_somebody_had_written_it() {
    let new = PROGRAM.replace("n + 1", "n + (n > 4)");
    let desk = desk_with(PROGRAM, &new, &["--arg", "int:0..9"], "shell,c");
    let test = emitted(&desk, ".sh");
    assert_eq!(test.file_name().unwrap(), "run_0_prints_1_of_0.sh");
    let text = fs::read_to_string(test).unwrap();
    for part in [
        "# ./new 0 prints “: \"1\" of 0”.",
        "# So does old.c; with new.c it prints “: \"0\" of 0”.",
        "# Why (after | before):",
        "\nset -- 0\n",
        "<<'END_OF_TEXT'\n: \"1\" of 0\nEND_OF_TEXT\n",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn a_c_test_of_a_program_tells_the_versions_apart() {
    let new = PROGRAM.replace("strlen(line)", "strlen(line) / 2");
    let desk = desk_with(PROGRAM, &new, &["--arg", "int:0..3", "--stdin", "text:3"], "c,cmocka");
    build(&desk, &["-o", "old", "old.c"]);
    build(&desk, &["-o", "new", "new.c"]);
    let tests: Vec<PathBuf> = fs::read_dir(desk.path().join("ripple.out/tests"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "c"))
        .collect();
    assert_eq!(tests.len(), 2);
    // The part of cmocka that the tests use.
    desk.write(&[(
        "cmocka.h",
        "#include <stdio.h>\n#include <stdlib.h>\n\
         struct CMUnitTest { void (*test)(void **); };\n\
         #define cmocka_unit_test(f) {f}\n\
         #define assert_true(c) do { if (!(c)) exit(1); } while (0)\n\
         #define assert_null(c) assert_true((c) == NULL)\n\
         #define assert_int_equal(a, b) assert_true((a) == (b))\n\
         #define cmocka_run_group_tests(t, a, b) ((t)[0].test(NULL), 0)\n",
    )]);
    for test in &tests {
        build(&desk, &["-I", ".", "-Wall", "-Werror", "-o", "test", test.to_str().unwrap()]);
        for (program, code) in [("old", 0), ("new", 1)] {
            let mut command = Command::new("./test");
            command.current_dir(desk.path()).env("PROGRAM", program);
            assert_eq!(said(&mut command).code, code, "{test:?} on {program}");
        }
    }
}

#[test]
fn a_rust_test_of_a_program_tells_the_versions_apart() {
    let new = PROGRAM.replace("n + 1", "n + (n > 4)");
    let desk = desk_with(PROGRAM, &new, &["--arg", "int:0..9", "--stdin", "text:3"], "rust");
    build(&desk, &["-o", "old", "old.c"]);
    build(&desk, &["-o", "new", "new.c"]);
    let test = emitted(&desk, ".rs");
    let made = run(&desk, "rustc", &["--test", "-o", "test", test.to_str().unwrap()]);
    assert_eq!(made.code, 0, "{}", made.err);
    for (program, code) in [("old", 0), ("new", 101)] {
        let mut command = Command::new("./test");
        command.current_dir(desk.path()).env("PROGRAM", program);
        assert_eq!(said(&mut command).code, code, "{program}");
    }
}

const FUNCTIONS: &str = r#"#include <string.h>
struct point { int x; short y; double weight; };
static int classify(int rate, char kind) { return kind == 'a' ? rate / 10 : -rate; }
int fill(char *text, unsigned n) { text[0] = 'a' + n % 20; text[1] = 0; return 0; }
long total(const int *numbers, int count) {
    long sum = 0;
    for (int i = 0; i < count && i < 4; i++) sum += numbers[i];
    return sum;
}
void move(struct point *p, int by) { p->x += by; p->weight *= 2; }
char *find(char *text, char c) { return strchr(text, c); }
float half(float x) { return x / 2; }
int main(void) { return classify(1, 'a'); }
"#;

/// Emits and runs the tests of a function in C, in the shell, and if possible in Rust.
fn check_function(change: (&str, &str), flags: &[&str], with_rust: bool) {
    let new = FUNCTIONS.replace(change.0, change.1);
    assert_ne!(new, FUNCTIONS);
    let emit = if with_rust { "shell,c,rust,ktest" } else { "shell,c" };
    let desk = desk_with(FUNCTIONS, &new, flags, emit);
    let c = emitted(&desk, ".c");
    let c = c.to_str().unwrap();
    for (file, code) in [("old.c", 0), ("new.c", 1)] {
        let source = format!("-DSOURCE=\"{file}\"");
        build(&desk, &["-iquote", ".", &source, "-o", "test", c]);
        let done = run(&desk, "./test", &[]);
        let text = fs::read_to_string(c).unwrap();
        assert_eq!(done.code, code, "{flags:?} {file}: {}\n{text}", done.out);
    }
    let script = emitted(&desk, ".sh");
    assert_eq!(run(&desk, "sh", &[script.to_str().unwrap()]).code, 1);
    if with_rust {
        let rust = emitted(&desk, ".rs");
        let shared = ["-Dmain=program_main", "-shared", "-fPIC", "-o", "libsubject.so"];
        for (file, code) in [("old.c", 0), ("new.c", 101)] {
            build(&desk, &[&shared[..], &[file]].concat());
            let test = rust.to_str().unwrap();
            let flags = ["--test", "-L", ".", "-l", "subject", "-o", "rust", test];
            let made = run(&desk, "rustc", &flags);
            assert_eq!(made.code, 0, "{}", made.err);
            let mut command = Command::new("./rust");
            command.current_dir(desk.path()).env("LD_LIBRARY_PATH", ".");
            assert_eq!(said(&mut command).code, code, "{file}");
        }
    }
}

#[test]
fn a_test_calls_a_static_function() {
    check_function(("rate / 10", "rate / 9"), &["--entry", "classify"], false);
}

#[test]
fn a_test_looks_into_a_buffer() {
    check_function(("n % 20", "n % 21"), &["--entry", "fill", "--param", "text=buf:4"], true);
}

#[test]
fn a_test_passes_an_array() {
    let flags = ["--entry", "total", "--param", "numbers=buf:4", "--param", "count=int:0..4"];
    check_function(("sum += numbers[i]", "sum += numbers[i] - (i == 2)"), &flags, true);
}

#[test]
fn a_test_passes_a_struct() {
    let flags = ["--entry", "move", "--param", "p=buf:1", "--param", "by=int:0..9"];
    check_function(("p->x += by", "p->x += by + (by > 3)"), &flags, false);
}

#[test]
fn a_test_knows_addresses_in_what_it_gave() {
    let flags = ["--entry", "find", "--param", "text=str:4"];
    check_function(("strchr(text, c)", "strrchr(text, c)"), &flags, false);
}

#[test]
fn a_version_that_does_not_end_fails_the_test() {
    let old = "#include <stdlib.h>\n#include <stdio.h>\nint main(int c, char **v) {\n    \
        int n = atoi(v[1]);\n    while (n == 300) puts(\"more\");\n    return 0;\n}\n";
    let desk = Desk::pair(&old.replace("== 300", "== -300"), old);
    let done = desk.compare(&["--arg", "int:0..300", "--emit", "shell,c,rust", "--first"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    assert!(done.err.contains("no Rust test for difference 1"), "{}", done.err);
    build(&desk, &["-o", "old", "old.c"]);
    build(&desk, &["-o", "new", "new.c"]);
    let script = emitted(&desk, ".sh");
    build(&desk, &["-o", "test", emitted(&desk, ".c").to_str().unwrap()]);
    for (program, code) in [("old", 0), ("new", 1)] {
        assert_eq!(run(&desk, "sh", &[script.to_str().unwrap(), program]).code, code);
        assert_eq!(run(&desk, "./test", &[program]).code, code);
    }
}

#[test]
fn what_cannot_be_tested_is_said() {
    let old = "#include <stdlib.h>\nint main(int c, char **v) { if (atoi(v[1]) == 3) abort(); return 0; }\n";
    let desk = Desk::pair(old, &old.replace("== 3", "== 4"));
    let done = desk.compare(&["--arg", "int:0..9", "--emit", "shell,ktest"]);
    assert!(done.err.contains("note: no shell test for difference"), "{}", done.err);
    assert!(done.err.contains("OLD fails on it; --expect the other version"), "{}", done.err);
    let left = emitted(&desk, ".sh");
    build(&desk, &["-o", "old", "old.c"]);
    assert_eq!(run(&desk, "sh", &[left.to_str().unwrap(), "old"]).code, 0);
    assert_eq!(desk.compare(&["--emit", "shell", "--no-out"]).code, 2);
}

#[test]
fn a_junit_report_has_a_failure_for_each_difference() {
    let new = PROGRAM.replace("n + 1", "n + 1 - (n > 4 ? n % 2 : 0)");
    let desk = desk_with(PROGRAM, &new, &["--arg", "int:5..6"], "junit");
    let text = desk.read("ripple.out/tests/junit.xml");
    assert!(text.contains("<testsuite name=\"old.c and new.c\" tests=\"1\""), "{text}");
    assert!(text.contains("<failure message=\"the output changed: "), "{text}");
    assert!(!text.contains("time"), "{text}");
}

//! `ripple run`, used correctly and incorrectly: one clear sentence, and the right exit code.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use testkit::desk::Desk;

fn desk_with(files: &[(&str, &str)]) -> Desk {
    Desk::of(&["run"], files)
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { printf(\"hello\\n\"); return 0; }\n";

const ECHO: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    int main(int c, char **v) { int k; for (int i = 1; i < c; i++) printf(\"%s \", v[i]);\n\
    while ((k = getchar()) != EOF) putchar(k);\n\
    FILE *f = fopen(\"in.txt\", \"r\"); if (f) { while ((k = getc(f)) != EOF) putchar(k); fclose(f); }\n\
    f = fopen(\"out.txt\", \"w\"); fputs(\"written\", f); fclose(f);\n\
    if (getenv(\"WHO\")) puts(getenv(\"WHO\"));\n\
    fputs(\"to stderr\\n\", stderr); return 5; }\n";

#[test]
fn a_program_gets_its_input_and_gives_its_output() {
    let desk = desk_with(&[("echo.c", ECHO), ("typed", "typed\n"), ("data", "data\n")]);
    let args = ["echo.c", "--stdin", "typed", "--file", "in.txt=data", "--env", "WHO=me"];
    let said = desk.run(&[&args[..], &["--save-files", "saved", "--", "-a", "b c"]].concat());
    assert_eq!(said.out, "-a b c typed\ndata\nme\n");
    assert_eq!((said.code, said.err.as_str()), (5, "to stderr\n"));
    let written = fs::read_to_string(desk.path().join("saved/out.txt")).unwrap();
    assert_eq!(written, "written");
}

#[test]
fn standard_input_is_passed_on_only_if_asked_for() {
    let desk = desk_with(&[("echo.c", ECHO)]);
    for (args, expected) in [(&["echo.c"][..], ""), (&["echo.c", "--stdin", "-"], "ours\n")] {
        let mut command = desk.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // The command may not read at all; a closed pipe is no failure.
        let _ = child.stdin.take().unwrap().write_all(b"ours\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}

#[test]
fn unknown_flags_and_missing_values_are_wrong_use() {
    let desk = desk_with(&[("hello.c", HELLO)]);
    for args in [
        &["--nonsense", "hello.c"][..],
        &[],
        &["hello.c", "--max-steps", "many"],
        &["hello.c", "--max-steps", "-1"],
        &["hello.c", "--time", "noon"],
        &["hello.c", "--stdin"],
    ] {
        let said = desk.run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}");
        assert!(said.err.starts_with("error: "), "{args:?}: {}", said.err);
    }
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let desk = desk_with(&[("hello.c", HELLO), ("notes.txt", "text"), ("noend", HELLO)]);
    fs::create_dir(desk.path().join("directory.c")).unwrap();
    desk.fails(&["missing.c"], 2, &["missing.c", "No such file"]);
    desk.fails(&["hello.c", "missing.c"], 2, &["missing.c"]);
    desk.fails(&["directory.c"], 2, &["directory.c", "is a directory"]);
    desk.fails(&["notes.txt"], 2, &["notes.txt", "neither a C file"]);
    desk.fails(&["noend"], 2, &["noend"]);
    desk.fails(&["hello.c", "--stdin", "missing"], 2, &["cannot read missing"]);
    desk.fails(&["hello.c", "--stdin", "directory.c"], 2, &["cannot read directory.c"]);
    desk.fails(&["hello.c", "--file", "in.txt"], 2, &["--file in.txt", "no `=`"]);
    desk.fails(&["hello.c", "--file", "in=missing"], 2, &["cannot read missing"]);
    desk.fails(&["hello.c", "--env", "NAME"], 2, &["--env NAME", "no `=`"]);
    desk.fails(&["hello.c", "--clang", "no-such-clang"], 2, &["no-such-clang", "not found"]);
    desk.fails(&["hello.c", "--clang", "true"], 2, &["is not clang"]);
}

#[test]
fn a_program_that_does_not_build_ends_with_4() {
    let desk = desk_with(&[
        ("broken.c", "int main(void) { return x; }\n"),
        ("empty.c", ""),
        ("nomain.c", "int helper(void) { return 1; }\n"),
        ("function.c", "int nowhere(void);\nint main(void) { return nowhere(); }\n"),
        ("variable.c", "extern int nothing;\nint main(void) { return nothing; }\n"),
        ("one.c", "int twice(void) { return 1; }\nint main(void) { return 0; }\n"),
        ("two.c", "int twice(void) { return 2; }\n"),
    ]);
    let said = desk.run(&["broken.c"]);
    assert_eq!((said.code, said.out.as_str()), (4, ""));
    assert!(said.err.contains("broken.c:1:25: error:"), "{}", said.err);
    desk.fails(&["empty.c"], 4, &["main"]);
    desk.fails(&["nomain.c"], 4, &["main"]);
    desk.fails(&["function.c"], 4, &["nowhere"]);
    desk.fails(&["variable.c"], 4, &["nothing"]);
    desk.fails(&["one.c", "two.c"], 4, &["twice"]);
}

#[test]
fn garbage_is_refused_without_a_panic() {
    let desk = desk_with(&[("text.ll", "this is not IR\n"), ("empty.ll", "")]);
    let garbage: Vec<u8> = (0..4000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    fs::write(desk.path().join("garbage.c"), &garbage).unwrap();
    fs::write(desk.path().join("garbage.ll"), &garbage).unwrap();
    let said = desk.run(&["garbage.c"]);
    assert_eq!((said.code, said.out.as_str()), (4, ""));
    desk.fails(&["garbage.ll"], 2, &["garbage.ll"]);
    for name in ["text.ll", "empty.ll"] {
        let said = desk.run(&[name]);
        assert!([2, 4].contains(&said.code), "{name}: {}", said.code);
        assert_eq!(said.out, "");
        assert_eq!(said.err.trim_end().lines().count(), 1, "{name}: {}", said.err);
    }
}

#[test]
fn what_is_not_supported_is_said_with_its_place_and_3() {
    let program = "#include <ucontext.h>\n\
                   int main(int c, char **v) {\n\
                   ucontext_t context;\n\
                   if (c > 1) makecontext(&context, (void (*)(void))main, 0);\n\
                   return v == 0; }\n";
    let desk = desk_with(&[("p.c", program)]);
    assert_eq!(desk.run(&["p.c"]).code, 0);
    desk.fails(&["p.c", "--", "x"], 3, &["unsupported: call of makecontext at p.c:4"]);
    let assembly = "int main(void) { __asm__ volatile(\"hlt\"); return 0; }\n";
    let desk = desk_with(&[("p.c", assembly)]);
    desk.fails(&["p.c"], 3, &["unsupported: ", "hlt", "p.c:1"]);
}

#[test]
fn every_bound_ends_the_run_as_exhausted() {
    let desk = desk_with(&[
        ("loop.c", "int main(void) { for (;;); }\n"),
        (
            "grow.c",
            "#include <stdlib.h>\nint main(void) { for (;;) if (!malloc(1000000)) return 1; }\n",
        ),
        ("talk.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"and on\"); }\n"),
        (
            "deep.c",
            "int f(int n) { return n ? f(n - 1) + 1 : 0; }\nint main(void) { return f(900) > 0; }\n",
        ),
    ]);
    for (file, bound, value, word) in [
        ("loop.c", "--max-steps", "100000", "instruction limit"),
        ("grow.c", "--max-memory", "50000000", "memory limit"),
        ("talk.c", "--max-output", "10000", "output limit"),
        ("deep.c", "--max-depth", "100", "call depth"),
    ] {
        let said = desk.run(&[file, bound, value]);
        assert_eq!(said.code, 3, "{file}: {}", said.err);
        assert!(said.err.starts_with("exhausted: "), "{file}: {}", said.err);
        assert!(said.err.contains(word), "{file}: no `{word}` in {}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{file}: {}", said.err);
    }
    assert_eq!(desk.run(&["deep.c"]).code, 1);
}

#[test]
fn two_runs_are_alike_to_the_byte() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
                   int global;\n\
                   int main(void) { int local; void *heap = malloc(10);\n\
                   printf(\"%p %p %p %p\\n\", (void *)&global, (void *)&local, heap, (void *)main);\n\
                   printf(\"%ld %d\\n\", (long)time(NULL), rand());\n\
                   for (int i = 0; i < 3; i++) global += i;\n\
                   free(heap); return global; }\n";
    let desk = desk_with(&[("p.c", program)]);
    let first = desk.run(&["p.c", "--trace-statements"]);
    let second = desk.run(&["p.c", "--trace-statements"]);
    assert_eq!((first.code, first.out, first.err.clone()), (3, second.out, second.err));
    let loops = first.err.lines().filter(|line| line.contains("p.c:8 ")).count();
    assert!(loops >= 3, "{}", first.err);
    assert!(first.err.lines().all(|line| line.contains(" main") || !line.contains("p.c:")));
    let elsewhere = desk_with(&[("p.c", program)]);
    assert_eq!(elsewhere.run(&["p.c", "--trace-statements"]).err, first.err);
}

#[test]
fn a_clock_can_be_set() {
    let program = "#include <stdio.h>\n#include <time.h>\n\
                   int main(void) { time_t t = time(NULL); printf(\"%s\", ctime(&t)); }\n";
    let desk = desk_with(&[("clock.c", program)]);
    let said = desk.run(&["clock.c", "--time", "1000000000", "--env", "TZ=UTC"]);
    assert_eq!(said.out, "Sun Sep  9 01:46:40 2001\n");
}

#[test]
fn statistics_are_printed_beside_the_output() {
    let desk = desk_with(&[("hello.c", HELLO)]);
    let said = desk.run(&["hello.c", "--stats"]);
    assert_eq!((said.code, said.out.as_str()), (0, "hello\n"));
    assert!(said.err.contains(" instructions in "), "{}", said.err);
}

#[test]
fn strict_runs_fault_on_reading_what_was_never_written() {
    let desk = desk_with(&[
        (
            "memory.c",
            "#include <stdlib.h>\nint main(void) { int *p = malloc(8); return p[1] > 0; }\n",
        ),
        ("variable.c", "int main(void) { int x; if (x > 3) return 1; return 0; }\n"),
        (
            "clean.c",
            "int main(void) { int x[4] = {1}; struct { char c; int i; } s = {1, 2}, t = s; return x[3] + t.c; }\n",
        ),
    ]);
    for file in ["memory.c", "variable.c"] {
        assert!(desk.run(&[file]).code < 2, "{file}");
        let said = desk.run(&[file, "--strict"]);
        assert_eq!(said.code, 139, "{file}: {}", said.err);
        assert!(said.err.contains("never written"), "{}", said.err);
        assert!(said.err.contains(&format!("at {file}:")), "{}", said.err);
    }
    assert_eq!(desk.run(&["clean.c", "--strict"]).code, 1);
}

#[test]
fn the_covered_library_functions_can_be_listed() {
    let desk = desk_with(&[]);
    let said = desk.run(&["--list-libc"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let names: Vec<&str> = said.out.lines().collect();
    let known = [
        "printf",
        "fopen",
        "qsort",
        "memcpy",
        "strtol",
        "getopt_long",
        "sin",
        "setlocale",
        "__ctype_b_loc",
        "__isoc99_sscanf",
        "__printf_chk",
        "open",
        "time",
        "malloc",
    ];
    for name in known {
        assert!(names.contains(&name), "{name}");
    }
    assert!(names.is_sorted());
    assert!(names.len() > 500, "{}", names.len());
}

#[test]
fn several_files_and_flags_make_one_program() {
    let desk = desk_with(&[
        (
            "main.c",
            "#include <stdio.h>\n#include \"value.h\"\nint main(void) { printf(\"%d\\n\", value()); }\n",
        ),
        ("value.c", "#include \"value.h\"\nint value(void) { return VALUE; }\n"),
    ]);
    fs::create_dir(desk.path().join("include")).unwrap();
    fs::write(desk.path().join("include/value.h"), "int value(void);\n").unwrap();
    let said = desk.run(&["main.c", "value.c", "--cflags", "-Iinclude '-DVALUE=(6 * 7)'"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "42\n", ""));
}

//! `ripple explore` as people type it: findings, tests that run, and one sentence per mistake.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::desk::Desk;

fn desk_with(files: &[(&str, &str)]) -> Desk {
    Desk::of(&["explore"], files)
}

/// Five paths: two of them are faults, one of which the native program survives.
const TRIANGLE: &str = "\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    int table[4] = {1, 2, 3, 4};
    if (a > b)
        printf(\"%d\\n\", a - b);
    else if (a == b)
        printf(\"same %d\\n\", table[a & 7]);
    else
        printf(\"%d\\n\", 100 / a);
    return 0;
}
";

const INTS: &[&str] = &["t.c", "--arg", "int", "--arg", "int"];

#[test]
fn faults_are_shown_as_a_compiler_shows_errors() {
    let desk = desk_with(&[("t.c", TRIANGLE)]);
    let said = desk.run(INTS);
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    let expected = [
        "fault: read of 4 bytes at offset ",
        "out of bounds of the local variable table of 16 bytes\n --> t.c:9:",
        "9 |         printf(\"same %d\\n\", table[a & 7]);\n",
        "reports AddressSanitizer: stack-buffer-overflow\n",
        "fault: division by zero\n",
        " = input: ./t 0 1\n",
        " = the native program is killed by SIGFPE\n",
        "explored t.c: 5 paths; there are no others\n",
        "of these, 3 end normally, 2 with a fault\n",
        "kept: 5 tests, replayed natively: 3 with the same outcome, 2 with a fault\n",
        "4 of 4 branch directions (100 %)",
    ];
    for part in expected {
        assert!(said.out.contains(part), "no {part:?} in {}", said.out);
    }
}

#[test]
fn the_report_has_what_the_documentation_says() {
    let desk = desk_with(&[("t.c", TRIANGLE)]);
    let report = desk.report(INTS, 1);
    assert_eq!(report["schema"], "ripple.explore/1");
    assert_eq!(report["format"], "ripple explore 1");
    assert_eq!(report["paths"], 5);
    assert_eq!(report["complete"], true);
    assert_eq!(report["incomplete_because"], serde_json::json!([]));
    assert_eq!(report["inputs"]["origin"], "declared");
    let fault = &report["faults"][1];
    assert_eq!(fault["kind"], "division_by_zero");
    assert_eq!((&fault["file"], &fault["line"]), (&"t.c".into(), &11.into()));
    assert_eq!(fault["test"]["args"], serde_json::json!(["0", "1"]));
    assert_eq!(fault["native"], serde_json::json!({"end": "signal", "number": 8}));
    assert_eq!(fault["confirmed_by"], "signal");
    assert_eq!(report["faults"][0]["confirmed_by"], "sanitizer");
    assert_eq!(report["tests"].as_array().unwrap().len(), 5);
    assert_eq!(report["outcomes"].as_array().unwrap().len(), 5);
    assert_eq!(report["coverage"]["branches"], serde_json::json!({"covered": 4, "total": 4}));
    assert_eq!(report["coverage"]["lines"]["covered"], report["coverage"]["lines"]["total"]);
    let share = report["effort"]["answered_without_sat"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&share));
    assert!(report["effort"]["runs"].as_u64().unwrap() >= 5);
}

#[test]
fn written_tests_run_and_can_be_read_again() {
    let desk = desk_with(&[("t.c", TRIANGLE)]);
    let said = desk.run(&[INTS, &["--out", "found/here"]].concat());
    assert_eq!(said.code, 1, "{}", said.err);
    let out = desk.path().join("found/here");
    let report: Value =
        serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap();
    for (index, outcome) in report["outcomes"].as_array().unwrap().iter().enumerate() {
        let script = out.join(format!("tests/{:03}.sh", index + 1));
        let output = Command::new("sh").arg(&script).output().unwrap();
        if outcome["replay"] == "agrees" {
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                outcome["stdout"].as_str().unwrap()
            );
            assert_eq!(output.status.code().map(i64::from), outcome["status"].as_i64());
        }
        assert!(fs::read(script.with_extension("ktest")).unwrap().starts_with(b"KTEST"));
    }
    let lines = fs::read_to_string(out.join("tests.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 5);
    // The tests declare what varies: integers, so that the same paths are found again, and two more
    // with fewer arguments and with more.
    let again =
        desk.report(&["t.c", "--tests", "found/here/tests.jsonl", "--out", "found/here"], 1);
    assert_eq!((&again["paths"], &again["inputs"]["origin"]), (&7.into(), &"tests".into()));
    let left: Vec<_> = fs::read_dir(desk.path().join("found")).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing is left beside the result: {left:?}");
}

#[test]
fn a_directory_of_somebody_else_is_left_alone() {
    let desk = desk_with(&[("t.c", TRIANGLE), ("file", "x")]);
    fs::create_dir(desk.path().join("mine")).unwrap();
    fs::write(desk.path().join("mine/report.json"), "{}").unwrap();
    for (name, words) in
        [("mine", "not a result of `ripple explore`"), ("file", "cannot read file")]
    {
        let said = desk.run(&[INTS, &["--out", name]].concat());
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
        assert!(said.err.contains(words) && said.err.contains(name), "{}", said.err);
        assert_eq!(said.err.lines().count(), 1, "{}", said.err);
    }
    assert_eq!(fs::read_to_string(desk.path().join("mine/report.json")).unwrap(), "{}");
}

#[test]
fn coverage_is_written_as_lcov_has_it() {
    let desk = desk_with(&[("t.c", TRIANGLE)]);
    desk.run(&[INTS, &["--lcov", "t.info"]].concat());
    let text = fs::read_to_string(desk.path().join("t.info")).unwrap();
    let path = fs::canonicalize(desk.path()).unwrap().join("t.c");
    let expected = [
        format!("SF:{}\n", path.display()),
        "FN:3,main\nFNDA:5,main\nFNF:1\nFNH:1\n".to_owned(),
        "BRDA:6,0,0,1\nBRDA:6,0,1,1\nBRDA:8,1,0,1\nBRDA:8,1,1,1\nBRF:4\nBRH:4\n".to_owned(),
        "DA:6,5\nDA:7,1\n".to_owned(),
        "end_of_record\n".to_owned(),
    ];
    for part in expected {
        assert!(text.contains(&part), "no {part:?} in {text}");
    }
}

#[test]
fn every_mistake_is_one_sentence() {
    let tests = "{\"args\": [\"1\", \"2\"]}\n\n{\"arg\": []}\n";
    let function =
        "static int twice(int n) { return 2 * n; }\nint main(void) { return twice(1); }\n";
    let files =
        [("t.c", TRIANGLE), ("f.c", function), ("bad.jsonl", tests), ("empty.txt", "# none\n")];
    let desk = desk_with(&files);
    let cases: &[(&[&str], &[&str])] = &[
        (&["t.c", "--arg", "integer"], &["`--arg integer`", "int", "str:N"]),
        (&["t.c", "--arg", "int:9..1"], &["`--arg int:9..1`", "range is empty"]),
        (&["t.c", "--arg", "str:many"], &["`--arg str:many`", "not a length"]),
        (&["t.c", "--stdin", "lines:2"], &["`--stdin lines:2`"]),
        (&["t.c", "--file", "../x=int"], &["`--file ../x=int`", "without `..`"]),
        (&["t.c", "--file", "x"], &["`--file x`", "there is no `=`"]),
        (&["t.c", "--args-max", "0"], &["--args-max must be between 1"]),
        (&["t.c", "--args-max", "x"], &["`--args-max x` is not a number"]),
        (&["t.c", "--param", "n=int"], &["--param", "--entry"]),
        (&["t.c", "--global", "n"], &["--global", "--entry"]),
        (&["f.c", "--entry", "twice", "--arg", "int"], &["--param", "--arg"]),
        (&["f.c", "--entry", "twice", "--param", "m=int"], &["no parameter `m`", "mean `n`"]),
        (&["f.c", "--entry", "twice", "--param", "n=buf:3"], &["`n` has the type `int`"]),
        (&["f.c", "--entry", "twcie"], &["no function `twcie`", "did you mean `twice`"]),
        (&["f.c", "--entry", "main"], &["`main` cannot be the entry"]),
        (&["f.c", "--entry", "twice", "--global", "g"], &["no global variable `g`"]),
        (&["t.c", "--tests", "bad.jsonl"], &["bad.jsonl:3:", "no key `arg`", "mean `args`"]),
        (&["t.c", "--tests", "empty.txt"], &["empty.txt: there are no tests"]),
        (&["t.c", "--tests", "none.jsonl"], &["none.jsonl", "cannot read"]),
        (&["t.c", "--budget", "0"], &["`--budget 0` leaves no time"]),
        (&["t.c", "--budget", "0ms"], &["`--budget 0ms` leaves no time"]),
        (&["t.c", "--budget", "soon"], &["`--budget soon` is not a time", "30s"]),
        (&["t.c", "--budget", "-1s"], &["`--budget -1s` is not a time"]),
        (&["t.c", "--max-solver-time", "0s"], &["`--max-solver-time 0s`"]),
        (&["t.c", "--max-runs", "0"], &["`--max-runs 0` leaves nothing"]),
        (&["t.c", "--jobs", "0"], &["`--jobs 0`"]),
        (&["none.c"], &["none.c"]),
    ];
    for (args, words) in cases {
        desk.refuses(&[*args, &["--out", "new", "--lcov", "new.info"]].concat(), words);
    }
}

#[test]
fn a_program_that_does_not_build_is_told_by_the_exit_code() {
    let desk = desk_with(&[
        ("bad.c", "int main(void) { return x; }\n"),
        ("lost.c", "int lost(int);\nint main(int c, char **v) { return lost(c); }\n"),
        ("half.c", "int f(int n) { return n; }\n"),
    ]);
    for file in ["bad.c", "lost.c", "half.c"] {
        let said = desk.run(&[file, "--out", "new"]);
        assert_eq!((said.code, said.out.as_str()), (4, ""), "{file}: {}", said.err);
    }
    assert!(!desk.path().join("new").exists());
}

#[test]
fn without_atoms_and_tests_the_report_says_what_was_assumed() {
    let program = "#include <stdio.h>\n\
        int main(int c, char **v) { return c != 3 ? 1 : v[1][0] == 'x' ? 2 : getchar() == 'y'; }\n";
    let desk = desk_with(&[("p.c", program)]);
    let said = desk.run(&["p.c"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("two arguments of up to 4 bytes and up to 8 bytes"), "{}", said.out);
    let report = desk.report(&["p.c"], 0);
    assert_eq!(report["inputs"]["origin"], "unspecified");
}

#[test]
fn tests_outside_of_the_space_are_listed_not_lost() {
    let desk = desk_with(&[("t.c", TRIANGLE), ("tests.txt", "1 2\n3 x\n4\n-5 -5\n")]);
    let args = [INTS, &["--tests", "tests.txt"]].concat();
    let report = desk.report(&args, 1);
    let left_out = report["inputs"]["tests_left_out"].as_array().unwrap();
    let told: Vec<(u64, &str)> = left_out
        .iter()
        .map(|test| (test["test"].as_u64().unwrap(), test["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!((told[0].0, told[1].0), (2, 3));
    assert!(told[0].1.contains("`x` is not a plain decimal number"), "{told:?}");
    assert!(desk.run(&args).out.contains("note: test 2 is skipped, because "));
}

#[test]
fn what_no_run_can_finish_is_inconclusive() {
    let load = "#include <dlfcn.h>\nint main(void) { return !dlopen(\"x\", 1); }\n";
    let endless = "int main(void) { for (;;) ; }\n";
    let desk = desk_with(&[("load.c", load), ("endless.c", endless)]);
    let report = desk.report(&["load.c", "--arg", "int"], 3);
    let reason = &report["incomplete_because"][0];
    assert_eq!((&reason["kind"], &reason["line"]), (&"unsupported".into(), &2.into()));
    assert!(reason["message"].as_str().unwrap().contains("dlopen"), "{reason}");
    assert_eq!(reason["file"], "load.c");
    let report = desk.report(&["endless.c", "--arg", "int", "--max-steps", "1000"], 3);
    assert_eq!(report["incomplete_because"][0]["kind"], "bound");
    assert_eq!(report["ends"]["bound"], 1);
}

/// As many paths as there are choices of bytes, and some work on each.
const ENDLESS: &str = "\
#include <stdio.h>
int main(void) {
    int c, sum = 0;
    while ((c = getchar()) != EOF)
        sum = c > 'm' ? sum * 3 + c : sum + 1;
    return sum & 1;
}
";

#[test]
fn a_budget_ends_it_with_what_was_found() {
    let desk = desk_with(&[("e.c", ENDLESS)]);
    let base = ["e.c", "--stdin", "bytes:200", "--max-tests", "20"];
    let start = Instant::now();
    let report = desk.report(&[&base[..], &["--budget", "1s"]].concat(), 0);
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(report["complete"], false);
    assert_eq!(report["tests"].as_array().unwrap().len(), 20);
    assert!(report["paths_without_test"].as_u64().unwrap() > 0);
    let kinds = |report: &Value| -> Vec<String> {
        let reasons = report["incomplete_because"].as_array().unwrap().iter();
        reasons.map(|reason| reason["message"].as_str().unwrap().to_owned()).collect()
    };
    assert!(kinds(&report).contains(&"the time budget ran out".to_owned()));
    let report = desk.report(&[&base[..], &["--max-runs", "50", "--jobs", "1"]].concat(), 0);
    assert_eq!(kinds(&report), ["the run budget ran out"]);
    assert_eq!(report["effort"]["runs"], 50);
    let random = [&base[..], &["--max-runs", "500", "--strategy", "random"]].concat();
    let report = desk.report(&random, 0);
    assert!(kinds(&report).contains(&"inputs were drawn at random".to_owned()));
    let again = desk.report(&random, 0);
    assert_eq!(report["tests"], again["tests"], "the seed decides");
}

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

#[test]
fn an_interrupt_ends_it_with_what_was_found() {
    let desk = desk_with(&[("e.c", ENDLESS)]);
    // Built before, so that the interrupt occurs during the exploration.
    desk.run(&["e.c", "--stdin", "bytes:1"]);
    let args = ["e.c", "--stdin", "bytes:200", "--max-tests", "20", "--format", "json"];
    let mut command = desk.command(&args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let start = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reasons = report["incomplete_because"].as_array().unwrap();
    assert!(reasons.iter().any(|reason| reason["kind"] == "interrupted"), "{reasons:?}");
    assert!(report["paths"].as_u64().unwrap() > 0);
}

const FUNCTIONS: &str = "\
struct point { int x; double y; };
struct big { long cells[5]; };
enum color { RED, GREEN = 5 };
int depth;
static int clamp(int v, int low, int high) {
    if (v < low)
        return low;
    return v > high ? high : v;
}
int sum(const int *values, unsigned count) {
    int sum = 0;
    for (unsigned i = 0; i < count; i++)
        if (values[i] > 10)
            sum += values[i];
    return sum;
}
struct point shift(struct point p, struct point *q) {
    if (q->x > p.x) {
        q->x = 0;
        p.y += 1.5;
    }
    return p;
}
struct big grow(struct big b, int k) {
    if (k == 3)
        b.cells[k] = 7;
    return b;
}
int replace(char *s) {
    int count = 0;
    for (; *s; s++)
        if (*s == 'a') {
            *s = 'b';
            count++;
        }
    return count;
}
double half(double x) { return x > 100.0 ? x / 2 : x; }
float third(float x) { return x < 0.5f ? x : x / 3; }
long double wide(long double x) { return x; }
_Bool warm(enum color c) { return c == RED; }
void deeper(int *p) { if (depth > 2) *p = depth; }
int *choose(int *a, int *b, int first) { return first ? a : b + 1; }
int main(void) { return clamp(3, 1, 2); }
";

/// Explores a function; everything must be replayed with the same outcome.
fn check_function(desk: &Desk, args: &[&str], paths: u64) -> Value {
    let report = desk.report(&[&["f.c", "--entry"], args].concat(), 0);
    assert_eq!(report["paths"], paths, "{args:?}: {report:#}");
    assert_eq!(report["complete"], true, "{args:?}: {report:#}");
    for outcome in report["outcomes"].as_array().unwrap() {
        assert_eq!((&outcome["replay"], &outcome["end"]), (&"agrees".into(), &"return".into()));
    }
    report
}

#[test]
fn functions_of_many_types_do_natively_what_they_do_here() {
    let desk = desk_with(&[("f.c", FUNCTIONS)]);
    check_function(&desk, &["clamp"], 3);
    check_function(&desk, &["sum", "--param", "values=buf:2", "--param", "count=int:0..2"], 7);
    check_function(&desk, &["shift"], 2);
    check_function(&desk, &["grow"], 2);
    check_function(&desk, &["replace", "--param", "s=str:2"], 7);
    check_function(&desk, &["half"], 2);
    check_function(&desk, &["third"], 2);
    check_function(&desk, &["wide"], 1);
    let warm = check_function(&desk, &["warm"], 1);
    assert_eq!(warm["coverage"]["functions"], serde_json::json!({"covered": 1, "total": 1}));
    check_function(&desk, &["deeper", "--global", "depth=int:0..5"], 2);
    let chosen = check_function(&desk, &["choose", "--param", "a=buf:1", "--param", "b=buf:1"], 2);
    let results: Vec<&str> = chosen["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| outcome["result"].as_str().unwrap().lines().next().unwrap())
        .collect();
    assert!(results.contains(&"return &*a+0") && results.contains(&"return &*b+4"), "{results:?}");
}

#[test]
fn a_fault_of_a_function_is_shown_as_a_call() {
    let desk = desk_with(&[("f.c", FUNCTIONS)]);
    let args = ["f.c", "--entry", "sum", "--param", "values=buf:2", "--param", "count=int:0..3"];
    let said = desk.run(&[&args[..], &["--out", "found"]].concat());
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.out.contains(" = input: sum(values = {0, 0}, count = 3)\n"), "{}", said.out);
    assert!(said.out.contains("AddressSanitizer: heap-buffer-overflow\n"), "{}", said.out);
    let lines = fs::read_to_string(desk.path().join("found/tests.jsonl")).unwrap();
    assert!(lines.contains("\"params\": {\"values\": [0, 0], \"count\": 3}"), "{lines}");
    let last = lines.lines().count();
    let script = desk.path().join(format!("found/tests/{last:03}.sh"));
    let output = Command::new("sh").arg(script).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("return ") && shown.contains("\n*values "), "{shown}");
    // Written tests are in the space that they come from.
    let again = desk.report(&[&args[..], &["--tests", "found/tests.jsonl"]].concat(), 1);
    assert_eq!(again["inputs"]["tests_left_out"], serde_json::json!([]));
}

#[test]
fn a_program_of_several_files_can_be_entered_anywhere() {
    let main = "int twice(int);\nint main(int c, char **v) { return twice(c); }\n";
    let part = "static int same(int n) { return n > 5 ? n : -n; }\n\
        int twice(int n) { return 2 * same(n); }\n";
    let desk = desk_with(&[("main.c", main), ("part.c", part)]);
    let report = desk.report(&["main.c", "part.c", "--entry", "same"], 0);
    assert_eq!((&report["paths"], &report["complete"]), (&2.into(), &true.into()));
    let report = desk.report(&["main.c", "part.c", "--args-max", "8", "--arg", "str:1"], 0);
    assert_eq!(report["paths"], 2, "{report:#}");
}

#[test]
fn a_program_that_reads_what_it_never_wrote_is_no_failure_of_ours() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\n\
        int main(int c, char **v) { unsigned char *p = malloc(4096); p[0] = 1;\n\
        if (v[1][0] == 'x') printf(\"%p\\n\", (void *)p); return p[100]; }\n";
    let desk = desk_with(&[("u.c", program)]);
    let report = desk.report(&["u.c", "--arg", "str:1"], 0);
    assert_eq!(report["internal_errors"], serde_json::json!([]));
    let outcomes = report["outcomes"].as_array().unwrap();
    assert!(outcomes.iter().any(|outcome| outcome["replay"] == "undetermined"), "{report:#}");
}

#[test]
fn what_depends_on_the_clock_is_no_failure_of_ours() {
    let program = "#include <stdio.h>\n#include <time.h>\n\
        int main(void) { printf(\"%ld\\n\", (long)time(0)); return 0; }\n";
    let desk = desk_with(&[("c.c", program)]);
    let said = desk.run(&["c.c", "--arg", "int"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(
        said.out.contains("(it calls `time`, whose result is not part of the input)"),
        "{}",
        said.out
    );
}

#[test]
fn a_difference_to_the_native_program_is_an_internal_error_with_both_outcomes() {
    // The harness renames `main` by a macro; nobody else does.
    let program = "#include <stdio.h>\nint f(int n) {\n#ifdef main\n puts(\"native\");\n return n;\n\
        #else\n puts(\"here\");\n return n + 1;\n#endif\n}\n";
    let desk = desk_with(&[("d.c", program)]);
    let args = ["d.c", "--entry", "f", "--param", "n==1"];
    let said = desk.run(&args);
    assert_eq!(said.code, 2, "{}", said.out);
    let parts = [
        "internal error: Ripple and the native program differ",
        "= input: f(n = 1)\n",
        "= standard output: \"here\\n\"\n  = standard output natively: \"native\\n\"\n",
        "= result: \"return 00000002\\n\"\n  = result natively: \"return 00000001\\n\"\n",
    ];
    for part in parts {
        assert!(said.out.contains(part), "no {part:?} in {}", said.out);
    }
    assert!(said.err.contains("differ in the outcome of 1 of 1 tests"), "{}", said.err);
    let report = desk.report(&args, 2);
    let error = &report["internal_errors"][0];
    assert_eq!(error["differs"], serde_json::json!(["stdout", "result"]));
    assert_eq!(
        (&error["machine"]["stdout"], &error["native"]["stdout"]),
        (&"here\n".into(), &"native\n".into())
    );
}

#[test]
fn arguments_may_be_any_bytes() {
    let program = "#include <stdio.h>\nint main(int c, char **v) {\n\
        if ((unsigned char)v[1][0] == 0xff) { puts(v[1]); return 3; }\n return 0; }\n";
    let desk = desk_with(&[("b.c", program)]);
    let report = desk.report(&["b.c", "--arg", "str:=1", "--out", "found"], 0);
    assert_eq!((&report["paths"], &report["internal_errors"]), (&2.into(), &Value::Array(vec![])));
    let outcomes = report["outcomes"].as_array().unwrap();
    let odd = outcomes.iter().position(|outcome| outcome["status"] == 3).unwrap();
    let script = desk.path().join(format!("found/tests/{:03}.sh", odd + 1));
    let output = Command::new("sh").arg(script).output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(3), &b"\xff\n"[..]));
}

#[test]
fn the_number_of_jobs_does_not_change_what_is_found() {
    let desk = desk_with(&[("t.c", TRIANGLE)]);
    let one = desk.report(&[INTS, &["--jobs", "1"]].concat(), 1);
    let three = desk.report(&[INTS, &["--jobs", "3", "--search", "depth"]].concat(), 1);
    assert_eq!((&one["paths"], &one["coverage"]), (&three["paths"], &three["coverage"]));
}

//! Parameters that are the same object: what `--alias` tries, and how reports describe differences
//! that need it.

use serde_json::{Value, json};

use crate::desk::{Desk, said};

const MAIN: &str = "int main(void) { return 0; }\n";
const ONE_EACH: [&str; 4] = ["--param", "a=buf:1", "--param", "b=buf:1"];

fn pair(old: &str, new: &str) -> Desk {
    Desk::pair(&format!("{old}\n{MAIN}"), &format!("{new}\n{MAIN}"))
}

/// Swaps two numbers, with a third variable and without.
fn exchange(pointer: &str) -> Desk {
    let head = format!("void swap({pointer} a, {pointer} b)");
    pair(
        &format!("{head} {{ int t = *a; *a = *b; *b = t; }}"),
        &format!("{head} {{ *a ^= *b; *b ^= *a; *a ^= *b; }}"),
    )
}

fn swap<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [&["old.c", "new.c", "--entry", "swap", "--budget", "10s"], &ONE_EACH[..], flags].concat()
}

fn assumes(report: &Value, name: &str) -> bool {
    report["guarantee"]["assumes"].as_array().unwrap().contains(&json!(name))
}

#[test]
fn a_difference_that_needs_the_same_object_says_so_everywhere() {
    let desk = exchange("int *");
    // Without aliases they are equal, and the assumptions say so.
    let report = desk.report(&swap(&[]), 0);
    assert_eq!(report["verdict"], "equal");
    assert!(assumes(&report, "separate_memory"));
    assert_eq!(report["space"]["aliases"], json!([]));
    let report = desk.report(&swap(&["--alias", "--emit", "c"]), 1);
    assert_eq!(report["space"]["aliases"], json!([["a", "b"]]));
    let witness = &report["witnesses"][0];
    assert_eq!(witness["same_object"], json!([["a", "b"]]), "{witness}");
    assert_eq!(witness["input"]["params"]["b"], json!({"pointer": "a+0"}));
    let needs = "needs `a` and `b` to be the same object";
    let text = desk.read("ripple.out/report.txt");
    assert!(text.contains(needs) && text.contains("only where parameters are the same"), "{text}");
    for file in ["report.md", "report.html", "report.sarif"] {
        let text = desk.read(&format!("ripple.out/{file}")).replace('\\', "");
        assert!(text.contains(needs), "{file}: {text}");
    }
    // The script shows it natively, and so does the kept test.
    let script = desk.script("witness-001.sh");
    assert!(script.out.contains("*a 00000000"), "{}{}", script.out, script.err);
    let tests = std::fs::read_dir(desk.path().join("ripple.out/tests")).unwrap();
    let test = tests.map(|entry| entry.unwrap().path()).find(|path| path.extension().is_some());
    let test = test.unwrap();
    for (version, code) in [("old.c", 0), ("new.c", 1)] {
        let source = format!("-DSOURCE=\"{}\"", desk.path().join(version).display());
        let program = desk.path().join("kept");
        let mut build = std::process::Command::new("clang");
        build.args(["-w", &source, "-o"]).arg(&program).arg(&test);
        assert_eq!(said(&mut build).code, 0);
        assert_eq!(said(&mut std::process::Command::new(&program)).code, code, "{version}");
    }
    // The input works as a test.
    std::fs::copy(desk.path().join("ripple.out/tests.jsonl"), desk.path().join("again.jsonl"))
        .unwrap();
    let report = desk.report(&swap(&["--alias", "--tests", "again.jsonl"]), 1);
    assert_eq!(report["witnesses"][0]["found_by"], "tests");
    let said = desk.run(&swap(&["--tests", "again.jsonl"]));
    assert_eq!(said.code, 0, "{}", said.out);
    said.has(&["test 1 is skipped", "--alias"]);
}

#[test]
fn one_parameter_can_be_declared_the_same_as_another() {
    let desk = exchange("int *");
    let flags = ["old.c", "new.c", "--entry", "swap", "--budget", "10s", "--param", "a=buf:1"];
    let said = desk.run(&[&flags[..], &["--param", "b=same:a"]].concat());
    assert_eq!(said.code, 1, "{}", said.out);
    assert!(!said.out.contains("needs `a`"), "nothing else was tried: {}", said.out);
    let refused = [&flags[..], &["--param", "b=same:b"]].concat();
    desk.refuses(&refused, &["`b`", "same type"]);
    desk.refuses(&["old.c", "new.c", "--alias"], &["--alias", "--entry"]);
}

#[test]
fn restricted_pointers_are_never_the_same() {
    let desk = exchange("int *restrict");
    let report = desk.report(&swap(&["--alias"]), 0);
    assert_eq!(report["space"]["aliases"], json!([]));
    assert!(assumes(&report, "separate_memory"));
}

#[test]
fn what_is_equal_for_the_same_object_too_takes_less_for_granted() {
    let old = "int add(const int *a, const int *b, int *to) { *to = *a; *to += *b; return *a; }";
    let new = "int add(const int *a, const int *b, int *to)\n\
               { int x = *a; *to = x; x = *b; *to += x; return *a; }";
    let desk = pair(old, new);
    let param = ["--param", "to=buf:1"];
    let flags = [&["old.c", "new.c", "--entry", "add", "--alias"], &ONE_EACH[..], &param].concat();
    let report = desk.report(&flags, 0);
    assert_eq!(report["space"]["aliases"], json!([["a", "b"], ["a", "to"], ["b", "to"]]));
    assert!(assumes(&report, "no_overlap") && !assumes(&report, "separate_memory"));
    let verified = said(&mut desk.ripple(&[&["verify", "--format", "json"], &flags[..]].concat()));
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    // A difference that shows without aliases is not said to need them.
    let desk = pair(old, &new.replace("return *a", "return *a + 1"));
    let report = desk.report(&flags, 1);
    for witness in report["witnesses"].as_array().unwrap() {
        assert_eq!(witness["same_object"], json!([]), "{witness}");
    }
}

#[test]
fn an_end_goes_with_its_beginning_into_the_other_object() {
    let count = |goes_on: &str| {
        format!(
            "int count(char *to, const char *s, const char *end) {{ int n = 0;\n\
             while ({goes_on} && *s) {{ *to = 'x'; n += *s == 'x'; s++; }} return n; }}"
        )
    };
    let desk = pair(&count("s < end"), &count("s != end"));
    let params = ["--param", "to=str:2", "--param", "s=str:2"];
    let flags = ["old.c", "new.c", "--entry", "count", "--alias", "--budget", "20s"];
    let report = desk.report(&[&flags[..], &params].concat(), 0);
    assert_eq!(report["verdict"], "equal");
    assert_eq!(report["space"]["aliases"], json!([["to", "s"]]));
}

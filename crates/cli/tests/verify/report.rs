//! The JSON report has the members that the documentation lists, and no others; everything is
//! the same each time.

use serde_json::{Value, json};

use super::{program, verified, verify};
use crate::desk::Desk;
use crate::interrupted::deciding;
use crate::members::{Members, Objects, collect, documented};

const DOCUMENTATION: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/verify.md"));

/// Members whose values are objects that have a table of their own.
const OBJECTS: &Objects = &[
    ("report", "versions", "version"),
    ("report", "space", "space"),
    ("report", "invalid_inputs", "invalid inputs"),
    ("report", "counts", "counts"),
    ("report", "shares", "shares"),
    ("report", "differs_when", "differs when"),
    ("report", "partitions", "partition"),
    ("report", "steps", "step"),
    ("report", "hunks", "step hunks"),
    ("step hunks", "hunks", "hunk"),
    ("hunk", "conditions", "condition"),
    ("hunk", "reached", "hunk runs"),
    ("report", "positions", "position"),
    ("report", "check", "check"),
    ("report", "effort", "effort"),
    ("space", "tests_left_out", "test left out"),
    ("shares", "uniform", "share"),
    ("shares", "tests", "share"),
    ("share", "equal", "portion"),
    ("share", "left", "portion"),
    ("step", "shares", "step shares"),
    ("step shares", "equal", "portion"),
    ("partition", "changes", "place"),
    ("partition", "stops", "place"),
    ("partition", "native", "native run"),
];

fn desk() -> Desk {
    let version = |code: &str| {
        let extra = format!("#ifdef EXTRA\n  b = {code};\n#endif\n");
        program("i", &format!("  int b = {code};\n  if (b > 0)\n    o = b;\n{extra}"))
    };
    let desk = Desk::with(&[
        ("a.c", &version("i")),
        ("b.c", &version("i + 1")),
        ("c.c", &version("i + 2")),
    ]);
    desk.write(&[("tests.jsonl", "{\"args\": [\"3\"]}\n{\"args\": [\"no\"]}\n")]);
    desk
}

/// The report on three versions, the second of which has two more lines above a position.
fn moved() -> Value {
    let text = |code: &str| {
        let main =
            "int main(int argc, char **argv) { return argc > 1 ? place(atoi(argv[1])) : 0; }";
        format!("#include <stdlib.h>\n{code}\n{main}\n")
    };
    let placed = "int place(int x) { return x > 5 ? __LINE__ : 0; }";
    let lower = format!("/* Where\n   it is. */\n{placed}");
    let desk = Desk::with(&[
        ("a.c", &text(placed)),
        ("b.c", &text(&lower)),
        ("c.c", &text(&lower.replace("x > 5", "x > 6"))),
    ]);
    verified(&desk, &["a.c", "b.c", "c.c", "--arg", "int:0..9"], 1)
}

#[test]
fn positions_that_do_not_count_are_listed_with_their_version() {
    let report = moved();
    let at = |version: usize, file: &str| json!({"version": version, "file": file, "line": 4, "macro": "__LINE__"});
    assert_eq!(report["positions"], json!([at(1, "b.c"), at(2, "c.c")]));
    let step = |number: usize| &report["hunks"][number]["reach"];
    assert_eq!([step(0), step(1)], ["no_change", "reached"]);
}

#[test]
fn the_documented_members_are_those_that_appear() {
    let desk = desk();
    let flags = ["--arg", "int:-9..9", "--tests", "tests.jsonl", "--check", "2", "--golden-last"];
    let report = verified(&desk, &[&["a.c", "b.c", "c.c"], &flags[..]].concat(), 1);
    assert_eq!(report["schema"], "ripple.verify/1");
    let mut seen = Members::new();
    collect(OBJECTS, "report", &report, &mut seen);
    let two = verified(&desk, &["a.c", "b.c", "--arg", "int:-9..9"], 1);
    collect(OBJECTS, "report", &two, &mut seen);
    collect(OBJECTS, "report", &super::invalid::report(), &mut seen);
    collect(OBJECTS, "report", &moved(), &mut seen);
    // A violation would be a bug in Ripple, so there is no example of one.
    let mut documented = documented(DOCUMENTATION);
    assert!(documented.remove("violation").is_some());
    assert_eq!(seen, documented);
}

#[test]
fn where_there_are_very_many_partitions_the_equal_ones_are_only_counted() {
    let desk = deciding(12, super::resuming::DIFFERENT);
    let mut args = vec!["old.c", "new.c", "--max-runs", "2300"];
    args.extend(["--arg", "int"].repeat(12));
    let report = verified(&desk, &args, 1);
    let counts = &report["counts"];
    let number = |name: &str| counts[name].as_u64().unwrap();
    let different = number("different") + number("not_replayed");
    let omitted = report["partitions_omitted"].as_u64().unwrap();
    assert_eq!(report["partitions"].as_array().unwrap().len(), 2000);
    assert_eq!(different + number("equal"), 2000 + omitted);
    let told = report["partitions"].as_array().unwrap().iter();
    let told = told.filter(|one| one["verdict"] != "equal").count() as u64;
    assert_eq!((told, number("different")), (different, 200), "{counts}");
    let text = desk.read("ripple.verify/verify.txt");
    assert!(text.contains(&format!("… and {omitted} more that are only counted")), "{text}");
}

/// Names and output of programs and files stay text.
#[test]
fn the_page_obeys_nothing_that_programs_write() {
    let version = |mark: &str| {
        let code = format!("  if (i > 3) puts(\"<script>alert({mark})</script>\\033[31m\");");
        program("i", &code)
    };
    let desk = Desk::with(&[("<b>a.c", &version("1")), ("b.c", &version("2"))]);
    let said = verify(&desk, &["<b>a.c", "b.c", "--arg", "int:0..9"]);
    assert_eq!(said.code, 1, "{}", said.err);
    said.has(&["v0 shows <script>alert(1)</script>\\x1b[31m", "v0: <b>a.c"]);
    assert!(!said.out.contains('\x1b'));
    let page = desk.read("ripple.verify/verify.html");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains("<b>") && !page.contains('\x1b'));
    assert!(page.contains("default-src 'none'") && page.contains("script-src 'sha256-"));
}

#[test]
fn the_same_command_says_the_same() {
    let desk = desk();
    let args = ["a.c", "b.c", "c.c", "--arg", "int", "--check", "3"];
    let files = ["verify.json", "verify.html", "state.txt"];
    let written = || {
        assert_eq!(verify(&desk, &args).code, 1);
        files.map(|name| desk.read(&format!("ripple.verify/{name}")))
    };
    let (first, second) = (written(), written());
    assert_eq!(first, second);
    let printed = verify(&desk, &[&args[..], &["--format", "json"]].concat()).out;
    assert_eq!(printed, first[0]);
}

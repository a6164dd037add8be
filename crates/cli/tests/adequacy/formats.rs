//! All formats: members, schemas, files, exit codes, and what goes where.

use std::fs;

use serde_json::Value;
use testkit::desk::{Desk, Said, said};

use crate::cases::{directory, tests};
use crate::members::{Members, Objects, collect, documented};
use crate::valid::check;

const DOCUMENTATION: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/adequacy.md"));

/// Members whose values are objects that have a table of their own.
const OBJECTS: &Objects = &[
    ("report", "lines", "line"),
    ("line", "place", "place"),
    ("line", "counts", "counts"),
    ("line", "chains", "chain"),
    ("chain", "step", "step"),
    ("step", "from", "place"),
    ("step", "to", "place"),
    ("report", "hunks", "hunk"),
    ("hunk", "counts", "counts"),
    ("report", "coverage", "coverage"),
    ("report", "missing", "missing"),
    ("missing", "change", "place"),
    ("missing", "steps", "step"),
    ("report", "mutants", "mutant"),
    ("mutant", "place", "place"),
    ("report", "tests", "test"),
    ("report", "limits", "limit"),
    ("selection", "selected", "selected test"),
];

/// The pair of a case, with tests.
fn desk(case: &str, words: &str) -> (Desk, &'static str) {
    let desk = Desk::of(&["adequacy"], &[]);
    for name in ["old.c", "new.c"] {
        desk.write(&[(name, &fs::read_to_string(directory().join(case).join(name)).unwrap())]);
    }
    let (name, text) = tests(words);
    desk.write(&[(name, &text)]);
    (desk, name)
}

fn run(desk: &Desk, flags: &[&str]) -> Said {
    desk.run(&[&["old.c", "new.c"], flags].concat())
}

#[test]
fn the_documented_members_are_those_that_appear() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let (desk, tests) = desk("bin_both", "3 1 | 1 9 | x y");
    let flags = ["old.c", "new.c", "--tests", tests, "--arg", "int", "--arg", "int", "--mutants"];
    let report = desk.report(&flags, 3);
    assert_eq!(report["schema"], "ripple.adequacy/1");
    assert_eq!(report["limits"][0]["kind"], "tests", "{report}");
    let mut seen = Members::new();
    collect(OBJECTS, "report", &report, &mut seen);
    let mut select =
        desk.ripple(&["select", "old.c", "new.c", "--tests", tests, "--format", "json"]);
    let selected: Value = serde_json::from_str(&said(&mut select).out).unwrap();
    assert_eq!(selected["schema"], "ripple.select/1");
    collect(OBJECTS, "selection", &selected, &mut seen);
    assert_eq!(seen, documented(DOCUMENTATION));
    let written: Value = serde_json::from_str(&desk.read("ripple.adequacy/adequacy.json")).unwrap();
    assert_eq!(written, report);
}

#[test]
fn a_sarif_log_has_the_missing_requirements_at_their_lines() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let (desk, tests) = desk("bin_both", "3 1");
    let said = run(&desk, &["--tests", tests, "--format", "sarif", "--no-out"]);
    assert_eq!(said.code, 1, "{}", said.err);
    let log: Value = serde_json::from_str(&said.out).unwrap();
    check(&log, &said.out);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let found: Vec<(&str, u64)> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "new.c");
            let line = place["region"]["startLine"].as_u64().unwrap();
            (result["ruleId"].as_str().unwrap(), line)
        })
        .collect();
    for wanted in [("change-not-alone", 15), ("effect-not-tested", 11)] {
        assert!(found.contains(&wanted), "{found:?}");
    }
    let (desk, tests) = self::desk("bin_apart", "1 1");
    let said = run(&desk, &["--tests", tests, "--format", "sarif", "--no-out"]);
    let log: Value = serde_json::from_str(&said.out).unwrap();
    check(&log, &said.out);
    assert!(said.out.contains("\"change-not-executed\""), "{}", said.out);
}

#[test]
fn text_and_markdown_have_the_verdict_the_counts_and_what_is_missing() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let (desk, tests) = desk("bin_first", "3 1 | 1 9 | 3 9");
    let said = run(&desk, &["--tests", tests, "--no-out"]);
    assert_eq!(said.code, 1, "{}", said.err);
    said.has(&[
        "inadequate: of 1 changed line, tests show a difference for 0 (3 of 3 tests reach the change)\n",
        "   1  new.c:11         3       3          0      0          0.0 %  if (x > 2)\n",
        "  STMT        100.0 %  1 of 1",
        "  OUT           0.0 %  0 of 1",
        "no test takes line 16 to line 19 (false) after 11 -[false]-> 14 -[y]-> 16",
        "    ● true → line 12  2/2\n",
        "        ◐ false → line 19  1/0\n",
        "        ○ false → line 19\n",
    ]);
    let said = run(&desk, &["--tests", tests, "--no-out", "--format", "markdown"]);
    assert!(said.out.starts_with("**Ripple: tests are inadequate.** "), "{}", said.out);
    said.has(&[
        "| `new.c:11` | 3 | 3 | 0 | 0 |\n",
        "| STMT | 1 of 1 | changed statements |\n",
        "<details><summary>4 missing requirements</summary>\n\n- `new.c:11: ",
        "</details>",
    ]);
}

#[test]
fn an_adequate_suite_exits_with_0_and_thresholds_decide_otherwise() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    // Both decisions with a difference: y0 = 2, and every chain of length 1.
    let (desk, tests) = desk("bin_first", "3 2 | 1 2");
    let said = run(&desk, &["--tests", tests, "--no-out", "--distance", "1"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&["adequate: 2 tests satisfy every requirement of 1 changed line up to distance 1\n"]);
    let under = |flags: &[&str]| {
        let said =
            run(&desk, &[&["--tests", tests, "--no-out", "--distance", "3"], flags].concat());
        (said.code, said.err)
    };
    assert_eq!(under(&[]).0, 1);
    assert_eq!(under(&["--fail-under", "STMT:100", "--fail-under", "out:100"]), (0, String::new()));
    // Two of four chains of length 3, and two more each of length 1 and 2.
    assert_eq!(under(&["--fail-under", "CHAIN:75"]).0, 0);
    let (code, err) = under(&["--fail-under", "CHAIN:76", "--fail-under", "PROP:10"]);
    assert_eq!((code, err.as_str()), (1, "CHAIN is 75.0 %, below 76 %\n"));
    let said = run(&desk, &["--fail-under", "LINE:50"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("`LINE` is none of STMT, BR, DU, CHAIN, PROP, OUT"), "{}", said.err);
}

#[test]
fn the_directory_has_every_format_and_the_same_command_writes_the_same() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let (desk, tests) = desk("bin_both", "grid 4 4");
    let files = ["adequacy.json", "adequacy.txt", "adequacy.html", "adequacy.sarif"];
    let written = || {
        let said = run(&desk, &["--tests", tests, "--mutants"]);
        assert_eq!(said.code, 1, "{}", said.err);
        assert_eq!(said.err, "wrote ripple.adequacy\n");
        let names = fs::read_dir(desk.path().join("ripple.adequacy")).unwrap();
        assert_eq!(names.count(), files.len());
        (said.out, files.map(|name| desk.read(&format!("ripple.adequacy/{name}"))))
    };
    let (first, second) = (written(), written());
    assert_eq!(first, second);
    // The text goes to standard output, and nothing else does.
    assert_eq!(first.0, first.1[1]);
    assert!(desk.path().join("ripple.adequacy.1").exists());
    for format in ["json", "sarif", "markdown", "text"] {
        let said = || run(&desk, &["--tests", tests, "--no-out", "--format", format]);
        let (first, second) = (said(), said());
        assert_eq!(first.out, second.out, "{format}");
        assert_eq!(first.err, "", "{format}");
    }
}

#[test]
fn a_directory_that_is_not_a_result_is_left_alone() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let (desk, tests) = desk("bin_both", "1 1");
    desk.write(&[("mine/adequacy.json", "{}")]);
    desk.refuses(&["old.c", "new.c", "--tests", tests, "--out", "mine"], &["mine"]);
    assert_eq!(desk.read("mine/adequacy.json"), "{}");
}

#[test]
fn names_and_sources_do_no_harm_in_any_format() {
    if testkit::compiler("adequacy").is_none() {
        return;
    }
    let old = "#include <stdio.h>\nint main(int c, char **v) {\n    \
        printf(\"%s|`<script>alert(1)</script>\\n\", c > 1 ? v[1] : \"\");\n    return 0;\n}\n";
    let desk = Desk::of(&["adequacy"], &[("old.c", old), ("new.c", &old.replace("> 1", "> 2"))]);
    let name = "<script>`|</td>\\u001b[31m";
    desk.write(&[("t.jsonl", &format!("{{\"name\": \"{name}\", \"args\": [\"a\"]}}\n"))]);
    let said = run(&desk, &["--tests", "t.jsonl"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(!said.out.contains('\x1b'), "{}", said.out);
    let page = desk.read("ripple.adequacy/adequacy.html");
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    let mut select = desk.ripple(&["select", "old.c", "new.c", "--tests", "t.jsonl"]);
    let selected = testkit::desk::said(&mut select);
    assert!(!selected.out.contains('\x1b'), "{}", selected.out);
}

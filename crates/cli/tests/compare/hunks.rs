//! The status of every hunk, and verdicts that claim no more than it.

use serde_json::{Value, json};

use crate::desk::Desk;

/// A program with room for many changes.
const PARSE: &str = r#"#include <stdio.h>
#include <stdlib.h>
/* Reads
   a number. */
#define LIMIT 10
#define SPARE 1
int spare(int x) { return x + 1; }
int parse(int x) {
#ifdef PARENT_LINKS
    x += 2;
#elif defined(SIBLINGS)
    x += 4;
#else
    x += 0;
#endif
    if (x == 1000)
        puts("rare");
    if (x > LIMIT)
        return 1;
    return 0;
}
int main(int argc, char **argv) {
    if (argc > 1)
        printf("%d\n", parse(atoi(argv[1])));
    return 0;
}
"#;

fn changed(replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(PARSE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

fn desk(replacements: &[(&str, &str)]) -> Desk {
    Desk::pair(PARSE, &changed(replacements))
}

/// Place in NEW and status of each hunk.
fn statuses(report: &Value) -> Vec<(u64, &str)> {
    let hunks = report["hunks"].as_array().unwrap().iter();
    let line = |hunk: &Value| hunk["new"]["first"].as_u64().unwrap();
    hunks.map(|hunk| (line(hunk), hunk["status"].as_str().unwrap())).collect()
}

const SMALL: [&str; 3] = ["--arg", "int:0..20", "--no-out"];

#[test]
fn code_that_is_not_compiled_is_not_called_a_comment() {
    let desk = desk(&[("x += 2", "x += 3")]);
    let said = desk.compare(&SMALL);
    let first = "equal: nothing changed in this build that affects how old.c and new.c behave; the only hunk is \
                 not compiled in this build (`PARENT_LINKS` is not defined)\n";
    assert!(said.out.starts_with(first), "{}", said.out);
    let row = "hunks:\n  1  new.c:10  not compiled in this build: `PARENT_LINKS` is not defined\n";
    said.has(&["only code that is not compiled differs in parse\n", row]);
    for words in ["tells them apart", "the text differs"] {
        assert!(!said.out.contains(words), "{words} in {}", said.out);
    }
    // Compiled, it is a difference.
    let flags = ["--cflags", "-DPARENT_LINKS"];
    let report = desk.report(&[&["old.c", "new.c"], &SMALL[..], &flags].concat(), 1);
    assert_eq!(statuses(&report), [(10, "shown")]);
    assert_eq!(report["hunks"][0]["differences"], json!([1]));
}

#[test]
fn a_pull_request_hears_of_code_that_is_not_compiled_and_not_of_comments() {
    let args = [&SMALL[..], &["--format", "markdown"]].concat();
    assert_eq!(desk(&[("Reads", "Takes")]).compare(&args).out, "");
    let said = desk(&[("x += 4", "x += 5")]).compare(&args);
    said.has(&["**Ripple: equal.** ", "(\\`SIBLINGS\\` is not defined)", "| 1 | `new.c:12` | not"]);
}

#[test]
fn the_words_name_the_condition_that_decides() {
    let old = "int f(void) {\n#ifdef A\n#ifdef B\n  return 1;\n#endif\n#endif\n#ifndef C\n#else\n  \
               return 2;\n#endif\n#if 0\n  return 3;\n#endif\n#if D > 1 /* \" */ \\\n  && E\n  \
               return 4;\n#elif D\n  return 5;\n#else\n  return 6;\n#endif\n}\n";
    let main = "int main(void) { return f(); }\n";
    for (flags, line, conditions) in [
        ("-DC=0", "1", json!([{"kind": "not_defined", "text": "A"}])),
        ("-DA", "1", json!([{"kind": "not_defined", "text": "B"}])),
        ("-DA", "2", json!([{"kind": "not_defined", "text": "C"}])),
        ("-DA", "3", json!([{"kind": "false", "text": "0"}])),
        ("-DA", "4", json!([{"kind": "false", "text": "D > 1 && E"}])),
        ("-DD=2 -DE", "5", json!([{"kind": "true", "text": "D > 1 && E"}])),
        ("-DD", "6", json!([{"kind": "true", "text": "D"}])),
    ] {
        let new = old.replace(&format!("return {line}"), &format!("return 1{line}"));
        let desk = Desk::pair(&format!("{old}{main}"), &format!("{new}{main}"));
        let flags = flags.replace("-DE", "-DE=1");
        let report = desk.report(&["old.c", "new.c", "--no-out", "--cflags", &flags], 0);
        assert_eq!(statuses(&report)[0].1, "not_compiled", "{flags} {line}: {report:#}");
        assert_eq!(report["hunks"][0]["conditions"], conditions, "{flags} {line}");
    }
}

#[test]
fn a_verdict_says_which_hunks_it_is_not_about() {
    let desk = desk(&[
        ("a number", "the number"),
        ("SPARE 1", "SPARE 2"),
        ("x + 1", "x + 2"),
        ("x += 2", "x += 3"),
        ("\"rare\"", "\"seldom\""),
        ("argc > 1", "argc >= 2"),
    ]);
    let args = [&["old.c", "new.c"], &SMALL[..]].concat();
    let report = desk.report(&args, 0);
    let expected = [
        (4, "no_effect"),
        (6, "unreachable"),
        (10, "not_compiled"),
        (17, "not_reached"),
        (23, "proved"),
    ];
    assert_eq!(statuses(&report), expected, "{report:#}");
    assert_eq!(report["reach"], "reached");
    assert!(report["hunks"][4]["reached"]["same"].as_u64().unwrap() >= 21);
    let said = desk.compare(&SMALL);
    let first = said.out.lines().next().unwrap();
    let end = "; 1 of 5 hunks is not compiled in this build (`PARENT_LINKS` is not defined)";
    assert!(first.starts_with("equal: ") && first.ends_with(end), "{first}");
    said.has(&["compiled, but not reachable from `main`\n", "compiled, but no run reached it\n"]);
}

#[test]
fn a_change_that_no_run_reaches_stands_in_the_first_lines() {
    let desk = desk(&[("\"rare\"", "\"seldom\"")]);
    let said = desk.compare(&SMALL);
    assert_eq!(said.code, 0, "{}", said.err);
    let first = said.out.lines().next().unwrap();
    assert!(first.starts_with("equal: ") && first.ends_with("; no run executed the change"));
    let strict = desk.compare(&[&SMALL[..], &["--require-reached"]].concat());
    assert_eq!((strict.code, &strict.out.lines().next()), (3, &Some(first)), "{}", strict.err);
    assert!(strict.err.contains("--require-reached"), "{}", strict.err);
}

#[test]
fn a_change_that_cannot_be_reached_is_the_first_line() {
    let desk = desk(&[("x + 1", "x + 2")]);
    let said = desk.compare(&SMALL);
    let first = said.out.lines().next().unwrap();
    assert!(first.starts_with("unreachable: no changed statement can be reached from `main`"));
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(desk.compare(&[&SMALL[..], &["--require-reached"]].concat()).code, 3);
    let entry = ["old.c", "new.c", "--entry", "spare", "--no-out", "--require-reached"];
    assert_eq!(statuses(&desk.report(&entry, 1)), [(7, "shown")]);
    let other = ["old.c", "new.c", "--entry", "parse", "--max-runs", "50", "--no-out"];
    assert_eq!(
        desk.report(&[&other[..], &["--require-reached"]].concat(), 3)["reach"],
        "unreachable"
    );
}

#[test]
fn what_has_no_effect_on_what_is_compiled_needs_no_run() {
    let desk = desk(&[("Reads", "Takes"), ("SPARE 1", "SPARE 2"), ("argc > 1", "argc>1")]);
    let args = [&["old.c", "new.c"], &SMALL[..], &["--require-reached"]].concat();
    let report = desk.report(&args, 0);
    assert_eq!(report["reach"], "no_change");
    assert!(statuses(&report).iter().all(|(_, status)| *status == "no_effect"), "{report:#}");
    let said = desk.compare(&SMALL);
    said.has(&[
        "equal: nothing changed that affects how old.c and new.c behave, so no input tells them \
                apart\n",
    ]);
}

#[test]
fn a_comment_that_swallows_code_is_no_comment_only() {
    let rare = "    if (x == 1000)\n        puts(\"rare\");\n";
    let desk = desk(&[(rare, &format!("    /*\n{rare}    */\n"))]);
    let report = desk.report(&[&["old.c", "new.c"], &SMALL[..]].concat(), 0);
    assert_eq!(report["hunks"].as_array().unwrap().len(), 2);
    assert!(statuses(&report).iter().all(|(_, status)| *status != "no_effect"), "{report:#}");
}

#[test]
fn differences_are_laid_to_the_hunks_behind_them() {
    let desk =
        desk(&[("LIMIT 10", "LIMIT 12"), ("x += 0", "x += 0 * x"), ("argc > 1", "argc >= 2")]);
    let report = desk.report(&[&["old.c", "new.c"], &SMALL[..]].concat(), 1);
    let expected = [(5, "shown"), (14, "reached"), (23, "reached")];
    assert_eq!(statuses(&report), expected, "{report:#}");
    assert_eq!(report["hunks"][0]["functions"], json!(["parse"]));
    let said = desk.compare(&SMALL);
    said.has(&["new.c:5   shown by difference 1\n", "; it causes none of the differences shown\n"]);
}

#[test]
fn files_beside_the_program_are_named() {
    let desk = Desk::with(&[
        ("v1/main.c", PARSE),
        ("v2/main.c", PARSE),
        ("v1/lost.h", "#define LOST 1\n"),
        ("v2/lost.h", "#define LOST 2\n"),
    ]);
    let said = desk.run(&[&["v1", "v2"], &SMALL[..]].concat());
    let first = said.out.lines().next().unwrap();
    let end = "; the only hunk is in a file that is not part of the program";
    assert!(first.ends_with(end), "{first}");
    said.has(&["  1  v2/lost.h:1  its file is not part of the program\n"]);
    assert!(!said.out.contains("tells them apart"), "{}", said.out);
}

#[test]
fn a_whole_conditional_that_is_added_is_told_by_its_branches() {
    let added = "#if defined(EXTRA)\n    puts(\"extra\");\n#endif\n    return 0;\n}\nint main";
    let report = desk(&[("    return 0;\n}\nint main", added)])
        .report(&[&["old.c", "new.c"], &SMALL[..]].concat(), 0);
    assert_eq!(statuses(&report), [(20, "not_compiled")], "{report:#}");
    let taken = added.replace("defined(EXTRA)", "!defined(EXTRA)");
    let report = desk(&[("    return 0;\n}\nint main", &taken)])
        .report(&[&["old.c", "new.c"], &SMALL[..]].concat(), 1);
    assert_eq!(statuses(&report), [(20, "shown")], "{report:#}");
}

#[test]
fn a_condition_that_changes_is_compiled() {
    // The lines of the hunk are directives; the code that they enable is below.
    let report = desk(&[("#ifdef PARENT_LINKS", "#ifndef PARENT_LINKS")])
        .report(&[&["old.c", "new.c"], &SMALL[..]].concat(), 1);
    assert_eq!(statuses(&report), [(9, "shown")], "{report:#}");
}

#[test]
fn a_header_counts_as_compiled_if_any_file_sees_it() {
    let header = "#ifdef WIDE\n#define STEP 2\n#endif\nint one(void);\nint two(void);\n";
    let one =
        "#include \"k.h\"\nint one(void) { return 1; }\nint main(void) { return one() + two(); }\n";
    let two = "#define WIDE\n#include \"k.h\"\nint two(void) { return STEP; }\n";
    let new = header.replace("STEP 2", "STEP 3");
    let desk = Desk::with(&[
        ("v1/one.c", one),
        ("v1/two.c", two),
        ("v1/k.h", header),
        ("v2/one.c", one),
        ("v2/two.c", two),
        ("v2/k.h", &new),
    ]);
    let report = desk.report(&["v1", "v2", "--max-runs", "20", "--no-out"], 1);
    assert_eq!(statuses(&report), [(2, "shown")], "{report:#}");
    // Without the file that defines `WIDE`, nothing does.
    let alone = [("v1/one.c", "#include \"k.h\"\nint main(void) { return 0; }\n")];
    desk.write(&alone);
    desk.write(&[("v2/one.c", alone[0].1)]);
    let report = desk.report(&["v1", "v2", "--no-out", "--", "one.c"], 0);
    assert_eq!(statuses(&report), [(2, "not_compiled")], "{report:#}");
}

#[test]
fn the_page_has_the_table() {
    let desk = desk(&[("x += 2", "x += 3"), ("x > LIMIT", "LIMIT < x")]);
    assert_eq!(desk.compare(&["--arg", "int:0..20"]).code, 0);
    let page = desk.read("ripple.out/report.html");
    let cells = "<td>not compiled in this build: `PARENT_LINKS` is not defined</td>";
    assert!(page.contains(cells) && page.contains("<td>proved to have no effect, reached by "));
}

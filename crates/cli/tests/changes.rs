//! `ripple changes` and `ripple impact`, used correctly and incorrectly.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;

use serde_json::Value;
use testkit::desk::{Desk, said};

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

/// Exit code, standard output, standard error.
fn ripple(desk: &Desk, args: &[&str]) -> (i32, String, String) {
    ripple_in(desk, "", args)
}

fn ripple_in(desk: &Desk, below: &str, args: &[&str]) -> (i32, String, String) {
    let said = said(desk.ripple(args).current_dir(desk.path().join(below)));
    (said.code, said.out, said.err)
}

#[test]
fn a_modified_line_is_shown_as_it_was_and_as_it_is() {
    let new = OLD.replace("c = 7", "c = 8");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = ripple(&desk, &["changes", "old.c", "new.c"]);
    assert_eq!(code, 1);
    let wanted = "main (new.c:5)\n  ~ new.c:7\n      - int c = 7;\n      + int c = 8;\n\n\
                  Hunks\n  1  new.c:7: changes main\n";
    assert_eq!(out, wanted);
}

#[test]
fn renaming_and_reformatting_are_no_change_and_are_said_to_be_none() {
    let new = OLD.replace("int b", "int doubled").replace("b > 10", "doubled>10");
    let new =
        new.replace(", b)", ", doubled)").replace("    return v * 2;", "  return v*2; /* x */");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = ripple(&desk, &["changes", "old.c", "new.c"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("no change\n"), "{out}");
    assert!(out.contains("main: `b` is renamed to `doubled`"), "{out}");
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
    let (code, out, _) = ripple(&desk, &["changes", "a", "b"]);
    assert_eq!(code, 1);
    assert!(out.contains("half (b/main.c:3): added function"), "{out}");
    assert!(out.contains("rate: added global variable"), "{out}");
    let (_, out, _) = ripple(&desk, &["changes", "b", "a"]);
    assert!(out.contains("half (b/main.c:3): removed function"), "{out}");
}

#[test]
fn a_graph_shows_orders_and_where_changes_meet() {
    let new = OLD.replace("v * 2", "v * 3").replace("b > 10", "b > 11");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = ripple(&desk, &["changes", "old.c", "new.c", "--graph", "text"]);
    assert_eq!(code, 1);
    let wanted = "changes, CyCC 1\n  entry\n    -> scale:3\n  main:8  changed\n    -> main:9\n    \
                  -> main:10\n  scale:3  changed\n    -> main:8\n  main:9  output\n    -> \
                  main:10\n  main:10  output\n    -> exit\n  exit\n";
    assert_eq!(out, wanted);
    let (_, out, _) = ripple(&desk, &["changes", "old.c", "new.c", "--graph", "dot"]);
    assert!(out.starts_with("digraph "), "{out}");
    let (_, out, _) = ripple(&desk, &["changes", "old.c", "new.c", "--graph", "svg"]);
    assert!(out.starts_with("<svg "), "{out}");
    let (code, out, _) = ripple(&desk, &["changes", "old.c", "old.c", "--graph", "text"]);
    assert_eq!((code, out.as_str()), (0, "changes, CyCC 0\n"));
    let (code, out, _) =
        ripple(&desk, &["changes", "old.c", "new.c", "--graph", "svg", "--format", "json"]);
    assert_eq!((code, out.as_str()), (2, ""));
}

#[test]
fn impact_tells_what_may_be_affected_and_which_changes_may_meet() {
    let new = OLD.replace("c = 7", "c = 8").replace("v * 2", "v * 3");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, _) = ripple(&desk, &["impact", "old.c", "new.c", "--all"]);
    assert_eq!(code, 0);
    assert!(out.contains("new.c:10  by 1, observable"), "{out}");
    assert!(out.contains("new.c:9  by 2, observable"), "{out}");
    assert!(out.contains("can be tested alone: 1, 2"), "{out}");
    let both = new.replace("c = 8", "c = b");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &both)]);
    let (_, out, _) = ripple(&desk, &["impact", "old.c", "new.c"]);
    assert!(out.contains("1 and 2 may interfere at"), "{out}");
}

#[test]
fn impact_leads_with_outputs_and_functions() {
    let old = "#include <stdio.h>\n#include <stdlib.h>\n\
        static int half(int v) {\n    return v / 2;\n}\n\
        static int other(int v) {\n    return v * 2;\n}\n\
        int main(int argc, char **argv) {\n\
        \x20   int b = half(argc);\n\
        \x20   printf(\"%d\\n\", b);\n\
        \x20   if (b > 9)\n        fprintf(stderr, \"many\\n\");\n\
        \x20   FILE *f = fopen(\"log\", \"w\");\n\
        \x20   if (f)\n        fputc(b, f);\n\
        \x20   puts(argv ? \"a\" : \"b\");\n\
        \x20   if (other(argc) == 4)\n        exit(2);\n\
        \x20   return b;\n}\n";
    let desk = Desk::pair(old, &old.replace("v / 2", "v / 3"));
    let (code, out, _) = ripple(&desk, &["impact", "old.c", "new.c"]);
    assert_eq!(code, 0);
    let wanted = [
        "standard output  printf in main, new.c:11  by 1",
        "standard error   fprintf in main, new.c:13  by 1",
        "files            fputc in main, new.c:16  by 1",
        "exit status      return in main, new.c:20  by 1",
        "  half, new.c:3: 1 of ",
        ", its result (1.00)  by 1",
        "cannot be affected: 1 other function, ",
        "--all lists the ",
    ];
    for words in wanted {
        assert!(out.contains(words), "no `{words}` in {out}");
    }
    // `exit` writes what streams still hold, so it may be affected too.
    assert!(!out.contains("puts in") && !out.contains("  other,"), "{out}");
    assert!(out.find("standard output").unwrap() < out.find("functions that").unwrap(), "{out}");
    let (_, out, _) = ripple(&desk, &["impact", "old.c", "new.c", "--format", "json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let kinds = json["outputs"].as_array().unwrap().iter().map(|o| o["kind"].as_str().unwrap());
    let mut kinds: Vec<&str> = kinds.collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["exit", "files", "stderr", "stdout"]);
    assert_eq!(
        (&json["outputs"][0]["by"], &json["outputs"][0]["function"]),
        (&"printf".into(), &"main".into())
    );
    assert_eq!(json["unaffected_functions"], 1);
    let half = json["functions"].as_array().unwrap().iter().find(|f| f["name"] == "half").unwrap();
    assert_eq!((&half["result"], &half["changes"][0]), (&1.0.into(), &1.into()));
    assert_eq!(half["place"]["line"], 3);
}

#[test]
fn results_of_exported_functions_are_outputs_of_a_library() {
    let old = "static int one(int v) { return v + 1; }\nint two(int v) {\n    return one(v);\n}\n";
    let desk = Desk::pair(old, &old.replace("v + 1", "v + 2"));
    let (_, out, _) = ripple(&desk, &["impact", "old.c", "new.c"]);
    assert!(out.contains("  result           return in two, new.c:3  by 1\n"), "{out}");
    assert!(!out.contains("return in one"), "{out}");
}

#[test]
fn impact_answers_before_the_change_is_made() {
    let desk = Desk::with(&[("old.c", OLD)]);
    let (code, out, _) = ripple(&desk, &["impact", "old.c", "--at", "7"]);
    assert_eq!(code, 0);
    let lines: Vec<&str> = out.lines().map(|line| line.rsplit(':').next().unwrap()).collect();
    assert_eq!(lines, ["7", "10, observable"]);
    let (code, out, _) = ripple(&desk, &["impact", "old.c", "--at", "7", "--format", "json"]);
    assert_eq!(code, 0);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["schema"], "ripple.impact/1");
    assert_eq!((&json["format"], &json["line"]), (&"ripple impact 1".into(), &7.into()));
    assert_eq!(json["lines"][1]["place"]["line"], 10);
    assert_eq!(json["lines"][1]["can_be_seen"], true);
}

#[test]
fn added_functions_have_an_impact() {
    let new = OLD
        .replace("static int scale", "int twice(int v) {\n    return v * 2;\n}\nstatic int scale");
    let new = new.replace("return v * 2;\n}\nint main", "return twice(v);\n}\nint main");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (code, out, err) = ripple(&desk, &["impact", "old.c", "new.c", "--all"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("  2  new.c:2 (twice, added function)\n"), "{out}");
    assert!(out.contains("new.c:3  by "), "{out}");
    assert!(out.contains("1 and 2 may interfere at"), "{out}");
}

#[test]
fn a_changed_decision_has_what_hangs_on_it_in_its_region() {
    let new = OLD.replace("b > 10", "b > 11");
    let desk = Desk::with(&[("old.c", OLD), ("new.c", &new)]);
    let (_, out, _) = ripple(&desk, &["changes", "old.c", "new.c"]);
    assert!(out.contains("      + if (b > 11)\n  region new.c:8-9\n"), "{out}");
    let (_, out, _) = ripple(&desk, &["changes", "old.c", "new.c", "--format", "json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let region = &json["functions"][0]["regions"][0];
    assert_eq!((&region["new"]["first"], &region["old"]["last"]), (&8.into(), &9.into()));
    assert_eq!(region["changes"][0], 1);
}

#[test]
fn hunks_are_told_by_what_they_do() {
    let old = format!("#define STEP 2\n/* a note */\n{}", OLD.replace("v * 2", "v * STEP"));
    let new = old.replace("STEP 2", "STEP 3").replace("a note", "another note");
    let new = new.replace("printf(\"c %d\\n\", c);", "printf(\"c %d\\n\",\n        c);");
    let desk = Desk::with(&[("old.c", &old), ("new.c", &new)]);
    let (code, out, _) = ripple(&desk, &["changes", "old.c", "new.c"]);
    assert_eq!(code, 1);
    assert!(out.ends_with("  1  new.c:1-2: changes scale\n  2  new.c:12-13: no change\n"), "{out}");
}

#[test]
fn code_that_is_not_compiled_is_told_from_comments() {
    let old = OLD.replace("    int c = 7;\n", "    int c = 7;\n#if WIDE\n    c = 8;\n#endif\n");
    let new = old.replace("c = 8", "c = 9").replace("    return v * 2;", "    return v*2;");
    let desk = Desk::with(&[("a/main.c", &old), ("b/main.c", &new), ("b/more.h", "int more;\n")]);
    let (code, out, _) = ripple(&desk, &["changes", "a", "b"]);
    let wanted = "no change in this build\n\nThe text differs, but not the behaviour, in\n  \
                  main: code that is not compiled in this build (`WIDE` is false)\n  \
                  scale: comments, white space or spelling\n\nHunks\n  \
                  1  b/main.c:3: no change\n  \
                  2  b/main.c:9: not compiled in this build: `WIDE` is false\n  \
                  3  b/more.h (added): its file is not part of the program\n";
    assert_eq!((code, out.as_str()), (0, wanted));
    let (_, out, _) = ripple(&desk, &["changes", "a", "b", "--format", "json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let statuses: Vec<&str> =
        (0..3).map(|index: usize| json["hunks"][index]["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["no_effect", "not_compiled", "not_in_program"]);
    let condition = serde_json::json!([{"kind": "false", "text": "WIDE"}]);
    assert_eq!(json["hunks"][1]["conditions"], condition);
    assert_eq!(json["not_changes"][0]["not_compiled"], condition);
    assert_eq!(json["not_changes"][0]["reformatted"], false);
}

#[test]
fn hunks_that_do_not_build_alone_are_told_with_what_they_need() {
    let old = "int step = 1;\n\nint twice(int v) {\n    return v + v;\n}\n\n\
               int main(int argc, char **argv) {\n    return twice(argc) + (argv == 0);\n}\n";
    let new = old.replace("int step = 1;", "int pace = 1;").replace("v + v", "v + v + pace");
    let new = new.replace("(argv == 0)", "(argv != 0)");
    let desk = Desk::with(&[("a/main.c", old), ("b/main.c", &new)]);
    let args = ["changes", "a", "b", "--configurations"];
    let (code, out, err) = ripple(&desk, &args);
    assert_eq!(code, 1, "{err}");
    let wanted =
        "\nDo not build alone\n  1 undone from NEW: needs 2\n  2 applied to OLD: needs 1\n";
    assert!(out.ends_with(wanted), "{out}");
    let (_, out, _) = ripple(&desk, &[&args[..], &["--max-builds", "1"]].concat());
    assert!(out.contains("The limit of 1 builds was reached"), "{out}");
    let (_, out, _) = ripple(&desk, &[&args[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["schema"], "ripple.changes/1");
    assert_eq!(json["format"], "ripple changes 1");
    let needs = &json["configurations"]["needs"];
    assert_eq!(needs[0]["direction"], "undone");
    assert_eq!((&needs[0]["hunk"], &needs[0]["needs"][0]), (&1.into(), &2.into()));
    assert_eq!(needs.as_array().unwrap().len(), 2);
    assert_eq!(json["hunks"].as_array().unwrap().len(), 3);
    assert_eq!(json["functions"][0]["statements"][0]["new"]["file"], "b/main.c");
}

#[test]
fn revisions_are_compared_without_touching_the_work_tree() {
    let Some(desk) = Desk::repository(&[]) else { return };
    desk.commit(&[("src/main.c", OLD)], "Subject");
    desk.commit(
        &[("src/main.c", &OLD.replace("c = 7", "c = 8")), ("src/more.c", "int more;\n")],
        "Subject",
    );
    fs::write(desk.path().join("src/main.c"), "dirty").unwrap();
    let before = desk.git(&["status", "--short"]);
    let (code, out, err) = ripple(&desk, &["changes", "HEAD~1", "HEAD", "--", "src"]);
    assert_eq!(code, 1, "{err}");
    let wanted = "main (src/main.c:5)\n  ~ src/main.c:7\n      - int c = 7;\n      + int c = 8;\n";
    assert!(out.starts_with(wanted), "{out}");
    assert!(out.contains("  1  src/main.c:7: changes main\n  2  src/more.c (added): "), "{out}");
    let (code, out, _) = ripple_in(&desk, "src", &["impact", "HEAD~1", "HEAD", "--", "main.c"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("changes\n  1  main.c:7\n"), "{out}");
    let (code, out, _) = ripple(&desk, &["impact", "HEAD~1", "--at", "7", "--", "src/main.c"]);
    assert_eq!((code, out.as_str()), (0, "1.00  src/main.c:7\n1.00  src/main.c:10, observable\n"));
    assert_eq!(desk.git(&["status", "--short"]), before);
    let (code, out, _) = ripple(&desk, &["changes", "HEAD", "HEAD"]);
    assert_eq!((code, out.as_str()), (0, "no change\n"));
}

#[test]
fn what_is_wrong_with_revisions_is_said_in_one_sentence() {
    let Some(desk) = Desk::repository(&[]) else { return };
    desk.commit(&[("a.c", OLD), ("text/notes.txt", "no")], "Subject");
    desk.commit(&[("b.c", "int main( {"), ("a.c", OLD)], "Subject");
    let check = |args: &[&str], wanted: i32, sentence: &str| {
        let (code, out, err) = ripple(&desk, args);
        assert_eq!((code, out.as_str()), (wanted, ""), "{args:?}: {err}");
        assert!(err.starts_with(&format!("error: {sentence}")), "{args:?}: {err}");
        assert!(wanted != 2 || err.lines().count() == 1, "{args:?}: {err}");
    };
    check(
        &["changes", "HEAD", "nosuch"],
        2,
        "`nosuch` is neither a file or a directory nor a revision",
    );
    check(
        &["changes", "HEAD", "HEAD~9"],
        2,
        "`HEAD~9` is neither a file or a directory nor a revision",
    );
    check(
        &["impact", "HEAD~1", "HEAD", "--", "x.c"],
        2,
        "`x.c` is neither in `HEAD~1` nor in `HEAD`",
    );
    check(&["changes", "HEAD~1", "HEAD", "--", "b.c"], 2, "`b.c` is not in `HEAD~1`");
    check(&["changes", "HEAD~1", "HEAD", "--", "text"], 2, "there is no C file in `HEAD~1`");
    check(&["changes", "HEAD", "a.c", "--", "a.c"], 2, "`a.c` is a file, so paths behind `--`");
    let built = "NEW does not build: `b.c` does not compile:\nb.c:1:";
    check(&["changes", "HEAD~1", "HEAD", "--", "a.c", "b.c"], 4, built);
    let (code, _, err) = ripple(&desk, &["changes", "HEAD~1", "HEAD"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.starts_with("warning: b.c is left out, because it does not compile: "), "{err}");
    let conflict = ripple(&desk, &["impact", "HEAD~1", "HEAD", "--at", "3"]);
    assert_eq!(conflict.0, 2);
    assert!(conflict.2.contains("cannot be used with"), "{}", conflict.2);
    let (code, _, err) = ripple(&desk, &["changes", "HEAD", "HEAD", "--max-builds", "3"]);
    assert_eq!(code, 2);
    assert!(err.contains("--configurations"), "{err}");
}

#[test]
fn what_is_wrong_is_said_in_one_sentence() {
    let desk = Desk::with(&[("old.c", OLD), ("bad.c", "int main( {"), ("empty/readme", "")]);
    let check = |args: &[&str], wanted: i32, words: &str| {
        let (code, out, err) = ripple(&desk, args);
        assert_eq!((code, out.as_str()), (wanted, ""), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    };
    let outside = "`none.c` is neither a file nor a directory, and `";
    check(&["changes", "old.c", "none.c"], 2, outside);
    check(&["changes", "old.c", "empty/readme"], 2, "is neither a C file");
    check(&["changes", "old.c", "bad.c"], 4, "NEW does not build");
    check(&["changes", "old.c", "empty"], 2, "there is no C file in `empty`");
    check(&["impact", "old.c"], 2, "NEW");
    check(&["impact", "old.c", "--at", "99"], 2, "99");
}

//! The state that a function leaves: its description in terms of the source, and which parts count.
//! The table of shapes under `tests/shapes` has the verdicts.

use serde_json::{Value, json};

use crate::desk::Desk;

/// A function that returns a differing text.
pub(crate) fn version_report() -> Value {
    let old = "const char *version(void) { return \"1.7.18\"; }\n";
    let desk = Desk::pair(old, &old.replace("18", "19"));
    desk.report(&["old.c", "new.c", "--entry", "version", "--max-runs", "10"], 1)
}

fn left(old: &str, new: &str, flags: &[&str]) -> Vec<(String, String, String)> {
    let desk = Desk::pair(old, new);
    let args = [&["old.c", "new.c", "--max-runs", "2000"], flags].concat();
    let report = desk.report(&args, 1);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = report["witnesses"][0]["left"].as_array().expect("a list").iter();
    all.map(|one| (text(&one["place"]), text(&one["old"]), text(&one["new"]))).collect()
}

fn triple(place: &str, old: &str, new: &str) -> (String, String, String) {
    (place.to_owned(), old.to_owned(), new.to_owned())
}

#[test]
fn a_literal_that_is_returned_is_told_as_text() {
    let report = version_report();
    let found = &report["witnesses"][0]["left"][0];
    assert_eq!(found["place"], "result");
    assert_eq!((&found["old"], &found["new"]), (&"\"1.7.18\"".into(), &"\"1.7.19\"".into()));
    assert_eq!(report["witnesses"][0]["undefined_behaviour"], Value::Null);
}

#[test]
fn members_behind_pointers_are_named_as_in_the_source() {
    let old = "#include <stdlib.h>\n#include <string.h>\n\
        struct item { int type; char tag[4]; char *name; struct item *next; double v; };\n\
        struct item *make(int t) {\n    struct item *i = calloc(1, sizeof *i);\n    \
        i->next = calloc(1, sizeof *i);\n    i->next->type = 3;\n    \
        i->name = strdup(\"abc\");\n    strcpy(i->tag, \"ab\");\n    i->v = 0.0;\n    return i;\n}\n";
    let new = old
        .replace("type = 3", "type = -3")
        .replace("\"abc\"", "\"abd\"")
        .replace("\"ab\"", "\"ac\"")
        .replace("v = 0.0", "v = -0.0");
    let found = left(old, &new, &["--entry", "make"]);
    let expected = [
        triple("result->tag", "\"ab\"", "\"ac\""),
        triple("result->v", "0.0", "-0.0"),
        triple("result->name", "\"abc\"", "\"abd\""),
        triple("result->next->type", "3", "-3"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn static_variables_count_unless_only_public_state_is_observed() {
    let old = "static int calls;\nint next(void) { calls += 1; return 7; }\n";
    let new = old.replace("+= 1", "+= 2");
    let found = left(old, &new, &["--entry", "next"]);
    assert_eq!(found, [triple("calls", "1", "2")]);
    let desk = Desk::pair(old, &new);
    let report = desk.report(&["old.c", "new.c", "--entry", "next", "--observe", "public"], 0);
    assert_eq!(report["verdict"], "equal");
}

#[test]
fn a_lost_block_counts_if_leaks_are_observed() {
    let old = "#include <stdlib.h>\nint f(int n) { char *p = malloc(8); p[0] = n; \
        int r = p[0]; free(p); return r; }\n";
    let new = old.replace("free(p); ", "");
    let desk = Desk::pair(old, &new);
    let same = desk.report(&["old.c", "new.c", "--entry", "f", "--param", "n=int:0..9"], 0);
    assert_eq!(same["verdict"], "equal");
    let args = ["old.c", "new.c", "--entry", "f", "--param", "n=int:0..9", "--observe", "leaks"];
    assert_eq!(desk.report(&args, 1)["verdict"], "different");
}

#[test]
fn numbers_that_are_not_a_number_are_one_value_unless_their_bits_count() {
    let old = "double f(double x) { return x - x; }\n";
    let new = "double f(double x) { return -(x - x) + 0.0; }\n";
    let desk = Desk::pair(old, new);
    let args = ["old.c", "new.c", "--entry", "f", "--max-runs", "3000", "--strategy", "fuzz"];
    assert_eq!(desk.report(&args, 3)["verdict"], "inconclusive");
    let strict = [&args[..], &["--float", "nan-bits"]].concat();
    assert_eq!(desk.report(&strict, 1)["verdict"], "different");
}

#[test]
fn what_cannot_be_compared_forbids_equal_by_name() {
    let old = "#include <stdio.h>\nFILE *get(int n) { return n ? fopen(\"a\", \"w\") : 0; }\n";
    let new =
        "#include <stdio.h>\nFILE *get(int n) { if (!n) return 0; return fopen(\"a\", \"w\"); }\n";
    let desk = Desk::pair(old, new);
    let report = desk.report(&["old.c", "new.c", "--entry", "get", "--param", "n=int:0..1"], 3);
    let limit = &report["limits"][0];
    assert_eq!(limit["kind"], "incomparable");
    assert_eq!(limit["message"], "`result` points to something that cannot be compared");
}

#[test]
fn a_member_that_one_version_forgets_to_write_is_a_difference() {
    let old = "#include <stdlib.h>\nstruct pair { int a, b; char *name; };\n\
        struct pair *make(int x) {\n    struct pair *p = malloc(sizeof *p);\n    p->a = x;\n    \
        p->b = 7;\n    p->name = 0;\n    return p;\n}\n";
    let args = ["old.c", "new.c", "--entry", "make", "--max-runs", "500"];
    for (statement, place, value) in
        [("    p->b = 7;\n", "result->b", "7"), ("    p->name = 0;\n", "result->name", "NULL")]
    {
        let desk = Desk::pair(old, &old.replace(statement, ""));
        let report = desk.report(&args, 1);
        let witness = &report["witnesses"][0];
        assert_eq!(
            (&witness["class"], &witness["observable"]),
            (&json!("unwritten_appeared"), &json!("unwritten"))
        );
        let left = &witness["left"][0];
        assert_eq!(
            (&left["place"], &left["old"], &left["new"]),
            (&json!(place), &json!(value), &json!("never written"))
        );
        let back = desk.report(&["new.c", "old.c", "--entry", "make", "--max-runs", "500"], 1);
        assert_eq!(back["witnesses"][0]["class"], "unwritten_disappeared");
        let said = desk.run(&args);
        said.has(&["a member is left unwritten", "never written"]);
    }
    // Visible differences come first, and padding or members that both leave unwritten do not
    // count.
    let other = old.replace("p->b = 7", "p->b = x == 3 ? 8 : 7").replace("    p->name = 0;\n", "");
    let desk = Desk::pair(old, &other);
    let report = desk.report(&[&args[..4], &["--budget", "5s"]].concat(), 1);
    assert_eq!(report["witnesses"][0]["class"], "output_changed");
}

#[test]
fn an_element_that_one_version_forgets_to_write_forbids_equal() {
    let old = "#include <stdlib.h>\nstruct pair { int a, b[2]; };\n\
        struct pair *make(int x) {\n    struct pair *p = malloc(sizeof *p);\n    p->a = x;\n    \
        p->b[1] = 0;\n    return p;\n}\n";
    let desk = Desk::pair(old, &old.replace("    p->b[1] = 0;\n", ""));
    let args = ["old.c", "new.c", "--entry", "make", "--max-runs", "500"];
    let report = desk.report(&args, 3);
    let limits = report["limits"].as_array().expect("a list");
    let incomparable = limits.iter().find(|limit| limit["kind"] == "incomparable");
    let expected =
        "OLD writes `b[1]` in `result` or what it points to, and NEW leaves it unwritten";
    assert_eq!(incomparable.expect("a limit")["message"], expected);
}

#[test]
fn an_object_that_ends_earlier_forbids_equal() {
    let old = "#include <stdlib.h>\nint *make(int x) {\n    int *p = malloc(3 * sizeof *p);\n    \
        p[0] = x;\n    p[1] = 1;\n    p[2] = 2;\n    return p;\n}\n";
    let desk = Desk::pair(old, &old.replace("    p[2] = 2;\n", "").replace("(3 *", "(2 *"));
    let report = desk.report(&["old.c", "new.c", "--entry", "make", "--max-runs", "500"], 3);
    assert_eq!(report["verdict"], "inconclusive");
}

#[test]
fn spare_room_behind_a_text_does_not_count() {
    let old = "#include <stdlib.h>\n#include <string.h>\nchar *make(int x) {\n    \
        char *p = malloc(4);\n    strcpy(p, x < 0 ? \"-\" : \"+\");\n    return p;\n}\n";
    let desk = Desk::pair(old, &old.replace("malloc(4)", "calloc(9, 1)"));
    let report = desk.report(&["old.c", "new.c", "--entry", "make"], 0);
    assert_eq!(report["verdict"], "equal");
}

#[test]
fn a_difference_behind_the_end_of_a_text_is_told_by_its_place() {
    let old = "void end(char *text) { text[0] = 0; text[1] = 'a'; }\n";
    let flags = ["--entry", "end", "--param", "text=buf:4"];
    let found = left(old, &old.replace("'a'", "'b'"), &flags);
    assert_eq!(found, [triple("text[1]", "'a'", "'b'")]);
}

#[test]
fn a_member_that_gets_another_width_is_compared_by_its_number() {
    let old = "struct part { int a; short kind; };\n\
        int sum(struct part *p, int x) { return p->kind > 3 ? p->a - x : x; }\n";
    let new = old.replace("short", "int").replace("> 3", "> 4");
    let desk = Desk::pair(old, &new);
    let args = ["old.c", "new.c", "--entry", "sum", "--budget", "10s", "--first"];
    let report = desk.report(&args, 1);
    assert_eq!(report["witnesses"][0]["input"]["params"]["p"]["kind"], 4);
}

//! Related parameters: what Ripple assumes about them, what it reports about that, and what remains
//! without assumptions.

use serde_json::Value;

use crate::desk::{Desk, said};

const MAIN: &str = "int main(void) { return 0; }\n";

fn pair(old: &str, new: &str) -> Desk {
    Desk::pair(&format!("{old}\n{MAIN}"), &format!("{new}\n{MAIN}"))
}

fn assumptions(report: &Value) -> Vec<String> {
    let all = report["space"]["assumptions"].as_array().unwrap();
    all.iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_length_beyond_its_buffer_is_no_fault_that_appeared() {
    let old = "int last(const int *a, unsigned n) { int l = 0; if (n > 4) return a[0];\n\
               for (unsigned i = 0; i < n; i++) l = a[i]; return l; }";
    let new = "int last(const int *a, unsigned n) { int l = 0;\n\
               for (unsigned i = 0; i < n; i++) l = a[i]; return l; }";
    let desk = pair(old, new);
    let flags = ["old.c", "new.c", "--entry", "last", "--budget", "4s"];
    let report = desk.report(&flags, 1);
    let sentence = "`n` is at most the number of elements of `a` (8)";
    assert_eq!(assumptions(&report), [sentence]);
    for witness in report["witnesses"].as_array().unwrap() {
        let is_consistent = witness["inconsistent"].as_array().unwrap().is_empty();
        assert!(!is_consistent || witness["class"] == "output_changed", "{witness}");
    }
    assert_eq!(report["witnesses"][0]["class"], "output_changed");
    let said = desk.run(&flags);
    assert!(said.out.contains(sentence) && said.out.contains("--assume none"), "{}", said.out);
    // Without assumptions, such faults come last and are marked.
    let report = desk.report(&[&flags[..], &["--assume", "none"]].concat(), 1);
    assert_eq!(assumptions(&report), [""; 0]);
    let witnesses = report["witnesses"].as_array().unwrap();
    let needs_more = |witness: &Value| !witness["inconsistent"].as_array().unwrap().is_empty();
    assert!(!needs_more(&witnesses[0]), "{witnesses:?}");
    assert!(witnesses.is_sorted_by_key(needs_more), "{witnesses:?}");
    let faulty = witnesses.iter().find(|witness| witness["class"] == "fault_appeared");
    assert!(faulty.is_some_and(needs_more), "{witnesses:?}");
}

#[test]
fn the_end_of_a_text_belongs_to_it() {
    let digits = |goes_on: &str| {
        format!(
            "int digits(const char *s, const char *end) {{ int n = 0;\n\
             while ({goes_on} && *s >= '0' && *s <= '9') {{ n++; s++; }} return n; }}"
        )
    };
    let desk = pair(&digits("s < end"), &digits("s != end"));
    let flags = ["old.c", "new.c", "--entry", "digits"];
    let report = desk.report(&flags, 0);
    assert_eq!(report["verdict"], "equal");
    let sentence = "`end` points into what `s` points to, or right behind it";
    assert_eq!(assumptions(&report), [sentence]);
    let verified = said(&mut desk.ripple(&[&["verify", "--format", "json"], &flags[..]].concat()));
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!(assumptions(&verified), [sentence]);
    // A real difference in such a function is reported with its input.
    let desk = pair(&digits("s < end"), &digits("s + 1 < end"));
    let said = desk.compare(&["--entry", "digits", "--budget", "4s"]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert!(said.out.contains("s + 1"), "{}", said.out);
    let script = desk.script("witness-001.sh");
    assert!(script.out.contains("+return 00000000"), "{}{}", script.out, script.err);
}

#[test]
fn what_is_in_a_vector_fits_into_it() {
    let add = |is_full: &str| {
        format!(
            "struct vec {{ int *cells; unsigned count, capacity; }};\n\
             int add(struct vec *v, int x) {{ if ({is_full}) return -1;\n\
             v->cells[v->count++] = x; return 0; }}"
        )
    };
    let desk = pair(&add("v->count >= v->capacity"), &add("v->count == v->capacity"));
    let flags = ["old.c", "new.c", "--entry", "add", "--max-runs", "5000", "--budget", "10s"];
    let said = desk.run(&flags);
    assert_ne!(said.code, 1, "{}", said.out);
    assert!(said.out.contains("`v.count` is at most `v.capacity`"), "{}", said.out);
    assert!(said.out.contains("`v.capacity` is 0 where `v.cells` is null"), "{}", said.out);
    let said = desk.run(&[&flags[..], &["--assume", "none"]].concat());
    assert_ne!(said.code, 1, "{}", said.out);
    said.has(&[
        "(only for inconsistent input): a fault appeared",
        "inconsistent input (not counted)",
    ]);
}

#[test]
fn what_only_inconsistent_input_shows_is_listed_and_is_no_verdict() {
    let last = |guard: &str| {
        format!(
            "int last(const int *a, unsigned n) {{ int l = 0; {guard}\n\
             for (unsigned i = 0; i < n; i++) l = a[i]; return l; }}"
        )
    };
    let desk = pair(&last(""), &last("if (n > 1000) return -1;"));
    let flags = ["old.c", "new.c", "--entry", "last", "--param", "a=buf:3"];
    for assume in ["consistent", "none"] {
        let report = desk.report(&[&flags[..], &["--assume", assume]].concat(), 0);
        assert_eq!(report["verdict"], "equal", "{assume}");
        let assumes = report["guarantee"]["assumes"].as_array().unwrap();
        assert!(assumes.contains(&Value::from("consistent_parameters")), "{assumes:?}");
        let witnesses = report["witnesses"].as_array().unwrap();
        assert!(!witnesses.is_empty(), "{assume}");
        for witness in witnesses {
            assert_eq!(witness["class"], "fault_disappeared", "{witness}");
            assert_eq!(witness["inconsistent"].as_array().unwrap().len(), 1);
        }
        // Its script builds programs that accept such an input.
        let script = desk.script("witness-001.sh");
        assert_eq!(script.code, 1, "{}{}", script.out, script.err);
        for file in ["report.txt", "report.md", "report.html", "report.sarif"] {
            let text = desk.read(&format!("ripple.out/{file}"));
            assert!(text.contains("only for inconsistent input"), "{file}: {text}");
        }
        let sarif: Value = serde_json::from_str(&desk.read("ripple.out/report.sarif")).unwrap();
        assert_eq!(sarif["runs"][0]["results"][0]["level"], "note");
    }
    // A difference on consistent input comes first and decides.
    let desk = pair(&last(""), &last("if (n > 1000) return -1; if (n == 2) return 7;"));
    let report = desk.report(&flags, 1);
    let witnesses = report["witnesses"].as_array().unwrap();
    let needs_more = |witness: &Value| !witness["inconsistent"].as_array().unwrap().is_empty();
    assert!(!needs_more(&witnesses[0]) && witnesses.iter().any(needs_more), "{witnesses:?}");
    let said = desk.run(&flags);
    assert!(said.out.starts_with("different: ") && said.out.contains("differ in 1 way"));
}

#[test]
fn null_is_tried_where_the_code_tests_for_it() {
    let first = |nothing: &str| {
        format!("int first(const int *p) {{ if (!p) return {nothing}; return *p > 5; }}")
    };
    let desk = pair(&first("0"), &first("-1"));
    let said = desk.compare(&["--entry", "first", "--budget", "4s"]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert!(said.out.contains("NULL"), "{}", said.out);
    let said = desk.compare(&["--entry", "first", "--param", "p=buf:1", "--budget", "4s"]);
    assert_eq!(said.code, 0, "{}", said.out);
    desk.refuses(&["old.c", "new.c", "--assume", "none"], &["--assume", "--entry"]);
}

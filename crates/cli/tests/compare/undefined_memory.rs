//! Undefined use of pointers and memory that only one version has: null, misaligned, unwritten.

use serde_json::Value;

use crate::desk::{Desk, said};

/// The only witness of a comparison, whose difference is an operation of only one version.
fn witness(desk: &Desk, flags: &[&str]) -> Value {
    let report = desk.report(&[&["old.c", "new.c"], flags].concat(), 1);
    let witnesses = report["witnesses"].as_array().unwrap();
    assert_eq!(witnesses.len(), 1, "{witnesses:?}");
    witnesses[0].clone()
}

fn check(witness: &Value, class: &str, kind: &str, version: &str, line: u32) {
    assert_eq!(witness["class"], class, "{witness}");
    assert_eq!(witness["undefined"]["kind"], kind);
    assert_eq!(witness["undefined"]["version"], version);
    assert_eq!(witness["undefined"]["place"]["line"], line);
}

const APPEARED: &str = "undefined_behaviour_appeared";
const DISAPPEARED: &str = "undefined_behaviour_disappeared";

/// The address of a member is computed before, or after, the null check of the struct.
const NULL_FIRST: &str = "\
struct pair { int a, b; };
int second(struct pair *pair) {
    int *place = &pair->b;
    if (!pair)
        return -1;
    return *place;
}
";
const NULL_LATER: &str = "\
struct pair { int a, b; };
int second(struct pair *pair) {
    int *place = pair ? &pair->b : 0;
    if (!place)
        return -1;
    return *place;
}
";

#[test]
fn a_member_of_null_is_undefined_although_nobody_reads_it() {
    let flags = ["--entry", "second", "--max-runs", "20000"];
    let desk = Desk::pair(NULL_FIRST, NULL_LATER);
    let found = witness(&desk, &flags);
    check(&found, DISAPPEARED, "null", "old", 3);
    let said = found["undefined_behaviour"].as_str().unwrap();
    assert!(said.contains("member access within null pointer"), "{said}");
    assert_eq!(desk.script("witness-001.sh").code, 1);
    let found = witness(&Desk::pair(NULL_LATER, NULL_FIRST), &flags);
    check(&found, APPEARED, "null", "new", 3);
}

#[test]
fn copying_nothing_from_null_is_undefined_and_adding_nothing_to_null_is_not() {
    let old = "\
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int count = atoi(argv[1]);
    char *from = count ? argv[1] : 0, to[4] = { 0 };
    if (count > 3)
        return 2;
    memcpy(to, from, count ? 1 : 0);
    return to[0];
}
";
    let new = old.replace("    memcpy", "    if (count)\n        memcpy");
    let desk = Desk::pair(old, &new);
    let found = witness(&desk, &["--arg", "int:0..9"]);
    check(&found, DISAPPEARED, "null", "old", 8);
    assert_eq!(found["changes"][0]["old"]["first"], 8, "{}", found["changes"]);
    // The end of an empty buffer that is null is null.
    let ends = "#include <stdlib.h>\nint f(int n) { char *p = n > 0 ? malloc(n) : 0, *end = p + \
                (n > 0 ? n : 0); int r = end - p; free(p); return r; }\n";
    let desk = Desk::pair(ends, &ends.replace("int r = end - p;", "int r = (int)(end - p);"));
    desk.report(&["old.c", "new.c", "--entry", "f", "--param", "n=int:-2..3"], 0);
}

/// Reads a number of four bytes anywhere in a buffer: misaligned, or byte by byte.
const MISALIGNED: &str = "\
unsigned number(const unsigned char bytes[8], unsigned at) {
    if (at > 4)
        return 0;
    return *(const unsigned *)(bytes + at);
}
";

fn bytewise() -> String {
    MISALIGNED.replace(
        "*(const unsigned *)(bytes + at)",
        "bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | (unsigned)bytes[at + 3] << 24",
    )
}

const NUMBER: [&str; 4] = ["--entry", "number", "--param", "bytes=buf:8"];

#[test]
fn a_number_at_an_odd_address_is_told_with_its_place_and_its_condition() {
    let flags = [&NUMBER[..], &["--max-runs", "20000"]].concat();
    let desk = Desk::pair(MISALIGNED, &bytewise());
    let found = witness(&desk, &flags);
    check(&found, DISAPPEARED, "alignment", "old", 4);
    assert_eq!(found["condition"], "at ≤ 4 ∧ at[1:0] ≠ 0");
    let said = found["undefined_behaviour"].as_str().unwrap();
    assert!(said.contains("load of misaligned address for type"), "{said}");
    let found = witness(&Desk::pair(&bytewise(), MISALIGNED), &flags);
    check(&found, APPEARED, "alignment", "new", 4);
    // If the address is aligned there is nothing to find, and that is proved.
    let even = MISALIGNED.replace("at > 4", "at % 4 || at > 4");
    let words =
        even.replace("*(const unsigned *)(bytes + at)", "((const unsigned *)bytes)[at / 4]");
    let desk = Desk::pair(&even, &words);
    let report = desk.report(&[&["old.c", "new.c"], &NUMBER[..]].concat(), 0);
    assert_eq!(report["guarantee"]["kind"], "proved");
}

#[test]
fn members_of_packed_structs_and_copies_of_bytes_may_lie_anywhere() {
    let old = "\
#include <stdint.h>
#include <string.h>
struct __attribute__((packed)) head { uint8_t tag; uint32_t size; uint16_t kind; };
unsigned f(uint8_t tag, uint32_t size, const char text[8]) {
    struct head head = { tag, size, (uint16_t)size }, copy = head;
    uint32_t word;
    memcpy(&word, text + 1, sizeof word);
    union { char bytes[8]; uint64_t all; } both;
    memcpy(both.bytes, text, 8);
    return copy.size + head.kind + word + (uint32_t)both.all;
}
";
    let desk = Desk::pair(old, &old.replace("copy.size + head.kind", "head.kind + copy.size"));
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--param", "text=buf:8"], 0);
    assert_eq!(report["guarantee"]["kind"], "proved");
    // Packing a struct is a change, even if its members keep their offsets.
    let plain = "struct S { int a; };\nint f(char buf[9]) { return ((struct S *)(buf + 1))->a; }\n";
    let packed = plain.replace("struct S {", "struct __attribute__((packed)) S {");
    let desk = Desk::pair(&packed, plain);
    let found = witness(&desk, &["--entry", "f", "--param", "buf=buf:9", "--max-runs", "2000"]);
    check(&found, APPEARED, "alignment", "new", 2);
}

/// Which of three words it is; the last one was forgotten.
const FORGOTTEN: &str = "\
int rank(int kind) {
    int rank;
    if (kind == 1)
        rank = 10;
    else if (kind == 2)
        rank = 20;
    int seen = 0;
    if (rank > 15)
        seen = 1;
    return seen - seen;
}
";

#[test]
fn a_decision_on_a_variable_without_a_value_is_confirmed_by_the_memory_sanitizer() {
    let flags = ["--entry", "rank", "--param", "kind=int:0..3"];
    let repaired = FORGOTTEN.replace("int rank;", "int rank = 0;");
    let desk = Desk::pair(FORGOTTEN, &repaired);
    if !has_memory_sanitizer(&desk) {
        return;
    }
    let found = witness(&desk, &flags);
    check(&found, DISAPPEARED, "uninitialised", "old", 8);
    let said = found["undefined_behaviour"].as_str().unwrap();
    assert!(said.contains("MemorySanitizer: use-of-uninitialized-value"), "{said}");
    assert_eq!(desk.script("witness-001.sh").code, 1);
    let found = witness(&Desk::pair(&repaired, FORGOTTEN), &flags);
    check(&found, APPEARED, "uninitialised", "new", 8);
    // The caller uses a result that was never written.
    let old = "int f(int a) { int r; if (a > 1) r = a; return a > 0 ? r - r : 0; }\n";
    let desk = Desk::pair(old, &old.replace("a > 0 ?", "a > 1 ?"));
    let found = witness(&desk, &["--entry", "f", "--param", "a=int:0..3"]);
    check(&found, DISAPPEARED, "uninitialised", "old", 1);
}

#[test]
fn a_value_that_was_never_written_and_that_nothing_depends_on_decides_nothing() {
    let old = "\
int f(int a) {
    int spare, kept;
    kept = spare;
    kept = a;
    return kept;
}
";
    let desk = Desk::pair(old, &old.replace("    kept = spare;\n", ""));
    let said = desk.run(&["old.c", "new.c", "--entry", "f", "--param", "a=int:0..3"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    assert!(said.out.contains("unconfirmed"), "{}", said.out);
}

#[test]
fn the_hunk_is_blamed_without_which_nothing_is_undefined() {
    let old = "\
#include <stdio.h>
int sum(int a, int b) {
    return (int)((unsigned)a + (unsigned)b) & 0;
}

/* One. */
/* Two. */

int main(int argc, char **argv) {
    int n = argc > 1 ? argv[1][0] : 0;
    printf(\"%d\\n\", sum(n, 2147483600));
    return 0;
}
";
    let new = old
        .replace("(int)((unsigned)a + (unsigned)b)", "(a + b)")
        .replace("int n = argc > 1 ? argv[1][0] : 0;", "int n = argc < 2 ? 0 : argv[1][0];");
    let desk = Desk::pair(old, &new);
    let found = witness(&desk, &["--arg", "str:1", "--max-runs", "5000"]);
    check(&found, APPEARED, "overflow", "new", 3);
    let changes = found["changes"].as_array().unwrap();
    assert_eq!(found["changes_minimal"], true, "{changes:?}");
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0]["new"]["first"], 3, "{changes:?}");
}

#[test]
fn proofs_observe_misaligned_accesses_where_somebody_asks_for_it() {
    let desk = Desk::pair(MISALIGNED, &bytewise());
    let with = |more: &[&str]| {
        let all = [&["verify", "old.c", "new.c", "--format", "json"], &NUMBER[..], more].concat();
        said(&mut desk.ripple(&all))
    };
    assert_eq!(with(&[]).code, 0);
    let observed = with(&["--observe", "result,memory,ub"]);
    assert_eq!(observed.code, 1, "{}{}", observed.out, observed.err);
    let report: Value = serde_json::from_str(&observed.out).unwrap();
    assert_eq!(report["counts"]["unconfirmed"], 0, "{}", report["counts"]);
    let partitions = report["partitions"].as_array().unwrap();
    let different = partitions.iter().filter(|one| one["verdict"] == "different");
    let outputs: Vec<String> = different.map(|one| one["outputs"].to_string()).collect();
    assert!(!outputs.is_empty());
    assert!(outputs.iter().all(|one| one.contains("misaligned access")), "{outputs:?}");
}

#[test]
fn sanitizers_judge_inputs_that_are_drawn_from_proved_partitions() {
    let old = "int f(int a, int b) { return ((a << 35) & 0) + (b & 1); }\n";
    let desk = Desk::pair(old, &old.replace("35", "3 & 0"));
    let flags = ["verify", "old.c", "new.c", "--entry", "f", "--check", "4"];
    let with = |more: &[&str]| said(&mut desk.ripple(&[&flags[..], more].concat()));
    let checked = with(&["--format", "json"]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let report: Value = serde_json::from_str(&checked.out).unwrap();
    let undefined = report["check"]["undefined"].as_array().unwrap();
    assert_eq!(undefined.len(), 1, "{}", report["check"]);
    assert_eq!(undefined[0]["classes"][0], DISAPPEARED);
    assert!(undefined[0]["complaints"][0].as_str().unwrap().contains("shift exponent 35"));
    assert_eq!(undefined[0]["complaints"][1], Value::Null);
    let told = with(&[]);
    told.has(&["undefined behaviour disappeared from v0 to v1", "checked by sanitizers"]);
}

/// Whether programs with the memory sanitizer can be built and run here.
#[allow(clippy::print_stderr)] // Says why nothing was tested.
fn has_memory_sanitizer(desk: &Desk) -> bool {
    desk.write(&[("probe.c", "int main(void) { return 0; }\n")]);
    let path = desk.path().join("probe");
    let mut build = std::process::Command::new("clang");
    build.args(["-fsanitize=memory", "-o"]).arg(&path).arg(desk.path().join("probe.c"));
    let works =
        |command: &mut std::process::Command| command.status().is_ok_and(|status| status.success());
    let is_there = works(&mut build) && works(&mut std::process::Command::new(&path));
    if !is_there {
        eprintln!("skipped: there is no memory sanitizer");
    }
    is_there
}

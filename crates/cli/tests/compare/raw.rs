//! Untyped memory that functions leave, and blocks that the C library allocates.

use crate::desk::Desk;

const BELOW_TEN: [&str; 2] = ["--param", "n=int:0..9"];

/// Compares functions that leave different memory behind a pointer among bytes.
fn hidden(old: &str, place: &str) {
    let desk = Desk::pair(old, &old.replace("*p = n;", "*p = 2 * n;"));
    let args = [&["old.c", "new.c", "--entry", "put", "--max-runs", "500"], &BELOW_TEN[..]];
    let report = desk.report(&args.concat(), 3);
    assert_eq!(report["verdict"], "inconclusive");
    let limit = &report["limits"][0];
    assert_eq!(limit["kind"], "incomparable");
    let told =
        format!("`{place}` points to raw bytes that contain a pointer, which cannot be compared");
    assert_eq!(limit["message"], told.as_str());
}

#[test]
fn a_pointer_at_an_odd_place_of_a_buffer_forbids_equal() {
    hidden(
        "#include <stdlib.h>\n#include <string.h>\nvoid put(unsigned char *buf, int n) {\n    \
         int *p = malloc(sizeof *p);\n    *p = n;\n    memcpy(buf + 1, &p, sizeof p);\n}\n",
        "*buf",
    );
}

#[test]
fn a_pointer_among_the_bytes_of_a_member_forbids_equal() {
    hidden(
        "#include <stdlib.h>\n#include <string.h>\n\
         struct box { char kind; unsigned char raw[15]; };\nstruct box *put(int n) {\n    \
         struct box *b = calloc(1, sizeof *b);\n    int *p = malloc(sizeof *p);\n    *p = n;\n    \
         memcpy(b->raw + 7, &p, sizeof p);\n    return b;\n}\n",
        "result",
    );
}

#[test]
fn a_pointer_that_is_not_aligned_in_memory_without_a_type_forbids_equal() {
    hidden(
        "#include <stdlib.h>\n#include <string.h>\nvoid *put(int n) {\n    \
         char *b = calloc(1, 32);\n    int *p = malloc(sizeof *p);\n    *p = n;\n    \
         memcpy(b + 12, &p, sizeof p);\n    return b;\n}\n",
        "result",
    );
}

#[test]
fn bytes_that_are_no_address_are_compared_as_ever() {
    let old = "#include <string.h>\nvoid put(unsigned char *buf, int n) {\n    \
               memcpy(buf + 1, &n, sizeof n);\n}\n";
    let new = old.replace("memcpy(buf + 1", "*buf = *buf; memcpy(buf + 1");
    let desk = Desk::pair(old, &new);
    let args = [&["old.c", "new.c", "--entry", "put"], &BELOW_TEN[..]].concat();
    assert_eq!(desk.report(&args, 0)["verdict"], "equal");
}

#[test]
fn long_numbers_that_are_not_a_number_are_one_value_unless_their_bits_count() {
    let old = "long double f(int n) { long double x = n; return x / x; }\n";
    let new = "long double f(int n) { long double x = n; return n ? x / x : -(x / x); }\n";
    let desk = Desk::pair(old, new);
    let args = [&["old.c", "new.c", "--entry", "f"], &BELOW_TEN[..]].concat();
    assert_eq!(desk.report(&args, 0)["verdict"], "equal");
    let strict = [&args[..], &["--float", "nan-bits"]].concat();
    assert_eq!(desk.report(&strict, 1)["verdict"], "different");
}

#[test]
fn blocks_that_the_library_asks_for_can_be_lost() {
    let old = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
               int f(int n) { char *p = strdup(\"abc\"), *q = 0; asprintf(&q, \"%d\", n);\n    \
               int r = p[n & 1] + q[0]; free(p); free(q); return r; }\n";
    for lost in ["free(p); ", "free(q); "] {
        let desk = Desk::pair(old, &old.replace(lost, ""));
        let args = [&["old.c", "new.c", "--entry", "f", "--observe", "leaks"], &BELOW_TEN[..]];
        assert_eq!(desk.report(&args.concat(), 1)["verdict"], "different", "{lost}");
    }
}

#[test]
fn aligned_blocks_are_followed() {
    let one = "#include <stdlib.h>\nint *f(int n) {\n    int *p = aligned_alloc(64, 64);\n    \
               if (!p) return 0;\n    *p = n;\n    return p;\n}\n";
    let other = "#include <stdlib.h>\nint *f(int n) {\n    void *p;\n    \
                 if (posix_memalign(&p, 64, 64)) return 0;\n    *(int *)p = n;\n    return p;\n}\n";
    for old in [one, other] {
        let desk = Desk::pair(old, &old.replace("p = n;", "p = n + (n > 5);"));
        let args = [&["old.c", "new.c", "--entry", "f"], &BELOW_TEN[..]].concat();
        let report = desk.report(&args, 1);
        let left = &report["witnesses"][0]["left"][0];
        assert_eq!((&left["place"], &left["old"]), (&"result[0]".into(), &"6".into()));
    }
}

#[test]
fn unions_with_pointers_hold_one_member_and_the_report_says_so() {
    let old = "union cell { long n; int *p; };\n\
               int f(union cell *c) { return c->p ? *c->p : -1; }\n";
    let desk = Desk::pair(old, &old.replace("-1", "-2"));
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--max-runs", "500"], 1);
    let told = "the union `cell` holds its member `p`";
    let assumptions = report["space"]["assumptions"].as_array().expect("a list");
    assert!(assumptions.iter().any(|one| one.to_string().contains(told)), "{assumptions:?}");
}

#[test]
fn bytes_of_a_union_keep_their_order_in_a_struct_with_another_layout() {
    let old = "#include <stdlib.h>\nstruct s { union { short a; char b[2]; } u; int x; };\n\
               struct s *make(int n) {\n    struct s *s = calloc(1, sizeof *s);\n    \
               s->u.a = 256 * n + 1;\n    return s;\n}\n";
    let new = old.replace("struct s { union", "struct s { int more; union");
    let desk = Desk::pair(old, &new);
    let args = [&["old.c", "new.c", "--entry", "make"], &BELOW_TEN[..]].concat();
    let report = desk.report(&args, 3);
    assert_eq!(report["limits"][0]["kind"], "incomparable");
    // A real difference is reported, also natively by the names of members.
    let desk = Desk::pair(old, &new.replace("256 * n", "512 * n"));
    let report = desk.report(&args, 1);
    assert_eq!(report["witnesses"][0]["left"][0]["place"], "result->u");
}

#[test]
fn an_out_parameter_that_gets_another_object_is_told_from_the_one_that_it_had() {
    let old = "#include <stdlib.h>\nint f(int **out, int n) {\n    \
               int *p = malloc(sizeof *p);\n    if (!p) return 1;\n    *p = n;\n    \
               *out = p;\n    return 0;\n}\n";
    let desk = Desk::pair(old, &old.replace("*p = n;", "*p = n + (n > 5);"));
    let args = [&["old.c", "new.c", "--entry", "f", "--max-runs", "500"], &BELOW_TEN[..]].concat();
    let report = desk.report(&args, 1);
    let left = &report["witnesses"][0]["left"][0];
    assert_eq!((&left["place"], &left["old"]), (&"**out".into(), &"6".into()));
}

#[test]
fn unions_whose_members_have_another_layout_are_not_compared_byte_by_byte() {
    let old = "union u { struct { int a; int b; } s; long n; };\n\
               int f(union u *u) { int r = u->s.a; return r; }\n";
    let new = old
        .replace("int a; int b;", "int b; int a;")
        .replace("int r = u->s.a; return r", "return u->s.a");
    let desk = Desk::pair(old, &new.replace("return u->s.a", "u->s.b = 1; return 0"));
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--max-runs", "200"], 1);
    // The result of `f` certainly differs; its union cannot be compared.
    assert_eq!(report["witnesses"][0]["left"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["witnesses"][0]["left"][0]["place"], "result");
}

#[test]
fn a_very_large_union_is_not_listed_byte_by_byte() {
    let old = "#include <stdlib.h>\nstruct state {\n    int level;\n    \
        union { unsigned char bytes[8 << 20]; int number; } u;\n};\n\
        struct state *make(int level) {\n    struct state *s = malloc(sizeof *s);\n    \
        if (s) s->level = level;\n    return s;\n}\n";
    let desk = Desk::pair(old, &old.replace("= level;", "= level > 5 ? 5 : level;"));
    let args = ["old.c", "new.c", "--entry", "make", "--max-runs", "20", "--budget", "10s"];
    let said = desk.run(&args);
    assert_ne!(said.code, 2, "{}{}", said.out, said.err);
}

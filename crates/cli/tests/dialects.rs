//! Old dialects of C: code that GCC compiles with a warning works in every command, whichever clang
//! is installed, and a note names the flags.

use testkit::desk::Desk;

const OLD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
main(argc, argv) char **argv; {
    int n = atoi(argc > 1 ? argv[1] : "4");
    printf("%d\n", twice(n));
    if (n == 77) return;
    return 0;
}
twice(x) { check(x); return 2 * x; }
check(x) int x; { if (x < 0) return; return 1; }
"#;

/// The compilers that reject the program, and their messages.
const CLANGS: [(&str, &str); 3] = [
    ("clang-14", "-Wno-error=return-type"),
    ("clang-16", "-Wno-error=implicit-function-declaration -Wno-error=implicit-int"),
    ("clang-19", "-Wno-error=implicit-function-declaration -Wno-error=implicit-int"),
];

fn each(new: &str, check: impl Fn(&Desk, &str, &str)) {
    let desk = Desk::of(&[], &[("old.c", OLD), ("new.c", new)]);
    for (clang, flags) in CLANGS {
        let found = std::process::Command::new(clang).arg("--version").output();
        match found {
            Ok(_) => check(&desk, clang, flags),
            Err(_) => testkit::leave_out(format!("no {clang} is installed")),
        }
    }
}

#[test]
fn a_program_in_an_old_dialect_runs_and_a_note_says_how_it_was_compiled() {
    each(OLD, |desk, clang, flags| {
        let said = desk.run(&["run", "--clang", clang, "old.c", "--", "21"]);
        assert_eq!((said.code, said.out.as_str()), (0, "42\n"), "{clang}: {}", said.err);
        let note = format!("note: old.c: compiled with {flags}");
        assert_eq!(said.err.matches(&note).count(), 1, "{clang}: {}", said.err);
        assert!(said.err.contains(", because clang treats "), "{}", said.err);
    });
}

#[test]
fn explore_compare_and_verify_take_old_dialects() {
    let new = OLD.replace("2 * x", "x == 9 ? 19 : x + x");
    each(&new, |desk, clang, _| {
        let said = desk.run(&["explore", "--clang", clang, "old.c", "--arg", "int:0..20"]);
        assert_eq!(said.code, 0, "{clang}: {}{}", said.out, said.err);
        let args = ["--clang", clang, "old.c", "new.c", "--arg", "int:0..20"];
        let said = desk.run(&[&["compare"], &args[..]].concat());
        assert_eq!(said.code, 1, "{clang}: {}{}", said.out, said.err);
        for file in ["old.c", "new.c"] {
            let note = format!("note: {file}: compiled with ");
            assert_eq!(said.err.matches(&note).count(), 1, "{clang}: {}", said.err);
        }
        let entry = ["--entry", "twice", "--param", "x=int:0..20"];
        let said =
            desk.run(&[&["verify", "--clang", clang, "old.c", "new.c"], &entry[..]].concat());
        assert_eq!(said.code, 1, "{clang}: {}{}", said.out, said.err);
    });
}

#[test]
fn genuine_errors_are_reported_as_the_compiler_gave_them_first() {
    let wrong = OLD.replace("return 1;", "return undeclared;");
    each(&wrong, |desk, clang, _| {
        let said = desk.run(&["run", "--clang", clang, "new.c"]);
        assert_ne!(said.code, 0);
        assert!(said.err.contains("`new.c` does not compile"), "{clang}: {}", said.err);
        assert!(said.err.contains("should return a value"), "{clang}: {}", said.err);
        assert!(!said.err.contains("note: new.c"), "{clang}: {}", said.err);
    });
}

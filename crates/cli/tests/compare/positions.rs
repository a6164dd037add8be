//! What counts as a change: positions, code under `#line`, equal texts; and undeclared input
//! spaces.

use std::process::Command;

use serde_json::{Value, json};

use crate::desk::{Desk, Said, said};

/// Asserts, and prints its position.
const LOGGED: &str = "\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define LOG(x) printf(\"%s:%d: %d\\n\", __FILE__, __LINE__, x)
#define NAMED2(a, b) a##b
#define NAMED(a, b) NAMED2(a, b)
static int NAMED(number_, __LINE__) = 1;
int half(int x) {
    assert(x % 2 == 0);
    LOG(x);
    return x / 2;
}
int main(int argc, char **argv) {
    int x = argc > 1 ? atoi(argv[1]) : 0;
    assert(x < 100
           && x > -100);
    LOG(half(x));
    return x > 50;
}
";

/// With two more lines near the top.
fn moved() -> String {
    LOGGED.replace("int half", "/* Half of it,\n   if it is even. */\nint half")
}

fn changes(desk: &Desk, args: &[&str]) -> Said {
    said(&mut desk.ripple(&[&["changes"], args].concat()))
}

#[test]
fn code_under_a_line_directive_is_the_programs_own_whatever_it_names() {
    let old = "#include <stdlib.h>\n#include <string.h>\n#line 12 \"strlen.c\"\n\
               static int rate(int x) {\n    return x + 1;\n}\n#line 3 \"runtime.h\"\n\
               int main(int argc, char **argv) {\n    return argc > 1 ? rate(atoi(argv[1])) : 0;\n}\n";
    let new = old.replace("x + 1", "x + 2");
    let desk = Desk::pair(old, &new);
    let said = changes(&desk, &["old.c", "new.c"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&["rate (strlen.c:12)", "~ strlen.c:13"]);
    let report = desk.report(&["old.c", "new.c", "--arg", "int:0..9"], 1);
    let place = &report["witnesses"][0]["reached"]["new"][0];
    assert_eq!(place["file"], "strlen.c");
    assert_eq!((&place["line"], &place["in_library"]), (&json!(13), &json!(false)));
}

#[test]
fn a_whole_file_that_says_it_is_a_part_of_the_c_library_is_compared_and_verified() {
    let old = "#line 1 \"qsort.c\"\n#include <stdlib.h>\n\
               int rate(int x) { return x < 5 ? x : 5; }\n\
               int main(int argc, char **argv) { return argc > 1 ? rate(atoi(argv[1])) : 0; }\n";
    let desk = Desk::pair(old, &old.replace("x : 5", "x : 6"));
    let compared = desk.compare(&["--arg", "int:0..9"]);
    assert_eq!(compared.code, 1, "{}{}", compared.out, compared.err);
    let args = ["verify", "old.c", "new.c", "--arg", "int:0..9", "--no-out"];
    let verified = said_by(desk.ripple(&args));
    assert_eq!(verified.code, 1, "{}{}", verified.out, verified.err);
    verified.has(&["different"]);
}

#[test]
fn lines_that_move_change_nothing() {
    let desk = Desk::pair(LOGGED, &moved());
    let said = changes(&desk, &["old.c", "new.c"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&["no change\n", "half: a position changed", "main: a position changed"]);
    let said = desk.compare(&["--arg", "int"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&[
        "nothing changed that affects how old.c and new.c behave",
        "note: a position changed (__LINE__ at ",
    ]);
    let report = desk.report(&["old.c", "new.c", "--arg", "int"], 0);
    let held = report["positions"].as_array().unwrap();
    let at = json!({"file": "new.c", "line": 12, "macro": "__LINE__"});
    assert!(held.contains(&at), "{held:?}");
    let verified = desk.ripple(&["verify", "old.c", "new.c", "--arg", "int", "--no-out"]);
    let verified = said_by(verified);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    verified.has(&["a position changed (__LINE__ at "]);
}

#[test]
fn positions_count_if_they_are_asked_for_and_come_last() {
    let new = moved().replace("x > 50", "x > 60");
    let desk = Desk::pair(LOGGED, &new);
    let flags = ["old.c", "new.c", "--arg", "int:48..54", "--observe", "positions"];
    let report = desk.report(&flags, 1);
    let classes: Vec<&Value> =
        report["witnesses"].as_array().unwrap().iter().map(|one| &one["class"]).collect();
    assert_eq!(classes.first(), Some(&&json!("output_changed")), "{classes:?}");
    assert_eq!(classes.last(), Some(&&json!("position_changed")), "{classes:?}");
    let report = desk.report(&flags[..4], 1);
    let witnesses = report["witnesses"].as_array().unwrap();
    assert!(witnesses.iter().all(|one| one["class"] == "output_changed"), "{witnesses:?}");
}

#[test]
fn what_is_shown_of_a_difference_has_the_positions_that_users_have() {
    let new = moved().replace("x > 50", "x > 60");
    let desk = Desk::pair(LOGGED, &new);
    let report = desk.report(&["old.c", "new.c", "--arg", "int:50..60"], 1);
    let witness = &report["witnesses"][0];
    let said = witness["new"]["stdout"].as_str().unwrap();
    assert!(said.starts_with("new.c:12: "), "{said}");
    let name = witness["script"].as_str().unwrap();
    let script = desk.script(name);
    assert!(script.out.contains("new.c:12: "), "{}{}", script.out, script.err);
    assert_eq!(witness["changes"][0]["new"]["first"], 20, "{}", witness["changes"]);
}

#[test]
fn lines_that_are_used_as_names_are_still_told_apart() {
    let old = "#include <stdio.h>\nstatic int seen[99];\n\
               #define ONCE(x) do { if (!seen[__LINE__]++) puts(x); } while (0)\n\
               int main(int argc, char **argv) {\n    ONCE(\"a\");\n\
               \x20   ONCE(argc > 1 && argv[1][0] == 'x' ? \"b\" : \"c\");\n    return 0;\n}\n";
    let new = old.replace("int main", "/* Two\n   lines. */\nint main").replace("\"b\"", "\"B\"");
    let desk = Desk::pair(old, &new);
    let report = desk.report(&["old.c", "new.c", "--arg", "choice:x,y"], 1);
    assert_eq!(report["witnesses"][0]["new"]["stdout"], "a\nB\n");
}

#[test]
fn a_position_that_decides_what_is_compiled_stays_as_it_is() {
    let old = "int main(void) {\n#if __LINE__ > 3\n    return 1;\n#else\n\
               \x20   return __LINE__ * 0;\n#endif\n}\n";
    let new = format!("/* One\n   and two. */\n{old}");
    let desk = Desk::pair(old, &new);
    let said = desk.compare(&["--arg", "choice:a"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
}

#[test]
fn revisions_show_the_files_that_users_know() {
    if !testkit::is_installed("git") {
        return;
    }
    let header = "#include <stdio.h>\nstatic inline int told(int x) {\n    \
                  printf(\"%s %s\\n\", __FILE__, __TIME__);\n    return x;\n}\n";
    let main = "#include \"told.h\"\nint rate(int x) {\n    puts(__FILE__);\n    \
                return told(x) > 7;\n}\nint main(int argc, char **argv) {\n    (void)argv;\n    \
                return rate(argc);\n}\n";
    let desk = Desk::with(&[("src/told.h", header), ("src/main.c", main)]);
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(args);
        assert!(command.current_dir(desk.path()).output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "Old"]);
    desk.write(&[(
        "src/main.c",
        &format!("/* More\n   lines. */\n{}", main.replace("> 7", "> 8")),
    )]);
    git(&["commit", "--quiet", "--all", "--message", "New"]);
    let of_function = ["--entry", "rate", "--param", "x=int:0..20"];
    for flags in [&of_function[..], &["--observe", "positions", "--entry", "rate"]] {
        let args = [&["HEAD~1", "HEAD", "--max-runs", "400", "--", "src"][..]].concat();
        let report = desk.report(&[flags, &args].concat(), 1);
        let witnesses = report["witnesses"].as_array().unwrap();
        assert_eq!(witnesses.len(), 1, "{witnesses:?}");
        for side in ["old", "new"] {
            let shown = "src/main.c\nsrc/told.h 00:00:00\n";
            let shown = shown.to_owned();
            assert_eq!(witnesses[0][side]["stdout"].as_str(), Some(&*shown), "{flags:?} {side}");
        }
    }
}

#[test]
fn a_line_that_is_the_same_is_shown_once_with_what_makes_the_difference() {
    let old = "#include <stdio.h>\n#define LIMIT 50\n#define DOUBLE_LIMIT (2 * LIMIT)\n\
               enum { STEP = 3 };\nstruct size { int width; int height; };\n\
               static struct size all = {1, 2};\n\
               int main(int argc, char **argv) {\n\
               \x20   unsigned count = argc;\n\
               \x20   if (argc > DOUBLE_LIMIT)\n        return 1;\n\
               \x20   printf(\"%d %d\\n\",\n           argc,\n           argc + 1);\n\
               \x20   if (count / 2 > 3)\n        return STEP;\n\
               \x20   (void)argv;\n    return all.height;\n}\n";
    let new = old
        .replace("LIMIT 50", "LIMIT 51")
        .replace("STEP = 3", "STEP = 4")
        .replace("argc + 1", "argc + 2")
        .replace("unsigned count", "int count")
        .replace("int width;", "long width;");
    let desk = Desk::pair(old, &new);
    let said = changes(&desk, &["old.c", "new.c"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&[
        "        if (argc > DOUBLE_LIMIT)\n      the macro LIMIT changed:\n      \
         - #define LIMIT 50\n      + #define LIMIT 51\n",
        "      - printf(\"%d %d\\n\",\n      - argc,\n      - argc + 1);\n      + printf(",
        "        if (count / 2 > 3)\n      the type of count changed:\n      \
         - unsigned int\n      + int\n",
        "        return STEP;\n      a constant in it changed:\n      - 3\n      + 4\n",
    ]);
    for pair in said.out.lines().collect::<Vec<_>>().windows(2) {
        let texts = [pair[0].trim().strip_prefix("- "), pair[1].trim().strip_prefix("+ ")];
        assert!(texts[0].is_none() || texts[0] != texts[1], "{}", said.out);
    }
}

#[test]
fn a_space_that_nobody_declared_is_named_and_may_be_refused() {
    let old = "#include <stdlib.h>\nint main(int argc, char **argv) {\n    \
               if (argc == 7)\n        return 7;\n    if (argc != 4)\n        return 2;\n    \
               return atoi(argv[1]) > 5 && atoi(argv[2]) > atoi(argv[3]);\n}\n";
    let desk = Desk::pair(old, &old.replace("return 7", "return 8"));
    desk.write(&[("tests.jsonl", "{\"args\": [\"1\", \"2\", \"3\"]}\n")]);
    let flags = ["--tests", "tests.jsonl", "--no-out"];
    let said = desk.compare(&flags);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&[
        "equal: for 0 to 4 integer arguments, inferred from your tests: old.c and new.c behave",
    ]);
    assert!(!said.out.contains("declared space"), "{}", said.out);
    let strict = [&flags[..], &["--strict-space"]].concat();
    let said = desk.compare(&strict);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    assert!(
        said.err
            .contains("the input space was not declared, so the exit code is 3 (--strict-space)"),
        "{}",
        said.err
    );
    let report = desk.report(&[&["old.c", "new.c"], &flags[..]].concat(), 0);
    assert_eq!(report["space"]["origin"], "tests");
    let verify = [&["verify", "old.c", "new.c"], &strict[..]].concat();
    let verified = said_by(desk.ripple(&verify));
    assert_eq!(verified.code, 3, "{}{}", verified.out, verified.err);
    verified
        .has(&["equal: for 0 to 4 integer arguments, inferred from your tests: v0 and v1 behave"]);
    let declared = ["--arg", "int", "--arg", "int", "--arg", "int", "--no-out", "--strict-space"];
    let said = desk.compare(&declared);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&["behave the same on every input of the declared space"]);
}

fn said_by(mut command: Command) -> Said {
    said(&mut command)
}

//! Repositories with several programs, libraries and files that do not compile: the bare command
//! ends with a verdict or with commands that work when typed.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::process::Command;

use serde_json::Value;
use testkit::desk::{Desk, Said, said};

const BUDGET: [&str; 2] = ["--budget", "2s"];

/// Prints the number of its arguments, and what the library makes of them.
const COUNT: &str = "#include <stdio.h>\n#include \"lib.h\"\n\
    int main(int argc, char **argv)\n{\n    printf(\"%d\\n\", twice(argc));\n    return 0;\n}\n";
const GREET: &str = "#include <stdio.h>\n\
    int main(void)\n{\n    puts(\"hello\");\n    return 0;\n}\n";
const CLIP: &str = "#include <stdio.h>\n#include \"lib.h\"\n\
    int main(int argc, char **argv)\n{\n    printf(\"%d\\n\", clip(argc));\n    return 0;\n}\n";
const LIB_H: &str = "int twice(int n);\nint clip(int n);\n";
const TWICE: &str = "#include \"lib.h\"\nint twice(int n)\n{\n    return n + n;\n}\n";
const CLIP_C: &str = "#include \"lib.h\"\nint clip(int n)\n{\n    return n > 9 ? 9 : n;\n}\n";

/// Three programs, and a library whose headers are elsewhere; without any build file.
fn three_programs() -> Option<Desk> {
    let desk = Desk::repository(&["compare"])?;
    desk.commit(
        &[
            ("tools/count.c", COUNT),
            ("tools/greet.c", GREET),
            ("clip/main.c", CLIP),
            ("include/lib.h", LIB_H),
            ("lib/twice.c", TWICE),
            ("lib/clip.c", CLIP_C),
        ],
        "Begin",
    );
    Some(desk)
}

fn bare(desk: &Desk, more: &[&str]) -> Said {
    desk.run(&[&["HEAD~1", "HEAD"], &BUDGET[..], more].concat())
}

/// Types the commands that a message suggests; each must be a command that Ripple understands and
/// that ends with a verdict.
fn follow(desk: &Desk, text: &str) -> usize {
    let mut followed = 0;
    for line in text.lines() {
        let Some(at) = line.find("ripple compare ") else { continue };
        let command = line[at..].trim_end();
        let words = testkit::words(command);
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let said = said(desk.ripple(&words).arg("--no-out"));
        assert!(matches!(said.code, 0 | 1 | 3), "{command}: {} {}", said.code, said.err);
        followed += 1;
    }
    followed
}

#[test]
fn a_bare_repository_has_revisions_too() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("tools/greet.c", &GREET.replace("hello", "good day"))], "Be polite");
    desk.git(&["clone", "--quiet", "--bare", ".", "bare.git"]);
    let mut command = desk.command(&["HEAD~1", "HEAD", "--no-out"]);
    let said = said(command.args(BUDGET).current_dir(desk.path().join("bare.git")));
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("good day"), "{}", said.out);
}

#[test]
fn the_only_program_that_a_change_reaches_is_compared() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("tools/greet.c", &GREET.replace("hello", "good day"))], "Greet");
    let said = bare(&desk, &[]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.err.contains("note: the program is greet; the 2 other programs"), "{}", said.err);
    said.has(&["different: ", "good day"]);
    assert_eq!(desk.names(), [".git", "clip", "include", "lib", "ripple.out", "tools"]);
    assert!(desk.read("ripple.out/report.json").contains("ripple.compare/1"));
}

#[test]
fn a_program_is_chosen_by_its_name_or_its_file() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("lib/clip.c", &CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1"))], "Clip");
    for name in ["clip", "clip/main.c"] {
        let report = desk.report(&["HEAD~1", "HEAD", "--program", name, "--args-max", "2"], 1);
        let files: Vec<&str> = report["new"]["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f.as_str().unwrap())
            .collect();
        assert_eq!(files, ["clip/main.c", "lib/clip.c"]);
    }
    let report = desk.report(&["HEAD~1", "HEAD", "--program", "count", "--args-max", "2"], 0);
    assert_eq!(report["guarantee"]["kind"], "no_change");
}

#[test]
fn an_unknown_program_or_function_is_answered_with_a_command_that_works() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("lib/clip.c", &CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1"))], "Clip");
    let said = bare(&desk, &["--program", "cilp"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("there is no program `cilp`; programs: clip, count, greet. Try: "));
    assert_eq!(follow(&desk, &said.err), 1);
    let said = bare(&desk, &["--entry", "clap"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("did you mean `clip` in lib/clip.c? Try: "), "{}", said.err);
    assert_eq!(follow(&desk, &said.err), 1);
}

#[test]
fn a_change_of_a_library_is_shown_by_calling_its_functions() {
    let Some(desk) = three_programs() else { return };
    let twice = TWICE.replace("n + n", "n + n + (n == 77)");
    let clip = CLIP_C.replace("n > 9 ? 9", "n > 99 ? 99");
    desk.commit(&[("lib/twice.c", &twice), ("lib/clip.c", &clip)], "Twice and clip");
    let said = bare(&desk, &["--format", "json"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["schema"], "ripple.targets/1");
    let targets = report["targets"].as_array().unwrap();
    let named: Vec<(&str, &str)> = targets
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["report"]["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(named, [("clip", "different"), ("twice", "different")]);
    let not_done = report["not_done"].as_array().unwrap();
    assert_eq!(not_done.len(), 2, "{not_done:?}");
    assert!(desk.read("ripple.out/twice/report.json").contains("ripple.compare/1"));
    assert!(desk.read("ripple.out/targets.json").contains("ripple.targets/1"));
    let said = bare(&desk, &[]);
    said.has(&[
        "different: 2 targets of HEAD~1 and HEAD compared: 2 different",
        "== function clip",
    ]);
    assert!(follow(&desk, &said.out) >= 4, "{}", said.out);
    for (format, words) in [("markdown", "## function clip"), ("sarif", "2.1.0"), ("short", "lib/")]
    {
        let said = bare(&desk, &["--format", format, "--no-out", "--first"]);
        assert_eq!(said.code, 1, "{format}: {}", said.err);
        said.has(&[words]);
    }
}

#[test]
fn programs_with_declared_inputs_are_all_compared() {
    let Some(desk) = three_programs() else { return };
    let twice = TWICE.replace("n + n", "n * 3");
    let clip = CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1");
    desk.commit(&[("lib/twice.c", &twice), ("lib/clip.c", &clip)], "Twice and clip");
    let said = bare(&desk, &["--args-max", "2"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&["2 targets", "== program clip: different", "== program count: different"]);
    said.has(&["reproduce: sh ripple.out/clip/witness-001.sh"]);
    let said = bare(&desk, &["--args-max", "2", "--targets", "1"]);
    assert!(said.err.contains("note: not compared: program count: "), "{}", said.err);
    // The program, and the function that nothing else shows.
    assert_eq!(follow(&desk, &said.err), 2);
}

#[test]
fn a_change_of_nothing_that_runs_is_equal() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("lib/clip.c", &format!("/* Clips. */\n{CLIP_C}")), ("README", "x")], "Explain");
    let said = bare(&desk, &[]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&["equal: nothing changed between HEAD~1 and HEAD that any program executes"]);
}

#[test]
fn a_file_that_does_not_compile_blocks_only_what_needs_it() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("tests/odd.c", "#include \"config.h\"\nint main(void) { return A; }\n")], "Odd");
    desk.commit(&[("lib/clip.c", &CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1"))], "Clip");
    let said = bare(&desk, &["--args-max", "2"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.err.contains("warning: tests/odd.c is left out"), "{}", said.err);
    assert!(said.err.contains("config.h is neither in this version nor installed"), "{}", said.err);
    said.has(&["different: "]);
    desk.commit(&[("lib/clip.c", "int clip(int n) { return ; x }\n")], "Break");
    let said = bare(&desk, &["--program", "clip"]);
    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
    assert!(said.err.contains("NEW does not build: `lib/clip.c` does not compile"), "{}", said.err);
    let said = bare(&desk, &["--program", "count"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

#[test]
fn a_library_without_a_program_is_compared_by_its_functions() {
    let Some(desk) = Desk::repository(&["compare"]) else { return };
    let files = [("include/lib.h", LIB_H), ("src/twice.c", TWICE), ("src/clip.c", CLIP_C)];
    desk.commit(&files, "Begin");
    desk.commit(&[("src/clip.c", &CLIP_C.replace("n > 9 ? 9", "n > 8 ? 8"))], "Clip");
    let said = bare(&desk, &[]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.err.contains("note: comparing the function clip"), "{}", said.err);
    said.has(&["different: ", "clip(n = 9)"]);
    let said = bare(&desk, &["--entry", "clip"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
}

#[test]
fn what_nothing_defines_is_replaced_when_a_function_is_called() {
    let old = "extern int table[4];\nint ask(int n);\n\
        int f(int n)\n{\n    if (n == 5)\n        return ask(n);\n    if (n == 6)\n        \
        return table[2];\n    return n > 7;\n}\n";
    let desk = Desk::pair(old, &old.replace("n > 7", "n > 8"));
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--param", "n=int:0..9"], 1);
    assert_eq!(report["witnesses"][0]["input"]["params"]["n"], 8);
    let limits = report["limits"].to_string();
    assert!(limits.contains("ask") && limits.contains("table"), "{limits}");
    let report = desk.report(&["old.c", "new.c", "--entry", "f", "--param", "n=int:5..6"], 3);
    assert_eq!(report["witnesses"].as_array().unwrap().len(), 0);
}

#[test]
fn directories_and_revisions_run_like_files() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("tools/greet.c", &GREET.replace("hello", "good day"))], "Greet");
    let run = |args: &[&str]| said(&mut desk.ripple(&[&["run"], args].concat()));
    assert_eq!(run(&[".", "--program", "greet"]).out, "good day\n");
    assert_eq!(run(&["HEAD~1", "--program", "greet"]).out, "hello\n");
    assert_eq!(run(&["HEAD", "--program", "count", "--", "a", "b"]).out, "6\n");
    let asked = run(&["HEAD"]);
    assert_eq!(asked.code, 2, "{}", asked.err);
    assert!(
        asked.err.contains("`main` is defined in 3 files; programs: clip, count, greet. Try: ")
    );
    let command = asked.err.split("Try: ").nth(1).unwrap().trim().to_owned();
    let words = testkit::words(&command);
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    assert_eq!(said(&mut desk.ripple(&words)).code, 0, "{command}");
    assert_eq!(run(&["tools/greet.c"]).out, "good day\n");
}

#[test]
fn changes_impact_explore_and_verify_take_programs_too() {
    let Some(desk) = three_programs() else { return };
    let twice = TWICE.replace("n + n", "n * 3");
    let clip = CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1");
    desk.commit(&[("lib/twice.c", &twice), ("lib/clip.c", &clip)], "Twice and clip");
    let run = |args: &[&str]| said(&mut desk.ripple(args));
    let said = run(&["changes", "HEAD~1", "HEAD"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    said.has(&["twice", "clip"]);
    let said = run(&["changes", "HEAD~1", "HEAD", "--program", "count"]);
    said.has(&["twice"]);
    assert!(!said.out.contains("n > 1"), "{}", said.out);
    assert_eq!(run(&["impact", "HEAD~1", "HEAD", "--program", "count"]).code, 0);
    let args = ["verify", "HEAD~1", "HEAD", "--no-out", "--program", "clip", "--args-max", "1"];
    assert_eq!(run(&args).code, 1);
    let asked = run(&["verify", "HEAD~1", "HEAD", "--no-out"]);
    assert_eq!(asked.code, 2, "{}", asked.err);
    assert!(asked.err.contains("the change affects 2 programs: "), "{}", asked.err);
    let args = ["explore", "HEAD", "--program", "greet", "--budget", "2s"];
    assert_eq!(run(&args).code, 0);
}

#[test]
fn shallow_clones_and_further_work_trees_serve_as_well() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("tools/greet.c", &GREET.replace("hello", "good day"))], "Greet");
    let place = desk.path().display().to_string();
    let aside = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let status = Command::new("git").args(args).current_dir(aside.path()).output().unwrap();
        assert!(status.status.success(), "{args:?}");
    };
    git(&["clone", "--quiet", "--depth=2", &format!("file://{place}"), "shallow"]);
    git(&["-C", "shallow", "worktree", "add", "--quiet", "../tree", "HEAD~1"]);
    for below in ["shallow", "tree"] {
        let revisions = if below == "tree" { ["HEAD", "."] } else { ["HEAD~1", "HEAD"] };
        let mut command = desk.ripple(&["compare", revisions[0], revisions[1], "--no-out"]);
        let said = said(command.args(BUDGET).current_dir(aside.path().join(below)));
        let wanted = if below == "tree" { 0 } else { 1 };
        assert_eq!(said.code, wanted, "{below}: {}{}", said.out, said.err);
    }
}

#[test]
fn equal_targets_are_no_equal_versions_where_something_was_not_compared() {
    let Some(desk) = three_programs() else { return };
    // `clip` behaves the same; `table` is called by nobody that is compared, and cannot be called.
    let clip = CLIP_C.replace("n > 9 ? 9 : n", "n < 10 ? n : 9");
    desk.commit(
        &[("lib/table.c", "static int rows[2];\nint *table(void)\n{\n    return rows;\n}\n")],
        "Table",
    );
    let table = "static int rows[3];\nint *table(void)\n{\n    return rows + 1;\n}\n";
    desk.commit(&[("lib/clip.c", &clip), ("lib/table.c", table)], "Clip");
    let said = bare(&desk, &["--arg", "int:0..3", "--args-max", "1"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&["inconclusive: ", "not compared: function table: "]);
    let report = desk.report(&["HEAD~1", "HEAD", "--budget", "2s", "--arg", "int:0..3"], 3);
    assert_eq!(report["schema"], "ripple.targets/1");
    assert_eq!(report["verdict"], "inconclusive");
    let what: Vec<&str> = report["not_done"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["what"].as_str().unwrap())
        .collect();
    assert!(what.contains(&"function table") && what.contains(&"variable rows"), "{what:?}");
    assert_eq!(report["targets"][0]["report"]["verdict"], "equal", "{report}");
    // Without the change of what nobody shows, the program is all that matters.
    desk.git(&["checkout", "--quiet", "HEAD~1", "--", "lib/table.c"]);
    desk.git(&["commit", "--quiet", "--amend", "--message", "Clip alone"]);
    let said = bare(&desk, &["--arg", "int:0..3"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

#[test]
fn equal_functions_are_no_equal_versions_where_others_use_the_change() {
    let Some(desk) = Desk::repository(&["compare"]) else { return };
    let lib = "static const int steps[] = {1, 2, 4};\n\
        int first(int n)\n{\n    return n + steps[0];\n}\n\
        int last(int *to)\n{\n    return *to += steps[2];\n}\n";
    desk.commit(&[("lib.c", lib)], "Begin");
    desk.commit(&[("lib.c", &lib.replace("4}", "5}"))], "Step");
    // `last` differs; `first` alone is equal, and says nothing about the table.
    let said = bare(&desk, &["--targets", "1"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&["not compared: "]);
    let said = bare(&desk, &[]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
}

#[test]
fn a_file_that_does_not_compile_and_includes_a_change_forbids_equal() {
    let Some(desk) = three_programs() else { return };
    let odd = "#include \"config.h\"\n#include \"odd.h\"\nint main(void) { return ODD; }\n";
    desk.commit(&[("tests/odd.c", odd), ("tests/odd.h", "#define ODD 1\n")], "Odd");
    desk.commit(&[("tests/odd.h", "#define ODD 2\n")], "Even");
    let said = bare(&desk, &[]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    said.has(&["inconclusive: ", "not compared: file tests/odd.c: "]);
    desk.commit(&[("README", "x\n")], "Explain");
    assert_eq!(bare(&desk, &[]).code, 0);
}

#[test]
fn programs_of_two_versions_are_marked() {
    let Some(desk) = three_programs() else { return };
    let twice = TWICE.replace("n + n", "n * 3");
    desk.commit(&[("lib/twice.c", &twice), ("extra.c", GREET)], "Twice, and one more");
    let run = |args: &[&str]| said(&mut desk.ripple(args));
    let marked = run(&["programs", "HEAD~1", "HEAD", "--files"]);
    assert_eq!(marked.code, 0, "{}{}", marked.out, marked.err);
    assert_eq!(
        marked.out,
        "affected    count  1 step from `main`: modified twice (lib/twice.c)\n    lib/twice.c\n    \
         tools/count.c\nunaffected  clip\n    clip/main.c\n    lib/clip.c\nunaffected  greet\n    \
         tools/greet.c\nonly NEW    extra\n    extra.c\ncompare: ripple compare HEAD~1 HEAD \
         --program count\n"
    );
    assert!(follow(&desk, &marked.out.replace("count\n", "count --args-max 1\n")) == 1);
    let json = run(&["programs", "HEAD~1", "HEAD", "--format", "json"]);
    let report: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(report["schema"], "ripple.affected/1");
    assert_eq!(report["programs"][0]["mark"], "affected");
    assert_eq!(report["programs"][3]["mark"], "only_new");
    assert_eq!(
        report["changed"][report["programs"][0]["changed"][0].as_u64().unwrap() as usize]["name"],
        "twice"
    );
    let nothing = run(&["programs", "HEAD", "HEAD"]);
    assert!(nothing.out.lines().all(|line| line.starts_with("unaffected  ")), "{}", nothing.out);
    let refused = run(&["programs", "extra.c", "HEAD"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("takes two directories or revisions"), "{}", refused.err);
}

#[test]
fn a_change_that_does_not_compile_leaves_programs_undecided() {
    let Some(desk) = three_programs() else { return };
    desk.commit(
        &[("lib/clip.c", "#include \"nowhere.h\"\nint clip(int n) { return N; }\n")],
        "Break",
    );
    let marked = said(&mut desk.ripple(&["programs", "HEAD~1", "HEAD"]));
    assert_eq!(marked.code, 0, "{}{}", marked.out, marked.err);
    marked.has(&["undecided   greet", "does not compile, and may differ: lib/clip.c"]);
    assert!(!marked.out.contains("unaffected"), "{}", marked.out);
    assert!(marked.err.contains("nowhere.h"), "{}", marked.err);
}

#[test]
fn what_was_not_compared_takes_a_few_lines() {
    let Some(desk) = three_programs() else { return };
    let tables = |size: u32| -> String {
        let one = |index: u32| {
            format!("int *table{index}(void)\n{{\n    static int t[{size}];\n    return t;\n}}\n")
        };
        (0..40).map(one).collect()
    };
    desk.commit(&[("lib/tables.c", &tables(2))], "Tables");
    let clip = CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1");
    desk.commit(&[("lib/tables.c", &tables(3)), ("lib/clip.c", &clip)], "Larger tables");
    desk.git(&["rm", "--quiet", "tools/greet.c", "tools/count.c"]);
    desk.commit(&[], "Fewer");
    let said = desk.run(&[&["HEAD~2", "HEAD"], &BUDGET[..], &["--args-max", "1"]].concat());
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let fewer = "not compared: 2 programs that NEW does not have: program count, program greet";
    assert!(said.err.contains(fewer), "{}", said.err);
    let lines = said.err.lines().filter(|line| line.contains("not compared: ")).count();
    assert!(lines <= 16, "{lines}: {}", said.err);
}

#[test]
fn a_program_whose_code_tells_options_is_compared_with_them() {
    let Some(desk) = three_programs() else { return };
    let old = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include \"lib.h\"\n\
        int main(int argc, char **argv)\n{\n    int c, n = 0, quiet = 0;\n    \
        while ((c = getopt(argc, argv, \"qn:\")) != -1)\n        if (c == 'n')\n            \
        n = atoi(optarg);\n        else if (c == 'q')\n            quiet = 1;\n    \
        if (!quiet)\n        printf(\"%d\\n\", clip(n));\n    return 0;\n}\n";
    desk.commit(&[("tools/option.c", old)], "Options");
    desk.commit(
        &[("lib/clip.c", &CLIP_C.replace("return n > 9 ? 9", "return n == 1 ? 7 : n > 9 ? 9"))],
        "Seven",
    );
    let said = bare(&desk, &[]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let unknown = "not compared: program clip: its inputs are not known; try: ";
    assert!(said.err.contains(unknown), "{}", said.err);
    assert!(
        said.out.contains("== program option: different")
            || said.err.contains("comparing the program option"),
        "{}{}",
        said.out,
        said.err
    );
    said.has(&[
        "beginning with the options and words that the code compares with arguments: -n, -q",
        "-n",
    ]);
}

/// Clones of a repository, aside.
struct Aside(tempfile::TempDir);

impl Aside {
    fn git(&self, args: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "protocol.file.allow=always"]).args(args);
        let output = command.current_dir(self.0.path()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn compare(&self, desk: &Desk, below: &str, versions: [&str; 2]) -> Said {
        let mut command = desk.ripple(&["compare", versions[0], versions[1], "--no-out"]);
        said(command.args(BUDGET).args(["--args-max", "1"]).current_dir(self.0.path().join(below)))
    }
}

#[test]
fn a_revision_that_a_shallow_clone_lacks_can_be_fetched() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("tools/greet.c", &GREET.replace("hello", "good day"))], "Greet");
    let aside = Aside(tempfile::tempdir().unwrap());
    aside.git(&[
        "clone",
        "--quiet",
        "--depth=1",
        &format!("file://{}", desk.path().display()),
        "a",
    ]);
    let before = aside.compare(&desk, "a", ["HEAD~1", "HEAD"]);
    assert_eq!(before.code, 2, "{}{}", before.out, before.err);
    assert!(before.err.contains("`git fetch --deepen=1`"), "{}", before.err);
    aside.git(&["-C", "a", "fetch", "--quiet", "--deepen=1"]);
    assert_eq!(aside.compare(&desk, "a", ["HEAD~1", "HEAD"]).code, 1);
}

#[test]
fn files_that_a_sparse_work_tree_lacks_were_not_removed() {
    let Some(desk) = three_programs() else { return };
    desk.commit(&[("lib/clip.c", &CLIP_C.replace("n > 9 ? 9", "n > 1 ? 1"))], "Clip");
    let aside = Aside(tempfile::tempdir().unwrap());
    let from = desk.path().display().to_string();
    aside.git(&["clone", "--quiet", "--no-checkout", &from, "a"]);
    aside.git(&["-C", "a", "sparse-checkout", "set", "--cone", "lib", "include"]);
    aside.git(&["-C", "a", "checkout", "--quiet"]);
    assert!(!aside.0.path().join("a/tools").exists());
    // Revisions are whole.
    let whole = aside.compare(&desk, "a", ["HEAD~1", "HEAD"]);
    assert!(whole.err.contains("the program is clip"), "{}", whole.err);
    let same = aside.compare(&desk, "a", ["HEAD", "."]);
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);
    assert!(same.err.contains("note: the work tree is sparse; "), "{}", same.err);
    let changed = aside.compare(&desk, "a", ["HEAD~1", "."]);
    assert_eq!(changed.code, 1, "{}{}", changed.out, changed.err);
    assert!(
        !changed.out.contains("removed") && !changed.out.contains("does not have"),
        "{}",
        changed.out
    );
    // A file outside that differs cannot be left out.
    desk.commit(&[("tools/greet.c", &GREET.replace("hello", "good day"))], "Greet");
    aside.git(&["-C", "a", "pull", "--quiet"]);
    let refused = aside.compare(&desk, "a", ["HEAD~1", "."]);
    assert_eq!(refused.code, 2, "{}{}", refused.out, refused.err);
    assert!(
        refused.err.contains("`tools/greet.c` is not in the sparse work tree"),
        "{}",
        refused.err
    );
}

#[test]
fn a_submodule_that_is_not_here_is_named() {
    let Some(desk) = three_programs() else { return };
    let Some(around) = Desk::repository(&["compare"]) else { return };
    let from = desk.path().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "sub"];
    around.git(&add);
    let app = "#include \"sub/include/lib.h\"\nint main(int c, char **v) { return clip(c); }\n";
    around.commit(&[("app.c", app)], "Begin");
    around.commit(&[("app.c", &app.replace("clip(c)", "clip(c + 1)"))], "More");
    let aside = Aside(tempfile::tempdir().unwrap());
    aside.git(&["clone", "--quiet", &around.path().display().to_string(), "a"]);
    let lacking = aside.compare(&desk, "a", ["HEAD~1", "HEAD"]);
    assert_eq!(lacking.code, 4, "{}{}", lacking.out, lacking.err);
    assert!(
        lacking.err.contains("the submodule sub is not here")
            && lacking.err.contains("`git submodule update --init`"),
        "{}",
        lacking.err
    );
    aside.git(&["-C", "a", "submodule", "--quiet", "update", "--init"]);
    assert_eq!(aside.compare(&desk, "a", ["HEAD~1", "HEAD"]).code, 1);
}

#[test]
fn nothing_but_the_named_results_is_written_into_a_work_tree() {
    let Some(desk) = three_programs() else { return };
    let makefile = "count: tools/count.c lib/twice.c\n\t$(CC) -Iinclude -o $@ $^\n";
    desk.commit(&[("Makefile", makefile)], "Make");
    desk.commit(&[("lib/twice.c", &TWICE.replace("n + n", "n * 3"))], "Thrice");
    // Whoever refreshes the index writes it now.
    desk.write(&[("tools/greet.c", GREET), ("lib/clip.c", &CLIP_C.replace("9", "8"))]);
    let state = || {
        let index = std::fs::read(desk.path().join(".git/index")).unwrap();
        let refs = desk.git(&["for-each-ref"]) + &desk.git(&["count-objects", "-v"]);
        (index, refs, desk.names())
    };
    let before = state();
    for args in [
        &["compare", "HEAD~1", "HEAD", "--no-out", "--budget", "1s"][..],
        &["compare", "HEAD", ".", "--no-out", "--budget", "1s"],
        &["compare", "HEAD~1", "HEAD", "--no-out", "--budget", "1s", "--build", "make"],
        &["verify", "HEAD~1", "HEAD", "--program", "count", "--no-out", "--budget", "1s"],
        &["explore", ".", "--program", "greet", "--budget", "1s"],
        &["changes", "HEAD~1", "HEAD"],
        &["impact", "HEAD~1", "HEAD"],
        &["programs", "HEAD~1", "HEAD"],
        &["programs"],
        &["run", "HEAD", "--program", "greet"],
        &["complexity", "HEAD~1..HEAD"],
    ] {
        let said = said(&mut desk.ripple(args));
        assert!(matches!(said.code, 0 | 1 | 3), "{args:?}: {}{}", said.out, said.err);
        assert_eq!(state(), before, "{args:?}");
    }
    let said = said(&mut desk.ripple(&["compare", "HEAD~1", "HEAD", "--out", "here", "--first"]));
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let new: Vec<String> =
        desk.names().into_iter().filter(|name| !before.2.contains(name)).collect();
    assert_eq!(new, ["here"]);
}

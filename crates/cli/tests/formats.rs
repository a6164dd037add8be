//! The output of `ripple compare` for code scanning, pull requests and editors, including hostile
//! programs and files.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // What tests share is test code as well.

#[path = "formats/hostile.rs"]
mod hostile;
#[path = "formats/sarif.rs"]
mod sarif;
#[path = "formats/valid.rs"]
mod valid;

use testkit::desk::{self, Desk, said};

const OLD: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    int main(int argc, char **argv) {\n    int n = argc > 1 ? atoi(argv[1]) : 0;\n    \
    int shown = n;\n    printf(\"%d\\n\", shown);\n    return 0;\n}\n";

/// Two versions that differ for large numbers only.
pub fn desk() -> Desk {
    Desk::pair(OLD, &OLD.replace("shown = n;", "shown = n > 99 ? 99 : n;"))
}

#[test]
fn short_lines_are_those_of_compilers() {
    let said = desk().compare(&["--arg", "int:0..200", "--format", "short", "--no-out"]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert_eq!(said.out.lines().count(), 1, "{}", said.out);
    assert!(said.out.starts_with("new.c:5:"), "{}", said.out);
    said.has(&[
        ": warning: the output changed: ",
        "./new 100",
        "“99”",
        "“100”",
        "[output-changed]",
    ]);
}

#[test]
fn markdown_has_a_verdict_a_table_and_folded_details() {
    let said = desk().compare(&["--arg", "int:0..200", "--format", "markdown", "--no-out"]);
    assert!(said.out.starts_with("**Ripple: different.** "), "{}", said.out);
    said.has(&[
        "| ⚠️ the output changed | `./new 100` | `100` | `99` | `new.c:5` |",
        "<details><summary>1. ",
        "```diff\n-100\n+99\n```",
        "</details>",
    ]);
    assert!(!said.out.contains(" s)") && !said.out.contains("seconds"), "{}", said.out);
}

#[test]
fn nothing_is_said_in_markdown_where_nothing_changed() {
    let desk = Desk::pair(OLD, &OLD.replace("int shown", "/* as given */ int shown"));
    for format in ["markdown", "short"] {
        let said = desk.compare(&["--format", format, "--no-out"]);
        assert_eq!((said.code, said.out.as_str()), (0, ""), "{format}: {}", said.err);
    }
}

#[test]
fn the_same_run_twice_gives_the_same_bytes() {
    let desk = desk();
    for format in ["sarif", "markdown", "short"] {
        let run = || desk.compare(&["--arg", "int:0..200", "--format", format, "--no-out"]).out;
        assert_eq!(run(), run(), "{format}");
    }
    let emitted = || {
        let flags = ["--arg", "int:0..200", "--emit", "shell,c,cmocka,rust,ktest,junit", "--quiet"];
        assert_eq!(desk.compare(&flags).code, 1);
        let tests = desk.path().join("ripple.out/tests");
        let mut names: Vec<_> =
            std::fs::read_dir(tests).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        assert_eq!(names.len(), 7, "{names:?}");
        names.iter().map(|name| std::fs::read(name).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(emitted(), emitted());
}

#[test]
fn github_is_told_about_changed_lines_where_it_listens() {
    let desk = desk();
    let summary = desk.path().join("summary.md");
    let run = |flags: &[&str], github: &str| {
        let all = [&["old.c", "new.c", "--arg", "int:0..200", "--no-out"], flags].concat();
        let mut command = desk.command(&all);
        command.env("GITHUB_ACTIONS", github).env("GITHUB_STEP_SUMMARY", &summary);
        said(&mut command)
    };
    let silent = run(&[], "false");
    assert!(!silent.err.contains("::"), "{}", silent.err);
    let silent = run(&["--annotations", "none"], "true");
    assert!(!silent.err.contains("::warning") && !summary.exists(), "{}", silent.err);
    let told = run(&["--format", "json"], "true");
    let line = told.err.lines().find(|line| line.starts_with("::")).unwrap();
    assert!(line.starts_with("::warning file=new.c,line=5,col="), "{line}");
    assert!(line.contains(",title=The output changed::the output changed: "), "{line}");
    assert!(serde_json::from_str::<serde_json::Value>(&told.out).is_ok());
    let text = std::fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("**Ripple: different.** "), "{text}");
}

#[test]
fn the_output_directory_has_the_other_formats_too() {
    let desk = desk();
    let said = desk.compare(&["--arg", "int:0..200", "--format", "sarif"]);
    assert_eq!(desk.read("ripple.out/report.sarif"), said.out);
    assert!(desk.read("ripple.out/report.md").starts_with("**Ripple: different.**"));
}

#[test]
fn every_result_ends_with_a_newline() {
    let desk = Desk::of(
        &[],
        &[("old.c", OLD), ("new.c", &OLD.replace("shown = n;", "shown = n > 99 ? 99 : n;"))],
    );
    let commands: [&[&str]; 14] = [
        &["compare", "old.c", "new.c", "--arg", "int:0..200", "--no-out"],
        &["compare", "old.c", "old.c", "--arg", "int:0..200", "--no-out"],
        &["verify", "old.c", "new.c", "--arg", "int:0..200", "--no-out"],
        &["verify", "old.c", "new.c", "--arg", "int:0..200", "--max-runs", "1", "--no-out"],
        &["explore", "old.c", "--arg", "int"],
        &["changes", "old.c", "new.c"],
        &["changes", "old.c", "new.c", "--graph", "text"],
        &["impact", "old.c", "new.c"],
        &["impact", "old.c", "--at", "5"],
        &["slice", "old.c", "--from", "4", "--forward"],
        &["complexity", "old.c", "new.c"],
        &["dump", "cfg", "old.c"],
        &["dump", "callgraph", "old.c", "--format", "svg"],
        &["doctor"],
    ];
    for command in commands {
        let said = desk.run(command);
        assert!(
            said.out.ends_with('\n') && !said.out.ends_with("\n\n\n"),
            "{command:?}: {}",
            said.out
        );
    }
}

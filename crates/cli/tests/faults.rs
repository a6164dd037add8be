//! What `ripple run` reports about the programs under `tests/fault`, and how it ends.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The value of a directive, which is a comment `// name: value`.
fn directive<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let comments = text.lines().map_while(|line| line.strip_prefix("// "));
    comments.filter_map(|comment| comment.split_once(": ")).find(|(n, _)| *n == name).map(|p| p.1)
}

/// Runs a program; returns a sentence for every violated directive.
fn check(path: &Path, cache: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let name = path.strip_prefix(root()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
    command.current_dir(root()).env("XDG_CACHE_HOME", cache).arg("run").arg(name);
    command.args(["--cflags", directive(&text, "cflags").unwrap_or_default(), "--"]);
    command.args(directive(&text, "args").unwrap_or_default().split_whitespace());
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let mut wrong = Vec::new();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            wrong.push(format!("{}: {what}", name.display()));
        }
    };
    let code = output.status.code().unwrap();
    let exit: i32 = directive(&text, "exit").unwrap_or("0").parse().unwrap();
    expect(code == exit, format!("ended with {code}, not {exit}"));
    match directive(&text, "faults") {
        None => expect(said.is_empty(), format!("said {said}")),
        Some(report) => {
            let report_is_there = said.contains("fault: ") && said.contains(report);
            expect(report_is_there, format!("said {said}instead of {report}"));
            let place = format!("{}:", name.display());
            expect(said.contains(&place), format!("said no place in it:\n{said}"));
        }
    }
    wrong
}

#[test]
fn every_fault_is_reported_with_its_kind_and_place() {
    let cache = tempfile::tempdir().unwrap();
    let mut programs: Vec<PathBuf> = fs::read_dir(root().join("tests/fault"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    assert!(programs.len() > 20, "the programs are there");
    let (left, right) = programs.split_at(programs.len() / 2);
    let check_all = |programs: &[PathBuf]| -> Vec<String> {
        programs.iter().flat_map(|path| check(path, cache.path())).collect()
    };
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| check_all(right));
        let mut wrong = check_all(left);
        wrong.extend(other.join().unwrap());
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_report_names_the_line_and_where_the_block_came_from_and_went() {
    let place = tempfile::tempdir().unwrap();
    let program = "#include <stdlib.h>\n\
                   static char *make(void) { return malloc(4); }\n\
                   static void drop(char *p) { free(p); }\n\
                   int main(void) {\n\
                   char *p = make();\n\
                   drop(p);\n\
                   p[2] = 'x';\n\
                   return 0; }\n";
    fs::write(place.path().join("p.c"), program).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
    command.current_dir(place.path()).env("XDG_CACHE_HOME", place.path()).args(["run", "p.c"]);
    let output = command.output().unwrap();
    let expected = "fault: write of 1 bytes at offset 2 of a freed heap block of 4 bytes\n  \
                    at p.c:7 in main\n      p[2] = 'x';\n  \
                    allocated at p.c:2 in make\n  \
                    freed at p.c:3 in drop\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), expected);
    assert_eq!(output.status.code(), Some(139));
}

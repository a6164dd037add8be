//! Rules about single files: header, name, length, leftover marks, names of one machine.

use super::{File, Violation};

const MAX_LINES: usize = 1000;

/// Names that say nothing about the contents of a file.
const VAGUE_NAMES: [&str; 3] = ["mod.rs", "utils.rs", "helpers.rs"];

// Written in pieces, so that this file does not break its own rules.
const MARKS: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
const MACHINE_PATHS: [&str; 3] =
    [concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// The directory of programs in the virtual file system. None of our machines has it.
const INVENTED: &str = concat!("/ho", "me/user");

pub fn check(file: &File) -> Vec<Violation> {
    let mut violations = Vec::new();
    violations.extend(header(file));
    violations.extend(name(file));
    violations.extend(length(file));
    if !file.path.starts_with("Cargo.lock") {
        violations.extend(leftovers(file));
    }
    violations
}

/// A Rust file opens by saying what it is. The names of tests speak for themselves.
fn header(file: &File) -> Option<Violation> {
    let named = ["build.rs", "tests.rs"].iter().any(|name| file.path.ends_with(name));
    let exempt = file.lies_in("tests") || named;
    let missing = file.has_extension("rs") && !exempt && !file.text.starts_with("//! ");
    missing.then(|| Violation::of(file, 1, "must open with a `//!` comment that says what it is"))
}

fn name(file: &File) -> Option<Violation> {
    let vague = VAGUE_NAMES.iter().any(|name| file.path.ends_with(name));
    vague.then(|| Violation::of(file, 0, "must have a name that says what it holds"))
}

/// Data may be long; code may not.
fn length(file: &File) -> Option<Violation> {
    let runtime = file.path.starts_with("crates") && file.has_extension("c");
    let lines = file.text.lines().count();
    let long = (file.has_extension("rs") || runtime) && lines > MAX_LINES;
    long.then(|| Violation::of(file, 0, format!("has {lines} lines; at most {MAX_LINES}")))
}

fn leftovers(file: &File) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let mut report = |message| violations.push(Violation::of(file, index + 1, message));
        for mark in MARKS.iter().filter(|mark| has_word(line, mark)) {
            report(format!("has a leftover {mark}"));
        }
        for path in MACHINE_PATHS.iter().filter(|path| has_path(line, path)) {
            report(format!("names a path of one machine, `{path}…`"));
        }
    }
    violations
}

/// Whether the word occurs with word boundaries on both sides.
fn has_word(line: &str, word: &str) -> bool {
    let of_a_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + word.len()..].chars().next();
        !before.is_some_and(of_a_word) && !behind.is_some_and(of_a_word)
    })
}

/// Whether the path occurs at the beginning of an absolute one that is not the virtual one.
fn has_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let relative = before.is_some_and(|c| c.is_alphanumeric() || "_-.~}$*".contains(c));
        let behind = line[at..].strip_prefix(INVENTED);
        let invented = behind.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        !relative && !invented
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        let file = File { path: path.into(), text: text.to_owned() };
        check(&file).into_iter().map(|v| v.to_string()).collect()
    }

    #[test]
    fn a_file_without_a_header_is_found_unless_it_is_a_test() {
        assert_eq!(messages("crates/a/src/b.rs", "fn f() {}\n").len(), 1);
        assert!(messages("crates/a/tests/b.rs", "fn f() {}\n").is_empty());
        assert!(messages("crates/a/src/b.rs", "//! Says it.\n").is_empty());
    }

    #[test]
    fn marks_are_words_and_paths_are_absolute() {
        let mark = MARKS[0];
        let path = MACHINE_PATHS[1];
        let bad = format!("x\n// {mark}: later\ncd {path}x\n");
        let expected = [
            format!("a.md:2: has a leftover {mark}"),
            format!("a.md:3: names a path of one machine, `{path}…`"),
        ];
        assert_eq!(messages("a.md", &bad), expected);
        let good = format!("{mark}S, x{path}y, $HERE{path}y, {INVENTED}/x\n");
        assert!(messages("a.md", &good).is_empty());
    }

    #[test]
    fn long_and_vaguely_named_files_are_found() {
        let long = format!("//! Long.\n{}", "\n".repeat(MAX_LINES));
        assert_eq!(messages("src/a.rs", &long).len(), 1);
        assert!(messages("tests/data.ll", &long).is_empty());
        assert_eq!(messages("src/utils.rs", "//! Vague.\n").len(), 1);
    }
}

//! Rules about Rust code: how long files and functions may be, and that `unsafe` is justified.
//!
//! The code is formatted, so that a function ends with the first brace in the column of its
//! beginning.

use super::{File, Violation};

const MAX_FILE: usize = 800;
const MAX_FUNCTION: usize = 100;
/// Lines of one statement before the word `unsafe` in it.
const MOST_LINES_BEFORE: usize = 3;

/// Longer files, by the end of their paths, and why. The list can only get shorter.
const LONG_FILES: [(&str, &str); 2] = [
    ("explore/src/partitions/explorer.rs", "to be divided into steps"),
    ("text/statements.rs", "the statements of eight languages, one line above the limit"),
];

/// Longer functions, by the end of their file's path, and why.
const LONG_FUNCTIONS: [(&str, &str, &str); 9] = [
    ("exec/src/machine.rs", "execute", "the loop of the machine: a flat table of operations"),
    ("exec/src/machine/slow.rs", "slow", "a flat table of operations"),
    ("exec/src/assembly/execute.rs", "step", "a flat table of instructions"),
    ("exec/src/libc/vfs/tests.rs", "random_line", "a flat table of calls"),
    ("exec/src/libc/stream/tests.rs", "step", "a flat table of calls"),
    (
        "inputs/tests/entry.rs",
        "every_mistake_about_entries_gets_its_sentence",
        "a flat table of mistakes",
    ),
    ("text/language.rs", "is_keyword", "a flat table of words"),
    ("ir/src/print/body.rs", "op", "a flat table of operations"),
    ("report/src/compare/text.rs", "verdict_sentence", "a table of sentences"),
];

pub fn check(files: &[File]) -> Vec<Violation> {
    let is_code = |file: &&File| file.has_extension("rs");
    let mut violations = Vec::new();
    let (mut long_files, mut long_functions) = (Vec::new(), Vec::new());
    for file in files.iter().filter(is_code) {
        violations.extend(unjustified(file));
        let lines = file.text.lines().count();
        if lines > MAX_FILE {
            match LONG_FILES.iter().find(|(path, _)| file.path.ends_with(path)) {
                Some(known) => long_files.push(known.0),
                None => {
                    let message = format!("has {lines} lines; at most {MAX_FILE}");
                    violations.push(Violation::of(file, 0, message));
                }
            }
        }
        for (line, name, lines) in functions(&file.text) {
            let is_known = |one: &&(&str, &str, &str)| file.path.ends_with(one.0) && one.1 == name;
            match LONG_FUNCTIONS.iter().find(is_known) {
                _ if lines <= MAX_FUNCTION => {}
                Some(known) => long_functions.push((known.0, known.1)),
                None => {
                    let message = format!("`{name}` has {lines} lines; at most {MAX_FUNCTION}");
                    violations.push(Violation::of(file, line, message));
                }
            }
        }
    }
    let files = LONG_FILES.iter().filter(|one| !long_files.contains(&one.0));
    let files = files.map(|one| (one.0, "the file"));
    let functions = LONG_FUNCTIONS.iter().filter(|one| !long_functions.contains(&(one.0, one.1)));
    let functions = functions.map(|one| (one.0, one.1));
    violations.extend(files.chain(functions).map(|(path, what)| Violation {
        path: path.into(),
        line: 0,
        message: format!("{what} is short now: take it off the list of `cargo xtask tidy`"),
    }));
    violations
}

/// Line, name and number of lines of every function.
fn functions(text: &str) -> Vec<(usize, &str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let Some((before, rest)) = code.split_once("fn ") else { continue };
        let qualifiers = ["pub", "const", "async", "unsafe", "extern", "\"C\"", "safe"];
        let is_qualifier = |word: &str| {
            word.starts_with("pub(") || word.ends_with(')') || qualifiers.contains(&word)
        };
        if !before.split_whitespace().all(is_qualifier) {
            continue;
        }
        let name =
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_end = |line: &&str| line.len() == indent + 1 && line.trim_start() == "}";
        let length = lines[at..].iter().position(is_end).map_or(1, |end| end + 1);
        found.push((at + 1, name, length));
    }
    found
}

/// Uses of `unsafe` without a comment that says why they are sound.
fn unjustified(file: &File) -> Vec<Violation> {
    let lines: Vec<&str> = file.text.lines().map(str::trim_start).collect();
    let forms = ["unsafe {", "unsafe fn ", "unsafe impl ", "unsafe extern "];
    let is_use = |line: &str| {
        let at = forms.iter().filter_map(|form| line.find(form)).min();
        // Text in a string or after a comment sign is not code.
        at.is_some_and(|at| !line[..at].contains('"') && !line[..at].contains("//"))
    };
    let is_type = |line: &str| line.contains("type ") || line.contains(": unsafe extern");
    let is_justified = |at: usize| {
        let mut code = 0;
        for line in lines[..at].iter().rev() {
            if line.starts_with("//") {
                if line.contains("SAFETY:") || line.contains("# Safety") {
                    return true;
                }
            } else if !line.starts_with("#[") {
                code += 1;
                if code > MOST_LINES_BEFORE || line.ends_with([';', '}']) {
                    return false;
                }
            }
        }
        false
    };
    let uses = lines.iter().enumerate().filter(|(_, line)| is_use(line) && !is_type(line));
    let bare = uses.filter(|(at, line)| !line.contains("unsafe fn ") && !is_justified(*at));
    bare.map(|(at, _)| Violation::of(file, at + 1, "`unsafe` needs a `SAFETY:` comment")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<(usize, String)> {
        let file = File { path: "crates/new/src/a.rs".into(), text: text.to_owned() };
        let all = check(&[file]).into_iter();
        let own = all.filter(|violation| violation.path.ends_with("a.rs"));
        own.map(|violation| (violation.line, violation.message)).collect()
    }

    #[test]
    fn code_without_a_reason_to_be_sound_is_found() {
        let found = messages(concat!(
            "fn a() {\n    un",
            "safe { b() }\n}\nfn c() {\n    // SAFETY: none.\n    #[x]\n    let d =\n",
            "        un",
            "safe { b() };\n    e();\n    un",
            "safe { b() }\n}\n",
        ));
        let lines: Vec<usize> = found.iter().map(|one| one.0).collect();
        assert_eq!(lines, [2, 10], "{found:?}");
    }

    #[test]
    fn long_functions_and_files_are_found() {
        let body = "    x();\n".repeat(98);
        let text = format!("impl A {{\n    pub fn short() {{\n{body}    }}\n}}\n");
        assert_eq!(messages(&text), []);
        let text = format!("pub(super) fn long() {{\n{body}\n}}\n{}", "\n".repeat(701));
        let found = messages(&text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[1], (1, "`long` has 101 lines; at most 100".to_owned()));
    }

    #[test]
    fn exceptions_that_are_not_needed_any_more_are_found() {
        assert_eq!(check(&[]).len(), LONG_FILES.len() + LONG_FUNCTIONS.len());
    }
}

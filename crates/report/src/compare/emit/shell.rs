//! Tests as shell scripts: POSIX sh with `mktemp`, `timeout` and `diff`. For one function, a
//! script that builds and runs the test in C.

use std::path::Path;

use inputs::Input;
use inputs::script::{quoted, write_input};

use super::story::story;
use super::{Case, EmittedFile, c, files_that_differ, flags_of, sources, tests_stderr};
use crate::shell::printf;

const END: &str = "END_OF_TEXT";

/// Shows the beginning of a difference, without control characters for the terminal.
const CHECK: &str = r#"check() {
    if ! cmp -s "$1" "$2"; then
        diff -au "$1" "$2" | head -n 40 | cut -c 1-200 | cat -v
        failed=1
    fi
}

"#;

pub(super) fn emit(case: &Case<'_>) -> Result<Vec<EmittedFile>, String> {
    if case.compared.entry.is_some() {
        let mut files = c::emit(case)?;
        files.push(EmittedFile::text(format!("{}.sh", case.name), of_function(case)));
        return Ok(files);
    }
    Ok(vec![EmittedFile::text(format!("{}.sh", case.name), of_program(case))])
}

fn head(case: &Case<'_>, usage: &str) -> String {
    let mut text = "#!/bin/sh\n".to_owned();
    for line in story(case) {
        text.push_str(format!("# {line}").trim_end());
        text.push('\n');
    }
    text.push_str("#\n");
    for line in usage.lines() {
        text.push_str(&format!("# {line}\n"));
    }
    text.push_str("set -u\nwork=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$work\"' EXIT\n");
    text
}

fn of_program(case: &Case<'_>) -> String {
    let usage = format!(
        "Usage, in the directory of the project: sh {}.sh [PROGRAM]\n\
         Without PROGRAM, it is built from the sources below with $CC, or cc.\n\
         Ends with 0 if the program does what is expected, with 1 if not, with 2 if it does not \
         build.",
        case.name
    );
    let mut text = head(case, &usage);
    text.push_str("mkdir \"$work/bin\" \"$work/run\"\nfailed=0\n\n");
    text.push_str(CHECK);
    text.push_str("if [ $# -gt 0 ]; then\n");
    text.push_str("    case $1 in\n    /*) ln -s \"$1\" \"$work/bin/program\" ;;\n");
    text.push_str("    *) ln -s \"$PWD/$1\" \"$work/bin/program\" ;;\n    esac\nelse\n");
    text.push_str(&build_commands(case, "program"));
    text.push_str("fi\n\ncd \"$work/run\" || exit 2\n\n# The input.\n");
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    write_plain_input(&case.witness.test.input, &mut line);
    line("\n# What is expected.");
    let right = &case.right().native;
    if case.compared.observe.stdout {
        line(&written(&right.stdout, "\"$work/expected.stdout\""));
    }
    if tests_stderr(case) {
        line(&written(&right.stderr, "\"$work/expected.stderr\""));
    }
    let files = files_that_differ(case);
    for (index, (_, content)) in files.iter().enumerate() {
        if let Some(content) = content {
            line(&written(content, &format!("\"$work/expected.{index}\"")));
        }
    }
    line("");
    line(
        "(\n    ulimit -f 200000 2>/dev/null\n    PATH=$work/bin:$PATH LC_ALL=C exec timeout 10 program \"$@\" \\\n        \
         <\"$work/stdin\" >\"$work/stdout\" 2>\"$work/stderr\"\n)",
    );
    line("status=$?");
    if let Some(status) = case.status() {
        line(&format!("if [ \"$status\" -ne {status} ]; then"));
        line(&format!("    echo \"exit status $status instead of {status}\"\n    failed=1\nfi"));
    }
    if case.compared.observe.stdout {
        line("check \"$work/expected.stdout\" \"$work/stdout\"");
    }
    if tests_stderr(case) {
        line("check \"$work/expected.stderr\" \"$work/stderr\"");
    }
    for (index, (name, content)) in files.iter().enumerate() {
        let name = quoted(&format!("./{name}"));
        match content {
            Some(_) => line(&format!("check \"$work/expected.{index}\" {name}")),
            None => line(&format!(
                "if [ -e {name} ]; then\n    echo a file is left that should be gone: {name}\n    failed=1\nfi"
            )),
        }
    }
    line("exit $failed");
    text
}

/// The input as people would write it, if it is plain text.
fn write_plain_input(input: &Input, line: &mut impl FnMut(&str)) {
    let is_plain = |bytes: &Vec<u8>| bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    if !input.args.iter().all(is_plain) {
        write_input(input, "$work/stdin", line);
        return;
    }
    for (name, content) in &input.files {
        let path = format!("./{name}");
        if let Some((parent, _)) = path.rsplit_once('/').filter(|(parent, _)| *parent != ".") {
            line(&format!("mkdir -p {}", word(parent)));
        }
        line(&written(content, &word(&path)));
    }
    line(&written(&input.stdin, "\"$work/stdin\""));
    let arguments: String = input
        .args
        .iter()
        .map(|text| format!(" {}", word(&String::from_utf8_lossy(text))))
        .collect();
    line(&format!("set --{arguments}"));
}

fn of_function(case: &Case<'_>) -> String {
    let usage = format!(
        "Usage, in the directory of the project: sh {}.sh\n\
         Builds the test in C beside this script with $CC, or cc, and runs it. Ends with 0 if the\n\
         function does what is expected, with 1 if not, with 2 if it does not build.",
        case.name
    );
    let mut text = head(case, &usage);
    text.push_str(&format!("test=$(dirname \"$0\")/{}.c\n", case.name));
    text.push_str(&c::build_commands(case, "\"$test\"", "$work/test", " || exit 2"));
    text.push_str("timeout 10 \"$work/test\"\nstatus=$?\n");
    text.push_str("if [ $status -ne 0 ]; then\n    exit 1\nfi\n");
    text
}

/// The commands that build the program.
fn build_commands(case: &Case<'_>, name: &str) -> String {
    let mut text = String::new();
    let names = sources(case.compared);
    let flags = |file: &str| -> String {
        let flags = flags_of(case.compared, Path::new(file));
        flags.iter().map(|flag| format!(" {}", word(flag))).collect()
    };
    let first = names.first().map(|file| flags(file)).unwrap_or_default();
    if names.iter().all(|file| flags(file) == first) {
        let names: Vec<String> = names.iter().map(|file| word(file)).collect();
        let names = names.join(" ");
        text.push_str(&format!(
            "    ${{CC:-cc}} -w -O0{first} -o \"$work/bin/{name}\" {names} -lm || exit 2\n"
        ));
        return text;
    }
    for (index, file) in names.iter().enumerate() {
        text.push_str(&format!(
            "    ${{CC:-cc}} -w -O0{} -c -o \"$work/{index}.o\" {} || exit 2\n",
            flags(file),
            word(file)
        ));
    }
    text.push_str(&format!(
        "    ${{CC:-cc}} -o \"$work/bin/{name}\" \"$work\"/*.o -lm || exit 2\n"
    ));
    text
}

/// A word of a command, quoted only if necessary.
pub(super) fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

/// A command that writes a text to a file: verbatim if it is readable, else by `printf`.
fn written(content: &[u8], file: &str) -> String {
    let is_plain = |text: &str| text.chars().all(|c| (' '..='~').contains(&c) || c == '\n');
    match std::str::from_utf8(content) {
        Ok(text) if text.ends_with('\n') && is_plain(text) && !text.contains(END) => {
            format!("cat >{file} <<'{END}'\n{text}{END}")
        }
        _ => format!("{} >{file}", printf(content)),
    }
}

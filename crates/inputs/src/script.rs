//! A test as a shell script that runs anywhere: POSIX sh, no tools other than `mktemp`, `mkdir` and
//! `rm`.
//!
//! The script creates a directory with the test's files, runs the program in it and ends with the
//! program's exit status. The program is the script's first argument, or else a default.

use std::path::Path;

use crate::{Input, Test};

/// The script of a test. `program` runs if the script gets no argument; a relative path is relative
/// to the script's own directory.
pub fn write_script(test: &Test, program: Option<&str>) -> Vec<u8> {
    let mut script = Vec::new();
    let mut line = |text: &str| {
        script.extend_from_slice(text.as_bytes());
        script.push(b'\n');
    };
    line("#!/bin/sh");
    if let Some(name) = &test.name {
        line(&format!("# {}", name.replace(char::is_control, " ")));
    }
    line("# Runs the program that is the first argument, and ends with its exit status.");
    line("set -eu");
    locate_program(program, &mut line);
    line("directory=$(mktemp -d)");
    line("trap 'rm -rf \"$directory\"' EXIT");
    line("trap 'exit 129' HUP");
    line("trap 'exit 130' INT");
    line("trap 'exit 143' TERM");
    line("mkdir \"$directory/run\"");
    line("cd \"$directory/run\"");
    write_input(&test.input, "$directory/stdin", &mut line);
    line("status=0");
    line("\"$program\" \"$@\" <\"$directory/stdin\" || status=$?");
    line("exit \"$status\"");
    script
}

/// The commands that set up an input: files in the current directory, standard input in the file
/// `stdin`, which may name variables of the shell, and arguments as `"$@"`.
pub fn write_input(input: &Input, stdin: &str, line: &mut impl FnMut(&str)) {
    for (name, text) in &input.files {
        write_file(name, text, line);
    }
    line(&format!("{} >\"{stdin}\"", printf(&input.stdin)));
    line("set --");
    for argument in &input.args {
        add_argument(argument, line);
    }
}

fn locate_program(program: Option<&str>, line: &mut impl FnMut(&str)) {
    match program {
        Some(program) => {
            line("cd \"$(dirname \"$0\")\"");
            line(&format!("program={}", quoted(program)));
            line("if [ $# -gt 0 ]; then");
            // The path is relative to the caller's directory.
            line("    cd \"$OLDPWD\"");
            line("    program=$1");
            line("fi");
        }
        None => line("program=${1:?which program?}"),
    }
    // The shell looks up a name without a slash, as usual.
    line("case $program in");
    line("/*) ;;");
    line("*/*) program=$PWD/$program ;;");
    line("*) if [ -x \"./$program\" ]; then program=$PWD/$program; fi ;;");
    line("esac");
}

fn write_file(name: &str, text: &[u8], line: &mut impl FnMut(&str)) {
    // A name may begin with a dash.
    let path = format!("./{name}");
    if let Some(parent) = Path::new(name).parent().filter(|parent| *parent != Path::new("")) {
        line(&format!("mkdir -p {}", quoted(&format!("./{}", parent.display()))));
    }
    line(&format!("{} >{}", printf(text), quoted(&path)));
}

/// Arguments of plain text stay readable; others use `printf`. The shell strips trailing newlines
/// of a substitution, so a dot guards them; no multi-byte character of any locale ends in one.
fn add_argument(argument: &[u8], line: &mut impl FnMut(&str)) {
    match std::str::from_utf8(argument) {
        Ok(text) if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
            line(&format!("set -- \"$@\" {}", quoted(text)));
        }
        _ => {
            let mut guarded = argument.to_vec();
            guarded.push(b'.');
            line(&format!("argument=$({})", printf(&guarded)));
            line("set -- \"$@\" \"${argument%.}\"");
        }
    }
}

/// A text in single quotes, as one word of any shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A command that writes exactly these bytes.
fn printf(bytes: &[u8]) -> String {
    let mut format = String::with_capacity(bytes.len() + 10);
    for &byte in bytes {
        match byte {
            b'\n' => format.push_str("\\n"),
            b'\t' => format.push_str("\\t"),
            b'\\' => format.push_str("\\\\"),
            b'%' => format.push_str("%%"),
            b'\'' => format.push_str("'\\''"),
            b' '..=b'~' => format.push(byte as char),
            _ => format.push_str(&format!("\\{byte:03o}")),
        }
    }
    // Some shells take a format that begins with a dash as an option.
    match format.strip_prefix('-') {
        Some(rest) => format!("printf '\\055{rest}'"),
        None => format!("printf '{format}'"),
    }
}

//! Runs the file tests under `tests/files`.
//!
//! A file is LLVM IR; its name says what is expected, and the part after `; gives` is the
//! module in our text form, with what was not understood and what the verifier
//! says. With `RIPPLE_BLESS` set, what comes out is written to the files instead of being
//! compared.

use std::path::PathBuf;

const GIVES: &str = "; gives\n";

fn files() -> Vec<PathBuf> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files");
    let entries = std::fs::read_dir(directory).expect("the directory of the cases exists");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the directory").path()).collect();
    files.sort();
    files
}

fn outcome(text: &str) -> String {
    let read = match ripple_llvm::read("case.ll", text) {
        Ok(read) => read,
        Err(error) => return format!("; error: {error}\n"),
    };
    let mut out = read.module.to_string();
    match ir::parse(&out) {
        Ok(again) => assert_eq!(again.to_string(), out, "the text form does not round-trip"),
        Err(error) => panic!("the text form cannot be parsed: {error}\n{out}"),
    }
    for problem in &read.problems {
        out += &format!("; line {}: {}\n", problem.line, problem.reason);
    }
    for violation in ir::verify(&read.module) {
        out += &format!("; violation: {violation}\n");
    }
    out
}

#[test]
fn every_file_gives_what_it_says() {
    let bless = std::env::var_os("RIPPLE_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a case is text");
        let (input, expected) = text.split_once(GIVES).unwrap_or((&text, ""));
        let input = input.trim_end();
        let found = outcome(&format!("{input}\n"));
        if found == expected {
            continue;
        }
        if bless {
            let text = format!("{input}\n\n{GIVES}{found}");
            std::fs::write(&path, text).expect("the case can be written");
        } else {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "these files give something else:\n{}", wrong.join("\n"));
}

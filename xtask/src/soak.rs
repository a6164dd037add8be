//! `cargo xtask soak`: the checks that take too long for every change.
//!
//! Runs the other commands one after the other with large numbers and reports at the end which of
//! them failed. About three hours on two cores. Options after the name of a part replace its own.

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

use crate::{
    agree, conform, fuzz, read, slices, soak_adequacy, soak_compare, soak_explore, soak_exported,
    soak_projects, soak_verify, truth,
};

type Command = fn(&Path, &[String]) -> anyhow::Result<ExitCode>;

/// Name, command and its options.
const PARTS: &[(&str, Command, &[&str])] = &[
    ("conform", conform::run, &["--csmith", "500", "--tests", "--real"]),
    ("agree", |_, options| agree::run(options), &["--count", "3000"]),
    ("explore", soak_explore::run, &["--count", "1000"]),
    ("compare", soak_compare::run, &["--count", "200"]),
    ("adequacy", soak_adequacy::run, &["--count", "500"]),
    ("verify", soak_verify::generated, &[]),
    ("verify-examples", soak_verify::examples, &[]),
    ("truth", truth::run, &[]),
    ("exported", soak_exported::run, &[]),
    ("projects", soak_projects::run, &[]),
    ("read", read::run, &[]),
    ("slices", slices::run, &["--csmith", "200"]),
    ("fuzz-read", fuzz::run, &["read", "--minutes", "10"]),
    ("fuzz-run", fuzz::run, &["run", "--minutes", "10"]),
];

pub fn run(root: &Path, words: &[String]) -> anyhow::Result<ExitCode> {
    let names_end = words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len());
    let (names, given) = words.split_at(names_end);
    if !given.is_empty() && names.len() != 1 {
        bail!("options need exactly one part before them, but there are {}", names.len());
    }
    let known = |name: &String| PARTS.iter().any(|(part, ..)| part == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let parts: Vec<&str> = PARTS.iter().map(|(part, ..)| *part).collect();
        bail!("there is no part `{name}`; the parts are {}", parts.join(", "));
    }
    let mut failed = Vec::new();
    for (name, command, options) in PARTS {
        if !names.is_empty() && !names.iter().any(|chosen| chosen == name) {
            continue;
        }
        println!("== {name}");
        let options: Vec<String> = if given.is_empty() {
            options.iter().map(|&option| option.to_owned()).collect()
        } else {
            given.to_vec()
        };
        match command(root, &options) {
            Ok(code) if code == ExitCode::SUCCESS => {}
            Ok(_) => failed.push(*name),
            Err(error) => {
                println!("{name}: {error:#}");
                failed.push(name);
            }
        }
    }
    if failed.is_empty() {
        println!("all parts passed")
    } else {
        println!("failed: {}", failed.join(", "))
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

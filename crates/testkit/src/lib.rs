//! Code that tests of several crates and `xtask` share; no part of Ripple depends on it.
//!
//! Compilers, a desk for the command, the examples and their pairs, real code, generated programs,
//! and comparisons of the machine with native builds.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)] // All of it is test code.

pub mod brute_force;
pub mod chains;
mod compiler;
pub mod conformance;
pub mod desk;
pub mod generator;
pub mod pairs;
pub mod perturbation;
pub mod subjects;

use std::env;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use compiler::{bench_compiler, compiler, compiler_at, compiler_in, file, find_clang, program};

/// The workspace.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is there")
}

/// A directory below the target directory that stays from one run of the tests to the next.
pub fn scratch(name: &str) -> PathBuf {
    let directory = subjects::target_directory(&root()).join("tmp").join(name);
    fs::create_dir_all(&directory).expect("the target directory can be written");
    directory
}

/// Reports that something was not tested, and why. With `RIPPLE_REQUIRE_ALL=1` that is a failure.
pub fn skip(why: impl Display) {
    let all = env::var_os("RIPPLE_REQUIRE_ALL").is_some_and(|value| value == "1");
    assert!(!all, "skipped, although RIPPLE_REQUIRE_ALL is set: {why}");
    println!("skipped: {why}");
}

/// The same if no package would help: nothing can be fetched here, or something is forbidden.
pub fn leave_out(why: impl Display) {
    println!("skipped: {why}");
}

/// Whether a program is installed; skips with a message if it is not.
pub fn is_installed(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        skip(format!("there is no {program}"));
    }
    is_there
}

/// The words of a command line as a shell sees them.
pub fn words(line: &str) -> Vec<String> {
    let output = Command::new("sh")
        .args(["-c", &format!("printf '%s\\n' {line}")])
        .output()
        .expect("there is a shell");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

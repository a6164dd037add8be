//! Every program under `tests/` behaves on the machine as it does natively.
//!
//! `RIPPLE_CASES=word` runs only the programs whose names have the word.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

use std::env;
use std::path::{Path, PathBuf};

use ripple_effects::Libc;
use ripple_effects::conformance::{Case, Outcome, in_parallel};
use source::{Cache, Clang, Compiler, Search};

/// The workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A compiler that works at the root and remembers below the target directory.
fn compiler() -> Option<Compiler> {
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs"));
    let path_var = env::var_os("PATH").unwrap_or_default();
    let from_env = env::var_os("RIPPLE_CLANG").map(PathBuf::from);
    let search = Search { explicit: None, from_env: from_env.as_deref(), path_var: &path_var };
    let clang = Clang::find(search, &cache).ok()?;
    Some(Compiler { clang, cache, directory: root() })
}

fn check(directory: &str, libc: Libc) {
    let Some(compiler) = compiler() else {
        testing::skip("there is no clang");
        return;
    };
    let mut cases = Case::all(&root(), directory).unwrap();
    if let Ok(word) = env::var("RIPPLE_CASES") {
        cases.retain(|case| case.name.contains(&word));
    }
    let outcomes = in_parallel(&cases, 2, |case| case.check_with(&compiler, libc));
    let failed: Vec<String> = cases
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| **outcome != Outcome::Agrees)
        .map(|(case, outcome)| format!("  {} {outcome}", case.name))
        .collect();
    let all = cases.len();
    assert!(failed.is_empty(), "{} of {all} programs:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn programs_behave_as_they_do_natively() {
    check("tests/run", Libc::Quick);
}

#[test]
fn programs_behave_so_with_a_library_that_is_executed_too() {
    check("tests/run", Libc::Open);
}

#[test]
fn programs_with_faults_end_as_expected() {
    check("tests/fault", Libc::Quick);
}

#[test]
fn programs_with_faults_end_so_with_a_library_that_is_executed_too() {
    check("tests/fault", Libc::Open);
}

//! Exploration finds exactly the paths that a program has.
//!
//! `RIPPLE_CASES=word` explores only the programs of `tests/explore` whose names have the word.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

mod case;
mod check;
mod words;

use std::env;
use std::path::{Path, PathBuf};

use ripple_effects::conformance::in_parallel;

/// The workspace.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace exists")
}

#[test]
fn programs_have_exactly_the_paths_that_are_written_in_them() {
    let root = root();
    let Some(compiler) = check::compiler(&root) else {
        println!("skipped: there is no clang");
        return;
    };
    let mut cases = case::all(&root, "tests/explore");
    if let Ok(word) = env::var("RIPPLE_CASES") {
        cases.retain(|case| case.name.contains(&word));
    }
    let outcomes = in_parallel(&cases, 2, |case| check::check(&compiler, case));
    let failed: Vec<String> = cases
        .iter()
        .zip(&outcomes)
        .filter_map(|(case, outcome)| Some((case, outcome.as_ref().err()?)))
        .map(|(case, wrong)| format!("  {}: {wrong}", case.name))
        .collect();
    let all = cases.len();
    assert!(failed.is_empty(), "{} of {all} programs:\n{}", failed.len(), failed.join("\n"));
}

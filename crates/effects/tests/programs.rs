//! Every program under `tests/` behaves on the machine like its native build.
//!
//! `RIPPLE_CASES=word` runs only the programs whose names contain the word.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

use std::env;

use base::in_parallel;
use ripple_effects::Libc;
use testkit::conformance::{Case, Outcome};
use testkit::{compiler_in, root};

fn check(directory: &str, libc: Libc) {
    let Some(compiler) = compiler_in(&root()) else { return };
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

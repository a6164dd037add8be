//! Exploration finds exactly the paths that a program has.
//!
//! `RIPPLE_CASES=word` explores only the programs of `tests/explore` whose names contain the word.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

mod case;
mod check;
mod words;

use std::env;

use base::in_parallel;
use exec::Instrumentation;
use ripple_effects::{Libc, Loader};
use testkit::{brute_force, compiler_in, generator, root};

#[test]
fn programs_have_exactly_the_paths_that_are_written_in_them() {
    let root = root();
    let Some(compiler) = compiler_in(&root) else { return };
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

/// The number of random programs; `cargo xtask soak explore` runs many more.
const RANDOM_PROGRAMS: u64 = 15;

#[test]
fn no_path_of_a_random_program_is_lost() {
    let root = root();
    let Some(compiler) = compiler_in(&root) else { return };
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("RIPPLE_SEED").unwrap_or(1);
    let chosen = number("RIPPLE_PROGRAMS");
    let count = chosen.unwrap_or(RANDOM_PROGRAMS);
    // The usual programs are all explored exactly.
    let chosen = chosen.is_some();
    let seeds: Vec<u64> = (first..first + count).collect();
    let place = tempfile::tempdir().expect("a directory can be made");
    let loader = Loader { compiler: &compiler, cflags: vec!["-w".to_owned()], libc: Libc::Open };
    let outcomes = in_parallel(&seeds, 2, |&seed| {
        let file = place.path().join(format!("{seed}.c"));
        let text = generator::program(seed);
        if env::var_os("RIPPLE_SHOW").is_some() {
            println!("{text}");
        }
        std::fs::write(&file, text).expect("the program can be written");
        let program = loader.program(&[file], Instrumentation::default());
        let program = program.map_err(|error| error.to_string())?;
        let compared = brute_force::compare(&program, &brute_force::layout(seed));
        match compared.is_wrong() || (!chosen && !compared.is_exact()) {
            false => Ok(compared),
            true => Err(compared.to_string()),
        }
    });
    let mut failed = Vec::new();
    for (seed, outcome) in seeds.iter().zip(&outcomes) {
        match outcome {
            Ok(compared) => println!("seed {seed}: {compared}"),
            Err(wrong) => failed.push(format!("  seed {seed}: {wrong}")),
        }
    }
    assert!(failed.is_empty(), "{} of {count} programs:\n{}", failed.len(), failed.join("\n"));
    let shown = |outcome: &Result<brute_force::Comparison, String>| match outcome {
        Ok(compared) => compared.shown,
        Err(_) => 0,
    };
    let most = outcomes.iter().map(shown).max().unwrap_or(0);
    assert!(most > 10, "the programs have few paths");
}

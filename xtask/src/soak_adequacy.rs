//! `cargo xtask soak adequacy`: chains of dependences of generated pairs of programs against an
//! interpreter. Options: `--count N` pairs from `--seed S` on.
//!
//! The test of the same name in `crates/effects` does this for a few pairs.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use base::in_parallel;
use source::Cache;
use testkit::chains::{Compared, compare};
use testkit::compiler_at;
use testkit::subjects::target_directory;

use crate::words::Words;

const THREADS: usize = 2;

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let (mut count, mut seed) = (500, 1);
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--count" => count = words.number()?,
            "--seed" => seed = words.number()?,
            _ => bail!("soak adequacy takes --count N and --seed S"),
        }
    }
    let place = target_directory(root).join("soak-adequacy");
    fs::create_dir_all(&place)?;
    let compiler = compiler_at(Cache::at(place.join("cache")), &place)?;
    let seeds: Vec<u64> = (seed..seed + count).collect();
    let mut total = Compared::default();
    let mut wrong = 0;
    for one in in_parallel(&seeds, THREADS, |&seed| compare(&compiler, &place, seed)) {
        match one {
            Ok(one) => {
                total.chains += one.chains;
                total.propagated += one.propagated;
                total.shown += one.shown;
            }
            Err(why) => {
                wrong += 1;
                println!("{why}");
            }
        }
    }
    let Compared { chains, propagated, shown } = total;
    println!(
        "{count} pairs, {chains} chains, {propagated} with a different state, {shown} tests that \
         show a difference, {wrong} wrong"
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

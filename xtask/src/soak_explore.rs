//! `cargo xtask soak explore`: explores random programs of two input bytes and compares the result
//! with runs on all inputs.
//!
//! A test of `effects` shares the programs and the comparison. Options: `--count N` programs from
//! `--seed S` on. An exploration that says why it is incomplete does not fail. Programs that are
//! not explored exactly are kept in the target directory.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use base::in_parallel;
use effects::{Libc, Loader};
use exec::Instrumentation;
use source::{Cache, Compiler};
use testkit::brute_force::{self, Comparison};
use testkit::compiler_at;
use testkit::generator;
use testkit::subjects::target_directory;

use crate::words::Words;

const THREADS: usize = 2;
/// Programs between two lines of progress.
const PORTION: usize = 50;

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let (mut count, mut first) = (1000, 1);
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--count" => count = words.number()?,
            "--seed" => first = words.number()?,
            _ => bail!("soak explore takes --count N and --seed S"),
        }
    }
    let place = target_directory(root).join("soak-explore");
    fs::create_dir_all(&place)?;
    let compiler = compiler_at(Cache::at(place.join("cache")), root)?;
    let start = Instant::now();
    let (mut done, mut paths, mut incomplete, mut failed) = (0, 0, 0, 0);
    let seeds: Vec<u64> = (first..first + count).collect();
    for portion in seeds.chunks(PORTION) {
        let outcomes = in_parallel(portion, THREADS, |&seed| check(&compiler, &place, seed));
        for (seed, outcome) in portion.iter().zip(outcomes) {
            let compared = outcome?;
            done += 1;
            paths += compared.paths;
            if !compared.is_exact() {
                println!("seed {seed}: {compared}");
                incomplete += u64::from(!compared.is_wrong());
                failed += u64::from(compared.is_wrong());
            }
        }
        let time = start.elapsed().as_secs();
        println!(
            "{done} programs, {paths} paths, {incomplete} incomplete, {failed} failed, {time} s"
        );
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(compiler: &Compiler, place: &Path, seed: u64) -> anyhow::Result<Comparison> {
    let file = place.join(format!("{seed}.c"));
    fs::write(&file, generator::program(seed))?;
    let loader = Loader { compiler, cflags: vec!["-w".to_owned()], libc: Libc::Open };
    let program = loader.program(std::slice::from_ref(&file), Instrumentation::default())?;
    let compared = brute_force::compare(&program, &brute_force::layout(seed));
    if compared.is_exact() {
        fs::remove_file(&file)?;
    }
    Ok(compared)
}

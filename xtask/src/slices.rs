//! `cargo xtask slices [--csmith N] [--seed S]`: checks slices of random programs.
//!
//! Changes values at run time; everything that they reach must be in the forward slice. The test of
//! the same name in `crates/graphs` does this for a few programs.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use effects::{Libc, Loader};
use exec::Input;
use source::{Cache, Compiler};
use testkit::find_clang;
use testkit::perturbation;
use testkit::subjects::target_directory;

use crate::words::Words;

/// How many values of each program to change, one after the other.
const TRIALS: usize = 10;
/// Seeds to try per wanted program; some do not end in time.
const SEEDS: u64 = 4;

pub fn run(root: &Path, words: &[String]) -> anyhow::Result<ExitCode> {
    let (mut count, mut seed) = (20, 1);
    let mut words = Words::new(words);
    while let Some(option) = words.option() {
        match option {
            "--csmith" => count = words.number()?,
            "--seed" => seed = words.number()?,
            _ => bail!("write `cargo xtask slices [--csmith N] [--seed S]`"),
        }
    }
    let clang = find_clang(&Cache::at(target_directory(root).join("conform")))?;
    let compiler = Compiler::at(clang, Cache::disabled(), root.to_owned());
    let place = target_directory(root).join("csmith-slices");
    fs::create_dir_all(&place)?;
    let (mut programs, mut compared, mut outside, mut violations) = (0u64, 0, 0, 0);
    for seed in seed..seed + count * SEEDS {
        if programs == count {
            break;
        }
        let Some(report) = check(&compiler, &place, seed)? else { continue };
        programs += 1;
        compared += report.compared;
        outside += report.outside;
        violations += report.violations.len();
        for violation in &report.violations {
            println!("csmith --seed {seed}: {violation}");
        }
    }
    println!(
        "{programs} programs, {compared} changed runs, {outside} statements outside of slices, \
         {violations} violations"
    );
    Ok(if violations == 0 && programs > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(
    compiler: &Compiler,
    place: &Path,
    seed: u64,
) -> anyhow::Result<Option<perturbation::Report>> {
    let file = place.join(format!("{seed}.c"));
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--max-funcs", "6", "--output"]).arg(&file);
    csmith.current_dir(place).stdout(Stdio::null()).stderr(Stdio::null());
    let status = csmith.status().context("csmith does not start")?;
    if !status.success() {
        return Ok(None);
    }
    let includes = ["/usr/include/csmith", "/usr/include/csmith-2.3.0"];
    let mut cflags: Vec<String> = includes.iter().map(|path| format!("-I{path}")).collect();
    cflags.push("-w".to_owned());
    let module =
        Loader { compiler, cflags, libc: Libc::Open }.load(std::slice::from_ref(&file))?.module;
    let input = Input { args: vec![b"program".to_vec()], ..Input::default() };
    let report = perturbation::check(&module, &input, TRIALS, seed);
    if report.as_ref().is_none_or(|report| report.violations.is_empty()) {
        // Only failing programs are kept for inspection.
        let _ = fs::remove_file(&file);
    }
    Ok(report)
}

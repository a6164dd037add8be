//! `cargo xtask conform`: does the machine behave like native builds?
//!
//! Programs under `tests/`, real C code with our drivers, and random programs by csmith are built
//! and run both ways; standard output and exit status must be the same byte for byte. Unsupported
//! programs and exceeded bounds are counted separately.

pub mod csmith;
mod real;

use std::iter;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use base::in_parallel;
use source::{Cache, Compiler};
use testkit::compiler_at;
use testkit::conformance::{Case, Outcome};

use testkit::subjects::target_directory;

use crate::words::Words;

/// How many programs run at the same time.
const THREADS: usize = 2;
/// The default number of random programs.
const RANDOM_PROGRAMS: u64 = 100;

/// What was typed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    tests: bool,
    real: bool,
    csmith: Option<u64>,
    seed: u64,
}

impl Options {
    fn parse(words: &[String]) -> anyhow::Result<Self> {
        let mut options = Options { seed: 1, ..Options::default() };
        let mut words = Words::new(words);
        while let Some(word) = words.option() {
            match word {
                "--tests" => options.tests = true,
                "--real" => options.real = true,
                "--csmith" => options.csmith = Some(words.number()?),
                "--seed" => options.seed = words.number()?,
                other => bail!(
                    "`conform` does not know `{other}`; it takes --tests, --real, --csmith N \
                     and --seed S, and does everything if none of the first three is given"
                ),
            }
        }
        if !options.tests && !options.real && options.csmith.is_none() {
            let csmith = Some(RANDOM_PROGRAMS);
            options = Options { tests: true, real: true, csmith, ..options };
        }
        Ok(options)
    }
}

pub fn run(root: &Path, words: &[String]) -> anyhow::Result<ExitCode> {
    let options = Options::parse(words)?;
    let compiler = compiler(root)?;
    println!("{}", compiler.clang.version);
    println!("{}", Tally::HEADING);
    let mut total = Tally::default();
    if options.tests {
        for directory in ["tests/run", "tests/fault"] {
            let cases = Case::all(root, directory)?;
            total.add(&check_all(directory, &cases, |case| case.check(&compiler)));
        }
    }
    if options.real {
        let cases = real::cases(root)?;
        total.add(&check_all("tests/real", &cases, |case| real::check(case, &compiler)));
    }
    if let Some(count) = options.csmith {
        total.add(&csmith::run(root, &compiler, count, options.seed)?);
    }
    println!("{}", total.sentence());
    Ok(if total.disagree == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A compiler that works at the root and caches its results below the target directory.
fn compiler(root: &Path) -> anyhow::Result<Compiler> {
    Ok(compiler_at(Cache::at(target_directory(root).join("conform")), root)?)
}

/// Checks cases on all threads and prints their row, preceded by every disagreement.
fn check_all(group: &str, cases: &[Case], check: impl Fn(&Case) -> Outcome + Sync) -> Tally {
    let start = Instant::now();
    let outcomes = in_parallel(cases, THREADS, check);
    let mut tally = Tally::default();
    for (case, outcome) in iter::zip(cases, &outcomes) {
        tally.count(&case.name, outcome);
    }
    tally.print(group, start.elapsed().as_secs_f64());
    tally
}

/// How many cases had which outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    agree: usize,
    disagree: usize,
    unsupported: usize,
    skipped: usize,
}

impl Tally {
    const HEADING: &str = "programs        agree  disagree  unsupported  skipped   seconds";

    fn count(&mut self, name: &str, outcome: &Outcome) {
        match outcome {
            Outcome::Agrees => self.agree += 1,
            Outcome::Disagrees(_) => self.disagree += 1,
            Outcome::Unsupported(_) => self.unsupported += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
        if *outcome != Outcome::Agrees {
            println!("  {name} {outcome}");
        }
    }

    fn add(&mut self, other: &Tally) {
        self.agree += other.agree;
        self.disagree += other.disagree;
        self.unsupported += other.unsupported;
        self.skipped += other.skipped;
    }

    fn print(&self, group: &str, seconds: f64) {
        let Tally { agree, disagree, unsupported, skipped } = self;
        println!(
            "{group:14} {agree:6}  {disagree:8}  {unsupported:11}  {skipped:7}  {seconds:8.1}"
        );
    }

    fn sentence(&self) -> String {
        let Tally { agree, disagree, unsupported, skipped } = self;
        format!("{agree} agree, {disagree} disagree, {unsupported} unsupported, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> anyhow::Result<Options> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words)
    }

    #[test]
    fn without_a_choice_everything_is_compared() {
        let all = Options { tests: true, real: true, csmith: Some(RANDOM_PROGRAMS), seed: 7 };
        assert_eq!(parse("--seed 7").unwrap(), all);
        let random = Options { csmith: Some(500), seed: 1, ..Options::default() };
        assert_eq!(parse("--csmith 500").unwrap(), random);
        assert!(parse("--csmith").is_err());
        assert!(parse("--seed x").is_err());
        assert!(parse("--fast").is_err());
    }
}

//! `cargo xtask soak truth`: generated pairs of functions, and whether every verdict of `ripple
//! compare` about them is right.
//!
//! Half of the pairs are equal by construction, by rewrites of a generated function; the others
//! contain a mutation. A driver of our own, which shares nothing with the tool, calls both versions
//! natively with many inputs of the same space. *Equal* must not be contradicted by any of them,
//! and every witness of *different* must differ there. Options: `--count N` pairs from `--seed S`
//! on, `--inputs N` for each, `--keep` the files of all pairs.

mod generate;
mod judge;
pub mod language;
mod mutate;
mod objects;
pub mod pair;
pub mod render;
mod rewrite;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::in_parallel;
use source::Cache;

use crate::fuzz::random::for_case;
use crate::words::Words;
use judge::{Outcome, Tools, Trial};
use language::{Interface, Stmt};
use testkit::subjects::target_directory;

/// The driver, without the part for each pair.
pub const DRIVER: &str = include_str!("truth/driver.c");

const THREADS: usize = 2;
/// Pairs between two lines of progress.
const LOT: u64 = 100;

struct Options {
    count: u64,
    seed: u64,
    inputs: u64,
    keep: bool,
}

impl Options {
    fn of(words: &[String]) -> anyhow::Result<Options> {
        let mut options = Options { count: 2000, seed: 1, inputs: 100_000, keep: false };
        let mut words = Words::new(words);
        while let Some(word) = words.option() {
            match word {
                "--count" => options.count = words.number()?,
                "--seed" => options.seed = words.number()?,
                "--inputs" => options.inputs = words.number()?,
                "--keep" => options.keep = true,
                _ => bail!("soak truth takes --count N, --seed S, --inputs N and --keep"),
            }
        }
        Ok(options)
    }
}

/// The outcomes of the pairs of a kind.
#[derive(Default)]
struct Tally {
    pairs: usize,
    equal: usize,
    different: usize,
    /// Not decided, although native runs differ.
    missed: usize,
}

pub fn run(root: &Path, words: &[String]) -> anyhow::Result<ExitCode> {
    let options = Options::of(words)?;
    let place = target_directory(root).join("soak-truth");
    let tools = tools(root, &place)?;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let (mut wrong, mut failed, mut inputs, mut unchecked) = (0, 0, 0, 0);
    let last = options.seed + options.count;
    for first in (options.seed..last).step_by(LOT as usize) {
        let seeds: Vec<u64> = (first..last.min(first + LOT)).collect();
        let outcomes = in_parallel(&seeds, THREADS, |&seed| {
            let directory = place.join(seed.to_string());
            (directory.clone(), judged(&tools, &directory, seed, options.inputs))
        });
        for (seed, (directory, (kind, outcome))) in seeds.iter().zip(outcomes) {
            let tally = tallies.entry(kind).or_default();
            tally.pairs += 1;
            let fine = match outcome {
                Ok(outcome) => {
                    count(tally, &outcome);
                    inputs += outcome.inputs;
                    unchecked += outcome.unchecked;
                    if let Some(why) = &outcome.wrong {
                        wrong += 1;
                        println!("seed {seed} ({kind}): {why}");
                    }
                    outcome.wrong.is_none()
                }
                Err(error) => {
                    failed += 1;
                    println!("seed {seed} ({kind}): {error:#}");
                    false
                }
            };
            // The others are kept for inspection; these are not needed.
            if fine && !options.keep {
                let _ = fs::remove_dir_all(directory);
            }
        }
        println!(
            "{} pairs: {wrong} wrong, {failed} failed",
            first + seeds.len() as u64 - options.seed
        );
    }
    table(&tallies);
    println!(
        "{} pairs, {inputs} native inputs without a difference: {wrong} wrong verdicts, {failed} \
         failed, {unchecked} witnesses that the driver cannot express",
        options.count
    );
    Ok(if wrong + failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn tools(root: &Path, place: &Path) -> anyhow::Result<Tools> {
    fs::create_dir_all(place)?;
    let ripple = target_directory(root).join("release/ripple");
    if !ripple.exists() {
        bail!("build the tool first: cargo build --release");
    }
    let clang: PathBuf = testkit::find_clang(&Cache::disabled())?.path;
    Ok(Tools { ripple, clang, cache: place.join("cache") })
}

fn count(tally: &mut Tally, outcome: &Outcome) {
    match outcome.verdict.as_str() {
        "equal" => tally.equal += 1,
        "different" => tally.different += 1,
        _ => tally.missed += usize::from(outcome.differs),
    }
}

fn table(tallies: &BTreeMap<&str, Tally>) {
    println!(
        "{:<20} {:>6} {:>8} {:>6} {:>10} {:>7}",
        "sort", "pairs", "decided", "equal", "different", "missed"
    );
    for (kind, Tally { pairs, equal, different, missed }) in tallies {
        println!(
            "{kind:<20} {pairs:>6} {:>8} {equal:>6} {different:>10} {missed:>7}",
            equal + different
        );
    }
}

/// A generated pair: its files, and what is known about it.
struct Made {
    interface: Interface,
    equal: bool,
    sort: &'static str,
    files: [(&'static str, String); 5],
}

/// The pair of a seed.
fn made(seed: u64) -> Made {
    let mut random = for_case(seed, 0);
    let (interface, old) = generate::generate(&mut random);
    let mut new = old.clone();
    let equal = seed.is_multiple_of(2);
    let mut sort = if equal { "equal" } else { mutate::mutate(&mut new, &interface, &mut random) };
    if equal || random.one_in(3) {
        rewrite::rewrite(&mut new, &mut random);
    }
    if equal && new.body.iter().any(|stmt| matches!(stmt, Stmt::Count { .. })) {
        sort = "equal, long loop";
    }
    let files = [
        ("types.h", render::TYPES.to_owned()),
        ("old.c", render::file(&interface, &old)),
        ("new.c", render::file(&interface, &new)),
        ("pair.h", pair::header(&interface, &old, &new)),
        ("driver.c", DRIVER.to_owned()),
    ];
    Made { interface, equal, sort, files }
}

impl Made {
    fn trial<'a>(
        &'a self,
        tools: &'a Tools,
        directory: &'a Path,
        inputs: u64,
    ) -> anyhow::Result<Trial<'a>> {
        fs::create_dir_all(directory)?;
        for (name, text) in &self.files {
            fs::write(directory.join(name), text)?;
        }
        Ok(Trial { tools, directory, interface: &self.interface, equal: self.equal, inputs })
    }
}

/// Makes the pair of a seed and judges it; also returns its kind.
fn judged(
    tools: &Tools,
    directory: &Path,
    seed: u64,
    inputs: u64,
) -> (&'static str, anyhow::Result<Outcome>) {
    let made = made(seed);
    let trial = made.trial(tools, directory, inputs).context("cannot write the pair");
    (made.sort, trial.and_then(|trial| trial.judge(seed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_pair() {
        for seed in 0..200 {
            assert_eq!(made(seed).files, made(seed).files, "seed {seed}");
        }
    }

    #[test]
    fn rewrites_keep_what_functions_do_and_most_mistakes_show() {
        let Some(compiler) = testkit::compiler("truth") else { return };
        let clang = compiler.clang;
        let place = std::env::temp_dir().join(format!("ripple-truth-{}", std::process::id()));
        // The tool is not involved here.
        let tools = Tools { ripple: PathBuf::new(), clang: clang.path, cache: PathBuf::new() };
        let seeds: Vec<u64> = (0..24).collect();
        let seen = in_parallel(&seeds, THREADS, |&seed| {
            let directory = place.join(seed.to_string());
            let made = made(seed);
            let trial = made.trial(&tools, &directory, 3000)?;
            let (_, seen) = trial.natively(seed)?;
            anyhow::Ok((made.equal, seen))
        });
        fs::remove_dir_all(&place).expect("the test made it");
        let mut differing = 0;
        for (seed, seen) in seeds.iter().zip(seen) {
            let (equal, seen) = seen.unwrap_or_else(|error| panic!("seed {seed}: {error:#}"));
            assert!(!equal || seen.starts_with("ran "), "seed {seed}: {seen}");
            differing += usize::from(seen.starts_with("differs"));
        }
        assert!(differing >= 5, "only {differing} of 12 mistakes show");
    }
}

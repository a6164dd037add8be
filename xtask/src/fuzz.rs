//! `cargo xtask fuzz read|run`: does any text crash the reader or the machine?
//!
//! Mutates valid texts and tries them, in a worker process that is built with overflow checks and
//! debug assertions. A panic, a hang, a dead process or memory out of proportion is a failure: its
//! text is minimised and kept. Not guided by coverage; `fuzz/` at the root has targets for
//! cargo-fuzz that are.

mod allocation;
mod corpus;
mod mutate;
pub mod random;
mod report;
mod target;
mod watch;
mod words;
mod worker;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, bail};

pub use allocation::Counting;
use corpus::Corpus;
use report::{Failure, Minimiser};
use target::Target;
use testkit::subjects::target_directory;
use worker::Orders;

use crate::words::Words;

const USAGE: &str = "\
Usage: cargo xtask fuzz read|run [--minutes M | --seconds S] [--seed N]
       cargo xtask fuzz read|run --case C [--seed N]
       cargo xtask fuzz read|run --file FILE

read   mutated texts are read, verified, printed and parsed again
run    those that are still valid are linked and run within small bounds

One minute unless told otherwise. Failing texts go to target/fuzz-failures;
--file tries one of them again, --case writes and tries a case by its number.";

/// The most failures with different causes to examine.
const MOST_CAUSES: usize = 25;

#[derive(Debug, PartialEq, Eq)]
struct Options {
    target: Target,
    time: Duration,
    seed: u64,
    file: Option<PathBuf>,
    case: Option<u64>,
}

impl Options {
    fn parse(words: &[String]) -> anyhow::Result<Options> {
        let mut words = Words::new(words);
        let target = words.option().and_then(Target::parse);
        let Some(target) = target else { bail!("{USAGE}") };
        let time = Duration::from_secs(60);
        let mut options = Options { target, time, seed: 1, file: None, case: None };
        while let Some(word) = words.option() {
            match word {
                "--minutes" => options.time = Duration::from_secs(60 * words.number::<u64>()?),
                "--seconds" => options.time = Duration::from_secs(words.number()?),
                "--seed" => options.seed = words.number()?,
                "--case" => options.case = Some(words.number()?),
                "--file" => options.file = Some(PathBuf::from(words.value()?)),
                other => bail!("`fuzz` does not know `{other}`\n\n{USAGE}"),
            }
        }
        Ok(options)
    }
}

pub fn run(root: &Path, words: &[String]) -> anyhow::Result<ExitCode> {
    match words.first().map(String::as_str) {
        // The other side of this program: see `Supervisor`.
        Some("worker") => worker::work(root, orders(&words[1..])?),
        Some("check") => match &words[1..] {
            [target, file] => {
                let target = Target::parse(target).context(USAGE)?;
                worker::check_file(root, target, Path::new(file))
            }
            _ => bail!("{USAGE}"),
        },
        Some("-h" | "--help") => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => fuzz(root, &Options::parse(words)?),
    }
}

fn orders(words: &[String]) -> anyhow::Result<Orders> {
    let [target, seed, first, seconds, progress] = words else { bail!("{USAGE}") };
    Ok(Orders {
        target: Target::parse(target).context(USAGE)?,
        seed: seed.parse()?,
        first: first.parse()?,
        time: Duration::from_secs_f64(seconds.parse()?),
        progress: PathBuf::from(progress),
    })
}

fn fuzz(root: &Path, options: &Options) -> anyhow::Result<ExitCode> {
    let worker = build_worker(root)?;
    let place = target_directory(root).join("fuzz-failures");
    fs::create_dir_all(&place)?;
    if let Some(file) = &options.file {
        return try_again(&worker, options.target, file);
    }
    Corpus::prepare(root)?;
    if let Some(case) = options.case {
        let text = worker::text_of(&Corpus::load(root)?, options.target, options.seed, case);
        let head = report::head("a case", "tried by hand", options.target, options.seed ^ case);
        let file = place.join(format!("{}-case-{case}.ll", options.target.name()));
        fs::write(&file, [head.as_bytes(), &text].concat())?;
        return try_again(&worker, options.target, &file);
    }
    let mut supervisor = Supervisor {
        root,
        worker: &worker,
        options,
        place: &place,
        total: BTreeMap::new(),
        slowest: (0, 0),
        failures: BTreeMap::new(),
    };
    let start = Instant::now();
    supervisor.supervise(start + options.time)?;
    supervisor.report(start.elapsed())
}

fn try_again(worker: &Path, target: Target, file: &Path) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let failure = report::try_file(worker, target, file)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(match failure {
        None => {
            println!("{} does no harm ({seconds:.1} s)", file.display());
            ExitCode::SUCCESS
        }
        Some(failure) => {
            println!("{}: {}: {}", file.display(), failure.kind, failure.what);
            ExitCode::FAILURE
        }
    })
}

/// Builds this program again, with every check that the compiler can add.
fn build_worker(root: &Path) -> anyhow::Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--profile", "fuzz", "--package", "xtask"])
        .current_dir(root)
        .status()?;
    if !status.success() {
        bail!("the worker cannot be built");
    }
    Ok(target_directory(root).join("fuzz/xtask"))
}

/// Keeps workers running, and collects their messages.
struct Supervisor<'a> {
    root: &'a Path,
    worker: &'a Path,
    options: &'a Options,
    place: &'a Path,
    total: BTreeMap<String, u64>,
    /// Milliseconds and case.
    slowest: (u64, u64),
    /// The first failure of each cause, and how many there were.
    failures: BTreeMap<String, (Failure, u64)>,
}

impl Supervisor<'_> {
    fn supervise(&mut self, end: Instant) -> anyhow::Result<()> {
        let progress = self.place.join("case");
        let mut first = 0;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            let mut child = self.start(first, left, &progress)?;
            let told_of_end = self.listen(&mut child);
            let mut stderr = String::new();
            if let Some(pipe) = &mut child.stderr {
                // Its output only distinguishes one death from another.
                let _ = pipe.read_to_string(&mut stderr);
            }
            if child.wait()?.success() {
                return Ok(());
            }
            let bytes = fs::read(&progress)?;
            let Ok(case) = bytes.try_into().map(u64::from_le_bytes) else {
                bail!("the worker does not start: {stderr}");
            };
            if !told_of_end {
                self.add(report::death(case, &stderr));
            }
            first = case + 1;
        }
    }

    fn start(&self, first: u64, left: Duration, progress: &Path) -> anyhow::Result<Child> {
        fs::write(progress, [])?;
        let mut command = Command::new(self.worker);
        command.args(["fuzz", "worker", self.options.target.name()]);
        command.args([self.options.seed.to_string(), first.to_string()]);
        command.arg(left.as_secs_f64().to_string()).arg(progress);
        command.current_dir(self.root).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().context("starting the worker")
    }

    /// Reads the messages of a worker; returns whether it announced its end.
    fn listen(&mut self, child: &mut Child) -> bool {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut hung = false;
        let lines = child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines());
        for line in lines.map_while(Result::ok) {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["count", outcome, count] => {
                    counts.insert(outcome.to_owned(), count.parse().unwrap_or(0));
                }
                ["slowest", case, time] => {
                    let slowest = (time.parse().unwrap_or(0), case.parse().unwrap_or(0));
                    self.slowest = self.slowest.max(slowest);
                }
                _ => {
                    if let Some(failure) = Failure::parse(&line) {
                        hung |= failure.kind == "hang";
                        self.add(failure);
                    }
                }
            }
        }
        for (outcome, count) in counts {
            *self.total.entry(outcome).or_default() += count;
        }
        hung
    }

    fn add(&mut self, failure: Failure) {
        let entry = self.failures.entry(failure.signature());
        entry.and_modify(|(_, count)| *count += 1).or_insert((failure, 1));
    }

    fn report(&self, time: Duration) -> anyhow::Result<ExitCode> {
        let Options { target, seed, .. } = *self.options;
        let cases: u64 = self.total.values().sum();
        let rate = cases as f64 / time.as_secs_f64().max(0.001);
        println!(
            "fuzz {}: {cases} cases in {:.0} s ({rate:.0} per second), seed {seed}",
            target.name(),
            time.as_secs_f64()
        );
        for (outcome, count) in &self.total {
            println!("  {count:9}  {outcome}");
        }
        println!("  slowest: case {}, {} ms", self.slowest.1, self.slowest.0);
        if self.failures.is_empty() {
            println!("  no failures");
            return Ok(ExitCode::SUCCESS);
        }
        let corpus = Corpus::load(self.root)?;
        let minimiser = Minimiser { worker: self.worker, target, place: self.place };
        for (failure, count) in self.failures.values().take(MOST_CAUSES) {
            let text = worker::text_of(&corpus, target, seed, failure.case);
            let file = minimiser.write(failure, &text, seed ^ failure.case)?;
            println!("  FAILURE ({count} times) {}: {}", failure.kind, failure.what);
            println!("    case {}, {}", failure.case, file.display());
        }
        if self.failures.len() > MOST_CAUSES {
            println!("  and failures of {} more causes", self.failures.len() - MOST_CAUSES);
        }
        Ok(ExitCode::FAILURE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_understood_or_refused() {
        let parse = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            Options::parse(&words)
        };
        let options = parse("run --minutes 10 --seed 3").unwrap();
        assert_eq!((options.target, options.time.as_secs(), options.seed), (Target::Run, 600, 3));
        assert!(parse("walk").is_err());
        assert!(parse("read --minutes").is_err());
        assert!(parse("read --fast 1").is_err());
    }
}

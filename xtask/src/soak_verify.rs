//! The parts `verify` and `verify-examples` of `cargo xtask soak`: check the claims of partitions
//! against runs.
//!
//! Generated programs are checked against all of their inputs, which is a test that is too slow for
//! every change. The pairs of the examples have too many inputs for that: some are drawn from every
//! partition that is found in a few seconds, and run on the machine and natively.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Context;
use effects::trial::{Saving, Scope};
use effects::verify::{Check, Natively, Options, Outcome, Request, verify_and_replay};
use effects::{Libc, Loader};
use explore::{Budget, Progress};
use source::{Checkout, Compiler, Selection, check_out};
use testkit::bench_compiler;
use testkit::pairs::{self, Example, Pair};

/// Time for each pair, and inputs to draw from each partition.
const BUDGET: Duration = Duration::from_secs(6);
const INPUTS: usize = 4;

/// Checks generated programs against all of their inputs.
pub fn generated(root: &Path, _: &[String]) -> anyhow::Result<ExitCode> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["test", "--release", "-p", "ripple-effects", "--test", "partitions"])
        .args(["--", "--ignored", "--nocapture"])
        .status()
        .context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Checks the pairs of the examples against inputs of their partitions.
pub fn examples(root: &Path, _: &[String]) -> anyhow::Result<ExitCode> {
    let compiler = bench_compiler(root)?;
    let (mut count, mut partitions, mut inputs, mut undetermined) = (0, 0, 0, 0);
    let (mut equal, mut violations, mut wrong) = (0, 0, 0);
    for example in &pairs::examples(root)? {
        for pair in &example.pairs {
            let name = format!("{} {}", example.name, pair.name());
            let (outcome, check) = checked(&compiler, example, pair)?;
            let is_wrong = match outcome {
                Outcome::Equal | Outcome::Unchanged => pair.differs,
                Outcome::Different => !pair.differs,
                Outcome::Inconclusive => false,
            };
            if is_wrong {
                println!("{name}: said to be {outcome:?}");
            }
            for violation in &check.violations {
                println!("{name}: {violation:?}");
            }
            count += 1;
            equal += usize::from(outcome == Outcome::Equal);
            partitions += check.partitions;
            inputs += check.inputs;
            undetermined += check.undetermined;
            violations += check.violations.len();
            wrong += usize::from(is_wrong);
        }
    }
    println!(
        "{count} pairs of the examples ({equal} proved equal): {partitions} partitions, {inputs} \
         inputs run and {undetermined} not determined, {violations} violations, {wrong} wrong \
         verdicts"
    );
    Ok(if violations == 0 && wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn checked(
    compiler: &Compiler,
    example: &Example,
    pair: &Pair,
) -> anyhow::Result<(Outcome, Check)> {
    let selection = Selection::of(compiler, &[], &[]);
    let version = |path: &Path| check_out(path.as_os_str(), &selection);
    let versions: Vec<Checkout> = vec![version(&pair.old)?, version(&pair.new)?];
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Open },
            entry: None,
            flags: &example.flags,
            tests: &example.tests,
        },
        versions: &versions,
        options: Options {
            budget: Budget { time: Some(BUDGET), ..Budget::default() },
            ..Options::default()
        },
    };
    let natives = Natively { check: INPUTS, jobs: 2, ..Natively::default() };
    let verification =
        verify_and_replay(&request, natives, Saving::default(), &Progress::new(), &|_| ())?;
    Ok((verification.outcome, verification.check.unwrap_or_default()))
}

//! `ripple solve`: runs an SMT-LIB script on Ripple's solver.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use smt::Budget;

use crate::output;

const EXAMPLES: &str = "\
Examples:
  ripple solve question.smt2                 sat, unsat or unknown, and what the script asks for
  ripple solve question.smt2 --timeout 10    at most ten seconds per (check-sat)

Read are the commands of QF_BV, QF_ABV, QF_UFBV and QF_FP (single and double precision, rounded
to nearest even).";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A script in SMT-LIB 2; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Seconds that one (check-sat) may take, then the answer is `unknown`
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let name = args.file.display();
    let bytes = match args.file.as_os_str() == "-" {
        true => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes)
                .context("cannot read standard input")?;
            bytes
        }
        false => std::fs::read(&args.file).with_context(|| format!("cannot read `{name}`"))?,
    };
    let text = String::from_utf8(bytes).with_context(|| format!("`{name}` is not text"))?;
    let deadline = |seconds| Instant::now().checked_add(Duration::from_secs(seconds));
    let budget = || Budget { deadline: args.timeout.and_then(deadline), ..Budget::default() };
    let mut written = Ok(());
    let mut say = |line: &str| {
        if written.is_ok() {
            written = output::result(format!("{line}\n").as_bytes());
        }
    };
    let mut solver = smt::standard();
    let answered = smt::smtlib::run(&text, &mut solver, &budget, &mut say);
    written?;
    answered.with_context(|| format!("`{name}` cannot be read as SMT-LIB"))?;
    Ok(ExitCode::SUCCESS)
}

//! `ripple solve`: runs an SMT-LIB script on Ripple's solver, with other solvers as a second
//! opinion on request.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use smt::{Budget, CrossCheck, External, Fallback, Solver};
use source::{Limits, SmtSolver};

use crate::output;
use crate::setup::path_variable;

/// Timeout of another solver if none is given.
const PATIENCE: Duration = Duration::from_secs(60);

const EXAMPLES: &str = "\
Examples:
  ripple solve question.smt2                    sat, unsat or unknown, and the values asked for
  ripple solve - < question.smt2                the same from standard input
  ripple solve question.smt2 --timeout 10       at most ten seconds per (check-sat)
  ripple solve question.smt2 --solver z3        ask z3 where Ripple answers unknown
  ripple solve question.smt2 --cross-check cvc5 compare every answer with cvc5

Supported:
  logics     QF_BV, QF_ABV, QF_UFBV, QF_FP (single and double precision, rounded to nearest even;
             all five modes for fp.roundToIntegral) and what they have in common
  commands   declare-fun, declare-const, define-fun, define-const, assert, check-sat,
             check-sat-assuming, get-value, get-model, push, pop, reset, reset-assertions, echo,
             exit; set-logic, set-option and set-info are skipped
Anything else is an error with its line, and exit code 2. See docs/solve.md for details.

COMMAND is the name of a solver (z3, cvc5, bitwuzla), or a command line of a solver that reads
SMT-LIB from standard input, such as \"z3 -in\".";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// SMT-LIB 2 script; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Timeout per (check-sat) in seconds, after which the answer is `unknown`; another solver
    /// gets the same time again
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,

    /// Maximum number of SAT conflicts per (check-sat): a limit that does not depend on the
    /// speed of the machine
    #[arg(long, value_name = "NUMBER")]
    conflicts: Option<u32>,

    /// Solver to ask where the answer would be `unknown`
    #[arg(long, value_name = "COMMAND")]
    solver: Option<String>,

    /// Solver to compare every answer with; a disagreement is an error
    #[arg(long, value_name = "COMMAND")]
    cross_check: Option<String>,

    /// Print to standard error how often each layer of the solver answered
    #[arg(long)]
    stats: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let time = args.timeout.map_or(PATIENCE, Duration::from_secs);
    let fallback = args.solver.as_deref().map(|command| Other::find(command, time)).transpose()?;
    let second = args.cross_check.as_deref().map(|c| Other::find(c, time)).transpose()?;
    let text = read(args)?;
    let mut solver: Box<dyn Solver> = match fallback {
        Some(other) => Box::new(Fallback::new(smt::standard(), other)),
        None => Box::new(smt::standard()),
    };
    match second {
        None => answer(args, &text, &mut *solver)?,
        Some(other) => {
            let name = other.name.clone();
            let mut solver = CrossCheck::new(solver, other);
            answer(args, &text, &mut solver)?;
            if let Some(found) = solver.disagreements().first() {
                output::note(&found.script);
                bail!(
                    "internal error: Ripple answers {} and `{name}` answers {} to the query above",
                    found.ours,
                    found.theirs
                );
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(args: &Args) -> anyhow::Result<String> {
    let name = args.file.display();
    let bytes = if args.file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes)
            .context("cannot read standard input")?;
        bytes
    } else {
        std::fs::read(&args.file).with_context(|| format!("cannot read `{name}`"))?
    };
    String::from_utf8(bytes).with_context(|| format!("`{name}` is not text"))
}

/// Runs the script and prints its answers.
fn answer(args: &Args, text: &str, solver: &mut dyn Solver) -> anyhow::Result<()> {
    let deadline = |seconds| Instant::now().checked_add(Duration::from_secs(seconds));
    let budget = || Budget {
        deadline: args.timeout.and_then(deadline),
        conflicts: args.conflicts,
        ..Budget::default()
    };
    let mut written = Ok(());
    let mut say = |line: &str| {
        if written.is_ok() {
            written = output::result(format!("{line}\n").as_bytes());
        }
    };
    let answered = smt::smtlib::run(text, solver, &budget, &mut say);
    written?;
    if args.stats {
        let mut counters = Vec::new();
        solver.counters(&mut counters);
        for (name, count) in counters {
            output::note(&format!("{count:>10}  {name}"));
        }
    }
    answered.with_context(|| format!("`{}` cannot be read as SMT-LIB", args.file.display()))
}

/// A solver that runs as a process, once per query.
struct Other {
    name: String,
    solver: SmtSolver,
    limits: Limits,
}

impl Other {
    fn find(command: &str, time: Duration) -> anyhow::Result<Other> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let Some(words) = words else { bail!("`{command}` is not a command line") };
        let solver = SmtSolver::find(&words, &path_variable())?;
        Ok(Other { name: command.to_owned(), solver, limits: SmtSolver::limits(time) })
    }
}

impl External for Other {
    fn ask(&mut self, script: &str, _: &Budget) -> Option<String> {
        match self.solver.ask(script, &self.limits) {
            Ok(said) => said,
            Err(error) => {
                output::note(&format!("warning: cannot run `{}`: {error}", self.name));
                None
            }
        }
    }
}

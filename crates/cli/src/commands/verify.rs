//! `ripple verify`: proves for which inputs two or more versions behave the same.

mod directory;
mod progress;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::parallel::cores;
use clap::ValueEnum;
use effects::trial::{Keep, Saving};
use effects::verify::{self, Natively, Options, Outcome, Request, Verification};
use effects::{Libc, Loader};
use inputs::Origin;
use source::{Checkout, Selection};

use self::directory::Results;
use crate::bounds::{Bounds, check_counts};
use crate::observing::Observing;
use crate::options::Globals;
use crate::progress::watch;
use crate::varying::{UNDECLARED, Varying};
use crate::versions::Succession;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple verify old.c new.c --arg int --arg int
  ripple verify v1/ v2/ --stdin text:4                 two directories, each one program
  ripple verify HEAD~2 HEAD~1 HEAD --tests tests.jsonl     three revisions
  ripple verify old.c new.c --entry clamp              one function, over all its parameters
  ripple verify v1.c v2.c right.c --arg int --golden-last  what is progress, and what is not
  ripple verify old.c new.c --arg int --budget 10m     and if that was not enough:
  ripple verify old.c new.c --arg int --resume

Atoms, which say what varies:
  int, int:LOW..HIGH  a decimal number          choice:A,B  one of these
  str:N, text:N       up to N bytes, printable  =TEXT       always this
  bytes:N, lines:NxM  for --stdin and --file    :=N         exactly N

Exit codes:
  0  equal: nothing changed, or proved for every input of the space
  1  different: replayed on all native programs
  2  wrong use, or a failure of Ripple (also if --check finds one)
  3  inconclusive: nothing differs so far, and not everything is proved equal; with
     --require-reached also if no run reached the change
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    versions: Succession,

    #[command(flatten)]
    varying: Varying,

    /// Take the last version for the right one, and tell progress from regressions
    #[arg(long, help_heading = "How")]
    golden_last: bool,

    /// Take up the exploration whose state is in DIR
    #[arg(long, help_heading = "How")]
    resume: bool,

    /// Check every partition with N of its inputs, on the machine and natively [default: 0]
    #[arg(long, value_name = "N", help_heading = "How")]
    check: Option<usize>,

    /// Let conditions be whole paths: more partitions, and each of them found faster
    #[arg(long, help_heading = "How")]
    no_slices: bool,

    #[command(flatten)]
    observing: Observing,

    /// End with exit code 3 if the verdict is equal although no run reached the change
    #[arg(long, help_heading = "How")]
    require_reached: bool,

    #[command(flatten)]
    bounds: Bounds,

    /// Exit with 3 for an equal verdict about a space that nobody declared
    #[arg(long, help_heading = "Results")]
    strict_space: bool,

    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Where to put the report and the state; an earlier result is kept as DIR.1
    #[arg(long, value_name = "DIR", default_value = "ripple.verify", help_heading = "Results")]
    out: PathBuf,

    /// Write no files
    #[arg(long, help_heading = "Results", conflicts_with = "resume")]
    no_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    check_counts(&[("--check", args.check.map(|count| count as u64))])?;
    if args.golden_last && args.versions.count() < 3 {
        bail!("`--golden-last` tells how versions become like the last one; give at least three");
    }
    let varied = args.varying.meant(config)?;
    let options = Options {
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(Options::default().limits)?,
        observe: args.observing.meant_for_proofs(config)?,
        slices: !args.no_slices,
    };
    let mut results =
        if args.no_out { Results::nowhere() } else { Results::at(&args.out, args.resume)? };
    let state = results.earlier_state().context("`--resume`")?;
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let selection = Selection::of(&compiler, &args.versions.paths, &loader.cflags);
    let mut versions = args.versions.check_out(&selection)?;
    if options.observe.positions {
        versions = versions.iter().map(Checkout::as_written).collect();
    }
    let request = Request { scope: varied.scope(loader.clone()), versions: &versions, options };
    let wanted = Natively {
        check: args.check.unwrap_or(0),
        jobs: cores(),
        golden_last: args.golden_last,
        planes: !args.no_out,
        ..Natively::default()
    };
    let moments = progress::moments(request.options.budget.time);
    let verification = watch(globals.quiet, moments, |progress, tell| {
        let keep = |lines: &str| results.keep(lines);
        let keep = (!args.no_out).then_some(&keep as Keep<'_>);
        let saving = Saving { resume: state.as_deref(), keep };
        verify::verify_and_replay(&request, wanted, saving, progress, tell)
    })??;
    finish(args, globals, &mut results, &verification)
}

/// Says what was found, and writes it.
fn finish(
    args: &Args,
    globals: &Globals,
    results: &mut Results,
    verification: &Verification,
) -> anyhow::Result<ExitCode> {
    let place = args.out.to_string_lossy();
    let place = (!args.no_out).then_some(&*place);
    let text = match args.format {
        Format::Text => report::verify::text(verification, place, setup::look()),
        Format::Json => report::verify::json(verification),
    };
    output::result(text.as_bytes())?;
    if results.write(verification)? && args.format == Format::Text && !globals.quiet {
        output::note(&format!("wrote {}", args.out.display()));
    }
    let code = exit_code(verification)?;
    let is_equal = matches!(verification.outcome, Outcome::Unchanged | Outcome::Equal);
    if args.require_reached && is_equal && !verification.is_reached() {
        return Ok(exit::not_reached());
    }
    let is_chosen = verification.found.as_ref().is_some_and(|f| f.origin != Origin::Declared);
    if args.strict_space && is_chosen && verification.outcome == Outcome::Equal {
        output::note(UNDECLARED);
        return Ok(ExitCode::from(exit::INCONCLUSIVE));
    }
    Ok(code)
}

/// An input that breaks a claim is a failure of ours, whatever the outcome is.
fn exit_code(verification: &Verification) -> anyhow::Result<ExitCode> {
    match verification.check.as_ref().map_or(0, |check| check.violations.len()) {
        0 => {}
        1 => bail!("internal error: 1 input does not behave as its partition claims"),
        many => bail!("internal error: {many} inputs do not behave as their partitions claim"),
    }
    Ok(match verification.outcome {
        Outcome::Unchanged | Outcome::Equal => ExitCode::SUCCESS,
        Outcome::Different => ExitCode::from(exit::FOUND),
        Outcome::Inconclusive => ExitCode::from(exit::INCONCLUSIVE),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use effects::verify::{Check, Violation};
    use inputs::Input;

    use super::*;

    fn with_violations(count: usize) -> Verification {
        let violation = Violation {
            condition: "3 ≤ arg1".to_owned(),
            input: Input { args: vec![b"7".to_vec()], ..Input::default() },
            claimed: vec![0, 0],
            machine: vec![0, 1],
            native: None,
        };
        let check = Check { violations: vec![violation; count], ..Check::default() };
        Verification {
            versions: Vec::new(),
            entry: None,
            observe: Options::default().observe,
            outcome: Outcome::Equal,
            found: None,
            replays: Vec::new(),
            invalid_inputs: None,
            misfits: Vec::new(),
            hunks: Vec::new(),
            steps: None,
            check: Some(check),
            planes: None,
            time: Duration::ZERO,
        }
    }

    #[test]
    fn an_input_that_breaks_a_claim_is_a_failure_of_ripple() {
        assert!(exit_code(&with_violations(0)).is_ok());
        for (count, words) in [
            (1, "internal error: 1 input does not behave as its partition claims"),
            (2, "internal error: 2 inputs do not behave as their partitions claim"),
        ] {
            let error = exit_code(&with_violations(count)).expect_err("it fails");
            assert_eq!(error.to_string(), words);
            let code = format!("{:?}", exit::code_of(&error));
            assert_eq!(code, format!("{:?}", ExitCode::from(exit::FAILURE)));
        }
    }

    #[test]
    fn an_input_that_breaks_a_claim_is_shown_with_its_partition() {
        let mut verification = with_violations(1);
        let text = |verification: &Verification| {
            report::verify::text(verification, None, report::Look::default())
        };
        let shown = text(&verification);
        assert!(shown.contains("  violation: "), "{shown}");
        assert!(shown.contains(" 7\n    claimed: v0 = v1 when 3 ≤ arg1\n"), "{shown}");
        assert!(shown.contains("    on the machine, v0 ≠ v1\n"), "{shown}");
        if let Some(check) = &mut verification.check {
            check.violations[0].native = Some(vec![0, 1]);
        }
        assert!(text(&verification).contains("    natively, v0 ≠ v1\n"));
        let json = report::verify::json(&verification);
        let report: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
        let violation = serde_json::json!({
            "condition": "3 ≤ arg1",
            "input": {"args": ["7"]},
            "claimed": [0, 0],
            "machine": [0, 1],
            "native": [0, 1],
        });
        assert_eq!(report["check"]["violations"], serde_json::json!([violation]));
    }
}

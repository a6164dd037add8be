//! `ripple verify`: proves for which inputs two or more versions behave the same.

mod directory;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::parallel::cores;
use clap::ValueEnum;
use effects::trial::{Keep, Saving};
use effects::verify::{self, Natively, Options, Outcome, Request, Verification};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use inputs::Origin;
use source::{Checkout, Selection};

use self::directory::Results;
use crate::bounds::{Bounds, check_counts};
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::strictness::Strictness;
use crate::varying::{ATOMS, Varying};
use crate::versions::Succession;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple verify old.c new.c --arg int --arg int
  ripple verify v1/ v2/ --stdin text:4                 two directories, each one program
  ripple verify HEAD~2 HEAD~1 HEAD --tests tests.jsonl     three revisions
  ripple verify old.c new.c --entry clamp              one function, over all its parameters
  ripple verify v1.c v2.c right.c --arg int --golden-last  tell fixes from regressions
  ripple verify old.c new.c --arg int --budget 10m     search for 10 minutes,
  ripple verify old.c new.c --arg int --resume         then continue

Exit codes:
  0  equal: nothing changed, or proved for every input of the space
  1  different: replayed on all native programs
  2  usage error, or a failure of Ripple (including one found by --check)
  3  inconclusive: no difference found, not everything proved equal; see also --require-reached
     and --strict-space
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    #[command(flatten)]
    versions: Succession,

    #[command(flatten)]
    varying: Varying,

    /// Treat the last version as correct, and tell fixes from regressions
    #[arg(long, help_heading = "Search")]
    golden_last: bool,

    /// Resume the search saved in DIR (--out)
    #[arg(long, help_heading = "Search")]
    resume: bool,

    /// Check every partition with N random inputs, on the machine and natively [default: 0]
    #[arg(long, value_name = "N", help_heading = "Search")]
    check: Option<usize>,

    /// Use whole path conditions: more partitions, each found faster
    #[arg(long, help_heading = "Search")]
    no_slices: bool,

    #[command(flatten)]
    observing: Observing,

    #[command(flatten)]
    bounds: Bounds,

    #[command(flatten)]
    strictness: Strictness,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Directory for the report and the saved state; keeps the previous result as DIR.1
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
        bail!("`--golden-last` needs at least three versions");
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
    let versions = args.versions.check_out(&selection, globals)?;
    let entry = varied.entry.as_deref();
    let mut versions = args.versions.choose(&loader, versions, entry, globals)?;
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
    let time = request.options.budget.time;
    let verification = watch(globals.quiet, time, progress, |progress, tell| {
        let keep = |lines: &str| results.keep(lines);
        let keep = (!args.no_out).then_some(&keep as Keep<'_>);
        let saving = Saving { resume: state.as_deref(), keep };
        verify::verify_and_replay(&request, wanted, saving, progress, tell)
    })??;
    finish(args, globals, &mut results, &verification)
}

/// Prints the result and writes the directory.
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
    refuse_violations(verification)?;
    let is_declared = verification.found.as_ref().is_none_or(|f| f.origin == Origin::Declared);
    Ok(match verification.outcome {
        Outcome::Unchanged => args.strictness.equal(verification.is_reached(), true),
        Outcome::Equal => args.strictness.equal(verification.is_reached(), is_declared),
        Outcome::Different => ExitCode::from(exit::FOUND),
        Outcome::Inconclusive => ExitCode::from(exit::INCONCLUSIVE),
    })
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    let proved = match now.proved {
        Some(share) => format!(", {}.{} % of all inputs", share / 10, share % 10),
        None => String::new(),
    };
    format!(
        "{} partitions ({} different){proved}, {} regions left",
        HumanCount(now.paths),
        HumanCount(now.faults),
        HumanCount(now.waiting)
    )
}

/// An input that contradicts its partition is a bug in Ripple, whatever the outcome is.
fn refuse_violations(verification: &Verification) -> anyhow::Result<()> {
    match verification.check.as_ref().map_or(0, |check| check.violations.len()) {
        0 => Ok(()),
        1 => bail!("internal error: 1 input does not behave as its partition claims"),
        many => bail!("internal error: {many} inputs do not behave as their partitions claim"),
    }
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
        assert!(refuse_violations(&with_violations(0)).is_ok());
        for (count, words) in [
            (1, "internal error: 1 input does not behave as its partition claims"),
            (2, "internal error: 2 inputs do not behave as their partitions claim"),
        ] {
            let error = refuse_violations(&with_violations(count)).expect_err("it fails");
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

//! `ripple requirements`: tells what tests of a change have to do.

use std::process::ExitCode;

use clap::ValueEnum;
use effects::requirements::{Infection, Options, Request, requirements};
use effects::{Libc, Loader};
use explore::{PathLimits, Snapshot};
use indicatif::HumanCount;

use crate::bounds::{Bounds, check_counts};
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::varying::{ATOMS, Varying};
use crate::versions::Versions;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple requirements old.c new.c                     chains of up to 3 dependences
  ripple requirements old.c new.c --distance 6        longer chains
  ripple requirements old.c new.c --tests tests.jsonl   which tests satisfy what?
  ripple requirements HEAD~1 HEAD --loop-bound 3      follow loops for three rounds
  ripple requirements old.c new.c --entry parse --format json

A chain is a sequence of dependences from a changed statement to an output, or of
--distance dependences. For each, Ripple tells under which conditions on the values at
the entry of the change its end differs between OLD and NEW:
  Condition 1  both versions come there, and a live variable differs
  Condition 2  the other version does not come there
Chains for which no input can satisfy either are listed as not required.

Exit codes:
  0  all requirements are known
  2  usage error, or a failure of Ripple
  3  something is incomplete; the report says what and why
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    #[command(flatten)]
    varying: Varying,

    /// The most dependences of a chain
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Requirements")]
    distance: u32,

    /// The most decisions on a path from the change
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Requirements")]
    path_limit: usize,

    /// How often a path may go round a loop
    #[arg(long, value_name = "K", default_value_t = 1, help_heading = "Requirements")]
    loop_bound: usize,

    /// How to treat a change that is executed after another one
    #[arg(long, value_enum, default_value_t = Tracking::Tracked, help_heading = "Requirements")]
    infection: Tracking,

    /// Follow paths one by one, even if they differ in nothing that matters
    #[arg(long, hide = true)]
    no_merge: bool,

    #[command(flatten)]
    observing: Observing,

    #[command(flatten)]
    bounds: Bounds,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tracking {
    /// A test counts if the variables in the condition are the same in OLD and NEW at the change
    Tracked,
    /// A test counts until it executes another change; changes that always follow others have no
    /// conditions
    ClearPath,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    check_counts(&[("--path-limit", Some(args.path_limit as u64))])?;
    let varied = args.varying.meant(config)?;
    let usual = Options::default();
    let options = Options {
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(usual.limits)?,
        observe: args.observing.meant(config)?,
        distance: args.distance,
        paths: PathLimits {
            decisions: args.path_limit,
            rounds: args.loop_bound,
            ..PathLimits::default()
        },
        merges: !args.no_merge,
        infection: match args.infection {
            Tracking::Tracked => Infection::Tracked,
            Tracking::ClearPath => Infection::ClearPath,
        },
        ..usual
    };
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Quick };
    let [old, mut new] = args.versions.check_out_one(&loader, varied.entry.as_deref(), globals)?;
    if options.observe.positions {
        new = new.as_written();
    }
    let scope = varied.scope(loader.clone());
    let request = Request { scope, old: &old, new: &new, options };
    let time = request.options.budget.time;
    let found = watch(globals.quiet, time, progress, |progress, tell| {
        requirements(&request, progress, tell)
    })??;
    let text = match args.format {
        Format::Text => report::requirements::text(&found, setup::look()),
        Format::Json => report::requirements::json(&found),
    };
    output::result(text.as_bytes())?;
    match found.is_complete() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(exit::INCONCLUSIVE)),
    }
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    format!("{} partial runs", HumanCount(now.runs))
}

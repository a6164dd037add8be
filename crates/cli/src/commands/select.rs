//! `ripple select`: tells which tests a change can affect, in which order to run them.

use std::process::ExitCode;

use clap::ValueEnum;
use effects::adequacy::selection::{Reduction, select};
use effects::adequacy::{Limit, Options, Request};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use trace::chains::ChainLimits;

use crate::bounds::Bounds;
use crate::choices::{Choice, one_of};
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::varying::{ATOMS, Varying};
use crate::versions::Versions;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple select old.c new.c --tests tests.jsonl        tests that the change may affect
  ripple select HEAD~1 HEAD --tests t.jsonl --format lines > some.jsonl
  ripple select old.c new.c --tests t.jsonl --reduce PROP --format names

The first tests show a difference on Ripple's machine (propagates), the next get another
state (infects), execute changed code (reaches), or pass a place where code was added or
deleted (passes). What could not be followed is selected, too (unknown).

Exit codes:
  0  tests are selected, perhaps none
  2  usage error, or a failure of Ripple
  3  the budget ended before all tests ran; those are selected
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    #[command(flatten)]
    varying: Varying,

    /// Keep only as many tests as cover the same chains
    #[arg(long, value_name = "WHAT", value_parser = one_of(&REDUCTIONS))]
    #[arg(help_heading = "Selection")]
    reduce: Option<Reduction>,

    /// The most dependences of a chain
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Selection")]
    distance: u32,

    #[command(flatten)]
    observing: Observing,

    #[command(flatten)]
    bounds: Bounds,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,
}

const REDUCTIONS: [Choice<Reduction>; 2] = [
    ("CHAIN", "Chains that tests cover", Reduction::Chains),
    ("PROP", "Chains along which the state differs", Reduction::Propagation),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    /// Names of tests, or their numbers
    Names,
    /// Lines of a file for --tests
    Lines,
    Json,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    let varied = args.varying.meant(config)?;
    let options = Options {
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(Options::default().limits)?,
        observe: args.observing.meant(config)?,
        chains: ChainLimits { distance: args.distance, ..ChainLimits::default() },
        mutants: false,
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
        select(&request, args.reduce, progress, tell)
    })??;
    use report::adequacy::selection as shown;
    let text = match args.format {
        Format::Text => shown::text(&found, setup::look()),
        Format::Names => shown::names(&found),
        Format::Lines => shown::lines(&found),
        Format::Json => shown::json(&found),
    };
    output::result(text.as_bytes())?;
    let is_stopped = found.limits.iter().any(|limit| matches!(limit, Limit::Stopped(_)));
    Ok(if is_stopped { ExitCode::from(exit::INCONCLUSIVE) } else { ExitCode::SUCCESS })
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    format!("{} tests, {} show a difference", HumanCount(now.runs), HumanCount(now.faults))
}

//! `ripple study`: measures how well test suites that satisfy a criterion detect a change.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use effects::adequacy::Options;
use effects::study::{Request, study};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use trace::chains::ChainLimits;

use crate::bounds::{Bounds, check_counts};
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::varying::{ATOMS, Varying};
use crate::versions::Versions;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple study old.c new.c --tests pool.jsonl            1000 suites for each criterion
  ripple study old.c new.c --tests pool.jsonl --suites 100 --seed 7
  ripple study old.c new.c --tests pool.jsonl --svg plot.svg
  ripple study HEAD~1 HEAD --tests pool.jsonl --format csv

Exit codes:
  0  the study is about all tests of the pool
  2  usage error, or a failure of Ripple
  3  not all tests could be followed, or chains are missing; the report says which
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    #[command(flatten)]
    varying: Varying,

    /// How many suites to draw for each criterion
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Study")]
    suites: usize,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Study")]
    seed: u64,

    /// The most dependences of a chain
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Study")]
    distance: u32,

    #[command(flatten)]
    observing: Observing,

    #[command(flatten)]
    bounds: Bounds,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Draw the ds-ratios over the distance into a file
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    check_counts(&[
        ("--suites", Some(args.suites as u64)),
        ("--distance", Some(args.distance.into())),
    ])?;
    let varied = args.varying.meant(config)?;
    let usual = Options::default();
    let options = Options {
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(usual.limits)?,
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
    let (suites, seed) = (args.suites, args.seed);
    let request = Request { scope, old: &old, new: &new, options, suites, seed };
    let time = request.options.budget.time;
    let found =
        watch(globals.quiet, time, progress, |progress, tell| study(&request, progress, tell))??;
    if let Some(path) = &args.svg {
        let drawn = report::study::svg(&found);
        fs::write(path, drawn).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let text = match args.format {
        Format::Text => report::study::text(&found, setup::look()),
        Format::Json => report::study::json(&found),
        Format::Csv => report::study::csv(&found),
    };
    output::result(text.as_bytes())?;
    match found.limits.is_empty() && found.misfits.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(exit::INCONCLUSIVE)),
    }
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    format!("{} tests", HumanCount(now.runs))
}

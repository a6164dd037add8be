//! `ripple interact`: tells which parts of a change each difference needs.

use std::ffi::OsString;
use std::process::ExitCode;

use base::parallel::cores;
use clap::ValueEnum;
use effects::compare::{self, Options, Strategy, Verdict};
use effects::interact::{Interacted, Request, interact};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use inputs::Origin;
use source::{Selection, check_out_beside};

use super::compare::STRATEGIES;
use crate::bounds::{Bounds, check_counts};
use crate::choices::one_of;
use crate::config::Config;
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::strictness::Strictness;
use crate::varying::{ATOMS, Varying};
use crate::versions::{Versions, names_files};
use crate::{exit, output, programs, setup};

const EXAMPLES: &str = "\
Examples:
  ripple interact old.c new.c --arg str:4              which parts does each difference need?
  ripple interact HEAD~1 HEAD --tests tests.jsonl      two revisions, inputs from tests
  ripple interact v1/ v2/ --arg int --golden v0/       v0 is correct: find change interaction errors
  ripple interact old.c new.c --arg int --format markdown    for a comment on a pull request
  ripple interact old.c new.c --arg int --max-configurations 1000 --budget 10m

Exit codes:
  0  equal: nothing changed, or all inputs of the space behave the same
  1  different: replayed on both native programs
  2  usage error, or a failure of Ripple
  3  inconclusive: no difference found, no proof that there is none
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    #[command(flatten)]
    varying: Varying,

    /// How to search for inputs
    #[arg(long, value_parser = one_of(&STRATEGIES), default_value = "portfolio")]
    #[arg(help_heading = "Search")]
    strategy: Strategy,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    seed: u64,

    /// Make results independent of timing: threads wait for each other
    #[arg(long, help_heading = "Search", env = "RIPPLE_DETERMINISTIC", hide_env_values = true)]
    #[arg(value_parser = clap::builder::FalseyValueParser::new())]
    deterministic: bool,

    /// Number of search threads, at most one per core [default: all cores]
    #[arg(long, value_name = "N", help_heading = "Search")]
    jobs: Option<u64>,

    /// Use the whole budget, even after differences were found
    #[arg(long, help_heading = "Search")]
    thorough: bool,

    /// Maximum number of configurations to build, each OLD with some parts of the change
    #[arg(long, value_name = "N", default_value_t = 512, help_heading = "Search")]
    max_configurations: u64,

    #[command(flatten)]
    observing: Observing,

    /// A correct version, to find change interaction errors
    #[arg(long, value_name = "VERSION", help_heading = "Comparison")]
    golden: Option<OsString>,

    #[command(flatten)]
    bounds: Bounds,

    #[command(flatten)]
    strictness: Strictness,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    /// For a comment on a pull request
    Markdown,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    let options = options(args, config)?;
    let varied = args.varying.meant(config)?;
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Quick };
    let selection = Selection::of(&compiler, &args.versions.paths, &loader.cflags);
    let (old, mut new) = args.versions.check_out(globals, &selection)?;
    if options.observe.positions {
        new = new.as_written();
    }
    let program = &args.versions.program;
    let golden = args.golden.clone().or_else(|| config.golden.as_ref().map(OsString::from));
    let wanted = program.wanted(varied.entry.as_deref(), true);
    let golden = golden.map(|name| {
        let golden = check_out_beside(&name, (&old, &new), &selection)?;
        let only_selected = !args.versions.paths.is_empty();
        let mut built = program.build.apply(vec![golden], only_selected, globals)?.remove(0);
        built.hold_positions_of(&old);
        anyhow::Ok(built)
    });
    let mut golden = golden.transpose()?;
    let is_given = names_files(&args.versions.paths) && program.program.is_none();
    let [old, new] = match is_given {
        true => [old, new],
        false => programs::choose_one(&loader, [old, new], wanted, globals)?,
    };
    if old.has_gaps
        && let Some(whole) = golden.take()
    {
        golden = Some(programs::choose_single(&loader, whole, wanted, globals)?);
    }
    let time = options.budget.time;
    let compare = compare::Request {
        scope: varied.scope(loader.clone()),
        old: &old,
        new: &new,
        golden: golden.as_ref(),
        options,
    };
    let request = Request { compare, most_builds: args.max_configurations as usize };
    let interacted =
        watch(globals.quiet, time, progress, |progress, tell| interact(&request, progress, tell))??;
    finish(args, &interacted)
}

fn finish(args: &Args, interacted: &Interacted) -> anyhow::Result<ExitCode> {
    let text = match args.format {
        Format::Text => report::interact::text(interacted, setup::look()),
        Format::Json => report::interact::json(interacted),
        Format::Markdown => report::interact::markdown(interacted),
    };
    if args.format != Format::Json && setup::is_github() {
        output::result(report::without_commands(&text).as_bytes())?;
    } else {
        output::result(text.as_bytes())?;
    }
    let compared = &interacted.compared;
    let is_declared =
        compared.guarantee == compare::Guarantee::NoChange || compared.origin == Origin::Declared;
    Ok(match compared.verdict {
        Verdict::Equal | Verdict::Accepted => {
            args.strictness.equal(compared.is_reached(), is_declared)
        }
        Verdict::Different => ExitCode::from(exit::FOUND),
        Verdict::Inconclusive => ExitCode::from(exit::INCONCLUSIVE),
    })
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    format!("{} runs, {} different", HumanCount(now.runs), HumanCount(now.faults))
}

fn options(args: &Args, config: &Config) -> anyhow::Result<Options> {
    let configurations = ("--max-configurations", Some(args.max_configurations));
    check_counts(&[("--jobs", args.jobs), configurations])?;
    let usual = Options::default();
    Ok(Options {
        strategy: args.strategy,
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(usual.limits)?,
        observe: args.observing.meant(config)?,
        seed: args.seed,
        thorough: args.thorough,
        deterministic: args.deterministic,
        jobs: args.jobs.map_or(usize::MAX, |jobs| jobs as usize).min(cores()),
        ..usual
    })
}

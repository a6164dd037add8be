//! `ripple explore`: finds the paths and faults of a program.

mod directory;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::parallel::cores;
use clap::ValueEnum;
use effects::explore::{Explored, Request};
use effects::{Libc, Loader};
use explore::{Options, Search, Snapshot, Strategy};
use indicatif::HumanCount;

use self::directory::Results;
use crate::bounds::{Bounds, check_counts};
use crate::choices::{Choice, one_of};
use crate::programs::ProgramFlag;
use crate::progress::watch;
use crate::setup::Globals;
use crate::single::Named;
use crate::varying::{ATOMS, Varying};
use crate::{exit, output, setup, state};

const EXAMPLES: &str = "\
Examples:
  ripple explore calc.c --arg int --arg choice:+,-,x,/ --arg int:-99..99
  ripple explore wc.c --arg =-l --stdin text:12       one fixed argument, up to 12 characters
  ripple explore prog.c --tests tests.jsonl           start from tests
  ripple explore sort.c --entry sort --param a=buf:4 --param n=int:0..4
  ripple explore prog.c --arg str:8 --out found       write the tests and a report
  ripple explore prog.c --arg int --lcov prog.info    coverage for genhtml and editors

Exit codes:

  0  no fault found
  1  a fault was found, and replayed natively
  2  usage error, or a failure of Ripple (including a difference from the native program)
  3  inconclusive: no run finished
  4  the program does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    /// C files, or LLVM IR as text (.ll); or a directory or git revision
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    program: ProgramFlag,

    #[command(flatten)]
    varying: Varying,

    /// How to search for inputs
    #[arg(long, value_parser = one_of(&STRATEGIES), default_value = "dart")]
    #[arg(help_heading = "Search")]
    strategy: Strategy,

    /// Order in which paths are tried
    #[arg(long, value_parser = one_of(&SEARCHES), default_value = "generational")]
    #[arg(help_heading = "Search")]
    search: Search,

    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N", help_heading = "Search")]
    jobs: Option<usize>,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    seed: u64,

    #[command(flatten)]
    bounds: Bounds,

    /// Maximum number of tests to keep, besides those of faults
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Results")]
    max_tests: usize,

    /// Directory for tests and the report; replaces an earlier result
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    out: Option<PathBuf>,

    /// File for the coverage, in LCOV format
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    lcov: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,
}

const STRATEGIES: [Choice<Strategy>; 2] = [
    ("random", "Random inputs", Strategy::Random),
    ("dart", "Every feasible path once", Strategy::Dart),
];

const SEARCHES: [Choice<Search>; 2] = [
    ("generational", "Paths of inputs with new coverage first", Search::Generational),
    ("depth", "Deepest branch first", Search::Depth),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// file:line:column: severity: message
    Short,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let options = options(args, globals)?;
    let varied = args.varying.meant(&globals.project)?;
    let out = args.out.as_deref().map(Results::at).transpose()?;
    let compiler = globals.compiler()?;
    // Paths through the C library count, and so do its conditions on the input.
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let entry = varied.entry.as_deref();
    let named = Named::of(&args.files, &args.program, entry, &loader, globals)?;
    let (files, compiler) = named.parts(&loader);
    let loader = Loader { compiler: &compiler, ..loader };
    let request =
        Request { scope: varied.scope(loader), files: &files, options, most_tests: args.max_tests };
    let time = request.options.budget.time;
    let explored = watch(globals.quiet, time, progress, |progress, tell| {
        effects::explore::explore(&request, progress, tell)
    })??;
    finish(args, globals, out, &explored, &compiler.directory)
}

/// Writes the files, then prints the result.
fn finish(
    args: &Args,
    globals: &Globals,
    out: Option<Results>,
    explored: &Explored,
    directory: &Path,
) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.lcov {
        state::write_whole(path, report::explore::lcov(&explored.coverage).as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Some(out) = out {
        out.write(explored)?;
        if args.format == Format::Text && !globals.quiet {
            let script = out.path().join("tests/001.sh");
            let script = report::shell::word(script.as_os_str().as_bytes());
            let shown = out.path().display();
            output::note(&format!("wrote {shown}; run a test with: sh {script}"));
        }
    }
    let text = match args.format {
        Format::Text => report::explore::text(explored),
        Format::Json => report::explore::json(explored),
        Format::Sarif => report::explore::sarif(explored, &setup::base(directory), directory),
        Format::Short => report::explore::short(explored, &setup::base(directory), directory),
    };
    output::result(text.as_bytes())?;
    let errors = explored.internal_errors().count();
    if errors > 0 {
        bail!(
            "internal error: Ripple and the native program differ in the outcome of {errors} of {} tests",
            explored.tests.len()
        );
    }
    Ok(if !explored.faults.is_empty() {
        ExitCode::from(exit::FOUND)
    } else if explored.is_conclusive() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(exit::INCONCLUSIVE)
    })
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    format!(
        "{} runs, {} paths, {} faults, {} inputs waiting",
        HumanCount(now.runs),
        HumanCount(now.paths),
        HumanCount(now.faults),
        HumanCount(now.waiting)
    )
}

fn options(args: &Args, globals: &Globals) -> anyhow::Result<Options> {
    check_counts(&[
        ("--jobs", args.jobs.map(|jobs| jobs as u64)),
        ("--max-tests", Some(args.max_tests as u64)),
    ])?;
    Ok(Options {
        strategy: args.strategy,
        search: args.search,
        jobs: args.jobs.unwrap_or_else(cores),
        budget: args.bounds.budget(&globals.project)?,
        limits: args.bounds.limits(Options::default().limits)?,
        seed: args.seed,
        ..Options::default()
    })
}

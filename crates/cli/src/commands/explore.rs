//! `ripple explore`: finds inputs that take every path of a program, and its faults.

mod directory;
mod progress;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::parallel::cores;
use clap::ValueEnum;
use effects::explore::{Explored, Request};
use effects::{Libc, Loader};
use explore::{Options, Search, Strategy};

use self::directory::OutDirectory;
use crate::bounds::{Bounds, check_counts};
use crate::options::Globals;
use crate::progress::watch;
use crate::varying::Varying;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple explore calc.c --arg int --arg choice:+,-,x,/ --arg int:-99..99
  ripple explore wc.c --arg =-l --stdin text:12       one fixed argument, up to 12 characters
  ripple explore prog.c --tests tests.jsonl           begin with tests; they tell what varies
  ripple explore sort.c --entry sort --param a=buf:4 --param n=int:0..4
  ripple explore prog.c --arg str:8 --out found       keep the tests and a report
  ripple explore prog.c --arg int --lcov prog.info    coverage for genhtml and editors

Atoms, which say what varies:
  int, int:LOW..HIGH  a decimal number          choice:A,B  one of these
  str:N, text:N       up to N bytes, printable  =TEXT       always this
  bytes:N, lines:NxM  for --stdin and --file    :=N         exactly N

Exit codes:
  0  explored, no fault      1  a fault was found, and replayed natively
  2  wrong use, or a failure of Ripple (also if it differs from the native program)
  3  no run came to an end   4  the program does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// C files, or LLVM IR as text (.ll)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    varying: Varying,

    /// How inputs are found
    #[arg(long, value_enum, default_value_t = StrategyName::Dart, help_heading = "How")]
    strategy: StrategyName,

    /// In which order paths are tried
    #[arg(long, value_enum, default_value_t = SearchName::Generational, help_heading = "How")]
    search: SearchName,

    /// How many threads work [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = "How")]
    jobs: Option<usize>,

    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "How")]
    seed: u64,

    #[command(flatten)]
    bounds: Bounds,

    /// How many tests to keep at most, besides those of faults
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Results")]
    max_tests: usize,

    /// Where to put tests and the report: a directory that is new or was made by this command
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    out: Option<PathBuf>,

    /// Where to put the coverage, as LCOV has it
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    lcov: Option<PathBuf>,

    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyName {
    /// Inputs drawn at random
    Random,
    /// Every feasible path once
    Dart,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchName {
    /// First where something new was covered
    Generational,
    /// Always the deepest
    Depth,
}

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
    let out = args.out.as_deref().map(OutDirectory::check).transpose()?;
    let compiler = globals.compiler()?;
    // Paths through the C library count, and its conditions are those of the input.
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let request = Request {
        scope: varied.scope(loader),
        files: &args.files,
        options,
        most_tests: args.max_tests,
    };
    let moments = progress::moments(request.options.budget.time);
    let explored = watch(globals.quiet, moments, |progress, tell| {
        effects::explore::explore(&request, progress, tell)
    })??;
    finish(args, globals, out, &explored, &compiler.directory)
}

/// Writes what was asked for, then says what was found.
fn finish(
    args: &Args,
    globals: &Globals,
    out: Option<OutDirectory>,
    explored: &Explored,
    directory: &Path,
) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.lcov {
        write_whole(path, report::explore::lcov(&explored.coverage).as_bytes())?;
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
    Ok(match (explored.faults.is_empty(), explored.is_conclusive()) {
        (false, _) => ExitCode::from(exit::FOUND),
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(exit::INCONCLUSIVE),
    })
}

/// Writes a file so that nobody ever sees a part of it.
fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let place = tempfile::tempdir_in(directory.unwrap_or(Path::new("."))).with_context(cannot)?;
    let written = place.path().join("written");
    fs::write(&written, bytes).and_then(|()| fs::rename(&written, path)).with_context(cannot)
}

fn options(args: &Args, globals: &Globals) -> anyhow::Result<Options> {
    check_counts(&[
        ("--jobs", args.jobs.map(|jobs| jobs as u64)),
        ("--max-tests", Some(args.max_tests as u64)),
    ])?;
    Ok(Options {
        strategy: match args.strategy {
            StrategyName::Random => Strategy::Random,
            StrategyName::Dart => Strategy::Dart,
        },
        search: match args.search {
            SearchName::Generational => Search::Generational,
            SearchName::Depth => Search::Depth,
        },
        jobs: args.jobs.unwrap_or_else(cores),
        budget: args.bounds.budget(&globals.project)?,
        limits: args.bounds.limits(Options::default().limits)?,
        seed: args.seed,
        ..Options::default()
    })
}

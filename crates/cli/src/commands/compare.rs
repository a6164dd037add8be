//! `ripple compare`: finds inputs on which two versions of a program behave differently.

mod directory;
mod progress;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::ValueEnum;
use effects::compare::{Compared, Options, Request, Strategy, Verdict};
use effects::{Libc, Loader};
use explore::{Observe, Progress};
use regex::bytes::Regex;
use report::Look;
use source::{Selection, check_out, check_out_both};

use self::directory::OutDirectory;
use self::progress::Display;
use crate::bounds::Bounds;
use crate::options::Globals;
use crate::progress::stop_on_interrupt;
use crate::setup;
use crate::varying::Varying;
use crate::{exit, output};

const EXAMPLES: &str = "\
Examples:
  ripple compare old.c new.c --arg int --arg choice:add,sub
  ripple compare v1/ v2/ --stdin text:12               two directories, each one program
  ripple compare HEAD~1 HEAD --tests tests.jsonl       two revisions; tests tell what varies
  ripple compare HEAD src/ -- src/parse.c src/main.c   a revision and the work tree, some files
  ripple compare old.c new.c --entry parse --param s=str:8
  ripple compare old.c new.c --golden right.c --arg int    which of them is right, too

Atoms, which say what varies:
  int, int:LOW..HIGH  a decimal number          choice:A,B  one of these
  str:N, text:N       up to N bytes, printable  =TEXT       always this
  bytes:N, lines:NxM  for --stdin and --file    :=N         exactly N

Exit codes:
  0  equal: nothing changed, or every input of the space does the same
  1  different: replayed on both native programs
  2  wrong use, or a failure of Ripple
  3  inconclusive: no difference was found, and nothing proves that there is none
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The version before: a C file, a directory of C files, or a git revision
    #[arg(value_name = "OLD")]
    old: OsString,

    /// The version after
    #[arg(value_name = "NEW")]
    new: OsString,

    /// The C files of the program, or directories of them [default: all]
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    varying: Varying,

    /// How inputs are found
    #[arg(long, value_enum, default_value_t = StrategyName::Portfolio, help_heading = "How")]
    strategy: StrategyName,

    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "How")]
    seed: u64,

    /// Stop at the first difference
    #[arg(long, help_heading = "How", conflicts_with = "thorough")]
    first: bool,

    /// Use the whole budget, although differences were found
    #[arg(long, help_heading = "How")]
    thorough: bool,

    /// Take from the tests what varies, but do not begin with them
    #[arg(long, help_heading = "How")]
    no_seed_tests: bool,

    /// What counts as a difference: some of stdout, stderr, exit, files, result [default: all]
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    #[arg(help_heading = "What is compared")]
    observe: Vec<Observed>,

    /// Leave what matches out of everything that is compared; may be repeated
    #[arg(long, value_name = "REGEX", help_heading = "What is compared")]
    #[arg(allow_hyphen_values = true)]
    ignore_regex: Vec<String>,

    /// Take numbers for the same that are at most so many units in the last place apart
    #[arg(long, value_name = "ULPS", default_value_t = 0, help_heading = "What is compared")]
    float_tolerance: u64,

    /// A version that is right, to tell regressions from progress
    #[arg(long, value_name = "VERSION", help_heading = "What is compared")]
    golden: Option<OsString>,

    #[command(flatten)]
    bounds: Bounds,

    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Where to put the report, tests and scripts; an earlier result is kept as DIR.1
    #[arg(long, value_name = "DIR", default_value = "ripple.out", help_heading = "Results")]
    out: PathBuf,

    /// Write no files
    #[arg(long, help_heading = "Results")]
    no_out: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyName {
    /// All of them, taking turns
    Portfolio,
    /// Inputs drawn at random
    Random,
    /// Inputs made from tests and from inputs that did something new
    Fuzz,
    /// Every path of NEW
    Dart,
    /// As dart, without paths on which the change has no effect
    Express,
    /// Towards what changed
    Reach,
    /// Towards what changed, and from there to what is shown
    Propagate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Observed {
    Stdout,
    Stderr,
    Exit,
    Files,
    Result,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let options = options(args)?;
    let flags = args.varying.flags()?;
    let tests = args.varying.tests()?;
    let out = (!args.no_out).then(|| OutDirectory::check(&args.out)).transpose()?;
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Quick };
    let selection = Selection {
        directory: &compiler.directory,
        paths: &args.paths,
        cflags: &loader.cflags,
        cache: &compiler.cache,
    };
    let (old, new) = check_out_both(&args.old, &args.new, &selection)?;
    let golden = args.golden.as_ref().map(|name| check_out(name, &selection)).transpose()?;
    let request = Request {
        loader: loader.clone(),
        old: &old,
        new: &new,
        golden: golden.as_ref(),
        entry: args.varying.entry.as_deref(),
        flags: &flags,
        tests: &tests,
        options,
    };
    let compared = compare_watched(&request, globals)?;
    finish(args, globals, out, &compared)
}

fn compare_watched(request: &Request<'_>, globals: &Globals) -> anyhow::Result<Compared> {
    let progress = Progress::new();
    stop_on_interrupt(&progress, globals.quiet)?;
    let display = Display::start(&progress, request.options.budget.time, globals.quiet);
    let compared = effects::compare::compare(request, &progress, &|phase| display.tell(phase));
    drop(display);
    Ok(compared?)
}

/// Says what was found, and writes it.
fn finish(
    args: &Args,
    globals: &Globals,
    out: Option<OutDirectory>,
    compared: &Compared,
) -> anyhow::Result<ExitCode> {
    let scripts = args.out.to_string_lossy();
    let scripts = out.as_ref().map(|_| &*scripts);
    let text = match args.format {
        Format::Text => report::compare::text(compared, scripts, look()),
        Format::Json => report::compare::json(compared),
    };
    output::result(text.as_bytes())?;
    if let Some(out) = out {
        out.write(compared)?;
        if args.format == Format::Text && !globals.quiet {
            output::note(&format!("wrote {}", args.out.display()));
        }
    }
    Ok(match compared.verdict {
        Verdict::Equal => ExitCode::SUCCESS,
        Verdict::Different => ExitCode::from(exit::FOUND),
        Verdict::Inconclusive => ExitCode::from(exit::INCONCLUSIVE),
    })
}

/// How the result looks where it goes.
fn look() -> Look {
    let is_terminal = std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().filter(|_| is_terminal);
    let usual = Look::default();
    Look {
        colours: is_terminal && setup::colours_wanted(),
        width: width.map_or(usual.width, |(width, _)| usize::from(width.0).clamp(60, 160)),
    }
}

fn options(args: &Args) -> anyhow::Result<Options> {
    let usual = Options::default();
    Ok(Options {
        strategy: match args.strategy {
            StrategyName::Portfolio => Strategy::Portfolio,
            StrategyName::Random => Strategy::Random,
            StrategyName::Fuzz => Strategy::Fuzz,
            StrategyName::Dart => Strategy::Dart,
            StrategyName::Express => Strategy::Express,
            StrategyName::Reach => Strategy::Reach,
            StrategyName::Propagate => Strategy::Propagate,
        },
        budget: args.bounds.budget()?,
        limits: args.bounds.limits(usual.limits)?,
        observe: observe(args)?,
        seed: args.seed,
        first_only: args.first,
        thorough: args.thorough,
        use_tests: !args.no_seed_tests,
        illustrated: !args.no_out,
        ..usual
    })
}

fn observe(args: &Args) -> anyhow::Result<Observe> {
    let is_observed = |what| args.observe.is_empty() || args.observe.contains(&what);
    let mut ignore = Vec::new();
    for text in &args.ignore_regex {
        match Regex::new(text) {
            Ok(regex) => ignore.push(regex),
            Err(error) => {
                let said = error.to_string();
                let why = said.lines().last().unwrap_or(&said).trim_start_matches("error: ");
                bail!("`--ignore-regex {text}` is not a regular expression: {why}");
            }
        }
    }
    Ok(Observe {
        exit: is_observed(Observed::Exit),
        stdout: is_observed(Observed::Stdout),
        stderr: is_observed(Observed::Stderr),
        files: is_observed(Observed::Files),
        result: is_observed(Observed::Result),
        ignore,
        tolerance: args.float_tolerance,
    })
}

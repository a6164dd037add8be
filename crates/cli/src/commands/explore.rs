//! `ripple explore`: finds inputs that take every path of a program, and its faults.

mod directory;
mod progress;

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use effects::explore::{Explored, Request};
use effects::{Libc, Loader};
use exec::Limits;
use explore::{Budget, Options, Progress, Search, Strategy};
use inputs::{Flags, Test};

use self::directory::OutDirectory;
use self::progress::Display;
use crate::options::Globals;
use crate::{duration, exit, output};

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

    /// What the next argument of the program may be; may be repeated
    #[arg(long = "arg", value_name = "ATOM", allow_hyphen_values = true)]
    #[arg(help_heading = "What varies")]
    args: Vec<OsString>,

    /// Any number of arguments up to N; the last --arg stands for all further ones
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "What varies")]
    args_max: Option<String>,

    /// What standard input may be [default: empty]
    #[arg(long, value_name = "ATOM", allow_hyphen_values = true, help_heading = "What varies")]
    stdin: Option<OsString>,

    /// What a file of the program's directory may be; may be repeated
    #[arg(long = "file", value_name = "NAME=ATOM", help_heading = "What varies")]
    #[arg(allow_hyphen_values = true)]
    input_files: Vec<OsString>,

    /// Tests to begin with: JSON lines, or command lines; without atoms they tell what varies
    #[arg(long, value_name = "FILE", help_heading = "What varies")]
    tests: Option<PathBuf>,

    /// Explore this function instead of `main`
    #[arg(long, value_name = "FUNCTION", help_heading = "What varies")]
    entry: Option<String>,

    /// What a parameter of the function may be; may be repeated
    #[arg(long = "param", value_name = "NAME=ATOM", help_heading = "What varies")]
    #[arg(allow_hyphen_values = true)]
    params: Vec<OsString>,

    /// A global variable that varies, too; may be repeated
    #[arg(long = "global", value_name = "NAME[=ATOM]", help_heading = "What varies")]
    #[arg(allow_hyphen_values = true)]
    global_variables: Vec<OsString>,

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

    /// When to stop: a time like 30s, 500ms, 5m
    #[arg(long, value_name = "TIME", default_value = "60s", help_heading = "Budget")]
    #[arg(allow_hyphen_values = true)]
    budget: String,

    /// After how many runs to stop
    #[arg(long, value_name = "N", help_heading = "Budget")]
    max_runs: Option<u64>,

    /// After how much time of the solver to stop, over all threads
    #[arg(long, value_name = "TIME", help_heading = "Budget", allow_hyphen_values = true)]
    max_solver_time: Option<String>,

    /// Bound on the instructions of one run
    #[arg(long, value_name = "N", default_value_t = Options::default().limits.steps)]
    #[arg(help_heading = "Budget")]
    max_steps: u64,

    /// Bound on the bytes of memory of one run
    #[arg(long, value_name = "BYTES", default_value_t = Options::default().limits.memory)]
    #[arg(help_heading = "Budget")]
    max_memory: u64,

    /// Bound on the bytes of output of one run
    #[arg(long, value_name = "BYTES", default_value_t = Options::default().limits.output)]
    #[arg(help_heading = "Budget")]
    max_output: u64,

    /// Bound on the depth of calls of one run
    #[arg(long, value_name = "N", default_value_t = Options::default().limits.depth)]
    #[arg(help_heading = "Budget")]
    max_depth: u32,

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
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let options = options(args)?;
    let flags = flags(args)?;
    let tests = tests(args)?;
    let out = args.out.as_deref().map(OutDirectory::check).transpose()?;
    let compiler = globals.compiler()?;
    // Paths through the C library count, and its conditions are those of the input.
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let request = Request {
        loader,
        files: &args.files,
        entry: args.entry.as_deref(),
        flags: &flags,
        tests: &tests,
        options,
        most_tests: args.max_tests,
    };
    let explored = explore_watched(&request, globals)?;
    finish(args, globals, out, &explored)
}

fn explore_watched(request: &Request<'_>, globals: &Globals) -> anyhow::Result<Explored> {
    let progress = Progress::new();
    progress::stop_on_interrupt(&progress, globals.quiet)?;
    let display = Display::start(&progress, request.options.budget.time, globals.quiet);
    let explored = effects::explore::explore(request, &progress, &|phase| display.tell(phase));
    drop(display);
    Ok(explored?)
}

/// Writes what was asked for, then says what was found.
fn finish(
    args: &Args,
    globals: &Globals,
    out: Option<OutDirectory>,
    explored: &Explored,
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

fn options(args: &Args) -> anyhow::Result<Options> {
    let counts = [
        ("--jobs", args.jobs.map(|jobs| jobs as u64)),
        ("--max-runs", args.max_runs),
        ("--max-steps", Some(args.max_steps)),
        ("--max-memory", Some(args.max_memory)),
        ("--max-output", Some(args.max_output)),
        ("--max-depth", Some(args.max_depth.into())),
        ("--max-tests", Some(args.max_tests as u64)),
    ];
    for (flag, count) in counts {
        if count == Some(0) {
            bail!("`{flag} 0` leaves nothing to explore; give at least 1");
        }
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
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
        budget: Budget {
            time: Some(time("--budget", &args.budget)?),
            runs: args.max_runs,
            solver_time: match &args.max_solver_time {
                Some(text) => Some(time("--max-solver-time", text)?),
                None => None,
            },
            ..Budget::default()
        },
        limits: Limits {
            steps: args.max_steps,
            memory: args.max_memory,
            output: args.max_output,
            depth: args.max_depth,
        },
        seed: args.seed,
        ..Options::default()
    })
}

fn time(flag: &str, text: &str) -> anyhow::Result<Duration> {
    match duration::parse(text) {
        None => bail!("`{flag} {text}` is not a time; write 30s, 500ms, 5m or 1h"),
        Some(Duration::ZERO) => {
            bail!("`{flag} {text}` leaves no time to explore; write a time like 30s")
        }
        Some(time) => Ok(time),
    }
}

fn flags(args: &Args) -> anyhow::Result<Flags> {
    let bytes = |texts: &[OsString]| -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.as_bytes().to_vec()).collect()
    };
    let args_max = match &args.args_max {
        None => None,
        Some(text) => match text.parse() {
            Ok(count) => Some(count),
            Err(_) => bail!("`--args-max {text}` is not a number of arguments"),
        },
    };
    Ok(Flags {
        args: bytes(&args.args),
        args_max,
        stdin: args.stdin.as_ref().map(|text| text.as_bytes().to_vec()),
        files: bytes(&args.input_files),
        params: bytes(&args.params),
        globals: bytes(&args.global_variables),
    })
}

fn tests(args: &Args) -> anyhow::Result<Vec<Test>> {
    match &args.tests {
        None => Ok(Vec::new()),
        Some(path) => Ok(inputs::read_tests(path)?),
    }
}

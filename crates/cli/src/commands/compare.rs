//! `ripple compare`: finds inputs on which two versions of a program behave differently.

mod directory;
mod progress;

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use base::parallel::cores;
use clap::ValueEnum;
use effects::compare::{Compared, Guarantee, Options, Request, Strategy, Verdict, compare_saving};
use effects::trial::{Keep, Saving};
use effects::{Libc, Loader};
use inputs::Origin;
use report::Base;
use report::compare::{Emitted, Expect, Form};
use source::{DiffLines, Selection, check_out_beside};

use self::directory::Results;
use crate::bounds::{Bounds, check_counts};
use crate::config::Config;
use crate::observing::Observing;
use crate::options::Globals;
use crate::progress::watch;
use crate::varying::{UNDECLARED, Varying};
use crate::versions::Versions;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple compare old.c new.c --arg int --arg choice:add,sub
  ripple compare v1/ v2/ --stdin text:12               two directories, each one program
  ripple compare HEAD~1 HEAD --tests tests.jsonl       two revisions; tests tell what varies
  ripple compare HEAD src/ -- src/parse.c src/main.c   a revision and the work tree, some files
  ripple compare old.c new.c --entry parse --param s=str:8
  ripple compare old.c new.c --golden right.c --arg int    which of them is right, too
  ripple compare --baseline-rev main --format markdown     what the current branch does
  ripple compare old.c new.c --arg int --emit shell,c      keep a test for each difference
  ripple compare old.c new.c --arg int --budget 10m        and if that was not enough:
  ripple compare old.c new.c --arg int --budget 10m --resume

Atoms, which say what varies:
  int, int:LOW..HIGH  a decimal number          choice:A,B  one of these
  str:N, text:N       up to N bytes, printable  =TEXT       always this
  bytes:N, lines:NxM  for --stdin and --file    :=N         exactly N

Exit codes:
  0  equal: nothing changed, or every input of the space does the same; or every difference
     that was found is accepted (ripple accept)
  1  different: replayed on both native programs
  2  wrong use, or a failure of Ripple
  3  inconclusive: no difference was found, and nothing proves that there is none; with
     --require-reached also if no run reached the change
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    #[command(flatten)]
    varying: Varying,

    /// How inputs are found
    #[arg(long, value_enum, default_value_t = StrategyName::Portfolio, help_heading = "How")]
    strategy: StrategyName,

    /// Where random numbers begin
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "How")]
    seed: u64,

    /// Make the same search on every machine, at the price of speed
    #[arg(long, help_heading = "How", env = "RIPPLE_DETERMINISTIC")]
    #[arg(hide_env_values = true)]
    deterministic: bool,

    /// Threads of the search, at most one a core [default: all cores]
    #[arg(long, value_name = "N", help_heading = "How")]
    jobs: Option<u64>,

    /// Stop at the first difference
    #[arg(long, help_heading = "How", conflicts_with = "thorough")]
    first: bool,

    /// Use the whole budget, although differences were found
    #[arg(long, help_heading = "How")]
    thorough: bool,

    /// Go on with the search whose state is in DIR
    #[arg(long, help_heading = "How")]
    resume: bool,

    /// Take from the tests what varies, but do not begin with them
    #[arg(long, help_heading = "How")]
    no_seed_tests: bool,

    #[command(flatten)]
    observing: Observing,

    /// A version that is right, to tell regressions from progress
    #[arg(long, value_name = "VERSION", help_heading = "What is compared")]
    golden: Option<OsString>,

    /// Report only differences that execute a changed line of this unified diff
    #[arg(long, value_name = "FILE", help_heading = "What is compared")]
    in_diff: Option<PathBuf>,

    /// End with exit code 3 if the verdict is equal although no run reached the change
    #[arg(long, help_heading = "What is compared")]
    require_reached: bool,

    #[command(flatten)]
    bounds: Bounds,

    /// Exit with 3 for an equal verdict about a space that nobody declared
    #[arg(long, help_heading = "Results")]
    strict_space: bool,

    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Tests to keep, one for each difference; some of these, in DIR/tests
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',')]
    #[arg(help_heading = "Results", conflicts_with = "no_out")]
    emit: Vec<Kind>,

    /// The version whose behaviour these tests expect
    #[arg(long, value_name = "VERSION", value_enum, default_value_t = Expected::Old)]
    #[arg(help_heading = "Results", requires = "emit")]
    expect: Expected,

    /// Show differences at their lines on GitHub [default: github in a workflow of GitHub]
    #[arg(long, value_name = "WHERE", value_enum, help_heading = "Results")]
    annotations: Option<Annotations>,

    /// Where to put the report, tests and scripts; an earlier result is kept as DIR.1
    #[arg(long, value_name = "DIR", default_value = "ripple.out", help_heading = "Results")]
    out: PathBuf,

    /// Write no files
    #[arg(long, help_heading = "Results", conflicts_with = "resume")]
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
    /// All sorts of inputs, each proved equal or different
    Partitions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// For a comment on a pull request
    Markdown,
    /// file:line:column: severity: message
    Short,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Annotations {
    /// Annotations of changed lines, and the summary of the step
    Github,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Expected {
    Old,
    New,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A shell script
    Shell,
    /// A C program
    C,
    /// A C program for cmocka
    Cmocka,
    /// A test for Rust's test runner
    Rust,
    /// KLEE's format, input only
    Ktest,
    /// JUnit's XML of the replays
    Junit,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    let options = options(args, config)?;
    let varied = args.varying.meant(config)?;
    let diff = args.in_diff.as_deref().map(read_diff).transpose()?;
    let results = (!args.no_out).then(|| Results::at(&args.out)).transpose()?;
    let resumed = results.as_ref().filter(|_| args.resume);
    let state = resumed.map(Results::earlier_state).transpose().context("`--resume`")?;
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Quick };
    let selection = Selection::of(&compiler, &args.versions.paths, &loader.cflags);
    let (old, mut new) = args.versions.check_out(config, &selection)?;
    if options.observe.positions {
        new = new.as_written();
    }
    let golden = args.golden.clone().or_else(|| config.golden.as_ref().map(OsString::from));
    let golden =
        golden.map(|name| check_out_beside(&name, (&old, &new), &selection)).transpose()?;
    let request = Request {
        scope: varied.scope(loader.clone()),
        old: &old,
        new: &new,
        golden: golden.as_ref(),
        options,
    };
    let moments = progress::moments(request.options.budget.time);
    let mut compared = watch(globals.quiet, moments, |progress, tell| {
        let keep = results.as_ref().map(|results| {
            |lines: &str| {
                // Where it cannot be kept, the search goes on: people were told.
                results.keep(lines);
                Ok(())
            }
        });
        let keep = keep.as_ref().map(|keep| keep as Keep<'_>);
        let saving = Saving { resume: state.as_deref(), keep };
        compare_saving(&request, saving, progress, tell)
    })??;
    if let Some(diff) = &diff {
        compared.keep_within(diff);
    }
    compared.set_aside(&config.acceptances(), &today());
    finish(args, globals, results, &compared, &setup::base(&compiler.directory))
}

fn read_diff(path: &Path) -> anyhow::Result<DiffLines> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(DiffLines::parse(path, &String::from_utf8_lossy(&bytes))?)
}

/// In Greenwich, so that an acceptance ends for everybody at once.
fn today() -> String {
    chrono::Utc::now().date_naive().to_string()
}

/// Says what was found, and writes it.
fn finish(
    args: &Args,
    globals: &Globals,
    results: Option<Results>,
    compared: &Compared,
    base: &Base,
) -> anyhow::Result<ExitCode> {
    let scripts = args.out.to_string_lossy();
    let scripts = results.as_ref().map(|_| &*scripts);
    let text = match args.format {
        Format::Text => report::compare::text(compared, scripts, setup::look()),
        Format::Json => report::compare::json(compared),
        Format::Sarif => report::compare::sarif(compared, base),
        Format::Markdown => report::compare::markdown(compared, base),
        Format::Short => report::compare::short(compared, base),
    };
    let text = match args.format {
        Format::Text | Format::Markdown | Format::Short if setup::is_github() => {
            report::without_commands(&text)
        }
        _ => text,
    };
    output::result(text.as_bytes())?;
    annotate(args, compared, base)?;
    if let Some(results) = results {
        let emitted = emitted(args, compared);
        results.write(compared, base, &emitted)?;
        for reason in emitted.iter().flat_map(|emitted| &emitted.left_out) {
            output::note(&format!("note: {reason}"));
        }
        if args.format == Format::Text && !globals.quiet {
            output::note(&format!("wrote {}", args.out.display()));
        }
    }
    Ok(match compared.verdict {
        Verdict::Equal if args.require_reached && !compared.is_reached() => exit::not_reached(),
        Verdict::Equal if args.strict_space && is_chosen(compared) => {
            output::note(UNDECLARED);
            ExitCode::from(exit::INCONCLUSIVE)
        }
        Verdict::Equal | Verdict::Accepted => ExitCode::SUCCESS,
        Verdict::Different => ExitCode::from(exit::FOUND),
        Verdict::Inconclusive => ExitCode::from(exit::INCONCLUSIVE),
    })
}

/// Whether a verdict is about inputs that nobody declared.
fn is_chosen(compared: &Compared) -> bool {
    compared.guarantee != Guarantee::NoChange && compared.origin != Origin::Declared
}

/// Tells GitHub, if it listens. Commands go to standard error, so that the result stays whole.
fn annotate(args: &Args, compared: &Compared, base: &Base) -> anyhow::Result<()> {
    let usual = if setup::is_github() { Annotations::Github } else { Annotations::None };
    if args.annotations.unwrap_or(usual) == Annotations::None {
        return Ok(());
    }
    let commands = report::compare::annotations(compared, base);
    if !commands.is_empty() {
        output::note(commands.trim_end());
    }
    let Some(path) = setup::step_summary() else { return Ok(()) };
    let summary = report::compare::markdown(compared, base);
    let open = OpenOptions::new().create(true).append(true).open(&path);
    open.and_then(|mut file| file.write_all(summary.as_bytes()))
        .with_context(|| format!("cannot write the summary of the step, {}", path.display()))
}

fn emitted(args: &Args, compared: &Compared) -> Vec<Emitted> {
    let expect = match args.expect {
        Expected::Old => Expect::Old,
        Expected::New => Expect::New,
    };
    let emit = |kind: &Kind| {
        let form = match kind {
            Kind::Shell => Form::Shell,
            Kind::C => Form::C,
            Kind::Cmocka => Form::Cmocka,
            Kind::Rust => Form::Rust,
            Kind::Ktest => Form::Ktest,
            Kind::Junit => Form::Junit,
        };
        report::compare::emit(compared, form, expect)
    };
    args.emit.iter().map(emit).collect()
}

fn options(args: &Args, config: &Config) -> anyhow::Result<Options> {
    check_counts(&[("--jobs", args.jobs)])?;
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
            StrategyName::Partitions => Strategy::Partitions,
        },
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(usual.limits)?,
        observe: args.observing.meant(config)?,
        seed: args.seed,
        first_only: args.first,
        thorough: args.thorough,
        deterministic: args.deterministic,
        jobs: args.jobs.map_or(usize::MAX, |jobs| jobs as usize).min(cores()),
        use_tests: !args.no_seed_tests,
        illustrated: !args.no_out,
        odd: true,
        ..usual
    })
}

//! `ripple compare`: finds inputs on which two versions of a program behave differently.

mod directory;

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use base::Version;
use base::parallel::cores;
use clap::ValueEnum;
use effects::compare::{Compared, Guarantee, Options, Request, Strategy, Verdict, compare_saving};
use effects::trial::{Keep, Saving};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use inputs::Origin;
use report::Base;
use report::compare::{Emitted, Form};
use source::{DiffLines, Selection, check_out_beside};

use self::directory::Results;
use crate::bounds::{Bounds, check_counts};
use crate::choices::{Choice, one_of};
use crate::config::Config;
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::strictness::Strictness;
use crate::varying::{ATOMS, Varying};
use crate::versions::Versions;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple compare old.c new.c --arg int --arg choice:add,sub
  ripple compare v1/ v2/ --stdin text:12               two directories, each one program
  ripple compare HEAD~1 HEAD --tests tests.jsonl       two revisions, inputs from tests
  ripple compare HEAD src/ -- src/parse.c src/main.c   a revision and the work tree, two files
  ripple compare old.c new.c --entry parse --param s=str:8
  ripple compare old.c new.c --golden right.c --arg int    tell regressions from fixes
  ripple compare --baseline-rev main --format markdown     the current branch against main
  ripple compare old.c new.c --arg int --emit shell,c      write a test for each difference
  ripple compare old.c new.c --arg int --budget 10m        search for 10 minutes,
  ripple compare old.c new.c --arg int --budget 10m --resume   then for 10 more

Exit codes:
  0  equal: nothing changed, or all inputs of the space behave the same; or every difference
     found is accepted (ripple accept)
  1  different: replayed on both native programs
  2  usage error, or a failure of Ripple
  3  inconclusive: no difference found, no proof that there is none; see also --require-reached
     and --strict-space
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

    /// Stop at the first difference
    #[arg(long, help_heading = "Search", conflicts_with = "thorough")]
    first: bool,

    /// Use the whole budget, even after differences were found
    #[arg(long, help_heading = "Search")]
    thorough: bool,

    /// Resume the search saved in DIR (--out)
    #[arg(long, help_heading = "Search")]
    resume: bool,

    /// Only infer the inputs from the tests, do not start from them
    #[arg(long, help_heading = "Search")]
    no_seed_tests: bool,

    #[command(flatten)]
    observing: Observing,

    /// A correct version, to tell regressions from fixes
    #[arg(long, value_name = "VERSION", help_heading = "Comparison")]
    golden: Option<OsString>,

    /// Report only differences that execute a changed line of this unified diff
    #[arg(long, value_name = "FILE", help_heading = "Comparison")]
    in_diff: Option<PathBuf>,

    #[command(flatten)]
    bounds: Bounds,

    #[command(flatten)]
    strictness: Strictness,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Write a test for each difference to DIR/tests, in these forms
    #[arg(long, value_name = "KIND", value_parser = one_of(&FORMS), value_delimiter = ',')]
    #[arg(help_heading = "Results", conflicts_with = "no_out")]
    emit: Vec<Form>,

    /// The version whose behaviour the tests expect
    #[arg(long, value_name = "VERSION", value_parser = one_of(&VERSIONS), default_value = "old")]
    #[arg(help_heading = "Results", requires = "emit")]
    expect: Version,

    /// Annotate changed lines [default: github in a GitHub workflow]
    #[arg(long, value_name = "WHERE", value_enum, help_heading = "Results")]
    annotations: Option<Annotations>,

    /// Directory for the report, tests and scripts; keeps the previous result as DIR.1
    #[arg(long, value_name = "DIR", default_value = "ripple.out", help_heading = "Results")]
    out: PathBuf,

    /// Write no files
    #[arg(long, help_heading = "Results", conflicts_with = "resume")]
    no_out: bool,
}

const STRATEGIES: [Choice<Strategy>; 8] = [
    ("portfolio", "All of these, taking turns", Strategy::Portfolio),
    ("random", "Random inputs", Strategy::Random),
    ("fuzz", "Mutations of tests and of inputs that showed something new", Strategy::Fuzz),
    ("dart", "Every path of NEW", Strategy::Dart),
    ("express", "Like dart, without paths on which the change has no effect", Strategy::Express),
    ("reach", "Towards the change", Strategy::Reach),
    ("propagate", "Towards the change, and from there to the output", Strategy::Propagate),
    ("partitions", "Partitions of the input space, each proved", Strategy::Partitions),
];

const FORMS: [Choice<Form>; 6] = [
    ("shell", "A shell script", Form::Shell),
    ("c", "A C program", Form::C),
    ("cmocka", "A C program for cmocka", Form::Cmocka),
    ("rust", "A test for Rust's test runner", Form::Rust),
    ("ktest", "KLEE's format, input only", Form::Ktest),
    ("junit", "JUnit XML of the replays", Form::Junit),
];

const VERSIONS: [Choice<Version>; 2] = [("old", "", Version::Old), ("new", "", Version::New)];

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
    /// Annotations of a pull request, and the summary of the workflow step
    Github,
    None,
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
    let time = request.options.budget.time;
    let mut compared = watch(globals.quiet, time, progress(), |progress, tell| {
        let keep = results.as_ref().map(|results| {
            |lines: &str| {
                // A failure to save was reported and does not end the search.
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

/// In UTC, so that an acceptance expires for everybody at once.
fn today() -> String {
    chrono::Utc::now().date_naive().to_string()
}

/// Prints the result and writes the directory.
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
        Verdict::Equal => args.strictness.equal(compared.is_reached(), is_declared(compared)),
        Verdict::Accepted => ExitCode::SUCCESS,
        Verdict::Different => ExitCode::from(exit::FOUND),
        Verdict::Inconclusive => ExitCode::from(exit::INCONCLUSIVE),
    })
}

/// Whether a verdict is about declared inputs, or about no inputs in particular.
fn is_declared(compared: &Compared) -> bool {
    compared.guarantee == Guarantee::NoChange || compared.origin == Origin::Declared
}

/// Writes GitHub annotations to standard error, so that standard output is the result alone, and
/// the summary of the workflow step.
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
        .with_context(|| format!("cannot write the step summary {}", path.display()))
}

fn emitted(args: &Args, compared: &Compared) -> Vec<Emitted> {
    let emit = |&form: &Form| report::compare::emit(compared, form, args.expect);
    args.emit.iter().map(emit).collect()
}

/// The counters of the progress line.
fn progress() -> impl FnMut(&Snapshot) -> String + Send {
    let (mut last, mut rate) = ((Instant::now(), 0), 0);
    move |now| {
        let (when, runs) = last;
        if when.elapsed() >= Duration::from_secs(1) {
            rate = (now.runs.saturating_sub(runs) as f64 / when.elapsed().as_secs_f64()) as u64;
            last = (Instant::now(), now.runs);
        }
        let mut text = format!("{} runs", HumanCount(now.runs));
        if rate > 0 {
            text.push_str(&format!(" ({}/s)", HumanCount(rate)));
        }
        text.push_str(&format!(", {} different", HumanCount(now.faults)));
        if let Some(proved) = now.proved {
            text.push_str(&format!(", {}.{} % proved", proved / 10, proved % 10));
        }
        text
    }
}

fn options(args: &Args, config: &Config) -> anyhow::Result<Options> {
    check_counts(&[("--jobs", args.jobs)])?;
    let usual = Options::default();
    Ok(Options {
        strategy: args.strategy,
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

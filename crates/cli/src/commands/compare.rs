//! `ripple compare`: finds inputs on which two versions of a program behave differently.

mod directory;
mod targets;

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use base::parallel::cores;
use base::{Both, Version};
use clap::ValueEnum;
use effects::compare::{Compared, Guarantee, Options, Request, Strategy, Verdict, compare_saving};
use effects::trial::{Keep, Saving, Scope};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use inputs::{Flags, Origin};
use report::Base;
use report::compare::{Emitted, Form};
use source::{Checkout, DiffLines, Selection, check_out_beside};

use self::directory::Results;
use crate::bounds::{Bounds, check_counts};
use crate::choices::{Choice, one_of};
use crate::config::Config;
use crate::observing::Observing;
use crate::programs::Chosen;
use crate::progress::watch;
use crate::setup::Globals;
use crate::strictness::Strictness;
use crate::typed::Typed;
use crate::varying::{ATOMS, Varied, Varying};
use crate::versions::{Versions, names_files};
use crate::{exit, output, programs, setup};

const EXAMPLES: &str = "\
Examples:
  ripple compare old.c new.c --arg int --arg choice:add,sub
  ripple compare v1/ v2/ --stdin text:12               two directories, each one program
  ripple compare HEAD~1 HEAD --tests tests.jsonl       two revisions, inputs from tests
  ripple compare HEAD~1 HEAD                           whatever the last commit affects
  ripple compare HEAD~1 HEAD --program jq              one program of several
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

    /// Maximum number of programs or functions to compare, if the change affects several
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Comparison")]
    targets: usize,

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

pub const STRATEGIES: [Choice<Strategy>; 8] = [
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
    let (old, mut new) = args.versions.check_out(globals, &selection)?;
    if options.observe.positions {
        new = new.as_written();
    }
    let program = &args.versions.program;
    let golden = args.golden.clone().or_else(|| config.golden.as_ref().map(OsString::from));
    let only_selected = !args.versions.paths.is_empty();
    let golden = golden.map(|name| {
        let golden = check_out_beside(&name, (&old, &new), &selection)?;
        let mut built = program.build.apply(vec![golden], only_selected, globals)?.remove(0);
        built.hold_positions_of(&old);
        anyhow::Ok(built)
    });
    let golden = golden.transpose()?;
    let base = setup::base(&compiler.directory);
    let job = Job { args, globals, loader, varied: &varied, options, diff, results, base };
    let is_given = names_files(&args.versions.paths) && program.program.is_none();
    let wanted = program.wanted(varied.entry.as_deref(), true);
    let chosen = if is_given {
        Chosen::Versions(Box::new([old, new]))
    } else {
        programs::choose(&job.loader, [old, new], wanted, globals)?
    };
    match chosen {
        Chosen::Versions(versions) => {
            let golden = match golden {
                Some(golden) if versions[0].build.is_some() && golden.build.is_none() => {
                    let command = versions[0].build.as_ref().map(|build| build.command.clone());
                    let next = Typed::this().with("--build", &command.unwrap_or_default());
                    bail!("{} is to be built like the other versions. Try: {next}", golden.name)
                }
                Some(golden) if versions[0].has_gaps => {
                    Some(programs::choose_single(&job.loader, golden, wanted, globals)?)
                }
                other => other,
            };
            job.single(&versions, golden.as_ref(), varied.entry.as_deref(), state.as_deref())
        }
        Chosen::Several(several) => {
            let has_one = golden.is_some() || state.is_some() || !args.versions.paths.is_empty();
            if has_one {
                return Err(programs::which_of(&several));
            }
            job.several(&several)
        }
    }
}

/// What is asked for, whichever programs and functions it is asked about.
struct Job<'a> {
    args: &'a Args,
    globals: &'a Globals,
    loader: Loader<'a>,
    varied: &'a Varied,
    options: Options,
    diff: Option<DiffLines>,
    results: Option<Results>,
    base: Base,
}

impl Job<'_> {
    /// Compares one program or function, and reports it.
    fn single(
        &self,
        versions: &Both<Checkout>,
        golden: Option<&Checkout>,
        entry: Option<&str>,
        state: Option<&str>,
    ) -> anyhow::Result<ExitCode> {
        self.finish(&self.compare_one(versions, golden, entry, state)?)
    }

    fn compare_one(
        &self,
        [old, new]: &Both<Checkout>,
        golden: Option<&Checkout>,
        entry: Option<&str>,
        state: Option<&str>,
    ) -> anyhow::Result<Compared> {
        let plain = self.plain_flags();
        let scope = self.scope(entry, &plain);
        let request = Request { scope, old, new, golden, options: self.options.clone() };
        let time = request.options.budget.time;
        let mut compared = watch(self.globals.quiet, time, progress(), |progress, tell| {
            let keep = self.results.as_ref().map(|results| {
                |lines: &str| {
                    // A failure to save was reported and does not end the search.
                    results.keep(lines);
                    Ok(())
                }
            });
            let keep = keep.as_ref().map(|keep| keep as Keep<'_>);
            compare_saving(&request, Saving { resume: state, keep }, progress, tell)
        })??;
        self.set_aside(&mut compared);
        Ok(compared)
    }

    /// The flags for a function that was not named: those of programs do not fit.
    fn plain_flags(&self) -> Flags {
        let Flags { assume, alias, .. } = self.varied.flags;
        Flags { assume, alias, ..Flags::default() }
    }

    /// The scope of a program, or of a function. `plain` are flags for a function that the user
    /// did not name.
    fn scope<'s>(&'s self, entry: Option<&'s str>, plain: &'s Flags) -> Scope<'s> {
        let scope = self.varied.scope(self.loader.clone());
        if entry.is_some() && self.varied.entry.is_none() {
            return Scope { entry, flags: plain, tests: &[], ..scope };
        }
        scope
    }

    /// Removes what was not asked for, and what users accepted.
    fn set_aside(&self, compared: &mut Compared) {
        if let Some(diff) = &self.diff {
            compared.keep_within(diff);
        }
        compared.set_aside(&self.globals.project.acceptances(), &today());
    }
}

fn read_diff(path: &Path) -> anyhow::Result<DiffLines> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(DiffLines::parse(path, &String::from_utf8_lossy(&bytes))?)
}

/// In UTC, so that an acceptance expires for everybody at once.
fn today() -> String {
    chrono::Utc::now().date_naive().to_string()
}

impl Job<'_> {
    /// Prints the result and writes the directory.
    fn finish(&self, compared: &Compared) -> anyhow::Result<ExitCode> {
        let Job { args, globals, base, .. } = self;
        let scripts = args.out.to_string_lossy();
        let scripts = self.results.as_ref().map(|_| &*scripts);
        let text = match args.format {
            Format::Text => report::compare::text(compared, scripts, setup::look()),
            Format::Json => report::compare::json(compared),
            Format::Sarif => report::compare::sarif(compared, base),
            Format::Markdown => report::compare::markdown(compared, base),
            Format::Short => report::compare::short(compared, base),
        };
        self.print(&text)?;
        annotate(args, compared, base)?;
        if let Some(results) = &self.results {
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

    /// Writes a report to standard output.
    fn print(&self, text: &str) -> anyhow::Result<()> {
        let is_for_log =
            matches!(self.args.format, Format::Text | Format::Markdown | Format::Short);
        if is_for_log && setup::is_github() {
            return output::result(report::without_commands(text).as_bytes());
        }
        output::result(text.as_bytes())
    }
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
    check_counts(&[("--jobs", args.jobs), ("--targets", Some(args.targets as u64))])?;
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

//! `ripple adequacy`: tells whether tests notice a change, and what is missing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::Context;
use clap::ValueEnum;
use effects::adequacy::{Adequacy, Criterion, Options, Request, Verdict, adequacy};
use effects::{Libc, Loader};
use explore::Snapshot;
use indicatif::HumanCount;
use report::{Base, Look};
use trace::chains::ChainLimits;

use crate::bounds::Bounds;
use crate::directory::{OutDirectory, Owner, is_report};
use crate::observing::Observing;
use crate::progress::watch;
use crate::setup::Globals;
use crate::varying::{ATOMS, Varying};
use crate::versions::Versions;
use crate::{exit, output, setup};

const EXAMPLES: &str = "\
Examples:
  ripple adequacy old.c new.c --tests tests.jsonl      would these tests notice the change?
  ripple adequacy HEAD~1 HEAD --tests tests/           a directory of files, one a test
  ripple adequacy old.c new.c --tests t.jsonl --entry parse    one function
  ripple adequacy HEAD~1 HEAD --tests t.jsonl --fail-under STMT:100 --fail-under PROP:50
  ripple adequacy --baseline-rev main --tests t.jsonl --format markdown

Criteria:
  STMT   changed statements that tests execute
  BR     decisions of changed statements, with what is executed because of them
  DU     uses of what changed statements define
  CHAIN  chains of dependences from changed statements, up to --distance
  PROP   the same, with a different state in OLD and NEW all along
  OUT    changed lines with a difference that users see, replayed natively

Exit codes:
  0  adequate: nothing is missing, or nothing is to be tested; or every --fail-under is met
  1  something is missing; or a --fail-under is not met
  2  usage error, or a failure of Ripple
  3  inconclusive: something seems to be missing, and not all tests could be followed
  4  a version does not build";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{ATOMS}"))]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    #[command(flatten)]
    varying: Varying,

    /// The most dependences of a chain
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Adequacy")]
    distance: u32,

    /// Fail if less of a criterion is satisfied, such as PROP:80; repeatable
    #[arg(long, value_name = "CRITERION:PERCENT", help_heading = "Adequacy")]
    fail_under: Vec<Threshold>,

    /// Make small edits of the changed statements, and tell which ones tests notice
    #[arg(long, help_heading = "Adequacy")]
    mutants: bool,

    #[command(flatten)]
    observing: Observing,

    #[command(flatten)]
    bounds: Bounds,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Results")]
    format: Format,

    /// Directory for the reports; keeps the previous result as DIR.1
    #[arg(long, value_name = "DIR", default_value = "ripple.adequacy", help_heading = "Results")]
    out: PathBuf,

    /// Write no files
    #[arg(long, help_heading = "Results")]
    no_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// For a comment on a pull request
    Markdown,
}

/// How much of a criterion is required.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Threshold {
    criterion: Criterion,
    percent: f64,
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Threshold, String> {
        let (name, percent) =
            text.split_once(':').ok_or("write a criterion and a percentage, such as PROP:80")?;
        let found = Criterion::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(name));
        let names: Vec<&str> = Criterion::ALL.iter().map(|one| one.name()).collect();
        let criterion = found.ok_or_else(|| format!("`{name}` is none of {}", names.join(", ")))?;
        let number = percent.trim_end_matches('%').parse::<f64>().ok();
        let percent = number
            .filter(|percent| (0.0..=100.0).contains(percent))
            .ok_or_else(|| format!("`{percent}` is not a percentage from 0 to 100"))?;
        Ok(Threshold { criterion, percent })
    }
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = &globals.project;
    let varied = args.varying.meant(config)?;
    let options = Options {
        budget: args.bounds.budget(config)?,
        limits: args.bounds.limits(Options::default().limits)?,
        observe: args.observing.meant(config)?,
        chains: ChainLimits { distance: args.distance, ..ChainLimits::default() },
        mutants: args.mutants,
    };
    let out = (!args.no_out).then(|| {
        let owner = Owner { command: "adequacy", is_ours, by_default: true };
        OutDirectory::check(&args.out, owner)
    });
    let out = out.transpose()?;
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Quick };
    let [old, mut new] = args.versions.check_out_one(&loader, varied.entry.as_deref(), globals)?;
    if options.observe.positions {
        new = new.as_written();
    }
    let base = setup::base(&compiler.directory);
    let scope = varied.scope(loader.clone());
    let request = Request { scope, old: &old, new: &new, options };
    let time = request.options.budget.time;
    let found =
        watch(globals.quiet, time, progress, |progress, tell| adequacy(&request, progress, tell))??;
    finish(args, globals, out.as_ref(), &found, &base)
}

fn finish(
    args: &Args,
    globals: &Globals,
    out: Option<&OutDirectory>,
    found: &Adequacy,
    base: &Base,
) -> anyhow::Result<ExitCode> {
    let text = match args.format {
        Format::Text => report::adequacy::text(found, setup::look()),
        Format::Json => report::adequacy::json(found),
        Format::Sarif => report::adequacy::sarif(found, base),
        Format::Markdown => report::adequacy::markdown(found),
    };
    output::result(text.as_bytes())?;
    if let Some(out) = out {
        out.rotate(&|directory| fill(directory, found, base)).with_context(|| out.cannot())?;
        if args.format == Format::Text && !globals.quiet {
            output::note(&format!("wrote {}", args.out.display()));
        }
    }
    Ok(code(args, found))
}

/// The exit code; says which thresholds are not met.
fn code(args: &Args, found: &Adequacy) -> ExitCode {
    let known =
        args.fail_under.iter().filter_map(|one| Some((one, found.coverage(one.criterion)?)));
    let failed: Vec<_> = known.filter(|(one, coverage)| !coverage.reaches(one.percent)).collect();
    for (one, coverage) in &failed {
        let name = one.criterion.name();
        let (share, wanted) = (coverage.percent(), one.percent);
        output::note(&format!("{name} is {share:.1} %, below {wanted} %"));
    }
    match found.verdict {
        Verdict::NothingToTest => ExitCode::SUCCESS,
        Verdict::Inconclusive if !failed.is_empty() || args.fail_under.is_empty() => {
            ExitCode::from(exit::INCONCLUSIVE)
        }
        _ if !failed.is_empty() => ExitCode::from(exit::FOUND),
        Verdict::Inadequate if args.fail_under.is_empty() => ExitCode::from(exit::FOUND),
        _ => ExitCode::SUCCESS,
    }
}

const REPORT: &str = "adequacy.json";

fn is_ours(path: &Path) -> bool {
    is_report(&path.join(REPORT), report::adequacy::SCHEMA)
}

fn fill(directory: &Path, found: &Adequacy, base: &Base) -> io::Result<()> {
    fs::write(directory.join(REPORT), report::adequacy::json(found))?;
    fs::write(directory.join("adequacy.txt"), report::adequacy::text(found, Look::default()))?;
    fs::write(directory.join("adequacy.html"), report::adequacy::html(found))?;
    fs::write(directory.join("adequacy.sarif"), report::adequacy::sarif(found, base))
}

/// The counters of the progress line.
fn progress(now: &Snapshot) -> String {
    format!("{} tests, {} show a difference", HumanCount(now.runs), HumanCount(now.faults))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_a_criterion_and_a_percentage() {
        let expected = Threshold { criterion: Criterion::Propagation, percent: 80.0 };
        assert_eq!("PROP:80".parse(), Ok(expected));
        assert_eq!("prop:80%".parse(), Ok(expected));
        for wrong in ["PROP", "PROP:", "PROP:101", "PROP:-1", "PROP:x", "PATH:80"] {
            assert!(wrong.parse::<Threshold>().is_err(), "{wrong}");
        }
    }
}

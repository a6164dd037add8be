//! `ripple complexity`: measures changes, from git or from two versions of files.
//!
//! Needs no build and no compiler, and does not look at the work tree.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use complexity::FileVersions;
use complexity::text::language::Language;
use report::complexity::{ErrorReport, Measured, short};
use source::{Commit, FileChanges, Repository, compare_trees};

use crate::{exit, output};

const EXAMPLES: &str = "\
Examples:
  ripple complexity                       the last commit
  ripple complexity HEAD~3                any commit
  ripple complexity v1.0..HEAD            every commit of a range
  ripple complexity v1.0..HEAD -- src     only changes below src
  ripple complexity old.c new.c           two files, or two directories
  ripple complexity HEAD --fail-above 20  exit with 1 if the CyCC is above 20
  ripple complexity --fix HEAD --introduced HEAD~9
                                          the complexity of a bug, measured by its fix

CyCC counts the linearly independent sequences of changed statements, CLoC the changed executable
lines. Supports C, C++, Rust, Java, JavaScript, TypeScript, Go and Python.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A commit, a range A..B, or two files or directories [default: HEAD]
    #[arg(value_name = "REV | A..B | OLD NEW", num_args = 0..=2)]
    what: Vec<String>,

    /// Only files below these paths, relative to the root of the repository
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<String>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Exit with 1 if a change has a CyCC above N
    #[arg(long, value_name = "N")]
    fail_above: Option<u64>,

    /// Measure the error that this commit fixed
    #[arg(long, value_name = "REV")]
    fix: Option<String>,

    /// The commit that introduced the error
    #[arg(long, value_name = "REV")]
    introduced: Option<String>,

    /// Follow only first parents: count merged branches as part of the merge
    #[arg(long)]
    first_parent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
    Html,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.fix.is_some() {
        return run_error(args);
    }
    if args.introduced.is_some() {
        bail!("`--introduced` needs `--fix REV`, the commit that fixed the error");
    }
    let measured = match args.what.as_slice() {
        [old, new] => {
            if args.first_parent {
                bail!("`--first-parent` is for a range of commits, not for two versions of files");
            }
            vec![measure_paths(args, Path::new(old), Path::new(new))?]
        }
        [what] => measure_revisions(args, what)?,
        _ => measure_revisions(args, "HEAD")?,
    };
    let text = match args.format {
        Format::Text => report::complexity::text(&measured),
        Format::Json => report::complexity::json(&measured),
        Format::Csv => report::complexity::csv(&measured),
        Format::Html => report::complexity::html(&measured),
    };
    output::result(text.as_bytes())?;
    Ok(verdict(args, &measured))
}

fn run_error(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(what) = args.what.first() {
        bail!("`{what}` cannot be combined with `--fix`");
    }
    if args.first_parent {
        bail!("`--first-parent` is for a range of commits, not for `--fix`");
    }
    let repository = open()?;
    let report = measure_error(args, &repository)?;
    let text = match args.format {
        Format::Text => report::complexity::error_text(&report),
        Format::Json => report::complexity::error_json(&report),
        Format::Csv | Format::Html => {
            bail!("`--fix` supports only `--format text` and `--format json`")
        }
    };
    output::result(text.as_bytes())?;
    Ok(verdict(args, std::slice::from_ref(&report.fix)))
}

/// The exit code, with a line for each change that is above the limit.
fn verdict(args: &Args, measured: &[Measured]) -> ExitCode {
    let Some(limit) = args.fail_above else { return ExitCode::SUCCESS };
    let above: Vec<&Measured> = measured.iter().filter(|m| m.complexity.cycc > limit).collect();
    for measured in &above {
        let what = measured.commit.as_ref().map_or("the change", |commit| short(&commit.id));
        output::note(&format!("{what}: CyCC {} is above {limit}", measured.complexity.cycc));
    }
    if above.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(exit::FOUND) }
}

fn open() -> anyhow::Result<Repository> {
    let here = std::env::current_dir().context("cannot determine the current directory")?;
    Ok(Repository::discover(&here)?)
}

fn measure_revisions(args: &Args, what: &str) -> anyhow::Result<Vec<Measured>> {
    let repository = open()?;
    let wanted = |path: &str| is_wanted(args, path);
    if what.contains("...") {
        bail!("`{what}` has three dots; write A..B for the commits of B that are not in A");
    }
    let Some((from, to)) = what.split_once("..") else {
        let commit = repository.commit(what)?;
        return Ok(vec![measure_commit(&repository, commit, &wanted)?]);
    };
    let from = if from.is_empty() { "HEAD" } else { from };
    let to = if to.is_empty() { "HEAD" } else { to };
    let mut measured = Vec::new();
    for commit in repository.commits(Some(from), to, args.first_parent)? {
        if repository.is_cut_off(&commit) {
            output::note(&format!(
                "skipped {}: its parents are not in this shallow clone",
                short(&commit.id)
            ));
            continue;
        }
        measured.push(measure_commit(&repository, commit, &wanted)?);
    }
    Ok(measured)
}

fn measure_error(args: &Args, repository: &Repository) -> anyhow::Result<ErrorReport> {
    let wanted = |path: &str| is_wanted(args, path);
    let fix = repository.commit(args.fix.as_deref().unwrap_or("HEAD"))?;
    let introduced =
        args.introduced.as_deref().map(|revision| repository.commit(revision)).transpose()?;
    if let Some(introduced) = &introduced
        && !repository.is_ancestor(introduced, &fix)?
    {
        bail!(
            "{} is not an ancestor of {}, so it cannot have introduced the error",
            short(&introduced.id),
            short(&fix.id)
        );
    }
    let seconds = introduced.as_ref().map(|introduced| fix.time - introduced.time);
    let introduced =
        introduced.map(|commit| measure_commit(repository, commit, &wanted)).transpose()?;
    let fix = measure_commit(repository, fix, &wanted)?;
    Ok(ErrorReport { fix, introduced, life_span: seconds.map(|seconds| seconds as f64 / 86400.0) })
}

fn measure_commit(
    repository: &Repository,
    commit: Commit,
    wanted: &dyn Fn(&str) -> bool,
) -> anyhow::Result<Measured> {
    let changes = repository.changes(&commit, wanted)?;
    Ok(measure(Some(commit), changes))
}

fn measure_paths(args: &Args, old: &Path, new: &Path) -> anyhow::Result<Measured> {
    for path in [old, new] {
        if !path.exists() {
            let hint = "for commits, write A..B";
            bail!("`{}` is neither a file nor a directory ({hint})", path.display());
        }
    }
    let wanted = |path: &str| is_wanted(args, path);
    Ok(measure(None, compare_trees(old, new, &wanted)?))
}

fn measure(commit: Option<Commit>, changes: FileChanges) -> Measured {
    let files: Vec<FileVersions<'_>> = changes
        .files
        .iter()
        .map(|file| FileVersions {
            path: &file.path,
            old: file.old.as_deref(),
            new: file.new.as_deref(),
        })
        .collect();
    Measured { commit, complexity: complexity::measure(&files), skipped: changes.skipped }
}

fn is_wanted(args: &Args, path: &str) -> bool {
    let below = |prefix: &String| Path::new(path).starts_with(PathBuf::from(prefix));
    Language::of(path).is_some() && (args.paths.is_empty() || args.paths.iter().any(below))
}

//! `ripple changes`: what changed between two versions of a program.

use std::process::ExitCode;

use clap::ValueEnum;
use effects::versions::{self, Changes, Configurations, build_dependences};
use effects::{Libc, Loader};
use source::Selection;

use super::graphs;
use crate::setup::Globals;
use crate::versions::Versions;
use crate::{exit, output};

const EXAMPLES: &str = "\
Examples:
  ripple changes old.c new.c        two versions of one file
  ripple changes v1/ v2/            two directories, each with the C files of one program
  ripple changes HEAD~1 HEAD -- src/a.c src/b.c
                                    two revisions of the current repository
  ripple changes HEAD .             the last commit and the work tree
  ripple changes --baseline-rev main
                                    what the current branch changed
  ripple changes v1/ v2/ --configurations
                                    also show which hunks need which others to build
  ripple changes old.c new.c --graph svg
                                    draw in which orders the changes can run

A version is an existing path, or else a git revision. Comments, white space, moved functions and
renamed local variables are not changes; they are listed at the end if nothing else differs in a
function. Exits with 1 if something changed.";

/// Builds that may be spent on hunks without a changed statement on their lines.
const HUNK_BUILDS: usize = 100;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    versions: Versions,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Find the hunks that do not build alone, and the smallest set that each needs
    #[arg(long)]
    configurations: bool,

    /// Maximum number of builds for --configurations
    #[arg(long, value_name = "N", default_value_t = 300, requires = "configurations")]
    max_builds: usize,

    /// Draw the change sequence graph instead: which changes can run after which, and where the
    /// effects of several changes may meet
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["format", "configurations"])]
    graph: Option<graphs::Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let selection = Selection::of(&compiler, &args.versions.paths, &loader.cflags);
    let (old, new) = args.versions.check_out(globals, &selection)?;
    let [old, new] = args.versions.choose_together(&loader, [old, new], globals)?;
    let versions = versions::Versions::load(&loader, &old, &new)?;
    if let Some(format) = args.graph {
        output::result(graphs::draw(&versions.sequences(), format).as_bytes())?;
        return Ok(verdict(&versions.changes()));
    }
    let hunks = versions.hunks(&loader, HUNK_BUILDS, &|| false)?;
    let mut changes = versions.changes_with(&hunks);
    changes.hunks = hunks;
    if args.configurations {
        let mut configurations = Configurations::new(&old, &new, &compiler, &loader.cflags)?;
        let found = build_dependences(&loader, &old, &new, &mut configurations, args.max_builds)?;
        changes.dependences = Some(found);
    }
    let text = match args.format {
        Format::Text => report::changes::text(&changes),
        Format::Json => report::changes::json(&changes),
    };
    output::result(text.as_bytes())?;
    Ok(verdict(&changes))
}

fn verdict(changes: &Changes) -> ExitCode {
    if changes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(exit::FOUND) }
}

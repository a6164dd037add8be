//! What can be typed. No meaning is given to it here, see `setup`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    accept, changes, compare, completions, complexity, dump, explore, impact, run, slice, solve,
    verify,
};
use crate::config::Config;

const EXAMPLES: &str = "\
Examples:
  ripple compare old.c new.c --arg int     find inputs on which they differ
  ripple verify old.c new.c --arg int      prove for which inputs they are equal
  ripple run prog.c -- 1 2                 run a C program on the machine
  ripple explore prog.c --arg int          find its paths and faults, and make tests
  ripple changes old.c new.c               see what changed
  ripple impact old.c new.c                see what the changes may affect
  ripple complexity v1.0..HEAD             see how complex each commit is, without a build
  ripple slice prog.c --from 12 --forward  see what line 12 may affect
  ripple dump statements prog.c            see its statements
  ripple doctor                            see what is installed and what is missing
  ripple --clang clang-19 doctor           the same for a certain compiler
  ripple accept 1 --reason 'as planned'    record a difference as intended
  ripple completions bash > ripple.bash    complete commands in the shell

Exit codes:
  0  no difference, only accepted ones, no fault, or done
  1  different, or a fault was found
  2  wrong use, or a tool that fails
  3  inconclusive
  4  a version does not build

Environment:
  RIPPLE_CLANG    the clang to use, unless --clang is given
  XDG_CACHE_HOME  where the cache is, unless --cache-dir is given (default: ~/.cache)";

/// Tells what a code change does.
#[derive(Debug, Parser)]
#[command(name = "ripple", version, about, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Globals {
    /// The clang to use: a path, or a name on the PATH [default: $RIPPLE_CLANG, clang, newest
    /// clang-N]
    #[arg(long, global = true, value_name = "CLANG")]
    pub clang: Option<PathBuf>,

    /// Where compiled files are remembered [default: $XDG_CACHE_HOME/ripple or ~/.cache/ripple]
    #[arg(long, global = true, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,

    /// Flags for the compiler, quoted as in a shell; may be repeated
    #[arg(long, global = true, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// The file of settings [default: ripple.toml here or above, up to the root of the repository]
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,

    /// Read no ripple.toml
    #[arg(long, global = true)]
    pub no_config: bool,

    /// What the file of settings says
    #[arg(skip)]
    pub project: Config,

    /// Say nothing but the result: no word on how a run ended, only its exit status
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a program on Ripple's machine, as if it ran natively
    Run(run::Args),
    /// Find inputs on which two versions of a program behave differently
    Compare(Box<compare::Args>),
    /// Prove for which inputs two or more versions of a program behave the same
    Verify(Box<verify::Args>),
    /// Record a difference as intended, so that it is not reported again
    Accept(accept::Args),
    /// Find inputs that take every path of a program, its faults, and tests for both
    Explore(Box<explore::Args>),
    /// Show the stages between source and execution
    Dump(dump::Args),
    /// Show what changed between two versions, and what only looks as if it did
    Changes(changes::Args),
    /// Show what the changes between two versions may affect
    Impact(impact::Args),
    /// Show what a line may affect, or what may affect it
    Slice(slice::Args),
    /// Answer a question in SMT-LIB 2 with Ripple's solver
    Solve(solve::Args),
    /// Tell how complex changes are: commits, a range, or two versions of files
    Complexity(complexity::Args),
    /// Show what is installed, what is missing, and the command that fixes it
    #[command(after_help = crate::commands::doctor::EXAMPLES)]
    Doctor,
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Write a man page for each command
    Man(crate::commands::man::Args),
}

impl Command {
    /// Whether a file of settings says anything to the command.
    pub fn has_settings(&self) -> bool {
        let has_none = matches!(
            self,
            Command::Completions(_) | Command::Doctor | Command::Solve(_) | Command::Complexity(_)
        );
        !has_none
    }
}

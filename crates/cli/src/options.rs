//! The command line: the commands and the help of `ripple` itself.
//!
//! Options of every command are in `setup`, those of one command in its file under `commands`.

use clap::{Parser, Subcommand};

use crate::commands::{
    accept, adequacy, build, cache, changes, compare, completions, complexity, doctor, dump,
    explore, impact, interact, man, programs, record, requirements, run, select, slice, solve,
    study, verify,
};
use crate::setup::Globals;

const EXAMPLES: &str = "\
Examples:
  ripple compare old.c new.c --arg int     find inputs on which two versions differ
  ripple verify old.c new.c --arg int      prove for which inputs they behave the same
  ripple interact old.c new.c --arg int    tell which parts of the change a difference needs
  ripple adequacy old.c new.c --tests t.jsonl
                                           show whether tests notice the change
  ripple run prog.c -- 1 2                 run a C program on Ripple's machine
  ripple record --program prog -- make check
                                           record the project's tests for --tests
  ripple explore prog.c --arg int          find paths and faults, and generate tests
  ripple changes old.c new.c               show what changed
  ripple impact old.c new.c                show what the changes may affect
  ripple complexity v1.0..HEAD             measure each commit, without a build
  ripple build -- make -j8                 record which files make which programs
  ripple programs                          list the programs of a directory
  ripple slice prog.c --from 12 --forward  show what line 12 may affect
  ripple dump statements prog.c            list the statements of a program
  ripple doctor                            show what is installed and what is missing
  ripple --clang clang-19 doctor           check a particular compiler
  ripple accept 1 --reason 'as planned'    accept a difference as intended
  ripple cache clear                       empty the cache of compiled files
  ripple completions bash > ripple.bash    generate shell completions

Exit codes:
  0  no difference (or only accepted ones), no fault, success
  1  different, or a fault was found
  2  usage error, or a tool failed
  3  inconclusive
  4  a version does not build

Environment:
  RIPPLE_CLANG    clang to use, unless --clang is given
  XDG_CACHE_HOME  parent of the cache, unless --cache-dir is given [default: ~/.cache]";

/// Shows what a code change does.
#[derive(Debug, Parser)]
#[command(name = "ripple", version, about, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a C program on Ripple's machine
    Run(run::Args),
    /// Record the executions of a program while a command runs, as tests
    Record(record::Args),
    /// Find inputs on which two versions of a program behave differently
    Compare(Box<compare::Args>),
    /// Prove for which inputs two or more versions of a program behave the same
    Verify(Box<verify::Args>),
    /// Tell which parts of a change each difference needs, and in which order
    Interact(Box<interact::Args>),
    /// Show whether tests notice a change, and what they miss
    Adequacy(Box<adequacy::Args>),
    /// Show what tests of a change would have to do
    Requirements(Box<requirements::Args>),
    /// Measure how well suites that satisfy a criterion detect a change
    Study(Box<study::Args>),
    /// Show which tests a change can affect, and in which order to run them
    Select(Box<select::Args>),
    /// Accept a difference as intended, so that it is not reported again
    Accept(accept::Args),
    /// Find the paths and faults of a program, and generate tests for them
    Explore(Box<explore::Args>),
    /// Print an intermediate form of a program
    Dump(dump::Args),
    /// Show which statements changed between two versions
    Changes(changes::Args),
    /// Show what the changes between two versions may affect
    Impact(impact::Args),
    /// Show what a line may affect, or what may affect it
    Slice(slice::Args),
    /// Solve an SMT-LIB 2 script with Ripple's solver
    Solve(solve::Args),
    /// Run a build as it is, and record which files make which programs
    Build(build::Args),
    /// List the programs of a directory and their files
    Programs(programs::Args),
    /// Measure the complexity of changes: commits, a range, or two versions of files
    Complexity(complexity::Args),
    /// Show what is installed, what is missing, and how to install it
    #[command(after_help = doctor::EXAMPLES)]
    Doctor,
    /// Show or clear the cache of compiled files
    Cache(cache::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Write a man page for each command
    Man(man::Args),
}

impl Command {
    /// Whether the command reads `ripple.toml`.
    pub fn has_settings(&self) -> bool {
        let has_none = matches!(
            self,
            Command::Completions(_)
                | Command::Doctor
                | Command::Solve(_)
                | Command::Complexity(_)
                | Command::Build(_)
                | Command::Programs(_)
        );
        !has_none
    }
}

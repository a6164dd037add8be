//! The `ripple` command: command line → meaning → run → exit code.
//!
//! The only crate that prints and that reads the environment. Each command is one file under
//! `commands/`; adding one means a file, a variant of `Command` and an arm in `run`.

mod bounds;
mod builds;
mod choices;
mod commands;
mod config;
mod directory;
mod duration;
mod exit;
mod fault;
mod files;
mod observing;
mod options;
mod output;
mod programs;
mod progress;
mod setup;
mod single;
mod size;
mod state;
mod strictness;
mod typed;
mod varying;
mod versions;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::commands::{
    accept, adequacy, build, cache, changes, compare, completions, complexity, doctor, dump,
    explore, impact, interact, man, programs as programs_command, record, requirements,
    run as run_command, select, slice, solve, study, verify,
};
use crate::config::Config;
use crate::options::{Cli, Command};

fn main() -> ExitCode {
    // Where a build cannot be followed, it calls this program by the names of tools.
    if let Some(error) = setup::stand_in() {
        output::note(&format!("error: cannot execute the real tool: {error}"));
        return ExitCode::from(exit::FAILURE);
    }
    let mut cli = Cli::parse();
    match run(&mut cli) {
        Ok(code) => code,
        Err(error) => {
            output::error(&error);
            exit::code_of(&error)
        }
    }
}

fn run(cli: &mut Cli) -> anyhow::Result<ExitCode> {
    if !cli.globals.no_config && cli.command.has_settings() {
        cli.globals.project = Config::load(cli.globals.config.as_deref())?;
    }
    match &cli.command {
        Command::Run(args) => run_command::run(args, &cli.globals),
        Command::Record(args) => record::run(args, &cli.globals),
        Command::Compare(args) => compare::run(args, &cli.globals),
        Command::Verify(args) => verify::run(args, &cli.globals),
        Command::Interact(args) => interact::run(args, &cli.globals),
        Command::Adequacy(args) => adequacy::run(args, &cli.globals),
        Command::Requirements(args) => requirements::run(args, &cli.globals),
        Command::Study(args) => study::run(args, &cli.globals),
        Command::Select(args) => select::run(args, &cli.globals),
        Command::Accept(args) => accept::run(args, &cli.globals),
        Command::Explore(args) => explore::run(args, &cli.globals),
        Command::Dump(args) => dump::run(args, &cli.globals),
        Command::Changes(args) => changes::run(args, &cli.globals),
        Command::Impact(args) => impact::run(args, &cli.globals),
        Command::Slice(args) => slice::run(args, &cli.globals),
        Command::Solve(args) => solve::run(args),
        Command::Complexity(args) => complexity::run(args),
        Command::Build(args) => build::run(args, &cli.globals),
        Command::Programs(args) => programs_command::run(args, &cli.globals),
        Command::Doctor => doctor::run(&cli.globals),
        Command::Cache(args) => cache::run(args, &cli.globals),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => man::run(args, Cli::command()),
    }
}

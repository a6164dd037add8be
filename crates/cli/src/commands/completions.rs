//! `ripple completions SHELL`: a completion script on standard output.

use std::process::ExitCode;

use clap::{CommandFactory, ValueEnum};
use clap_complete::{Shell, generate};

use crate::options::Cli;
use crate::output;

#[derive(Debug, clap::Args)]
pub struct Args {
    shell: Known,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Known {
    Bash,
    Zsh,
    Fish,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shell = match args.shell {
        Known::Bash => Shell::Bash,
        Known::Zsh => Shell::Zsh,
        Known::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "ripple", &mut script);
    output::result(&script)?;
    Ok(ExitCode::SUCCESS)
}

//! `ripple completions SHELL`: prints a completion script.

use std::process::ExitCode;

use clap::{Command, ValueEnum};
use clap_complete::{Shell, generate};

use crate::output;

const EXAMPLES: &str = "\
Examples:
  ripple completions bash > ~/.local/share/bash-completion/completions/ripple
  ripple completions zsh > ~/.zfunc/_ripple
  ripple completions fish > ~/.config/fish/completions/ripple.fish";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    shell: Known,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Known {
    Bash,
    Zsh,
    Fish,
}

pub fn run(args: &Args, mut command: Command) -> anyhow::Result<ExitCode> {
    let shell = match args.shell {
        Known::Bash => Shell::Bash,
        Known::Zsh => Shell::Zsh,
        Known::Fish => Shell::Fish,
    };
    let mut script = Vec::new();
    generate(shell, &mut command, "ripple", &mut script);
    output::result(&script)?;
    Ok(ExitCode::SUCCESS)
}

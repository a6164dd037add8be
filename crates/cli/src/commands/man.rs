//! `ripple man DIR`: a man page for `ripple` and for each of its commands.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;

const EXAMPLES: &str = "\
Examples:
  ripple man ~/.local/share/man/man1   then: man ripple-compare
  ripple man pages                     then: man ./pages/ripple.1";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory for the pages; created if missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub fn run(args: &Args, command: Command) -> anyhow::Result<ExitCode> {
    let shown = args.directory.display();
    fs::create_dir_all(&args.directory).with_context(|| format!("cannot create {shown}"))?;
    clap_mangen::generate_to(command, &args.directory)
        .with_context(|| format!("cannot write man pages to {shown}"))?;
    Ok(ExitCode::SUCCESS)
}

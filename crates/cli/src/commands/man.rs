//! `ripple man DIR`: a man page for the command and for each of its commands.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::options::Cli;

const EXAMPLES: &str = "\
Examples:
  ripple man ~/.local/share/man/man1   then: man ripple-compare
  ripple man pages                     then: man ./pages/ripple.1";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where the pages go; made if it is not there
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let shown = args.directory.display();
    fs::create_dir_all(&args.directory).with_context(|| format!("cannot make {shown}"))?;
    clap_mangen::generate_to(Cli::command(), &args.directory)
        .with_context(|| format!("cannot write man pages to {shown}"))?;
    Ok(ExitCode::SUCCESS)
}

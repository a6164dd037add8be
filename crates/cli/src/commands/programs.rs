//! `ripple programs`: lists the programs of a directory and their files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use source::{Build, Told, list_programs};

use crate::output;
use crate::setup::Globals;

const EXAMPLES: &str = "\
Examples:
  ripple programs                    the programs of this directory
  ripple programs --files            with the names of their files
  ripple programs src --format json  for programs

Uses what `ripple build` recorded; otherwise compile_commands.json and the files that define `main`.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory [default: the current one]
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,

    /// List the files of each program
    #[arg(long)]
    files: bool,

    /// Read this record of a build, written by `ripple build --out FILE`
    #[arg(long, value_name = "FILE")]
    build: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let here = std::env::current_dir().context("cannot determine the current directory")?;
    let typed = args.directory.as_deref().unwrap_or(Path::new("."));
    let directory = here.join(typed);
    if !directory.is_dir() {
        bail!("`{}` is not a directory", typed.display());
    }
    let cache = globals.cache();
    let build = match &args.build {
        Some(file) => Some(Build::read(file)?),
        None => Build::nearest(&cache, &directory)?,
    };
    let programs = list_programs(&directory, build.as_ref(), &cache)?;
    if programs.listed.is_empty() {
        bail!(
            "there is no program in `{}`: no C file defines `main`; if a build makes some, record \
             it with `ripple build -- make`",
            typed.display()
        );
    }
    let text = match args.format {
        Format::Text => report::programs::text(&programs, args.files),
        Format::Json => report::programs::json(&programs),
    };
    output::result(text.as_bytes())?;
    if !globals.quiet && args.format == Format::Text && !matches!(programs.told, Told::Build(_)) {
        output::note(
            "note: guessed from the files; `ripple build -- make` records which file belongs where",
        );
    }
    Ok(ExitCode::SUCCESS)
}

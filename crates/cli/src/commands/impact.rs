//! `ripple impact`: what the changes between two versions, or a planned change, may affect.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use effects::versions::{Versions, predict};
use effects::{Libc, Loader};
use source::{Selection, check_out, check_out_both};

use crate::commands::changes::Format;
use crate::output;
use crate::programs::{self, ProgramFlag};
use crate::setup::Globals;
use crate::versions::names_files;

const EXAMPLES: &str = "\
Examples:
  ripple impact old.c new.c         the outputs and functions that the changes may affect
  ripple impact old.c new.c --all   the same with every line
  ripple impact HEAD~1 HEAD -- src  the same for two revisions of the current repository
  ripple impact prog.c --at 12      what a change of line 12 would affect

What is not listed cannot be affected, unless the program has undefined behaviour. The figures
estimate how likely something is affected.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Old version: a C file, a directory of C files, or a git revision
    #[arg(value_name = "OLD")]
    old: OsString,

    /// New version
    #[arg(value_name = "NEW", required_unless_present = "at", conflicts_with = "at")]
    new: Option<OsString>,

    /// Predict what a change of this line of OLD would affect
    #[arg(long, value_name = "LINE")]
    at: Option<u32>,

    /// List every line that may be affected, not only functions and outputs
    #[arg(long, conflicts_with = "at")]
    all: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    program: ProgramFlag,

    /// C files of the program, or directories of them [default: all]
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let selection = Selection::of(&compiler, &args.paths, &loader.cflags);
    let wanted = args.program.wanted(None, false);
    let text = match (&args.new, args.at) {
        (Some(new), _) => {
            let both = check_out_both(&args.old, new, &selection)?;
            let build = &args.program.build;
            let (old, new) = build.apply_both(both, !args.paths.is_empty(), globals)?;
            let [old, new] = match names_files(&args.paths) {
                true => [old, new],
                false => programs::choose_together(&loader, [old, new], wanted, globals)?,
            };
            let impact = Versions::load(&loader, &old, &new)?.impact();
            match args.format {
                Format::Text => report::impact::text(&impact, args.all),
                Format::Json => report::impact::json(&impact),
            }
        }
        (None, Some(line)) => {
            let old = vec![check_out(&args.old, &selection)?];
            let mut old = args.program.build.apply(old, !args.paths.is_empty(), globals)?;
            let old = old.remove(0);
            let old = match names_files(&args.paths) {
                true => old,
                false => programs::choose_single(&loader, old, wanted, globals)?,
            };
            let prediction = predict(&loader, &old, line)?;
            match args.format {
                Format::Text => report::impact::prediction_text(&prediction),
                Format::Json => report::impact::prediction_json(&prediction),
            }
        }
        (None, None) => bail!("give NEW, or a line with --at"),
    };
    output::result(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

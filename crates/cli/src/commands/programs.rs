//! `ripple programs`: lists the programs of a directory and their files, or marks which programs a
//! change affects.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use effects::programs::survey;
use effects::{Libc, Loader};
use source::{Build, Selection, Told, check_out_both, list_programs};

use crate::builds::BuildFlags;
use crate::output;
use crate::programs::reason;
use crate::setup::Globals;
use crate::typed::Typed;
use crate::versions::say_absent;

const EXAMPLES: &str = "\
Examples:
  ripple programs                    the programs of this directory
  ripple programs --files            with the names of their files
  ripple programs src --format json  for programs
  ripple programs HEAD~1 HEAD        which programs the last commit affects

For a directory, uses what `ripple build` recorded; otherwise compile_commands.json and the files that define `main`.
Two versions are built if their files suggest it, as for `ripple compare`.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Directory [default: the current one]; or the old version, a directory or a git revision
    #[arg(value_name = "DIR|OLD")]
    directory: Option<OsString>,

    /// New version: marks the programs that the change affects
    #[arg(value_name = "NEW")]
    new: Option<OsString>,

    /// List the files of each program
    #[arg(long)]
    files: bool,

    /// Read this record of a build, written by `ripple build --out FILE`; with two versions: build
    /// each with this command
    #[arg(long, value_name = "FILE|COMMAND")]
    build: Option<OsString>,

    /// Build none of two versions, whatever ripple.toml and the versions say
    #[arg(long, requires = "new", conflicts_with = "build")]
    no_build: bool,

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
    if let (Some(old), Some(new)) = (&args.directory, &args.new) {
        return affected(args, [old, new], globals);
    }
    let here = std::env::current_dir().context("cannot determine the current directory")?;
    let typed = Path::new(args.directory.as_deref().unwrap_or(OsStr::new(".")));
    let directory = here.join(typed);
    if !directory.is_dir() {
        bail!("`{}` is not a directory", typed.display());
    }
    let cache = globals.cache()?;
    let build = match &args.build {
        Some(file) => Some(Build::read(Path::new(file))?),
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

/// Marks the programs of NEW and OLD that the change affects.
fn affected(args: &Args, [old, new]: [&OsStr; 2], globals: &Globals) -> anyhow::Result<ExitCode> {
    if let Some(file) = [old, new].into_iter().map(Path::new).find(|typed| typed.is_file()) {
        let file = file.display();
        bail!("`{file}` is a file; `ripple programs` takes two directories or revisions");
    }
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let selection = Selection::of(&compiler, &[], &loader.cflags);
    let build = match &args.build {
        Some(command) => Some(command.to_str().context("`--build` is not UTF-8")?.to_owned()),
        None => None,
    };
    let flags = BuildFlags { build, no_build: args.no_build, sandbox_build: false };
    let both = check_out_both(old, new, &selection)?;
    say_absent([&both.0, &both.1], globals);
    let (mut old, mut new) = flags.apply_both(both, false, globals)?;
    let mut survey_of = survey(&loader, [&old, &new]);
    if let Some(built) = flags.instead_of_survey(&survey_of, [&old, &new], globals) {
        [old, new] = built;
        survey_of = survey(&loader, [&old, &new]);
    }
    let found = survey_of?;
    if !globals.quiet {
        for broken in found.broken.iter().filter(|one| found.affected.broken.contains(&one.key)) {
            output::note(&format!("warning: {}", reason(broken)));
        }
    }
    let typed = Typed::this().of_command("programs", "compare", &["--files"]);
    let typed = typed.without(&["--format"]);
    let compare = |name: &str| typed.with("--program", name);
    let text = match args.format {
        Format::Text => report::affected::text(&found, compare, args.files),
        Format::Json => report::affected::json(&found, compare),
    };
    output::result(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

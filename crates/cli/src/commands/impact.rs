//! `ripple impact`: what the changes between two versions may affect, or a change to come.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use effects::versions::{Impact, Place, Versions, predict};
use effects::{Libc, Loader};
use source::{Selection, check_out, check_out_both};

use crate::options::Globals;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ripple impact old.c new.c         what the changes may affect, the most likely first
  ripple impact prog.c --at 12      what a change of line 12 would affect

A line that is not listed cannot be affected, unless the program does something undefined.
Figures are estimates of how likely a line is affected.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The version before: a C file, a directory of C files, or a git revision
    #[arg(value_name = "OLD")]
    old: OsString,

    /// The version after
    #[arg(value_name = "NEW", required_unless_present = "at", conflicts_with = "at")]
    new: Option<OsString>,

    /// A line of OLD that is to be changed
    #[arg(long, value_name = "LINE")]
    at: Option<u32>,

    /// The C files of the program, or directories of them [default: all]
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let selection = Selection {
        directory: &compiler.directory,
        paths: &args.paths,
        cflags: &loader.cflags,
        cache: &compiler.cache,
    };
    let text = match (&args.new, args.at) {
        (Some(new), _) => {
            let (old, new) = check_out_both(&args.old, new, &selection)?;
            show(&Versions::load(&loader, &old, &new)?.impact())
        }
        (None, Some(line)) => {
            show_lines(&predict(&loader, &check_out(&args.old, &selection)?, line)?)
        }
        (None, None) => bail!("give the version after, or a line with --at"),
    };
    output::result(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn at(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

fn numbers(changes: &[usize]) -> String {
    let all: Vec<String> = changes.iter().map(ToString::to_string).collect();
    all.join(", ")
}

fn show(impact: &Impact) -> String {
    let mut text = String::new();
    if impact.changes.is_empty() {
        return "no change, so nothing is affected\n".to_owned();
    }
    text.push_str("changes\n");
    for (index, (old, new)) in impact.changes.iter().enumerate() {
        let place = match (old, new) {
            (_, Some(new)) => at(new),
            (Some(old), None) => format!("{} (deleted)", at(old)),
            (None, None) => "?".to_owned(),
        };
        let _ = writeln!(text, "  {}  {place}", index + 1);
    }
    text.push_str("may be affected, the most likely first\n");
    for line in &impact.lines {
        let seen = if line.is_output { ", can be seen" } else { "" };
        let _ = writeln!(
            text,
            "  {:4.2}  {}  by {}{seen}",
            line.probability,
            at(&line.place),
            numbers(&line.changes)
        );
    }
    for function in &impact.functions {
        let _ = writeln!(
            text,
            "  in {}: {} of {} statements",
            function.name, function.affected, function.statements
        );
    }
    let _ = writeln!(text, "cannot be affected: {} other lines", impact.unaffected);
    for meeting in &impact.meetings {
        let places: Vec<String> = meeting.places.iter().take(8).map(at).collect();
        let (one, other) = meeting.changes;
        let _ = writeln!(text, "{one} and {other} may interfere at {}", places.join(", "));
    }
    if !impact.alone.is_empty() {
        let _ = writeln!(text, "can be tested alone: {}", numbers(&impact.alone));
    }
    text
}

fn show_lines(lines: &[(Place, f64)]) -> String {
    let mut text = String::new();
    for (place, probability) in lines {
        let _ = writeln!(text, "{probability:4.2}  {}", at(place));
    }
    text
}

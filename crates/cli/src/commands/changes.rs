//! `ripple changes`: what changed between two versions of a program.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use changes::versions::Why;
use effects::versions::{ChangeKind, ChangedStatement, Changes, Place, Versions};
use effects::{Libc, Loader};
use source::{Selection, check_out_both};

use crate::options::Globals;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ripple changes old.c new.c        two versions of one file
  ripple changes v1/ v2/            two directories, each with the C files of one program

Comments, white space, moved functions and renamed local variables are not changes; they are
listed at the end if they are all that differs in a function. Exit code 1 if something changed.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The version before: a C file, a directory of C files, or a git revision
    #[arg(value_name = "OLD")]
    old: OsString,

    /// The version after
    #[arg(value_name = "NEW")]
    new: OsString,

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
    let (old, new) = check_out_both(&args.old, &args.new, &selection)?;
    let changes = Versions::load(&loader, &old, &new)?.changes();
    output::result(text(&changes).as_bytes())?;
    Ok(ExitCode::from(u8::from(!changes.is_empty())))
}

fn text(changes: &Changes) -> String {
    let mut text = String::new();
    for function in &changes.functions {
        let _ = write!(text, "{}", function.name);
        if let Some(place) = &function.place {
            let _ = write!(text, " ({}:{})", place.file, place.line);
        }
        if function.signature {
            text.push_str(", with another signature");
        }
        text.push('\n');
        for statement in &function.statements {
            describe(&mut text, statement);
        }
    }
    for (title, functions) in [("added", &changes.added), ("removed", &changes.removed)] {
        for (name, place) in functions {
            let at =
                place.as_ref().map_or_else(String::new, |p| format!(" ({}:{})", p.file, p.line));
            let _ = writeln!(text, "{name}{at}: {title} function");
        }
    }
    for (name, in_old, in_new) in &changes.globals {
        let what = match (in_old, in_new) {
            (true, true) => "changed",
            (false, _) => "added",
            (true, false) => "removed",
        };
        let _ = writeln!(text, "{name}: {what} global variable");
    }
    if changes.is_empty() {
        text.push_str("no change\n");
    }
    if !changes.not_changes.is_empty() {
        text.push_str("\nThe text differs, but nothing changed, in\n");
    }
    for same in &changes.not_changes {
        let mut reasons: Vec<String> =
            same.renamed.iter().map(|(old, new)| format!("`{old}` is called `{new}`")).collect();
        if same.moved {
            reasons.push("stands elsewhere".to_owned());
        }
        if reasons.is_empty() {
            reasons.push("comments, white space or spelling".to_owned());
        }
        let _ = writeln!(text, "  {}: {}", same.name, reasons.join(", "));
    }
    text
}

fn describe(text: &mut String, statement: &ChangedStatement) {
    let at = |place: &Option<Place>| match place {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "?".to_owned(),
    };
    let line = match statement.kind {
        ChangeKind::Added => format!("  + {}", at(&statement.new)),
        ChangeKind::Deleted => format!("  - {}", at(&statement.old)),
        ChangeKind::Modified => format!("  ~ {}", at(&statement.new)),
        ChangeKind::Moved => format!("  > {} (from {})", at(&statement.new), at(&statement.old)),
    };
    text.push_str(&line);
    match &statement.why {
        Some(Why::Control) => text.push_str(", under other conditions"),
        Some(Why::Uses(names)) => {
            let _ = write!(text, ", through {}", names.join(", "));
        }
        Some(Why::Text) | None => {}
    }
    text.push('\n');
    if statement.kind == ChangeKind::Modified {
        excerpt(text, '-', statement.old.as_ref());
    }
    let place = match statement.kind {
        ChangeKind::Deleted => ('-', statement.old.as_ref()),
        _ => ('+', statement.new.as_ref()),
    };
    excerpt(text, place.0, place.1);
}

/// The line of the source.
fn excerpt(text: &mut String, sign: char, place: Option<&Place>) {
    let Some(place) = place else { return };
    let Ok(source) = fs::read(&place.file) else { return };
    let source = String::from_utf8_lossy(&source);
    if let Some(line) = source.lines().nth(place.line.max(1) as usize - 1) {
        let _ = writeln!(text, "      {sign} {}", line.trim());
    }
}

//! `ripple slice`: what a line may affect, or what may affect it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use effects::{Libc, Loader};
use graphs::criteria::file_of;
use graphs::{Criterion, Direction, ProgramGraphs, Slice};
use ir::{FileId, Module, StatementId};

use crate::commands::graphs::is_own;
use crate::output;
use crate::setup::Globals;

const EXAMPLES: &str = "\
Examples:
  ripple slice sum.c --from 12 --forward          what line 12 may affect
  ripple slice sum.c --from 12:total --backward   what may affect `total` on line 12
  ripple slice a.c b.c --from b.c:7 --forward     a line of one of several files
  ripple slice sum.c --from 3 --chop 12           what lies between line 3 and line 12
  ripple slice sum.c --from 3 --forward --rank    most likely affected lines first

A line that is not shown cannot be affected (forward), or cannot affect (backward), unless the
program has undefined behaviour. Without `main`, every function may be called from outside.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// C files, or LLVM IR as text (.ll), of one program
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Line to start from, or one variable on it
    #[arg(long, value_name = "[FILE:]LINE[:VAR]")]
    from: String,

    /// Show what the line may affect
    #[arg(long, conflicts_with = "backward")]
    forward: bool,

    /// Show what may affect the line
    #[arg(long)]
    backward: bool,

    /// Show only what lies on a path to this line (from this line, with --backward)
    #[arg(long, value_name = "[FILE:]LINE[:VAR]")]
    chop: Option<String>,

    /// Estimate how likely each line is affected, most likely first
    #[arg(long, conflicts_with_all = ["backward", "chop"])]
    rank: bool,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    if !args.forward && !args.backward && !args.rank && args.chop.is_none() {
        bail!("give a direction: --forward or --backward");
    }
    let from = read_criterion(&args.from, "from")?;
    let chop = args.chop.as_deref().map(|text| read_criterion(text, "chop")).transpose()?;
    let compiler = globals.compiler()?;
    let loader = Loader { compiler: &compiler, cflags: globals.split_cflags()?, libc: Libc::Open };
    let module = loader.load(&args.files)?.module;
    for criterion in [Some(&from), chop.as_ref()].into_iter().flatten() {
        check_line(criterion, &args.files)?;
    }
    let names: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
    // Reports a missing line before the analysis.
    from.statements(&module, &names)?;
    let graphs = ProgramGraphs::new(&module);
    let direction = if args.backward { Direction::Backward } else { Direction::Forward };
    let start = from.vertices(&graphs, &names, direction)?;
    let view = View { module: &module, files: &args.files, from: &from, names: &names };
    let text = match chop {
        Some(end) if args.backward => {
            let other = end.vertices(&graphs, &names, Direction::Forward)?;
            view.lines(&Slice::chop(&graphs.sdg, &other, &start).statements(&graphs.sdg))
        }
        Some(end) => {
            let other = end.vertices(&graphs, &names, Direction::Backward)?;
            view.lines(&Slice::chop(&graphs.sdg, &start, &other).statements(&graphs.sdg))
        }
        None if args.rank => view.ranking(&graphs::quantify(&graphs, &start)),
        None => view.lines(&Slice::new(&graphs.sdg, &start, direction).statements(&graphs.sdg)),
    };
    output::result(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Reads `[FILE:]LINE[:VAR]`.
fn read_criterion(text: &str, option: &str) -> anyhow::Result<Criterion> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |part: &&str| part.parse::<u32>().ok().filter(|&line| line > 0);
    let Some(at) = parts.iter().position(|part| number(part).is_some()) else {
        bail!("`--{option} {text}` has no line number; write LINE, LINE:VAR or FILE:LINE");
    };
    let variable = match &parts[at + 1..] {
        [] => None,
        [name] if !name.is_empty() => Some((*name).to_owned()),
        _ => bail!("`--{option} {text}` does not end with a variable; write FILE:LINE:VAR"),
    };
    let file = parts[..at].join(":");
    let line = number(&parts[at]).unwrap_or_default();
    Ok(Criterion { file: (!file.is_empty()).then_some(file), line, variable })
}

/// Fails if the file on disk has no such line.
fn check_line(criterion: &Criterion, files: &[PathBuf]) -> anyhow::Result<()> {
    let file = match (&criterion.file, files) {
        (Some(name), _) => PathBuf::from(name),
        (None, [file]) => file.clone(),
        (None, _) => return Ok(()),
    };
    // Files in other directories are checked later.
    let Ok(text) = fs::read(&file) else { return Ok(()) };
    let last = text.split(|&byte| byte == b'\n').count() - usize::from(text.ends_with(b"\n"));
    if criterion.line as usize > last && file.extension().is_some_and(|e| e == "c" || e == "h") {
        let line = criterion.line;
        bail!("`{}` has no line {line}; its last line is {last}", file.display());
    }
    Ok(())
}

/// How slices are shown: lines of the user's files with their text.
struct View<'a> {
    module: &'a Module,
    files: &'a [PathBuf],
    from: &'a Criterion,
    names: &'a [String],
}

type Lines = BTreeMap<FileId, BTreeSet<u32>>;

impl View<'_> {
    fn lines(&self, statements: &[StatementId]) -> String {
        let (mut own, mut library) = (Lines::new(), BTreeSet::new());
        for &statement in statements {
            let Some(file) = file_of(self.module, statement) else { continue };
            let line = self.module.statements[statement].span.line;
            if is_own(self.module, Some(file)) {
                own.entry(file).or_default().insert(line)
            } else {
                library.insert((file, line))
            };
        }
        let start = self.start();
        let mut text = String::new();
        for (file, lines) in own {
            let _ = writeln!(text, "{}", self.module.files[file].name);
            let source = self.source(file);
            for line in lines {
                let mark = if start.contains(&(file, line)) { '>' } else { ' ' };
                let _ = writeln!(text, "{mark}{line:>5}  {}", words(&source, line));
            }
        }
        let count = library.len();
        if count > 0 {
            let noun = if count == 1 { "line" } else { "lines" };
            let _ = writeln!(text, "and {count} {noun} of the C library");
        }
        text
    }

    fn ranking(&self, affected: &[graphs::Affected]) -> String {
        let mut sources: BTreeMap<FileId, Vec<String>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let several = self.files.len() > 1;
        let mut text = String::new();
        for entry in affected {
            let Some(file) = file_of(self.module, entry.statement) else { continue };
            let line = self.module.statements[entry.statement].span.line;
            if !is_own(self.module, Some(file)) || !seen.insert((file, line)) {
                continue;
            }
            let source = sources.entry(file).or_insert_with(|| self.source(file));
            let name =
                if several { format!("{}:", self.module.files[file].name) } else { String::new() };
            let shown = words(source, line);
            let _ = writeln!(text, "{:.3}  {name}{line:>5}  {shown}", entry.probability);
        }
        text
    }

    /// The lines to start from.
    fn start(&self) -> BTreeSet<(FileId, u32)> {
        let statements = self.from.statements(self.module, self.names).unwrap_or_default();
        let files = statements.into_iter().filter_map(|s| file_of(self.module, s));
        files.map(|file| (file, self.from.line)).collect()
    }

    /// The lines of a file, if it is still where the compiler found it.
    fn source(&self, file: FileId) -> Vec<String> {
        let ir::SourceFile { directory, name, .. } = &self.module.files[file];
        let near = fs::read(name).or_else(|_| fs::read(PathBuf::from(directory).join(name)));
        let text = near.unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    }
}

fn words(source: &[String], line: u32) -> &str {
    source.get((line as usize).wrapping_sub(1)).map_or("", |text| text.trim())
}

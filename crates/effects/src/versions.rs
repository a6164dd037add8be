//! Two versions of a program side by side: what changed, and what that may affect.
//!
//! A version is a C file or a directory of C files that make one program. Results are plain
//! data with places in the source; nothing is executed.

mod impact;
mod sequence;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use changes::versions::{Alignment, Change, FunctionPair, Version, Why, align};
use ir::{FileId, FuncId, Module, StatementId};
use thiserror::Error;

use crate::program::{LoadError, Loader};

pub use impact::{AffectedFunction, AffectedLine, Impact, Meeting, predict};

#[derive(Debug, Error)]
pub enum VersionError {
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("there is no C file in `{}`", .0.display())]
    NoFiles(PathBuf),
    #[error(transparent)]
    Line(#[from] graphs::GraphError),
    /// A version does not build.
    #[error("{which} does not build: {cause}")]
    Load { which: &'static str, cause: LoadError },
}

impl VersionError {
    pub fn is_build_failure(&self) -> bool {
        matches!(self, VersionError::Load { cause, .. } if cause.is_build_failure())
    }
}

/// One version, loaded.
pub struct Side {
    pub files: Vec<PathBuf>,
    pub module: Module,
}

/// Both versions, laid side by side.
pub struct Versions {
    pub old: Side,
    pub new: Side,
    pub alignment: Alignment,
}

/// A place in the source of one version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Deleted,
    Modified,
    Moved,
}

/// A changed statement.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedStatement {
    pub kind: ChangeKind,
    pub old: Option<Place>,
    pub new: Option<Place>,
    pub why: Option<Why>,
}

/// A function with changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedFunction {
    pub name: String,
    pub place: Option<Place>,
    pub statements: Vec<ChangedStatement>,
    pub signature: bool,
}

/// A function whose text differs although it does the same.
#[derive(Clone, Debug, PartialEq)]
pub struct NotAChange {
    pub name: String,
    pub place: Option<Place>,
    /// Old and new names of local variables.
    pub renamed: Vec<(String, String)>,
    /// Whether it stands elsewhere among the functions of its file.
    pub moved: bool,
    /// Whether its text differs in other ways: comments, white space, spelling.
    pub reformatted: bool,
}

/// What changed between two versions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    pub functions: Vec<ChangedFunction>,
    pub added: Vec<(String, Option<Place>)>,
    pub removed: Vec<(String, Option<Place>)>,
    /// Changed global variables: name, and whether it is there in OLD and in NEW.
    pub globals: Vec<(String, bool, bool)>,
    pub not_changes: Vec<NotAChange>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.globals.is_empty()
    }
}

/// The C files of a version: the file itself, or all below a directory.
pub fn files_of(path: &Path) -> Result<Vec<PathBuf>, VersionError> {
    let unreadable = |cause| VersionError::Unreadable { path: path.to_owned(), cause };
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut waiting = vec![path.to_owned()];
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory).map_err(unreadable)?;
        for entry in entries {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            let path = entry.path();
            if kind.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(VersionError::NoFiles(path.to_owned())),
        false => Ok(files),
    }
}

impl Side {
    fn load(loader: &Loader<'_>, path: &Path, which: &'static str) -> Result<Side, VersionError> {
        let files = files_of(path)?;
        let loaded = loader.load(&files);
        let module = loaded.map_err(|cause| VersionError::Load { which, cause })?.module;
        Ok(Side { files, module })
    }

    /// Whether a function is the program's own, and not one of the C library.
    pub fn is_own(&self, function: FuncId) -> bool {
        let Some(file) = self.file_of(function) else { return true };
        let name = &self.module.files[file].name;
        let given = self.files.iter().any(|path| path.as_os_str() == name.as_str());
        let is_member = |stem: &str| exec::runtime::members().iter().any(|m| m.name == stem);
        given || name != "runtime.h" && !name.strip_suffix(".c").is_some_and(is_member)
    }

    fn file_of(&self, function: FuncId) -> Option<FileId> {
        let scope = self.module.functions[function].span.scope?;
        Some(self.module.scopes[scope].file)
    }

    /// Where a statement is.
    pub fn place(&self, statement: StatementId) -> Option<Place> {
        let span = self.module.statements.get(statement)?.span;
        let file = self.module.scopes[span.scope?].file;
        Some(Place { file: self.module.files[file].name.clone(), line: span.line })
    }

    fn place_of_function(&self, function: FuncId) -> Option<Place> {
        let file = self.module.files[self.file_of(function)?].name.clone();
        Some(Place { file, line: self.module.functions[function].span.line })
    }

    fn name(&self, function: FuncId) -> String {
        self.module.functions[function].display_name().to_owned()
    }

    /// The text of a function, from its first to its last line, without the white space around
    /// lines.
    fn text(&self, function: FuncId) -> Option<Vec<String>> {
        let place = self.place_of_function(function)?;
        let body = self.module.functions[function].body()?;
        let last = body.insts.values().map(|inst| inst.span.line).max()?;
        let path = self.files.iter().find(|path| path.as_os_str() == place.file.as_str())?;
        let text = fs::read(path).ok()?;
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().skip(place.line.max(1) as usize - 1);
        let count = (last.max(place.line) - place.line) as usize + 1;
        Some(lines.take(count).map(str::to_owned).collect())
    }
}

impl Versions {
    pub fn load(loader: &Loader<'_>, old: &Path, new: &Path) -> Result<Versions, VersionError> {
        let old = Side::load(loader, old, "OLD")?;
        let new = Side::load(loader, new, "NEW")?;
        let alignment = align(&old.module, &new.module, |version, _, function| match version {
            Version::Old => old.is_own(function),
            Version::New => new.is_own(function),
        });
        Ok(Versions { old, new, alignment })
    }

    /// What changed, in the order of NEW.
    pub fn changes(&self) -> Changes {
        let mut changes = Changes::default();
        let mut order = Vec::new();
        for pair in &self.alignment.functions {
            let is_moved = order.last().is_some_and(|&last| pair.old < last);
            order.push(pair.old);
            if pair.changes.is_empty() && !pair.signature {
                changes.not_changes.extend(self.not_a_change(pair, is_moved));
                continue;
            }
            changes.functions.push(ChangedFunction {
                name: self.new.name(pair.new),
                place: self.new.place_of_function(pair.new),
                statements: pair.changes.iter().map(|change| self.statement(change)).collect(),
                signature: pair.signature,
            });
        }
        let named = |side: &Side, functions: &[FuncId]| {
            let of = |&id: &FuncId| (side.name(id), side.place_of_function(id));
            functions.iter().map(of).collect()
        };
        changes.added = named(&self.new, &self.alignment.added);
        changes.removed = named(&self.old, &self.alignment.removed);
        changes.globals = self.globals();
        changes
    }

    fn globals(&self) -> Vec<(String, bool, bool)> {
        use changes::versions::GlobalChange::*;
        let of = |change: &changes::versions::GlobalChange| match change {
            Added { name, .. } => (name.clone(), false, true),
            Removed { name, .. } => (name.clone(), true, false),
            Modified { name, .. } => (name.clone(), true, true),
        };
        self.alignment.globals.iter().map(of).collect()
    }

    fn statement(&self, change: &Change) -> ChangedStatement {
        let kind = match change {
            Change::Added { .. } => ChangeKind::Added,
            Change::Deleted { .. } => ChangeKind::Deleted,
            Change::Modified { .. } => ChangeKind::Modified,
            Change::Moved { .. } => ChangeKind::Moved,
        };
        let why = match change {
            Change::Modified { why, .. } => Some(why.clone()),
            _ => None,
        };
        let old = change.in_old().and_then(|statement| self.old.place(statement));
        let new = change.in_new().and_then(|statement| self.new.place(statement));
        ChangedStatement { kind, old, new, why }
    }

    /// How the text of an unchanged function differs, if it does.
    fn not_a_change(&self, pair: &FunctionPair, moved: bool) -> Option<NotAChange> {
        let reformatted = self.old.text(pair.old) != self.new.text(pair.new);
        if !reformatted && !moved {
            return None;
        }
        let renamed = pair.renamed.iter().map(|r| (r.old.clone(), r.new.clone())).collect();
        let place = self.new.place_of_function(pair.new);
        Some(NotAChange { name: self.new.name(pair.new), place, renamed, moved, reformatted })
    }
}

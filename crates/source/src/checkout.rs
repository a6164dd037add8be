//! Versions as users name them, and their files on disk.
//!
//! The name of an existing path is that path; anything else must be a revision of the repository
//! around the current directory. Files and directories are used in place; the files of a revision
//! are written below the cache (`git/write.rs`). Either way the compiler runs in the version's own
//! `directory` and gets the names that the user knows, so that no name of a temporary directory
//! reaches a result. The C files of a version are those selected behind `--`, else those of its
//! `compile_commands.json`, else all below it. Hidden directories are left out.

mod absent;
mod positions;
mod product;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

pub use self::absent::Absent;
pub use self::positions::HeldPosition;
use self::positions::Holding;
pub(crate) use self::positions::Positions;
pub use self::product::{BuiltUnit, LeftOut, VersionBuild};
use crate::cache::{Cache, Lease};
use crate::compile::{Compiler, Kind, Orders, Substitution};
use crate::database::{self, Command, Relocation};
use crate::error::SourceError;
use crate::git::Repository;
use crate::native::MACRO_PREFIX;
use crate::paths::{map_paths, normal, outside_flags, relative};

/// What was typed besides the versions themselves.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// The current directory, absolute.
    pub directory: &'a Path,
    /// Files and directories behind `--`: relative to the current directory for revisions, and to
    /// the version for directories. An empty list selects everything.
    pub paths: &'a [PathBuf],
    /// Flags of all files. Directories that they name outside of a revision are used in place.
    pub cflags: &'a [String],
    pub cache: &'a Cache,
}

impl<'a> Selection<'a> {
    /// What was selected, and the compiler for it with its cache.
    pub fn of(compiler: &'a Compiler, paths: &'a [PathBuf], cflags: &'a [String]) -> Selection<'a> {
        Selection { directory: &compiler.directory, paths, cflags, cache: &compiler.cache }
    }
}

/// A version of a program: its files on disk.
#[derive(Clone, Debug)]
pub struct Checkout {
    /// As it was typed.
    pub name: String,
    /// The base of relative file names; the compiler runs here. Absolute.
    pub directory: PathBuf,
    /// Everything that belongs to the version is below it. Absolute.
    pub root: PathBuf,
    /// The C files, as the user knows them: relative to the directory, or absolute.
    pub files: Vec<PathBuf>,
    /// Flags of single files.
    pub flags: BTreeMap<PathBuf, Vec<String>>,
    /// The commit, if it is a revision.
    pub revision: Option<Revision>,
    /// Whether its files need not define all symbols: they were inferred, so some may be missing.
    pub has_gaps: bool,
    /// What belongs to it and is not at hand.
    pub absent: Vec<Absent>,
    /// What its build says about it, if it was built.
    pub build: Option<Arc<VersionBuild>>,
    pub(crate) is_lone_file: bool,
    /// Flags for all files that lead out of the root, absolute.
    pub(crate) outside: Vec<String>,
    /// Whether results depend on its contents only, not on its name.
    pub(crate) relocatable: bool,
    /// The version whose positions it is compiled with, if not its own.
    pub(crate) positions: Option<Arc<Positions>>,
    pub(crate) _place: Option<Arc<TempDir>>,
    /// Keeps the files of a revision in the cache.
    pub(crate) _lease: Option<Lease>,
}

/// A commit of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The work tree, or git's own directory if there is none. Absolute.
    pub repository: PathBuf,
    /// Forty hexadecimal digits.
    pub commit: String,
}

impl Checkout {
    /// A version without files.
    pub(crate) fn new(name: &str, directory: PathBuf, root: PathBuf) -> Checkout {
        Checkout {
            name: name.to_owned(),
            directory,
            root,
            files: Vec::new(),
            flags: BTreeMap::new(),
            revision: None,
            has_gaps: false,
            absent: Vec::new(),
            build: None,
            is_lone_file: false,
            outside: Vec::new(),
            relocatable: false,
            positions: None,
            _place: None,
            _lease: None,
        }
    }

    /// The compiler for this version: in its directory, with the flags of its files.
    pub fn compiler(&self, compiler: &Compiler) -> Compiler {
        let mut compiler = Compiler { directory: self.directory.clone(), ..compiler.clone() };
        let holding = self.holding();
        compiler.orders = Orders {
            file_flags: Arc::new(self.flags.clone()),
            relocatable: self.relocatable,
            is_timeless: true,
            substitution: holding.map(|holding| Arc::new(holding) as Arc<dyn Substitution>),
            // A configuration of two versions is in a directory that the user does not know.
            is_silent: self._place.is_some() && self.revision.is_none(),
            has_stubs: self.has_gaps,
        };
        compiler
    }

    fn holding(&self) -> Option<Holding> {
        let positions = Arc::clone(self.positions.as_ref()?);
        Some(Holding { positions, new: Arc::new(self.as_written()) })
    }

    /// Compiles the version so that `__LINE__` and the like have the values of another version, as
    /// far as code only moved.
    pub fn hold_positions_of(&mut self, old: &Checkout) {
        self.positions = Some(Arc::new(Positions::of(old)));
    }

    /// Whether it is one file, named as such.
    pub fn is_lone_file(&self) -> bool {
        self.is_lone_file
    }

    /// Whether it is compiled with the positions of another version.
    pub fn holds_positions(&self) -> bool {
        self.positions.is_some()
    }

    /// The version with its own positions.
    pub fn as_written(&self) -> Checkout {
        Checkout { positions: None, ..self.clone() }
    }

    /// Where the files compiled so far have positions of the other version.
    pub fn held_positions(&self) -> Vec<HeldPosition> {
        self.positions.as_ref().map(|positions| positions.held()).unwrap_or_default()
    }

    /// The path of a file.
    pub fn path(&self, name: &Path) -> PathBuf {
        self.directory.join(name)
    }

    /// The name that a file has in every version, if it belongs to this one: relative to the root.
    /// For a version that is one file, the name is empty.
    pub fn key(&self, name: &Path) -> Option<PathBuf> {
        let path = normal(&self.path(name));
        if self.is_lone_file {
            let own = self.files.first().map(|file| normal(&self.path(file)));
            return (own == Some(path)).then(PathBuf::new);
        }
        path.strip_prefix(&self.root).ok().map(Path::to_owned)
    }

    /// The name of the file with a key, whether or not it exists.
    pub fn name_of(&self, key: &Path) -> PathBuf {
        match self.files.first() {
            Some(file) if self.is_lone_file => file.clone(),
            Some(file) if file.is_absolute() => self.root.join(key),
            _ => relative(&self.directory, &self.root.join(key)),
        }
    }
}

/// Finds one version.
pub fn check_out(typed: &OsStr, selection: &Selection<'_>) -> Result<Checkout, SourceError> {
    let found = match Meaning::of(typed, selection)? {
        Meaning::File => lone_file(typed, selection)?,
        Meaning::Directory => directory(typed, None, selection)?,
        Meaning::Revision(repository) => {
            revision(typed, &repository, selection.paths.to_vec(), selection)?
        }
    };
    if let Some(&lost) = found.missing.first() {
        let (path, version) = (found.selected[lost].clone(), found.checkout.name);
        return Err(SourceError::PathMissing { path, version });
    }
    found.with_files()
}

/// Finds two versions of one program. A selected path may be missing in one of them. The newer
/// version is compiled with the positions of the older one, unless it is to be compiled as written.
pub fn check_out_both(
    old: &OsStr,
    new: &OsStr,
    selection: &Selection<'_>,
) -> Result<(Checkout, Checkout), SourceError> {
    let meanings = (Meaning::of(old, selection)?, Meaning::of(new, selection)?);
    let (older, newer) = match &meanings {
        (Meaning::Revision(repository), Meaning::Revision(_)) => {
            let paths = selection.paths.to_vec();
            let older = revision(old, repository, paths.clone(), selection)?;
            (older, revision(new, repository, paths, selection)?)
        }
        (Meaning::Revision(repository), other) => {
            mixed((old, repository), (new, other), selection)?
        }
        (other, Meaning::Revision(repository)) => {
            let (newer, older) = mixed((new, repository), (old, other), selection)?;
            (older, newer)
        }
        (one, other) => (by_path(old, one, selection)?, by_path(new, other, selection)?),
    };
    if let Some(&lost) = older.missing.iter().find(|index| newer.missing.contains(index)) {
        let path = older.selected[lost].clone();
        let (old, new) = (older.checkout.name, newer.checkout.name);
        return Err(SourceError::PathNowhere { path, old, new });
    }
    let (mut older, mut newer) = (older.with_files()?, newer.with_files()?);
    call_files_alike(&mut older, &mut newer);
    newer.hold_positions_of(&older);
    Ok((older, newer))
}

/// Finds one more version of the same program. Its files have the same names as in the others.
pub fn check_out_beside(
    typed: &OsStr,
    (old, new): (&Checkout, &Checkout),
    selection: &Selection<'_>,
) -> Result<Checkout, SourceError> {
    let mut found = check_out(typed, selection)?;
    call_files_alike(&mut found, &mut new.clone());
    found.hold_positions_of(old);
    Ok(found)
}

/// The meaning of what was typed.
enum Meaning {
    File,
    Directory,
    Revision(Repository),
}

impl Meaning {
    fn of(typed: &OsStr, selection: &Selection<'_>) -> Result<Meaning, SourceError> {
        match fs::metadata(selection.directory.join(typed)) {
            Ok(meta) if meta.is_dir() && !typed.is_empty() => return Ok(Meaning::Directory),
            Ok(_) if !typed.is_empty() => {
                let revision = revision_of_same_name(typed, selection);
                return Ok(revision.map_or(Meaning::File, Meaning::Revision));
            }
            Err(cause) if cause.kind() == io::ErrorKind::PermissionDenied => {
                return Err(SourceError::Unreadable { path: typed.into(), cause });
            }
            Ok(_) | Err(_) => {}
        }
        let name = typed.to_string_lossy().into_owned();
        let repository = match Repository::discover(selection.directory) {
            Err(SourceError::NotARepository { path }) => {
                return Err(SourceError::NoSuchFile { name, directory: path });
            }
            other => other?,
        };
        match repository.commit(&name) {
            Ok(_) => Ok(Meaning::Revision(repository)),
            Err(SourceError::UnknownRevision { .. }) if repository.is_shallow() => {
                Err(SourceError::NotInShallow { name })
            }
            Err(SourceError::UnknownRevision { .. }) => Err(SourceError::NoSuchVersion { name }),
            Err(error) => Err(error),
        }
    }
}

/// The repository of a revision that a file happens to be called like and that is no program: in a
/// bare repository, `HEAD` is a file as well.
fn revision_of_same_name(typed: &OsStr, selection: &Selection<'_>) -> Option<Repository> {
    if Kind::of(Path::new(typed)).is_some() {
        return None;
    }
    let repository = Repository::discover(selection.directory).ok()?;
    repository.commit(&typed.to_string_lossy()).is_ok().then_some(repository)
}

/// A version, and what was selected of it.
struct Found {
    checkout: Checkout,
    selected: Vec<PathBuf>,
    /// The selected paths that it does not have.
    missing: Vec<usize>,
}

impl Found {
    fn with_files(self) -> Result<Checkout, SourceError> {
        let version = self.checkout.name.clone();
        match (self.checkout.files.is_empty(), self.missing.first()) {
            (false, _) => Ok(self.checkout),
            (true, Some(&lost)) if self.missing.len() == self.selected.len() => {
                Err(SourceError::PathMissing { path: self.selected[lost].clone(), version })
            }
            (true, _) => Err(SourceError::NoCFiles { version }),
        }
    }
}

fn by_path(
    typed: &OsStr,
    meaning: &Meaning,
    selection: &Selection<'_>,
) -> Result<Found, SourceError> {
    match meaning {
        Meaning::Directory => directory(typed, None, selection),
        Meaning::File | Meaning::Revision(_) => lone_file(typed, selection),
    }
}

fn lone_file(typed: &OsStr, selection: &Selection<'_>) -> Result<Found, SourceError> {
    if !selection.paths.is_empty() {
        return Err(SourceError::PathsOfFile { file: typed.into() });
    }
    check_kind(Path::new(typed))?;
    let path = normal(&selection.directory.join(typed));
    let root = path.parent().unwrap_or(Path::new("/")).to_owned();
    // Only the file itself belongs to the version; its includes are outside.
    let mut outside = outside_flags(selection.cflags, selection.directory, &path);
    outside.extend(["-iquote".to_owned(), root.to_string_lossy().into_owned()]);
    let files = vec![typed.into()];
    let place = Checkout::new(&typed.to_string_lossy(), selection.directory.to_owned(), root);
    let checkout = Checkout { files, is_lone_file: true, outside, ..place };
    Ok(Found { checkout, missing: Vec::new(), selected: Vec::new() })
}

/// A directory as a version. With `around`, the directory is only the selected part of it.
fn directory(
    typed: &OsStr,
    around: Option<&Path>,
    selection: &Selection<'_>,
) -> Result<Found, SourceError> {
    let base = normal(&selection.directory.join(typed));
    let root = around.unwrap_or(&base).to_owned();
    let outside = outside_flags(selection.cflags, selection.directory, &root);
    let place = Checkout::new(&typed.to_string_lossy(), selection.directory.to_owned(), root);
    let checkout = Checkout { outside, ..place };
    let database = database::read(&base, None)?;
    let is_absolute = Path::new(typed).is_absolute();
    select(checkout, &base, is_absolute, selection.paths.to_vec(), database)
}

/// A revision as a version: the selection is relative to the current directory.
fn revision(
    typed: &OsStr,
    repository: &Repository,
    paths: Vec<PathBuf>,
    selection: &Selection<'_>,
) -> Result<Found, SourceError> {
    let name = typed.to_string_lossy().into_owned();
    let tree = repository.write_tree(&name, selection.cache)?;
    let commit = repository.commit(&name)?.id;
    let work_tree = repository.work_tree();
    let here = fs::canonicalize(selection.directory)
        .map_err(|cause| SourceError::system("the current directory is not usable", cause))?;
    let below = work_tree.as_deref().and_then(|top| here.strip_prefix(top).ok());
    let directory = normal(&tree.path.join(below.unwrap_or(Path::new(""))));
    let inside = |path: PathBuf| {
        let top = work_tree.as_deref().filter(|_| path.is_absolute());
        match top.and_then(|top| path.strip_prefix(top).ok()) {
            Some(rest) => relative(&directory, &tree.path.join(rest)),
            None => path,
        }
    };
    let paths = paths.into_iter().map(inside).collect();
    let outside = match &work_tree {
        Some(top) => outside_flags(selection.cflags, &here, top),
        None => Vec::new(),
    };
    let relocation = work_tree.as_deref().map(|from| Relocation { from, to: &tree.path });
    let database = match database::read(&directory, relocation)? {
        Some(commands) => Some(commands),
        None => database::read(&tree.path, relocation)?,
    };
    let checkout = Checkout {
        revision: Some(Revision { repository: repository.place(), commit }),
        outside,
        relocatable: true,
        absent: tree.absent.into_iter().map(Absent::Submodule).collect(),
        _place: tree.place,
        _lease: tree.lease,
        ..Checkout::new(&name, directory.clone(), tree.path.clone())
    };
    let mut found = select(checkout, &directory, false, paths, database)?;
    let outside = found.checkout.outside.clone();
    for file in found.checkout.files.iter().filter(|_| !outside.is_empty()) {
        found.checkout.flags.entry(file.clone()).or_default().extend(outside.clone());
    }
    Ok(found)
}

/// A revision and a path, in this order.
fn mixed(
    (name, repository): (&OsStr, &Repository),
    (path, meaning): (&OsStr, &Meaning),
    selection: &Selection<'_>,
) -> Result<(Found, Found), SourceError> {
    let full = selection.directory.join(path);
    let real = fs::canonicalize(&full)
        .map_err(|cause| SourceError::Unreadable { path: path.into(), cause })?;
    let work_tree = repository.work_tree().filter(|top| real.starts_with(top));
    match (meaning, work_tree) {
        (Meaning::Directory, Some(top)) => {
            let selected = match selection.paths {
                [] => vec![PathBuf::from(path)],
                paths => paths.iter().map(|below| Path::new(path).join(below)).collect(),
            };
            let mut one = revision(name, repository, selected, selection)?;
            one.checkout.leave_out_sparse(repository)?;
            Ok((one, directory(path, Some(&top), selection)?))
        }
        (Meaning::Directory, None) => {
            let one = revision(name, repository, selection.paths.to_vec(), selection)?;
            Ok((one, directory(path, None, selection)?))
        }
        (_, Some(top)) => {
            let mut other = lone_file(path, selection)?;
            other.checkout.is_lone_file = false;
            other.checkout.outside = outside_flags(selection.cflags, selection.directory, &top);
            other.checkout.root = top;
            let one = revision(name, repository, vec![path.into()], selection)?;
            Ok((one, other))
        }
        (_, None) => Err(SourceError::OutsideWorkTree { path: path.into() }),
    }
}

/// Adds the selected C files, or all, with their flags. Selected paths are relative to `base`.
fn select(
    mut checkout: Checkout,
    base: &Path,
    is_absolute: bool,
    selected: Vec<PathBuf>,
    database: Option<Vec<Command>>,
) -> Result<Found, SourceError> {
    let mut missing = Vec::new();
    let mut places = Vec::new();
    for (index, path) in selected.iter().enumerate() {
        let place = normal(&base.join(path));
        if place.exists() { places.push(place) } else { missing.push(index) }
    }
    if selected.is_empty() {
        places.push(base.to_owned());
    }
    let commands: Vec<&Command> = database
        .iter()
        .flatten()
        .filter(|command| places.iter().any(|place| command.file.starts_with(place)))
        .collect();
    let name = |path: &Path| {
        if is_absolute { path.to_owned() } else { relative(&checkout.directory, path) }
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for place in &places {
        if place.is_file() {
            check_kind(&name(place))?;
            files.push(place.clone());
        } else if database.is_none() && place.is_dir() {
            files.extend(c_files(place)?);
        }
    }
    files.extend(commands.iter().map(|command| command.file.clone()));
    files.sort();
    files.dedup();
    checkout.files = files.iter().map(|path| name(path)).collect();
    for command in commands {
        let inside = |_: &str, path: &Path| {
            if path.starts_with(&checkout.root) {
                dot(relative(&checkout.directory, path))
            } else {
                path.to_owned()
            }
        };
        checkout.flags.insert(name(&command.file), map_paths(&command.flags, &inside));
    }
    Ok(Found { checkout, selected, missing })
}

/// A named file must be one that can be compiled.
fn check_kind(name: &Path) -> Result<(), SourceError> {
    match Kind::of(name) {
        Some(_) => Ok(()),
        None => Err(SourceError::UnknownKind { path: name.to_owned() }),
    }
}

/// The current directory as a non-empty name.
fn dot(path: PathBuf) -> PathBuf {
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

/// All C files below a directory, sorted. Symbolic links are not followed.
fn c_files(directory: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |cause| SourceError::Unreadable { path, cause }
    };
    let mut files = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).map_err(unreadable(&directory))? {
            let entry = entry.map_err(unreadable(&directory))?;
            let kind = entry.file_type().map_err(unreadable(&directory))?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let path = entry.path();
            if kind.is_dir() && !is_hidden {
                waiting.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Makes `__FILE__` the same in both versions if only the names of their directories, or of two
/// lone files, differ. Otherwise every assertion would be a difference.
fn call_files_alike(old: &mut Checkout, new: &mut Checkout) {
    if old.is_lone_file && new.is_lone_file {
        let (from, to) = (old.files[0].clone(), new.files[0].clone());
        if from != to {
            rename_in_macros(old, &from.to_string_lossy(), &to.to_string_lossy());
        }
        return;
    }
    for checkout in [old, new] {
        let prefix = normal(&checkout.name_of(Path::new("")));
        let has_no_prefix = checkout.is_lone_file || checkout.relocatable;
        if !has_no_prefix && !checkout.directory.starts_with(&checkout.root) {
            rename_in_macros(checkout, &format!("{}/", prefix.display()), "");
        }
    }
}

/// The same for any number of versions: all get the names of the last one.
pub fn call_all_alike(checkouts: &mut [Checkout]) {
    let Some((last, others)) = checkouts.split_last_mut() else { return };
    if !last.is_lone_file {
        return;
    }
    for other in others.iter_mut().filter(|other| other.is_lone_file) {
        let renamed = format!("{MACRO_PREFIX}{}=", other.files[0].display());
        for flags in other.flags.values_mut() {
            flags.retain(|flag| !flag.starts_with(&renamed));
        }
        call_files_alike(other, last);
    }
}

fn rename_in_macros(checkout: &mut Checkout, from: &str, to: &str) {
    // The flag splits at the first `=`; the rest is the replacement.
    if from.contains('=') {
        return;
    }
    for file in &checkout.files {
        let flags = checkout.flags.entry(file.clone()).or_default();
        flags.push(format!("{MACRO_PREFIX}{from}={to}"));
    }
}

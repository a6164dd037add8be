//! Configurations: NEW with some of its hunks undone, as files to build.
//!
//! Hunks come from the C files of both versions and from everything they include, as far as it
//! belongs to the versions. A configuration has the names and places of NEW, in a directory of its
//! own, with links to the other files of the same directories. The texts are kept in memory, and a
//! step from one configuration to the next writes only what differs between them. Flags of single
//! files are those of NEW, or of OLD for files that NEW lacks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::checkout::{Checkout, Positions};
use crate::compile::Compiler;
use crate::error::SourceError;
use crate::hunk::{Hunk, HunkId, add_hunks, apply};
use crate::outside::hunks_outside;
use crate::paths::{normal, relative};
use crate::scratch::scratch;

/// All configurations between two versions.
pub struct Configurations {
    files: Vec<VersionedFile>,
    hunks: Vec<Hunk>,
    checkout: Checkout,
    /// Flags of a file, if it exists.
    flags: BTreeMap<PathBuf, Vec<String>>,
}

/// A file that differs.
struct VersionedFile {
    /// Its name in NEW, even if it does not exist there.
    name: PathBuf,
    /// Whether it is compiled, rather than included.
    is_unit: bool,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    /// Its hunks.
    hunks: std::ops::Range<usize>,
    /// The content on disk.
    written: Option<Vec<u8>>,
}

impl Configurations {
    /// Finds the hunks between two versions. Both should compile: the included files of one that
    /// does not are unknown.
    pub fn new(
        old: &Checkout,
        new: &Checkout,
        compiler: &Compiler,
        cflags: &[String],
    ) -> Result<Configurations, SourceError> {
        let Differing { files, hunks, keys, .. } = Differing::between(old, new, compiler, cflags)?;
        let checkout = image(new, &keys)?;
        let mut flags = new.flags.clone();
        for (file, more) in &old.flags {
            if let Some(key) = old.key(file) {
                flags.entry(new.name_of(&key)).or_insert_with(|| more.clone());
            }
        }
        let mut made = Configurations { files, hunks, checkout, flags };
        made.settle_names(new);
        for file in &made.files {
            write(&made.checkout.directory.join(&file.name), None).map_err(unwritable)?;
        }
        Ok(made)
    }

    /// In the order of files and lines.
    pub fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// OLD with these hunks applied, which is NEW with all others undone. It stays on disk until
    /// the next call.
    pub fn materialize(&mut self, applied: &[HunkId]) -> Result<&Checkout, SourceError> {
        let applied: BTreeSet<HunkId> = applied.iter().copied().collect();
        for file in &mut self.files {
            let hunks = &self.hunks[file.hunks.clone()];
            let text = file.text(hunks, &applied);
            let path = self.checkout.directory.join(&file.name);
            if text != file.written {
                write(&path, text.as_deref()).map_err(unwritable)?;
                file.written = text;
            }
        }
        self.list_files();
        Ok(&self.checkout)
    }

    /// NEW with these hunks undone.
    pub fn undo(&mut self, undone: &[HunkId]) -> Result<&Checkout, SourceError> {
        let applied: Vec<HunkId> =
            self.hunks.iter().map(|hunk| hunk.id).filter(|id| !undone.contains(id)).collect();
        self.materialize(&applied)
    }

    /// If names of NEW lead out of its root, its files are named by their keys instead.
    fn settle_names(&mut self, new: &Checkout) {
        let prefix = new.name_of(Path::new(""));
        if !is_relocated(new) {
            return;
        }
        let own = |name: &Path| {
            if new.is_lone_file {
                PathBuf::from(name.file_name().unwrap_or_default())
            } else {
                name.strip_prefix(&prefix).unwrap_or(name).to_owned()
            }
        };
        for file in &mut self.files {
            file.name = own(&file.name);
        }
        self.checkout.files = new.files.iter().map(|name| own(name)).collect();
        let flags = std::mem::take(&mut self.flags);
        self.flags = flags.into_iter().map(|(name, flags)| (own(&name), flags)).collect();
    }

    /// Updates the list of C files for those that appear and disappear.
    fn list_files(&mut self) {
        let mut names: BTreeSet<PathBuf> = self.checkout.files.iter().cloned().collect();
        for file in self.files.iter().filter(|file| file.is_unit) {
            match file.written {
                Some(_) => names.insert(file.name.clone()),
                None => names.remove(&file.name),
            };
        }
        self.checkout.files = names.into_iter().collect();
        let outside = &self.checkout.outside;
        let all = |name: &PathBuf| {
            let own = self.flags.get(name).cloned().unwrap_or_default();
            (name.clone(), own.into_iter().chain(outside.iter().cloned()).collect())
        };
        self.checkout.flags = self.checkout.files.iter().map(all).collect();
    }
}

impl VersionedFile {
    fn text(&self, hunks: &[Hunk], applied: &BTreeSet<HunkId>) -> Option<Vec<u8>> {
        let is_applied = |hunk: &Hunk| applied.contains(&hunk.id);
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => {
                Some(apply(old, new, hunks.iter().map(|hunk| (hunk, is_applied(hunk)))))
            }
            (_, new) if hunks.iter().any(is_applied) => new.clone(),
            (old, _) => old.clone(),
        }
    }
}

/// The files of two versions that differ.
struct Differing {
    files: Vec<VersionedFile>,
    hunks: Vec<Hunk>,
    /// All files of the two programs.
    keys: BTreeSet<PathBuf>,
    /// All files that the compiler reads for them, by their real names.
    read: BTreeSet<PathBuf>,
}

impl Differing {
    fn between(
        old: &Checkout,
        new: &Checkout,
        compiler: &Compiler,
        cflags: &[String],
    ) -> Result<Differing, SourceError> {
        let (mut keys, mut files_read) = (BTreeSet::new(), BTreeSet::new());
        for checkout in [old, new] {
            let read = files_read_for(checkout, compiler, cflags)?;
            keys.extend(read.iter().filter_map(|file| checkout.key(file)));
            let real = read.iter().filter_map(|file| fs::canonicalize(checkout.path(file)).ok());
            files_read.extend(real);
        }
        let (old_units, new_units) = (units(old), units(new));
        let mut files = Vec::new();
        let mut hunks: Vec<Hunk> = Vec::new();
        for key in &keys {
            let texts = (read(old, key)?, read(new, key)?);
            let is_unit = old_units.contains(key) || new_units.contains(key);
            // A file that exists but is not selected is no part of the program.
            let old_text = texts.0.filter(|_| !is_unit || old_units.contains(key));
            let new_text = texts.1.filter(|_| !is_unit || new_units.contains(key));
            if old_text == new_text {
                continue;
            }
            let first = hunks.len();
            let names = (old.name_of(key), new.name_of(key));
            add_hunks(&mut hunks, key, names, (old_text.as_deref(), new_text.as_deref()));
            files.push(VersionedFile {
                name: new.name_of(key),
                is_unit,
                old: old_text,
                new: new_text,
                hunks: first..hunks.len(),
                written: None,
            });
        }
        Ok(Differing { files, hunks, keys, read: files_read })
    }
}

/// The hunks between two versions, numbered as in configurations; then those in files that belong
/// to neither program.
pub fn hunks_between(
    old: &Checkout,
    new: &Checkout,
    compiler: &Compiler,
    cflags: &[String],
) -> Result<[Vec<Hunk>; 2], SourceError> {
    let Differing { hunks, keys, read, .. } = Differing::between(old, new, compiler, cflags)?;
    let outside = hunks_outside([old, new], &keys, &read, &hunks);
    Ok([hunks, outside])
}

/// A version's C files and what they include.
fn files_read_for(
    checkout: &Checkout,
    compiler: &Compiler,
    cflags: &[String],
) -> Result<BTreeSet<PathBuf>, SourceError> {
    let mut all = checkout.compiler(compiler).included_files(&checkout.files, cflags)?;
    all.extend(checkout.files.iter().cloned());
    Ok(all)
}

fn units(checkout: &Checkout) -> BTreeSet<PathBuf> {
    checkout.files.iter().filter_map(|file| checkout.key(file)).collect()
}

/// The text of a file, if the version has it.
fn read(checkout: &Checkout, key: &Path) -> Result<Option<Vec<u8>>, SourceError> {
    let name = checkout.name_of(key);
    match fs::read(checkout.path(&name)) {
        Ok(text) => Ok(Some(text)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(SourceError::Unreadable { path: name, cause }),
    }
}

/// Whether the names of a version do not work in another place: they are absolute, or lead through
/// directories outside of it.
fn is_relocated(checkout: &Checkout) -> bool {
    let names = checkout.files.iter();
    let is_foreign = !checkout.root.starts_with(&checkout.directory)
        && !checkout.directory.starts_with(&checkout.root);
    is_foreign || names.clone().any(|name| name.is_absolute())
}

/// A directory like that of NEW, with links to the files beside those with the given keys.
fn image(new: &Checkout, keys: &BTreeSet<PathBuf>) -> Result<Checkout, SourceError> {
    let place = scratch()?;
    let system = |cause| SourceError::system("cannot make a place for configurations", cause);
    let top = fs::canonicalize(place.path()).map_err(system)?.join("files");
    let inside = |path: &Path, from: &Path| normal(&top.join(relative(from, path)));
    let (root, directory) = match () {
        () if is_relocated(new) => (top.clone(), top.clone()),
        () if new.directory.starts_with(&new.root) => {
            (top.clone(), inside(&new.directory, &new.root))
        }
        () => (inside(&new.root, &new.directory), top.clone()),
    };
    fs::create_dir_all(&directory).map_err(system)?;
    fs::create_dir_all(&root).map_err(system)?;
    if !new.is_lone_file {
        let beside = |key: &PathBuf| key.parent().unwrap_or(Path::new("")).to_owned();
        let directories: BTreeSet<PathBuf> = keys.iter().map(beside).collect();
        for below in directories {
            link_files(&new.root.join(&below), &root.join(&below)).map_err(system)?;
        }
    }
    Ok(Checkout {
        files: new.files.clone(),
        is_lone_file: new.is_lone_file,
        outside: new.outside.clone(),
        relocatable: true,
        positions: new.positions.as_ref().map(|positions| Arc::new(Positions::of(&positions.old))),
        _place: Some(Arc::new(place)),
        ..Checkout::new(&new.name, directory, root)
    })
}

/// Links to all files of a directory, which may not exist.
fn link_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for entry in entries {
        let entry = entry?;
        if fs::metadata(entry.path()).is_ok_and(|meta| meta.is_file()) {
            symlink(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn unwritable(cause: io::Error) -> SourceError {
    SourceError::system("cannot write the files of a configuration", cause)
}

/// Writes a file, or removes it. It may replace a link, without touching the link's target.
fn write(path: &Path, text: Option<&[u8]>) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) | Ok(()) => {}
    }
    let Some(text) = text else { return Ok(()) };
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(path, text)
}

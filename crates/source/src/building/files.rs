//! The files of a version that belong to it, and copies of them.
//!
//! A revision has what its commit has. Of a directory in a work tree, files that git ignores are
//! left out, unless they are committed all the same; of any other directory, files that only a
//! compiler writes: a build that finds these has nothing to do. Hidden files count, the directory of
//! git and Ripple's own results do not.

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::cache::KeyOf;
use crate::checkout::Checkout;
use crate::error::SourceError;
use crate::git::Tracked;

/// The time of all copied files, in seconds since 1970. As all are of the same age, no build takes
/// one that is committed for older than what it was generated from.
pub(super) const EPOCH: u64 = 1_000_000_000;
/// Ripple's own results.
const RESULTS: &str = "ripple.out";
/// Objects and programs, and archives.
const COMPILED: [&[u8]; 2] = [b"\x7fELF", b"!<arch>\n"];

/// A file or symbolic link, by its name below the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub name: PathBuf,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Directory,
    File,
    Link,
}

/// The files of a version, by name.
pub(super) fn of(version: &Checkout) -> Result<Vec<Entry>, SourceError> {
    let tracked = match version.revision {
        Some(_) => None,
        None => Tracked::below(&version.root)?,
    };
    let mut found = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |cause| SourceError::Unreadable { path, cause }
    };
    while let Some(below) = waiting.pop() {
        let directory = version.root.join(&below);
        for entry in fs::read_dir(&directory).map_err(unreadable(&directory))? {
            let entry = entry.map_err(unreadable(&directory))?;
            let kind = entry.file_type().map_err(unreadable(&directory))?;
            let name = below.join(entry.file_name());
            if version.revision.is_none() && is_left_out(&entry, kind.is_dir(), tracked.as_ref()) {
                continue;
            }
            if kind.is_dir() {
                found.push(Entry { name: name.clone(), kind: Kind::Directory });
                waiting.push(name);
            } else if kind.is_symlink() {
                found.push(Entry { name, kind: Kind::Link });
            } else if kind.is_file() {
                found.push(Entry { name, kind: Kind::File });
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_left_out(entry: &fs::DirEntry, is_directory: bool, tracked: Option<&Tracked>) -> bool {
    let name = entry.file_name();
    if name == ".git" || is_directory && name.as_bytes().starts_with(RESULTS.as_bytes()) {
        return true;
    }
    match tracked {
        Some(tracked) => tracked.ignores(&entry.path(), is_directory),
        None => !is_directory && is_compiled(&entry.path()),
    }
}

fn is_compiled(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    read.is_ok() && COMPILED.iter().any(|magic| start.starts_with(magic))
}

/// Adds what the files are to a key.
pub(super) fn add_contents(
    mut key: KeyOf,
    version: &Checkout,
    files: &[Entry],
) -> Result<KeyOf, SourceError> {
    // The directory of a revision in the cache is named by its contents.
    if version.revision.is_some() {
        let name = version.root.file_name().unwrap_or_default();
        return Ok(key.part(b"tree").part(name.as_bytes()));
    }
    for Entry { name, kind } in files {
        let path = version.root.join(name);
        let content = match kind {
            Kind::Directory => Ok(Vec::new()),
            Kind::File => fs::read(&path),
            Kind::Link => fs::read_link(&path).map(|to| to.into_os_string().as_bytes().to_vec()),
        };
        let content =
            content.map_err(|cause| SourceError::Unreadable { path: path.clone(), cause })?;
        let is_executable = *kind == Kind::File && is_executable(&path);
        key = key
            .part(name.as_os_str().as_bytes())
            .part(&[*kind as u8, u8::from(is_executable)])
            .part(blake3::hash(&content).as_bytes());
    }
    Ok(key)
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o100 != 0)
}

/// Copies the files to a directory that does not exist.
pub(super) fn copy(root: &Path, files: &[Entry], to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(EPOCH);
    let times = FileTimes::new().set_accessed(time).set_modified(time);
    let mut made = BTreeSet::new();
    // Directories come before what is in them.
    for Entry { name, kind } in files {
        let (from, to) = (root.join(name), to.join(name));
        match kind {
            Kind::Directory => {
                fs::create_dir_all(&to)?;
                made.insert(to);
            }
            Kind::Link => symlink(fs::read_link(&from)?, &to)?,
            Kind::File => {
                fs::copy(&from, &to)?;
                let mode = if is_executable(&from) { 0o755 } else { 0o644 };
                fs::set_permissions(&to, fs::Permissions::from_mode(mode))?;
                File::options().write(true).open(&to)?.set_times(times)?;
            }
        }
    }
    for directory in made {
        File::open(directory)?.set_times(times)?;
    }
    Ok(())
}

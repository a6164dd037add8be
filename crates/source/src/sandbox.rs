//! The directory a native program runs in: files put in before, files found afterwards.
//!
//! Fresh, and removed with the value, whatever the program made in it. `confine` keeps the program
//! inside; this file only keeps its files together.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::SourceError;
use crate::paths::check_name;
use crate::scratch::scratch;

/// Directories below each other that are looked into. Programs that nest deeper exceed the limit.
const DEEPEST: usize = 100;
/// What an empty file or a directory takes on a disk.
const BLOCK: u64 = 4096;
/// Entries that even the tightest limit allows.
const FREE_ENTRIES: u64 = 1000;

/// A run's directory, and a second one for reports of the sanitizers.
pub(crate) struct Sandbox {
    root: TempDir,
    directory: PathBuf,
    reports: PathBuf,
    /// About how many bytes the given files take on a disk.
    given: u64,
}

/// What a run did to the files of its directory.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub written: Vec<(String, Vec<u8>)>,
    pub removed: Vec<String>,
    /// The program wrote more than the limit.
    pub overflow: bool,
}

impl Sandbox {
    pub fn with(files: &[(String, Vec<u8>)]) -> Result<Self, SourceError> {
        let failed = |cause| SourceError::system("cannot prepare a run's directory", cause);
        let root = scratch()?;
        // Without links in its name, because the kernel tells names of files without them.
        let place = fs::canonicalize(root.path()).map_err(failed)?;
        let given = files.iter().map(|(_, bytes)| bytes.len() as u64 + 2 * BLOCK).sum();
        let (directory, reports) = (place.join("run"), place.join("reports"));
        let sandbox = Self { root, directory, reports, given };
        for path in [sandbox.directory(), sandbox.reports()] {
            fs::create_dir(path).map_err(failed)?;
        }
        for (name, bytes) in files {
            check_name(name)?;
            sandbox.put(name, bytes).map_err(|cause| {
                SourceError::system(format!("cannot place `{name}` for a run"), cause)
            })?;
        }
        Ok(sandbox)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.directory().join(name);
        fs::create_dir_all(path.parent().expect("the name is below the directory"))?;
        fs::write(path, bytes)
    }

    /// Where the program runs.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where sanitizers write, apart from the program's own files.
    pub fn reports(&self) -> &Path {
        &self.reports
    }

    /// Compares the directory with the files put in. Keeps at most `limit` bytes.
    pub fn changes(&self, before: &[(String, Vec<u8>)], limit: u64) -> Changes {
        let Listing { names, is_whole } =
            list(self.directory(), limit + before.len() as u64 * BLOCK);
        let mut changes = Changes { overflow: !is_whole, ..Changes::default() };
        let mut left = limit;
        for name in &names {
            let was = before.iter().find(|(n, _)| n == name).map(|(_, b)| b);
            let allowed = left.max(was.map_or(0, |b| b.len() as u64));
            match read_up_to(&self.directory().join(name), allowed) {
                Ok(Some(bytes)) if Some(&bytes) == was => {}
                Ok(Some(bytes)) if bytes.len() as u64 <= left => {
                    left -= bytes.len() as u64;
                    changes.written.push((name.clone(), bytes));
                }
                Ok(_) => changes.overflow = true,
                // A file that its program made unreadable has no content to report.
                Err(_) => {}
            }
        }
        let gone = before.iter().filter(|(name, _)| !names.contains(name));
        changes.removed = gone.map(|(name, _)| name.clone()).collect();
        changes
    }

    /// Whether the program's files and directories take much more than `limit` bytes on the disk
    /// besides those that it was given.
    pub fn is_full(&self, limit: u64) -> bool {
        let most = limit.saturating_add(self.given).saturating_add(FREE_ENTRIES * BLOCK);
        let mut used = 0;
        let mut waiting = vec![(self.directory.clone(), 0)];
        while let Some((directory, depth)) = waiting.pop() {
            for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
                let Ok(meta) = entry.metadata() else { continue };
                used += BLOCK.max(512 * meta.blocks());
                if used > most || (meta.is_dir() && depth == DEEPEST) {
                    return true;
                }
                if meta.is_dir() {
                    waiting.push((entry.path(), depth + 1));
                }
            }
        }
        false
    }

    /// Everything the sanitizers reported.
    pub fn complaints(&self, limit: u64) -> String {
        let mut all = String::new();
        for name in list(self.reports(), limit).names {
            let Ok(file) = fs::File::open(self.reports().join(name)) else {
                continue;
            };
            let mut bytes = Vec::new();
            // What could be read before an error is still worth reporting.
            let _ = file.take(limit).read_to_end(&mut bytes);
            all.push_str(&String::from_utf8_lossy(&bytes));
        }
        all
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        clear(self.root.path());
    }
}

/// Files below a directory.
struct Listing {
    /// Sorted.
    names: Vec<String>,
    /// Whether these are all.
    is_whole: bool,
}

/// Relative names of all regular files below a directory, up to as many as fit into `limit` bytes on
/// a disk. Links are not followed.
fn list(directory: &Path, limit: u64) -> Listing {
    let mut listing = Listing { names: Vec::new(), is_whole: true };
    let mut left = limit / BLOCK + FREE_ENTRIES;
    let mut waiting = vec![(directory.to_owned(), String::new(), 0)];
    while let Some((directory, prefix, depth)) = waiting.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            if left == 0 {
                listing.is_whole = false;
                break;
            }
            left -= 1;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth == DEEPEST => listing.is_whole = false,
                Ok(kind) if kind.is_dir() => {
                    waiting.push((entry.path(), format!("{name}/"), depth + 1));
                }
                Ok(kind) if kind.is_file() => listing.names.push(name),
                // Links, pipes and devices have no content of their own.
                Ok(_) | Err(_) => {}
            }
        }
    }
    listing.names.sort();
    listing
}

/// Removes everything below a directory, also what is nested too deep for names, and what its
/// program made unreadable. Directories are moved up one by one, so that each is near.
fn clear(root: &Path) {
    let mut waiting = vec![root.to_owned()];
    let mut emptied = Vec::new();
    let mut count = 0_u64;
    while let Some(directory) = waiting.pop() {
        // What cannot be removed stays; nobody waits for an error here.
        let _ = fs::set_permissions(&directory, fs::Permissions::from_mode(0o700));
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let _ = fs::remove_file(path);
                continue;
            }
            let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o700));
            let near = root.join(format!("{count}.removed"));
            count += 1;
            if fs::rename(path, &near).is_ok() {
                waiting.push(near);
            }
        }
        if directory != root {
            emptied.push(directory);
        }
    }
    for directory in emptied {
        let _ = fs::remove_dir(directory);
    }
}

/// The file's content, or None if it is longer than `limit`.
fn read_up_to(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_changed_and_removed_files_are_told_apart() {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let before = [file("same", "1"), file("dir/changed", "2"), file("gone", "3")];
        let sandbox = Sandbox::with(&before).unwrap();
        let at = |name| sandbox.directory().join(name);
        fs::write(at("dir/changed"), "22").unwrap();
        fs::write(at("new"), "4").unwrap();
        fs::remove_file(at("gone")).unwrap();
        let changes = sandbox.changes(&before, 100);
        let expected = [file("dir/changed", "22"), file("new", "4")];
        assert_eq!(changes.written, expected);
        assert_eq!(changes.removed, ["gone"]);
        assert!(!changes.overflow);
        let tight = sandbox.changes(&before, 2);
        assert!(tight.overflow);
        assert_eq!(tight.written, expected[..1]);
    }
}

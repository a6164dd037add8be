//! The files of a revision, written to a directory of their own.
//!
//! A tree is written once, under its id, beside other trees of the cache, and stays there while it
//! is in use. Without a cache it lives as long as its value does. Symbolic links
//! stay links, and a submodule becomes an empty directory. The user's work tree, index and HEAD are
//! neither read nor written.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use git2::{FileMode, ObjectType};
use tempfile::TempDir;

use super::{Repository, failed};
use crate::cache::{Cache, Group, Lease};
use crate::error::SourceError;
use crate::scratch::scratch;

/// A revision's files on disk.
pub(crate) struct WrittenTree {
    pub path: PathBuf,
    /// Removes the files with the last owner, if no cache keeps them.
    pub place: Option<Arc<TempDir>>,
    /// Keeps the files in the cache.
    pub lease: Option<Lease>,
}

impl Repository {
    /// Writes the files of a revision, unless the cache has them.
    pub(crate) fn write_tree(
        &self,
        revision: &str,
        cache: &Cache,
    ) -> Result<WrittenTree, SourceError> {
        let commit = self.find(revision)?;
        let doing = format!("cannot read the files of `{revision}`");
        let tree = commit.tree().map_err(|error| failed(&doing, &error))?;
        let write = |directory: &Path| self.write_entries(&tree, directory, &doing);
        let id = tree.id().to_string();
        if let Some((path, lease)) = cache.directory_of(Group::Trees, &id, write)? {
            return Ok(WrittenTree { path, place: None, lease: Some(lease) });
        }
        let place = scratch()?;
        write(place.path())?;
        let path = fs::canonicalize(place.path())
            .map_err(|cause| SourceError::system(doing.clone(), cause))?;
        Ok(WrittenTree { path, place: Some(Arc::new(place)), lease: None })
    }

    /// The directory of the work tree, if there is one, by its real name.
    pub fn work_tree(&self) -> Option<PathBuf> {
        fs::canonicalize(self.inner.workdir()?).ok()
    }

    /// Where git finds the repository: its work tree, or else its own directory.
    pub(crate) fn place(&self) -> PathBuf {
        self.work_tree().unwrap_or_else(|| self.inner.path().to_owned())
    }

    fn write_entries(
        &self,
        tree: &git2::Tree<'_>,
        directory: &Path,
        doing: &str,
    ) -> Result<(), SourceError> {
        let git = |error: git2::Error| failed(doing, &error);
        for entry in tree {
            let path = directory.join(entry_name(entry.name_bytes(), doing)?);
            let system = |cause| SourceError::system(doing, cause);
            match entry.kind() {
                Some(ObjectType::Tree) => {
                    fs::create_dir(&path).map_err(system)?;
                    let below = self.inner.find_tree(entry.id()).map_err(git)?;
                    self.write_entries(&below, &path, doing)?;
                }
                Some(ObjectType::Blob) => {
                    let blob = self.inner.find_blob(entry.id()).map_err(git)?;
                    write_file(&path, entry.filemode(), blob.content()).map_err(system)?;
                }
                // A submodule: its commit is in another repository.
                _ => fs::create_dir(&path).map_err(system)?,
            }
        }
        Ok(())
    }
}

/// The name of an entry. A damaged or hostile tree may hold names that lead elsewhere.
fn entry_name<'a>(bytes: &'a [u8], doing: &str) -> Result<&'a Path, SourceError> {
    let is_plain = !bytes.is_empty() && !bytes.contains(&b'/') && !matches!(bytes, b"." | b"..");
    if is_plain {
        Ok(Path::new(std::ffi::OsStr::from_bytes(bytes)))
    } else {
        Err(SourceError::Git {
            doing: doing.to_owned(),
            said: format!("`{}` is no name for a file", String::from_utf8_lossy(bytes)),
        })
    }
}

/// Writes a file that must not exist: following a link that the same tree made would leave it.
fn write_file(path: &Path, mode: i32, content: &[u8]) -> io::Result<()> {
    if mode == i32::from(FileMode::Link) {
        return symlink(std::ffi::OsStr::from_bytes(content), path);
    }
    let is_executable = mode == i32::from(FileMode::BlobExecutable);
    let permissions = if is_executable { 0o755 } else { 0o644 };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(permissions).open(path)?;
    file.write_all(content)
}

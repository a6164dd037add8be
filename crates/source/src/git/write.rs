//! The files of a revision, written to a directory of their own.
//!
//! A tree is written once, under its id, beside other trees of the cache, and stays there while it
//! is in use. Without a cache it lives as long as its value does. Symbolic links
//! stay links. A submodule becomes the files of its commit if its repository is there and has it,
//! and else an empty directory. The user's work tree, index and HEAD are never written.

use std::collections::BTreeMap;
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
    /// Directories of submodules that are empty because their commits are not here.
    pub absent: Vec<PathBuf>,
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
        let (submodules, absent) = self.submodules(&tree);
        let write = |directory: &Path| {
            let writing = Writing { repository: self, submodules: &submodules, doing: &doing };
            writing.entries(&tree, Path::new(""), directory)
        };
        // Without submodules, the id of the tree says everything.
        let present: Vec<String> =
            submodules.keys().map(|path| path.display().to_string()).collect();
        let id = match &present[..] {
            [] => tree.id().to_string(),
            paths => {
                let all = blake3::hash(paths.join("\0").as_bytes()).to_hex();
                format!("{}-{}", tree.id(), &all[..16])
            }
        };
        if let Some((path, lease)) = cache.directory_of(Group::Trees, &id, write)? {
            return Ok(WrittenTree { path, place: None, lease: Some(lease), absent });
        }
        let place = scratch()?;
        write(place.path())?;
        let path = fs::canonicalize(place.path())
            .map_err(|cause| SourceError::system(doing.clone(), cause))?;
        Ok(WrittenTree { path, place: Some(Arc::new(place)), lease: None, absent })
    }

    /// The directory of the work tree, if there is one, by its real name.
    pub fn work_tree(&self) -> Option<PathBuf> {
        fs::canonicalize(self.inner.workdir()?).ok()
    }

    /// Where git finds the repository: its work tree, or else its own directory.
    pub(crate) fn place(&self) -> PathBuf {
        self.work_tree().unwrap_or_else(|| self.inner.path().to_owned())
    }

    /// Repositories of submodules that have the commits which a tree names, by their paths; and the
    /// paths of the other submodules of the tree.
    fn submodules(
        &self,
        tree: &git2::Tree<'_>,
    ) -> (BTreeMap<PathBuf, git2::Repository>, Vec<PathBuf>) {
        let (mut found, mut absent) = (BTreeMap::new(), Vec::new());
        if tree.get_name(".gitmodules").is_none() {
            return (found, absent);
        }
        for submodule in self.inner.submodules().unwrap_or_default() {
            let Ok(path) = std::str::from_utf8(submodule.path().as_os_str().as_bytes()) else {
                continue;
            };
            let path = Path::new(path);
            let entry = tree.get_path(path).ok();
            let wanted = entry.filter(|entry| entry.kind() == Some(ObjectType::Commit));
            let Some(wanted) = wanted else { continue };
            match submodule.open() {
                Ok(inner) if inner.find_commit(wanted.id()).is_ok() => {
                    found.insert(path.to_owned(), inner);
                }
                _ => absent.push(path.to_owned()),
            }
        }
        absent.sort();
        (found, absent)
    }
}

/// A tree that is being written.
struct Writing<'a> {
    repository: &'a Repository,
    submodules: &'a BTreeMap<PathBuf, git2::Repository>,
    doing: &'a str,
}

impl Writing<'_> {
    /// Writes what a tree has, which is at `below` in the whole.
    fn entries(
        &self,
        tree: &git2::Tree<'_>,
        below: &Path,
        directory: &Path,
    ) -> Result<(), SourceError> {
        let inner = &self.repository.inner;
        let git = |error: git2::Error| failed(self.doing, &error);
        for entry in tree {
            let name = entry_name(entry.name_bytes(), self.doing)?;
            let (path, below) = (directory.join(name), below.join(name));
            let system = |cause| SourceError::system(self.doing, cause);
            match entry.kind() {
                Some(ObjectType::Tree) => {
                    fs::create_dir(&path).map_err(system)?;
                    let tree = inner.find_tree(entry.id()).map_err(git)?;
                    self.entries(&tree, &below, &path)?;
                }
                Some(ObjectType::Blob) => {
                    let blob = inner.find_blob(entry.id()).map_err(git)?;
                    write_file(&path, entry.filemode(), blob.content()).map_err(system)?;
                }
                // A submodule: its commit is in another repository.
                _ => {
                    fs::create_dir(&path).map_err(system)?;
                    let submodule = self.submodules.get(&below).map(|inner| {
                        git2::Repository::open(inner.path()).map_err(git).map(Repository::of)
                    });
                    let Some(submodule) = submodule.transpose()? else { continue };
                    let commit = submodule.inner.find_commit(entry.id()).map_err(git)?;
                    let tree = commit.tree().map_err(git)?;
                    let (submodules, _) = submodule.submodules(&tree);
                    let inside = Writing {
                        repository: &submodule,
                        submodules: &submodules,
                        doing: self.doing,
                    };
                    inside.entries(&tree, Path::new(""), &path)?;
                }
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

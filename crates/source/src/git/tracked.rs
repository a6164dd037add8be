//! Which files of a work tree belong to the project, as git sees it.
//!
//! Reads the index and the rules for ignored files; writes nothing.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Repository, failed};
use crate::error::SourceError;

/// The files of a work tree that git knows, and the repository with its rules for others.
pub(crate) struct Tracked {
    repository: Repository,
    work_tree: PathBuf,
    /// Files, and the directories that lead to them.
    known: BTreeSet<PathBuf>,
}

impl Tracked {
    /// What git knows about a directory; none if it is in no work tree.
    pub fn below(directory: &Path) -> Result<Option<Tracked>, SourceError> {
        let repository = match Repository::discover(directory) {
            Err(SourceError::NotARepository { .. }) => return Ok(None),
            other => other?,
        };
        let Some(work_tree) = repository.work_tree() else { return Ok(None) };
        let doing = "cannot read the index of the repository";
        let index = repository.inner.index().map_err(|error| failed(doing, &error))?;
        let mut known = BTreeSet::new();
        for entry in index.iter() {
            let path = Path::new(OsStr::from_bytes(&entry.path));
            known.extend(path.ancestors().map(Path::to_owned));
        }
        Ok(Some(Tracked { repository, work_tree, known }))
    }

    /// Whether a file, or a directory with all that is in it, is left out.
    pub fn ignores(&self, path: &Path, is_directory: bool) -> bool {
        let parent = path.parent().and_then(|parent| fs::canonicalize(parent).ok());
        let real = parent.zip(path.file_name()).map(|(parent, name)| parent.join(name));
        let below = real.as_deref().and_then(|real| real.strip_prefix(&self.work_tree).ok());
        let Some(below) = below.filter(|below| !self.known.contains(*below)) else { return false };
        // The rules for directories end with a slash.
        let name = if is_directory { below.join("") } else { below.to_owned() };
        self.repository.inner.is_path_ignored(&name).unwrap_or(false)
    }
}

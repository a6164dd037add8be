//! The files that a sparse work tree leaves out.
//!
//! Read from the index; writes nothing.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{IndexEntryExtendedFlag, ObjectType, Oid};

use super::{Repository, failed};
use crate::error::SourceError;

impl Repository {
    /// The files that are not in the work tree because it is sparse, by their names below it, with
    /// the contents that they would have.
    pub(crate) fn left_out(&self) -> Result<BTreeMap<PathBuf, Oid>, SourceError> {
        let Some(top) = self.work_tree() else { return Ok(BTreeMap::new()) };
        let doing = "cannot read the index of the repository";
        let index = self.inner.index().map_err(|error| failed(doing, &error))?;
        let skipped = IndexEntryExtendedFlag::SKIP_WORKTREE.bits();
        let entries = index.iter().filter(|entry| entry.flags_extended & skipped != 0);
        let named = entries.map(|entry| (PathBuf::from(OsStr::from_bytes(&entry.path)), entry.id));
        Ok(named.filter(|(path, _)| !top.join(path).exists()).collect())
    }

    /// Whether a file has these contents.
    pub(crate) fn is_content(&self, path: &Path, content: Oid) -> bool {
        Oid::hash_file(ObjectType::Blob, path).is_ok_and(|id| id == content)
    }
}

//! Files of a version that are not at hand: those of a submodule that was not fetched, and those
//! that a sparse work tree leaves out.
//!
//! A file that only the sparse work tree lacks was not removed. It is left out of the other version
//! as well, which is sound only if the file is the same there.

use std::path::{Path, PathBuf};

use crate::error::SourceError;
use crate::git::Repository;
use crate::paths::normal;

use super::Checkout;

/// Something that belongs to a version and is not at hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absent {
    /// The directory of a submodule.
    Submodule(PathBuf),
    /// A C file that both versions have alike, and a sparse work tree not at all.
    Sparse(PathBuf),
}

impl Checkout {
    /// Leaves out the C files that a sparse work tree does not have, where they are those that
    /// the work tree would have.
    pub(super) fn leave_out_sparse(&mut self, repository: &Repository) -> Result<(), SourceError> {
        let sparse = repository.left_out()?;
        if sparse.is_empty() {
            return Ok(());
        }
        let mut kept = Vec::new();
        for file in std::mem::take(&mut self.files) {
            let path = normal(&self.path(&file));
            let key = path.strip_prefix(&self.root).unwrap_or(Path::new(""));
            match sparse.get(key) {
                None => kept.push(file),
                Some(content) if repository.is_content(&path, *content) => {
                    self.absent.push(Absent::Sparse(key.to_owned()));
                }
                Some(_) => {
                    let (path, version) = (key.to_owned(), self.name.clone());
                    return Err(SourceError::OutsideSparse { path, version });
                }
            }
        }
        self.files = kept;
        Ok(())
    }
}

//! Temporary directories and the files in them.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::error::SourceError;

/// A fresh directory, removed with the value.
pub(crate) fn scratch() -> Result<TempDir, SourceError> {
    tempfile::Builder::new()
        .prefix("ripple-")
        .tempdir()
        .map_err(|cause| SourceError::system("cannot create a temporary directory", cause))
}

/// Writes a file below a temporary directory, with the directories that lead to it.
pub(crate) fn write_scratch(path: &Path, content: impl AsRef<[u8]>) -> Result<(), SourceError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(path, content))
        .map_err(|cause| SourceError::system("cannot write a temporary file", cause))
}

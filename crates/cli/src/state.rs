//! Files with the saved state of a search.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The saved state; `None` if there is no such file.
pub fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read(path) {
        // A process that is killed may leave half a character at the end of half a line.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The error if there is none.
pub fn missing(path: &Path) -> anyhow::Error {
    anyhow::anyhow!(
        "there is no {} to resume; run the same command without --resume first",
        path.display()
    )
}

/// Whether a file exists and begins with these words.
pub fn begins_with(path: &Path, words: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| bytes.starts_with(words.as_bytes()))
}

/// Writes a file atomically.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}

//! The mathematical library that results depend on.

use std::fmt;
use std::fs;
use std::path::PathBuf;

/// The host's mathematical library: name, release and contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MathLibrary {
    pub file: PathBuf,
    /// The release of the GNU C library that it is a part of.
    pub version: String,
    /// Of its contents; none if the file cannot be read.
    pub hash: Option<String>,
}

impl MathLibrary {
    pub fn of_host() -> Option<MathLibrary> {
        let exec::shims::MathLibrary { file, version } = exec::shims::MathLibrary::of_host()?;
        let hash = fs::read(&file).ok().map(|bytes| blake3::hash(&bytes).to_hex().to_string());
        Some(MathLibrary { file, version, hash })
    }
}

impl fmt::Display for MathLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MathLibrary { file, version, hash } = self;
        let hash = hash.as_deref().unwrap_or("unknown");
        write!(f, "{}: GNU libc {version}, BLAKE3 {hash}", file.display())
    }
}

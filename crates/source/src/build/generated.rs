//! The sources and headers that a build wrote, by the times of files.
//!
//! Looks below the directories in which the build worked. A file counts if it changed after the
//! build began; the time of its last change of any kind is used, which programs cannot choose.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::SourceError;
use crate::scratch::scratch;

/// The most entries of directories that are looked at.
const MOST_ENTRIES: usize = 300_000;
const EXTENSIONS: [&str; 12] =
    ["c", "h", "i", "inc", "def", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "S"];

/// A moment, in the file system's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64, i64);

impl Moment {
    /// The system's clock and that of a file system may differ a little.
    pub fn now() -> Result<Moment, SourceError> {
        let place = scratch()?;
        let file = place.path().join("now");
        let meta = fs::write(&file, "").and_then(|()| fs::metadata(&file));
        let meta =
            meta.map_err(|cause| SourceError::system("cannot write a temporary file", cause))?;
        Ok(Moment::of(&meta))
    }

    fn of(meta: &fs::Metadata) -> Moment {
        Moment(meta.ctime(), meta.ctime_nsec())
    }
}

/// Sources and headers below some directories that changed since a moment. Hidden directories and
/// symbolic links are left out.
pub(super) fn generated(directories: &BTreeSet<PathBuf>, since: Moment) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let is_below_another =
        |one: &PathBuf| one.ancestors().skip(1).any(|above| directories.contains(above));
    let mut waiting: Vec<PathBuf> =
        directories.iter().filter(|one| !is_below_another(one)).cloned().collect();
    let mut count = 0;
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            count += 1;
            if count > MOST_ENTRIES {
                return found;
            }
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let (Ok(kind), path) = (entry.file_type(), entry.path()) else { continue };
            if kind.is_dir() && !is_hidden {
                waiting.push(path);
            } else if kind.is_file() && is_source(&path) {
                let meta = entry.metadata().ok().filter(|meta| Moment::of(meta) > since);
                found.extend(meta.map(|_| path));
            }
        }
    }
    found
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

//! How much a cache holds, without looking: a number in a file that every writer increases.
//!
//! Writers take turns by a lock on the file, for some microseconds each. The number is corrected
//! whenever the cache is measured; between two measurements it can only be too large, because
//! entries that vanish are not subtracted.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

const NAME: &str = "ripple-usage";
const HEADING: &str = "ripple cache usage 1";
/// After a sweep that could not make room, because too much is in use, the cache may grow by this
/// part of the bound before the next one.
const STEP: u64 = 8;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Usage {
    /// Bytes, at most.
    held: u64,
    /// What the last sweep left.
    kept: u64,
}

/// Adds what was written. Says whether the cache should be swept: it is too large, or its size is
/// not known.
pub(super) fn add(root: &Path, bytes: u64, bound: u64) -> bool {
    let added = change(root, |known| {
        let before = known?;
        Some(Usage { held: before.held.saturating_add(bytes), ..before })
    });
    match added {
        Ok(Some(usage)) => usage.held > bound.max(usage.kept.saturating_add(bound / STEP)),
        Ok(None) => true,
        // What cannot be counted cannot be bounded.
        Err(_) => false,
    }
}

/// Corrects the number after a measurement.
pub(super) fn set(root: &Path, held: u64) {
    // The next writer measures again if this fails.
    let _ = change(root, |_| Some(Usage { held, kept: held }));
}

/// Forgets the number, so that the next writer measures.
pub(super) fn remove(root: &Path) {
    let is_ours = fs::read_to_string(path(root)).is_ok_and(|text| text.starts_with(HEADING));
    if is_ours {
        // The number stays too large if this fails, and is corrected when it passes the bound.
        let _ = fs::remove_file(path(root));
    }
}

fn path(root: &Path) -> PathBuf {
    root.join(NAME)
}

/// Replaces the numbers under the lock. Returns the new ones.
fn change(
    root: &Path,
    next: impl FnOnce(Option<Usage>) -> Option<Usage>,
) -> io::Result<Option<Usage>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path(root))?;
    flock(&file, FlockOperation::LockExclusive)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    if !text.is_empty() && !text.starts_with(HEADING) {
        return Err(io::Error::other("a file of somebody else has this name"));
    }
    let usage = next(parse(&text));
    if let Some(usage) = usage {
        write(&mut file, usage)?;
    }
    Ok(usage)
}

/// Always the same length, so that a text replaces another completely.
fn write(file: &mut File, usage: Usage) -> io::Result<()> {
    file.rewind()?;
    file.write_all(format!("{HEADING}\n{:020}\n{:020}\n", usage.held, usage.kept).as_bytes())
}

fn parse(text: &str) -> Option<Usage> {
    let mut lines = text.strip_prefix(HEADING)?.trim_start().lines();
    let mut number = || lines.next()?.parse().ok();
    Some(Usage { held: number()?, kept: number()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_swept_when_its_size_is_unknown_or_above_the_bound() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        assert!(add(root, 10, 100), "nobody has measured it yet");
        set(root, 50);
        assert!(!add(root, 50, 100));
        assert!(add(root, 1, 100));
        set(root, 300);
        assert!(!add(root, 12, 100), "a sweep just found no room");
        assert!(add(root, 1, 100));
    }

    #[test]
    fn a_file_of_somebody_else_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(path(dir.path()), "my notes").unwrap();
        assert!(!add(dir.path(), 1 << 40, 1));
        set(dir.path(), 5);
        assert_eq!(std::fs::read(path(dir.path())).unwrap(), b"my notes");
    }

    #[test]
    fn writers_at_once_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        set(dir.path(), 0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..50).for_each(|_| assert!(!add(dir.path(), 1, 1000))));
            }
        });
        let usage = change(dir.path(), |known| known).unwrap();
        assert_eq!(usage.map(|usage| usage.held), Some(400));
    }
}

//! The files that a compilation read besides its main file, so that it need not be repeated.
//!
//! A manifest lists the included files with their status and content hash, and names the artifact
//! made from them. It is valid as long as every file has the same status or else the same content.
//! As in ccache's direct mode, one change goes unnoticed: a *new* file that shadows an included one
//! on the include path, or that a `__has_include` tests for.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::cache::Key;

/// How far a file's time stamp may lag behind the clock: a kernel tick, rounded up.
const GRANULARITY: Duration = Duration::from_millis(10);
/// The same for file systems that store whole seconds only.
const COARSE_GRANULARITY: Duration = Duration::from_secs(2);

/// The included files of one compilation, and the artifact made from them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub artifact: Key,
    pub files: Vec<Included>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Included {
    /// As the compiler named it; relative to the compilation's directory.
    pub path: PathBuf,
    status: Status,
    pub hash: [u8; 32],
}

/// What changes when a file is written, available without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status {
    size: u64,
    /// Modification time, nanoseconds since 1970.
    modified: i128,
    /// Time of the last change of content or attributes, which no program can set back.
    changed: i128,
}

impl Status {
    fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        let nanoseconds = |s: i64, ns: i64| i128::from(s) * 1_000_000_000 + i128::from(ns);
        Some(Self {
            size: meta.size(),
            modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
            changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
        })
    }
}

impl Included {
    /// Records a file that a compilation begun at `start` has read. None if the file is gone, so
    /// fresh that it may have changed since, or its content is not `stable`.
    pub fn note(
        directory: &Path,
        path: PathBuf,
        start: SystemTime,
        stable: impl Fn(&[u8]) -> bool,
    ) -> Option<Self> {
        let full = directory.join(&path);
        if !is_settled(&full, start) {
            return None;
        }
        let status = Status::of(&full)?;
        let content = fs::read(&full).ok().filter(|bytes| stable(bytes))?;
        let hash = *blake3::hash(&content).as_bytes();
        Some(Self { path, status, hash })
    }

    fn still_holds(&self, directory: &Path) -> bool {
        let full = directory.join(&self.path);
        match Status::of(&full) {
            Some(status) if status == self.status => true,
            Some(status) if status.size == self.status.size => {
                fs::read(&full).is_ok_and(|bytes| *blake3::hash(&bytes).as_bytes() == self.hash)
            }
            Some(_) | None => false,
        }
    }
}

/// Whether a later change of the file is certain to show in its status.
pub(crate) fn is_settled(path: &Path, at: SystemTime) -> bool {
    let Some(status) = Status::of(path) else {
        return false;
    };
    let coarse = status.changed % 1_000_000_000 == 0;
    let granularity = if coarse { COARSE_GRANULARITY } else { GRANULARITY };
    let since_epoch = |t: SystemTime| t.duration_since(UNIX_EPOCH).unwrap_or_default();
    let latest = status.changed.max(status.modified) + granularity.as_nanos() as i128;
    latest < since_epoch(at).as_nanos() as i128
}

/// Waits until a file just written can be distinguished from one written later. Returns the time to
/// use as the start of a compilation that reads it.
pub(crate) fn settle(path: &Path) -> SystemTime {
    if !is_settled(path, SystemTime::now()) {
        std::thread::sleep(GRANULARITY + Duration::from_millis(1));
    }
    SystemTime::now()
}

impl Manifest {
    pub fn still_holds(&self, directory: &Path) -> bool {
        self.files.iter().all(|file| file.still_holds(directory))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.artifact.bytes().to_vec();
        for file in &self.files {
            let name = file.path.as_os_str().as_bytes();
            out.extend_from_slice(&file.status.size.to_le_bytes());
            out.extend_from_slice(&file.status.modified.to_le_bytes());
            out.extend_from_slice(&file.status.changed.to_le_bytes());
            out.extend_from_slice(&file.hash);
            out.extend_from_slice(&(name.len() as u64).to_le_bytes());
            out.extend_from_slice(name);
        }
        out
    }

    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let artifact = Key::from_bytes(*take(&mut bytes)?);
        let mut files = Vec::new();
        while !bytes.is_empty() {
            let status = Status {
                size: u64::from_le_bytes(*take(&mut bytes)?),
                modified: i128::from_le_bytes(*take(&mut bytes)?),
                changed: i128::from_le_bytes(*take(&mut bytes)?),
            };
            let hash = *take(&mut bytes)?;
            let length = usize::try_from(u64::from_le_bytes(*take(&mut bytes)?)).ok()?;
            let (name, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            files.push(Included { path: PathBuf::from(OsStr::from_bytes(name)), status, hash });
        }
        Some(Self { artifact, files })
    }
}

fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::KeyOf;

    fn manifest_of(directory: &Path, name: &str) -> Manifest {
        let start = settle(&directory.join(name));
        let file =
            Included::note(directory, name.into(), start, |_| true).expect("the file has settled");
        Manifest { artifact: KeyOf::kind("test").finish(), files: vec![file] }
    }

    #[test]
    fn a_manifest_survives_being_written_down() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a b.h"), "int x;").unwrap();
        let manifest = manifest_of(dir.path(), "a b.h");
        let bytes = manifest.to_bytes();
        assert_eq!(Manifest::from_bytes(&bytes), Some(manifest));
        assert_eq!(Manifest::from_bytes(&bytes[..bytes.len() - 1]), None);
    }

    #[test]
    fn a_changed_file_ends_a_manifest_and_a_touched_one_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let header = dir.path().join("a.h");
        fs::write(&header, "int x;").unwrap();
        let manifest = manifest_of(dir.path(), "a.h");
        assert!(manifest.still_holds(dir.path()));
        fs::write(&header, "int x;").unwrap();
        assert!(manifest.still_holds(dir.path()));
        fs::write(&header, "int y;").unwrap();
        assert!(!manifest.still_holds(dir.path()));
        fs::remove_file(&header).unwrap();
        assert!(!manifest.still_holds(dir.path()));
    }

    #[test]
    fn setting_the_time_stamp_back_does_not_hide_a_change() {
        let dir = tempfile::tempdir().unwrap();
        let header = dir.path().join("a.h");
        fs::write(&header, "int x;").unwrap();
        let manifest = manifest_of(dir.path(), "a.h");
        let before = fs::metadata(&header).unwrap().modified().unwrap();
        fs::write(&header, "int y;").unwrap();
        let file = fs::File::options().write(true).open(&header).unwrap();
        file.set_modified(before).unwrap();
        assert!(!manifest.still_holds(dir.path()));
    }
}

//! Directories below the cache, made once and used in place.
//!
//! A directory `NAME` appears by rename, whole or not at all. The file `NAME.mark` beside it says
//! that Ripple made it and how large it is; its time is that of the last use, and a lease on it
//! keeps the directory. The mark comes first and goes last.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

use super::lease::{is_at, lock_for_removal};
use super::{Cache, FRESH_PREFIX, GONE_PREFIX, Lease, note_use, on_disk};

const HEADING: &str = "ripple directory 1";
const SUFFIX: &str = ".mark";
/// How often to try again if another process removes what this one finds.
const ATTEMPTS: usize = 4;

/// What directories hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// The files of revisions, by the ids of their trees.
    Trees,
    /// Versions as their builds left them.
    Built,
}

impl Group {
    pub(super) const ALL: [Group; 2] = [Group::Trees, Group::Built];

    /// The directory of the group below the cache.
    pub(super) fn name(self) -> &'static str {
        match self {
            Group::Trees => "trees",
            Group::Built => "built",
        }
    }

    /// What one of its directories is.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Group::Trees => "revision",
            Group::Built => "build",
        }
    }
}

impl Cache {
    /// Where the directory of that name is, or will be. None without a cache.
    pub(crate) fn place_of(&self, group: Group, name: &str) -> Option<PathBuf> {
        Some(Place::of(self.directory()?, group, name)?.path)
    }

    /// The directory of that name, if the cache has it.
    pub(crate) fn held_directory(&self, group: Group, name: &str) -> Option<(PathBuf, Lease)> {
        let place = Place::of(self.directory()?, group, name)?;
        let lease = place.held()?;
        Some((place.path, lease))
    }

    /// The directory of that name, which `fill` writes if the cache does not have it; it stays
    /// while the lease lives. None if it cannot be cached.
    pub(crate) fn directory_of<E>(
        &self,
        group: Group,
        name: &str,
        fill: impl FnOnce(&Path) -> Result<(), E>,
    ) -> Result<Option<(PathBuf, Lease)>, E> {
        let Some(place) = self.directory().and_then(|root| Place::of(root, group, name)) else {
            return Ok(None);
        };
        if let Some(lease) = place.held() {
            return Ok(Some((place.path, lease)));
        }
        let fresh = tempfile::Builder::new().prefix(FRESH_PREFIX).tempdir_in(&place.group);
        let Ok(fresh) = fresh else { return Ok(None) };
        fill(fresh.path())?;
        let bytes = size_of(fresh.path()).unwrap_or(0);
        let Some(lease) = place.take(fresh, bytes) else { return Ok(None) };
        self.account(bytes);
        Ok(Some((place.path, lease)))
    }
}

/// Where a directory is, or will be.
struct Place {
    group: PathBuf,
    path: PathBuf,
    mark: PathBuf,
}

impl Place {
    fn of(root: &Path, group: Group, name: &str) -> Option<Place> {
        let group = root.join(group.name());
        fs::create_dir_all(&group).ok()?;
        let group = fs::canonicalize(&group).ok()?;
        let mark = group.join(format!("{name}{SUFFIX}"));
        Some(Place { path: group.join(name), mark, group })
    }

    /// A lease of the directory, if it is there.
    fn held(&self) -> Option<Lease> {
        let lease = self.marked()?;
        self.path.is_dir().then(|| {
            note_use(lease.file());
            lease
        })
    }

    fn marked(&self) -> Option<Lease> {
        Lease::shared(File::open(&self.mark).ok()?, &self.mark)
    }

    /// Puts a written directory in its place, unless another process was faster; its directory has
    /// the same content.
    fn take(&self, fresh: TempDir, bytes: u64) -> Option<Lease> {
        let lease = (0..ATTEMPTS).find_map(|_| self.marked().or_else(|| self.new_mark(bytes)))?;
        if fs::rename(fresh.path(), &self.path).is_ok() {
            let _ = fresh.keep();
        }
        self.path.is_dir().then_some(lease)
    }

    /// A mark where there is none. It is leased before it has its name.
    fn new_mark(&self, bytes: u64) -> Option<Lease> {
        let file = tempfile::Builder::new().prefix(FRESH_PREFIX).tempfile_in(&self.group);
        let mut file = file.ok()?;
        write!(file, "{HEADING}\n{bytes}\n").ok()?;
        flock(file.as_file(), FlockOperation::NonBlockingLockShared).ok()?;
        file.persist_noclobber(&self.mark).ok().map(Lease::of_fresh)
    }
}

/// The directory that a mark belongs to, by its name.
pub(super) fn marked_by(mark: &Path) -> Option<PathBuf> {
    let name = mark.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
    (!name.is_empty()).then(|| mark.with_file_name(name))
}

/// The size that a mark states. None if Ripple did not write it.
pub(super) fn size_in(mark: &mut impl Read) -> Option<u64> {
    let mut text = String::new();
    mark.take(64).read_to_string(&mut text).ok()?;
    text.strip_prefix(HEADING)?.trim().parse().ok()
}

/// Removes a directory and its mark. False if it is in use, or not Ripple's.
pub(super) fn remove(mark: &Path) -> bool {
    let Some(path) = marked_by(mark) else { return false };
    let Ok(mut file) = super::sweep::open(mark) else { return false };
    if size_in(&mut file).is_none() || !lock_for_removal(&file) || !is_at(&file, mark) {
        return false;
    }
    let group = mark.parent().unwrap_or(Path::new("."));
    let gone = tempfile::Builder::new().prefix(GONE_PREFIX).tempdir_in(group);
    let Ok(gone) = gone else { return false };
    if path.exists() && fs::rename(&path, gone.path()).is_err() {
        return false;
    }
    let removed = fs::remove_file(mark).is_ok();
    drop(file);
    // Files that cannot be removed are tried again by later sweeps.
    let _ = gone.close();
    removed
}

/// What the files below a directory take on a disk.
fn size_of(directory: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let meta = entry.metadata()?;
            bytes += on_disk(meta.len());
            if meta.is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    Ok(bytes)
}

//! Places in which versions are built, one for each project: below the cache, empty at first, and
//! used by one process at a time.
//!
//! What a killed process left there is removed by the next build of any project.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::cache::Cache;
use crate::error::SourceError;

/// The directory of all places below the cache.
const PLACES: &str = "building";
const LOCK: &str = "lock";

/// A place that this process holds. It is emptied with the value.
pub(super) struct Slot {
    pub place: PathBuf,
    /// Held by the lock on it.
    _lock: File,
}

impl Slot {
    /// Waits until no other process uses the place.
    pub fn take(cache: &Cache, name: &str) -> Result<Slot, SourceError> {
        let root = cache.directory().ok_or(SourceError::NoPlaceToBuild)?;
        let failed = |cause| SourceError::system("cannot build below the cache", cause);
        let places = root.join(PLACES);
        fs::create_dir_all(&places).map_err(failed)?;
        let places = fs::canonicalize(&places).map_err(failed)?;
        remove_abandoned(&places);
        let lock = lock_file(&places, name).map_err(failed)?;
        flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
        let place = places.join(name);
        clear(&place).map_err(failed)?;
        fs::create_dir(&place).map_err(failed)?;
        Ok(Slot { place, _lock: lock })
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // What cannot be removed is tried again by the next build.
        let _ = clear(&self.place);
    }
}

/// Moves some of what is in one directory to another one of the same file system.
pub(super) fn move_all(from: &Path, to: &Path, names: &[&str]) -> io::Result<()> {
    names.iter().try_for_each(|name| fs::rename(from.join(name), to.join(name)))
}

fn lock_file(places: &Path, name: &str) -> io::Result<File> {
    let path = places.join(format!("{name}.{LOCK}"));
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}

/// Empties places that nobody holds. Their locks stay: removing one could give it to two processes.
fn remove_abandoned(places: &Path) {
    for entry in fs::read_dir(places).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_place = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let Some(name) = name.to_str().filter(|_| is_place) else { continue };
        let Ok(lock) = lock_file(places, name) else { continue };
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = clear(&entry.path());
        }
    }
}

/// Removes a directory, even if a build made parts of it read-only.
fn clear(place: &Path) -> io::Result<()> {
    match fs::remove_dir_all(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(place);
            fs::remove_dir_all(place)
        }
        other => other,
    }
}

fn make_writable(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            make_writable(&entry.path());
        }
    }
}

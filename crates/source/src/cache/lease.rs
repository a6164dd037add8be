//! Entries that are used where they are, and so must not be evicted meanwhile.
//!
//! A lease is a shared lock on the entry's file, held as long as the value lives; the operating
//! system releases it when the process ends, however that happens. Whoever removes an entry needs
//! the exclusive lock, and never waits for it. Where a file system has no locks, nothing is leased
//! and nothing is removed.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};

/// Keeps an entry in the cache.
#[derive(Clone, Debug)]
pub(crate) struct Lease(Arc<File>);

impl Lease {
    /// Holds the entry in this file. None if it was removed meanwhile.
    pub fn shared(file: File, path: &Path) -> Option<Lease> {
        // Waits for at most one removal.
        flock(&file, FlockOperation::LockShared).ok()?;
        is_at(&file, path).then(|| Lease(Arc::new(file)))
    }

    /// Holds a file that nobody else knows yet.
    pub fn of_fresh(file: File) -> Lease {
        Lease(Arc::new(file))
    }

    pub fn file(&self) -> &File {
        &self.0
    }
}

/// Locks the file against new leases until it is closed, unless it is in use.
pub(super) fn lock_for_removal(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Whether the file is the one that has this name. Holding its lock, nobody can replace it: names
/// are only given to files where there are none, and taken away under this lock.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(there)) => (held.dev(), held.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

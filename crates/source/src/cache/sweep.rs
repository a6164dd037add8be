//! Making room in a cache: what was used longest ago goes first.
//!
//! Runs after something was stored and only if the cache is too large; it then shrinks the cache to
//! four fifths of its bound, so that sweeps are rare. Only one process sweeps at a time, and nobody
//! waits for it. Touches nothing but files that Ripple wrote: they have its form of name *and* say
//! so inside. Leaves what is in use.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::directories::{self, Group};
use super::lease::{is_at, lock_for_removal};
use super::{FRESH_PREFIX, GONE_PREFIX, Kind, ledger, on_disk};

/// What a killed process left unfinished is removed after this time.
const ABANDONED: Duration = Duration::from_secs(3600);

/// An entry, or a directory by its mark.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub path: PathBuf,
    pub is_mark: bool,
    pub bytes: u64,
    pub used: SystemTime,
    /// Its name in reports. None for an entry that was not opened yet.
    pub kind: Option<&'static str>,
}

/// Removes what was used longest ago if the cache is larger than its bound.
pub(super) fn shrink(root: &Path, bound: u64) {
    let Some(_turn) = turn(root) else { return };
    let mut items = items(root);
    items.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
    let mut total: u64 = items.iter().map(|item| item.bytes).sum();
    if total > bound {
        let goal = bound / 5 * 4;
        for item in &items {
            if total <= goal {
                break;
            }
            if item.remove() {
                total -= item.bytes;
            }
        }
    }
    remove_abandoned(root);
    ledger::set(root, total);
}

/// The right to sweep, unless another process does.
pub(super) fn turn(root: &Path) -> Option<File> {
    let file = File::open(root).ok()?;
    lock_for_removal(&file).then_some(file)
}

impl Item {
    /// Removes it. False if it is in use, or not Ripple's.
    pub fn remove(&self) -> bool {
        if self.is_mark { directories::remove(&self.path) } else { remove_entry(&self.path) }
    }
}

/// Removes an entry. False if it is in use, or not Ripple's.
fn remove_entry(path: &Path) -> bool {
    let Ok(file) = open(path) else { return false };
    Kind::of_file(&file).is_some() && remove_unused(&file, path)
}

/// Makes room for an entry where a damaged one stands.
pub(super) fn remove_damaged(path: &Path) {
    if let Ok(file) = open(path) {
        remove_unused(&file, path);
    }
}

fn remove_unused(file: &File, path: &Path) -> bool {
    lock_for_removal(file) && is_at(file, path) && fs::remove_file(path).is_ok()
}

/// Opens a file, not what a link leads to.
pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}

/// Everything that looks like Ripple's, in no particular order.
pub(super) fn items(root: &Path) -> Vec<Item> {
    let mut items = Vec::new();
    for shard in shards(root) {
        let named = entries(&shard).filter(|entry| is_hash(&entry.file_name(), 62));
        items.extend(named.filter_map(|entry| item(&entry)));
    }
    for group in Group::ALL {
        let marks = entries(&root.join(group.name()))
            .filter(|entry| directories::marked_by(&entry.path()).is_some());
        for mark in marks {
            let size = open(&mark.path()).ok().and_then(|mut f| directories::size_in(&mut f));
            if let (Some(item), Some(bytes)) = (item(&mark), size) {
                let kind = Some(group.kind());
                items.push(Item { is_mark: true, bytes: item.bytes + bytes, kind, ..item });
            }
        }
    }
    items
}

fn item(entry: &DirEntry) -> Option<Item> {
    let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
    let (bytes, used) = (on_disk(meta.len()), meta.modified().ok()?);
    Some(Item { path: entry.path(), is_mark: false, bytes, used, kind: None })
}

/// The directories of entries.
pub(super) fn shards(root: &Path) -> impl Iterator<Item = PathBuf> {
    let named = entries(root).filter(|entry| is_hash(&entry.file_name(), 2));
    named.filter(|entry| entry.file_type().is_ok_and(|t| t.is_dir())).map(|entry| entry.path())
}

fn entries(directory: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    fs::read_dir(directory).into_iter().flatten().flatten()
}

fn is_hash(name: &OsStr, length: usize) -> bool {
    let digits = name.as_encoded_bytes();
    digits.len() == length && digits.iter().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f'))
}

/// Removes what killed processes left half written or half removed.
pub(super) fn remove_abandoned(root: &Path) {
    let groups = Group::ALL.map(|group| root.join(group.name()));
    for directory in shards(root).chain(groups) {
        for entry in entries(&directory) {
            let name = entry.file_name();
            let prefixes = [FRESH_PREFIX, GONE_PREFIX];
            let is_ours = prefixes
                .iter()
                .any(|prefix| name.as_encoded_bytes().starts_with(prefix.as_bytes()));
            let age = entry.metadata().and_then(|meta| meta.modified()).map(|t| t.elapsed());
            if is_ours && matches!(age, Ok(Ok(age)) if age > ABANDONED) {
                let path = entry.path();
                // Another process may be removing the same.
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{Cache, Entry, Key, KeyOf};

    const DAY: Duration = Duration::from_secs(86_400);

    fn key(name: u8) -> Key {
        KeyOf::kind("test").part(&[name]).finish()
    }

    /// Entries of 40 KB each that were used so many days ago.
    fn filled(root: &Path, days: &[u32]) -> Cache {
        let cache = Cache::at(root);
        let entry = Entry { payload: vec![7; 40_000], diagnostics: Vec::new() };
        for (name, &ago) in days.iter().enumerate() {
            let path = cache.put(key(name as u8), Kind::Object, &entry).unwrap();
            File::open(path).unwrap().set_modified(SystemTime::now() - DAY * ago).unwrap();
        }
        cache
    }

    fn present(cache: &Cache, count: u8) -> Vec<u8> {
        (0..count).filter(|&name| cache.get(key(name)).is_some()).collect()
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let dir = tempfile::tempdir().unwrap();
        let cache = filled(dir.path(), &[3, 9, 1, 7, 5]);
        assert!(cache.get(key(1)).is_some(), "and so it was used just now");
        shrink(dir.path(), 40_960 * 4);
        assert_eq!(present(&cache, 5), [0, 1, 2]);
        let held = cache.contents().unwrap();
        assert_eq!((held.entries, held.bytes), (3, 40_960 * 3));
    }

    #[test]
    fn a_writer_keeps_the_cache_within_its_bound() {
        let dir = tempfile::tempdir().unwrap();
        let bound = 40_960 * 10;
        let cache = filled(dir.path(), &[2; 9]).bounded(bound);
        let entry = Entry { payload: vec![9; 40_000], diagnostics: Vec::new() };
        for name in 100..150 {
            cache.put(key(name), Kind::Ir, &entry).unwrap();
            assert!(cache.contents().unwrap().bytes <= bound);
        }
        assert!(cache.get(key(149)).is_some());
        assert_eq!(present(&cache, 9), [0; 0]);
    }

    #[test]
    fn what_is_in_use_stays() {
        let dir = tempfile::tempdir().unwrap();
        let cache = filled(dir.path(), &[9, 1]);
        let (path, lease) = cache.lease(key(0)).unwrap();
        shrink(dir.path(), 0);
        assert_eq!((path.exists(), present(&cache, 2)), (true, vec![0]));
        drop(lease);
        shrink(dir.path(), 0);
        assert_eq!(present(&cache, 2), [0; 0]);
    }

    #[test]
    fn a_directory_goes_with_its_mark_and_stays_while_it_is_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path());
        let fill = |below: &Path| fs::write(below.join("a.c"), "int x;");
        let (path, lease) = cache.directory_of(Group::Trees, "12ab", fill).unwrap().unwrap();
        shrink(dir.path(), 0);
        assert_eq!(fs::read(path.join("a.c")).unwrap(), b"int x;");
        let never = |_: &Path| Err(io::Error::other("it is there"));
        let again = cache.directory_of(Group::Trees, "12ab", never).unwrap().unwrap();
        assert_eq!(again.0, path);
        drop((again, lease));
        let held = cache.contents().unwrap();
        assert_eq!((held.kinds[0].kind, held.entries, held.bytes), ("revision", 1, 8192));
        shrink(dir.path(), 0);
        assert_eq!(entries(&dir.path().join("trees")).count(), 0);
        assert!(cache.directory_of(Group::Trees, "12ab", fill).unwrap().is_some());
    }

    #[test]
    fn nothing_else_is_ever_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let name = "0".repeat(62);
        let cache = filled(root, &[1]);
        for place in ["ab", "trees/12ab", "other"] {
            fs::create_dir_all(root.join(place)).unwrap();
            fs::write(root.join(place).join(&name), "an object of git").unwrap();
        }
        fs::write(root.join("trees/cd.mark"), "my own mark").unwrap();
        std::os::unix::fs::symlink(root.join("other"), root.join("cd")).unwrap();
        let before = cache.contents().unwrap().entries;
        let cleared = cache.clear().unwrap();
        shrink(root, 0);
        assert_eq!((before, cleared.entries, cleared.in_use), (1, 1, 0));
        for place in ["ab", "trees/12ab", "other", "cd"] {
            assert!(root.join(place).join(&name).exists(), "{place}");
        }
        assert!(root.join("trees/cd.mark").exists());
    }

    #[test]
    fn many_writers_at_once_lose_no_entry_that_they_hold() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path()).bounded(8192 * 4);
        let entry = |name: u8| Entry { payload: vec![name; 5000], diagnostics: Vec::new() };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..100 {
                        let name = (round * 3 + thread) % 16;
                        cache.put(key(name), Kind::Program, &entry(name));
                        let Some((path, _lease)) = cache.lease(key(name)) else { continue };
                        std::thread::yield_now();
                        let bytes = fs::read(path).expect("it is held");
                        assert_eq!(bytes[..5000], [name; 5000]);
                    }
                });
            }
        });
    }
}

//! A directory of sealed entries, named by the hash of everything they depend on.
//!
//! An entry is a payload, the diagnostics that came with it, and a trailer with its kind, their
//! lengths and checksum. The trailer is last, so that a linked program stays executable inside its
//! entry. Entries appear by rename, whole or not at all; one that does not verify counts as absent.
//! If the directory cannot be written, nothing is cached, and that is no error.
//!
//! The cache is bounded (`sweep`): what was used longest ago goes first. Readers take an entry into
//! memory at once; programs and directories, which are used in place, are held by a `Lease`.
//! Removing the whole directory is always safe.

mod contents;
mod directories;
mod lease;
mod ledger;
mod sweep;

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use contents::{Cleared, Contents, KindCount};
pub(crate) use directories::Group;
pub(crate) use lease::Lease;

/// Part of every key: raising it makes all older entries unreachable.
const FORMAT: &str = "ripple cache 2";
const MAGIC: &[u8; 8] = b"RIPPLE2\n";
/// Entries of an older format: nothing reads them, but they are Ripple's.
const OLDER_MAGIC: &[u8; 8] = b"RIPPLE1\n";
const TRAILER: usize = 8 + 8 + 8 + 32 + 8;
/// Files and directories that are being written or removed begin with these.
const FRESH_PREFIX: &str = ".ripple-new-";
const GONE_PREFIX: &str = ".ripple-gone-";
/// How exactly the last use of an entry is recorded.
const USE_GRANULARITY: Duration = Duration::from_secs(60);

/// Where compiled artifacts are cached, or nowhere.
#[derive(Clone, Debug)]
pub struct Cache {
    root: Option<PathBuf>,
    bound: u64,
}

impl Cache {
    /// The bound of a cache if none is given.
    pub const USUAL_BOUND: u64 = 2 << 30;

    /// A cache in `directory`, which is created when something is first stored. Programs in it are
    /// started from other directories, so its name becomes absolute.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        let named = directory.into();
        let root = std::path::absolute(&named).unwrap_or(named);
        Self { root: Some(root), bound: Self::USUAL_BOUND }
    }

    /// Caches nothing.
    pub fn disabled() -> Self {
        Self { root: None, bound: 0 }
    }

    /// The same cache with another bound, in bytes.
    pub fn bounded(self, bound: u64) -> Self {
        Self { bound, ..self }
    }

    pub fn directory(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The most bytes that it keeps.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// Whether entries can be stored. Creates the directory.
    pub fn is_writable(&self) -> bool {
        self.root.as_deref().is_some_and(|root| {
            fs::create_dir_all(root).is_ok() && tempfile::NamedTempFile::new_in(root).is_ok()
        })
    }

    fn path_of(&self, key: Key) -> Option<PathBuf> {
        let name = key.0.to_hex();
        let (shard, rest) = name.split_at(2);
        Some(self.root.as_ref()?.join(shard).join(rest))
    }

    pub(crate) fn get(&self, key: Key) -> Option<Entry> {
        let file = File::open(self.path_of(key)?).ok()?;
        Self::read(&file)
    }

    /// An entry that is used in place: its file, which stays while the lease lives.
    pub(crate) fn lease(&self, key: Key) -> Option<(PathBuf, Lease)> {
        let path = self.path_of(key)?;
        let lease = Lease::shared(File::open(&path).ok()?, &path)?;
        Self::read(lease.file())?;
        Some((path, lease))
    }

    fn read(mut file: &File) -> Option<Entry> {
        let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
        let mut bytes = Vec::with_capacity(length);
        file.read_to_end(&mut bytes).ok()?;
        let entry = Entry::unseal(bytes)?;
        note_use(file);
        Some(entry)
    }

    /// Stores an entry if possible. Returns its path.
    pub(crate) fn put(&self, key: Key, kind: Kind, entry: &Entry) -> Option<PathBuf> {
        let path = self.path_of(key)?;
        let shard = path.parent()?;
        fs::create_dir_all(shard).ok()?;
        let mut file = tempfile::Builder::new().prefix(FRESH_PREFIX).tempfile_in(shard).ok()?;
        let length = entry.seal_into(kind, file.as_file_mut()).ok()?;
        if kind == Kind::Program {
            let mode = fs::Permissions::from_mode(0o700);
            file.as_file().set_permissions(mode).ok()?;
        }
        // An entry that stands there may be in use, and has the same content unless it is damaged.
        if let Err(failed) = file.persist_noclobber(&path) {
            if self.get(key).is_some() {
                return Some(path);
            }
            sweep::remove_damaged(&path);
            failed.file.persist_noclobber(&path).ok()?;
        }
        self.account(on_disk(length));
        Some(path)
    }

    /// Notes that the cache has grown, and makes room if it is too large.
    fn account(&self, bytes: u64) {
        if let Some(root) = &self.root
            && ledger::add(root, bytes, self.bound)
        {
            sweep::shrink(root, self.bound);
        }
    }
}

/// Records the last use, for the order of eviction.
fn note_use(file: &File) {
    let now = SystemTime::now();
    let last = file.metadata().and_then(|meta| meta.modified());
    if last.is_ok_and(|last| now.duration_since(last).is_ok_and(|age| age > USE_GRANULARITY)) {
        // If another user owns the entry, it merely counts as older than it is.
        let _ = file.set_modified(now);
    }
}

/// What a file of this length takes on a disk.
fn on_disk(length: u64) -> u64 {
    length.next_multiple_of(4096)
}

/// What entries are, for those who ask what the cache holds. Decides nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The version of a compiler.
    Compiler,
    /// The included files of a compilation.
    Manifest,
    /// Preprocessed text.
    Text,
    /// LLVM IR.
    Ir,
    Object,
    Program,
    /// Why something cannot be made.
    Rejection,
    /// Of an older format.
    Older,
}

impl Kind {
    const ALL: [(Kind, &str); 8] = [
        (Kind::Compiler, "compiler"),
        (Kind::Manifest, "manifest"),
        (Kind::Text, "preprocessed"),
        (Kind::Ir, "ir"),
        (Kind::Object, "object"),
        (Kind::Program, "program"),
        (Kind::Rejection, "rejection"),
        (Kind::Older, "older"),
    ];

    fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    fn of_number(number: u64) -> Kind {
        let known = usize::try_from(number).ok().and_then(|index| Self::ALL.get(index));
        known.map_or(Kind::Older, |(kind, _)| *kind)
    }

    /// The kind that a file names at its end. None if Ripple did not write the file.
    fn of_file(mut file: &File) -> Option<Kind> {
        let mut trailer = [0; TRAILER];
        file.seek(SeekFrom::End(-8)).ok()?;
        file.read_exact(&mut trailer[..8]).ok()?;
        match &trailer[..8] {
            magic if magic == OLDER_MAGIC => Some(Kind::Older),
            magic if magic == MAGIC => {
                file.seek(SeekFrom::End(-(TRAILER as i64))).ok()?;
                file.read_exact(&mut trailer).ok()?;
                let (number, _) = trailer.split_first_chunk()?;
                Some(Kind::of_number(u64::from_le_bytes(*number)))
            }
            _ => None,
        }
    }
}

/// What an entry holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    pub payload: Vec<u8>,
    /// Diagnostics of a successful compilation.
    pub diagnostics: Vec<u8>,
}

impl Entry {
    /// Writes the entry. Returns its length.
    fn seal_into(&self, kind: Kind, out: &mut impl Write) -> std::io::Result<u64> {
        let mut bytes = Vec::with_capacity(TRAILER);
        bytes.extend_from_slice(&(kind as u64).to_le_bytes());
        bytes.extend_from_slice(&(self.payload.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&(self.diagnostics.len() as u64).to_le_bytes());
        let mut sum = blake3::Hasher::new();
        sum.update(&self.payload).update(&self.diagnostics);
        sum.update(&bytes);
        bytes.extend_from_slice(sum.finalize().as_bytes());
        bytes.extend_from_slice(MAGIC);
        out.write_all(&self.payload)?;
        out.write_all(&self.diagnostics)?;
        out.write_all(&bytes)?;
        out.flush()?;
        Ok((self.payload.len() + self.diagnostics.len() + bytes.len()) as u64)
    }

    /// Returns what was sealed, without copying the payload.
    fn unseal(mut bytes: Vec<u8>) -> Option<Self> {
        let body = bytes.len().checked_sub(TRAILER)?;
        let (content, trailer) = bytes.split_at(body);
        let (facts, rest) = trailer.split_at(24);
        let (sum, magic) = rest.split_at(32);
        let payload = usize::try_from(u64::from_le_bytes(facts[8..16].try_into().ok()?)).ok()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(content).update(facts);
        if magic != MAGIC || payload > body || hasher.finalize().as_bytes() != sum {
            return None;
        }
        let diagnostics = bytes[payload..body].to_vec();
        bytes.truncate(payload);
        Some(Self { payload: bytes, diagnostics })
    }
}

/// The name of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(blake3::Hash);

impl Key {
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// As the name of a file.
    pub fn name(&self) -> String {
        self.0.to_hex().to_string()
    }

    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(blake3::Hash::from_bytes(bytes))
    }
}

/// Collects what a key depends on. Parts are delimited, so no two lists of parts collide.
#[derive(Clone)]
pub(crate) struct KeyOf(blake3::Hasher);

impl KeyOf {
    pub fn kind(kind: &str) -> Self {
        Self(blake3::Hasher::new()).part(FORMAT.as_bytes()).part(kind.as_bytes())
    }

    pub fn part(mut self, bytes: &[u8]) -> Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    pub fn parts<'a>(mut self, parts: impl ExactSizeIterator<Item = &'a [u8]>) -> Self {
        self.0.update(&(parts.len() as u64).to_le_bytes());
        for part in parts {
            self = self.part(part);
        }
        self
    }

    pub fn finish(self) -> Key {
        Key(self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry { payload: b"text".to_vec(), diagnostics: b"warning: w".to_vec() }
    }

    fn key() -> Key {
        KeyOf::kind("test").part(b"a").finish()
    }

    #[test]
    fn an_entry_comes_back_as_it_was_stored() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path());
        assert_eq!(cache.get(key()), None);
        cache.put(key(), Kind::Ir, &entry()).unwrap();
        assert_eq!(cache.get(key()), Some(entry()));
    }

    #[test]
    fn any_damage_makes_an_entry_absent() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path());
        let path = cache.put(key(), Kind::Ir, &entry()).unwrap();
        let sealed = fs::read(&path).unwrap();
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[at] ^= 1;
            assert_eq!(Entry::unseal(damaged), None, "byte {at} was flipped");
            assert_eq!(Entry::unseal(sealed[..at].to_vec()), None, "cut at {at}");
        }
    }

    #[test]
    fn parts_are_delimited() {
        let split = KeyOf::kind("k").part(b"ab").part(b"c").finish();
        let other = KeyOf::kind("k").part(b"a").part(b"bc").finish();
        assert_ne!(split, other);
    }

    #[test]
    fn a_directory_that_cannot_be_written_remembers_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache::at(file.join("below"));
        assert!(!cache.is_writable());
        assert_eq!(cache.put(key(), Kind::Ir, &entry()), None);
        assert_eq!(cache.get(key()), None);
    }
}

//! A directory of sealed entries, named by the hash of everything they depend on.
//!
//! An entry is a payload, the diagnostics that came with it, and a trailer with their lengths and
//! checksum. The trailer is last, so that a linked program stays executable inside its entry.
//! Entries appear by rename, whole or not at all; one that does not verify counts as absent. If the
//! directory cannot be written, nothing is cached, and that is no error. Nothing is ever evicted;
//! removing the directory is always safe.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Part of every key: raising it makes all older entries unreachable.
const FORMAT: &str = "ripple cache 1";
const MAGIC: &[u8; 8] = b"RIPPLE1\n";
const TRAILER: usize = 8 + 8 + 32 + 8;

/// Where compiled artifacts are cached, or nowhere.
#[derive(Clone, Debug)]
pub struct Cache {
    root: Option<PathBuf>,
}

impl Cache {
    /// A cache in `directory`, which is created when something is first stored.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { root: Some(directory.into()) }
    }

    /// Caches nothing.
    pub fn disabled() -> Self {
        Self { root: None }
    }

    pub fn directory(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Whether entries can be stored. Creates the directory.
    pub fn is_writable(&self) -> bool {
        self.root.as_deref().is_some_and(|root| {
            fs::create_dir_all(root).is_ok() && tempfile::NamedTempFile::new_in(root).is_ok()
        })
    }

    pub(crate) fn path_of(&self, key: Key) -> Option<PathBuf> {
        let name = key.0.to_hex();
        let (shard, rest) = name.split_at(2);
        Some(self.root.as_ref()?.join(shard).join(rest))
    }

    pub(crate) fn get(&self, key: Key) -> Option<Entry> {
        Entry::unseal(fs::read(self.path_of(key)?).ok()?)
    }

    /// Stores an entry if possible. Returns its path.
    pub(crate) fn put(&self, key: Key, entry: &Entry, executable: bool) -> Option<PathBuf> {
        let path = self.path_of(key)?;
        let shard = path.parent()?;
        fs::create_dir_all(shard).ok()?;
        let mut file = tempfile::NamedTempFile::new_in(shard).ok()?;
        entry.seal_into(file.as_file_mut()).ok()?;
        if executable {
            let mode = fs::Permissions::from_mode(0o700);
            file.as_file().set_permissions(mode).ok()?;
        }
        file.persist(&path).ok()?;
        Some(path)
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
    fn seal_into(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut bytes = Vec::with_capacity(TRAILER);
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
        out.flush()
    }

    /// Returns what was sealed, without copying the payload.
    fn unseal(mut bytes: Vec<u8>) -> Option<Self> {
        let body = bytes.len().checked_sub(TRAILER)?;
        let (content, trailer) = bytes.split_at(body);
        let (lengths, rest) = trailer.split_at(16);
        let (sum, magic) = rest.split_at(32);
        let payload = usize::try_from(u64::from_le_bytes(lengths[..8].try_into().ok()?)).ok()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(content).update(lengths);
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
        cache.put(key(), &entry(), false).unwrap();
        assert_eq!(cache.get(key()), Some(entry()));
    }

    #[test]
    fn any_damage_makes_an_entry_absent() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path());
        let path = cache.put(key(), &entry(), false).unwrap();
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
        assert_eq!(cache.put(key(), &entry(), false), None);
        assert_eq!(cache.get(key()), None);
    }
}

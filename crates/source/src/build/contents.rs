//! Files with the same contents: how an object is found that a script or another program copied.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Larger files are not compared.
const MOST_BYTES: u64 = 256 << 20;

/// What is known about sizes of files.
#[derive(Debug, Default)]
pub(super) struct Contents {
    sizes: BTreeMap<PathBuf, Option<u64>>,
}

impl Contents {
    /// The first of the known files, by name, that is equal to an object or a library.
    pub fn same_as(&mut self, path: &Path, known: &BTreeMap<PathBuf, usize>) -> Option<usize> {
        if !is_linkable(path) {
            return None;
        }
        let size = self.size(path).filter(|size| (1..=MOST_BYTES).contains(size))?;
        let mut bytes = None;
        for (other, &node) in known {
            if self.size(other) != Some(size) {
                continue;
            }
            if bytes.is_none() {
                bytes = Some(fs::read(path).ok()?);
            }
            if fs::read(other).ok() == bytes {
                return Some(node);
            }
        }
        None
    }

    fn size(&mut self, path: &Path) -> Option<u64> {
        if let Some(size) = self.sizes.get(path) {
            return *size;
        }
        let meta = fs::metadata(path).ok().filter(|meta| meta.is_file());
        let size = meta.map(|meta| meta.len());
        self.sizes.insert(path.to_owned(), size);
        size
    }
}

/// Whether a file may be an object or a library of a build, by its name.
fn is_linkable(path: &Path) -> bool {
    let is_foreign = ["/usr/lib", "/usr/lib32", "/usr/lib64", "/lib"].iter();
    let mut is_foreign = is_foreign.map(|place| path.starts_with(place));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_named = [".o", ".lo", ".obj", ".a", ".so"].iter().any(|end| name.ends_with(end));
    !is_foreign.any(|is| is) && (is_named || name.contains(".so."))
}

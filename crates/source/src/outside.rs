//! Hunks in files outside of the program: C files that were not selected, and headers that no file
//! of the program includes.
//!
//! Leaves out hidden directories, symbolic links, files that only a sparse work tree lacks, and those
//! that a revision lacks when it is
//! compared with a work tree: these may be generated. Does not walk very large trees.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::checkout::{Absent, Checkout};
use crate::hunk::{Hunk, add_hunks};

/// If a version has more files, files outside of the program are ignored.
const MOST_FILES: usize = 20_000;
/// Larger files are not hand-written source text.
const MOST_BYTES: u64 = 16 << 20;
/// Extensions of C files.
const EXTENSIONS: [&str; 5] = ["c", "h", "i", "inc", "def"];

/// The hunks in files that are in neither program: their keys are not among the given ones, and the
/// compiler does not read them under another name either. Numbers continue those of `hunks`.
/// Unreadable files are left out.
pub(crate) fn hunks_outside(
    [old, new]: [&Checkout; 2],
    program: &BTreeSet<PathBuf>,
    compiled: &BTreeSet<PathBuf>,
    hunks: &[Hunk],
) -> Vec<Hunk> {
    if old.is_lone_file || new.is_lone_file || old.root == new.root {
        return Vec::new();
    }
    let (Some(olds), Some(news)) = (files(&old.root), files(&new.root)) else { return Vec::new() };
    let mut all = hunks.to_vec();
    let is_absent = |key: &PathBuf| {
        let absent = Absent::Sparse(key.clone());
        old.absent.contains(&absent) || new.absent.contains(&absent)
    };
    for key in olds.union(&news).filter(|key| !program.contains(*key)) {
        let is_generated = match (&old.revision, &new.revision) {
            (Some(_), None) => !olds.contains(key),
            (None, Some(_)) => !news.contains(key),
            _ => false,
        };
        let text = |side: &Checkout, keys: &BTreeSet<PathBuf>| {
            keys.contains(key).then(|| read(&side.root.join(key))).flatten()
        };
        let texts = (text(old, &olds), text(new, &news));
        let is_whole =
            texts.0.is_some() == olds.contains(key) && texts.1.is_some() == news.contains(key);
        if is_generated || !is_whole || texts.0 == texts.1 || is_absent(key) {
            continue;
        }
        let is_compiled = |side: &Checkout| {
            fs::canonicalize(side.root.join(key)).is_ok_and(|path| compiled.contains(&path))
        };
        if is_compiled(old) || is_compiled(new) {
            continue;
        }
        let names = (old.name_of(key), new.name_of(key));
        add_hunks(&mut all, key, names, (texts.0.as_deref(), texts.1.as_deref()));
    }
    all.split_off(hunks.len())
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let meta = fs::metadata(path).ok()?;
    (meta.len() <= MOST_BYTES).then(|| fs::read(path).ok())?
}

/// C files below a directory, relative to it; nothing if there are too many.
fn files(root: &Path) -> Option<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut count = 0;
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).ok()?.flatten() {
            count += 1;
            if count > MOST_FILES {
                return None;
            }
            let (Ok(kind), path) = (entry.file_type(), entry.path()) else { continue };
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let extension = path.extension().and_then(|extension| extension.to_str());
            if kind.is_dir() && !is_hidden {
                waiting.push(path);
            } else if kind.is_file() && extension.is_some_and(|one| EXTENSIONS.contains(&one)) {
                found.extend(path.strip_prefix(root).ok().map(Path::to_owned));
            }
        }
    }
    Some(found)
}

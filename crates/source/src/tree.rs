//! Two files, or two directories of files, compared by name.
//!
//! Leaves out hidden directories, and symbolic links, which may lead anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::SourceError;
use crate::git::{ChangedFile, FileChanges, Skipped, text_of};

/// The wanted files that differ between two directories, or two files as versions of one.
pub fn compare_trees(
    old: &Path,
    new: &Path,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<FileChanges, SourceError> {
    let (olds, news) = (files(old, wanted)?, files(new, wanted)?);
    let (old_path, new_path) = (old.to_owned(), new.to_owned());
    if old.is_file() != new.is_file() {
        return Err(SourceError::FileAndDirectory { old: old_path, new: new_path });
    }
    let mut changes = FileChanges::default();
    let name = new.display().to_string();
    if olds.is_empty() && news.is_empty() || new.is_file() && !wanted(&name) {
        return Err(SourceError::NoSources { old: old_path, new: new_path });
    }
    if new.is_file() {
        let side = |path: &Path| read(path).map(Some);
        add(&mut changes, name, side(old)?, side(new)?);
        return Ok(changes);
    }
    let names: BTreeSet<&String> = olds.keys().chain(news.keys()).collect();
    for name in names {
        let side =
            |side: &BTreeMap<String, PathBuf>| side.get(name).map(|path| read(path)).transpose();
        add(&mut changes, name.clone(), side(&olds)?, side(&news)?);
    }
    Ok(changes)
}

fn add(changes: &mut FileChanges, path: String, old: Option<Vec<u8>>, new: Option<Vec<u8>>) {
    if old == new {
        return;
    }
    let text = |bytes: Option<Vec<u8>>| bytes.map(|bytes| text_of(&bytes)).transpose();
    match (text(old), text(new)) {
        (Err(reason), _) | (_, Err(reason)) => changes.skipped.push(Skipped { path, reason }),
        (Ok(old), Ok(new)) => changes.files.push(ChangedFile { path, old_path: None, old, new }),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    fs::read(path).map_err(|cause| SourceError::Unreadable { path: path.to_owned(), cause })
}

/// The wanted files below a directory, relative to it; a file counts as itself.
fn files(
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<String, PathBuf>, SourceError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |cause| SourceError::Unreadable { path, cause }
    };
    let mut found = BTreeMap::new();
    if fs::metadata(root).map_err(unreadable(root))?.is_file() {
        found.insert(String::new(), root.to_owned());
        return Ok(found);
    }
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).map_err(unreadable(&directory))? {
            let entry = entry.map_err(unreadable(&directory))?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable(&directory))?);
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && !is_hidden {
                waiting.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                if wanted(&name) {
                    found.insert(name, path);
                }
            }
        }
    }
    Ok(found)
}

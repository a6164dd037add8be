//! The files, standard input and environment of a run, and the files that it leaves.
//!
//! Names and values are bytes and need not be UTF-8. A program gets only what the user names.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use exec::libc::vfs::{Change, InitialContent, InitialFile, Setup, Vfs};

/// Standard input of a run; `-` is that of this process.
pub fn stdin(path: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    match path {
        None => Ok(Vec::new()),
        Some(path) if path == Path::new("-") => {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            Ok(bytes)
        }
        Some(path) => read(path),
    }
}

/// The files of a run, from `NAME=PATH` each.
pub fn given(pairs: &[OsString]) -> anyhow::Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut files: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    for pair in pairs {
        let shown = pair.display();
        let Some((name, path)) = split(pair) else {
            bail!("`--file {shown}` has no `=`; write --file NAME=PATH");
        };
        if name.is_empty() {
            bail!("`--file {shown}` has no name; write --file NAME=PATH");
        }
        if files.iter().any(|(known, _)| plain(known) == plain(name)) {
            bail!("`--file {shown}`: `{}` is given twice", OsStr::from_bytes(name).display());
        }
        files.push((name.to_vec(), read(Path::new(OsStr::from_bytes(path)))?));
        if let Err(error) = tree(&files) {
            bail!("`--file {shown}`: cannot create this file: {error}");
        }
    }
    Ok(files)
}

/// The environment of a run, checked to be `NAME=VALUE` each.
pub fn environment(variables: &[OsString]) -> anyhow::Result<Vec<Vec<u8>>> {
    for variable in variables {
        if split(variable).is_none_or(|(name, _)| name.is_empty()) {
            let lack = if split(variable).is_none() { "`=`" } else { "name" };
            bail!("`--env {}` has no {lack}; write --env NAME=VALUE", variable.display());
        }
    }
    Ok(variables.iter().map(|variable| variable.as_bytes().to_vec()).collect())
}

/// Writes the files that a run changed below `directory`: those of the program's directory under
/// their names, others under their whole paths.
pub fn save(changes: &[Change], directory: &Path) -> anyhow::Result<()> {
    let home = Setup::default().current_directory;
    for change in changes {
        let Some(bytes) = &change.content else { continue };
        let path = directory.join(below(&change.path, &home));
        let parent = path.parent().unwrap_or(directory);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes.as_slice()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A relative path without `..`.
fn below(path: &[u8], home: &[u8]) -> PathBuf {
    let path = Path::new(OsStr::from_bytes(path));
    let inside = path.strip_prefix(OsStr::from_bytes(home)).unwrap_or(path);
    inside.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// Fails if a file stands where another one needs a directory.
fn tree(files: &[(Vec<u8>, Vec<u8>)]) -> Result<(), String> {
    // Only the tree matters, so the files are empty.
    let empty = |(name, _): &(Vec<u8>, Vec<u8>)| InitialFile {
        path: name.clone(),
        content: InitialContent::File(Vec::new().into()),
        mode: 0o644,
    };
    let setup = Setup { files: files.iter().map(empty).collect(), ..Setup::default() };
    Vfs::new(&setup).map(|_| ()).map_err(|error| error.message().into_owned())
}

/// The name without `.` and doubled slashes.
fn plain(name: &[u8]) -> PathBuf {
    let parts = Path::new(OsStr::from_bytes(name)).components();
    parts.filter(|part| *part != Component::CurDir).collect()
}

/// Both sides of the first `=`.
fn split(pair: &OsStr) -> Option<(&[u8], &[u8])> {
    let bytes = pair.as_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

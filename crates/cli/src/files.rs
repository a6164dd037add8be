//! What a program is given and what it leaves: between the user's files and a run's.
//!
//! Names and values are bytes: nothing here needs them to be UTF-8. Nothing is given to the
//! program that the user did not name.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use exec::libc::vfs::{Change, InitialContent, InitialFile, Setup, Vfs};

/// What a run's standard input holds; `-` is our own.
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
            bail!("`--file {shown}` gives `{}` a second time", OsStr::from_bytes(name).display());
        }
        files.push((name.to_vec(), read(Path::new(OsStr::from_bytes(path)))?));
        if let Err(error) = tree(&files) {
            bail!("`--file {shown}`: the program cannot have such a file: {error}");
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

/// Puts what a run wrote or changed below `directory`: files of the program's directory by their
/// names in there, others by their whole paths.
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

/// A relative path without steps upward.
fn below(path: &[u8], home: &[u8]) -> PathBuf {
    let path = Path::new(OsStr::from_bytes(path));
    let inside = path.strip_prefix(OsStr::from_bytes(home)).unwrap_or(path);
    inside.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// Whether the machine can hold these files side by side.
fn tree(files: &[(Vec<u8>, Vec<u8>)]) -> Result<(), String> {
    // The tree alone decides, so the files may be empty.
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

//! Files and directories as they are before a program touches them.
//!
//! Files of the system and shared libraries are no part of what a program is given.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use super::room::Room;
use super::{Execution, Flaw};

/// Directories of the system.
const SYSTEM: [&str; 12] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/proc",
    "/sys",
    "/dev",
    "/run",
    "/nix/store",
];
/// Files that the C library reads by itself.
const OF_THE_LIBRARY: [&str; 6] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/locale.alias",
    "/etc/gai.conf",
];
/// The most files of a directory that are kept.
const MOST_ENTRIES: usize = 1000;

/// A file or directory before the program touched it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileBefore {
    pub content: Content,
    /// Permission bits.
    pub mode: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Missing,
    File(Vec<u8>),
    Directory,
}

/// Whether a path, absolute and plain, is no matter of tests.
pub(super) fn is_of_the_system(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let is_library = name.ends_with(b".so") || memchr::memmem::find(name, b".so.").is_some();
    path == Path::new("/")
        || is_library
        || SYSTEM.iter().any(|directory| path.starts_with(directory))
        || OF_THE_LIBRARY.iter().any(|file| path == Path::new(file))
}

/// The path without `.`, `..` and doubled slashes.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Keeps what is at a path, unless the execution has touched it before. `listed`: the program may
/// read the names in a directory.
pub(super) fn keep(
    execution: &mut Execution,
    used: &mut usize,
    room: &mut Room,
    path: &Path,
    listed: bool,
) {
    if is_of_the_system(path) {
        return;
    }
    if !execution.files.contains_key(path) {
        let before = look(execution, used, room, path);
        let is_missing = before.content == Content::Missing;
        execution.files.insert(path.to_owned(), before);
        // What the program creates needs its directory.
        if is_missing && let Some(above) = path.parent() {
            keep(execution, used, room, above, false);
        }
    }
    let is_directory = |file: &FileBefore| file.content == Content::Directory;
    if listed && execution.files.get(path).is_some_and(is_directory) {
        keep_entries(execution, used, room, path);
    }
}

fn keep_entries(execution: &mut Execution, used: &mut usize, room: &mut Room, directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    if names.len() > MOST_ENTRIES {
        execution.add(Flaw::LargeFile(directory.to_owned()));
        return;
    }
    for name in names {
        keep(execution, used, room, &directory.join(name), false);
    }
}

fn look(execution: &mut Execution, used: &mut usize, room: &mut Room, path: &Path) -> FileBefore {
    let missing = FileBefore { content: Content::Missing, mode: 0 };
    let Ok(metadata) = fs::metadata(path) else { return missing };
    let mode = metadata.permissions().mode() & 0o777;
    if metadata.is_dir() {
        return FileBefore { content: Content::Directory, mode };
    }
    match content(path, &metadata, room.of_a_file()) {
        Ok(bytes) => {
            let has_room = room.take(execution, used, bytes.len());
            let bytes = if has_room { bytes } else { Vec::new() };
            // An administrator may read files that nobody else may.
            FileBefore { content: Content::File(bytes), mode: mode | 0o400 }
        }
        Err(Some(flaw)) => {
            execution.add(flaw);
            missing
        }
        Err(None) => FileBefore { content: Content::File(Vec::new()), mode: mode & !0o444 },
    }
}

/// The error is none if the file may not be read.
fn content(path: &Path, metadata: &Metadata, most: usize) -> Result<Vec<u8>, Option<Flaw>> {
    if !metadata.is_file() {
        return Err(Some(Flaw::Special(path.to_owned())));
    }
    let file = fs::File::open(path).map_err(|_| None)?;
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|_| None)?;
    if bytes.len() > most { Err(Some(Flaw::LargeFile(path.to_owned()))) } else { Ok(bytes) }
}

/// The absolute path of what a program names.
pub(super) fn absolute(directory: &Path, named: &OsStr) -> PathBuf {
    plain(&directory.join(named))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordLimits;
    use std::collections::BTreeMap;

    /// The files that exist, by path.
    fn existing(files: &BTreeMap<PathBuf, FileBefore>) -> Vec<&Path> {
        let exists = |file: &&FileBefore| file.content != Content::Missing;
        files.iter().filter(|(_, file)| exists(file)).map(|(path, _)| path.as_path()).collect()
    }

    #[test]
    fn files_are_kept_as_they_were_at_the_first_touch() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("a"), "before").unwrap();
        fs::create_dir(at("d")).unwrap();
        fs::write(at("d/x"), "1").unwrap();
        let (mut execution, mut used) = (Execution::default(), 0);
        let mut room = Room::new(RecordLimits { file: 10, execution: 100, all: 100 });
        let mut touch =
            |name: &str, listed| keep(&mut execution, &mut used, &mut room, &at(name), listed);
        touch("a", false);
        touch("d/new", false);
        fs::write(at("a"), "after").unwrap();
        fs::write(at("d/new"), "mine").unwrap();
        touch("a", false);
        touch("d", true);
        let files = &execution.files;
        assert_eq!(files[&at("a")].content, Content::File(b"before".to_vec()));
        assert_eq!(files[&at("d/new")].content, Content::Missing);
        assert_eq!(existing(files), [at("a"), at("d"), at("d/x")]);
        assert_eq!(used, 7);
    }

    #[test]
    fn large_files_are_left_out_with_a_flaw() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("large");
        fs::write(&path, "0123456789x").unwrap();
        let mut execution = Execution::default();
        let mut room = Room::new(RecordLimits { file: 10, execution: 100, all: 100 });
        keep(&mut execution, &mut 0, &mut room, &path, false);
        assert_eq!(execution.flaws, [Flaw::LargeFile(path)]);
    }

    #[test]
    fn libraries_and_devices_are_of_the_system() {
        for path in ["/dev/null", "/usr/lib/locale/x", "/w/.libs/libz.so.1", "/etc/ld.so.cache"] {
            assert!(is_of_the_system(Path::new(path)), "{path}");
        }
        for path in ["/w/usr/x", "/tmp/a.sort", "/etc/passwd"] {
            assert!(!is_of_the_system(Path::new(path)), "{path}");
        }
    }
}

//! Finds a clang and its version.
//!
//! Order: the one the user names, the one the environment names, `clang` on the PATH, then
//! `clang-N` on the PATH, newest first. Starting clang only for its version takes longer than a
//! whole warm run of Ripple, so the answer is cached under the binary's path, size and times.
//!
//! The compiler is a tool of the user, not a program under test, so it is not confined.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::cache::{Cache, Entry, Key, KeyOf, Kind};
use crate::error::SourceError;

/// The oldest clang whose IR we read.
pub const OLDEST_MAJOR: u32 = 14;

/// Variables that change what clang does. Clang does not see them, so that a result is a function
/// of files and flags alone.
const HIDDEN_VARIABLES: [&str; 9] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "CLANG_NO_DEFAULT_CONFIG",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    // Without it, clang asks the operating system for the directory's real name.
    "PWD",
];

/// Where to look for clang. The caller reads the environment.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// What the user typed: a path, or a name to look up on the PATH.
    pub explicit: Option<&'a Path>,
    /// The value of `RIPPLE_CLANG`, if set.
    pub from_env: Option<&'a Path>,
    /// The value of `PATH`.
    pub path_var: &'a OsStr,
}

/// A clang that answered `--version`.
#[derive(Clone, Debug)]
pub struct Clang {
    pub path: PathBuf,
    /// The first line of `--version`, for people.
    pub version: String,
    pub major: u32,
    /// The whole output of `--version`: with the target, part of the key of every artifact.
    pub(crate) answer: String,
    /// Identifies the binary itself, without starting it.
    pub(crate) identity: [u8; 32],
}

impl Clang {
    /// The first clang in the order above.
    pub fn find(search: Search, cache: &Cache) -> Result<Self, SourceError> {
        let named = [(search.explicit, "--clang"), (search.from_env, "RIPPLE_CLANG")];
        for (name, origin) in named {
            if let Some(name) = name {
                let path = find_program(name, search.path_var).ok_or_else(|| {
                    SourceError::ClangMissing { name: name.display().to_string(), origin }
                })?;
                return Self::ask(path, cache);
            }
        }
        let plain = find_program(Path::new("clang"), search.path_var);
        let path = match plain {
            Some(path) => path,
            None => numbered(search.path_var).into_iter().next().ok_or(SourceError::NoClang)?,
        };
        Self::ask(path, cache)
    }

    /// Every usable clang on the PATH: `clang`, then `clang-N` newest first, each binary once.
    pub fn all(path_var: &OsStr, cache: &Cache) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let plain = find_program(Path::new("clang"), path_var);
        for path in plain.into_iter().chain(numbered(path_var)) {
            let real = fs::canonicalize(&path).ok();
            let known = found.iter().any(|c| fs::canonicalize(&c.path).ok() == real);
            if !known && let Ok(clang) = Self::ask(path, cache) {
                found.push(clang);
            }
        }
        found
    }

    /// A command that runs this clang in `directory`, without the variables above.
    pub(crate) fn command(&self, directory: &Path) -> Command {
        let mut command = bare_command(&self.path);
        command.current_dir(directory);
        command
    }

    /// The result of one of its commands.
    pub(crate) fn output(&self, command: &mut Command) -> Result<Output, SourceError> {
        output(&self.path, command)
    }

    fn ask(path: PathBuf, cache: &Cache) -> Result<Self, SourceError> {
        let identity = identity(&path)
            .map_err(|cause| SourceError::Unreadable { path: path.clone(), cause })?;
        let remembered = cache.get(identity).map(|entry| entry.payload);
        let answer = match remembered.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(answer) => answer,
            None => {
                let answer = ask_version(&path)?;
                let entry = Entry { payload: answer.clone().into_bytes(), diagnostics: Vec::new() };
                cache.put(identity, Kind::Compiler, &entry);
                answer
            }
        };
        let version = answer.lines().next().unwrap_or_default().to_owned();
        let major = major_of(&version)
            .ok_or_else(|| SourceError::NotClang { path: path.clone(), said: version.clone() })?;
        if major < OLDEST_MAJOR {
            let oldest = OLDEST_MAJOR;
            return Err(SourceError::ClangTooOld { path, major, oldest });
        }
        Ok(Self { path, version, major, answer, identity: *identity.bytes() })
    }
}

fn bare_command(path: &Path) -> Command {
    let mut command = Command::new(path);
    for name in HIDDEN_VARIABLES {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C").stdin(Stdio::null());
    command
}

fn ask_version(path: &Path) -> Result<String, SourceError> {
    let output = output(path, bare_command(path).arg("--version"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn output(path: &Path, command: &mut Command) -> Result<Output, SourceError> {
    let failed = |cause| SourceError::system(format!("cannot start `{}`", path.display()), cause);
    command.output().map_err(failed)
}

/// Changes whenever the binary behind `path` does.
fn identity(path: &Path) -> std::io::Result<Key> {
    let real = fs::canonicalize(path)?;
    let meta = fs::metadata(&real)?;
    let numbers =
        [meta.size() as i64, meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()];
    Ok(KeyOf::kind("clang")
        .part(path.as_os_str().as_bytes())
        .part(real.as_os_str().as_bytes())
        .part(&numbers.map(i64::to_le_bytes).concat())
        .finish())
}

fn major_of(version: &str) -> Option<u32> {
    let (_, number) = version.split_once("clang version ")?;
    let digits = number.find(|c: char| !c.is_ascii_digit());
    number[..digits.unwrap_or(number.len())].parse().ok()
}

/// The program of that name. A name with a slash is a path; any other is looked up. Returns an
/// absolute path, because programs start in other directories.
pub fn find_program(name: &Path, path_var: &OsStr) -> Option<PathBuf> {
    if name.as_os_str().as_bytes().contains(&b'/') {
        let path = std::path::absolute(name).ok()?;
        return is_executable(&path).then_some(path);
    }
    std::env::split_paths(path_var)
        .map(|directory| directory.join(name))
        .filter_map(|path| std::path::absolute(path).ok())
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// All `clang-N` on the PATH, newest first; for equal N the first on the PATH.
fn numbered(path_var: &OsStr) -> Vec<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for directory in std::env::split_paths(path_var) {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let Some(number) = number_of(&entry.file_name()) else {
                continue;
            };
            let known = found.iter().any(|(n, _)| *n == number);
            if !known && let Some(path) = find_program(&entry.path(), path_var) {
                found.push((number, path));
            }
        }
    }
    found.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    found.into_iter().map(|(_, path)| path).collect()
}

fn number_of(name: &OsString) -> Option<u32> {
    name.to_str()?.strip_prefix("clang-")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that claims to be clang of the given version. Another process writes it: a child
    /// that another test starts at this moment would hold a file of ours open, and a file that is
    /// open for writing cannot be executed.
    fn fake(directory: &Path, name: &str, says: &str) {
        let program = format!("#!/bin/sh\necho '{says}'\n");
        let script = "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\"";
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(script).arg(directory.join(name)).arg(program);
        assert!(shell.status().unwrap().success());
    }

    fn find(dir: &Path, explicit: Option<&str>, env: Option<&str>) -> Result<Clang, SourceError> {
        let search = Search {
            explicit: explicit.map(Path::new),
            from_env: env.map(Path::new),
            path_var: dir.as_os_str(),
        };
        Clang::find(search, &Cache::disabled())
    }

    #[test]
    fn the_plain_name_comes_before_numbers_and_newer_before_older() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(find(dir.path(), None, None), Err(SourceError::NoClang)));
        fake(dir.path(), "clang-9", "clang version 9.0.1");
        fake(dir.path(), "clang-16", "Debian clang version 16.0.6 (15)");
        fake(dir.path(), "clang-format-20", "clang-format version 20");
        assert_eq!(find(dir.path(), None, None).unwrap().major, 16);
        fake(dir.path(), "clang", "Ubuntu clang version 14.0.0-1ubuntu1");
        assert_eq!(find(dir.path(), None, None).unwrap().major, 14);
        assert_eq!(find(dir.path(), None, Some("clang-16")).unwrap().major, 16);
        let explicit = find(dir.path(), Some("clang"), Some("clang-16"));
        assert_eq!(explicit.unwrap().major, 14);
    }

    #[test]
    fn a_named_compiler_that_cannot_serve_is_a_clear_error() {
        let dir = tempfile::tempdir().unwrap();
        fake(dir.path(), "gcc", "gcc (Debian 12.2.0) 12.2.0");
        fake(dir.path(), "clang-9", "clang version 9.0.1");
        let find = |name| find(dir.path(), Some(name), None);
        assert!(matches!(find("gcc"), Err(SourceError::NotClang { .. })));
        assert!(matches!(find("clang-9"), Err(SourceError::ClangTooOld { major: 9, .. })));
        assert!(matches!(find("none"), Err(SourceError::ClangMissing { .. })));
    }

    #[test]
    fn the_version_is_remembered_until_the_binary_changes() {
        let dir = tempfile::tempdir().unwrap();
        let store = tempfile::tempdir().unwrap();
        let cache = Cache::at(store.path());
        let find = || {
            let search =
                Search { explicit: None, from_env: None, path_var: dir.path().as_os_str() };
            Clang::find(search, &cache).unwrap().major
        };
        fake(dir.path(), "clang", "clang version 15.0.0");
        assert_eq!(find(), 15);
        assert_eq!((find(), cache.contents().unwrap().entries), (15, 1));
        fake(dir.path(), "clang", "clang version 17.0.0-different-size");
        assert_eq!(find(), 17);
    }
}

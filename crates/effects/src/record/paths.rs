//! Where the files of an execution lie in a test: relative to its working directory.
//!
//! Names in arguments that lead into the test's directory become relative. Files in other
//! directories that an argument names are put into directories of their own.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use source::{Content, Execution, FileBefore};

/// Where a recording was made.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The name of the program, for the names of tests.
    pub program: &'a OsStr,
    /// The working directory of the command. What lies below it keeps its place.
    pub directory: &'a Path,
    /// Directories for temporary files.
    pub temporary: &'a [PathBuf],
}

/// The places of one execution.
#[derive(Debug)]
pub(super) struct Paths {
    /// The working directory, relative to the test's directory.
    pub directory: String,
    working: PathBuf,
    home: PathBuf,
    /// Other directories, and what they are called in the test.
    others: Vec<(PathBuf, String)>,
}

impl Paths {
    pub fn of(execution: &Execution, origin: Origin<'_>) -> Paths {
        let working = execution.directory.clone();
        let mut home = home(&working, origin);
        if !needs_more(execution, &working, &home) {
            home.clone_from(&working);
        }
        let below = working.strip_prefix(&home).unwrap_or(Path::new(""));
        let Some(directory) = below.to_str().map(str::to_owned) else {
            let home = working.clone();
            return Paths { directory: String::new(), working, home, others: Vec::new() };
        };
        let mut paths = Paths { directory, working, home, others: Vec::new() };
        paths.find_others(execution, origin);
        paths
    }

    fn find_others(&mut self, execution: &Execution, origin: Origin<'_>) {
        let texts = || {
            let values = execution.environment.iter().map(|(_, value)| value);
            execution.arguments.iter().skip(1).chain(values).map(|text| text.as_bytes())
        };
        let is_free = |name: &str| !execution.files.contains_key(&execution.directory.join(name));
        let exists = |before: &FileBefore| before.content != Content::Missing;
        for (path, _) in execution.files.iter().filter(|(_, before)| exists(before)) {
            if path.starts_with(&self.home) {
                continue;
            }
            let Some(other) = other(path, origin, &self.home) else { continue };
            let is_known = self.others.iter().any(|(known, _)| *known == other);
            if is_known || !texts().any(|text| find(text, &other, 0).is_some()) {
                continue;
            }
            let mut names = (1..).map(|number| format!("tmp{number}"));
            let is_unused =
                |name: &String| is_free(name) && self.others.iter().all(|(_, known)| known != name);
            let name = names.find(is_unused);
            self.others.extend(name.map(|name| (other, name)));
        }
        // A directory in another one comes first.
        self.others.sort_by_key(|(path, _)| std::cmp::Reverse(path.as_os_str().len()));
    }

    /// The name of a file in the test, relative to the working directory; `None` if it is outside.
    /// The working directory and those above it have none.
    pub fn place(&self, path: &Path) -> Option<PathBuf> {
        if self.working.starts_with(path) {
            return None;
        }
        if let Ok(below) = path.strip_prefix(&self.working) {
            return Some(below.to_owned());
        }
        if let Ok(below) = path.strip_prefix(&self.home) {
            return Some(self.beside(below));
        }
        let (other, name) = self.others.iter().find(|(other, _)| path.starts_with(other))?;
        let below = path.strip_prefix(other).ok()?;
        Some([Path::new(name), below].iter().filter(|part| !part.as_os_str().is_empty()).collect())
    }

    /// A path below the test's directory, relative to the working directory.
    fn beside(&self, below: &Path) -> PathBuf {
        let mut own = self.working.strip_prefix(&self.home).unwrap_or(Path::new("")).components();
        let mut rest = below.components();
        loop {
            let (own_before, rest_before) = (own.clone(), rest.clone());
            match (own.next(), rest.next()) {
                (Some(one), Some(other)) if one == other => {}
                _ => {
                    let up = own_before.map(|_| Component::ParentDir);
                    return up.chain(rest_before).collect();
                }
            }
        }
    }

    /// The text with absolute paths into the test's directories made relative.
    pub fn relative(&self, text: &[u8]) -> Vec<u8> {
        let up: PathBuf = self.beside(Path::new(""));
        let own = [(&self.working, Path::new("")), (&self.home, up.as_path())];
        let others = self.others.iter().map(|(path, name)| (path, Path::new(name.as_str())));
        let mut result = text.to_vec();
        for (path, name) in others.chain(own) {
            result = replace(&result, path, name);
        }
        result
    }

    /// Whether a text has such a path.
    pub fn are_named_in(&self, text: &[u8]) -> bool {
        let others = self.others.iter().map(|(path, _)| path);
        others.chain([&self.working, &self.home]).any(|path| find(text, path, 0).is_some())
    }
}

/// The directory that holds all files of a test if its working directory does not.
fn home(working: &Path, origin: Origin<'_>) -> PathBuf {
    if working.starts_with(origin.directory) {
        return origin.directory.to_owned();
    }
    let nothing = Path::new("");
    other(working, origin, nothing).unwrap_or_else(|| working.to_owned())
}

/// Whether the execution needs files that are not below its working directory, or the name of that
/// directory.
fn needs_more(execution: &Execution, working: &Path, home: &Path) -> bool {
    let goes_up = |argument: &OsString| argument.as_bytes().windows(3).any(|part| part == b"../");
    let names_above = execution.arguments.iter().skip(1).any(goes_up);
    names_above && working != home || needs_files(execution, working, home)
}

fn needs_files(execution: &Execution, working: &Path, home: &Path) -> bool {
    execution.files.iter().any(|(path, before)| {
        let is_there = before.content != Content::Missing;
        let is_above = before.content == Content::Directory && working.starts_with(path);
        is_there && !is_above && !path.starts_with(working) && path.starts_with(home)
    })
}

/// What is renamed with a file outside of the test: the entry of a directory for temporary files that
/// leads to it, or else its own directory, but never what holds the test.
fn other(path: &Path, origin: Origin<'_>, home: &Path) -> Option<PathBuf> {
    let temporary = origin.temporary.iter().find_map(|temporary| {
        let first = path.strip_prefix(temporary).ok()?.components().next()?;
        Some(temporary.join(first))
    });
    let own = path.parent().filter(|above| above.parent().is_some()).map(Path::to_owned);
    temporary.into_iter().chain(own).find(|other| !home.starts_with(other))
}

/// Replaces an absolute path at the beginning of longer ones.
fn replace(text: &[u8], path: &Path, name: &Path) -> Vec<u8> {
    let length = path.as_os_str().len();
    let name = name.as_os_str().as_bytes();
    let (mut result, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(found) = find(text, path, at) {
        result.extend_from_slice(&text[at..found]);
        at = found + length;
        let has_more =
            text.get(at) == Some(&b'/') && text.get(at + 1).is_some_and(|&b| is_of_name(b));
        match (name, has_more) {
            ([], true) => at += 1,
            ([], false) => result.push(b'.'),
            (name, _) => result.extend_from_slice(name),
        }
    }
    result.extend_from_slice(&text[at..]);
    result
}

/// Where a text has this path, and not only as a part of another name.
fn find(text: &[u8], path: &Path, from: usize) -> Option<usize> {
    let path = path.as_os_str().as_bytes();
    if path.is_empty() {
        return None;
    }
    let is_option = |at: usize| at == 2 && text[0] == b'-';
    (from..(text.len() + 1).saturating_sub(path.len())).find(|&at| {
        let begins = at == 0 || is_option(at) || !is_of_name(text[at - 1]) && text[at - 1] != b'/';
        let ends = text.get(at + path.len()).is_none_or(|&byte| !is_of_name(byte));
        begins && ends && text[at..].starts_with(path)
    })
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPORARY: &str = "/tmp";

    fn paths(working: &str, files: &[&str], arguments: &[&str]) -> Paths {
        paths_in("/w", working, files, arguments)
    }

    fn paths_in(root: &str, working: &str, files: &[&str], arguments: &[&str]) -> Paths {
        let before = FileBefore { content: Content::File(Vec::new()), mode: 0o644 };
        let execution = Execution {
            arguments: [&["p"][..], arguments].concat().into_iter().map(Into::into).collect(),
            directory: working.into(),
            files: files.iter().map(|file| (file.into(), before.clone())).collect(),
            ..Execution::default()
        };
        let temporary = [PathBuf::from(TEMPORARY)];
        let directory = Path::new(root);
        Paths::of(&execution, Origin { program: "p".as_ref(), directory, temporary: &temporary })
    }

    fn place(paths: &Paths, path: &str) -> Option<String> {
        paths.place(Path::new(path)).map(|name| name.display().to_string())
    }

    fn relative(paths: &Paths, text: &str) -> String {
        String::from_utf8(paths.relative(text.as_bytes())).unwrap()
    }

    #[test]
    fn files_below_the_working_directory_need_no_other_directory() {
        let paths = paths("/w/tests", &["/w/tests/a", "/w/tests/d/b"], &[]);
        assert_eq!(paths.directory, "");
        assert_eq!(place(&paths, "/w/tests/d/b"), Some("d/b".into()));
        assert_eq!(place(&paths, "/w/tests"), None);
        assert_eq!(place(&paths, "/etc/passwd"), None);
    }

    #[test]
    fn files_beside_the_working_directory_keep_their_places() {
        let paths = paths("/w/tests/x", &["/w/data/a", "/w/tests/b"], &[]);
        assert_eq!(paths.directory, "tests/x");
        assert_eq!(place(&paths, "/w/data/a"), Some("../../data/a".into()));
        assert_eq!(place(&paths, "/w/tests/b"), Some("../b".into()));
        assert_eq!(relative(&paths, "/w/data/a"), "../../data/a");
        assert_eq!(relative(&paths, "--in=/w/tests/x/c,/w/tests/x"), "--in=c,.");
    }

    #[test]
    fn temporary_directories_get_names_of_their_own() {
        let paths = paths("/w", &["/tmp/t.3fa/d/in", "/tmp/other"], &["-o/tmp/t.3fa/out"]);
        assert_eq!(place(&paths, "/tmp/t.3fa/d/in"), Some("tmp1/d/in".into()));
        assert_eq!(relative(&paths, "-o/tmp/t.3fa/out"), "-otmp1/out");
        assert_eq!(place(&paths, "/tmp/other"), None);
    }

    #[test]
    fn a_temporary_directory_holds_the_files_of_a_test_that_runs_in_it() {
        let paths = paths("/tmp/t.1/run", &["/tmp/t.1/data"], &[]);
        assert_eq!(paths.directory, "run");
        assert_eq!(place(&paths, "/tmp/t.1/data"), Some("../data".into()));
    }

    #[test]
    fn what_holds_the_project_is_never_renamed() {
        let paths = paths_in("/tmp/p", "/tmp/p/w", &["/tmp/p", "/tmp/p/x/in"], &["/tmp/p/w/a"]);
        assert_eq!(relative(&paths, "/tmp/p/w/a"), "a");
        let paths = paths_in("/tmp/p/w", "/tmp/p/w", &["/tmp/p/x/in"], &["/tmp/p/x/in"]);
        assert_eq!(relative(&paths, "/tmp/p/x/in /tmp/p/w/a"), "tmp1/in a");
    }

    #[test]
    fn names_that_only_contain_a_path_stay() {
        let paths = paths("/w", &["/w/a"], &[]);
        for text in ["/wa/b", "/x/w/b", "x/w", "/w.c"] {
            assert_eq!(relative(&paths, text), text);
        }
        assert_eq!(relative(&paths, "/w/a:/w/b /w"), "a:b .");
        assert!(paths.are_named_in(b"in /w, line 3"));
    }
}

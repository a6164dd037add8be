//! The directory a native program runs in: files put in before, files found afterwards.
//!
//! Fresh, and removed with the value. It keeps a program's files together; it is not a security
//! boundary: a program can reach the rest of the machine by absolute names.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use tempfile::TempDir;

use crate::error::SourceError;
use crate::paths::check_name;
use crate::scratch::scratch;

/// A run's directory, and a second one for reports of the sanitizers.
pub(crate) struct Sandbox {
    root: TempDir,
}

/// What a run did to the files of its directory.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub written: Vec<(String, Vec<u8>)>,
    pub removed: Vec<String>,
    /// The program wrote more than the limit.
    pub overflow: bool,
}

impl Sandbox {
    pub fn with(files: &[(String, Vec<u8>)]) -> Result<Self, SourceError> {
        let sandbox = Self { root: scratch()? };
        for path in [sandbox.directory(), sandbox.reports()] {
            fs::create_dir(path)
                .map_err(|cause| SourceError::system("cannot prepare a run's directory", cause))?;
        }
        for (name, bytes) in files {
            check_name(name)?;
            sandbox.put(name, bytes).map_err(|cause| {
                SourceError::system(format!("cannot place `{name}` for a run"), cause)
            })?;
        }
        Ok(sandbox)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.directory().join(name);
        fs::create_dir_all(path.parent().expect("the name is below the directory"))?;
        fs::write(path, bytes)
    }

    /// Where the program runs.
    pub fn directory(&self) -> std::path::PathBuf {
        self.root.path().join("run")
    }

    /// Where sanitizers write, apart from the program's own files.
    pub fn reports(&self) -> std::path::PathBuf {
        self.root.path().join("reports")
    }

    /// Compares the directory with the files put in. Keeps at most `limit` bytes.
    pub fn changes(&self, before: &[(String, Vec<u8>)], limit: u64) -> Changes {
        let mut names = Vec::new();
        list(&self.directory(), "", &mut names);
        names.sort();
        let mut changes = Changes::default();
        let mut left = limit;
        for name in &names {
            let was = before.iter().find(|(n, _)| n == name).map(|(_, b)| b);
            let allowed = left.max(was.map_or(0, |b| b.len() as u64));
            match read_up_to(&self.directory().join(name), allowed) {
                Ok(Some(bytes)) if Some(&bytes) == was => {}
                Ok(Some(bytes)) if bytes.len() as u64 <= left => {
                    left -= bytes.len() as u64;
                    changes.written.push((name.clone(), bytes));
                }
                Ok(_) => changes.overflow = true,
                // A file that its program made unreadable has no content to report.
                Err(_) => {}
            }
        }
        let gone = before.iter().filter(|(name, _)| !names.contains(name));
        changes.removed = gone.map(|(name, _)| name.clone()).collect();
        changes
    }

    /// Everything the sanitizers reported.
    pub fn complaints(&self, limit: u64) -> String {
        let mut names = Vec::new();
        list(&self.reports(), "", &mut names);
        names.sort();
        let mut all = String::new();
        for name in names {
            let Ok(file) = fs::File::open(self.reports().join(name)) else {
                continue;
            };
            let mut bytes = Vec::new();
            // What could be read before an error is still worth reporting.
            let _ = file.take(limit).read_to_end(&mut bytes);
            all.push_str(&String::from_utf8_lossy(&bytes));
        }
        all
    }
}

/// Relative names of all regular files below `directory`. Links are not followed.
fn list(directory: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => list(&entry.path(), &format!("{name}/"), names),
            Ok(kind) if kind.is_file() => names.push(name),
            // Links, pipes and devices have no content of their own.
            Ok(_) | Err(_) => {}
        }
    }
}

/// The file's content, or None if it is longer than `limit`.
fn read_up_to(path: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_changed_and_removed_files_are_told_apart() {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let before = [file("same", "1"), file("dir/changed", "2"), file("gone", "3")];
        let sandbox = Sandbox::with(&before).unwrap();
        let at = |name| sandbox.directory().join(name);
        fs::write(at("dir/changed"), "22").unwrap();
        fs::write(at("new"), "4").unwrap();
        fs::remove_file(at("gone")).unwrap();
        let changes = sandbox.changes(&before, 100);
        let expected = [file("dir/changed", "22"), file("new", "4")];
        assert_eq!(changes.written, expected);
        assert_eq!(changes.removed, ["gone"]);
        assert!(!changes.overflow);
        let tight = sandbox.changes(&before, 2);
        assert!(tight.overflow);
        assert_eq!(tight.written, expected[..1]);
    }
}

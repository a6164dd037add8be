//! Which executed files count as the wanted program.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The directory in which libtool keeps the program that its script starts, and what it writes
/// before the program's name.
const LIBTOOL_DIRECTORY: &str = ".libs";
const LIBTOOL_PREFIX: &[u8] = b"lt-";

/// A program by its base name, or by its path. Libtool's programs count as those of their scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramName {
    name: OsString,
    /// Its directory, if it was named by a path.
    directory: Option<PathBuf>,
}

impl ProgramName {
    /// A relative path is relative to this directory. `None` if it names no file.
    pub fn new(typed: &OsStr, directory: &Path) -> Option<ProgramName> {
        let path = Path::new(typed);
        let name = path.file_name()?.to_owned();
        let is_path = typed.as_bytes().contains(&b'/');
        let above = is_path.then(|| directory.join(path.parent().unwrap_or(Path::new(""))));
        Some(ProgramName { name, directory: above })
    }

    /// The base name.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Whether this executed file, called by this name, is the program.
    pub(super) fn is(&self, file: &Path, called: &OsStr) -> bool {
        let called = Path::new(called).file_name().unwrap_or_default();
        let is_named = |name: &OsStr| without_prefix(name) == self.name;
        match &self.directory {
            None => is_named(file.file_name().unwrap_or_default()) || is_named(called),
            Some(directory) => {
                // The program may have been built after the command was started.
                let real = |path: PathBuf| fs::canonicalize(path).is_ok_and(|path| path == file);
                let libtool = directory.join(LIBTOOL_DIRECTORY);
                let prefixed = [LIBTOOL_PREFIX, self.name.as_bytes()].concat();
                real(directory.join(&self.name))
                    || real(libtool.join(&self.name))
                    || real(libtool.join(OsString::from_vec(prefixed)))
            }
        }
    }
}

fn without_prefix(name: &OsStr) -> &OsStr {
    let bytes = name.as_bytes();
    OsStr::from_bytes(bytes.strip_prefix(LIBTOOL_PREFIX).unwrap_or(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_name_means_the_program_wherever_it_lies_and_whatever_libtool_calls_it() {
        let name = ProgramName::new(OsStr::new("jq"), Path::new("/w")).unwrap();
        for (file, called) in
            [("/a/jq", "jq"), ("/a/.libs/lt-jq", "x"), ("/a/.libs/jq", "x"), ("/a/b", "./jq")]
        {
            assert!(name.is(Path::new(file), OsStr::new(called)), "{file}");
        }
        for (file, called) in [("/a/jqq", "jqq"), ("/bin/sh", "/bin/sh"), ("/a/lt-", "lt-")] {
            assert!(!name.is(Path::new(file), OsStr::new(called)), "{file}");
        }
    }

    #[test]
    fn a_path_means_one_file() {
        let place = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(place.path()).unwrap();
        fs::create_dir_all(real.join("src/.libs")).unwrap();
        for name in ["src/jq", "src/.libs/lt-jq", "jq"] {
            fs::write(real.join(name), "").unwrap();
        }
        let name = ProgramName::new(OsStr::new("src/jq"), &real).unwrap();
        assert!(name.is(&real.join("src/jq"), OsStr::new("anything")));
        assert!(name.is(&real.join("src/.libs/lt-jq"), OsStr::new("jq")));
        assert!(!name.is(&real.join("jq"), OsStr::new("jq")));
    }
}

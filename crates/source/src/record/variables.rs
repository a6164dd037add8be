//! Which environment variables belong to an execution: those that scripts have set, and those that
//! the program may read, because its file has their names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use memchr::memmem;

/// What shells and make set by themselves.
const BY_THEMSELVES: [&str; 9] = [
    "_",
    "PWD",
    "OLDPWD",
    "SHLVL",
    "MAKEFLAGS",
    "MFLAGS",
    "MAKELEVEL",
    "MAKE_TERMOUT",
    "MAKE_TERMERR",
];
/// Variables of the dynamic loader, which is no part of the program.
const OF_THE_LOADER: &[u8] = b"LD_";
const MOST_VARIABLES: usize = 64;
const MOST_BYTES: usize = 4096;

/// Selects variables.
#[derive(Debug)]
pub(super) struct Variables {
    /// Those that the command was started with.
    before: BTreeSet<Vec<u8>>,
    /// Which names are in the file of a program.
    names: BTreeMap<PathBuf, BTreeMap<OsString, bool>>,
}

impl Variables {
    pub fn new(environment: &[(OsString, OsString)]) -> Variables {
        let text = |(name, value): &(OsString, OsString)| {
            [name.as_bytes(), b"=", value.as_bytes()].concat()
        };
        Variables { before: environment.iter().map(text).collect(), names: BTreeMap::new() }
    }

    /// Those of an execution of this file, sorted by name.
    pub fn select(&mut self, file: &Path, all: &[OsString]) -> Vec<(OsString, OsString)> {
        let mut selected = Vec::new();
        for text in all {
            let bytes = text.as_bytes();
            let Some(at) = bytes.iter().position(|&byte| byte == b'=') else { continue };
            let (name, value) = (OsStr::from_bytes(&bytes[..at]), &bytes[at + 1..]);
            if bytes.starts_with(OF_THE_LOADER) || name.is_empty() || value.len() > MOST_BYTES {
                continue;
            }
            let is_usual = BY_THEMSELVES.iter().any(|usual| name == *usual);
            let is_set = !is_usual && !self.before.contains(bytes);
            if name != "_" && (is_set || self.is_named_in(file, name)) {
                selected.push((name.to_owned(), OsStr::from_bytes(value).to_owned()));
            }
        }
        selected.sort();
        selected.truncate(MOST_VARIABLES);
        selected
    }

    fn is_named_in(&mut self, file: &Path, name: &OsStr) -> bool {
        let known = self.names.entry(file.to_owned()).or_default();
        if let Some(&is_named) = known.get(name) {
            return is_named;
        }
        let bytes = fs::read(file).unwrap_or_default();
        let text = [name.as_bytes(), b"\0"].concat();
        // Not as the end of a longer name.
        let begins = |at: usize| at == 0 || !is_of_name(bytes[at - 1]);
        let is_named = memmem::find_iter(&bytes, &text).any(begins);
        known.insert(name.to_owned(), is_named);
        is_named
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_scripts_and_of_the_program_are_selected() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("program");
        fs::write(&file, b"\x7fELF..\0MY_PATH\0HOME\0").unwrap();
        let pair = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
        let before = [pair("HOME", "/h"), pair("PATH", "/bin"), pair("CHANGED", "1")];
        let mut variables = Variables::new(&before);
        let all = ["HOME=/h", "PATH=/bin", "CHANGED=2", "SHLVL=3", "LD_X=1", "NEW=", "junk"];
        let selected = variables.select(&file, &all.map(OsString::from));
        assert_eq!(selected, [pair("CHANGED", "2"), pair("HOME", "/h"), pair("NEW", "")]);
    }
}

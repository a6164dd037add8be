//! A directory of files as tests, one a file, as fuzzers leave them.
//!
//! A file is the standard input of its test, or the one file that the flags declare. Arguments are
//! those that the flags declare as fixed texts. Of AFL's output directory, the files are those of
//! `queue`. Hidden files, `README.txt` and sub-directories do not count.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::{Atom, Flags, Input, Test};

/// The most files, and bytes of one file, that are read.
const MOST_FILES: usize = 100_000;
const MOST_BYTES: u64 = 1 << 20;
/// Where AFL keeps its inputs, below its output directory.
const OF_AFL: [&str; 2] = ["queue", "default/queue"];
/// What AFL writes beside the inputs that it found.
const NOTE_OF_AFL: &str = "README.txt";

/// Reads the files of a directory, sorted by name.
pub fn read_corpus(directory: &Path, flags: &Flags) -> Result<Vec<Test>, Error> {
    let declared = flags.texts()?;
    let unfit = |cause| Error::Corpus { path: directory.to_owned(), cause };
    let file = match declared.files.as_slice() {
        [] => None,
        [(name, _)] => Some(name),
        _ => return Err(unfit("its files are tests, so at most one --file can be declared")),
    };
    let args = declared.args.iter().map(|atom| match atom {
        Atom::Literal(text) => Ok(text.clone()),
        _ => Err(unfit("its files are tests, so arguments must be declared as --arg =TEXT")),
    });
    let args: Vec<Vec<u8>> = args.collect::<Result<_, _>>()?;
    let queue = OF_AFL.map(|name| directory.join(name)).into_iter().find(|path| path.is_dir());
    let mut tests = Vec::new();
    for path in files(&queue.unwrap_or_else(|| directory.to_owned()))? {
        let unreadable = |cause| Error::Unreadable { path: path.clone(), cause };
        if fs::metadata(&path).map_err(unreadable)?.len() > MOST_BYTES {
            return Err(Error::Corpus {
                path,
                cause: "a test has at most 1 MiB; remove this file",
            });
        }
        let bytes = fs::read(&path).map_err(unreadable)?;
        let mut input = Input { args: args.clone(), ..Input::default() };
        match file {
            Some(name) => input.files.push((name.clone(), bytes)),
            None => input.stdin = bytes,
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        tests.push(Test { name, input, ..Test::default() });
    }
    if tests.is_empty() { Err(Error::NoTests { path: directory.to_owned() }) } else { Ok(tests) }
}

fn files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |cause| Error::Unreadable { path: directory.to_owned(), cause };
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        if path.is_file() && !name.starts_with(b".") && name != NOTE_OF_AFL.as_bytes() {
            files.push(path);
        }
        if files.len() > MOST_FILES {
            let cause = "a corpus has at most 100,000 files";
            return Err(Error::Corpus { path: directory.to_owned(), cause });
        }
    }
    files.sort();
    Ok(files)
}

//! `cargo xtask tidy`: the rules of the source tree that a compiler does not check.
//!
//! Every rule checks the whole tree and reports all violations with file and line. Rules about code
//! itself are lints in the workspace manifest, not here.

mod book;
mod code;
mod dependencies;
mod links;
mod modules;
mod text;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

/// Directories without files of ours.
const SKIPPED: [&str; 4] = ["target", ".git", "corpus", "artifacts"];
/// The prefix of output directories, including rotated ones.
const OUTPUT: &str = "ripple.out";

/// Required files.
const REQUIRED: [&str; 9] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "demo",
    "check",
    ".ci/run",
];

/// A violation of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    pub path: PathBuf,
    /// Counted from 1; 0 for the file as a whole.
    pub line: usize,
    pub message: String,
}

impl Violation {
    fn of(file: &File, line: usize, message: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
        }
        write!(f, " {}", self.message)
    }
}

/// A text file of the tree.
pub struct File {
    /// Relative to the root.
    pub path: PathBuf,
    pub text: String,
}

impl File {
    fn has_extension(&self, extension: &str) -> bool {
        self.path.extension().is_some_and(|e| e == extension)
    }

    fn lies_in(&self, directory: &str) -> bool {
        let mut parents = self.path.iter();
        parents.next_back();
        parents.any(|part| part == directory)
    }
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    if let Some(option) = options.first() {
        bail!("`tidy` takes no options, but was given `{option}`");
    }
    let files = read_tree(root)?;
    let mut violations = Vec::new();
    violations.extend(missing_files(root));
    violations.extend(dependencies::check(&files)?);
    violations.extend(modules::check(&files));
    violations.extend(code::check(&files));
    violations.extend(files.iter().flat_map(text::check));
    violations.extend(links::check(root, &files));
    violations.extend(book::check(&files));
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    if violations.is_empty() {
        println!("tidy: {} files, no violations", files.len());
        return Ok(ExitCode::SUCCESS);
    }
    println!("tidy: rules broken: {}", violations.len());
    Ok(ExitCode::FAILURE)
}

fn missing_files(root: &Path) -> impl Iterator<Item = Violation> {
    let missing = REQUIRED.iter().filter(|name| !root.join(name).is_file());
    missing.map(|name| Violation {
        path: PathBuf::from(name),
        line: 0,
        message: "must exist".to_owned(),
    })
}

/// All text files below the root, by name.
fn read_tree(root: &Path) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot list `{}`", directory.display()))?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() {
                if !SKIPPED.contains(&&*name) && !name.starts_with(OUTPUT) {
                    waiting.push(entry.path());
                }
            } else if kind.is_file()
                && let Ok(text) = String::from_utf8(fs::read(entry.path())?)
            {
                let path = entry.path().strip_prefix(root)?.to_owned();
                files.push(File { path, text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

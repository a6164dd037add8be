//! Runs a command and records every execution of one program, at whatever depth: what the program
//! was started with, what it read, and what it wrote.
//!
//! From the system calls of that program's processes. Files are kept as they were before the program
//! touched them. What the program did to files is not recorded, and neither are files of the system.
//! The command runs unchanged; its output goes where it would go without us.

mod calls;
mod files;
mod program;
mod room;
mod streams;
mod variables;
mod watch;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use self::files::{Content, FileBefore};
pub use self::program::ProgramName;

use self::watch::Watch;
use crate::end::End;
use crate::follow::{Follow, Refusal};

/// A command whose executions of a program are recorded.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The file to execute.
    pub command: &'a Path,
    /// With the name of the command first.
    pub arguments: &'a [OsString],
    /// The whole environment.
    pub environment: &'a [(OsString, OsString)],
    pub directory: &'a Path,
    /// Whose executions are wanted.
    pub program: &'a ProgramName,
    /// Where the output of the command goes, if not where ours does. Then it has no input.
    pub output: Option<&'a File>,
    pub limits: RecordLimits,
}

/// How much is kept, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLimits {
    /// Of one file, and of each standard stream.
    pub file: usize,
    /// Of one execution.
    pub execution: usize,
    /// Of all executions.
    pub all: usize,
}

impl Default for RecordLimits {
    fn default() -> RecordLimits {
        RecordLimits { file: 1 << 20, execution: 4 << 20, all: 256 << 20 }
    }
}

/// What happened while a command ran.
#[derive(Clone, Debug)]
pub struct Executions {
    /// In the order in which each parent started its children, whatever ran at the same time.
    pub executions: Vec<Execution>,
    pub end: End,
    /// How often each program was executed, by its name.
    pub programs: BTreeMap<String, usize>,
}

/// One execution of the program.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The script that started it, if one did.
    pub script: Option<PathBuf>,
    /// With the name of the program first.
    pub arguments: Vec<OsString>,
    /// Variables that the scripts have set or that the program may read.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory at the start.
    pub directory: PathBuf,
    /// As much as it could have read of a file, and as much as it has read of anything else.
    pub stdin: Vec<u8>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files and directories that it has opened or asked for, by absolute path.
    pub files: BTreeMap<PathBuf, FileBefore>,
    /// `None` if it was still running when the command ended.
    pub end: Option<End>,
    /// Why this is less than the whole execution.
    pub flaws: Vec<Flaw>,
}

/// What an execution did that is not recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Flaw {
    /// A file with more bytes than are kept.
    #[error("`{}` is too large", .0.display())]
    LargeFile(PathBuf),
    #[error("standard input is too large")]
    LargeInput,
    #[error("the output is too large")]
    LargeOutput,
    /// All of its files and streams together have more bytes than are kept.
    #[error("files and output together are too large")]
    Large,
    /// The limit of all executions was reached before.
    #[error("the recording has reached its maximum size")]
    NoRoom,
    /// It started another program.
    #[error("it executes `{0}`")]
    Executes(String),
    /// It opened what is neither a file nor a directory.
    #[error("`{}` is neither a file nor a directory", .0.display())]
    Special(PathBuf),
    /// Output went from a pipe to another without passing through the program.
    #[error("some of its output was copied by the kernel")]
    Spliced,
}

impl Flaw {
    /// Whether nothing of use was recorded.
    pub fn is_fatal(&self) -> bool {
        !matches!(self, Flaw::Executes(_) | Flaw::Special(_) | Flaw::Spliced)
    }
}

impl Execution {
    fn add(&mut self, flaw: Flaw) {
        if !self.flaws.contains(&flaw) {
            self.flaws.push(flaw);
        }
    }
}

impl Record<'_> {
    /// Runs the command to its end.
    pub fn run(&self) -> Result<Executions, Refusal> {
        let mut watch = Watch::new(self);
        let follow = Follow {
            program: self.command,
            arguments: self.arguments,
            environment: self.environment,
            directory: self.directory,
            output: self.output,
            containment: None,
            calls: &calls::numbers(),
        };
        let end = follow.run(&mut watch)?;
        Ok(watch.recording(end))
    }
}

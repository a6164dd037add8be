//! What the C library and the system remember of one process.

use crate::libc::clock::{Clock, Time};
use crate::libc::format::FormatCache;
use crate::libc::vfs::{self, InitialContent, InitialFile, Setup, Vfs};

/// What a program is run with.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// All arguments, the program's name first.
    pub args: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    /// Files in the working directory, by name.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
    /// `NAME=value` each.
    pub env: Vec<Vec<u8>>,
    /// Seconds since 1970 at the start; `None` is the default of the virtual clock.
    pub time: Option<i64>,
}

/// A function to be called when the program exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitHandler {
    pub function: u64,
    pub argument: u64,
    pub kind: ExitHandlerKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitHandlerKind {
    /// No arguments.
    Plain,
    /// The argument.
    WithArgument,
    /// The exit code and the argument.
    WithCode,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub vfs: Vfs,
    /// Address of `errno`.
    pub errno: u64,
    /// `argc`, `argv`, `envp`.
    pub arguments: [u64; 3],
    /// Run from the last to the first.
    pub exit_handlers: Vec<ExitHandler>,
    pub destructors_run: usize,
    /// How much of standard output and standard error an observer has seen.
    pub shown: [usize; 2],
    /// Parsed formats of the printf family.
    pub formats: FormatCache,
}

impl Process {
    pub fn new(input: &Input, limits: crate::state::Limits) -> Process {
        let files = input.files.iter().map(|(name, bytes)| InitialFile {
            path: name.clone(),
            content: InitialContent::File(bytes.clone().into()),
            mode: 0o644,
        });
        let clock = input
            .time
            .map_or_else(Clock::default, |seconds| Clock::starting_at(Time::from_seconds(seconds)));
        let setup = Setup {
            stdin: input.stdin.clone(),
            files: files.collect(),
            clock,
            limits: vfs::Limits { output: limits.output, files: limits.output },
            ..Setup::default()
        };
        Process {
            // Initial files that contradict each other leave an empty file system.
            vfs: Vfs::new(&setup).or_else(|_| Vfs::new(&Setup::default())).expect("an empty tree"),
            errno: 0,
            arguments: [0; 3],
            exit_handlers: Vec::new(),
            destructors_run: 0,
            shown: [0; 2],
            formats: FormatCache::default(),
        }
    }
}

impl crate::state::State {
    pub fn flush_all(&mut self) -> Result<(), crate::shims::Trouble> {
        Ok(())
    }
    pub fn place_streams(
        &mut self,
        _p: &crate::program::Program,
    ) -> Result<(), crate::stop::Bound> {
        Ok(())
    }
    pub fn write_stream(
        &mut self,
        _s: Option<u64>,
        bytes: &[u8],
    ) -> Result<bool, crate::shims::Trouble> {
        Ok(self.process.vfs.write(1, bytes).is_ok())
    }
}

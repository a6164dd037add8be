//! The state that the C library and the system keep for one process.

mod files;
pub(crate) mod kernel;

pub use files::Files;
pub use kernel::Kernel;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::libc::clock::{Clock, Time};
use crate::libc::format::{Format, FormatCache, Output};
use crate::libc::stream::Streams;
use crate::libc::vfs::{self, InitialContent, InitialFile, Setup, Vfs};
use crate::shadow::Operand;
use crate::stop::Limits;

/// The input of a program.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// All arguments, the program's name first.
    pub args: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    /// Files in the working directory, by name.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
    pub place: Place,
    /// `NAME=value` each.
    pub env: Vec<Vec<u8>>,
    /// Seconds since 1970 at the start; `None` is the default of the virtual clock.
    pub time: Option<i64>,
}

/// Where a program runs, besides its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The working directory, relative to the home directory. Names of files may leave it.
    pub directory: Vec<u8>,
    /// Directories that exist even if no file is in them.
    pub directories: Vec<Vec<u8>>,
    /// Permission bits of files that do not have the usual ones.
    pub modes: Vec<(Vec<u8>, u32)>,
}

impl Place {
    /// A name that is relative to the working directory, relative to the home directory.
    fn below_home(&self, name: &[u8]) -> Vec<u8> {
        if self.directory.is_empty() || name.starts_with(b"/") {
            return name.to_vec();
        }
        [&self.directory, &b"/"[..], name].concat()
    }

    fn mode(&self, name: &[u8]) -> u32 {
        let mode = self.modes.iter().find(|(known, _)| known == name).map(|(_, mode)| *mode);
        mode.unwrap_or(0o644)
    }
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

/// The files of a process before it runs, for the next run with the same ones.
#[derive(Debug)]
struct Beginning {
    files: Vec<(Vec<u8>, Vec<u8>)>,
    place: Place,
    time: Option<i64>,
    vfs: Vfs,
}

impl Beginning {
    fn is_of(&self, input: &Input) -> bool {
        self.files == input.files && self.place == input.place && self.time == input.time
    }
}

#[derive(Clone, Debug)]
pub struct Process {
    pub vfs: Vfs,
    beginning: Arc<Beginning>,
    pub streams: Streams,
    /// The program's `FILE` objects.
    pub files: Files,
    /// The program's name without directories.
    pub short_name: Vec<u8>,
    /// Address of `errno`.
    pub errno: u64,
    /// The arguments of the entry: `argc`, `argv`, `envp`, unless it is another function than
    /// `main`.
    pub arguments: SmallVec<[Operand; 3]>,
    /// Run from the last to the first.
    pub exit_handlers: Vec<ExitHandler>,
    pub destructors_run: usize,
    /// State of the system besides files.
    pub kernel: Kernel,
    /// How much of standard output and standard error an observer has seen.
    pub shown: [usize; 2],
    /// Parsed formats of the printf family.
    pub formats: FormatCache,
    /// Formatted output of the printf family, recorded on request.
    pub(crate) printed: Option<Vec<Printed>>,
    /// Arguments that are the decimal text of an integer.
    pub integers: Vec<IntegerText>,
    /// Parts of files that are the decimal text of an integer.
    pub file_integers: Vec<IntegerPart>,
}

/// A part of a file that was declared as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerPart {
    /// The number of the file's node.
    pub node: u32,
    pub offset: u64,
    /// How many characters it has.
    pub length: u64,
    pub value: i64,
}

/// An argument that was declared as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerText {
    /// Where its text starts.
    pub address: u64,
    /// How many characters it has.
    pub length: u64,
    pub value: i64,
}

/// The output of one call of the printf family.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
    pub format: Arc<Format>,
    pub output: Output,
    /// Where the variable arguments were, in the order in which they were read.
    pub places: Vec<ArgumentPlace>,
}

/// Where a variable argument was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentPlace {
    /// The register of that number among those of the call's arguments.
    Call(usize),
    /// Memory.
    Memory(u64),
}

impl Process {
    /// Resets it for another input.
    pub fn restart(&mut self, input: &Input, limits: Limits) {
        if !self.beginning.is_of(input) {
            let formats = std::mem::take(&mut self.formats);
            *self = Process { formats, ..Process::new(input, limits) };
            return;
        }
        // Destructured, so that no part can be forgotten.
        let Process {
            vfs,
            beginning,
            streams,
            files,
            short_name,
            errno,
            arguments,
            exit_handlers,
            destructors_run,
            kernel,
            shown,
            formats: _,
            printed,
            integers,
            file_integers,
        } = self;
        vfs.restart(&beginning.vfs, input.stdin.clone());
        *streams = Streams::default();
        *files = Files::default();
        short_name.clear();
        short_name.extend_from_slice(self::short_name(input));
        *errno = 0;
        arguments.clear();
        exit_handlers.clear();
        *destructors_run = 0;
        *kernel = Kernel::default();
        *shown = [0; 2];
        *printed = None;
        integers.clear();
        file_integers.clear();
    }

    /// Whether a program that continues from here can distinguish this process from another.
    pub(crate) fn is_like(&self, other: &Process) -> bool {
        // Destructured, so that no part can be forgotten.
        let Process {
            vfs,
            beginning: _,
            streams,
            files,
            short_name,
            errno,
            arguments: _,
            exit_handlers,
            destructors_run,
            kernel,
            shown: _,
            formats: _,
            printed: _,
            integers: _,
            file_integers: _,
        } = self;
        vfs.is_like(&other.vfs)
            && *streams == other.streams
            && *files == other.files
            && *short_name == other.short_name
            && (*errno, *destructors_run) == (other.errno, other.destructors_run)
            && *exit_handlers == other.exit_handlers
            && *kernel == other.kernel
    }

    pub fn new(input: &Input, limits: Limits) -> Process {
        let place = &input.place;
        let directories = place.directories.iter().map(|name| name.as_slice());
        let directories = [&b"."[..]].into_iter().chain(directories).map(|name| InitialFile {
            path: place.below_home(name),
            content: InitialContent::Directory,
            mode: 0o755,
        });
        let files = input.files.iter().map(|(name, bytes)| InitialFile {
            path: place.below_home(name),
            content: InitialContent::File(bytes.clone().into()),
            mode: place.mode(name),
        });
        let clock = input
            .time
            .map_or_else(Clock::default, |seconds| Clock::starting_at(Time::from_seconds(seconds)));
        let setup = Setup {
            files: directories.chain(files).collect(),
            clock,
            limits: vfs::Limits { output: limits.output, files: limits.output },
            ..Setup::default()
        };
        // Contradictory initial files leave an empty file system.
        let mut vfs =
            Vfs::new(&setup).or_else(|_| Vfs::new(&Setup::default())).expect("an empty tree");
        if !place.directory.is_empty() {
            // It is missing only from the empty tree.
            let _ = vfs.change_directory(&place.directory);
        }
        let beginning = Beginning {
            files: input.files.clone(),
            place: input.place.clone(),
            time: input.time,
            vfs,
        };
        Process::begin(Arc::new(beginning), input)
    }

    fn begin(beginning: Arc<Beginning>, input: &Input) -> Process {
        let mut vfs = beginning.vfs.clone();
        vfs.set_stdin(input.stdin.clone());
        Process {
            vfs,
            beginning,
            streams: Streams::default(),
            files: Files::default(),
            short_name: short_name(input).to_vec(),
            errno: 0,
            arguments: SmallVec::new(),
            exit_handlers: Vec::new(),
            destructors_run: 0,
            kernel: Kernel::default(),
            shown: [0; 2],
            formats: FormatCache::default(),
            printed: None,
            integers: Vec::new(),
            file_integers: Vec::new(),
        }
    }
}

fn short_name(input: &Input) -> &[u8] {
    let name = input.args.first().map_or(&[][..], |name| name);
    name.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}

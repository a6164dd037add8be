//! Follows the processes of the program from call to call.
//!
//! A process that the program forks belongs to the same execution until it executes something else.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::calls::{At, Kind, kind};
use super::files::{absolute, keep};
use super::room::Room;
use super::streams::{Stream, Streams};
use super::variables::Variables;
use super::{Execution, Executions, Flaw, ProgramName, Record};
use crate::end::End;
use crate::follow::{Attention, Call, Process, ProcessId, Watcher};

/// What runs scripts.
const INTERPRETERS: [&str; 12] = [
    "sh", "dash", "bash", "ash", "ksh", "zsh", "mksh", "busybox", "perl", "ruby", "tclsh", "expect",
];
/// The most buffers of one call, as in the kernel.
const MOST_PARTS: u64 = 1024;

pub(super) struct Watch<'a> {
    program: &'a ProgramName,
    directory: &'a Path,
    variables: Variables,
    room: Room,
    processes: BTreeMap<ProcessId, Live>,
    executions: Vec<Kept>,
    programs: BTreeMap<String, usize>,
}

/// A process that runs.
#[derive(Clone, Debug, Default)]
struct Live {
    /// The execution that it belongs to.
    execution: Option<usize>,
    /// The executions that end with it: also one that went on as another program.
    owned: Vec<usize>,
    streams: Streams,
    script: Option<PathBuf>,
    /// The number of its children, of its parent among its siblings, and so on.
    place: Vec<u32>,
    children: u32,
}

struct Kept {
    execution: Execution,
    /// Where it is among the processes: behind the children that its process had before.
    place: (Vec<u32>, usize),
    used: usize,
    /// Whether standard input is a file that was read as a whole.
    has_input: bool,
}

impl<'a> Watch<'a> {
    pub fn new(record: &Record<'a>) -> Watch<'a> {
        Watch {
            program: record.program,
            directory: record.directory,
            variables: Variables::new(record.environment),
            room: Room::new(record.limits),
            processes: BTreeMap::new(),
            executions: Vec::new(),
            programs: BTreeMap::new(),
        }
    }

    pub fn recording(mut self, end: End) -> Executions {
        self.executions.sort_by(|one, other| one.place.cmp(&other.place));
        let executions = self.executions.into_iter().map(|kept| kept.execution).collect();
        Executions { executions, end, programs: self.programs }
    }

    fn begin(&mut self, process: &Process<'_>, file: &Path, arguments: Vec<OsString>) {
        let environment = self.variables.select(file, &process.environment());
        let index = self.executions.len();
        let live = self.processes.entry(process.id).or_default();
        live.execution = Some(index);
        live.owned.push(index);
        live.streams = Streams::standard();
        let execution = Execution {
            script: live.script.clone(),
            arguments,
            environment,
            directory: process.directory(),
            ..Execution::default()
        };
        let mut place = live.place.clone();
        place.extend([live.children, u32::MAX]);
        let place = (place, index);
        self.executions.push(Kept { execution, place, used: 0, has_input: false });
    }

    /// The execution of a process, with what its descriptors are.
    fn of(&mut self, process: &Process<'_>) -> Option<(&mut Kept, &mut Live, &mut Room)> {
        let live = self.processes.get_mut(&process.id)?;
        let kept = self.executions.get_mut(live.execution?)?;
        Some((kept, live, &mut self.room))
    }

    /// Keeps the file of a call as it is before it. Returns the stream that the path names.
    fn touch(&mut self, process: &Process<'_>, call: &Call, at: At, opens: bool) -> Option<Stream> {
        let (kept, live, room) = self.of(process)?;
        let named = process.text(call.arguments[at.path])?;
        if let Some(stream) = live.streams.named(named.as_bytes()) {
            return Some(stream);
        }
        // An empty path means the descriptor itself.
        if named.is_empty() {
            return None;
        }
        let directory = match at.directory.map(|index| call.arguments[index] as i32) {
            Some(descriptor) if descriptor != libc::AT_FDCWD => process.descriptor(descriptor)?,
            Some(_) | None => process.directory(),
        };
        let path = absolute(&directory, &named);
        keep(&mut kept.execution, &mut kept.used, room, &path, opens);
        None
    }

    /// Standard input is about to be read. Returns whether what is read must be collected.
    fn reads_input(&mut self, process: &Process<'_>, descriptor: i32) -> bool {
        let Some((kept, live, room)) = self.of(process) else { return false };
        if live.streams.of(descriptor) != Some(Stream::Input) || kept.has_input {
            return false;
        }
        let file = process.reopen_if_file(descriptor);
        let Some((file, position)) = file else { return true };
        kept.has_input = true;
        let (bytes, is_whole) = read_from(&file, position, room.of_a_file());
        if !is_whole {
            kept.execution.add(Flaw::LargeInput);
        } else if room.take(&mut kept.execution, &mut kept.used, bytes.len()) {
            kept.execution.stdin = bytes;
        }
        false
    }

    /// Whether a call writes to standard output or standard error.
    fn writes(&mut self, process: &Process<'_>, descriptor: i32) -> bool {
        let stream = self.of(process).and_then(|(_, live, _)| live.streams.of(descriptor));
        matches!(stream, Some(Stream::Output | Stream::Error))
    }

    /// Bytes went through a stream.
    fn went(&mut self, process: &Process<'_>, descriptor: i32, bytes: &[u8]) {
        let Some((kept, live, room)) = self.of(process) else { return };
        let Some(stream) = live.streams.of(descriptor) else { return };
        let most = room.of_a_file();
        let execution = &mut kept.execution;
        let (collected, flaw) = match stream {
            Stream::Input => (&mut execution.stdin, Flaw::LargeInput),
            Stream::Output => (&mut execution.stdout, Flaw::LargeOutput),
            Stream::Error => (&mut execution.stderr, Flaw::LargeOutput),
        };
        if collected.len() + bytes.len() > most {
            execution.add(flaw);
            return;
        }
        if room.take(execution, &mut kept.used, bytes.len()) {
            let collected = match stream {
                Stream::Input => &mut execution.stdin,
                Stream::Output => &mut execution.stdout,
                Stream::Error => &mut execution.stderr,
            };
            collected.extend_from_slice(bytes);
        }
    }

    /// Bytes that the kernel copied from a file to a stream.
    fn copied(
        &mut self,
        process: &Process<'_>,
        call: &Call,
        places: (usize, usize, usize),
        count: usize,
    ) {
        let (from, to, offset) = places;
        let [from, to] = [from, to].map(|index| call.arguments[index] as i32);
        let address = call.arguments[offset];
        let after = if address == 0 {
            process.position(from)
        } else {
            <[u8; 8]>::try_from(process.bytes(address, 8)).ok().map(u64::from_ne_bytes)
        };
        let mut bytes = vec![0; count];
        let start = after.and_then(|after| after.checked_sub(count as u64));
        let read = start
            .and_then(|start| process.reopen(from).ok()?.read_exact_at(&mut bytes, start).ok());
        match read {
            Some(()) => self.went(process, to, &bytes),
            None => {
                if let Some((kept, ..)) = self.of(process) {
                    kept.execution.add(Flaw::Spliced);
                }
            }
        }
    }
}

impl Watcher for Watch<'_> {
    fn started(&mut self, process: ProcessId, parent: ProcessId) {
        let parent = self.processes.entry(parent).or_default();
        parent.children += 1;
        let mut live = Live { owned: Vec::new(), children: 0, ..parent.clone() };
        live.place.push(parent.children);
        self.processes.insert(process, live);
    }

    fn executed(&mut self, process: &Process<'_>) -> Attention {
        let (file, arguments) = (process.program(), process.arguments());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        *self.programs.entry(name.clone()).or_default() += 1;
        let called = arguments.first().map(OsString::as_os_str).unwrap_or_default();
        let is_wanted = self.program.is(&file, called);
        if let Some((kept, live, _)) = self.of(process) {
            kept.execution.add(Flaw::Executes(name.clone()));
            live.execution = None;
        }
        if is_wanted {
            self.begin(process, &file, arguments);
            return Attention::Calls;
        }
        if let Some(script) = script(&name, &arguments) {
            let path = absolute(&process.directory(), script);
            if path.is_file() {
                let path = path.strip_prefix(self.directory).map(Path::to_owned).unwrap_or(path);
                self.processes.entry(process.id).or_default().script = Some(path);
            }
        }
        Attention::Programs
    }

    fn calling(&mut self, process: &Process<'_>, call: &Call) -> bool {
        let Some(kind) = kind(call.number) else { return false };
        let descriptor = call.arguments[0] as i32;
        match kind {
            Kind::Open(at) => self.touch(process, call, at, true).is_some(),
            Kind::Touch(at) => {
                self.touch(process, call, at, false);
                false
            }
            Kind::TouchBoth(one, other) => {
                self.touch(process, call, one, false);
                self.touch(process, call, other, false);
                false
            }
            Kind::Read | Kind::ReadParts => self.reads_input(process, descriptor),
            Kind::Write | Kind::WriteParts => self.writes(process, descriptor),
            Kind::Copy { from, to, .. } => {
                self.reads_input(process, call.arguments[from] as i32);
                self.writes(process, call.arguments[to] as i32)
            }
            Kind::Splice { to } => self.writes(process, call.arguments[to] as i32),
            Kind::Use(index) => {
                self.reads_input(process, call.arguments[index] as i32);
                false
            }
            Kind::Duplicate | Kind::Control => true,
            Kind::Close | Kind::CloseRange => {
                let (first, last) = (call.arguments[0] as u32, call.arguments[1] as u32);
                let last = if kind == Kind::Close { first } else { last };
                if let Some((_, live, _)) = self.of(process) {
                    live.streams.close(first, last);
                }
                false
            }
        }
    }

    fn called(&mut self, process: &Process<'_>, call: &Call, result: i64) {
        let (Some(kind), Ok(count)) = (kind(call.number), usize::try_from(result)) else { return };
        let descriptor = call.arguments[0] as i32;
        match kind {
            Kind::Open(at) => {
                let stream = self.touch(process, call, at, true);
                if let Some((_, live, _)) = self.of(process) {
                    live.streams.set(result as i32, stream);
                }
            }
            Kind::Read | Kind::Write => {
                let bytes = process.bytes(call.arguments[1], count);
                self.went(process, descriptor, &bytes);
            }
            Kind::ReadParts | Kind::WriteParts => {
                let bytes = parts(process, call, count);
                self.went(process, descriptor, &bytes);
            }
            Kind::Copy { from, to, offset } => {
                self.copied(process, call, (from, to, offset), count);
            }
            Kind::Splice { .. } => {
                if let Some((kept, ..)) = self.of(process) {
                    kept.execution.add(Flaw::Spliced);
                }
            }
            Kind::Duplicate => self.duplicated(process, descriptor, result as i32),
            Kind::Control => {
                let command = call.arguments[1] as i32;
                if matches!(command, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) {
                    self.duplicated(process, descriptor, result as i32);
                }
            }
            Kind::Touch(_)
            | Kind::TouchBoth(..)
            | Kind::Close
            | Kind::CloseRange
            | Kind::Use(_) => {}
        }
    }

    fn ended(&mut self, process: ProcessId, end: End) {
        let Some(live) = self.processes.remove(&process) else { return };
        for index in live.owned {
            self.executions[index].execution.end = Some(end);
        }
    }
}

impl Watch<'_> {
    fn duplicated(&mut self, process: &Process<'_>, descriptor: i32, copy: i32) {
        if let Some((_, live, _)) = self.of(process)
            && descriptor != copy
        {
            let stream = live.streams.of(descriptor);
            live.streams.set(copy, stream);
        }
    }
}

/// The bytes that a call has read into, or written from, a list of buffers.
fn parts(process: &Process<'_>, call: &Call, count: usize) -> Vec<u8> {
    let number = call.arguments[2].min(MOST_PARTS) as usize;
    let list = process.bytes(call.arguments[1], number * 16);
    let mut bytes = Vec::with_capacity(count);
    for part in list.chunks_exact(16) {
        let word = |at: usize| <[u8; 8]>::try_from(&part[at..at + 8]).map_or(0, u64::from_ne_bytes);
        let length = (count - bytes.len()).min(word(8) as usize);
        bytes.extend(process.bytes(word(0), length));
    }
    bytes
}

/// The rest of a file, and whether it has no more bytes than are kept.
fn read_from(file: &std::fs::File, position: u64, most: usize) -> (Vec<u8>, bool) {
    use std::io::{Read, Seek, SeekFrom};
    let (mut file, mut bytes) = (file, Vec::new());
    let read = file
        .seek(SeekFrom::Start(position))
        .and_then(|_| file.take(most as u64 + 1).read_to_end(&mut bytes));
    let is_whole = read.is_ok() && bytes.len() <= most;
    (bytes, is_whole)
}

/// The script that an interpreter runs.
fn script<'a>(interpreter: &str, arguments: &'a [OsString]) -> Option<&'a OsStr> {
    let is_interpreter = INTERPRETERS.contains(&interpreter) || interpreter.starts_with("python");
    let mut rest = arguments.iter().skip(1).filter(|_| is_interpreter);
    let first =
        rest.find(|argument| !argument.as_bytes().starts_with(b"-") || *argument == "-c")?;
    (first != "-c" && !is_command(arguments)).then_some(first.as_os_str())
}

/// Whether the text to run is an argument: `-c`, also among other letters.
fn is_command(arguments: &[OsString]) -> bool {
    let options = arguments.iter().skip(1).map(|argument| argument.as_bytes());
    let mut options = options.take_while(|argument| argument.starts_with(b"-"));
    options.any(|option| !option.starts_with(b"--") && option.contains(&b'c'))
}

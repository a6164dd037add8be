//! One run of a native program under limits.
//!
//! The program gets a fresh directory, only the given environment, its own process group, and
//! resource limits. One loop feeds and drains its pipes, so that neither side can block the other;
//! when the program ends or exceeds a limit, the whole group is killed. Standard input is a pipe.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, Resource, Signal, WaitStatus, kill_process_group, pidfd_open,
};

use crate::end::End;
use crate::error::SourceError;
use crate::native::{NativeProgram, stubs};
use crate::sandbox::Sandbox;
use crate::spawn::{Start, Started, wait};

/// The stack every program gets, whatever the caller's own limit is.
const STACK: u64 = 8 << 20;
/// How long to wait for the last output of a group that was killed.
const GRACE: Duration = Duration::from_millis(200);
/// How long a run continues before the first check whether it is still wanted.
const LONGEST_TURN: Duration = Duration::from_millis(50);
const SIGXFSZ: i32 = 25;

/// What a program is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The name the program sees as its own, `argv[0]`.
    pub arg0: String,
    /// The arguments after it; any bytes except zeros.
    pub args: Vec<OsString>,
    pub stdin: Vec<u8>,
    /// Names relative to the run's directory, and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// In addition to `LC_ALL=C` and `TZ=UTC`, which it may replace.
    pub env: Vec<(String, String)>,
}

impl Default for Invocation {
    fn default() -> Self {
        Self {
            arg0: "program".to_owned(),
            args: Vec::new(),
            stdin: Vec::new(),
            files: Vec::new(),
            env: Vec::new(),
        }
    }
}

/// What a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    /// Bytes of address space; not applied to sanitized programs, which reserve terabytes.
    pub memory: u64,
    /// Bytes of standard output and error together, and again of files written.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory: 2 << 30, output: 64 << 20 }
    }
}

/// What a run did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeRun {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files of its directory that are new or changed, by name.
    pub written: Vec<(String, Vec<u8>)>,
    /// Given files that the program removed.
    pub removed: Vec<String>,
    /// What the sanitizers reported; empty if the program has none or did nothing undefined.
    pub sanitizer: String,
    /// From start to end of the process.
    pub duration: Duration,
}

/// Runs the program once. Hitting a limit is an outcome, not an error.
pub fn run_native(
    program: &NativeProgram,
    invocation: &Invocation,
    limits: &Limits,
) -> Result<NativeRun, SourceError> {
    run_native_while(program, invocation, limits, &|| true)
}

/// The same for a run that may take long: it is abandoned, as if its time were up, as soon as it is
/// not wanted any more.
pub fn run_native_while(
    program: &NativeProgram,
    invocation: &Invocation,
    limits: &Limits,
    is_wanted: &dyn Fn() -> bool,
) -> Result<NativeRun, SourceError> {
    let sandbox = Sandbox::with(&invocation.files)?;
    let start_of = start_of(program, invocation, limits, &sandbox);
    let failed = |cause| {
        let doing = format!("cannot run `{}`", program.path.display());
        SourceError::system(doing, cause)
    };
    let start = Instant::now();
    let (running, mut pipes) =
        Running::start(&start_of, &invocation.stdin, limits.output).map_err(failed)?;
    pipes.make_nonblocking().map_err(failed)?;
    let pause = watch(&running, &mut pipes, start + limits.time, is_wanted).map_err(failed)?;
    let duration = start.elapsed();
    running.kill_group();
    pipes.drain(Instant::now() + GRACE).map_err(failed)?;
    let status = running.wait().map_err(failed)?;
    let changes = sandbox.changes(&invocation.files, limits.output);
    let overflow =
        pipes.overflow || changes.overflow || status.terminating_signal() == Some(SIGXFSZ);
    let end = match (pause, status.exit_status(), status.terminating_signal()) {
        (Pause::Deadline, _, _) => End::TimedOut,
        _ if overflow => End::OutputLimit,
        (_, Some(code), _) => End::Exited(code),
        (_, None, Some(stubs::SIGNAL)) if !program.stubs.is_empty() => End::Undefined,
        (_, None, signal) => End::Signaled(signal.unwrap_or_default()),
    };
    Ok(NativeRun {
        end,
        stdout: pipes.stdout.kept,
        stderr: pipes.stderr.kept,
        written: changes.written,
        removed: changes.removed,
        sanitizer: sandbox.complaints(limits.output),
        duration,
    })
}

fn start_of<'a>(
    program: &'a NativeProgram,
    invocation: &'a Invocation,
    limits: &Limits,
    sandbox: &'a Sandbox,
) -> Start<'a> {
    let arg0 = [invocation.arg0.as_ref()];
    let mut env = BTreeMap::new();
    let mut set = |name: &str, value: &str| env.insert(name.into(), value.into());
    set("LC_ALL", "C");
    set("TZ", "UTC");
    if program.sanitized {
        // Leaks are not undefined behaviour. Reports go beside the program's own output.
        let log = sandbox.reports().join("report");
        let options = format!("detect_leaks=0:log_path={}", log.display());
        set("ASAN_OPTIONS", &options);
        set("UBSAN_OPTIONS", &options);
        set("MSAN_OPTIONS", &options);
    }
    for (name, value) in &invocation.env {
        set(name, value);
    }
    let mut soft =
        vec![(Resource::Core, 0), (Resource::Fsize, limits.output), (Resource::Stack, STACK)];
    if !program.sanitized {
        soft.push((Resource::As, limits.memory));
    }
    Start {
        program: &program.path,
        args: arg0.into_iter().chain(invocation.args.iter().map(AsRef::as_ref)).collect(),
        env,
        directory: sandbox.directory(),
        limits: soft,
    }
}

/// A started program. Dropping it kills its whole group.
struct Running {
    group: Pid,
    /// Becomes readable when the program ends.
    handle: OwnedFd,
    has_ended: bool,
}

impl Running {
    fn start<'a>(
        start: &Start<'_>,
        input: &'a [u8],
        limit: u64,
    ) -> io::Result<(Running, Pipes<'a>)> {
        let started = spawn(start)?;
        let group = started.pid;
        let pipes = Pipes::of(started, input, limit);
        match pidfd_open(group, PidfdFlags::empty()) {
            Ok(handle) => Ok((Running { group, handle, has_ended: false }, pipes)),
            Err(error) => {
                // Fails only if nothing is left to kill.
                let _ = kill_process_group(group, Signal::KILL);
                wait(group)?;
                Err(error.into())
            }
        }
    }

    /// Safe to call until the program is waited for: until then its process number cannot be
    /// reused.
    fn kill_group(&self) {
        // Fails only if nothing is left to kill.
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    fn wait(mut self) -> io::Result<WaitStatus> {
        self.has_ended = true;
        wait(self.group)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended {
            self.kill_group();
            // It was killed; a failure to wait for it has no consequence to report.
            let _ = wait(self.group);
        }
    }
}

/// A file just written is busy as long as a process that another thread forked meanwhile holds it
/// open, which lasts until that process calls exec.
fn spawn(start: &Start<'_>) -> io::Result<Started> {
    for attempt in 0..20 {
        match start.start() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(1 << (attempt / 3)));
            }
            other => return other,
        }
    }
    start.start()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pause {
    Ended,
    Deadline,
    Overflow,
}

/// Feeds and drains the pipes until the program ends or exceeds a limit.
fn watch(
    running: &Running,
    pipes: &mut Pipes,
    deadline: Instant,
    is_wanted: &dyn Fn() -> bool,
) -> io::Result<Pause> {
    loop {
        if pipes.overflow {
            return Ok(Pause::Overflow);
        }
        let left = deadline.checked_duration_since(Instant::now());
        let Some(left) = left.filter(|_| is_wanted()) else {
            return Ok(Pause::Deadline);
        };
        let handle = Some(running.handle.as_fd());
        if pipes.turn(handle, left.min(LONGEST_TURN))? == Turn::Ended {
            return Ok(Pause::Ended);
        }
    }
}

#[derive(PartialEq, Eq)]
enum Turn {
    Ended,
    Waiting,
    Progress,
}

/// The parent's ends of the three pipes.
struct Pipes<'a> {
    stdin: Option<File>,
    pending: &'a [u8],
    stdout: Stream,
    stderr: Stream,
    /// Bytes that may still be kept.
    left: u64,
    overflow: bool,
}

impl<'a> Pipes<'a> {
    fn of(started: Started, input: &'a [u8], limit: u64) -> Self {
        Self {
            stdin: Some(started.stdin),
            pending: input,
            stdout: Stream::of(started.stdout),
            stderr: Stream::of(started.stderr),
            left: limit,
            overflow: false,
        }
    }

    fn make_nonblocking(&self) -> io::Result<()> {
        if let Some(stdin) = &self.stdin {
            ioctl_fionbio(stdin, true)?;
        }
        for stream in [&self.stdout, &self.stderr] {
            if let Some(pipe) = &stream.pipe {
                ioctl_fionbio(pipe, true)?;
            }
        }
        Ok(())
    }

    /// Waits until something can be done, at most for `timeout`, and does it.
    fn turn(&mut self, handle: Option<BorrowedFd>, timeout: Duration) -> io::Result<Turn> {
        if self.pending.is_empty() {
            self.stdin = None;
        }
        let mut fds = Vec::with_capacity(4);
        if let Some(handle) = handle {
            fds.push(PollFd::from_borrowed_fd(handle, PollFlags::IN));
        }
        for stream in [&self.stdout, &self.stderr] {
            fds.extend(stream.pipe.iter().map(|p| PollFd::new(p, PollFlags::IN)));
        }
        fds.extend(self.stdin.iter().map(|p| PollFd::new(p, PollFlags::OUT)));
        let timeout = Timespec::try_from(timeout).ok();
        let ready = match poll(&mut fds, timeout.as_ref()) {
            Ok(ready) => ready,
            Err(rustix::io::Errno::INTR) => return Ok(Turn::Progress),
            Err(error) => return Err(error.into()),
        };
        let ended = handle.is_some() && !fds[0].revents().is_empty();
        drop(fds);
        self.feed()?;
        self.stdout.fill(&mut self.left, &mut self.overflow)?;
        self.stderr.fill(&mut self.left, &mut self.overflow)?;
        Ok(if ended {
            Turn::Ended
        } else if ready == 0 {
            Turn::Waiting
        } else {
            Turn::Progress
        })
    }

    /// Writes as much input as the program takes.
    fn feed(&mut self) -> io::Result<()> {
        while let Some(stdin) = &mut self.stdin {
            match stdin.write(self.pending) {
                Ok(count) => self.pending = &self.pending[count..],
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return Ok(()),
                    io::ErrorKind::Interrupted => continue,
                    // The program closed its input and does not want the rest.
                    io::ErrorKind::BrokenPipe => self.pending = &[],
                    _ => return Err(error),
                },
            }
            if self.pending.is_empty() {
                self.stdin = None;
            }
        }
        Ok(())
    }

    /// Reads what is left in the pipes of a killed group. Does not wait for a process that left the
    /// group, which may hold them open.
    fn drain(&mut self, deadline: Instant) -> io::Result<()> {
        self.stdin = None;
        self.pending = &[];
        while self.stdout.pipe.is_some() || self.stderr.pipe.is_some() {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                return Ok(());
            };
            if self.overflow || self.turn(None, left)? == Turn::Waiting {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// One output pipe and its output so far.
struct Stream {
    pipe: Option<File>,
    kept: Vec<u8>,
}

impl Stream {
    fn of(pipe: File) -> Self {
        Self { pipe: Some(pipe), kept: Vec::new() }
    }

    /// Reads what is there, up to the limit.
    fn fill(&mut self, left: &mut u64, overflow: &mut bool) -> io::Result<()> {
        let mut buffer = [0; 16 << 10];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let keep = usize::try_from(*left).unwrap_or(usize::MAX).min(count);
                    self.kept.extend_from_slice(&buffer[..keep]);
                    *left -= keep as u64;
                    if keep < count {
                        *overflow = true;
                        return Ok(());
                    }
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => return Ok(()),
                    io::ErrorKind::Interrupted => continue,
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }
}

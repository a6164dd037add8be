//! One run of a native program under limits.
//!
//! The program gets a fresh directory, only the given environment, its own process group, and
//! resource limits. Programs under test are confined (`confine`), tools such as solvers are not:
//! the program says which it is. When it ends or exceeds a limit, the whole group is killed.
//! Standard input is a pipe.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

use base::parallel::cores;
use rustix::process::{
    Pid, PidfdFlags, Resource, Signal, WaitStatus, kill_process_group, pidfd_open,
    test_kill_process_group,
};

use crate::confine::{Grants, Members, Step, Supervisor};
use crate::end::End;
use crate::error::SourceError;
use crate::native::{NativeProgram, stubs};
use crate::pipes::{Pipes, Turn};
use crate::sandbox::Sandbox;
use crate::spawn::{NoStart, Start, Started, wait};

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
    /// Processes and threads of a confined program at a time.
    pub processes: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), memory: 2 << 30, output: 64 << 20, processes: 512 }
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
    let failed = |cause| cannot_run(program, cause);
    let landlock = program
        .confinement
        .landlock()
        .map_err(|cause| SourceError::unprotected(Step::Files, cause))?;
    let start_of = start_of(program, invocation, limits, &sandbox, landlock);
    let start = Instant::now();
    let (running, mut pipes) = Running::start(&start_of, &invocation.stdin, limits).map_err(
        |no_start| match no_start {
            NoStart::System(cause) => failed(cause),
            NoStart::Unprotected(step, cause) => SourceError::unprotected(step, cause),
        },
    )?;
    pipes.make_nonblocking().map_err(failed)?;
    let mut watch = Watch::new(running, &sandbox, limits, start);
    let pause = watch.until_it_ends(&mut pipes, is_wanted).map_err(failed)?;
    let duration = start.elapsed();
    watch.running.kill_group();
    pipes.drain(Instant::now() + GRACE).map_err(failed)?;
    let status = watch.running.wait().map_err(failed)?;
    let changes = sandbox.changes(&invocation.files, limits.output);
    let overflow = pipes.overflow
        || changes.overflow
        || pause == Pause::Overflow
        || status.terminating_signal() == Some(SIGXFSZ);
    let end = match (pause, status.exit_status(), status.terminating_signal()) {
        (Pause::Deadline, _, _) => End::TimedOut,
        (Pause::Memory, _, _) => End::MemoryLimit,
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

fn cannot_run(program: &NativeProgram, cause: io::Error) -> SourceError {
    SourceError::system(format!("cannot run `{}`", program.path.display()), cause)
}

fn start_of<'a>(
    program: &'a NativeProgram,
    invocation: &'a Invocation,
    limits: &Limits,
    sandbox: &'a Sandbox,
    landlock: Option<u32>,
) -> Start<'a> {
    let arg0 = [invocation.arg0.as_ref()];
    let mut bounds = vec![(Resource::Core, 0), (Resource::Fsize, limits.output)];
    if !program.sanitized {
        bounds.push((Resource::As, limits.memory));
    }
    let mut soft = vec![(Resource::Stack, STACK)];
    let mut hard = Vec::new();
    let grants = landlock.map(|landlock| {
        let mut writable = vec![sandbox.directory()];
        writable.extend(program.sanitized.then(|| sandbox.reports()));
        Grants { landlock, program: &program.path, writable }
    });
    if grants.is_some() {
        // If Ripple is killed, nobody else stops the program's children. Each of its threads may
        // have a processor for itself.
        let seconds = (limits.time.as_secs() + 2) * cores() as u64;
        hard.extend([(Resource::Cpu, seconds), (Resource::Rtprio, 0), (Resource::Nice, 0)]);
        hard.append(&mut bounds);
    } else {
        soft.append(&mut bounds);
    }
    Start {
        program: &program.path,
        args: arg0.into_iter().chain(invocation.args.iter().map(AsRef::as_ref)).collect(),
        env: environment(program, invocation, sandbox),
        directory: sandbox.directory().to_owned(),
        limits: soft,
        hard_limits: hard,
        grants,
    }
}

fn environment(
    program: &NativeProgram,
    invocation: &Invocation,
    sandbox: &Sandbox,
) -> BTreeMap<OsString, OsString> {
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
    env
}

/// A started program. Dropping it kills its whole group.
struct Running {
    group: Pid,
    /// Becomes readable when the program ends.
    handle: OwnedFd,
    /// Where a confined program asks.
    listener: Option<OwnedFd>,
    has_ended: bool,
}

impl Running {
    fn start<'a>(
        start: &Start<'_>,
        input: &'a [u8],
        limits: &Limits,
    ) -> Result<(Running, Pipes<'a>), NoStart> {
        let Started { pid: group, stdin, stdout, stderr, listener } = spawn(start)?;
        let pipes = Pipes::of([stdin, stdout, stderr], input, limits.output);
        match pidfd_open(group, PidfdFlags::empty()) {
            Ok(handle) => Ok((Running { group, handle, listener, has_ended: false }, pipes)),
            Err(error) => {
                // Fails only if nothing is left to kill.
                let _ = kill_process_group(group, Signal::KILL);
                wait(group)?;
                Err(NoStart::System(error.into()))
            }
        }
    }

    /// Safe to call until the program is waited for: until then its process number cannot be
    /// reused.
    fn kill_group(&self) {
        // Fails only if nothing is left to kill.
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    /// Waits for the program and, for a moment, until the other processes of its group are gone,
    /// which may write files until then.
    fn wait(&mut self) -> io::Result<WaitStatus> {
        self.has_ended = true;
        let status = wait(self.group)?;
        let deadline = Instant::now() + GRACE;
        while test_kill_process_group(self.group).is_ok()
            && Members::of(self.group).alive > 0
            && Instant::now() < deadline
        {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(status)
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
fn spawn(start: &Start<'_>) -> Result<Started, NoStart> {
    for attempt in 0..20 {
        match start.start() {
            Err(NoStart::System(error)) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
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
    Memory,
}

/// Watches a program until it ends or exceeds a limit.
struct Watch<'a> {
    running: Running,
    supervisor: Option<Supervisor>,
    sandbox: &'a Sandbox,
    limits: Limits,
    deadline: Instant,
    /// When the run as a whole is measured again.
    next_look: Instant,
}

impl Watch<'_> {
    fn new<'a>(
        mut running: Running,
        sandbox: &'a Sandbox,
        limits: &Limits,
        start: Instant,
    ) -> Watch<'a> {
        let supervisor = running.listener.take().map(|listener| {
            let directory = sandbox.directory();
            Supervisor::new(listener, running.group, directory, limits.processes, limits.output)
        });
        Watch {
            running,
            supervisor,
            sandbox,
            limits: *limits,
            deadline: start + limits.time,
            next_look: start + LONGEST_TURN,
        }
    }

    /// Feeds and drains the pipes, and answers questions.
    fn until_it_ends(
        &mut self,
        pipes: &mut Pipes,
        is_wanted: &dyn Fn() -> bool,
    ) -> io::Result<Pause> {
        loop {
            if pipes.overflow {
                return Ok(Pause::Overflow);
            }
            let now = Instant::now();
            let left = self.deadline.checked_duration_since(now);
            let Some(left) = left.filter(|_| is_wanted()) else {
                return Ok(Pause::Deadline);
            };
            if now >= self.next_look
                && let Some(pause) = self.look()
            {
                return Ok(pause);
            }
            let handle = Some(self.running.handle.as_fd());
            let listener = self.supervisor.as_ref().map(Supervisor::listener);
            match pipes.turn(handle, listener, left.min(LONGEST_TURN))? {
                Turn::Ended => return Ok(Pause::Ended),
                Turn::Asks => self.supervisor.iter_mut().for_each(Supervisor::answer),
                Turn::Waiting | Turn::Progress => {}
            }
        }
    }

    /// Whether a confined run as a whole exceeds a limit that no limit of a process expresses. Looks
    /// seldom if looking takes long.
    fn look(&mut self) -> Option<Pause> {
        let supervisor = self.supervisor.as_ref()?;
        let start = Instant::now();
        let group = self.running.group;
        let resident = match supervisor.has_started_more {
            true => Members::of(group).resident,
            false => Members::resident_of(group),
        };
        let is_full = self.sandbox.is_full(self.limits.output);
        let took = start.elapsed();
        self.next_look = start + took + LONGEST_TURN.max(20 * took);
        if is_full {
            return Some(Pause::Overflow);
        }
        // A sanitizer's tables are as large again as the program's memory.
        let memory = self.limits.memory.saturating_mul(2);
        (resident > memory).then_some(Pause::Memory)
    }
}

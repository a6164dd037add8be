//! Starts programs without copying this process.
//!
//! `fork` copies the page tables, which takes longer for a large process than most of the programs
//! run that it starts. Here the new process shares our memory, and the thread that started it waits
//! until it executes the program. `posix_spawn` does the same, but cannot set limits.
//!
//! A program under test is confined (`confine`) by the last steps before it is executed.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, IoSliceMut, pipe};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recvmsg};
use rustix::process::{Pid, Resource, Rlimit, WaitOptions, WaitStatus, getrlimit, waitpid};

use crate::confine::{Grants, Prepared, Step, call_filter};

/// Stack for the calls of a process that has none of its own yet.
const STACK: usize = 64 << 10;
/// Signals are numbered from 1 to this.
const SIGNALS: c_int = 64;
/// The first descriptor after the standard streams, and the usual limit of descriptors.
const FIRST_OTHER: c_int = 3;
const USUAL_DESCRIPTORS: c_int = 1024;

/// What to start, and how.
pub(crate) struct Start<'a> {
    pub program: &'a Path,
    /// With the program's own name first.
    pub args: Vec<&'a OsStr>,
    /// The whole environment.
    pub env: BTreeMap<OsString, OsString>,
    pub directory: PathBuf,
    /// Soft limits, capped by the hard ones.
    pub limits: Vec<(Resource, u64)>,
    /// Limits that the program cannot raise.
    pub hard_limits: Vec<(Resource, u64)>,
    /// What a confined program may use; none for an unconfined one.
    pub grants: Option<Grants<'a>>,
}

/// Why a program did not start.
#[derive(Debug)]
pub(crate) enum NoStart {
    System(io::Error),
    /// It would have run without a protection.
    Unprotected(Step, io::Error),
}

impl From<io::Error> for NoStart {
    fn from(error: io::Error) -> NoStart {
        NoStart::System(error)
    }
}

/// A process in its own group, killed if the thread that started it ends. Its three standard
/// streams are pipes.
pub(crate) struct Started {
    pub pid: Pid,
    pub stdin: File,
    pub stdout: File,
    pub stderr: File,
    /// Where system calls of a confined program wait for an answer.
    pub listener: Option<OwnedFd>,
}

impl Start<'_> {
    pub fn start(&self) -> Result<Started, NoStart> {
        let (their_stdin, stdin) = pipe()?;
        let (stdout, their_stdout) = pipe()?;
        let (stderr, their_stderr) = pipe()?;
        let args = self.args.iter().map(|arg| c_string(arg)).collect::<io::Result<Vec<_>>>()?;
        let variable = |(name, value): (&OsString, &OsString)| {
            c_string(OsStr::from_bytes(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
        };
        let env = self.env.iter().map(variable).collect::<io::Result<Vec<_>>>()?;
        let program = c_string(self.program.as_os_str())?;
        let directory = c_string(self.directory.as_os_str())?;
        let (args, env) = (pointers(&args), pointers(&env));
        let prepare = |grants: &Grants<'_>| Prepared::new(grants, call_filter(grants.landlock));
        let prepared = self.grants.as_ref().map(prepare).transpose();
        let prepared = prepared.map_err(|error| NoStart::Unprotected(Step::Files, error))?;
        let plan = Plan {
            program: program.as_ptr(),
            args: args.as_ptr(),
            env: env.as_ptr(),
            directory: directory.as_ptr(),
            streams: [their_stdin.as_raw_fd(), their_stdout.as_raw_fd(), their_stderr.as_raw_fd()],
            limits: &self.limits,
            hard_limits: &self.hard_limits,
            confine: prepared.as_ref(),
            error: AtomicI32::new(0),
            step: AtomicI32::new(0),
        };
        let pid = plan.start()?;
        let error = plan.error.load(Ordering::Relaxed);
        if error != 0 {
            wait(pid)?;
            let error = io::Error::from_raw_os_error(error);
            return Err(match Step::of(plan.step.load(Ordering::Relaxed)) {
                Some(step) => NoStart::Unprotected(step, error),
                None => NoStart::System(error),
            });
        }
        let listener = match prepared.map(|prepared| received(&prepared.channel())) {
            None => None,
            Some(Some(listener)) => Some(listener),
            // It waits for a supervisor at its first question, and would fail there.
            Some(None) => {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
                wait(pid)?;
                let error = io::ErrorKind::UnexpectedEof.into();
                return Err(NoStart::Unprotected(Step::Supervisor, error));
            }
        };
        Ok(Started {
            pid,
            stdin: OwnedFd::from(stdin).into(),
            stdout: OwnedFd::from(stdout).into(),
            stderr: OwnedFd::from(stderr).into(),
            listener,
        })
    }
}

/// The descriptor that the new process sent before it executed the program.
fn received(channel: &OwnedFd) -> Option<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let message = recvmsg(channel, &mut [IoSliceMut::new(&mut byte)], &mut control, flags).ok()?;
    if message.flags.contains(ReturnFlags::CTRUNC) {
        return None;
    }
    control.drain().find_map(|part| match part {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    })
}

/// Waits for the end of a process.
pub(crate) fn wait(pid: Pid) -> io::Result<WaitStatus> {
    loop {
        match waitpid(Some(pid), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(status),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// As `execve` takes them.
fn pointers(texts: &[CString]) -> Vec<*const c_char> {
    texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
}

/// Everything that the new process needs, prepared before it starts: it must not allocate.
struct Plan<'a> {
    program: *const c_char,
    args: *const *const c_char,
    env: *const *const c_char,
    directory: *const c_char,
    streams: [RawFd; 3],
    limits: &'a [(Resource, u64)],
    hard_limits: &'a [(Resource, u64)],
    confine: Option<&'a Prepared>,
    /// Why the program was not executed, and which step of its confinement failed.
    error: AtomicI32,
    step: AtomicI32,
}

impl Plan<'_> {
    /// Starts the process, and returns when it executes the program or has ended.
    #[allow(unsafe_code)]
    fn start(&self) -> io::Result<Pid> {
        let mut stack = vec![0_u128; STACK / size_of::<u128>()];
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let plan = ptr::from_ref(self).cast_mut().cast::<c_void>();
        // SAFETY: the calls initialise the signal sets passed to them. The new process runs on a
        // stack of its own, which is aligned and outlives it, because this thread is suspended
        // until it executes another program or exits (CLONE_VFORK). Until then it reads the plan,
        // which no other thread changes, writes the plan's atomic numbers, and makes system calls;
        // descriptors, directory and signal actions are copies (neither CLONE_FILES nor CLONE_FS
        // nor CLONE_SIGHAND). No signal handler of ours can run in it: all signals are blocked here
        // until it has none.
        let pid = unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            let top = stack.as_mut_ptr_range().end.cast::<c_void>();
            let pid = libc::clone(execute, top, flags, plan);
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
            if pid < 0 {
                return Err(error);
            }
            pid
        };
        Pid::from_raw(pid).ok_or_else(|| io::ErrorKind::Other.into())
    }

    /// Becomes the program. Returns the reason if that fails.
    #[allow(unsafe_code)]
    fn become_program(&self) -> io::Error {
        // SAFETY: system calls alone, with zero-terminated strings and lists that live as long as
        // the plan. `signal` fails for the two signals that the C library reserves.
        unsafe {
            for signal in 1..=SIGNALS {
                libc::signal(signal, libc::SIG_DFL);
            }
            // The program must not inherit our open descriptors.
            let (first, last) = (FIRST_OTHER as libc::c_ulong, libc::c_ulong::MAX);
            let flags = libc::CLOSE_RANGE_CLOEXEC as libc::c_ulong;
            if libc::syscall(libc::SYS_close_range, first, last, flags) != 0 {
                // Kernels before 5.11 do not support this.
                for descriptor in FIRST_OTHER..USUAL_DESCRIPTORS {
                    libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
                }
            }
            let [stdin, stdout, stderr] = self.streams;
            let is_ready = libc::setpgid(0, 0) == 0
                && libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) == 0
                && libc::dup2(stdin, libc::STDIN_FILENO) >= 0
                && libc::dup2(stdout, libc::STDOUT_FILENO) >= 0
                && libc::dup2(stderr, libc::STDERR_FILENO) >= 0
                && libc::chdir(self.directory) == 0;
            if !is_ready {
                return io::Error::last_os_error();
            }
            let limits = self.limits.iter().map(|limit| (limit, false));
            for (&(resource, value), is_hard) in
                limits.chain(self.hard_limits.iter().map(|limit| (limit, true)))
            {
                if let Err(error) = limit(resource, value, is_hard) {
                    return error;
                }
            }
            if let Some(Err((step, error))) = self.confine.map(|confine| confine.apply()) {
                self.step.store(step as i32, Ordering::Relaxed);
                return error;
            }
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
            libc::execve(self.program, self.args, self.env);
        }
        io::Error::last_os_error()
    }
}

/// The body of the new process.
#[allow(unsafe_code)]
extern "C" fn execute(plan: *mut c_void) -> c_int {
    // SAFETY: it is the plan that the process was started with, and the waiting thread holds it.
    let plan = unsafe { &*plan.cast::<Plan<'_>>() };
    let error = plan.become_program().raw_os_error();
    plan.error.store(error.unwrap_or(libc::EINVAL), Ordering::Relaxed);
    127
}

/// Lowers a soft limit, capped by the hard one, or both.
fn limit(resource: Resource, value: u64, is_hard: bool) -> io::Result<()> {
    let before = getrlimit(resource).maximum;
    let current = Some(before.map_or(value, |maximum| value.min(maximum)));
    let maximum = if is_hard { current } else { before };
    rustix::process::setrlimit(resource, Rlimit { current, maximum })?;
    Ok(())
}

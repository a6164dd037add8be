//! Starts the command, stopped until it is followed.
//!
//! The new process waits for a word; once it is followed, it executes the command. Its standard
//! streams, process group and terminal are ours.

use std::ffi::{CString, OsStr, c_char};
use std::fs::File;
use std::io::{self, Read, Write, pipe};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;

use libc::{c_int, pid_t};

use super::filter::Filter;
use super::ptrace;
use super::{Containment, Follow, Refusal};
use crate::error::SourceError;

/// The exit code of a process that could not execute the command.
const NOT_EXECUTED: c_int = 127;

/// A command that is followed.
pub(super) struct Started {
    pub pid: pid_t,
    /// Closed when the command was executed; otherwise it tells why not.
    failure: File,
}

impl Started {
    /// Why the command was not executed, if that is so. To be asked when the process has ended.
    pub fn failure(mut self) -> Option<io::Error> {
        let mut bytes = [0; size_of::<c_int>()];
        let is_told = self.failure.read_exact(&mut bytes).is_ok();
        is_told.then(|| io::Error::from_raw_os_error(c_int::from_ne_bytes(bytes)))
    }
}

/// Starts the command and follows it.
pub(super) fn start(follow: &Follow<'_>) -> Result<Started, Refusal> {
    let failed = |cause| Refusal::Failed(SourceError::system("cannot start a process", cause));
    let (waiting, go) = pipe().map_err(failed)?;
    let (failure, theirs) = pipe().map_err(failed)?;
    let plan = Plan::of(follow, waiting.as_raw_fd(), go.as_raw_fd(), theirs.as_raw_fd());
    let pid = plan.and_then(|plan| plan.start()).map_err(failed)?;
    drop((waiting, theirs));
    if let Err(refused) = ptrace::seize(pid) {
        // Without the word to go on, it ends.
        drop(go);
        reap(pid);
        return Err(Refusal::NotAllowed(refused));
    }
    File::from(OwnedFd::from(go)).write_all(&[0]).map_err(failed)?;
    Ok(Started { pid, failure: OwnedFd::from(failure).into() })
}

/// Everything that the new process needs, prepared before it starts: it must not allocate.
struct Plan<'a> {
    program: CString,
    /// Executes files that are scripts without saying so, as every shell does.
    shell: CString,
    directory: CString,
    arguments: Texts,
    shell_arguments: Texts,
    environment: Texts,
    filter: Option<Filter>,
    waiting: RawFd,
    go: RawFd,
    failure: RawFd,
    /// What replaces the standard streams.
    streams: Option<(File, RawFd)>,
    containment: Option<&'a Containment>,
}

/// Texts as `execve` takes them. The pointers stay right when the value moves.
struct Texts {
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

impl Texts {
    fn of<'a>(texts: impl IntoIterator<Item = &'a OsStr>) -> io::Result<Texts> {
        let texts = texts.into_iter().map(c_string).collect::<io::Result<Vec<_>>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        Ok(Texts { _texts: texts, pointers })
    }
}

impl Plan<'_> {
    fn of<'a>(
        follow: &Follow<'a>,
        waiting: RawFd,
        go: RawFd,
        failure: RawFd,
    ) -> io::Result<Plan<'a>> {
        let arguments = || follow.arguments.iter().map(AsRef::as_ref);
        let by_shell = [OsStr::new("sh"), follow.program.as_os_str()];
        let variables: Vec<_> = follow
            .environment
            .iter()
            .map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat())
            .collect();
        Ok(Plan {
            program: c_string(follow.program.as_os_str())?,
            shell: c"/bin/sh".to_owned(),
            directory: c_string(follow.directory.as_os_str())?,
            arguments: Texts::of(arguments())?,
            shell_arguments: Texts::of(by_shell.into_iter().chain(arguments().skip(1)))?,
            environment: Texts::of(variables.iter().map(|text| OsStr::from_bytes(text)))?,
            filter: (!follow.calls.is_empty()).then(|| Filter::stopping_at(follow.calls)),
            waiting,
            go,
            failure,
            streams: follow
                .output
                .map(|output| File::open("/dev/null").map(|null| (null, output.as_raw_fd())))
                .transpose()?,
            containment: follow.containment,
        })
    }

    #[allow(unsafe_code)]
    fn start(&self) -> io::Result<pid_t> {
        // SAFETY: the new process has one thread and a copy of our memory. Until it executes or
        // exits, it makes system calls only, with what was allocated before.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let error = self.become_command().raw_os_error().unwrap_or(libc::EINVAL);
                let bytes = error.to_ne_bytes();
                // SAFETY: an open descriptor, a buffer of this length, and a number.
                unsafe {
                    libc::write(self.failure, bytes.as_ptr().cast(), bytes.len());
                    libc::_exit(NOT_EXECUTED)
                }
            }
            pid => Ok(pid),
        }
    }

    /// Returns the reason if that fails.
    #[allow(unsafe_code)]
    fn become_command(&self) -> io::Error {
        let mut word = 0_u8;
        // SAFETY: the descriptors are open, the buffer has one byte, texts end with a zero, and
        // lists of texts with a null pointer. The signal set is initialised by the call before its
        // use. A handler of ours that runs here uses system calls and atomic numbers only.
        unsafe {
            // Our own end would keep the pipe open after the end of the process that follows.
            libc::close(self.go);
            if libc::read(self.waiting, (&raw mut word).cast(), 1) != 1 {
                libc::_exit(NOT_EXECUTED);
            }
            // Rust programs ignore this signal; others expect that it ends them.
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
            if let Some((input, output)) = &self.streams {
                let is_ready = libc::dup2(input.as_raw_fd(), libc::STDIN_FILENO) >= 0
                    && libc::dup2(*output, libc::STDOUT_FILENO) >= 0
                    && libc::dup2(*output, libc::STDERR_FILENO) >= 0;
                if !is_ready {
                    return io::Error::last_os_error();
                }
            }
            if libc::chdir(self.directory.as_ptr()) != 0 {
                return io::Error::last_os_error();
            }
            if let Some(Err(error)) = self.containment.map(|containment| containment.apply()) {
                return error;
            }
            if let Some(Err(error)) = self.filter.as_ref().map(Filter::install) {
                return error;
            }
            let environment = self.environment.pointers.as_ptr();
            libc::execve(self.program.as_ptr(), self.arguments.pointers.as_ptr(), environment);
            let error = io::Error::last_os_error();
            if error.raw_os_error() == Some(libc::ENOEXEC) {
                let arguments = self.shell_arguments.pointers.as_ptr();
                libc::execve(self.shell.as_ptr(), arguments, environment);
            }
            error
        }
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| io::ErrorKind::InvalidInput.into())
}

/// Waits for a child that is about to end.
#[allow(unsafe_code)]
fn reap(pid: pid_t) {
    // SAFETY: the call takes a number, and no place for a result.
    unsafe { libc::waitpid(pid, ptr::null_mut(), 0) };
}

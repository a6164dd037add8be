//! The requests of `ptrace` and `wait` that following takes.
//!
//! A request about a process that was killed meanwhile fails with `ESRCH`. Its end is reported like
//! any other, so that callers need not care: `Ok(None)` or `Ok(())`.

use std::io;
use std::ptr;

use libc::{c_int, c_uint, c_void, pid_t};

/// What `wait` reported of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    Exited(i32),
    Signaled(i32),
    /// The signal, and the event of `ptrace` or zero.
    Stopped(c_int, c_int),
}

const OPTIONS: c_int = libc::PTRACE_O_EXITKILL
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACESYSGOOD;

/// Begins to follow a process, and all that it will start.
pub(super) fn seize(task: pid_t) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, task, OPTIONS as usize)
}

/// Lets a stopped task go on, with a signal or none.
pub(super) fn resume(task: pid_t, signal: c_int) -> io::Result<()> {
    unless_gone(request(libc::PTRACE_CONT, task, signal as usize))
}

/// The same until the current system call has returned.
pub(super) fn resume_to_result(task: pid_t, signal: c_int) -> io::Result<()> {
    unless_gone(request(libc::PTRACE_SYSCALL, task, signal as usize))
}

/// Leaves a task stopped as its group is, until the group continues.
pub(super) fn listen(task: pid_t) -> io::Result<()> {
    unless_gone(request(libc::PTRACE_LISTEN, task, 0))
}

/// Asks a running task to stop.
pub(super) fn interrupt(task: pid_t) -> io::Result<()> {
    unless_gone(request(libc::PTRACE_INTERRUPT, task, 0))
}

/// Follows a stopped task no more.
pub(super) fn detach(task: pid_t, signal: c_int) -> io::Result<()> {
    unless_gone(request(libc::PTRACE_DETACH, task, signal as usize))
}

/// The number that belongs to an event: a new task, or the former number of one that executed.
#[allow(unsafe_code)]
pub(super) fn message(task: pid_t) -> io::Result<Option<pid_t>> {
    let mut message: libc::c_ulong = 0;
    let place = ptr::from_mut(&mut message);
    // SAFETY: the request writes one `unsigned long` to its last argument.
    let done =
        unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, task, ptr::null_mut::<c_void>(), place) };
    match check(done) {
        Ok(()) => Ok(pid_t::try_from(message).ok()),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The registers of a stopped task.
#[allow(unsafe_code)]
pub(super) fn registers(task: pid_t) -> io::Result<Option<libc::user_regs_struct>> {
    // SAFETY: the structure consists of integers, for which zero is a value.
    let mut registers: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    let place = ptr::from_mut(&mut registers);
    // SAFETY: the request writes one such structure to its last argument.
    let done =
        unsafe { libc::ptrace(libc::PTRACE_GETREGS, task, ptr::null_mut::<c_void>(), place) };
    match check(done) {
        Ok(()) => Ok(Some(registers)),
        Err(error) if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Waits for any task that this thread follows. `Ok(None)`: there is none left, or, without
/// blocking, nothing to report.
#[allow(unsafe_code)]
pub(super) fn wait(blocking: bool) -> io::Result<Option<(pid_t, Report)>> {
    let hang = if blocking { 0 } else { libc::WNOHANG };
    loop {
        let mut status: c_int = 0;
        // SAFETY: the call writes one integer to its second argument.
        let task =
            unsafe { libc::waitpid(-1, &mut status, libc::__WALL | libc::__WNOTHREAD | hang) };
        if task == 0 {
            return Ok(None);
        }
        if task > 0 {
            return Ok(Some((task, report(status))));
        }
        match io::Error::last_os_error() {
            error if error.raw_os_error() == Some(libc::ECHILD) => return Ok(None),
            error if error.kind() == io::ErrorKind::Interrupted => {}
            error => return Err(error),
        }
    }
}

fn report(status: c_int) -> Report {
    if libc::WIFEXITED(status) {
        Report::Exited(libc::WEXITSTATUS(status))
    } else if libc::WIFSIGNALED(status) {
        Report::Signaled(libc::WTERMSIG(status))
    } else {
        Report::Stopped(libc::WSTOPSIG(status), status >> 16)
    }
}

#[allow(unsafe_code)]
fn request(request: c_uint, task: pid_t, word: usize) -> io::Result<()> {
    // SAFETY: these requests take an address that is ignored and a number; they write nothing to
    // our memory.
    let done = unsafe {
        libc::ptrace(
            request,
            task,
            ptr::null_mut::<c_void>(),
            ptr::without_provenance_mut::<c_void>(word),
        )
    };
    check(done)
}

fn check(done: libc::c_long) -> io::Result<()> {
    if done == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn unless_gone(done: io::Result<()>) -> io::Result<()> {
    done.or_else(|error| match error.raw_os_error() {
        Some(libc::ESRCH) => Ok(()),
        _ => Err(error),
    })
}

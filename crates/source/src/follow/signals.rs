//! Signals that would end this process are left to the command, while one runs.
//!
//! Ctrl-C reaches the whole group, so that the command ends by itself, cleans up, and this process
//! can report it. Signals that are sent to this process alone are passed on.

use std::sync::atomic::{AtomicI32, Ordering};
use std::{mem, ptr};

use libc::{c_int, c_void};

const SIGNALS: [c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// The process that gets the signals; zero if there is none yet.
static COMMAND: AtomicI32 = AtomicI32::new(0);
/// The last signal; zero if there was none.
static LAST: AtomicI32 = AtomicI32::new(0);

/// Leaves signals to the command that is followed, as long as it lives. For programs that follow
/// one command at a time.
#[derive(Debug)]
pub struct PassOn {
    before: Vec<(c_int, Action)>,
}

struct Action(libc::sigaction);

impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Action")
    }
}

impl PassOn {
    /// Begins. Signals that this process ignores stay ignored.
    #[allow(unsafe_code)]
    pub fn signals() -> PassOn {
        LAST.store(0, Ordering::SeqCst);
        COMMAND.store(0, Ordering::SeqCst);
        let mut before = Vec::new();
        for signal in SIGNALS {
            // SAFETY: the structure consists of integers, a set of bits and an optional function,
            // all of which may be zero; the calls read and write such structures. The handler makes
            // system calls and uses atomic numbers only.
            unsafe {
                let mut old: libc::sigaction = mem::zeroed();
                libc::sigaction(signal, ptr::null(), &mut old);
                if old.sa_sigaction == libc::SIG_IGN {
                    continue;
                }
                let mut new: libc::sigaction = mem::zeroed();
                let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
                new.sa_sigaction = handler as libc::sighandler_t;
                new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
                libc::sigemptyset(&mut new.sa_mask);
                if libc::sigaction(signal, &new, ptr::null_mut()) == 0 {
                    before.push((signal, Action(old)));
                }
            }
        }
        PassOn { before }
    }

    /// The last signal that arrived.
    pub fn arrived(&self) -> Option<i32> {
        match LAST.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal),
        }
    }
}

impl Drop for PassOn {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        for (signal, action) in &self.before {
            // SAFETY: the action is the one that the kernel returned for this signal.
            unsafe { libc::sigaction(*signal, &action.0, ptr::null_mut()) };
        }
        COMMAND.store(0, Ordering::SeqCst);
    }
}

/// Who gets the signals from here on. A signal that arrived before is sent as well.
#[allow(unsafe_code)]
pub(crate) fn pass_on_to(process: libc::pid_t) {
    COMMAND.store(process, Ordering::SeqCst);
    let early = LAST.load(Ordering::SeqCst);
    if early != 0 && process > 0 {
        // SAFETY: the call takes numbers. The process is a child that was not waited for.
        unsafe { libc::kill(process, early) };
    }
}

/// Nobody gets signals any more.
pub(crate) fn pass_on_to_nobody() {
    COMMAND.store(0, Ordering::SeqCst);
}

#[allow(unsafe_code)]
extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    LAST.store(signal, Ordering::SeqCst);
    let command = COMMAND.load(Ordering::SeqCst);
    // SAFETY: the kernel passes a valid structure to handlers that ask for it.
    let is_from_a_process = unsafe { (*info).si_code <= 0 };
    // Those of the terminal reach the command without us.
    if is_from_a_process && command > 0 {
        // SAFETY: the call takes numbers.
        unsafe { libc::kill(command, signal) };
    }
}

//! Ends a command that takes too long.
//!
//! The process is held by a descriptor, so that no other one is hit that gets its number later.
//! Where that is not possible (before Linux 5.3), nothing ends it.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use libc::pid_t;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// Ends the command unless it is dropped before.
pub(super) struct Watchdog {
    _alive: Option<Sender<()>>,
}

impl Watchdog {
    pub fn on(pid: pid_t, limit: Duration) -> Watchdog {
        let process = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let Some(process) = process else { return Watchdog { _alive: None } };
        let (alive, end) = channel();
        thread::spawn(move || {
            if end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                // It may have ended by itself.
                let _ = pidfd_send_signal(&process, Signal::KILL);
            }
        });
        Watchdog { _alive: Some(alive) }
    }
}

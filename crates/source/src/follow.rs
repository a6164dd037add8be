//! Runs a command and follows every process that it starts, at whatever depth, until it ends.
//!
//! Uses `ptrace`: the kernel stops a process when it has executed another program, and the watcher
//! is asked what it makes of it. Programs are seen whatever their names, static ones too. Nothing
//! about the processes changes: same arguments, environment, streams, process group and terminal.
//! Only if a watcher wants further system calls, a seccomp filter stops processes at these.
//! Programs that get other rights when they are executed (`sudo`) run without them.
//!
//! Processes that outlive the command are released, unless there is a filter: system calls that
//! such a filter stops fail once nobody follows the process, so these processes are ended. So are
//! those of a contained command (`containment`).
//! If this process ends, the kernel ends all processes that it follows.

mod containment;
mod filter;
mod process;
mod ptrace;
mod signals;
mod start;
mod tracer;
mod watchdog;

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;

pub use self::containment::Containment;
pub use self::process::{Process, ProcessId};
pub use self::signals::PassOn;
pub(crate) use self::signals::{pass_on_to, pass_on_to_nobody};
pub use self::tracer::Call;

use self::start::start;
use self::tracer::Tracer;
use self::watchdog::Watchdog;
use crate::end::End;
use crate::error::SourceError;

/// A command to be followed.
#[derive(Clone, Copy, Debug)]
pub struct Follow<'a> {
    /// The file to execute.
    pub program: &'a Path,
    /// With the name of the program first, as it was typed.
    pub arguments: &'a [OsString],
    /// The whole environment.
    pub environment: &'a [(OsString, OsString)],
    pub directory: &'a Path,
    /// Where its output goes, if not where ours does. Then it has no input.
    pub output: Option<&'a File>,
    /// Numbers of system calls at which processes stop, if the watcher wants them.
    pub calls: &'a [i64],
    /// What it must not do. If that cannot be enforced, it is not executed.
    pub containment: Option<&'a Containment>,
}

/// What is done with what happens.
pub trait Watcher {
    /// A process began, as a copy of its parent.
    fn started(&mut self, _process: ProcessId, _parent: ProcessId) {}

    /// A process executes another program. It is stopped meanwhile.
    fn executed(&mut self, process: &Process<'_>) -> Attention;

    /// A process is about to make one of the system calls. Returns whether the result is wanted.
    fn calling(&mut self, _process: &Process<'_>, _call: &Call) -> bool {
        false
    }

    /// A wanted result, negative if the call failed.
    fn called(&mut self, _process: &Process<'_>, _call: &Call, _result: i64) {}

    /// A process ended.
    fn ended(&mut self, process: ProcessId, end: End);
}

/// Whether the system calls of a process are reported. New processes inherit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Only what it executes, and its end.
    Programs,
    /// The system calls of the command as well.
    Calls,
}

/// Why a command could not be followed.
#[derive(Debug)]
pub enum Refusal {
    /// Following is not possible here, and nothing was executed.
    NotAllowed(std::io::Error),
    Failed(SourceError),
}

impl Follow<'_> {
    /// Runs the command to its end.
    pub fn run(&self, watcher: &mut (dyn Watcher + Send)) -> Result<End, Refusal> {
        // A thread of its own: it waits for whatever it follows, and must not take the end of
        // another child from its thread.
        std::thread::scope(|scope| {
            let tracer = scope.spawn(|| {
                let root = start(self)?;
                let limit = self.containment.and_then(|containment| containment.limit);
                let _watchdog = limit.map(|limit| Watchdog::on(root.pid, limit));
                let ends_all = !self.calls.is_empty() || self.containment.is_some();
                Tracer::new(root.pid, ends_all, watcher).run(root)
            });
            tracer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

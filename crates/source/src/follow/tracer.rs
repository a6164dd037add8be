//! The loop that lets the followed processes go on: one report of the kernel at a time.
//!
//! A task is a thread; a process is the group of its first one. Tasks are kept in a table by the
//! number of the kernel, which is used again once a task has ended.

use std::collections::BTreeMap;
use std::io;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use libc::{c_int, pid_t};

use super::process::{Process, ProcessId, family};
use super::ptrace::{self, Report};
use super::signals;
use super::start::Started;
use super::{Attention, Refusal, Watcher};
use crate::end::End;
use crate::error::SourceError;

/// How long processes that outlive the command may take to stop before they are released.
const RELEASE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(1);
/// What `ptrace` adds to the signal of a stop at a system call.
const CALL_STOP: c_int = libc::SIGTRAP | 0x80;
const NEW_TASKS: [c_int; 3] =
    [libc::PTRACE_EVENT_FORK, libc::PTRACE_EVENT_VFORK, libc::PTRACE_EVENT_CLONE];

/// A system call that a process makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    pub number: i64,
    pub arguments: [u64; 6],
}

pub(super) struct Tracer<'a> {
    root: pid_t,
    /// Whether processes that outlive the command are ended.
    ends_all: bool,
    watcher: &'a mut (dyn Watcher + Send),
    tasks: BTreeMap<pid_t, Task>,
    /// By the number of the first task.
    processes: BTreeMap<pid_t, Known>,
    next: u32,
}

struct Task {
    process: pid_t,
    /// The call whose result is wanted.
    call: Option<Call>,
}

#[derive(Clone, Copy)]
struct Known {
    id: ProcessId,
    parent: Option<ProcessId>,
    attention: Attention,
}

impl<'a> Tracer<'a> {
    pub fn new(root: pid_t, ends_all: bool, watcher: &'a mut (dyn Watcher + Send)) -> Tracer<'a> {
        let mut tracer = Tracer {
            root,
            ends_all,
            watcher,
            tasks: BTreeMap::new(),
            processes: BTreeMap::new(),
            next: 0,
        };
        tracer.add_process(root, None);
        tracer
    }

    /// Follows the command to its end, then releases what is left.
    pub fn run(mut self, root: Started) -> Result<End, Refusal> {
        signals::pass_on_to(self.root);
        let end = self.follow();
        signals::pass_on_to_nobody();
        let failed = |doing: &str, cause| Refusal::Failed(SourceError::system(doing, cause));
        let end = end.map_err(|cause| failed("cannot follow the command", cause))?;
        self.release().map_err(|cause| failed("cannot release processes", cause))?;
        match root.failure() {
            Some(cause) => Err(failed("cannot execute the command", cause)),
            None => Ok(end),
        }
    }

    fn follow(&mut self) -> io::Result<End> {
        while let Some((task, report)) = ptrace::wait(true)? {
            let end = match report {
                Report::Exited(code) => End::Exited(code),
                Report::Signaled(signal) => End::Signaled(signal),
                Report::Stopped(signal, event) => {
                    self.stopped(task, signal, event)?;
                    continue;
                }
            };
            self.ended(task, end);
            if task == self.root {
                return Ok(end);
            }
        }
        // The kernel reports the end of every task that is followed.
        Err(io::ErrorKind::NotFound.into())
    }

    fn ended(&mut self, task: pid_t, end: End) {
        self.tasks.remove(&task);
        if let Some(known) = self.processes.remove(&task) {
            self.watcher.ended(known.id, end);
        }
    }

    fn stopped(&mut self, task: pid_t, signal: c_int, event: c_int) -> io::Result<()> {
        self.adopt(task);
        match event {
            0 if signal == CALL_STOP => self.returned(task),
            0 => ptrace::resume(task, signal),
            libc::PTRACE_EVENT_EXEC => self.executed(task),
            libc::PTRACE_EVENT_SECCOMP => self.calling(task),
            libc::PTRACE_EVENT_STOP if is_stop(signal) => ptrace::listen(task),
            event if NEW_TASKS.contains(&event) => {
                self.forked(task, event)?;
                ptrace::resume(task, 0)
            }
            // The first stop of a new task, or the end of a stop of its group.
            _ => ptrace::resume(task, 0),
        }
    }

    /// A new task may stop before its parent reports it, or after its parent was killed.
    fn adopt(&mut self, task: pid_t) {
        if self.tasks.contains_key(&task) {
            return;
        }
        let Some((process, parent)) = family(task) else { return };
        if process == task {
            self.add_process(task, Some(parent));
        } else {
            self.tasks.insert(task, Task { process, call: None });
        }
    }

    fn forked(&mut self, task: pid_t, event: c_int) -> io::Result<()> {
        let Some(child) = ptrace::message(task)? else { return Ok(()) };
        if event == libc::PTRACE_EVENT_CLONE {
            // A thread, or a process.
            self.adopt(child);
        } else if !self.tasks.contains_key(&child) {
            let parent = self.tasks.get(&task).map(|task| task.process);
            self.add_process(child, parent);
        }
        Ok(())
    }

    fn add_process(&mut self, first: pid_t, parent: Option<pid_t>) {
        let parent = parent.and_then(|parent| self.processes.get(&parent).copied());
        let id = ProcessId(self.next);
        self.next += 1;
        let attention = parent.map_or(Attention::Programs, |parent| parent.attention);
        let parent = parent.map(|parent| parent.id);
        self.processes.insert(first, Known { id, parent, attention });
        self.tasks.insert(first, Task { process: first, call: None });
        if let Some(parent) = parent {
            self.watcher.started(id, parent);
        }
    }

    /// Whichever thread executed has the number of the first one, and is alone.
    fn executed(&mut self, task: pid_t) -> io::Result<()> {
        if let Some(former) = ptrace::message(task)?
            && former != task
        {
            self.tasks.remove(&former);
        }
        self.tasks.insert(task, Task { process: task, call: None });
        if let Some(process) = self.process(task) {
            let attention = self.watcher.executed(&process);
            if let Some(known) = self.processes.get_mut(&task) {
                known.attention = attention;
            }
        }
        ptrace::resume(task, 0)
    }

    fn calling(&mut self, task: pid_t) -> io::Result<()> {
        let Some(process) = self.attended(task) else { return ptrace::resume(task, 0) };
        let Some(registers) = ptrace::registers(task)? else { return Ok(()) };
        let call = Call {
            number: registers.orig_rax as i64,
            arguments: [
                registers.rdi,
                registers.rsi,
                registers.rdx,
                registers.r10,
                registers.r8,
                registers.r9,
            ],
        };
        if !self.watcher.calling(&process, &call) {
            return ptrace::resume(task, 0);
        }
        if let Some(task) = self.tasks.get_mut(&task) {
            task.call = Some(call);
        }
        ptrace::resume_to_result(task, 0)
    }

    /// A system call returned. Behind a filter, the first such stop after it is the return.
    fn returned(&mut self, task: pid_t) -> io::Result<()> {
        let call = self.tasks.get_mut(&task).and_then(|task| task.call.take());
        if let (Some(process), Some(call)) = (self.attended(task), call)
            && let Some(registers) = ptrace::registers(task)?
        {
            self.watcher.called(&process, &call, registers.rax as i64);
        }
        ptrace::resume(task, 0)
    }

    fn attended(&self, task: pid_t) -> Option<Process<'static>> {
        let process = self.tasks.get(&task)?.process;
        let known = self.processes.get(&process)?;
        (known.attention == Attention::Calls).then(|| self.process(process)).flatten()
    }

    fn process(&self, first: pid_t) -> Option<Process<'static>> {
        let known = self.processes.get(&first)?;
        Some(Process { id: known.id, parent: known.parent, pid: first, _stopped: PhantomData })
    }

    /// Lets processes that outlive the command run on by themselves. Otherwise they end with the
    /// thread that follows them.
    fn release(&mut self) -> io::Result<()> {
        if self.ends_all {
            return Ok(());
        }
        for &task in self.tasks.keys() {
            ptrace::interrupt(task)?;
        }
        let deadline = Instant::now() + RELEASE;
        while !self.tasks.is_empty() && Instant::now() < deadline {
            let Some((task, report)) = ptrace::wait(false)? else {
                std::thread::sleep(PAUSE);
                continue;
            };
            match report {
                Report::Exited(_) | Report::Signaled(_) => {}
                Report::Stopped(signal, event) => {
                    if NEW_TASKS.contains(&event)
                        && let Some(child) = ptrace::message(task)?
                    {
                        self.adopt(child);
                    }
                    // Signals are for the task; the rest are stops of ours.
                    ptrace::detach(task, if event == 0 { signal } else { 0 })?;
                }
            }
            self.tasks.remove(&task);
        }
        Ok(())
    }
}

fn is_stop(signal: c_int) -> bool {
    matches!(signal, libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU)
}

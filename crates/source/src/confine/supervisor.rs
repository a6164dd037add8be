//! Decides the system calls that a filter cannot: signals to other processes, more processes, and
//! changes of modes, owners and times of files.
//!
//! The caller waits until it has the answer. Numbers that the caller passes by value cannot change
//! meanwhile, so such calls may proceed; names and times lie in its memory, which another thread
//! may change, so the supervisor carries such calls out itself (`metadata`).

use std::fs::File;
use std::io;
use std::mem::zeroed;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::ptr;
use std::time::{Duration, Instant};

use libc::{c_int, c_ulong, seccomp_notif, seccomp_notif_addfd, seccomp_notif_resp};
use rustix::io::Errno;
use rustix::process::{Pid, getpgid};

use super::members::Members;
use super::metadata::{self, Caller};

/// Files in memory that a run may make; each is as large as any file may be.
const MOST_MEMORY_FILES: u32 = 16;
/// How long a run with all its processes is not looked at again.
const PAUSE: Duration = Duration::from_millis(10);

/// The answer to a call.
enum Answer {
    /// The kernel carries it out.
    Proceed,
    Fail(Errno),
    /// It was carried out, with result 0.
    Done,
    /// It opened a file.
    Opened(File),
}

/// The supervisor of one run.
pub(crate) struct Supervisor {
    listener: OwnedFd,
    group: Pid,
    /// Where files may be changed.
    directory: PathBuf,
    /// Processes and threads at a time.
    most_processes: u32,
    largest_file: u64,
    /// How many may be started before they are counted again.
    room: u32,
    next_count: Instant,
    memory_files: u32,
    /// Whether the program started a process or a thread.
    pub has_started_more: bool,
}

impl Supervisor {
    /// `directory` has no symbolic links in its name.
    pub fn new(
        listener: OwnedFd,
        group: Pid,
        directory: &Path,
        most_processes: u32,
        largest_file: u64,
    ) -> Supervisor {
        Supervisor {
            listener,
            group,
            directory: directory.to_owned(),
            most_processes,
            largest_file,
            room: most_processes.saturating_sub(1),
            next_count: Instant::now(),
            memory_files: 0,
            has_started_more: false,
        }
    }

    /// Readable if a call waits for an answer.
    pub fn listener(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }

    /// Answers one call, if one waits. A caller that was killed meanwhile needs no answer.
    pub fn answer(&mut self) {
        // SAFETY: numbers alone, for which zero is a value.
        #[allow(unsafe_code)]
        let mut call: seccomp_notif = unsafe { zeroed() };
        if self.request(libc::SECCOMP_IOCTL_NOTIF_RECV, ptr::from_mut(&mut call)).is_err() {
            return;
        }
        // If the caller is gone, the answer goes nowhere.
        let _ = match self.decide(&call) {
            Answer::Proceed => self.send(&call, 0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
            Answer::Fail(error) => self.send(&call, -error.raw_os_error(), 0),
            Answer::Done => self.send(&call, 0, 0),
            Answer::Opened(file) => self.hand_over(&call, &file),
        };
    }

    fn decide(&mut self, call: &seccomp_notif) -> Answer {
        let number = |argument: usize| call.data.args[argument] as c_int;
        match i64::from(call.data.nr) {
            libc::SYS_kill | libc::SYS_rt_sigqueueinfo => self.signal(number(0)),
            libc::SYS_tkill => self.signal_thread(number(0)),
            libc::SYS_tgkill | libc::SYS_rt_tgsigqueueinfo => self.signal_thread(number(1)),
            libc::SYS_fcntl => self.own(number(2)),
            libc::SYS_setpgid => self.move_to_group(call.pid as c_int, number(0), number(1)),
            libc::SYS_clone | libc::SYS_fork | libc::SYS_vfork => self.start_more(),
            libc::SYS_memfd_create => self.make_memory_file(),
            libc::SYS_prlimit64
            | libc::SYS_sched_setaffinity
            | libc::SYS_sched_setparam
            | libc::SYS_sched_setscheduler
            | libc::SYS_sched_setattr => self.signal_thread(number(0)),
            _ => self.change(call),
        }
    }

    /// Whether a process, or a thread, belongs to the run.
    fn is_member(&self, process: c_int) -> bool {
        Pid::from_raw(process).is_some_and(|process| getpgid(Some(process)) == Ok(self.group))
    }

    fn is_group(&self, group: c_int) -> bool {
        Pid::from_raw(group) == Some(self.group)
    }

    /// To a process, to the caller's group (0), to all (-1) or to another group. Processes outside
    /// do not exist.
    fn signal(&self, to: c_int) -> Answer {
        match to {
            0 => Answer::Proceed,
            -1 => Answer::Fail(Errno::PERM),
            1.. if self.is_member(to) => Answer::Proceed,
            _ if to < 0 && self.is_group(to.wrapping_neg()) => Answer::Proceed,
            _ => Answer::Fail(Errno::SRCH),
        }
    }

    fn signal_thread(&self, to: c_int) -> Answer {
        if self.is_member(to) { Answer::Proceed } else { Answer::Fail(Errno::SRCH) }
    }

    /// Who gets signals about a descriptor; 0 is nobody.
    fn own(&self, owner: c_int) -> Answer {
        if owner == 0 { Answer::Proceed } else { self.signal(owner) }
    }

    /// The first process leads its group already; no other may leave it.
    fn move_to_group(&self, caller: c_int, process: c_int, group: c_int) -> Answer {
        let process = if process == 0 { caller } else { process };
        let stays = self.is_group(process) && (group == 0 || self.is_group(group));
        if stays { Answer::Done } else { Answer::Fail(Errno::PERM) }
    }

    /// Counts only if as many may have been started as are allowed.
    fn start_more(&mut self) -> Answer {
        self.has_started_more = true;
        if self.room == 0 && Instant::now() >= self.next_count {
            self.room = self.most_processes.saturating_sub(Members::of(self.group).tasks);
            self.next_count = Instant::now() + PAUSE;
        }
        if self.room == 0 {
            return Answer::Fail(Errno::AGAIN);
        }
        self.room -= 1;
        Answer::Proceed
    }

    fn make_memory_file(&mut self) -> Answer {
        if self.memory_files == MOST_MEMORY_FILES {
            return Answer::Fail(Errno::MFILE);
        }
        self.memory_files += 1;
        Answer::Proceed
    }

    /// Calls about files.
    fn change(&self, call: &seccomp_notif) -> Answer {
        if matches!(i64::from(call.data.nr), libc::SYS_open | libc::SYS_openat) {
            return match tempfile::tempfile_in(&self.directory) {
                Ok(file) => Answer::Opened(file),
                Err(error) => Answer::Fail(Errno::from_io_error(&error).unwrap_or(Errno::ACCESS)),
            };
        }
        let caller = Caller {
            thread: call.pid,
            directory: &self.directory,
            largest_file: self.largest_file,
        };
        match metadata::change(&caller, i64::from(call.data.nr), &call.data.args) {
            // The number of the thread could belong to another process by then; that is refused
            // as well, because nothing outside of the directory is changed.
            Ok(()) => Answer::Done,
            Err(error) => Answer::Fail(error),
        }
    }

    fn send(&self, call: &seccomp_notif, error: c_int, flags: u32) -> io::Result<()> {
        let mut answer = seccomp_notif_resp { id: call.id, val: 0, error, flags };
        self.request(libc::SECCOMP_IOCTL_NOTIF_SEND, ptr::from_mut(&mut answer))?;
        Ok(())
    }

    /// Gives the caller a descriptor of the file, as the result of its call.
    fn hand_over(&self, call: &seccomp_notif, file: &File) -> io::Result<()> {
        /// Adds the descriptor and answers the call in one step.
        const AND_SEND: u32 = 1 << 1;
        let position = if i64::from(call.data.nr) == libc::SYS_open { 1 } else { 2 };
        let flags = call.data.args[position] as u32 & libc::O_CLOEXEC as u32;
        let mut added = seccomp_notif_addfd {
            id: call.id,
            flags: AND_SEND,
            srcfd: file.as_raw_fd() as u32,
            newfd: 0,
            newfd_flags: flags,
        };
        match self.request(libc::SECCOMP_IOCTL_NOTIF_ADDFD, ptr::from_mut(&mut added)) {
            Ok(()) => Ok(()),
            // Kernels before 5.14 do not support this.
            Err(_) => self.send(call, -libc::EACCES, 0),
        }
    }

    #[allow(unsafe_code)]
    fn request<T>(&self, request: c_ulong, argument: *mut T) -> io::Result<()> {
        // SAFETY: callers pass the structure that the request reads and writes.
        let done = unsafe { libc::ioctl(self.listener.as_raw_fd(), request, argument) };
        if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}

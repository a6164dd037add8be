//! What a followed command and all that it starts must not do: write outside of some directories,
//! read what is neither there nor the system's, use a network, or reach other processes.
//!
//! As for programs under test, landlock restricts files and a seccomp filter system calls; but there
//! is no supervisor: builds start many processes and change modes and times of their files. What
//! asks for new namespaces, for sockets or for the rights of an administrator fails. Processes that
//! outlive the command end with it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use libc::{c_long, sock_filter, sock_fprog};

use crate::confine::{Case, Rule, Ruleset, Verdict, drops_privileges, filter, landlock_version};
use crate::error::SourceError;

/// System calls from this number on are newer than what is known here.
const FIRST_UNKNOWN: u32 = 470;
/// Flags of `clone` and `unshare` for new namespaces.
const NAMESPACES: u32 = 0x7e02_0000;
/// Reach networks or other processes, or change the system.
const FORBIDDEN: [c_long; 28] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kcmp,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
];

/// Everything that a new process needs to be contained, prepared before it starts.
#[derive(Debug)]
pub struct Containment {
    ruleset: Ruleset,
    filter: Vec<sock_filter>,
    /// How long the command may take.
    pub(super) limit: Option<Duration>,
}

impl Containment {
    /// With these directories to write in.
    pub fn of(writable: &[&Path]) -> Result<Containment, SourceError> {
        let unprotected = |cause: io::Error| {
            let lacking = format!("the kernel offers no landlock, which protects files ({cause})");
            SourceError::BuildUnprotected { lacking }
        };
        let version = landlock_version().map_err(unprotected)?;
        let ruleset = Ruleset::of_build(version, writable).map_err(unprotected)?;
        Ok(Containment { ruleset, filter: call_filter(), limit: None })
    }

    /// The same for a command that is ended if it takes longer.
    pub fn within(self, limit: Option<Duration>) -> Containment {
        Containment { limit, ..self }
    }

    /// Contains the calling process.
    ///
    /// # Safety
    /// Called by a new process with one thread, before it executes a program.
    #[allow(unsafe_code)]
    pub(super) unsafe fn apply(&self) -> io::Result<()> {
        let program =
            sock_fprog { len: self.filter.len() as u16, filter: self.filter.as_ptr().cast_mut() };
        // SAFETY: system calls alone; the kernel copies the filter, whose length is right.
        let is_contained = unsafe {
            drops_privileges()
                && libc::syscall(libc::SYS_landlock_restrict_self, self.ruleset.descriptor(), 0_u32)
                    == 0
                && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program) == 0
        };
        if is_contained { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// Known calls proceed, except those that are forbidden. Unknown ones, and those of other numbers of
/// the same machine, do not exist.
fn call_filter() -> Vec<sock_filter> {
    let plain = |verdict| Rule { cases: Vec::new(), otherwise: verdict };
    let mut rules: BTreeMap<u32, Rule> =
        (0..FIRST_UNKNOWN).map(|number| (number, plain(Verdict::Allow))).collect();
    for number in FORBIDDEN {
        rules.insert(number as u32, plain(Verdict::Fail(libc::EPERM)));
    }
    // Its flags are in memory, which a filter cannot read; callers fall back to `clone`.
    rules.insert(libc::SYS_clone3 as u32, plain(Verdict::Fail(libc::ENOSYS)));
    for number in [libc::SYS_clone, libc::SYS_unshare] {
        let is_old = Case {
            argument: 0,
            mask: NAMESPACES,
            value: 0,
            is_equal: false,
            verdict: Verdict::Fail(libc::EPERM),
        };
        rules.insert(number as u32, Rule { cases: vec![is_old], otherwise: Verdict::Allow });
    }
    filter(&rules, Verdict::Fail(libc::ENOSYS))
}

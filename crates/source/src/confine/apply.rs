//! What a new process does to itself before it becomes a confined program.
//!
//! It shares our memory and must not allocate, so everything is prepared before (`Prepared`), and
//! here are system calls alone.

use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::ptr;

use libc::{c_int, c_void, sock_filter, sock_fprog};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::filesystem::{self, Ruleset};

/// What the kernel refused to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Step {
    Privileges = 1,
    Files = 2,
    Calls = 3,
    Supervisor = 4,
}

impl Step {
    /// The step of this number; 0 is none.
    pub fn of(number: i32) -> Option<Step> {
        [Step::Privileges, Step::Files, Step::Calls, Step::Supervisor]
            .into_iter()
            .find(|step| *step as i32 == number)
    }
}

/// Where a run may do what.
pub(crate) struct Grants<'a> {
    /// The version of landlock that is used, which the kernel has.
    pub landlock: u32,
    pub program: &'a Path,
    pub writable: Vec<&'a Path>,
}

/// Everything for one new process.
pub(crate) struct Prepared {
    ruleset: Ruleset,
    filter: sock_fprog,
    /// The new process sends the descriptor of its supervision through the second end.
    ends: (OwnedFd, OwnedFd),
}

impl Prepared {
    /// The filter outlives the process.
    pub fn new(grants: &Grants<'_>, filter: &'static [sock_filter]) -> io::Result<Prepared> {
        let ruleset = Ruleset::of_run(grants.landlock, grants.program, &grants.writable)?;
        let ends =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let len = u16::try_from(filter.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        let filter = sock_fprog { len, filter: filter.as_ptr().cast_mut() };
        Ok(Prepared { ruleset, filter, ends })
    }

    /// Our end of the channel.
    pub fn channel(self) -> OwnedFd {
        self.ends.0
    }

    /// Confines the calling process.
    ///
    /// # Safety
    /// Called by a new process with one thread, before it executes a program.
    #[allow(unsafe_code)]
    pub unsafe fn apply(&self) -> Result<(), (Step, io::Error)> {
        let failed = |step| (step, io::Error::last_os_error());
        // SAFETY: system calls alone; pointers lead to values that live here or in `self`.
        unsafe {
            if !drops_privileges() {
                return Err(failed(Step::Privileges));
            }
            let ruleset = self.ruleset.descriptor();
            filesystem::grant_own_process(ruleset);
            if libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0_u32) != 0 {
                return Err(failed(Step::Files));
            }
            let listener = self.install_filter();
            if listener < 0 {
                return Err(failed(Step::Calls));
            }
            if !sends(self.ends.1.as_raw_fd(), listener) {
                return Err(failed(Step::Supervisor));
            }
        }
        Ok(())
    }

    /// The descriptor for its supervision. A process that waits for the supervisor is not disturbed
    /// by signals, except that kernels before 5.19 do not support this.
    #[allow(unsafe_code)]
    unsafe fn install_filter(&self) -> c_int {
        let undisturbed = libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
        let listening = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        let filter = ptr::from_ref(&self.filter);
        let install = |flags: libc::c_ulong| {
            // SAFETY: the kernel copies the filter.
            unsafe {
                libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, filter)
            }
        };
        let listener = install(listening | undisturbed);
        // SAFETY: the C library's error number of this thread, which waits meanwhile.
        let is_unknown = listener < 0 && unsafe { *libc::__errno_location() } == libc::EINVAL;
        let listener = if is_unknown { install(listening) } else { listener };
        listener as c_int
    }
}

/// Programs that it executes get no privileges by it. Of the administrator's capabilities it keeps
/// access to files whatever their modes: landlock restricts which, and without it an administrator
/// could not use files of a user.
///
/// # Safety
/// Makes system calls alone; for a process that is about to execute a program.
#[allow(unsafe_code)]
pub(crate) unsafe fn drops_privileges() -> bool {
    /// `_LINUX_CAPABILITY_VERSION_3`, whose sets come as two halves of three words: effective,
    /// permitted, inheritable.
    const VERSION: u32 = 0x2008_0522;
    /// `CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH`.
    const FILES: u32 = 0b110;
    let header = [VERSION, 0];
    let mut held = [0_u32; 6];
    // SAFETY: the calls read and write these arrays, which have the form that the kernel expects.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || libc::syscall(libc::SYS_capget, header.as_ptr(), held.as_mut_ptr()) != 0
        {
            return false;
        }
        let kept = [held[0] & FILES, held[1] & FILES, 0, 0, 0, 0];
        libc::syscall(libc::SYS_capset, header.as_ptr(), kept.as_ptr()) == 0
    }
}

/// A control message with one descriptor.
#[repr(C)]
struct Parcel {
    header: libc::cmsghdr,
    descriptor: c_int,
    padding: c_int,
}

/// Sends a descriptor through a socket.
#[allow(unsafe_code)]
unsafe fn sends(socket: RawFd, descriptor: c_int) -> bool {
    let mut byte = 0_u8;
    let mut text = libc::iovec { iov_base: ptr::from_mut(&mut byte).cast::<c_void>(), iov_len: 1 };
    let header = libc::cmsghdr {
        cmsg_len: size_of::<libc::cmsghdr>() + size_of::<c_int>(),
        cmsg_level: libc::SOL_SOCKET,
        cmsg_type: libc::SCM_RIGHTS,
    };
    let mut parcel = Parcel { header, descriptor, padding: 0 };
    // SAFETY: all zeros are a message without parts; the parts live until it is sent.
    unsafe {
        let mut message: libc::msghdr = zeroed();
        message.msg_iov = ptr::from_mut(&mut text);
        message.msg_iovlen = 1;
        message.msg_control = ptr::from_mut(&mut parcel).cast::<c_void>();
        message.msg_controllen = size_of::<Parcel>();
        libc::sendmsg(socket, ptr::from_ref(&message), libc::MSG_NOSIGNAL) == 1
    }
}

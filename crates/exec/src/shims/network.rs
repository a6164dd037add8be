//! The network and terminals, which the process does not have; messages to the system log, which
//! are discarded.

use super::answer::{self, done, fail, fail_long, fail_null};
use super::{Arguments, Group, ShimResult, int};
use crate::libc::errno::Errno;
use crate::libc::vfs::flags::F_GETFL;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("socket", |state, _| fail(state, Errno::EAFNOSUPPORT)),
    ("socketpair", |state, _| fail(state, Errno::EAFNOSUPPORT)),
    ("accept", no_socket),
    ("accept4", no_socket),
    ("bind", no_socket),
    ("connect", no_socket),
    ("listen", no_socket),
    ("shutdown", no_socket),
    ("getsockname", no_socket),
    ("getpeername", no_socket),
    ("getsockopt", no_socket),
    ("setsockopt", no_socket),
    ("sockatmark", no_socket),
    ("send", no_transfer),
    ("sendto", no_transfer),
    ("sendmsg", no_transfer),
    ("recv", no_transfer),
    ("recvfrom", no_transfer),
    ("recvmsg", no_transfer),
    ("__recv_chk", no_transfer),
    ("__recvfrom_chk", no_transfer),
    ("sendmmsg", no_socket),
    ("recvmmsg", no_socket),
    ("getaddrinfo", |_, _| int(EAI_FAIL)),
    ("freeaddrinfo", |_, _| answer::nothing()),
    ("getnameinfo", |_, _| int(EAI_FAIL)),
    ("getifaddrs", |state, _| fail(state, Errno::EAFNOSUPPORT)),
    ("freeifaddrs", |_, _| answer::nothing()),
    ("epoll_create", |state, _| fail(state, Errno::ENOSYS)),
    ("epoll_create1", |state, _| fail(state, Errno::ENOSYS)),
    ("epoll_ctl", |state, _| fail(state, Errno::EBADF)),
    ("epoll_wait", |state, _| fail(state, Errno::EBADF)),
    ("eventfd", |state, _| fail(state, Errno::ENOSYS)),
    ("signalfd", |state, _| fail(state, Errno::ENOSYS)),
    ("timerfd_create", |state, _| fail(state, Errno::ENOSYS)),
    ("tcgetattr", no_terminal),
    ("tcsetattr", no_terminal),
    ("tcgetpgrp", no_terminal),
    ("tcsetpgrp", no_terminal),
    ("tcgetsid", no_terminal),
    ("tcflush", no_terminal),
    ("tcdrain", no_terminal),
    ("tcflow", no_terminal),
    ("tcsendbreak", no_terminal),
    ("grantpt", no_terminal),
    ("unlockpt", no_terminal),
    ("ptsname", |state, _| fail_null(state, Errno::ENOTTY)),
    ("posix_openpt", |state, _| fail(state, Errno::ENOENT)),
    ("getpt", |state, _| fail(state, Errno::ENOENT)),
    ("openpty", |state, _| fail(state, Errno::ENOENT)),
    ("login_tty", no_terminal),
    ("getpass", |state, _| fail_null(state, Errno::ENXIO)),
    ("openlog", |_, _| answer::nothing()),
    ("closelog", |_, _| answer::nothing()),
    ("syslog", |_, _| answer::nothing()),
    ("vsyslog", |_, _| answer::nothing()),
    ("__syslog_chk", |_, _| answer::nothing()),
    ("__vsyslog_chk", |_, _| answer::nothing()),
    // The mask that lets everything through.
    ("setlogmask", |_, _| int(0xff)),
];

const EAI_FAIL: i32 = -4;

/// No descriptor is a socket.
fn refusal(state: &mut State, descriptor: i32) -> Errno {
    match state.process.vfs.control(descriptor, F_GETFL, 0) {
        Ok(_) => Errno::ENOTSOCK,
        Err(errno) => errno,
    }
}

fn no_socket(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let errno = refusal(state, args.int(0));
    fail(state, errno)
}

fn no_transfer(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let errno = refusal(state, args.int(0));
    fail_long(state, errno)
}

/// No descriptor is a terminal.
fn no_terminal(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let errno = state.process.vfs.check_terminal(args.int(0));
    done(state, Err(errno))
}

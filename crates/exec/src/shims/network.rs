//! The network and terminals, which the process does not have; messages to the system log, which
//! are discarded.

use super::answer::{self, done, fail, fail_long, fail_null};
use super::{Arguments, Group, ShimResult, int};
use crate::libc::errno::Errno;
use crate::libc::vfs::flags::F_GETFL;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("socket socketpair getifaddrs", |state, _| fail(state, Errno::EAFNOSUPPORT)),
    (
        "accept accept4 bind connect listen shutdown getsockname getpeername getsockopt \
         setsockopt sockatmark sendmmsg recvmmsg",
        no_socket,
    ),
    ("send sendto sendmsg recv recvfrom recvmsg __recv_chk __recvfrom_chk", no_transfer),
    ("getaddrinfo getnameinfo", |_, _| int(EAI_FAIL)),
    (
        "freeaddrinfo freeifaddrs openlog closelog syslog vsyslog __syslog_chk __vsyslog_chk",
        |_, _| answer::nothing(),
    ),
    ("epoll_create epoll_create1 eventfd signalfd timerfd_create", |state, _| {
        fail(state, Errno::ENOSYS)
    }),
    ("epoll_ctl epoll_wait", |state, _| fail(state, Errno::EBADF)),
    (
        "tcgetattr tcsetattr tcgetpgrp tcsetpgrp tcgetsid tcflush tcdrain tcflow tcsendbreak \
         grantpt unlockpt login_tty",
        no_terminal,
    ),
    ("ptsname", |state, _| fail_null(state, Errno::ENOTTY)),
    ("posix_openpt getpt openpty", |state, _| fail(state, Errno::ENOENT)),
    ("getpass", |state, _| fail_null(state, Errno::ENXIO)),
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

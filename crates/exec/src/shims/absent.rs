//! Facilities that this system does not offer: attributes of files, message queues, named timers,
//! event descriptors, libraries loaded at run time.

use super::answer::{self, fail, fail_long};
use super::{Arguments, Group, ShimResult, int, value};
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    // No file system has to support attributes; then none can be listed either.
    ("getxattr", no_attributes),
    ("lgetxattr", no_attributes),
    ("fgetxattr", no_attributes),
    ("listxattr", no_attributes),
    ("llistxattr", no_attributes),
    ("flistxattr", no_attributes),
    ("setxattr", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("lsetxattr", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("fsetxattr", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("removexattr", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("lremovexattr", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("fremovexattr", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("name_to_handle_at", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("open_by_handle_at", |state, _| fail(state, Errno::EPERM)),
    ("semget", |state, _| fail(state, Errno::ENOSYS)),
    ("semop", |state, _| fail(state, Errno::EINVAL)),
    ("semtimedop", |state, _| fail(state, Errno::EINVAL)),
    ("semctl", |state, _| fail(state, Errno::EINVAL)),
    ("msgget", |state, _| fail(state, Errno::ENOSYS)),
    ("msgsnd", |state, _| fail(state, Errno::EINVAL)),
    ("msgrcv", |state, _| fail_long(state, Errno::EINVAL)),
    ("msgctl", |state, _| fail(state, Errno::EINVAL)),
    ("mq_open", |state, _| fail(state, Errno::ENOSYS)),
    ("ftok", |state, _| fail(state, Errno::ENOENT)),
    ("timer_create", |state, _| fail(state, Errno::EAGAIN)),
    ("timer_settime", |state, _| fail(state, Errno::EINVAL)),
    ("timer_gettime", |state, _| fail(state, Errno::EINVAL)),
    ("timer_delete", |state, _| fail(state, Errno::EINVAL)),
    ("timer_getoverrun", |state, _| fail(state, Errno::EINVAL)),
    ("timerfd_settime", |state, _| fail(state, Errno::EBADF)),
    ("timerfd_gettime", |state, _| fail(state, Errno::EBADF)),
    ("eventfd_read", |state, _| fail(state, Errno::EBADF)),
    ("eventfd_write", |state, _| fail(state, Errno::EBADF)),
    ("splice", |state, _| fail_long(state, Errno::EINVAL)),
    ("tee", |state, _| fail_long(state, Errno::EINVAL)),
    ("vmsplice", |state, _| fail_long(state, Errno::EINVAL)),
    ("dl_iterate_phdr", |_, _| int(0)),
    ("_dl_find_object", |_, _| int(-1)),
    ("dladdr", |_, _| int(0)),
    ("__pthread_register_cancel", |_, _| answer::nothing()),
    ("__pthread_unregister_cancel", |_, _| answer::nothing()),
    ("updwtmpx", |_, _| answer::nothing()),
    // The sizes of the native heap mean nothing here. The caller says where the result goes.
    ("mallinfo", |state, args| sizes(state, args, 40)),
    ("mallinfo2", |state, args| sizes(state, args, 80)),
    // The databases of networks and of remote procedures are empty.
    ("getnetbyaddr", |_, _| value(0)),
    ("getnetbyname", |_, _| value(0)),
    ("getnetent", |_, _| value(0)),
    ("setnetent", |_, _| answer::nothing()),
    ("endnetent", |_, _| answer::nothing()),
    ("getrpcbyname", |_, _| value(0)),
    ("getrpcbynumber", |_, _| value(0)),
    ("gethostbyname_r", |state, args| no_host(state, args.word(4), args.word(5))),
    ("gethostbyname2_r", |state, args| no_host(state, args.word(5), args.word(6))),
    ("gethostbyaddr_r", |state, args| no_host(state, args.word(6), args.word(7))),
    ("res_init", |_, _| int(-1)),
    ("__res_init", |_, _| int(-1)),
    ("res_query", |_, _| int(-1)),
    ("res_search", |_, _| int(-1)),
    ("catopen", |state, _| fail_long(state, Errno::ENOENT)),
    ("catgets", |_, args| value(args.word(3))),
    ("catclose", |state, _| fail(state, Errno::EBADF)),
    ("bindresvport", |state, _| fail(state, Errno::EAFNOSUPPORT)),
    ("rcmd", |state, _| fail(state, Errno::EAFNOSUPPORT)),
];

fn no_attributes(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    fail_long(state, Errno::EOPNOTSUPP)
}

fn sizes(state: &mut State, args: &Arguments<'_>, size: u64) -> ShimResult {
    state.memory.fill(args.word(0), 0, size)?;
    value(args.word(0))
}

/// No host has a name: the result is null, and the reason that no name server answers.
fn no_host(state: &mut State, result: u64, reason: u64) -> ShimResult {
    const NO_RECOVERY: u32 = 3;
    state.memory.write_u64(result, 0)?;
    state.memory.write_u32(reason, NO_RECOVERY)?;
    int(0)
}

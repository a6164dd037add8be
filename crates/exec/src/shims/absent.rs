//! Facilities that this system does not offer: attributes of files, message queues, named timers,
//! event descriptors, libraries loaded at run time.

use super::answer::{self, fail, fail_long};
use super::{Arguments, Group, ShimResult, int, value};
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    // No file system has to support attributes; then none can be listed either.
    ("getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr", no_attributes),
    (
        "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr name_to_handle_at",
        |state, _| fail(state, Errno::EOPNOTSUPP),
    ),
    ("open_by_handle_at", |state, _| fail(state, Errno::EPERM)),
    ("semget msgget mq_open", |state, _| fail(state, Errno::ENOSYS)),
    (
        "semop semtimedop semctl msgsnd msgctl timer_settime timer_gettime timer_delete \
         timer_getoverrun",
        |state, _| fail(state, Errno::EINVAL),
    ),
    ("msgrcv splice tee vmsplice", |state, _| fail_long(state, Errno::EINVAL)),
    ("ftok", |state, _| fail(state, Errno::ENOENT)),
    ("timer_create", |state, _| fail(state, Errno::EAGAIN)),
    ("timerfd_settime timerfd_gettime eventfd_read eventfd_write catclose", |state, _| {
        fail(state, Errno::EBADF)
    }),
    ("dl_iterate_phdr dladdr", |_, _| int(0)),
    ("_dl_find_object res_init __res_init res_query res_search", |_, _| int(-1)),
    (
        "__pthread_register_cancel __pthread_unregister_cancel updwtmpx setnetent endnetent",
        |_, _| answer::nothing(),
    ),
    // The sizes of the native heap mean nothing here. The caller says where the result goes.
    ("mallinfo", |state, args| sizes(state, args, 40)),
    ("mallinfo2", |state, args| sizes(state, args, 80)),
    // The databases of networks and of remote procedures are empty.
    ("getnetbyaddr getnetbyname getnetent getrpcbyname getrpcbynumber", |_, _| value(0)),
    ("gethostbyname_r", |state, args| no_host(state, args.word(4), args.word(5))),
    ("gethostbyname2_r", |state, args| no_host(state, args.word(5), args.word(6))),
    ("gethostbyaddr_r", |state, args| no_host(state, args.word(6), args.word(7))),
    ("catopen", |state, _| fail_long(state, Errno::ENOENT)),
    ("catgets", |_, args| value(args.word(3))),
    ("bindresvport rcmd", |state, _| fail(state, Errno::EAFNOSUPPORT)),
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

//! Which system calls a confined program may make.
//!
//! What is not listed fails with `ENOSYS`, as on a kernel without it, so new system calls are
//! closed until they are listed here. Calls that only administrators may make fail with `EPERM`,
//! sockets as on a machine without networks. The supervisor decides calls that name other
//! processes or change the owner, mode or times of a file, which landlock does not restrict.
//!
//! Files are not restricted here but by landlock: a filter cannot read names.

use std::collections::BTreeMap;

use libc::{c_long, sock_filter};

use super::bpf::{Case, Rule, Verdict, filter};

/// The first version of landlock that restricts cutting files short.
pub(super) const TRUNCATION: u32 = 3;

/// The flag of `O_TMPFILE` that no other flag shares.
const UNNAMED: u32 = (libc::O_TMPFILE & !libc::O_DIRECTORY) as u32;
/// Flags of `clone` for new namespaces, and for a process that is not a child of its caller.
const NAMESPACES: u32 = 0x7e02_0000;
const ONLY_SIBLING: u32 = 0x8000;
/// `IOPRIO_WHO_PROCESS`.
const IO_PROCESS: u32 = 1;
/// The kinds of `socketpair` whose ends cannot send elsewhere.
const KIND_OF_SOCKET: u32 = 0xf;

/// Affect only the process, or what landlock restricts.
const ALLOWED: &[c_long] = &[
    // Files that are open, and names.
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_lseek,
    libc::SYS_dup,
    libc::SYS_dup2,
    libc::SYS_dup3,
    libc::SYS_pipe,
    libc::SYS_pipe2,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_vmsplice,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_sync_file_range,
    libc::SYS_syncfs,
    libc::SYS_readahead,
    libc::SYS_fadvise64,
    libc::SYS_ftruncate,
    libc::SYS_getdents,
    libc::SYS_getdents64,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_access,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlink,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdir,
    libc::SYS_mkdirat,
    libc::SYS_mknod,
    libc::SYS_mknodat,
    libc::SYS_rmdir,
    libc::SYS_creat,
    libc::SYS_link,
    libc::SYS_linkat,
    libc::SYS_symlink,
    libc::SYS_symlinkat,
    libc::SYS_unlink,
    libc::SYS_unlinkat,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_umask,
    // Waiting, and events.
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_epoll_create,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd,
    libc::SYS_eventfd2,
    libc::SYS_signalfd,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // Both ends of a pair of sockets; others cannot be made.
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_setsockopt,
    libc::SYS_getsockopt,
    // Memory.
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_madvise,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_munlock,
    libc::SYS_mlockall,
    libc::SYS_munlockall,
    libc::SYS_remap_file_pages,
    libc::SYS_mbind,
    libc::SYS_set_mempolicy,
    libc::SYS_get_mempolicy,
    libc::SYS_pkey_mprotect,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_membarrier,
    // The process itself, and its children.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_arch_prctl,
    libc::SYS_personality,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    libc::SYS_pause,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_alarm,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_getattr,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_getpriority,
    libc::SYS_ioprio_get,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgrp,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capget,
    libc::SYS_capset,
    // The machine.
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getcpu,
    libc::SYS_getrandom,
    libc::SYS_time,
    libc::SYS_gettimeofday,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
];

/// Decided by the supervisor.
const ASKED: &[c_long] = &[
    // Other processes.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_setpgid,
    // More processes.
    libc::SYS_fork,
    libc::SYS_vfork,
    // Memory that no limit of a process counts.
    libc::SYS_memfd_create,
    // Files by name or descriptor, which need not be below the run's directory.
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_utimensat,
];

/// Take a process as their first argument, 0 for the caller. The supervisor decides about others.
const OF_A_PROCESS: &[c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
];

/// For administrators, or about other processes.
const FORBIDDEN: &[c_long] = &[
    libc::SYS_acct,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_ioperm,
    libc::SYS_iopl,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_perf_event_open,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    // All processes of the program stay in its group, so that they can be killed together.
    libc::SYS_setsid,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_vhangup,
];

/// There is no other end to talk to.
const ADDRESSED: &[c_long] =
    &[libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4];

/// Fail as on file systems that do not support them. Reserved space would fill a disk faster than
/// it can be watched.
const UNSUPPORTED: &[c_long] = &[
    libc::SYS_fallocate,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
];

/// Commands of `fcntl` about the caller's own descriptors and locks. Leases and notifications are
/// not among them: they concern other processes that use the file.
const FCNTL: &[i32] = &[
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_GETOWN,
    // F_SETSIG, F_GETSIG, F_GETOWN_EX.
    10,
    11,
    16,
    libc::F_SETPIPE_SZ,
    libc::F_GETPIPE_SZ,
    libc::F_ADD_SEALS,
    libc::F_GET_SEALS,
];

/// Requests of `ioctl` that ask, or that concern the caller's own descriptor.
const IOCTL: &[u64] = &[
    libc::TCGETS,
    libc::TIOCGWINSZ,
    libc::TIOCGPGRP,
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOASYNC,
    libc::FIOCLEX,
    libc::FIONCLEX,
];

/// Options of `prctl` about the caller alone.
const PRCTL: &[i32] = &[
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_SECCOMP,
    libc::PR_CAPBSET_READ,
    libc::PR_SET_TIMERSLACK,
    libc::PR_GET_TIMERSLACK,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_TID_ADDRESS,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    libc::PR_CAP_AMBIENT,
    // PR_SET_VMA: allocators name their memory.
    0x5356_4d41,
];

/// The filter where the kernel has this version of landlock.
pub(crate) fn program(landlock: u32) -> Vec<sock_filter> {
    filter(&rules(landlock), Verdict::Fail(libc::ENOSYS))
}

fn rules(landlock: u32) -> BTreeMap<u32, Rule> {
    let mut rules = BTreeMap::new();
    let mut always = |calls: &[c_long], verdict| {
        for &call in calls {
            let previous = rules.insert(call as u32, otherwise(verdict, Vec::new()));
            debug_assert!(previous.is_none(), "call {call} is listed once");
        }
    };
    always(ALLOWED, Verdict::Allow);
    always(ASKED, Verdict::Ask);
    always(FORBIDDEN, Verdict::Fail(libc::EPERM));
    always(ADDRESSED, Verdict::Fail(libc::EACCES));
    always(UNSUPPORTED, Verdict::Fail(libc::EOPNOTSUPP));
    always(&[libc::SYS_socket], Verdict::Fail(libc::EAFNOSUPPORT));
    // It would make all programs of the machine wait.
    always(&[libc::SYS_sync], Verdict::Fail(0));
    // By name; landlock restricts it only in later versions.
    let truncate = if landlock >= TRUNCATION { Verdict::Allow } else { Verdict::Ask };
    always(&[libc::SYS_truncate], truncate);
    for &call in OF_A_PROCESS {
        rules.insert(call as u32, otherwise(Verdict::Ask, vec![is(0, 0, Verdict::Allow)]));
    }
    rules.insert(libc::SYS_open as u32, opening(landlock, 1));
    rules.insert(libc::SYS_openat as u32, opening(landlock, 2));
    rules.insert(libc::SYS_clone as u32, cloning());
    rules.insert(libc::SYS_socketpair as u32, pairing());
    rules.insert(libc::SYS_setpriority as u32, of_caller(libc::PRIO_PROCESS));
    rules.insert(libc::SYS_ioprio_set as u32, of_caller(IO_PROCESS));
    let mut commands = among(1, FCNTL.iter().map(|&command| command as u32));
    commands.push(is(1, libc::F_SETOWN as u32, Verdict::Ask));
    rules.insert(libc::SYS_fcntl as u32, otherwise(Verdict::Fail(libc::EINVAL), commands));
    let requests = among(1, IOCTL.iter().map(|&request| request as u32));
    rules.insert(libc::SYS_ioctl as u32, otherwise(Verdict::Fail(libc::ENOTTY), requests));
    let options = among(0, PRCTL.iter().map(|&option| option as u32));
    rules.insert(libc::SYS_prctl as u32, otherwise(Verdict::Fail(libc::EINVAL), options));
    rules
}

fn otherwise(verdict: Verdict, cases: Vec<Case>) -> Rule {
    Rule { cases, otherwise: verdict }
}

fn is(argument: u32, value: u32, verdict: Verdict) -> Case {
    Case { argument, mask: u32::MAX, value, is_equal: true, verdict }
}

fn is_not(argument: u32, value: u32, verdict: Verdict) -> Case {
    Case { argument, mask: u32::MAX, value, is_equal: false, verdict }
}

/// Any of these bits is set.
fn has(argument: u32, mask: u32, verdict: Verdict) -> Case {
    Case { argument, mask, value: 0, is_equal: false, verdict }
}

fn among(argument: u32, values: impl Iterator<Item = u32>) -> Vec<Case> {
    values.map(|value| is(argument, value, Verdict::Allow)).collect()
}

/// A file without a name is made by the supervisor in the run's directory, because the C library
/// wants it elsewhere. Early versions of landlock do not see that opening a file for reading can
/// cut it short.
fn opening(landlock: u32, flags: u32) -> Rule {
    let mut cases = vec![has(flags, UNNAMED, Verdict::Ask)];
    if landlock < TRUNCATION {
        let (mask, value) = ((libc::O_ACCMODE | libc::O_TRUNC) as u32, libc::O_TRUNC as u32);
        let verdict = Verdict::Fail(libc::EACCES);
        cases.push(Case { argument: flags, mask, value, is_equal: true, verdict });
    }
    otherwise(Verdict::Allow, cases)
}

fn cloning() -> Rule {
    let elsewhere = has(0, NAMESPACES | ONLY_SIBLING, Verdict::Fail(libc::EPERM));
    otherwise(Verdict::Ask, vec![elsewhere])
}

/// Two connected sockets. Sockets for datagrams could send to other addresses.
fn pairing() -> Rule {
    let kind = |value: i32| Case {
        argument: 1,
        mask: KIND_OF_SOCKET,
        value: value as u32,
        is_equal: true,
        verdict: Verdict::Allow,
    };
    let cases = vec![
        is_not(0, libc::AF_UNIX as u32, Verdict::Fail(libc::EAFNOSUPPORT)),
        kind(libc::SOCK_STREAM),
        kind(libc::SOCK_SEQPACKET),
    ];
    otherwise(Verdict::Fail(libc::ESOCKTNOSUPPORT), cases)
}

/// For the caller alone: not for its group, its user or another process.
fn of_caller(process: u32) -> Rule {
    let cases = vec![is_not(1, 0, Verdict::Fail(libc::EPERM)), is(0, process, Verdict::Allow)];
    otherwise(Verdict::Fail(libc::EPERM), cases)
}

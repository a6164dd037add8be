//! `syscall`: system calls by number, where a function of the library does the same.

use super::{Arguments, Group, ShimResult, Trouble, find, get, value};
use crate::state::State;

pub(super) const SHIMS: Group = &[("syscall", syscall)];

/// The numbers of x86-64. Only calls whose arguments and results are those of the function.
fn name(number: u64) -> Option<&'static str> {
    Some(match number {
        0 => "read",
        1 => "write",
        2 => "open",
        3 => "close",
        4 => "stat",
        5 => "fstat",
        6 => "lstat",
        8 => "lseek",
        16 => "ioctl",
        17 => "pread",
        18 => "pwrite",
        19 => "readv",
        20 => "writev",
        21 => "access",
        22 => "pipe",
        24 => "sched_yield",
        32 => "dup",
        33 => "dup2",
        39 => "getpid",
        60 | 231 => "_exit",
        63 => "uname",
        72 => "fcntl",
        74 => "fsync",
        80 => "chdir",
        82 => "rename",
        83 => "mkdir",
        84 => "rmdir",
        87 => "unlink",
        90 => "chmod",
        96 => "gettimeofday",
        102 => "getuid",
        104 => "getgid",
        107 => "geteuid",
        108 => "getegid",
        110 => "getppid",
        186 => "gettid",
        201 => "time",
        203 => "sched_setaffinity",
        228 => "clock_gettime",
        257 => "openat",
        262 => "fstatat",
        263 => "unlinkat",
        264 => "renameat",
        292 => "dup3",
        293 => "pipe2",
        316 => "renameat2",
        318 => "getrandom",
        326 => "copy_file_range",
        332 => "statx",
        _ => return None,
    })
}

fn syscall(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let number = args.word(0);
    let Some(shim) = name(number).and_then(find) else {
        return Err(Trouble::Unsupported(format!("system call {number}")));
    };
    let rest = Arguments {
        words: args.words.get(1..).unwrap_or(&[]),
        passing: args.passing.get(1..).unwrap_or(&[]),
        fixed: args.passing.len().saturating_sub(1),
    };
    match (get(shim).run)(state, &rest)? {
        // Results of 32 bits become those of 64 that `syscall` gives.
        super::Outcome::Value(result) if result == u64::from(u32::MAX) => value(u64::MAX),
        outcome => Ok(outcome),
    }
}

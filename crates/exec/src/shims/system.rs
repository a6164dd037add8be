//! The identity of the process and its machine: one ordinary user on one fixed machine.
//!
//! Random numbers come from a fixed sequence, the same in every run.

use base::random::{STEP, mixed};

use super::answer::{self, done, fail, fail_long, fail_null};
use super::files::put_string;
use super::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::libc::errno::Errno;
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("getpid __getpid gettid getpgrp", |_, _| int(PROCESS)),
    ("getppid", |_, _| int(PARENT)),
    ("getpgid __getpgid getsid", |state, args| of_process(state, args.int(0), PROCESS)),
    // The process leads its group and its session already.
    ("setsid", |state, _| fail(state, Errno::EPERM)),
    ("setpgid", |state, args| of_process(state, args.int(0), 0)),
    ("setpgrp sched_getcpu sched_setaffinity personality", |_, _| int(0)),
    ("getuid geteuid setfsuid", user),
    ("getgid getegid setfsgid", group),
    ("setuid seteuid", |state, args| become_user(state, &[args.int(0)])),
    ("setreuid", |state, args| become_user(state, &[args.int(0), args.int(1)])),
    ("setresuid", |state, args| become_user(state, &[args.int(0), args.int(1), args.int(2)])),
    ("setgid setegid", |state, args| become_group(state, &[args.int(0)])),
    ("setregid", |state, args| become_group(state, &[args.int(0), args.int(1)])),
    ("setresgid", |state, args| become_group(state, &[args.int(0), args.int(1), args.int(2)])),
    ("getresuid", |state, args| {
        let id = state.process.vfs.uid();
        three(state, args, id)
    }),
    ("getresgid", |state, args| {
        let id = state.process.vfs.gid();
        three(state, args, id)
    }),
    ("getgroups __getgroups_chk", getgroups),
    ("group_member", |state, args| int(i32::from(args.int(0) as u32 == state.process.vfs.gid()))),
    ("uname", uname),
    ("gethostname", gethostname),
    ("__gethostname_chk", |state, args| {
        room(args.word(1), args.word(2))?;
        gethostname(state, args)
    }),
    ("getdomainname", |state, args| name_into(state, args, b"(none)")),
    ("__getdomainname_chk", |state, args| {
        room(args.word(1), args.word(2))?;
        name_into(state, args, b"(none)")
    }),
    ("gethostid", |_, _| value(HOST_ID)),
    ("sysinfo", sysinfo),
    ("get_nprocs get_nprocs_conf", |_, _| int(1)),
    ("get_phys_pages", |_, _| value(MEMORY / 4096)),
    ("get_avphys_pages", |_, _| value(MEMORY / 8192)),
    ("getloadavg", getloadavg),
    ("sched_getaffinity", sched_getaffinity),
    ("getauxval", |state, _| fail_null(state, Errno::ENOENT)),
    ("gnu_get_libc_version", |state, _| value(state.allocate_system(b"2.36\0")?)),
    ("prctl", prctl),
    ("getrandom", getrandom),
    ("getentropy", getentropy),
    ("arc4random", |state, _| int(random_word(state) as i32)),
    ("arc4random_uniform", |state, args| {
        let bound = args.int(0) as u32;
        int(if bound < 2 { 0 } else { (random_word(state) % bound) as i32 })
    }),
    ("arc4random_buf", |state, args| {
        random_bytes(state, args.word(0), args.word(1))?;
        answer::nothing()
    }),
    // Reserved for the superuser.
    (
        "setgroups initgroups sethostname setdomainname mount umount umount2 reboot swapon swapoff \
         acct unshare setns klogctl vhangup quotactl pivot_root init_module delete_module",
        |state, _| fail(state, Errno::EPERM),
    ),
    ("ptrace", |state, _| fail_long(state, Errno::EPERM)),
    // There is nothing to watch: only the process itself changes files.
    ("inotify_init inotify_init1", |state, _| fail(state, Errno::ENOSYS)),
    ("inotify_add_watch inotify_rm_watch", |state, _| fail(state, Errno::EBADF)),
];

const PROCESS: i32 = 4242;
const PARENT: i32 = 4241;
const HOST_NAME: &[u8] = b"ripple";
const HOST_ID: u64 = 0x007f_0101;
/// Bytes of memory that the machine claims to have.
const MEMORY: u64 = 4 << 30;

fn user(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    int(state.process.vfs.uid() as i32)
}

fn group(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    int(state.process.vfs.gid() as i32)
}

/// An answer about the process itself; there is no other.
fn of_process(state: &mut State, process: i32, answer: i32) -> ShimResult {
    match process {
        0 | PROCESS => int(answer),
        _ => fail(state, Errno::ESRCH),
    }
}

/// Only the current identity can be set; -1 leaves it unchanged.
fn become_user(state: &mut State, ids: &[i32]) -> ShimResult {
    let own = state.process.vfs.uid() as i32;
    become_one(state, ids, own)
}

fn become_group(state: &mut State, ids: &[i32]) -> ShimResult {
    let own = state.process.vfs.gid() as i32;
    become_one(state, ids, own)
}

fn become_one(state: &mut State, ids: &[i32], own: i32) -> ShimResult {
    let result = match ids {
        [-1] => Err(Errno::EINVAL),
        ids if ids.iter().all(|&id| id == own || id == -1) => Ok(()),
        _ => Err(Errno::EPERM),
    };
    done(state, result)
}

fn three(state: &mut State, args: &Arguments<'_>, id: u32) -> ShimResult {
    for index in 0..3 {
        state.memory.write_u32(args.word(index), id)?;
    }
    int(0)
}

fn getgroups(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.int(0) {
        0 => int(1),
        size if size < 0 => fail(state, Errno::EINVAL),
        _ => {
            let gid = state.process.vfs.gid();
            state.memory.write_u32(args.word(1), gid)?;
            int(1)
        }
    }
}

fn room(size: u64, room: u64) -> Result<(), Trouble> {
    if size > room { Err(Trouble::Fault(FaultKind::BufferOverflow)) } else { Ok(()) }
}

/// Six names of 65 bytes each: system, host, release, version, hardware, domain.
fn uname(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let names: [&[u8]; 6] = [b"Linux", HOST_NAME, b"6.1.0", b"#1 SMP", b"x86_64", b"(none)"];
    let mut bytes = vec![0; 6 * 65];
    for (place, name) in bytes.chunks_mut(65).zip(names) {
        place[..name.len()].copy_from_slice(name);
    }
    state.memory.write_bytes(args.word(0), &bytes)?;
    int(0)
}

fn gethostname(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let size = args.word(1);
    if size <= HOST_NAME.len() as u64 {
        state.memory.write_bytes(args.word(0), &HOST_NAME[..size as usize])?;
        return fail(state, Errno::ENAMETOOLONG);
    }
    put_string(state, args.word(0), HOST_NAME)?;
    int(0)
}

fn name_into(state: &mut State, args: &Arguments<'_>, name: &[u8]) -> ShimResult {
    let size = args.word(1).min(name.len() as u64 + 1) as usize;
    let text = [name, b"\0"].concat();
    state.memory.write_bytes(args.word(0), &text[..size])?;
    int(0)
}

/// `struct sysinfo`: uptime, loads, total and free memory, …, processes, …, unit.
fn sysinfo(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let uptime = state.process.vfs.clock.query(crate::libc::clock::ClockKind::Monotonic).seconds;
    let mut bytes = vec![0; 112];
    let mut put = |at: usize, value: u64| bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    put(0, uptime as u64);
    put(32, MEMORY);
    put(40, MEMORY / 2);
    put(80, 1);
    put(104, 1);
    state.memory.write_bytes(args.word(0), &bytes)?;
    int(0)
}

fn getloadavg(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let count = args.int(1).clamp(0, 3);
    state.memory.fill(args.word(0), 0, 8 * count as u64)?;
    int(count)
}

/// The first processor is the only one.
fn sched_getaffinity(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.word(1) < 8 {
        return fail(state, Errno::EINVAL);
    }
    state.memory.fill(args.word(2), 0, args.word(1))?;
    state.memory.write_u8(args.word(2), 1)?;
    int(0)
}

fn prctl(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.int(0) {
        // PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_NAME,
        // PR_SET_NO_NEW_PRIVS.
        1 | 4 | 8 | 15 | 38 => int(0),
        // PR_GET_DUMPABLE.
        3 => int(1),
        // PR_GET_NAME.
        16 => {
            put_string(state, args.word(1), b"program")?;
            int(0)
        }
        _ => fail(state, Errno::EINVAL),
    }
}

/// The next byte of the sequence, by the mixing steps of splitmix64 on its number.
fn random_byte(state: &mut State) -> u8 {
    let number = &mut state.process.kernel.random;
    *number = number.wrapping_add(1);
    mixed(number.wrapping_mul(STEP)) as u8
}

fn random_word(state: &mut State) -> u32 {
    u32::from_le_bytes([(); 4].map(|()| random_byte(state)))
}

fn random_bytes(state: &mut State, to: u64, count: u64) -> Result<(), Trouble> {
    state.memory.bytes(to, count)?;
    let bytes: Vec<u8> = (0..count).map(|_| random_byte(state)).collect();
    Ok(state.memory.write_bytes(to, &bytes)?)
}

fn getrandom(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let count = args.word(1).min(33_554_431);
    random_bytes(state, args.word(0), count)?;
    value(count)
}

fn getentropy(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.word(1) > 256 {
        return fail(state, Errno::EIO);
    }
    random_bytes(state, args.word(0), args.word(1))?;
    int(0)
}

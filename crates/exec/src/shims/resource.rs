//! Limits and use of resources, priorities, and the constants of `sysconf` and `confstr`.

use super::answer::{fail, fail_long};
use super::{Arguments, Group, ShimResult, int, value};
use crate::libc::clock::ClockKind;
use crate::libc::errno::Errno;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("getrlimit getrlimit64", |state, args| getrlimit(state, args.int(0), args.word(1))),
    ("setrlimit setrlimit64", |state, args| setrlimit(state, args.int(0), args.word(1))),
    ("prlimit prlimit64", prlimit),
    ("getrusage", getrusage),
    ("getdtablesize", |_, _| int(1024)),
    ("getpriority setpriority nice sched_getscheduler", |_, _| int(0)),
    ("sched_get_priority_min", |_, args| int(i32::from(matches!(args.int(0), 1 | 2)))),
    ("sched_get_priority_max", |_, args| int(if matches!(args.int(0), 1 | 2) { 99 } else { 0 })),
    ("sched_setscheduler", |state, _| fail(state, Errno::EPERM)),
    ("sysconf __sysconf", sysconf),
    ("confstr __confstr_chk", confstr),
];

fn number(resource: i32) -> Option<usize> {
    usize::try_from(resource).ok().filter(|&number| number < 16)
}

fn getrlimit(state: &mut State, resource: i32, to: u64) -> ShimResult {
    let Some(index) = number(resource) else {
        return fail(state, Errno::EINVAL);
    };
    let (soft, hard) = state.process.kernel.limits.limits[index];
    state.memory.write_u64(to, soft)?;
    state.memory.write_u64(to.wrapping_add(8), hard)?;
    int(0)
}

/// Stores the limit; the bounds of the run do not change.
fn setrlimit(state: &mut State, resource: i32, from: u64) -> ShimResult {
    let Some(index) = number(resource) else {
        return fail(state, Errno::EINVAL);
    };
    let soft = state.memory.read_u64(from)?;
    let hard = state.memory.read_u64(from.wrapping_add(8))?;
    let limit = &mut state.process.kernel.limits.limits[index];
    if soft > hard {
        return fail(state, Errno::EINVAL);
    }
    if hard > limit.1 {
        return fail(state, Errno::EPERM);
    }
    *limit = (soft, hard);
    int(0)
}

fn prlimit(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.word(3) != 0 {
        getrlimit(state, args.int(1), args.word(3))?;
    }
    match args.word(2) {
        0 => int(0),
        new => setrlimit(state, args.int(1), new),
    }
}

/// `struct rusage`: 144 bytes, of which only the time spent is known.
fn getrusage(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let used = match args.int(0) {
        // RUSAGE_SELF and RUSAGE_THREAD.
        0 | 1 => state.process.vfs.clock.query(ClockKind::Process),
        -1 => crate::libc::clock::Time::default(),
        _ => return fail(state, Errno::EINVAL),
    };
    state.memory.fill(args.word(1), 0, 144)?;
    state.memory.write_u64(args.word(1), used.seconds as u64)?;
    let micros = u64::from(used.nanoseconds / 1000);
    state.memory.write_u64(args.word(1).wrapping_add(8), micros)?;
    int(0)
}

/// The version of POSIX that options are of.
const POSIX: i64 = 200_809;

fn sysconf(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let limits = &state.process.kernel.limits.limits;
    let answer: i64 = match args.int(0) {
        0 => 2_097_152,
        1 => limits[6].0 as i64,
        2 => 100,
        3 => 65_536,
        4 => limits[7].0 as i64,
        5 => 16,
        7 | 8 => 1,
        9..=22 | 29 | 46..=48 | 51 | 52 | 67 | 68 | 77..=82 | 95 | 96 => POSIX,
        25 | 109 => 20,
        26 | 33 | 87 | 104 | 121..=124 => i64::from(i32::MAX),
        28 => 32_768,
        30 | 119 => 4096,
        31 | 42 | 72 | 107 => 32,
        34 => limits[11].0 as i64,
        36 | 38 => 99,
        37 | 43 | 45 | 120 => 2048,
        39 => 1000,
        40 | 115 => 255,
        44 | 110 | 113 => 32_767,
        60 | 69 | 70 | 74 => 1024,
        71 => 256,
        73 | 90 => 4,
        75 => 16_384,
        // One processor, and 4 GiB of memory, half of it free.
        83 | 84 => 1,
        85 => 1 << 20,
        86 => 1 << 19,
        88 => 8192,
        89 => 700,
        91 | 93 | 94 | 98..=100 | 127 | 129..=131 | 155 | 157 | 178 | 239 => 1,
        101 => 8,
        102 | 111 => 127,
        103 | 112 => -128,
        105 => i64::from(i32::MIN),
        106 | 180 | 187 | 190 | 193 | 196 => 64,
        108 => 16,
        114 => -32_768,
        116 => i64::from(u32::MAX),
        118 => 65_535,
        132 | 133 | 137..=139 | 149 | 153 | 154 | 159 | 164 | 235 | 236 => POSIX,
        // Caches: sizes and associativities of an ordinary processor.
        185 | 188 => 32_768,
        186 | 189 => 8,
        191 => 262_144,
        192 => 8,
        194 => 8 << 20,
        195 => 16,
        // Known to the native library, but without a limit or not offered.
        6 | 23..=240 | 242..=246 if !matches!(args.int(0), 41 | 200..=234) => -1,
        249 => 3632,
        250 => 14_528,
        _ => return fail_long(state, Errno::EINVAL),
    };
    value(answer as u64)
}

/// Returns the size of the text; writes as much of it as fits.
fn confstr(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let text: &[u8] = match args.int(0) {
        0 => b"/bin:/usr/bin\0",
        1 => b"POSIX_V6_LP64_OFF64\0",
        2 => b"glibc 2.36\0",
        3 => b"NPTL 2.36\0",
        4 => b"XBS5_LP64_OFF64\0",
        5 => b"POSIX_V7_LP64_OFF64\0",
        _ => {
            state.set_errno(Errno::EINVAL)?;
            return value(0);
        }
    };
    let (buffer, size) = (args.word(1), args.word(2) as usize);
    if buffer != 0 && size > 0 {
        let kept = text.len().min(size);
        state.memory.write_bytes(buffer, &text[..kept])?;
        state.memory.write_u8(buffer.wrapping_add(kept as u64 - 1), 0)?;
    }
    value(text.len() as u64)
}

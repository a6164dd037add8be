//! Waits for descriptors and moves bytes between them: `poll`, `select`, `sendfile` and the like.
//!
//! Files and pipes count as ready in the directions they are open for. A wait for nothing
//! passes time on the virtual clock; an endless one is not supported.

use super::answer::{check_halt, fail, fail_long, long};
use super::{Arguments, Group, ShimResult, Trouble, int};
use crate::libc::clock::Time;
use crate::libc::errno::Errno;
use crate::libc::vfs::flags::{F_GETFL, O_ACCMODE, O_RDONLY, O_WRONLY, SEEK_END};
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("poll __poll __poll_chk", |state, args| poll(state, args, Unit::Milliseconds)),
    ("ppoll __ppoll_chk", |state, args| poll(state, args, Unit::Nanoseconds)),
    ("select __select", |state, args| select(state, args, Unit::Microseconds)),
    ("pselect", |state, args| select(state, args, Unit::Nanoseconds)),
    ("sendfile sendfile64", sendfile),
    ("copy_file_range", copy_file_range),
    ("posix_fadvise posix_fadvise64", posix_fadvise),
    ("readahead", |state, args| {
        let result = access(state, args.int(0)).map(|_| 0);
        long(state, result)
    }),
    ("posix_fallocate posix_fallocate64", |state, args| {
        int(reserve(state, args, 1)?.map_or_else(|e| e.0, |()| 0))
    }),
    ("fallocate fallocate64", fallocate),
];

/// How a timeout is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A number, negative for no timeout.
    Milliseconds,
    /// A pointer to `struct timeval`, null for no timeout.
    Microseconds,
    /// A pointer to `struct timespec`, null for no timeout.
    Nanoseconds,
}

/// Reads a timeout; `None` means no timeout.
fn timeout(state: &mut State, unit: Unit, word: u64) -> Result<Option<Time>, Trouble> {
    if unit == Unit::Milliseconds {
        let number = word as i32;
        let nanoseconds = (number.rem_euclid(1000) as u32) * 1_000_000;
        let span = Time { seconds: i64::from(number / 1000), nanoseconds };
        return Ok((number >= 0).then_some(span));
    }
    if word == 0 {
        return Ok(None);
    }
    let seconds = (state.memory.read_u64(word)? as i64).max(0);
    let fraction = state.memory.read_u64(word.wrapping_add(8))?;
    let nanoseconds = match unit {
        Unit::Nanoseconds => fraction,
        _ => fraction.saturating_mul(1000),
    };
    Ok(Some(Time { seconds, nanoseconds: nanoseconds.min(999_999_999) as u32 }))
}

/// Lets the time of a wait pass that nothing ends.
fn wait(state: &mut State, timeout: Option<Time>) -> Result<(), Trouble> {
    match timeout {
        Some(span) => {
            state.process.vfs.clock.sleep(span);
            Ok(())
        }
        None => Err(Trouble::Unsupported("waiting for nothing, without end".to_owned())),
    }
}

/// Whether a descriptor can be read and written.
fn access(state: &mut State, descriptor: i32) -> Result<(bool, bool), Errno> {
    let flags = state.process.vfs.control(descriptor, F_GETFL, 0)? as u32 & O_ACCMODE;
    Ok((flags != O_WRONLY, flags != O_RDONLY))
}

const POLLIN: u16 = 1 | 0x40;
const POLLOUT: u16 = 4 | 0x100;
const POLLNVAL: u16 = 0x20;

fn poll(state: &mut State, args: &Arguments<'_>, unit: Unit) -> ShimResult {
    let (array, count) = (args.word(0), args.word(1));
    if count > 1024 {
        return fail(state, Errno::EINVAL);
    }
    let mut ready = 0;
    for index in 0..count {
        let at = array.wrapping_add(8 * index);
        let descriptor = state.memory.read_u32(at)? as i32;
        let wanted = u16::from_le_bytes(state.memory.read(at.wrapping_add(4))?);
        let found = match access(state, descriptor) {
            _ if descriptor < 0 => 0,
            Ok((readable, writable)) => {
                wanted & (if readable { POLLIN } else { 0 } | if writable { POLLOUT } else { 0 })
            }
            Err(_) => POLLNVAL,
        };
        ready += i32::from(found != 0);
        state.memory.write(at.wrapping_add(6), found.to_le_bytes())?;
    }
    if ready == 0 {
        let limit = timeout(state, unit, args.word(2))?;
        wait(state, limit)?;
    }
    int(ready)
}

fn select(state: &mut State, args: &Arguments<'_>, unit: Unit) -> ShimResult {
    let count = args.int(0);
    if count < 0 {
        return fail(state, Errno::EINVAL);
    }
    let limit = timeout(state, unit, args.word(4))?;
    let mut sets =
        [(args.word(1), Vec::new()), (args.word(2), Vec::new()), (args.word(3), Vec::new())];
    let bytes = (count.min(1024) as u64).div_ceil(64) * 8;
    let mut ready = 0;
    for (kind, (address, set)) in sets.iter_mut().enumerate() {
        if *address == 0 {
            continue;
        }
        *set = state.memory.bytes(*address, bytes)?.to_vec();
        for descriptor in 0..count.min(1024) {
            let (byte, bit) = (descriptor as usize / 8, 1u8 << (descriptor % 8));
            if set[byte] & bit == 0 {
                continue;
            }
            match access(state, descriptor) {
                Ok((readable, writable)) if [readable, writable, false][kind] => ready += 1,
                Ok(_) => set[byte] &= !bit,
                Err(errno) => return fail(state, errno),
            }
        }
    }
    if ready == 0 {
        wait(state, limit)?;
    }
    for (address, set) in &sets {
        state.memory.write_bytes(*address, set)?;
    }
    if unit == Unit::Microseconds && args.word(4) != 0 && ready == 0 {
        // Linux leaves the time that was left.
        state.memory.fill(args.word(4), 0, 16)?;
    }
    int(ready)
}

/// Bytes from one descriptor, at an offset in memory if there is one, to another.
fn move_bytes(
    state: &mut State,
    (from, from_offset): (i32, u64),
    (to, to_offset): (i32, u64),
    count: u64,
) -> Result<Result<i64, Errno>, Trouble> {
    let mut total = 0u64;
    while total < count {
        let mut buffer = vec![0; (count - total).min(1 << 20) as usize];
        let start = offset_at(state, from_offset)?;
        let vfs = &mut state.process.vfs;
        let read = match start {
            Some(offset) => vfs.read_from(from, offset, &mut buffer),
            None => vfs.read(from, &mut buffer),
        };
        check_halt(state)?;
        let got = match read {
            Ok(0) => break,
            Ok(got) => got,
            Err(_) if total > 0 => break,
            Err(errno) => return Ok(Err(errno)),
        };
        let end = offset_at(state, to_offset)?;
        let vfs = &mut state.process.vfs;
        let written = match end {
            Some(offset) => vfs.write_to(to, offset, &buffer[..got]),
            None => vfs.write(to, &buffer[..got]),
        };
        check_halt(state)?;
        let written = match written {
            Ok(written) => written as u64,
            Err(errno) => return Ok(Err(errno)),
        };
        advance(state, from_offset, start, got as u64)?;
        advance(state, to_offset, end, written)?;
        total += written;
    }
    Ok(Ok(total as i64))
}

fn offset_at(state: &mut State, address: u64) -> Result<Option<i64>, Trouble> {
    match address {
        0 => Ok(None),
        _ => Ok(Some(state.memory.read_u64(address)? as i64)),
    }
}

fn advance(state: &mut State, address: u64, from: Option<i64>, by: u64) -> Result<(), Trouble> {
    if let Some(offset) = from {
        state.memory.write_u64(address, (offset as u64).wrapping_add(by))?;
    }
    Ok(())
}

fn sendfile(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let result = move_bytes(state, (args.int(1), args.word(2)), (args.int(0), 0), args.word(3))?;
    long(state, result)
}

fn copy_file_range(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.int(5) != 0 {
        return fail_long(state, Errno::EINVAL);
    }
    let (from, to) = ((args.int(0), args.word(1)), (args.int(2), args.word(3)));
    let result = move_bytes(state, from, to, args.word(4))?;
    long(state, result)
}

/// Returns the error number itself.
fn posix_fadvise(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let vfs = &mut state.process.vfs;
    let errno = match vfs.seek(args.int(0), 0, 1) {
        Err(errno @ (Errno::EBADF | Errno::ESPIPE)) => errno.0,
        _ if !(0..=5).contains(&args.int(3)) => Errno::EINVAL.0,
        _ => 0,
    };
    int(errno)
}

fn fallocate(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.int(1) != 0 {
        return fail(state, Errno::EOPNOTSUPP);
    }
    match reserve(state, args, 2)? {
        Ok(()) => int(0),
        Err(errno) => fail(state, errno),
    }
}

/// Makes a file at least as long as the range whose offset is the given argument.
fn reserve(
    state: &mut State,
    args: &Arguments<'_>,
    offset: usize,
) -> Result<Result<(), Errno>, Trouble> {
    let descriptor = args.int(0);
    let (start, length) = (args.word(offset) as i64, args.word(offset + 1) as i64);
    let Some(end) = start.checked_add(length).filter(|_| start >= 0 && length > 0) else {
        return Ok(Err(Errno::EINVAL));
    };
    let result = grow(state, descriptor, end);
    check_halt(state)?;
    Ok(result)
}

fn grow(state: &mut State, descriptor: i32, end: i64) -> Result<(), Errno> {
    let (_, writable) = access(state, descriptor)?;
    if !writable {
        return Err(Errno::EBADF);
    }
    let vfs = &mut state.process.vfs;
    vfs.seek(descriptor, 0, SEEK_END - 1)?;
    let size = vfs.stat_descriptor(descriptor)?.size;
    if end as u64 > size { vfs.truncate_descriptor(descriptor, end) } else { Ok(()) }
}

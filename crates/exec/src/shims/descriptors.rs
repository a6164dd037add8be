//! Descriptors: reading, writing, seeking, duplicating, controlling.
//!
//! There are no terminals and no locks of other processes. A read or write that would wait for
//! the process itself ends the run as unsupported.

use super::answer::{self, check_halt, done, fail, fail_long, fail_null, long, number};
use super::{Arguments, Group, Outcome, ShimResult, Trouble, int, signal, value};
use crate::libc::errno::Errno;
use crate::libc::vfs::Vfs;
use crate::libc::vfs::flags::{F_GETFL, F_SETFD, F_SETFL, O_CLOEXEC, O_NONBLOCK, SEEK_CUR};
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("read __read", read),
    ("__read_chk", |state, args| checked(state, args, 2, 3, read)),
    ("pread pread64", pread),
    ("__pread_chk __pread64_chk", |state, args| checked(state, args, 2, 4, pread)),
    ("readv", |state, args| readv(state, args, None)),
    ("write __write", write),
    ("pwrite pwrite64", pwrite),
    ("writev", |state, args| writev(state, args, None)),
    ("preadv preadv64", |state, args| readv(state, args, Some(args.word(3) as i64))),
    ("pwritev pwritev64", |state, args| writev(state, args, Some(args.word(3) as i64))),
    ("close", |state, args| {
        let result = state.process.vfs.close(args.int(0));
        done(state, result)
    }),
    ("close_range", close_range),
    ("closefrom", |state, args| {
        close_all(state, args.int(0), i32::MAX);
        answer::nothing()
    }),
    ("lseek lseek64", lseek),
    ("dup", |state, args| {
        let result = state.process.vfs.duplicate(args.int(0));
        number(state, result)
    }),
    ("dup2", |state, args| {
        let result = state.process.vfs.duplicate_to(args.int(0), args.int(1), false);
        number(state, result)
    }),
    ("dup3", dup3),
    ("pipe", |state, args| pipe(state, args.word(0), 0)),
    ("pipe2", |state, args| pipe(state, args.word(0), args.int(1) as u32)),
    ("fcntl fcntl64 __fcntl64", fcntl),
    ("ioctl", ioctl),
    ("isatty", |state, args| {
        let errno = state.process.vfs.check_terminal(args.int(0));
        state.set_errno(errno)?;
        int(0)
    }),
    ("ttyname", |state, args| {
        let errno = state.process.vfs.check_terminal(args.int(0));
        fail_null(state, errno)
    }),
    ("ttyname_r __ttyname_r_chk", |state, args| {
        int(state.process.vfs.check_terminal(args.int(0)).0)
    }),
    ("ftruncate ftruncate64", ftruncate),
    ("fsync fdatasync", sync),
    ("syncfs sync_file_range flock lockf lockf64", |state, args| on_descriptor(state, args.int(0))),
    ("sync", |_, _| answer::nothing()),
];

/// The most that one call transfers, as in Linux.
const MAX_TRANSFER: u64 = 0x7fff_f000;
const CHUNK: u64 = 1 << 20;
/// More than a pipe holds, so that a pipe is read once.
const FIRST_CHUNK: u64 = 1 << 17;

fn control(state: &mut State, descriptor: i32, command: i32, argument: i64) -> Result<i32, Errno> {
    state.process.vfs.control(descriptor, command, argument)
}

/// Succeeds without an effect if the descriptor is open.
fn on_descriptor(state: &mut State, descriptor: i32) -> ShimResult {
    let result = control(state, descriptor, F_GETFL, 0).map(|_| ());
    done(state, result)
}

/// A fortified function: argument `size` must not exceed argument `room`.
fn checked(
    state: &mut State,
    args: &Arguments<'_>,
    size: usize,
    room: usize,
    function: fn(&mut State, &Arguments<'_>) -> ShimResult,
) -> ShimResult {
    if args.word(size) > args.word(room) {
        Err(Trouble::Fault(FaultKind::BufferOverflow))
    } else {
        function(state, args)
    }
}

/// Reads piecewise, so that only memory that receives bytes must exist. The reader gets the number
/// of bytes before.
pub(super) fn transfer_in(
    state: &mut State,
    address: u64,
    count: u64,
    mut read: impl FnMut(&mut Vfs, u64, &mut [u8]) -> Result<usize, Errno>,
) -> Result<Result<i64, Errno>, Trouble> {
    let count = count.min(MAX_TRANSFER);
    let mut total = 0u64;
    loop {
        // The first piece is small: most reads ask for far more than there is.
        let most = if total == 0 { FIRST_CHUNK } else { CHUNK };
        let wanted = (count - total).min(most) as usize;
        let mut buffer = vec![0; wanted];
        let result = read(&mut state.process.vfs, total, &mut buffer);
        check_halt(state)?;
        match result {
            Ok(got) => {
                state.memory.write_bytes(address.wrapping_add(total), &buffer[..got])?;
                total += got as u64;
                if got < wanted || total == count {
                    return Ok(Ok(total as i64));
                }
            }
            Err(_) if total > 0 => return Ok(Ok(total as i64)),
            Err(errno) => return Ok(Err(errno)),
        }
    }
}

fn read(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let descriptor = args.int(0);
    let result =
        transfer_in(state, args.word(1), args.word(2), |vfs, _, b| vfs.read(descriptor, b))?;
    long(state, result)
}

fn pread(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (descriptor, offset) = (args.int(0), args.word(3) as i64);
    let result = transfer_in(state, args.word(1), args.word(2), |vfs, before, buffer| {
        vfs.read_from(descriptor, offset.saturating_add(before as i64), buffer)
    })?;
    long(state, result)
}

/// The elements of an array of `struct iovec`: address and length each.
fn vectors(state: &mut State, args: &Arguments<'_>) -> Result<Option<Vec<(u64, u64)>>, Trouble> {
    let (array, count) = (args.word(1), args.int(2));
    if !(0..=1024).contains(&count) {
        return Ok(None);
    }
    let mut vectors = Vec::new();
    let mut total = 0u64;
    for index in 0..count as u64 {
        let at = array.wrapping_add(16 * index);
        let base = state.memory.read_u64(at)?;
        let length = state.memory.read_u64(at.wrapping_add(8))?;
        total = total.saturating_add(length);
        vectors.push((base, length));
    }
    Ok((total <= i64::MAX as u64).then_some(vectors))
}

/// At an offset, or at the descriptor's position.
fn readv(state: &mut State, args: &Arguments<'_>, offset: Option<i64>) -> ShimResult {
    let Some(vectors) = vectors(state, args)? else {
        return fail_long(state, Errno::EINVAL);
    };
    let descriptor = args.int(0);
    let mut total = 0;
    for (base, length) in vectors {
        let result = transfer_in(state, base, length, |vfs, before, buffer| match offset {
            Some(offset) => {
                let at = offset.saturating_add(total).saturating_add(before as i64);
                vfs.read_from(descriptor, at, buffer)
            }
            None => vfs.read(descriptor, buffer),
        })?;
        match result {
            Ok(got) => {
                total += got;
                if (got as u64) < length {
                    break;
                }
            }
            Err(_) if total > 0 => break,
            Err(errno) => return fail_long(state, errno),
        }
    }
    value(total as u64)
}

/// The answer of a call that writes; a broken pipe also raises its signal.
pub(super) fn written(state: &mut State, result: Result<usize, Errno>) -> ShimResult {
    check_halt(state)?;
    match result {
        Ok(count) => value(count as u64),
        Err(Errno::EPIPE) => {
            state.set_errno(Errno::EPIPE)?;
            signal::interrupt(state, signal::SIGPIPE, u64::MAX)
        }
        Err(errno) => fail_long(state, errno),
    }
}

fn write(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let bytes = state.memory.bytes(args.word(1), args.word(2).min(MAX_TRANSFER))?;
    let result = state.process.vfs.write(args.int(0), bytes);
    written(state, result)
}

fn pwrite(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let bytes = state.memory.bytes(args.word(1), args.word(2).min(MAX_TRANSFER))?;
    let result = state.process.vfs.write_to(args.int(0), args.word(3) as i64, bytes);
    written(state, result)
}

fn writev(state: &mut State, args: &Arguments<'_>, offset: Option<i64>) -> ShimResult {
    let Some(vectors) = vectors(state, args)? else {
        return fail_long(state, Errno::EINVAL);
    };
    let mut bytes = Vec::new();
    for (base, length) in vectors {
        bytes.extend_from_slice(state.memory.bytes(base, length)?);
    }
    let vfs = &mut state.process.vfs;
    let result = match offset {
        Some(offset) => vfs.write_to(args.int(0), offset, &bytes),
        None => vfs.write(args.int(0), &bytes),
    };
    written(state, result)
}

fn close_all(state: &mut State, first: i32, last: i32) {
    for descriptor in first.max(0)..=last.min(1023) {
        // Descriptors that are not open do not matter.
        let _ = state.process.vfs.close(descriptor);
    }
}

fn close_range(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (first, last) = (args.word(0) as u32, args.word(1) as u32);
    match (first > last, args.int(2)) {
        (true, _) => fail(state, Errno::EINVAL),
        (false, 0) => {
            let clamp = |number: u32| number.min(i32::MAX as u32) as i32;
            close_all(state, clamp(first), clamp(last));
            int(0)
        }
        // CLOSE_RANGE_CLOEXEC: there is no exec that could succeed.
        (false, 4) => int(0),
        (false, _) => fail(state, Errno::EINVAL),
    }
}

fn lseek(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let result = state.process.vfs.seek(args.int(0), args.word(1) as i64, args.int(2));
    long(state, result)
}

fn dup3(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let flags = args.int(2) as u32;
    if args.int(0) == args.int(1) || flags & !O_CLOEXEC != 0 {
        return fail(state, Errno::EINVAL);
    }
    let result = state.process.vfs.duplicate_to(args.int(0), args.int(1), flags != 0);
    number(state, result)
}

fn pipe(state: &mut State, ends: u64, flags: u32) -> ShimResult {
    match state.process.vfs.pipe(flags) {
        Ok([reader, writer]) => {
            state.memory.write_u32(ends, reader as u32)?;
            state.memory.write_u32(ends.wrapping_add(4), writer as u32)?;
            int(0)
        }
        Err(errno) => fail(state, errno),
    }
}

fn fcntl(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (descriptor, command) = (args.int(0), args.int(1));
    if let Err(errno) = control(state, descriptor, F_GETFL, 0) {
        return fail(state, errno);
    }
    match command {
        // F_GETLK and F_OFD_GETLK: no other process holds a lock.
        5 | 36 => {
            const F_UNLCK: u16 = 2;
            state.memory.write(args.word(2), F_UNLCK.to_le_bytes())?;
            int(0)
        }
        // F_SETLK, F_SETLKW, their F_OFD_ kin, F_SETOWN, F_GETOWN: succeed without an effect.
        6 | 7 | 37 | 38 | 8 | 9 => int(0),
        // F_SETPIPE_SZ and F_GETPIPE_SZ.
        1031 | 1032 => int(65536),
        _ => {
            let result = control(state, descriptor, command, args.word(2) as i64);
            number(state, result)
        }
    }
}

const FIONREAD: u64 = 0x541b;
const FIONBIO: u64 = 0x5421;
const FIONCLEX: u64 = 0x5450;
const FIOCLEX: u64 = 0x5451;

fn ioctl(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let descriptor = args.int(0);
    let flags = match control(state, descriptor, F_GETFL, 0) {
        Ok(flags) => flags,
        Err(errno) => return fail(state, errno),
    };
    let result = match args.word(1) {
        FIONREAD => return available(state, descriptor, args.word(2)),
        FIONBIO => {
            let other = flags & !(O_NONBLOCK as i32);
            let wanted = match state.memory.read_u32(args.word(2))? {
                0 => other,
                _ => other | O_NONBLOCK as i32,
            };
            control(state, descriptor, F_SETFL, i64::from(wanted))
        }
        FIOCLEX => control(state, descriptor, F_SETFD, 1),
        FIONCLEX => control(state, descriptor, F_SETFD, 0),
        // Requests to terminals, disks and networks, none of which exist.
        _ => Err(Errno::ENOTTY),
    };
    number(state, result)
}

/// How many bytes are left to read.
fn available(state: &mut State, descriptor: i32, to: u64) -> ShimResult {
    let vfs = &mut state.process.vfs;
    let position = match vfs.seek(descriptor, 0, SEEK_CUR) {
        Ok(position) => position as u64,
        Err(Errno::ESPIPE) => {
            return Err(Trouble::Unsupported("asking how much a pipe holds".to_owned()));
        }
        Err(errno) => return fail(state, errno),
    };
    let size = vfs.stat_descriptor(descriptor).map_or(0, |stat| stat.size);
    let rest = size.saturating_sub(position).min(i32::MAX as u64);
    state.memory.write_u32(to, rest as u32)?;
    Ok(Outcome::Value(0))
}

fn ftruncate(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let result = state.process.vfs.truncate_descriptor(args.int(0), args.word(1) as i64);
    check_halt(state)?;
    done(state, result)
}

fn sync(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let result = state.process.vfs.sync(args.int(0));
    done(state, result)
}

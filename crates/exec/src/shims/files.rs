//! Names of files: opening, making, removing, renaming, linking, permissions, times.

use super::answer::{check_halt, done, fail, fail_long, fail_null, number, text};
use super::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::libc::clock::Time;
use crate::libc::errno::Errno;
use crate::libc::vfs::flags::{
    AT_EMPTY_PATH, AT_FDCWD, AT_REMOVEDIR, AT_SYMLINK_NOFOLLOW, O_CREAT, O_EXCL, O_TRUNC, O_WRONLY,
    S_IFDIR, S_IFIFO, S_IFMT, S_IFREG,
};
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("open open64 __open __open64 __open_2 __open64_2", open),
    ("openat openat64 __openat_2 __openat64_2", openat),
    ("creat creat64", creat),
    ("unlink", |state, args| unlink(state, AT_FDCWD, args.word(0), 0)),
    ("unlinkat", |state, args| unlink(state, args.int(0), args.word(1), args.int(2) as u32)),
    ("rmdir", |state, args| unlink(state, AT_FDCWD, args.word(0), AT_REMOVEDIR)),
    ("remove", remove),
    ("rename", |state, args| rename(state, (AT_FDCWD, args.word(0)), (AT_FDCWD, args.word(1)))),
    ("renameat", |state, args| {
        rename(state, (args.int(0), args.word(1)), (args.int(2), args.word(3)))
    }),
    ("renameat2", renameat2),
    ("link", |state, args| link(state, (AT_FDCWD, args.word(0)), (AT_FDCWD, args.word(1)), 0)),
    ("linkat", |state, args| {
        let flags = args.int(4) as u32;
        link(state, (args.int(0), args.word(1)), (args.int(2), args.word(3)), flags)
    }),
    ("symlink", |state, args| symlink(state, args.word(0), AT_FDCWD, args.word(1))),
    ("symlinkat", |state, args| symlink(state, args.word(0), args.int(1), args.word(2))),
    ("readlink", |state, args| readlink(state, AT_FDCWD, args, 0)),
    ("__readlink_chk", |state, args| {
        room(args.word(2), args.word(3))?;
        readlink(state, AT_FDCWD, args, 0)
    }),
    ("readlinkat", |state, args| readlink(state, args.int(0), args, 1)),
    ("__readlinkat_chk", |state, args| {
        room(args.word(3), args.word(4))?;
        readlink(state, args.int(0), args, 1)
    }),
    ("mkdir", |state, args| mkdir(state, AT_FDCWD, args.word(0), args.int(1))),
    ("mkdirat", |state, args| mkdir(state, args.int(0), args.word(1), args.int(2))),
    ("mkfifo", |state, args| mknod(state, AT_FDCWD, args.word(0), S_IFIFO)),
    ("mkfifoat", |state, args| mknod(state, args.int(0), args.word(1), S_IFIFO)),
    ("mknod", |state, args| mknod(state, AT_FDCWD, args.word(0), args.int(1) as u32)),
    ("mknodat", |state, args| mknod(state, args.int(0), args.word(1), args.int(2) as u32)),
    ("chdir", chdir),
    ("fchdir", |state, args| {
        let result = state.process.vfs.change_directory_descriptor(args.int(0));
        done(state, result)
    }),
    ("chroot", chroot),
    ("getcwd", getcwd),
    ("__getcwd_chk", |state, args| {
        room(args.word(1), args.word(2))?;
        getcwd(state, args)
    }),
    ("getwd", getwd),
    ("get_current_dir_name", |state, _| current_directory(state)),
    ("realpath", |state, args| realpath(state, args.word(0), args.word(1))),
    ("__realpath_chk", |state, args| {
        room(4096, args.word(2))?;
        realpath(state, args.word(0), args.word(1))
    }),
    ("canonicalize_file_name", |state, args| realpath(state, args.word(0), 0)),
    ("access euidaccess eaccess", |state, args| {
        access(state, AT_FDCWD, args.word(0), args.int(1), 0)
    }),
    ("faccessat", |state, args| {
        access(state, args.int(0), args.word(1), args.int(2), args.int(3) as u32)
    }),
    ("truncate truncate64", truncate),
    ("umask", |state, args| int(state.process.vfs.set_umask(args.int(0) as u32) as i32)),
    ("chmod", |state, args| chmod(state, AT_FDCWD, args.word(0), args.int(1))),
    ("fchmodat", |state, args| chmod(state, args.int(0), args.word(1), args.int(2))),
    ("lchmod", |state, _| fail(state, Errno::EOPNOTSUPP)),
    ("fchmod", |state, args| {
        let result = state.process.vfs.change_mode_descriptor(args.int(0), args.int(1) as u32);
        done(state, result)
    }),
    ("chown", |state, args| chown(state, AT_FDCWD, args, 0, 0)),
    ("lchown", |state, args| chown(state, AT_FDCWD, args, 0, AT_SYMLINK_NOFOLLOW)),
    ("fchownat", |state, args| chown(state, args.int(0), args, 1, args.int(4) as u32)),
    ("fchown", fchown),
    ("utime", utime),
    ("utimes", |state, args| times(state, AT_FDCWD, args.word(0), args.word(1), 0, 1000)),
    ("lutimes", |state, args| {
        times(state, AT_FDCWD, args.word(0), args.word(1), AT_SYMLINK_NOFOLLOW, 1000)
    }),
    ("futimesat", |state, args| times(state, args.int(0), args.word(1), args.word(2), 0, 1000)),
    ("futimes", |state, args| times(state, args.int(0), 0, args.word(1), AT_EMPTY_PATH, 1000)),
    ("futimens", |state, args| times(state, args.int(0), 0, args.word(1), AT_EMPTY_PATH, 1)),
    ("utimensat", utimensat),
];

/// A fortified function knows how much room its buffer has.
fn room(size: u64, room: u64) -> Result<(), Trouble> {
    if size > room { Err(Trouble::Fault(FaultKind::BufferOverflow)) } else { Ok(()) }
}

fn open_at(state: &mut State, at: i32, path: u64, flags: i32, mode: i32) -> ShimResult {
    let path = text(state, path)?;
    let result = state.process.vfs.open(at, &path, flags as u32, mode as u32);
    number(state, result)
}

fn open(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    open_at(state, AT_FDCWD, args.word(0), args.int(1), args.int(2))
}

fn openat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    open_at(state, args.int(0), args.word(1), args.int(2), args.int(3))
}

fn creat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let flags = (O_WRONLY | O_CREAT | O_TRUNC) as i32;
    open_at(state, AT_FDCWD, args.word(0), flags, args.int(1))
}

fn unlink(state: &mut State, at: i32, path: u64, flags: u32) -> ShimResult {
    let path = text(state, path)?;
    let vfs = &mut state.process.vfs;
    let result = match flags {
        0 => vfs.unlink(at, &path),
        AT_REMOVEDIR => vfs.remove_directory(at, &path),
        _ => Err(Errno::EINVAL),
    };
    done(state, result)
}

fn remove(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let path = text(state, args.word(0))?;
    if let Err(errno) = state.process.vfs.unlink(AT_FDCWD, &path) {
        // The native function leaves this error of its first attempt behind.
        state.set_errno(errno)?;
        if errno == Errno::EISDIR {
            let result = state.process.vfs.remove_directory(AT_FDCWD, &path);
            return done(state, result);
        }
        return int(-1);
    }
    int(0)
}

fn rename(state: &mut State, old: (i32, u64), new: (i32, u64)) -> ShimResult {
    let (from, to) = (text(state, old.1)?, text(state, new.1)?);
    let result = state.process.vfs.rename((old.0, &from), (new.0, &to));
    done(state, result)
}

fn renameat2(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    const RENAME_NOREPLACE: i32 = 1;
    let (old, new) = ((args.int(0), args.word(1)), (args.int(2), args.word(3)));
    match args.int(4) {
        0 => rename(state, old, new),
        RENAME_NOREPLACE => {
            let target = text(state, new.1)?;
            match state.process.vfs.stat(new.0, &target, AT_SYMLINK_NOFOLLOW) {
                Ok(_) => fail(state, Errno::EEXIST),
                Err(_) => rename(state, old, new),
            }
        }
        // Exchanging and whiteouts, which a file system may refuse.
        _ => fail(state, Errno::EINVAL),
    }
}

fn link(state: &mut State, old: (i32, u64), new: (i32, u64), flags: u32) -> ShimResult {
    let (from, to) = (text(state, old.1)?, text(state, new.1)?);
    let result = state.process.vfs.link((old.0, &from), (new.0, &to), flags);
    done(state, result)
}

fn symlink(state: &mut State, target: u64, at: i32, path: u64) -> ShimResult {
    let (target, path) = (text(state, target)?, text(state, path)?);
    let result = state.process.vfs.symlink(&target, at, &path);
    done(state, result)
}

/// The path is the argument with the given number, buffer and size follow it.
fn readlink(state: &mut State, at: i32, args: &Arguments<'_>, first: usize) -> ShimResult {
    let path = text(state, args.word(first))?;
    let (buffer, size) = (args.word(first + 1), args.word(first + 2));
    if size as i64 <= 0 {
        return fail_long(state, Errno::EINVAL);
    }
    match state.process.vfs.read_link(at, &path) {
        Ok(target) => {
            let kept = (target.len() as u64).min(size);
            state.memory.write_bytes(buffer, &target[..kept as usize])?;
            value(kept)
        }
        Err(errno) => fail_long(state, errno),
    }
}

fn mkdir(state: &mut State, at: i32, path: u64, mode: i32) -> ShimResult {
    let path = text(state, path)?;
    let result = state.process.vfs.make_directory(at, &path, mode as u32);
    done(state, result)
}

fn mknod(state: &mut State, at: i32, path: u64, mode: u32) -> ShimResult {
    let path = text(state, path)?;
    match mode & S_IFMT {
        0 | S_IFREG => {
            let flags = O_WRONLY | O_CREAT | O_EXCL;
            let vfs = &mut state.process.vfs;
            let result =
                vfs.open(at, &path, flags, mode & 0o7777).and_then(|opened| vfs.close(opened));
            done(state, result)
        }
        S_IFIFO => Err(Trouble::Unsupported("pipes with a name".to_owned())),
        // Devices are made by the superuser alone.
        _ => fail(state, Errno::EPERM),
    }
}

fn chdir(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let path = text(state, args.word(0))?;
    let result = state.process.vfs.change_directory(&path);
    done(state, result)
}

/// Only the superuser may; a path that is wrong is noticed first.
fn chroot(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let path = text(state, args.word(0))?;
    let errno = match state.process.vfs.stat(AT_FDCWD, &path, 0) {
        Ok(stat) if stat.mode & S_IFMT != S_IFDIR => Errno::ENOTDIR,
        Ok(_) => Errno::EPERM,
        Err(errno) => errno,
    };
    fail(state, errno)
}

/// A string in a new heap block.
pub(super) fn allocated(state: &mut State, text: &[u8], least: u64) -> ShimResult {
    let size = (text.len() as u64 + 1).max(least);
    let block = state.allocate_heap(size, false)?;
    put_string(state, block, text)?;
    value(block)
}

pub(super) fn put_string(state: &mut State, at: u64, text: &[u8]) -> Result<(), Trouble> {
    state.memory.write_bytes(at, text)?;
    state.memory.write_u8(at.wrapping_add(text.len() as u64), 0)?;
    Ok(())
}

fn current_directory(state: &mut State) -> ShimResult {
    match state.process.vfs.current_directory() {
        Ok(path) => allocated(state, &path, 0),
        Err(errno) => fail_null(state, errno),
    }
}

fn getcwd(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (buffer, size) = (args.word(0), args.word(1));
    if buffer != 0 && size == 0 {
        return fail_null(state, Errno::EINVAL);
    }
    let path = match state.process.vfs.current_directory() {
        Ok(path) => path,
        Err(errno) => return fail_null(state, errno),
    };
    if size != 0 && path.len() as u64 >= size {
        return fail_null(state, Errno::ERANGE);
    }
    if buffer == 0 {
        return allocated(state, &path, size);
    }
    put_string(state, buffer, &path)?;
    value(buffer)
}

fn getwd(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match state.process.vfs.current_directory() {
        Ok(path) => {
            put_string(state, args.word(0), &path)?;
            value(args.word(0))
        }
        Err(errno) => fail_null(state, errno),
    }
}

fn realpath(state: &mut State, path: u64, buffer: u64) -> ShimResult {
    if path == 0 {
        return fail_null(state, Errno::EINVAL);
    }
    let path = text(state, path)?;
    let real = state.process.vfs.real_path(&path);
    let mut names = path.split(|&byte| byte == b'/');
    if real.is_ok() && names.any(|name| !matches!(name, b"" | b"." | b"..")) {
        // The native function asks whether each name is a link and leaves the answer behind.
        state.set_errno(Errno::EINVAL)?;
    }
    match real {
        Ok(real) if buffer == 0 => allocated(state, &real, 0),
        Ok(real) => {
            put_string(state, buffer, &real)?;
            value(buffer)
        }
        Err(errno) => fail_null(state, errno),
    }
}

fn access(state: &mut State, at: i32, path: u64, wanted: i32, flags: u32) -> ShimResult {
    const AT_EACCESS: u32 = 0x200;
    let path = text(state, path)?;
    let result = state.process.vfs.access(at, &path, wanted as u32, flags & !AT_EACCESS);
    done(state, result)
}

fn truncate(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let path = text(state, args.word(0))?;
    let result = state.process.vfs.truncate(&path, args.word(1) as i64);
    check_halt(state)?;
    done(state, result)
}

fn chmod(state: &mut State, at: i32, path: u64, mode: i32) -> ShimResult {
    let path = text(state, path)?;
    let result = state.process.vfs.change_mode(at, &path, mode as u32);
    done(state, result)
}

/// The path is the argument with the given number, the ids follow it.
fn chown(state: &mut State, at: i32, args: &Arguments<'_>, first: usize, flags: u32) -> ShimResult {
    let path = text(state, args.word(first))?;
    let ids = (args.int(first + 1) as u32, args.int(first + 2) as u32);
    let result = state.process.vfs.change_owner(at, &path, ids, flags);
    done(state, result)
}

fn fchown(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let ids = (args.int(1) as u32, args.int(2) as u32);
    let result = state.process.vfs.change_owner(args.int(0), b"", ids, AT_EMPTY_PATH);
    done(state, result)
}

/// `struct utimbuf` has whole seconds.
fn utime(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let path = text(state, args.word(0))?;
    let now = state.process.vfs.clock.peek();
    let mut pair = [now; 2];
    if args.word(1) != 0 {
        for (index, time) in (0u64..).zip(&mut pair) {
            let at = args.word(1).wrapping_add(8 * index);
            *time = Time::from_seconds(state.memory.read_u64(at)? as i64);
        }
    }
    let pair = (Some(pair[0]), Some(pair[1]));
    let result = state.process.vfs.set_times(AT_FDCWD, &path, pair, 0);
    done(state, result)
}

fn utimensat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let flags = args.int(3) as u32;
    match args.word(1) {
        0 => times(state, args.int(0), 0, args.word(2), flags | AT_EMPTY_PATH, 1),
        path => times(state, args.int(0), path, args.word(2), flags, 1),
    }
}

/// Two times of seconds and a fraction in units of `scale` nanoseconds; null means now, and so
/// does the path of a descriptor.
fn times(state: &mut State, at: i32, path: u64, pair: u64, flags: u32, scale: u64) -> ShimResult {
    const UTIME_NOW: u64 = 0x3fff_ffff;
    const UTIME_OMIT: u64 = 0x3fff_fffe;
    let path = if path == 0 { Vec::new() } else { text(state, path)? };
    let now = state.process.vfs.clock.peek();
    let mut times = [Some(now); 2];
    for (index, time) in (0u64..).zip(&mut times).filter(|_| pair != 0) {
        let from = pair.wrapping_add(16 * index);
        let seconds = state.memory.read_u64(from)? as i64;
        let fraction = state.memory.read_u64(from.wrapping_add(8))?;
        *time = match fraction {
            UTIME_NOW if scale == 1 => Some(now),
            UTIME_OMIT if scale == 1 => None,
            _ if fraction >= 1_000_000_000 / scale => return fail(state, Errno::EINVAL),
            _ => Some(Time { seconds, nanoseconds: (fraction * scale) as u32 }),
        };
    }
    let result = state.process.vfs.set_times(at, &path, (times[0], times[1]), flags);
    done(state, result)
}

//! The `stat` family and file systems, in the layout of x86-64.

use super::answer::{fail, text};
use super::{Arguments, Group, ShimResult, Trouble, int};
use crate::libc::errno::Errno;
use crate::libc::vfs::Stat;
use crate::libc::vfs::flags::{AT_FDCWD, AT_SYMLINK_NOFOLLOW};
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("stat stat64", stat),
    ("lstat lstat64", lstat),
    ("fstat fstat64", fstat),
    ("fstatat fstatat64 newfstatat", fstatat),
    // The older names have a version in front.
    ("__xstat __xstat64", |state, args| by_path(state, (AT_FDCWD, args.word(1)), 0, args.word(2))),
    ("__lxstat __lxstat64", |state, args| {
        by_path(state, (AT_FDCWD, args.word(1)), AT_SYMLINK_NOFOLLOW, args.word(2))
    }),
    ("__fxstat __fxstat64", |state, args| by_descriptor(state, args.int(1), args.word(2))),
    ("__fxstatat __fxstatat64", fxstatat),
    ("statx", statx),
    ("statfs statfs64", |state, args| of_path(state, args, put_statfs)),
    ("fstatfs fstatfs64", |state, args| of_descriptor(state, args, put_statfs)),
    ("statvfs statvfs64", |state, args| of_path(state, args, put_statvfs)),
    ("fstatvfs fstatvfs64", |state, args| of_descriptor(state, args, put_statvfs)),
    ("pathconf", |state, args| {
        let path = text(state, args.word(0))?;
        let found = state.process.vfs.stat(AT_FDCWD, &path, 0);
        path_limit(state, found, args.int(1))
    }),
    ("fpathconf", |state, args| {
        let found = state.process.vfs.stat_descriptor(args.int(0));
        path_limit(state, found, args.int(1))
    }),
];

fn stat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    by_path(state, (AT_FDCWD, args.word(0)), 0, args.word(1))
}

fn lstat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    by_path(state, (AT_FDCWD, args.word(0)), AT_SYMLINK_NOFOLLOW, args.word(1))
}

fn fstat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    by_descriptor(state, args.int(0), args.word(1))
}

fn fstatat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    by_path(state, (args.int(0), args.word(1)), args.int(3) as u32, args.word(2))
}

fn fxstatat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    by_path(state, (args.int(1), args.word(2)), args.int(4) as u32, args.word(3))
}

fn by_path(state: &mut State, (at, path): (i32, u64), flags: u32, to: u64) -> ShimResult {
    let path = text(state, path)?;
    let found = state.process.vfs.stat(at, &path, flags);
    give(state, found, to)
}

fn by_descriptor(state: &mut State, descriptor: i32, to: u64) -> ShimResult {
    let found = state.process.vfs.stat_descriptor(descriptor);
    give(state, found, to)
}

fn give(state: &mut State, found: Result<Stat, Errno>, to: u64) -> ShimResult {
    match found {
        Ok(stat) => {
            state.memory.write_bytes(to, &layout(&stat))?;
            int(0)
        }
        Err(errno) => fail(state, errno),
    }
}

/// Writes fields one after the other.
struct Layout(Vec<u8>);

impl Layout {
    fn long(&mut self, value: u64) -> &mut Layout {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn int(&mut self, value: u32) -> &mut Layout {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn zeros(&mut self, count: usize) -> &mut Layout {
        self.0.resize(self.0.len() + count, 0);
        self
    }
}

/// `struct stat`.
fn layout(stat: &Stat) -> Vec<u8> {
    let mut out = Layout(Vec::with_capacity(144));
    out.long(stat.device).long(stat.inode).long(stat.links);
    out.int(stat.mode).int(stat.uid).int(stat.gid).int(0);
    out.long(stat.special_device).long(stat.size).long(stat.block_size).long(stat.blocks);
    for time in [stat.accessed, stat.modified, stat.changed] {
        out.long(time.seconds as u64).long(u64::from(time.nanoseconds));
    }
    out.zeros(24);
    out.0
}

fn statx(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    /// The data of `stat`, without the time of birth.
    const BASIC: u32 = 0x7ff;
    let path = text(state, args.word(1))?;
    // The flags for the freshness of the answer have no effect here.
    let flags = args.int(2) as u32 & !0x6000;
    let stat = match state.process.vfs.stat(args.int(0), &path, flags) {
        Ok(stat) => stat,
        Err(errno) => return fail(state, errno),
    };
    let mut out = Layout(Vec::with_capacity(256));
    out.int(BASIC).int(stat.block_size as u32).long(0);
    out.int(stat.links as u32).int(stat.uid).int(stat.gid).int(stat.mode & 0xffff);
    out.long(stat.inode).long(stat.size).long(stat.blocks).long(0);
    out.long(stat.accessed.seconds as u64).long(u64::from(stat.accessed.nanoseconds));
    out.zeros(16);
    for time in [stat.changed, stat.modified] {
        out.long(time.seconds as u64).long(u64::from(time.nanoseconds));
    }
    for device in [stat.special_device, stat.device] {
        out.int((device >> 8) as u32 & 0xfff).int(device as u32 & 0xff);
    }
    out.zeros(112);
    state.memory.write_bytes(args.word(4), &out.0)?;
    int(0)
}

type PutFileSystem = fn(&mut State, u64) -> Result<(), Trouble>;

fn of_path(state: &mut State, args: &Arguments<'_>, put: PutFileSystem) -> ShimResult {
    let path = text(state, args.word(0))?;
    match state.process.vfs.stat(AT_FDCWD, &path, 0) {
        Ok(_) => {
            put(state, args.word(1))?;
            int(0)
        }
        Err(errno) => fail(state, errno),
    }
}

fn of_descriptor(state: &mut State, args: &Arguments<'_>, put: PutFileSystem) -> ShimResult {
    match state.process.vfs.stat_descriptor(args.int(0)) {
        Ok(_) => {
            put(state, args.word(1))?;
            int(0)
        }
        Err(errno) => fail(state, errno),
    }
}

// One file system of 4 GiB with half of it free, whatever it holds.
const BLOCK: u64 = 4096;
const BLOCKS: u64 = 1 << 20;
const FREE: u64 = BLOCKS / 2;
const NODES: u64 = 1 << 18;
const LONGEST_NAME: u64 = 255;

/// `struct statfs`; claims to be ext4.
fn put_statfs(state: &mut State, to: u64) -> Result<(), Trouble> {
    let mut out = Layout(Vec::with_capacity(120));
    out.long(0xef53).long(BLOCK).long(BLOCKS).long(FREE).long(FREE).long(NODES).long(NODES / 2);
    out.long(1).long(LONGEST_NAME).long(BLOCK).long(0x20).zeros(32);
    Ok(state.memory.write_bytes(to, &out.0)?)
}

/// `struct statvfs`.
fn put_statvfs(state: &mut State, to: u64) -> Result<(), Trouble> {
    let mut out = Layout(Vec::with_capacity(112));
    out.long(BLOCK).long(BLOCK).long(BLOCKS).long(FREE).long(FREE);
    out.long(NODES).long(NODES / 2).long(NODES / 2).long(1).long(0).long(LONGEST_NAME).zeros(24);
    Ok(state.memory.write_bytes(to, &out.0)?)
}

fn path_limit(state: &mut State, found: Result<Stat, Errno>, name: i32) -> ShimResult {
    if let Err(errno) = found {
        return super::answer::fail_long(state, errno);
    }
    let limit: i64 = match name {
        // _PC_LINK_MAX of ext4, then _PC_MAX_CANON and _PC_MAX_INPUT.
        0 => 65000,
        1 | 2 => 255,
        // _PC_NAME_MAX, _PC_PATH_MAX, _PC_PIPE_BUF.
        3 => 255,
        4 | 5 => 4096,
        // _PC_CHOWN_RESTRICTED, _PC_NO_TRUNC, _PC_VDISABLE.
        6 | 7 => 1,
        8 => 0,
        // _PC_FILESIZEBITS, then the transfer sizes and _PC_2_SYMLINKS.
        13 => 64,
        16..=18 => 4096,
        20 => 1,
        // Known, but without a limit or an option that is missing.
        9..=20 => -1,
        _ => return super::answer::fail_long(state, Errno::EINVAL),
    };
    super::value(limit as u64)
}

//! Modes, owners and times of files, and cutting files short by name, on behalf of a confined
//! program: below its directory and nowhere else.
//!
//! The supervisor opens the file as the caller would, asks where the file is that it opened, and
//! changes that one. So it does not matter what becomes of the name meanwhile.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use libc::{c_int, c_long};
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Timespec, Timestamps, Uid, chownat, openat};
use rustix::io::Errno;

/// As long as a name may be, with its final zero.
const LONGEST_NAME: usize = libc::PATH_MAX as usize;
/// "Now", in the nanoseconds of a time.
const NOW: i64 = libc::UTIME_NOW;

/// Who wants to change a file.
pub(super) struct Caller<'a> {
    pub thread: u32,
    /// Where files may be changed.
    pub directory: &'a Path,
    pub largest_file: u64,
}

/// Which file a call means.
enum Named {
    /// A descriptor of the caller.
    Descriptor(c_int),
    /// A name in its memory, relative to a directory.
    Name { directory: c_int, at: u64, follows: bool },
}

/// Carries out one call.
pub(super) fn change(caller: &Caller<'_>, call: c_long, args: &[u64; 6]) -> Result<(), Errno> {
    let number = |position: usize| args[position] as c_int;
    let here = |follows| Named::Name { directory: libc::AT_FDCWD, at: args[0], follows };
    let there = |flags: c_int| match args[1] {
        _ if flags & libc::AT_EMPTY_PATH != 0 && caller.name(args[1])?.as_os_str().is_empty() => {
            Ok(Named::Descriptor(number(0)))
        }
        at => {
            let follows = flags & libc::AT_SYMLINK_NOFOLLOW == 0;
            Ok(Named::Name { directory: number(0), at, follows })
        }
    };
    let (uid, gid) = (|n: usize| args[n] as u32, |n: usize| args[n] as u32);
    match call {
        libc::SYS_chmod => caller.mode(&here(true), args[1]),
        libc::SYS_fchmod => caller.mode(&Named::Descriptor(number(0)), args[1]),
        libc::SYS_fchmodat => caller.mode(&there(0)?, args[2]),
        libc::SYS_fchmodat2 => caller.mode(&there(number(3))?, args[2]),
        libc::SYS_chown => caller.owner(&here(true), uid(1), gid(2)),
        libc::SYS_lchown => caller.owner(&here(false), uid(1), gid(2)),
        libc::SYS_fchown => caller.owner(&Named::Descriptor(number(0)), uid(1), gid(2)),
        libc::SYS_fchownat => caller.owner(&there(number(4))?, uid(2), gid(3)),
        libc::SYS_utime => {
            let times = caller.seconds(args[1])?;
            caller.times(&here(true), &times)
        }
        libc::SYS_utimes => {
            let times = caller.two_times(args[1], 1000)?;
            caller.times(&here(true), &times)
        }
        libc::SYS_futimesat => {
            let times = caller.two_times(args[2], 1000)?;
            caller.times(&there(0)?, &times)
        }
        libc::SYS_utimensat => {
            let times = caller.two_times(args[2], 1)?;
            // Without a name, it means the descriptor.
            let file = if args[1] == 0 { Named::Descriptor(number(0)) } else { there(number(3))? };
            caller.times(&file, &times)
        }
        libc::SYS_truncate => caller.truncate(&here(true), args[1]),
        _ => Err(Errno::NOSYS),
    }
}

impl Caller<'_> {
    fn mode(&self, file: &Named, mode: u64) -> Result<(), Errno> {
        let file = self.open(file)?;
        let mode = Mode::from_raw_mode(mode as u32 & 0o7777);
        rustix::fs::chmod(name_of(&file), mode)
    }

    fn owner(&self, file: &Named, user: u32, group: u32) -> Result<(), Errno> {
        let file = self.open(file)?;
        let user = (user != u32::MAX).then(|| Uid::from_raw(user));
        let group = (group != u32::MAX).then(|| Gid::from_raw(group));
        chownat(&file, "", user, group, AtFlags::EMPTY_PATH)
    }

    fn times(&self, file: &Named, times: &Timestamps) -> Result<(), Errno> {
        let file = self.open(file)?;
        match rustix::fs::utimensat(&file, "", times, AtFlags::EMPTY_PATH) {
            // Kernels before 5.8 do not support this.
            Err(Errno::INVAL) => {
                rustix::fs::utimensat(CWD, name_of(&file), times, AtFlags::empty())
            }
            done => done,
        }
    }

    fn truncate(&self, file: &Named, length: u64) -> Result<(), Errno> {
        let file = self.open(file)?;
        if length > self.largest_file {
            return Err(Errno::FBIG);
        }
        let file = File::options()
            .write(true)
            .open(Path::new(OsStr::from_bytes(name_of(&file).as_bytes())));
        let done = file.and_then(|file| file.set_len(length));
        done.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::INVAL))
    }

    /// The file itself, if it may be changed.
    fn open(&self, file: &Named) -> Result<OwnedFd, Errno> {
        let own = |name: &str| format!("/proc/{}/{name}", self.thread);
        let handle = |follows: bool| {
            let flags = OFlags::PATH | OFlags::CLOEXEC;
            if follows { flags } else { flags | OFlags::NOFOLLOW }
        };
        let opened = match *file {
            Named::Descriptor(descriptor) => {
                let path = own(&format!("fd/{descriptor}"));
                openat(CWD, path, handle(true), Mode::empty()).map_err(|_| Errno::BADF)?
            }
            Named::Name { directory, at, follows } => {
                let name = self.name(at)?;
                let base = match directory {
                    libc::AT_FDCWD => own("cwd"),
                    _ => own(&format!("fd/{directory}")),
                };
                let base = openat(CWD, base, handle(true), Mode::empty());
                openat(base.map_err(|_| Errno::BADF)?, name, handle(follows), Mode::empty())?
            }
        };
        let place = rustix::fs::readlink(name_of(&opened), Vec::new())?;
        if Path::new(OsStr::from_bytes(place.as_bytes())).starts_with(self.directory) {
            Ok(opened)
        } else {
            Err(Errno::PERM)
        }
    }

    /// A name in the caller's memory. What it calls its own process is not ours.
    fn name(&self, at: u64) -> Result<PathBuf, Errno> {
        let mut bytes = Vec::new();
        while !bytes.contains(&0) {
            if bytes.len() >= LONGEST_NAME {
                return Err(Errno::NAMETOOLONG);
            }
            // Up to the end of a page, because the next one need not exist.
            let from = at.checked_add(bytes.len() as u64).ok_or(Errno::FAULT)?;
            let mut part = vec![0; 256 - (from % 256) as usize];
            self.read(from, &mut part)?;
            bytes.extend(part);
        }
        let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        bytes.truncate(length);
        let own = [&b"/proc/self/"[..], b"/proc/thread-self/"];
        let below = own.iter().find_map(|prefix| bytes.strip_prefix(*prefix));
        Ok(match below {
            Some(rest) => {
                Path::new(&format!("/proc/{}", self.thread)).join(OsStr::from_bytes(rest))
            }
            None => OsString::from_vec(bytes).into(),
        })
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), Errno> {
        let memory = File::open(format!("/proc/{}/mem", self.thread)).map_err(|_| Errno::ACCESS)?;
        memory.read_exact_at(bytes, at).map_err(|_| Errno::FAULT)
    }

    fn words(&self, at: u64) -> Result<[i64; 4], Errno> {
        let mut bytes = [0; 32];
        self.read(at, &mut bytes)?;
        let word = |n: usize| i64::from_le_bytes(std::array::from_fn(|i| bytes[8 * n + i]));
        Ok(std::array::from_fn(word))
    }

    /// Times of access and change: seconds, and parts of so many nanoseconds. None is now.
    fn two_times(&self, at: u64, unit: i64) -> Result<Timestamps, Errno> {
        if at == 0 {
            return Ok(both(0, NOW, 0, NOW));
        }
        let [access, access_part, change, change_part] = self.words(at)?;
        let part = |part: i64| match unit {
            1 => Ok(part),
            _ if (0..1_000_000).contains(&part) => Ok(part * unit),
            _ => Err(Errno::INVAL),
        };
        Ok(both(access, part(access_part)?, change, part(change_part)?))
    }

    /// The same in whole seconds.
    fn seconds(&self, at: u64) -> Result<Timestamps, Errno> {
        if at == 0 {
            return Ok(both(0, NOW, 0, NOW));
        }
        let mut bytes = [0; 16];
        self.read(at, &mut bytes)?;
        let word = |n: usize| i64::from_le_bytes(std::array::from_fn(|i| bytes[8 * n + i]));
        Ok(both(word(0), 0, word(1), 0))
    }
}

fn both(access: i64, access_part: i64, change: i64, change_part: i64) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: access, tv_nsec: access_part },
        last_modification: Timespec { tv_sec: change, tv_nsec: change_part },
    }
}

/// A name under which this process can use a file that it has a handle of.
fn name_of(file: &OwnedFd) -> CString {
    let name = format!("/proc/self/fd/{}", file.as_fd().as_raw_fd());
    CString::new(name).expect("there is no zero in it")
}

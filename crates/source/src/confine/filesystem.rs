//! Which files a confined program may read, run and write: a ruleset of landlock.
//!
//! The ruleset is made before the program starts, in this process, and applies to the new process
//! alone. What landlock does not restrict is left to `syscalls`: modes, owners and times of files,
//! and in early versions cutting files short. Landlock does not hide names: whoever knows a name
//! can ask for the size and the times of the file.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::sync::OnceLock;

use libc::{c_long, c_void};
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};

/// A file or the files below a directory, and what a program may do with them.
struct Place {
    path: &'static str,
    rights: u64,
}

/// Rights of landlock.
const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_DIR: u64 = 1 << 7;
const MAKE_REG: u64 = 1 << 8;
const MAKE_FIFO: u64 = 1 << 10;
const MAKE_SYM: u64 = 1 << 12;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
/// All rights of the first version.
const FIRST: u64 = (1 << 13) - 1;
const IOCTL_DEV: u64 = 1 << 15;
/// Rights that a file can have.
const OF_FILES: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

/// Everything but devices and sockets.
const OWN: u64 = EXECUTE
    | WRITE_FILE
    | READ_FILE
    | READ_DIR
    | REMOVE_DIR
    | REMOVE_FILE
    | MAKE_DIR
    | MAKE_REG
    | MAKE_FIFO
    | MAKE_SYM
    | REFER
    | TRUNCATE;
const PROGRAMS: u64 = EXECUTE | READ_FILE | READ_DIR;
const TEXTS: u64 = READ_FILE | READ_DIR;
const DEVICE: u64 = READ_FILE | WRITE_FILE | TRUNCATE;

/// Connecting and listening over TCP, and talking to processes outside.
const TCP: u64 = 0b11;
const SCOPES: u64 = 0b11;

/// `LANDLOCK_CREATE_RULESET_VERSION` and `LANDLOCK_RULE_PATH_BENEATH`.
const ASK_VERSION: u32 = 1;
const PATH_BENEATH: u32 = 1;

/// What programs need of the system. Places that do not exist are left out.
const PLACES: &[Place] = &[
    // Programs and libraries.
    place("/usr", PROGRAMS),
    place("/bin", PROGRAMS),
    place("/sbin", PROGRAMS),
    place("/lib", PROGRAMS),
    place("/lib32", PROGRAMS),
    place("/lib64", PROGRAMS),
    place("/libx32", PROGRAMS),
    place("/opt", PROGRAMS),
    place("/nix/store", PROGRAMS),
    place("/gnu/store", PROGRAMS),
    // What the loader and the C library read.
    place("/etc/ld.so.cache", TEXTS),
    place("/etc/ld.so.conf", TEXTS),
    place("/etc/ld.so.conf.d", TEXTS),
    place("/etc/ld.so.preload", TEXTS),
    place("/etc/localtime", TEXTS),
    place("/etc/timezone", TEXTS),
    place("/etc/locale.alias", TEXTS),
    place("/etc/locale.conf", TEXTS),
    place("/etc/nsswitch.conf", TEXTS),
    place("/etc/passwd", TEXTS),
    place("/etc/group", TEXTS),
    place("/etc/hosts", TEXTS),
    place("/etc/host.conf", TEXTS),
    place("/etc/resolv.conf", TEXTS),
    place("/etc/networks", TEXTS),
    place("/etc/protocols", TEXTS),
    place("/etc/services", TEXTS),
    place("/etc/shells", TEXTS),
    place("/etc/mime.types", TEXTS),
    place("/etc/magic", TEXTS),
    place("/etc/terminfo", TEXTS),
    place("/etc/os-release", TEXTS),
    // Devices without memory of their own.
    place("/dev/null", DEVICE),
    place("/dev/zero", DEVICE),
    place("/dev/full", DEVICE),
    place("/dev/random", READ_FILE),
    place("/dev/urandom", READ_FILE),
    // The machine, but no other process.
    place("/proc/cpuinfo", READ_FILE),
    place("/proc/filesystems", READ_FILE),
    place("/proc/loadavg", READ_FILE),
    place("/proc/meminfo", READ_FILE),
    place("/proc/stat", READ_FILE),
    place("/proc/uptime", READ_FILE),
    place("/proc/version", READ_FILE),
    place("/proc/sys/fs", TEXTS),
    place("/proc/sys/kernel", TEXTS),
    place("/proc/sys/vm", TEXTS),
    place("/sys/devices/system/cpu", TEXTS),
    place("/sys/devices/system/node", TEXTS),
    place("/sys/kernel/mm/transparent_hugepage", TEXTS),
];

/// What the tools of builds read besides, where it exists. All are directories.
const SETTINGS_OF_TOOLS: [&str; 3] = ["/etc/alternatives", "/etc/perl", "/etc/python3"];

/// What `/proc` says about the program itself. Its directory as a whole also shows the network.
const OWN_PROCESS: [(&CStr, u64); 14] = [
    (c"/proc/self/auxv", READ_FILE),
    (c"/proc/self/cgroup", READ_FILE),
    (c"/proc/self/cmdline", READ_FILE),
    (c"/proc/self/comm", READ_FILE),
    (c"/proc/self/environ", READ_FILE),
    (c"/proc/self/fd", TEXTS),
    (c"/proc/self/fdinfo", TEXTS),
    (c"/proc/self/io", READ_FILE),
    (c"/proc/self/limits", READ_FILE),
    (c"/proc/self/maps", READ_FILE),
    (c"/proc/self/smaps", READ_FILE),
    (c"/proc/self/stat", READ_FILE),
    (c"/proc/self/statm", READ_FILE),
    (c"/proc/self/status", READ_FILE),
];

const fn place(path: &'static str, rights: u64) -> Place {
    Place { path, rights }
}

/// As the kernel takes it. Older kernels know only the beginning.
#[repr(C)]
struct Handled {
    files: u64,
    network: u64,
    scopes: u64,
}

/// As the kernel takes it.
#[repr(C, packed)]
pub(super) struct Beneath {
    rights: u64,
    place: RawFd,
}

/// The newest version of landlock that the kernel has; an error if it has none.
#[allow(unsafe_code)]
pub(crate) fn newest() -> io::Result<u32> {
    // SAFETY: with this flag, the call reads no memory.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0_usize, 0_usize, ASK_VERSION) };
    match u32::try_from(version) {
        Ok(version) if version > 0 => Ok(version),
        _ => Err(io::Error::last_os_error()),
    }
}

/// What may be done with which files; everything else is forbidden.
#[derive(Debug)]
pub(crate) struct Ruleset {
    descriptor: OwnedFd,
    handled: u64,
}

impl Ruleset {
    /// For a program, its own file, and the directories that it may write to.
    pub fn of_run(version: u32, program: &Path, writable: &[&Path]) -> io::Result<Ruleset> {
        let ruleset = Ruleset::empty(version)?;
        for (place, rights) in system() {
            ruleset.grant(place.as_fd(), *rights)?;
        }
        // If the program does not exist, starting it will say so.
        if let Ok(program) = open(program) {
            ruleset.grant(program.as_fd(), (EXECUTE | READ_FILE) & OF_FILES)?;
        }
        for directory in writable {
            ruleset.grant(open(directory)?.as_fd(), OWN)?;
        }
        Ok(ruleset)
    }

    /// For a build: the tools of the system, and the directories that it may write to.
    pub fn of_build(version: u32, writable: &[&Path]) -> io::Result<Ruleset> {
        let ruleset = Ruleset::of_run(version, Path::new("/bin/sh"), writable)?;
        for place in SETTINGS_OF_TOOLS {
            if let Ok(place) = open(Path::new(place)) {
                ruleset.grant(place.as_fd(), TEXTS)?;
            }
        }
        Ok(ruleset)
    }

    #[allow(unsafe_code)]
    fn empty(version: u32) -> io::Result<Ruleset> {
        let mut files = FIRST;
        for (since, right) in [(2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)] {
            files |= if version >= since { right } else { 0 };
        }
        let handled = Handled { files, network: TCP, scopes: SCOPES };
        let size = match version {
            0..4 => 8,
            4..6 => 16,
            _ => size_of::<Handled>(),
        };
        let at = std::ptr::from_ref(&handled);
        // SAFETY: the call reads `size` bytes, and the value has at least that many.
        let descriptor =
            unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, at, size, 0_u32) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call returned a new descriptor that nobody else owns.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor as RawFd) };
        Ok(Ruleset { descriptor, handled: files })
    }

    #[allow(unsafe_code)]
    fn grant(&self, place: BorrowedFd<'_>, rights: u64) -> io::Result<()> {
        let rule = Beneath { rights: rights & self.handled, place: place.as_raw_fd() };
        // SAFETY: the call reads the rule.
        let done = unsafe { add_rule(self.descriptor.as_raw_fd(), &rule) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    pub fn descriptor(&self) -> RawFd {
        self.descriptor.as_raw_fd()
    }
}

/// The system's places, opened once.
fn system() -> &'static [(OwnedFd, u64)] {
    static OPENED: OnceLock<Vec<(OwnedFd, u64)>> = OnceLock::new();
    OPENED.get_or_init(|| {
        let opened = |place: &Place| {
            let file = open(Path::new(place.path)).ok()?;
            let is_directory =
                FileType::from_raw_mode(fstat(&file).ok()?.st_mode) == FileType::Directory;
            let possible = if is_directory { u64::MAX } else { OF_FILES };
            Some((file, place.rights & possible))
        };
        PLACES.iter().filter_map(opened).collect()
    })
}

/// A handle for the place, without access to its contents.
fn open(path: &Path) -> io::Result<OwnedFd> {
    Ok(openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}

/// Grants the calling process what `/proc` says about itself; processes that it starts later do not
/// get theirs. Makes system calls alone, because it runs in a process that must not allocate.
///
/// # Safety
/// `ruleset` is a descriptor of a ruleset.
#[allow(unsafe_code)]
pub(super) unsafe fn grant_own_process(ruleset: RawFd) {
    for (name, rights) in OWN_PROCESS {
        // SAFETY: the name ends with a zero, and the call reads a rule on the stack. What does not
        // exist need not be granted.
        unsafe {
            let place = libc::open(name.as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
            if place >= 0 {
                add_rule(ruleset, &Beneath { rights, place });
                libc::close(place);
            }
        }
    }
}

/// # Safety
/// `ruleset` is a descriptor of a ruleset.
#[allow(unsafe_code)]
unsafe fn add_rule(ruleset: RawFd, rule: &Beneath) -> c_long {
    let at = std::ptr::from_ref(rule).cast::<c_void>();
    // SAFETY: the call reads the rule, which has the form that the kernel expects.
    unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset, PATH_BENEATH, at, 0_u32) }
}

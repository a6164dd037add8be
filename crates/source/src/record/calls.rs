//! The system calls that a recording looks at, and what each does to files and streams.

use libc::c_long;

/// What a system call does, with the positions of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Opens a file.
    Open(At),
    /// Asks for a file, or changes it otherwise than by a descriptor.
    Touch(At),
    /// The same with two files.
    TouchBoth(At, At),
    /// Reads from descriptor 0 of the call into the buffer of argument 1.
    Read,
    /// The same with a list of buffers.
    ReadParts,
    Write,
    WriteParts,
    /// Copies between descriptors: the positions of those, and of the address of the offset.
    Copy {
        from: usize,
        to: usize,
        offset: usize,
    },
    /// Moves between pipes: the position of the descriptor that is written.
    Splice {
        to: usize,
    },
    Duplicate,
    Control,
    Close,
    CloseRange,
    /// Depends on what the descriptor at this position refers to.
    Use(usize),
}

/// A file named by a path, relative to a directory's descriptor or to the working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub directory: Option<usize>,
    pub path: usize,
}

const fn path(path: usize) -> At {
    At { directory: None, path }
}

const fn below(directory: usize) -> At {
    At { directory: Some(directory), path: directory + 1 }
}

const TABLE: [(c_long, Kind); 57] = [
    (libc::SYS_open, Kind::Open(path(0))),
    (libc::SYS_creat, Kind::Open(path(0))),
    (libc::SYS_openat, Kind::Open(below(0))),
    (libc::SYS_openat2, Kind::Open(below(0))),
    (libc::SYS_stat, Kind::Touch(path(0))),
    (libc::SYS_lstat, Kind::Touch(path(0))),
    (libc::SYS_newfstatat, Kind::Touch(below(0))),
    (libc::SYS_statx, Kind::Touch(below(0))),
    (libc::SYS_access, Kind::Touch(path(0))),
    (libc::SYS_faccessat, Kind::Touch(below(0))),
    (libc::SYS_faccessat2, Kind::Touch(below(0))),
    (libc::SYS_chdir, Kind::Touch(path(0))),
    (libc::SYS_truncate, Kind::Touch(path(0))),
    (libc::SYS_unlink, Kind::Touch(path(0))),
    (libc::SYS_unlinkat, Kind::Touch(below(0))),
    (libc::SYS_rmdir, Kind::Touch(path(0))),
    (libc::SYS_mkdir, Kind::Touch(path(0))),
    (libc::SYS_mkdirat, Kind::Touch(below(0))),
    (libc::SYS_mknod, Kind::Touch(path(0))),
    (libc::SYS_mknodat, Kind::Touch(below(0))),
    (libc::SYS_chmod, Kind::Touch(path(0))),
    (libc::SYS_fchmodat, Kind::Touch(below(0))),
    (libc::SYS_chown, Kind::Touch(path(0))),
    (libc::SYS_fchownat, Kind::Touch(below(0))),
    (libc::SYS_utimensat, Kind::Touch(below(0))),
    (libc::SYS_readlink, Kind::Touch(path(0))),
    (libc::SYS_readlinkat, Kind::Touch(below(0))),
    (libc::SYS_rename, Kind::TouchBoth(path(0), path(1))),
    (libc::SYS_renameat, Kind::TouchBoth(below(0), below(2))),
    (libc::SYS_renameat2, Kind::TouchBoth(below(0), below(2))),
    (libc::SYS_link, Kind::TouchBoth(path(0), path(1))),
    (libc::SYS_linkat, Kind::TouchBoth(below(0), below(2))),
    (libc::SYS_symlink, Kind::Touch(path(1))),
    (libc::SYS_symlinkat, Kind::Touch(below(1))),
    (libc::SYS_read, Kind::Read),
    (libc::SYS_pread64, Kind::Read),
    (libc::SYS_readv, Kind::ReadParts),
    (libc::SYS_preadv, Kind::ReadParts),
    (libc::SYS_preadv2, Kind::ReadParts),
    (libc::SYS_write, Kind::Write),
    (libc::SYS_pwrite64, Kind::Write),
    (libc::SYS_writev, Kind::WriteParts),
    (libc::SYS_pwritev, Kind::WriteParts),
    (libc::SYS_pwritev2, Kind::WriteParts),
    (libc::SYS_sendfile, Kind::Copy { to: 0, from: 1, offset: 2 }),
    (libc::SYS_copy_file_range, Kind::Copy { from: 0, offset: 1, to: 2 }),
    (libc::SYS_splice, Kind::Splice { to: 2 }),
    (libc::SYS_tee, Kind::Splice { to: 1 }),
    (libc::SYS_vmsplice, Kind::Splice { to: 0 }),
    (libc::SYS_dup, Kind::Duplicate),
    (libc::SYS_dup2, Kind::Duplicate),
    (libc::SYS_dup3, Kind::Duplicate),
    (libc::SYS_fcntl, Kind::Control),
    (libc::SYS_close, Kind::Close),
    (libc::SYS_close_range, Kind::CloseRange),
    (libc::SYS_lseek, Kind::Use(0)),
    (libc::SYS_mmap, Kind::Use(4)),
];

/// The numbers of these calls.
pub(super) fn numbers() -> Vec<i64> {
    TABLE.iter().map(|(number, _)| *number).collect()
}

pub(super) fn kind(number: i64) -> Option<Kind> {
    TABLE.iter().find(|(known, _)| *known == number).map(|(_, kind)| *kind)
}

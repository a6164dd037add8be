//! Reading directories. Their order is that of the virtual file system: `.`, `..`, then by name.
//!
//! A `DIR` is a heap block, as in the native library, that holds the entry last read. `scandir`
//! and the comparisons for it are C code in the runtime.

use std::sync::Arc;

use super::answer::{fail, fail_null, text};
use super::{Arguments, Group, ShimResult, Trouble, answer, int, value};
use crate::libc::errno::Errno;
use crate::libc::vfs::Entry;
use crate::libc::vfs::flags::{AT_FDCWD, F_SETFD, O_CLOEXEC, O_DIRECTORY, O_RDONLY};
use crate::process::kernel::Directory;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("opendir", opendir),
    ("fdopendir", fdopendir),
    ("readdir readdir64", readdir),
    ("readdir_r readdir64_r", readdir_r),
    ("closedir", closedir),
    ("rewinddir", |state, args| {
        if let Some(directory) = find(state, args.word(0))? {
            *directory = Directory { entries: None, position: 0, ..*directory };
        }
        answer::nothing()
    }),
    ("seekdir", |state, args| {
        let position = args.word(1) as usize;
        if let Some(directory) = find(state, args.word(0))? {
            directory.position = position;
        }
        answer::nothing()
    }),
    ("telldir", |state, args| match find(state, args.word(0))? {
        Some(directory) => value(directory.position as u64),
        None => answer::fail_long(state, Errno::EBADF),
    }),
    ("dirfd", |state, args| match find(state, args.word(0))? {
        Some(directory) => int(directory.descriptor),
        None => fail(state, Errno::EBADF),
    }),
];

/// Size of `struct dirent`, which the block of a `DIR` has room for.
const ENTRY_BYTES: u64 = 280;

fn opendir(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let path = text(state, args.word(0))?;
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    match state.process.vfs.open(AT_FDCWD, &path, flags, 0) {
        Ok(descriptor) => register(state, descriptor),
        Err(errno) => fail_null(state, errno),
    }
}

fn fdopendir(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let descriptor = args.int(0);
    match state.process.vfs.list(descriptor) {
        Ok(_) => {
            // If the descriptor cannot be marked, which cannot happen, it stays as it is.
            let _ = state.process.vfs.control(descriptor, F_SETFD, 1);
            register(state, descriptor)
        }
        Err(errno) => fail_null(state, errno),
    }
}

fn register(state: &mut State, descriptor: i32) -> ShimResult {
    let address = state.allocate_heap(ENTRY_BYTES, true)?;
    let directory = Directory { descriptor, entries: None, position: 0 };
    state.process.kernel.directories.insert(address, directory);
    value(address)
}

/// The directory of a `DIR`. Fails if the memory is not there; `None` if it is something else.
fn find(state: &mut State, address: u64) -> Result<Option<&mut Directory>, Trouble> {
    state.memory.bytes(address, 1)?;
    Ok(state.process.kernel.directories.get_mut(&address))
}

/// The next entry and its position, counted from 1.
fn next(state: &mut State, address: u64) -> Result<Result<Option<(Entry, u64)>, Errno>, Trouble> {
    let Some(directory) = find(state, address)? else {
        return Ok(Err(Errno::EBADF));
    };
    let (descriptor, known, position) =
        (directory.descriptor, directory.entries.clone(), directory.position);
    let entries = match known {
        Some(entries) => entries,
        None => match state.process.vfs.list(descriptor) {
            Ok(entries) => Arc::new(entries),
            Err(errno) => return Ok(Err(errno)),
        },
    };
    let entry = entries.get(position).cloned();
    if let Some(directory) = find(state, address)? {
        directory.entries = Some(entries);
        directory.position += usize::from(entry.is_some());
    }
    Ok(Ok(entry.map(|entry| (entry, position as u64 + 1))))
}

/// `struct dirent`: inode, offset, length, type, name.
fn put_entry(state: &mut State, to: u64, entry: &Entry, offset: u64) -> Result<(), Trouble> {
    // The native length counts the name with its NUL, in units of eight bytes.
    let length = (19 + entry.name.len() as u16 + 1).next_multiple_of(8);
    let mut bytes = Vec::with_capacity(ENTRY_BYTES as usize);
    bytes.extend(entry.inode.to_le_bytes());
    bytes.extend(offset.to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.push(entry.kind);
    bytes.extend(&entry.name);
    bytes.push(0);
    Ok(state.memory.write_bytes(to, &bytes)?)
}

fn readdir(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match next(state, args.word(0))? {
        Ok(Some((entry, offset))) => {
            put_entry(state, args.word(0), &entry, offset)?;
            value(args.word(0))
        }
        Ok(None) => value(0),
        Err(errno) => fail_null(state, errno),
    }
}

fn readdir_r(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let found = match next(state, args.word(0))? {
        Ok(Some((entry, offset))) => {
            put_entry(state, args.word(1), &entry, offset)?;
            args.word(1)
        }
        Ok(None) => 0,
        Err(errno) => return int(errno.0),
    };
    state.memory.write_u64(args.word(2), found)?;
    int(0)
}

fn closedir(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let address = args.word(0);
    let Some(directory) = find(state, address)? else {
        return fail(state, Errno::EINVAL);
    };
    let descriptor = directory.descriptor;
    state.process.kernel.directories.remove(&address);
    let site = state.site;
    state.memory.free(address, site)?;
    let result = state.process.vfs.close(descriptor);
    answer::done(state, result)
}

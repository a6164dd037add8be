//! Memory mappings: anonymous memory and private copies of files, as blocks of whole pages.
//!
//! Not modelled: mappings at a fixed address, mappings that write to their file, unmapping a part,
//! and protection (a write to a read-only mapping goes unnoticed).

use super::answer::{self, check_halt, fail, fail_long};
use super::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::libc::errno::Errno;
use crate::memory::MAX_OBJECT;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("mmap mmap64", mmap),
    ("munmap", munmap),
    ("mremap", mremap),
    ("mprotect", mprotect),
    ("madvise posix_madvise msync mlock mlock2 munlock mlockall munlockall", |_, _| int(0)),
    ("mincore", mincore),
    ("getpagesize __getpagesize", |_, _| int(PAGE as i32)),
    ("sbrk brk", |_, _| no_break()),
    ("shmget shm_open", |state, _| fail(state, Errno::ENOSYS)),
    ("shmat", |state, _| fail_long(state, Errno::EINVAL)),
    ("shmdt shmctl", |state, _| fail(state, Errno::EINVAL)),
    ("shm_unlink", |state, _| fail(state, Errno::ENOENT)),
];

const PAGE: u64 = 4096;
const PROT_WRITE: i32 = 2;
const MAP_SHARED: i32 = 1;
const MAP_PRIVATE: i32 = 2;
const MAP_SHARED_VALIDATE: i32 = 3;
const MAP_TYPE: i32 = 0xf;
const MAP_FIXED: i32 = 0x10;
const MAP_ANONYMOUS: i32 = 0x20;
const MAP_FIXED_NOREPLACE: i32 = 0x10_0000;
const MREMAP_FIXED: i32 = 2;

fn unsupported<T>(what: &str) -> Result<T, Trouble> {
    Err(Trouble::Unsupported(what.to_owned()))
}

fn no_break() -> ShimResult {
    unsupported("moving the end of the data segment")
}

fn mmap(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (length, protection, flags) = (args.word(1), args.int(2), args.int(3));
    let (descriptor, offset) = (args.int(4), args.word(5));
    if length == 0 || !offset.is_multiple_of(PAGE) {
        return fail_long(state, Errno::EINVAL);
    }
    let shared = match flags & MAP_TYPE {
        MAP_SHARED | MAP_SHARED_VALIDATE => true,
        MAP_PRIVATE => false,
        _ => return fail_long(state, Errno::EINVAL),
    };
    if flags & (MAP_FIXED | MAP_FIXED_NOREPLACE) != 0 {
        return unsupported("a mapping at a fixed address");
    }
    if length > MAX_OBJECT - PAGE {
        return fail_long(state, Errno::ENOMEM);
    }
    if flags & MAP_ANONYMOUS != 0 {
        let address = map(state, length, &[])?;
        return value(address);
    }
    if shared && protection & PROT_WRITE != 0 {
        return unsupported("a shared mapping that writes to its file");
    }
    let size = length.next_multiple_of(PAGE) as usize;
    let mut content = Vec::new();
    if let Err(errno) = read_file(state, descriptor, offset, size, &mut content) {
        return fail_long(state, errno);
    }
    check_halt(state)?;
    value(map(state, length, &content)?)
}

/// What a file holds from an offset on. Only files can be mapped.
fn read_file(
    state: &mut State,
    descriptor: i32,
    offset: u64,
    size: usize,
    content: &mut Vec<u8>,
) -> Result<(), Errno> {
    let vfs = &mut state.process.vfs;
    let length = vfs.stat_descriptor(descriptor)?.size.saturating_sub(offset);
    content.resize(size.min(usize::try_from(length).unwrap_or(size)), 0);
    match vfs.read_from(descriptor, offset as i64, content) {
        Ok(got) => {
            content.truncate(got);
            Ok(())
        }
        // A descriptor that cannot be read, and one that is no file.
        Err(Errno::EBADF) => Err(Errno::EACCES),
        Err(_) => Err(Errno::ENODEV),
    }
}

fn map(state: &mut State, length: u64, content: &[u8]) -> Result<u64, Trouble> {
    let size = length.next_multiple_of(PAGE);
    let address = state.allocate_heap(size, true)?;
    state.memory.write_bytes(address, content)?;
    state.process.kernel.mappings.insert(address, size);
    Ok(address)
}

fn munmap(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (address, length) = (args.word(0), args.word(1));
    if !address.is_multiple_of(PAGE) || length == 0 {
        return fail(state, Errno::EINVAL);
    }
    match state.process.kernel.mappings.get(&address) {
        Some(&size) if length.next_multiple_of(PAGE) >= size => {
            unmap(state, address)?;
            int(0)
        }
        Some(_) => unsupported("unmapping a part of a mapping"),
        // Nothing is mapped there, which is not an error; a part of a mapping would be.
        None => match state.memory.bytes(address, 1) {
            Ok(_) => unsupported("unmapping a part of a mapping"),
            Err(_) => int(0),
        },
    }
}

fn unmap(state: &mut State, address: u64) -> Result<(), Trouble> {
    state.process.kernel.mappings.remove(&address);
    let site = state.site;
    Ok(state.memory.free(address, site)?)
}

fn mremap(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (old, length) = (args.word(0), args.word(2));
    let Some(&size) = state.process.kernel.mappings.get(&old) else {
        return fail_long(state, Errno::EFAULT);
    };
    if args.int(3) & MREMAP_FIXED != 0 {
        return unsupported("a mapping at a fixed address");
    }
    if length == 0 {
        return fail_long(state, Errno::EINVAL);
    }
    if length > MAX_OBJECT - PAGE {
        return fail_long(state, Errno::ENOMEM);
    }
    if length.next_multiple_of(PAGE) == size {
        return value(old);
    }
    let new = map(state, length, &[])?;
    state.memory.copy(new, old, size.min(length.next_multiple_of(PAGE)))?;
    unmap(state, old)?;
    value(new)
}

/// Granting access is all that can be asked for.
fn mprotect(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if !args.word(0).is_multiple_of(PAGE) {
        return fail(state, Errno::EINVAL);
    }
    match args.int(2) & 3 {
        3 => int(0),
        _ => unsupported("taking the right to read or write memory away"),
    }
}

/// Every page is in memory.
fn mincore(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let pages = args.word(1).div_ceil(PAGE);
    state.memory.bytes(args.word(0), args.word(1))?;
    state.memory.fill(args.word(2), 1, pages)?;
    answer::nothing()
}

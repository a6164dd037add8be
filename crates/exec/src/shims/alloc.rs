//! Allocation, and the bulk operations on memory.

use super::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::libc::errno::Errno;
use crate::memory::MAX_OBJECT;
use crate::state::State;
use crate::stop::FaultKind;

pub(super) const SHIMS: Group = &[
    ("malloc valloc", |state, args| allocate(state, args.word(0), false)),
    ("calloc", calloc),
    ("realloc", |state, args| reallocate(state, args.word(0), args.word(1))),
    ("reallocarray", reallocarray),
    ("free cfree", free),
    ("aligned_alloc memalign", |state, args| allocate(state, args.word(1), false)),
    ("pvalloc", |state, args| allocate(state, args.word(0).next_multiple_of(4096), false)),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", malloc_usable_size),
    ("memcpy", |state, args| copy(state, args, false)),
    ("__memcpy_chk", memcpy_chk),
    ("memmove", |state, args| copy(state, args, true)),
    ("__memmove_chk", memmove_chk),
    ("memset", memset),
    ("__memset_chk", memset_chk),
];

/// The native allocator refuses requests beyond the address space of a process.
const REFUSED: u64 = (1 << 47) - 1;

fn allocate(state: &mut State, size: u64, defined: bool) -> ShimResult {
    if size > REFUSED {
        state.set_errno(Errno::ENOMEM)?;
        return value(0);
    }
    // The allocator keeps a block apart even when it is empty.
    Ok(super::Outcome::Value(state.allocate_heap(size, defined)?))
}

fn calloc(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.word(0).checked_mul(args.word(1)) {
        Some(size) => allocate(state, size, true),
        None => allocate(state, u64::MAX, true),
    }
}

fn reallocarray(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.word(1).checked_mul(args.word(2)) {
        Some(size) => reallocate(state, args.word(0), size),
        None => allocate(state, u64::MAX, false),
    }
}

fn reallocate(state: &mut State, old: u64, size: u64) -> ShimResult {
    if old == 0 {
        return allocate(state, size, false);
    }
    let old_size = state.memory.block_size(old)?;
    if size == 0 {
        let site = state.site;
        state.memory.free(old, site)?;
        return value(0);
    }
    if size > MAX_OBJECT.min(REFUSED) {
        state.set_errno(Errno::ENOMEM)?;
        return value(0);
    }
    let new = state.allocate_heap(size, false)?;
    state.memory.copy(new, old, old_size.min(size))?;
    let site = state.site;
    state.memory.free(old, site)?;
    value(new)
}

fn free(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let address = args.word(0);
    if address != 0 {
        let site = state.site;
        state.memory.free(address, site)?;
    }
    value(0)
}

fn posix_memalign(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let align = args.word(1);
    if !align.is_power_of_two() || !align.is_multiple_of(8) {
        return int(Errno::EINVAL.0);
    }
    if args.word(2) > REFUSED {
        return int(Errno::ENOMEM.0);
    }
    let address = state.allocate_heap(args.word(2), false)?;
    state.memory.write_u64(args.word(0), address)?;
    int(0)
}

fn malloc_usable_size(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    match args.word(0) {
        0 => value(0),
        address => value(state.memory.block_size(address)?),
    }
}

fn copy(state: &mut State, args: &Arguments<'_>, may_overlap: bool) -> ShimResult {
    let (to, from, size) = (args.word(0), args.word(1), args.word(2));
    if !may_overlap && to != from && to.abs_diff(from) < size {
        return Err(Trouble::Fault(FaultKind::Overlap { size }));
    }
    state.memory.copy(to, from, size)?;
    value(to)
}

fn memset(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    state.memory.fill(args.word(0), args.word(1) as u8, args.word(2))?;
    value(args.word(0))
}

/// Fortified variants know the size of the destination.
fn check_size(size: u64, room: u64) -> Result<(), Trouble> {
    if size > room { Err(Trouble::Fault(FaultKind::BufferOverflow)) } else { Ok(()) }
}

fn memcpy_chk(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    check_size(args.word(2), args.word(3))?;
    copy(state, args, false)
}

fn memmove_chk(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    check_size(args.word(2), args.word(3))?;
    copy(state, args, true)
}

fn memset_chk(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    check_size(args.word(2), args.word(3))?;
    memset(state, args)
}

//! Accesses, lifetimes, forks, and bytes that were never written.

use super::*;

fn memory() -> Memory {
    Memory::new(1 << 20)
}

fn block(memory: &mut Memory, size: u64) -> u64 {
    let what = Allocation { kind: ObjectKind::Heap, size, defined: false, site: None };
    memory.allocate(what).expect("within the limit")
}

#[test]
fn a_written_value_is_read_back() {
    let mut memory = memory();
    let at = block(&mut memory, 16);
    memory.write_u32(at + 4, 0xdead_beef).unwrap();
    assert_eq!(memory.read_u32(at + 4).unwrap(), 0xdead_beef);
}

#[test]
fn an_access_past_the_end_is_out_of_bounds() {
    let mut memory = memory();
    let at = block(&mut memory, 6);
    let fault = memory.read_u32(at + 4).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::OutOfBounds { offset: 4, size: 4, .. }));
    assert!(memory.read_u32(at.wrapping_sub(4)).is_err());
}

#[test]
fn a_freed_block_cannot_be_read_or_freed_again() {
    let mut memory = memory();
    let at = block(&mut memory, 8);
    memory.free(at, None).unwrap();
    let read = memory.read_u8(at).unwrap_err();
    assert!(matches!(read.kind, FaultKind::UseAfterFree { .. }));
    let again = memory.free(at, None).unwrap_err();
    assert!(matches!(again.kind, FaultKind::DoubleFree { .. }));
}

#[test]
fn only_the_start_of_a_heap_block_can_be_freed() {
    let mut memory = memory();
    let at = block(&mut memory, 8);
    let fault = memory.free(at + 1, None).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::InvalidFree { .. }));
}

#[test]
fn a_fork_does_not_see_later_writes() {
    let mut memory = memory();
    let at = block(&mut memory, 8);
    memory.write_u8(at, 1).unwrap();
    let mut fork = memory.fork();
    memory.write_u8(at, 2).unwrap();
    fork.write_u8(at + 1, 3).unwrap();
    assert_eq!(fork.read_u8(at).unwrap(), 1);
    assert_eq!(memory.read_u8(at).unwrap(), 2);
}

#[test]
fn reading_bytes_that_were_never_written_is_counted_and_strictly_a_fault() {
    let mut memory = memory();
    let at = block(&mut memory, 8);
    memory.write_u8(at, 1).unwrap();
    assert_eq!(memory.read_u32(at).unwrap(), 1);
    assert_eq!(memory.read_u32(at + 4).unwrap(), 0);
    assert_eq!(memory.undefined_reads, 1);
    memory.strict = true;
    let fault = memory.read_u32(at + 4).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Uninitialised { size: 4 }));
}

#[test]
fn copying_keeps_undefined_bytes_undefined() {
    let mut memory = memory();
    let (from, to) = (block(&mut memory, 4), block(&mut memory, 4));
    memory.copy(to, from, 4).unwrap();
    memory.read_u32(to).unwrap();
    assert_eq!(memory.undefined_reads, 1);
}

#[test]
fn the_null_page_belongs_to_nobody() {
    let mut memory = memory();
    assert!(matches!(memory.read_u8(0).unwrap_err().kind, FaultKind::Null { .. }));
    assert!(matches!(memory.read_u8(u64::MAX).unwrap_err().kind, FaultKind::Wild { .. }));
}

#[test]
fn a_sealed_object_cannot_be_written() {
    let mut memory = memory();
    let at = block(&mut memory, 4);
    memory.seal(at);
    let fault = memory.write_u8(at, 1).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::WriteToConstant { .. }));
}

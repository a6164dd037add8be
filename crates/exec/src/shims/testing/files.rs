//! Tests of files, descriptors, directories and mappings.

use super::{call, errno, int_of, place, place_text, value_of};
use crate::libc::errno::Errno;
use crate::shims::{Outcome, Trouble};
use crate::state::State;
use crate::stop::FaultKind;

const O_RDWR: u64 = 2;
const O_CREAT: u64 = 0o100;

/// A new file with some content, open for both directions.
fn file(state: &mut State, name: &str, content: &str) -> u64 {
    let path = place_text(state, name);
    let descriptor = value_of(state, "open", &[path, O_RDWR | O_CREAT, 0o644]);
    let bytes = place_text(state, content);
    let length = content.len() as u64;
    assert_eq!(value_of(state, "write", &[descriptor, bytes, length]), length);
    descriptor
}

#[test]
fn what_was_written_is_read_back() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "hello");
    let buffer = place(&mut state, &[0xff; 16]);
    assert_eq!(value_of(&mut state, "lseek", &[descriptor, 1, 0]), 1);
    assert_eq!(value_of(&mut state, "read", &[descriptor, buffer, 16]), 4);
    assert_eq!(state.memory.bytes(buffer, 5).unwrap(), b"ello\xff");
    assert_eq!(value_of(&mut state, "pread64", &[descriptor, buffer, 2, 3]), 2);
    assert_eq!(state.memory.bytes(buffer, 3).unwrap(), b"lol");
    assert_eq!(int_of(&mut state, "close", &[descriptor]), 0);
    assert_eq!(value_of(&mut state, "read", &[descriptor, buffer, 1]), u64::MAX);
    assert_eq!(errno(&mut state), Errno::EBADF.0);
}

#[test]
fn a_read_needs_memory_only_for_what_arrives() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "hello");
    value_of(&mut state, "lseek", &[descriptor, 0, 0]);
    let small = place(&mut state, &[0; 5]);
    assert_eq!(value_of(&mut state, "read", &[descriptor, small, 1 << 30]), 5);
    value_of(&mut state, "lseek", &[descriptor, 0, 0]);
    let smaller = place(&mut state, &[0; 4]);
    let result = call(&mut state, "read", &[descriptor, smaller, 100]);
    assert!(matches!(result, Err(Trouble::Violation(_))));
}

#[test]
fn vectors_are_read_and_written_in_order() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "");
    let (a, b) = (place(&mut state, b"abc"), place(&mut state, b"de"));
    let mut vectors = Vec::new();
    for word in [a, 3, b, 2] {
        vectors.extend(word.to_le_bytes());
    }
    let vectors = place(&mut state, &vectors);
    assert_eq!(value_of(&mut state, "writev", &[descriptor, vectors, 2]), 5);
    value_of(&mut state, "lseek", &[descriptor, 1, 0]);
    assert_eq!(value_of(&mut state, "readv", &[descriptor, vectors, 2]), 4);
    assert_eq!(state.memory.bytes(a, 3).unwrap(), b"bcd");
    assert_eq!(value_of(&mut state, "readv", &[descriptor, vectors, 2000]), u64::MAX);
    assert_eq!(errno(&mut state), Errno::EINVAL.0);
}

#[test]
fn a_pipe_without_a_reader_ends_the_process() {
    let mut state = State::scratch();
    let ends = place(&mut state, &[0; 8]);
    assert_eq!(int_of(&mut state, "pipe", &[ends]), 0);
    let reader = u64::from(state.memory.read_u32(ends).unwrap());
    let writer = u64::from(state.memory.read_u32(ends + 4).unwrap());
    assert_eq!(value_of(&mut state, "write", &[writer, ends, 4]), 4);
    assert_eq!(int_of(&mut state, "close", &[reader]), 0);
    assert!(matches!(call(&mut state, "write", &[writer, ends, 4]), Err(Trouble::Signal(13))));
    // Ignored, the signal leaves the error.
    assert_eq!(value_of(&mut state, "signal", &[13, 1]), 0);
    assert_eq!(value_of(&mut state, "write", &[writer, ends, 4]), u64::MAX);
    assert_eq!(errno(&mut state), Errno::EPIPE.0);
}

#[test]
fn an_empty_pipe_that_nobody_else_fills_is_not_waited_for() {
    let mut state = State::scratch();
    let ends = place(&mut state, &[0; 8]);
    int_of(&mut state, "pipe", &[ends]);
    let reader = u64::from(state.memory.read_u32(ends).unwrap());
    let result = call(&mut state, "read", &[reader, ends, 1]);
    assert!(matches!(result, Err(Trouble::Unsupported(_))));
}

#[test]
fn a_fortified_read_into_too_small_a_buffer_is_a_fault() {
    let mut state = State::scratch();
    let buffer = place(&mut state, &[0; 8]);
    let result = call(&mut state, "__read_chk", &[0, buffer, 9, 8]);
    assert!(matches!(result, Err(Trouble::Fault(FaultKind::BufferOverflow))));
}

#[test]
fn stat_has_the_native_layout() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "hello");
    let buffer = place(&mut state, &[0xff; 144]);
    assert_eq!(int_of(&mut state, "fstat", &[descriptor, buffer]), 0);
    assert_eq!(state.memory.read_u64(buffer + 16).unwrap(), 1);
    assert_eq!(state.memory.read_u32(buffer + 24).unwrap(), 0o100_644);
    assert_eq!(state.memory.read_u32(buffer + 28).unwrap(), 1000);
    assert_eq!(state.memory.read_u64(buffer + 48).unwrap(), 5);
    assert_eq!(state.memory.read_u64(buffer + 88).unwrap(), 1_000_000_000);
    let missing = place_text(&mut state, "missing");
    assert_eq!(int_of(&mut state, "__xstat", &[1, missing, buffer]), -1);
    assert_eq!(errno(&mut state), Errno::ENOENT.0);
}

#[test]
fn names_can_be_made_moved_and_removed() {
    let mut state = State::scratch();
    let directory = place_text(&mut state, "d");
    assert_eq!(int_of(&mut state, "mkdir", &[directory, 0o755]), 0);
    file(&mut state, "d/a", "x");
    let (old, new) = (place_text(&mut state, "d/a"), place_text(&mut state, "d/b"));
    assert_eq!(int_of(&mut state, "rename", &[old, new]), 0);
    assert_eq!(int_of(&mut state, "access", &[old, 0]), -1);
    assert_eq!(int_of(&mut state, "symlink", &[new, old]), 0);
    let buffer = place(&mut state, &[0; 64]);
    assert_eq!(value_of(&mut state, "readlink", &[old, buffer, 2]), 2);
    assert_eq!(value_of(&mut state, "readlink", &[old, buffer, 64]), 3);
    assert_eq!(state.memory.bytes(buffer, 3).unwrap(), b"d/b");
    assert_eq!(int_of(&mut state, "rmdir", &[directory]), -1);
    assert_eq!(errno(&mut state), Errno::ENOTEMPTY.0);
    assert_eq!(int_of(&mut state, "unlink", &[old]), 0);
    assert_eq!(int_of(&mut state, "unlink", &[new]), 0);
    assert_eq!(int_of(&mut state, "rmdir", &[directory]), 0);
}

#[test]
fn the_working_directory_is_told_and_changed() {
    let mut state = State::scratch();
    let temporary = place_text(&mut state, "/tmp");
    assert_eq!(int_of(&mut state, "chdir", &[temporary]), 0);
    let buffer = place(&mut state, &[0; 8]);
    assert_eq!(value_of(&mut state, "getcwd", &[buffer, 8]), buffer);
    assert_eq!(state.memory.c_string(buffer).unwrap(), b"/tmp");
    assert_eq!(value_of(&mut state, "getcwd", &[buffer, 4]), 0);
    assert_eq!(errno(&mut state), Errno::ERANGE.0);
    let dots = place_text(&mut state, "./../tmp//.");
    let real = value_of(&mut state, "realpath", &[dots, 0]);
    assert_eq!(state.memory.c_string(real).unwrap(), b"/tmp");
    assert_eq!(value_of(&mut state, "free", &[real]), 0);
}

#[test]
fn a_directory_lists_itself_and_then_its_names_in_order() {
    let mut state = State::scratch();
    file(&mut state, "b", "");
    file(&mut state, "a", "");
    let here = place_text(&mut state, ".");
    let directory = value_of(&mut state, "opendir", &[here]);
    let mut names = Vec::new();
    loop {
        let entry = value_of(&mut state, "readdir", &[directory]);
        if entry == 0 {
            break;
        }
        names.push(state.memory.c_string(entry + 19).unwrap().to_vec());
    }
    assert_eq!(names, [&b"."[..], b"..", b"a", b"b"]);
    value_of(&mut state, "rewinddir", &[directory]);
    assert_eq!(value_of(&mut state, "telldir", &[directory]), 0);
    assert_eq!(int_of(&mut state, "closedir", &[directory]), 0);
    let again = call(&mut state, "closedir", &[directory]);
    assert!(matches!(again, Err(Trouble::Violation(_))));
    let plain = place_text(&mut state, "a");
    assert_eq!(value_of(&mut state, "opendir", &[plain]), 0);
}

#[test]
fn temporary_files_have_names_that_differ() {
    let mut state = State::scratch();
    let (a, b) = (place_text(&mut state, "tXXXXXX"), place_text(&mut state, "tXXXXXX"));
    let first = int_of(&mut state, "mkstemp", &[a]);
    let second = int_of(&mut state, "mkstemp", &[b]);
    assert!(first >= 0 && second > first);
    assert_ne!(state.memory.c_string(a).unwrap(), state.memory.c_string(b).unwrap());
    let bad = place_text(&mut state, "tXXXXX");
    assert_eq!(int_of(&mut state, "mkstemp", &[bad]), -1);
    assert_eq!(errno(&mut state), Errno::EINVAL.0);
}

#[test]
fn a_private_mapping_is_a_copy_of_the_file_in_whole_pages() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "hello");
    let (both, private) = (3, 2);
    let at = value_of(&mut state, "mmap", &[0, 5, both, private, descriptor, 0]);
    assert_eq!(state.memory.bytes(at, 6).unwrap(), b"hello\0");
    assert!(state.memory.bytes(at, 4097).is_err());
    state.memory.write_u8(at, b'j').unwrap();
    let buffer = place(&mut state, &[0; 5]);
    value_of(&mut state, "pread", &[descriptor, buffer, 5, 0]);
    assert_eq!(state.memory.bytes(buffer, 5).unwrap(), b"hello");
    assert_eq!(int_of(&mut state, "munmap", &[at, 5]), 0);
    assert!(state.memory.bytes(at, 1).is_err());
    let shared = call(&mut state, "mmap", &[0, 5, both, 1, descriptor, 0]);
    assert!(matches!(shared, Err(Trouble::Unsupported(_))));
}

#[test]
fn anonymous_memory_is_zero_and_can_grow() {
    let mut state = State::scratch();
    let at = value_of(&mut state, "mmap", &[0, 10, 3, 0x22, u64::MAX, 0]);
    assert_eq!(at % 4096, 0);
    assert_eq!(state.memory.read_u64(at).unwrap(), 0);
    state.memory.write_u8(at + 9, 7).unwrap();
    let new = value_of(&mut state, "mremap", &[at, 10, 10000, 1]);
    assert_eq!(state.memory.read_u8(new + 9).unwrap(), 7);
    assert_eq!(state.memory.read_u8(new + 12287).unwrap(), 0);
}

#[test]
fn files_are_ready_and_waiting_for_nothing_passes_time() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "x");
    let mut request = (descriptor as u32).to_le_bytes().to_vec();
    request.extend([5, 0, 0xff, 0xff]);
    let request = place(&mut state, &request);
    assert_eq!(int_of(&mut state, "poll", &[request, 1, u64::MAX]), 1);
    assert_eq!(state.memory.bytes(request + 6, 2).unwrap(), [5, 0]);
    let before = state.process.vfs.clock.peek().seconds;
    assert_eq!(int_of(&mut state, "poll", &[request, 0, 3000]), 0);
    assert_eq!(state.process.vfs.clock.peek().seconds, before + 3);
    let forever = call(&mut state, "poll", &[request, 0, u64::MAX]);
    assert!(matches!(forever, Err(Trouble::Unsupported(_))));
}

#[test]
fn select_keeps_what_is_ready() {
    let mut state = State::scratch();
    let mut set = vec![0u8; 128];
    set[0] = 0b011;
    let (readers, writers) = (place(&mut state, &set), place(&mut state, &set));
    assert_eq!(int_of(&mut state, "select", &[2, readers, writers, 0, 0]), 2);
    assert_eq!(state.memory.read_u8(readers).unwrap(), 0b01);
    assert_eq!(state.memory.read_u8(writers).unwrap(), 0b10);
    state.memory.write_u8(readers, 0b1000_0000).unwrap();
    assert_eq!(int_of(&mut state, "select", &[8, readers, 0, 0, 0]), -1);
    assert_eq!(errno(&mut state), Errno::EBADF.0);
}

#[test]
fn bytes_move_between_files() {
    let mut state = State::scratch();
    let from = file(&mut state, "from", "hello");
    let to = file(&mut state, "to", "");
    let offset = place(&mut state, &1u64.to_le_bytes());
    assert_eq!(value_of(&mut state, "sendfile", &[to, from, offset, 100]), 4);
    assert_eq!(state.memory.read_u64(offset).unwrap(), 5);
    let size = place(&mut state, &[0; 4]);
    value_of(&mut state, "lseek", &[to, 1, 0]);
    assert_eq!(int_of(&mut state, "ioctl", &[to, 0x541b, size]), 0);
    assert_eq!(state.memory.read_u32(size).unwrap(), 3);
    assert_eq!(int_of(&mut state, "ioctl", &[to, 0x5401, size]), -1);
    assert_eq!(errno(&mut state), Errno::ENOTTY.0);
}

#[test]
fn times_can_be_set_and_left_out() {
    let mut state = State::scratch();
    let descriptor = file(&mut state, "data", "");
    let mut pair = Vec::new();
    for word in [7u64, 8, 0, 0x3fff_fffe] {
        pair.extend(word.to_le_bytes());
    }
    let pair = place(&mut state, &pair);
    assert_eq!(int_of(&mut state, "futimens", &[descriptor, pair]), 0);
    let stat = state.process.vfs.stat_descriptor(descriptor as i32).unwrap();
    assert_eq!((stat.accessed.seconds, stat.accessed.nanoseconds), (7, 8));
    assert_eq!(stat.modified.seconds, 1_000_000_000);
}

#[test]
fn no_argument_makes_a_shim_panic() {
    let odd = [0, 1, 7, 0xffff_ffff, u64::MAX, 1 << 63, 0x3_0001_0000, 0x5_0001_0003, 4096];
    let names: Vec<&str> = crate::shims::names().collect();
    for name in names {
        for shift in 0..odd.len() {
            let mut state = State::scratch();
            let words: Vec<u64> =
                (0..8).map(|i| odd[(i * shift + i + shift) % odd.len()]).collect();
            // Any outcome will do.
            let _: Result<Outcome, Trouble> = call(&mut state, name, &words);
        }
    }
}

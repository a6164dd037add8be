//! String functions in Rust, for runs whose observer does not look inside them.
//!
//! Each has a twin in the C runtime that is executed instead whenever the branches and
//! reads inside matter. Results and faults are the same.

use super::{Arguments, Group, ShimResult, int, value};
use crate::memory::MemoryResult;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcmp", |state, args| compare(state, args.word(0), args.word(1), u64::MAX)),
    ("strncmp", |state, args| compare(state, args.word(0), args.word(1), args.word(2))),
    ("memcmp bcmp", memcmp),
    ("memchr", memchr),
    ("strchr", strchr),
    ("strrchr", strrchr),
    ("strcpy", |state, args| copy(state, args.word(0), args.word(0), args.word(1))),
    ("strcat", strcat),
];

fn strlen(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    value(state.memory.c_string(args.word(0))?.len() as u64)
}

fn strnlen(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (address, limit) = (args.word(0), args.word(1));
    if limit == 0 {
        return value(0);
    }
    let rest = state.memory.bytes_from(address)?;
    let within = &rest[..rest.len().min(limit as usize)];
    match memchr::memchr(0, within) {
        Some(length) => {
            state.memory.note_work(length as u64);
            value(length as u64)
        }
        None if within.len() as u64 == limit => {
            state.memory.note_work(limit);
            value(limit)
        }
        None => off_the_end(state, address, rest.len()),
    }
}

/// The sign of the first difference before a NUL, within `limit` bytes.
fn compare(state: &mut State, a: u64, b: u64, limit: u64) -> ShimResult {
    if limit == 0 {
        return int(0);
    }
    let (left, right) = (state.memory.bytes_from(a)?, state.memory.bytes_from(b)?);
    let count = left.len().min(right.len()).min(limit.min(usize::MAX as u64) as usize);
    let mut pairs = left[..count].iter().zip(&right[..count]);
    if let Some(at) = pairs.position(|(&x, &y)| x != y || x == 0) {
        state.memory.note_work(at as u64);
        return int(i32::from(left[at]) - i32::from(right[at]));
    }
    state.memory.note_work(count as u64);
    if count as u64 == limit {
        return int(0);
    }
    // One of the two runs off the end of its object: reading there is the fault.
    let at = count as u64;
    state.memory.bytes(a.wrapping_add(at), 1)?;
    state.memory.bytes(b.wrapping_add(at), 1)?;
    int(0)
}

fn memcmp(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (a, b, size) = (args.word(0), args.word(1), args.word(2));
    let (left, right) = (state.memory.bytes(a, size)?, state.memory.bytes(b, size)?);
    let difference = left.iter().zip(right).find(|(x, y)| x != y);
    int(difference.map_or(0, |(&x, &y)| i32::from(x) - i32::from(y)))
}

fn memchr(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (address, byte, size) = (args.word(0), args.word(1) as u8, args.word(2));
    if size == 0 {
        return value(0);
    }
    let rest = state.memory.bytes_from(address)?;
    let within = &rest[..rest.len().min(size as usize)];
    match memchr::memchr(byte, within) {
        Some(at) => {
            state.memory.note_work(at as u64);
            value(address.wrapping_add(at as u64))
        }
        None if within.len() as u64 == size => {
            state.memory.note_work(size);
            value(0)
        }
        None => off_the_end(state, address, rest.len()),
    }
}

fn strchr(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (address, byte) = (args.word(0), args.word(1) as u8);
    let rest = state.memory.bytes_from(address)?;
    match memchr::memchr2(byte, 0, rest) {
        Some(at) => {
            state.memory.note_work(at as u64);
            value(if rest[at] == byte { address.wrapping_add(at as u64) } else { 0 })
        }
        None => off_the_end(state, address, rest.len()),
    }
}

/// The fault of a search that runs off the end of an object of which `length` bytes are left.
fn off_the_end(state: &State, address: u64, length: usize) -> ShimResult {
    match state.memory.bytes(address, length as u64 + 1) {
        Err(violation) => Err(violation.into()),
        Ok(_) => unreachable!("no byte follows the last one of an object"),
    }
}

fn strrchr(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (address, byte) = (args.word(0), args.word(1) as u8);
    let string = state.memory.c_string(address)?;
    match byte {
        0 => value(address.wrapping_add(string.len() as u64)),
        byte => {
            let found = memchr::memrchr(byte, string);
            value(found.map_or(0, |at| address.wrapping_add(at as u64)))
        }
    }
}

fn strcat(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let to = args.word(0);
    let end = to.wrapping_add(state.memory.c_string(to)?.len() as u64);
    copy(state, to, end, args.word(1))
}

/// Copies a string with its NUL; returns `result`.
fn copy(state: &mut State, result: u64, to: u64, from: u64) -> ShimResult {
    let mut bytes = read(state, from)?;
    bytes.push(0);
    state.memory.write_bytes(to, &bytes)?;
    value(result)
}

fn read(state: &State, address: u64) -> MemoryResult<Vec<u8>> {
    Ok(state.memory.c_string(address)?.to_vec())
}

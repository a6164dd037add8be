//! How functions of the system answer: a result, or -1 (or null) and `errno`.

use super::{Outcome, ShimResult, Trouble, int, value};
use crate::libc::errno::Errno;
use crate::libc::vfs::Halt;
use crate::state::State;
use crate::stop::Bound;

/// For a function with an `int` result: a number that is not negative, or -1.
pub(super) fn number(state: &mut State, result: Result<i32, Errno>) -> ShimResult {
    match result {
        Ok(number) => int(number),
        Err(errno) => fail(state, errno),
    }
}

/// For a function with an `int` result: 0 or -1.
pub(super) fn done(state: &mut State, result: Result<(), Errno>) -> ShimResult {
    number(state, result.map(|()| 0))
}

/// For a function with a result of 64 bits: a number, or -1.
pub(super) fn long(state: &mut State, result: Result<i64, Errno>) -> ShimResult {
    match result {
        Ok(number) => value(number as u64),
        Err(errno) => fail_long(state, errno),
    }
}

/// -1 as an `int`, with `errno`.
pub(super) fn fail(state: &mut State, errno: Errno) -> ShimResult {
    state.set_errno(errno)?;
    int(-1)
}

/// -1 as a `long`, with `errno`. Also the result of `mmap` when it fails.
pub(super) fn fail_long(state: &mut State, errno: Errno) -> ShimResult {
    state.set_errno(errno)?;
    value(u64::MAX)
}

/// A null pointer, with `errno`.
pub(super) fn fail_null(state: &mut State, errno: Errno) -> ShimResult {
    state.set_errno(errno)?;
    value(0)
}

/// Ends the run if the file system requires it: after calls that read or write.
pub(super) fn check_halt(state: &State) -> Result<(), Trouble> {
    match state.process.vfs.halted() {
        None => Ok(()),
        Some(Halt::OutputExhausted | Halt::FilesExhausted) => {
            Err(Trouble::Exhausted(Bound::Output))
        }
        Some(Halt::Deadlock) => {
            let what = "waiting for a pipe whose other end only the process itself holds";
            Err(Trouble::Unsupported(what.to_owned()))
        }
    }
}

/// A function that does nothing and succeeds.
pub(super) fn nothing() -> ShimResult {
    Ok(Outcome::Value(0))
}

/// The bytes of a string in the program's memory.
pub(super) fn text(state: &State, address: u64) -> Result<Vec<u8>, Trouble> {
    Ok(state.memory.c_string(address)?.to_vec())
}

//! Tests of the shims of the system, called by name on a state without a program.

mod files;
mod process;

use super::{Arguments, ShimResult, find, get};
use crate::code::Passing;
use crate::state::State;

/// Calls a shim whose arguments all take one register.
pub fn call(state: &mut State, name: &str, words: &[u64]) -> ShimResult {
    call_with(state, name, words, &vec![Passing::Int; words.len()])
}

pub fn call_with(state: &mut State, name: &str, words: &[u64], passing: &[Passing]) -> ShimResult {
    let shim = get(find(name).unwrap_or_else(|| panic!("{name} is a shim")));
    (shim.run)(state, &Arguments { words, passing, fixed: passing.len() })
}

/// The result of a call that succeeds with a value.
pub fn value_of(state: &mut State, name: &str, words: &[u64]) -> u64 {
    match call(state, name, words) {
        Ok(super::Outcome::Value(value)) => value,
        other => panic!("{name} gave {other:?}"),
    }
}

/// The result of a call that succeeds with an `int`.
pub fn int_of(state: &mut State, name: &str, words: &[u64]) -> i32 {
    value_of(state, name, words) as i32
}

/// Puts bytes into memory.
pub fn place(state: &mut State, bytes: &[u8]) -> u64 {
    state.allocate_system(bytes).expect("within the limit")
}

/// Puts a string with its NUL into memory.
pub fn place_text(state: &mut State, text: &str) -> u64 {
    place(state, format!("{text}\0").as_bytes())
}

pub fn errno(state: &mut State) -> i32 {
    state.memory.read_u32(state.process.errno).expect("errno is placed") as i32
}

//! Arguments and parts of streams that were declared as integers.
//!
//! The functions of the C runtime that convert text to numbers ask here first, so that such a text
//! need not be read digit by digit. In a run without declarations, there are no such integers.

use super::stdio::{get, stream};
use super::{Arguments, Group, ShimResult, value};
use crate::state::State;

pub(super) const SHIMS: Group = &[
    // (text, cell for the value) -> length of the text, or 0.
    ("__ripple_integer", integer),
    // (stream, cell for the value) -> how many bytes were consumed, or 0.
    ("__ripple_integer_in", integer_in),
];

fn integer(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let found = state.process.integers.iter().find(|text| text.address == args.word(0));
    let Some(&text) = found else { return value(0) };
    // A text that the program has changed is not the declared integer any more.
    let now = state.memory.c_string(text.address)?;
    if now != text.value.to_string().as_bytes() {
        return value(0);
    }
    state.memory.write_u64(args.word(1), text.value as u64)?;
    value(text.length)
}

impl State {
    /// The source of the next byte of a `FILE`: the number of a file's node, and the offset.
    pub(crate) fn next_unread(&mut self, file: u64) -> Option<(u32, u64)> {
        let id = stream(self, file).ok()?;
        self.process.streams.next_unread(&self.process.vfs, id)
    }
}

fn integer_in(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if state.process.file_integers.is_empty() {
        return value(0);
    }
    let Some((node, offset)) = state.next_unread(args.word(0)) else { return value(0) };
    let mut integers = state.process.file_integers.iter();
    let found = integers.find(|part| part.node == node && part.offset == offset);
    let Some(&part) = found else { return value(0) };
    let id = stream(state, args.word(0))?;
    for _ in 0..part.length {
        get(state, id)?;
    }
    state.memory.write_u64(args.word(1), part.value as u64)?;
    value(part.length)
}

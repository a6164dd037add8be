//! The scanf family: the source of the bytes and the destination of the results.

use std::ops::Range;

use super::print::{Variable, list, variable};
use super::stdio::{settle, stream, with};
use super::{Group, ShimResult, Trouble, int};
use crate::libc::errno::Errno;
use crate::libc::scan::{self, Value};
use crate::libc::stream::StreamId;
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("scanf", |state, args| from_stdin(state, args.word(0), variable(args))),
    ("vscanf", |state, args| from_stdin(state, args.word(0), list(args, 1))),
    ("fscanf", |state, args| from_stream(state, args.word(0), args.word(1), variable(args))),
    ("vfscanf", |state, args| from_stream(state, args.word(0), args.word(1), list(args, 2))),
    ("sscanf", |state, args| from_string(state, args.word(0), args.word(1), variable(args))),
    ("vsscanf", |state, args| from_string(state, args.word(0), args.word(1), list(args, 2))),
];

fn from_stdin(state: &mut State, format: u64, variable: Variable<'_>) -> ShimResult {
    run(state, Bytes::Stream(StreamId::STDIN), format, variable)
}

fn from_stream(state: &mut State, file: u64, format: u64, variable: Variable<'_>) -> ShimResult {
    let id = stream(state, file)?;
    run(state, Bytes::Stream(id), format, variable)
}

fn from_string(state: &mut State, text: u64, format: u64, variable: Variable<'_>) -> ShimResult {
    let text = state.memory.c_string(text)?.to_vec();
    run(state, Bytes::Text { text, position: 0 }, format, variable)
}

/// Where the bytes come from.
enum Bytes {
    Stream(StreamId),
    Text { text: Vec<u8>, position: usize },
}

/// A call in progress.
struct Call<'s, 'a> {
    state: &'s mut State,
    bytes: Bytes,
    variable: Variable<'a>,
    /// Pointers taken so far, for formats with numbered arguments.
    pointers: Vec<u64>,
    errno: Option<Errno>,
}

fn run(state: &mut State, bytes: Bytes, format: u64, variable: Variable<'_>) -> ShimResult {
    let format = state.memory.c_string(format)?.to_vec();
    let mut call = Call { state, bytes, variable, pointers: Vec::new(), errno: None };
    let assigned = scan::scan(&format, &mut call)?;
    if let Some(errno) = call.errno {
        state.set_errno(errno)?;
    }
    int(assigned)
}

impl scan::Scan for Call<'_, '_> {
    type Error = Trouble;

    fn next(&mut self) -> Result<Option<u8>, Trouble> {
        match &mut self.bytes {
            Bytes::Text { text, position } => {
                *position += 1;
                Ok(text.get(*position - 1).copied())
            }
            Bytes::Stream(id) => {
                let id = *id;
                let result = with(self.state, |streams, context| streams.get(context, id));
                Ok(settle(self.state, result)?.flatten())
            }
        }
    }

    fn unget(&mut self, byte: u8) {
        match &mut self.bytes {
            Bytes::Text { position, .. } => *position -= 1,
            Bytes::Stream(id) => {
                // The byte was just read, so there is room for it.
                let _ = self.state.process.streams.unget(*id, byte);
            }
        }
    }

    fn pointer(&mut self, index: Option<u32>) -> Result<u64, Trouble> {
        let Some(index) = index else {
            return Ok(self.variable.integer(&mut self.state.memory)?);
        };
        while self.pointers.len() <= index as usize {
            let pointer = self.variable.integer(&mut self.state.memory)?;
            self.pointers.push(pointer);
        }
        Ok(self.pointers[index as usize])
    }

    fn store(&mut self, address: u64, value: Value<'_>, _: Range<usize>) -> Result<(), Trouble> {
        let memory = &mut self.state.memory;
        match value {
            Value::Integer { size, value } | Value::Count { size, value } => {
                memory.write_bytes(address, &value.to_le_bytes()[..size.min(8) as usize])?;
            }
            Value::Float(value) => memory.write_bytes(address, &value.to_le_bytes())?,
            Value::Double(value) => memory.write_bytes(address, &value.to_le_bytes())?,
            Value::LongDouble(value) => {
                memory.write_bytes(address, &value.mantissa.to_le_bytes())?;
                let high = address.wrapping_add(8);
                memory.write_bytes(high, &value.sign_exponent.to_le_bytes())?;
            }
            Value::Bytes(bytes) => memory.write_bytes(address, bytes)?,
            Value::Wide(wide) => memory.write_bytes(address, &wide_bytes(wide))?,
            Value::AllocatedBytes(bytes) => self.store_block(address, bytes)?,
            Value::AllocatedWide(wide) => self.store_block(address, &wide_bytes(wide))?,
        }
        Ok(())
    }

    fn errno(&mut self) -> Errno {
        self.errno.unwrap_or_else(|| {
            Errno(self.state.memory.read_u32(self.state.process.errno).unwrap_or(0) as i32)
        })
    }

    fn set_errno(&mut self, errno: Errno) {
        self.errno = Some(errno);
    }
}

impl Call<'_, '_> {
    fn store_block(&mut self, cell: u64, bytes: &[u8]) -> Result<(), Trouble> {
        let block = self.state.allocate_heap(bytes.len() as u64, true)?;
        self.state.memory.write_bytes(block, bytes)?;
        self.state.memory.write_u64(cell, block)?;
        Ok(())
    }
}

fn wide_bytes(wide: &[u32]) -> Vec<u8> {
    wide.iter().flat_map(|character| character.to_le_bytes()).collect()
}

//! The printf family: the source of the arguments and the destination of the text.

use super::answer::{check_halt, fail};
use super::{Arguments, Group, ShimResult, Trouble, int};
use crate::code::{Passing, Scalar};
use crate::libc::decimal::X87;
use crate::libc::errno::Errno;
use crate::libc::format::{self, Outcome};
use crate::memory::{Memory, MemoryResult, Violation};
use crate::process::{ArgumentPlace, Printed};
use crate::state::State;
use crate::stop::{Bound, FaultKind};
use crate::varargs::VaList;

pub(super) const SHIMS: Group = &[
    ("printf", |state, args| print(state, None, args.word(0), variable(args))),
    ("__printf_chk", |state, args| print(state, None, args.word(1), variable(args))),
    ("vprintf", |state, args| print(state, None, args.word(0), list(args, 1))),
    ("__vprintf_chk", |state, args| print(state, None, args.word(1), list(args, 2))),
    ("fprintf", |state, args| print(state, Some(args.word(0)), args.word(1), variable(args))),
    ("__fprintf_chk", |state, args| print(state, Some(args.word(0)), args.word(2), variable(args))),
    ("vfprintf", |state, args| print(state, Some(args.word(0)), args.word(1), list(args, 2))),
    ("__vfprintf_chk", |state, args| print(state, Some(args.word(0)), args.word(2), list(args, 3))),
    ("dprintf", |state, args| {
        print_to_descriptor(state, args.int(0), args.word(1), variable(args))
    }),
    ("__dprintf_chk", |state, args| {
        print_to_descriptor(state, args.int(0), args.word(2), variable(args))
    }),
    ("vdprintf", |state, args| {
        print_to_descriptor(state, args.int(0), args.word(1), list(args, 2))
    }),
    ("__vdprintf_chk", |state, args| {
        print_to_descriptor(state, args.int(0), args.word(2), list(args, 3))
    }),
    ("sprintf", |state, args| {
        to_buffer(state, args.word(0), UNLIMITED, args.word(1), variable(args))
    }),
    ("__sprintf_chk", |state, args| {
        fortified(state, (args.word(0), UNLIMITED, args.word(2)), args.word(3), variable(args))
    }),
    ("vsprintf", |state, args| {
        to_buffer(state, args.word(0), UNLIMITED, args.word(1), list(args, 2))
    }),
    ("__vsprintf_chk", |state, args| {
        fortified(state, (args.word(0), UNLIMITED, args.word(2)), args.word(3), list(args, 4))
    }),
    ("snprintf", |state, args| {
        to_buffer(state, args.word(0), args.word(1), args.word(2), variable(args))
    }),
    ("__snprintf_chk", |state, args| {
        fortified(state, (args.word(0), args.word(1), args.word(3)), args.word(4), variable(args))
    }),
    ("vsnprintf", |state, args| {
        to_buffer(state, args.word(0), args.word(1), args.word(2), list(args, 3))
    }),
    ("__vsnprintf_chk", |state, args| {
        fortified(state, (args.word(0), args.word(1), args.word(3)), args.word(4), list(args, 5))
    }),
    ("asprintf", |state, args| allocated(state, args.word(0), args.word(1), variable(args))),
    ("__asprintf_chk", |state, args| allocated(state, args.word(0), args.word(2), variable(args))),
    ("vasprintf", |state, args| allocated(state, args.word(0), args.word(1), list(args, 2))),
    ("__vasprintf_chk", |state, args| allocated(state, args.word(0), args.word(2), list(args, 3))),
];

/// The size of a buffer of unknown size.
const UNLIMITED: u64 = u64::MAX;

/// Where variable arguments come from.
pub(super) enum Variable<'a> {
    /// The call itself; the number of the next one.
    Call { args: Arguments<'a>, next: usize },
    /// A `va_list`.
    List(VaList),
}

/// The arguments of the call beyond the named ones.
pub(super) fn variable<'a>(args: &Arguments<'a>) -> Variable<'a> {
    Variable::Call { args: *args, next: args.fixed }
}

/// The `va_list` that is an argument of the call.
pub(super) fn list<'a>(args: &Arguments<'a>, index: usize) -> Variable<'a> {
    Variable::List(VaList { list: args.word(index) })
}

impl Variable<'_> {
    pub(super) fn integer(&mut self, memory: &mut Memory) -> MemoryResult<u64> {
        match self {
            Variable::Call { args, next } => {
                *next += 1;
                Ok(args.word(*next - 1))
            }
            Variable::List(list) => Ok(list.next(memory, Scalar::Int(64))? as u64),
        }
    }

    fn double(&mut self, memory: &mut Memory) -> MemoryResult<f64> {
        match self {
            Variable::Call { args, next } => {
                *next += 1;
                Ok(args.double(*next - 1))
            }
            Variable::List(list) => Ok(f64::from_bits(list.next(memory, Scalar::F64)? as u64)),
        }
    }

    fn long_double(&mut self, memory: &mut Memory) -> MemoryResult<X87> {
        let (mantissa, sign_exponent) = match self {
            Variable::Call { args, next } => {
                *next += 1;
                let passed = matches!(args.passing.get(*next - 1), Some(Passing::LongDouble));
                if passed { args.long_double(*next - 1) } else { (0, 0) }
            }
            Variable::List(list) => {
                let value = list.next(memory, Scalar::F80)?;
                (value as u64, (value >> 64) as u16)
            }
        };
        Ok(X87 { sign_exponent, mantissa })
    }
}

/// Variable arguments together with the memory that they point to.
struct Source<'s, 'a> {
    memory: &'s mut Memory,
    variable: Variable<'a>,
    errno: u64,
    /// Where arguments were read from, recorded on request.
    places: Option<Vec<ArgumentPlace>>,
}

impl Source<'_, '_> {
    fn note_place(&mut self, scalar: Scalar) -> MemoryResult<()> {
        let Some(places) = &mut self.places else { return Ok(()) };
        places.push(match &self.variable {
            Variable::Call { args, next } => ArgumentPlace::Call(args.start(*next)),
            Variable::List(list) => ArgumentPlace::Memory(list.peek(self.memory, scalar)?),
        });
        Ok(())
    }
}

impl format::Arguments for Source<'_, '_> {
    type Error = Box<Violation>;

    fn next_integer(&mut self) -> MemoryResult<u64> {
        self.note_place(Scalar::Int(64))?;
        self.variable.integer(self.memory)
    }

    fn next_double(&mut self) -> MemoryResult<f64> {
        self.note_place(Scalar::F64)?;
        self.variable.double(self.memory)
    }

    fn next_long_double(&mut self) -> MemoryResult<X87> {
        self.note_place(Scalar::F80)?;
        self.variable.long_double(self.memory)
    }

    fn read_string(&mut self, address: u64, limit: usize, out: &mut Vec<u8>) -> MemoryResult<()> {
        if limit == 0 {
            return Ok(());
        }
        let rest = self.memory.bytes_from(address)?;
        let within = &rest[..rest.len().min(limit)];
        match memchr::memchr(0, within) {
            Some(length) => out.extend_from_slice(&within[..length]),
            None if within.len() == limit => out.extend_from_slice(within),
            None => out.extend_from_slice(self.memory.c_string(address)?),
        }
        Ok(())
    }

    fn read_wide_string(
        &mut self,
        address: u64,
        limit: usize,
        out: &mut Vec<u32>,
    ) -> MemoryResult<()> {
        for index in 0..limit as u64 {
            match self.memory.read_u32(address.wrapping_add(4 * index))? {
                0 => break,
                wide => out.push(wide),
            }
        }
        Ok(())
    }

    fn store_count(&mut self, address: u64, size: u32, count: u64) -> MemoryResult<()> {
        self.memory.write_bytes(address, &count.to_le_bytes()[..size.min(8) as usize])
    }

    fn errno(&mut self) -> Errno {
        Errno(self.memory.read_u32(self.errno).unwrap_or(0) as i32)
    }
}

/// Formats and passes the text on; -1 for a format that fails.
fn with_text(
    state: &mut State,
    text: u64,
    variable: Variable<'_>,
    act: impl FnOnce(&mut State, &mut Vec<u8>) -> ShimResult,
) -> ShimResult {
    let format = state.process.formats.get(state.memory.c_string(text)?);
    let limit = state.limits.output.min(i32::MAX as u64) as usize;
    let mut output = std::mem::take(&mut state.process.formats.spare);
    output.clear();
    let errno = state.process.errno;
    let places = state.process.printed.as_ref().map(|_| Vec::new());
    let mut source = Source { memory: &mut state.memory, variable, errno, places };
    let outcome = format::format(&format, &mut source, limit, &mut output)?;
    if let (Some(printed), Some(places)) = (&mut state.process.printed, source.places) {
        printed.push(Printed { format, output: output.clone(), places });
    }
    let result = match outcome {
        Outcome::Written(_) => act(state, &mut output.bytes),
        Outcome::Failed(errno) => {
            state.set_errno(errno)?;
            int(-1)
        }
        Outcome::Exhausted => Err(Trouble::Exhausted(Bound::Output)),
    };
    state.process.formats.spare = output;
    result
}

fn print(state: &mut State, stream: Option<u64>, text: u64, variable: Variable<'_>) -> ShimResult {
    with_text(state, text, variable, |state, bytes| {
        if state.write_stream(stream, bytes)? { int(bytes.len() as i32) } else { int(-1) }
    })
}

fn print_to_descriptor(
    state: &mut State,
    descriptor: i32,
    text: u64,
    variable: Variable<'_>,
) -> ShimResult {
    with_text(state, text, variable, |state, bytes| {
        let written = state.process.vfs.write(descriptor, bytes);
        check_halt(state)?;
        match written {
            Ok(_) => int(bytes.len() as i32),
            Err(errno) => fail(state, errno),
        }
    })
}

/// Formats into a buffer of a size; returns the length of the whole text.
pub(super) fn to_buffer(
    state: &mut State,
    buffer: u64,
    size: u64,
    text: u64,
    variable: Variable<'_>,
) -> ShimResult {
    with_text(state, text, variable, |state, bytes| store(state, buffer, size, bytes))
}

/// Stores as much of the text as fits, with a NUL; returns the length of all of it.
fn store(state: &mut State, buffer: u64, size: u64, bytes: &mut Vec<u8>) -> ShimResult {
    let length = bytes.len();
    if size > 0 {
        bytes.truncate((size - 1).min(length as u64) as usize);
        bytes.push(0);
        state.memory.write_bytes(buffer, bytes)?;
    }
    int(length as i32)
}

/// As `to_buffer`, with the room in the buffer known to the compiler.
fn fortified(
    state: &mut State,
    (buffer, size, room): (u64, u64, u64),
    text: u64,
    variable: Variable<'_>,
) -> ShimResult {
    if size != UNLIMITED && size > room {
        return Err(Trouble::Fault(FaultKind::BufferOverflow));
    }
    with_text(state, text, variable, |state, bytes| {
        if size == UNLIMITED && bytes.len() as u64 >= room {
            return Err(Trouble::Fault(FaultKind::BufferOverflow));
        }
        store(state, buffer, size, bytes)
    })
}

fn allocated(state: &mut State, cell: u64, text: u64, variable: Variable<'_>) -> ShimResult {
    with_text(state, text, variable, |state, bytes| {
        let room = bytes.len() as u64 + 1;
        let address = state.allocate_heap(room, true)?;
        state.memory.write_u64(cell, address)?;
        store(state, address, room, bytes)
    })
}

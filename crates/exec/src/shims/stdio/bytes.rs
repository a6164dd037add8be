//! Bytes in and out of streams.

use super::{settle, stream, with};
use crate::libc::errno::Errno;
use crate::libc::stream::{Line, StreamId};
use crate::shims::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::state::State;
use crate::stop::FaultKind;

pub(in crate::shims) const SHIMS: Group = &[
    ("fputc putc _IO_putc fputc_unlocked putc_unlocked", put_to_stream),
    ("putchar putchar_unlocked", put_to_stdout),
    ("__overflow", |state, args| put(state, args.word(0), args.word(1))),
    ("fputs fputs_unlocked", fputs),
    ("puts", puts),
    ("fwrite fwrite_unlocked", fwrite),
    ("fread fread_unlocked", |state, args| fread(state, args, 0)),
    ("__fread_chk __fread_unlocked_chk", |state, args| fread(state, args, 1)),
    ("fgetc getc _IO_getc fgetc_unlocked getc_unlocked __uflow", get_from_stream),
    ("getchar getchar_unlocked", |state, _| get(state, StreamId::STDIN)),
    ("ungetc", ungetc),
    ("fgets fgets_unlocked", |state, args| fgets(state, args.word(0), args.int(1), args.word(2))),
    ("__fgets_chk __fgets_unlocked_chk", fgets_chk),
    ("gets", gets),
    ("getline", |state, args| get_delimited(state, args, b'\n', args.word(2))),
    ("getdelim __getdelim", |state, args| {
        get_delimited(state, args, args.word(2) as u8, args.word(3))
    }),
    ("getw", getw),
    ("putw", putw),
    ("perror", perror),
    ("__assert_fail", assert_fail),
    ("__assert", |state, args| {
        let parts = [args.word(0), args.word(1), args.word(2), 0];
        assertion(state, parts)
    }),
];

const EOF: i32 = -1;

fn put_to_stream(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    put(state, args.word(1), args.word(0))
}

fn put(state: &mut State, file: u64, byte: u64) -> ShimResult {
    let id = stream(state, file)?;
    put_byte(state, id, byte as u8)
}

fn put_to_stdout(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    put_byte(state, StreamId::STDOUT, args.word(0) as u8)
}

fn put_byte(state: &mut State, id: StreamId, byte: u8) -> ShimResult {
    if state.process.streams.put_buffered(id, byte) {
        return int(i32::from(byte));
    }
    let result = with(state, |streams, context| streams.put(context, id, byte));
    match settle(state, result)? {
        Some(()) => int(i32::from(byte)),
        None => int(EOF),
    }
}

fn fputs(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let bytes = state.memory.c_string(args.word(0))?.to_vec();
    if state.write_stream(Some(args.word(1)), &bytes)? { int(1) } else { int(EOF) }
}

fn puts(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut bytes = state.memory.c_string(args.word(0))?.to_vec();
    bytes.push(b'\n');
    if state.write_to(StreamId::STDOUT, &bytes)? {
        int(bytes.len().min(i32::MAX as usize) as i32)
    } else {
        int(EOF)
    }
}

fn fwrite(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (address, size, count, file) = (args.word(0), args.word(1), args.word(2), args.word(3));
    let total = size.wrapping_mul(count);
    if total == 0 {
        return value(0);
    }
    let bytes = state.memory.bytes(address, total)?.to_vec();
    let id = stream(state, file)?;
    let transfer = with(state, |streams, context| streams.write(context, id, &bytes))?;
    crate::shims::answer::check_halt(state)?;
    if let Some(errno) = transfer.error {
        state.set_errno(errno)?;
    }
    value(if transfer.count as u64 == total { count } else { transfer.count as u64 / size })
}

/// `skip` is 1 for the fortified variants, which know the room in the buffer.
fn fread(state: &mut State, args: &Arguments<'_>, skip: usize) -> ShimResult {
    let (size, count) = (args.word(1 + skip), args.word(2 + skip));
    let total = size.wrapping_mul(count);
    if total == 0 {
        return value(0);
    }
    if skip == 1 && total > args.word(1) {
        return Err(Trouble::Fault(FaultKind::BufferOverflow));
    }
    let id = stream(state, args.word(3 + skip))?;
    let mut buffer = vec![0; total.min(state.limits.memory) as usize];
    let transfer = with(state, |streams, context| streams.read(context, id, &mut buffer))?;
    crate::shims::answer::check_halt(state)?;
    state.memory.write_bytes(args.word(0), &buffer[..transfer.count])?;
    if let Some(errno) = transfer.error {
        state.set_errno(errno)?;
    }
    value(transfer.count as u64 / size)
}

fn get_from_stream(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    get(state, id)
}

pub(in crate::shims) fn get(state: &mut State, id: StreamId) -> ShimResult {
    if let Some(byte) = state.process.streams.get_buffered(id) {
        return int(i32::from(byte));
    }
    let result = with(state, |streams, context| streams.get(context, id));
    match settle(state, result)? {
        Some(Some(byte)) => int(i32::from(byte)),
        Some(None) | None => int(EOF),
    }
}

fn ungetc(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(1))?;
    if args.int(0) == EOF {
        return int(EOF);
    }
    let byte = args.word(0) as u8;
    match state.process.streams.unget(id, byte) {
        Ok(()) => int(i32::from(byte)),
        Err(errno) => crate::shims::answer::fail(state, errno),
    }
}

fn fgets(state: &mut State, buffer: u64, size: i32, file: u64) -> ShimResult {
    let id = stream(state, file)?;
    if size <= 0 {
        return value(0);
    }
    if size == 1 {
        state.memory.write_u8(buffer, 0)?;
        return value(buffer);
    }
    let mut bytes = Vec::new();
    let limit = size as usize - 1;
    let line =
        with(state, |streams, context| streams.read_line(context, id, b'\n', limit, &mut bytes))?;
    if let Line::Error(errno) = line {
        state.set_errno(errno)?;
        return value(0);
    }
    if bytes.is_empty() {
        return value(0);
    }
    bytes.push(0);
    state.memory.write_bytes(buffer, &bytes)?;
    value(buffer)
}

fn fgets_chk(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.int(2) > 0 && args.int(2) as u64 > args.word(1) {
        return Err(Trouble::Fault(FaultKind::BufferOverflow));
    }
    fgets(state, args.word(0), args.int(2), args.word(3))
}

fn gets(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut bytes = Vec::new();
    let line = with(state, |streams, context| {
        streams.read_line(context, StreamId::STDIN, b'\n', usize::MAX, &mut bytes)
    })?;
    if bytes.is_empty() || matches!(line, Line::Error(_)) {
        return value(0);
    }
    if line == Line::Delimiter {
        bytes.pop();
    }
    bytes.push(0);
    state.memory.write_bytes(args.word(0), &bytes)?;
    value(args.word(0))
}

/// `getline` and `getdelim`: the first two arguments are the cells of buffer and size.
fn get_delimited(state: &mut State, args: &Arguments<'_>, delimiter: u8, file: u64) -> ShimResult {
    let (line_cell, size_cell) = (args.word(0), args.word(1));
    if line_cell == 0 || size_cell == 0 {
        return crate::shims::answer::fail_long(state, Errno::EINVAL);
    }
    let id = stream(state, file)?;
    let mut bytes = Vec::new();
    let line =
        with(state, |streams, context| streams.read_delimited(context, id, delimiter, &mut bytes))?;
    let (mut buffer, mut size) =
        (state.memory.read_u64(line_cell)?, state.memory.read_u64(size_cell)?);
    if buffer == 0 || size == 0 {
        (buffer, size) = (replace(state, buffer, 120)?, 120);
        state.memory.write_u64(line_cell, buffer)?;
        state.memory.write_u64(size_cell, size)?;
    }
    match line {
        Line::Error(Errno(0)) => return value(u64::MAX),
        Line::Error(errno) => return crate::shims::answer::fail_long(state, errno),
        Line::End if bytes.is_empty() => return value(u64::MAX),
        Line::End | Line::Limit | Line::Delimiter => {}
    }
    let needed = bytes.len() as u64 + 1;
    if needed > size {
        let grown = needed.max(2 * size);
        buffer = replace(state, buffer, grown)?;
        state.memory.write_u64(line_cell, buffer)?;
        state.memory.write_u64(size_cell, grown)?;
    }
    bytes.push(0);
    state.memory.write_bytes(buffer, &bytes)?;
    value(bytes.len() as u64 - 1)
}

/// A larger heap block with the old contents.
fn replace(state: &mut State, old: u64, size: u64) -> Result<u64, Trouble> {
    let new = state.allocate_heap(size, false)?;
    if old != 0 {
        let kept = state.memory.block_size(old)?.min(size);
        state.memory.copy(new, old, kept)?;
        let site = state.site;
        state.memory.free(old, site)?;
    }
    Ok(new)
}

fn getw(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let mut word = [0; 4];
    let transfer = with(state, |streams, context| streams.read(context, id, &mut word))?;
    int(if transfer.count == 4 { i32::from_le_bytes(word) } else { EOF })
}

fn putw(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let bytes = args.int(0).to_le_bytes();
    if state.write_stream(Some(args.word(1)), &bytes)? { int(0) } else { int(EOF) }
}

fn perror(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let errno = Errno(state.memory.read_u32(state.process.errno)? as i32);
    let mut text = Vec::new();
    if args.word(0) != 0 {
        let prefix = state.memory.c_string(args.word(0))?;
        if !prefix.is_empty() {
            text.extend_from_slice(prefix);
            text.extend_from_slice(b": ");
        }
    }
    text.extend_from_slice(errno.message().as_bytes());
    text.push(b'\n');
    state.write_to(StreamId::STDERR, &text)?;
    value(0)
}

fn assert_fail(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    assertion(state, [args.word(0), args.word(1), args.word(2), args.word(3)])
}

/// Prints what glibc prints, and ends the run.
fn assertion(state: &mut State, [expression, file, line, function]: [u64; 4]) -> ShimResult {
    let text = |address: u64| -> Result<String, Trouble> {
        Ok(String::from_utf8_lossy(state.memory.c_string(address)?).into_owned())
    };
    let (expression, file) = (text(expression)?, text(file)?);
    let function = match function {
        0 => String::new(),
        function => format!("{}: ", text(function)?),
    };
    let line = line as u32;
    let message = format!("{file}:{line}: {function}Assertion `{expression}' failed.");
    let name = String::from_utf8_lossy(&state.process.short_name).into_owned();
    state.write_to(StreamId::STDERR, format!("{name}: {message}\n").as_bytes())?;
    Err(Trouble::Fault(FaultKind::Assertion { message }))
}

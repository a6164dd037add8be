//! Opening, closing, positioning and asking streams.

use super::{open, settle, stream, with, zero_or_error};
use crate::libc::errno::Errno;
use crate::libc::stream::{Buffering, MemoryCells, StreamId};
use crate::shims::answer::{fail, fail_long, fail_null, text};
use crate::shims::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::state::State;

pub(in crate::shims) const SHIMS: Group = &[
    ("fopen fopen64", fopen),
    ("fdopen", fdopen),
    ("freopen freopen64", freopen),
    ("tmpfile tmpfile64", tmpfile),
    ("fmemopen", fmemopen),
    ("open_memstream", open_memstream),
    ("fclose", fclose),
    ("fcloseall", |state, _| {
        state.flush_all()?;
        int(0)
    }),
    ("fflush fflush_unlocked", fflush),
    ("fseek fseeko fseeko64", fseek),
    ("ftell ftello ftello64", ftell),
    ("rewind", rewind),
    ("fgetpos fgetpos64", fgetpos),
    ("fsetpos fsetpos64", fsetpos),
    ("feof feof_unlocked", |state, args| {
        ask(state, args, |state, id| state.process.streams.at_end(id))
    }),
    ("ferror", |state, args| ask(state, args, |state, id| state.process.streams.has_error(id))),
    ("ferror_unlocked", |state, args| {
        ask(state, args, |state, id| state.process.streams.has_error(id))
    }),
    ("clearerr clearerr_unlocked", clear_error),
    ("fileno fileno_unlocked", fileno),
    ("setvbuf", setvbuf),
    ("setbuf", |state, args| set_buffer(state, args, 8192)),
    ("setbuffer", |state, args| set_buffer(state, args, args.word(2))),
    ("setlinebuf", setlinebuf),
    ("__fpending", |state, args| {
        let id = stream(state, args.word(0))?;
        value(state.process.streams.pending(id) as u64)
    }),
    ("__fbufsize", |state, args| {
        let id = stream(state, args.word(0))?;
        value(state.process.streams.buffer_size(id) as u64)
    }),
    ("__freading", |state, args| {
        ask(state, args, |state, id| state.process.streams.is_reading(id))
    }),
    ("__fwriting", |state, args| {
        ask(state, args, |state, id| state.process.streams.is_writing(id))
    }),
    ("__freadable", |state, args| {
        ask(state, args, |state, id| state.process.streams.is_readable(id))
    }),
    ("__fwritable", |state, args| {
        ask(state, args, |state, id| state.process.streams.is_writable(id))
    }),
    ("__flbf", |state, args| {
        ask(state, args, |state, id| state.process.streams.buffering(id) == Some(Buffering::Line))
    }),
    ("__fpurge", |state, args| {
        let id = stream(state, args.word(0))?;
        state.process.streams.purge(id);
        value(0)
    }),
    // One thread: nobody else holds a lock.
    ("flockfile funlockfile", |_, _| value(0)),
    ("ftrylockfile", |_, _| int(0)),
    ("__fsetlocking", |_, _| int(2)),
];

fn fopen(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let (path, mode) = (text(state, args.word(0))?, text(state, args.word(1))?);
    let process = &mut state.process;
    let opened = process.streams.open(&mut process.vfs, &path, &mode);
    open(state, opened)
}

fn fdopen(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mode = text(state, args.word(1))?;
    let process = &mut state.process;
    let opened = process.streams.open_descriptor(&mut process.vfs, args.int(0), &mode);
    open(state, opened)
}

fn freopen(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    if args.word(0) == 0 {
        return Err(Trouble::Unsupported("no file name".to_owned()));
    }
    let (path, mode) = (text(state, args.word(0))?, text(state, args.word(1))?);
    let id = stream(state, args.word(2))?;
    let result = with(state, |streams, context| streams.reopen(context, id, &path, &mode));
    match settle(state, result)? {
        Some(()) => value(args.word(2)),
        None => value(0),
    }
}

fn tmpfile(state: &mut State, _: &Arguments<'_>) -> ShimResult {
    let process = &mut state.process;
    let opened = process.streams.open_temporary(&mut process.vfs);
    open(state, opened)
}

fn fmemopen(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mode = text(state, args.word(2))?;
    let (address, size) = (args.word(0), args.word(1));
    let address = (address != 0).then_some(address);
    let result = with(state, |streams, context| streams.open_memory(context, address, size, &mode));
    match settle(state, result)? {
        Some(id) => open(state, Ok(id)),
        None => value(0),
    }
}

fn open_memstream(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let cells = MemoryCells { pointer: args.word(0), size: args.word(1) };
    if cells.pointer == 0 || cells.size == 0 {
        return fail_null(state, Errno::EINVAL);
    }
    let id = state.process.streams.open_growing(cells);
    open(state, Ok(id))
}

fn fclose(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let file = args.word(0);
    let id = stream(state, file)?;
    let result = with(state, |streams, context| streams.close(context, id));
    state.process.files.set(id, 0);
    let site = state.site;
    if id > StreamId::STDERR {
        state.memory.free(file, site)?;
    }
    zero_or_error(state, result)
}

fn fflush(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let result = match args.word(0) {
        0 => super::flush_all(state),
        file => {
            let id = stream(state, file)?;
            with(state, |streams, context| streams.flush(context, id))
        }
    };
    zero_or_error(state, result)
}

fn fseek(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let (offset, whence) = (args.word(1) as i64, args.int(2));
    let result = with(state, |streams, context| streams.seek(context, id, offset, whence));
    zero_or_error(state, result)
}

fn ftell(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let result = with(state, |streams, context| streams.tell(context, id));
    match settle(state, result)? {
        Some(position) => value(position as u64),
        None => value(u64::MAX),
    }
}

fn rewind(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let result = with(state, |streams, context| streams.rewind(context, id));
    settle(state, result)?;
    value(0)
}

/// A position is kept in the first eight bytes of `fpos_t`.
fn fgetpos(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let result = with(state, |streams, context| streams.tell(context, id));
    match settle(state, result)? {
        Some(position) => {
            state.memory.write_u64(args.word(1), position as u64)?;
            int(0)
        }
        None => int(-1),
    }
}

fn fsetpos(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let position = state.memory.read_u64(args.word(1))? as i64;
    let result = with(state, |streams, context| streams.seek(context, id, position, 0));
    zero_or_error(state, result)
}

fn ask(
    state: &mut State,
    args: &Arguments<'_>,
    question: impl FnOnce(&State, StreamId) -> bool,
) -> ShimResult {
    let id = stream(state, args.word(0))?;
    int(i32::from(question(state, id)))
}

fn clear_error(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    state.process.streams.clear_error(id);
    value(0)
}

fn fileno(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    match state.process.streams.descriptor(id) {
        Ok(descriptor) => int(descriptor),
        Err(errno) => fail(state, errno),
    }
}

fn setvbuf(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let buffering = match args.int(2) {
        0 => Buffering::Full,
        1 => Buffering::Line,
        2 => Buffering::None,
        _ => return fail_long(state, Errno::EINVAL),
    };
    let size = (args.word(1) != 0).then_some(args.word(3) as usize);
    let result =
        with(state, |streams, context| streams.set_buffering(context, id, buffering, size));
    zero_or_error(state, result)
}

fn set_buffer(state: &mut State, args: &Arguments<'_>, size: u64) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let (buffering, size) = match args.word(1) {
        0 => (Buffering::None, None),
        _ => (Buffering::Full, Some(size as usize)),
    };
    let result =
        with(state, |streams, context| streams.set_buffering(context, id, buffering, size));
    settle(state, result)?;
    value(0)
}

fn setlinebuf(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let id = stream(state, args.word(0))?;
    let result =
        with(state, |streams, context| streams.set_buffering(context, id, Buffering::Line, None));
    settle(state, result)?;
    value(0)
}

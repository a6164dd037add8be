//! Names of temporary files. They are numbered, so every run makes the same ones.

use super::answer::{fail, fail_null, number, text};
use super::files::{allocated, put_string};
use super::{Arguments, Group, ShimResult, Trouble, int, value};
use crate::libc::errno::Errno;
use crate::libc::vfs::flags::{AT_FDCWD, W_OK};
use crate::state::State;

pub(super) const SHIMS: Group = &[
    ("mkstemp mkstemp64", |state, args| make_file(state, args.word(0), 0, 0)),
    ("mkostemp mkostemp64", |state, args| make_file(state, args.word(0), 0, args.int(1))),
    ("mkstemps mkstemps64", |state, args| make_file(state, args.word(0), args.int(1), 0)),
    ("mkostemps mkostemps64", |state, args| {
        make_file(state, args.word(0), args.int(1), args.int(2))
    }),
    ("mkdtemp", make_directory),
    ("mktemp", mktemp),
    ("tmpnam", tmpnam),
    ("tmpnam_r", |state, args| match args.word(0) {
        0 => value(0),
        buffer => name_into(state, buffer),
    }),
    ("tempnam", tempnam),
    // A file without a name, whatever its name for others is.
    ("memfd_create", |state, args| {
        text(state, args.word(0))?;
        let result = state.process.vfs.open_temporary();
        number(state, result)
    }),
];

fn make_file(state: &mut State, address: u64, suffix: i32, flags: i32) -> ShimResult {
    let mut template = text(state, address)?;
    let Ok(suffix) = usize::try_from(suffix) else {
        return fail(state, Errno::EINVAL);
    };
    match state.process.vfs.make_temporary_file(&mut template, suffix, flags as u32) {
        Ok(descriptor) => {
            state.memory.write_bytes(address, &template)?;
            int(descriptor)
        }
        Err(errno) => fail(state, errno),
    }
}

fn make_directory(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut template = text(state, args.word(0))?;
    match state.process.vfs.make_temporary_directory(&mut template) {
        Ok(()) => {
            state.memory.write_bytes(args.word(0), &template)?;
            value(args.word(0))
        }
        Err(errno) => fail_null(state, errno),
    }
}

/// Always returns its argument; a failure leaves it empty.
fn mktemp(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let mut template = text(state, args.word(0))?;
    match state.process.vfs.make_temporary_name(&mut template) {
        Ok(()) => state.memory.write_bytes(args.word(0), &template)?,
        Err(errno) => {
            state.memory.write_u8(args.word(0), 0)?;
            state.set_errno(errno)?;
        }
    }
    value(args.word(0))
}

/// A new name of the form that `tmpnam` gives.
fn name_into(state: &mut State, buffer: u64) -> ShimResult {
    let mut template = b"/tmp/fileXXXXXX".to_vec();
    match state.process.vfs.make_temporary_name(&mut template) {
        Ok(()) => {
            put_string(state, buffer, &template)?;
            value(buffer)
        }
        Err(errno) => fail_null(state, errno),
    }
}

fn tmpnam(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    const L_TMPNAM: usize = 20;
    if args.word(0) != 0 {
        return name_into(state, args.word(0));
    }
    if state.process.kernel.temporary_name == 0 {
        state.process.kernel.temporary_name = state.allocate_system(&[0; L_TMPNAM])?;
    }
    let buffer = state.process.kernel.temporary_name;
    name_into(state, buffer)
}

/// A name in the first writable directory. `$TMPDIR` is ignored, because the environment belongs to
/// the C part of the library.
fn tempnam(state: &mut State, args: &Arguments<'_>) -> ShimResult {
    let wanted = optional(state, args.word(0))?;
    let usable = |path: &Vec<u8>| state.process.vfs.access(AT_FDCWD, path, W_OK, 0).is_ok();
    let directory = wanted.filter(usable).unwrap_or_else(|| b"/tmp".to_vec());
    let prefix = optional(state, args.word(1))?.filter(|prefix| !prefix.is_empty());
    let prefix = prefix.unwrap_or_else(|| b"file".to_vec());
    let mut template = directory;
    template.push(b'/');
    template.extend(&prefix[..prefix.len().min(5)]);
    template.extend(b"XXXXXX");
    match state.process.vfs.make_temporary_name(&mut template) {
        Ok(()) => allocated(state, &template, 0),
        Err(errno) => fail_null(state, errno),
    }
}

fn optional(state: &State, address: u64) -> Result<Option<Vec<u8>>, Trouble> {
    match address {
        0 => Ok(None),
        _ => text(state, address).map(Some),
    }
}

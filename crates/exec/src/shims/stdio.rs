//! Streams of the C library: `FILE *` of the program and the streams behind them.

mod bytes;
pub(super) use bytes::get;
mod control;

use super::{Group, ShimResult, Trouble, int, value};
use library::StartVariable;

use crate::libc::errno::Errno;
use crate::libc::stream::{self, Context, Failure, MemoryCells, StreamId, Streams};
use crate::memory::{Allocation, Memory};
use crate::process::Process;
use crate::state::State;
use crate::stop::{Bound, ObjectKind, Site};

pub(super) const GROUPS: &[Group] = &[bytes::SHIMS, control::SHIMS];

/// Size of glibc's `FILE`.
const FILE_BYTES: usize = 216;
/// The limit of open streams. Streams in memory take no descriptor, which would be the natural
/// bound, and every search visits all of them.
const MOST_STREAMS: u32 = 4096;

/// The program's memory as memory streams need it.
pub(super) struct ProgramMemory<'a> {
    memory: &'a mut Memory,
    site: Option<Site>,
}

impl stream::Memory for ProgramMemory<'_> {
    type Error = Trouble;

    fn load(&mut self, address: u64, out: &mut [u8]) -> Result<(), Trouble> {
        out.copy_from_slice(self.memory.bytes(address, out.len() as u64)?);
        Ok(())
    }

    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Trouble> {
        Ok(self.memory.write_bytes(address, bytes)?)
    }

    fn publish(
        &mut self,
        cells: MemoryCells,
        block: Option<u64>,
        contents: &[u8],
        size: u64,
    ) -> Result<u64, Trouble> {
        let needed = contents.len() as u64 + 1;
        let address = match block {
            Some(block) if self.memory.block_size(block)? >= needed => block,
            old => {
                let what = Allocation {
                    kind: ObjectKind::Heap,
                    size: needed.next_power_of_two().max(64),
                    defined: true,
                    site: self.site,
                };
                let new = self.memory.allocate(what).map_err(|_| Bound::Memory)?;
                if let Some(old) = old {
                    self.memory.free(old, self.site)?;
                }
                new
            }
        };
        self.memory.write_bytes(address, contents)?;
        self.memory.write_u8(address + contents.len() as u64, 0)?;
        self.memory.write_u64(cells.pointer, address)?;
        self.memory.write_u64(cells.size, size)?;
        Ok(address)
    }
}

/// Operates on the streams with everything that they access.
pub(super) fn with<T>(
    state: &mut State,
    act: impl FnOnce(&mut Streams, &mut Context<'_, ProgramMemory<'_>>) -> T,
) -> T {
    let State { memory, process, site, .. } = state;
    let Process { vfs, streams, .. } = process;
    let mut memory = ProgramMemory { memory, site: *site };
    act(streams, &mut Context { vfs, memory: &mut memory })
}

/// The stream of a `FILE *`. It is the program's fault if there is none.
pub(super) fn stream(state: &mut State, file: u64) -> Result<StreamId, Trouble> {
    if let Some(id) = state.process.files.find(file) {
        state.memory.note_work(8 * u64::from(id.0));
        return Ok(id);
    }
    // Null and closed streams fault here; what is left is memory that never was a stream.
    state.memory.bytes(file, FILE_BYTES as u64)?;
    Err(Trouble::Unsupported("a FILE that is not an open stream".to_owned()))
}

/// The result of a stream operation, or the errno that it sets.
pub(super) fn settle<T>(
    state: &mut State,
    result: Result<T, Failure<Trouble>>,
) -> Result<Option<T>, Trouble> {
    super::answer::check_halt(state)?;
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Errno(errno)) => {
            state.set_errno(errno)?;
            Ok(None)
        }
        Err(Failure::Memory(trouble)) => Err(trouble),
    }
}

/// 0, or -1 with `errno`.
fn zero_or_error(state: &mut State, result: Result<(), Failure<Trouble>>) -> ShimResult {
    match settle(state, result)? {
        Some(()) => int(0),
        None => int(-1),
    }
}

/// Flushes all streams, which is work for each of them.
fn flush_all(state: &mut State) -> Result<(), Failure<Trouble>> {
    let open = state.process.files.count() as u64;
    state.memory.note_work(64 * open);
    with(state, |streams, context| streams.flush_all(context))
}

/// Gives a new stream its `FILE`; the null pointer, with `errno`, if there is none.
fn open(state: &mut State, opened: Result<StreamId, Errno>) -> ShimResult {
    match opened {
        Ok(id) if id.0 >= MOST_STREAMS => Err(Trouble::Exhausted(Bound::Memory)),
        Ok(id) => {
            let address = state.allocate_heap(FILE_BYTES as u64, true)?;
            state.process.files.set(id, address);
            value(address)
        }
        Err(errno) => super::answer::fail_null(state, errno),
    }
}

impl State {
    /// Makes `stdin`, `stdout` and `stderr`, and sets the program's variables of that name.
    pub(crate) fn place_streams(
        &mut self,
        variables: &[(StartVariable, u64)],
    ) -> Result<(), Bound> {
        for &(variable, address) in variables {
            if let StartVariable::Stream(number) = variable {
                let file = self.allocate_system(&[0; FILE_BYTES])?;
                self.process.files.set(StreamId(number), file);
                self.memory.write_u64(address, file).map_err(|_| Bound::Memory)?;
            }
        }
        Ok(())
    }

    /// Flushes all streams, as `exit` does.
    pub(crate) fn flush_all(&mut self) -> Result<(), Trouble> {
        let result = flush_all(self);
        settle(self, result)?;
        Ok(())
    }

    /// Writes to a stream (standard output if none is given); returns whether it succeeded.
    pub(crate) fn write_stream(
        &mut self,
        file: Option<u64>,
        bytes: &[u8],
    ) -> Result<bool, Trouble> {
        let id = match file {
            Some(file) => stream(self, file)?,
            None => StreamId::STDOUT,
        };
        self.write_to(id, bytes)
    }

    pub(crate) fn write_to(&mut self, id: StreamId, bytes: &[u8]) -> Result<bool, Trouble> {
        let transfer = with(self, |streams, context| streams.write(context, id, bytes))?;
        super::answer::check_halt(self)?;
        if let Some(errno) = transfer.error {
            self.set_errno(errno)?;
        }
        Ok(transfer.count == bytes.len())
    }
}

//! FILE streams with glibc's buffering, over the virtual file system or over program memory.
//!
//! Buffers are real: output that a program leaves unflushed when it aborts is lost, an input stream
//! reads ahead by a block, a seek inside the buffer keeps what was read, and pushed-back bytes
//! shift the position as in glibc. Streams are small handles; a caller maps them to `FILE *`. Not
//! modelled: wide orientation, `popen`, `freopen` without a file name, and that reading an
//! unbuffered stream flushes a line-buffered standard output.

mod buffer;
mod memory;
mod position;
mod transfer;

use super::errno::Errno;
use super::vfs::Vfs;
use super::vfs::flags::*;

use self::buffer::Stream;
use self::memory::Backing;

pub use memory::MemoryCells;
pub use transfer::{Line, Transfer};

/// A stream; 0, 1 and 2 are standard input, output and error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u32);

impl StreamId {
    pub const STDIN: StreamId = StreamId(0);
    pub const STDOUT: StreamId = StreamId(1);
    pub const STDERR: StreamId = StreamId(2);
}

/// The program memory that memory streams work on.
pub trait Memory {
    type Error;

    fn load(&mut self, address: u64, out: &mut [u8]) -> Result<(), Self::Error>;
    fn store(&mut self, address: u64, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Makes the contents of an `open_memstream` stream visible: places them, followed by a NUL,
    /// into an allocated block (growing or replacing `block`, the previous one), stores its address
    /// and `size` in the two cells, and returns the address.
    fn publish(
        &mut self,
        cells: MemoryCells,
        block: Option<u64>,
        contents: &[u8],
        size: u64,
    ) -> Result<u64, Self::Error>;
}

/// What streams access besides themselves.
pub struct Context<'a, M> {
    pub vfs: &'a mut Vfs,
    pub memory: &'a mut M,
}

/// Why an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// As the C function does: errno is set and an error value returned.
    Errno(Errno),
    /// A fault in program memory, passed on.
    Memory(E),
}

impl<E> From<Errno> for Failure<E> {
    fn from(errno: Errno) -> Failure<E> {
        Failure::Errno(errno)
    }
}

/// The result of a stream operation.
pub type Io<T, M> = Result<T, Failure<<M as Memory>::Error>>;

/// How a stream collects output and input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffering {
    Full,
    Line,
    None,
}

/// All streams of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streams {
    slots: Vec<Option<Stream>>,
    /// Numbers streams in the order of their opening.
    serial: u64,
}

impl Default for Streams {
    fn default() -> Streams {
        let mut streams = Streams { slots: Vec::new(), serial: 0 };
        for (descriptor, readable) in [(0, true), (1, false), (2, false)] {
            let access = if readable { Access::READ } else { Access::WRITE };
            let id = streams.insert(Stream::new(Backing::Descriptor(descriptor), access));
            if descriptor == 2
                && let Some(stream) = &mut streams.slots[id.0 as usize]
            {
                stream.buffering = Buffering::None;
            }
        }
        streams
    }
}

/// What a stream may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    pub readable: bool,
    pub writable: bool,
    pub append: bool,
}

impl Access {
    const READ: Access = Access { readable: true, writable: false, append: false };
    const WRITE: Access = Access { readable: false, writable: true, append: false };
}

/// A parsed mode string of `fopen`.
#[derive(Clone, Copy)]
struct Mode {
    access: Access,
    flags: u32,
}

impl Mode {
    fn parse(mode: &[u8]) -> Result<Mode, Errno> {
        let (mut access, extra) = match mode.first() {
            Some(b'r') => (Access::READ, 0),
            Some(b'w') => (Access::WRITE, O_CREAT | O_TRUNC),
            Some(b'a') => {
                let access = Access { append: true, ..Access::WRITE };
                (access, O_CREAT | O_APPEND)
            }
            _ => return Err(Errno::EINVAL),
        };
        let mut flags = extra;
        // glibc looks at six more characters and ignores what it does not know.
        for byte in mode[1..].iter().take(6) {
            match byte {
                b'+' => (access.readable, access.writable) = (true, true),
                b'x' => flags |= O_EXCL,
                b'e' => flags |= O_CLOEXEC,
                b',' => break,
                _ => {}
            }
        }
        flags |= match (access.readable, access.writable) {
            (true, true) => O_RDWR,
            (false, _) => O_WRONLY,
            (true, false) => O_RDONLY,
        };
        Ok(Mode { access, flags })
    }
}

impl Streams {
    fn insert(&mut self, mut stream: Stream) -> StreamId {
        self.serial += 1;
        stream.serial = self.serial;
        let free = self.slots.iter().skip(3).position(Option::is_none);
        let index = free.map_or(self.slots.len(), |free| free + 3);
        if index == self.slots.len() {
            self.slots.push(None);
        }
        self.slots[index] = Some(stream);
        StreamId(index as u32)
    }

    fn get_ref(&self, id: StreamId) -> Result<&Stream, Errno> {
        let slot = self.slots.get(id.0 as usize);
        slot.and_then(Option::as_ref).ok_or(Errno::EBADF)
    }

    fn get_mut(&mut self, id: StreamId) -> Result<&mut Stream, Errno> {
        let slot = self.slots.get_mut(id.0 as usize);
        slot.and_then(Option::as_mut).ok_or(Errno::EBADF)
    }

    /// Whether a handle is open; using a closed one is undefined in C and EBADF here.
    pub fn is_open(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok()
    }

    /// `fopen`.
    pub fn open(&mut self, vfs: &mut Vfs, path: &[u8], mode: &[u8]) -> Result<StreamId, Errno> {
        let mode = Mode::parse(mode)?;
        let descriptor = vfs.open(AT_FDCWD, path, mode.flags, 0o666)?;
        Ok(self.insert(Self::on_descriptor(vfs, descriptor, mode.access)))
    }

    fn on_descriptor(vfs: &mut Vfs, descriptor: i32, access: Access) -> Stream {
        if access.append && !access.readable {
            // A pipe cannot seek, which does not matter here.
            let _ = vfs.seek(descriptor, 0, SEEK_END);
        }
        Stream::new(Backing::Descriptor(descriptor), access)
    }

    /// `fdopen`.
    pub fn open_descriptor(
        &mut self,
        vfs: &mut Vfs,
        descriptor: i32,
        mode: &[u8],
    ) -> Result<StreamId, Errno> {
        let mode = Mode::parse(mode)?;
        let status = vfs.control(descriptor, F_GETFL, 0)? as u32;
        let access = status & O_ACCMODE;
        if access == O_RDONLY && mode.access.writable || access == O_WRONLY && mode.access.readable
        {
            return Err(Errno::EINVAL);
        }
        if mode.access.append && status & O_APPEND == 0 {
            vfs.control(descriptor, F_SETFL, i64::from(status | O_APPEND))?;
        }
        Ok(self.insert(Self::on_descriptor(vfs, descriptor, mode.access)))
    }

    /// `freopen` with a file name. The stream keeps its descriptor; it is closed on failure.
    pub fn reopen<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        path: &[u8],
        mode: &[u8],
    ) -> Io<(), M> {
        let stream = self.get_mut(id)?;
        let serial = stream.serial;
        // Output that cannot be written any more is lost silently.
        ignore_errno(stream.finish(context))?;
        let old = stream.backing.descriptor();
        let opened = Mode::parse(mode).and_then(|mode| {
            let descriptor = context.vfs.open(AT_FDCWD, path, mode.flags, 0o666)?;
            Ok((mode, descriptor))
        });
        let (mode, mut descriptor) = match opened {
            Ok(opened) => opened,
            Err(errno) => {
                if let Some(old) = old {
                    let _ = context.vfs.close(old);
                }
                self.slots[id.0 as usize] = None;
                return Err(errno.into());
            }
        };
        if let Some(old) = old
            && old != descriptor
        {
            let keep = mode.flags & O_CLOEXEC != 0;
            context.vfs.duplicate_to(descriptor, old, keep)?;
            context.vfs.close(descriptor)?;
            descriptor = old;
        }
        let mut stream = Self::on_descriptor(context.vfs, descriptor, mode.access);
        stream.serial = serial;
        self.slots[id.0 as usize] = Some(stream);
        Ok(())
    }

    /// `tmpfile`.
    pub fn open_temporary(&mut self, vfs: &mut Vfs) -> Result<StreamId, Errno> {
        let descriptor = vfs.open_temporary()?;
        let access = Access { readable: true, writable: true, append: false };
        Ok(self.insert(Stream::new(Backing::Descriptor(descriptor), access)))
    }

    /// `fclose`: the handle is gone even if the last flush fails.
    pub fn close<M: Memory>(&mut self, context: &mut Context<'_, M>, id: StreamId) -> Io<(), M> {
        let stream = self.get_mut(id)?;
        let kept = stream.backing.kept();
        if let Backing::Growing(growing) = &mut stream.backing {
            growing.cut();
        }
        let flushed = stream.finish(context);
        let descriptor = stream.backing.descriptor();
        self.slots[id.0 as usize] = None;
        context.vfs.discharge(kept);
        let closed = match descriptor {
            Some(descriptor) => context.vfs.close(descriptor),
            None => Ok(()),
        };
        flushed?;
        Ok(closed?)
    }

    /// `fflush` of one stream.
    pub fn flush<M: Memory>(&mut self, context: &mut Context<'_, M>, id: StreamId) -> Io<(), M> {
        self.get_mut(id)?.sync(context)
    }

    /// `fflush(NULL)`, and what `exit` does: writes out all pending output, the youngest stream
    /// first. Returns the last error.
    pub fn flush_all<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        let mut order: Vec<&mut Stream> = self.slots.iter_mut().flatten().collect();
        order.sort_by_key(|stream| std::cmp::Reverse(stream.serial));
        let mut result = Ok(());
        for stream in order {
            match stream.flush_output(context) {
                Ok(()) => {}
                Err(Failure::Errno(errno)) => result = Err(Failure::Errno(errno)),
                Err(failure) => return Err(failure),
            }
        }
        result
    }

    /// `setvbuf`: `size` counts only together with a buffer of the caller's.
    pub fn set_buffering<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        buffering: Buffering,
        size: Option<usize>,
    ) -> Io<(), M> {
        self.get_mut(id)?.set_buffering(context, buffering, size)
    }

    /// `fileno`.
    pub fn descriptor(&self, id: StreamId) -> Result<i32, Errno> {
        let backing = &self.get_ref(id)?.backing;
        backing.descriptor().ok_or(Errno::EBADF)
    }

    /// `feof`.
    pub fn at_end(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok_and(|stream| stream.eof)
    }

    /// `ferror`.
    pub fn has_error(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok_and(|stream| stream.error)
    }

    /// `clearerr`.
    pub fn clear_error(&mut self, id: StreamId) {
        if let Ok(stream) = self.get_mut(id) {
            stream.eof = false;
            stream.error = false;
        }
    }

    /// `__fpending`: bytes waiting to be written.
    pub fn pending(&self, id: StreamId) -> usize {
        self.get_ref(id).map_or(0, Stream::pending)
    }

    /// The bytes waiting to be written.
    pub fn unwritten(&self, id: StreamId) -> &[u8] {
        let waiting = |stream: &'_ Stream| stream.write_base..stream.write_ptr;
        let stream = self.get_ref(id).ok();
        stream.and_then(|stream| stream.buffer.get(waiting(stream))).unwrap_or_default()
    }

    /// Open streams that may be written, with their descriptors, but for the standard ones.
    pub fn open_for_writing(&self) -> impl Iterator<Item = (StreamId, i32)> {
        let streams = self.slots.iter().enumerate().skip(3);
        streams.filter_map(|(index, stream)| match stream {
            Some(Stream { backing: Backing::Descriptor(descriptor), access, .. })
                if access.writable =>
            {
                Some((StreamId(index as u32), *descriptor))
            }
            _ => None,
        })
    }

    /// `__freading`: read-only, or the last operation was reading.
    pub fn is_reading(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok_and(Stream::is_reading)
    }

    /// `__fwriting`: write-only, or the last operation was writing.
    pub fn is_writing(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok_and(|stream| !stream.access.readable || stream.putting)
    }

    /// `__freadable`.
    pub fn is_readable(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok_and(|stream| stream.access.readable)
    }

    /// `__fwritable`.
    pub fn is_writable(&self, id: StreamId) -> bool {
        self.get_ref(id).is_ok_and(|stream| stream.access.writable)
    }

    /// How the stream is buffered (`__flbf`).
    pub fn buffering(&self, id: StreamId) -> Option<Buffering> {
        self.get_ref(id).ok().map(|stream| stream.buffering)
    }

    /// `__fbufsize`: 0 until the first use.
    pub fn buffer_size(&self, id: StreamId) -> usize {
        self.get_ref(id).map_or(0, |stream| stream.capacity)
    }

    /// `__fpurge`: forgets what is buffered.
    pub fn purge(&mut self, id: StreamId) {
        if let Ok(stream) = self.get_mut(id) {
            stream.purge();
        }
    }
}

/// Lets only memory faults through.
fn ignore_errno<E>(result: Result<(), Failure<E>>) -> Result<(), Failure<E>> {
    match result {
        Err(Failure::Errno(_)) => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests;

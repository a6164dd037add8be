//! One stream's buffer: filling, flushing, and switching between reading and writing.
//!
//! The buffer is one block of bytes with indices into it, arranged as glibc arranges them, because
//! programs can see the consequences: where unread input begins is also where output continues,
//! and `read_end` is the place in the buffer that corresponds to the descriptor's offset.

use super::super::errno::Errno;
use super::memory::Backing;
use super::{Access, Buffering, Context, Failure, Io, Memory};

/// The largest supported buffer; a program may request any.
const MAX_BUFFER: usize = 1 << 24;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    pub backing: Backing,
    pub access: Access,
    pub buffering: Buffering,
    /// The size of the buffer; 0 until it is first needed.
    pub capacity: usize,
    /// Bytes in use; all indices are at most its length, except `write_end`.
    pub buffer: Vec<u8>,
    /// Where the get area begins: bytes before it cannot be ungot in place.
    pub read_base: usize,
    pub read_ptr: usize,
    pub read_end: usize,
    pub write_base: usize,
    pub write_ptr: usize,
    /// Up to here bytes can be put without further ado.
    pub write_end: usize,
    pub putting: bool,
    /// Whether the areas were ever set up; pushing back alone does not do that.
    pub used: bool,
    /// Bytes pushed back that are not simply the ones read before, the next one last.
    pub pushback: Vec<u8>,
    /// Whether reading is at the pushed-back bytes, possibly after the last of them.
    pub in_backup: bool,
    /// The offset of the descriptor, if it is known without a system call.
    pub offset: Option<i64>,
    pub eof: bool,
    pub error: bool,
    pub serial: u64,
}

impl Stream {
    pub fn new(backing: Backing, access: Access) -> Stream {
        Stream {
            backing,
            access,
            buffering: Buffering::Full,
            capacity: 0,
            buffer: Vec::new(),
            read_base: 0,
            read_ptr: 0,
            read_end: 0,
            write_base: 0,
            write_ptr: 0,
            write_end: 0,
            putting: false,
            used: false,
            pushback: Vec::new(),
            in_backup: false,
            offset: None,
            eof: false,
            error: false,
            serial: 0,
        }
    }

    pub fn pending(&self) -> usize {
        self.write_ptr - self.write_base
    }

    pub fn is_reading(&self) -> bool {
        !self.access.writable
            || self.access.readable && !self.putting && (self.used || !self.pushback.is_empty())
    }

    pub fn allocate(&mut self) {
        if self.capacity == 0 {
            self.capacity = match self.buffering {
                Buffering::None => 1,
                Buffering::Full | Buffering::Line => self.backing.block_size(),
            };
        }
    }

    /// Forgets both areas, as if nothing had been read or written.
    pub fn reset(&mut self) {
        self.used = true;
        self.buffer.clear();
        (self.read_base, self.read_ptr, self.read_end) = (0, 0, 0);
        (self.write_base, self.write_ptr, self.write_end) = (0, 0, 0);
    }

    pub fn purge(&mut self) {
        self.pushback.clear();
        self.in_backup = false;
        self.reset();
        self.putting = false;
    }

    fn fail<T, M: Memory>(&mut self, failure: Failure<M::Error>) -> Io<T, M> {
        self.error = true;
        Err(failure)
    }

    /// Makes input available; false at the end of the file.
    pub fn underflow<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<bool, M> {
        if self.putting {
            self.switch_to_reading(context)?;
        }
        if !self.pushback.is_empty() {
            return Ok(true);
        }
        self.in_backup = false;
        if self.read_ptr < self.read_end {
            return Ok(true);
        }
        if self.eof {
            return Ok(false);
        }
        if !self.access.readable {
            return self.fail::<_, M>(Errno::EBADF.into());
        }
        self.allocate();
        self.reset();
        let count = self.fill(context, context.vfs.read_ahead(self.capacity))?;
        if count == 0 {
            self.eof = true;
            // Others may move the descriptor from here on.
            self.offset = None;
        }
        Ok(count > 0)
    }

    /// Reads up to `size` bytes to the front of the empty buffer.
    pub fn fill<M: Memory>(&mut self, context: &mut Context<'_, M>, size: usize) -> Io<usize, M> {
        self.buffer.resize(size, 0);
        match self.backing.read(context, &mut self.buffer) {
            Ok(count) => {
                self.buffer.truncate(count);
                self.read_end = count;
                self.advance(count);
                Ok(count)
            }
            Err(failure) => {
                self.buffer.clear();
                self.fail::<_, M>(failure)
            }
        }
    }

    pub fn advance(&mut self, count: usize) {
        self.offset = self.offset.map(|offset| offset + count as i64);
    }

    /// Ends writing: pending output goes out, and reading continues behind it.
    pub fn switch_to_reading<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        if self.write_ptr > self.write_base {
            self.write_pending(context)?;
        }
        self.read_base = 0;
        self.read_end = self.read_end.max(self.write_ptr);
        self.read_ptr = self.write_ptr;
        (self.write_base, self.write_end) = (self.write_ptr, self.write_ptr);
        self.putting = false;
        Ok(())
    }

    /// Begins writing at the place where reading stopped.
    pub fn begin_putting(&mut self) -> Result<(), Errno> {
        if !self.access.writable {
            self.error = true;
            return Err(Errno::EBADF);
        }
        if self.putting && self.capacity > 0 {
            return Ok(());
        }
        self.allocate();
        self.used = true;
        let pushed = std::mem::take(&mut self.pushback).len();
        self.in_backup = false;
        self.read_ptr -= pushed.min(self.read_ptr);
        if self.read_ptr == self.capacity {
            (self.read_ptr, self.read_end) = (0, 0);
            self.buffer.clear();
        }
        (self.write_base, self.write_ptr) = (self.read_ptr, self.read_ptr);
        (self.read_base, self.read_ptr) = (self.read_end, self.read_end);
        self.putting = true;
        self.write_end = match self.buffering {
            Buffering::Full => self.capacity,
            Buffering::Line | Buffering::None => self.write_ptr,
        };
        Ok(())
    }

    /// Stores a byte in the put area, which must have room in the buffer.
    pub fn store(&mut self, byte: u8) {
        match self.buffer.get_mut(self.write_ptr) {
            Some(place) => *place = byte,
            None => self.buffer.push(byte),
        }
        self.write_ptr += 1;
    }

    /// As `store`, for many bytes.
    pub fn store_all(&mut self, bytes: &[u8]) {
        let end = self.write_ptr + bytes.len();
        if self.write_ptr == self.buffer.len() {
            self.buffer.extend_from_slice(bytes);
        } else {
            if self.buffer.len() < end {
                self.buffer.resize(end, 0);
            }
            self.buffer[self.write_ptr..end].copy_from_slice(bytes);
        }
        self.write_ptr = end;
    }

    /// Writes the pending output; what cannot be written is dropped, as glibc does.
    pub fn write_pending<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        if self.write_ptr == self.write_base {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.buffer);
        let pending = &buffer[self.write_base..self.write_ptr];
        let wanted = pending.len();
        let result = self.write_through(context, pending);
        self.buffer = buffer;
        self.buffer.clear();
        match result? {
            (count, None) if count == wanted => Ok(()),
            (_, Some(errno)) => Err(errno.into()),
            // A memory block took only a part; errno stays as it is.
            (_, None) => Err(Errno(0).into()),
        }
    }

    /// Writes bytes past the buffer, at the place where the put area begins. Returns how many were
    /// written and why not all.
    pub fn write_through<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        bytes: &[u8],
    ) -> Io<(usize, Option<Errno>), M> {
        if self.access.append {
            self.offset = None;
        } else if self.read_end != self.write_base {
            let back = self.write_base as i64 - self.read_end as i64;
            let offset = self.backing.seek(context, back, 1)?;
            self.offset = Some(offset);
        }
        let mut written = 0;
        let mut errno = None;
        while written < bytes.len() {
            match self.backing.write(context, &bytes[written..]) {
                Ok(count) => {
                    written += count;
                    // A block of memory that is full takes a part only.
                    if count == 0 || self.backing.descriptor().is_none() && written < bytes.len() {
                        self.error = true;
                        break;
                    }
                }
                Err(Failure::Errno(reason)) => {
                    self.error = true;
                    errno = Some(reason);
                    break;
                }
                Err(failure) => return Err(failure),
            }
        }
        self.advance(written);
        (self.read_base, self.read_ptr, self.read_end) = (0, 0, 0);
        (self.write_base, self.write_ptr) = (0, 0);
        self.write_end = match self.buffering {
            Buffering::Full => self.capacity,
            Buffering::Line | Buffering::None => 0,
        };
        Ok((written, errno))
    }

    /// Pending output of a stream that is being written, and nothing else.
    pub fn flush_output<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        if let Backing::Growing(growing) = &mut self.backing {
            return growing.publish(context);
        }
        if self.write_ptr > self.write_base { self.write_pending(context) } else { Ok(()) }
    }

    /// `fflush`: writes output, and gives unread input back to the descriptor.
    pub fn sync<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        self.flush_output(context)?;
        let unread =
            if self.in_backup { self.pushback.len() } else { self.read_end - self.read_ptr };
        if unread != 0 {
            match self.backing.seek(context, -(unread as i64), 1) {
                Ok(_) if self.in_backup => self.pushback.clear(),
                Ok(_) => self.read_end = self.read_ptr,
                // Pipes cannot take anything back.
                Err(Failure::Errno(Errno::ESPIPE)) => {}
                Err(failure) => return Err(failure),
            }
        }
        self.offset = None;
        Ok(())
    }

    /// What `fclose` does before it closes.
    pub fn finish<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        self.flush_output(context)
    }

    /// `setvbuf`.
    pub fn set_buffering<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        buffering: Buffering,
        size: Option<usize>,
    ) -> Io<(), M> {
        self.buffering = buffering;
        let capacity = match (buffering, size) {
            (Buffering::Full, None) => {
                self.allocate();
                return Ok(());
            }
            (Buffering::Line, None) => return Ok(()),
            (Buffering::None, _) | (_, Some(0)) => {
                self.buffering = Buffering::None;
                1
            }
            (_, Some(size)) => size.min(MAX_BUFFER),
        };
        self.sync(context)?;
        self.reset();
        self.capacity = capacity;
        Ok(())
    }
}

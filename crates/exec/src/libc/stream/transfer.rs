//! Bytes in and out: `getc`, `putc`, `fread`, `fwrite`, lines, push-back.

use super::super::errno::Errno;
use super::super::vfs::Vfs;
use super::buffer::Stream;
use super::memory::Backing;
use super::{Buffering, Context, Failure, Io, Memory, StreamId, Streams};

/// How many bytes were moved, and the error that stopped the transfer, if it was one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub count: usize,
    pub error: Option<Errno>,
}

/// How the reading of a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// The delimiter was read; it is the last byte.
    Delimiter,
    /// As many bytes as allowed were read.
    Limit,
    /// The input ended.
    End,
    /// Reading failed.
    Error(Errno),
}

impl Streams {
    /// `getc` from the buffer alone; `None` if there is nothing in it.
    #[inline]
    pub fn get_buffered(&mut self, id: StreamId) -> Option<u8> {
        let stream = self.slots.get_mut(id.0 as usize)?.as_mut()?;
        stream.take_buffered()
    }

    /// The source of the next byte of a stream: the number of a file's node, and the offset. `None`
    /// if it does not come unchanged from a file.
    pub fn next_unread(&self, vfs: &Vfs, id: StreamId) -> Option<(u32, u64)> {
        let stream = self.slots.get(id.0 as usize)?.as_ref()?;
        let (node, offset) = vfs.place_of(stream.backing.descriptor()?)?;
        let waiting = stream.read_end - stream.read_ptr + stream.pushback.len();
        Some((node, offset.checked_sub(waiting as u64)?))
    }

    /// `getc`: `None` at the end of the input.
    pub fn get<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
    ) -> Io<Option<u8>, M> {
        let stream = self.get_mut(id)?;
        match stream.take_buffered() {
            Some(byte) => Ok(Some(byte)),
            None if stream.underflow(context)? => Ok(stream.take_buffered()),
            None => Ok(None),
        }
    }

    /// The next byte without consuming it.
    pub fn peek<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
    ) -> Io<Option<u8>, M> {
        let stream = self.get_mut(id)?;
        match stream.peek_buffered() {
            Some(byte) => Ok(Some(byte)),
            None if stream.underflow(context)? => Ok(stream.peek_buffered()),
            None => Ok(None),
        }
    }

    /// `ungetc`.
    pub fn unget(&mut self, id: StreamId, byte: u8) -> Result<(), Errno> {
        self.get_mut(id)?.unget(byte);
        Ok(())
    }

    /// `putc` into the buffer alone; false if that is not possible.
    #[inline]
    pub fn put_buffered(&mut self, id: StreamId, byte: u8) -> bool {
        match self.slots.get_mut(id.0 as usize) {
            Some(Some(stream)) if stream.write_ptr < stream.write_end => {
                stream.store(byte);
                true
            }
            _ => false,
        }
    }

    /// `putc`.
    pub fn put<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        byte: u8,
    ) -> Io<(), M> {
        let stream = self.get_mut(id)?;
        if stream.write_ptr < stream.write_end {
            stream.store(byte);
            return Ok(());
        }
        stream.overflow(context, byte)
    }

    /// `fwrite`, `fputs`: one request of the program, as glibc passes it on.
    pub fn write<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        bytes: &[u8],
    ) -> Result<Transfer, M::Error> {
        let Ok(stream) = self.get_mut(id) else {
            return Ok(Transfer { count: 0, error: Some(Errno::EBADF) });
        };
        let mut left = bytes.len();
        let result = stream.write(context, bytes, &mut left);
        transfer::<M>(bytes.len() - left, result)
    }

    /// `fread`: fills as much of the buffer as there is input for.
    pub fn read<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        buffer: &mut [u8],
    ) -> Result<Transfer, M::Error> {
        let Ok(stream) = self.get_mut(id) else {
            return Ok(Transfer { count: 0, error: Some(Errno::EBADF) });
        };
        let mut count = 0;
        let result = stream.read(context, buffer, &mut count);
        transfer::<M>(count, result)
    }

    /// `getdelim` and `getline`: as `read_line` without a limit, but a stream whose error flag is
    /// set gives nothing more, with errno left alone (`Errno(0)`).
    pub fn read_delimited<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        delimiter: u8,
        out: &mut Vec<u8>,
    ) -> Result<Line, M::Error> {
        if self.has_error(id) {
            Ok(Line::Error(Errno(0)))
        } else {
            self.read_line(context, id, delimiter, usize::MAX, out)
        }
    }

    /// Appends bytes up to and including the delimiter, at most `limit` of them: the core of
    /// `fgets` (with limit n - 1; the result is lost if reading fails).
    pub fn read_line<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        delimiter: u8,
        limit: usize,
        out: &mut Vec<u8>,
    ) -> Result<Line, M::Error> {
        let Ok(stream) = self.get_mut(id) else {
            return Ok(Line::Error(Errno::EBADF));
        };
        let mut left = limit;
        while left > 0 {
            match stream.underflow(context) {
                Ok(true) => {}
                Ok(false) => return Ok(Line::End),
                Err(Failure::Errno(errno)) => return Ok(Line::Error(errno)),
                Err(Failure::Memory(error)) => return Err(error),
            }
            let before = out.len();
            let found = stream.take_until(delimiter, left, out);
            if found {
                return Ok(Line::Delimiter);
            }
            left -= out.len() - before;
        }
        Ok(Line::Limit)
    }
}

fn transfer<M: Memory>(count: usize, result: Io<(), M>) -> Result<Transfer, M::Error> {
    let error = match result {
        Ok(()) => None,
        Err(Failure::Errno(errno)) => Some(errno),
        Err(Failure::Memory(error)) => return Err(error),
    };
    Ok(Transfer { count, error })
}

impl Stream {
    #[inline]
    fn take_buffered(&mut self) -> Option<u8> {
        if !self.pushback.is_empty() {
            return self.pushback.pop();
        }
        if self.read_ptr < self.read_end {
            self.in_backup = false;
            self.read_ptr += 1;
            return Some(self.buffer[self.read_ptr - 1]);
        }
        None
    }

    fn peek_buffered(&self) -> Option<u8> {
        if let Some(&byte) = self.pushback.last() {
            return Some(byte);
        }
        if self.read_ptr < self.read_end { Some(self.buffer[self.read_ptr]) } else { None }
    }

    fn unget(&mut self, byte: u8) {
        self.eof = false;
        if !self.in_backup
            && self.read_ptr > self.read_base
            && self.buffer[self.read_ptr - 1] == byte
        {
            self.read_ptr -= 1;
            return;
        }
        if !self.in_backup {
            self.read_base = self.read_ptr;
            self.in_backup = true;
        }
        self.pushback.push(byte);
    }

    /// Takes what is buffered up to the delimiter; true if the delimiter was there.
    fn take_until(&mut self, delimiter: u8, limit: usize, out: &mut Vec<u8>) -> bool {
        if let Some(byte) = self.pushback.pop() {
            out.push(byte);
            return byte == delimiter;
        }
        self.in_backup = false;
        let available = &self.buffer[self.read_ptr..self.read_end];
        let available = &available[..available.len().min(limit)];
        let found = available.iter().position(|&byte| byte == delimiter);
        let count = found.map_or(available.len(), |at| at + 1);
        out.extend_from_slice(&available[..count]);
        self.read_ptr += count;
        found.is_some()
    }

    /// Puts a byte for which there is no room.
    fn overflow<M: Memory>(&mut self, context: &mut Context<'_, M>, byte: u8) -> Io<(), M> {
        if let Backing::Growing(_) = self.backing {
            return self.backing.write(context, &[byte]).map(|_| ());
        }
        self.begin_putting()?;
        if self.write_ptr >= self.capacity {
            self.write_pending(context)?;
        }
        self.store(byte);
        let flush = match self.buffering {
            Buffering::Full => false,
            Buffering::Line => byte == b'\n',
            Buffering::None => true,
        };
        if flush { self.write_pending(context) } else { Ok(()) }
    }

    fn write<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        bytes: &[u8],
        left: &mut usize,
    ) -> Io<(), M> {
        if bytes.is_empty() {
            return Ok(());
        }
        if let Backing::Growing(_) = self.backing {
            *left -= self.backing.write(context, bytes)?;
            return Ok(());
        }
        let mut room = self.write_end.saturating_sub(self.write_ptr);
        let mut flush = false;
        if self.buffering == Buffering::Line && self.putting {
            room = self.capacity - self.write_ptr;
            if room >= bytes.len()
                && let Some(newline) = bytes.iter().rposition(|&byte| byte == b'\n')
            {
                room = newline + 1;
                flush = true;
            }
        }
        let (first, mut rest) = bytes.split_at(room.min(bytes.len()));
        self.store_all(first);
        *left -= first.len();
        if rest.is_empty() && !flush {
            return Ok(());
        }
        self.begin_putting()?;
        self.write_pending(context)?;
        // Whole blocks go past the buffer.
        let tail = match self.capacity {
            128.. => rest.len() % self.capacity,
            _ => 0,
        };
        let direct = rest.len() - tail;
        if direct > 0 {
            let (written, errno) = self.write_through(context, &rest[..direct])?;
            *left -= written;
            if written < direct {
                return Err(errno.unwrap_or(Errno(0)).into());
            }
            rest = &rest[direct..];
        }
        self.write_rest(context, rest, left)
    }

    /// Byte by byte where the buffer must watch for line ends, else in one go.
    fn write_rest<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        mut rest: &[u8],
        left: &mut usize,
    ) -> Io<(), M> {
        while let Some(&byte) = rest.first() {
            let room = self.write_end.saturating_sub(self.write_ptr);
            if room == 0 {
                self.overflow(context, byte)?;
                rest = &rest[1..];
                *left -= 1;
                continue;
            }
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.store_all(now);
            *left -= now.len();
            rest = later;
        }
        Ok(())
    }

    fn read<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        buffer: &mut [u8],
        count: &mut usize,
    ) -> Io<(), M> {
        self.allocate();
        while *count < buffer.len() {
            let rest = &mut buffer[*count..];
            let taken = self.take_many(rest);
            *count += taken;
            let rest = &mut buffer[*count..];
            if rest.is_empty() {
                break;
            }
            if rest.len() < self.capacity || self.putting {
                if !self.underflow(context)? {
                    break;
                }
                continue;
            }
            // Whole blocks go past the buffer.
            let tail = match self.capacity {
                128.. => rest.len() % self.capacity,
                _ => 0,
            };
            let direct = rest.len() - tail;
            self.reset();
            let got = match self.backing.read(context, &mut rest[..direct]) {
                Ok(got) => got,
                Err(failure) => {
                    self.error = true;
                    return Err(failure);
                }
            };
            if got == 0 {
                self.eof = true;
                break;
            }
            self.advance(got);
            *count += got;
        }
        Ok(())
    }

    /// Takes what is buffered, pushed-back bytes first.
    fn take_many(&mut self, out: &mut [u8]) -> usize {
        let mut count = 0;
        while count < out.len()
            && let Some(byte) = self.pushback.pop()
        {
            out[count] = byte;
            count += 1;
        }
        if count < out.len() {
            self.in_backup = false;
        }
        let available = &self.buffer[self.read_ptr..self.read_end];
        let more = available.len().min(out.len() - count);
        out[count..count + more].copy_from_slice(&available[..more]);
        self.read_ptr += more;
        count + more
    }
}

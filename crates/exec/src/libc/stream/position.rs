//! Positions: `fseek`, `ftell`, `rewind`.

use super::super::errno::Errno;
use super::super::vfs::flags::{SEEK_CUR, SEEK_END, SEEK_SET};
use super::buffer::Stream;
use super::memory::Backing;
use super::{Context, Failure, Io, Memory, StreamId, Streams};

impl Streams {
    /// `fseek`, and `fsetpos` with `SEEK_SET`.
    pub fn seek<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        id: StreamId,
        offset: i64,
        whence: i32,
    ) -> Io<(), M> {
        self.get_mut(id)?.seek(context, offset, whence).map(|_| ())
    }

    /// `rewind`: to the beginning, and the error is forgotten even if that fails.
    pub fn rewind<M: Memory>(&mut self, context: &mut Context<'_, M>, id: StreamId) -> Io<(), M> {
        let stream = self.get_mut(id)?;
        let result = stream.seek(context, 0, SEEK_SET);
        stream.error = false;
        stream.eof = false;
        result.map(|_| ())
    }

    /// `ftell` and `fgetpos`.
    pub fn tell<M: Memory>(&mut self, context: &mut Context<'_, M>, id: StreamId) -> Io<i64, M> {
        self.get_mut(id)?.tell(context)
    }
}

impl Stream {
    fn tell<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<i64, M> {
        if let Backing::Growing(growing) = &self.backing {
            return Ok(growing.position as i64);
        }
        let unread = (self.read_end - self.read_ptr) as i64;
        let pushed = self.pushback.len() as i64;
        let pending = self.write_ptr > self.write_base;
        let delta = match (pending, self.access.append) {
            (true, true) => {
                self.offset = Some(self.backing.seek(context, 0, SEEK_END)?);
                self.pending() as i64
            }
            (true, false) => self.write_ptr as i64 - self.read_end as i64,
            // Without a buffer glibc ignores pushed-back bytes.
            (false, _) if self.capacity == 0 => 0,
            (false, _) if self.in_backup => -pushed,
            (false, _) => -unread,
        };
        let base = match self.offset {
            Some(offset) => offset,
            None => self.backing.seek(context, 0, SEEK_CUR)?,
        };
        let mut position = base + delta;
        if position < 0 {
            return Err(Errno::EINVAL.into());
        }
        if self.in_backup {
            position -= unread;
        }
        match position {
            -1 => Err(Errno::EIO.into()),
            _ => Ok(position),
        }
    }

    pub(super) fn seek<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        mut offset: i64,
        whence: i32,
    ) -> Io<i64, M> {
        if !(SEEK_SET..=SEEK_END).contains(&whence) {
            return Err(Errno::EINVAL.into());
        }
        if let Backing::Growing(_) = self.backing {
            return self.backing.seek(context, offset, whence);
        }
        let pushed = std::mem::take(&mut self.pushback).len() as i64;
        self.in_backup = false;
        // glibc forgets bytes pushed back onto a stream that was never used.
        if whence == SEEK_CUR && (self.used || self.capacity > 0) {
            offset = offset.saturating_sub(pushed);
        }
        // Nothing was read ahead: then nothing but the wanted place is read below either.
        let exact = self.read_base == self.read_end && self.write_base == self.write_ptr;
        if self.putting || self.write_ptr > self.write_base {
            self.switch_to_reading(context)?;
        }
        self.allocate();
        self.used = true;
        let target = match whence {
            SEEK_SET => offset,
            SEEK_CUR => {
                let relative = offset - (self.read_end - self.read_ptr) as i64;
                let Some(base) = self.offset else {
                    return self.seek_plainly(context, relative, SEEK_CUR);
                };
                let target = base.checked_add(relative).filter(|&target| target >= 0);
                target.ok_or(Errno::EINVAL)?
            }
            _ => match self.backing.regular_size(context) {
                Some(size) => size.saturating_add(offset),
                None => return self.seek_plainly(context, offset, SEEK_END),
            },
        };
        // If reads are recorded, nothing is read unless the program asks for it, and nothing is
        // read from the buffer twice.
        if context.vfs.notes_readings() {
            return self.seek_plainly(context, target, SEEK_SET);
        }
        if self.seek_in_buffer(context, target)? {
            return Ok(target);
        }
        if !self.access.readable {
            return self.seek_plainly(context, target, SEEK_SET);
        }
        self.seek_block(context, target, exact)
    }

    /// Moves inside what the buffer holds, if the target is there.
    fn seek_in_buffer<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        target: i64,
    ) -> Io<bool, M> {
        let Some(end) = self.offset else {
            return Ok(false);
        };
        let start = end - self.read_end as i64;
        if target < start || target >= end {
            return Ok(false);
        }
        (self.read_base, self.read_ptr) = (0, (target - start) as usize);
        (self.write_base, self.write_ptr, self.write_end) = (0, 0, 0);
        self.eof = false;
        // The descriptor may have been moved by others; a failure to move it back is ignored.
        match self.backing.seek(context, end, SEEK_SET) {
            Ok(_) | Err(Failure::Errno(_)) => Ok(true),
            Err(failure) => Err(failure),
        }
    }

    /// Seeks to the block around the target and reads it.
    fn seek_block<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        target: i64,
        exact: bool,
    ) -> Io<i64, M> {
        let size = self.capacity as i64;
        let mut block = target & !(size - 1);
        let mut delta = target - block;
        if delta > size {
            (block, delta) = (target, 0);
        }
        let reached = self.backing.seek(context, block, SEEK_SET)?;
        self.reset();
        self.offset = Some(reached);
        if delta > 0 {
            let wanted = if exact { delta as usize } else { self.capacity };
            let error = self.error;
            let count = match self.fill(context, wanted) {
                Ok(count) => count as i64,
                Err(Failure::Errno(_)) => 0,
                Err(failure) => return Err(failure),
            };
            self.error = error;
            if count < delta {
                return self.seek_plainly(context, delta - count, SEEK_CUR);
            }
        }
        self.read_ptr = delta as usize;
        self.eof = false;
        Ok(target)
    }

    fn seek_plainly<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        offset: i64,
        whence: i32,
    ) -> Io<i64, M> {
        let reached = self.backing.seek(context, offset, whence)?;
        self.eof = false;
        self.offset = Some(reached);
        self.reset();
        Ok(reached)
    }
}

//! The back ends of streams: a descriptor, a block of program memory, or a growing block.

use super::super::errno::Errno;
use super::super::vfs::flags::*;
use super::buffer::Stream;
use super::{Access, Context, Io, Memory, Mode, StreamId, Streams};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Backing {
    Descriptor(i32),
    /// `fmemopen`
    Fixed(Fixed),
    /// `open_memstream`
    Growing(Growing),
}

/// A block of fixed size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fixed {
    store: Store,
    size: u64,
    position: u64,
    /// Where the contents end.
    end: u64,
    append: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Store {
    /// In program memory.
    Program(u64),
    /// Allocated by `fmemopen` itself and not visible to the program.
    Own(Vec<u8>),
}

/// The two variables that `open_memstream` keeps up to date, by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCells {
    pub pointer: u64,
    pub size: u64,
}

/// A block that grows as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Growing {
    pub cells: MemoryCells,
    pub block: Option<u64>,
    pub contents: Vec<u8>,
    pub position: usize,
}

/// The largest block of `open_memstream`; more is out of memory.
const MAX_GROWTH: usize = 1 << 30;

impl Backing {
    pub fn descriptor(&self) -> Option<i32> {
        match self {
            Backing::Descriptor(descriptor) => Some(*descriptor),
            Backing::Fixed(_) | Backing::Growing(_) => None,
        }
    }

    /// The system's preferred buffer size, which glibc takes.
    pub fn block_size(&self) -> usize {
        match self {
            Backing::Descriptor(_) => 4096,
            Backing::Fixed(_) | Backing::Growing(_) => 8192,
        }
    }

    pub fn read<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        buffer: &mut [u8],
    ) -> Io<usize, M> {
        match self {
            Backing::Descriptor(descriptor) => Ok(context.vfs.read(*descriptor, buffer)?),
            Backing::Fixed(fixed) => fixed.read(context, buffer),
            Backing::Growing(_) => Err(Errno::EBADF.into()),
        }
    }

    /// Writes once; may write less than asked.
    pub fn write<M: Memory>(&mut self, context: &mut Context<'_, M>, bytes: &[u8]) -> Io<usize, M> {
        match self {
            Backing::Descriptor(descriptor) => Ok(context.vfs.write(*descriptor, bytes)?),
            Backing::Fixed(fixed) => fixed.write(context, bytes),
            Backing::Growing(growing) => {
                context.vfs.charge(growing.growth(growing.position, bytes.len()))?;
                Ok(growing.write(bytes)?)
            }
        }
    }

    pub fn seek<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        offset: i64,
        whence: i32,
    ) -> Io<i64, M> {
        match self {
            Backing::Descriptor(descriptor) => Ok(context.vfs.seek(*descriptor, offset, whence)?),
            Backing::Fixed(fixed) => Ok(fixed.seek(offset, whence)?),
            Backing::Growing(growing) => {
                let before = growing.contents.len();
                let target = growing.seek(offset, whence)?;
                context.vfs.charge((growing.contents.len() - before) as u64)?;
                Ok(target)
            }
        }
    }

    /// Bytes that are kept for the stream alone.
    pub fn kept(&self) -> u64 {
        match self {
            Backing::Descriptor(_) => 0,
            Backing::Fixed(Fixed { store: Store::Own(bytes), .. }) => bytes.len() as u64,
            Backing::Fixed(_) => 0,
            Backing::Growing(growing) => growing.contents.len() as u64,
        }
    }

    /// The size of a regular file, by which glibc turns seeking from the end into seeking from the
    /// start; nothing else has one.
    pub fn regular_size<M: Memory>(&self, context: &Context<'_, M>) -> Option<i64> {
        let stat = context.vfs.stat_descriptor(self.descriptor()?).ok()?;
        (stat.mode & S_IFMT == S_IFREG).then_some(stat.size as i64)
    }
}

impl Fixed {
    fn read<M: Memory>(&mut self, context: &mut Context<'_, M>, buffer: &mut [u8]) -> Io<usize, M> {
        let left = self.end.saturating_sub(self.position);
        let count = (buffer.len() as u64).min(left) as usize;
        let target = &mut buffer[..count];
        let start = self.position as usize;
        match &self.store {
            Store::Program(address) => context
                .memory
                .load(address.wrapping_add(self.position), target)
                .map_err(super::Failure::Memory)?,
            Store::Own(bytes) => target.copy_from_slice(&bytes[start..start + count]),
        }
        self.position += count as u64;
        Ok(count)
    }

    fn put<M: Memory>(&mut self, context: &mut Context<'_, M>, at: u64, bytes: &[u8]) -> Io<(), M> {
        match &mut self.store {
            Store::Program(address) => context
                .memory
                .store(address.wrapping_add(at), bytes)
                .map_err(super::Failure::Memory),
            Store::Own(own) => {
                own[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn write<M: Memory>(&mut self, context: &mut Context<'_, M>, bytes: &[u8]) -> Io<usize, M> {
        let start = if self.append { self.end } else { self.position };
        let terminate = bytes.last() != Some(&0);
        let room = self.size.saturating_sub(start);
        let mut count = bytes.len() as u64;
        if count > room {
            if self.position + u64::from(terminate) >= self.size {
                return Err(Errno::ENOSPC.into());
            }
            count = room;
        }
        self.put(context, start, &bytes[..count as usize])?;
        self.position = start + count;
        if self.position > self.end {
            self.end = self.position;
            if self.end < self.size && terminate {
                self.put(context, self.end, b"\0")?;
            } else if !self.append && terminate {
                self.put(context, self.size - 1, b"\0")?;
            }
        }
        Ok(count as usize)
    }

    fn seek(&mut self, offset: i64, whence: i32) -> Result<i64, Errno> {
        let base = match whence {
            SEEK_SET => 0,
            SEEK_CUR => self.position,
            SEEK_END => self.end,
            _ => return Err(Errno::EINVAL),
        };
        let target = (base as i64).checked_add(offset).ok_or(Errno::EINVAL)?;
        if target < 0 || target as u64 > self.size {
            return Err(Errno::EINVAL);
        }
        self.position = target as u64;
        Ok(target)
    }
}

impl Growing {
    /// How much longer the contents become by writing `count` bytes at a position.
    fn growth(&self, start: usize, count: usize) -> u64 {
        start.saturating_add(count).saturating_sub(self.contents.len()) as u64
    }

    fn write(&mut self, bytes: &[u8]) -> Result<usize, Errno> {
        let end = self.position.saturating_add(bytes.len());
        if end > MAX_GROWTH {
            return Err(Errno::ENOMEM);
        }
        if self.contents.len() < end {
            self.contents.resize(end, 0);
        }
        self.contents[self.position..end].copy_from_slice(bytes);
        self.position = end;
        Ok(bytes.len())
    }

    /// The end is the place of the last write, as in glibc, whatever was written beyond it before.
    fn seek(&mut self, offset: i64, whence: i32) -> Result<i64, Errno> {
        let base = match whence {
            SEEK_SET => 0,
            SEEK_CUR | SEEK_END => self.position as i64,
            _ => return Err(Errno::EINVAL),
        };
        let target = base.checked_add(offset).filter(|&target| target >= 0);
        let target = target.ok_or(Errno::EINVAL)?;
        if target as usize > MAX_GROWTH {
            return Err(Errno::ENOMEM);
        }
        self.position = target as usize;
        if self.contents.len() < self.position {
            self.contents.resize(self.position, 0);
        }
        Ok(target)
    }

    /// Drops the contents beyond the current place, as closing does in glibc.
    pub fn cut(&mut self) {
        self.contents.truncate(self.position);
    }

    /// Shows the contents to the program.
    pub fn publish<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<(), M> {
        let size = self.position as u64;
        let block = context
            .memory
            .publish(self.cells, self.block, &self.contents, size)
            .map_err(super::Failure::Memory)?;
        self.block = Some(block);
        Ok(())
    }
}

impl Streams {
    /// `fmemopen` on program memory, or with no address on a block of its own.
    pub fn open_memory<M: Memory>(
        &mut self,
        context: &mut Context<'_, M>,
        address: Option<u64>,
        size: u64,
        mode: &[u8],
    ) -> Io<StreamId, M> {
        let parsed = Mode::parse(mode)?;
        let store = match address {
            Some(address) => Store::Program(address),
            None if size as usize > MAX_GROWTH => return Err(Errno::ENOMEM.into()),
            None => {
                context.vfs.charge(size)?;
                Store::Own(vec![0; size as usize])
            }
        };
        let mut fixed = Fixed { store, size, position: 0, end: size, append: parsed.access.append };
        if mode[0] == b'a' {
            fixed.end = fixed.text_length(context)?;
            fixed.position = fixed.end;
        } else if mode[0] == b'w' {
            fixed.end = 0;
            if size > 0 {
                fixed.put(context, 0, b"\0")?;
            }
        } else if address.is_none() {
            fixed.end = fixed.text_length(context)?;
        }
        let access = Access { append: false, ..parsed.access };
        Ok(self.insert(Stream::new(Backing::Fixed(fixed), access)))
    }

    /// `open_memstream`.
    pub fn open_growing(&mut self, cells: MemoryCells) -> StreamId {
        let growing = Growing { cells, block: None, contents: Vec::new(), position: 0 };
        self.insert(Stream::new(Backing::Growing(growing), Access::WRITE))
    }
}

impl Fixed {
    /// The length of the text in the block, up to its size.
    fn text_length<M: Memory>(&mut self, context: &mut Context<'_, M>) -> Io<u64, M> {
        let mut length = 0;
        while length < self.size {
            let mut byte = [0];
            match &self.store {
                Store::Program(address) => context
                    .memory
                    .load(address.wrapping_add(length), &mut byte)
                    .map_err(super::Failure::Memory)?,
                Store::Own(bytes) => byte[0] = bytes[length as usize],
            }
            if byte[0] == 0 {
                break;
            }
            length += 1;
        }
        Ok(length)
    }
}

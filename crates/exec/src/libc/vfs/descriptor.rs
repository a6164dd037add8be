//! Descriptors: reading, writing, seeking, duplicating, pipes.

use std::sync::Arc;

use base::random::{STEP, mixed};

use super::super::errno::Errno;
use super::flags::*;
use super::node::{Device, NodeId, NodeKind, Pipe, Stat};
use super::{Halt, Reading, Vfs};

/// The descriptor table and the open file descriptions that it points to.
#[derive(Debug, Default)]
pub(super) struct Table {
    descriptors: Vec<Option<Descriptor>>,
    descriptions: Vec<Option<Description>>,
}

impl Clone for Table {
    fn clone(&self) -> Table {
        let (descriptors, descriptions) = (self.descriptors.clone(), self.descriptions.clone());
        Table { descriptors, descriptions }
    }

    fn clone_from(&mut self, other: &Table) {
        self.descriptors.clone_from(&other.descriptors);
        self.descriptions.clone_from(&other.descriptions);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Descriptor {
    description: u32,
    close_on_exec: bool,
}

/// An open file description: what duplicated descriptors share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub node: NodeId,
    pub offset: u64,
    pub flags: u32,
    references: u32,
}

impl Description {
    fn readable(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != O_WRONLY
    }

    fn writable(&self) -> bool {
        self.flags & O_PATH == 0 && self.flags & O_ACCMODE != O_RDONLY
    }
}

/// Descriptors that a process may have.
const MAX_DESCRIPTORS: usize = 1024;

impl Table {
    fn slot(&self, descriptor: i32) -> Option<Descriptor> {
        *self.descriptors.get(usize::try_from(descriptor).ok()?)?
    }

    fn description(&self, descriptor: i32) -> Option<&Description> {
        let slot = self.slot(descriptor)?;
        self.descriptions[slot.description as usize].as_ref()
    }

    fn description_mut(&mut self, descriptor: i32) -> Option<&mut Description> {
        let slot = self.slot(descriptor)?;
        self.descriptions[slot.description as usize].as_mut()
    }

    /// Whether they are the same except for how much was written to outputs, which cannot seek.
    pub(super) fn is_like(&self, other: &Table, is_output: impl Fn(NodeId) -> bool) -> bool {
        let same = |(one, other): (&Option<Description>, &Option<Description>)| match (one, other) {
            (Some(one), Some(other)) if is_output(one.node) => {
                *one == Description { offset: one.offset, ..*other }
            }
            _ => one == other,
        };
        self.descriptors == other.descriptors
            && self.descriptions.len() == other.descriptions.len()
            && self.descriptions.iter().zip(&other.descriptions).all(same)
    }

    /// The lowest free descriptor not below `from`.
    fn free(&self, from: usize) -> Result<usize, Errno> {
        let taken = self.descriptors.iter().skip(from);
        let number = from + taken.take_while(|slot| slot.is_some()).count();
        if number < MAX_DESCRIPTORS { Ok(number) } else { Err(Errno::EMFILE) }
    }

    fn put(&mut self, number: usize, descriptor: Descriptor) {
        if self.descriptors.len() <= number {
            self.descriptors.resize(number + 1, None);
        }
        self.descriptors[number] = Some(descriptor);
    }

    fn add_description(&mut self, description: Description) -> u32 {
        match self.descriptions.iter().position(Option::is_none) {
            Some(index) => {
                self.descriptions[index] = Some(description);
                index as u32
            }
            None => {
                self.descriptions.push(Some(description));
                self.descriptions.len() as u32 - 1
            }
        }
    }
}

impl Vfs {
    pub(super) fn description(&self, descriptor: i32) -> Result<&Description, Errno> {
        self.table.description(descriptor).ok_or(Errno::EBADF)
    }

    fn description_mut(&mut self, descriptor: i32) -> Result<&mut Description, Errno> {
        // Looked up before the table is made writable, which may copy it.
        self.table.slot(descriptor).ok_or(Errno::EBADF)?;
        let table = Arc::make_mut(&mut self.table);
        table.description_mut(descriptor).ok_or(Errno::EBADF)
    }

    /// Opens a node at the lowest free descriptor.
    pub(super) fn describe(
        &mut self,
        node: NodeId,
        flags: u32,
        close_on_exec: bool,
    ) -> Result<i32, Errno> {
        let number = self.table.free(0)?;
        let table = Arc::make_mut(&mut self.table);
        let description =
            table.add_description(Description { node, offset: 0, flags, references: 1 });
        table.put(number, Descriptor { description, close_on_exec });
        self.count_open(node, flags, true);
        Ok(number as i32)
    }

    /// Whether another descriptor can be opened.
    pub(super) fn check_free_descriptor(&self) -> Result<(), Errno> {
        self.table.free(0).map(|_| ())
    }

    fn count_open(&mut self, node: NodeId, flags: u32, opened: bool) {
        let step =
            |count: &mut u32| *count = if opened { *count + 1 } else { count.saturating_sub(1) };
        let node = self.node_mut(node);
        step(&mut node.opens);
        if let NodeKind::Pipe(pipe) = &mut node.kind {
            if flags & O_ACCMODE != O_WRONLY {
                step(&mut pipe.readers);
            }
            if flags & O_ACCMODE != O_RDONLY {
                step(&mut pipe.writers);
            }
        }
    }

    pub fn close(&mut self, descriptor: i32) -> Result<(), Errno> {
        let slot = self.table.slot(descriptor).ok_or(Errno::EBADF)?;
        let table = Arc::make_mut(&mut self.table);
        table.descriptors[descriptor as usize] = None;
        let entry = &mut table.descriptions[slot.description as usize];
        let Some(description) = entry else {
            return Err(Errno::EBADF);
        };
        description.references -= 1;
        if description.references > 0 {
            return Ok(());
        }
        let (node, flags) = (description.node, description.flags);
        *entry = None;
        self.count_open(node, flags, false);
        self.reclaim(node);
        Ok(())
    }

    /// `read`: fills the front of the buffer, returns how much.
    pub fn read(&mut self, descriptor: i32, buffer: &mut [u8]) -> Result<usize, Errno> {
        let description = *self.description(descriptor)?;
        let count = self.read_at(&description, description.offset, buffer)?;
        if count > 0 {
            self.description_mut(descriptor)?.offset += count as u64;
        }
        Ok(count)
    }

    /// `pread`.
    pub fn read_from(
        &mut self,
        descriptor: i32,
        offset: i64,
        buffer: &mut [u8],
    ) -> Result<usize, Errno> {
        let offset = u64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        let description = *self.description(descriptor)?;
        self.check_seekable(description.node)?;
        self.read_at(&description, offset, buffer)
    }

    fn check_seekable(&self, node: NodeId) -> Result<(), Errno> {
        match self.node(node).kind {
            NodeKind::Pipe(_) | NodeKind::Input { .. } | NodeKind::Output(_) => Err(Errno::ESPIPE),
            _ => Ok(()),
        }
    }

    fn read_at(
        &mut self,
        description: &Description,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<usize, Errno> {
        if !description.readable() {
            return Err(Errno::EBADF);
        }
        match &self.node(description.node).kind {
            NodeKind::File(data) => {
                let start = usize::try_from(offset).map_or(data.len(), |at| at.min(data.len()));
                let count = copy_front(&data[start..], buffer);
                self.note_reading(description.node, start, count, buffer.len());
                Ok(count)
            }
            NodeKind::Directory { .. } => Err(Errno::EISDIR),
            NodeKind::Device(device) => Ok(read_device(*device, offset, buffer)),
            NodeKind::Pipe(_) => self.read_pipe(description, buffer),
            NodeKind::Input { data, position } => {
                let start = *position;
                let count = copy_front(&data[start..], buffer);
                self.note_reading(description.node, start, count, buffer.len());
                if let NodeKind::Input { position, .. } = &mut self.node_mut(description.node).kind
                {
                    *position += count;
                }
                Ok(count)
            }
            NodeKind::Output(_) => {
                self.halt = Some(Halt::Deadlock);
                Err(Errno::EAGAIN)
            }
            NodeKind::Symlink(_) | NodeKind::DescriptorLink(_) | NodeKind::Gone => {
                Err(Errno::EINVAL)
            }
        }
    }

    fn note_reading(&mut self, node: NodeId, offset: usize, count: usize, asked: usize) {
        if let Some(readings) = &mut self.readings {
            readings.push(Reading { node: node.0, offset, count, at_end: count < asked });
        }
    }

    /// Starts or stops recording reads of files.
    pub(crate) fn note_readings(&mut self, on: bool) {
        self.readings = on.then(Vec::new);
    }

    /// The reads since the last time.
    pub(crate) fn take_readings(&mut self) -> Vec<Reading> {
        self.readings.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Whether reads are recorded.
    pub(in crate::libc) fn notes_readings(&self) -> bool {
        self.readings.is_some()
    }

    /// How much a stream may read at once: recorded reads must be those that the program sees.
    pub(in crate::libc) fn read_ahead(&self, capacity: usize) -> usize {
        if self.readings.is_some() { 1 } else { capacity }
    }

    /// The number of the node of standard input.
    pub fn stdin_node(&self) -> u32 {
        self.stdin.0
    }

    /// The node of a descriptor and where reading continues.
    pub(in crate::libc) fn place_of(&self, descriptor: i32) -> Option<(u32, u64)> {
        let description = self.description(descriptor).ok()?;
        match &self.node(description.node).kind {
            NodeKind::Input { position, .. } => Some((description.node.0, *position as u64)),
            NodeKind::File(_) => Some((description.node.0, description.offset)),
            _ => None,
        }
    }

    fn data_of(&self, node: u32) -> Option<&[u8]> {
        match &self.nodes.get(node as usize)?.kind {
            NodeKind::File(data) | NodeKind::Input { data, .. } => Some(data),
            _ => None,
        }
    }

    /// A byte of a file, by the number of its node.
    pub(crate) fn byte_of(&self, node: u32, offset: usize) -> Option<u8> {
        self.data_of(node)?.get(offset).copied()
    }

    /// The bytes of a file from an offset on, by the number of its node.
    pub fn bytes_of(&self, node: u32, offset: usize) -> &[u8] {
        self.data_of(node).and_then(|data| data.get(offset..)).unwrap_or_default()
    }

    /// The file that a descriptor is open on: the number of its node, and its bytes.
    pub fn content_of(&self, descriptor: i32) -> Option<(u32, &[u8])> {
        let stat = self.stat_descriptor(descriptor).ok()?;
        let node = u32::try_from(stat.inode.checked_sub(2)?).ok()?;
        Some((node, self.data_of(node)?))
    }

    /// The number of a file's node.
    pub fn file_node(&self, path: &[u8]) -> Option<u32> {
        let stat = self.stat(AT_FDCWD, path, 0).ok()?;
        u32::try_from(stat.inode.checked_sub(2)?).ok()
    }

    fn read_pipe(&mut self, description: &Description, buffer: &mut [u8]) -> Result<usize, Errno> {
        let NodeKind::Pipe(pipe) = &mut self.node_mut(description.node).kind else {
            return Err(Errno::EINVAL);
        };
        if buffer.is_empty() {
            return Ok(0);
        }
        let count = copy_front(&pipe.data, buffer);
        if count > 0 {
            Arc::make_mut(&mut pipe.data).drain(..count);
            return Ok(count);
        }
        if pipe.writers == 0 {
            return Ok(0);
        }
        if description.flags & O_NONBLOCK == 0 {
            self.halt = Some(Halt::Deadlock);
        }
        Err(Errno::EAGAIN)
    }

    /// `write`; with EPIPE, the caller must also raise SIGPIPE.
    pub fn write(&mut self, descriptor: i32, bytes: &[u8]) -> Result<usize, Errno> {
        let description = *self.description(descriptor)?;
        let append = description.flags & O_APPEND != 0;
        let (count, end) = self.write_at(&description, description.offset, append, bytes)?;
        if count > 0 {
            self.description_mut(descriptor)?.offset = end;
        }
        Ok(count)
    }

    /// `pwrite`; appends when the description says so, as Linux does.
    pub fn write_to(&mut self, descriptor: i32, offset: i64, bytes: &[u8]) -> Result<usize, Errno> {
        let offset = u64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        let description = *self.description(descriptor)?;
        self.check_seekable(description.node)?;
        let append = description.flags & O_APPEND != 0;
        let (count, _) = self.write_at(&description, offset, append, bytes)?;
        Ok(count)
    }

    /// Returns the number of bytes written and the offset behind them.
    fn write_at(
        &mut self,
        description: &Description,
        offset: u64,
        append: bool,
        bytes: &[u8],
    ) -> Result<(usize, u64), Errno> {
        if !description.writable() {
            return Err(Errno::EBADF);
        }
        let after = |count: usize| (count, offset.saturating_add(count as u64));
        match &self.node(description.node).kind {
            NodeKind::File(data) => {
                let start = if append { data.len() as u64 } else { offset };
                self.write_file(description.node, start, bytes)?;
                Ok((bytes.len(), start + bytes.len() as u64))
            }
            NodeKind::Device(Device::Full) if !bytes.is_empty() => Err(Errno::ENOSPC),
            NodeKind::Device(_) => Ok(after(bytes.len())),
            NodeKind::Pipe(_) => self.write_pipe(description, bytes).map(after),
            NodeKind::Output(_) => {
                self.record(description.node, bytes);
                Ok(after(bytes.len()))
            }
            NodeKind::Input { .. } => Err(Errno::EPIPE),
            NodeKind::Directory { .. } => Err(Errno::EISDIR),
            NodeKind::Symlink(_) | NodeKind::DescriptorLink(_) | NodeKind::Gone => {
                Err(Errno::EINVAL)
            }
        }
    }

    fn write_file(&mut self, id: NodeId, start: u64, bytes: &[u8]) -> Result<(), Errno> {
        if bytes.is_empty() {
            return Ok(());
        }
        let end = start.saturating_add(bytes.len() as u64);
        self.grow_file(id, end)?;
        let now = self.clock.peek();
        let node = self.node_mut(id);
        (node.modified, node.changed) = (now, now);
        if let NodeKind::File(data) = &mut node.kind {
            Arc::make_mut(data)[start as usize..end as usize].copy_from_slice(bytes);
        }
        Ok(())
    }

    /// Makes a file at least `end` bytes long, filling with zeros.
    fn grow_file(&mut self, id: NodeId, end: u64) -> Result<(), Errno> {
        let NodeKind::File(data) = &self.node(id).kind else {
            return Ok(());
        };
        let growth = end.saturating_sub(data.len() as u64);
        if growth == 0 {
            return Ok(());
        }
        self.charge(growth)?;
        if let NodeKind::File(data) = &mut self.node_mut(id).kind {
            Arc::make_mut(data).resize(end as usize, 0);
        }
        Ok(())
    }

    /// Counts bytes that a file, or a stream in memory, starts to keep.
    pub(in crate::libc) fn charge(&mut self, bytes: u64) -> Result<(), Errno> {
        if self.file_bytes.saturating_add(bytes) > self.limits.files {
            self.halt = Some(Halt::FilesExhausted);
            return Err(Errno::ENOSPC);
        }
        self.file_bytes += bytes;
        Ok(())
    }

    /// Counts bytes that are released.
    pub(in crate::libc) fn discharge(&mut self, bytes: u64) {
        self.file_bytes = self.file_bytes.saturating_sub(bytes);
    }

    fn record(&mut self, id: NodeId, bytes: &[u8]) {
        let room = self.limits.output - self.output_bytes;
        let kept = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        if kept < bytes.len() {
            self.halt = Some(Halt::OutputExhausted);
        }
        self.output_bytes += kept as u64;
        if let NodeKind::Output(data) = &mut self.node_mut(id).kind {
            Arc::make_mut(data).extend_from_slice(&bytes[..kept]);
        }
    }

    fn write_pipe(&mut self, description: &Description, bytes: &[u8]) -> Result<usize, Errno> {
        let NodeKind::Pipe(pipe) = &mut self.node_mut(description.node).kind else {
            return Err(Errno::EINVAL);
        };
        if bytes.is_empty() {
            return Ok(0);
        }
        if pipe.readers == 0 {
            return Err(Errno::EPIPE);
        }
        let room = Pipe::CAPACITY - pipe.data.len();
        // A short write is atomic; a long one may be partial.
        let is_short = bytes.len() <= 4096;
        let count = if is_short && bytes.len() > room { 0 } else { bytes.len().min(room) };
        Arc::make_mut(&mut pipe.data).extend_from_slice(&bytes[..count]);
        if count == bytes.len() {
            return Ok(count);
        }
        if description.flags & O_NONBLOCK == 0 {
            self.halt = Some(Halt::Deadlock);
        }
        match count {
            0 => Err(Errno::EAGAIN),
            _ => Ok(count),
        }
    }

    /// `lseek`.
    pub fn seek(&mut self, descriptor: i32, offset: i64, whence: i32) -> Result<i64, Errno> {
        let description = *self.description(descriptor)?;
        if description.flags & O_PATH != 0 {
            return Err(Errno::EBADF);
        }
        if !(SEEK_SET..=SEEK_HOLE).contains(&whence) {
            return Err(Errno::EINVAL);
        }
        self.check_seekable(description.node)?;
        let size = match &self.node(description.node).kind {
            NodeKind::File(data) => data.len() as i64,
            NodeKind::Device(_) => return Ok(0),
            _ => 0,
        };
        let target = match whence {
            SEEK_SET => Some(offset),
            SEEK_CUR => (description.offset as i64).checked_add(offset),
            SEEK_END => size.checked_add(offset),
            SEEK_DATA | SEEK_HOLE if offset < 0 || offset >= size => return Err(Errno::ENXIO),
            SEEK_DATA => Some(offset),
            SEEK_HOLE => Some(size),
            _ => return Err(Errno::EINVAL),
        };
        let target = target.ok_or(Errno::EOVERFLOW)?;
        let new = u64::try_from(target).map_err(|_| Errno::EINVAL)?;
        self.description_mut(descriptor)?.offset = new;
        Ok(target)
    }

    /// `ftruncate`.
    pub fn truncate_descriptor(&mut self, descriptor: i32, length: i64) -> Result<(), Errno> {
        let length = u64::try_from(length).map_err(|_| Errno::EINVAL)?;
        let description = *self.description(descriptor)?;
        if !description.writable() {
            return Err(Errno::EINVAL);
        }
        self.truncate_node(description.node, length)
    }

    pub(super) fn truncate_node(&mut self, id: NodeId, length: u64) -> Result<(), Errno> {
        let NodeKind::File(data) = &self.node(id).kind else {
            return Err(Errno::EINVAL);
        };
        let shrink = (data.len() as u64).saturating_sub(length);
        self.grow_file(id, length)?;
        self.file_bytes -= shrink.min(self.file_bytes);
        let now = self.clock.peek();
        let node = self.node_mut(id);
        (node.modified, node.changed) = (now, now);
        if let NodeKind::File(data) = &mut node.kind
            && shrink > 0
        {
            Arc::make_mut(data).truncate(length as usize);
        }
        Ok(())
    }

    /// `fstat`.
    pub fn stat_descriptor(&self, descriptor: i32) -> Result<Stat, Errno> {
        let node = self.description(descriptor)?.node;
        Ok(self.node(node).stat(node, &self.nodes))
    }

    /// `isatty`: never, but the error distinguishes a bad descriptor from a file.
    pub fn check_terminal(&self, descriptor: i32) -> Errno {
        match self.description(descriptor) {
            Ok(_) => Errno::ENOTTY,
            Err(errno) => errno,
        }
    }

    /// `fsync` and `fdatasync`.
    pub fn sync(&self, descriptor: i32) -> Result<(), Errno> {
        let node = self.description(descriptor)?.node;
        match self.node(node).kind {
            NodeKind::File(_) | NodeKind::Directory { .. } => Ok(()),
            _ => Err(Errno::EINVAL),
        }
    }

    /// `dup`.
    pub fn duplicate(&mut self, descriptor: i32) -> Result<i32, Errno> {
        self.duplicate_from(descriptor, 0, false)
    }

    fn duplicate_from(
        &mut self,
        descriptor: i32,
        lowest: usize,
        close_on_exec: bool,
    ) -> Result<i32, Errno> {
        let slot = self.table.slot(descriptor).ok_or(Errno::EBADF)?;
        if lowest >= MAX_DESCRIPTORS {
            return Err(Errno::EINVAL);
        }
        let number = self.table.free(lowest)?;
        self.share(slot, number, close_on_exec);
        Ok(number as i32)
    }

    fn share(&mut self, slot: Descriptor, number: usize, close_on_exec: bool) {
        let table = Arc::make_mut(&mut self.table);
        if let Some(description) = &mut table.descriptions[slot.description as usize] {
            description.references += 1;
        }
        table.put(number, Descriptor { close_on_exec, ..slot });
    }

    /// `dup2`, and with flags `dup3`'s `O_CLOEXEC`.
    pub fn duplicate_to(
        &mut self,
        descriptor: i32,
        target: i32,
        close_on_exec: bool,
    ) -> Result<i32, Errno> {
        let slot = self.table.slot(descriptor).ok_or(Errno::EBADF)?;
        let number = usize::try_from(target)
            .ok()
            .filter(|&number| number < MAX_DESCRIPTORS)
            .ok_or(Errno::EBADF)?;
        if descriptor == target {
            return Ok(target);
        }
        if self.table.slot(target).is_some() {
            self.close(target)?;
        }
        self.share(slot, number, close_on_exec);
        Ok(target)
    }

    /// `fcntl` with the commands for descriptors and status flags; EINVAL for all others.
    pub fn control(&mut self, descriptor: i32, command: i32, argument: i64) -> Result<i32, Errno> {
        let slot = self.table.slot(descriptor).ok_or(Errno::EBADF)?;
        match command {
            F_DUPFD | F_DUPFD_CLOEXEC => {
                let lowest = usize::try_from(argument as i32).map_err(|_| Errno::EINVAL)?;
                self.duplicate_from(descriptor, lowest, command == F_DUPFD_CLOEXEC)
            }
            F_GETFD => Ok(i32::from(slot.close_on_exec)),
            F_SETFD => {
                let changed = Descriptor { close_on_exec: argument & 1 != 0, ..slot };
                Arc::make_mut(&mut self.table).put(descriptor as usize, changed);
                Ok(0)
            }
            F_GETFL => Ok(self.description(descriptor)?.flags as i32),
            F_SETFL => {
                let description = self.description_mut(descriptor)?;
                let kept = description.flags & !SETTABLE;
                description.flags = kept | argument as u32 & SETTABLE;
                Ok(0)
            }
            _ => Err(Errno::EINVAL),
        }
    }

    /// `pipe` and `pipe2`: the reading and the writing end.
    pub fn pipe(&mut self, flags: u32) -> Result<[i32; 2], Errno> {
        if flags & !(O_CLOEXEC | O_NONBLOCK) != 0 {
            return Err(Errno::EINVAL);
        }
        let node = self.new_node(NodeKind::Pipe(Pipe::default()), 0o600);
        let close_on_exec = flags & O_CLOEXEC != 0;
        let status = flags & O_NONBLOCK;
        let reader = self.describe(node, O_RDONLY | status, close_on_exec)?;
        match self.describe(node, O_WRONLY | status, close_on_exec) {
            Ok(writer) => Ok([reader, writer]),
            Err(errno) => {
                self.close(reader)?;
                Err(errno)
            }
        }
    }
}

fn copy_front(from: &[u8], to: &mut [u8]) -> usize {
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
    count
}

fn read_device(device: Device, offset: u64, buffer: &mut [u8]) -> usize {
    match device {
        Device::Null => return 0,
        Device::Zero | Device::Full => buffer.fill(0),
        Device::Random => {
            for (at, byte) in (offset..).zip(buffer.iter_mut()) {
                *byte = scramble(at);
            }
        }
    }
    buffer.len()
}

/// A byte that depends on the offset only, by the mixing steps of splitmix64.
fn scramble(offset: u64) -> u8 {
    (mixed(offset.wrapping_add(1).wrapping_mul(STEP)) >> 56) as u8
}

//! Memory: objects in a flat 64-bit address space.
//!
//! Every object has its own window of 4 GiB, so an address is an object and an offset: lookup is a
//! shift, and an access that leaves its object hits a gap. Windows are assigned in order and freed
//! ones wait in a queue before reuse: addresses do not depend on the host, and dangling pointers
//! are detected.
//!
//! Initialisation is tracked bit by bit. A memory and its forks share contents until one of them
//! writes.

mod copy;
mod inspected;
mod noticed;
mod object;
mod violation;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub use self::inspected::{Inspected, ObjectView};
use self::noticed::Noticed;
pub(crate) use self::noticed::NoticedByte;
pub use self::noticed::Traffic;
pub use self::object::Shade;
use self::object::{Content, DEFINED, Life, Object, POOLED_BYTES, Store};
pub use self::violation::{MemoryResult, Violation};
use crate::code::{Code, PartialRead};
use crate::stop::{Access, FaultKind, ObjectKind, Site};

/// Distance of an object's first byte from the start of its window.
const FIRST_BYTE: u64 = 0x1_0000;
pub(crate) const WINDOW_BITS: u32 = 32;
/// The largest object; its end stays well inside the window.
pub const MAX_OBJECT: u64 = 0xf000_0000;
/// Window of function addresses.
const CODE_WINDOW: u64 = 1;
/// Window of block addresses, for computed gotos.
const LABEL_WINDOW: u64 = 2;
/// Windows of null, functions and labels.
const RESERVED_WINDOWS: usize = 3;
/// Distance between the addresses of two functions or labels.
const CODE_STRIDE: u64 = 16;
/// How many freed windows wait before the oldest is reused.
const HEAP_QUARANTINE: usize = 1 << 14;
const STACK_QUARANTINE: usize = 64;
/// Objects of an earlier run that are kept for their buffers.
const MOST_SPARE: usize = 4096;
/// Approximate overhead of an object. Counts against the limit, because a program could have any
/// number of empty objects.
const OBJECT_BYTES: u64 = 128;

/// The properties of a new object.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    pub kind: ObjectKind,
    pub size: u64,
    /// Whether the bytes count as written (as zero).
    pub defined: bool,
    pub site: Option<Site>,
}

#[derive(Clone, Debug)]
pub struct Memory {
    /// Existing objects, followed by dead ones: empty, and kept for their buffers.
    objects: Vec<Object>,
    /// How many of them exist or existed in this run.
    used: usize,
    heap_rest: VecDeque<u32>,
    stack_rest: VecDeque<u32>,
    pool: Vec<Content>,
    names: Arc<Vec<String>>,
    /// Objects of the image that this memory started from that have changed.
    touched: Vec<u32>,
    /// Number of objects of the image.
    image: usize,
    /// Bytes of live objects.
    live: u64,
    limit: u64,
    work: Work,
    noticed: Noticed,
    /// Reads of uninitialised memory.
    pub undefined_reads: u64,
    /// Uninitialised bits that the current store writes back to their place: the address of their
    /// unit, and which.
    kept: Option<(u64, u128)>,
    /// Whether such a read is a fault.
    pub strict: bool,
    /// Whether freed windows are reused at once, the last one first.
    pub(crate) hasty: bool,
}

/// Bytes touched in bulk and not accounted for yet. Atomic only so that a memory can be shared; one
/// machine at a time uses it.
#[derive(Debug, Default)]
struct Work(AtomicU64);

impl Work {
    fn add(&self, bytes: u64) {
        let sum = self.0.load(Relaxed).saturating_add(bytes.min(MAX_OBJECT));
        self.0.store(sum, Relaxed);
    }
}

impl Clone for Work {
    fn clone(&self) -> Work {
        Work(AtomicU64::new(self.0.load(Relaxed)))
    }
}

/// Objects that every process has, by the number of their name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemName {
    Arguments = 1,
    Environment = 2,
}

/// The request does not fit within the memory bound.
#[derive(Clone, Copy, Debug)]
pub struct OutOfMemory;

impl Memory {
    pub fn new(limit: u64) -> Memory {
        let reserved = Object { store: Store::Constant(Arc::default()), ..Object::unborn() };
        Memory {
            objects: vec![reserved; RESERVED_WINDOWS],
            used: RESERVED_WINDOWS,
            heap_rest: VecDeque::new(),
            stack_rest: VecDeque::new(),
            pool: Vec::new(),
            names: Arc::new(["", "argv", "environ"].map(str::to_owned).to_vec()),
            touched: Vec::new(),
            image: 0,
            live: 0,
            limit,
            work: Work::default(),
            noticed: Noticed::default(),
            undefined_reads: 0,
            kept: None,
            strict: false,
            hasty: false,
        }
    }

    /// A second memory with the same contents. Cheap: contents are shared until written.
    pub fn fork(&mut self) -> Memory {
        self.objects.truncate(self.used);
        for object in &mut self.objects {
            if object.life == Life::Freed {
                object.empty();
            } else if let Store::Own(content) = &mut object.store {
                object.store = Store::Shared(Arc::new(std::mem::take(content)));
            }
        }
        let pool = std::mem::take(&mut self.pool);
        let copy = self.clone();
        self.pool = pool;
        copy
    }

    /// A memory that starts like this one, and can be reset to it cheaply.
    pub fn start(&self) -> Memory {
        let mut memory = self.clone();
        memory.image = memory.used;
        memory
    }

    /// Resets this memory, which was started from the image.
    pub fn reset(&mut self, image: &Memory) {
        self.objects.truncate(self.image + MOST_SPARE);
        let born = self.used.min(self.objects.len());
        for object in &mut self.objects[self.image.min(born)..born] {
            object.empty();
        }
        self.used = self.image;
        let objects = &mut self.objects;
        self.touched.retain(|&index| {
            let original = &image.objects[index as usize];
            objects[index as usize].restore(original)
        });
        self.heap_rest.clone_from(&image.heap_rest);
        self.stack_rest.clone_from(&image.stack_rest);
        if !Arc::ptr_eq(&self.names, &image.names) {
            self.names.clone_from(&image.names);
        }
        self.live = image.live;
        self.work = Work::default();
        self.undefined_reads = 0;
        self.kept = None;
        self.hasty = false;
    }

    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    pub fn live_bytes(&self) -> u64 {
        self.live
    }

    /// Whether a program that continues from here can distinguish this memory from another.
    pub(crate) fn is_like(&self, other: &Memory) -> bool {
        // Destructured, so that no part can be forgotten.
        let Memory {
            objects,
            used,
            heap_rest,
            stack_rest,
            pool: _,
            names: _,
            touched: _,
            image: _,
            live,
            limit,
            work: _,
            noticed: _,
            undefined_reads: _,
            kept,
            strict,
            hasty,
        } = self;
        (*used, *live, *limit) == (other.used, other.live, other.limit)
            && *kept == other.kept
            && (*strict, *hasty) == (other.strict, other.hasty)
            && *heap_rest == other.heap_rest
            && *stack_rest == other.stack_rest
            && objects[..*used]
                .iter()
                .zip(&other.objects[..*used])
                .all(|(one, other)| one.is_like(other))
    }

    /// How many objects exist or existed in this run.
    pub(crate) fn object_count(&self) -> usize {
        self.used
    }

    /// Records reads of bytes that the methods here only exposed.
    pub fn note_work(&self, bytes: u64) {
        self.work.add(bytes);
    }

    /// Bytes touched in bulk since the last time.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(self.work.0.get_mut())
    }

    /// The address of the object that a new memory creates after `index` others.
    pub fn object_address(index: usize) -> u64 {
        address_of(RESERVED_WINDOWS + index)
    }

    /// The window of an address, and its offset from the start of the object there.
    pub fn split(address: u64) -> (u32, i64) {
        let offset = (address & ((1 << WINDOW_BITS) - 1)) as i64 - FIRST_BYTE as i64;
        ((address >> WINDOW_BITS) as u32, offset)
    }

    pub fn function_address(index: u32) -> u64 {
        (CODE_WINDOW << WINDOW_BITS) + FIRST_BYTE + u64::from(index) * CODE_STRIDE
    }

    pub fn function_at(address: u64) -> Option<u32> {
        coded(address, CODE_WINDOW)
    }

    pub fn label_address(index: u32) -> u64 {
        (LABEL_WINDOW << WINDOW_BITS) + FIRST_BYTE + u64::from(index) * CODE_STRIDE
    }

    pub fn label_at(address: u64) -> Option<u32> {
        coded(address, LABEL_WINDOW)
    }

    /// Creates an object and returns its address.
    pub fn allocate(&mut self, what: Allocation) -> Result<u64, OutOfMemory> {
        let kept = self.live.saturating_add(self.used as u64 * OBJECT_BYTES);
        if what.size > MAX_OBJECT || kept.saturating_add(what.size) > self.limit {
            return Err(OutOfMemory);
        }
        self.live += what.size;
        self.work.add(what.size);
        let index = self.free_window(what.kind);
        let object = &mut self.objects[index];
        object.life = Life::Live;
        object.kind = what.kind;
        object.size = what.size as u32;
        object.name = 0;
        object.allocated = what.site;
        object.freed = None;
        let Store::Own(content) = &mut object.store else {
            object.store = Store::Own(Content::new(what.size as usize, what.defined));
            return Ok(address_of(index));
        };
        if content.bytes.capacity() == 0
            && let Some(kept) = self.pool.pop()
        {
            *content = kept;
        }
        content.renew(what.size as usize, what.defined);
        Ok(address_of(index))
    }

    /// Creates an object of the C library with these bytes, followed by some zeros.
    pub fn allocate_system(&mut self, bytes: &[u8], zeros: u64) -> Result<u64, OutOfMemory> {
        let size = bytes.len() as u64 + zeros;
        let what = Allocation { kind: ObjectKind::System, size, defined: true, site: None };
        let address = self.allocate(what)?;
        self.notice_write(address, size);
        if let Store::Own(content) = &mut self.objects[(address >> WINDOW_BITS) as usize].store {
            content.bytes[..bytes.len()].copy_from_slice(bytes);
        }
        Ok(address)
    }

    /// A window without an object, or with a freed one that waited long enough.
    fn free_window(&mut self, kind: ObjectKind) -> usize {
        let (rest, quarantine) = match kind {
            ObjectKind::Stack => (&mut self.stack_rest, STACK_QUARANTINE),
            _ => (&mut self.heap_rest, HEAP_QUARANTINE),
        };
        if self.hasty
            && let Some(index) = rest.pop_back()
        {
            return index as usize;
        }
        if rest.len() > quarantine
            && let Some(index) = rest.pop_front()
        {
            return index as usize;
        }
        if self.used == self.objects.len() {
            self.objects.push(Object::unborn());
        }
        self.used += 1;
        self.used - 1
    }

    /// An object that exists or existed in this run.
    fn object(&self, index: usize) -> Option<&Object> {
        self.objects[..self.used].get(index)
    }

    /// Gives the object at an address a name for reports.
    pub fn name(&mut self, address: u64, name: &str) {
        let names = Arc::make_mut(&mut self.names);
        if let Some(object) = self.objects.get_mut((address >> WINDOW_BITS) as usize) {
            object.name = names.len() as u32;
            names.push(name.to_owned());
        }
    }

    /// As `name`, for names that every memory has.
    pub fn name_system(&mut self, address: u64, name: SystemName) {
        if let Some(object) = self.objects.get_mut((address >> WINDOW_BITS) as usize) {
            object.name = name as u32;
        }
    }

    /// Makes the object at an address read-only.
    pub fn seal(&mut self, address: u64) {
        let index = (address >> WINDOW_BITS) as usize;
        let Some(object) = self.objects.get_mut(index) else { return };
        object.store = match &mut object.store {
            Store::Own(content) => Store::Constant(Arc::new(std::mem::take(content))),
            Store::Shared(content) | Store::Constant(content) => Store::Constant(content.clone()),
        };
    }

    /// Ends the life of the heap block that starts at the address.
    pub fn free(&mut self, address: u64, site: Option<Site>) -> MemoryResult<()> {
        let object = self.heap_block(address)?;
        if object.life == Life::Freed {
            let kind = FaultKind::DoubleFree { object: self.describe(address) };
            return Err(self.violation(kind, address));
        }
        self.release((address >> WINDOW_BITS) as usize, site);
        Ok(())
    }

    /// Size of the live heap block that starts at the address.
    pub fn block_size(&self, address: u64) -> MemoryResult<u64> {
        let object = self.heap_block(address)?;
        if object.life == Life::Freed {
            let kind = FaultKind::DoubleFree { object: self.describe(address) };
            return Err(self.violation(kind, address));
        }
        Ok(u64::from(object.size))
    }

    fn heap_block(&self, address: u64) -> MemoryResult<&Object> {
        match self.object((address >> WINDOW_BITS) as usize) {
            Some(object) if object.kind == ObjectKind::Heap && offset_of(address) == Some(0) => {
                Ok(object)
            }
            _ => Err(self.violation(FaultKind::InvalidFree { address }, address)),
        }
    }

    pub fn local_size(&self, address: u64) -> u64 {
        u64::from(self.objects[(address >> WINDOW_BITS) as usize].size)
    }

    /// Ends the life of a local object when its function returns; returns its size.
    pub fn free_local(&mut self, address: u64) -> u64 {
        let index = (address >> WINDOW_BITS) as usize;
        let size = u64::from(self.objects[index].size);
        self.release(index, None);
        size
    }

    fn release(&mut self, index: usize, site: Option<Site>) {
        let object = &mut self.objects[index];
        self.live -= u64::from(object.size);
        object.life = Life::Freed;
        object.freed = site;
        if object.kind == ObjectKind::Stack {
            object.empty();
            self.stack_rest.push_back(index as u32);
        } else {
            let store = std::mem::replace(&mut object.store, Store::Own(Content::default()));
            keep_buffer(&mut self.pool, store);
            self.heap_rest.push_back(index as u32);
        }
        if index < self.image {
            self.touched.push(index as u32);
        }
    }

    /// Reads `N` bytes; `None` for every case off the fast path.
    #[inline(always)]
    fn quick_read<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let object = self.objects.get((address >> WINDOW_BITS) as usize)?;
        let offset = (address as u32).wrapping_sub(FIRST_BYTE as u32) as usize;
        let content = object.store.content();
        let bytes = content.bytes.get(offset..offset + N)?;
        match content.defined.get(offset..offset + N) {
            Some(written) if written != [DEFINED; N] => None,
            _ => bytes.try_into().ok(),
        }
    }

    #[inline(always)]
    fn quick_write<const N: usize>(&mut self, address: u64, value: [u8; N]) -> Option<()> {
        let object = self.objects.get_mut((address >> WINDOW_BITS) as usize)?;
        let offset = (address as u32).wrapping_sub(FIRST_BYTE as u32) as usize;
        let Store::Own(content) = &mut object.store else { return None };
        if !content.shades.is_empty() {
            return None;
        }
        content.bytes.get_mut(offset..offset + N)?.copy_from_slice(&value);
        if !content.defined.is_empty() {
            content.defined[offset..offset + N].fill(DEFINED);
        }
        Some(())
    }

    #[inline(always)]
    pub fn read<const N: usize>(&mut self, address: u64) -> MemoryResult<[u8; N]> {
        match self.quick_read(address) {
            Some(bytes) => Ok(bytes),
            None => self.slow_read(address, None),
        }
    }

    /// As `read`, by an operation that may use only some of the bits. Returns whether these are
    /// uninitialised.
    #[inline(always)]
    pub(crate) fn read_by<const N: usize>(
        &mut self,
        address: u64,
        code: &Code,
        pc: usize,
    ) -> MemoryResult<([u8; N], bool)> {
        match self.quick_read(address) {
            Some(bytes) => Ok((bytes, false)),
            None => self.slow_read_by(address, code, pc),
        }
    }

    #[cold]
    #[inline(never)]
    fn slow_read_by<const N: usize>(
        &mut self,
        address: u64,
        code: &Code,
        pc: usize,
    ) -> MemoryResult<([u8; N], bool)> {
        let before = self.undefined_reads;
        let bytes = self.slow_read(address, code.partial_read(pc))?;
        Ok((bytes, self.undefined_reads != before))
    }

    #[cold]
    #[inline(never)]
    fn slow_read<const N: usize>(
        &mut self,
        address: u64,
        part: Option<PartialRead>,
    ) -> MemoryResult<[u8; N]> {
        let mut bytes = [0; N];
        let content = self.checked(address, N as u64, Access::Read)?;
        let offset = offset_of(address).expect("checked") as usize;
        bytes.copy_from_slice(&content.bytes[offset..offset + N]);
        self.notice_undefined(address, N, part)?;
        Ok(bytes)
    }

    /// Accounts for a read of up to 16 bytes within an object. If the relevant bits are not known,
    /// a partly written value counts as written: it may be a struct with gaps.
    pub(crate) fn notice_undefined(
        &mut self,
        address: u64,
        size: usize,
        part: Option<PartialRead>,
    ) -> MemoryResult<()> {
        let content = self.checked(address, size as u64, Access::Read)?;
        let offset = offset_of(address).expect("checked") as usize;
        let Some(written) = content.defined.get(offset..offset + size) else { return Ok(()) };
        let mut bits = [DEFINED; 16];
        bits[..size].copy_from_slice(written);
        let undefined = !u128::from_le_bytes(bits);
        let is_read = match part {
            None => written.iter().all(|&bits| bits == 0),
            Some(PartialRead { used, kept, .. }) => {
                let kept = undefined & u128::from(kept);
                self.kept = (kept != 0).then_some((address, kept));
                undefined & u128::from(used) != 0
            }
        };
        if is_read {
            self.undefined_read(address, size as u64)?;
        }
        Ok(())
    }

    /// Ends a store that wrote bits back to their place: uninitialised ones stay uninitialised.
    #[inline(always)]
    pub(crate) fn put_back(&mut self) {
        if self.kept.is_some() {
            self.put_back_undefined();
        }
    }

    #[cold]
    fn put_back_undefined(&mut self) {
        let Some((address, bits)) = self.kept.take() else { return };
        let size = (128 - bits.leading_zeros()).div_ceil(8) as u64;
        // The store that comes before succeeded, so the range can be written.
        let Ok((content, offset)) = self.own_content(address, size) else { return };
        let written = content.defined.iter_mut().skip(offset);
        for (written, undefined) in written.zip(bits.to_le_bytes()) {
            *written &= !undefined;
        }
    }

    fn undefined_read(&mut self, address: u64, size: u64) -> MemoryResult<()> {
        self.undefined_reads += 1;
        if self.strict {
            Err(self.violation(FaultKind::Uninitialised { size }, address))
        } else {
            Ok(())
        }
    }

    #[inline(always)]
    pub fn write<const N: usize>(&mut self, address: u64, value: [u8; N]) -> MemoryResult<()> {
        match self.quick_write(address, value) {
            Some(()) => Ok(()),
            None => {
                self.range_mut(address, N as u64)?.copy_from_slice(&value);
                Ok(())
            }
        }
    }

    pub fn read_u8(&mut self, address: u64) -> MemoryResult<u8> {
        self.notice_at(address, 1);
        Ok(u8::from_le_bytes(self.read(address)?))
    }

    pub fn read_u32(&mut self, address: u64) -> MemoryResult<u32> {
        self.notice_at(address, 4);
        Ok(u32::from_le_bytes(self.read(address)?))
    }

    pub fn read_u64(&mut self, address: u64) -> MemoryResult<u64> {
        self.notice_at(address, 8);
        Ok(u64::from_le_bytes(self.read(address)?))
    }

    pub fn write_u8(&mut self, address: u64, value: u8) -> MemoryResult<()> {
        self.notice_write(address, 1);
        self.write(address, value.to_le_bytes())
    }

    pub fn write_u32(&mut self, address: u64, value: u32) -> MemoryResult<()> {
        self.notice_write(address, 4);
        self.write(address, value.to_le_bytes())
    }

    pub fn write_u64(&mut self, address: u64, value: u64) -> MemoryResult<()> {
        self.notice_write(address, 8);
        self.write(address, value.to_le_bytes())
    }

    /// A range of bytes within one object. An empty range may be anywhere.
    pub fn bytes(&self, address: u64, size: u64) -> MemoryResult<&[u8]> {
        if size == 0 {
            return Ok(&[]);
        }
        self.work.add(size);
        let content = self.checked(address, size, Access::Read)?;
        self.notice(content, address, size);
        let offset = offset_of(address).expect("checked") as usize;
        Ok(&content.bytes[offset..offset + size as usize])
    }

    /// The bytes from an address to the end of its object.
    pub fn bytes_from(&self, address: u64) -> MemoryResult<&[u8]> {
        let content = self.checked(address, 1, Access::Read)?;
        // Callers look for the end of a string.
        if self.noticed.watching || self.noticed.counting {
            let rest = &content.bytes[offset_of(address).expect("checked") as usize..];
            let length = memchr::memchr(0, rest).map_or(rest.len(), |length| length + 1);
            self.notice(content, address, length as u64);
        }
        Ok(&content.bytes[offset_of(address).expect("checked") as usize..])
    }

    /// The bytes before the next NUL.
    pub fn c_string(&self, address: u64) -> MemoryResult<&[u8]> {
        let rest = self.bytes_from(address)?;
        match memchr::memchr(0, rest) {
            Some(length) => {
                self.work.add(length as u64);
                Ok(&rest[..length])
            }
            // The read runs off the end of the object.
            None => self.bytes(address, rest.len() as u64 + 1),
        }
    }

    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> MemoryResult<()> {
        self.bytes_mut(address, bytes.len() as u64)?.copy_from_slice(bytes);
        Ok(())
    }

    pub fn fill(&mut self, address: u64, byte: u8, size: u64) -> MemoryResult<()> {
        self.bytes_mut(address, size)?.fill(byte);
        Ok(())
    }

    /// A range to be overwritten: it counts as defined from here on.
    pub fn bytes_mut(&mut self, address: u64, size: u64) -> MemoryResult<&mut [u8]> {
        if size == 0 {
            return Ok(&mut []);
        }
        self.work.add(size);
        self.notice_write(address, size);
        self.range_mut(address, size)
    }

    /// As `bytes_mut`, for a size that is not 0. A write by a single instruction is no bulk work,
    /// whether or not its object is shared.
    fn range_mut(&mut self, address: u64, size: u64) -> MemoryResult<&mut [u8]> {
        let (content, offset) = self.own_content(address, size)?;
        let end = offset + size as usize;
        if !content.defined.is_empty() {
            content.defined[offset..end].fill(DEFINED);
        }
        if !content.shades.is_empty() {
            content.shades[offset..end].fill(Shade::default());
        }
        Ok(&mut content.bytes[offset..end])
    }

    fn own_content(&mut self, address: u64, size: u64) -> MemoryResult<(&mut Content, usize)> {
        self.checked(address, size, Access::Write)?;
        let index = (address >> WINDOW_BITS) as usize;
        let object = &mut self.objects[index];
        let offset = offset_of(address).expect("checked") as usize;
        if let Store::Shared(shared) = &mut object.store {
            object.store = Store::Own(Arc::unwrap_or_clone(std::mem::take(shared)));
            if index < self.image {
                self.touched.push(index as u32);
            }
        }
        match &mut object.store {
            Store::Own(content) => Ok((content, offset)),
            Store::Shared(_) | Store::Constant(_) => unreachable!("checked to be writable"),
        }
    }

    fn checked(&self, address: u64, size: u64, access: Access) -> MemoryResult<&Content> {
        let Some(object) = self.object((address >> WINDOW_BITS) as usize) else {
            return Err(self.violation(FaultKind::Wild { access, address, size }, address));
        };
        let content = object.store.content();
        let fits = object.life == Life::Live
            && offset_of(address)
                .and_then(|offset| offset.checked_add(size))
                .is_some_and(|end| end <= content.bytes.len() as u64);
        match &object.store {
            Store::Constant(_) if fits && access == Access::Write => {
                let object = self.describe(address);
                Err(self.violation(FaultKind::WriteToConstant { object }, address))
            }
            _ if fits => Ok(content),
            _ => Err(self.bad_access(address, size, access)),
        }
    }
}

/// Keeps a buffer for the next object.
fn keep_buffer(pool: &mut Vec<Content>, store: Store) {
    if let Store::Own(mut content) = store
        && content.bytes.capacity() <= POOLED_BYTES
        && pool.len() < 64
    {
        content.clear();
        pool.push(content);
    }
}

fn address_of(index: usize) -> u64 {
    ((index as u64) << WINDOW_BITS) + FIRST_BYTE
}

fn offset_of(address: u64) -> Option<u64> {
    (address & 0xffff_ffff).checked_sub(FIRST_BYTE)
}

fn coded(address: u64, window: u64) -> Option<u32> {
    let offset = offset_of(address)?;
    let aligned = offset.is_multiple_of(CODE_STRIDE);
    (address >> WINDOW_BITS == window && aligned).then_some((offset / CODE_STRIDE) as u32)
}

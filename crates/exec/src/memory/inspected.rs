//! Memory as it is after a run. Nothing here counts as a read of the program.

use super::object::{Life, Object, Store};
use super::{Memory, RESERVED_WINDOWS, WINDOW_BITS, address_of};
use crate::stop::ObjectKind;

/// A live object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectView {
    pub start: u64,
    pub size: u64,
    /// Whether it can never be written.
    pub constant: bool,
}

/// An object as it is.
#[derive(Clone, Copy, Debug)]
pub struct Inspected<'m> {
    pub start: u64,
    pub kind: ObjectKind,
    /// Whether it was freed.
    pub is_freed: bool,
    /// Whether it can never be written.
    pub is_constant: bool,
    /// Whether it may have been written to since the program started.
    pub is_touched: bool,
    pub bytes: &'m [u8],
    /// By byte, the bits that were written; empty if all were.
    pub written: &'m [u8],
}

impl Memory {
    /// The live object whose window an address lies in.
    pub fn object_at(&self, address: u64) -> Option<ObjectView> {
        let index = (address >> WINDOW_BITS) as usize;
        let object = self.object(index).filter(|object| object.life == Life::Live)?;
        let constant = matches!(object.store, Store::Constant(_));
        Some(ObjectView { start: address_of(index), size: object.size.into(), constant })
    }

    /// The object whose window contains an address, even if it was freed.
    pub fn inspect(&self, address: u64) -> Option<Inspected<'_>> {
        let index = (address >> WINDOW_BITS) as usize;
        let object = self.object(index).filter(|_| index >= RESERVED_WINDOWS)?;
        let content = object.store.content();
        Some(Inspected {
            start: address_of(index),
            kind: object.kind,
            is_freed: object.life == Life::Freed,
            is_constant: matches!(object.store, Store::Constant(_)),
            is_touched: matches!(object.store, Store::Own(_)),
            bytes: &content.bytes,
            written: &content.defined,
        })
    }

    /// Heap blocks that exist, by their addresses.
    pub fn heap_blocks(&self) -> impl Iterator<Item = u64> + '_ {
        let is_live =
            |object: &Object| object.life == Life::Live && object.kind == ObjectKind::Heap;
        let objects = self.objects[..self.used].iter().enumerate();
        objects.filter(move |(_, object)| is_live(object)).map(|(index, _)| address_of(index))
    }
}

//! Objects of memory: their bytes, initialisation and shadows.
//!
//! Objects do not know addresses; the memory decides which of them exist.

use std::sync::Arc;

use crate::stop::{ObjectKind, Site};

/// The mark of a fully initialised byte.
pub(super) const DEFINED: u8 = 0xff;
/// Buffers of up to this many bytes are kept for the next object.
pub(super) const POOLED_BYTES: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// For each byte the bits of it that were written; empty if all bytes are defined.
    pub(super) defined: Vec<u8>,
    /// The shadow of each byte; empty if no byte has one.
    pub(super) shades: Vec<Shade>,
}

impl Clone for Content {
    fn clone(&self) -> Content {
        let Content { bytes, defined, shades } = self;
        Content { bytes: bytes.clone(), defined: defined.clone(), shades: shades.clone() }
    }

    fn clone_from(&mut self, other: &Content) {
        self.bytes.clone_from(&other.bytes);
        self.defined.clone_from(&other.defined);
        self.shades.clone_from(&other.shades);
    }
}

impl Content {
    pub(super) fn new(size: usize, defined: bool) -> Content {
        let flags = if defined { 0 } else { size };
        Content { bytes: vec![0; size], defined: vec![0; flags], shades: Vec::new() }
    }

    /// Makes zeros of an empty one.
    pub(super) fn renew(&mut self, size: usize, defined: bool) {
        if size > POOLED_BYTES {
            // New zeros cost nothing until they are touched.
            *self = Content::new(size, defined);
            return;
        }
        self.bytes.resize(size, 0);
        if !defined {
            self.defined.resize(size, 0);
        }
    }

    /// Makes it empty; keeps the buffers if they are small.
    pub(super) fn clear(&mut self) {
        if self.bytes.capacity() > POOLED_BYTES {
            *self = Content::default();
            return;
        }
        self.bytes.clear();
        self.defined.clear();
        self.shades.clear();
    }
}

/// How a byte of memory depends on the input: it is one byte of a shadowed value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shade {
    /// The shadow of the value; 0 for a byte without one.
    pub shadow: u32,
    /// Which byte of the value, lowest first, and how many it has.
    pub part: u8,
    pub size: u8,
}

#[derive(Clone, Debug)]
pub(super) enum Store {
    /// Belongs to this memory alone.
    Own(Content),
    /// May be shared with forks; copied before the first write.
    Shared(Arc<Content>),
    /// Never written.
    Constant(Arc<Content>),
}

impl Store {
    #[inline(always)]
    pub(super) fn content(&self) -> &Content {
        match self {
            Store::Own(content) => content,
            Store::Shared(content) | Store::Constant(content) => content,
        }
    }
}

impl Store {
    /// Whether the same bytes can be read, and written, in both.
    fn is_like(&self, other: &Store) -> bool {
        let is_constant = |store: &Store| matches!(store, Store::Constant(_));
        let (one, another) = (self.content(), other.content());
        is_constant(self) == is_constant(other)
            && (std::ptr::eq(one, another)
                || one.bytes == another.bytes && one.defined == another.defined)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Live,
    Freed,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) store: Store,
    pub(super) life: Life,
    pub(super) kind: ObjectKind,
    pub(super) size: u32,
    /// Number of the name in `Memory::names`, 0 for none.
    pub(super) name: u32,
    pub(super) allocated: Option<Site>,
    pub(super) freed: Option<Site>,
}

impl Object {
    pub(super) fn unborn() -> Object {
        Object {
            store: Store::Own(Content::default()),
            life: Life::Freed,
            kind: ObjectKind::System,
            size: 0,
            name: 0,
            allocated: None,
            freed: None,
        }
    }

    /// Whether they have the same life and the same bytes.
    pub(super) fn is_like(&self, other: &Object) -> bool {
        (self.life, self.kind, self.size) == (other.life, other.kind, other.size)
            && (self.life == Life::Freed || self.store.is_like(&other.store))
    }

    /// Removes its bytes, so that every access leaves the fast path.
    pub(super) fn empty(&mut self) {
        self.life = Life::Freed;
        match &mut self.store {
            Store::Own(content) => content.clear(),
            Store::Shared(_) | Store::Constant(_) => self.store = Store::Own(Content::default()),
        }
    }

    /// Resets it to its state in the image. Returns whether it has bytes of its own nevertheless.
    pub(super) fn restore(&mut self, original: &Object) -> bool {
        match &mut self.store {
            Store::Own(content)
                if self.life == Life::Live && content.bytes.len() <= POOLED_BYTES =>
            {
                content.clone_from(original.store.content());
                true
            }
            _ => {
                self.clone_from(original);
                false
            }
        }
    }
}

//! Reads and writes by functions of the machine, for observers that ask.

use std::sync::{Mutex, PoisonError};

use super::{Content, Memory, Shade, WINDOW_BITS, offset_of};

/// Shadowed bytes that functions of the machine read, recorded on request. A lock
/// only so that a memory can be shared; one machine at a time uses it.
#[derive(Debug, Default)]
pub(super) struct Noticed {
    pub(super) watching: bool,
    bytes: Mutex<Vec<NoticedByte>>,
    /// Whether all ranges are recorded.
    pub(super) counting: bool,
    traffic: Mutex<Traffic>,
}

/// A shadowed byte that a function of the machine read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoticedByte {
    pub address: u64,
    pub shade: Shade,
    pub byte: u8,
}

impl Clone for Noticed {
    fn clone(&self) -> Noticed {
        Noticed::default()
    }
}

/// Ranges of memory that functions of the machine read and wrote: address and size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub reads: Vec<(u64, u64)>,
    pub writes: Vec<(u64, u64)>,
}

impl Memory {
    /// Starts recording which shadowed bytes are read other than by instructions.
    pub(crate) fn watch_reads(&mut self) {
        self.noticed.watching = true;
        self.noticed.bytes.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Stops recording; returns the bytes that were read.
    pub(crate) fn watched_reads(&mut self) -> Vec<NoticedByte> {
        self.noticed.watching = false;
        std::mem::take(self.noticed.bytes.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts recording which ranges are read and written other than by instructions.
    pub fn watch_traffic(&mut self) {
        self.noticed.counting = true;
        *self.noticed.traffic.get_mut().unwrap_or_else(PoisonError::into_inner) =
            Traffic::default();
    }

    /// Stops recording; returns the ranges, each list in the order of the accesses.
    pub fn watched_traffic(&mut self) -> Traffic {
        self.noticed.counting = false;
        std::mem::take(self.noticed.traffic.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    #[inline]
    pub(super) fn notice_write(&mut self, address: u64, size: u64) {
        if self.noticed.counting {
            let traffic = self.noticed.traffic.get_mut().unwrap_or_else(PoisonError::into_inner);
            traffic.writes.push((address, size));
        }
    }

    /// Some bytes of an object are read other than by an instruction.
    #[inline]
    pub(super) fn notice(&self, content: &Content, address: u64, size: u64) {
        if self.noticed.counting {
            let mut traffic = self.noticed.traffic.lock().unwrap_or_else(PoisonError::into_inner);
            traffic.reads.push((address, size));
        }
        if !self.noticed.watching || content.shades.is_empty() {
            return;
        }
        let offset = offset_of(address).unwrap_or(0) as usize;
        let end = offset.saturating_add(size as usize).min(content.bytes.len());
        let mut noticed = self.noticed.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        for at in offset..end {
            let (shade, byte) = (content.shades[at], content.bytes[at]);
            if shade.shadow != 0 {
                let address = address + (at - offset) as u64;
                noticed.push(NoticedByte { address, shade, byte });
            }
        }
    }

    #[inline]
    pub(super) fn notice_at(&self, address: u64, size: u64) {
        if (self.noticed.watching || self.noticed.counting)
            && let Some(object) = self.objects.get((address >> WINDOW_BITS) as usize)
        {
            self.notice(object.store.content(), address, size);
        }
    }
}

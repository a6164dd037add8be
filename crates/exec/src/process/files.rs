//! The `FILE` objects of a process.

use crate::libc::stream::StreamId;

/// The `FILE` objects of a process, by stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    addresses: Vec<u64>,
}

impl Files {
    /// The address of standard input; null before the run.
    pub(crate) fn stdin(&self) -> u64 {
        self.addresses.first().copied().unwrap_or(0)
    }

    /// Which of standard input (0), standard output (1) and standard error (2) an address is.
    pub fn standard(&self, address: u64) -> Option<i32> {
        let mut first = self.addresses.iter().take(3);
        let at = first.position(|&known| known == address && address != 0)?;
        Some(at as i32)
    }

    /// The largest number of streams that existed at the same time.
    pub(crate) fn count(&self) -> usize {
        self.addresses.len()
    }

    /// Whether a stream exists.
    pub fn is_stream(&self, address: u64) -> bool {
        self.find(address).is_some()
    }

    pub(crate) fn find(&self, address: u64) -> Option<StreamId> {
        let at = self.addresses.iter().position(|&known| known == address && address != 0)?;
        Some(StreamId(at as u32))
    }

    pub(crate) fn set(&mut self, id: StreamId, address: u64) {
        let index = id.0 as usize;
        if self.addresses.len() <= index {
            self.addresses.resize(index + 1, 0);
        }
        self.addresses[index] = address;
    }
}

//! How much memory this process uses, and a bound on it.
//!
//! Reads `/proc`, which is the one thing that this crate asks the system for. Where there is no
//! such thing, no bound is ever reached.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Looks at a bound for each look at the system, which takes about as long as a short run.
const LOOKS: u32 = 8;
/// Bytes of a page, as x86-64 has it.
const PAGE: u64 = 4096;

/// Bytes that may be resident. Copies share what was last seen of the process.
#[derive(Clone, Debug)]
pub struct Bound {
    most: u64,
    seen: Arc<Seen>,
}

/// What was last seen of the process.
#[derive(Debug, Default)]
struct Seen {
    looks: AtomicU32,
    resident: AtomicU64,
}

impl Bound {
    pub fn new(most: u64) -> Bound {
        Bound { most, seen: Arc::default() }
    }

    /// A bound at so many eighths of this one.
    pub fn eighths(&self, part: u64) -> Bound {
        Bound { most: self.most / 8 * part, seen: Arc::clone(&self.seen) }
    }

    /// Whether the process has that much memory, as far as is known: it is asked for rarely, so
    /// that this may be called often.
    pub fn is_reached(&self) -> bool {
        if self.seen.looks.fetch_add(1, Relaxed).is_multiple_of(LOOKS) {
            self.look();
        }
        self.seen.resident.load(Relaxed) >= self.most
    }

    /// The same after memory was given back to the system, which takes some time.
    pub fn is_reached_still(&self) -> bool {
        give_back();
        self.look();
        self.seen.resident.load(Relaxed) >= self.most
    }

    fn look(&self) {
        self.seen.resident.store(resident().unwrap_or(0), Relaxed);
    }
}

/// Bytes of this process that are resident.
pub fn resident() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Bytes that can be used on this machine without swapping.
pub fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Gives memory that is free within this process back to the system.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn give_back() {
    // SAFETY: `malloc_trim` takes the locks of the allocator that it needs, may be called from any
    // thread at any time, and touches nothing that is allocated.
    unsafe { libc::malloc_trim(0) };
}

/// Only glibc keeps what is free for itself.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_memory_and_less_than_all() {
        let resident = resident().expect("there is /proc");
        assert!(resident > 100_000, "{resident}");
        assert!(!Bound::new(u64::MAX).is_reached());
        assert!(Bound::new(1).is_reached());
        assert!(Bound::new(1).is_reached_still());
        assert!(available().is_some_and(|available| available > 0));
    }

    #[test]
    fn a_part_of_a_bound_is_reached_first() {
        let most = 2 * resident().expect("there is /proc") + (64 << 20);
        let bound = Bound::new(most);
        assert!(!bound.is_reached());
        assert!(bound.eighths(1).most < bound.most);
        assert!(Bound::new(8).eighths(0).is_reached());
    }
}

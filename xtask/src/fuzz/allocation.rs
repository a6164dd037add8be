//! Counts the memory of a case, and ends a process that takes far too much.
//!
//! Counting is off until it is requested, so that other commands pay nothing for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// The system's allocator, with counters.
pub struct Counting;

static COUNTED: AtomicBool = AtomicBool::new(false);
/// Bytes allocated since counting began, minus freed ones.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
/// Beyond this, allocation fails and the process aborts.
const CEILING: isize = 3 << 30;

/// From here on, every allocation counts.
pub fn start_counting() {
    COUNTED.store(true, Relaxed);
}

/// Runs an action; returns its result and its peak memory in bytes.
pub fn measured<T>(act: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = act();
    let peak = PEAK.load(Relaxed) - before;
    (result, peak.max(0) as usize)
}

/// Whether this many more bytes are allowed.
fn grant(bytes: usize) -> bool {
    if !COUNTED.load(Relaxed) {
        return true;
    }
    let live = LIVE.fetch_add(bytes as isize, Relaxed) + bytes as isize;
    PEAK.fetch_max(live, Relaxed);
    live <= CEILING
}

fn give_back(bytes: usize) {
    if COUNTED.load(Relaxed) {
        LIVE.fetch_sub(bytes as isize, Relaxed);
    }
}

// SAFETY: every block comes from and returns to the system's allocator with the layout of the
// caller; a null pointer is the allowed answer to a refused request.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !grant(layout.size()) {
            return ptr::null_mut();
        }
        // SAFETY: the caller's guarantees to us are those that the system requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !grant(layout.size()) {
            return ptr::null_mut();
        }
        // SAFETY: the caller's guarantees to us are those that the system requires.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: the caller's guarantees to us are those that the system requires.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !grant(size) {
            return ptr::null_mut();
        }
        give_back(layout.size());
        // SAFETY: the caller's guarantees to us are those that the system requires.
        unsafe { System.realloc(block, layout, size) }
    }
}

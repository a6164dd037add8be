//! Counts the memory that a case takes, and ends a process that takes far too much.
//!
//! Counting is off until it is asked for, so that other commands pay nothing for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// The system's allocator, watched.
pub struct Counting;

static COUNTED: AtomicBool = AtomicBool::new(false);
/// Bytes allocated since counting began, less those given back.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);
/// Beyond this, allocation fails and the process aborts.
const CEILING: isize = 3 << 30;

/// From here on, every allocation counts.
pub fn start_counting() {
    COUNTED.store(true, Relaxed);
}

/// Runs an action and gives its result and how many bytes it needed at most at a time.
pub fn measured<T>(act: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = act();
    let peak = PEAK.load(Relaxed) - before;
    (result, peak.max(0) as usize)
}

/// Whether so many more bytes may be had.
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

// SAFETY: every block comes from and goes back to the system's allocator with the layout
// that the caller gave; a null pointer is the allowed answer to a request that is refused.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !grant(layout.size()) {
            return ptr::null_mut();
        }
        // SAFETY: what the caller promises us is what the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !grant(layout.size()) {
            return ptr::null_mut();
        }
        // SAFETY: what the caller promises us is what the system asks for.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: what the caller promises us is what the system asks for.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !grant(size) {
            return ptr::null_mut();
        }
        give_back(layout.size());
        // SAFETY: what the caller promises us is what the system asks for.
        unsafe { System.realloc(block, layout, size) }
    }
}

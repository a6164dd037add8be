//! Work that can be done side by side.

use std::thread::ScopedJoinHandle;

/// Does the same with OLD (0) and NEW (1) at a time.
pub(crate) fn both<T: Send>(of: impl Fn(usize) -> T + Sync) -> [T; 2] {
    let (old, new) = side_by_side(|| of(0), || of(1));
    [old, new]
}

/// Does two things at a time.
pub(crate) fn side_by_side<A: Send, B>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (join(one), other)
    })
}

/// Waits for a thread. Its panic is ours.
pub(crate) fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

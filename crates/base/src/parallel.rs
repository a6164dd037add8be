//! Work on several threads: one function on many items or on both versions, or two functions.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use crate::version::{Both, Version};

/// The number of threads that this machine runs at a time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Applies a function to all items on several threads; results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let work_off = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let result = work(item);
            results.lock().expect("no thread panics holding it").push((index, result));
        }
    };
    match threads.min(items.len()) {
        0 | 1 => work_off(),
        several => std::thread::scope(|scope| {
            for _ in 0..several {
                scope.spawn(work_off);
            }
        }),
    }
    let mut results = results.into_inner().expect("no thread panics holding it");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Applies a function to OLD and NEW in parallel.
pub fn both<T: Send>(of: impl Fn(Version) -> T + Sync) -> Both<T> {
    let (old, new) = side_by_side(|| of(Version::Old), || of(Version::New));
    [old, new]
}

/// Runs two functions in parallel.
pub fn side_by_side<A: Send, B>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (join(one), other)
    })
}

/// Waits for a thread and passes on its panic.
pub fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

//! Detects a case that does not end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// The start of the current case, in milliseconds from the first use; 0 for none.
static BEGAN: AtomicU64 = AtomicU64::new(0);
static ORIGIN: OnceLock<Instant> = OnceLock::new();

fn now() -> u64 {
    ORIGIN.get_or_init(Instant::now).elapsed().as_millis() as u64 + 1
}

/// Runs an action that counts as one case.
pub fn timed<T>(act: impl FnOnce() -> T) -> T {
    BEGAN.store(now(), Relaxed);
    let result = act();
    BEGAN.store(0, Relaxed);
    result
}

/// Runs an action within a case that may take long.
pub fn paused<T>(act: impl FnOnce() -> T) -> T {
    let before = BEGAN.swap(0, Relaxed);
    let start = now();
    let result = act();
    if before != 0 {
        BEGAN.store(before + (now() - start), Relaxed);
    }
    result
}

/// Calls `alarm` on a thread of its own if a case takes longer than the limit.
pub fn start(limit: Duration, alarm: impl Fn() + Send + 'static) {
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_millis(100));
            let began = BEGAN.load(Relaxed);
            if began != 0 && now().saturating_sub(began) > limit.as_millis() as u64 {
                alarm();
            }
        }
    });
}

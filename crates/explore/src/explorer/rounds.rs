//! Threads that work in rounds and meet in between, even if one of them panics.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};

use thiserror::Error;

/// A worker panicked. The results of the others until then say nothing about the whole.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("a worker of the exploration panicked, which is a fault of Ripple: {0}")]
pub struct WorkerPanicked(pub String);

/// A barrier that breaks when a thread will not arrive.
pub struct Barrier {
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: usize,
    /// How often all have met.
    met: u64,
    is_broken: bool,
}

/// A thread will not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

impl Barrier {
    pub fn new(threads: usize) -> Barrier {
        Barrier { threads, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits until all threads wait.
    pub fn wait(&self) -> Result<(), Broken> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting += 1;
        if state.waiting == self.threads {
            state.waiting = 0;
            state.met += 1;
            self.changed.notify_all();
        }
        let round = state.met + u64::from(state.waiting != 0);
        let state = self
            .changed
            .wait_while(state, |state| state.met < round && !state.is_broken)
            .unwrap_or_else(PoisonError::into_inner);
        if state.is_broken { Err(Broken) } else { Ok(()) }
    }

    fn break_up(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_broken = true;
        self.changed.notify_all();
    }
}

/// Runs the work of all threads that meet at a barrier. A panic of one of them ends it for all.
pub fn in_rounds<T: Send>(
    barrier: &Barrier,
    work: impl Fn(usize) -> Result<T, Broken> + Sync,
) -> Result<Vec<T>, WorkerPanicked> {
    let work = &work;
    let results: Vec<_> = std::thread::scope(|scope| {
        let one = |number: usize| {
            scope.spawn(move || {
                // Nobody reads the state of a worker after its panic.
                let result = catch_unwind(AssertUnwindSafe(|| work(number)));
                result.inspect_err(|_| barrier.break_up())
            })
        };
        let threads: Vec<_> = (0..barrier.threads).map(one).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(Err)).collect()
    });
    let mut all = Vec::with_capacity(results.len());
    let mut is_broken = false;
    for result in results {
        match result {
            Ok(Ok(part)) => all.push(part),
            Ok(Err(Broken)) => is_broken = true,
            Err(panic) => return Err(WorkerPanicked(message(&*panic))),
        }
    }
    if is_broken { Err(WorkerPanicked("nobody says why".to_owned())) } else { Ok(all) }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it does not say why").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Meets a few times; the last worker panics before its second meeting.
    fn meet(barrier: &Barrier, number: usize, threads: usize) -> Result<usize, Broken> {
        for round in 0..3 {
            assert!(number + 1 < threads || round < 1, "worker {number} of {threads}");
            barrier.wait()?;
        }
        Ok(number)
    }

    #[test]
    fn a_panic_of_one_worker_ends_the_work_of_all() {
        for threads in [1, 2, 5] {
            let barrier = Barrier::new(threads);
            let result = in_rounds(&barrier, |number| meet(&barrier, number, threads));
            let expected = format!("worker {} of {threads}", threads - 1);
            assert_eq!(result, Err(WorkerPanicked(expected)));
        }
    }

    #[test]
    fn without_a_panic_the_results_are_in_order() {
        for threads in [1, 4] {
            let barrier = Barrier::new(threads);
            let result = in_rounds(&barrier, |number| meet(&barrier, number, usize::MAX));
            assert_eq!(result, Ok((0..threads).collect()));
        }
    }
}

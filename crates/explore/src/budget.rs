//! What an exploration may spend, and how far it is. Besides the solver's deadline this is the
//! only place of the crate that reads the clock or asks how much memory there is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use base::memory::Bound;

/// Conflicts of the SAT solver on one question, unless something else is said.
const CONFLICTS: u32 = 50_000;

/// Bounds of an exploration; `None` for none.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    pub time: Option<Duration>,
    pub runs: Option<u64>,
    /// Time of the solver, over all workers.
    pub solver_time: Option<Duration>,
    /// Conflicts of the SAT solver on one question; a default if nothing is said.
    pub conflicts: Option<u32>,
    /// Memory of the whole process.
    pub memory: Option<Bound>,
}

/// What ended an exploration early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stopped {
    Time,
    Runs,
    SolverTime,
    Interrupted,
    Candidates,
    Memory,
}

/// How far an exploration is, for those who watch it, and the switch that ends it.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    counters: Arc<Counters>,
    stop: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct Counters {
    runs: AtomicU64,
    paths: AtomicU64,
    faults: AtomicU64,
    waiting: AtomicU64,
    /// The share of the space that is proved, in thousandths, and one more; 0 if nobody knows.
    proved: AtomicU64,
    solver_nanoseconds: AtomicU64,
}

/// Numbers at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    pub runs: u64,
    pub paths: u64,
    pub faults: u64,
    pub waiting: u64,
    /// The share of the space that is proved, in thousandths, if something is proved at all.
    pub proved: Option<u64>,
}

impl Progress {
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Ends the exploration soon; what it has found so far is its result.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            runs: self.counters.runs.load(Relaxed),
            paths: self.counters.paths.load(Relaxed),
            faults: self.counters.faults.load(Relaxed),
            waiting: self.counters.waiting.load(Relaxed),
            proved: self.counters.proved.load(Relaxed).checked_sub(1),
        }
    }

    /// The same counters with a switch of their own.
    pub(crate) fn with_own_switch(&self) -> Progress {
        Progress { counters: Arc::clone(&self.counters), stop: Arc::default() }
    }

    pub(crate) fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    pub(crate) fn add(&self, runs: u64, paths: u64, faults: u64) {
        self.counters.runs.fetch_add(runs, Relaxed);
        self.counters.paths.fetch_add(paths, Relaxed);
        self.counters.faults.fetch_add(faults, Relaxed);
    }

    pub(crate) fn set_waiting(&self, waiting: u64) {
        self.counters.waiting.store(waiting, Relaxed);
    }

    pub(crate) fn set_proved(&self, share: f64) {
        self.counters.proved.store((share * 1000.0) as u64 + 1, Relaxed);
    }

    pub(crate) fn add_solver_time(&self, time: Duration) {
        self.counters.solver_nanoseconds.fetch_add(time.as_nanos() as u64, Relaxed);
    }

    pub(crate) fn solver_time(&self) -> Duration {
        Duration::from_nanos(self.counters.solver_nanoseconds.load(Relaxed))
    }
}

/// A budget that is being spent.
#[derive(Clone, Debug)]
pub(crate) struct Spending {
    pub budget: Budget,
    pub progress: Progress,
    start: Instant,
}

impl Spending {
    pub fn start(budget: Budget, progress: Progress) -> Spending {
        Spending { budget, progress, start: Instant::now() }
    }

    /// A budget that is spent from here on, by the same counters.
    pub fn anew(&self, budget: Budget) -> Spending {
        let runs = budget.runs.map(|runs| runs + self.progress.snapshot().runs);
        let solver_time = budget.solver_time.map(|time| time + self.progress.solver_time());
        Spending::start(Budget { runs, solver_time, ..budget }, self.progress.clone())
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// So many eighths of the memory.
    pub fn near(&self, part: u64) -> Option<Bound> {
        self.budget.memory.as_ref().map(|bound| bound.eighths(part))
    }

    fn deadline(&self) -> Option<Instant> {
        self.budget.time.and_then(|time| self.start.checked_add(time))
    }

    /// Why nothing may be spent any more.
    pub fn exhausted(&self) -> Option<Stopped> {
        let Budget { time, runs, solver_time, .. } = self.budget;
        if self.progress.is_stopped() {
            return Some(Stopped::Interrupted);
        }
        if time.is_some_and(|time| self.start.elapsed() >= time) {
            return Some(Stopped::Time);
        }
        if solver_time.is_some_and(|most| self.progress.solver_time() >= most) {
            return Some(Stopped::SolverTime);
        }
        if self.budget.memory.as_ref().is_some_and(Bound::is_reached) {
            return Some(Stopped::Memory);
        }
        runs.is_some_and(|most| self.progress.snapshot().runs >= most).then_some(Stopped::Runs)
    }

    /// What one question may cost.
    pub fn question(&self) -> smt::Budget {
        smt::Budget {
            conflicts: self.budget.conflicts.or(Some(CONFLICTS)),
            deadline: self.deadline(),
            stop: Some(self.progress.switch()),
            memory: self.budget.memory.clone(),
        }
    }
}

/// A question that may be asked from now on for so long.
pub(crate) fn within(question: &smt::Budget, time: Duration) -> smt::Budget {
    smt::Budget { deadline: Instant::now().checked_add(time), ..question.clone() }
}

/// Measures a stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

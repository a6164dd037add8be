//! The budget of an exploration, and its progress. Besides the solver's deadline this is the only
//! place of the crate that reads the clock or queries the available memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use base::memory::Bound;

/// Default number of conflicts of the SAT solver per query.
const CONFLICTS: u32 = 50_000;

/// Events of two runs that are traced, aligned and explained in a second, cautiously estimated.
const EVENTS_PER_SECOND: f64 = 300_000.0;
/// As many are followed even without time.
const FEWEST_EVENTS: u32 = 1 << 15;

/// How many events of a run to follow in a time, at most `most`.
pub fn affordable_events(time: Duration, most: u32) -> u32 {
    let events = (time.as_secs_f64() * EVENTS_PER_SECOND) as u32;
    events.max(FEWEST_EVENTS).min(most)
}

/// Bounds of an exploration; `None` for none.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    pub time: Option<Duration>,
    pub runs: Option<u64>,
    /// Time in the solver, over all workers.
    pub solver_time: Option<Duration>,
    /// Conflicts of the SAT solver per query; `None` for a default.
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

/// The progress of an exploration, for observers, and the switch that ends it.
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
    /// The proved share of the space in thousandths, plus one; 0 if unknown.
    proved: AtomicU64,
    solver_nanoseconds: AtomicU64,
}

/// The counters at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    pub runs: u64,
    pub paths: u64,
    pub faults: u64,
    pub waiting: u64,
    /// The proved share of the space in thousandths, if anything is proved.
    pub proved: Option<u64>,
}

impl Progress {
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Ends the exploration soon; its result is what it has found so far.
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

    /// A new budget with the same counters.
    pub fn anew(&self, budget: Budget) -> Spending {
        let runs = budget.runs.map(|runs| runs + self.progress.snapshot().runs);
        let solver_time = budget.solver_time.map(|time| time + self.progress.solver_time());
        Spending::start(Budget { runs, solver_time, ..budget }, self.progress.clone())
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// This many eighths of the memory.
    pub fn near(&self, part: u64) -> Option<Bound> {
        self.budget.memory.as_ref().map(|bound| bound.eighths(part))
    }

    /// How many events of a run there is time to follow.
    pub fn affordable_events(&self) -> u32 {
        let left = self.budget.time.map(|time| time.saturating_sub(self.elapsed()));
        left.map_or(u32::MAX, |left| affordable_events(left, u32::MAX))
    }

    fn deadline(&self) -> Option<Instant> {
        self.budget.time.and_then(|time| self.start.checked_add(time))
    }

    /// Why the budget is exhausted.
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

    /// The budget of one query.
    pub fn question(&self) -> smt::Budget {
        smt::Budget {
            conflicts: self.budget.conflicts.or(Some(CONFLICTS)),
            deadline: self.deadline(),
            stop: Some(self.progress.switch()),
            memory: self.budget.memory.clone(),
        }
    }
}

/// A query that may take this long from now on.
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

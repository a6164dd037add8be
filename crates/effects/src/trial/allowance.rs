//! A budget that is being spent, and the parts it is divided into.

use std::time::Duration;

use explore::{Budget, Stopwatch};

/// Time of a budget that is kept for what comes after a search, at most.
pub(crate) const RESERVE: Duration = Duration::from_millis(2500);

/// A budget since somebody began to spend it.
#[derive(Clone, Copy)]
pub(crate) struct Allowance<'a> {
    budget: &'a Budget,
    watch: Stopwatch,
}

impl<'a> Allowance<'a> {
    pub fn start(budget: &'a Budget) -> Allowance<'a> {
        Allowance { budget, watch: Stopwatch::start() }
    }

    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// What is left of the time; nothing if there is no bound.
    pub fn left(&self) -> Option<Duration> {
        self.budget.time.map(|time| time.saturating_sub(self.watch.elapsed()))
    }

    /// What a search may spend: what it finds has to be replayed and explained as well.
    pub fn search(&self) -> Budget {
        self.without(|time| (time / 8).min(RESERVE))
    }

    /// The same if as much time is needed after the search.
    pub fn half(&self) -> Budget {
        self.without(|time| time / 2)
    }

    fn without(&self, kept: impl Fn(Duration) -> Duration) -> Budget {
        let time =
            self.budget.time.map(|time| time.saturating_sub(self.watch.elapsed() + kept(time)));
        Budget { time, ..self.budget.clone() }
    }
}

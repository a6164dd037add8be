//! A budget that is being spent, and its parts.

use std::sync::OnceLock;
use std::time::Duration;

use explore::{Budget, Progress, Stopwatch};

/// The most time of a budget to reserve for what follows a search.
pub(crate) const RESERVE: Duration = Duration::from_millis(2500);

/// A budget and when its spending began.
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

    /// The remaining time; `None` if there is no bound.
    pub fn left(&self) -> Option<Duration> {
        self.budget.time.map(|time| time.saturating_sub(self.watch.elapsed()))
    }

    /// The budget of a search: its findings must be replayed and explained as well.
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

/// How long work in parallel with a search may continue after the search.
const AFTERWARDS: Duration = Duration::from_millis(2500);

/// The end of a budget for work in parallel with a search, which may begin before it.
pub(crate) struct Deadline<'a> {
    /// The available time, and since when.
    began: OnceLock<(Option<Duration>, Stopwatch)>,
    /// Since when only explanations need the work.
    ended: OnceLock<Stopwatch>,
    progress: &'a Progress,
}

impl<'a> Deadline<'a> {
    pub fn new(progress: &'a Progress) -> Deadline<'a> {
        Deadline { began: OnceLock::new(), ended: OnceLock::new(), progress }
    }

    /// Starts the budget; only the first call counts.
    pub fn begin(&self, spent: Allowance<'_>) {
        self.began.get_or_init(|| (spent.budget.time, spent.watch));
    }

    /// Notes the end of the search: whoever waits from here on does not wait for long, whatever the
    /// budget.
    pub fn search_ended(&self) {
        self.ended.get_or_init(Stopwatch::start);
    }

    /// Whether nobody waits for the current work. Work that starts before the budget begins is
    /// always awaited.
    pub fn is_over(&self) -> bool {
        let is_spent = self.began.get().is_some_and(|(time, watch)| {
            self.progress.is_stopped() || time.is_some_and(|time| watch.elapsed() >= time)
        });
        is_spent || self.ended.get().is_some_and(|ended| ended.elapsed() >= AFTERWARDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_that_nobody_spends_is_not_over() {
        let budget = Budget { time: Some(Duration::ZERO), ..Budget::default() };
        let progress = Progress::new();
        let deadline = Deadline::new(&progress);
        assert!(!deadline.is_over());
        deadline.begin(Allowance::start(&budget));
        assert!(deadline.is_over());
    }

    #[test]
    fn an_interrupted_search_is_over() {
        let (budget, progress) = (Budget::default(), Progress::new());
        let deadline = Deadline::new(&progress);
        deadline.begin(Allowance::start(&budget));
        assert!(!deadline.is_over());
        progress.stop();
        assert!(deadline.is_over());
    }
}

//! Inputs whose runs were cut short after they had executed a change: they run in full when there
//! is time.

use super::Arena;

/// The most inputs that wait for another try.
const MOST: usize = 64;

impl Arena<'_> {
    pub(super) fn postpone(&mut self, assignment: &[u64]) {
        if self.postponed.len() < MOST && self.known.insert(assignment.into()) {
            self.postponed.push_back(assignment.into());
        }
    }

    /// Runs in full an input that was cut short before, if there is one and time for it.
    pub fn try_postponed(&mut self) {
        let most = 2 * self.limits.steps;
        if self.postponed.is_empty() || !self.pacing.affords(most, self.plain_ticks) {
            return;
        }
        let before = self.plain_ticks;
        if let Some(input) = self.postponed.pop_front() {
            self.try_input(&input);
        }
        self.pacing.note_long(self.plain_ticks - before);
    }
}

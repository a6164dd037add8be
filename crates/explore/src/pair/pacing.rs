//! How long plain runs may take before it is known whether they deserve it.
//!
//! Most runs are short, and most long runs are endless: runs get a few times the steps that nearly
//! all earlier runs needed. A run that is cut short may continue as long as only a part of all work
//! goes into such runs, and less and less often if earlier runs got stuck in the same function. A
//! run that was cut short says nothing about the versions.

use ir::FuncId;
use rustc_hash::FxHashMap;

/// The minimum of steps for every run.
const LEAST: u64 = 2_000;
/// The steps of a run while there is no experience with others.
const FIRST: u64 = 200_000;
/// The number of runs that must end before their length is considered known.
const ENOUGH: u64 = 32;
/// How many times the steps of nearly all runs a run may take.
const ROOM: u32 = 2;
/// Steps that may go into long runs at once, and the share of all steps that may.
const CREDIT: u64 = 20_000_000;
const SHARE: u64 = 4;

/// Experience with the length of runs.
#[derive(Clone, Debug)]
pub(super) struct Pacing {
    /// Runs that ended, by the number of bits of their steps.
    ended: [u64; 65],
    total: u64,
    /// Steps that went into runs after they had reached their first bound.
    long: u64,
    /// How often runs got stuck in a function, by version.
    stuck: FxHashMap<(usize, FuncId), u32>,
    /// Inputs whose runs were cut short.
    pub cut: u64,
}

impl Default for Pacing {
    fn default() -> Pacing {
        Pacing { ended: [0; 65], total: 0, long: 0, stuck: FxHashMap::default(), cut: 0 }
    }
}

impl Pacing {
    /// A copy for runs elsewhere.
    pub fn fork(&self) -> Pacing {
        Pacing { cut: 0, ..self.clone() }
    }

    /// The steps that a run gets in any case, if `most` is the bound of all runs.
    pub fn steps(&self, most: u64) -> u64 {
        if self.total < ENOUGH {
            return FIRST.min(most);
        }
        let mut left = self.total / 100;
        let mut bits = 64;
        while bits > 0 && self.ended[bits] <= left {
            left -= self.ended[bits];
            bits -= 1;
        }
        let steps = 1u64.checked_shl(bits as u32 + ROOM).unwrap_or(u64::MAX);
        steps.max(LEAST).min(most)
    }

    /// Notes a run that ended.
    #[inline]
    pub fn note_end(&mut self, steps: u64) {
        self.ended[64 - steps.leading_zeros() as usize] += 1;
        self.total += 1;
    }

    /// Whether this many steps may go into long runs, if `all` went into plain runs so far.
    pub fn affords(&self, steps: u64, all: u64) -> bool {
        self.long + steps <= CREDIT + all / SHARE
    }

    /// Whether a run that got stuck in a function may continue for this many steps, if `all` went
    /// into plain runs so far.
    pub fn deserves(
        &mut self,
        version: usize,
        function: Option<FuncId>,
        steps: u64,
        all: u64,
    ) -> bool {
        if !self.affords(steps, all) {
            return false;
        }
        let Some(function) = function else { return true };
        let times = self.stuck.entry((version, function)).or_default();
        *times += 1;
        times.is_power_of_two()
    }

    /// Notes steps that a run took after it had reached its first bound.
    pub fn note_long(&mut self, steps: u64) {
        self.long += steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u64 = 5_000_000;

    #[test]
    fn runs_get_a_few_times_the_steps_that_nearly_all_needed() {
        let mut pacing = Pacing::default();
        assert_eq!(pacing.steps(MOST), FIRST);
        (0..1000).for_each(|_| pacing.note_end(1_500));
        assert_eq!(pacing.steps(MOST), 8_192);
        // One run in a thousand does not count, one in ten does.
        pacing.note_end(1_000_000);
        assert_eq!(pacing.steps(MOST), 8_192);
        (0..100).for_each(|_| pacing.note_end(60_000));
        assert_eq!(pacing.steps(MOST), 262_144);
        assert_eq!(pacing.steps(100_000), 100_000);
        (0..200).for_each(|_| pacing.note_end(3));
        assert_eq!(Pacing::steps(&pacing, MOST), 262_144);
    }

    #[test]
    fn short_runs_get_the_least() {
        let mut pacing = Pacing::default();
        (0..100).for_each(|_| pacing.note_end(0));
        assert_eq!(pacing.steps(MOST), LEAST);
    }

    #[test]
    fn the_same_place_deserves_less_and_less() {
        let mut pacing = Pacing::default();
        let function = Some(FuncId::from_u32(3));
        let given: Vec<bool> = (0..9).map(|_| pacing.deserves(0, function, 10, 0)).collect();
        assert_eq!(given, [true, true, false, true, false, false, false, true, false]);
        assert!(pacing.deserves(1, function, 10, 0));
    }

    #[test]
    fn long_runs_take_a_part_of_all_steps() {
        let mut pacing = Pacing::default();
        assert!(pacing.deserves(0, None, CREDIT, 0));
        pacing.note_long(CREDIT);
        assert!(!pacing.deserves(0, None, 1_000, 0));
        assert!(pacing.deserves(0, None, 1_000, 4_000));
    }
}

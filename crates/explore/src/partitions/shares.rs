//! How much of the input space is proved to be what, estimated from a sample, or counted where the
//! space is small.
//!
//! A fixed sample of inputs is sorted into the partitions that were found: every cell is drawn
//! uniformly from its values, independently of all others. The given tests that are in the space
//! are sorted as well, as a sample of the inputs that matter to whoever wrote them. An input that
//! is in a proved partition stays there, and new partitions only take from what is left; so the
//! proved shares never shrink. A small space is its own sample. Intervals are Wilson's (1927), for 95 % confidence. What is known
//! without a sample is said exactly: nothing is proved different if no partition is, and all of
//! the space is equal if equal partitions are all of it.

use std::collections::BTreeSet;

use base::Random;
use inputs::Layout;
use smt::Evaluator;

use super::explorer::Explorer;
use super::lookup::{Lookup, is_proved};
use super::{Partition, Partitions, Verdict};
use crate::budget::Progress;

/// Inputs of the sample, fewer where an input has very many cells.
const SAMPLES: usize = 2000;
const FEWEST: usize = 200;
/// Inputs of a space that is sorted as a whole.
const SMALL: u128 = 5000;
/// Values of all inputs together.
const MOST_VALUES: usize = 4_000_000;
/// Tests that are sorted at most.
const MOST_TESTS: usize = 2000;
/// New partitions after which shares are worth a look.
const LEAST_NEW: usize = 8;
const SEED: u64 = 0x5a3f;
/// The quantile of the normal distribution for an interval of 95 %.
const QUANTILE: f64 = 1.959_964;

/// Shares of the input space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Every cell is drawn uniformly from its values.
    pub uniform: Share,
    /// The inputs are the given tests, if any is in the space.
    pub tests: Option<Share>,
}

/// How inputs of one distribution fall into partitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// How many inputs were sorted.
    pub samples: usize,
    /// Whether these are all that there are.
    pub is_all: bool,
    /// In partitions in which all versions are proved to show the same.
    pub equal: Portion,
    /// In those in which they are proved to differ.
    pub different: Portion,
    /// In those of which nothing is claimed, and in no proved one.
    pub unknown: Portion,
    /// In none.
    pub left: Portion,
    /// Inputs in proved partitions by which versions agree ([`Partition::classes`]), in order.
    pub classes: Vec<(Vec<usize>, Portion)>,
}

/// A part of a distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Portion {
    /// Inputs of the sample.
    pub count: usize,
    /// The share of the sample, from 0 to 1.
    pub share: f64,
    /// What the share of the whole distribution is, with 95 % confidence.
    pub low: f64,
    pub high: f64,
    /// Whether the share is known, and not estimated.
    pub is_exact: bool,
}

impl Share {
    /// Inputs of which nothing is proved.
    pub fn open(&self) -> Portion {
        let count = self.unknown.count + self.left.count;
        match (self.unknown.is_exact, self.left.is_exact) {
            (true, true) => Portion::exact(count, self.unknown.share + self.left.share),
            (true, false) if self.unknown.share == 0.0 => self.left,
            (false, true) if self.left.share == 0.0 => self.unknown,
            _ => self.portion(count),
        }
    }

    /// A part of the distribution in which so many inputs of the sample are.
    pub fn portion(&self, count: usize) -> Portion {
        match self.is_all {
            true => Portion::exact(count, count as f64 / self.samples.max(1) as f64),
            false => Portion::estimated(count, self.samples),
        }
    }
}

impl Portion {
    /// Of a sample in which so many inputs are.
    fn estimated(count: usize, samples: usize) -> Portion {
        let (low, high) = wilson(count, samples);
        let share = count as f64 / samples.max(1) as f64;
        Portion { count, share, low, high, is_exact: false }
    }

    fn exact(count: usize, share: f64) -> Portion {
        Portion { count, share, low: share, high: share, is_exact: true }
    }
}

/// The interval of a share of which so many of the samples are.
fn wilson(count: usize, samples: usize) -> (f64, f64) {
    if samples == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (samples as f64, count as f64 / samples as f64);
    let square = QUANTILE * QUANTILE;
    let middle = (p + square / (2.0 * n)) / (1.0 + square / n);
    let spread = (p * (1.0 - p) / n + square / (4.0 * n * n)).sqrt();
    let half = QUANTILE / (1.0 + square / n) * spread;
    let low = if count == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if count >= samples { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

/// A sample that is being sorted into partitions.
#[derive(Debug, Default)]
pub(super) struct Meter {
    uniform: Sorted,
    tests: Sorted,
    evaluator: Evaluator,
}

/// Inputs and where they are.
#[derive(Debug, Default)]
struct Sorted {
    inputs: Vec<Box<[u64]>>,
    /// By input: the number of its partition.
    of: Vec<Option<usize>>,
    /// Partitions into which everything has been sorted.
    seen: usize,
    /// Whether the inputs are all that there are.
    is_all: bool,
}

impl Sorted {
    fn new(inputs: Vec<Box<[u64]>>) -> Sorted {
        Sorted { of: vec![None; inputs.len()], inputs, ..Sorted::default() }
    }

    fn sort(&mut self, explorer: &Explorer<'_>, evaluator: &mut Evaluator) {
        let list = &explorer.found().list;
        if self.seen == list.len() {
            return;
        }
        let lookup = Lookup::new(list, self.seen..list.len());
        for (input, of) in self.inputs.iter().zip(&mut self.of) {
            if of.is_some_and(|number| is_proved(&list[number])) {
                continue;
            }
            let model = explorer.inputs().model(explorer.terms(), input);
            let found = lookup.find(evaluator, explorer.terms(), &model);
            if found.is_some_and(|number| of.is_none() || is_proved(&list[number])) {
                *of = found;
            }
        }
        self.seen = list.len();
    }
}

impl Meter {
    /// The sample of a space.
    fn new(layout: &Layout) -> Meter {
        let uniform = match all(layout) {
            Some(all) => Sorted { is_all: true, ..Sorted::new(all) },
            None => Sorted::new(drawn(layout)),
        };
        Meter { uniform, ..Meter::default() }
    }

    /// Sorts what is left into partitions that are new.
    fn sort(&mut self, explorer: &Explorer<'_>) {
        self.uniform.sort(explorer, &mut self.evaluator);
        self.tests.sort(explorer, &mut self.evaluator);
    }

    /// The share of the uniform sample that is in proved partitions.
    fn proved(&self, found: &Partitions) -> f64 {
        let numbers = self.uniform.of.iter().flatten();
        let proved = numbers.filter(|&&number| is_proved(&found.list[number])).count();
        proved as f64 / self.uniform.of.len().max(1) as f64
    }

    fn shares(&self, found: &Partitions, is_complete: bool) -> Shares {
        let uniform = share(&self.uniform, found, is_complete);
        let has_tests = !self.tests.inputs.is_empty();
        let tests = has_tests.then(|| share(&self.tests, found, is_complete));
        Shares { uniform, tests }
    }
}

impl Explorer<'_> {
    /// Tests, for the shares of their distribution; those that are not in the space do not count.
    pub fn set_tests(&mut self, tests: &[Box<[u64]>]) {
        let layout = self.layout();
        let tests =
            tests.iter().filter(|test| layout.contains(test)).take(MOST_TESTS).cloned().collect();
        let mut meter = self.meter.take().unwrap_or_else(|| Box::new(Meter::new(self.layout())));
        meter.tests = Sorted::new(tests);
        self.meter = Some(meter);
    }

    /// Tells how much of the space is proved, if there is a good deal more than when that was told
    /// last, so that sorting takes a small part of the time.
    pub(crate) fn tell(&mut self, progress: &Progress) {
        let seen = self.meter.as_ref().map_or(0, |meter| meter.uniform.seen);
        if self.found().list.len() < seen + seen / 4 + LEAST_NEW && !self.is_done() {
            return;
        }
        let meter = self.measured();
        progress.set_proved(meter.proved(self.found()));
        self.meter = Some(meter);
    }

    /// Shares of the space by what is proved so far.
    pub fn shares(&mut self) -> Shares {
        let meter = self.measured();
        let shares = meter.shares(self.found(), self.is_complete());
        self.meter = Some(meter);
        shares
    }

    /// Some inputs of the sample.
    pub(super) fn sampled(&mut self, most: usize) -> Vec<Box<[u64]>> {
        let meter = self.measured();
        let all = &meter.uniform.inputs;
        let step = (all.len() / most.max(1)).max(1);
        let inputs = all.iter().step_by(step).take(most).cloned().collect();
        self.meter = Some(meter);
        inputs
    }

    fn measured(&mut self) -> Box<Meter> {
        let known = self.meter.take();
        let mut meter = known.unwrap_or_else(|| Box::new(Meter::new(self.layout())));
        meter.sort(self);
        meter
    }
}

/// All inputs of a small space.
fn all(layout: &Layout) -> Option<Vec<Box<[u64]>>> {
    let size = layout.size().filter(|&size| size <= SMALL)?;
    Some((0..size).map(|number| layout.nth(number)).collect())
}

fn drawn(layout: &Layout) -> Vec<Box<[u64]>> {
    let mut random = Random::new(SEED);
    let most = (MOST_VALUES / layout.cells.len().max(1)).clamp(FEWEST, SAMPLES);
    let mut one = || -> Box<[u64]> {
        let cells = layout.cells.values();
        cells.map(|cell| cell.domain.nth(u128::from(random.next()) % cell.domain.count())).collect()
    };
    (0..most).map(|_| one()).collect()
}

fn share(sorted: &Sorted, found: &Partitions, is_complete: bool) -> Share {
    let all = &found.list;
    let samples = sorted.inputs.len();
    let share = Share { samples, is_all: sorted.is_all, ..Share::default() };
    let of: Vec<&Partition> = sorted.of.iter().flatten().map(|&number| &all[number]).collect();
    // Exact where no partition is of that sort, and where all are and are the whole space.
    let portion = |is_such: &dyn Fn(&Partition) -> bool| {
        let count = of.iter().filter(|partition| is_such(partition)).count();
        let such = all.iter().filter(|partition| is_such(partition)).count();
        match such {
            0 => Portion::exact(count, 0.0),
            _ if is_complete && such == all.len() => Portion::exact(count, 1.0),
            _ => share.portion(count),
        }
    };
    let proved = all.iter().filter(|partition| is_proved(partition));
    let classes: BTreeSet<&[usize]> = proved.map(|partition| &partition.classes[..]).collect();
    let left = samples - of.len();
    Share {
        equal: portion(&|one| matches!(one.verdict, Verdict::Equal(_))),
        different: portion(&|one| one.verdict == Verdict::Different),
        unknown: portion(&|one| !is_proved(one)),
        left: match (is_complete, all.is_empty()) {
            (true, _) => Portion::exact(left, 0.0),
            (false, true) => Portion::exact(left, 1.0),
            (false, false) => share.portion(left),
        },
        classes: classes
            .into_iter()
            .map(|classes| {
                let is_such = |one: &Partition| is_proved(one) && one.classes == classes;
                (classes.to_vec(), portion(&is_such))
            })
            .collect(),
        ..share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // Worked out by hand: 10 of 20 are between 29.9 % and 70.1 %.
        let (low, high) = wilson(10, 20);
        assert!((low - 0.2993).abs() < 1e-4 && (high - 0.7007).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(0, 2000);
        assert!(low == 0.0 && (high - 0.001_917).abs() < 1e-5, "{high}");
        assert_eq!(wilson(7, 7).1, 1.0);
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }
}

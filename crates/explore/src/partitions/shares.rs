//! The proved shares of the input space, estimated from a sample, or counted if the space is small.
//!
//! Classifies a fixed sample of inputs by the partitions found: every cell is drawn uniformly from
//! its values, independently of all others. The given tests that are in the space are classified as
//! well, as a sample of the inputs that matter to their authors. An input in a proved partition
//! stays there, and new partitions only take from the rest; so the proved shares never shrink. A
//! small space is its own sample. Intervals are Wilson's (1927), for 95 % confidence. What is known
//! without a sample is exact: nothing is proved different if no partition is, and the whole space
//! is equal if equal partitions cover it.

use std::collections::BTreeSet;

use base::Random;
use inputs::Layout;
use smt::Evaluator;

use super::Partitions;
use super::explorer::Explorer;
use super::lookup::{Lookup, is_proved};
use crate::budget::Progress;
use crate::proved::{Partition, Portion, Share, Shares, Verdict};

/// Inputs of the sample, fewer if an input has very many cells.
const SAMPLES: usize = 2000;
const FEWEST: usize = 200;
/// The largest space that is classified completely.
const SMALL: u128 = 5000;
/// Values of all inputs together.
const MOST_VALUES: usize = 4_000_000;
/// The most tests to classify.
const MOST_TESTS: usize = 2000;
/// New partitions that make an update worthwhile.
const LEAST_NEW: usize = 8;
const SEED: u64 = 0x5a3f;

/// A sample that is being classified.
#[derive(Debug, Default)]
pub(super) struct Meter {
    uniform: Sorted,
    tests: Sorted,
    evaluator: Evaluator,
}

/// Inputs and their partitions.
#[derive(Debug, Default)]
struct Sorted {
    inputs: Vec<Box<[u64]>>,
    /// By input: the number of its partition.
    of: Vec<Option<usize>>,
    /// The number of partitions that were already considered.
    seen: usize,
    /// Whether the inputs are the whole space.
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

    /// Classifies the remaining inputs by new partitions.
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
    /// Sets the tests, for the shares of their distribution; those outside the space do not count.
    pub fn set_tests(&mut self, tests: &[Box<[u64]>]) {
        let layout = self.layout();
        let tests =
            tests.iter().filter(|test| layout.contains(test)).take(MOST_TESTS).cloned().collect();
        let mut meter = self.meter.take().unwrap_or_else(|| Box::new(Meter::new(self.layout())));
        meter.tests = Sorted::new(tests);
        self.meter = Some(meter);
    }

    /// Reports the proved share of the space, if there is considerably more than at the last
    /// report, so that classification takes a small part of the time.
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
    // Exact if no partition is of that kind, and if all are and cover the whole space.
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

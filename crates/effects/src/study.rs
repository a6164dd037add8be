//! How well test suites that satisfy a criterion detect a change: suites drawn from a pool of tests.
//!
//! The form of the studies of Santelices et al. (2008), §4.2.1, and of Santelices and Harrold (2013),
//! §6.3 and §7.3. All tests of the pool run on both versions once; what each requirement of a
//! criterion is satisfied by is known then. A suite is made by going through the pool in random order
//! and taking every test that satisfies a requirement that no other of the suite does, until all are
//! satisfied that a test of the pool satisfies. A suite *detects* the change if one of its tests shows
//! a difference on the machine.
//!
//! - The *ds-ratio* of a suite is the share of its tests that show a difference.
//! - The *detectability* of the change is that share among the tests that execute it.
//!
//! Confidence intervals are those of 95 %: Wilson's for rates, the normal one for means. Random numbers
//! come from the seed and the number of criterion and suite.

use std::collections::BTreeMap;
use std::time::Duration;

use base::random::Random;
use explore::{Progress, Stopwatch};
use source::Checkout;
use trace::chains::{ChainLimits, ChainNode};

use crate::adequacy::requirements::changed_points;
use crate::adequacy::runs::Ran;
use crate::adequacy::{self, Criterion, Limit};
use crate::error::Error;
use crate::pairing::{Pairing, Ready, Targets, sources};
use crate::trial::{Misfit, Phase, Scope};

/// The quantile of the normal distribution for intervals of 95 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The versions, and the pool of tests.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// With the pool.
    pub scope: Scope<'a>,
    pub old: &'a Checkout,
    pub new: &'a Checkout,
    /// Budget, bounds of runs, and what counts as a difference; the distance of chains.
    pub options: adequacy::Options,
    /// How many suites to draw for each criterion.
    pub suites: usize,
    pub seed: u64,
}

/// A number with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// What suites that satisfy a criterion are like.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub criterion: Criterion,
    /// The greatest length of chains, if they count.
    pub distance: Option<u32>,
    /// How many requirements a test of the pool satisfies.
    pub requirements: usize,
    /// The mean number of tests.
    pub size: Estimate,
    /// The share of suites that detect the change.
    pub detection: Estimate,
    /// The mean share of tests of a suite that show a difference.
    pub ratio: Estimate,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Study {
    pub old: Checkout,
    pub new: Checkout,
    pub entry: Option<String>,
    pub suites: usize,
    pub seed: u64,
    /// How many tests there are, execute the change, and show a difference.
    pub pool: usize,
    pub reaching: usize,
    pub differing: usize,
    /// By criterion and distance; criteria without a requirement that the pool satisfies are left
    /// out.
    pub rows: Vec<Row>,
    pub misfits: Vec<Misfit>,
    pub limits: Vec<Limit>,
    pub time: Duration,
}

impl Study {
    /// The share of tests that show a difference among those that execute the change.
    pub fn detectability(&self) -> Option<f64> {
        (self.reaching > 0).then(|| self.differing as f64 / self.reaching as f64)
    }
}

/// Draws suites. If `progress` is told to stop, the result is about the tests run so far.
pub fn study(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Study, Error> {
    tell(Phase::Building);
    let watch = Stopwatch::start();
    let Request { scope, old, new, options, suites, seed } = request;
    let mut result = Study {
        old: (*old).clone(),
        new: (*new).clone(),
        entry: scope.entry.map(str::to_owned),
        suites: *suites,
        seed: *seed,
        pool: scope.tests.len(),
        reaching: 0,
        differing: 0,
        rows: Vec::new(),
        misfits: Vec::new(),
        limits: Vec::new(),
        time: Duration::ZERO,
    };
    let sources = sources(scope, [old, new], None);
    let pairing = Pairing::new(scope, [old, new], None, &sources);
    let versions = pairing.load()?;
    if versions.alignment.is_empty() {
        return Ok(result);
    }
    let matching = versions.matching();
    let targets = Targets::of(&pairing);
    let ready = Ready::load(&targets, &versions, &matching)?;
    tell(Phase::Searching("tests"));
    let judged = adequacy::Request { scope: scope.clone(), old, new, options: options.clone() };
    let loader = crate::Loader { libc: crate::Libc::Quick, ..scope.loader.clone() };
    let hunks = versions.hunks_soon(&loader, &|| progress.is_stopped())?;
    let ran = Ran::new(&judged, &versions, &matching, &ready, &hunks, progress);
    result.reaching = ran.tests.iter().filter(|test| !test.reached.is_empty()).count();
    result.differing = ran.tests.iter().filter(|test| test.differs).count();
    let statements: Vec<Vec<usize>> = changed_points(&versions, &matching)
        .iter()
        .map(|point| {
            let tests = ran.tests.iter().enumerate();
            let reaching = tests.filter(|(_, test)| test.reached.contains(point));
            reaching.map(|(number, _)| number).collect()
        })
        .collect();
    let pool = Pool { ran: &ran, statements, suites: *suites, seed: *seed };
    result.rows = pool.rows(options.chains);
    result.limits = ran.limits(ran.tree.complete);
    result.misfits = ran.misfits;
    result.time = watch.elapsed();
    Ok(result)
}

/// What is known about the tests of a pool.
struct Pool<'a> {
    ran: &'a Ran,
    /// For each changed statement, the tests that execute it.
    statements: Vec<Vec<usize>>,
    suites: usize,
    seed: u64,
}

impl Pool<'_> {
    fn rows(&self, limits: ChainLimits) -> Vec<Row> {
        let mut all = vec![
            (Criterion::Statements, None, self.statements.clone()),
            (Criterion::Branches, None, self.direct(true)),
            (Criterion::Uses, None, self.direct(false)),
        ];
        let longest = self.ran.tree.chains.values().map(|node| node.length).max().unwrap_or(0);
        let most = limits.distance.min(self.ran.tree.complete).min(longest);
        for criterion in [Criterion::Chains, Criterion::Propagation] {
            for distance in 1..=most {
                let is_propagation = criterion == Criterion::Propagation;
                all.push((criterion, Some(distance), self.chains(distance, is_propagation)));
            }
        }
        let rows = all.into_iter().enumerate();
        rows.filter_map(|(number, (criterion, distance, requirements))| {
            self.row(number as u64, criterion, distance, requirements)
        })
        .collect()
    }

    /// What is executed because of changed statements, or uses what they define, directly.
    fn direct(&self, control: bool) -> Vec<Vec<usize>> {
        let is_one = |node: &&ChainNode| {
            node.length == 1 && node.link.is_some_and(|link| link.how.is_control() == control)
        };
        let nodes = self.ran.tree.chains.values().filter(is_one);
        nodes.map(|node| numbers(&node.covered)).collect()
    }

    fn chains(&self, distance: u32, is_propagation: bool) -> Vec<Vec<usize>> {
        let nodes = self.ran.tree.chains.values();
        let nodes = nodes.filter(|node| (1..=distance).contains(&node.length));
        // Where the state differs only because of another part of the change, nothing is known of
        // this one, and it is enough to take the chain: Santelices et al. (2008), §3.3.
        let is_state = |node: &ChainNode| !node.is_confounded || !node.propagated.is_empty();
        nodes
            .map(|node| match is_propagation && is_state(node) {
                true => numbers(&node.propagated),
                false => numbers(&node.covered),
            })
            .collect()
    }

    fn row(
        &self,
        number: u64,
        criterion: Criterion,
        distance: Option<u32>,
        mut requirements: Vec<Vec<usize>>,
    ) -> Option<Row> {
        requirements.retain(|tests| !tests.is_empty());
        if requirements.is_empty() || self.suites == 0 {
            return None;
        }
        let mut of_test: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (requirement, tests) in requirements.iter().enumerate() {
            for &test in tests {
                of_test.entry(test).or_default().push(requirement);
            }
        }
        let (mut sizes, mut ratios, mut detecting) = (Vec::new(), Vec::new(), 0);
        for suite in 0..self.suites {
            let seed = base::random::mixed(self.seed) ^ (number << 40) ^ suite as u64;
            let mut random = Random::new(base::random::mixed(seed));
            let tests = draw(&mut random, &of_test, requirements.len());
            let shows = tests.iter().filter(|&&test| self.ran.tests[test].differs).count();
            detecting += usize::from(shows > 0);
            sizes.push(tests.len() as f64);
            ratios.push(shows as f64 / tests.len().max(1) as f64);
        }
        Some(Row {
            criterion,
            distance,
            requirements: requirements.len(),
            size: mean(&sizes),
            detection: rate(detecting, self.suites),
            ratio: mean(&ratios),
        })
    }
}

fn numbers(tests: &[u32]) -> Vec<usize> {
    tests.iter().map(|&test| test as usize).collect()
}

/// A random suite that satisfies all requirements.
fn draw(
    random: &mut Random,
    of_test: &BTreeMap<usize, Vec<usize>>,
    requirements: usize,
) -> Vec<usize> {
    let mut order: Vec<usize> = of_test.keys().copied().collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    let mut satisfied = vec![false; requirements];
    let mut left = requirements;
    let mut suite = Vec::new();
    for test in order {
        if left == 0 {
            break;
        }
        let fresh = of_test[&test].iter().filter(|&&one| !satisfied[one]).count();
        if fresh > 0 {
            of_test[&test].iter().for_each(|&one| satisfied[one] = true);
            left -= fresh;
            suite.push(test);
        }
    }
    suite
}

/// The mean, with the interval of the normal distribution.
fn mean(values: &[f64]) -> Estimate {
    let count = values.len() as f64;
    let value = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|one| (one - value).powi(2)).sum();
    let deviation = if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
    let half = QUANTILE * deviation / count.sqrt();
    Estimate { value, low: value - half, high: value + half }
}

/// A rate, with the interval of Wilson (1927).
fn rate(hits: usize, all: usize) -> Estimate {
    let (count, value) = (all as f64, hits as f64 / all as f64);
    let square = QUANTILE * QUANTILE;
    let middle = (value + square / (2.0 * count)) / (1.0 + square / count);
    let spread = value * (1.0 - value) / count + square / (4.0 * count * count);
    let half = QUANTILE * spread.sqrt() / (1.0 + square / count);
    Estimate { value, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_rate_is_that_of_wilson() {
        // 10 of 50, worked out by hand: 0.1124 to 0.3304.
        let found = rate(10, 50);
        assert!(
            (found.low - 0.1124).abs() < 5e-4 && (found.high - 0.3304).abs() < 5e-4,
            "{found:?}"
        );
        assert!(rate(0, 10).low < 1e-9);
        assert!(rate(10, 10).high > 0.999_999);
    }

    #[test]
    fn a_mean_of_equal_values_is_certain() {
        assert_eq!(mean(&[2.0, 2.0]), Estimate { value: 2.0, low: 2.0, high: 2.0 });
    }

    #[test]
    fn a_suite_satisfies_every_requirement_with_tests_that_each_add_one() {
        let of_test = BTreeMap::from([(0, vec![0]), (1, vec![0, 1]), (2, vec![2]), (3, vec![2])]);
        for seed in 0..50 {
            let suite = draw(&mut Random::new(seed), &of_test, 3);
            assert!(suite.contains(&1), "{suite:?}");
            assert_eq!(suite.iter().filter(|test| **test >= 2).count(), 1, "{suite:?}");
        }
    }
}

//! What tests of a change would have to do: chains of dependences to take, and the states at the entry
//! of the change with which the effect gets to the end of each.
//!
//! The static side of test-suite augmentation: `MATRIX` of Apiwattanapong et al. (2006), with the
//! chains of Santelices et al. (2008), Fig. 3, and the procedure of Santelices and Harrold (2013),
//! §4.2 and §6. `chains` enumerates the chains from all changed statements, `starts` finds the entry
//! of each change in both versions, `walks` runs all paths from there with an unknown state, and
//! `conditions` asks the solver whether the end of a chain can differ. `tests` judges tests by the
//! values that they have at the entry.
//!
//! What the solver refutes with all paths known is impossible and not required. What is not known is
//! *incomplete*, with the reason, and never called impossible.

mod chains;
mod conditions;
mod names;
mod rows;
mod starts;
mod states;
mod tests;
mod walks;

use std::collections::BTreeSet;
use std::time::Duration;

use base::Version;
use explore::partial::{Blur, Why};
use explore::{Budget, PathLimits, Progress, Stopped, Stopwatch};
use source::Checkout;
use trace::Observe;
use trace::chains::{Common, Point};

use crate::adequacy::requirements::{Statics, changed_points};
use crate::adequacy::{Step, TestState};
use crate::error::Error;
use crate::marked::Tracing;
use crate::pairing::{Pairing, Ready, Targets, sources};
use crate::trial::{self, Misfit, Phase, Place, Scope};

pub use conditions::Verdict;

use self::rows::Judging;

/// The versions, and tests to judge, if there are any.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub scope: Scope<'a>,
    pub old: &'a Checkout,
    pub new: &'a Checkout,
    pub options: Options,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub budget: Budget,
    /// Of a single run.
    pub limits: exec::Limits,
    pub observe: Observe,
    /// The most dependences of a chain.
    pub distance: u32,
    /// The most chains of a change.
    pub chains: usize,
    pub paths: PathLimits,
    /// Whether paths that differ in what does not matter are one.
    pub merges: bool,
    pub infection: Infection,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            budget: trial::usual_budget(),
            limits: exec::Limits { steps: 200_000, ..trial::usual_limits() },
            observe: trial::usual_observe(),
            distance: 3,
            chains: 5_000,
            paths: PathLimits::default(),
            merges: true,
            infection: Infection::Tracked,
        }
    }
}

/// How changes that are executed before another one are taken into account: Santelices et al. (2008),
/// §3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infection {
    /// A test satisfies a state requirement if the variables in it have the same values in both
    /// versions at the entry of the change.
    Tracked,
    /// State requirements exist for changes with a path to them that no other change is on, and
    /// tests satisfy them before they execute another change.
    ClearPath,
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Paths were not followed.
    Path(Why),
    /// Part of the state had a fixed value.
    Blur(Blur),
    /// The other version has no place that corresponds to the entry of the change.
    NoPlace,
    /// The function of the change is called in further ways.
    Contexts,
    /// A variable that only one version has is live at the end.
    Variable(String),
    /// Unknown pointers are followed, which could point to the same object, or to a variable.
    Alias,
    /// There are objects that the comparison does not know.
    Objects,
    /// There are too many states to compare.
    Pairs,
    /// The solver does not know.
    Solver,
    /// A path is too long to find its dependences.
    Trace,
    /// A chain ends within a statement that began before the change.
    Inside,
    /// The state at the entry could not be put in place.
    Start,
    Time,
}

/// One of the two conditions of a state requirement.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub verdict: Verdict,
    /// If it can hold: ways of which one must, over the values at the entry of the change.
    pub ways: Vec<String>,
    /// Why it is not known completely.
    pub gaps: BTreeSet<Gap>,
    /// The tests that satisfy it, from 0.
    pub satisfied: Vec<usize>,
}

/// What a chain requires of the state at the entry of its change.
#[derive(Clone, Debug, PartialEq)]
pub struct StateRequirement {
    /// Condition 1: a live variable differs at the end of the chain.
    pub values: Condition,
    /// Condition 2: the other version does not come there.
    pub path: Condition,
}

/// Why a chain has no state requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stateless {
    /// It is the changed statement alone.
    ChangeItself,
    /// Every path to the change has another change on it.
    NoClearPath,
}

/// A chain of dependences that tests should take.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainRequirement {
    /// From 1, over all changes.
    pub number: usize,
    pub steps: Vec<Step>,
    pub state: Result<StateRequirement, Stateless>,
    /// The tests that take it, from 0.
    pub covered: Vec<usize>,
    /// Tests for which it is not known whether they satisfy the state requirement.
    pub unknown: Vec<usize>,
}

impl ChainRequirement {
    /// Whether an input can satisfy the state requirement.
    pub fn verdict(&self) -> Verdict {
        let Ok(state) = &self.state else { return Verdict::Satisfiable };
        match (state.values.verdict, state.path.verdict) {
            (Verdict::Satisfiable, _) | (_, Verdict::Satisfiable) => Verdict::Satisfiable,
            (Verdict::Unsatisfiable, Verdict::Unsatisfiable) => Verdict::Unsatisfiable,
            _ => Verdict::Incomplete,
        }
    }

    /// The tests that satisfy one of the conditions; those that take the chain, if it has none.
    pub fn satisfied(&self) -> Vec<usize> {
        match &self.state {
            Err(_) => self.covered.clone(),
            Ok(state) => {
                let all = state.values.satisfied.iter().chain(&state.path.satisfied);
                let all: BTreeSet<usize> = all.copied().collect();
                all.into_iter().collect()
            }
        }
    }
}

/// A changed statement.
#[derive(Clone, Debug)]
pub struct ChangeRequirements {
    /// OLD for what is deleted.
    pub version: Version,
    pub place: Place,
    /// Whether a path from the entry of the program comes here before another change.
    pub is_clear: bool,
    pub chains: Vec<ChainRequirement>,
    /// All chains up to this length are known.
    pub complete: u32,
    /// The paths followed, of both versions.
    pub paths: usize,
    /// Tests that execute it.
    pub reached: Vec<usize>,
}

/// Why something may be missing from the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    Stopped(Stopped),
    /// These many tests were not followed to their end.
    Tests(usize),
    /// Chains that are longer are incomplete.
    Chains {
        complete: u32,
    },
    /// Runs of the versions cannot be traced.
    NotTraced,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Requirements {
    pub old: Checkout,
    pub new: Checkout,
    pub entry: Option<String>,
    pub distance: u32,
    pub paths: PathLimits,
    pub infection: Infection,
    pub changes: Vec<ChangeRequirements>,
    /// What became of each test.
    pub tests: Vec<TestState>,
    pub misfits: Vec<Misfit>,
    pub limits: Vec<Limit>,
    /// The partial runs made.
    pub runs: u64,
    pub time: Duration,
}

impl Requirements {
    pub fn chains(&self) -> impl Iterator<Item = &ChainRequirement> {
        self.changes.iter().flat_map(|change| &change.chains)
    }

    /// Whether everything is known.
    pub fn is_complete(&self) -> bool {
        let known = |condition: &Condition| {
            condition.verdict != Verdict::Incomplete && condition.gaps.is_empty()
        };
        let is_open = |chain: &ChainRequirement| {
            chain.state.as_ref().is_ok_and(|state| !(known(&state.values) && known(&state.path)))
        };
        self.limits.is_empty() && !self.chains().any(is_open)
    }
}

/// The program's name in its runs.
const NAME: &[u8] = b"program";

/// Finds what tests of a change have to do. If `progress` is told to stop, the result says what is
/// missing.
pub fn requirements(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Requirements, Error> {
    tell(Phase::Building);
    let watch = Stopwatch::start();
    let Request { scope, old, new, options } = request;
    let sources = sources(scope, [old, new], None);
    let pairing = Pairing::new(scope, [old, new], None, &sources);
    let versions = pairing.load()?;
    let mut result = Requirements {
        old: (*old).clone(),
        new: (*new).clone(),
        entry: scope.entry.map(str::to_owned),
        distance: options.distance,
        paths: options.paths,
        infection: options.infection,
        changes: Vec::new(),
        tests: Vec::new(),
        misfits: Vec::new(),
        limits: Vec::new(),
        runs: 0,
        time: Duration::ZERO,
    };
    if versions.alignment.is_empty() {
        return Ok(result);
    }
    let matching = versions.matching();
    let targets = Targets::of(&pairing);
    let ready = Ready::load(&targets, &versions, &matching)?;
    let pair = ready.pair(&matching);
    let tracing = Tracing::new(&versions, NAME, options.limits);
    let Some(marked) = tracing.marked(&pair) else {
        result.limits.push(Limit::NotTraced);
        return Ok(result);
    };
    tell(Phase::Explaining);
    let common = Common { programs: marked.programs.each_ref(), matching: &matching, parts: None };
    let statics = Statics::new(&versions, &matching);
    let points = changed_points(&versions, &matching);
    let outputs: BTreeSet<Point> = Version::BOTH
        .into_iter()
        .flat_map(|version| {
            let all = versions.side(version).output_statements(scope.entry);
            all.into_iter().map(move |statement| common.point(version, statement))
        })
        .collect();
    let clock = Stopwatch::start();
    let stopped = || match () {
        () if progress.is_stopped() => Some(Stopped::Interrupted),
        () if options.budget.time.is_some_and(|time| clock.elapsed() >= time) => {
            Some(Stopped::Time)
        }
        () => None,
    };
    let mut judging = Judging::new((&versions, &ready, marked), common, options, &points, &stopped);
    judging.judge(&statics, &outputs, &mut result);
    tell(Phase::Searching("tests"));
    tests::run(&mut judging, (scope, &ready, &pair), &tracing, &mut result);
    result.misfits = ready.new.misfits.clone();
    result.limits.extend(stopped().map(Limit::Stopped));
    let complete = result.changes.iter().map(|change| change.complete).min();
    if let Some(complete) = complete.filter(|&complete| complete < options.distance) {
        result.limits.push(Limit::Chains { complete });
    }
    result.time = watch.elapsed();
    Ok(result)
}

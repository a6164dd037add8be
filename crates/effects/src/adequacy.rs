//! Whether tests notice a change: what of it they execute, where the state becomes another one, how
//! far that gets, and what is missing.
//!
//! Demand-driven, as Santelices and Harrold (2013), §7: all tests run on both versions, and the
//! dependence chains that they cover and propagate along make a tree; the dependences of the
//! programs that extend it are what no test covers (`requirements`). No chain is enumerated that no
//! test begins. Whether what is missing can be covered at all is not known here.
//!
//! A test shows a difference if the machine's runs differ in what counts as observable. Of the
//! tests that reach the same changed line, some are replayed natively until one confirms it; only
//! then does the line count as shown.

mod criteria;
mod missing;
mod mutants;
pub(crate) mod requirements;
pub(crate) mod rows;
pub(crate) mod runs;
pub mod selection;

use std::time::Duration;

use base::Version;
use changes::versions::GlobalChange;
use exec::Stop;
use explore::{Budget, Progress, Stopped, Stopwatch};
use source::Checkout;
use trace::Observe;
use trace::chains::ChainLimits;

use crate::error::Error;
use crate::pairing::{Pairing, Ready, Targets, sources};
use crate::trial::{self, Misfit, Phase, Place, Scope};
use crate::versions::{HunkMeaning, Versions};

pub use missing::{Missing, Requirement};
pub use mutants::{Edit, Fate, Mutant};
pub use rows::{Outcome, Step, Through, TreeRow};

use self::criteria::criteria;
use self::requirements::Requirements;
use self::rows::Rows;
use self::runs::Ran;

/// The versions, and the tests to judge.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// With the tests.
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
    pub chains: ChainLimits,
    /// Whether to make mutants of the change.
    pub mutants: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            budget: trial::usual_budget(),
            limits: trial::usual_limits(),
            observe: trial::usual_observe(),
            chains: ChainLimits::default(),
            mutants: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is missing.
    Adequate,
    /// Something is missing.
    Inadequate,
    /// The programs are the same.
    NothingToTest,
    /// Something seems to be missing, but not all tests could be followed.
    Inconclusive,
}

/// What a coverage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// Changed statements.
    Statements,
    /// Decisions' effects on what is executed, directly from a changed statement.
    Branches,
    /// Uses of values, directly from a changed statement.
    Uses,
    /// Dependence chains.
    Chains,
    /// Dependence chains along which the state differs.
    Propagation,
    /// Changed lines for which a test shows a difference.
    Output,
}

impl Criterion {
    pub const ALL: [Criterion; 6] = [
        Criterion::Statements,
        Criterion::Branches,
        Criterion::Uses,
        Criterion::Chains,
        Criterion::Propagation,
        Criterion::Output,
    ];

    /// The name in the literature, which users write in thresholds.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Statements => "STMT",
            Criterion::Branches => "BR",
            Criterion::Uses => "DU",
            Criterion::Chains => "CHAIN",
            Criterion::Propagation => "PROP",
            Criterion::Output => "OUT",
        }
    }
}

/// How much of a criterion the tests satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    pub criterion: Criterion,
    /// The most dependences of the chains that count, if chains do.
    pub distance: Option<u32>,
    pub satisfied: usize,
    pub total: usize,
}

impl Coverage {
    /// In percent, rounded down; everything, if nothing is required.
    pub fn percent(&self) -> f64 {
        match self.total {
            0 => 100.0,
            total => (self.satisfied * 1000 / total) as f64 / 10.0,
        }
    }

    /// Whether at least this share is satisfied.
    pub fn reaches(&self, percent: f64) -> bool {
        self.satisfied as f64 * 100.0 >= percent * self.total as f64
    }
}

/// How many tests do what with a part of the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// They execute it in either version.
    pub reach: usize,
    /// The state differs there.
    pub infect: usize,
    /// They infect it, and show a difference on the machine.
    pub propagate: usize,
    /// They reach it, and show a difference on the machine.
    pub show: usize,
}

impl Counts {
    /// The share of tests that show a difference among those that reach it.
    pub fn detectability(&self) -> Option<f64> {
        (self.reach > 0).then(|| self.show as f64 / self.reach as f64)
    }
}

/// A changed line.
#[derive(Clone, Debug)]
pub struct ChangedLine {
    /// From 1.
    pub number: usize,
    /// The version that its place is in: OLD for what is deleted.
    pub version: Version,
    pub place: Place,
    pub counts: Counts,
    /// A test that shows a difference natively as well, by its number from 0.
    pub confirmed: Option<usize>,
    /// Its chains, each before those that extend it.
    pub tree: Vec<TreeRow>,
}

/// A hunk of the change.
#[derive(Clone, Debug)]
pub struct HunkCounts {
    pub meaning: HunkMeaning,
    pub counts: Counts,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    pub name: Option<String>,
    pub state: TestState,
    pub reaches: bool,
    pub infects: bool,
    pub differs: bool,
    /// Whether native runs differ, too; `None` if that was not tried.
    pub confirmed: Option<bool>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TestState {
    Followed,
    /// It is not in the input space.
    Misfit,
    /// It was recorded with an environment, directories or flaws that runs here do not have.
    Unusual,
    /// A version did not end within its bounds, or met something that is not modelled.
    Unknown(Version, Stop),
    /// The run has more events than are traced.
    Cut,
    /// The budget ended before it ran.
    NotRun,
}

/// Why something may be missing from the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// These many tests were not followed to their end.
    Tests(usize),
    /// The budget ended.
    Stopped(Stopped),
    /// Chains that are longer are incomplete.
    Chains { complete: u32 },
    /// Runs of the versions cannot be traced.
    NotTraced,
    /// A difference of the machine's runs that no native run confirmed.
    Unconfirmed(usize),
    /// The initial values of these variables changed. No chain begins at them.
    Variables(Vec<String>),
}

/// The result.
#[derive(Clone, Debug)]
pub struct Adequacy {
    pub old: Checkout,
    pub new: Checkout,
    pub entry: Option<String>,
    pub verdict: Verdict,
    pub distance: u32,
    pub tests: Vec<TestResult>,
    pub misfits: Vec<Misfit>,
    pub lines: Vec<ChangedLine>,
    pub hunks: Vec<HunkCounts>,
    /// By criterion, and by distance for chains.
    pub criteria: Vec<Coverage>,
    /// What is missing, the shortest first.
    pub missing: Vec<Requirement>,
    /// If they were asked for.
    pub mutants: Option<Vec<Mutant>>,
    pub limits: Vec<Limit>,
    pub time: Duration,
}

impl Adequacy {
    /// The coverage of a criterion, at the greatest distance.
    pub fn coverage(&self, criterion: Criterion) -> Option<&Coverage> {
        self.criteria.iter().rfind(|coverage| coverage.criterion == criterion)
    }
}

/// The program's name in its runs.
const NAME: &[u8] = b"program";

/// Judges tests. If `progress` is told to stop, the result is about the tests run so far.
pub fn adequacy(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Adequacy, Error> {
    tell(Phase::Building);
    let watch = Stopwatch::start();
    let Request { scope, old, new, options } = request;
    let sources = sources(scope, [old, new], None);
    let pairing = Pairing::new(scope, [old, new], None, &sources);
    let versions = pairing.load()?;
    let matching = versions.matching();
    if versions.alignment.is_empty() {
        return Ok(unchanged(request));
    }
    let targets = Targets::of(&pairing);
    let ready = Ready::load(&targets, &versions, &matching)?;
    let loader = crate::Loader { libc: crate::Libc::Quick, ..scope.loader.clone() };
    let hunks = versions.hunks_soon(&loader, &|| progress.is_stopped())?;
    tell(Phase::Searching("tests"));
    let mut ran = Ran::new(request, &versions, &matching, &ready, &hunks, progress);
    tell(Phase::Replaying);
    ran.confirm(&ready, options, &|| progress.is_stopped())?;
    tell(Phase::Explaining);
    let requirements = Requirements::new(&versions, &matching, &ran);
    let rows = Rows::new(&ready, &ran);
    let lines = rows.lines(&requirements);
    let missing = missing::missing(&rows, &requirements);
    let mutants = options.mutants.then(|| {
        let points = &requirements.points;
        mutants::mutants(options, &versions, &ready, points, &ran, progress, &watch)
    });
    let mut limits = ran.limits(requirements.distance);
    limits.extend(variables(&versions));
    let criteria = criteria(&ran, &requirements, &lines);
    Ok(Adequacy {
        old: (*old).clone(),
        new: (*new).clone(),
        entry: scope.entry.map(str::to_owned),
        verdict: verdict(&criteria, &limits, lines.is_empty() && ran.has_difference()),
        distance: options.chains.distance,
        hunks: ran.hunks(hunks),
        tests: ran.results(scope.tests),
        misfits: ran.misfits,
        lines,
        criteria,
        missing,
        mutants,
        limits,
        time: watch.elapsed(),
    })
}

/// `is_odd`: whether a test shows a difference, although no statement changed.
fn verdict(criteria: &[Coverage], limits: &[Limit], is_odd: bool) -> Verdict {
    let is_complete = criteria.iter().all(|coverage| coverage.satisfied == coverage.total);
    // What is known not to be satisfied stays so.
    let is_known = |limit: &Limit| matches!(limit, Limit::Chains { .. } | Limit::Variables(_));
    // More tests may satisfy more, and what is satisfied stays so.
    let hides = |limit: &Limit| is_known(limit) || matches!(limit, Limit::NotTraced);
    match () {
        () if is_odd => Verdict::Inconclusive,
        () if is_complete && !limits.iter().any(hides) => Verdict::Adequate,
        () if limits.iter().all(is_known) && !is_complete => Verdict::Inadequate,
        () => Verdict::Inconclusive,
    }
}

/// The variables whose initial values changed.
fn variables(versions: &Versions) -> Option<Limit> {
    let names = versions.alignment.globals.iter().filter_map(|change| match change {
        GlobalChange::Modified { name, .. } => Some(name.clone()),
        // What uses them is changed, too.
        GlobalChange::Added { .. } | GlobalChange::Removed { .. } => None,
    });
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then_some(Limit::Variables(names))
}

/// Nothing has to be tested where nothing changed.
fn unchanged(request: &Request<'_>) -> Adequacy {
    let Request { scope, old, new, options } = request;
    let result = |test: &inputs::Test| TestResult {
        name: test.name.clone(),
        state: TestState::NotRun,
        reaches: false,
        infects: false,
        differs: false,
        confirmed: None,
    };
    Adequacy {
        old: (*old).clone(),
        new: (*new).clone(),
        entry: scope.entry.map(str::to_owned),
        verdict: Verdict::NothingToTest,
        distance: options.chains.distance,
        tests: scope.tests.iter().map(result).collect(),
        misfits: Vec::new(),
        lines: Vec::new(),
        hunks: Vec::new(),
        criteria: Vec::new(),
        missing: Vec::new(),
        mutants: None,
        limits: Vec::new(),
        time: Duration::ZERO,
    }
}

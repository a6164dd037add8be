//! The comparison of two versions of a program, as a user requests it.
//!
//! Loads and aligns both versions, searches inputs on which they behave differently, minimises each
//! of these, replays it on both native programs, and finds out why they differ, which part of the
//! change is to blame and under which condition. A difference that the native programs do not
//! confirm is never reported as one. Results are plain data; other code words them.

mod accepted;
mod alone;
mod beside;
mod classify;
mod conclude;
mod confirm;
mod examine;
mod explain;
mod group;
mod hunks;
pub mod illustration;
mod likeness;
mod odd;
mod open;
mod portfolio;
mod requests;
mod saved;
mod search;
mod slower;
mod when;
mod who;
mod within;

use std::sync::Arc;
use std::time::Duration;

use base::parallel::join;
use exec::stop::{Bound, Unsupported};
use explore::pair::{Milestones, PairEffort};
use explore::{Budget, Progress, Stopwatch};
use inputs::snapshot::{Differing, Incomparable};
use inputs::{Alias, Assumption, Origin, Room, Signature, Space, Test, find_function};
use source::{Checkout, HeldPosition};
use trace::Observe;

use crate::error::Error;
use crate::proved::Proved;
use crate::trial::{
    self, Allowance, Build, Deadline, Fault, Misfit, Phase, PhaseClock, PhaseTimes, Place, Saving,
    Scope,
};
use crate::versions::{Changes, HunkStatus, Reach, Versions};

pub use crate::space::CommonSpace;
pub use accepted::{Acceptance, Accepted, Identity, Lapse, Lapsed};
pub use alone::Hidden;
pub use classify::{Class, Judgement};
pub use confirm::{Behaviour, Undefined};
pub use exec::undefined::UndefinedKind;
pub use explain::{Explanation, Link, Value};
pub use graphs::Drawing;
pub use graphs::drawing::{Placed, Style};
pub use illustration::Illustration;
pub use likeness::Unlike;
pub use portfolio::Strategy;
pub use saved::STATE_MARK;
pub use slower::{Natively, Slower};
pub use trace::outcome::Observable;
pub use trace::why::{Via, What};
pub use who::Blame;

pub(crate) use requests::{Requests, sources};
pub(crate) use search::NAME;
pub(crate) use who::{complains, native_on};

use self::beside::Beside;
use self::illustration::{ChangeText, Setting};
use self::search::Watching;

/// The versions to compare, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub scope: Scope<'a>,
    pub old: &'a Checkout,
    pub new: &'a Checkout,
    /// A version that is correct, to distinguish regressions from progress.
    pub golden: Option<&'a Checkout>,
    pub options: Options,
}

/// How to compare.
#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    pub budget: Budget,
    /// Of a single run.
    pub limits: exec::Limits,
    pub observe: Observe,
    pub seed: u64,
    /// The most groups of differences to report.
    pub most_witnesses: usize,
    /// Whether to stop at the first difference.
    pub first_only: bool,
    /// Whether to use the whole budget although differences were found.
    pub thorough: bool,
    /// Whether the search must be the same on every machine: then threads wait for each other.
    pub deterministic: bool,
    /// Threads of the search: one for plain runs and one that uses a solver, or more of both.
    pub jobs: usize,
    /// Whether tests seed the search.
    pub use_tests: bool,
    /// Whether to collect what a report with sources and graphs shows.
    pub illustrated: bool,
    /// Whether to search differences that need inconsistent parameters, too, if there is time left.
    pub odd: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::default(),
            budget: trial::usual_budget(),
            limits: trial::usual_limits(),
            observe: trial::usual_observe(),
            seed: 1,
            most_witnesses: 20,
            first_only: false,
            thorough: false,
            deterministic: false,
            jobs: 2,
            use_tests: true,
            illustrated: false,
            odd: false,
        }
    }
}

/// The verdict of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an input on which the native programs differ.
    Different,
    /// No input of the space distinguishes them.
    Equal,
    /// Every difference found is one that users accepted.
    Accepted,
    /// No difference was found, and nothing proves that there is none.
    Inconclusive,
}

/// What a verdict is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// The behaviour of the programs did not change.
    NoChange,
    /// Every input of the space was run.
    AllInputs { inputs: u64 },
    /// Partitions that cover the whole space were proved equal in both versions.
    Proved,
    /// These inputs were run.
    Sampled { inputs: u64 },
    /// Witnesses were replayed on both native programs.
    Replayed,
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Compared {
    pub old: Checkout,
    pub new: Checkout,
    pub golden: Option<Checkout>,
    pub entry: Option<String>,
    pub strategy: Strategy,
    /// What counts as a difference.
    pub observe: Observe,
    /// How the native programs of OLD and NEW are built; empty if nothing had to be run.
    pub builds: [Build; 2],
    pub verdict: Verdict,
    pub guarantee: Guarantee,
    /// Where the input space comes from.
    pub origin: Origin,
    /// The part of it that was chosen rather than declared.
    pub chosen: Space,
    pub space: CommonSpace,
    /// Tests that are not in the space.
    pub misfits: Vec<Misfit>,
    pub changes: Changes,
    /// The status of every hunk without differences; see [`Compared::hunks`].
    pub hunks_apart: Vec<HunkStatus>,
    /// How far runs came towards the change.
    pub reach: Reach,
    /// One for each group of differences, the most severe first.
    pub witnesses: Vec<Witness>,
    /// Differences found that users accepted; not among the witnesses.
    pub accepted: Vec<Accepted>,
    /// Where NEW was compiled with positions of OLD.
    pub positions: Vec<HeldPosition>,
    /// Acceptances that do not hold for a witness that they seem to match.
    pub lapsed: Vec<Lapsed>,
    /// Differences between runs of the machine that the native programs did not confirm.
    pub unconfirmed: Vec<Unconfirmed>,
    /// Inputs on which one version ends and the other did not within its bounds: not known to be a
    /// difference.
    pub slower: Vec<Slower>,
    /// Hunks that make a difference alone, which others hide.
    pub hidden: Vec<Hidden>,
    /// Inputs whose runs did something new.
    pub(crate) kept: Vec<Box<[u64]>>,
    /// What is proved about partitions of the space, if the strategy proves anything.
    pub proof: Option<Proved>,
    pub effort: Effort,
    pub limits: Vec<Limit>,
    /// How to call the entry of NEW, if it is not `main` and that is known.
    pub signature: Option<Signature>,
    /// If it was requested.
    pub illustration: Option<Illustration>,
}

impl Compared {
    /// Differences that count for the verdict.
    pub fn consistent(&self) -> impl Iterator<Item = &Witness> {
        self.witnesses.iter().filter(|witness| witness.is_consistent())
    }

    /// How many differences only inconsistent input shows.
    pub fn only_inconsistent(&self) -> usize {
        self.witnesses.len() - self.consistent().count()
    }

    /// The fault that every input ended in before any change, if there was no other.
    pub fn invalid_inputs(&self) -> Option<&Fault> {
        self.limits.iter().find_map(|limit| match limit {
            Limit::InvalidInputs { fault } => Some(&**fault),
            _ => None,
        })
    }
}

/// A confirmed difference.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Minimised, and in the form of a test.
    pub test: Test,
    pub assignment: Box<[u64]>,
    /// The test in the form for the native programs: for a function, as input of the harness.
    pub native_tests: [Test; 2],
    pub class: Class,
    /// What differs first.
    pub observable: Observable,
    pub old: Behaviour,
    pub new: Behaviour,
    /// The behaviour of NEW with its own positions, if `new` has those of OLD.
    written: Option<Behaviour>,
    /// The behaviour of the correct version, and the resulting judgement.
    pub golden: Option<(Behaviour, Judgement)>,
    /// Changed statements that the witness executes, in OLD and in NEW.
    pub reached: [Vec<Place>; 2],
    /// The undefined operation that only one version executes, if that is the difference.
    pub undefined: Option<(base::Version, Undefined)>,
    /// What sanitizers report about undefined behaviour that may cause the difference.
    pub undefined_behaviour: Option<String>,
    /// The differing parts of the state that a function left, in terms of the source.
    pub left: Vec<Differing>,
    /// How the runs of Ripple's machine deviate from the native ones: then they do not explain the
    /// behaviour of native programs.
    pub unlike: Vec<Unlike>,
    /// What holds for consistent parameters but not for this input, if nothing is assumed.
    pub inconsistent: Vec<Assumption>,
    /// Parameters that are the same object in this input, if the versions do not differ once each
    /// has memory of its own with the same content.
    pub same: Vec<Alias>,
    /// How its native programs are built, if not like those of the comparison.
    pub builds: Option<Arc<[Build; 2]>>,
    /// How the difference came about.
    pub why: Option<Explanation>,
    /// Changed statements that the difference depends on, in OLD and in NEW.
    pub responsible: [Vec<Place>; 2],
    /// The hunks without which there is no difference.
    pub blame: Option<Blame>,
    /// The condition on the input under which both versions run as they do here, for people.
    pub condition: Option<String>,
    /// The strategy that found it, and the effort until then.
    pub found_by: &'static str,
    pub found_after: PairEffort,
    /// How many other inputs of this group were seen.
    pub alike: usize,
}

impl Witness {
    /// Whether consistent parameters show the difference: others do not decide a verdict.
    pub fn is_consistent(&self) -> bool {
        self.inconsistent.is_empty()
    }
}

/// A difference that only the machine shows.
#[derive(Clone, Debug)]
pub struct Unconfirmed {
    pub test: Test,
    pub observable: Observable,
    pub old: Behaviour,
    pub new: Behaviour,
}

/// The cost of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    pub total: PairEffort,
    pub milestones: Milestones,
    /// By strategy, in the order of their first turn.
    pub strategies: Vec<(&'static str, PairEffort, u64)>,
    /// Everything, from loading to the last replay.
    pub time: Duration,
    pub phases: PhaseTimes,
}

/// Why the comparison may have missed something.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// Runs of a version met something that is not modelled.
    Unsupported { version: base::Version, what: Unsupported, place: Option<Place> },
    /// Runs of a version reached a bound.
    Exhausted { version: base::Version, bound: Bound },
    /// On some input a version did something that a native program may survive, or read
    /// uninitialised memory: then equal runs of the machine say nothing about native programs.
    Undetermined,
    /// A part of the state that functions leave cannot be compared.
    Incomparable(Incomparable),
    /// Both versions ended in a fault before any change on every input that was run, such as this
    /// one of NEW: then equal behaviour says nothing about the change.
    InvalidInputs { fault: Box<Fault> },
    /// The budget ended the search.
    Stopped(explore::Stopped),
    /// Strategies that were dropped because memory was short.
    Memory { strategies: Vec<&'static str> },
    /// Differences that the requested part of the change does not cause.
    OutsideDiff { differences: usize },
}

impl Limit {
    /// The version that it concerns, if it is not both.
    pub fn version(&self) -> Option<base::Version> {
        match self {
            Limit::Unsupported { version, .. } | Limit::Exhausted { version, .. } => Some(*version),
            Limit::Undetermined
            | Limit::Incomparable(_)
            | Limit::InvalidInputs { .. }
            | Limit::Stopped(_)
            | Limit::Memory { .. }
            | Limit::OutsideDiff { .. } => None,
        }
    }

    /// Where it occurred.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Limit::Unsupported { place, .. } => place.as_ref(),
            Limit::InvalidInputs { fault } => fault.stack.first(),
            Limit::Exhausted { .. }
            | Limit::Undetermined
            | Limit::Incomparable(_)
            | Limit::Stopped(_)
            | Limit::Memory { .. }
            | Limit::OutsideDiff { .. } => None,
        }
    }
}

/// Compares two versions. If `progress` is told to stop, the result is what was found so far.
pub fn compare(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Compared, Error> {
    compare_saving(request, Saving::default(), progress, tell)
}

/// The same, resuming an earlier search, or saving this one for later.
pub fn compare_saving(
    request: &Request<'_>,
    saving: Saving<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Compared, Error> {
    let watch = Stopwatch::start();
    let clock = PhaseClock::start(Phase::Building);
    let tell = &|phase| {
        clock.enter(phase);
        tell(phase);
    };
    tell(Phase::Building);
    let sources = sources(request);
    let requests = Requests::new(request, &sources);
    let versions = requests.pairing.load()?;
    let beside = Beside::default();
    let spent = Allowance::start(&request.options.budget);
    let mut compared = if versions.alignment.is_empty() {
        unchanged(&requests, &versions)?
    } else {
        let requests = &requests;
        let share = odd::share_of(request);
        let first = share.as_ref().map(|request| requests.like(request));
        let requests = first.as_ref().unwrap_or(requests);
        let deadline = Deadline::new(progress);
        let is_over = || deadline.is_over();
        std::thread::scope(|scope| {
            // Made during plain runs, for the strategies, explanations and pictures that follow.
            let background = scope.spawn(|| {
                beside.open(requests, &deadline);
                // Whoever needs them gets the error.
                _ = beside.hunks(requests, &versions, &deadline);
                request.options.illustrated.then(|| Setting::new(&versions, &is_over))
            });
            let setting = || join(background);
            let watching = Watching { progress, tell, deadline: &deadline };
            search::compare(requests, &versions, &beside, setting, saving, watching)
        })?
    };
    let deadline = Deadline::new(progress);
    deadline.begin(spent);
    let watching = Watching { progress, tell, deadline: &deadline };
    odd::look(&requests, &versions, &beside, &mut compared, watching, spent)?;
    compared.effort.time = watch.elapsed();
    compared.effort.phases = clock.times();
    compared.signature = signature(&requests, &versions);
    let change = compared.illustration.is_some().then(|| ChangeText::of(&compared));
    if let (Some(illustration), Some(change)) = (&mut compared.illustration, change) {
        illustration.change = change;
    }
    Ok(compared)
}

/// How to call the entry. Only used to write tests, so an unknown signature is no error.
fn signature(requests: &Requests<'_>, versions: &Versions) -> Option<Signature> {
    let request = requests.request;
    let module = &versions.new.module;
    let function = find_function(module, request.scope.entry?).ok()?;
    Signature::of(module, function, &requests.pairing.overrides().ok()?).ok()
}

/// The behaviour of the programs did not change, so nothing has to run.
fn unchanged(requests: &Requests<'_>, versions: &Versions) -> Result<Compared, Error> {
    let request = requests.request;
    let (_, origin) = request.scope.flags.program_space(request.scope.tests, &Room::default())?;
    let hunks_apart = hunks::of_unchanged(requests, versions)?;
    let illustration = request.options.illustrated.then(|| illustration::sources_of(versions));
    let compared = Compared::without_search(request, versions, origin, hunks_apart);
    Ok(Compared { illustration, ..compared })
}

impl Compared {
    /// The result before any run.
    fn without_search(
        request: &Request<'_>,
        versions: &Versions,
        origin: Origin,
        hunks_apart: Vec<HunkStatus>,
    ) -> Compared {
        Compared {
            old: request.old.clone(),
            new: request.new.clone(),
            golden: request.golden.cloned(),
            entry: request.scope.entry.map(str::to_owned),
            strategy: request.options.strategy,
            observe: request.options.observe.clone(),
            builds: Default::default(),
            verdict: Verdict::Equal,
            guarantee: Guarantee::NoChange,
            origin,
            chosen: Space::default(),
            space: CommonSpace::default(),
            misfits: Vec::new(),
            changes: hunks::changes(versions, &hunks_apart),
            hunks_apart,
            reach: Reach::NoChange,
            witnesses: Vec::new(),
            accepted: Vec::new(),
            positions: request.new.held_positions(),
            lapsed: Vec::new(),
            unconfirmed: Vec::new(),
            slower: Vec::new(),
            hidden: Vec::new(),
            kept: Vec::new(),
            proof: None,
            effort: Effort::default(),
            limits: Vec::new(),
            signature: None,
            illustration: None,
        }
    }
}

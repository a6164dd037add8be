//! Verification of versions by partitions of their input space, as a user asks for it.
//!
//! Loads two or more versions, explores the partitions of the input space that they have in
//! common (`explore::partitions`) and tells them as plain data: condition, verdict, an input, what
//! is shown, the changes behind it. What was found can be saved and taken up later. `natively`
//! has native programs confirm it; words are made elsewhere.

mod check;
mod describe;
mod golden;
mod hunks;
mod identity;
mod native;
mod natively;
mod subjects;
pub mod tables;
mod validity;

use std::io;
use std::time::Duration;

use explore::partitions::{Counts, Explorer, Partition, Subject, Verdict, explore_all};
pub use explore::partitions::{DiffersWhen, How, Portion, Share, Shares};
use explore::saved::StateError;
use explore::{Budget, Observe, Progress, Stopped, Stopwatch};
use inputs::{Flags, Origin, Space, Test};
use source::{Checkout, SourceError};
use thiserror::Error;

use crate::explore::ExploreError;
use crate::program::Loader;
use crate::space::CommonSpace;
use crate::versions::VersionError;

pub use check::{Check, UndefinedOn, Violation};
pub use describe::Described;
pub use golden::{Step, StepShares};
pub use hunks::StepHunks;
pub use native::{Doubt, Replay};
pub use natively::{Journal, Natively, NoJournal, Outcome, Phase, Tally, Verification, natively};

use self::identity::identity;
use self::subjects::{Sources, Subjects};

/// What a program is called in its runs.
const NAME: &[u8] = b"program";
/// Partitions that are told. There may be a hundred thousand of them, and a page for each condition.
const MOST_TOLD: usize = 2000;
/// Questions to the solver that go into saying in few words when versions differ.
const MERGING: usize = 2000;

/// What a user wants verified.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub loader: Loader<'a>,
    /// From the oldest to the newest; at least two.
    pub versions: &'a [Checkout],
    /// The function to verify instead of `main`.
    pub entry: Option<&'a str>,
    pub flags: &'a Flags,
    /// The first that is in the space is where the exploration begins.
    pub tests: &'a [Test],
    pub options: Options,
    /// The state of an earlier exploration of the same versions and the same space.
    pub resume: Option<&'a str>,
}

/// How to verify.
#[derive(Clone, Debug)]
pub struct Options {
    pub budget: Budget,
    /// Of a single run.
    pub limits: exec::Limits,
    pub observe: Observe,
    /// Whether slices make partitions larger; without them, the conditions of a partition are the
    /// whole paths of all versions.
    pub slices: bool,
}

impl Default for Options {
    fn default() -> Options {
        let compared = crate::compare::Options::default();
        Options {
            budget: compared.budget,
            limits: compared.limits,
            observe: compared.observe,
            slices: true,
        }
    }
}

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error("there must be at least two versions")]
    TooFew,
    #[error(transparent)]
    Version(#[from] VersionError),
    #[error(transparent)]
    Input(#[from] inputs::Error),
    /// A version does not build, or its function cannot be called.
    #[error("v{number}: {cause}")]
    Side { number: usize, cause: ExploreError },
    /// A native program cannot be run.
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("the state of the exploration cannot be saved: {0}")]
    Save(io::Error),
    /// The saved state is damaged or belongs to another exploration.
    #[error("the saved state cannot be taken up")]
    State(#[from] StateError),
}

impl VerifyError {
    /// Whether a version as given does not build.
    pub fn is_build_failure(&self) -> bool {
        match self {
            VerifyError::Version(error) => error.is_build_failure(),
            VerifyError::Side { cause, .. } => cause.is_build_failure(),
            _ => false,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// In the order of their discovery. Where there are very many, those that are different come
    /// before those of which nothing is known, and those before the equal ones; the others are
    /// only counted.
    pub partitions: Vec<Described>,
    pub counts: Counts,
    /// Whether the partitions are the whole space.
    pub is_complete: bool,
    /// Whether it is proved that all versions show the same on every input.
    pub is_equal: bool,
    /// Regions that nobody has looked at, and those of which the solver does not know.
    pub waiting: usize,
    pub unresolved: usize,
    /// Whether a value was pinned in some run.
    pub pinned: bool,
    /// Distinct combinations of whole paths that were run.
    pub path_pairs: usize,
    /// How much of the space is proved to be what.
    pub shares: Shares,
    /// When versions differ, if that can be said in few words.
    pub differs_when: Option<DiffersWhen>,
    pub origin: Origin,
    /// What was chosen of the space rather than declared.
    pub chosen: Space,
    /// How the common space is made.
    pub space: CommonSpace,
    pub effort: Effort,
    /// Why the exploration ended early, if it did.
    pub stopped: Option<Stopped>,
    /// The state of the exploration, to be taken up later.
    pub state: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Concolic runs, over all versions.
    pub runs: u64,
    pub questions: u64,
    pub solver_calls: u64,
    /// Of the exploration alone.
    pub time: Duration,
}

/// Explores until everything is known or the budget is spent. Nothing is run natively.
pub fn verify(request: &Request<'_>, progress: &Progress) -> Result<Verified, VerifyError> {
    let sources = Sources::new(request);
    let subjects = Subjects::load(request, &sources.singles(request))?;
    let explored = subjects.subjects();
    let mut explorer = explorer(request, &subjects, &explored)?;
    let watch = Stopwatch::start();
    let stopped = explore_all(&mut explorer, request.options.budget.clone(), progress);
    let time = watch.elapsed();
    Ok(verified(&subjects, &mut explorer, stopped, time, None))
}

/// An exploration that begins, or one that is taken up where it was left.
fn explorer<'s>(
    request: &Request<'_>,
    subjects: &'s Subjects,
    explored: &[Subject<'s>],
) -> Result<Explorer<'s>, VerifyError> {
    let Options { budget, limits, observe, .. } = &request.options;
    let guidance = subjects.guidance.as_ref();
    let question = smt::Budget { conflicts: budget.conflicts, ..smt::Budget::default() };
    let mut explorer = Explorer::new(explored, NAME, *limits, observe.clone(), question, guidance);
    explorer.set_tests(&subjects.tests);
    explorer.set_changed(subjects.changed());
    explorer.identify(identity(request, subjects));
    match request.resume {
        Some(text) => explorer.resume(text)?,
        None if subjects.tests.is_empty() => explorer.start(&[subjects.layout().plain()]),
        None => explorer.start(&subjects.tests),
    }
    Ok(explorer)
}

fn verified(
    subjects: &Subjects,
    explorer: &mut Explorer<'_>,
    stopped: Option<Stopped>,
    time: Duration,
    patience: Option<Duration>,
) -> Verified {
    let (runs, questions, solver_calls) = explorer.spent();
    let (shares, differs_when) = (explorer.shares(), explorer.differs_when(MERGING));
    let found = explorer.found();
    Verified {
        partitions: described(subjects, explorer, patience),
        counts: found.counts(),
        is_complete: explorer.is_complete(),
        is_equal: explorer.proof().is_equal,
        waiting: explorer.waiting(),
        unresolved: found.unresolved.len(),
        pinned: found.pinned,
        path_pairs: explorer.path_pairs(),
        shares,
        differs_when,
        origin: subjects.origin,
        chosen: subjects.chosen.clone(),
        space: subjects.space.clone(),
        effort: Effort { runs, questions, solver_calls, time },
        stopped,
        state: explorer.save(),
    }
}

/// The partitions of most interest, in the order of their discovery; fewer if that takes long.
fn described(
    subjects: &Subjects,
    explorer: &Explorer<'_>,
    patience: Option<Duration>,
) -> Vec<Described> {
    let all = &explorer.found().list;
    let rank = |one: &Partition| match one.verdict {
        Verdict::Different => 0,
        Verdict::Unknown(_) => 1,
        Verdict::Equal(_) => 2,
    };
    let mut numbers: Vec<usize> = (0..all.len()).collect();
    numbers.sort_by_key(|&number| rank(&all[number]));
    let watch = Stopwatch::start();
    let has_time = || patience.is_none_or(|patience| watch.elapsed() <= patience);
    let mut described: Vec<(usize, Described)> = Vec::new();
    for number in numbers.into_iter().take(MOST_TOLD) {
        if !described.is_empty() && !has_time() {
            break;
        }
        described.push((number, subjects.describe(explorer, &all[number])));
    }
    described.sort_unstable_by_key(|(number, _)| *number);
    described.into_iter().map(|(_, one)| one).collect()
}

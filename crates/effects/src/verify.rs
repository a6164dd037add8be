//! Verification of versions by partitions of their input space, as a user requests it.
//!
//! Loads two or more versions, explores the partitions of the input space that they have in common
//! (`explore::partitions`) and describes them as plain data: condition, verdict, an input, the
//! observables, the changes behind them. Results can be saved and resumed later.
//! `verify_and_replay` lets native programs confirm them; other code words them.

mod check;
mod golden;
mod hunks;
mod native;
mod subjects;
mod validity;
mod verification;

use std::time::Duration;

use explore::partitions::{Explorer, Subject, explore_all};
use explore::proved::{Counts, Partition, Verdict};
pub use explore::proved::{DiffersWhen, How, Portion, Share, Shares};
use explore::{Budget, Progress, Stopped, Stopwatch};
use inputs::{Origin, Space};
use ir::Module;
use source::Checkout;
use trace::Observe;

use crate::error::Error;
use crate::identity::identity;
use crate::proved::Described;
use crate::space::CommonSpace;
use crate::trial::{self, Scope};

pub use check::{Check, UndefinedOn, Violation};
pub use golden::{Step, StepShares};
pub use hunks::StepHunks;
pub use native::{Doubt, Replay};
pub use verification::{Natively, Outcome, Tally, Verification, verify_and_replay};

use self::subjects::{Subjects, sources};

/// The program's name in its runs.
const NAME: &[u8] = b"program";
/// The most partitions to describe. There may be a hundred thousand of them, and a page for each
/// condition.
const MOST_TOLD: usize = 2000;
/// Solver queries for a short predicate that says when versions differ.
const MERGING: usize = 2000;

/// The versions to verify, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub scope: Scope<'a>,
    /// From the oldest to the newest; at least two.
    pub versions: &'a [Checkout],
    pub options: Options,
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
        Options {
            budget: trial::usual_budget(),
            limits: trial::usual_limits(),
            observe: trial::usual_observe(),
            slices: true,
        }
    }
}

/// The result of a verification without native runs.
#[derive(Clone, Debug)]
pub struct Verified {
    /// In the order of discovery. If there are very many, different ones come before unknown ones,
    /// and those before equal ones; the others are only counted.
    pub partitions: Vec<Described>,
    pub counts: Counts,
    /// Whether the partitions cover the whole space.
    pub is_complete: bool,
    /// Whether all versions are proved equal on every input.
    pub is_equal: bool,
    /// Regions that were not examined, and those that the solver could not decide.
    pub waiting: usize,
    pub unresolved: usize,
    /// Whether a value was pinned in some run.
    pub pinned: bool,
    /// The number of distinct combinations of whole paths.
    pub path_pairs: usize,
    /// The proved shares of the space.
    pub shares: Shares,
    /// When versions differ, if there is a short predicate for it.
    pub differs_when: Option<DiffersWhen>,
    pub origin: Origin,
    /// The part of the space that was chosen rather than declared.
    pub chosen: Space,
    /// How the common space was derived.
    pub space: CommonSpace,
    pub effort: Effort,
    /// Why the exploration ended early, if it did.
    pub stopped: Option<Stopped>,
    /// The state of the exploration, to be resumed later.
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

/// Explores until everything is known or the budget is exhausted. Runs nothing natively.
pub fn verify(request: &Request<'_>, progress: &Progress) -> Result<Verified, Error> {
    let subjects = Subjects::load(request, &sources(request))?;
    let explored = subjects.subjects();
    let mut explorer = explorer(request, &subjects, &explored, None)?;
    let watch = Stopwatch::start();
    let stopped = explore_all(&mut explorer, request.options.budget.clone(), progress);
    let time = watch.elapsed();
    Ok(verified(&subjects, &mut explorer, stopped, time, None))
}

/// A new exploration, or a resumed one.
fn explorer<'s>(
    request: &Request<'_>,
    subjects: &'s Subjects,
    explored: &[Subject<'s>],
    resume: Option<&str>,
) -> Result<Explorer<'s>, Error> {
    let Options { budget, limits, observe, slices } = &request.options;
    let guidance = subjects.guidance.as_ref();
    let question = smt::Budget { conflicts: budget.conflicts, ..smt::Budget::default() };
    let mut explorer = Explorer::new(explored, NAME, *limits, observe.clone(), question, guidance);
    explorer.set_tests(&subjects.tests);
    explorer.set_changed(subjects.changed());
    let modules: Vec<(String, &Module)> = (0..subjects.count())
        .map(|number| (format!("v{number}"), &subjects.program(number).module))
        .collect();
    let slices = ("choice about --no-slices", if *slices { "yes" } else { "no" });
    let mut known = identity(&modules, request.scope.entry, observe, limits, slices);
    known.insert(0, ("number of versions".to_owned(), modules.len().to_string()));
    explorer.identify(known);
    match resume {
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

/// The most interesting partitions, in the order of discovery; fewer if that takes long.
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

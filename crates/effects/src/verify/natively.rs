//! A verification whose claims native programs confirm.
//!
//! The input of every partition that is proved different is replayed on the native programs of
//! all versions; what they do not confirm is never reported as different. There is a bound on
//! replays: what is beyond it is proved, but nobody has seen it.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use base::in_parallel;
use explore::partitions::{Explorer, Partition, Planes, Verdict, explore_watched};
use explore::{Budget, Observe, Progress, Stopped, Stopwatch};
use inputs::Input;
use source::Checkout;

use super::check::{Check, Checker};
use super::golden::{Step, steps};
use super::hunks::{StepHunks, step_hunks};
use super::native::{Natives, Replay};
use super::subjects::{Sources, Subjects};
use super::validity::invalid_inputs;
use super::{Described, Request, Verified, VerifyError, explorer, verified};
use crate::compare::Fault;
use crate::explore::subject::Subject;
use crate::explore::{ExploreError, Misfit};
use crate::proved::with_held;

/// Time of the budget that is kept for native runs, at most.
const RESERVE: Duration = Duration::from_millis(2500);
/// Time that native runs have although the budget is spent.
const LEAST_PATIENCE: Duration = Duration::from_millis(700);
/// Time that describing partitions may take although the budget is spent.
const LEAST_DESCRIBING: Duration = Duration::from_millis(300);

/// What is wanted of native programs.
#[derive(Clone, Copy, Debug)]
pub struct Natively {
    /// Partitions that are replayed at most.
    pub most: usize,
    /// Inputs of each partition that are checked, on the machine and natively.
    pub check: usize,
    /// Native programs that run at a time.
    pub jobs: usize,
    /// Whether the last version is right.
    pub golden_last: bool,
    /// Whether there are to be pictures.
    pub planes: bool,
}

impl Default for Natively {
    fn default() -> Natively {
        Natively { most: 200, check: 0, jobs: 1, golden_last: false, planes: false }
    }
}

/// Where the state of an exploration is kept while it goes on.
pub trait Journal {
    /// This is the whole state so far.
    fn begin(&mut self, state: &str) -> io::Result<()>;
    /// These lines are to be added.
    fn add(&mut self, lines: &str) -> io::Result<()>;
}

/// Nothing is kept.
#[derive(Clone, Copy, Debug)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn add(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }
}

/// What is being done, for those who wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Building,
    /// Runs known inputs again.
    Resuming,
    Exploring,
    Replaying,
    Checking,
}

/// What a verification says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All versions show the same on every input, because nothing that they do changed.
    Unchanged,
    /// All versions show the same on every input: proved by partitions that are the whole space.
    Equal,
    /// Native programs differ on the input of some partition.
    Different,
    /// Neither is known.
    Inconclusive,
}

/// What came of a verification.
#[derive(Clone, Debug)]
pub struct Verification {
    pub versions: Vec<Checkout>,
    pub entry: Option<String>,
    pub observe: Observe,
    pub outcome: Outcome,
    /// Nothing if nothing had to be explored.
    pub found: Option<Verified>,
    /// By partition, what native programs say to it.
    pub replays: Vec<Replay>,
    /// A fault that every version ends in before any change, if they do so on every input that is
    /// known: then they are not proved to be equal, whatever the partitions say.
    pub invalid_inputs: Option<Fault>,
    /// Tests that are not in the space.
    pub misfits: Vec<Misfit>,
    /// What is known of every hunk, from each version to the next.
    pub hunks: Vec<StepHunks>,
    /// What each version does towards the last one, if that is right.
    pub steps: Option<Vec<Step>>,
    /// If it was asked for.
    pub check: Option<Check>,
    /// Pictures, if they were asked for, and the input that they go through.
    pub planes: Option<(Planes, Input)>,
    /// Everything, from loading to the last replay.
    pub time: Duration,
}

/// How many partitions there are of each sort, with what native programs say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub equal: usize,
    /// Proved different, and confirmed by native programs.
    pub different: usize,
    /// Proved different, and not replayed.
    pub not_replayed: usize,
    /// Different on the machine, and not so natively.
    pub unconfirmed: usize,
    pub unknown: usize,
    /// Regions of which nothing is known.
    pub left: usize,
}

impl Verification {
    pub fn partitions(&self) -> &[Described] {
        self.found.as_ref().map_or(&[], |found| &found.partitions)
    }

    /// Whether runs reached what changed in every step, or there is nothing to reach.
    pub fn is_reached(&self) -> bool {
        self.hunks.iter().all(|step| step.reach.suffices(&step.hunks))
    }

    /// Partitions that are only counted.
    pub fn omitted(&self) -> usize {
        let all = self.found.as_ref().map_or(0, |found| found.counts.total());
        all.saturating_sub(self.partitions().len())
    }

    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (one, replay) in self.partitions().iter().zip(&self.replays) {
            let count = match (&one.verdict, replay) {
                (Verdict::Equal(_), _) => &mut tally.equal,
                (Verdict::Unknown(_), _) => &mut tally.unknown,
                (Verdict::Different, Replay::Confirmed(_)) => &mut tally.different,
                (Verdict::Different, Replay::NotRun) => &mut tally.not_replayed,
                (Verdict::Different, Replay::Unconfirmed(..)) => &mut tally.unconfirmed,
            };
            *count += 1;
        }
        // Those that are not told are not replayed either.
        if let Some(found) = &self.found {
            let told = tally.different + tally.not_replayed + tally.unconfirmed;
            tally.not_replayed += found.counts.different.saturating_sub(told);
            tally.equal = found.counts.equal;
            tally.unknown = found.counts.unknown;
        }
        tally.left = self.found.as_ref().map_or(0, |found| found.waiting + found.unresolved);
        tally
    }
}

/// Verifies; what is found so far is the result if `progress` is told to stop.
pub fn natively(
    request: &Request<'_>,
    wanted: Natively,
    journal: &mut dyn Journal,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Verification, VerifyError> {
    let watch = Stopwatch::start();
    tell(Phase::Building);
    let sources = Sources::new(request);
    let singles = sources.singles(request);
    let subjects = Subjects::load(request, &singles)?;
    let mut verification = Verification {
        versions: request.versions.to_vec(),
        entry: request.entry.map(str::to_owned),
        observe: request.options.observe.clone(),
        outcome: Outcome::Unchanged,
        found: None,
        replays: Vec::new(),
        invalid_inputs: None,
        misfits: Vec::new(),
        hunks: Vec::new(),
        steps: None,
        check: None,
        planes: None,
        time: watch.elapsed(),
    };
    if subjects.is_unchanged {
        verification.hunks = step_hunks(&subjects, &[], &[], false);
        return Ok(verification);
    }
    let programs: Vec<Subject<'_>> = native_subjects(&subjects, &singles)?
        .into_iter()
        .zip(subjects.changed())
        .map(|(mut subject, changed)| {
            subject.program = subject.program.mark_only(changed);
            subject
        })
        .collect();
    let observe = &request.options.observe;
    let cells: Vec<_> = (0..subjects.count()).map(|number| subjects.cells(number)).collect();
    let written = Sources::as_written(request);
    let singles_written = written.as_ref().map(|written| written.singles(request));
    let singles_written = singles_written.unwrap_or_default();
    let programs_written = native_subjects(&subjects, &singles_written)?;
    let mut natives = Natives::new(&programs, &singles, cells.clone(), observe);
    if !programs_written.is_empty() {
        let of = Natives::new(&programs_written, &singles_written, cells.clone(), observe);
        natives.written = Some(Box::new(of));
    }
    let explored = subjects.subjects();
    if request.resume.is_some() {
        tell(Phase::Resuming);
    }
    let mut explorer = explorer(request, &subjects, &explored)?;

    tell(Phase::Exploring);
    // Compiling, and taking up what is known, is not what a budget is for: a small one would never
    // lead further.
    let spent = Stopwatch::start();
    let exploring = Stopwatch::start();
    let budget = search_budget(request, wanted, spent);
    let stopped = keep_exploring(&mut explorer, budget, progress, journal)?;
    let time = exploring.elapsed();
    // The rest is for native runs.
    let describing = left(request, spent).map(|left| (left / 2).max(LEAST_DESCRIBING));
    let found = verified(&subjects, &mut explorer, stopped, time, describing);

    tell(Phase::Replaying);
    let since = Stopwatch::start();
    let patience = match stopped {
        Some(Stopped::Interrupted) => LEAST_PATIENCE,
        _ => left(request, spent).unwrap_or(Duration::MAX).max(LEAST_PATIENCE),
    };
    let is_over = || since.elapsed() > patience;
    verification.replays = replays(&natives, &found.partitions, wanted, &is_over)?;
    verification.invalid_inputs =
        invalid_inputs(&explorer, &programs, &cells, &natives, request.options.limits);
    if wanted.check > 0 {
        tell(Phase::Checking);
        let is_over = || is_over() || progress.is_stopped();
        let checker = Checker {
            subjects: &programs,
            cells: &cells,
            layout: subjects.layout(),
            natives: &natives,
            limits: request.options.limits,
            observe,
            count: wanted.check,
            jobs: wanted.jobs,
            is_over: &is_over,
        };
        verification.check = Some(checker.check(&mut explorer)?);
    }
    if wanted.planes {
        let planes = explorer.planes(patience.saturating_sub(since.elapsed()));
        verification.planes = planes.map(|planes| with_held(planes, subjects.layout()));
    }
    verification.steps = wanted.golden_last.then(|| {
        let told = found.partitions.iter().zip(&verification.replays);
        let refuted = told.filter(|(_, replay)| matches!(replay, Replay::Unconfirmed(..)));
        let refuted: BTreeSet<&[u64]> = refuted.map(|(one, _)| &one.assignment[..]).collect();
        let all = explorer.found().list.iter();
        let believed: Vec<&Partition> =
            all.filter(|partition| !refuted.contains(&partition.input[..])).collect();
        // Shares are those of all partitions, so that nothing is said where one is refuted.
        let share = refuted.is_empty().then_some(&found.shares.uniform);
        steps(subjects.count(), &believed, share)
    });
    let is_confirmed = |replay: &Replay| matches!(replay, Replay::Confirmed(_));
    verification.outcome = match verification.replays.iter().any(is_confirmed) {
        true => Outcome::Different,
        false if found.is_equal && verification.invalid_inputs.is_none() => Outcome::Equal,
        false => Outcome::Inconclusive,
    };
    let told: Vec<(&Described, &Replay)> =
        found.partitions.iter().zip(&verification.replays).collect();
    let is_proved = verification.outcome == Outcome::Equal;
    verification.hunks = step_hunks(&subjects, &explorer.found().list, &told, is_proved);
    verification.misfits = programs.last().map(|one| one.misfits.clone()).unwrap_or_default();
    verification.found = Some(found);
    verification.time = watch.elapsed();
    Ok(verification)
}

/// Builds the native programs, side by side.
pub(super) fn native_subjects<'a>(
    subjects: &Subjects,
    singles: &'a [crate::explore::Request<'a>],
) -> Result<Vec<Subject<'a>>, VerifyError> {
    let numbers: Vec<usize> = (0..singles.len()).collect();
    let built = in_parallel(&numbers, numbers.len(), |&number| {
        let module = subjects.program(number).module.clone();
        Subject::with_module(&singles[number], module)
    });
    let at = |(number, built): (usize, Result<Subject<'a>, ExploreError>)| {
        built.map_err(|cause| VerifyError::Side { number, cause })
    };
    built.into_iter().enumerate().map(at).collect()
}

/// What is left of the time.
fn left(request: &Request<'_>, watch: Stopwatch) -> Option<Duration> {
    request.options.budget.time.map(|time| time.saturating_sub(watch.elapsed()))
}

/// What the exploration may spend: what it finds has to be replayed, and may have to be checked.
fn search_budget(request: &Request<'_>, wanted: Natively, watch: Stopwatch) -> Budget {
    let budget = &request.options.budget;
    let kept = |time: Duration| match wanted.check {
        0 => (time / 8).min(RESERVE),
        _ => time / 2,
    };
    let time = budget.time.map(|time| time.saturating_sub(watch.elapsed() + kept(time)));
    Budget { time, ..budget.clone() }
}

/// Explores and has every step kept.
fn keep_exploring(
    explorer: &mut Explorer<'_>,
    budget: Budget,
    progress: &Progress,
    journal: &mut dyn Journal,
) -> Result<Option<Stopped>, VerifyError> {
    journal.begin(&explorer.save()).map_err(VerifyError::Save)?;
    let mut kept = explorer.saved_lines();
    let keep = |explorer: &Explorer<'_>| {
        let lines = explorer.saved_since(kept);
        kept = explorer.saved_lines();
        journal.add(&lines)
    };
    explore_watched(explorer, budget, progress, keep).map_err(VerifyError::Save)
}

/// Replays the inputs of the first partitions that are different, at least of one.
fn replays(
    natives: &Natives<'_>,
    partitions: &[Described],
    wanted: Natively,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Replay>, VerifyError> {
    let different = partitions.iter().enumerate();
    let different = different.filter(|(_, one)| one.verdict == Verdict::Different);
    let chosen: Vec<(usize, &Described)> = different.take(wanted.most).collect();
    let replayed = in_parallel(&chosen, wanted.jobs, |&(number, one)| {
        let is_first = chosen.first().is_some_and(|(first, _)| *first == number);
        match is_over() && !is_first {
            true => Ok(Replay::NotRun),
            false => natives.replay(&one.assignment, &one.classes),
        }
    });
    let mut replays = vec![Replay::NotRun; partitions.len()];
    for ((number, _), replay) in chosen.iter().zip(replayed) {
        replays[*number] = replay?;
    }
    Ok(replays)
}

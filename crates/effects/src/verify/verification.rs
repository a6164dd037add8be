//! A verification whose claims native programs confirm.
//!
//! The input of every partition that is proved different is replayed on the native programs of
//! all versions; what they do not confirm is never reported as different. There is a bound on
//! replays: what is beyond it is proved, but nobody has seen it.

use std::collections::BTreeSet;
use std::time::Duration;

use base::in_parallel;
use explore::partitions::{Explorer, explore_all, explore_watched};
use explore::proved::{Partition, Planes, Verdict};
use explore::{Budget, Progress, Stopped, Stopwatch};
use inputs::Input;
use source::Checkout;
use trace::Observe;

use super::check::{Check, Checker};
use super::golden::{Step, steps};
use super::hunks::{StepHunks, step_hunks};
use super::native::{Natives, Replay};
use super::subjects::{Subjects, sources};
use super::validity::invalid_inputs;
use super::{Request, Verified, explorer, verified};
use crate::error::Error;
use crate::proved::{Described, with_held};
use crate::trial::{Allowance, Fault, Keep, Misfit, Phase, Saving, Subject, Target};

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

/// Verifies, and replays what is different on native programs; what is found so far is the result
/// if `progress` is told to stop.
pub fn verify_and_replay(
    request: &Request<'_>,
    wanted: Natively,
    saving: Saving<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Verification, Error> {
    let watch = Stopwatch::start();
    tell(Phase::Building);
    let sources = sources(request);
    let subjects = Subjects::load(request, &sources)?;
    let mut verification = Verification::unchanged(request, &subjects);
    if subjects.is_unchanged {
        verification.time = watch.elapsed();
        return Ok(verification);
    }
    let targets = sources.targets(&request.scope);
    let programs = Programs::build(&subjects, &targets)?;
    let natives = programs.natives(&subjects, &request.options.observe);
    let explored = subjects.subjects();
    if saving.resume.is_some() {
        tell(Phase::Resuming);
    }
    let mut explorer = explorer(request, &subjects, &explored, saving.resume)?;

    tell(Phase::Searching("exploring"));
    // Compiling, and taking up what is known, is not what a budget is for: a small one would never
    // lead further.
    let spent = Allowance::start(&request.options.budget);
    // What is found has to be replayed, and may have to be checked.
    let budget = if wanted.check > 0 { spent.half() } else { spent.search() };
    let stopped = keep_exploring(&mut explorer, budget, progress, saving.keep)?;
    let time = spent.elapsed();
    // The rest is for native runs.
    let describing = spent.left().map(|left| (left / 2).max(LEAST_DESCRIBING));
    let found = verified(&subjects, &mut explorer, stopped, time, describing);

    tell(Phase::Replaying);
    let since = Stopwatch::start();
    let patience = match stopped {
        Some(Stopped::Interrupted) => LEAST_PATIENCE,
        _ => spent.left().unwrap_or(Duration::MAX).max(LEAST_PATIENCE),
    };
    let is_over = || since.elapsed() > patience;
    verification.replays = replays(&natives, &found.partitions, wanted, &is_over)?;
    let cells = subjects.all_cells();
    let limits = request.options.limits;
    verification.invalid_inputs =
        invalid_inputs(&explorer, &programs.marked, &cells, &natives, limits);
    if wanted.check > 0 {
        tell(Phase::Checking);
        let checker = Checker {
            subjects: &programs.marked,
            cells: &cells,
            layout: subjects.layout(),
            natives: &natives,
            limits,
            observe: &request.options.observe,
            count: wanted.check,
            jobs: wanted.jobs,
            is_over: &|| is_over() || progress.is_stopped(),
        };
        verification.check = Some(checker.check(&mut explorer)?);
    }
    if wanted.planes {
        let planes = explorer.planes(patience.saturating_sub(since.elapsed()));
        verification.planes = planes.map(|planes| with_held(planes, subjects.layout()));
    }
    if wanted.golden_last {
        let all = &explorer.found().list;
        verification.steps = Some(believed_steps(&subjects, all, &found, &verification.replays));
    }
    verification.conclude(&subjects, &explorer.found().list, found);
    verification.misfits =
        programs.marked.last().map(|one| one.misfits.clone()).unwrap_or_default();
    verification.time = watch.elapsed();
    Ok(verification)
}

impl Verification {
    /// Of versions that do the same.
    fn unchanged(request: &Request<'_>, subjects: &Subjects) -> Verification {
        Verification {
            versions: request.versions.to_vec(),
            entry: request.scope.entry.map(str::to_owned),
            observe: request.options.observe.clone(),
            outcome: Outcome::Unchanged,
            found: None,
            replays: Vec::new(),
            invalid_inputs: None,
            misfits: Vec::new(),
            hunks: step_hunks(subjects, &[], &[], false),
            steps: None,
            check: None,
            planes: None,
            time: Duration::ZERO,
        }
    }

    /// Says what follows from the partitions and what native programs say to them.
    fn conclude(&mut self, subjects: &Subjects, partitions: &[Partition], found: Verified) {
        let is_confirmed = |replay: &Replay| matches!(replay, Replay::Confirmed(_));
        self.outcome = match self.replays.iter().any(is_confirmed) {
            true => Outcome::Different,
            false if found.is_equal && self.invalid_inputs.is_none() => Outcome::Equal,
            false => Outcome::Inconclusive,
        };
        let told: Vec<(&Described, &Replay)> = found.partitions.iter().zip(&self.replays).collect();
        self.hunks = step_hunks(subjects, partitions, &told, self.outcome == Outcome::Equal);
        self.found = Some(found);
    }
}

/// The native programs of all versions.
struct Programs<'a> {
    /// With marks where they changed.
    marked: Vec<Subject<'a>>,
    /// With their own positions; none if all have these.
    written: Vec<Subject<'a>>,
}

impl<'a> Programs<'a> {
    /// The targets of all versions, and behind them those with their own positions.
    fn build(subjects: &Subjects, targets: &'a [Target<'a>]) -> Result<Programs<'a>, Error> {
        let (targets, written) = targets.split_at(subjects.count());
        let plain = native_subjects(subjects, targets)?;
        let marked = plain.into_iter().zip(subjects.changed());
        let marked = marked.map(|(subject, changed)| subject.marked(changed)).collect();
        Ok(Programs { marked, written: native_subjects(subjects, written)? })
    }

    fn natives<'n>(&'n self, subjects: &'n Subjects, observe: &'n Observe) -> Natives<'n> {
        let mut natives = Natives::new(&self.marked, subjects.all_cells(), observe);
        if !self.written.is_empty() {
            let written = Natives::new(&self.written, subjects.all_cells(), observe);
            natives.written = Some(Box::new(written));
        }
        natives
    }
}

/// What successive versions do towards the last one, in partitions that native programs did not
/// refute.
fn believed_steps(
    subjects: &Subjects,
    partitions: &[Partition],
    found: &Verified,
    replays: &[Replay],
) -> Vec<Step> {
    let told = found.partitions.iter().zip(replays);
    let refuted = told.filter(|(_, replay)| matches!(replay, Replay::Unconfirmed(..)));
    let refuted: BTreeSet<&[u64]> = refuted.map(|(one, _)| &one.assignment[..]).collect();
    let believed: Vec<&Partition> =
        partitions.iter().filter(|partition| !refuted.contains(&partition.input[..])).collect();
    // Shares are those of all partitions, so that nothing is said where one is refuted.
    let share = refuted.is_empty().then_some(&found.shares.uniform);
    steps(subjects.count(), &believed, share)
}

/// Builds the native programs, side by side.
pub(super) fn native_subjects<'a>(
    subjects: &Subjects,
    targets: &'a [Target<'a>],
) -> Result<Vec<Subject<'a>>, Error> {
    let numbers: Vec<usize> = (0..targets.len()).collect();
    let built = in_parallel(&numbers, numbers.len(), |&number| {
        let module = subjects.program(number).module.clone();
        Subject::with_module(&targets[number], module)
    });
    let at = |(number, built): (usize, Result<Subject<'a>, Error>)| {
        built.map_err(Error::of(format!("v{number}")))
    };
    built.into_iter().enumerate().map(at).collect()
}

/// Explores and has every step kept.
fn keep_exploring(
    explorer: &mut Explorer<'_>,
    budget: Budget,
    progress: &Progress,
    keep: Option<Keep<'_>>,
) -> Result<Option<Stopped>, Error> {
    let Some(keep) = keep else { return Ok(explore_all(explorer, budget, progress)) };
    keep(&explorer.save()).map_err(Error::Save)?;
    let mut kept = explorer.saved_lines();
    let look_on = |explorer: &Explorer<'_>| {
        let lines = explorer.saved_since(kept);
        kept = explorer.saved_lines();
        keep(&lines)
    };
    explore_watched(explorer, budget, progress, look_on).map_err(Error::Save)
}

/// Replays the inputs of the first partitions that are different, at least of one.
fn replays(
    natives: &Natives<'_>,
    partitions: &[Described],
    wanted: Natively,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Replay>, Error> {
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

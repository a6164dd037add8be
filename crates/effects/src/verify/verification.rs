//! A verification whose claims native programs confirm.
//!
//! The input of every partition that is proved different is replayed on the native programs of all
//! versions; a partition that they do not confirm is never reported as different. There is a bound
//! on replays: partitions beyond it are proved, but not replayed.

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

/// Time for native runs even if the budget is exhausted.
const LEAST_PATIENCE: Duration = Duration::from_millis(700);
/// Time to describe partitions even if the budget is exhausted.
const LEAST_DESCRIBING: Duration = Duration::from_millis(300);

/// The options for native programs.
#[derive(Clone, Copy, Debug)]
pub struct Natively {
    /// The most partitions to replay.
    pub most: usize,
    /// Inputs of each partition to check, on the machine and natively.
    pub check: usize,
    /// Native programs that run at a time.
    pub jobs: usize,
    /// Whether the last version is correct.
    pub golden_last: bool,
    /// Whether to draw pictures.
    pub planes: bool,
}

impl Default for Natively {
    fn default() -> Natively {
        Natively { most: 200, check: 0, jobs: 1, golden_last: false, planes: false }
    }
}

/// The verdict of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All versions behave the same on every input, because their behaviour did not change.
    Unchanged,
    /// All versions behave the same on every input: proved by partitions that cover the whole
    /// space.
    Equal,
    /// Native programs differ on the input of some partition.
    Different,
    /// Neither is known.
    Inconclusive,
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Verification {
    pub versions: Vec<Checkout>,
    pub entry: Option<String>,
    pub observe: Observe,
    pub outcome: Outcome,
    /// `None` if nothing had to be explored.
    pub found: Option<Verified>,
    /// By partition, the result of its replay.
    pub replays: Vec<Replay>,
    /// A fault that every version ends in before any change, if that happens on every known input:
    /// then they are not proved equal, whatever the partitions say.
    pub invalid_inputs: Option<Fault>,
    /// Tests that are not in the space.
    pub misfits: Vec<Misfit>,
    /// The status of every hunk, from each version to the next.
    pub hunks: Vec<StepHunks>,
    /// How each version progresses towards the last one, if that is correct.
    pub steps: Option<Vec<Step>>,
    /// If it was requested.
    pub check: Option<Check>,
    /// Pictures, if they were requested, and the input that they pass through.
    pub planes: Option<(Planes, Input)>,
    /// Everything, from loading to the last replay.
    pub time: Duration,
}

/// The number of partitions of each kind, with the results of replays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub equal: usize,
    /// Proved different, and confirmed by native programs.
    pub different: usize,
    /// Proved different, and not replayed.
    pub not_replayed: usize,
    /// Different on the machine, but not natively.
    pub unconfirmed: usize,
    pub unknown: usize,
    /// Regions without a result.
    pub left: usize,
}

impl Verification {
    pub fn partitions(&self) -> &[Described] {
        self.found.as_ref().map_or(&[], |found| &found.partitions)
    }

    /// Whether runs reached the changes of every step, or there is nothing to reach.
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
        // Partitions that are not described are not replayed either.
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

/// Verifies, and replays different partitions on native programs; if `progress` is told to stop,
/// the result is what was found so far.
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
    // The budget is not for compiling and resuming: a small one would never lead further.
    let spent = Allowance::start(&request.options.budget);
    // Findings must be replayed, and may have to be checked.
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
    /// Of versions with the same behaviour.
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

    /// Concludes from the partitions and their replays.
    fn conclude(&mut self, subjects: &Subjects, partitions: &[Partition], found: Verified) {
        let is_confirmed = |replay: &Replay| matches!(replay, Replay::Confirmed(_));
        self.outcome = if self.replays.iter().any(is_confirmed) {
            Outcome::Different
        } else if found.is_equal && self.invalid_inputs.is_none() {
            Outcome::Equal
        } else {
            Outcome::Inconclusive
        };
        let told: Vec<(&Described, &Replay)> = found.partitions.iter().zip(&self.replays).collect();
        self.hunks = step_hunks(subjects, partitions, &told, self.outcome == Outcome::Equal);
        self.found = Some(found);
    }
}

/// The native programs of all versions.
struct Programs<'a> {
    /// With changed statements marked.
    marked: Vec<Subject<'a>>,
    /// With their own positions; empty if all have these.
    written: Vec<Subject<'a>>,
}

impl<'a> Programs<'a> {
    /// The targets of all versions, followed by those with their own positions.
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

/// How successive versions progress towards the last one, in partitions that native programs did
/// not refute.
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
    // Shares are those of all partitions, so there are none if one is refuted.
    let share = refuted.is_empty().then_some(&found.shares.uniform);
    steps(subjects.count(), &believed, share)
}

/// Builds the native programs, in parallel.
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

/// Explores and saves every step.
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

/// Replays the inputs of the first different partitions, at least of one.
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
        if is_over() && !is_first {
            Ok(Replay::NotRun)
        } else {
            natives.replay(&one.assignment, &one.classes)
        }
    });
    let mut replays = vec![Replay::NotRun; partitions.len()];
    for ((number, _), replay) in chosen.iter().zip(replayed) {
        replays[*number] = replay?;
    }
    Ok(replays)
}

//! The exploration of one program: seeds, workers, budgets, and the result.
//!
//! Workers share nothing while they run. They work in rounds of a fixed number of runs and
//! redistribute waiting candidates between rounds, so that the result depends on the number of
//! workers but not on their speed.

mod rounds;

use std::sync::{Mutex, PoisonError};

use exec::{Program, Stop};
use inputs::Layout;
use rustc_hash::FxHashSet;
use trace::Harness;

pub use self::rounds::WorkerPanicked;
use self::rounds::{Barrier, Broken, in_rounds};
use crate::budget::{Progress, Spending, Stopped};
use crate::candidate::{Candidate, Frontier};
use crate::exploration::{Effort, Exploration, Options, Strategy, cover};
use crate::fault::collect_faults;
use crate::random;
use crate::worker::{Gap, Worker};

/// Runs of a worker between two meetings.
const ROUND: u64 = 4096;
/// The most candidates of one worker.
const MOST_WAITING: usize = 4_000_000;

/// Explores a program from the given seeds; without seeds, from the smallest input.
pub fn explore(
    program: &Program,
    layout: &Layout,
    seeds: &[Box<[u64]>],
    options: &Options,
    progress: &Progress,
) -> Result<Exploration, WorkerPanicked> {
    let spending = Spending::start(options.budget.clone(), progress.clone());
    let mut seeds = seeds.to_vec();
    if seeds.is_empty() {
        seeds.push(layout.cells.values().map(|cell| cell.domain.nth(0)).collect());
    }
    let mut result = match options.strategy {
        Strategy::Random => random::explore(program, layout, &seeds, options, &spending),
        Strategy::Dart => dart(program, layout, &seeds, options, &spending)?,
    };
    let mut seen = FxHashSet::default();
    result.paths.retain(|found| seen.insert(found.path));
    result.faults = collect_faults(program, layout, &result.paths, options, &spending);
    result.effort.time = spending.elapsed();
    result.effort.solver_time = spending.progress.solver_time();
    Ok(result)
}

fn dart(
    program: &Program,
    layout: &Layout,
    seeds: &[Box<[u64]>],
    options: &Options,
    spending: &Spending,
) -> Result<Exploration, WorkerPanicked> {
    let meeting = Meeting::new(options.jobs.max(1), seeds);
    let parts = in_rounds(&meeting.barrier, |number| {
        let harness = Harness::new(program, layout, &options.name);
        let frontier = Frontier::new(options.search);
        let question = spending.question();
        let mut worker = Worker::new(harness, layout, options.limits, frontier, question);
        if seeds.len() > 1 {
            worker.expect_many_seeds();
        }
        work(&mut worker, number, &meeting, spending)
    })?;
    Ok(merge(parts))
}

/// Where workers redistribute waiting candidates.
struct Meeting {
    barrier: Barrier,
    jobs: usize,
    /// What each worker receives for the next round.
    gifts: Vec<Mutex<Vec<Candidate>>>,
    /// How many candidates each worker has left, and why it stopped.
    left: Vec<Mutex<(usize, Option<Stopped>)>>,
}

impl Meeting {
    fn new(jobs: usize, seeds: &[Box<[u64]>]) -> Meeting {
        let gifts: Vec<Mutex<Vec<Candidate>>> = (0..jobs).map(|_| Mutex::default()).collect();
        for seed in seeds {
            lock(&gifts[0]).push(Candidate::seed(seed.clone()));
        }
        let left = (0..jobs).map(|_| Mutex::default()).collect();
        Meeting { barrier: Barrier::new(jobs), jobs, gifts, left }
    }

    /// The worker with the most candidates, if another one has none.
    fn richest(&self) -> Option<usize> {
        let counts: Vec<usize> = self.left.iter().map(|left| lock(left).0).collect();
        let most = (0..self.jobs).max_by_key(|&worker| (counts[worker], self.jobs - worker))?;
        (counts.contains(&0) && counts[most] > 1).then_some(most)
    }

    fn is_over(&self) -> bool {
        let left: Vec<(usize, Option<Stopped>)> =
            self.left.iter().map(|left| *lock(left)).collect();
        left.iter().any(|(_, stopped)| stopped.is_some())
            || left.iter().all(|(count, _)| *count == 0)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One worker's share of an exploration.
fn work(
    worker: &mut Worker<'_>,
    number: usize,
    meeting: &Meeting,
    spending: &Spending,
) -> Result<Exploration, Broken> {
    // A short round first, so that there are candidates to share.
    let mut round = if meeting.jobs > 1 { 64 } else { u64::MAX };
    let mut stopped = None;
    loop {
        for candidate in lock(&meeting.gifts[number]).drain(..) {
            worker.frontier.push_seed(candidate);
        }
        stopped = stopped.or(play(worker, round, spending));
        *lock(&meeting.left[number]) = (worker.frontier.len(), stopped);
        round = if meeting.jobs > 1 { ROUND } else { u64::MAX };
        meeting.barrier.wait()?;
        if meeting.is_over() {
            break;
        }
        if meeting.richest() == Some(number) {
            let poor: Vec<usize> =
                (0..meeting.jobs).filter(|&other| lock(&meeting.left[other]).0 == 0).collect();
            let shared = worker.frontier.share();
            for (index, candidate) in shared.into_iter().enumerate() {
                lock(&meeting.gifts[poor[index % poor.len()]]).push(candidate);
            }
        }
        meeting.barrier.wait()?;
    }
    if worker.frontier.is_empty() {
        stopped = None
    }
    Ok(finish(worker, stopped))
}

/// Runs candidates until none is left, the round is over or the budget is spent.
fn play(worker: &mut Worker<'_>, round: u64, spending: &Spending) -> Option<Stopped> {
    for _ in 0..round {
        if let Some(stopped) = spending.exhausted() {
            return Some(stopped);
        }
        if worker.frontier.len() > MOST_WAITING {
            return Some(Stopped::Candidates);
        }
        let (paths, watch) = (worker.found.len(), worker.solver_time());
        if !worker.step() {
            return None;
        }
        let new = &worker.found[paths..];
        let faults = new.iter().filter(|found| matches!(found.stop, Stop::Fault(_))).count();
        spending.progress.add(1, new.len() as u64, faults as u64);
        spending.progress.set_waiting(worker.frontier.len() as u64);
        spending.progress.add_solver_time(worker.solver_time() - watch);
    }
    None
}

fn finish(worker: &mut Worker<'_>, stopped: Option<Stopped>) -> Exploration {
    let mut gaps: Vec<Gap> = Vec::new();
    gaps.extend(worker.take_gaps());
    gaps.extend(stopped.map(Gap::Stopped));
    Exploration {
        paths: std::mem::take(&mut worker.found),
        gaps,
        faults: Vec::new(),
        covered: std::mem::take(&mut worker.machine.observer.covered),
        effort: Effort { runs: worker.runs, questions: worker.path.counts(), ..Effort::default() },
    }
}

fn merge(parts: Vec<Exploration>) -> Exploration {
    let mut whole = Exploration::default();
    for part in parts {
        whole.paths.extend(part.paths);
        for gap in part.gaps {
            if !whole.gaps.contains(&gap) {
                whole.gaps.push(gap);
            }
        }
        cover(&mut whole.covered, &part.covered);
        whole.effort.runs += part.effort.runs;
        whole.effort.questions += part.effort.questions;
    }
    whole
}

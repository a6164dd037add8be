//! Two versions on the same inputs: runs each input on both plain machines, compares the
//! observables, and keeps inputs for mutation.
//!
//! Strategies ([`Searcher`]) hand inputs to an [`Arena`]. A difference found here is one between
//! two runs of the machine; other code checks that native programs differ, too.

mod effort;
mod executions;
mod favoured;
mod finding;
mod meeting;
mod pacing;
mod plain;
mod postponed;
mod shortage;
mod side;
pub mod ways;

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use base::{Both, Version};
use exec::stop::{Bound, Site};
use exec::undefined::UndefinedKind;
use exec::{Limits, Stop};
use inputs::Layout;
use inputs::snapshot::{Comparer, Incomparable};
use ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use trace::Matching;
use trace::outcome::{Contrast, Ending, Observable, Observe, Outcome, only_undefined};

use crate::budget::{Budget, Progress, Spending, Stopped};
use crate::proved::{Summary, Wanted};
use crate::saved::print_input;

pub use effort::{Milestones, PairEffort};
pub use executions::{Executions, Runs};
pub use favoured::Favoured;
pub use finding::{Finding, Slow};
pub use meeting::{Link, Meeting, Parcel};
pub use plain::Plain;
pub use shortage::Dropped;
pub use side::Side;

use self::effort::{CONCOLIC, PROPAGATION, QUESTION, START, TRACE, WATCHED};
use self::executions::Came;
use self::pacing::Pacing;
use self::side::{Runner, runner};
use self::ways::{Numbering, magnitude};

/// The most differences to keep in all, and of one kind.
const MOST_FINDINGS: usize = 512;
const MOST_ALIKE: usize = 24;
/// The most unknown endings to keep, by version.
const MOST_UNKNOWN: usize = 16;
/// The most inputs to keep on which only one version ends within its bounds, by version.
const MOST_SLOW: usize = 4;
/// Steps beyond its bound in which a run may be proved endless, and the same after this many failed
/// proofs.
const LONGEST_PROOF: u64 = 1 << 22;
const SHORT_PROOF: u64 = 1 << 18;
const MOST_VAIN: u32 = 4;
/// The most inputs to keep for mutation.
const MOST_KEPT: usize = 4096;

/// Both versions, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'p> {
    pub old: Side<'p>,
    pub new: Side<'p>,
    /// What they have in common.
    pub matching: &'p Matching,
}

impl<'p> Pair<'p> {
    /// The common input space. An assignment of its cells is an input of both.
    pub fn layout(&self) -> &'p Layout {
        self.new.layout
    }

    pub fn side(&self, version: Version) -> &Side<'p> {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }
}

/// An input that is kept for the behaviour of its run.
#[derive(Clone, Debug)]
pub struct Kept {
    pub assignment: Box<[u64]>,
    /// Whether a changed statement was executed in either version.
    pub reaches: bool,
    /// Whether a branch that both versions have went different ways.
    pub diverges: bool,
}

/// A callback for slow inputs as they are found.
pub type SlowWatch<'p> = &'p (dyn Fn(&Slow) + Sync);

/// The result of running an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// What differs, if anything does.
    pub differs: Option<Observable>,
    pub reaches: bool,
    /// Whether a branch that both versions have went different ways.
    pub diverges: bool,
}

/// A callback that saves lines.
pub type Keeper<'p> = &'p (dyn Fn(&str) + Sync);

/// The first word of a line with an input that a later search should run first: it did something
/// new, showed a difference, or had an unknown result.
pub const INPUT: &str = "input";

/// Where inputs are run.
pub struct Arena<'p> {
    pub pair: Pair<'p>,
    pub observe: Observe,
    pub limits: Limits,
    pub kept: Vec<Kept>,
    pub favoured: Favoured,
    pub findings: Vec<Finding>,
    /// Whether differences go to the arena that this one was forked from.
    hands_over: bool,
    pub milestones: Milestones,
    pub effort: PairEffort,
    /// How many runs executed each changed statement.
    pub executions: Executions,
    /// The effort when the last new kind of difference was found.
    pub last_sort: PairEffort,
    /// Runs that ended in something unsupported or out of bounds, by version, with an example.
    pub unknown: [Vec<Stop>; 2],
    /// Whether, on some input, a version did something that a native program may survive, or read
    /// uninitialised memory: then equal runs of the machine say nothing about native programs.
    pub is_undetermined: bool,
    /// Why runs without a difference could not be compared completely.
    pub incomparable: Option<Incomparable>,
    /// Whether on some input a version executed a change or did not end in a fault.
    pub is_valid: bool,
    /// How OLD and NEW ended on the first input on which both ended in a fault before any change.
    pub first_faults: Option<[Stop; 2]>,
    /// Inputs on which only one version ended within its bounds.
    pub slow: Vec<Slow>,
    /// Called for them as they are found.
    pub slow_watch: Option<SlowWatch<'p>>,
    /// The number of failed proofs that a run is endless.
    vain_proofs: u32,
    /// How long runs take, and whether the last one was cut short.
    pacing: Pacing,
    is_cut: bool,
    /// Inputs whose runs were cut short after they had executed a change, to be run in full when
    /// there is time.
    postponed: VecDeque<Box<[u64]>>,
    /// The active strategy.
    pub by: &'static str,
    /// Receives every line that a later search can resume from.
    pub keeper: Option<Keeper<'p>>,
    /// Lines with inputs that it has not received yet.
    unkept: String,
    /// Of plain runs.
    plain_ticks: u64,
    /// The most runs in all.
    pub most_runs: Option<u64>,
    /// The name of the programs, and the numbers of their branches.
    name: Box<[u8]>,
    numberings: [Arc<Numbering>; 2],
    runners: [Box<dyn Runner + 'p>; 2],
    /// Features seen in either version, and branches that went different ways.
    seen: [FxHashSet<u32>; 2],
    diverged: FxHashSet<u32>,
    /// Places of undefined operations that either version executed.
    undefined: [FxHashSet<(UndefinedKind, Site)>; 2],
    alike: FxHashMap<u64, usize>,
    /// Changed statements of either version that no visible difference executes.
    open: Both<FxHashSet<StatementId>>,
    /// Kinds of differences that are invisible to users.
    silent: FxHashSet<u64>,
    known: FxHashSet<Box<[u64]>>,
    spending: Spending,
    news: Vec<u32>,
    comparer: Comparer,
}

impl<'p> Arena<'p> {
    pub fn new(
        pair: Pair<'p>,
        observe: Observe,
        limits: Limits,
        name: &[u8],
        budget: Budget,
        progress: &Progress,
    ) -> Arena<'p> {
        let (old, new) = (pair.old.program, pair.new.program);
        let numberings = Numbering::both(old, new, pair.matching);
        let counts_leaks = observe.leaks;
        Arena {
            pair,
            observe,
            limits,
            kept: Vec::new(),
            favoured: Favoured::default(),
            findings: Vec::new(),
            hands_over: false,
            milestones: Milestones::default(),
            effort: PairEffort::default(),
            executions: Executions::new(&pair),
            last_sort: PairEffort::default(),
            unknown: Default::default(),
            is_undetermined: false,
            incomparable: None,
            is_valid: false,
            first_faults: None,
            slow: Vec::new(),
            slow_watch: None,
            vain_proofs: 0,
            pacing: Pacing::default(),
            is_cut: false,
            postponed: VecDeque::new(),
            by: "",
            keeper: None,
            unkept: String::new(),
            plain_ticks: 0,
            most_runs: budget.runs,
            name: name.into(),
            runners: runners(&pair, name, limits, &numberings, counts_leaks),
            numberings,
            seen: Default::default(),
            diverged: FxHashSet::default(),
            undefined: Default::default(),
            alike: FxHashMap::default(),
            open: Version::BOTH.map(|version| pair.matching.changes(version).collect()),
            silent: FxHashSet::default(),
            known: FxHashSet::default(),
            spending: Spending::start(Budget { runs: None, ..budget }, progress.clone()),
            news: Vec::new(),
            comparer: Comparer::default(),
        }
    }

    /// Restarts with a new budget: earlier effort does not count.
    pub fn restart(&mut self, budget: Budget) {
        self.most_runs = budget.runs.map(|runs| self.effort.runs.saturating_add(runs));
        self.spending = self.spending.anew(Budget { runs: None, ..budget });
    }

    /// Passes lines to the keeper; they are made only if there is one.
    pub fn keep(&self, lines: impl FnOnce() -> String) {
        if let Some(keep) = self.keeper {
            keep(&lines());
        }
    }

    /// Passes on the inputs that a later search should run first. Not one by one: if two arenas
    /// work in parallel, the order of lines must not depend on which is faster.
    pub fn keep_inputs(&mut self) {
        if !self.unkept.is_empty() {
            let lines = std::mem::take(&mut self.unkept);
            self.keep(|| lines);
        }
    }

    /// Why no more inputs may run.
    pub fn exhausted(&self) -> Option<Stopped> {
        let has_run_enough = || self.most_runs.is_some_and(|most| self.effort.runs >= most);
        self.spending.exhausted().or_else(|| has_run_enough().then_some(Stopped::Runs))
    }

    /// Whether time is bounded.
    pub fn is_timed(&self) -> bool {
        self.spending.budget.time.is_some()
    }

    pub fn elapsed(&self) -> Duration {
        self.spending.elapsed()
    }

    /// How many events of a run there is time to follow.
    pub(crate) fn affordable_events(&self) -> u32 {
        self.spending.affordable_events()
    }

    /// The progress that observers see.
    pub(crate) fn progress(&self) -> &Progress {
        &self.spending.progress
    }

    /// Counts concolic runs of one version.
    pub(crate) fn charge_concolic(&mut self, runs: u64) {
        self.effort.concolic += runs;
        self.effort.ticks += runs * CONCOLIC * self.plain_run();
    }

    /// Counts traces of one version.
    pub(crate) fn charge_traces(&mut self, runs: u64) {
        self.effort.ticks += runs * TRACE * self.plain_run();
    }

    /// Counts runs of one version whose comparisons were observed.
    pub(crate) fn charge_watched(&mut self, runs: u64) {
        self.effort.ticks += runs * WATCHED * self.plain_run();
    }

    /// The name of the programs in their runs.
    pub(crate) fn name(&self) -> &[u8] {
        &self.name
    }

    /// The instructions of an average plain run of one version.
    fn plain_run(&self) -> u64 {
        (self.plain_ticks / (2 * self.effort.runs).max(1)).max(START)
    }

    /// Counts solver queries.
    pub(crate) fn charge_questions(&mut self, before: &smt::PathCounts, after: &smt::PathCounts) {
        let asks = after.asks - before.asks;
        self.effort.questions += asks;
        self.effort.solver_calls += after.by_sat - before.by_sat;
        let propagations = after.sat_effort - before.sat_effort;
        self.effort.ticks += asks * QUESTION + propagations * PROPAGATION;
    }

    /// Runs an input on both versions.
    pub fn try_input(&mut self, assignment: &[u64]) -> Tried {
        self.try_within(assignment, self.limits.steps)
    }

    /// The same for one input of very many: cuts short a run that takes much longer than others,
    /// unless there is time for it.
    pub fn try_briefly(&mut self, assignment: &[u64]) -> Tried {
        self.try_within(assignment, self.pacing.steps(self.limits.steps))
    }

    /// Inputs whose runs were cut short, so that their result is unknown.
    pub fn cut_short(&self) -> u64 {
        self.pacing.cut
    }

    fn try_within(&mut self, assignment: &[u64], steps: u64) -> Tried {
        let proof = self.run_both(assignment, steps, self.proof_steps());
        self.pacing.cut += u64::from(self.is_cut);
        let [old, new] = &self.runners;
        let ticks = old.steps() + new.steps() + 2 * START;
        self.effort.runs += 1;
        self.effort.undecided += u64::from(!self.endings().iter().all(|ending| ending.is_known()));
        self.effort.ticks += proof;
        self.plain_ticks += ticks;
        self.effort.ticks += ticks;
        let (tried, is_new) = self.note(assignment);
        self.note_executions(tried);
        self.spending.progress.add(1, u64::from(is_new), u64::from(tried.differs.is_some()));
        self.note_milestones(tried);
        tried
    }

    /// Notes what the last input did, and whether to keep it. Also returns whether it did something
    /// new.
    fn note(&mut self, assignment: &[u64]) -> (Tried, bool) {
        let [old, new] = &self.runners;
        let contrast = self.observe.contrast(&old.seen(), &new.seen(), &mut self.comparer);
        let differs = contrast.differs();
        let reaches = !old.reached().is_empty() || !new.reached().is_empty();
        self.note_validity(reaches);
        let diverges_new = self.note_divergence();
        let diverges = !self.news.is_empty();
        let news = self.note_features();
        let mut is_telling = self.note_unknown() | self.note_slow(assignment);
        if let (Contrast::Unclear(reason) | Contrast::Unwritten(reason), None) =
            (contrast, &self.incomparable)
        {
            self.incomparable = Some(reason);
            is_telling = true;
        }
        if let Some(observable) = differs {
            is_telling |= self.note_finding(assignment, observable);
        }
        // Mutants of inputs that do not end mostly do not end either.
        let is_new = (news > 0 || diverges_new) && !self.is_cut;
        if is_new && self.kept.len() < MOST_KEPT && self.known.insert(assignment.into()) {
            let ways = (0_u8..).zip(&self.runners).flat_map(|(version, runner)| {
                runner.touched().iter().map(move |&way| (version, way))
            });
            let length = self.runners.iter().map(|runner| runner.steps()).sum();
            self.favoured.note(self.kept.len(), ways, length);
            self.kept.push(Kept { assignment: assignment.into(), reaches, diverges });
            is_telling = true;
        }
        if self.is_cut && reaches {
            self.postpone(assignment);
        }
        if is_telling && self.keeper.is_some() {
            self.unkept += &format!("{INPUT} {}\n", print_input(assignment));
        }
        (Tried { differs, reaches, diverges }, news > 0)
    }

    /// Counts the run for the changed statements that it executed.
    fn note_executions(&mut self, tried: Tried) {
        if !tried.reaches {
            return;
        }
        let mut stops = self.runners.iter().map(|runner| runner.stop());
        let came = match tried.differs {
            Some(_) => Came::Different,
            None if stops.any(|one| matches!(one, Stop::Unsupported(_) | Stop::Exhausted(_))) => {
                Came::Unknown
            }
            None => Came::Same,
        };
        for (version, runner) in Version::BOTH.into_iter().zip(&self.runners) {
            self.executions.note(version, runner.reached(), came);
        }
    }

    /// Runs an input on both versions without keeping it. Returns what differs.
    pub fn probe(&mut self, assignment: &[u64]) -> Option<Observable> {
        self.run_both(assignment, self.limits.steps, LONGEST_PROOF);
        let [old, new] = &self.runners;
        self.observe.contrast(&old.seen(), &new.seen(), &mut self.comparer).differs()
    }

    /// Runs both versions. If only one of them ends, it matters whether the other one ever does;
    /// returns the steps spent on that.
    fn run_both(&mut self, assignment: &[u64], steps: u64, proof: u64) -> u64 {
        for runner in &mut self.runners {
            runner.run(assignment, steps);
        }
        self.go_on(steps);
        let Some(version) = self.unfinished() else { return 0 };
        let spent = self.runners[version].prove_endless(proof);
        self.vain_proofs += u32::from(self.unfinished().is_some());
        spent
    }

    /// Continues runs that reached a short bound for as long as they deserve it.
    fn go_on(&mut self, steps: u64) {
        self.is_cut = false;
        for (version, runner) in self.runners.iter_mut().enumerate() {
            let mut bound = steps;
            while *runner.stop() == Stop::Exhausted(Bound::Steps) && bound < self.limits.steps {
                let next = bound.saturating_mul(4).min(self.limits.steps);
                let more = next - bound;
                let stuck = if bound == steps { runner.stopped_in() } else { None };
                if !self.pacing.deserves(version, stuck, more, self.plain_ticks) {
                    self.is_cut = true;
                    return;
                }
                let before = runner.steps();
                runner.go_on(next);
                self.pacing.note_long(runner.steps() - before);
                bound = next;
            }
            if !matches!(runner.stop(), Stop::Exhausted(_) | Stop::Unsupported(_)) {
                self.pacing.note_end(runner.steps());
            }
        }
    }

    /// The steps to spend on a proof. If runs are slow but not endless, proofs would take most of
    /// the time.
    fn proof_steps(&self) -> u64 {
        if self.vain_proofs < MOST_VAIN { LONGEST_PROOF } else { SHORT_PROOF }
    }

    /// The version that did not end within its bounds on the last input, if the other one did.
    fn unfinished(&self) -> Option<Version> {
        if self.is_cut {
            return None;
        }
        let mut stops = self.runners.iter().map(|runner| runner.stop());
        if !stops.any(|stop| matches!(stop, Stop::Exhausted(_))) {
            return None;
        }
        match self.endings() {
            [Ending::Unfinished, new] if new.is_known() => Some(Version::Old),
            [old, Ending::Unfinished] if old.is_known() => Some(Version::New),
            _ => None,
        }
    }

    /// How many kinds of differences were found.
    pub fn sorts(&self) -> usize {
        self.alike.len()
    }

    /// Whether users can see one of the differences found.
    pub fn has_visible_sort(&self) -> bool {
        self.alike.len() > self.silent.len()
    }

    /// Whether every changed statement is executed by a visible difference.
    pub fn all_shown(&self) -> bool {
        self.open.iter().all(FxHashSet::is_empty)
    }

    /// A kind of undefined operations that only one version executed on the last input.
    pub fn only_undefined(&self) -> Option<(Version, UndefinedKind)> {
        let [old, new] = &self.runners;
        only_undefined(old.seen().undefined, new.seen().undefined)
    }

    /// How the last input ended in both versions.
    pub fn endings(&self) -> [Ending; 2] {
        [0, 1].map(|index: usize| self.runners[index].seen().ending)
    }

    /// The outcome of the last input.
    pub fn outcomes(&self) -> [Outcome; 2] {
        let [old, new] = &self.runners;
        [old.outcome(), new.outcome()]
    }

    /// The changed statements that the last input executed.
    pub fn reached(&self, version: Version) -> &[StatementId] {
        self.runners[version].reached()
    }

    /// Branches of both versions that went different ways; returns whether there is a new one.
    fn note_divergence(&mut self) -> bool {
        self.news.clear();
        let [old, new] = &self.runners;
        for (one, other) in [(old, new), (new, old)] {
            for &way in one.touched() {
                if one.count(way) != other.count(way) && one.is_shared(way) {
                    self.news.push(way);
                }
            }
        }
        let mut is_new = false;
        for &way in &self.news {
            is_new |= self.diverged.insert(way);
        }
        is_new
    }

    /// How many features are new.
    fn note_features(&mut self) -> u32 {
        let mut news = 0;
        for (runner, seen) in self.runners.iter().zip(&mut self.seen) {
            for &way in runner.touched() {
                let feature = way * 8 + magnitude(runner.count(way));
                news += u32::from(seen.insert(feature));
            }
        }
        if self.observe.ub {
            for (runner, seen) in self.runners.iter().zip(&mut self.undefined) {
                let places = runner.seen().undefined.places().iter();
                news += places.map(|&place| u32::from(seen.insert(place))).sum::<u32>();
            }
        }
        news
    }

    /// Notes unknown endings; returns whether one is new.
    fn note_unknown(&mut self) -> bool {
        let known = (self.unknown.each_ref().map(Vec::len), self.is_undetermined);
        for (runner, unknown) in self.runners.iter().zip(&mut self.unknown) {
            // A run that was cut short is counted elsewhere, and may have ended a little later.
            if !(self.is_cut && *runner.stop() == Stop::Exhausted(Bound::Steps)) {
                add_unknown(unknown, runner.stop());
            }
        }
        self.is_undetermined |= self.runners.iter().any(|runner| {
            let survives = matches!(runner.stop(), Stop::Fault(fault) if !fault.kind.is_certain());
            survives || runner.reads_unwritten()
        });
        known != (self.unknown.each_ref().map(Vec::len), self.is_undetermined)
    }

    /// Notes whether the last input is useful: one on which both versions end in a fault before any
    /// change says nothing about the change.
    fn note_validity(&mut self, reaches: bool) {
        if self.is_valid {
            return;
        }
        let [old, new] = &self.runners;
        match (old.stop(), new.stop()) {
            (Stop::Fault(_), Stop::Fault(_)) if !reaches => {
                let stops = || [old, new].map(|runner| runner.stop().clone());
                self.first_faults.get_or_insert_with(stops);
            }
            _ => self.is_valid = true,
        }
    }

    /// Notes an input on which only one version ended; returns whether it is kept.
    fn note_slow(&mut self, assignment: &[u64]) -> bool {
        let Some(version) = self.unfinished() else { return false };
        self.effort.time = self.spending.elapsed();
        let [old, new] = &self.runners;
        let slow = Slow {
            assignment: assignment.into(),
            version,
            steps: [old.steps(), new.steps()],
            reached: [old, new].map(|runner| runner.reached().to_vec()),
            by: self.by,
            effort: self.effort,
        };
        self.keep_slow(slow)
    }

    /// Keeps such an input unless there are enough. Returns whether it does.
    fn keep_slow(&mut self, slow: Slow) -> bool {
        let alike = self.slow.iter().filter(|known| known.version == slow.version).count();
        let is_known = self.slow.iter().any(|known| known.assignment == slow.assignment);
        if is_known || alike >= MOST_SLOW {
            return false;
        }
        if let Some(watch) = self.slow_watch {
            watch(&slow);
        }
        self.slow.push(slow);
        true
    }

    fn note_milestones(&mut self, Tried { reaches, diverges, differs }: Tried) {
        let differs = differs.is_some();
        let Milestones { reached, infected, propagated } = self.milestones;
        let wanted = reaches && reached.is_none()
            || diverges && infected.is_none()
            || differs && propagated.is_none();
        if !wanted {
            return;
        }
        self.effort.time = self.spending.elapsed();
        let now = Some(self.effort);
        let noted = |known: Option<PairEffort>, happened: bool| {
            if happened { known.or(now) } else { known }
        };
        self.milestones = Milestones {
            reached: noted(reached, reaches || differs),
            infected: noted(infected, diverges || differs),
            propagated: noted(propagated, differs),
        };
    }

    /// Notes a difference, unless there are enough of its kind.
    fn note_finding(&mut self, assignment: &[u64], observable: Observable) -> bool {
        let mut hasher = FxHasher::default();
        let is_silent = observable.is_silent();
        let is_undefined = observable == Observable::Undefined;
        let undefined = is_undefined.then(|| self.only_undefined()).flatten();
        (observable, self.endings().map(Ending::sort), undefined).hash(&mut hasher);
        let reached = self.runners.each_ref().map(|runner| {
            let mut reached = runner.reached().to_vec();
            reached.sort_unstable();
            reached
        });
        reached.hash(&mut hasher);
        self.effort.time = self.spending.elapsed();
        let (by, effort, sort) = (self.by, self.effort, hasher.finish());
        self.keep_finding(Finding {
            assignment: assignment.into(),
            by,
            effort,
            sort,
            is_silent,
            reached,
        })
    }

    /// Counts a difference, and keeps it unless there are enough of its kind. Returns whether it
    /// does.
    fn keep_finding(&mut self, finding: Finding) -> bool {
        if finding.is_silent {
            self.silent.insert(finding.sort);
        } else {
            for (open, reached) in self.open.iter_mut().zip(&finding.reached) {
                reached.iter().for_each(|statement| _ = open.remove(statement));
            }
        }
        let count = self.alike.entry(finding.sort).or_insert(0);
        *count += 1;
        if *count == 1 && self.last_sort.ticks < finding.effort.ticks {
            self.last_sort = finding.effort;
        }
        let is_full = self.findings.len() >= MOST_FINDINGS || *count > MOST_ALIKE;
        let is_known = |known: &Finding| known.assignment == finding.assignment;
        if is_full || self.findings.iter().any(is_known) {
            return false;
        }
        self.findings.push(finding);
        true
    }
}

/// Notes how a run ended if that says nothing about the program, each ending once.
fn add_unknown(unknown: &mut Vec<Stop>, stop: &Stop) {
    let is_unknown = matches!(stop, Stop::Unsupported(_) | Stop::Exhausted(_));
    if is_unknown && unknown.len() < MOST_UNKNOWN && !unknown.contains(stop) {
        unknown.push(stop.clone());
    }
}

fn runners<'p>(
    pair: &Pair<'p>,
    name: &[u8],
    limits: Limits,
    [old, new]: &[Arc<Numbering>; 2],
    counts_leaks: bool,
) -> [Box<dyn Runner + 'p>; 2] {
    [
        runner(pair.old, name, limits, Arc::clone(old), counts_leaks),
        runner(pair.new, name, limits, Arc::clone(new), counts_leaks),
    ]
}

/// Partitions of the input space in which all inputs behave the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Partitions in which the versions are proved equal.
    pub equal: usize,
    /// Partitions in which they are proved to differ on every input.
    pub different: usize,
    /// Partitions without a result.
    pub unknown: usize,
    /// Regions that were not examined, or that the solver could not decide.
    pub left: usize,
    /// Whether the versions are proved equal on every input.
    pub is_equal: bool,
}

/// Whether a strategy has more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    More,
    Done,
}

/// What a strategy is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Nothing: whatever comes.
    Blind,
    EveryInput,
    NewRuns,
    /// Differences, made of what executes the change.
    Differences,
}

/// A strategy. It works in slices, so that several can take turns.
pub trait Searcher: Send {
    fn name(&self) -> &'static str;

    /// Continues until about this much work is done, budgets permitting. Work is measured as in
    /// [`PairEffort::work`], not in time, so that results do not depend on the clock.
    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance;

    /// What it is after.
    fn aim(&self) -> Aim {
        Aim::NewRuns
    }

    /// The proof so far, for strategies that prove anything.
    fn proof(&self) -> Option<Proof> {
        None
    }

    /// How many inputs the space has, if this strategy ran all of them.
    fn ran_all(&self) -> Option<u64> {
        None
    }

    /// Everything that is proved, for the end of the search, with shares of these tests.
    fn summary(&mut self, _tests: &[Box<[u64]>], _wanted: Wanted) -> Option<Summary> {
        None
    }
}

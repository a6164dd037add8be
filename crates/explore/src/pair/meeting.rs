//! Several arenas for strategies that work in parallel. While they work they share nothing; each
//! sends the others parcels with what it has kept, found and spent since the last parcel. An arena
//! that receives an input runs it, so that it knows the input as if it had found it.
//!
//! Parcels can be exchanged when all arenas have done the same work, so that results do not depend
//! on which of them is faster, or whenever there is news, so that none waits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use base::Both;
use exec::Stop;
use inputs::snapshot::Incomparable;
use ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Arena, Executions, Finding, Milestones, PairEffort, Slow, add_unknown, runners};

/// What an arena has told another one so far. It does not return what it received from there.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    effort: PairEffort,
    plain_ticks: u64,
    kept: usize,
    slow: usize,
    sorts: usize,
    unknown: [usize; 2],
}

/// What two arenas that meet repeatedly have told each other.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    told: [Link; 2],
    /// The most runs of both together.
    most_runs: Option<u64>,
}

/// The news of an arena.
#[derive(Debug)]
pub struct Parcel {
    kept: Vec<Box<[u64]>>,
    findings: Vec<Finding>,
    /// Known kinds of differences, the invisible ones among them, and when the last one was found;
    /// `None` if there is no new one.
    sorts: Option<(FxHashMap<u64, usize>, FxHashSet<u64>, PairEffort)>,
    /// Changed statements of either version that no difference executes.
    open: Option<Both<FxHashSet<StatementId>>>,
    slow: Vec<Slow>,
    unknown: [Vec<Stop>; 2],
    first_faults: Option<[Stop; 2]>,
    incomparable: Option<Incomparable>,
    is_undetermined: bool,
    is_valid: bool,
    milestones: Milestones,
    effort: PairEffort,
    plain_ticks: u64,
    /// Lines with inputs for the keeper.
    unkept: String,
}

impl Parcel {
    /// Whether it contains news beyond the effort.
    pub fn is_news(&self) -> bool {
        !self.kept.is_empty() || !self.findings.is_empty() || self.sorts.is_some()
    }
}

impl<'p> Arena<'p> {
    /// Another arena with the same knowledge. Its differences go to this one.
    pub fn fork(&self) -> Arena<'p> {
        Arena {
            pair: self.pair,
            observe: self.observe.clone(),
            limits: self.limits,
            kept: self.kept.clone(),
            favoured: self.favoured.clone(),
            findings: Vec::new(),
            hands_over: true,
            milestones: self.milestones,
            effort: self.effort,
            executions: Executions::new(&self.pair),
            last_sort: self.last_sort,
            unknown: self.unknown.clone(),
            is_undetermined: self.is_undetermined,
            incomparable: self.incomparable.clone(),
            is_valid: self.is_valid,
            first_faults: self.first_faults.clone(),
            slow: self.slow.clone(),
            slow_watch: self.slow_watch,
            vain_proofs: self.vain_proofs,
            pacing: self.pacing.fork(),
            is_cut: false,
            postponed: Default::default(),
            by: self.by,
            keeper: self.keeper,
            unkept: String::new(),
            plain_ticks: self.plain_ticks,
            most_runs: self.most_runs,
            name: self.name.clone(),
            numberings: self.numberings.clone(),
            runners: runners(
                &self.pair,
                &self.name,
                self.limits,
                &self.numberings,
                self.observe.leaks,
            ),
            seen: self.seen.clone(),
            diverged: self.diverged.clone(),
            undefined: self.undefined.clone(),
            alike: self.alike.clone(),
            open: self.open.clone(),
            silent: self.silent.clone(),
            known: self.known.clone(),
            spending: self.spending.clone(),
            news: Vec::new(),
            comparer: Default::default(),
        }
    }

    /// Gives the arena a switch of its own, which ends the current work.
    pub fn own_switch(&mut self) -> Arc<AtomicBool> {
        self.spending.progress = self.spending.progress.with_own_switch();
        self.spending.progress.switch()
    }

    /// A link to another arena with the same knowledge.
    pub fn link(&self) -> Link {
        Link {
            effort: self.effort,
            plain_ticks: self.plain_ticks,
            kept: self.kept.len(),
            slow: self.slow.len(),
            sorts: self.alike.len(),
            unknown: self.unknown.each_ref().map(Vec::len),
        }
    }

    /// The news for another arena.
    pub fn tell(&mut self, link: &mut Link) -> Parcel {
        let mut effort = PairEffort { time: self.effort.time, ..PairEffort::default() };
        effort.add_between(&link.effort, &self.effort);
        let has_news = self.alike.len() > link.sorts && !self.hands_over;
        let sorts = has_news.then(|| (self.alike.clone(), self.silent.clone(), self.last_sort));
        let open = has_news.then(|| self.open.clone());
        let (findings, unkept) = if self.hands_over {
            (std::mem::take(&mut self.findings), std::mem::take(&mut self.unkept))
        } else {
            Default::default()
        };
        let parcel = Parcel {
            kept: self.kept[link.kept..].iter().map(|kept| kept.assignment.clone()).collect(),
            findings,
            sorts,
            open,
            slow: self.slow[link.slow..].to_vec(),
            unknown: [0, 1].map(|index| self.unknown[index][link.unknown[index]..].to_vec()),
            first_faults: self.first_faults.clone().filter(|_| !self.is_valid),
            incomparable: self.incomparable.clone(),
            is_undetermined: self.is_undetermined,
            is_valid: self.is_valid,
            milestones: self.milestones,
            effort,
            plain_ticks: self.plain_ticks - link.plain_ticks,
            unkept,
        };
        *link = self.link();
        parcel
    }

    /// Takes the news of another arena. This one has sent everything that it knew before.
    pub fn hear(&mut self, parcel: Parcel, link: &mut Link) {
        for finding in parcel.findings {
            self.keep_finding(finding);
        }
        if let Some((alike, silent, last_sort)) = parcel.sorts {
            (self.alike, self.silent, self.last_sort) = (alike, silent, last_sort);
        }
        if let Some(open) = parcel.open {
            self.open = open;
        }
        // A kept input may also show a difference, which is already known, and so is the input.
        let findings = std::mem::take(&mut self.findings);
        let unkept = std::mem::take(&mut self.unkept) + &parcel.unkept;
        self.run_again(&parcel.kept);
        (self.findings, self.unkept) = (findings, unkept);
        for (unknown, its) in self.unknown.iter_mut().zip(&parcel.unknown) {
            its.iter().for_each(|stop| add_unknown(unknown, stop));
        }
        for slow in parcel.slow {
            self.keep_slow(slow);
        }
        self.is_valid |= parcel.is_valid;
        self.first_faults = self.first_faults.take().or(parcel.first_faults);
        self.is_undetermined |= parcel.is_undetermined;
        self.incomparable = self.incomparable.take().or(parcel.incomparable);
        self.milestones = self.milestones.earlier(&parcel.milestones);
        self.effort.add_between(&PairEffort::default(), &parcel.effort);
        self.effort.time = self.effort.time.max(parcel.effort.time);
        self.plain_ticks += parcel.plain_ticks;
        *link = self.link();
    }

    /// Takes the counts of a fork, once it is done.
    pub fn join(&mut self, other: &mut Arena<'_>) {
        self.executions.take(&mut other.executions);
        self.pacing.cut += std::mem::take(&mut other.pacing.cut);
    }

    /// Lets a fork meet this arena from here on, and share the remaining runs with it.
    pub fn meeting(&mut self, other: &mut Arena<'_>) -> Meeting {
        let (link, most_runs) = (self.link(), self.most_runs);
        self.share_runs(other, most_runs);
        Meeting { told: [link, link], most_runs }
    }

    /// Both exchange their news.
    pub fn meet(&mut self, other: &mut Arena<'p>, meeting: &mut Meeting) {
        let [told, its] = &mut meeting.told;
        let (parcel, answer) = (self.tell(told), other.tell(its));
        self.hear(answer, told);
        other.hear(parcel, its);
        // Processing a difference takes time, too, and both have met at the same moment.
        other.effort.time = self.effort.time;
        self.share_runs(other, meeting.most_runs);
    }

    /// Continues without the other arena.
    pub fn part(&mut self, meeting: &Meeting) {
        self.most_runs = meeting.most_runs;
    }

    fn share_runs(&mut self, other: &mut Arena<'_>, most_runs: Option<u64>) {
        let left = most_runs.map(|most| most.saturating_sub(self.effort.runs));
        self.most_runs = left.map(|left| self.effort.runs + left.div_ceil(2));
        other.most_runs = left.map(|left| other.effort.runs + left / 2);
    }

    /// Runs inputs that are known elsewhere, so that they are known here as well. These runs are
    /// not counted: they were counted when the inputs were found.
    fn run_again(&mut self, inputs: &[Box<[u64]>]) {
        for assignment in inputs {
            if self.spending.exhausted().is_some() {
                return;
            }
            self.run_both(assignment, self.limits.steps, self.proof_steps());
            self.note(assignment);
        }
    }
}

//! Two arenas for strategies that work side by side. While they work they share nothing, so that
//! results do not depend on which of them is faster; when they meet, each takes over what the
//! other one has kept, the first one has the differences that either found, and both count what
//! was spent on either.

use super::{Arena, Executions, Milestones, PairEffort, add_unknown, runners};

/// What two arenas had in common when they last met.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    effort: PairEffort,
    plain_ticks: u64,
    /// How many inputs each had kept.
    kept: [usize; 2],
    /// Runs that both may make in all.
    most_runs: Option<u64>,
}

impl<'p> Arena<'p> {
    /// A second arena that knows what this one does.
    pub fn fork(&mut self) -> (Arena<'p>, Meeting) {
        let mut other = Arena {
            pair: self.pair,
            observe: self.observe.clone(),
            limits: self.limits,
            kept: self.kept.clone(),
            findings: Vec::new(),
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
            silent: self.silent.clone(),
            known: self.known.clone(),
            spending: self.spending.clone(),
            news: Vec::new(),
            comparer: Default::default(),
        };
        let most_runs = self.most_runs;
        let meeting = Meeting::after([self, &mut other], most_runs);
        (other, meeting)
    }

    /// Takes over what another arena has kept and found since the two met; the other one takes
    /// over what this one has kept.
    pub fn meet(&mut self, other: &mut Arena<'p>, meeting: &mut Meeting) {
        let [mine, its] = meeting.news([self, other]);
        for finding in std::mem::take(&mut other.findings) {
            self.keep_finding(finding);
        }
        // What is kept may show a difference as well, which is known by now, and so is the input.
        let findings = std::mem::take(&mut self.findings);
        let unkept = std::mem::take(&mut self.unkept) + &std::mem::take(&mut other.unkept);
        self.run_again(&its);
        other.run_again(&mine);
        (self.findings, other.findings) = (findings, Vec::new());
        (self.unkept, other.unkept) = (unkept, String::new());
        for (unknown, its) in self.unknown.iter_mut().zip(&other.unknown) {
            its.iter().for_each(|stop| add_unknown(unknown, stop));
        }
        other.unknown.clone_from(&self.unknown);
        self.is_valid |= other.is_valid;
        self.first_faults = self.first_faults.take().or_else(|| other.first_faults.take());
        for slow in std::mem::take(&mut other.slow) {
            self.keep_slow(slow);
        }
        other.slow.clone_from(&self.slow);
        other.alike.clone_from(&self.alike);
        other.silent.clone_from(&self.silent);
        other.last_sort = self.last_sort;
        self.executions.take(&mut other.executions);
        let spent = |arena: &Arena<'_>| arena.plain_ticks - meeting.plain_ticks;
        let plain_ticks = meeting.plain_ticks + spent(self) + spent(other);
        let mut effort = self.effort;
        effort.add_between(&meeting.effort, &other.effort);
        let milestones = self.milestones.earlier(&other.milestones);
        let is_undetermined = self.is_undetermined || other.is_undetermined;
        let incomparable = self.incomparable.clone().or(other.incomparable.clone());
        for arena in [&mut *self, &mut *other] {
            arena.effort = effort;
            arena.plain_ticks = plain_ticks;
            arena.milestones = milestones;
            arena.is_undetermined = is_undetermined;
            arena.incomparable.clone_from(&incomparable);
        }
        *meeting = Meeting::after([self, other], meeting.most_runs);
    }

    /// Goes on without the other arena.
    pub fn part(&mut self, meeting: &Meeting) {
        self.most_runs = meeting.most_runs;
    }

    /// Runs inputs that are known elsewhere, so that they are known here as well. That is not
    /// counted: it was when they were found.
    fn run_again(&mut self, inputs: &[Box<[u64]>]) {
        for assignment in inputs {
            if self.spending.exhausted().is_some() {
                return;
            }
            self.run_both(assignment, self.proof_steps());
            self.note(assignment);
        }
    }
}

impl Meeting {
    /// Shares out the runs that are left.
    fn after([one, other]: [&mut Arena<'_>; 2], most_runs: Option<u64>) -> Meeting {
        let left = most_runs.map(|most| most.saturating_sub(one.effort.runs));
        one.most_runs = left.map(|left| one.effort.runs + left.div_ceil(2));
        other.most_runs = left.map(|left| other.effort.runs + left / 2);
        Meeting {
            effort: one.effort,
            plain_ticks: one.plain_ticks,
            kept: [one.kept.len(), other.kept.len()],
            most_runs,
        }
    }

    /// What each has kept since.
    fn news(&self, arenas: [&Arena<'_>; 2]) -> [Vec<Box<[u64]>>; 2] {
        [0, 1].map(|index| {
            let kept = arenas[index].kept.iter().skip(self.kept[index]);
            kept.map(|kept| kept.assignment.clone()).collect()
        })
    }
}

impl Milestones {
    /// The first of each that either has.
    fn earlier(&self, other: &Milestones) -> Milestones {
        let first = |one: Option<PairEffort>, other: Option<PairEffort>| {
            one.into_iter().chain(other).min_by_key(|effort| effort.ticks)
        };
        Milestones {
            reached: first(self.reached, other.reached),
            infected: first(self.infected, other.infected),
            propagated: first(self.propagated, other.propagated),
        }
    }
}

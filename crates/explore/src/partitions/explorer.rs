//! The exploration of partitions: takes a region, runs its input on all versions, computes the
//! partition of the input, and divides the rest of the region.
//!
//! A region R and the conditions φ₁ … φₙ of the partition of one of its inputs leave the regions R
//! ∧ φ₁ ∧ … ∧ φᵢ₋₁ ∧ ¬φᵢ. They are disjoint and, with the partition, cover all of R. Whether a
//! region contains an input is queried when its turn comes, because in a large space most regions
//! never get a turn. Conditions are in the order of the newest version's run first, so that regions
//! of one version share a prefix, and the solver what it knows about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Version;
use exec::concolic::Step;
use exec::{Limits, Program};
use inputs::Layout;
use ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::people::Glossary;
use smt::{
    Answer, Budget, Chain, Evaluator, Model, Path, PathCounts, Reason, Solver, TermId, Terms,
};
use trace::Observe;
use trace::instances::Slicer;

use super::given::{ByCondition, Given};
use super::propagation::{self, Sides};
use super::regions::{Known, Left, Promise, Region, Regions, Turn, Unresolved};
use super::runs::{Run, Runs};
use super::shares::Meter;
use super::shown::Sameness;
use super::state::{self, Entry, LoggedStep};
use super::{Partitions, Subject, common_layout};
use crate::budget::{self, Progress, Spending, Stopped};
use crate::edges::Edges;
use crate::guidance::Guidance;
use crate::input_terms::InputTerms;
use crate::pair::Proof;
use crate::proved::{Partition, Unclear, Verdict, Why};
use crate::saved::{Identity, StateError};
use crate::worker::{at_step, with_outcome};

/// Conflicts of the SAT solver per query, unless nothing else is left to do.
const FIRST_CONFLICTS: u32 = 100;
/// Conflicts to show that a condition always holds.
const DECIDING_CONFLICTS: u32 = 500;
/// Propagations of the SAT solver for each step; queries that need more wait.
const SHARE: u64 = 20_000;

/// What one step of an exploration examined.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped {
    pub input: Box<[u64]>,
    /// The number of its partition, in the order of discovery.
    pub partition: usize,
}

pub struct Explorer<'p> {
    runs: Runs<'p>,
    layout: &'p Layout,
    observe: Observe,
    /// Static knowledge about two versions.
    guidance: Option<&'p Guidance>,
    edges: Option<Edges<'p>>,
    slicers: Option<[Slicer<'p>; 2]>,
    usefulness: Usefulness,
    /// By version, what changed between it and its neighbours; `None` if unknown.
    changed: Option<Vec<Vec<StatementId>>>,
    programs: Vec<&'p Program>,
    inputs: InputTerms,
    chain: Chain,
    /// The conditions of the current region, after those of the whole space.
    path: Path,
    base: usize,
    question: Budget,
    /// Whether the budget ended during the construction of a partition.
    is_cut: bool,
    evaluator: Evaluator,
    /// Conditions that were decided without a path, and their constant value, if they have one.
    decided: FxHashMap<TermId, TermId>,
    regions: Regions,
    /// Regions that the solver could not decide within its bound, if they may be queried again.
    hard: Option<Vec<Region>>,
    given: Given,
    /// Outcomes of decisions in some run, by version and place.
    covered: FxHashSet<Turn>,
    found: Partitions,
    /// Partitions by their conditions, in order.
    known: FxHashMap<Vec<TermId>, usize>,
    path_pairs: FxHashSet<u64>,
    /// Everything that happened.
    log: Vec<Entry>,
    /// What a saved state must match.
    identity: Identity,
    steps: usize,
    /// A sample of the space, made when the proved share is first requested.
    pub(super) meter: Option<Box<Meter>>,
}

impl<'p> Explorer<'p> {
    /// The versions are in order from the oldest to the newest, at least two of them. Guidance is
    /// for exactly two that take the same input. The default of the first input is the smallest
    /// one.
    pub fn new(
        subjects: &[Subject<'p>],
        name: &[u8],
        limits: Limits,
        observe: Observe,
        question: Budget,
        guidance: Option<&'p Guidance>,
    ) -> Explorer<'p> {
        let mut runs = Runs::new(subjects, name, limits, observe.leaks);
        if observe.ub {
            runs.watch_undefined();
        }
        // Static knowledge about two versions is about the same cells in both.
        let are_alike = subjects.iter().all(|subject| subject.cells.is_none());
        let guidance = guidance.filter(|_| subjects.len() == 2 && are_alike);
        let inputs = runs.input_terms().clone();
        let mut path = Path::new();
        for &condition in &inputs.domain {
            path.push(runs.terms(), condition);
        }
        Explorer {
            runs,
            layout: common_layout(subjects),
            observe,
            guidance,
            edges: guidance.map(|_| Edges::new(subjects[1].program)),
            slicers: guidance.filter(|guidance| guidance.slicing.is_some()).map(|guidance| {
                [0, 1].map(|index: usize| {
                    let Subject { program, layout, .. } = subjects[index];
                    let ends = &guidance.postdominators[index];
                    Slicer::new(program, layout, name, limits, ends)
                })
            }),
            usefulness: Usefulness::default(),
            changed: guidance.map(|guidance| {
                Version::BOTH.map(|version| guidance.matching.changes(version).collect()).to_vec()
            }),
            programs: subjects.iter().map(|subject| subject.program).collect(),
            base: path.len(),
            inputs,
            chain: smt::standard(),
            path,
            question,
            is_cut: false,
            evaluator: Evaluator::new(),
            decided: FxHashMap::default(),
            regions: Regions::default(),
            hard: None,
            given: Given::default(),
            covered: FxHashSet::default(),
            found: Partitions::default(),
            known: FxHashMap::default(),
            path_pairs: FxHashSet::default(),
            log: Vec::new(),
            identity: Identity::new(),
            steps: 0,
            meter: None,
        }
    }

    /// Sets the changed statements of each version; guidance already contains them.
    pub fn set_changed(&mut self, changed: Vec<Vec<StatementId>>) {
        self.changed = Some(changed);
    }

    /// Sets what a saved state depends on, before it is saved or resumed.
    pub fn identify(&mut self, identity: Identity) {
        self.identity = identity;
    }

    /// Begins with the whole space and the first of these inputs; the regions of the others are
    /// examined soon.
    pub fn start(&mut self, inputs: &[Box<[u64]>]) {
        let Some((first, others)) = inputs.split_first() else { return };
        self.given.put(others);
        self.regions.push(Region { input: Known::Input(first.clone()), ..Region::whole() }, 0);
    }

    /// The state of the exploration as text.
    pub fn save(&self) -> String {
        state::FORM.head(self.layout, &self.identity) + &self.saved_since(0)
    }

    /// The number of lines of a saved state after its head.
    pub fn saved_lines(&self) -> usize {
        self.log.len()
    }

    /// These lines from a certain one on, to append to a state that has the lines before.
    pub fn saved_since(&self, first: usize) -> String {
        let mut text = String::new();
        self.log.iter().skip(first).for_each(|entry| state::print(&mut text, entry));
        text
    }

    /// Inputs that were run, in their order.
    pub(super) fn inputs_run(&self) -> impl Iterator<Item = &[u64]> {
        self.log.iter().filter_map(|entry| match entry {
            Entry::Step(step) => Some(&step.input[..]),
            Entry::Gone(_) | Entry::Lost(..) => None,
        })
    }

    /// Resumes an exploration of the same versions. Finds the previous results again by running the
    /// same inputs, without solver queries.
    pub fn resume(&mut self, text: &str) -> Result<(), StateError> {
        let lines = state::FORM.lines(text, self.layout, &self.identity)?;
        self.resume_lines(&lines)
    }

    /// The same, from numbered lines after the head of a state.
    pub(super) fn resume_lines(&mut self, lines: &[(usize, &str)]) -> Result<(), StateError> {
        // Known results are not cut.
        let timeless = Budget { conflicts: self.question.conflicts, ..Budget::default() };
        let question = std::mem::replace(&mut self.question, timeless);
        let mut open: BTreeMap<state::Origin, Region> = BTreeMap::new();
        open.insert(None, Region::whole());
        for (line, entry) in state::parse(lines, self.layout.cells.len())? {
            let other = StateError::OtherVersions { line };
            match entry {
                Entry::Step(step) => {
                    let region = open.remove(&step.origin).ok_or(other.clone())?;
                    let logged = Some(&step);
                    self.look_at(&region, &step.input, logged).ok_or(other)?;
                    for region in self.regions.drain() {
                        open.insert(region.origin, region);
                    }
                }
                Entry::Gone(origin) => {
                    open.remove(&origin).ok_or(other)?;
                    self.log.push(Entry::Gone(origin));
                }
                Entry::Lost(origin, reason) => {
                    let conditions = open.remove(&origin).ok_or(other)?.conditions();
                    self.found.unresolved.push(Unresolved { conditions, reason });
                    self.log.push(Entry::Lost(origin, reason));
                }
            }
        }
        open.into_values().for_each(|region| self.regions.push(region, 0));
        self.question = question;
        Ok(())
    }

    pub fn is_done(&self) -> bool {
        self.regions.is_empty()
    }

    /// Keeps regions that the solver could not decide within its bound, so that the caller may
    /// query them again.
    pub fn keep_hard(&mut self) {
        self.hard.get_or_insert_default();
    }

    /// Reopens the regions that the solver could not decide. Returns whether there are any.
    pub fn reopen(&mut self) -> bool {
        let hard = self.hard.as_mut().map(std::mem::take).unwrap_or_default();
        let has_any = !hard.is_empty();
        hard.into_iter().for_each(|region| self.regions.push(region, 0));
        has_any
    }

    fn hard(&self) -> &[Region] {
        self.hard.as_deref().unwrap_or_default()
    }

    /// Whether the partitions cover the whole space.
    pub fn is_complete(&self) -> bool {
        self.regions.is_empty() && self.hard().is_empty() && self.found.is_complete()
    }

    /// How many regions are left.
    pub fn waiting(&self) -> usize {
        self.regions.len()
    }

    pub fn terms(&self) -> &Terms {
        self.runs.terms_ref()
    }

    pub fn terms_mut(&mut self) -> &mut Terms {
        self.runs.terms()
    }

    /// The term of every cell of the input.
    pub fn inputs(&self) -> &InputTerms {
        &self.inputs
    }

    /// The meaning of the input's variables.
    pub fn words(&self) -> &Glossary {
        &self.inputs.words
    }

    pub(super) fn layout(&self) -> &'p Layout {
        self.layout
    }

    /// Whether an input satisfies conditions.
    pub fn satisfies(&mut self, input: &[u64], conditions: &[TermId]) -> bool {
        let model = self.inputs.model(self.runs.terms_ref(), input);
        self.holds(&model, conditions)
    }

    pub(super) fn solve(&mut self, conditions: &[TermId], budget: &Budget) -> Answer {
        self.chain.check(self.runs.terms(), conditions, budget)
    }

    /// The SAT solver's propagations for the exploration.
    pub(super) fn sat_effort(&self) -> u64 {
        self.chain.sat().effort
    }

    pub(super) fn question(&self) -> &Budget {
        &self.question
    }

    /// Concolic runs, queries, and queries that reached the SAT solver.
    pub fn spent(&self) -> (u64, u64, u64) {
        let counts = self.questions();
        (self.runs.total(), counts.asks, counts.by_sat)
    }

    /// The queries to the solver.
    pub fn questions(&self) -> PathCounts {
        // Not all queries are about a path.
        let sat = self.chain.sat();
        PathCounts { by_sat: sat.questions, sat_effort: sat.effort, ..self.path.counts() }
    }

    pub fn found(&self) -> &Partitions {
        &self.found
    }

    /// Everything so far, with the regions that are left.
    pub fn partitions(&self) -> Partitions {
        let (mut frontier, path_pairs) = (self.regions.all(), self.path_pairs());
        frontier.extend_from_slice(self.hard());
        Partitions { frontier, path_pairs, ..self.found.clone() }
    }

    /// The number of distinct combinations of whole paths.
    pub fn path_pairs(&self) -> usize {
        self.path_pairs.len().max(self.found.path_pairs)
    }

    /// The proof so far.
    pub fn proof(&self) -> Proof {
        let counts = self.found.counts();
        let left = self.regions.len() + self.hard().len() + self.found.unresolved.len();
        Proof {
            equal: counts.equal,
            different: counts.different,
            unknown: counts.unknown,
            left,
            is_equal: left == 0 && self.found.proves_equality(),
        }
    }

    /// Sets the budget of a query.
    pub fn set_question(&mut self, question: Budget) {
        self.runs.set_budget(&question);
        self.question = question;
    }

    /// Examines the next region. `None` if there is none, or no input in it is known.
    pub fn step(&mut self) -> Option<Stepped> {
        let may_use_sat = self.chain.sat().effort <= SHARE * (self.steps as u64 + 1);
        let (region, level) = self.regions.pop(may_use_sat)?;
        let input = match &region.input {
            Known::Input(input) => input.clone(),
            Known::Near(near) | Known::NeedsSat(near) => self.input_near(&region, near, level)?,
            Known::Everything => self.layout.plain(),
        };
        let Some(partition) = self.look_at(&region, &input, None) else {
            self.regions.push(region, level);
            return None;
        };
        Some(Stepped { input, partition })
    }

    /// Runs an input of a region and divides the region; returns the number of the partition, or
    /// `None` if the budget ended before. If all of that was done before, makes no queries, and
    /// returns `None` if the result is another one.
    fn look_at(
        &mut self,
        region: &Region,
        input: &[u64],
        logged: Option<&LoggedStep>,
    ) -> Option<usize> {
        let changed = |index: usize| -> &[StatementId] {
            self.changed.as_ref().and_then(|all| all.get(index)).map_or(&[], |of| &of[..])
        };
        let all = 0..self.runs.count();
        let runs: Vec<Run<'p>> =
            all.map(|index| self.runs.run(index, input, changed(index))).collect();
        if self.runs.is_cut() {
            return None;
        }
        let paths = name_of(&runs);
        let model = self.inputs.model(self.runs.terms(), input);
        let (mut partition, equality) = self.partition(input, &model, &runs);
        if std::mem::take(&mut self.is_cut) {
            return None;
        }
        let conditions = partition.conditions.len();
        if logged.is_some_and(|step| (step.paths, step.conditions) != (paths, conditions)) {
            return None;
        }
        self.path_pairs.insert(paths);
        self.found.pinned |= runs.iter().any(|run| run.pins > 0);
        let reaches = runs.iter().any(|run| !run.reached.is_empty());
        let is_sound =
            self.holds(&model, &region.conditions()) && self.holds(&model, &partition.conditions);
        let given = if is_sound {
            let promise = if reaches { Promise::Propagation } else { Promise::Reaching };
            let known = logged.map(|step| &step.given);
            let turns = turns(&runs);
            let is_new = self.covers_more(&turns);
            let division = Division { region, equality, promise, turns, is_new, known };
            self.divide(&division, &partition)
        } else {
            partition.verdict = Verdict::Unknown(Unclear::Contradiction);
            let conditions = region.conditions();
            self.found.unresolved.push(Unresolved { conditions, reason: Reason::Backend });
            ByCondition::new()
        };
        let (origin, input) = (region.origin, input.into());
        let step = LoggedStep { origin, input, conditions, paths, given };
        self.log.push(Entry::Step(step));
        self.steps += 1;
        Some(self.keep(partition))
    }

    /// Notes the outcomes of decisions; returns whether one is new.
    fn covers_more(&mut self, turns: &FxHashMap<TermId, Turn>) -> bool {
        let known = self.covered.len();
        self.covered.extend(turns.values());
        self.covered.len() > known
    }

    fn holds(&mut self, model: &Model, conditions: &[TermId]) -> bool {
        self.evaluator.restart();
        self.evaluator.holds(self.runs.terms_ref(), model, conditions)
    }

    /// Searches an input in a region, from one that satisfies all conditions but the last.
    fn input_near(&mut self, region: &Region, near: &Arc<[u64]>, level: u32) -> Option<Box<[u64]>> {
        let last = region.last?;
        self.follow(region.others());
        let model = self.inputs.model(self.runs.terms(), near);
        let needs_sat = matches!(region.input, Known::NeedsSat(_));
        let conflicts = match region.promise {
            _ if !needs_sat => Some(0),
            Promise::Hard => None,
            _ => Some(FIRST_CONFLICTS),
        };
        let needing = || Region { input: Known::NeedsSat(near.clone()), ..region.clone() };
        match self.ask(last, &model, conflicts) {
            Ok(Some(input)) => return Some(input),
            Ok(None) => self.log.push(Entry::Gone(region.origin)),
            Err(Reason::Time | Reason::Stopped | Reason::Memory) => {
                self.regions.push(region.clone(), level)
            }
            Err(Reason::Conflicts) if !needs_sat => self.regions.push(needing(), level),
            Err(Reason::Conflicts) if region.promise != Promise::Hard => {
                self.regions.push(Region { promise: Promise::Hard, ..region.clone() }, 0);
            }
            Err(reason) => {
                if let (Reason::Conflicts, Some(hard)) = (reason, &mut self.hard) {
                    hard.push(region.clone());
                    return None;
                }
                let conditions = region.conditions();
                self.found.unresolved.push(Unresolved { conditions, reason });
                self.log.push(Entry::Lost(region.origin, reason));
            }
        }
        None
    }

    /// The partition of an input, and whether its last condition is the equality of outputs.
    fn partition(&mut self, input: &[u64], model: &Model, runs: &[Run<'_>]) -> (Partition, bool) {
        let mut partition = Partition {
            conditions: Vec::new(),
            input: input.into(),
            verdict: Verdict::Equal(Why::NotPropagated),
            classes: vec![0; runs.len()],
            outputs: Vec::new(),
            changes: runs.iter().map(|run| run.reached.clone()).collect(),
            stops: vec![Vec::new(); runs.len()],
        };
        if let Some(reason) = self.reason(input, runs) {
            self.usefulness.note(&reason.conditions, runs);
            partition.conditions = reason.conditions;
            partition.verdict = Verdict::Equal(reason.why);
            partition.stops = reason.stops;
            return (partition, false);
        }
        if let Some(conditions) = self.unreached(runs) {
            partition.conditions = conditions;
            partition.verdict = Verdict::Equal(Why::NotReached);
            return (partition, false);
        }
        let mut seen = FxHashSet::default();
        let steps = runs.iter().rev().flat_map(|run| &run.steps);
        let new = steps.map(|step| step.condition).filter(|&condition| seen.insert(condition));
        partition.conditions = new.collect();
        // The links between objects after a call may depend on the input without a branch.
        let shapes = runs.iter().rev().filter_map(|run| run.shown.as_ref().ok());
        let shapes = shapes.filter_map(|shown| shown.result.as_ref());
        let shapes = shapes.flat_map(|(result, _)| result.conditions.iter().copied());
        partition.conditions.extend(shapes.filter(|&condition| seen.insert(condition)));
        let conditions = self.compare(model, runs, &mut partition);
        if partition.verdict != Verdict::Equal(Why::NotPropagated) {
            let terms = self.runs.terms_ref();
            let shown = |run: &Run<'_>| run.shown.as_ref().map_or(String::new(), |s| s.text(terms));
            partition.outputs = runs.iter().map(shown).collect();
        }
        let is_equal = matches!(partition.verdict, Verdict::Equal(_));
        let reaches = runs.iter().any(|run| !run.reached.is_empty());
        if is_equal && !reaches && self.changed.is_some() {
            partition.verdict = Verdict::Equal(Why::NotReached);
        }
        let has_equality = is_equal && !conditions.is_empty();
        partition.conditions.extend(conditions);
        (partition, has_equality)
    }

    /// Why two versions behave the same, as far as slices can tell.
    fn reason(&mut self, input: &[u64], runs: &[Run<'_>]) -> Option<propagation::Reason> {
        let (guidance, slicers) = (self.guidance?, self.slicers.as_mut()?);
        let ([old, new], [old_tables, new_tables]) = (runs, guidance.slicing.as_ref()?) else {
            return None;
        };
        // Slices follow the observables, but not the conditions of undefined operations.
        if self.observe.ub
            || !old.shows_the_same(new, &self.observe)
            || !self.usefulness.is_worth_trying()
        {
            return None;
        }
        let instances = slicers.each_mut().map(|slicer| slicer.run(input));
        propagation::reason(&Sides {
            programs: [self.programs[0], self.programs[1]],
            tables: [old_tables, new_tables],
            matching: &guidance.matching,
            runs: [old, new],
            instances: [&instances[0], &instances[1]],
        })
    }

    /// If no version executed a change: the conditions up to the first decision of the newest
    /// version after which no change can be executed.
    fn unreached(&mut self, runs: &[Run<'_>]) -> Option<Vec<TermId>> {
        let (guidance, edges) = (self.guidance?, self.edges.as_mut()?);
        // Make no claim about a run with unclear observables.
        if runs.iter().any(|run| !run.reached.is_empty() || run.shown.is_err()) {
            return None;
        }
        let steps = &runs.last()?.steps;
        let is_last = |step: &exec::concolic::Step| {
            let edge = edges.edge(step, step.outcome);
            edge.is_some_and(|edge| guidance.relevance.is_outside(edge))
        };
        let last = steps.iter().position(is_last)?;
        Some(steps[..=last].iter().map(|step| step.condition).collect())
    }

    /// Compares the observables of the versions: sets verdict and classes, and returns the
    /// conditions that these need besides the paths.
    fn compare(
        &mut self,
        model: &Model,
        runs: &[Run<'_>],
        partition: &mut Partition,
    ) -> Vec<TermId> {
        let mut conditions = Vec::new();
        // The first version of each class.
        let mut first: Vec<usize> = Vec::new();
        for (index, run) in runs.iter().enumerate() {
            let shown = match &run.shown {
                Ok(shown) => shown,
                Err(unclear) => {
                    partition.verdict = Verdict::Unknown(unclear.clone());
                    return Vec::new();
                }
            };
            let mut class = None;
            for (number, &other) in first.iter().enumerate() {
                let Ok(before) = &runs[other].shown else { continue };
                let mut all = match before.same(self.runs.terms(), shown, &self.observe) {
                    Ok(all) => all,
                    Err(unclear) => {
                        partition.verdict = Verdict::Unknown(unclear);
                        return conditions;
                    }
                };
                let visible = all.len() - usize::from(self.observe.ub);
                for same in &mut all[visible..] {
                    same.condition = self.decided(same.condition);
                }
                match self.settle(model, &all, visible) {
                    Settled::Same(condition) => {
                        conditions.extend(condition);
                        class = Some(number);
                        break;
                    }
                    Settled::Other(condition) => conditions.extend(condition),
                    Settled::Unclear(unclear) => {
                        partition.verdict = Verdict::Unknown(Unclear::Rounded);
                        return unclear;
                    }
                }
            }
            partition.classes[index] = class.unwrap_or(first.len());
            if class.is_none() {
                first.push(index);
            }
        }
        if first.len() > 1 {
            partition.verdict = Verdict::Different;
        }
        conditions
    }

    /// A condition, or its constant value if that is easy to show. Versions that compute the same
    /// in another way are undefined on the same inputs, in all partitions or in none.
    fn decided(&mut self, condition: TermId) -> TermId {
        if condition == Terms::TRUE || condition == Terms::FALSE {
            return condition;
        }
        if let Some(&known) = self.decided.get(&condition) {
            return known;
        }
        let terms = self.runs.terms();
        let violated = terms.not(condition);
        let question = Budget { conflicts: Some(DECIDING_CONFLICTS), ..self.question.clone() };
        let known = match self.chain.check(terms, &[violated], &question) {
            Answer::Unsat(_) => Terms::TRUE,
            // Nothing may depend on the clock, so that a resumed search decides the same.
            Answer::Unknown(Reason::Time | Reason::Stopped | Reason::Memory) => {
                self.is_cut = true;
                return condition;
            }
            _ => condition,
        };
        self.decided.insert(condition, known);
        known
    }

    /// What holds for all inputs like this one. The first observables are visible to users: if they
    /// differ, others do not matter.
    fn settle(&mut self, model: &Model, all: &[Sameness], visible: usize) -> Settled {
        let terms = self.runs.terms();
        let (mut enough, mut needed) = (Terms::TRUE, Terms::TRUE);
        self.evaluator.restart();
        for (index, same) in all.iter().enumerate() {
            if index == visible && self.evaluator.value(terms, model, needed) == 0 {
                break;
            }
            enough = terms.and(enough, same.condition);
            if same.exact {
                needed = terms.and(needed, same.condition);
            }
        }
        self.evaluator.restart();
        if self.evaluator.value(terms, model, enough) == 1 {
            return Settled::Same((enough != Terms::TRUE).then_some(enough));
        }
        if self.evaluator.value(terms, model, needed) == 0 {
            let differ = terms.not(needed);
            return Settled::Other((differ != Terms::TRUE).then_some(differ));
        }
        let not_enough = terms.not(enough);
        let both = [needed, not_enough];
        Settled::Unclear(both.into_iter().filter(|&term| term != Terms::TRUE).collect())
    }

    /// Divides the rest of a region, without the partition. Returns the given inputs in it.
    fn divide(&mut self, division: &Division<'_>, partition: &Partition) -> ByCondition {
        let (mut line, mut left) = (division.region.conditions(), Vec::new());
        let mut seen: FxHashSet<TermId> = line.iter().copied().collect();
        let given = match division.known {
            Some(known) => known.clone(),
            None => self.given.divide(
                division.region.origin,
                self.steps,
                &partition.conditions,
                self.runs.terms(),
                &self.inputs,
                &mut self.evaluator,
            ),
        };
        let last = partition.conditions.len().wrapping_sub(1);
        let near: Arc<[u64]> = partition.input.as_ref().into();
        for (number, &condition) in partition.conditions.iter().enumerate() {
            if !seen.insert(condition) {
                continue;
            }
            let negated = self.runs.terms().not(condition);
            if negated == Terms::FALSE {
                continue;
            }
            let (input, promise) = match given.get(&number) {
                Some(input) => (Known::Input(input.clone()), Promise::Given),
                None => (Known::Near(near.clone()), division.promise),
            };
            let promise =
                if division.equality && number == last { Promise::Difference } else { promise };
            let turn = division.turns.get(&condition).copied().filter(|_| !division.is_new);
            let (length, origin) = (line.len(), (self.steps, number));
            left.push(Left { length, last: negated, input, promise, origin, turn });
            line.push(condition);
        }
        self.regions.leave(line, left);
        given
    }

    /// An input that satisfies a condition after the solver's path, if there is one, or why that is
    /// unknown. The SAT solver may spend this many conflicts, or as many as on any query.
    fn ask(
        &mut self,
        condition: TermId,
        model: &Model,
        conflicts: Option<u32>,
    ) -> Result<Option<Box<[u64]>>, Reason> {
        let terms = self.runs.terms();
        let least = |most: u32| conflicts.map_or(most, |conflicts| most.min(conflicts));
        let conflicts = self.question.conflicts.map(least).or(conflicts);
        let question = Budget { conflicts, ..self.question.clone() };
        match self.path.ask(&mut self.chain, terms, &[condition], model, &question) {
            Answer::Sat(found) => Ok(Some(self.inputs.assignment(terms, &found))),
            Answer::Unsat(_) => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Sets the solver's path to that of a region.
    fn follow(&mut self, conditions: &[TermId]) {
        self.path.follow(self.runs.terms(), self.base, conditions);
    }

    /// Notes a partition, unless it is known; returns its number.
    fn keep(&mut self, partition: Partition) -> usize {
        let key = key(&partition.conditions);
        if let Some(&number) = self.known.get(&key)
            && self.found.list[number].verdict == partition.verdict
        {
            return number;
        }
        let number = self.found.list.len();
        self.known.insert(key, number);
        self.found.list.push(partition);
        number
    }
}

/// How often slices were tried, and how often they omitted a good part of the conditions. If
/// everything matters, they only take time.
#[derive(Clone, Copy, Debug, Default)]
struct Usefulness {
    asked: u32,
    tried: u32,
    useful: u32,
}

impl Usefulness {
    /// Tries before usefulness is judged, and how seldom useless slices are tried.
    const FIRST: u32 = 16;
    const SELDOM: u32 = 64;

    fn is_worth_trying(&mut self) -> bool {
        self.asked += 1;
        let worth = self.tried < Usefulness::FIRST
            || 8 * self.useful >= self.tried
            || self.asked.is_multiple_of(Usefulness::SELDOM);
        self.tried += u32::from(worth);
        worth
    }

    /// Notes the conditions that slices gave for these runs.
    fn note(&mut self, conditions: &[TermId], runs: &[Run<'_>]) {
        let steps = runs.iter().flat_map(|run| &run.steps).map(|step| step.condition);
        let all: FxHashSet<TermId> = steps.collect();
        self.useful += u32::from(4 * conditions.len() <= 3 * all.len());
    }
}

/// How to divide a region.
struct Division<'a> {
    region: &'a Region,
    /// Whether the last condition is the equality of outputs.
    equality: bool,
    promise: Promise,
    /// By conditions of the runs, their decisions.
    turns: FxHashMap<TermId, Turn>,
    /// Whether the runs contain a new outcome of a decision.
    is_new: bool,
    /// The given inputs, if all of that was done before.
    known: Option<&'a ByCondition>,
}

/// Explores until nothing is left or the budget is exhausted; returns why it ended early, if it
/// did.
pub fn explore_all(
    explorer: &mut Explorer<'_>,
    budget: budget::Budget,
    progress: &Progress,
) -> Option<Stopped> {
    let on = |_: &Explorer<'_>| Ok::<(), std::convert::Infallible>(());
    explore_watched(explorer, budget, progress, on).unwrap_or_else(|never| match never {})
}

/// The same with a callback after every step, which may end it.
pub fn explore_watched<'p, E>(
    explorer: &mut Explorer<'p>,
    budget: budget::Budget,
    progress: &Progress,
    mut look_on: impl FnMut(&Explorer<'p>) -> Result<(), E>,
) -> Result<Option<Stopped>, E> {
    let spending = Spending::start(budget, progress.clone());
    explorer.set_question(spending.question());
    // Resumed results count, too.
    let known = explorer.found.counts();
    spending.progress.add(0, explorer.found.list.len() as u64, known.different as u64);
    while !explorer.is_done() {
        if let Some(stopped) = spending.exhausted() {
            return Ok(Some(stopped));
        }
        let before = explorer.found.list.len();
        let differs = |partition: &Partition| partition.verdict == Verdict::Different;
        if explorer.step().is_some() {
            let new = &explorer.found.list[before..];
            let differences = new.iter().filter(|partition| differs(partition)).count();
            spending.progress.add(1, new.len() as u64, differences as u64);
        }
        spending.progress.set_waiting(explorer.waiting() as u64);
        explorer.tell(&spending.progress);
        look_on(explorer)?;
    }
    Ok(None)
}

/// By conditions, their decisions.
fn turns(runs: &[Run<'_>]) -> FxHashMap<TermId, Turn> {
    let mut turns = FxHashMap::default();
    for (version, run) in runs.iter().enumerate() {
        let of = |step: &Step| (step.condition, (version, step.site, step.outcome));
        turns.extend(run.steps.iter().map(of));
    }
    turns
}

/// What is known about two outputs.
enum Settled {
    /// The same on all inputs that satisfy the condition.
    Same(Option<TermId>),
    /// Different on all inputs that satisfy the condition.
    Other(Option<TermId>),
    /// Unknown on inputs that satisfy the conditions.
    Unclear(Vec<TermId>),
}

fn key(conditions: &[TermId]) -> Vec<TermId> {
    let mut key = conditions.to_vec();
    key.sort_unstable();
    key
}

/// The name of a combination of paths.
fn name_of(runs: &[Run<'_>]) -> u64 {
    runs.iter().fold(1, |name, run| {
        let end =
            run.steps.iter().fold(1, |hash, step| with_outcome(at_step(hash, step), step.outcome));
        with_outcome(name, end)
    })
}

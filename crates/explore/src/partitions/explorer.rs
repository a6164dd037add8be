//! The exploration of partitions: takes a region, runs its input on all versions, finds the
//! partition of the input, and divides what is left of the region.
//!
//! A region R and the conditions φ₁ … φₙ of the partition of one of its inputs leave the regions
//! R ∧ φ₁ ∧ … ∧ φᵢ₋₁ ∧ ¬φᵢ. They exclude each other and, with the partition, they are all of R.
//! Conditions are in the order of the newest version's run first, so that regions of one version
//! share what they begin with, and the solver what it knows of it.

use exec::Limits;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Answer, Budget, Chain, Evaluator, Model, Path, Reason, Solver, TermId, Terms};

use super::regions::{Promise, Region, Regions, Unresolved};
use super::runs::{Run, Runs};
use super::shown::Sameness;
use super::{Partition, Partitions, Subject, Unclear, Verdict, Why};
use crate::edges::Edges;
use crate::guidance::Guidance;
use crate::harness::InputTerms;
use crate::pair::Observe;
use crate::worker::{at_step, with_outcome};

/// What one step of an exploration looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped {
    pub input: Box<[u64]>,
    /// The number of its partition, in the order of discovery.
    pub partition: usize,
}

pub struct Explorer<'p> {
    runs: Runs<'p>,
    observe: Observe,
    /// What is known of two versions before any run.
    guidance: Option<&'p Guidance>,
    edges: Option<Edges<'p>>,
    inputs: InputTerms,
    chain: Chain,
    /// The conditions of the region at hand, behind those of the whole space.
    path: Path,
    base: usize,
    question: Budget,
    evaluator: Evaluator,
    regions: Regions,
    found: Partitions,
    /// Partitions by their conditions, in order.
    known: FxHashMap<Vec<TermId>, usize>,
    path_pairs: FxHashSet<u64>,
}

impl<'p> Explorer<'p> {
    /// The versions are given from the oldest to the newest, at least two of them. Guidance is
    /// for exactly two. Without a first input, the smallest one is.
    pub fn new(
        subjects: &[Subject<'p>],
        name: &[u8],
        limits: Limits,
        observe: Observe,
        question: Budget,
        guidance: Option<&'p Guidance>,
    ) -> Explorer<'p> {
        let mut runs = Runs::new(subjects, name, limits, &question);
        let guidance = guidance.filter(|_| subjects.len() == 2);
        let inputs = runs.input_terms().clone();
        let mut path = Path::new();
        for &condition in &inputs.domain {
            path.push(runs.terms(), condition);
        }
        Explorer {
            runs,
            observe,
            guidance,
            edges: guidance.map(|_| Edges::new(subjects[1].program)),
            base: path.len(),
            inputs,
            chain: smt::standard(),
            path,
            question,
            evaluator: Evaluator::new(),
            regions: Regions::default(),
            found: Partitions::default(),
            known: FxHashMap::default(),
            path_pairs: FxHashSet::default(),
        }
    }

    /// Begins with the whole space and this input of it.
    pub fn start(&mut self, input: &[u64]) {
        let (conditions, promise) = (Box::default(), Promise::Propagation);
        self.regions.push(Region { conditions, input: Some(input.into()), promise });
    }

    /// Takes up an exploration where it was left.
    pub fn take_up(&mut self, partitions: Partitions) {
        for region in &partitions.frontier {
            self.regions.push(region.clone());
        }
        for (number, partition) in partitions.list.iter().enumerate() {
            self.known.insert(key(&partition.conditions), number);
        }
        self.found = Partitions { frontier: Vec::new(), ..partitions };
    }

    pub fn is_done(&self) -> bool {
        self.regions.is_empty()
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

    /// What every cell of the input is.
    pub fn inputs(&self) -> &InputTerms {
        &self.inputs
    }

    /// Concolic runs, questions, and questions that reached the SAT solver.
    pub fn spent(&self) -> (u64, u64, u64) {
        let counts = self.path.counts();
        (self.runs.total(), counts.asks, counts.by_sat)
    }

    pub fn found(&self) -> &Partitions {
        &self.found
    }

    /// Everything so far, with the regions that are left.
    pub fn partitions(&self) -> Partitions {
        let frontier = self.regions.all();
        let path_pairs = self.path_pairs.len().max(self.found.path_pairs);
        Partitions { frontier, path_pairs, ..self.found.clone() }
    }

    /// What a question may cost from here on.
    pub fn set_question(&mut self, question: Budget) {
        self.question = question;
    }

    /// Looks at the next region. Nothing if there is none, or none of which an input is known.
    pub fn step(&mut self) -> Option<Stepped> {
        let region = self.regions.pop()?;
        let Some(input) = region.input.clone().or_else(|| self.input_of(&region)) else {
            return None;
        };
        let matching = self.guidance.map(|guidance| &guidance.matching);
        let runs: Vec<Run> =
            (0..self.runs.count()).map(|index| self.runs.run(index, &input, matching)).collect();
        self.path_pairs.insert(name_of(&runs));
        self.found.pinned |= runs.iter().any(|run| run.pins > 0);
        let model = self.inputs.model(self.runs.terms(), &input);
        let (mut partition, equality) = self.partition(&input, &model, &runs);
        let reaches = runs.iter().any(|run| !run.reached.is_empty());
        if !self.holds(&model, &region.conditions) || !self.holds(&model, &partition.conditions) {
            partition.verdict = Verdict::Unknown(Unclear::Contradiction);
            let conditions = region.conditions.clone();
            self.found.unresolved.push(Unresolved { conditions, reason: Reason::Backend });
        } else {
            let promise = if reaches { Promise::Propagation } else { Promise::Reaching };
            self.divide(&region, &partition, equality, promise, &model);
        }
        let number = self.keep(partition);
        Some(Stepped { input, partition: number })
    }

    fn holds(&mut self, model: &Model, conditions: &[TermId]) -> bool {
        self.evaluator.restart();
        self.evaluator.holds(self.runs.terms_ref(), model, conditions)
    }

    /// Looks for an input in a region.
    fn input_of(&mut self, region: &Region) -> Option<Box<[u64]>> {
        let all: Vec<TermId> =
            self.inputs.domain.iter().chain(&region.conditions).copied().collect();
        let terms = self.runs.terms();
        match self.chain.check(terms, &all, &self.question) {
            Answer::Sat(model) => Some(self.inputs.assignment(terms, &model)),
            Answer::Unsat(_) => None,
            Answer::Unknown(reason) => {
                self.put_off(region.conditions.clone(), region.promise, reason);
                None
            }
        }
    }

    /// A region of which nothing could be found out: for now, or for good.
    fn put_off(&mut self, conditions: Box<[TermId]>, promise: Promise, reason: Reason) {
        match reason {
            Reason::Time | Reason::Stopped => {
                self.regions.push(Region { conditions, input: None, promise });
            }
            _ => self.found.unresolved.push(Unresolved { conditions, reason }),
        }
    }

    /// The partition of an input, and whether its last condition is that outputs are the same.
    fn partition(&mut self, input: &[u64], model: &Model, runs: &[Run]) -> (Partition, bool) {
        let mut partition = Partition {
            conditions: Vec::new(),
            input: input.into(),
            verdict: Verdict::Equal(Why::NotPropagated),
            classes: vec![0; runs.len()],
            outputs: Vec::new(),
            changes: runs.iter().map(|run| run.reached.clone()).collect(),
        };
        if let Some(conditions) = self.unreached(runs) {
            partition.conditions = conditions;
            partition.verdict = Verdict::Equal(Why::NotReached);
            return (partition, false);
        }
        for step in runs.iter().rev().flat_map(|run| &run.steps) {
            if !partition.conditions.contains(&step.condition) {
                partition.conditions.push(step.condition);
            }
        }
        let conditions = self.compare(model, runs, &mut partition);
        if partition.verdict != Verdict::Equal(Why::NotPropagated) {
            let terms = self.runs.terms_ref();
            let shown = |run: &Run| run.shown.as_ref().map_or(String::new(), |s| s.text(terms));
            partition.outputs = runs.iter().map(shown).collect();
        }
        let is_equal = matches!(partition.verdict, Verdict::Equal(_));
        let has_equality = is_equal && !conditions.is_empty();
        partition.conditions.extend(conditions);
        (partition, has_equality)
    }

    /// If no version executed a change: the conditions up to the first decision of the newest
    /// version behind which no change can be executed.
    fn unreached(&mut self, runs: &[Run]) -> Option<Vec<TermId>> {
        let (guidance, edges) = (self.guidance?, self.edges.as_mut()?);
        if runs.iter().any(|run| !run.reached.is_empty()) {
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

    /// Compares what the versions show: sets verdict and classes, and gives the conditions that
    /// these need besides the paths.
    fn compare(&mut self, model: &Model, runs: &[Run], partition: &mut Partition) -> Vec<TermId> {
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
                let all = before.same(self.runs.terms(), shown, &self.observe);
                match self.settle(model, &all) {
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

    /// What can be said for all inputs that are like this one.
    fn settle(&mut self, model: &Model, all: &[Sameness]) -> Settled {
        let terms = self.runs.terms();
        let (mut enough, mut needed) = (Terms::TRUE, Terms::TRUE);
        for same in all {
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

    /// Asks for inputs in what is left of a region without the partition.
    fn divide(
        &mut self,
        region: &Region,
        partition: &Partition,
        equality: bool,
        promise: Promise,
        model: &Model,
    ) {
        let mut line: Vec<TermId> = region.conditions.to_vec();
        self.follow(&line);
        let mut known: FxHashSet<TermId> = line.iter().copied().collect();
        let last = partition.conditions.len().wrapping_sub(1);
        for (number, &condition) in partition.conditions.iter().enumerate() {
            if !known.insert(condition) {
                continue;
            }
            let promise = match equality && number == last {
                true => Promise::Difference,
                false => promise,
            };
            let negated = self.runs.terms().not(condition);
            let terms = self.runs.terms();
            let answer = self.path.ask(&mut self.chain, terms, &[negated], model, &self.question);
            let conditions =
                || -> Box<[TermId]> { line.iter().copied().chain([negated]).collect() };
            match answer {
                Answer::Sat(found) => {
                    let input = Some(self.inputs.assignment(terms, &found));
                    let conditions = conditions();
                    self.regions.push(Region { conditions, input, promise });
                }
                // What is implied needs not be remembered.
                Answer::Unsat(_) => continue,
                Answer::Unknown(reason) => {
                    let conditions = conditions();
                    self.put_off(conditions, promise, reason);
                }
            }
            line.push(condition);
            self.path.push(self.runs.terms(), condition);
        }
    }

    /// Makes the solver's path that of a region.
    fn follow(&mut self, conditions: &[TermId]) {
        let known = &self.path.conditions()[self.base..];
        let shared = known.iter().zip(conditions).take_while(|(a, b)| a == b).count();
        self.path.truncate(self.base + shared);
        for &condition in &conditions[shared..] {
            self.path.push(self.runs.terms(), condition);
        }
    }

    /// Notes a partition, unless it is known; gives its number.
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

/// What is known of two outputs.
enum Settled {
    /// The same on all inputs that satisfy the condition.
    Same(Option<TermId>),
    /// Different on all inputs that satisfy the condition.
    Other(Option<TermId>),
    /// Nothing on inputs that satisfy the conditions.
    Unclear(Vec<TermId>),
}

fn key(conditions: &[TermId]) -> Vec<TermId> {
    let mut key = conditions.to_vec();
    key.sort_unstable();
    key
}

/// The name of a combination of paths.
fn name_of(runs: &[Run]) -> u64 {
    runs.iter().fold(1, |name, run| {
        let end =
            run.steps.iter().fold(1, |hash, step| with_outcome(at_step(hash, step), step.outcome));
        with_outcome(name, end)
    })
}

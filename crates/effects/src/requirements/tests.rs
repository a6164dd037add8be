//! Which tests satisfy which requirements.
//!
//! A chain is taken if the run's dependences have it. A state requirement is judged by the values
//! that variables have in the run at the entry of the change: its conditions are evaluated, nothing is
//! solved. If another change was executed before, the values must be those of the other version's run
//! at the same place, or else the requirement says nothing about the test.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use exec::observer::Observer;
use exec::state::State;
use exec::{Input, Machine, Program};
use explore::Pair;
use explore::partial::{Partial, Root};
use inputs::Test;
use ir::StatementId;
use rustc_hash::FxHashSet;
use smt::{Evaluator, Model, TermId, Terms, VarId};
use trace::chains::dependences_alone;
use trace::{Harness, Run, Tracer};

use super::conditions::Required;
use super::names::support;
use super::rows::{Judged, Judging};
use super::{Infection, Limit, NAME, Requirements};
use crate::adequacy::TestState;
use crate::marked::Tracing;
use crate::pairing::Ready;
use crate::trial::Scope;

/// The most events of a run to trace.
const MOST_EVENTS: u32 = 1 << 20;
/// The most executions of a change to judge in a run.
const MOST_ENTRIES: usize = 256;

/// The state of a run at the entry of a change.
#[derive(Clone, Debug)]
struct Entry {
    change: usize,
    /// The number of the start that the run's calls are those of.
    start: Option<usize>,
    /// Whether no change was executed before.
    is_clean: bool,
    model: Model,
    /// Whether pointers lead to objects of their own, as assumed.
    is_apart: bool,
}

/// Watches a run of one version for the entries of changes.
struct Watcher<'w, 'a> {
    judged: &'w [Judged<'a>],
    terms: &'w Terms,
    version: Version,
    program: &'w Program,
    /// The changed statements of this version.
    changed: &'w FxHashSet<StatementId>,
    is_clean: bool,
    entries: Vec<Entry>,
}

impl Observer for Watcher<'_, '_> {
    const STATEMENTS: bool = true;

    fn arrive(&mut self, statement: StatementId, state: &State) {
        for change in 0..self.judged.len() {
            let judged = &self.judged[change];
            let is_here = judged.point.version == self.version;
            let at = if is_here { Some(judged.point.statement) } else { judged.there };
            if at == Some(statement) && self.entries.len() < MOST_ENTRIES {
                self.enter(change, is_here, state);
            }
        }
        if self.changed.contains(&statement) {
            self.is_clean = false;
        }
    }
}

impl Watcher<'_, '_> {
    fn enter(&mut self, change: usize, is_here: bool, state: &State) {
        let judged = &self.judged[change];
        let frames: Vec<_> = state.activations().collect();
        let last = frames.len() - 1;
        let mut starts = judged.walked.iter().enumerate();
        let found = starts.find(|(_, walked)| {
            let own = if is_here { Some(&walked.start.here) } else { walked.start.there.as_ref() };
            own.is_some_and(|own| {
                let alike = |(number, (one, two)): (usize, (&_, &(_, u32)))| {
                    let one: &explore::partial::Activation = one;
                    // A frame that called goes on behind the call.
                    one.function == two.0 && (number == last || one.pc + 1 == two.1)
                };
                own.len() == frames.len() && own.iter().zip(&frames).enumerate().all(alike)
            })
        });
        let partial = found.as_ref().and_then(|(_, walked)| walked.partials[self.version].as_ref());
        let (model, is_apart) = match partial {
            Some(partial) => capture(partial, self.program, self.terms, state),
            None => (Model::new(), false),
        };
        let (start, is_clean) = (found.map(|(number, _)| number), self.is_clean);
        self.entries.push(Entry { change, start, is_clean, model, is_apart });
    }
}

/// The values of unknowns in a run, and whether pointers lead to objects of their own.
fn capture(
    partial: &Partial<'_>,
    program: &Program,
    terms: &Terms,
    state: &State,
) -> (Model, bool) {
    let mut model = Model::new();
    let mut bases: Vec<u64> = Vec::new();
    let mut windows: BTreeSet<u64> = BTreeSet::new();
    let mut is_apart = true;
    let lead = |number: usize| partial.leads.get(number).and_then(|&lead| terms.variable_of(lead));
    for unknown in &partial.unknowns {
        let address = match unknown.root {
            Root::Slot(frame, slot) => {
                let code = program.code(partial.frames[frame].function);
                let (register, _) = code.slots[base::entity::EntityRef::index(slot)];
                let bits = state.register_of(frame, register).bits;
                model.set(unknown.variable, cut(bits, unknown.bytes));
                continue;
            }
            Root::Local(frame, register) => state.register_of(frame, register).bits,
            Root::Global(id) => program.addresses.globals[id],
            Root::Object(number) => {
                while bases.len() <= number {
                    let pointer = lead(bases.len()).map_or(0, |variable| model.get(variable));
                    bases.push(pointer);
                }
                bases[number]
            }
        };
        if !matches!(unknown.root, Root::Object(_)) {
            windows.insert(address >> 32);
        }
        let at = address.wrapping_add(unknown.offset);
        let bytes = state.memory.bytes(at, unknown.bytes.into()).unwrap_or_default();
        let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        model.set(unknown.variable, value);
    }
    for (number, &base) in bases.iter().enumerate() {
        // Where a computed pointer leads is not read from the run.
        is_apart &= lead(number).is_some();
        if state.memory.object_at(base).is_none() {
            continue;
        }
        is_apart &= windows.insert(base >> 32);
        if let (Some(variable), Some(address)) = (lead(number), partial.object_address(number)) {
            model.set(variable, address);
        }
    }
    (model, is_apart)
}

fn cut(bits: u64, bytes: u32) -> u64 {
    if bytes >= 8 { bits } else { bits & ((1 << (8 * bytes)) - 1) }
}

/// Runs tests and notes in the result which requirements they satisfy.
pub(super) fn run(
    judging: &mut Judging<'_>,
    (scope, ready, pair): (&Scope<'_>, &Ready<'_>, &Pair<'_>),
    tracing: &Tracing<'_>,
    result: &mut Requirements,
) {
    if scope.tests.is_empty() {
        return;
    }
    let changed = Version::BOTH.map(|version| {
        let all = judging.common.matching.changes(version);
        let points = judging.points.iter().filter(|point| point.version == version);
        all.chain(points.map(|point| point.statement)).collect::<FxHashSet<StatementId>>()
    });
    let marked = judging.marked;
    let mut tracers = Version::BOTH.map(|version| {
        let layout = pair.side(version).layout;
        let ends = &marked.postdominators[version];
        let limits = tracing.limits(MOST_EVENTS);
        Tracer::new(&marked.programs[version], layout, NAME, ends, limits)
    });
    let mut supports = Supports::default();
    for (number, test) in scope.tests.iter().enumerate() {
        if (judging.stopped)().is_some() {
            result.tests.push(TestState::NotRun);
            continue;
        }
        let state = one(
            judging,
            (number, test),
            ready,
            pair,
            &changed,
            &mut tracers,
            &mut supports,
            result,
        );
        result.tests.push(state);
    }
    let open = |state: &&TestState| **state != TestState::Followed;
    let open = result.tests.iter().filter(open).count();
    if open > 0 {
        result.limits.push(Limit::Tests(open));
    }
}

/// The variables of conditions, by the term.
#[derive(Default)]
struct Supports(BTreeMap<TermId, Vec<VarId>>);

impl Supports {
    fn of(&mut self, terms: &Terms, term: TermId) -> &[VarId] {
        self.0.entry(term).or_insert_with(|| support(terms, term))
    }
}

#[allow(clippy::too_many_arguments)]
fn one(
    judging: &mut Judging<'_>,
    (number, test): (usize, &Test),
    ready: &Ready<'_>,
    pair: &Pair<'_>,
    changed: &[FxHashSet<StatementId>; 2],
    tracers: &mut [Tracer<'_>; 2],
    supports: &mut Supports,
    result: &mut Requirements,
) -> TestState {
    let Ok(assignment) = ready.new.layout.encode(&test.input) else { return TestState::Misfit };
    let limits = judging.options.limits;
    let common = judging.common;
    let (terms, _) = judging.machines.terms();
    let mut state = TestState::Followed;
    let mut entries: [Vec<Entry>; 2] = Default::default();
    for version in Version::BOTH {
        let side = pair.side(version);
        let mut own = Vec::new();
        side.assignment_into(&assignment, &mut own);
        let program = common.programs[version];
        let watcher = Watcher {
            judged: &judging.judged,
            terms,
            version,
            program,
            changed: &changed[version],
            is_clean: true,
            entries: Vec::new(),
        };
        let mut machine = Machine::idle(program, &Input::default(), limits, watcher);
        let stop = Harness::new(program, side.layout, NAME).run(&mut machine, &own);
        if matches!(stop, exec::Stop::Exhausted(_) | exec::Stop::Unsupported(_)) {
            state = TestState::Unknown(version, stop);
        }
        entries[version] = std::mem::take(&mut machine.observer.entries);
        let reached: BTreeSet<usize> = entries[version].iter().map(|entry| entry.change).collect();
        let reached =
            reached.into_iter().filter(|&one| judging.judged[one].point.version == version);
        let reached: Vec<usize> = reached.collect();
        if reached.is_empty() {
            continue;
        }
        let trace = tracers[version].trace(&own);
        if trace.truncated && state == TestState::Followed {
            state = TestState::Cut;
        }
        let run = Run { program, trace: &trace };
        let found = dependences_alone(common, version, run);
        for change in reached {
            let judged = &judging.judged[change];
            let taken = judged.chains.taken(&found, false);
            let taken: BTreeSet<usize> = taken.into_iter().map(|ending| ending.chain).collect();
            let rows = &mut result.changes[change];
            rows.reached.push(number);
            for (chain, row) in judged.required.iter().zip(&mut rows.chains) {
                if taken.contains(chain) {
                    row.covered.push(number);
                }
            }
        }
    }
    for change in 0..judging.judged.len() {
        let judged = &judging.judged[change];
        let here = judged.point.version;
        let of = |version: Version| {
            entries[version].iter().filter(|entry| entry.change == change).collect::<Vec<_>>()
        };
        let (here, there) = (of(here), of(here.other()));
        let infection = judging.options.infection;
        for index in 0..judged.required.len() {
            let told = judge(judged, index, (&here, &there), infection, terms, supports);
            note(result, (change, index), number, told);
        }
    }
    state
}

/// Whether each condition holds, and whether that is not known.
#[derive(Clone, Copy, Default)]
struct Told {
    values: bool,
    path: bool,
    unknown: bool,
}

fn judge(
    judged: &Judged<'_>,
    index: usize,
    (here, there): (&[&Entry], &[&Entry]),
    infection: Infection,
    terms: &Terms,
    supports: &mut Supports,
) -> Told {
    let mut told = Told::default();
    for (round, entry) in here.iter().enumerate() {
        let walked = entry.start.map(|start| &judged.walked[start]);
        let Some((walked, required)) = walked.map(|walked| (walked, &walked.required[index]))
        else {
            told.unknown = true;
            continue;
        };
        let other = there.get(round);
        if is_infected(entry, other, required, infection, terms, supports) {
            continue;
        }
        let mut evaluator = Evaluator::new();
        let mut holds = |term: TermId| evaluator.holds(terms, &entry.model, &[term]);
        let (values, path) = (holds(required.values.holds), holds(required.path.holds));
        let is_known = entry.is_apart && holds(walked.followed);
        told.values |= values && entry.is_apart;
        told.path |= path && entry.is_apart;
        told.unknown |= !is_known || (!values && !path && holds(required.unknown));
    }
    told
}

/// Whether another change made the state at an entry another one.
fn is_infected(
    entry: &Entry,
    other: Option<&&Entry>,
    required: &Required,
    infection: Infection,
    terms: &Terms,
    supports: &mut Supports,
) -> bool {
    if entry.is_clean && other.is_none_or(|other| other.is_clean) {
        return false;
    }
    let Some(other) = other.filter(|_| infection == Infection::Tracked) else { return true };
    let mut differs = |term: TermId| {
        let variables = supports.of(terms, term);
        variables.iter().any(|&one| entry.model.get(one) != other.model.get(one))
    };
    entry.start != other.start || differs(required.values.holds) || differs(required.path.holds)
}

fn note(result: &mut Requirements, (change, index): (usize, usize), test: usize, told: Told) {
    let row = &mut result.changes[change].chains[index];
    let Ok(state) = &mut row.state else { return };
    if told.values {
        state.values.satisfied.push(test);
    }
    if told.path {
        state.path.satisfied.push(test);
    }
    if told.unknown && !told.values && !told.path {
        row.unknown.push(test);
    }
}

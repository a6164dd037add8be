//! The strategy `propagate`: derives inputs that show a change from inputs that execute it.
//!
//! Algorithm 2 of Qi, Roychoudhury, Liang (2010). Examines where in a run of both versions the
//! effect of the change stops ([`trace::effect_tree`]), and requests an input with which it
//! continues there:
//! - a definition is not used: flip decisions that lead to a use;
//! - a use is masked: both values must differ (this implies the transfer condition of the paper,
//!   and requests its purpose directly);
//! - a decision has the same outcome: it must have another one in exactly one version.
//!
//! If conditions contradict each other, those that the decision does not depend on are omitted; if
//! there is no condition, the decisions on the input that it depends on are flipped. Examines both
//! versions. Every resulting input that still executes the change is examined in turn, until
//! nothing is left; then the strategy reaches for the next change.
//!
//! Uses of memory are not known statically: all reads of memory by the program's own functions
//! count as such.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use base::Version;
use exec::Program;
use exec::concolic::Step;
use ir::{BlockId, FuncId, Op, SlotId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smt::TermId;
use trace::effect_tree::{Leaf, Stopped, View};
use trace::{Alignment, EventId, Kind, Trace, Tracer};

use crate::control::Distances;
use crate::edges::Edges;
use crate::guidance::Guidance;
use crate::joint::{Joint, JointInput};
use crate::nearer::{
    Definitions, Flip, correlated_flips, direct_flips, flips_behind, sliced, steps_before,
};
use crate::pair::{Advance, Aim, Arena, Searcher, Tried};
use crate::reach::Reach;
use crate::symbolic::{Seeds, decisions, instance, repeat, tracer};
use crate::worker::{at_step, with_outcome};

/// The most places where the effect stops to examine, for each input and version.
const MOST_LEAVES: usize = 12;
/// The most uses of a masked value to examine.
const MOST_USES: usize = 8;
/// The most paths to a use to request at a time.
const MOST_WAYS: usize = 6;

pub struct Propagate<'p> {
    reach: Reach<'p>,
    joint: Joint<'p>,
    tracers: [Tracer<'p>; 2],
    edges: [Edges<'p>; 2],
    definitions: [Definitions<'p>; 2],
    guidance: &'p Guidance,
    seeds: Seeds,
    /// Inputs that execute a change and wait to be examined: the starting points, and those derived
    /// from others.
    starts: VecDeque<Box<[u64]>>,
    waiting: VecDeque<Box<[u64]>>,
    known: FxHashSet<Box<[u64]>>,
    asked: FxHashSet<u64>,
    distances: FxHashMap<Uses, Distances>,
    turns: u64,
}

/// What may use a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Uses {
    Slot(Version, FuncId, SlotId),
    Memory(Version),
}

/// One input on both versions.
struct Sight {
    input: JointInput,
    traces: [Trace; 2],
    steps: [Vec<Step>; 2],
}

impl<'p> Propagate<'p> {
    /// Starts from the given inputs and, if it shares, from the inputs that other strategies keep.
    pub fn new(
        arena: &Arena<'p>,
        name: &[u8],
        given: &[Box<[u64]>],
        shares: bool,
        guidance: &'p Guidance,
    ) -> Propagate<'p> {
        let programs = [arena.pair.old.concolic, arena.pair.new.concolic];
        Propagate {
            reach: Reach::new(arena, name, given, false, guidance),
            joint: Joint::new(arena, name),
            tracers: Version::BOTH.map(|version| tracer(arena, version, name, guidance)),
            edges: programs.map(Edges::new),
            definitions: [0, 1]
                .map(|index| Definitions::new(programs[index], &guidance.control[index])),
            guidance,
            seeds: Seeds::new(arena.pair.layout(), given, shares),
            starts: VecDeque::new(),
            waiting: VecDeque::new(),
            known: FxHashSet::default(),
            asked: FxHashSet::default(),
            distances: FxHashMap::default(),
            turns: 0,
        }
    }

    /// Runs an input; if it executes a change but does not show it, it is examined later. Returns
    /// whether it shows it.
    fn try_input(&mut self, arena: &mut Arena<'_>, assignment: &[u64]) -> bool {
        if !self.known.insert(assignment.into()) {
            return false;
        }
        self.seeds.tried(assignment);
        let tried = arena.try_input(assignment);
        if tried.reaches && tried.differs.is_none() {
            self.waiting.push_back(assignment.into());
        }
        tried.differs.is_some()
    }

    /// Runs a starting point. If both versions diverged, the effect has begun to propagate, and the
    /// input is examined before others.
    fn try_start(&mut self, arena: &mut Arena<'_>, assignment: Box<[u64]>) {
        if !self.known.insert(assignment.clone()) {
            return;
        }
        let tried = arena.try_input(&assignment);
        match tried {
            Tried { differs: Some(_), .. } | Tried { reaches: false, .. } => {}
            Tried { diverges: true, .. } => self.starts.push_front(assignment),
            Tried { diverges: false, .. } => self.starts.push_back(assignment),
        }
    }

    /// The next input: one just derived from another, one that has waited for long, or a starting
    /// point.
    fn next(&mut self) -> Option<Box<[u64]>> {
        self.turns += 1;
        match self.turns % 4 {
            0 => self.starts.pop_front().or_else(|| self.waiting.pop_front()),
            _ => self.waiting.pop_back().or_else(|| self.starts.pop_front()),
        }
    }

    /// Examines one input, or reaches for a change, until this much work is done; false if nothing
    /// is left.
    fn advance_once(&mut self, arena: &mut Arena<'_>, until: u64) -> bool {
        if let Some(assignment) = self.next() {
            self.look_at(arena, &assignment, until);
            return true;
        }
        let is_more = self.reach.advance_once(arena);
        for assignment in std::mem::take(&mut self.reach.reached) {
            if self.known.insert(assignment.clone()) {
                self.waiting.push_back(assignment);
            }
        }
        is_more || !self.waiting.is_empty()
    }

    fn look_at(&mut self, arena: &mut Arena<'_>, assignment: &[u64], until: u64) {
        let input = JointInput::new(arena, assignment);
        let events = arena.affordable_events();
        let traces = Version::BOTH
            .map(|version| self.tracers[version].trace_some(&input.own[version], events));
        let steps = Version::BOTH.map(|version| self.joint.path(version, &input));
        self.joint.charge(arena);
        arena.charge_traces(2);
        if traces.iter().any(|trace| trace.truncated) {
            return;
        }
        let sight = Sight { input, traces, steps };
        let [old, new] = [0, 1].map(|index| self.tracers[index].run(&sight.traces[index]));
        let matching = &self.guidance.matching;
        let alignment = Alignment::new(old, new, matching);
        let questions = arena.effort.questions;
        for version in [Version::New, Version::Old] {
            let view = View { version, old, new, alignment: &alignment, matching };
            for leaf in view.leaves().into_iter().take(MOST_LEAVES) {
                if arena.exhausted().is_some() {
                    return;
                }
                // Others wait for their turn. Queries are not repeated.
                if arena.effort.work() >= until && arena.effort.questions > questions {
                    self.waiting.push_back(assignment.into());
                    return;
                }
                let found = self.remedy(arena, &view, &sight, leaf);
                self.joint.charge(arena);
                let mut differs = false;
                for assignment in found {
                    differs |= self.try_input(arena, &assignment);
                }
                // The effect is visible; others wait for their turn.
                if differs {
                    return;
                }
            }
        }
    }

    /// Inputs with which the effect may continue.
    fn remedy(
        &mut self,
        arena: &Arena<'_>,
        view: &View<'_>,
        sight: &Sight,
        Leaf { event, why }: Leaf,
    ) -> Vec<Box<[u64]>> {
        let ask = Question { version: view.version, sight, event };
        match why {
            Stopped::Unused => self.lead_to_use(arena, ask),
            Stopped::Masked { counterpart } => {
                let found = self.unmask_somewhere(arena, view, ask, counterpart);
                if found.is_empty() { self.turn_behind(arena, ask) } else { found }
            }
            Stopped::DecidedAlike { counterpart } => {
                let found = self.decide_apart(arena, ask, counterpart);
                if found.is_empty() { self.turn_behind(arena, ask) } else { found }
            }
            Stopped::DecidedAlone => self.turn(arena, ask),
        }
    }

    /// Flips decisions that lead to a use of an event's definition.
    fn lead_to_use(&mut self, arena: &Arena<'_>, ask: Question<'_>) -> Vec<Box<[u64]>> {
        let (version, trace) = (ask.version, ask.trace());
        let uses = match trace.events[ask.event].kind {
            Kind::Slot(slot) => Uses::Slot(version, trace.site(ask.event).function, slot),
            _ => Uses::Memory(version),
        };
        let distances = self.distances_to(uses);
        let (edges, steps) = (&mut self.edges[version], ask.steps());
        let worker = self.joint.at(version);
        let observer = &mut worker.machine.observer;
        let mut flips = direct_flips(observer, edges, &distances, steps);
        let definitions = &mut self.definitions[version];
        flips.extend(correlated_flips(observer, edges, definitions, &distances, steps, trace));
        // Decisions before the definition may bypass it.
        let defined = ask.prefix();
        flips.sort_by_key(|flip| (flip.position < defined, flip.rank));
        self.distances.insert(uses, distances);
        self.ask_flips(arena, ask, &flips)
    }

    /// Distances to possible uses of a definition; they are taken out of the table.
    fn distances_to(&mut self, uses: Uses) -> Distances {
        self.distances.remove(&uses).unwrap_or_else(|| {
            let version = match uses {
                Uses::Slot(version, ..) | Uses::Memory(version) => version,
            };
            let program = self.edges[version].program();
            let is_own = |function| self.guidance.matching.is_own(version, function);
            let places = places_of(program, uses, is_own);
            self.guidance.control[version].distances(&places)
        })
    }

    /// Requests different values in both versions at an event, or where its definition is used: an
    /// event that only passes a value on has no term of its own.
    fn unmask_somewhere(
        &mut self,
        arena: &Arena<'_>,
        view: &View<'_>,
        ask: Question<'_>,
        counterpart: EventId,
    ) -> Vec<Box<[u64]>> {
        let found = self.unmask(arena, ask, counterpart);
        if !found.is_empty() {
            return found;
        }
        for event in view.uses(ask.event, MOST_USES) {
            let Some(counterpart) = view.counterpart(event) else { continue };
            let ask = Question { event, ..ask };
            let found = match ask.trace().events[event].kind {
                Kind::Branch => self.decide_apart(arena, ask, counterpart),
                _ => self.unmask(arena, ask, counterpart),
            };
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Requests different values in both versions.
    fn unmask(
        &mut self,
        arena: &Arena<'_>,
        ask: Question<'_>,
        counterpart: EventId,
    ) -> Vec<Box<[u64]>> {
        let other = ask.other(counterpart);
        if !self.joint.is_comparable || !self.is_new([ask, other], 1) {
            return Vec::new();
        }
        let input = &ask.sight.input;
        let one = self.joint.value(ask.version, input, ask.trace(), ask.event);
        let two = self.joint.value(other.version, input, other.trace(), other.event);
        let bits = ask.trace().events[ask.event].value;
        let Some(unequal) = self.joint.unequal([one, two], bits) else { return Vec::new() };
        let before = [ask.before(), other.before()].concat();
        self.solve(arena, ask, &before, unequal).into_iter().collect()
    }

    /// Requests different outcomes of a decision in both versions.
    fn decide_apart(
        &mut self,
        arena: &Arena<'_>,
        ask: Question<'_>,
        counterpart: EventId,
    ) -> Vec<Box<[u64]>> {
        let other = ask.other(counterpart);
        if !self.joint.is_comparable {
            return self.turn(arena, ask);
        }
        if !self.is_new([ask, other], 2) {
            return Vec::new();
        }
        let steps = [ask.step(), other.step()];
        for (turned, kept) in [(ask, other), (other, ask)] {
            let Some(position) = turned.step() else { continue };
            let kept_step = steps[usize::from(turned.version == ask.version)];
            let kept_condition = kept_step.map(|at| kept.steps()[at].condition);
            let sides = [turned.before(), kept.before()].concat();
            let needed = [turned.needed(), kept.needed()].concat();
            let is_less = needed.len() < sides.len();
            for mut all in [Some(sides), is_less.then_some(needed)].into_iter().flatten() {
                all.extend(kept_condition);
                for flip in self.alternatives(turned, position) {
                    let found = self.solve(arena, turned, &all, flip.condition);
                    if found.is_some() {
                        return found.into_iter().collect();
                    }
                }
            }
        }
        Vec::new()
    }

    /// Requests another outcome of a decision in its own version.
    fn turn(&mut self, arena: &Arena<'_>, ask: Question<'_>) -> Vec<Box<[u64]>> {
        let Some(position) = ask.step() else { return self.turn_behind(arena, ask) };
        let flips = self.alternatives(ask, position);
        self.ask_flips(arena, ask, &flips)
    }

    /// Requests other outcomes of decisions on the input that an event depends on.
    fn turn_behind(&mut self, arena: &Arena<'_>, ask: Question<'_>) -> Vec<Box<[u64]>> {
        let worker = self.joint.at(ask.version);
        let (observer, program) = (&mut worker.machine.observer, worker.harness.program);
        let flips = flips_behind(observer, program, ask.steps(), ask.trace(), ask.event, 0);
        self.ask_flips(arena, ask, &flips)
    }

    fn alternatives(&mut self, ask: Question<'_>, position: usize) -> Vec<Flip> {
        let worker = self.joint.at(ask.version);
        let program = worker.harness.program;
        let all = worker.machine.observer.alternatives(program, &ask.steps()[position]);
        let flip = |(outcome, condition)| Flip { rank: 0, position, outcome, condition };
        all.into_iter().map(flip).collect()
    }

    /// Inputs for the first of some flips that were not requested before.
    fn ask_flips(
        &mut self,
        arena: &Arena<'_>,
        ask: Question<'_>,
        flips: &[Flip],
    ) -> Vec<Box<[u64]>> {
        let places = ask.places();
        let mut found = Vec::new();
        let mut tried = 0;
        for flip in flips {
            let way = (ask.version, with_outcome(places[flip.position], flip.outcome));
            if tried >= MOST_WAYS || !self.asked.insert(hash_of(&way)) {
                continue;
            }
            tried += 1;
            let steps = ask.steps();
            let conditions = |end: usize| steps[..end].iter().map(|step| step.condition);
            let before: Vec<TermId> = conditions(flip.position).collect();
            let answer = self.solve(arena, ask, &before, flip.condition).or_else(|| {
                let needed = sliced(steps, ask.trace(), flip.position)?;
                self.solve(arena, ask, &needed, flip.condition)
            });
            found.extend(answer);
        }
        found
    }

    fn solve(
        &mut self,
        arena: &Arena<'_>,
        ask: Question<'_>,
        before: &[TermId],
        last: TermId,
    ) -> Option<Box<[u64]>> {
        let site = ask.trace().site(ask.event);
        let inst = site.inst.unwrap_or(ir::InstId::at(0));
        let site = exec::stop::Site { function: site.function, inst };
        self.joint.solve(arena, ask.version, (before, last), &ask.sight.input, site)
    }

    /// Whether a request is new for a pair of events after the same paths, from either side.
    fn is_new(&mut self, both: [Question<'_>; 2], what: u8) -> bool {
        let mut names = both.map(|ask| {
            let before = ask.path_name();
            let (site, kind) = (ask.trace().site(ask.event), ask.trace().events[ask.event].kind);
            (ask.version, hash_of(&(before, site.function, site.inst, kind)))
        });
        names.sort_unstable();
        self.asked.insert(hash_of(&(what, names)))
    }
}

impl Searcher for Propagate<'_> {
    fn name(&self) -> &'static str {
        "propagate"
    }

    fn aim(&self) -> Aim {
        Aim::Differences
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        for seed in self.seeds.take(arena) {
            self.try_start(arena, seed);
        }
        repeat(arena, work, |arena, until| self.advance_once(arena, until))
    }
}

/// An event of one version that a query is about.
#[derive(Clone, Copy)]
struct Question<'a> {
    version: Version,
    sight: &'a Sight,
    event: EventId,
}

impl<'a> Question<'a> {
    /// The same for the counterpart in the other version.
    fn other(self, counterpart: EventId) -> Question<'a> {
        Question { version: self.version.other(), event: counterpart, ..self }
    }

    fn trace(&self) -> &'a Trace {
        &self.sight.traces[self.version]
    }

    fn steps(&self) -> &'a [Step] {
        &self.sight.steps[self.version]
    }

    /// The number of steps of the path before the event.
    fn prefix(&self) -> usize {
        steps_before(self.steps(), self.trace(), self.event)
    }

    /// The step of the event, if it is a decision on the input.
    fn step(&self) -> Option<usize> {
        let known = decisions(self.trace());
        let is_event = |step: &Step| {
            let at = known.get(&instance(step));
            at.is_some_and(|&at| self.trace().decisions[at].0 == self.event)
        };
        self.steps().iter().position(is_event)
    }

    /// The conditions before the event.
    fn before(&self) -> Vec<TermId> {
        self.steps()[..self.prefix()].iter().map(|step| step.condition).collect()
    }

    /// The conditions before the event that it depends on.
    fn needed(&self) -> Vec<TermId> {
        let kept = crate::nearer::in_slice(self.steps(), self.trace(), self.event);
        let prefix = self.prefix();
        let kept = kept.into_iter().filter(|&position| position < prefix);
        kept.map(|position| self.steps()[position].condition).collect()
    }

    /// The name of the path before the event.
    fn path_name(&self) -> u64 {
        let steps = self.steps()[..self.prefix()].iter();
        steps.fold(1, |before, step| with_outcome(at_step(before, step), step.outcome))
    }

    /// The names of the path up to each of its steps.
    fn places(&self) -> Vec<u64> {
        let mut before = 1;
        let place = |step: &Step| {
            let place = at_step(before, step);
            before = with_outcome(place, step.outcome);
            place
        };
        self.steps().iter().map(place).collect()
    }
}

/// The blocks that may use a definition.
fn places_of(
    program: &Program,
    uses: Uses,
    is_own: impl Fn(FuncId) -> bool,
) -> Vec<(FuncId, BlockId)> {
    let mut places = Vec::new();
    for (function, of) in program.module.functions.iter() {
        let Some(body) = of.body() else { continue };
        let is_use = |op: &Op| match uses {
            Uses::Slot(_, of, slot) => {
                function == of && matches!(op, Op::ReadSlot { slot: read } if *read == slot)
            }
            Uses::Memory(_) => is_own(function) && matches!(op, Op::Load { .. }),
        };
        for (block, contents) in body.blocks.iter() {
            if contents.insts.iter().any(|&inst| is_use(&body.insts[inst].op)) {
                places.push((function, block));
            }
        }
    }
    places
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

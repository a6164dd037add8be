//! The strategy `propagate`: from inputs that execute a change to inputs that show it.
//!
//! Algorithm 2 of Qi, Roychoudhury, Liang (2010). A run of both versions is looked at where the
//! effect of the change stops ([`trace::effect_tree`]), and an input is asked for with which it
//! goes on there:
//! - what is defined and not used: decisions are turned around that lead to a use;
//! - what is used and masked: both values must differ (this implies the transfer condition of
//!   the paper, and asks for what it is for);
//! - a decision that goes the same way: it must go another way in one of the versions only.
//!
//! Where conditions contradict each other, those that the decision does not depend on are left
//! out; where there is no condition, the decisions by the input that it depends on are turned
//! around. Both versions are looked at. Every input that comes of it and still executes the change
//! is looked at in turn, until nothing is left; then the next change is reached for.
//!
//! Uses of memory are not known before a run: all reads of memory by the program's own functions
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
use crate::symbolic::{Seeds, decisions, instance, tracer};
use crate::worker::{at_step, with_outcome};

/// Places where the effect stops that are looked at, for each input and version.
const MOST_LEAVES: usize = 12;
/// Uses of a masked value that are looked at.
const MOST_USES: usize = 8;
/// Ways to a use that are asked for at a time.
const MOST_WAYS: usize = 6;

pub struct Propagate<'p> {
    reach: Reach<'p>,
    joint: Joint<'p>,
    tracers: [Tracer<'p>; 2],
    edges: [Edges<'p>; 2],
    definitions: [Definitions<'p>; 2],
    guidance: &'p Guidance,
    seeds: Seeds,
    /// Inputs that execute a change and wait to be looked at: those to start from, and those that
    /// came of others.
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
    /// Starts from the given inputs and, if it shares, from what other strategies keep.
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

    /// Tries an input; if it executes a change and does not show it, it is looked at later.
    /// Tells whether it shows it.
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

    /// Tries an input to start from. Where both versions went other ways, the effect has begun to
    /// travel, and it is looked at before others.
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

    /// The next input: one that just came of another, one that has waited for long, or one to
    /// start from.
    fn next(&mut self) -> Option<Box<[u64]>> {
        self.turns += 1;
        match self.turns % 4 {
            0 => self.starts.pop_front().or_else(|| self.waiting.pop_front()),
            _ => self.waiting.pop_back().or_else(|| self.starts.pop_front()),
        }
    }

    /// Looks at one input, or reaches for a change, until so much work is done; false if nothing
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
        let traces = Version::BOTH.map(|version| self.tracers[version].trace(&input.own[version]));
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
                // Others wait for their turn. What was asked is not asked again.
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
                // The effect has come through; others wait for their turn.
                if differs {
                    return;
                }
            }
        }
    }

    /// Inputs with which the effect may go on.
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

    /// Turns decisions around that lead to a use of what an event defined.
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
        // What is decided before the definition may do without it.
        let defined = ask.prefix();
        flips.sort_by_key(|flip| (flip.position < defined, flip.rank));
        self.distances.insert(uses, distances);
        self.ask_flips(arena, ask, &flips)
    }

    /// Distances to what may use a definition; they are taken out of the table.
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

    /// Both versions are to compute different values at an event, or where what it defined is
    /// used: an event that only passes a value on has no term of its own.
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

    /// Both versions are to compute different values.
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

    /// A decision is to go different ways in both versions.
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

    /// A decision is to go another way in its own version.
    fn turn(&mut self, arena: &Arena<'_>, ask: Question<'_>) -> Vec<Box<[u64]>> {
        let Some(position) = ask.step() else { return self.turn_behind(arena, ask) };
        let flips = self.alternatives(ask, position);
        self.ask_flips(arena, ask, &flips)
    }

    /// Decisions by the input that an event depends on are to go another way.
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

    /// Inputs for the first of some ways that were not asked for before.
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

    /// Whether something was not asked for at a pair of events after the same ways, from
    /// either side.
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
        let until = arena.effort.work().saturating_add(work);
        while arena.effort.work() < until && arena.exhausted().is_none() {
            if !self.advance_once(arena, until) {
                return Advance::Done;
            }
        }
        Advance::More
    }
}

/// An event of one version about which something is asked.
#[derive(Clone, Copy)]
struct Question<'a> {
    version: Version,
    sight: &'a Sight,
    event: EventId,
}

impl<'a> Question<'a> {
    /// The same about the counterpart in the other version.
    fn other(self, counterpart: EventId) -> Question<'a> {
        Question { version: self.version.other(), event: counterpart, ..self }
    }

    fn trace(&self) -> &'a Trace {
        &self.sight.traces[self.version]
    }

    fn steps(&self) -> &'a [Step] {
        &self.sight.steps[self.version]
    }

    /// How many steps the path has before the event.
    fn prefix(&self) -> usize {
        steps_before(self.steps(), self.trace(), self.event)
    }

    /// The step that the event is, if it is a decision by the input.
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

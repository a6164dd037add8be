//! The dependences of one run that are linked to a change, between occurrences of statements.
//!
//! An occurrence is one execution of a statement: its events under one decision or call. It is
//! linked to a change if it is an occurrence of a changed statement or depends on one that is
//! linked. Events of the run are visited once, in order.
//!
//! Some events have no occurrence of their own: arguments, their copies in the variables of the
//! called function, the jump to a function's end with its result, and a value that the path of
//! control chose, which depends on the decision. Dependences pass them.
//! Events of library functions belong to the occurrence of the call.

use base::entity::{EntityRef, SecondaryMap};
use base::{Both, Version};
use ir::{FuncId, Op, Operand, StatementId};
use rustc_hash::FxHashMap;

use super::origins::{Origins, origins};
use super::{Common, How, Link, Point, is_result};
use crate::alignment::{Alignment, Run};
use crate::events::{EventId, Kind, Sets, Sources};

/// An execution of a statement.
#[derive(Clone, Debug)]
pub struct Occurrence {
    pub point: Point,
    /// Whether chains begin here.
    pub is_changed: bool,
    /// Whether its state is another one than in the other version: something that it decided,
    /// defined or wrote.
    pub is_infected: bool,
    /// The part of the change that it belongs to, and its first event.
    pub part: u32,
    pub first: EventId,
    /// Whether another part of the change made the state different that it begins with.
    pub is_confounded: bool,
    /// What depends on it, in the order of events.
    pub edges: Vec<Edge>,
}

/// A dependence of an occurrence on an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The event that another one depends on, and that one.
    pub source: EventId,
    pub target: EventId,
    /// The occurrence that it belongs to.
    pub to: u32,
    pub link: Link,
    /// Whether the state at the source is another one than in the other version.
    pub differs: bool,
    /// What made it another one, if the change has several parts.
    pub origins: Origins,
}

/// The part of a run that is linked to a change.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    pub occurrences: Vec<Occurrence>,
}

/// A statement, and the decision or call that it was executed under.
type Key = (StatementId, EventId);

/// Finds the dependences of one version's run of an input that both versions ran. If one of the
/// runs is not `whole`, events without a counterpart are no differences.
pub fn dependences(
    common: Common<'_>,
    version: Version,
    [old, new]: [Run<'_>; 2],
    alignment: &Alignment,
) -> Dependences {
    link(common, version, [old, new], Some(alignment))
}

/// Finds the dependences of one run, without the other version's: nothing differs.
pub fn dependences_alone(common: Common<'_>, version: Version, run: Run<'_>) -> Dependences {
    link(common, version, [run, run], None)
}

fn link(
    common: Common<'_>,
    version: Version,
    [old, new]: [Run<'_>; 2],
    alignment: Option<&Alignment>,
) -> Dependences {
    let run = [old, new][version];
    let mut executed = run.trace.executed.iter().filter(|(_, (_, count))| *count > 0);
    if !executed.any(|(statement, _)| common.is_start(version, statement)) {
        return Dependences::default();
    }
    let mut linker = Linker {
        common,
        version,
        runs: [old, new],
        alignment,
        origins: common.parts.and(alignment).map(|alignment| {
            Version::BOTH.map(|version| origins(common, version, [old, new], alignment))
        }),
        is_whole: old.trace.is_whole() && new.trace.is_whole(),
        keys: run.trace.table(),
        activations: run.trace.table(),
        causes: run.trace.table(),
        is_linked: run.trace.table(),
        carried: run.trace.table(),
        sets: Sets::default(),
        decided: FxHashMap::default(),
        numbers: FxHashMap::default(),
        found: Dependences::default(),
    };
    for event in run.trace.events.keys().skip(1) {
        linker.visit(event);
    }
    for occurrence in &mut linker.found.occurrences {
        occurrence.edges.sort_unstable();
        occurrence.edges.dedup();
        occurrence.is_infected |= occurrence.edges.iter().any(|edge| edge.differs);
    }
    linker.found
}

struct Linker<'a> {
    common: Common<'a>,
    version: Version,
    runs: [Run<'a>; 2],
    /// Of the two runs; none if there is only one.
    alignment: Option<&'a Alignment>,
    /// Of the events of both runs, if the change has several parts.
    origins: Option<Both<SecondaryMap<EventId, Origins>>>,
    is_whole: bool,
    /// The occurrence that an event belongs to.
    keys: SecondaryMap<EventId, Option<Key>>,
    /// The call of the function that an event happened in.
    activations: SecondaryMap<EventId, Before>,
    /// For calls: the event that their functions are executed because of.
    causes: SecondaryMap<EventId, Before>,
    is_linked: SecondaryMap<EventId, bool>,
    /// For events without an occurrence: the linked events that they pass on.
    carried: SecondaryMap<EventId, Carried>,
    sets: Sets,
    /// The last decision in each activation.
    decided: FxHashMap<EventId, EventId>,
    numbers: FxHashMap<Key, u32>,
    found: Dependences,
}

/// An event; the start of the run by default.
#[derive(Clone, Copy, Debug)]
struct Before(EventId);

impl Default for Before {
    fn default() -> Before {
        Before(EventId::START)
    }
}

/// What an event passes on, if it is one that dependences pass.
type Carried = Option<Sources>;

/// What becomes of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It belongs to no statement.
    None,
    /// Dependences pass it.
    Passes,
    /// Others depend on it, and it depends on others.
    Acts,
}

impl<'a> Linker<'a> {
    fn run(&self) -> Run<'a> {
        self.runs[self.version]
    }

    fn visit(&mut self, id: EventId) {
        let trace = self.run().trace;
        let event = &trace.events[id];
        let control = event.control;
        self.activations[id] = match trace.events[control].kind {
            Kind::Call(_) | Kind::Start => Before(control),
            _ => self.activations[control],
        };
        let is_own = self.is_own(trace.site(id).function);
        self.keys[id] = match trace.statement(id) {
            Some(statement) if is_own => Some((statement, control)),
            Some(_) => self.keys[self.activations[id].0],
            None => None,
        };
        if let Kind::Call(_) = event.kind {
            self.causes[id] = Before(self.cause(control));
        }
        match self.role(id, is_own) {
            Role::None => {}
            Role::Passes => self.carry(id),
            Role::Acts => self.act(id, is_own),
        }
        if event.kind == Kind::Branch && is_own {
            self.decided.insert(self.activations[id].0, id);
        }
    }

    fn is_own(&self, function: FuncId) -> bool {
        self.common.matching.is_own(self.version, function)
    }

    fn is_start(&self, statement: StatementId) -> bool {
        self.common.is_start(self.version, statement)
    }

    fn role(&self, id: EventId, is_own: bool) -> Role {
        let trace = self.run().trace;
        let Some((statement, _)) = self.keys[id] else { return Role::None };
        let kind = trace.events[id].kind;
        match kind {
            Kind::Start | Kind::Initial(_) | Kind::Undefined(_) => return Role::None,
            Kind::End if !matches!(trace.stop, Some(exec::Stop::Fault(_))) => return Role::None,
            _ => {}
        }
        if is_own && kind == Kind::Phi {
            return Role::Passes;
        }
        if !is_own || self.is_start(statement) {
            return Role::Acts;
        }
        let passes = match kind {
            Kind::Parameter(..) | Kind::Object => true,
            Kind::Slot(_) | Kind::Store => self.keeps_parameter(id),
            Kind::Return => {
                let function = trace.site(id).function;
                let is_result = |source: EventId| match trace.events[source].kind {
                    Kind::Slot(slot) => is_result(self.run().program, function, slot),
                    _ => false,
                };
                trace.events[id].sources != 0 && trace.sources(id).all(is_result)
            }
            _ => false,
        };
        if passes { Role::Passes } else { Role::Acts }
    }

    /// Whether an event is the copy of an argument in a variable of the called function, and not
    /// something computed from it.
    fn keeps_parameter(&self, id: EventId) -> bool {
        let site = self.run().trace.site(id);
        let function = &self.run().program.module.functions[site.function];
        let inst = site.inst.and_then(|inst| function.body()?.insts.get(inst));
        let (Some(Op::WriteSlot { value, .. }) | Some(Op::Store { value, .. })) =
            inst.map(|inst| &inst.op)
        else {
            return false;
        };
        matches!(value, Operand::Value(value) if value.index() < function.params.len())
    }

    /// The decision or call that events under a control event are executed because of.
    fn cause(&self, control: EventId) -> EventId {
        let trace = self.run().trace;
        let is_passed = match trace.events[control].kind {
            Kind::Call(_) => {
                let is_own = self.is_own(trace.site(control).function);
                let statement = trace.statement(control);
                let starts = statement.is_some_and(|statement| self.calls_anew(statement));
                is_own && !starts && trace.events[control].sources == 0
            }
            _ => false,
        };
        if is_passed { self.causes[control].0 } else { control }
    }

    /// Whether a call is executed because of a change of its statement.
    fn calls_anew(&self, statement: StatementId) -> bool {
        let is_alone = self.common.matching.counterpart(self.version, statement).is_none();
        self.is_start(statement) && is_alone
    }

    /// The linked events that a source stands for.
    fn members(&self, source: EventId) -> Vec<EventId> {
        match &self.carried[source] {
            Some(set) => self.sets.get(set).iter().map(|&one| EventId::from_u32(one)).collect(),
            None if self.is_linked[source] => vec![source],
            None => Vec::new(),
        }
    }

    fn carry(&mut self, id: EventId) {
        let trace = self.run().trace;
        let mut all = 0;
        for source in trace.sources(id) {
            let set = match self.carried[source] {
                Some(set) => set,
                None if self.is_linked[source] => source.as_u32(),
                None => 0,
            };
            all = self.sets.union(all, set);
        }
        if trace.events[id].kind == Kind::Phi {
            // Which value a path chose depends on where it came from.
            let last = self.decided.get(&self.activations[id].0).copied();
            let cause = self.cause(trace.events[id].control);
            for cause in [Some(cause), last].into_iter().flatten() {
                if self.is_linked[cause] {
                    all = self.sets.union(all, cause.as_u32());
                }
            }
        }
        self.carried[id] = Some(all);
    }

    fn act(&mut self, id: EventId, is_own: bool) {
        let trace = self.run().trace;
        let Some(key) = self.keys[id] else { return };
        let mut parents: Vec<(EventId, EventId, How)> = Vec::new();
        for via in trace.sources(id) {
            for source in self.members(via) {
                parents.push((source, via, self.carrier(source)));
            }
        }
        if is_own {
            let cause = self.cause(trace.events[id].control);
            if self.is_linked[cause] {
                parents.push((cause, cause, self.decision(cause)));
            }
        }
        parents.retain(|(source, ..)| self.keys[*source] != Some(key));
        let is_changed = self.is_start(key.0);
        if parents.is_empty() && !is_changed && !self.numbers.contains_key(&key) {
            return;
        }
        let to = self.occurrence(key, id);
        self.is_linked[id] = true;
        if is_changed {
            let (infected, confounded) = (self.infects(id), self.is_confounded(id, key.0));
            let occurrence = &mut self.found.occurrences[to as usize];
            occurrence.is_infected |= infected;
            occurrence.is_confounded |= confounded;
        }
        for (source, via, how) in parents {
            self.link(source, (via, id), to, how);
        }
    }

    fn occurrence(&mut self, key: Key, first: EventId) -> u32 {
        let found = &mut self.found.occurrences;
        *self.numbers.entry(key).or_insert_with(|| {
            found.push(Occurrence {
                point: self.common.point(self.version, key.0),
                is_changed: self.common.is_start(self.version, key.0),
                is_infected: false,
                part: self.common.part(self.version, key.0),
                first,
                is_confounded: false,
                edges: Vec::new(),
            });
            found.len() as u32 - 1
        })
    }

    fn link(&mut self, source: EventId, (via, target): (EventId, EventId), to: u32, how: How) {
        let from = self.keys[source].and_then(|key| self.numbers.get(&key).copied());
        let Some(from) = from else { return };
        let differs = self.differs(source, via, target);
        let points = &self.found.occurrences;
        let link = Link { from: points[from as usize].point, to: points[to as usize].point, how };
        let origins = self.origins.as_ref().map(|all| all[self.version][source]);
        let origins = origins.unwrap_or_default();
        let edge = Edge { source, target, to, link, differs, origins };
        self.found.occurrences[from as usize].edges.push(edge);
    }

    /// How values get from an event to others.
    fn carrier(&self, source: EventId) -> How {
        let trace = self.run().trace;
        let function = trace.site(source).function;
        match trace.events[source].kind {
            Kind::Slot(slot) if self.is_own(function) => {
                self.common.slot(self.version, function, slot)
            }
            Kind::Return if self.is_own(function) => {
                How::Result(self.common.function(self.version, function))
            }
            Kind::Store | Kind::Transfer | Kind::Shim(_) => How::Memory,
            // It chose a value.
            Kind::Branch => self.decision(source),
            _ => How::Value,
        }
    }

    fn decision(&self, cause: EventId) -> How {
        let trace = self.run().trace;
        match trace.events[cause].kind {
            Kind::Branch if self.is_own(trace.site(cause).function) => {
                How::Control(trace.events[cause].value)
            }
            _ => How::Call,
        }
    }

    fn counterpart(&self, event: EventId) -> Option<EventId> {
        match self.version {
            Version::Old => self.alignment?.in_new(event),
            Version::New => self.alignment?.in_old(event),
        }
    }

    /// Whether an event of both versions did something else; `None` if it has no counterpart.
    fn changed(&self, event: EventId) -> Option<bool> {
        let there = self.counterpart(event)?;
        let [old, new] = self.runs;
        let (one, other) = match self.version {
            Version::Old => (event, there),
            Version::New => (there, event),
        };
        Some(self.alignment?.differ(old, new, one, other))
    }

    /// Whether the state at the source of a dependence is another one in the other version. What
    /// only one version defines is compared with what the other one uses instead.
    fn differs(&self, source: EventId, via: EventId, target: EventId) -> bool {
        if let Some(differs) = self.changed(source) {
            return differs;
        }
        if !self.is_whole || self.alignment.is_none() {
            return false;
        }
        if via != source {
            return self.changed(via).unwrap_or(true);
        }
        let there = self.counterpart(target).and_then(|target| self.instead(source, target));
        there.is_none_or(|there| !self.is_alike(source, there))
    }

    /// What an event of the other version uses where this version uses a definition of its own.
    fn instead(&self, source: EventId, there: EventId) -> Option<EventId> {
        let other = self.runs[self.version.other()];
        let same = |one: &EventId| {
            self.alignment.is_some_and(|alignment| {
                let matching = self.common.matching;
                alignment.define_same(self.runs, matching, self.version, source, *one)
            })
        };
        other.trace.sources(there).filter(same).last()
    }

    /// Whether events of the two versions define the same value.
    fn is_alike(&self, here: EventId, there: EventId) -> bool {
        let [old, new] = self.runs;
        let (one, other) = match self.version {
            Version::Old => (here, there),
            Version::New => (there, here),
        };
        let (one, other) = (&old.trace.events[one], &new.trace.events[other]);
        match (one.target, other.target) {
            (Some(a), Some(b)) => {
                self.alignment.is_some_and(|alignment| alignment.same_place(old, new, a, b))
            }
            (None, None) if one.size <= 8 => (one.value, one.size) == (other.value, other.size),
            (None, None) => (one.kind, one.digest) == (other.kind, other.digest),
            _ => false,
        }
    }

    /// Whether another part of the change made the state different that an event of a changed
    /// statement uses, in this version or in the other one.
    fn is_confounded(&self, id: EventId, statement: StatementId) -> bool {
        let Some(origins) = &self.origins else { return false };
        let part = self.common.part(self.version, statement);
        let trace = self.run().trace;
        let own = &origins[self.version];
        if own[trace.events[id].control].has_any_other(part) {
            return true;
        }
        let mut sources = trace.sources(id);
        if sources.any(|one| own[one].has_any_other(part) && self.differs(one, one, id)) {
            return true;
        }
        // What this version does not define has no event here.
        let Some(there) = self.counterpart(id) else { return false };
        let other = self.version.other();
        self.runs[other].trace.sources(there).any(|one| {
            let is_alike = || trace.sources(id).any(|mine| self.is_alike(mine, one));
            origins[other][one].has_any_other(part) && !is_alike()
        })
    }

    /// Whether an event of a changed statement makes the state another one by itself. Definitions
    /// of one version are judged by their uses.
    fn infects(&self, id: EventId) -> bool {
        let trace = self.run().trace;
        match self.changed(id) {
            Some(differs) => differs,
            None => {
                let is_known = self.is_whole && self.alignment.is_some();
                is_known && !trace.outputs_of(id).is_empty()
            }
        }
    }
}

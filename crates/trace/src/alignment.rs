//! Matches the events of two runs.
//!
//! Structural, as in execution indexing (Xin, Sumner, Zhang 2008): an event is named by the event
//! that it depends on by control, by its statement, by what it does, and by how many others of that
//! name came before. Events of both runs with the same name correspond. So calls, rounds of loops
//! and branches stay aligned however much one run executes in between. Statements without a
//! counterpart give no name; events that depend on them are named by the next event outwards that
//! has one. Takes time linear in the number of events.
//!
//! Does not know whether a statement was moved: the order of events does not matter.

use std::hash::{Hash, Hasher};

use base::Version;
use base::entity::SecondaryMap;
use exec::Program;
use ir::{DebugTypeId, FuncId, SlotId, Storage};
use rustc_hash::{FxHashMap, FxHasher};

use crate::events::{EventId, Kind, ObjectId, Origin, Place, Trace};
use crate::matching::Matching;
use crate::parts::{part, size_of};

/// One run of one version.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub program: &'a Program,
    pub trace: &'a Trace,
}

/// Corresponding events of two runs.
#[derive(Clone, Debug)]
pub struct Alignment {
    /// For each event of OLD, its counterpart, and back.
    forward: SecondaryMap<EventId, Option<EventId>>,
    backward: SecondaryMap<EventId, Option<EventId>>,
}

/// The name of an event: the number of the name that it depends on, statement, what it does,
/// how many came before.
type Name = (u32, u32, u64, u32);

#[derive(Default)]
struct Names {
    numbers: FxHashMap<Name, u32>,
    /// By number: the event of either run.
    events: [Vec<Option<EventId>>; 2],
}

impl Names {
    fn number(&mut self, name: Name) -> u32 {
        let next = self.numbers.len() as u32 + 1;
        *self.numbers.entry(name).or_insert(next)
    }

    fn set(&mut self, version: Version, number: u32, event: EventId) {
        let events = &mut self.events[version];
        if events.len() <= number as usize {
            events.resize(number as usize + 1, None);
        }
        events[number as usize] = Some(event);
    }
}

impl Alignment {
    pub fn new(old: Run<'_>, new: Run<'_>, matching: &Matching) -> Alignment {
        let mut names = Names::default();
        name_events(&mut names, Version::Old, old, matching);
        name_events(&mut names, Version::New, new, matching);
        let mut alignment = Alignment { forward: old.trace.table(), backward: new.trace.table() };
        for (one, other) in names.events[0].iter().zip(&names.events[1]) {
            if let (Some(one), Some(other)) = (one, other) {
                alignment.join(*one, *other);
            }
        }
        alignment.join(EventId::START, EventId::START);
        if let (Some(one), Some(other)) = (old.trace.end(), new.trace.end()) {
            alignment.join(one, other);
        }
        alignment
    }

    fn join(&mut self, old: EventId, new: EventId) {
        self.forward[old] = Some(new);
        self.backward[new] = Some(old);
    }

    pub fn in_new(&self, old: EventId) -> Option<EventId> {
        self.forward[old]
    }

    pub fn in_old(&self, new: EventId) -> Option<EventId> {
        self.backward[new]
    }

    /// Whether corresponding events did something different: another value, place or output.
    pub fn differ(&self, old: Run<'_>, new: Run<'_>, one: EventId, other: EventId) -> bool {
        let (left, right) = (&old.trace.events[one], &new.trace.events[other]);
        let value = match (left.target, right.target) {
            (Some(a), Some(b)) => !self.same_place(old, new, a, b),
            (None, None) => left.value != right.value,
            _ => true,
        };
        match left.kind {
            Kind::Object | Kind::Start | Kind::Call(_) => false,
            Kind::Shim(_) => {
                value || left.digest != right.digest || {
                    let (a, b) = (old.trace.outputs_of(one), new.trace.outputs_of(other));
                    a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.bytes != b.bytes)
                }
            }
            _ => value || left.digest != right.digest || self.placed_apart(old, new, one, other),
        }
    }

    fn placed_apart(&self, old: Run<'_>, new: Run<'_>, one: EventId, other: EventId) -> bool {
        match (old.trace.events[one].place, new.trace.events[other].place) {
            (Some(a), Some(b)) => !self.same_place(old, new, a, b),
            (a, b) => a.is_some() != b.is_some(),
        }
    }

    /// The local variable that an event writes, as a number that both versions share.
    pub fn variable(
        &self,
        run: Run<'_>,
        version: Version,
        event: EventId,
        matching: &Matching,
    ) -> Option<u64> {
        let Kind::Slot(slot) = run.trace.events[event].kind else { return None };
        let function = run.trace.site(event).function;
        let mut effects = Effects { run, version, matching, slots: FxHashMap::default() };
        Some(hash_of(&(effects.function(function)?, effects.slot(function, slot))))
    }

    /// Whether two events, of a version and of the other one, define the same variable.
    pub fn define_same(
        &self,
        [old, new]: [Run<'_>; 2],
        matching: &Matching,
        version: Version,
        event: EventId,
        there: EventId,
    ) -> bool {
        let runs = [old, new];
        let (run, other) = (runs[version], runs[version.other()]);
        let (a, b) = (&run.trace.events[event], &other.trace.events[there]);
        match (a.kind, b.kind) {
            (Kind::Slot(_), Kind::Slot(_)) => {
                self.variable(run, version, event, matching)
                    == self.variable(other, version.other(), there, matching)
            }
            (Kind::Store | Kind::Transfer, Kind::Store | Kind::Transfer | Kind::Initial(_)) => {
                match (a.place, b.place) {
                    (Some(a), Some(b)) if version == Version::Old => {
                        self.same_place(old, new, a, b)
                    }
                    (Some(a), Some(b)) => self.same_place(old, new, b, a),
                    _ => false,
                }
            }
            (Kind::Return, Kind::Return) => true,
            _ => false,
        }
    }

    /// Whether two places are the same bytes of corresponding objects.
    pub fn same_place(&self, old: Run<'_>, new: Run<'_>, one: Place, other: Place) -> bool {
        if !self.same_object(old, new, one.object, other.object) {
            return false;
        }
        // If the members of a struct moved, places match by name.
        let types = (object_type(old, one.object), object_type(new, other.object));
        let (Some(left), Some(right)) = types else { return one.offset == other.offset };
        let (before, after) = (&old.program.module, &new.program.module);
        if size_of(before, left) == size_of(after, right) {
            return one.offset == other.offset;
        }
        let path = |module, ty, place: Place| part(module, Some(ty), place.offset.max(0) as u64, 1);
        let (one, other) = (path(before, left, one), path(after, right, other));
        one.path == other.path && one.within == other.within
    }

    fn same_object(&self, old: Run<'_>, new: Run<'_>, one: ObjectId, other: ObjectId) -> bool {
        let (left, right) = (old.trace.objects[one].origin, new.trace.objects[other].origin);
        match (left, right) {
            (Origin::Global(a), Origin::Global(b)) => {
                let (a, b) = (&old.program.module.globals[a], &new.program.module.globals[b]);
                match (&a.source_name, &b.source_name) {
                    (Some(a), Some(b)) => a == b,
                    // Unnamed constants are identified by their contents.
                    (None, None) => a.init.is_some() && contents(old, left) == contents(new, right),
                    _ => false,
                }
            }
            (Origin::Function(a), Origin::Function(b)) => {
                let functions = (&old.program.module.functions, &new.program.module.functions);
                functions.0[a].display_name() == functions.1[b].display_name()
            }
            (Origin::Made(a), Origin::Made(b)) => self.in_new(a) == Some(b),
            (Origin::Given(a), Origin::Given(b)) => a == b,
            _ => false,
        }
    }
}

/// The type of the variable that an object is.
fn object_type(run: Run<'_>, object: ObjectId) -> Option<DebugTypeId> {
    let program = run.program;
    match run.trace.objects[object].origin {
        Origin::Global(global) => program.module.globals[global].debug_type,
        Origin::Made(event) => {
            let site = run.trace.site(event);
            let site = exec::stop::Site { function: site.function, inst: site.inst? };
            program.local_variable(site)?.ty
        }
        _ => None,
    }
}

/// The initial bytes of a global variable.
fn contents(run: Run<'_>, origin: Origin) -> Option<Vec<u8>> {
    let Origin::Global(global) = origin else { return None };
    let address = run.program.addresses.globals[global];
    let size = run.program.module.types.layout(run.program.module.globals[global].ty).size;
    run.program.image().bytes(address, size).ok().map(<[u8]>::to_vec)
}

fn name_events(names: &mut Names, version: Version, run: Run<'_>, matching: &Matching) {
    let mut effects = Effects { run, version, matching, slots: FxHashMap::default() };
    // The number of each event's own name, or of the next one outwards.
    let mut numbers: SecondaryMap<EventId, u32> = run.trace.table();
    let mut counts: FxHashMap<(u32, u32, u64), u32> = FxHashMap::default();
    for (id, event) in run.trace.events.iter().skip(1) {
        let outer = numbers[event.control];
        let statement = match (event.kind, run.trace.statement(id)) {
            (Kind::Initial(_), _) => Some(u32::MAX),
            // The memory of a local variable belongs to the function as a whole.
            (Kind::Object, _) => effects.function(run.trace.site(id).function),
            (_, Some(statement)) => {
                let there = matching.counterpart(version, statement);
                there.map(|there| match version {
                    Version::Old => there.as_u32(),
                    Version::New => statement.as_u32(),
                })
            }
            (_, None) => None,
        };
        let number = match (statement, effects.of(id)) {
            (Some(statement), Some(effect)) => {
                let count = counts.entry((outer, statement, effect)).or_default();
                *count += 1;
                let number = names.number((outer, statement, effect, *count));
                names.set(version, number, id);
                number
            }
            _ => outer,
        };
        numbers[id] = number;
    }
}

/// What events do, as text that both versions share.
struct Effects<'a> {
    run: Run<'a>,
    version: Version,
    matching: &'a Matching,
    slots: FxHashMap<(FuncId, SlotId), u64>,
}

impl Effects<'_> {
    fn of(&mut self, id: EventId) -> Option<u64> {
        let trace = self.run.trace;
        let event = &trace.events[id];
        let function = trace.site(id).function;
        Some(match event.kind {
            Kind::Slot(slot) => hash_of(&(1u8, self.slot(function, slot))),
            Kind::Phi => hash_of(&2u8),
            Kind::Store => hash_of(&3u8),
            Kind::Transfer => hash_of(&4u8),
            Kind::Branch => hash_of(&5u8),
            Kind::Call(callee) => hash_of(&(6u8, self.function(callee)?)),
            Kind::Shim(number) => hash_of(&(7u8, number)),
            Kind::Parameter(callee, index) => hash_of(&(8u8, self.function(callee)?, index)),
            Kind::Return => hash_of(&9u8),
            Kind::Object => hash_of(&(10u8, self.object(id))),
            Kind::Initial(global) => {
                let name = &self.run.program.module.globals[global].source_name;
                let offset = event.place.map(|place| place.offset);
                hash_of(&(11u8, name, offset, event.size))
            }
            Kind::Undefined(kind) => hash_of(&(12u8, kind)),
            // Joined apart from their names.
            Kind::Start | Kind::End => return None,
        })
    }

    /// A function as NEW numbers it.
    fn function(&self, function: FuncId) -> Option<u32> {
        match self.version {
            Version::Old => self.matching.function(Version::Old, function).map(FuncId::as_u32),
            Version::New => Some(function.as_u32()),
        }
    }

    fn slot(&mut self, function: FuncId, slot: SlotId) -> u64 {
        if let Some(&known) = self.slots.get(&(function, slot)) {
            return known;
        }
        let body = self.run.program.module.functions[function].body();
        let name = body.map_or("", |body| {
            let storage = Storage::Slot(slot);
            let found = body.variables.iter().find(|variable| variable.storage == storage);
            found.map_or(&body.slots[slot].name, |variable| &variable.name)
        });
        let number = hash_of(&self.renamed(function, name));
        self.slots.insert((function, slot), number);
        number
    }

    fn renamed<'n>(&'n self, function: FuncId, name: &'n str) -> &'n str {
        let renamed = self.matching.renamed.iter();
        let mut own = renamed
            .filter(|(of, old, _)| self.version == Version::Old && *of == function && old == name);
        own.next().map_or(name, |(_, _, new)| new)
    }

    /// The variable that a local object belongs to.
    fn object(&self, id: EventId) -> String {
        let site = self.run.trace.site(id);
        let Some(inst) = site.inst else { return String::new() };
        let site = exec::stop::Site { function: site.function, inst };
        let name = self.run.program.local_name(site).unwrap_or_default();
        self.renamed(site.function, name).to_owned()
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

//! The dynamic dependence trace of one run.
//!
//! A run becomes a list of *events*: instances of instructions with an effect. An event is a write
//! of a local variable (`Slot`), a value chosen by the path that control took (`Phi`), a write to
//! memory (`Store`, `Transfer`), a decision (`Branch`), a call (`Call`, `Shim`), an argument
//! (`Parameter`), a result (`Return`), a new local object (`Object`), the first read of a global
//! variable that nothing wrote (`Initial`), the first undefined operation of its kind
//! (`Undefined`), and the run's end (`End`). Expressions have no events of their own: they show in
//! the sources of the event that uses them.
//!
//! Every event has
//! - its `value`: the bits that it defined, a decision's outcome as the source has it (1 for
//!   the `then` side, the case of a switch), a call's result; with `target` the object that a
//!   pointer points into, and `place` where a write to memory went;
//! - its sources ([`Trace::sources`]): the events that defined what it computed with, through
//!   registers and bytes of memory, addresses included;
//! - its `control`: the innermost decision that it depends on (Ferrante, Ottenstein, Warren;
//!   found at run time from immediate post-dominators as in Xin, Zhang 2007), or else the call
//!   of its function, or else the start of the run. A later evaluation of a loop's condition
//!   depends on the one before.
//!
//! A trace has a bounded number of events and records whether it was cut. `recorder` records it;
//! `alignment` matches the events of two runs.

use base::entity::{PrimaryMap, SecondaryMap, entity_impl};
use exec::Stop;
use exec::undefined::UndefinedKind;
use ir::{FuncId, GlobalId, InstId, SlotId, StatementId};

/// An instance of an instruction with an effect. The first of all is the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u32);
entity_impl!(EventId, "e");

impl EventId {
    pub const START: EventId = EventId(0);
}

/// A place in the code at which events happen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(u32);
entity_impl!(SiteId, "site");

impl SiteId {
    /// Where a run starts.
    pub const START: SiteId = SiteId(0);
}

/// An object of memory, independent of its address; reused memory is a new object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Start,
    /// A local variable gets a value.
    Slot(SlotId),
    /// A value that depends on the path, like that of `a && b`.
    Phi,
    Store,
    /// Memory is copied or filled.
    Transfer,
    Branch,
    Call(FuncId),
    /// A function of the machine, by its number.
    Shim(u32),
    /// An argument becomes that parameter register of a function.
    Parameter(FuncId, u16),
    Return,
    /// A local object comes into existence.
    Object,
    /// The first read of a global variable that nothing has written.
    Initial(GlobalId),
    /// The first undefined operation of a kind.
    Undefined(UndefinedKind),
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub kind: Kind,
    pub site: SiteId,
    /// Steps of the run up to the last jump before it.
    pub moment: u64,
    pub control: EventId,
    pub value: u64,
    /// What else to compare: bytes copied, arguments of a function of the machine.
    pub digest: u64,
    /// The size of the value in bytes.
    pub size: u32,
    /// The place that the value points into.
    pub target: Option<Place>,
    /// Where memory was written or read.
    pub place: Option<Place>,
    pub(crate) sources: Sources,
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub object: ObjectId,
    pub offset: i32,
}

/// Where an event happened. The start and the end of a run may have no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub function: FuncId,
    pub inst: Option<InstId>,
    pub statement: Option<StatementId>,
    /// Whether values defined here are pointers.
    pub pointer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    pub origin: Origin,
}

/// Where an object comes from; how it is recognised in another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Global(GlobalId),
    Function(FuncId),
    /// Made by that event.
    Made(EventId),
    /// Existed from the start or belongs to the system: its number after the globals. `errno` is 0,
    /// then the arguments follow.
    Given(u32),
}

/// The bytes that an event concerns, if they are more than its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub event: EventId,
    pub place: Option<Place>,
    /// The first bytes, at most [`Content::MOST`].
    pub bytes: Box<[u8]>,
}

impl Content {
    pub const MOST: usize = 64;
}

/// Output of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub event: EventId,
    pub sink: Sink,
    /// The offset in all of the sink's bytes.
    pub start: usize,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sink {
    Stdout,
    Stderr,
    /// A file, by the number of its node.
    File(u32),
}

/// A set of events: none, one, or a number with the highest bit set.
pub(crate) type Sources = u32;

const SET: u32 = 1 << 31;

/// The sets of events that values depend on, each in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets {
    ranges: Vec<(u32, u32)>,
    members: Vec<u32>,
}

impl Sets {
    pub fn get<'a>(&'a self, set: &'a Sources) -> &'a [u32] {
        match *set {
            0 => &[],
            number if number & SET == 0 => std::slice::from_ref(set),
            number => {
                let (start, count) = self.ranges[(number & !SET) as usize];
                &self.members[start as usize..(start + count) as usize]
            }
        }
    }

    pub fn union(&mut self, a: Sources, b: Sources) -> Sources {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let (left, right) = (self.get(&a), self.get(&b));
        let within = |small: &[u32], large: &[u32]| {
            small.iter().all(|member| large.binary_search(member).is_ok())
        };
        if within(right, left) {
            return a;
        }
        if within(left, right) {
            return b;
        }
        let all = [left, right].concat();
        self.of(all)
    }

    pub fn of(&mut self, mut members: Vec<u32>) -> Sources {
        members.sort_unstable();
        members.dedup();
        match members[..] {
            [] => 0,
            [one] => one,
            _ => {
                let start = self.members.len() as u32;
                self.ranges.push((start, members.len() as u32));
                self.members.append(&mut members);
                (self.ranges.len() as u32 - 1) | SET
            }
        }
    }
}

/// The events of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    pub events: PrimaryMap<EventId, Event>,
    pub sites: PrimaryMap<SiteId, Site>,
    pub objects: PrimaryMap<ObjectId, Object>,
    /// The decisions, and the steps of the run at each of them. Together with the place, the steps
    /// identify an instance of a branch, as in a path condition.
    pub decisions: Vec<(EventId, u64)>,
    /// In the order of writing.
    pub outputs: Vec<Output>,
    /// The files that were written: number of the node and path.
    pub files: Vec<(u32, Vec<u8>)>,
    /// How many arguments the program was given, its name included.
    pub arguments: u64,
    /// What events copied, read first or wrote as functions of the machine: the first bytes, and
    /// their place. In the order of events.
    pub contents: Vec<Content>,
    /// How many events there were when a statement was first executed, and how often it was.
    pub executed: SecondaryMap<StatementId, (u32, u32)>,
    /// The statements in the order in which they begin, or go on behind a call that returns, with how
    /// many events there were; empty unless asked for.
    pub arrivals: Vec<(StatementId, EventId)>,
    /// Whether the run has more events than are kept.
    pub truncated: bool,
    pub stop: Option<Stop>,
    pub(crate) sets: Sets,
}

impl Trace {
    /// A trace with the start of a run.
    pub(crate) fn new() -> Trace {
        let mut events = PrimaryMap::new();
        events.push(Event {
            kind: Kind::Start,
            site: SiteId::START,
            moment: 0,
            control: EventId::START,
            value: 0,
            digest: 0,
            size: 0,
            target: None,
            place: None,
            sources: 0,
        });
        Trace {
            events,
            sites: PrimaryMap::new(),
            objects: PrimaryMap::new(),
            decisions: Vec::new(),
            outputs: Vec::new(),
            files: Vec::new(),
            arguments: 0,
            contents: Vec::new(),
            executed: SecondaryMap::new(),
            arrivals: Vec::new(),
            truncated: false,
            stop: None,
            sets: Sets::default(),
        }
    }

    /// Whether the run ended by itself or by a fault, and all of its events are here.
    pub fn is_whole(&self) -> bool {
        let has_ended = matches!(self.stop, Some(Stop::Exit(_) | Stop::Signal(_) | Stop::Fault(_)));
        has_ended && !self.truncated
    }

    /// A table with something for each event.
    pub fn table<T: Clone + Default>(&self) -> SecondaryMap<EventId, T> {
        let mut table = SecondaryMap::new();
        table.resize(self.events.len());
        table
    }

    /// The events that defined what an event computed with, in chronological order.
    pub fn sources(&self, event: EventId) -> impl Iterator<Item = EventId> {
        self.sets.get(&self.events[event].sources).iter().map(|&source| EventId(source))
    }

    pub fn site(&self, event: EventId) -> &Site {
        &self.sites[self.events[event].site]
    }

    pub fn statement(&self, event: EventId) -> Option<StatementId> {
        self.site(event).statement
    }

    /// The output of an event.
    pub fn outputs_of(&self, event: EventId) -> &[Output] {
        let start = self.outputs.partition_point(|output| output.event < event);
        let end = self.outputs.partition_point(|output| output.event <= event);
        &self.outputs[start..end]
    }

    /// The bytes that an event concerns, if they are more than its value.
    pub fn content_of(&self, event: EventId) -> Option<&Content> {
        let found = self.contents.binary_search_by_key(&event, |content| content.event);
        found.ok().map(|index| &self.contents[index])
    }

    /// The event that wrote a byte of a sink.
    pub fn writer(&self, sink: Sink, at: usize) -> Option<EventId> {
        let mut of = self.outputs.iter().filter(|output| output.sink == sink);
        let found =
            of.find(|output| (output.start..output.start + output.bytes.len()).contains(&at));
        found.map(|output| output.event)
    }

    /// All bytes that went to a sink.
    pub fn written(&self, sink: Sink) -> Vec<u8> {
        let of = self.outputs.iter().filter(|output| output.sink == sink);
        of.flat_map(|output| &output.bytes).copied().collect()
    }

    /// The event of the first undefined operation of a kind.
    pub fn undefined(&self, kind: UndefinedKind) -> Option<EventId> {
        let mut events = self.events.iter();
        events.find(|(_, event)| event.kind == Kind::Undefined(kind)).map(|(id, _)| id)
    }

    /// The event of the run's end.
    pub fn end(&self) -> Option<EventId> {
        let (id, event) = self.events.last()?;
        (event.kind == Kind::End).then_some(id)
    }

    /// The events that an event depends on by data and control, itself included: its dynamic
    /// slice, in ascending order.
    pub fn slice(&self, from: &[EventId]) -> Vec<EventId> {
        let mut seen: SecondaryMap<EventId, bool> = self.table();
        let mut waiting = from.to_vec();
        while let Some(event) = waiting.pop() {
            if std::mem::replace(&mut seen[event], true) {
                continue;
            }
            waiting.extend(self.sources(event));
            waiting.push(self.events[event].control);
        }
        self.events.keys().filter(|event| seen[*event]).collect()
    }
}

//! Records the events of a run while it happens.
//!
//! A shadow is a set of events: those that a value was computed from. Writes of variables and
//! memory replace it by their own event. Reads and writes of functions of the machine count as
//! those of their call; their internal state between calls is not followed.

mod memory;
mod output;

use std::hash::{Hash, Hasher};

use exec::code::{Op, Reg};
use exec::memory::{Memory, Shade};
use exec::observer::{At, Operand, Pointer, Spread};
use exec::shims::{self, Shim};
use exec::state::State;
use exec::undefined::UndefinedKind;
use exec::{Limits, Machine, Observer, Program, Stop};
use inputs::Layout;
use ir::{BlockId, Builtin, FuncId, Op as IrOp, StatementId};
use library::{Fact, Function};
use rustc_hash::{FxHashMap, FxHasher};

use self::memory::{digest, is_address, word};
use crate::alignment::Run;
use crate::events::{
    Content, Event, EventId, Kind, Object, ObjectId, Origin, Site, SiteId, Sources, Trace,
};
use crate::harness::Harness;
use crate::recording::{ControlStack, Postdominators, mark_written, spread};

/// The largest part of one copy, in bytes, that is followed piece by piece.
const MOST_PIECES: usize = 64;

/// How much of a run is traced.
#[derive(Clone, Copy, Debug)]
pub struct TraceLimits {
    pub events: u32,
    pub run: Limits,
}

impl Default for TraceLimits {
    fn default() -> TraceLimits {
        TraceLimits { events: 1 << 20, run: Limits::default() }
    }
}

/// Records traces of one program, whose statements must be marked.
pub struct Tracer<'p> {
    program: &'p Program,
    postdominators: &'p Postdominators,
    /// Events of a trace, at most.
    events: u32,
    harness: Harness<'p>,
    machine: Machine<'p, Recorder<'p>>,
}

impl<'p> Tracer<'p> {
    pub fn new(
        program: &'p Program,
        layout: &'p Layout,
        name: &[u8],
        postdominators: &'p Postdominators,
        TraceLimits { events, run }: TraceLimits,
    ) -> Tracer<'p> {
        let recorder = Recorder::new(program, postdominators, events);
        let harness = Harness::new(program, layout, name);
        let machine = Machine::idle(program, &exec::Input::default(), run, recorder);
        Tracer { program, postdominators, events, harness, machine }
    }

    /// A trace with its program.
    pub fn run<'a>(&self, trace: &'a Trace) -> Run<'a>
    where
        'p: 'a,
    {
        Run { program: self.program, trace }
    }

    /// The trace of an input.
    pub fn trace(&mut self, assignment: &[u64]) -> Trace {
        self.trace_some(assignment, self.events)
    }

    /// The trace of an input with at most this many events.
    pub fn trace_some(&mut self, assignment: &[u64], events: u32) -> Trace {
        self.machine.observer.limit = events.min(self.events);
        let stop = self.harness.run(&mut self.machine, assignment);
        let next = Recorder::new(self.program, self.postdominators, self.events);
        std::mem::replace(&mut self.machine.observer, next).finish(stop, &self.machine.state)
    }
}

/// The observer that records a [`Trace`].
pub struct Recorder<'p> {
    program: &'p Program,
    control: ControlStack<'p, EventId>,
    trace: Trace,
    limit: u32,
    /// Steps of the run up to the last jump.
    moment: u64,
    /// The object in each window of memory.
    windows: FxHashMap<u32, ObjectId>,
    /// Windows up to here belong to global variables.
    globals: u32,
    functions: FxHashMap<FuncId, ObjectId>,
    initial: FxHashMap<(u64, u64), Sources>,
    /// The operands of the current decision.
    deciding: (Sources, u64),
    /// A decision whose block is not known yet.
    undecided: Option<EventId>,
    /// The current call and its arguments.
    calling: Option<EventId>,
    passed: Vec<EventId>,
    /// The operands of the last operation, and its place.
    latest: (Sources, Option<SiteId>),
    /// Kinds of undefined operations that have an event.
    undefined: Vec<UndefinedKind>,
    /// How much of each sink is known.
    shown: [usize; 2],
    files: FxHashMap<u32, usize>,
    keeps_arrivals: bool,
}

impl<'p> Recorder<'p> {
    pub fn new(
        program: &'p Program,
        postdominators: &'p Postdominators,
        limit: u32,
    ) -> Recorder<'p> {
        let mut recorder = Recorder {
            program,
            control: ControlStack::new(program, postdominators),
            trace: Trace::new(),
            limit,
            moment: 0,
            windows: FxHashMap::default(),
            globals: 0,
            functions: FxHashMap::default(),
            initial: FxHashMap::default(),
            deciding: (0, 0),
            undecided: None,
            calling: None,
            passed: Vec::new(),
            latest: (0, None),
            undefined: Vec::new(),
            shown: [0; 2],
            files: FxHashMap::default(),
            keeps_arrivals: false,
        };
        for (id, global) in program.module.globals.iter() {
            if global.init.is_some() {
                let (window, _) = Memory::split(program.addresses.globals[id]);
                let object = recorder.trace.objects.push(Object { origin: Origin::Global(id) });
                recorder.windows.insert(window, object);
                recorder.globals = recorder.globals.max(window + 1);
            }
        }
        recorder
    }

    /// Keeps the moments at which statements begin, see [`Trace::arrivals`].
    pub fn keep_arrivals(mut self) -> Recorder<'p> {
        self.keeps_arrivals = true;
        self
    }

    /// The trace, once the run has ended.
    pub fn finish(mut self, stop: Stop, state: &State) -> Trace {
        let (sources, site) = self.latest;
        let at_fault = match &stop {
            Stop::Fault(fault) => fault.stack.first().copied(),
            _ => None,
        };
        let latest = self.trace.events.last().map_or(EventId::START, |(id, _)| id);
        self.settle_output(latest, state);
        self.name_files(state);
        if self.program.module.functions[self.program.entry].name == "main" {
            self.trace.arguments = state.process.arguments.first().map_or(0, |argc| argc.bits);
        }
        // A run that ends by itself ends with its last event; a fault with the operation.
        let sources = match (at_fault, site) {
            (Some(fault), Some(site)) if self.place_of(site).inst == Some(fault.inst) => sources,
            _ => latest.as_u32(),
        };
        let site = match at_fault {
            Some(fault) => {
                let body = self.program.module.functions[fault.function].body();
                let statement = body.and_then(|body| body.insts.get(fault.inst));
                self.control.places.all.push(Site {
                    function: fault.function,
                    inst: Some(fault.inst),
                    statement: statement.map(|inst| inst.statement),
                    pointer: false,
                })
            }
            None => self.trace.events[latest].site,
        };
        let status = stop.status().map_or(u64::MAX, |status| status as u64);
        let mut hasher = FxHasher::default();
        format!("{:?}", stop_kind(&stop)).hash(&mut hasher);
        self.limit = u32::MAX;
        self.push(Kind::End, site, sources, |event| {
            event.value = status;
            event.size = 4;
            event.digest = hasher.finish();
        });
        self.trace.stop = Some(stop);
        self.trace.sites = self.control.places.all;
        self.trace
    }

    fn push(
        &mut self,
        kind: Kind,
        site: SiteId,
        sources: Sources,
        fill: impl FnOnce(&mut Event),
    ) -> Option<EventId> {
        if self.trace.events.len() as u32 >= self.limit {
            self.trace.truncated = true;
            return None;
        }
        let mut event = Event {
            kind,
            site,
            moment: self.moment,
            control: self.control.control(),
            value: 0,
            digest: 0,
            size: 0,
            target: None,
            place: None,
            sources,
        };
        fill(&mut event);
        Some(self.trace.events.push(event))
    }

    fn site(&mut self, at: At<'_>) -> SiteId {
        self.moment = at.steps;
        self.control.places.of(at.function()).site(at.pc)
    }

    fn place_of(&self, site: SiteId) -> &Site {
        &self.control.places.all[site]
    }

    fn union(&mut self, operands: &[Operand]) -> Sources {
        operands.iter().fold(0, |all, operand| self.trace.sets.union(all, operand.shadow))
    }

    /// A decision as the source has it.
    fn outcome(&self, event: EventId, block: BlockId) -> u64 {
        let site = self.place_of(self.trace.events[event].site);
        let body = self.program.module.functions[site.function].body();
        let (Some(body), Some(inst)) = (body, site.inst) else { return 0 };
        match &body.insts[inst].op {
            IrOp::Branch { then, .. } => u64::from(*then == block),
            IrOp::Switch { cases, .. } => {
                let found = cases.iter().filter(|case| case.1 == block).map(|case| case.0);
                found.min().map_or(u64::MAX, |case| case as u64)
            }
            IrOp::IndirectJump { targets, .. } => {
                targets.iter().position(|target| *target == block).unwrap_or(0) as u64
            }
            _ => 0,
        }
    }

    fn decided(&mut self, at: At<'_>) {
        let site = self.site(at);
        let (sources, _) = self.deciding;
        let Some(event) = self.push(Kind::Branch, site, sources, |event| event.size = 1) else {
            return;
        };
        self.undecided = Some(event);
        self.trace.decisions.push((event, at.steps));
        self.control.decide(at, event);
    }
}

impl Observer for Recorder<'_> {
    const STATEMENTS: bool = true;
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;
    const UNDEFINED: bool = true;

    fn undefined(&mut self, at: At<'_>, kind: UndefinedKind) {
        if self.undefined.contains(&kind) {
            return;
        }
        self.undefined.push(kind);
        let site = self.site(at);
        // The operands of the operation were reported before it, if they depend on any event.
        let sources = if self.latest.1 == Some(site) { self.latest.0 } else { 0 };
        self.push(Kind::Undefined(kind), site, sources, |_| ());
    }

    fn statement(&mut self, statement: StatementId) {
        let count = self.trace.events.len() as u32;
        let executed = &mut self.trace.executed[statement];
        if executed.1 == 0 {
            executed.0 = count;
        }
        executed.1 += 1;
        if self.keeps_arrivals && self.trace.arrivals.len() < self.limit as usize {
            self.trace.arrivals.push((statement, EventId::from_u32(count)));
        }
        if let Some(block) = self.control.begin(statement)
            && let Some(event) = self.undecided.take()
        {
            self.trace.events[event].value = self.outcome(event, block);
        }
    }

    fn derive(&mut self, at: At<'_>, sources: &[Operand], results: &mut [u32]) {
        let all = self.union(sources);
        self.latest = (all, Some(self.site(at)));
        results.fill(all);
    }

    fn assemble(&mut self, _: At<'_>, shades: &[Shade], _: &[u8]) -> u32 {
        shades.iter().fold(0, |all, shade| self.trace.sets.union(all, shade.shadow))
    }

    fn decide(&mut self, _: At<'_>, sources: &[Operand]) {
        self.deciding = (self.union(sources), sources.first().map_or(0, |source| source.bits));
    }

    fn branch(&mut self, at: At<'_>, _: bool) {
        self.decided(at);
    }

    fn jump(&mut self, at: At<'_>, _: u32) {
        self.decided(at);
    }

    fn define(&mut self, at: At<'_>, register: Reg, value: Operand) -> u32 {
        self.moment = at.steps;
        let sites = self.control.places.of(at.function());
        let site = sites.site(at.pc);
        let is_object = matches!(at.op(), Op::Alloca { .. });
        let kind = match sites.slot(register) {
            Some(slot) => Kind::Slot(slot),
            None if is_object => Kind::Object,
            None if sites.is_phi(at.pc) => Kind::Phi,
            None => return value.shadow,
        };
        let Some(event) = self.push(kind, site, value.shadow, |_| ()) else { return 0 };
        if is_object {
            self.make_object(value.bits, event);
        }
        let pointer = self.place_of(site).pointer;
        self.set_value(event, value.bits, 8, pointer);
        event.as_u32()
    }

    fn load(&mut self, at: At<'_>, memory: &Memory, from: &Pointer, words: &mut [u32]) -> bool {
        let address = self.union(&[from.base, from.index]);
        let site = self.site(at);
        self.latest = (address, Some(site));
        let pointer = self.place_of(site).pointer && from.bytes == 8;
        let (start, bytes) = (from.address(), u64::from(from.bytes));
        for (word, first) in words.iter_mut().zip((0..bytes).step_by(8)) {
            let (part, size) = (start.wrapping_add(first), (bytes - first).min(8));
            let read = self.bytes(memory, part, size, pointer);
            *word = self.trace.sets.union(address, read);
        }
        true
    }

    fn store(&mut self, at: At<'_>, _: &Memory, to: &Pointer, words: &[Operand]) -> Option<Spread> {
        let site = self.site(at);
        let address = self.union(&[to.base, to.index]);
        let values = self.union(words);
        let sources = self.trace.sets.union(address, values);
        self.latest = (address, Some(site));
        let place = self.place(to.address());
        let pointer = self.place_of(site).pointer;
        let event = self.push(Kind::Store, site, sources, |event| event.place = place)?;
        let low = words.first().map_or(0, |word| word.bits);
        self.set_value(event, low, to.bytes, pointer);
        let rest: Vec<u64> = words.iter().skip(1).map(|word| word.bits).collect();
        self.trace.events[event].digest = hash_of(&rest);
        Some(spread(to.address(), to.bytes.into(), event.as_u32()))
    }

    fn transfer(
        &mut self,
        at: At<'_>,
        memory: &Memory,
        how: Builtin,
        [to, from, size]: [Operand; 3],
    ) -> Option<Spread> {
        let site = self.site(at);
        let addresses = self.union(&[to, size]);
        let bytes = size.bits.min(exec::memory::MAX_OBJECT);
        let mut spread = Spread { address: to.bits, shades: Vec::new() };
        let pieces = match how {
            Builtin::Memset => vec![(0, bytes, from.shadow)],
            _ => self.copied(memory, from.bits, bytes),
        };
        let through = if how == Builtin::Memset { 0 } else { from.shadow };
        let addresses = self.trace.sets.union(addresses, through);
        self.latest = (addresses, Some(site));
        // A range that cannot be written ends the run.
        memory.object_at(to.bits).filter(|object| object.size >= bytes)?;
        for (offset, count, sources) in pieces {
            let sources = self.trace.sets.union(addresses, sources);
            let place = self.place(to.bits.wrapping_add(offset));
            let copied = match how {
                Builtin::Memset => vec![from.bits as u8; (count as usize).min(Content::MOST)],
                _ => {
                    let read = memory.bytes(from.bits.wrapping_add(offset), count);
                    read.map(<[u8]>::to_vec).unwrap_or_default()
                }
            };
            let (value, digest) = (word(&copied), hash_of(&(digest(memory, &copied), count)));
            let is_pointer = count == 8 && is_address(memory, value);
            let target = if is_pointer { self.place(value) } else { None };
            let event = self.push(Kind::Transfer, site, sources, |event| {
                (event.place, event.size) = (place, count.min(u64::from(u32::MAX)) as u32);
                // The first bytes of several are compared with all of them.
                event.value = if count <= 8 { value } else { 0 };
                (event.digest, event.target) = (digest, target);
            });
            if let Some(event) = event {
                self.keep(event, place, &copied);
            }
            let shadow = event.map_or(0, EventId::as_u32);
            let shade = Shade { shadow, part: 0, size: 1 };
            spread.shades.resize(spread.shades.len() + count as usize, shade);
        }
        Some(spread)
    }

    fn invoke(&mut self, at: At<'_>, target: Option<Operand>) {
        let site = self.site(at);
        let sources = target.map_or(0, |target| target.shadow);
        self.latest = (sources, Some(site));
        self.passed.clear();
        // The entry of the function shows which one it is.
        self.calling = self.push(Kind::Call(FuncId::at(0)), site, sources, |_| ());
    }

    fn pass(&mut self, at: At<'_>, parameter: usize, value: Operand) -> u32 {
        let site = self.site(at);
        let kind = Kind::Parameter(FuncId::at(0), parameter as u16);
        let event = self.push(kind, site, value.shadow, |event| event.value = value.bits);
        self.passed.extend(event);
        event.map_or(0, EventId::as_u32)
    }

    fn give(&mut self, at: At<'_>, index: usize, value: Operand) -> u32 {
        let site = self.site(at);
        let pointer = index == 0 && self.place_of(site).pointer;
        let Some(event) = self.push(Kind::Return, site, value.shadow, |_| ()) else { return 0 };
        self.set_value(event, value.bits, 8, pointer);
        event.as_u32()
    }

    fn enter(&mut self, function: FuncId) {
        let call = self.calling.take().unwrap_or(EventId::START);
        if call != EventId::START {
            self.trace.events[call].kind = Kind::Call(function);
        }
        let pointers = self.control.places.of(function).parameters.clone();
        for event in std::mem::take(&mut self.passed) {
            let Kind::Parameter(_, index) = self.trace.events[event].kind else { continue };
            self.trace.events[event].kind = Kind::Parameter(function, index);
            let pointer = pointers.get(usize::from(index)).copied().unwrap_or(false);
            let value = self.trace.events[event].value;
            self.set_value(event, value, 8, pointer);
        }
        self.control.enter(function, call);
    }

    fn returning(&mut self, state: &State, _: usize, _: u16) {
        let callers = state.activations().len().saturating_sub(1);
        let caller = callers.checked_sub(1).and_then(|last| state.activations().nth(last));
        let Some((function, pc)) = caller.filter(|_| self.keeps_arrivals) else { return };
        let origins = &self.program.code(function).origins;
        let inst = (pc as usize).checked_sub(1).and_then(|at| origins.get(at));
        let body = self.program.module.functions[function].body();
        if let (Some(&inst), Some(body)) = (inst, body) {
            let count = self.trace.events.len() as u32;
            let statement = body.insts[inst].statement;
            self.trace.arrivals.push((statement, EventId::from_u32(count)));
        }
    }

    fn leave(&mut self, _: FuncId) {
        self.control.leave();
    }

    fn call(&mut self, _: At<'_>, _: &'static Shim, _: &[Operand], state: &mut State) {
        self.calling = None;
        self.passed.clear();
        state.memory.watch_traffic();
    }

    fn answer(
        &mut self,
        at: At<'_>,
        shim: &'static Shim,
        args: &[Operand],
        state: &mut State,
        result: u64,
    ) -> u32 {
        let traffic = state.memory.watched_traffic();
        let site = self.site(at);
        let mut sources = self.union(args);
        for &(address, size) in &traffic.reads {
            let read = self.bytes(&state.memory, address, size, false);
            sources = self.trace.sets.union(sources, read);
        }
        self.latest = (sources, Some(site));
        let number = shims::find(shim.name).unwrap_or(u32::MAX);
        let Some(event) = self.push(Kind::Shim(number), site, sources, |_| ()) else { return 0 };
        let known = library::find(shim.name);
        let (window, offset) = Memory::split(result);
        if offset == 0 && window >= self.globals && known.is_some_and(Function::makes_object) {
            self.make_object(result, event);
        }
        let pointer = self.place_of(site).pointer;
        let is_exit = known.is_some_and(Function::takes_status);
        let status = args.first().filter(|_| is_exit).map(|arg| arg.bits);
        self.set_value(event, status.unwrap_or(result), 8, pointer);
        let mut hasher = FxHasher::default();
        for arg in args.iter().filter(|arg| Memory::split(arg.bits).0 == 0) {
            arg.bits.hash(&mut hasher);
        }
        self.keep_written(event, state, &traffic.writes);
        for &(address, size) in &traffic.writes {
            if let Ok(bytes) = state.memory.bytes(address, size) {
                digest(&state.memory, bytes).hash(&mut hasher);
            }
        }
        mark_written(&mut state.memory, &traffic.writes, event.as_u32());
        self.trace.events[event].digest = hasher.finish();
        self.settle_output(event, state);
        let written = known.is_some_and(Function::writes_files);
        if written || known.is_some_and(|function| function.has(Fact::Opens)) {
            let descriptor = args.first().filter(|_| written).map(|arg| arg.bits as i32);
            self.settle_files(written.then_some(event), state, descriptor);
        }
        event.as_u32()
    }
}

/// Runs a program on an input and records its trace. The program must have its statements
/// marked.
pub fn record(
    program: &Program,
    layout: &Layout,
    name: &[u8],
    postdominators: &Postdominators,
    assignment: &[u64],
    limits: TraceLimits,
) -> Trace {
    Tracer::new(program, layout, name, postdominators, limits).trace(assignment)
}

/// How a run ended, without places.
fn stop_kind(stop: &Stop) -> String {
    match stop {
        Stop::Fault(fault) => format!("{:?}", std::mem::discriminant(&fault.kind)),
        stop => format!("{stop:?}"),
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

//! Records the events of a run while it happens.
//!
//! A shadow is a set of events: those that a value was computed from. Writes of variables and
//! memory replace it by their own event. What functions of the machine read and write counts
//! as read and written by their call; what they remember between calls is not followed.

use std::hash::{Hash, Hasher};

use exec::code::{Op, Reg};
use exec::libc::stream::StreamId;
use exec::memory::{Memory, Shade};
use exec::observer::{At, Operand, Pointer, Spread};
use exec::shims::{self, Shim};
use exec::state::State;
use exec::{Observer, Program, Stop};
use ir::{BlockId, Builtin, FuncId, Op as IrOp, StatementId};
use rustc_hash::{FxHashMap, FxHasher};

use super::sites::{Places, block_of};
use super::{
    Content, Event, EventId, Kind, Object, ObjectId, Origin, Output, Place, Postdominators, Sink, SiteId,
    Sources, Trace,
};

/// The most bytes of one copy that are followed piece by piece.
const MOST_PIECES: usize = 64;

/// A function that was entered and not left.
#[derive(Debug)]
struct Activation {
    function: FuncId,
    call: EventId,
    /// Decisions whose ways have not met again, with the block where they do.
    regions: Vec<(EventId, Option<BlockId>)>,
}

/// The observer that records a [`Trace`].
pub struct Recorder<'p> {
    program: &'p Program,
    postdominators: &'p Postdominators,
    trace: Trace,
    limit: u32,
    places: Places,
    activations: Vec<Activation>,
    /// The object in each window of memory.
    windows: FxHashMap<u32, ObjectId>,
    /// Windows up to here belong to global variables.
    globals: u32,
    functions: FxHashMap<FuncId, ObjectId>,
    initial: FxHashMap<(u64, u64), Sources>,
    /// The operands of the decision under way.
    deciding: (Sources, u64),
    /// A decision whose block is not known yet.
    undecided: Option<EventId>,
    /// The call under way and its arguments.
    calling: Option<EventId>,
    passed: Vec<EventId>,
    /// What the last operation computed with, and where.
    latest: (Sources, Option<SiteId>),
    /// How much of each sink is known.
    shown: [usize; 2],
    files: FxHashMap<u32, usize>,
}

impl<'p> Recorder<'p> {
    pub fn new(
        program: &'p Program,
        postdominators: &'p Postdominators,
        limit: u32,
    ) -> Recorder<'p> {
        let mut recorder = Recorder {
            program,
            postdominators,
            trace: Trace::new(),
            limit,
            places: Places::default(),
            activations: Vec::new(),
            windows: FxHashMap::default(),
            globals: 0,
            functions: FxHashMap::default(),
            initial: FxHashMap::default(),
            deciding: (0, 0),
            undecided: None,
            calling: None,
            passed: Vec::new(),
            latest: (0, None),
            shown: [0; 2],
            files: FxHashMap::default(),
        };
        for (id, global) in program.module.globals.iter() {
            if global.init.is_some() {
                let (window, _) = Memory::split(program.addresses.globals[id.as_u32() as usize]);
                let object = recorder.trace.objects.push(Object { origin: Origin::Global(id) });
                recorder.windows.insert(window, object);
                recorder.globals = recorder.globals.max(window + 1);
            }
        }
        recorder
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
            (Some(fault), Some(site)) if self.trace.sites[site].inst == Some(fault.inst) => sources,
            _ => latest.as_u32(),
        };
        let site = match at_fault {
            Some(fault) => {
                let body = self.program.module.functions[fault.function].body();
                let statement = body.and_then(|body| body.insts.get(fault.inst));
                self.trace.sites.push(super::Site {
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
        self.trace
    }

    /// The decision or call that what happens depends on.
    fn control(&self) -> EventId {
        match self.activations.last() {
            Some(Activation { regions, call, .. }) => regions.last().map_or(*call, |last| last.0),
            None => EventId::START,
        }
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
            control: self.control(),
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
        let sites = self.places.of(self.program, at.function(), &mut self.trace.sites);
        sites.site(at.pc)
    }

    fn union(&mut self, operands: &[Operand]) -> Sources {
        operands.iter().fold(0, |all, operand| self.trace.sets.union(all, operand.shadow))
    }

    /// What an address points into.
    fn place(&mut self, address: u64) -> Option<Place> {
        let (window, offset) = Memory::split(address);
        let object = match window {
            0 => return None,
            1 => {
                let function = FuncId::at(Memory::function_at(address)?);
                let objects = &mut self.trace.objects;
                let made = || objects.push(Object { origin: Origin::Function(function) });
                return Some(Place {
                    object: *self.functions.entry(function).or_insert_with(made),
                    offset: 0,
                });
            }
            2 => return None,
            window => {
                let (objects, globals) = (&mut self.trace.objects, self.globals);
                let given = Origin::Given(window.wrapping_sub(globals));
                let made = || objects.push(Object { origin: given });
                *self.windows.entry(window).or_insert_with(made)
            }
        };
        Some(Place { object, offset: offset as i32 })
    }

    /// The value of a register at a place that may define pointers.
    fn set_value(&mut self, event: EventId, value: u64, size: u32, pointer: bool) {
        let target = if pointer { self.place(value) } else { None };
        let event = &mut self.trace.events[event];
        (event.value, event.size, event.target) = (value, size, target);
    }

    /// A new object at an address.
    fn make_object(&mut self, address: u64, event: EventId) {
        let (window, _) = Memory::split(address);
        let object = self.trace.objects.push(Object { origin: Origin::Made(event) });
        self.windows.insert(window, object);
    }

    /// The events that bytes of memory come from.
    fn bytes(&mut self, memory: &Memory, address: u64, size: u64, pointer: bool) -> Sources {
        let shades = memory.shades(address, size);
        let mut members: Vec<u32> = Vec::new();
        let mut last = 0;
        for shade in shades {
            if shade.shadow != last && shade.shadow != 0 {
                members.extend_from_slice(self.trace.sets.get(&shade.shadow));
            }
            last = shade.shadow;
        }
        let unwritten = shades.is_empty() || shades.iter().any(|shade| shade.shadow == 0);
        if unwritten && size > 0 {
            let initial = self.initial_value(memory, address, size, pointer);
            members.extend_from_slice(self.trace.sets.get(&initial));
        }
        self.trace.sets.of(members)
    }

    /// The event of a global variable that still has its initial value.
    fn initial_value(
        &mut self,
        memory: &Memory,
        address: u64,
        size: u64,
        pointer: bool,
    ) -> Sources {
        if let Some(&known) = self.initial.get(&(address, size)) {
            return known;
        }
        let Some(place) = self.place(address) else { return 0 };
        let Origin::Global(global) = self.trace.objects[place.object].origin else { return 0 };
        // Constants without a name are part of the statement that uses them.
        if self.program.module.globals[global].source_name.is_none() {
            return 0;
        }
        let Ok(bytes) = memory.bytes(address, size) else { return 0 };
        let target = if pointer { self.place(word(bytes)) } else { None };
        // Addresses are compared by what they point to.
        let (value, digest) = (word(bytes), if pointer { 0 } else { digest(bytes) });
        let site = self.trace.events[EventId::START].site;
        let event = self.push(Kind::Initial(global), site, 0, |event| {
            event.control = EventId::START;
            event.place = Some(place);
            event.size = size as u32;
            (event.value, event.digest, event.target) = (value, digest, target);
        });
        if let Some(event) = event {
            self.keep(event, Some(place), bytes);
        }
        let sources = event.map_or(0, EventId::as_u32);
        self.initial.insert((address, size), sources);
        sources
    }

    /// Remembers bytes that do not fit into the value of the last event.
    fn keep(&mut self, event: EventId, place: Option<Place>, bytes: &[u8]) {
        if bytes.len() > 8 {
            let bytes = bytes[..bytes.len().min(Content::MOST)].into();
            self.trace.contents.push(Content { event, place, bytes });
        }
    }

    /// A block begins: decisions whose ways meet here are over.
    fn enter_block(&mut self, block: BlockId) {
        if let Some(event) = self.undecided.take() {
            let outcome = self.outcome(event, block);
            self.trace.events[event].value = outcome;
        }
        let Some(activation) = self.activations.last_mut() else { return };
        while activation.regions.last().is_some_and(|region| region.1 == Some(block)) {
            activation.regions.pop();
        }
    }

    /// A decision as the source has it.
    fn outcome(&self, event: EventId, block: BlockId) -> u64 {
        let site = self.trace.site(event);
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
        let Some(block) = block_of(self.program, at.code, at.pc) else { return };
        let ends = &self.postdominators.0[at.function()];
        let end = ends.get(block.as_u32() as usize).copied().flatten();
        let Some(activation) = self.activations.last_mut() else { return };
        match activation.regions.last_mut() {
            // The next round of a loop, or a decision that meets where the one before does.
            Some(last) if last.1 == end => last.0 = event,
            _ => activation.regions.push((event, end)),
        }
    }

    /// Output since the last time belongs to an event.
    fn settle_output(&mut self, event: EventId, state: &State) {
        let vfs = &state.process.vfs;
        let sinks = [(Sink::Stdout, vfs.stdout(), 1), (Sink::Stderr, vfs.stderr(), 2)];
        for (index, (sink, bytes, stream)) in sinks.into_iter().enumerate() {
            let pending = state.process.streams.unwritten(StreamId(stream));
            let start = self.shown[index];
            let all = bytes.len() + pending.len();
            if all <= start {
                continue;
            }
            let bytes = bytes.iter().chain(pending).skip(start).copied().collect();
            self.shown[index] = all;
            self.trace.outputs.push(Output { event, sink, start, bytes });
        }
    }

    /// Bytes in files since the last time belong to an event; to none, if they were there when
    /// the file was opened.
    fn settle_files(&mut self, event: Option<EventId>, state: &State, descriptor: Option<i32>) {
        let process = &state.process;
        let streams = process.streams.open_for_writing();
        let streams = streams.map(|(stream, descriptor)| (Some(stream), descriptor));
        for (stream, descriptor) in streams.chain(descriptor.map(|number| (None, number))) {
            let Some((node, bytes)) = process.vfs.content_of(descriptor) else { continue };
            let pending = stream.map_or(&[][..], |stream| process.streams.unwritten(stream));
            let start = self.files.get(&node).copied().unwrap_or(0);
            let all = bytes.len() + pending.len();
            if all <= start {
                continue;
            }
            self.files.insert(node, all);
            if let Some(event) = event {
                let bytes = bytes.iter().chain(pending).skip(start).copied().collect();
                self.trace.outputs.push(Output { event, sink: Sink::File(node), start, bytes });
            }
        }
    }

    /// Remembers what a function of the machine wrote first, but for `errno`.
    fn keep_written(&mut self, event: EventId, state: &State, writes: &[(u64, u64)]) {
        let errno = state.process.errno;
        let Some(&(address, _)) = writes.iter().find(|write| write.0 != errno) else { return };
        // Pieces that follow each other are one text.
        let mut end = address;
        for &(at, size) in writes {
            if at == end {
                end += size;
            }
        }
        let place = self.place(address);
        if let Ok(bytes) = state.memory.bytes(address, (end - address).min(Content::MOST as u64)) {
            let bytes = bytes.into();
            self.trace.contents.push(Content { event, place, bytes });
        }
    }

    /// What the files are called that were written.
    fn name_files(&mut self, state: &State) {
        let vfs = &state.process.vfs;
        let mut here = vfs.current_directory().unwrap_or_default();
        here.push(b'/');
        for change in vfs.changes() {
            if let Some(node) = vfs.file_node(&change.path) {
                let path = change.path.strip_prefix(&here[..]).unwrap_or(&change.path);
                self.trace.files.push((node, path.to_vec()));
            }
        }
    }

    /// The pieces of a copy that come from the same events.
    fn copied(&mut self, memory: &Memory, from: u64, size: u64) -> Vec<(u64, u64, Sources)> {
        let shades = memory.shades(from, size);
        let mut pieces: Vec<(u64, u64, u32)> = Vec::new();
        for (at, shade) in (0..).zip(shades) {
            match pieces.last_mut() {
                Some(last) if last.2 == shade.shadow => last.1 += 1,
                _ => pieces.push((at, 1, shade.shadow)),
            }
        }
        if pieces.is_empty() || pieces.len() > MOST_PIECES {
            return vec![(0, size, self.bytes(memory, from, size, false))];
        }
        let whole = |(at, count, _)| (at, count, self.bytes(memory, from + at, count, false));
        pieces.into_iter().map(whole).collect()
    }
}

impl Observer for Recorder<'_> {
    const STATEMENTS: bool = true;
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;

    fn statement(&mut self, statement: StatementId) {
        let count = self.trace.events.len() as u32;
        let executed = &mut self.trace.executed[statement];
        if executed.1 == 0 {
            executed.0 = count;
        }
        executed.1 += 1;
        let Some(activation) = self.activations.last() else { return };
        let function = activation.function;
        let block = self.program.module.statements[statement].block;
        let sites = self.places.of(self.program, function, &mut self.trace.sites);
        if sites.firsts.get(block.as_u32() as usize) == Some(&Some(statement)) {
            self.enter_block(block);
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
        let sites = self.places.of(self.program, at.function(), &mut self.trace.sites);
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
        let pointer = self.trace.sites[site].pointer;
        self.set_value(event, value.bits, 8, pointer);
        event.as_u32()
    }

    fn load(&mut self, at: At<'_>, memory: &Memory, from: &Pointer, words: &mut [u32]) -> bool {
        let address = self.union(&[from.base, from.index]);
        let site = self.site(at);
        self.latest = (address, Some(site));
        let pointer = self.trace.sites[site].pointer && from.bytes == 8;
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
        let pointer = self.trace.sites[site].pointer;
        let event = self.push(Kind::Store, site, sources, |event| event.place = place)?;
        let low = words.first().map_or(0, |word| word.bits);
        self.set_value(event, low, to.bytes, pointer);
        let rest: Vec<u64> = words.iter().skip(1).map(|word| word.bits).collect();
        self.trace.events[event].digest = hash_of(&rest);
        let shade = Shade { shadow: event.as_u32(), part: 0, size: 1 };
        Some(Spread { address: to.address(), shades: vec![shade; to.bytes as usize] })
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
            let (value, digest) = (word(&copied), hash_of(&(&copied, count)));
            let event = self.push(Kind::Transfer, site, sources, |event| {
                (event.place, event.size) = (place, count.min(u64::from(u32::MAX)) as u32);
                (event.value, event.digest) = (value, digest);
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
        // Which function it is shows when it is entered.
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
        let pointer = index == 0 && self.trace.sites[site].pointer;
        let Some(event) = self.push(Kind::Return, site, value.shadow, |_| ()) else { return 0 };
        self.set_value(event, value.bits, 8, pointer);
        event.as_u32()
    }

    fn enter(&mut self, function: FuncId) {
        let call = self.calling.take().unwrap_or(EventId::START);
        if call != EventId::START {
            self.trace.events[call].kind = Kind::Call(function);
        }
        let sites = self.places.of(self.program, function, &mut self.trace.sites);
        let pointers = sites.parameters.clone();
        for event in std::mem::take(&mut self.passed) {
            let Kind::Parameter(_, index) = self.trace.events[event].kind else { continue };
            self.trace.events[event].kind = Kind::Parameter(function, index);
            let pointer = pointers.get(usize::from(index)).copied().unwrap_or(false);
            let value = self.trace.events[event].value;
            self.set_value(event, value, 8, pointer);
        }
        self.activations.push(Activation { function, call, regions: Vec::new() });
    }

    fn leave(&mut self, _: FuncId) {
        self.activations.pop();
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
        let (window, offset) = Memory::split(result);
        if offset == 0 && window >= self.globals && makes_object(shim.name) {
            self.make_object(result, event);
        }
        let pointer = self.trace.sites[site].pointer;
        let status = args.first().filter(|_| is_exit(shim.name)).map(|arg| arg.bits);
        self.set_value(event, status.unwrap_or(result), 8, pointer);
        let mut hasher = FxHasher::default();
        for arg in args.iter().filter(|arg| Memory::split(arg.bits).0 == 0) {
            arg.bits.hash(&mut hasher);
        }
        let shade = Shade { shadow: event.as_u32(), part: 0, size: 1 };
        self.keep_written(event, state, &traffic.writes);
        for &(address, size) in &traffic.writes {
            if let Ok(bytes) = state.memory.bytes(address, size) {
                bytes.hash(&mut hasher);
            }
            // What was written and cannot be written any more has no shadow.
            let _ = state.memory.set_shades(address, &vec![shade; size as usize]);
        }
        self.trace.events[event].digest = hasher.finish();
        self.settle_output(event, state);
        let written = writes_files(shim.name);
        if written || shim.name.contains("open") {
            let descriptor = args.first().filter(|_| written).map(|arg| arg.bits as i32);
            self.settle_files(written.then_some(event), state, descriptor);
        }
        event.as_u32()
    }
}

/// How a run ended, without places.
fn stop_kind(stop: &Stop) -> String {
    match stop {
        Stop::Fault(fault) => format!("{:?}", std::mem::discriminant(&fault.kind)),
        stop => format!("{stop:?}"),
    }
}

/// Whether a function of the machine ends the run with its argument.
fn is_exit(name: &str) -> bool {
    matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit")
}

/// Whether a function of the machine gives a new object.
fn makes_object(name: &str) -> bool {
    matches!(
        name,
        "malloc"
            | "calloc"
            | "realloc"
            | "reallocarray"
            | "aligned_alloc"
            | "memalign"
            | "valloc"
            | "strdup"
            | "strndup"
            | "fopen"
            | "fdopen"
            | "tmpfile"
            | "mmap"
            | "opendir"
    )
}

/// Whether a function of the machine may write to a file.
fn writes_files(name: &str) -> bool {
    ["put", "print", "write", "flush", "close"].iter().any(|part| name.contains(part))
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn digest(bytes: &[u8]) -> u64 {
    hash_of(&bytes)
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

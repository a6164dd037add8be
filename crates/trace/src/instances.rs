//! The dynamic dependence graph of one run, at the level of instructions.
//!
//! An *instance* is one execution of a relevant instruction: a write of a local variable, a read or
//! write of memory, a decision, a call of the machine, a computation from several instances. It has
//! the instances that its operands come from and the decision that it depends on. Shadows are
//! instances; values without a source have none. Instances are numbered in chronological order. The
//! first is the start of the run, the last its end.

use base::entity::{PrimaryMap, SecondaryMap, entity_impl};
use exec::code::{Code, Op, Passing, Reg, Slow};
use exec::memory::{Memory, Shade};
use exec::observer::{At, Operand, Pointer, Spread, Use};
use exec::shims::{self, Shim};
use exec::state::State;
use exec::{Limits, Machine, Observer, Program, Stop};
use inputs::Layout;
use ir::{Builtin, FuncId, InstId, SlotId, StatementId};
use rustc_hash::FxHashMap;

use crate::harness::Harness;
use crate::recording::{ControlStack, Postdominators, mark_written, spread};

/// Instances of a run, at most; longer runs have no slices.
const MOST: usize = 1 << 18;

/// One execution of a relevant instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);
entity_impl!(InstanceId, "i");

impl InstanceId {
    pub const START: InstanceId = InstanceId(0);
    /// Later than all others.
    pub const NEVER: InstanceId = InstanceId(u32::MAX);
}

const START: InstanceId = InstanceId::START;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Start,
    /// A local variable is written.
    Slot(SlotId),
    /// A value that depends on the path.
    Phi,
    /// Something is computed from several instances, or may fail.
    Value,
    /// A division, which may fail.
    Division,
    Load,
    Store,
    /// Memory is copied or filled.
    Transfer,
    Branch,
    /// A call through a pointer.
    Call,
    /// A function of the machine, by its number.
    Shim(u32),
    Return,
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Instance {
    pub kind: Kind,
    pub function: FuncId,
    pub inst: InstId,
    /// The activation of its function.
    pub activation: u32,
    pub control: InstanceId,
    /// For reads of memory: nothing before this instance can have written what is read. If the
    /// address may differ on another input, that is the start.
    pub since: InstanceId,
    /// For writes to memory: whether the address is the same on all inputs.
    is_fixed: bool,
    sources: (u32, u32),
}

/// All instances of a run.
pub struct Instances {
    pub all: PrimaryMap<InstanceId, Instance>,
    sources: Vec<InstanceId>,
    /// By place and moment, as steps of a path have them.
    pub by_moment: FxHashMap<(FuncId, InstId, u64), InstanceId>,
    /// Decisions and calls through pointers, ascending, and those of each activation.
    pub decisions: Vec<InstanceId>,
    pub of_activation: Vec<Vec<InstanceId>>,
    /// Writes to memory, ascending.
    pub writes: Vec<InstanceId>,
    /// Whether they are complete, and everything that they do is known.
    pub is_whole: bool,
    pub stop: Stop,
}

impl Instances {
    pub fn sources(&self, instance: InstanceId) -> &[InstanceId] {
        let (start, count) = self.all[instance].sources;
        &self.sources[start as usize..(start + count) as usize]
    }

    pub fn end(&self) -> InstanceId {
        self.all.last().map_or(START, |(id, _)| id)
    }
}

/// Runs an input and records its instances.
pub struct Slicer<'p> {
    harness: Harness<'p>,
    machine: Machine<'p, Recorder<'p>>,
}

impl<'p> Slicer<'p> {
    pub fn new(
        program: &'p Program,
        layout: &'p Layout,
        name: &[u8],
        limits: Limits,
        postdominators: &'p Postdominators,
    ) -> Slicer<'p> {
        let recorder = Recorder::new(program, postdominators);
        let harness = Harness::new(program, layout, name);
        let machine = Machine::idle(program, &exec::Input::default(), limits, recorder);
        Slicer { harness, machine }
    }

    pub fn run(&mut self, input: &[u64]) -> Instances {
        self.machine.observer.start();
        let stop = self.harness.run(&mut self.machine, input);
        self.machine.observer.finish(stop)
    }
}

/// The observer.
struct Recorder<'p> {
    program: &'p Program,
    control: ControlStack<'p, InstanceId>,
    found: Instances,
    /// Whether everything that a function does is followed.
    followed: SecondaryMap<FuncId, Option<bool>>,
    deciding: Vec<InstanceId>,
    calling: Option<InstanceId>,
    /// A call of the machine that has not returned.
    pending: Option<(u32, FuncId, InstId, Vec<InstanceId>)>,
    ending: Vec<InstanceId>,
}

fn nothing() -> Instances {
    Instances {
        all: PrimaryMap::new(),
        sources: Vec::new(),
        by_moment: FxHashMap::default(),
        decisions: Vec::new(),
        of_activation: vec![Vec::new()],
        writes: Vec::new(),
        is_whole: true,
        stop: Stop::Exit(0),
    }
}

impl<'p> Recorder<'p> {
    fn new(program: &'p Program, postdominators: &'p Postdominators) -> Recorder<'p> {
        Recorder {
            program,
            control: ControlStack::new(program, postdominators),
            found: nothing(),
            followed: SecondaryMap::with_capacity(program.module.functions.len()),
            deciding: Vec::new(),
            calling: None,
            pending: None,
            ending: Vec::new(),
        }
    }

    fn start(&mut self) {
        self.found = nothing();
        self.control.restart();
        (self.calling, self.pending) = (None, None);
        self.deciding.clear();
        self.ending.clear();
        self.found.all.push(Instance {
            kind: Kind::Start,
            function: self.program.entry,
            inst: InstId::at(0),
            activation: 0,
            control: START,
            since: START,
            is_fixed: false,
            sources: (0, 0),
        });
    }

    fn finish(&mut self, stop: Stop) -> Instances {
        let ending = std::mem::take(&mut self.ending);
        if let Some((number, function, inst, sources)) = self.pending.take() {
            self.push(Kind::Shim(number), function, inst, &sources);
        }
        let last = self.found.all[self.found.end()];
        let (function, inst) = (last.function, last.inst);
        let id = self.push(Kind::End, function, inst, &ending);
        // If a run ends in a call, its end depends on everything that the call depends on.
        self.found.all[id].control = last.control;
        self.found.stop = stop;
        std::mem::replace(&mut self.found, nothing())
    }

    fn push(
        &mut self,
        kind: Kind,
        function: FuncId,
        inst: InstId,
        sources: &[InstanceId],
    ) -> InstanceId {
        if self.found.all.len() >= MOST && kind != Kind::End {
            self.found.is_whole = false;
            return START;
        }
        let start = self.found.sources.len() as u32;
        for &source in sources.iter().filter(|&&source| source != START) {
            if !self.found.sources[start as usize..].contains(&source) {
                self.found.sources.push(source);
            }
        }
        let count = self.found.sources.len() as u32 - start;
        self.found.all.push(Instance {
            kind,
            function,
            inst,
            activation: self.control.activation(),
            control: self.control.control(),
            since: START,
            is_fixed: false,
            sources: (start, count),
        })
    }

    /// An instance of an instruction that steps of the path may come from.
    fn push_at(&mut self, kind: Kind, at: At<'_>, sources: &[InstanceId]) -> InstanceId {
        let id = self.push(kind, at.function(), at.inst(), sources);
        self.found.by_moment.insert((at.function(), at.inst(), at.steps), id);
        id
    }

    fn decided(&mut self, at: At<'_>) {
        let sources = std::mem::take(&mut self.deciding);
        let id = self.push_at(Kind::Branch, at, &sources);
        self.note_decision(id);
        self.control.decide(at, id);
    }

    fn note_decision(&mut self, id: InstanceId) {
        self.found.decisions.push(id);
        let activation = self.found.all[id].activation;
        self.found.of_activation[activation as usize].push(id);
    }

    /// The instances that bytes come from, and the first of them.
    fn writers(&self, memory: &Memory, address: u64, size: u64) -> (Vec<InstanceId>, InstanceId) {
        let shades = memory.shades(address, size);
        let mut writers: Vec<InstanceId> = Vec::new();
        let mut since = if shades.is_empty() { START } else { InstanceId::NEVER };
        for shade in shades {
            let writer = InstanceId(shade.shadow);
            since = since.min(if self.found.all[writer].is_fixed { writer } else { START });
            if writers.last() != Some(&writer) {
                writers.push(writer);
            }
        }
        if since == InstanceId::NEVER || (shades.len() as u64) < size {
            since = START;
        }
        (writers, since)
    }
}

fn shadows(operands: &[Operand]) -> Vec<InstanceId> {
    operands.iter().map(|operand| InstanceId(operand.shadow)).collect()
}

/// Whether all operations of a function report what they read and write. Variable arguments,
/// structs that are passed as copies, atomic operations and assembly do not.
fn is_followed(code: &Code) -> bool {
    let is_plain = |slow: &Slow| {
        matches!(
            slow,
            Slow::Binary { .. }
                | Slow::Negate { .. }
                | Slow::Compare { .. }
                | Slow::Cast { .. }
                | Slow::Bitcast { .. }
                | Slow::Load { .. }
                | Slow::Store { .. }
                | Slow::Builtin { .. }
                | Slow::Memory { .. }
        )
    };
    let copies = |passing: &Passing| matches!(passing, Passing::Struct { .. });
    let mut sites = code.sites.iter();
    code.slow.iter().all(is_plain) && !sites.any(|site| site.passing.iter().any(copies))
}

impl Observer for Recorder<'_> {
    const STATEMENTS: bool = true;
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;

    fn statement(&mut self, statement: StatementId) {
        self.control.begin(statement);
    }

    fn derive(&mut self, at: At<'_>, sources: &[Operand], results: &mut [u32]) {
        let from = shadows(sources);
        let mut different: Vec<InstanceId> = from.into_iter().filter(|&s| s != START).collect();
        different.sort_unstable();
        different.dedup();
        let shadow = match different[..] {
            // A rare operation may be a division, too.
            _ if at.op().is_division() || matches!(at.op(), Op::Slow { .. }) => {
                self.push_at(Kind::Division, at, &different)
            }
            [] => START,
            [one] => one,
            _ => self.push_at(Kind::Value, at, &different),
        };
        results.fill(shadow.0);
    }

    fn assemble(&mut self, at: At<'_>, shades: &[Shade], _: &[u8]) -> u32 {
        let from: Vec<InstanceId> = shades.iter().map(|shade| InstanceId(shade.shadow)).collect();
        self.push(Kind::Value, at.function(), at.inst(), &from).0
    }

    fn consume(&mut self, _: At<'_>, _: Use, _: Operand) {
        // A use of a value without a known purpose cannot be followed.
        self.found.is_whole = false;
    }

    fn see(&mut self, _: At<'_>, _: u64, _: u64) {
        // Nor can a read of memory other than a plain one.
        self.found.is_whole = false;
    }

    fn decide(&mut self, _: At<'_>, sources: &[Operand]) {
        self.deciding = shadows(sources);
    }

    fn branch(&mut self, at: At<'_>, _: bool) {
        self.decided(at);
    }

    fn jump(&mut self, at: At<'_>, _: u32) {
        self.decided(at);
    }

    fn define(&mut self, at: At<'_>, register: Reg, value: Operand) -> u32 {
        let sites = self.control.places.of(at.function());
        let kind = match sites.slot(register) {
            Some(slot) => Kind::Slot(slot),
            None if sites.is_phi(at.pc) => Kind::Phi,
            None => return value.shadow,
        };
        self.push(kind, at.function(), at.inst(), &[InstanceId(value.shadow)]).0
    }

    fn load(&mut self, at: At<'_>, memory: &Memory, from: &Pointer, words: &mut [u32]) -> bool {
        let (mut sources, since) = self.writers(memory, from.address(), u64::from(from.bytes));
        sources.extend(shadows(&[from.base, from.index]));
        let id = self.push_at(Kind::Load, at, &sources);
        self.found.all[id].since = if from.is_shadowed() { START } else { since };
        words.fill(id.0);
        true
    }

    fn store(&mut self, at: At<'_>, _: &Memory, to: &Pointer, words: &[Operand]) -> Option<Spread> {
        let mut sources = shadows(words);
        sources.extend(shadows(&[to.base, to.index]));
        let id = self.push_at(Kind::Store, at, &sources);
        self.found.all[id].is_fixed = !to.is_shadowed();
        self.found.writes.push(id);
        Some(spread(to.address(), to.bytes.into(), id.0))
    }

    fn transfer(
        &mut self,
        at: At<'_>,
        memory: &Memory,
        how: Builtin,
        [to, from, size]: [Operand; 3],
    ) -> Option<Spread> {
        let bytes = size.bits.min(exec::memory::MAX_OBJECT);
        let (mut sources, since) = match how {
            Builtin::Memset => (Vec::new(), InstanceId::NEVER),
            _ => self.writers(memory, from.bits, bytes),
        };
        sources.extend(shadows(&[to, from, size]));
        let id = self.push_at(Kind::Transfer, at, &sources);
        let instance = &mut self.found.all[id];
        instance.is_fixed = to.shadow | size.shadow == 0;
        let reads_fixed = how == Builtin::Memset || from.shadow | size.shadow == 0;
        instance.since = if reads_fixed { since } else { START };
        self.found.writes.push(id);
        // A range that cannot be written ends the run.
        memory.object_at(to.bits).filter(|object| object.size >= bytes)?;
        Some(spread(to.bits, bytes, id.0))
    }

    fn invoke(&mut self, at: At<'_>, target: Option<Operand>) {
        self.calling = target.map(|target| {
            let id = self.push_at(Kind::Call, at, &[InstanceId(target.shadow)]);
            self.note_decision(id);
            id
        });
    }

    fn give(&mut self, at: At<'_>, _: usize, value: Operand) -> u32 {
        self.push_at(Kind::Return, at, &[InstanceId(value.shadow)]).0
    }

    fn finish(&mut self, results: &[Operand]) {
        self.ending = shadows(results);
    }

    fn enter(&mut self, function: FuncId) {
        let call = self.calling.take().unwrap_or_else(|| self.control.control());
        let (program, known) = (self.program, &mut self.followed[function]);
        self.found.is_whole &= *known.get_or_insert_with(|| is_followed(program.code(function)));
        self.found.of_activation.push(Vec::new());
        self.control.enter(function, call);
    }

    fn leave(&mut self, _: FuncId) {
        self.control.leave();
    }

    fn call(&mut self, at: At<'_>, shim: &'static Shim, args: &[Operand], state: &mut State) {
        self.calling = None;
        let number = shims::find(shim.name).unwrap_or(u32::MAX);
        self.pending = Some((number, at.function(), at.inst(), shadows(args)));
        state.memory.watch_traffic();
    }

    fn answer(
        &mut self,
        at: At<'_>,
        shim: &'static Shim,
        args: &[Operand],
        state: &mut State,
        _: u64,
    ) -> u32 {
        self.pending = None;
        let traffic = state.memory.watched_traffic();
        let mut sources = shadows(args);
        for &(address, size) in &traffic.reads {
            sources.extend(self.writers(&state.memory, address, size).0);
        }
        let number = shims::find(shim.name).unwrap_or(u32::MAX);
        let id = self.push_at(Kind::Shim(number), at, &sources);
        self.found.writes.push(id);
        mark_written(&mut state.memory, &traffic.writes, id.0);
        id.0
    }
}

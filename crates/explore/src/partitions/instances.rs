//! The dynamic dependence graph of one run, at the level of instructions.
//!
//! An *instance* is one execution of an instruction that matters: a write of a local variable, a
//! read or write of memory, a decision, a call of the machine, a computation from several
//! instances. It knows the instances that its operands come from and the decision that it hangs
//! on. Shadows are instances; what comes from nothing has none. Instances are numbered in the
//! order of time. The first is the start of the run, the last its end.

use base::entity::PrimaryMap;
use exec::code::{Code, Op, Passing, Reg, Slow};
use exec::memory::{Memory, Shade};
use exec::observer::{At, Operand, Pointer, Spread, Use};
use exec::shims::{self, Shim};
use exec::state::State;
use exec::{Limits, Machine, Observer, Program, Stop};
use inputs::Layout;
use ir::{BinaryOp, BlockId, Builtin, FuncId, InstId, SlotId, StatementId};
use rustc_hash::FxHashMap;

use crate::harness::Harness;
use crate::trace::Postdominators;
use crate::trace::sites::{Places, block_of};
use crate::trace::{Site, SiteId};

/// Instances of a run, at most; longer runs have no slices.
const MOST: usize = 1 << 18;

/// The number of an instance.
pub(super) type InstanceId = u32;

pub(super) const START: InstanceId = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Start,
    /// A local variable is written.
    Slot(SlotId),
    /// A value that depends on the way that control took.
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
    /// A function of the machine, by its number among them.
    Shim(u32),
    Return,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub kind: Kind,
    pub function: FuncId,
    pub inst: InstId,
    /// The activation of its function.
    pub activation: u32,
    pub control: InstanceId,
    /// For reads of memory: nothing before this one can have written what is read. Where an
    /// address may be another one on another input, that is the start.
    pub since: InstanceId,
    /// For writes to memory: whether the address is the same on all inputs.
    is_fixed: bool,
    sources: (u32, u32),
}

/// All instances of a run.
pub(super) struct Instances {
    pub all: Vec<Instance>,
    sources: Vec<InstanceId>,
    /// By place and moment, as steps of a path have them.
    pub by_moment: FxHashMap<(FuncId, InstId, u64), InstanceId>,
    /// Decisions and calls through pointers, ascending, and those of each activation.
    pub decisions: Vec<InstanceId>,
    pub of_activation: Vec<Vec<InstanceId>>,
    /// Writes to memory, ascending.
    pub writes: Vec<InstanceId>,
    /// Whether there are all of them, and everything that they do is known.
    pub is_whole: bool,
    pub stop: Stop,
}

impl Instances {
    pub fn sources(&self, instance: InstanceId) -> &[InstanceId] {
        let (start, count) = self.all[instance as usize].sources;
        &self.sources[start as usize..(start + count) as usize]
    }

    pub fn end(&self) -> InstanceId {
        self.all.len() as InstanceId - 1
    }
}

/// Runs an input and records its instances.
pub(super) struct Slicer<'p> {
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
        let stop = match self.harness.start(&mut self.machine, input) {
            Ok(()) => self.machine.run(),
            Err(stop) => stop,
        };
        self.machine.observer.finish(stop)
    }
}

/// A function that was entered and not left.
struct Activation {
    number: u32,
    function: FuncId,
    /// What its call hangs on.
    call: InstanceId,
    /// Decisions whose ways have not met again, with the block where they do.
    regions: Vec<(InstanceId, Option<BlockId>)>,
}

/// The observer.
pub(super) struct Recorder<'p> {
    program: &'p Program,
    postdominators: &'p Postdominators,
    places: Places,
    sites: PrimaryMap<SiteId, Site>,
    found: Instances,
    activations: Vec<Activation>,
    entered: u32,
    /// By function: whether all that it does is followed.
    followed: Vec<Option<bool>>,
    deciding: Vec<InstanceId>,
    calling: Option<InstanceId>,
    /// A call of the machine that has not come back.
    pending: Option<(u32, FuncId, InstId, Vec<InstanceId>)>,
    ending: Vec<InstanceId>,
}

fn nothing() -> Instances {
    Instances {
        all: Vec::new(),
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
            postdominators,
            places: Places::default(),
            sites: PrimaryMap::new(),
            found: nothing(),
            activations: Vec::new(),
            entered: 0,
            followed: vec![None; program.module.functions.len()],
            deciding: Vec::new(),
            calling: None,
            pending: None,
            ending: Vec::new(),
        }
    }

    fn start(&mut self) {
        self.found = nothing();
        self.activations.clear();
        (self.entered, self.calling, self.pending) = (0, None, None);
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
        let last = self.found.all[self.found.all.len() - 1];
        let (function, inst) = (last.function, last.inst);
        let id = self.push(Kind::End, function, inst, &ending);
        // A run that is ended in a call hangs on all that the call hangs on.
        if let Some(instance) = self.found.all.get_mut(id as usize) {
            instance.control = last.control;
        }
        self.found.stop = stop;
        std::mem::replace(&mut self.found, nothing())
    }

    fn control(&self) -> InstanceId {
        match self.activations.last() {
            Some(Activation { regions, call, .. }) => regions.last().map_or(*call, |last| last.0),
            None => START,
        }
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
        let activation = self.activations.last().map_or(0, |activation| activation.number);
        let control = self.control();
        self.found.all.push(Instance {
            kind,
            function,
            inst,
            activation,
            control,
            since: START,
            is_fixed: false,
            sources: (start, count),
        });
        self.found.all.len() as InstanceId - 1
    }

    /// An instance of an instruction that steps of the path may come from.
    fn push_at(&mut self, kind: Kind, at: At<'_>, sources: &[InstanceId]) -> InstanceId {
        let id = self.push(kind, at.function(), at.inst(), sources);
        self.found.by_moment.insert((at.function(), at.inst(), at.steps), id);
        id
    }

    fn enter_block(&mut self, block: BlockId) {
        let Some(activation) = self.activations.last_mut() else { return };
        while activation.regions.last().is_some_and(|region| region.1 == Some(block)) {
            activation.regions.pop();
        }
    }

    fn decided(&mut self, at: At<'_>) {
        let sources = std::mem::take(&mut self.deciding);
        let id = self.push_at(Kind::Branch, at, &sources);
        self.note_decision(id);
        let Some(block) = block_of(self.program, at.code, at.pc) else { return };
        let ends = &self.postdominators.0[at.function()];
        let end = ends.get(block.as_u32() as usize).copied().flatten();
        let Some(activation) = self.activations.last_mut() else { return };
        match activation.regions.last_mut() {
            // The next round of a loop, or a decision that meets where the one before does.
            Some(last) if last.1 == end => last.0 = id,
            _ => activation.regions.push((id, end)),
        }
    }

    fn note_decision(&mut self, id: InstanceId) {
        self.found.decisions.push(id);
        let activation = self.found.all[id as usize].activation;
        self.found.of_activation[activation as usize].push(id);
    }

    /// The instances that bytes come from, and the first of them.
    fn writers(&self, memory: &Memory, address: u64, size: u64) -> (Vec<InstanceId>, InstanceId) {
        let shades = memory.shades(address, size);
        let mut writers: Vec<InstanceId> = Vec::new();
        let mut since = if shades.is_empty() { START } else { InstanceId::MAX };
        for shade in shades {
            let is_fixed = self.found.all[shade.shadow as usize].is_fixed;
            since = since.min(if is_fixed { shade.shadow } else { START });
            if writers.last() != Some(&shade.shadow) {
                writers.push(shade.shadow);
            }
        }
        if since == InstanceId::MAX || (shades.len() as u64) < size {
            since = START;
        }
        (writers, since)
    }
}

fn shadows(operands: &[Operand]) -> Vec<InstanceId> {
    operands.iter().map(|operand| operand.shadow).collect()
}

/// Whether all operations of a function tell what they read and write. Variable arguments, structs
/// that are passed as copies, atomic operations and assembly do not.
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

fn is_division(op: Op) -> bool {
    use BinaryOp::*;
    match op {
        Op::UDiv { .. } | Op::URem { .. } | Op::SDiv32 { .. } | Op::SRem32 { .. } => true,
        Op::Int { op, .. } => matches!(op, UDiv | URem | SDiv | SRem),
        // What is rare may be a division, too.
        Op::Slow { .. } => true,
        _ => false,
    }
}

impl Observer for Recorder<'_> {
    const STATEMENTS: bool = true;
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;

    fn statement(&mut self, statement: StatementId) {
        let Some(activation) = self.activations.last() else { return };
        let function = activation.function;
        let block = self.program.module.statements[statement].block;
        let sites = self.places.of(self.program, function, &mut self.sites);
        if sites.firsts.get(block.as_u32() as usize) == Some(&Some(statement)) {
            self.enter_block(block);
        }
    }

    fn derive(&mut self, at: At<'_>, sources: &[Operand], results: &mut [u32]) {
        let from = shadows(sources);
        let mut different: Vec<InstanceId> = from.into_iter().filter(|&s| s != START).collect();
        different.sort_unstable();
        different.dedup();
        let shadow = match different[..] {
            _ if is_division(at.op()) => self.push_at(Kind::Division, at, &different),
            [] => START,
            [one] => one,
            _ => self.push_at(Kind::Value, at, &different),
        };
        results.fill(shadow);
    }

    fn assemble(&mut self, at: At<'_>, shades: &[Shade], _: &[u8]) -> u32 {
        let from: Vec<InstanceId> = shades.iter().map(|shade| shade.shadow).collect();
        self.push(Kind::Value, at.function(), at.inst(), &from)
    }

    fn consume(&mut self, _: At<'_>, _: Use, _: Operand) {
        // Whoever uses a value up without saying for what cannot be followed.
        self.found.is_whole = false;
    }

    fn see(&mut self, _: At<'_>, _: u64, _: u64) {
        // Nor can who reads memory other than by a plain read.
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
        let sites = self.places.of(self.program, at.function(), &mut self.sites);
        let kind = match sites.slot(register) {
            Some(slot) => Kind::Slot(slot),
            None if sites.is_phi(at.pc) => Kind::Phi,
            None => return value.shadow,
        };
        self.push(kind, at.function(), at.inst(), &[value.shadow])
    }

    fn load(&mut self, at: At<'_>, memory: &Memory, from: &Pointer, words: &mut [u32]) -> bool {
        let (mut sources, since) = self.writers(memory, from.address(), u64::from(from.bytes));
        sources.extend([from.base.shadow, from.index.shadow]);
        let id = self.push_at(Kind::Load, at, &sources);
        let is_fixed = [from.base.shadow, from.index.shadow] == [START; 2];
        self.found.all[id as usize].since = if is_fixed { since } else { START };
        words.fill(id);
        true
    }

    fn store(&mut self, at: At<'_>, _: &Memory, to: &Pointer, words: &[Operand]) -> Option<Spread> {
        let mut sources = shadows(words);
        sources.extend([to.base.shadow, to.index.shadow]);
        let id = self.push_at(Kind::Store, at, &sources);
        self.found.all[id as usize].is_fixed = [to.base.shadow, to.index.shadow] == [START; 2];
        self.found.writes.push(id);
        let shade = Shade { shadow: id, part: 0, size: 1 };
        Some(Spread { address: to.address(), shades: vec![shade; to.bytes as usize] })
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
            Builtin::Memset => (Vec::new(), InstanceId::MAX),
            _ => self.writers(memory, from.bits, bytes),
        };
        sources.extend([to.shadow, from.shadow, size.shadow]);
        let id = self.push_at(Kind::Transfer, at, &sources);
        let instance = &mut self.found.all[id as usize];
        instance.is_fixed = [to.shadow, size.shadow] == [START; 2];
        let reads_fixed = how == Builtin::Memset || [from.shadow, size.shadow] == [START; 2];
        instance.since = if reads_fixed { since } else { START };
        self.found.writes.push(id);
        // A range that cannot be written ends the run.
        memory.object_at(to.bits).filter(|object| object.size >= bytes)?;
        let shade = Shade { shadow: id, part: 0, size: 1 };
        Some(Spread { address: to.bits, shades: vec![shade; bytes as usize] })
    }

    fn invoke(&mut self, at: At<'_>, target: Option<Operand>) {
        self.calling = target.map(|target| {
            let id = self.push_at(Kind::Call, at, &[target.shadow]);
            self.note_decision(id);
            id
        });
    }

    fn give(&mut self, at: At<'_>, _: usize, value: Operand) -> u32 {
        self.push_at(Kind::Return, at, &[value.shadow])
    }

    fn finish(&mut self, results: &[Operand]) {
        self.ending = shadows(results);
    }

    fn enter(&mut self, function: FuncId) {
        let call = self.calling.take().unwrap_or_else(|| self.control());
        let (program, index) = (self.program, function.as_u32() as usize);
        let known = &mut self.followed[index];
        self.found.is_whole &= *known.get_or_insert_with(|| is_followed(program.code(function)));
        self.entered += 1;
        self.found.of_activation.push(Vec::new());
        let (number, regions) = (self.entered, Vec::new());
        self.activations.push(Activation { number, function, call, regions });
    }

    fn leave(&mut self, _: FuncId) {
        self.activations.pop();
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
        let shade = Shade { shadow: id, part: 0, size: 1 };
        for &(address, size) in &traffic.writes {
            // What was written and cannot be written any more has no shadow.
            let _ = state.memory.set_shades(address, &vec![shade; size as usize]);
        }
        id
    }
}

//! The state of a run: memory, registers, frames and the state of the C library.
//!
//! Everything that a run can change is here, so that forking it forks the run.

use ir::FuncId;

use crate::code::{Passing, Reg};
use crate::libc::errno::Errno;
use crate::memory::{Allocation, Memory, MemoryResult};
use crate::process::{Input, Process};
use crate::shadow::{Operand, Spread};
use crate::stop::{Bound, Limits, ObjectKind, Site, Stop};
use crate::undefined::UndefinedOperations;

/// The native stack of a process, whose end is a fault.
pub(crate) const STACK_BYTES: u64 = 8 << 20;

/// Room beyond the current frame, so that any register number is within bounds.
pub(crate) const WINDOW: usize = 1 << 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub function: FuncId,
    /// Where the frame continues when its callee returns.
    pub pc: u32,
    /// First register of the frame.
    pub base: u32,
    /// The caller's register that gets the result, and how many may follow.
    pub result: Reg,
    pub results: u16,
    /// Number of local objects that were alive when the frame was entered.
    pub locals: u32,
    /// Unique among all frames of the run.
    pub serial: u64,
    /// Approximate size of the frame on a native stack, in bytes.
    pub stack: u32,
    pub then: Then,
    /// Arguments beyond the named parameters.
    pub extra: Option<Box<ExtraArguments>>,
}

/// The variable arguments of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtraArguments {
    pub words: Vec<u64>,
    /// The shadows of the words; empty if none has one.
    pub shadows: Vec<u32>,
    pub passing: Vec<Passing>,
}

/// What happens when a frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The caller continues with the result.
    Return,
    /// As before, but caller and function disagree about the type of the result: number of the
    /// caller's call site.
    Adapt { site: u32 },
    /// The caller continues with this result instead.
    Give(u64),
    /// The next constructor is run, then the entry.
    Constructor { next: usize },
    /// The program ends with the result.
    Entry,
    /// The next exit handler is run, then the program ends.
    Exit { code: i32 },
}

#[derive(Clone, Debug)]
pub struct State {
    pub memory: Memory,
    pub(crate) registers: Vec<u64>,
    /// The shadow of each register; as long as the registers if the observer asks for shadows,
    /// else empty.
    pub(crate) shadows: Vec<u32>,
    /// Shadows that memory gets when the current operation is done.
    pub(crate) spread: Spread,
    pub(crate) frames: Vec<Frame>,
    /// Addresses of live local objects, innermost last.
    pub(crate) locals: Vec<u64>,
    pub(crate) serial: u64,
    /// Approximate size of frames and local objects on a native stack, in bytes.
    pub(crate) stack: u64,
    pub steps: u64,
    pub limits: Limits,
    pub process: Process,
    /// The call site of the machine's own function that is running.
    pub site: Option<Site>,
    /// Reads of uninitialised slots.
    pub undefined_slots: u64,
    /// Undefined operations.
    pub undefined: UndefinedOperations,
    /// Whether the program has observed a difference between two otherwise equal states: how many
    /// steps were made (`clocked`), or which call of a function a frame belongs to (`marked`, by
    /// `setjmp`).
    pub(crate) clocked: bool,
    pub(crate) marked: bool,
    /// How the run ended, if it cannot continue.
    pub(crate) ended: Option<Stop>,
}

impl State {
    /// A second state that continues from the same point.
    pub fn fork(&mut self) -> State {
        let used = self.frames.last().map_or(0, |frame| frame.base as usize) + WINDOW;
        let mut registers = vec![0; self.registers.len()];
        registers[..used.min(self.registers.len())]
            .copy_from_slice(&self.registers[..used.min(self.registers.len())]);
        State {
            memory: self.memory.fork(),
            registers,
            shadows: self.shadows.clone(),
            spread: Spread::default(),
            frames: self.frames.clone(),
            locals: self.locals.clone(),
            process: self.process.clone(),
            ended: self.ended.clone(),
            undefined: self.undefined.clone(),
            ..*self
        }
    }

    /// Counts bulk work as steps, so that their bound also bounds the time.
    pub(crate) fn count_work(&mut self) {
        self.steps = self.steps.saturating_add(self.memory.take_work() / 64);
    }

    pub(crate) fn word(&self, base: usize, register: Reg) -> u64 {
        self.registers[base + usize::from(register)]
    }

    /// The functions that were entered and not left, the outermost first, with the operation that
    /// each continues at when its callee returns.
    pub fn activations(&self) -> impl ExactSizeIterator<Item = (FuncId, u32)> + '_ {
        self.frames.iter().map(|frame| (frame.function, frame.pc))
    }

    /// A register of a frame, counted from the outermost.
    pub fn register_of(&self, frame: usize, register: Reg) -> Operand {
        let at = self.frames.get(frame).map(|frame| frame.base as usize + usize::from(register));
        at.map_or(Operand::default(), |at| self.register_at(at))
    }

    /// A register by its place among those of all frames.
    pub fn register_at(&self, at: usize) -> Operand {
        let bits = self.registers.get(at).copied().unwrap_or(0);
        Operand { bits, shadow: self.shadows.get(at).copied().unwrap_or(0) }
    }

    /// The function that is being executed.
    pub fn function(&self) -> Option<FuncId> {
        self.frames.last().map(|frame| frame.function)
    }

    /// A new object on the stack of the innermost frame.
    pub fn allocate_local(&mut self, size: u64) -> Result<u64, Bound> {
        let what = Allocation { kind: ObjectKind::Stack, size, defined: false, site: self.site };
        let address = self.memory.allocate(what).map_err(|_| Bound::Memory)?;
        self.locals.push(address);
        self.stack += size;
        Ok(address)
    }

    /// Ends the life of local objects beyond the given number.
    pub(crate) fn free_locals(&mut self, keep: u32) {
        while self.locals.len() > keep as usize {
            if let Some(address) = self.locals.pop() {
                self.stack -= self.memory.free_local(address);
            }
        }
    }

    /// A heap block, as from `malloc`.
    pub fn allocate_heap(&mut self, size: u64, defined: bool) -> Result<u64, Bound> {
        let what = Allocation { kind: ObjectKind::Heap, size, defined, site: self.site };
        self.memory.allocate(what).map_err(|_| Bound::Memory)
    }

    /// Memory that the C library owns.
    pub fn allocate_system(&mut self, bytes: &[u8]) -> Result<u64, Bound> {
        self.memory.allocate_system(bytes, 0).map_err(|_| Bound::Memory)
    }

    /// As `allocate_system`, with a NUL at the end.
    pub fn allocate_string(&mut self, bytes: &[u8]) -> Result<u64, Bound> {
        self.memory.allocate_system(bytes, 1).map_err(|_| Bound::Memory)
    }

    pub fn set_errno(&mut self, errno: Errno) -> MemoryResult<()> {
        self.memory.write_u32(self.process.errno, errno.0 as u32)
    }
}

impl State {
    /// A state in which nothing has happened yet.
    pub(crate) fn new(memory: Memory, input: &Input, limits: Limits) -> State {
        State {
            memory,
            registers: Vec::new(),
            shadows: Vec::new(),
            spread: Spread::default(),
            frames: Vec::new(),
            locals: Vec::new(),
            serial: 0,
            stack: 0,
            steps: 0,
            limits,
            process: Process::new(input, limits),
            site: None,
            undefined_slots: 0,
            undefined: UndefinedOperations::default(),
            clocked: false,
            marked: false,
            ended: None,
        }
    }

    /// A state without a program, for functions of the C library that need no more.
    pub(crate) fn scratch() -> State {
        let limits = Limits::default();
        let mut state = State::new(Memory::new(limits.memory), &Input::default(), limits);
        state.process.errno = state.allocate_system(&[0; 4]).expect("an empty memory has room");
        state
    }
}

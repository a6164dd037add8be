//! Observers of a run. All methods do nothing by default and cost nothing then.

use ir::{Builtin, FuncId, InstId, StatementId};

use crate::code::{Code, Op, Reg};
use crate::memory::Memory;
pub use crate::memory::Shade;
pub use crate::shadow::{Operand, Spread};
use crate::shims::Shim;
use crate::state::State;
use crate::stop::Site;
use crate::undefined::UndefinedKind;

/// A place in a run.
#[derive(Clone, Copy, Debug)]
pub struct At<'c> {
    pub code: &'c Code,
    pub pc: usize,
    /// Steps of the run up to the last jump. Together with the place it identifies one instance of
    /// an instruction.
    pub steps: u64,
}

impl At<'_> {
    pub fn function(&self) -> FuncId {
        self.code.function
    }

    pub fn inst(&self) -> InstId {
        self.code.origins[self.pc]
    }

    pub fn op(&self) -> Op {
        self.code.ops[self.pc]
    }

    pub fn site(&self) -> Site {
        Site { function: self.function(), inst: self.inst() }
    }
}

/// How a shadowed value is consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// It decides where control goes.
    Control,
    /// It is part of an address or a size.
    Address,
    /// It is used in a way that leaves no shadow.
    Argument,
}

/// The address of an access: `base + index·scale + offset`.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    pub base: Operand,
    pub index: Operand,
    pub scale: i64,
    pub offset: i64,
    /// How many bytes are accessed.
    pub bytes: u32,
}

impl Pointer {
    pub fn address(&self) -> u64 {
        let distance = self.index.bits.wrapping_mul(self.scale as u64);
        self.base.bits.wrapping_add(distance).wrapping_add_signed(self.offset)
    }

    pub fn is_shadowed(&self) -> bool {
        self.base.shadow | self.index.shadow != 0
    }
}

pub trait Observer {
    /// Whether the observer sees statements. The program must be lowered accordingly.
    const STATEMENTS: bool = false;

    /// Whether undefined operations are recorded. Faults always end runs.
    const UNDEFINED: bool = false;

    /// Whether the observer sees output as it is written.
    const OUTPUT: bool = false;

    /// Whether values carry shadows. A shadow says how a value depends on the input. The observer
    /// defines its meaning, except that 0 means independent.
    const SHADOWS: bool = false;

    /// Whether the observer sees every definition, even without a shadow: decisions, reads, writes,
    /// arguments, results. Only together with shadows.
    const DEFINITIONS: bool = false;

    /// Whether the observer changes values as they are defined. Only together with definitions.
    const CHANGES: bool = false;

    /// The shadows of a result computed from registers, at least one of which has a shadow.
    fn derive(&mut self, _at: At<'_>, _sources: &[Operand], results: &mut [u32]) {
        results.fill(0);
    }

    /// A shadowed value is copied from one register to another.
    fn copy(&mut self, _at: At<'_>, _shadow: u32) {}

    /// The shadow of a value read from memory byte by byte, lowest first, if the bytes are not just
    /// those of one shadowed value.
    fn assemble(&mut self, _at: At<'_>, _shades: &[Shade], _bytes: &[u8]) -> u32 {
        0
    }

    /// A shadowed value is read from memory as it was written. Returns its shadow, 0 if what it
    /// depends on is decided.
    fn recall(&mut self, _at: At<'_>, shadow: u32) -> u32 {
        shadow
    }

    /// Shadowed bytes of memory are read.
    fn see(&mut self, _at: At<'_>, _address: u64, _size: u64) {}

    /// Registers decide where control goes. At least one has a shadow, unless the observer sees
    /// definitions.
    fn decide(&mut self, at: At<'_>, sources: &[Operand]) {
        for source in sources.iter().filter(|source| source.shadow != 0) {
            self.consume(at, Use::Control, *source);
        }
    }

    /// A shadowed value is used in a way that leaves no shadow.
    fn consume(&mut self, _at: At<'_>, _use: Use, _operand: Operand) {}

    /// A read at a shadowed address, or at any address if the observer sees definitions. Sets the
    /// shadows of the words read and returns true, or returns false to keep those of the bytes at
    /// the address.
    fn load(&mut self, at: At<'_>, _memory: &Memory, from: &Pointer, _words: &mut [u32]) -> bool {
        self.consume_pointer(at, from);
        false
    }

    /// A write at a shadowed address, or at any address if the observer sees definitions. Returns
    /// the changes of memory, or `None` if only the bytes at the address change.
    fn store(
        &mut self,
        at: At<'_>,
        _memory: &Memory,
        to: &Pointer,
        _words: &[Operand],
    ) -> Option<Spread> {
        self.consume_pointer(at, to);
        None
    }

    /// The parts of an address are consumed.
    fn consume_pointer(&mut self, at: At<'_>, pointer: &Pointer) {
        for part in [pointer.base, pointer.index] {
            if part.shadow != 0 {
                self.consume(at, Use::Address, part);
            }
        }
    }

    /// A function of the machine is about to be called.
    fn call(&mut self, at: At<'_>, _shim: &'static Shim, args: &[Operand], _state: &mut State) {
        for arg in args.iter().filter(|arg| arg.shadow != 0) {
            self.consume(at, Use::Argument, *arg);
        }
    }

    /// A function of the machine has returned; returns the shadow of its result.
    fn answer(
        &mut self,
        _at: At<'_>,
        _shim: &'static Shim,
        _args: &[Operand],
        _state: &mut State,
        _result: u64,
    ) -> u32 {
        0
    }

    /// A register got its value. Returns the value's shadow. Called only if the observer sees
    /// definitions, as are all of the following up to `transfer`.
    fn define(&mut self, _at: At<'_>, _register: Reg, value: Operand) -> u32 {
        value.shadow
    }

    /// The value that a register gets instead of the computed one. Called before the definition is
    /// reported, and only for observers that change values, as is the following.
    fn change(&mut self, _at: At<'_>, _register: Reg, bits: u64) -> u64 {
        bits
    }

    /// A register was written to memory.
    fn written(&mut self, _at: At<'_>, _memory: &mut Memory) {}

    /// A call is about to be made, through the address if there is one. Its arguments are reported
    /// next, then the entry of the function.
    fn invoke(&mut self, _at: At<'_>, _target: Option<Operand>) {}

    /// A register of a call's arguments becomes that parameter register of the callee. Returns its
    /// shadow there.
    fn pass(&mut self, _at: At<'_>, _parameter: usize, value: Operand) -> u32 {
        value.shadow
    }

    /// A register of a function's result. Returns its shadow in the caller.
    fn give(&mut self, _at: At<'_>, _index: usize, value: Operand) -> u32 {
        value.shadow
    }

    /// Memory is about to be copied, moved or filled: to, from (or the byte), size. Returns the new
    /// shadows, or that bytes keep theirs.
    fn transfer(
        &mut self,
        _at: At<'_>,
        _memory: &Memory,
        _how: Builtin,
        _operands: [Operand; 3],
    ) -> Option<Spread> {
        None
    }

    /// The entry returns.
    fn finish(&mut self, _results: &[Operand]) {}

    /// A statement of the program begins.
    fn statement(&mut self, _statement: StatementId) {}

    /// The innermost function is about to return to its caller; only if values carry shadows. The
    /// results are in consecutive registers of the state.
    fn returning(&mut self, _state: &State, _first: usize, _count: u16) {}

    /// A statement begins, with the state of the run at that moment. The innermost frame does not know its
    /// place.
    fn arrive(&mut self, statement: StatementId, _state: &State) {
        self.statement(statement);
    }

    /// A conditional branch was decided.
    fn branch(&mut self, _at: At<'_>, _taken: bool) {}

    /// A switch or computed goto went to an instruction.
    fn jump(&mut self, _at: At<'_>, _target: u32) {}

    /// An undefined operation was executed.
    fn undefined(&mut self, _at: At<'_>, _kind: UndefinedKind) {}

    fn read(&mut self, _at: At<'_>, _address: u64, _size: u64) {}

    fn write(&mut self, _at: At<'_>, _address: u64, _size: u64) {}

    /// A function with a body is entered.
    fn enter(&mut self, _function: FuncId) {}

    /// The innermost function returns.
    fn leave(&mut self, _function: FuncId) {}

    /// Bytes arrived at standard output (1) or standard error (2).
    fn output(&mut self, _descriptor: i32, _bytes: &[u8]) {}
}

/// The observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// Records the statements in the order of their execution.
#[derive(Clone, Debug, Default)]
pub struct StatementTrace {
    pub statements: Vec<StatementId>,
}

impl Observer for StatementTrace {
    const STATEMENTS: bool = true;

    fn statement(&mut self, statement: StatementId) {
        self.statements.push(statement);
    }
}

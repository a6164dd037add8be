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
    /// Steps of the run up to the last jump. With the place it names one instance of an
    /// instruction.
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

/// How a shadowed value is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// It decides where control goes.
    Control,
    /// It is part of an address or a size.
    Address,
    /// It is used where nothing can follow it.
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
    /// Whether statements are to be seen. The program must be lowered accordingly.
    const STATEMENTS: bool = false;

    /// Whether undefined operations are noted. Faults always end runs.
    const UNDEFINED: bool = false;

    /// Whether output is to be seen as it is written.
    const OUTPUT: bool = false;

    /// Whether values carry shadows. A shadow says how a value depends on the input; what its
    /// number means is the observer's matter, except that 0 means that it does not.
    const SHADOWS: bool = false;

    /// Whether every definition is to be seen, also of what has no shadow: decisions, reads,
    /// writes, arguments, results. Only together with shadows.
    const DEFINITIONS: bool = false;

    /// Whether values are changed as they are defined. Only together with definitions.
    const CHANGES: bool = false;

    /// The shadows of what is computed from registers, of which at least one has a shadow.
    fn derive(&mut self, _at: At<'_>, _sources: &[Operand], results: &mut [u32]) {
        results.fill(0);
    }

    /// A shadowed value is copied from one register to another.
    fn copy(&mut self, _at: At<'_>, _shadow: u32) {}

    /// The shadow of a value that is read from memory byte by byte, lowest first, where the
    /// bytes are not just those of one shadowed value.
    fn assemble(&mut self, _at: At<'_>, _shades: &[Shade], _bytes: &[u8]) -> u32 {
        0
    }

    /// Shadowed bytes of memory are read.
    fn see(&mut self, _at: At<'_>, _address: u64, _size: u64) {}

    /// Registers decide where control goes. At least one has a shadow, unless definitions are
    /// to be seen.
    fn decide(&mut self, at: At<'_>, sources: &[Operand]) {
        for source in sources.iter().filter(|source| source.shadow != 0) {
            self.consume(at, Use::Control, *source);
        }
    }

    /// A shadowed value is used in a way that leaves no shadow.
    fn consume(&mut self, _at: At<'_>, _use: Use, _operand: Operand) {}

    /// A read at a shadowed address, or at any address if the observer sees definitions. Sets the
    /// shadows of the words read and returns true, or returns false if they are those of the bytes
    /// at the address.
    fn load(&mut self, at: At<'_>, _memory: &Memory, from: &Pointer, _words: &mut [u32]) -> bool {
        self.consume_pointer(at, from);
        false
    }

    /// A write at a shadowed address, or at any address if the observer sees definitions. Returns
    /// what changes in memory, or `None` if only the bytes at the address do.
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

    /// The parts of an address are used up.
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

    /// A function of the machine has returned; gives the shadow of its result.
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

    /// What a register gets instead of the value that was computed for it. Asked before the
    /// definition is told, and only by who changes values, as is the following.
    fn change(&mut self, _at: At<'_>, _register: Reg, bits: u64) -> u64 {
        bits
    }

    /// A register was written to memory.
    fn written(&mut self, _at: At<'_>, _memory: &mut Memory) {}

    /// A call is about to be made, through the address if there is one. Its arguments are reported
    /// next, then that the function is entered.
    fn invoke(&mut self, _at: At<'_>, _target: Option<Operand>) {}

    /// A register of a call's arguments becomes that parameter register of the callee. Gives
    /// its shadow there.
    fn pass(&mut self, _at: At<'_>, _parameter: usize, value: Operand) -> u32 {
        value.shadow
    }

    /// A register of a function's result. Gives its shadow in the caller.
    fn give(&mut self, _at: At<'_>, _index: usize, value: Operand) -> u32 {
        value.shadow
    }

    /// Memory is about to be copied, moved or filled: to, from (or the byte), size. Gives what
    /// memory gets, or says that bytes keep their shadows.
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

    /// A conditional branch was decided.
    fn branch(&mut self, _at: At<'_>, _taken: bool) {}

    /// A switch or computed goto went to an instruction.
    fn jump(&mut self, _at: At<'_>, _target: u32) {}

    /// An operation whose result the language leaves undefined was executed.
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

/// Keeps the statements in the order of their execution.
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

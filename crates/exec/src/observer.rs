//! Who watches a run. All methods do nothing by default and cost nothing then.

use ir::{FuncId, InstId, StatementId};

use crate::code::Code;
pub use crate::memory::Shade;

/// A place in running code.
#[derive(Clone, Copy, Debug)]
pub struct At<'c> {
    pub code: &'c Code,
    pub pc: usize,
}

impl At<'_> {
    pub fn function(&self) -> FuncId {
        self.code.function
    }

    pub fn inst(&self) -> InstId {
        self.code.origins[self.pc]
    }
}

/// How a shadowed value is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It decides where control goes.
    Control,
    /// It is part of an address or a size.
    Address,
    /// It is an argument of a function of the machine.
    Argument,
}

pub trait Observer {
    /// Whether statements are to be seen. The program must be lowered accordingly.
    const STATEMENTS: bool = false;

    /// Whether output is to be seen as it is written.
    const OUTPUT: bool = false;

    /// Whether values carry shadows. A shadow says how a value depends on the input; what its
    /// number means is the observer's matter, except that 0 means that it does not.
    const SHADOWS: bool = false;

    /// The shadow of a value that is computed from registers with these shadows, of which at
    /// least one is not 0.
    fn derive(&mut self, _at: At<'_>, _sources: &[u32]) -> u32 {
        0
    }

    /// The shadow of a value that is read from memory byte by byte, lowest first, where the
    /// bytes are not just those of one shadowed value.
    fn assemble(&mut self, _at: At<'_>, _bytes: &[Shade]) -> u32 {
        0
    }

    /// A shadowed value is used in a way that leaves no shadow.
    fn consume(&mut self, _at: At<'_>, _use: Use, _shadow: u32) {}

    /// A statement of the program begins.
    fn statement(&mut self, _statement: StatementId) {}

    /// A conditional branch was decided.
    fn branch(&mut self, _at: At<'_>, _taken: bool) {}

    /// A switch or computed goto went to an instruction.
    fn jump(&mut self, _at: At<'_>, _target: u32) {}

    fn read(&mut self, _at: At<'_>, _address: u64, _size: u64) {}

    fn write(&mut self, _at: At<'_>, _address: u64, _size: u64) {}

    /// A function with a body is entered.
    fn enter(&mut self, _function: FuncId) {}

    /// The innermost function returns.
    fn leave(&mut self, _function: FuncId) {}

    /// Bytes arrived at standard output (1) or standard error (2).
    fn output(&mut self, _descriptor: i32, _bytes: &[u8]) {}
}

/// Nobody watches.
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

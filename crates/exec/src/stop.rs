//! How a run ends: by itself, by a fault of the program, by a missing feature or at a bound.

use ir::{FuncId, InstId};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program ended by itself.
    Exit(i32),
    /// The program ended by a signal that it sent to itself and did not catch.
    Signal(i32),
    /// The program did something undefined: a finding, not a failure of ours.
    Fault(Box<Fault>),
    /// We do not model this; says nothing about the program.
    Unsupported(Box<Unsupported>),
    /// A bound was hit; what the program would have done is unknown.
    Exhausted(Bound),
}

/// A place in the program: an instruction of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub function: FuncId,
    pub inst: InstId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// Where it happened, innermost call first.
    pub stack: Vec<Site>,
    /// Where the object concerned was allocated and freed, if it was.
    pub allocated: Option<Site>,
    pub freed: Option<Site>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An access of `size` bytes that touches address 0 or its neighbourhood.
    Null {
        access: Access,
        address: u64,
        size: u64,
    },
    /// An access that is not within the object that the address points to or near.
    OutOfBounds {
        access: Access,
        offset: i64,
        size: u64,
        object: ObjectDescription,
    },
    UseAfterFree {
        access: Access,
        offset: i64,
        size: u64,
        object: ObjectDescription,
    },
    /// An access through an address that belongs to no object.
    Wild {
        access: Access,
        address: u64,
        size: u64,
    },
    WriteToConstant {
        object: ObjectDescription,
    },
    DoubleFree {
        object: ObjectDescription,
    },
    /// `free` or `realloc` of something that is not the start of a heap block.
    InvalidFree {
        address: u64,
    },
    /// `memcpy` of overlapping ranges.
    Overlap {
        size: u64,
    },
    Uninitialised {
        size: u64,
    },
    DivisionByZero,
    /// The quotient of the smallest integer and -1 does not fit.
    DivisionOverflow,
    /// A call through an address that is no function.
    InvalidCall {
        address: u64,
    },
    /// A computed goto to an address that is no label of the function.
    InvalidJump {
        address: u64,
    },
    /// `longjmp` to a frame that has returned.
    InvalidLongjmp,
    StackOverflow,
    /// Control reached a point that the compiler assumes to be unreachable.
    Unreachable,
    /// A trap instruction.
    Trap,
    Abort,
    /// A failed `assert`: the message that the C library prints.
    Assertion {
        message: String,
    },
    /// The C library found a fortified call overflowing its buffer.
    BufferOverflow,
}

/// The object that a fault concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectDescription {
    pub kind: ObjectKind,
    pub size: u64,
    /// Name of a global or local variable.
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Global,
    Stack,
    Heap,
    /// Memory that the C library or the system owns: `errno`, arguments, streams.
    System,
    /// A global variable that nothing defines. It has an address and no memory.
    Undefined,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unsupported {
    pub feature: Feature,
    pub site: Option<Site>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// A library function that is not modelled.
    Call(String),
    /// An unsupported use of a modelled function.
    Use {
        function: String,
        what: String,
    },
    Instruction(String),
    Assembly(String),
    /// A function whose body could not be read.
    Unreadable {
        function: String,
        reason: String,
    },
    /// A global variable that no module defines.
    UndefinedGlobal(String),
}

/// Bounds of a run. Reaching one ends it as exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of the register form, and one for every 64 bytes that a single one of
    /// them or a library function moves or searches.
    pub steps: u64,
    /// Bytes of live objects.
    pub memory: u64,
    /// Bytes written to all files and streams.
    pub output: u64,
    /// Nested calls.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 100_000_000_000, memory: 4 << 30, output: 1 << 30, depth: 1 << 20 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    Steps,
    Memory,
    Output,
    Depth,
}

impl FaultKind {
    /// The signal that ends the native program in such a case.
    pub fn signal(&self) -> i32 {
        match self {
            FaultKind::DivisionByZero | FaultKind::DivisionOverflow => 8,
            FaultKind::Abort
            | FaultKind::Assertion { .. }
            | FaultKind::BufferOverflow
            | FaultKind::DoubleFree { .. }
            | FaultKind::InvalidFree { .. }
            | FaultKind::InvalidLongjmp => 6,
            FaultKind::Trap | FaultKind::Unreachable => 4,
            _ => 11,
        }
    }

    /// Whether every native program ends here, whatever its memory layout.
    pub fn is_certain(&self) -> bool {
        matches!(
            self,
            FaultKind::Null { .. }
                | FaultKind::DivisionByZero
                | FaultKind::DivisionOverflow
                | FaultKind::Trap
                | FaultKind::Abort
                | FaultKind::Assertion { .. }
                | FaultKind::BufferOverflow
        )
    }
}

impl Stop {
    /// The exit status that a shell shows for a program that ends like this;
    /// `None` if nothing is known about the program's end.
    pub fn status(&self) -> Option<i32> {
        match self {
            Stop::Exit(code) => Some(code & 0xff),
            Stop::Signal(signal) => Some(128 + signal),
            Stop::Fault(fault) => Some(128 + fault.kind.signal()),
            Stop::Unsupported(_) | Stop::Exhausted(_) => None,
        }
    }
}

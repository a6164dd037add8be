//! What a call does to memory.
//!
//! A model says which memory a call reads and writes, what it returns, which functions it calls,
//! and how it ends. Memory is meant by the argument that points to it. State that the library
//! keeps for itself (files, the clock, …) has names.
//!
//! Not modelled: what `%n` in a format writes; `errno` of functions that cannot fail.

/// Which argument or arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    One(usize),
    /// All that the callee's type does not name.
    Unnamed,
    All,
}

/// How far an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The objects that the argument points to.
    Pointee,
    /// Everything that can be reached from it.
    Reachable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Reads(Which, Depth),
    Writes(Which, Depth),
    /// Copies what the second argument points to into what the first points to.
    Copies(usize, usize),
    /// Stores the second argument in what the first points to.
    Stores(usize, usize),
    ReadsState(u32),
    WritesState(u32),
    Returns(Returned),
    /// Calls the function that an argument points to, with some of the other arguments.
    Calls(usize, &'static [usize]),
    /// Keeps the function that an argument points to, to call it at some other time.
    Keeps(usize),
    /// The same for functions whose addresses are in what an argument points to.
    KeepsInside(usize),
    /// What an argument points to is a pointer; a new block is stored there.
    Allocates(usize),
    Ends(End),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    Argument(usize),
    /// Somewhere in what an argument points to.
    Inside(usize),
    /// A new block of memory.
    New,
    /// A new block with the contents of what an argument points to.
    Resized(usize),
    /// Memory that the library keeps.
    State(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exits,
    Jumps,
    Sets,
}

/// The names of the library's state; a number of a state is a place in here.
pub(crate) const STATES: [&str; 12] = [
    "files",
    "console",
    "errno",
    "clock",
    "process",
    "library memory",
    "locale",
    "signals",
    "random numbers",
    "memory map",
    "rounding",
    "command line",
];

pub const FILES: u32 = 0;
pub const CONSOLE: u32 = 1;
pub const ERRNO: u32 = 2;
pub const SIGNALS: u32 = 7;
pub const COMMAND_LINE: u32 = 11;
pub const STATE_COUNT: u32 = STATES.len() as u32;

pub fn state_name(state: u32) -> &'static str {
    STATES.get(state as usize).copied().unwrap_or("library")
}

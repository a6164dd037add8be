//! What a call does to memory.
//!
//! A model says which memory a call reads and writes, what it returns, which functions it calls,
//! and how it ends. Memory is identified by the argument that points to it. Internal state of the
//! library (files, the clock, …) has names.
//!
//! Not modelled: what `%n` in a format writes; `errno` of functions that cannot fail.

/// Which argument or arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    One(usize),
    /// All variadic arguments.
    Unnamed,
    All,
}

/// How far an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The objects that the argument points to.
    Pointee,
    /// Everything reachable from it.
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
    /// Keeps the function that an argument points to and calls it later.
    Keeps(usize),
    /// The same for functions whose addresses are stored in what an argument points to.
    KeepsInside(usize),
    /// Stores a new block through an argument that points to a pointer.
    Allocates(usize),
    Ends(End),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    Argument(usize),
    /// A pointer into what an argument points to.
    Inside(usize),
    /// A new block of memory.
    New,
    /// A new block with the contents of what an argument points to.
    Resized(usize),
    /// Memory that the library owns.
    State(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exits,
    Jumps,
    Sets,
}

/// The names of the library's state, indexed by the number of a state.
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

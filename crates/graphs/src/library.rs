//! What functions without code do to memory: models of the C library and the system.
//!
//! A model says which memory a call reads and writes, what it returns, which functions it calls,
//! and how it ends. Memory is meant by the argument that points to it. State that the library
//! keeps for itself (files, the clock, …) has names. Whatever has no model is unknown code, which
//! may do anything to what it can reach.
//!
//! Not modelled: what `%n` in a format writes; `errno` of functions that cannot fail.

mod table;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

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
const STATES: [&str; 12] = [
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
pub const SIGNALS: u32 = 7;
pub const COMMAND_LINE: u32 = 11;
pub const STATE_COUNT: u32 = STATES.len() as u32;

pub fn state_name(state: u32) -> &'static str {
    STATES.get(state as usize).copied().unwrap_or("library")
}

/// Functions that make what is written to standard output readable for the program.
pub const REDIRECTS: [&str; 12] = [
    "freopen",
    "freopen64",
    "dup",
    "dup2",
    "dup3",
    "fcntl",
    "fcntl64",
    "pipe",
    "pipe2",
    "fork",
    "popen",
    "socketpair",
];

/// The model of a function, if there is one.
pub fn model(name: &str) -> Option<&'static [Effect]> {
    static MODELS: LazyLock<FxHashMap<&'static str, Vec<Effect>>> = LazyLock::new(read_table);
    if let Some(effects) = MODELS.get(name) {
        return Some(effects);
    }
    is_arithmetic(name).then_some(&[])
}

/// How calls of a function without code end.
pub fn end(name: &str) -> Option<End> {
    let effects = model(name)?;
    effects.iter().find_map(|effect| match effect {
        Effect::Ends(end) => Some(*end),
        _ => None,
    })
}

fn read_table() -> FxHashMap<&'static str, Vec<Effect>> {
    let mut models = FxHashMap::default();
    for line in table::TABLE.lines().filter(|line| !line.trim().is_empty()) {
        let (effects, names) = line.split_once('|').expect("a line of the table has a bar");
        let effects: Vec<Effect> = effects
            .split_whitespace()
            .map(|word| effect(word).expect("every word of the table is an effect"))
            .collect();
        for name in names.split_whitespace() {
            models.insert(name, effects.clone());
        }
    }
    models
}

/// Reads one word of the table.
fn effect(word: &'static str) -> Option<Effect> {
    let (first, rest) = word.split_at(1);
    Some(match first {
        "r" => Effect::Reads(which(rest)?, Depth::Pointee),
        "R" => Effect::Reads(which(rest)?, Depth::Reachable),
        "w" => Effect::Writes(which(rest)?, Depth::Pointee),
        "W" => Effect::Writes(which(rest)?, Depth::Reachable),
        "<" => Effect::ReadsState(state(rest)?),
        ">" => Effect::WritesState(state(rest)?),
        "c" => {
            let (to, from) = rest.split_at(1);
            Effect::Copies(to.parse().ok()?, from.parse().ok()?)
        }
        "s" => {
            let (to, from) = rest.split_at(1);
            Effect::Stores(to.parse().ok()?, from.parse().ok()?)
        }
        "=" if rest == "new" => Effect::Returns(Returned::New),
        "=" => match rest.parse() {
            Ok(index) => Effect::Returns(Returned::Argument(index)),
            Err(_) => Effect::Returns(Returned::State(state(rest)?)),
        },
        "~" => Effect::Returns(Returned::Inside(rest.parse().ok()?)),
        "^" => Effect::Returns(Returned::Resized(rest.parse().ok()?)),
        "*" => Effect::Allocates(rest.parse().ok()?),
        "k" => Effect::Keeps(rest.parse().ok()?),
        "K" => Effect::KeepsInside(rest.parse().ok()?),
        "f" => match rest {
            "0" => Effect::Calls(0, &[]),
            "1" => Effect::Calls(1, &[]),
            "2(3)" => Effect::Calls(2, &[3]),
            "1(2)" => Effect::Calls(1, &[2]),
            "0(1)" => Effect::Calls(0, &[1]),
            "0(3)" => Effect::Calls(0, &[3]),
            _ => return None,
        },
        "!" => Effect::Ends(match rest {
            "exit" => End::Exits,
            "jump" => End::Jumps,
            "set" => End::Sets,
            _ => return None,
        }),
        _ => return None,
    })
}

fn which(text: &str) -> Option<Which> {
    match text {
        "*" => Some(Which::Unnamed),
        "?" => Some(Which::All),
        index => Some(Which::One(index.parse().ok()?)),
    }
}

fn state(name: &str) -> Option<u32> {
    let position = STATES.iter().position(|known| known.split(' ').next() == Some(name))?;
    Some(position as u32)
}

/// Functions of math.h and complex.h whose result depends on their arguments alone.
fn is_arithmetic(name: &str) -> bool {
    let plain = name.strip_prefix("__").unwrap_or(name);
    let plain = plain.strip_suffix("_finite").unwrap_or(plain);
    let known = |name: &str| table::ARITHMETIC.split_whitespace().any(|known| known == name);
    let without = |suffix: &str| plain.strip_suffix(suffix).is_some_and(known);
    known(plain) || without("f") || without("l")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_say_what_is_read_written_and_returned() {
        let effects = model("memcpy").unwrap();
        assert!(effects.contains(&Effect::Copies(0, 1)));
        assert!(effects.contains(&Effect::Returns(Returned::Argument(0))));
        assert_eq!(end("exit"), Some(End::Exits));
        assert_eq!(model("cosf"), Some(&[][..]));
        assert_eq!(model("no_such_function"), None);
    }
}

//! Functions of the C library and the system that the machine provides itself.
//!
//! Each is a Rust function over the state of the run. Pure functions are not here: they
//! are C code in the runtime, executed like the program.

mod absent;
mod alloc;
mod answer;
mod atoms;
mod children;
mod descriptors;
mod directory;
mod files;
mod format_one;
mod mapping;
mod math;
mod network;
mod number;
mod print;
mod process;
mod quick;
mod ready;
mod resource;
mod scanf;
mod signal;
mod startup;
mod stat;
mod stdio;
mod system;
mod system_call;
mod temporary;
mod thread;
mod time;

#[cfg(test)]
mod testing;

pub use math::{MathLibrary, uses_math_library};

use library::Handling;

use crate::code::Passing;
use crate::memory::Violation;
use crate::state::State;
use crate::stop::{Bound, FaultKind};

pub struct Shim {
    pub name: &'static str,
    /// Whether the C runtime has the function too, for runs that look inside it.
    pub has_twin: bool,
    /// What it does with values that depend on the input.
    pub handling: Option<Handling>,
    pub run: Run,
}

impl Shim {
    fn new(name: &'static str, has_twin: bool, run: Run) -> Shim {
        let handling = library::find(name).and_then(|function| function.handling);
        Shim { name, has_twin, handling, run }
    }
}

/// A function over the state of the run.
type Run = fn(&mut State, &Arguments<'_>) -> ShimResult;

pub type ShimResult = Result<Outcome, Trouble>;

/// How a shim ends successfully.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result; any value for functions without one.
    Value(u64),
    /// A result of two registers: `long double`, or a struct of two words.
    Pair(u64, u64),
    /// Calls a function of the program; `give` replaces its result.
    Call {
        address: u64,
        args: Vec<u64>,
        give: u64,
    },
    /// The program exits, after its exit handlers.
    Exit(i32),
    SetJump {
        buffer: u64,
    },
    LongJump {
        buffer: u64,
        value: u64,
    },
}

/// Why a shim cannot continue.
#[derive(Clone, Debug)]
pub enum Trouble {
    Violation(Box<Violation>),
    Fault(FaultKind),
    Exhausted(Bound),
    /// The process dies of a signal.
    Signal(i32),
    /// The process ends at once, without exit handlers.
    Exit(i32),
    /// The unsupported aspect of the call.
    Unsupported(String),
}

impl From<Box<Violation>> for Trouble {
    fn from(violation: Box<Violation>) -> Trouble {
        Trouble::Violation(violation)
    }
}

impl From<Bound> for Trouble {
    fn from(bound: Bound) -> Trouble {
        Trouble::Exhausted(bound)
    }
}

/// The arguments of a call.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// All registers, in order.
    pub words: &'a [u64],
    pub passing: &'a [Passing],
    /// How many arguments are named.
    pub fixed: usize,
}

impl Arguments<'_> {
    /// The register where an argument starts.
    fn start(&self, index: usize) -> usize {
        self.passing.iter().take(index).map(|passing| usize::from(passing.registers())).sum()
    }

    /// An argument of one register; 0 if the call does not pass it.
    pub fn word(&self, index: usize) -> u64 {
        self.words.get(self.start(index)).copied().unwrap_or(0)
    }

    pub fn int(&self, index: usize) -> i32 {
        self.word(index) as i32
    }

    pub fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.word(index))
    }

    /// Mantissa and sign with exponent of a `long double`.
    pub fn long_double(&self, index: usize) -> (u64, u16) {
        let start = self.start(index);
        let high = self.words.get(start + 1).copied().unwrap_or(0);
        (self.words.get(start).copied().unwrap_or(0), high as u16)
    }
}

/// All shims, sorted by name.
fn table() -> &'static [Shim] {
    static TABLE: std::sync::LazyLock<Vec<Shim>> = std::sync::LazyLock::new(|| {
        let of_runtime = |name: &'static str, run| {
            Shim::new(name, crate::runtime::member_defining(name).is_some(), run)
        };
        let mut all: Vec<Shim> = Vec::new();
        let single = [
            absent::SHIMS,
            alloc::SHIMS,
            atoms::SHIMS,
            children::SHIMS,
            descriptors::SHIMS,
            directory::SHIMS,
            files::SHIMS,
            format_one::SHIMS,
            mapping::SHIMS,
            network::SHIMS,
            number::SHIMS,
            print::SHIMS,
            process::SHIMS,
            ready::SHIMS,
            resource::SHIMS,
            scanf::SHIMS,
            signal::SHIMS,
            startup::SHIMS,
            stat::SHIMS,
            system::SHIMS,
            system_call::SHIMS,
            temporary::SHIMS,
            thread::SHIMS,
            time::SHIMS,
        ];
        for group in single.iter().chain(math::GROUPS).chain(math::COMPLEX).chain(stdio::GROUPS) {
            all.extend(each(group).map(|(name, run)| of_runtime(name, run)));
        }
        // Under these names glibc's headers call the same functions for newer standards of C.
        for prefix in ["__isoc99_", "__isoc23_"] {
            let named =
                |(name, run): (&str, Run)| of_runtime(format!("{prefix}{name}").leak(), run);
            all.extend(each(scanf::SHIMS).map(named));
        }
        all.extend(each(quick::SHIMS).map(|(name, run)| Shim::new(name, true, run)));
        all.sort_by_key(|shim| shim.name);
        all
    });
    &TABLE
}

/// The number of the shim with a name.
pub fn find(name: &str) -> Option<u32> {
    table().binary_search_by_key(&name, |shim| shim.name).ok().map(|index| index as u32)
}

pub fn get(index: u32) -> &'static Shim {
    &table()[index as usize]
}

/// The names of all shims, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    table().iter().map(|shim| shim.name)
}

/// A group of shims: functions, each with all names that it has, with spaces between.
type Group = &'static [(&'static str, Run)];

/// Every name of a group with its function.
fn each(group: Group) -> impl Iterator<Item = (&'static str, Run)> {
    group.iter().flat_map(|&(names, run)| names.split(' ').map(move |name| (name, run)))
}

fn value(value: u64) -> ShimResult {
    Ok(Outcome::Value(value))
}

fn int(value: i32) -> ShimResult {
    Ok(Outcome::Value(u64::from(value as u32)))
}

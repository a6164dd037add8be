//! Dependence chains: how the effects of changed statements may travel through a run.
//!
//! Santelices et al. (2008), §3.2.1, and the demand-driven form of Santelices and Harrold (2013),
//! §7. A *chain* begins at a changed statement and is a sequence of dependences between statements,
//! each by a decision or by a value. A run *covers* it if occurrences of its statements depend on
//! each other like this; the run *propagates* along it if, for each dependence, the state at its
//! source (the decision, or the value that was assigned) is another one than in the other version.
//!
//! If a change has several parts, such as hunks, a run propagates along a chain only as far as the
//! part that the chain begins in made the difference: where another part was executed before and
//! made the state different that the chain begins with or passes, nothing is known (2008, §3.3).
//!
//! - `origins` tells which parts of a change made events different.
//! - `dependences` turns the trace of one run into occurrences of statements and the dependences
//!   among those that are linked to a change.
//! - `tree` collects the chains of many runs in a tree that shares their beginnings.
//!
//! Statements are those of NEW, or of OLD where NEW has none: chains of OLD begin at deleted
//! statements only. What a reader takes for one dependence is one: arguments and results pass
//! without a statement of their own, and what happens inside a function of the C library belongs
//! to the statement that calls it. Which chains could exist is not known here.

mod dependences;
mod origins;
mod tree;

use base::entity::SecondaryMap;
use base::{Both, Version};
use exec::Program;
use ir::{FuncId, SlotId, StatementId, Storage};

use crate::matching::Matching;

pub use dependences::{Dependences, Edge, Occurrence, dependences, dependences_alone};
pub use tree::{ChainId, ChainLimits, ChainNode, ChainTree};

/// Clang's name of the variable that holds a function's result.
pub const RESULT: &str = "retval";

/// A statement of NEW, or one of OLD that NEW does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    pub version: Version,
    pub statement: StatementId,
}

/// How one statement depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// It is executed because of a decision: 1 for true, 0 for false, the case of a switch,
    /// [`How::DEFAULT`] for its default, or the number of a computed target.
    Control(u64),
    /// It is executed because of a call.
    Call,
    /// By a local variable.
    Slot(FuncId, SlotId),
    Memory,
    /// By what a function returns.
    Result(FuncId),
    /// By a value that no variable holds.
    Value,
}

/// A dependence of one statement on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    pub from: Point,
    pub to: Point,
    pub how: How,
}

impl How {
    pub const DEFAULT: u64 = u64::MAX;

    /// Whether it is a decision or call, and not a value.
    pub fn is_control(self) -> bool {
        matches!(self, How::Control(_) | How::Call)
    }
}

/// The part of the change that each changed statement belongs to.
pub type Parts = Both<SecondaryMap<StatementId, u32>>;

/// What both versions are called by, so that chains of both can be compared.
#[derive(Clone, Copy, Debug)]
pub struct Common<'a> {
    pub programs: [&'a Program; 2],
    pub matching: &'a Matching,
    /// If the change has several parts.
    pub parts: Option<&'a Parts>,
}

impl Common<'_> {
    pub fn point(&self, version: Version, statement: StatementId) -> Point {
        let there = match version {
            Version::Old => self.matching.counterpart(Version::Old, statement),
            Version::New => None,
        };
        match there {
            Some(statement) => Point { version: Version::New, statement },
            None => Point { version, statement },
        }
    }

    /// The part of the change that a changed statement belongs to.
    fn part(&self, version: Version, statement: StatementId) -> u32 {
        self.parts.map_or(0, |parts| parts[version][statement])
    }

    /// Whether chains of a version begin at a statement.
    pub fn is_start(&self, version: Version, statement: StatementId) -> bool {
        let is_alone = || self.matching.counterpart(version, statement).is_none();
        self.matching.is_changed(version, statement) && (version == Version::New || is_alone())
    }

    /// A local variable as NEW numbers it, if NEW has it.
    pub fn slot(&self, version: Version, function: FuncId, slot: SlotId) -> How {
        if is_result(self.programs[version], function, slot) {
            return How::Result(self.function(version, function));
        }
        let (function, slot) = match version {
            Version::Old => self.in_new(function, slot).unwrap_or((function, slot)),
            Version::New => (function, slot),
        };
        How::Slot(function, slot)
    }

    /// A function as NEW numbers it, if NEW has it.
    pub fn function(&self, version: Version, function: FuncId) -> FuncId {
        match version {
            Version::Old => self.matching.function(Version::Old, function).unwrap_or(function),
            Version::New => function,
        }
    }

    fn in_new(&self, function: FuncId, slot: SlotId) -> Option<(FuncId, SlotId)> {
        let there = self.matching.function(Version::Old, function)?;
        let [old, new] = self.programs.map(|program| &program.module.functions);
        let (before, after) = (old[function].body()?, new[there].body()?);
        let storage = Storage::Slot(slot);
        let found = before.variables.iter().find(|variable| variable.storage == storage);
        let name = found.map_or(&before.slots[slot].name, |variable| &variable.name);
        let mut renamed = self.matching.renamed.iter();
        let renamed = renamed.find(|(of, from, _)| *of == function && from == name);
        let name = renamed.map_or(name, |(_, _, to)| to);
        let named = after.variables.iter().find_map(|variable| match variable.storage {
            Storage::Slot(slot) if variable.name == *name => Some(slot),
            _ => None,
        });
        let unnamed = || after.slots.iter().find(|(_, data)| data.name == *name);
        Some((there, named.or_else(|| unnamed().map(|(slot, _)| slot))?))
    }
}

/// Whether a local variable is the compiler's for the result of a function.
pub fn is_result(program: &Program, function: FuncId, slot: SlotId) -> bool {
    let body = program.module.functions[function].body();
    body.and_then(|body| body.slots.get(slot)).is_some_and(|slot| slot.name == RESULT)
}

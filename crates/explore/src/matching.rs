//! Which statements of two versions are the same, as plain tables.
//!
//! Made by whoever laid the versions side by side; here it is only looked up.

use ir::{FuncId, GlobalId, StatementId};

/// Which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    Old,
    New,
}

impl Version {
    pub const BOTH: [Version; 2] = [Version::Old, Version::New];
}

/// What two versions have in common. Tables are indexed by the numbers of statements and
/// functions; what is beyond the end of a table has no counterpart and is not changed.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// For statements of OLD, the statement of NEW that it became.
    pub forward: Vec<Option<StatementId>>,
    /// For statements of NEW, the statement of OLD that it came from.
    pub backward: Vec<Option<StatementId>>,
    /// Whether statements of OLD and of NEW are part of the change.
    pub changed: [Vec<bool>; 2],
    /// For functions of OLD, the function of NEW, and the other way round.
    pub functions: [Vec<Option<FuncId>>; 2],
    /// Whether functions of OLD and of NEW are the program's own, and not those of the C library.
    pub own: [Vec<bool>; 2],
    /// Global variables of OLD and of NEW whose initial value, type or existence differs.
    pub globals: [Vec<GlobalId>; 2],
    /// Local variables with another name: the function of OLD, the old and the new name.
    pub renamed: Vec<(FuncId, String, String)>,
}

impl Matching {
    pub fn is_changed(&self, version: Version, statement: StatementId) -> bool {
        let changed = &self.changed[version as usize];
        changed.get(statement.as_u32() as usize).is_some_and(|&changed| changed)
    }

    /// The statement of the other version.
    pub fn counterpart(&self, version: Version, statement: StatementId) -> Option<StatementId> {
        let table = match version {
            Version::Old => &self.forward,
            Version::New => &self.backward,
        };
        table.get(statement.as_u32() as usize).copied().flatten()
    }

    /// The function of the other version.
    pub fn function(&self, version: Version, function: FuncId) -> Option<FuncId> {
        let table = &self.functions[version as usize];
        table.get(function.as_u32() as usize).copied().flatten()
    }

    /// Whether a function is the program's own.
    pub fn is_own(&self, version: Version, function: FuncId) -> bool {
        self.own[version as usize].get(function.as_u32() as usize).is_some_and(|&own| own)
    }

    /// The changed statements of a version, in order.
    pub fn changes(&self, version: Version) -> impl Iterator<Item = StatementId> {
        let changed = self.changed[version as usize].iter().enumerate();
        changed.filter(|(_, changed)| **changed).map(|(index, _)| StatementId::at(index as u32))
    }
}

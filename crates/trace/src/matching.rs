//! The statements that two versions share, as plain tables.
//!
//! The caller aligns the versions; this file only looks up the result.

use base::entity::SecondaryMap;
use base::{Both, Version};
use ir::{FuncId, GlobalId, StatementId};

/// What two versions have in common. Anything missing in a table has no counterpart and is not
/// changed.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// For statements of each version, their counterparts in the other.
    pub counterparts: Both<SecondaryMap<StatementId, Option<StatementId>>>,
    /// Whether statements of OLD and of NEW are part of the change.
    pub changed: Both<SecondaryMap<StatementId, bool>>,
    /// For functions of OLD, the function of NEW, and vice versa.
    pub functions: Both<SecondaryMap<FuncId, Option<FuncId>>>,
    /// Whether functions of OLD and of NEW are the program's own, and not those of the C library.
    pub own: Both<SecondaryMap<FuncId, bool>>,
    /// Global variables of OLD and of NEW whose initial value, type or existence differs.
    pub globals: Both<Vec<GlobalId>>,
    /// Local variables with another name: the function of OLD, the old and the new name.
    pub renamed: Vec<(FuncId, String, String)>,
}

impl Matching {
    pub fn is_changed(&self, version: Version, statement: StatementId) -> bool {
        self.changed[version][statement]
    }

    /// The statement of the other version.
    pub fn counterpart(&self, version: Version, statement: StatementId) -> Option<StatementId> {
        self.counterparts[version][statement]
    }

    /// The function of the other version.
    pub fn function(&self, version: Version, function: FuncId) -> Option<FuncId> {
        self.functions[version][function]
    }

    /// Whether a function is the program's own.
    pub fn is_own(&self, version: Version, function: FuncId) -> bool {
        self.own[version][function]
    }

    /// The changed statements of a version, in order.
    pub fn changes(&self, version: Version) -> impl Iterator<Item = StatementId> {
        self.changed[version].iter().filter(|(_, changed)| **changed).map(|(id, _)| id)
    }
}

//! Aligns two builds: which statements of OLD are which statements of NEW.
//!
//! Functions match by name. Within a function, the diff compares *units*: instructions with an
//! effect, each with its whole expression. It ignores names of local variables, lines and the order
//! of blocks; so comments, white space, moved functions and renamed locals are not changes. A diff
//! of their keys aligns units; aligned units must also depend on the same decisions. Everything
//! that is not aligned is a change of its statement.

mod globals;
mod key;
mod locals;
mod order;
mod pairs;
pub(crate) mod units;

use base::entity::SecondaryMap;
use base::{Both, Version};
use ir::{FuncId, GlobalId, Module, StatementId};

pub use globals::GlobalChange;
pub use locals::Renamed;

/// The alignment of two versions of a program.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// Functions with code in both versions, in the order of NEW.
    pub functions: Vec<FunctionPair>,
    /// Functions with code in one version only.
    pub removed: Vec<FuncId>,
    pub added: Vec<FuncId>,
    pub globals: Vec<GlobalChange>,
    /// For statements of each version, their counterparts in the other.
    pub counterparts: Both<SecondaryMap<StatementId, Option<StatementId>>>,
}

/// A function in both versions.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionPair {
    pub old: FuncId,
    pub new: FuncId,
    /// In the order of NEW; deletions are where the statement was.
    pub changes: Vec<Change>,
    /// Whether the types of parameters or result differ.
    pub signature: bool,
    pub renamed: Vec<Renamed>,
}

/// A change of one statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Added {
        new: StatementId,
    },
    /// It was right before `before`, a statement of NEW; `None` at the end of the function.
    Deleted {
        old: StatementId,
        before: Option<StatementId>,
    },
    Modified {
        old: StatementId,
        new: StatementId,
        why: Why,
    },
    /// The same, at another place.
    Moved {
        old: StatementId,
        new: StatementId,
    },
}

/// How a statement differs that exists in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It does something else.
    Text,
    /// It is executed under other conditions.
    Control,
    /// Its text is the same, but a global variable, constant or type that it uses changed.
    Uses(Vec<String>),
}

impl FunctionPair {
    /// The function of one version.
    pub fn of(&self, version: Version) -> FuncId {
        [self.old, self.new][version]
    }
}

impl Change {
    /// The statement of one version, if it has one.
    pub fn of(&self, version: Version) -> Option<StatementId> {
        match version {
            Version::Old => self.in_old(),
            Version::New => self.in_new(),
        }
    }

    pub fn in_old(&self) -> Option<StatementId> {
        match *self {
            Change::Added { .. } => None,
            Change::Deleted { old, .. }
            | Change::Modified { old, .. }
            | Change::Moved { old, .. } => Some(old),
        }
    }

    pub fn in_new(&self) -> Option<StatementId> {
        match *self {
            Change::Deleted { .. } => None,
            Change::Added { new } | Change::Modified { new, .. } | Change::Moved { new, .. } => {
                Some(new)
            }
        }
    }
}

impl Alignment {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.globals.is_empty()
            && self.functions.iter().all(|pair| pair.changes.is_empty() && !pair.signature)
    }

    /// The pair of a function of one version.
    pub fn pair(&self, version: Version, function: FuncId) -> Option<&FunctionPair> {
        self.functions.iter().find(|pair| pair.of(version) == function)
    }

    /// Functions with code in one version only.
    pub fn only_in(&self, version: Version) -> &[FuncId] {
        [&self.removed, &self.added][version]
    }

    /// Changed statements of one version, and all those of functions that exist only there.
    pub fn changed(&self, version: Version, module: &Module) -> Vec<StatementId> {
        let changes = self.functions.iter().flat_map(|pair| &pair.changes);
        let mut changed: Vec<StatementId> =
            changes.filter_map(|change| change.of(version)).collect();
        let lone = self.only_in(version);
        let statements = module.statements.iter();
        let of_lone = statements.filter(|(_, data)| lone.contains(&data.function));
        changed.extend(of_lone.map(|(id, _)| id));
        changed.sort_unstable();
        changed.dedup();
        changed
    }
}

/// Aligns two versions. `is_own` selects the functions of the program itself; others, such as
/// members of a library linked to both, count as unchanged.
pub fn align(
    old: &Module,
    new: &Module,
    is_own: impl Fn(Version, &Module, FuncId) -> bool,
) -> Alignment {
    let mut alignment = Alignment::default();
    let (globals, changed_globals) = globals::compare(old, new);
    alignment.globals = globals;
    let own = |version, module: &Module| -> Vec<FuncId> {
        let functions = module.functions.iter();
        let with_code = functions.filter(|(_, function)| function.body().is_some());
        with_code.map(|(id, _)| id).filter(|&id| is_own(version, module, id)).collect()
    };
    let mut left = own(Version::Old, old);
    for function in own(Version::New, new) {
        let name = globals::function_name(new, function);
        let found = left.iter().position(|&other| globals::function_name(old, other) == name);
        match found {
            Some(index) => {
                let other = left.remove(index);
                let pair = pairs::compare(old, other, new, function, &changed_globals);
                pair.record(&mut alignment);
            }
            None => alignment.added.push(function),
        }
    }
    alignment.removed = left;
    alignment
}

/// Global variables whose initial value, type or existence differs, by their names in keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangedGlobals {
    pub old: Vec<GlobalId>,
    pub new: Vec<GlobalId>,
}

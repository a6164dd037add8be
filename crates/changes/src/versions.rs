//! Aligning two builds: which statements of OLD are which statements of NEW.
//!
//! Functions match by name. Within a function what is compared are *units*: instructions with
//! an effect, each with the whole expression behind it. Names of local variables, lines and
//! the order of blocks do not take part; so comments, white space, moved functions and
//! renamed locals are not changes. Units are aligned by a diff of their keys; what is aligned
//! must also hang on the same decisions. Whatever is not aligned is a change of its statement.

mod globals;
mod key;
mod locals;
mod order;
mod pairs;
pub(crate) mod units;

use base::entity::SecondaryMap;
use ir::{FuncId, GlobalId, Module, StatementId};

pub use globals::GlobalChange;
pub use locals::Renamed;

/// Which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    Old,
    New,
}

/// What became of two versions of a program when laid side by side.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// Functions with code in both versions, in the order of NEW.
    pub functions: Vec<FunctionPair>,
    /// Functions with code in one version only.
    pub removed: Vec<FuncId>,
    pub added: Vec<FuncId>,
    pub globals: Vec<GlobalChange>,
    /// For statements of OLD, the statement of NEW that it became.
    pub forward: SecondaryMap<StatementId, Option<StatementId>>,
    /// For statements of NEW, the statement of OLD that it came from.
    pub backward: SecondaryMap<StatementId, Option<StatementId>>,
}

/// A function in both versions.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionPair {
    pub old: FuncId,
    pub new: FuncId,
    /// In the order of NEW; what was deleted stands where it was.
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
    /// It stood right before `before`, a statement of NEW; `None` at the end of the function.
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

/// How a statement differs that is there in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It does something else.
    Text,
    /// It is executed under other conditions.
    Control,
    /// Its text is the same, but a global variable, constant or type that it uses changed.
    Uses(Vec<String>),
}

impl Change {
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
        self.functions.iter().find(|pair| match version {
            Version::Old => pair.old == function,
            Version::New => pair.new == function,
        })
    }

    /// Changed statements of one version.
    pub fn changed(&self, version: Version) -> Vec<StatementId> {
        let changes = self.functions.iter().flat_map(|pair| &pair.changes);
        let mut statements: Vec<StatementId> = changes
            .filter_map(|change| match version {
                Version::Old => change.in_old(),
                Version::New => change.in_new(),
            })
            .collect();
        statements.sort_unstable();
        statements.dedup();
        statements
    }
}

/// Lays two versions side by side. `is_own` says which functions belong to the program
/// itself; others, such as members of a library linked to both, are taken to be the same.
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

/// Global variables whose initial value, type or existence differs, by what they are called
/// in keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangedGlobals {
    pub old: Vec<GlobalId>,
    pub new: Vec<GlobalId>,
}

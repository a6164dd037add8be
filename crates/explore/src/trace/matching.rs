//! Which parts of two versions are the same: what the alignment of traces is told.

use base::entity::SecondaryMap;
use ir::{FuncId, GlobalId, StatementId};

/// A side table over two programs. Functions of the C library that both versions link are to
/// be matched as well.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// For statements of OLD, the statement of NEW that it became, and back.
    pub forward: SecondaryMap<StatementId, Option<StatementId>>,
    pub backward: SecondaryMap<StatementId, Option<StatementId>>,
    /// Changed statements: added, deleted, modified, moved.
    pub changed_old: SecondaryMap<StatementId, bool>,
    pub changed_new: SecondaryMap<StatementId, bool>,
    /// For functions of OLD, the function of NEW that it became.
    pub functions: SecondaryMap<FuncId, Option<FuncId>>,
    /// Functions of the program itself, and not of the C library.
    pub own_old: SecondaryMap<FuncId, bool>,
    pub own_new: SecondaryMap<FuncId, bool>,
    /// Global variables whose initial value, type or existence differs.
    pub globals_old: Vec<GlobalId>,
    pub globals_new: Vec<GlobalId>,
    /// Local variables with another name: a function of OLD, the old and the new name.
    pub renamed: Vec<(FuncId, String, String)>,
}

//! Static knowledge about a version that slices of runs need, as plain tables.
//!
//! Filled by whoever has analysed the version. A location is a local variable of a function's
//! activation, or a region of memory, named by a number; sets of regions are numbered as well.

use base::entity::EntityRef;
use ir::{BlockId, FuncId, InstId, SlotId, StatementId};
use rustc_hash::FxHashMap;

/// One version.
#[derive(Clone, Debug, Default)]
pub struct SliceTables {
    /// Whether control flow consists only of branches, calls and returns: no jumps between
    /// functions, no handlers of signals or of the end.
    pub is_structured: bool,
    /// By function.
    pub functions: Vec<FunctionTable>,
    /// Sets of regions, each ascending. The first is empty.
    pub sets: Vec<Box<[u32]>>,
    /// By statement: whether a change may affect what it does or whether it is executed.
    pub affected: Vec<bool>,
}

#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    /// By block: what the decision at its end governs.
    pub decisions: Vec<Option<Governed>>,
    /// Calls through pointers: what they govern by choosing a function.
    pub calls: FxHashMap<InstId, Governed>,
    /// The sets of regions that an instruction may read and write.
    pub accesses: FxHashMap<InstId, (u32, u32)>,
}

/// What depends on any outcome of a decision.
#[derive(Clone, Debug, Default)]
pub struct Governed {
    /// Local variables of the same activation that may be written; ascending.
    pub slots: Box<[SlotId]>,
    /// Regions that may be written; ascending.
    pub regions: Box<[u32]>,
    /// Whether a changed statement, or one that is affected, may be executed.
    pub changed: bool,
    pub affected: bool,
}

impl SliceTables {
    pub fn is_affected(&self, statement: StatementId) -> bool {
        // Unknown statements may be affected.
        self.affected.get(statement.index()).copied().unwrap_or(true)
    }

    pub fn decision(&self, function: FuncId, block: BlockId) -> Option<&Governed> {
        let table = self.functions.get(function.index())?;
        table.decisions.get(block.index())?.as_ref()
    }

    pub fn call(&self, function: FuncId, inst: InstId) -> Option<&Governed> {
        self.functions.get(function.index())?.calls.get(&inst)
    }

    /// The sets of regions that an instruction may read and write.
    pub fn access(&self, function: FuncId, inst: InstId) -> (u32, u32) {
        let table = self.functions.get(function.index());
        table.and_then(|table| table.accesses.get(&inst)).copied().unwrap_or((0, 0))
    }

    pub fn set(&self, number: u32) -> &[u32] {
        self.sets.get(number as usize).map_or(&[], |set| set)
    }
}

/// Whether two ascending lists have a common element.
pub(crate) fn meet(one: &[u32], other: &[u32]) -> bool {
    let (mut left, mut right) = (one, other);
    while let (Some((a, rest_left)), Some((b, rest_right))) =
        (left.split_first(), right.split_first())
    {
        match a.cmp(b) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => left = rest_left,
            std::cmp::Ordering::Greater => right = rest_right,
        }
    }
    false
}

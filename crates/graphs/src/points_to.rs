//! Which memory a pointer may point to, and which functions a call may call.
//!
//! Andersen's inclusion-based analysis: flow- and context-insensitive, field-sensitive by cells of
//! objects, with the call graph computed on the fly. Solves the constraints of a module in waves
//! (Pereira and Berlin, 2009): cycles of copies become one node, then new pointers propagate along
//! the copies in topological order, then loads, stores and calls add copies.
//!
//! Follows pointers through integers of 64 bits and more, not through single bytes: a pointer that
//! the program copies byte by byte is lost, unless it stays within one object or is copied by
//! `memcpy`. Unknown code does not know the program's names, only what it gets.

mod calls;
pub(crate) mod constraints;
mod solve;

pub use calls::{call_of, is_builtin};

use std::collections::BTreeMap;

use base::entity::PrimaryMap;
use base::sets::SparseSet;
use ir::{FuncId, InstId, Module, Operand, ValueId};
use rustc_hash::FxHashMap;

use crate::objects::{CellId, ObjectId, Objects};

/// A place that may hold pointers: a value, a slot, or the contents of a cell.
type Node = u32;
const NONE: Node = u32::MAX;

/// The targets of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Functions with code that the call passes its arguments to.
    pub functions: Vec<FuncId>,
    /// Functions without code.
    pub externals: Vec<FuncId>,
    /// Functions that an external one calls in turn.
    pub callbacks: Vec<FuncId>,
}

#[derive(Clone, Debug)]
pub struct PointsTo {
    pub objects: Objects,
    /// For each merged cell, the cell it was merged with.
    cells: PrimaryMap<CellId, CellId>,
    values: PrimaryMap<FuncId, PrimaryMap<ValueId, Node>>,
    /// The final nodes, and what they point to.
    sets: Vec<u32>,
    contents: Vec<SparseSet>,
    cell_nodes: PrimaryMap<CellId, Node>,
    constants: FxHashMap<(FuncId, ir::ConstId), Vec<CellId>>,
    /// The object that a parameter, an allocation or a state of the library stands for.
    made: FxHashMap<crate::objects::ObjectKind, ObjectId>,
    targets: BTreeMap<(FuncId, InstId), Targets>,
    /// Functions that may run at any time: handlers of signals and of the program's end.
    pub kept: Vec<FuncId>,
    /// Whether the program can read back what it writes to standard output.
    pub redirects: bool,
}

impl PointsTo {
    pub fn new(module: &Module) -> PointsTo {
        PointsTo::within(module, &|| false).expect("nothing ends the analysis early")
    }

    /// The same, unless it `is_over` before.
    pub fn within(module: &Module, is_over: &dyn Fn() -> bool) -> Option<PointsTo> {
        let mut solver = constraints::generate(module);
        solver.solve(is_over).then(|| solver.finish())
    }

    /// The cells that an operand may point to, ascending.
    pub fn targets_of(&self, function: FuncId, operand: Operand) -> Vec<CellId> {
        let node = match operand {
            Operand::Const(constant) => {
                let cells = self.constants.get(&(function, constant));
                return self.current(cells.into_iter().flatten().copied());
            }
            Operand::Value(value) => {
                let values = &self.values[function];
                values.get(value).copied().unwrap_or(NONE)
            }
        };
        self.held_by(node)
    }

    /// The cells that pointers in a cell may point to.
    pub fn contents_of(&self, cell: CellId) -> Vec<CellId> {
        let node = self.cell_nodes.get(self.resolve(cell));
        self.held_by(node.copied().unwrap_or(NONE))
    }

    /// The targets of a call; nothing for built-in operations.
    pub fn calls(&self, function: FuncId, inst: InstId) -> Option<&Targets> {
        self.targets.get(&(function, inst))
    }

    /// A number that operands share only if they may point to the same cells.
    pub(crate) fn class_of(&self, function: FuncId, operand: Operand) -> Option<u32> {
        let Operand::Value(value) = operand else { return None };
        let values = &self.values[function];
        let node = values.get(value).copied().unwrap_or(NONE);
        self.sets.get(node as usize).copied()
    }

    /// The object of a kind, if anything uses it.
    pub fn object(&self, kind: crate::objects::ObjectKind) -> Option<ObjectId> {
        self.made.get(&kind).copied()
    }

    /// The cell that a cell was merged into.
    pub fn resolve(&self, cell: CellId) -> CellId {
        let mut cell = cell;
        while let Some(&next) = self.cells.get(cell)
            && next != cell
        {
            cell = next;
        }
        cell
    }

    fn held_by(&self, node: Node) -> Vec<CellId> {
        match self.sets.get(node as usize) {
            Some(&set) => self.current(self.contents[set as usize].iter().map(CellId::from_u32)),
            None => Vec::new(),
        }
    }

    fn current(&self, cells: impl Iterator<Item = CellId>) -> Vec<CellId> {
        let mut cells: Vec<CellId> = cells.map(|cell| self.resolve(cell)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

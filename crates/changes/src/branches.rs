//! A table with an entry for each branch of a program: a decision and one of its outcomes.
//!
//! A branch is identified by its function, by the block whose terminator decides, and by the index of the successor: the true successor comes before the false one, the
//! cases of a switch before its default. Look-up takes constant time.

use base::entity::EntityRef;
use ir::{BlockId, FuncId, Module};

use crate::points::successors;

/// A decision and one of its outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    pub function: FuncId,
    pub block: BlockId,
    pub successor: usize,
}

/// Blocks and branches of a program, numbered consecutively.
#[derive(Clone, Debug, Default)]
pub struct BranchIndex {
    /// For each function, where its blocks begin, and for each block, where its branches begin.
    blocks: Vec<u32>,
    branches: Vec<u32>,
}

impl BranchIndex {
    pub fn new(module: &Module) -> BranchIndex {
        let mut index = BranchIndex::default();
        let mut next = 0;
        for function in module.functions.values() {
            index.blocks.push(index.branches.len() as u32);
            let Some(body) = function.body() else { continue };
            for block in body.blocks.keys() {
                index.branches.push(next);
                let ways = successors(body, block).len() as u32;
                next += if ways > 1 { ways } else { 0 };
            }
        }
        index.blocks.push(index.branches.len() as u32);
        index.branches.push(next);
        index
    }

    /// Number of branches.
    pub fn len(&self) -> usize {
        self.branches.last().map_or(0, |&count| count as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of a block among all.
    pub fn block(&self, function: FuncId, block: BlockId) -> Option<usize> {
        let at = *self.blocks.get(function.index())? as usize + block.index();
        let end = *self.blocks.get(function.index() + 1)? as usize;
        (at < end).then_some(at)
    }

    /// The index of a branch among all; none if the block has no such branch.
    pub fn branch(&self, branch: Branch) -> Option<usize> {
        let block = self.block(branch.function, branch.block)?;
        let at = self.branches[block] as usize + branch.successor;
        (at < self.branches[block + 1] as usize).then_some(at)
    }

    /// All branches of a module, in order.
    pub fn all(module: &Module) -> Vec<Branch> {
        let mut branches = Vec::new();
        for (function, of) in module.functions.iter() {
            let Some(body) = of.body() else { continue };
            for block in body.blocks.keys() {
                let ways = successors(body, block).len();
                if ways > 1 {
                    let of_block = (0..ways).map(|successor| Branch { function, block, successor });
                    branches.extend(of_block);
                }
            }
        }
        branches
    }
}

//! A table with an entry for each branch of a program: a decision and one of its outcomes.
//!
//! A branch is identified by its function, by the block whose terminator decides or that terminator
//! itself, and by the index of the successor: the true successor comes before the false one, the
//! cases of a switch before its default. Look-up takes constant time.

use base::entity::EntityRef;
use ir::{BlockId, FuncId, InstId, Module};

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
    /// For each function, where its instructions begin, and for each instruction, the block that
    /// it ends.
    insts: Vec<u32>,
    decided: Vec<u32>,
}

/// No block.
const NONE: u32 = u32::MAX;

impl BranchIndex {
    pub fn new(module: &Module) -> BranchIndex {
        let mut index = BranchIndex::default();
        let mut next = 0;
        for function in module.functions.values() {
            index.blocks.push(index.branches.len() as u32);
            index.insts.push(index.decided.len() as u32);
            let Some(body) = function.body() else { continue };
            let first = index.decided.len();
            index.decided.resize(first + body.insts.len(), NONE);
            for (block, of) in body.blocks.iter() {
                index.branches.push(next);
                let ways = successors(body, block).len() as u32;
                if ways > 1
                    && let Some(last) = of.insts.last()
                {
                    next += ways;
                    index.decided[first + last.index()] = block.as_u32();
                }
            }
        }
        index.blocks.push(index.branches.len() as u32);
        index.insts.push(index.decided.len() as u32);
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

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.last().map_or(0, |&count| count as usize)
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

    /// The block that an instruction terminates.
    pub fn decided_by(&self, function: FuncId, inst: InstId) -> Option<BlockId> {
        let at = *self.insts.get(function.index())? as usize + inst.index();
        let end = *self.insts.get(function.index() + 1)? as usize;
        let block = *self.decided[..end].get(at)?;
        (block != NONE).then(|| BlockId::at(block))
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

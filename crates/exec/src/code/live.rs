//! Which registers hold a value at a place that may still be read.
//!
//! Backward over the operations of a function. A register whose address is taken does not exist:
//! memory is not considered.

use base::sets::BitSet;
use smallvec::SmallVec;

use super::flow::{Access, Operands, Range};
use super::{Code, Op, Pc, Reg};

impl Code {
    /// The registers that a run from an operation on may read before it writes them, ascending.
    pub fn live_at(&self, pc: Pc) -> Vec<Reg> {
        let count = self.ops.len();
        let empty: BitSet<Index> = BitSet::new(usize::from(self.registers));
        let mut live = vec![empty; count];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..count).rev() {
                let mut after: BitSet<Index> = BitSet::new(usize::from(self.registers));
                for next in self.ways(at) {
                    if let Some(next) = live.get(next as usize) {
                        after.union(next);
                    }
                }
                if let Some((first, count)) = self.written(at) {
                    (first..first + count).for_each(|register| after.remove(Index(register)));
                }
                for (first, count) in self.read(at) {
                    (first..first + count).for_each(|register| {
                        after.insert(Index(register));
                    });
                }
                changed |= live[at].union(&after);
            }
        }
        live.get(pc as usize).map_or(Vec::new(), |live| live.iter().map(|one| one.0).collect())
    }

    /// Where a run may continue after an operation.
    fn ways(&self, at: usize) -> SmallVec<[Pc; 4]> {
        let next = at as Pc + 1;
        match self.ops[at] {
            Op::Jump { target } => SmallVec::from_slice(&[target]),
            Op::Return { .. } | Op::Stop { .. } => SmallVec::new(),
            Op::Switch { table, .. } | Op::IndirectJump { table, .. } => {
                let table = &self.tables[table as usize];
                let dense = table.dense.iter().flat_map(|(_, targets)| targets.iter().copied());
                let cases = table.cases.iter().map(|&(_, target)| target);
                cases.chain(dense).chain([table.default]).collect()
            }
            op => op.target().into_iter().chain([next]).collect(),
        }
    }

    fn read(&self, at: usize) -> SmallVec<[Range; 4]> {
        let site = |site: u32| self.sites[site as usize].registers.iter().map(|&one| (one, 1));
        match self.ops[at] {
            Op::Call { site: number, .. } | Op::CallShim { site: number, .. } => {
                site(number).collect()
            }
            Op::CallIndirect { a, site: number, .. } => site(number).chain([(a, 1)]).collect(),
            Op::Return { a, count } => SmallVec::from_slice(&[(a, count)]),
            Op::CheckSlot { flag } => SmallVec::from_slice(&[(flag, 1)]),
            Op::Slow { index } => self.slow[index as usize].flow().reads,
            op => match (op.operands(), op.access()) {
                (Some(Operands { reads, count, .. }), _) => {
                    reads[..usize::from(count)].iter().map(|&one| (one, 1)).collect()
                }
                (None, Some(Access { base, index, value, write, .. })) => {
                    let stored = write.then_some((value, 1));
                    let index = index.map(|(register, _)| (register, 1));
                    [(base, 1)].into_iter().chain(index).chain(stored).collect()
                }
                (None, None) => SmallVec::new(),
            },
        }
    }

    /// The registers that an operation writes.
    pub fn written(&self, at: usize) -> Option<Range> {
        match self.ops[at] {
            Op::Const { d, .. } | Op::Alloca { d, .. } => Some((d, 1)),
            Op::Call { d, site, .. }
            | Op::CallIndirect { d, site, .. }
            | Op::CallShim { d, site, .. } => Some((d, self.sites[site as usize].results)),
            Op::Slow { index } => self.slow[index as usize].flow().writes,
            op => match (op.operands(), op.access()) {
                (Some(Operands { writes, .. }), _) => writes.map(|d| (d, 1)),
                (None, Some(Access { value, write: false, .. })) => Some((value, 1)),
                (None, _) => None,
            },
        }
    }
}

/// A register as a member of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Index(Reg);

impl base::entity::EntityRef for Index {
    fn new(index: usize) -> Index {
        Index(index as Reg)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

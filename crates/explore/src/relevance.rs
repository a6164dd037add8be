//! Static knowledge about the edges of NEW: which of them cannot matter to a change.
//!
//! Taneja, Xie, Tillmann, de Halleux (2011), §4.4. An edge is *outside* (B_E) if no changed
//! statement can be executed after it, and *unaffected* (B_P) if moreover none can have been
//! executed before. Plain tables, filled by whoever has aligned the versions; every edge that is
//! not marked irrelevant is relevant.

use base::entity::SecondaryMap;
use ir::{BlockId, FuncId};
use smallvec::SmallVec;

use crate::edges::Edge;

const OUTSIDE: u8 = 1;
const UNAFFECTED: u8 = 2;

#[derive(Clone, Debug, Default)]
pub struct Relevance {
    /// By function and block: the irrelevant edges, and how.
    functions: SecondaryMap<FuncId, SecondaryMap<BlockId, Irrelevant>>,
}

type Irrelevant = SmallVec<[(BlockId, u8); 2]>;

impl Relevance {
    pub fn new() -> Relevance {
        Relevance::default()
    }

    /// Marks that no change can be executed after an edge.
    pub fn set_outside(&mut self, edge: Edge) {
        self.set(edge, OUTSIDE);
    }

    /// Marks that no change can be executed before or after an edge.
    pub fn set_unaffected(&mut self, edge: Edge) {
        self.set(edge, OUTSIDE | UNAFFECTED);
    }

    /// Marks an edge as relevant again.
    pub fn unset(&mut self, edge: Edge) {
        self.functions[edge.function][edge.from].retain(|(to, _)| *to != edge.to);
    }

    /// Whether no change can be executed after an edge.
    pub fn is_outside(&self, edge: Edge) -> bool {
        self.get(edge) & OUTSIDE != 0
    }

    /// Whether no change can be executed before or after an edge.
    pub fn is_unaffected(&self, edge: Edge) -> bool {
        self.get(edge) & UNAFFECTED != 0
    }

    fn set(&mut self, edge: Edge, bits: u8) {
        let edges = &mut self.functions[edge.function][edge.from];
        match edges.iter_mut().find(|(to, _)| *to == edge.to) {
            Some((_, known)) => *known |= bits,
            None => edges.push((edge.to, bits)),
        }
    }

    fn get(&self, edge: Edge) -> u8 {
        let edges = &self.functions[edge.function][edge.from];
        let found = edges.iter().find(|(to, _)| *to == edge.to);
        found.map_or(0, |(_, bits)| *bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::FuncId;

    fn edge(function: u32, from: u32, to: u32) -> Edge {
        Edge { function: FuncId::at(function), from: BlockId::at(from), to: BlockId::at(to) }
    }

    #[test]
    fn what_is_not_said_to_be_irrelevant_is_relevant() {
        let mut relevance = Relevance::new();
        relevance.set_outside(edge(1, 2, 3));
        relevance.set_unaffected(edge(0, 0, 1));
        assert!(relevance.is_outside(edge(1, 2, 3)) && !relevance.is_unaffected(edge(1, 2, 3)));
        assert!(relevance.is_outside(edge(0, 0, 1)) && relevance.is_unaffected(edge(0, 0, 1)));
        for other in [edge(1, 2, 4), edge(1, 3, 3), edge(0, 2, 3), edge(7, 0, 0)] {
            assert!(!relevance.is_outside(other), "{other:?}");
        }
    }
}

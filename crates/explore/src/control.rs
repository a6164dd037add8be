//! The inter-procedural control-dependence graph, and distances of places to a target.
//!
//! Qi, Roychoudhury, Liang (2010), §3.1 and §4.1: the distance of a branch is the number of
//! decisions on the shortest path to the target; a call to a function adds no distance. Here a
//! distance belongs to an edge, because only one side of a branch leads there. Control dependences
//! and calls arrive as plain tables.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::entity::EntityRef;
use ir::{BlockId, FuncId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::edges::Edge;

/// Control dependence of a whole program.
#[derive(Clone, Debug, Default)]
pub struct ControlGraph {
    /// By function; a function without code has no blocks.
    pub functions: Vec<FunctionControl>,
}

/// Control dependence of one function.
#[derive(Clone, Debug, Default)]
pub struct FunctionControl {
    /// By block: its direct control dependences.
    pub parents: Vec<SmallVec<[Decision; 2]>>,
    /// By block: whether every call that ends executes it.
    pub unconditional: Vec<bool>,
    /// The blocks that call the function.
    pub callers: Vec<(FuncId, BlockId)>,
}

/// A decision on whether a block is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decision {
    pub function: FuncId,
    pub block: BlockId,
    /// The required target of the branch at the end of the block; `None` if the block need only be
    /// executed, such as the call before, or the end of a function that may not return.
    pub to: Option<BlockId>,
}

/// The successors of a block, each with its distance.
type Ways = SmallVec<[(BlockId, u32); 2]>;

/// The distances of a program's places to a target.
#[derive(Clone, Debug, Default)]
pub struct Distances {
    /// By function and block; `FAR` if the target does not depend on it.
    blocks: Vec<Vec<u32>>,
    /// By function and block: distances of edges, without those that do not lead there.
    edges: Vec<Vec<Ways>>,
}

const FAR: u32 = u32::MAX;

impl Distances {
    /// Sets the distance of an edge.
    pub fn set_edge(&mut self, edge: Edge, distance: u32) {
        let blocks = grown(&mut self.edges, edge.function.as_u32(), Vec::new());
        let edges = grown(blocks, edge.from.as_u32(), SmallVec::new());
        match edges.iter_mut().find(|(to, _)| *to == edge.to) {
            Some((_, known)) => *known = distance.min(*known),
            None => edges.push((edge.to, distance)),
        }
    }

    /// Of a block: 0 if it is a target itself.
    pub fn block(&self, function: FuncId, block: BlockId) -> Option<u32> {
        let blocks = self.blocks.get(function.index())?;
        let distance = *blocks.get(block.index())?;
        (distance != FAR).then_some(distance)
    }

    /// Of an edge: the number of remaining decisions, from the one that it is a side of.
    pub fn edge(&self, edge: Edge) -> Option<u32> {
        let blocks = self.edges.get(edge.function.index())?;
        let edges = blocks.get(edge.from.index())?;
        edges.iter().find(|(to, _)| *to == edge.to).map(|&(_, distance)| distance)
    }
}

impl ControlGraph {
    /// A function and everything that it may call, directly or indirectly.
    pub fn called_from(&self, entry: FuncId) -> FxHashSet<FuncId> {
        let mut callees: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        for (index, function) in self.functions.iter().enumerate() {
            for &(caller, _) in &function.callers {
                callees.entry(caller).or_default().push(FuncId::at(index as u32));
            }
        }
        let (mut found, mut waiting) = (FxHashSet::default(), vec![entry]);
        while let Some(function) = waiting.pop() {
            if found.insert(function) {
                waiting.extend(callees.get(&function).into_iter().flatten());
            }
        }
        found
    }

    /// The distances of all places to the nearest of some blocks.
    pub fn distances(&self, targets: &[(FuncId, BlockId)]) -> Distances {
        let sizes = self.functions.iter().map(|function| function.parents.len());
        let mut search = Search {
            graph: self,
            found: Distances {
                blocks: sizes.clone().map(|size| vec![FAR; size]).collect(),
                edges: sizes.map(|size| vec![SmallVec::new(); size]).collect(),
            },
            waiting: BinaryHeap::new(),
        };
        for &(function, block) in targets {
            search.reach(function, block, 0);
        }
        search.run();
        search.found
    }
}

/// Dijkstra's algorithm from the targets backwards.
struct Search<'g> {
    graph: &'g ControlGraph,
    found: Distances,
    waiting: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

impl Search<'_> {
    fn reach(&mut self, function: FuncId, block: BlockId, distance: u32) {
        let blocks = self.found.blocks.get_mut(function.index());
        let place = blocks.and_then(|blocks| blocks.get_mut(block.index()));
        if let Some(known) = place.filter(|known| distance < **known) {
            *known = distance;
            self.waiting.push(Reverse((distance, function.as_u32(), block.as_u32())));
        }
    }

    fn run(&mut self) {
        while let Some(Reverse((distance, function, block))) = self.waiting.pop() {
            let (function, block) = (FuncId::at(function), BlockId::at(block));
            if self.found.block(function, block) == Some(distance) {
                self.spread(function, block, distance);
            }
        }
    }

    fn spread(&mut self, function: FuncId, block: BlockId, distance: u32) {
        let control = &self.graph.functions[function.index()];
        for &Decision { function, block: from, to } in &control.parents[block.index()] {
            match to {
                Some(to) => {
                    let distance = distance.saturating_add(1);
                    self.found.set_edge(Edge { function, from, to }, distance);
                    self.reach(function, from, distance);
                }
                None => self.reach(function, from, distance),
            }
        }
        if control.unconditional[block.index()] {
            for &(caller, at) in &control.callers {
                self.reach(caller, at, distance);
            }
        }
    }
}

/// An element of a table, which grows if it is too short.
fn grown<T: Clone>(table: &mut Vec<T>, index: u32, empty: T) -> &mut T {
    let index = index as usize;
    if table.len() <= index {
        table.resize(index + 1, empty);
    }
    &mut table[index]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: u32, block: u32) -> (FuncId, BlockId) {
        (FuncId::at(function), BlockId::at(block))
    }

    fn function(own: u32, parents: &[&[(u32, u32)]], callers: &[(u32, u32)]) -> FunctionControl {
        let decision = |&(block, to): &(u32, u32)| Decision {
            function: FuncId::at(own),
            block: BlockId::at(block),
            to: Some(BlockId::at(to)),
        };
        FunctionControl {
            parents: parents.iter().map(|list| list.iter().map(decision).collect()).collect(),
            unconditional: parents.iter().map(|list| list.is_empty()).collect(),
            callers: callers.iter().map(|&(f, b)| place(f, b)).collect(),
        }
    }

    #[test]
    fn distance_counts_decisions_and_passes_calls_for_free() {
        // f0: 0 decides 1 and 2; 1 decides 3, which calls f1. f1: 0 decides 1, the target.
        let graph = ControlGraph {
            functions: vec![
                function(0, &[&[], &[(0, 1)], &[(0, 2)], &[(1, 3)]], &[]),
                function(1, &[&[], &[(0, 1)]], &[(0, 3)]),
            ],
        };
        let distances = graph.distances(&[place(1, 1)]);
        let of = |(function, block)| distances.block(function, block);
        assert_eq!(of(place(1, 1)), Some(0));
        assert_eq!(of(place(1, 0)), Some(1));
        assert_eq!(of(place(0, 3)), Some(1));
        assert_eq!(of(place(0, 1)), Some(2));
        assert_eq!(of(place(0, 0)), Some(3));
        assert_eq!(of(place(0, 2)), None);
        let edge = |from, to| Edge {
            function: FuncId::at(0),
            from: BlockId::at(from),
            to: BlockId::at(to),
        };
        assert_eq!(distances.edge(edge(0, 1)), Some(3));
        assert_eq!(distances.edge(edge(0, 2)), None);
    }
}

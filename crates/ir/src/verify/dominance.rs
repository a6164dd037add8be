//! Which blocks dominate which: the iterative algorithm of Cooper, Harvey and Kennedy (2001).

use base::entity::SecondaryMap;

use crate::{BlockId, Body};

/// The dominator tree of the blocks that can be reached from the entry.
pub(super) struct Dominators {
    /// Where a walk of the tree enters and leaves each block; `None` if unreachable.
    visits: SecondaryMap<BlockId, Option<(u32, u32)>>,
}

impl Dominators {
    pub(super) fn new(body: &Body, predecessors: &SecondaryMap<BlockId, Vec<BlockId>>) -> Self {
        let order = reverse_postorder(body);
        let parents = immediate_dominators(&order, predecessors);
        Dominators { visits: walk_tree(&order, &parents) }
    }

    pub(super) fn is_reachable(&self, block: BlockId) -> bool {
        self.visits[block].is_some()
    }

    /// Whether every path from the entry to `below` passes `above`.
    pub(super) fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        match (self.visits[above], self.visits[below]) {
            (Some((enter, leave)), Some((inner, _))) => (enter..=leave).contains(&inner),
            _ => false,
        }
    }
}

fn successors(body: &Body, block: BlockId) -> Vec<BlockId> {
    let mut successors = Vec::new();
    if let Some(&last) = body.blocks[block].insts.last() {
        body.insts[last].op.successors(|successor| successors.push(successor));
    }
    successors
}

fn reverse_postorder(body: &Body) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut seen: SecondaryMap<BlockId, bool> = SecondaryMap::new();
    let mut stack = vec![(Body::ENTRY, successors(body, Body::ENTRY))];
    seen[Body::ENTRY] = true;
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) if !seen[next] => {
                seen[next] = true;
                stack.push((next, successors(body, next)));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// For each place in the order, that of the immediate dominator; the entry is its own.
fn immediate_dominators(
    order: &[BlockId],
    predecessors: &SecondaryMap<BlockId, Vec<BlockId>>,
) -> Vec<usize> {
    let mut places: SecondaryMap<BlockId, Option<usize>> = SecondaryMap::new();
    for (place, &block) in order.iter().enumerate() {
        places[block] = Some(place);
    }
    let mut parents: Vec<Option<usize>> = vec![None; order.len()];
    parents[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for place in 1..order.len() {
            let before = predecessors[order[place]].iter();
            let known = before.filter_map(|&block| places[block].filter(|&p| parents[p].is_some()));
            let parent = known.reduce(|a, b| common_dominator(&parents, a, b));
            if parent != parents[place] {
                parents[place] = parent;
                changed = true;
            }
        }
    }
    // A reachable block has a predecessor earlier in the order, so all are known.
    parents.into_iter().map(|parent| parent.unwrap_or(0)).collect()
}

fn common_dominator(parents: &[Option<usize>], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        let lower = if a > b { &mut a } else { &mut b };
        *lower = parents[*lower].unwrap_or(0);
    }
    a
}

fn walk_tree(order: &[BlockId], parents: &[usize]) -> SecondaryMap<BlockId, Option<(u32, u32)>> {
    // Children come after their parents, so sizes add up backwards and entries forwards.
    let mut sizes = vec![1u32; order.len()];
    for place in (1..order.len()).rev() {
        sizes[parents[place]] += sizes[place];
    }
    let mut next_child = vec![1u32; order.len()];
    let mut visits = SecondaryMap::new();
    for place in 0..order.len() {
        let enter = if place == 0 { 0 } else { next_child[parents[place]] };
        next_child[parents[place]] = enter + sizes[place];
        // The entry is its own parent, so this comes last.
        next_child[place] = enter + 1;
        visits[order[place]] = Some((enter, enter + sizes[place] - 1));
    }
    visits
}

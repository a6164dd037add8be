//! Connects definitions with the uses they reach, through merge vertices.
//!
//! Cytron et al. (1991), pruned: versions meet only if a later use needs the value.

use base::entity::EntityRef;
use ir::SlotId;
use rustc_hash::FxHashMap;

use super::build::{Builder, Place};
use super::{Key, Kind, Packed, VertexId};
use crate::cfg::{Cfg, NodeId};
use crate::memory::RegionId;

/// An event that concerns a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Use {
        variable: u32,
        vertex: VertexId,
    },
    /// One that does not replace lets earlier definitions through.
    Define {
        variable: u32,
        vertex: VertexId,
        replaces: bool,
    },
}

/// The variables of a function: its slots, then its ordered regions.
pub(super) struct Variables {
    slots: u32,
    regions: Vec<RegionId>,
    index: FxHashMap<RegionId, u32>,
    /// The initial value of a variable, if the caller defines it.
    initial: Vec<Option<VertexId>>,
}

impl Variables {
    pub fn new(slots: usize, regions: Vec<RegionId>, ins: &[(Key, VertexId)]) -> Variables {
        let slots = slots as u32;
        let index: FxHashMap<RegionId, u32> =
            regions.iter().enumerate().map(|(at, &region)| (region, slots + at as u32)).collect();
        let mut initial = vec![None; slots as usize + regions.len()];
        for &(key, vertex) in ins {
            if let Key::Region(region) = key
                && let Some(&variable) = index.get(&region)
            {
                initial[variable as usize] = Some(vertex);
            }
        }
        Variables { slots, regions, index, initial }
    }

    pub fn of_region(&self, region: RegionId) -> Option<u32> {
        self.index.get(&region).copied()
    }

    fn len(&self) -> usize {
        self.initial.len()
    }

    fn label(&self, variable: u32) -> Packed {
        match variable.checked_sub(self.slots) {
            None => Packed::slot(SlotId::at(variable)),
            Some(region) => Packed::region(self.regions[region as usize]),
        }
    }

    fn region(&self, variable: u32) -> Option<RegionId> {
        let at = variable.checked_sub(self.slots)?;
        self.regions.get(at as usize).copied()
    }
}

impl Builder<'_> {
    /// Adds the edges of all variables. Returns the regions whose initial version reaches the exit.
    pub fn number_versions(
        &mut self,
        place: &Place<'_>,
        variables: &Variables,
        events: &[Vec<Event>],
    ) -> Vec<RegionId> {
        let merges = self.place_merges(place, variables, events);
        let mut walk = Walk { variables, current: variables.initial.clone(), undo: Vec::new() };
        // Each frame: a node, the next of its children, and how much to undo after it.
        let root = Cfg::ENTRY;
        let mut stack = vec![(root, 0, 0)];
        self.visit(place, &mut walk, events, &merges, root);
        while let Some((node, next, mark)) = stack.last_mut() {
            match place.dominators.children(*node).get(*next) {
                Some(&child) => {
                    *next += 1;
                    let mark = walk.undo.len();
                    stack.push((child, 0, mark));
                    self.visit(place, &mut walk, events, &merges, child);
                }
                None => {
                    let mark = *mark;
                    stack.pop();
                    walk.undo_to(mark);
                }
            }
        }
        if place.dominators.contains(place.cfg.exit()) {
            self.unreplaced(place, variables, events)
        } else {
            Vec::new()
        }
    }

    fn visit(
        &mut self,
        place: &Place<'_>,
        walk: &mut Walk<'_>,
        events: &[Vec<Event>],
        merges: &[Vec<(u32, VertexId)>],
        node: NodeId,
    ) {
        for &(variable, vertex) in &merges[node.index()] {
            walk.set(variable, vertex);
        }
        for &event in &events[node.index()] {
            self.happen(place, walk, node, event);
        }
        let mut seen = Vec::new();
        for &(to, _) in place.cfg.successors(node) {
            if seen.contains(&to) {
                continue;
            }
            seen.push(to);
            for &(variable, vertex) in &merges[to.index()] {
                if let Some(version) = walk.current[variable as usize] {
                    self.edge(version, vertex, walk.variables.label(variable));
                }
            }
        }
    }

    fn happen(&mut self, place: &Place<'_>, walk: &mut Walk<'_>, node: NodeId, event: Event) {
        match event {
            Event::Use { variable, vertex } => {
                if let Some(version) = walk.current[variable as usize] {
                    self.edge(version, vertex, walk.variables.label(variable));
                }
            }
            Event::Define { variable, vertex, replaces } => {
                let before = walk.current[variable as usize];
                let version = match before {
                    Some(before) if !replaces => {
                        let label = walk.variables.label(variable);
                        let merge = self.vertex(Kind::Merge(node), Some(place.function), None);
                        self.edge(before, merge, label);
                        self.edge(vertex, merge, label);
                        merge
                    }
                    _ => vertex,
                };
                walk.set(variable, version);
            }
        }
    }

    /// Where versions of each variable meet and are needed: vertices by node.
    fn place_merges(
        &mut self,
        place: &Place<'_>,
        variables: &Variables,
        events: &[Vec<Event>],
    ) -> Vec<Vec<(u32, VertexId)>> {
        let mut merges = vec![Vec::new(); place.cfg.len()];
        let frontiers = place.dominators.frontiers(&place.cfg);
        let places = Occurrences::new(variables.len(), &place.order, events);
        let mut live = vec![u32::MAX; place.cfg.len()];
        let mut placed = vec![u32::MAX; place.cfg.len()];
        for variable in 0..variables.len() as u32 {
            let (defined, wanted) = places.of(variable);
            if defined.is_empty() || wanted.is_empty() {
                continue;
            }
            mark_live(place, variable, defined, wanted, &mut live);
            let mut work: Vec<NodeId> = defined.to_vec();
            while let Some(node) = work.pop() {
                for &meeting in &frontiers[node.index()] {
                    if live[meeting.index()] == variable && placed[meeting.index()] != variable {
                        placed[meeting.index()] = variable;
                        let kind = Kind::Merge(meeting);
                        let vertex = self.vertex(kind, Some(place.function), None);
                        merges[meeting.index()].push((variable, vertex));
                        work.push(meeting);
                    }
                }
            }
        }
        merges
    }

    /// Regions with a path from the entry to the exit without a definition that replaces them.
    /// Calls replace what they define unless they may leave it unchanged; the callers of this
    /// function decide that.
    fn unreplaced(
        &self,
        place: &Place<'_>,
        variables: &Variables,
        events: &[Vec<Event>],
    ) -> Vec<RegionId> {
        let mut replaced_in: Vec<Vec<NodeId>> = vec![Vec::new(); variables.len()];
        for &node in &place.order {
            for event in &events[node.index()] {
                if let Event::Define { variable, vertex, replaces: true } = event
                    && !matches!(self.vertices[*vertex].kind, Kind::ActualOut(_))
                {
                    replaced_in[*variable as usize].push(node);
                }
            }
        }
        let mut unreplaced = Vec::new();
        for (variable, nodes) in replaced_in.iter().enumerate() {
            let Some(region) = variables.region(variable as u32) else { continue };
            if nodes.is_empty() || leads_around(&place.cfg, nodes) {
                unreplaced.push(region);
            }
        }
        unreplaced
    }
}

/// Whether a path from the entry to the exit avoids some nodes.
fn leads_around(cfg: &Cfg, avoided: &[NodeId]) -> bool {
    let mut seen = vec![false; cfg.len()];
    avoided.iter().for_each(|node| seen[node.index()] = true);
    if seen[Cfg::ENTRY.index()] {
        return false;
    }
    let mut stack = vec![Cfg::ENTRY];
    while let Some(node) = stack.pop() {
        if node == cfg.exit() {
            return true;
        }
        for &(to, _) in cfg.successors(node) {
            if !std::mem::replace(&mut seen[to.index()], true) {
                stack.push(to);
            }
        }
    }
    false
}

/// Marks the nodes at whose start a variable is needed.
fn mark_live(
    place: &Place<'_>,
    variable: u32,
    defined: &[NodeId],
    wanted: &[NodeId],
    live: &mut [u32],
) {
    let mut stack: Vec<NodeId> = wanted.to_vec();
    stack.iter().for_each(|node| live[node.index()] = variable);
    while let Some(node) = stack.pop() {
        for &from in place.cfg.predecessors(node) {
            if live[from.index()] != variable && defined.binary_search(&from).is_err() {
                live[from.index()] = variable;
                stack.push(from);
            }
        }
    }
}

/// For each variable, the nodes that define it and those that need its earlier value.
struct Occurrences {
    defined: Vec<Vec<NodeId>>,
    wanted: Vec<Vec<NodeId>>,
}

impl Occurrences {
    fn new(variables: usize, order: &[NodeId], events: &[Vec<Event>]) -> Occurrences {
        let mut defined: Vec<Vec<NodeId>> = vec![Vec::new(); variables];
        let mut wanted: Vec<Vec<NodeId>> = vec![Vec::new(); variables];
        // The last node that settled what a variable holds.
        let mut settled: Vec<Option<NodeId>> = vec![None; variables];
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        for node in sorted {
            for event in &events[node.index()] {
                let (variable, uses, defines) = match *event {
                    Event::Use { variable, .. } => (variable as usize, true, false),
                    Event::Define { variable, replaces, .. } => {
                        (variable as usize, !replaces, true)
                    }
                };
                if uses && settled[variable] != Some(node) && wanted[variable].last() != Some(&node)
                {
                    wanted[variable].push(node);
                }
                if defines {
                    settled[variable] = Some(node);
                    if defined[variable].last() != Some(&node) {
                        defined[variable].push(node);
                    }
                }
            }
        }
        Occurrences { defined, wanted }
    }

    fn of(&self, variable: u32) -> (&[NodeId], &[NodeId]) {
        (&self.defined[variable as usize], &self.wanted[variable as usize])
    }
}

/// The versions of variables on the way down the dominator tree.
struct Walk<'v> {
    variables: &'v Variables,
    current: Vec<Option<VertexId>>,
    undo: Vec<(u32, Option<VertexId>)>,
}

impl Walk<'_> {
    fn set(&mut self, variable: u32, version: VertexId) {
        let before = self.current[variable as usize].replace(version);
        self.undo.push((variable, before));
    }

    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((variable, before)) = self.undo.pop() {
                self.current[variable as usize] = before;
            }
        }
    }
}

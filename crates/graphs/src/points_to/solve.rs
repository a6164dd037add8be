//! Solves inclusion constraints in waves.

use std::collections::BTreeMap;

use base::entity::{PrimaryMap, filled};
use base::sets::SparseSet;
use ir::{FuncId, InstId, Module, SlotId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{NONE, Node, PointsTo, Targets};
use crate::objects::{CellId, ObjectId, ObjectKind, Objects, Shape};

/// An offset from a pointer: `bytes`, plus any multiple of `scale` unless it is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distance {
    pub bytes: i64,
    pub scale: u64,
}

/// What depends on the targets of a node's pointers.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    pub loads: Vec<Node>,
    /// Loads of values that are larger than a pointer.
    pub wide_loads: Vec<Node>,
    pub stores: Vec<Node>,
    pub wide_stores: Vec<Node>,
    pub offsets: Vec<(Node, Distance)>,
    pub calls: Vec<u32>,
    pub copies: Vec<u32>,
    /// Unknown code has these pointers.
    pub escapes: bool,
}

impl Uses {
    fn is_empty(&self) -> bool {
        self.loads.is_empty()
            && self.wide_loads.is_empty()
            && self.stores.is_empty()
            && self.wide_stores.is_empty()
            && self.offsets.is_empty()
            && self.calls.is_empty()
            && self.copies.is_empty()
            && !self.escapes
    }

    fn append(&mut self, other: Uses) {
        self.loads.extend(other.loads);
        self.wide_loads.extend(other.wide_loads);
        self.stores.extend(other.stores);
        self.wide_stores.extend(other.wide_stores);
        self.offsets.extend(other.offsets);
        self.calls.extend(other.calls);
        self.copies.extend(other.copies);
        self.escapes |= other.escapes;
    }
}

#[derive(Clone, Debug, Default)]
struct Cells {
    /// What the node points to, the part already propagated, and the part already used.
    all: SparseSet,
    passed: SparseSet,
    used: SparseSet,
}

/// A copy of memory from one place to another.
#[derive(Clone, Debug)]
pub(super) struct MemoryCopy {
    pub to: Node,
    pub from: Node,
    pub size: Option<u64>,
    done: FxHashSet<(u32, u32)>,
    /// With many pairs of objects, everything goes through one node.
    hub: Node,
    seen: (SparseSet, SparseSet),
}

/// What flows in and out of every cell of an object, including cells that are added later.
#[derive(Clone, Debug, Default)]
struct Flows {
    into_all: Vec<Node>,
    from_all: Vec<Node>,
    /// From an offset of this object to an offset of another, with the number of bytes.
    pairs: Vec<(u64, ObjectId, u64, Option<u64>)>,
}

/// A call whose callee is known by a pointer.
#[derive(Clone, Debug)]
pub(super) struct PointerCall {
    pub function: FuncId,
    pub inst: InstId,
    pub args: Vec<Node>,
    pub result: Node,
    /// Whether an external function makes the call.
    pub callback: bool,
}

/// With more pairs of objects than this, a copy of memory goes through one node.
const MANY_PAIRS: usize = 64;

/// After how many nodes to ask whether there is still time.
const PATIENCE: usize = 256;

pub(super) struct Solver<'m> {
    pub module: &'m Module,
    pub objects: Objects,
    pub cell_parents: PrimaryMap<CellId, CellId>,
    pub cell_nodes: PrimaryMap<CellId, Node>,
    parents: Vec<Node>,
    cells: Vec<Cells>,
    pub uses: Vec<Uses>,
    copies: Vec<Vec<Node>>,
    flows: FxHashMap<ObjectId, Flows>,
    pub memory_copies: Vec<MemoryCopy>,
    pub pointer_calls: Vec<PointerCall>,
    pub values: PrimaryMap<FuncId, PrimaryMap<ValueId, Node>>,
    pub slots: PrimaryMap<FuncId, PrimaryMap<SlotId, Node>>,
    pub returns: PrimaryMap<FuncId, Node>,
    pub constants: FxHashMap<(FuncId, ir::ConstId), Vec<CellId>>,
    pub made: FxHashMap<ObjectKind, ObjectId>,
    pub targets: BTreeMap<(FuncId, InstId), Targets>,
    pub redirects: bool,
    /// Nodes with something to propagate or to use.
    changed: Vec<Node>,
    is_changed: Vec<bool>,
    fresh_cells: Vec<CellId>,
}

impl<'m> Solver<'m> {
    pub fn new(module: &'m Module) -> Solver<'m> {
        Solver {
            module,
            objects: Objects::default(),
            cell_parents: PrimaryMap::new(),
            cell_nodes: PrimaryMap::new(),
            parents: Vec::new(),
            cells: Vec::new(),
            uses: Vec::new(),
            copies: Vec::new(),
            flows: FxHashMap::default(),
            memory_copies: Vec::new(),
            pointer_calls: Vec::new(),
            values: filled(module.functions.len(), PrimaryMap::new()),
            slots: filled(module.functions.len(), PrimaryMap::new()),
            returns: filled(module.functions.len(), NONE),
            constants: FxHashMap::default(),
            made: FxHashMap::default(),
            targets: BTreeMap::new(),
            redirects: false,
            changed: Vec::new(),
            is_changed: Vec::new(),
            fresh_cells: Vec::new(),
        }
    }

    pub fn node(&mut self) -> Node {
        let node = self.parents.len() as Node;
        self.parents.push(node);
        self.cells.push(Cells::default());
        self.uses.push(Uses::default());
        self.copies.push(Vec::new());
        self.is_changed.push(false);
        node
    }

    pub fn find(&mut self, node: Node) -> Node {
        let mut root = node;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        let mut at = node;
        while self.parents[at as usize] != root {
            at = std::mem::replace(&mut self.parents[at as usize], root);
        }
        root
    }

    pub fn resolve(&self, cell: CellId) -> CellId {
        let mut cell = cell;
        while self.cell_parents[cell] != cell {
            cell = self.cell_parents[cell];
        }
        cell
    }

    /// The object of a kind, created if it is new.
    pub fn object(&mut self, kind: ObjectKind, shape: Shape) -> ObjectId {
        if let Some(&object) = self.made.get(&kind) {
            return object;
        }
        let object = self.objects.add(kind, shape);
        self.made.insert(kind, object);
        self.cell_at(object, 0);
        object
    }

    /// The cell of an offset of an object; `None` outside of the object.
    pub fn cell_at(&mut self, object: ObjectId, offset: i64) -> Option<CellId> {
        let fold = self.objects.fold(&self.module.types, object, offset)?;
        let (cell, new) = self.objects.cell(object, fold.offset);
        if new {
            self.register(cell);
            if let Some(shape) = self.objects.crowded(object) {
                self.reshape(object, shape);
                return self.cell_at(object, offset);
            }
        }
        Some(cell)
    }

    fn register(&mut self, cell: CellId) {
        let node = self.node();
        self.cell_nodes.push(node);
        self.cell_parents.push(cell);
        self.fresh_cells.push(cell);
    }

    pub fn content(&self, cell: CellId) -> Node {
        self.cell_nodes[self.resolve(cell)]
    }

    pub fn reshape(&mut self, object: ObjectId, shape: Shape) {
        for (gone, kept) in self.objects.reshape(&self.module.types, object, shape) {
            self.cell_parents[gone] = kept;
            let (a, b) = (self.cell_nodes[gone], self.content(kept));
            self.unify(a, b);
        }
    }

    fn unify(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        self.parents[a as usize] = b;
        let gone = std::mem::take(&mut self.cells[a as usize]);
        let kept = &mut self.cells[b as usize];
        kept.all.union(&gone.all);
        kept.passed = kept.passed.intersection(&gone.passed);
        let (one, other) = (&self.uses[a as usize], &self.uses[b as usize]);
        kept.used = match (one.is_empty(), other.is_empty()) {
            (true, _) => std::mem::take(&mut kept.used),
            (false, true) => gone.used,
            (false, false) => kept.used.intersection(&gone.used),
        };
        let uses = std::mem::take(&mut self.uses[a as usize]);
        self.uses[b as usize].append(uses);
        let copies = std::mem::take(&mut self.copies[a as usize]);
        self.copies[b as usize].extend(copies);
        self.mark(b);
    }

    pub fn mark(&mut self, node: Node) {
        if !std::mem::replace(&mut self.is_changed[node as usize], true) {
            self.changed.push(node);
        }
    }

    pub fn point(&mut self, node: Node, cell: CellId) {
        if node == NONE {
            return;
        }
        let node = self.find(node);
        if self.cells[node as usize].all.insert(cell.as_u32()) {
            self.mark(node);
        }
    }

    /// The same for many cells, in any order. Sets are large, so single insertions would be slow.
    fn point_all(&mut self, node: Node, mut cells: Vec<u32>) {
        if node == NONE || cells.is_empty() {
            return;
        }
        cells.sort_unstable();
        let node = self.find(node);
        if self.cells[node as usize].all.union(&cells.into_iter().collect()) {
            self.mark(node);
        }
    }

    pub fn copy(&mut self, from: Node, to: Node) {
        if from == NONE || to == NONE {
            return;
        }
        let (from, to) = (self.find(from), self.find(to));
        if from == to || self.copies[from as usize].contains_recent(to) {
            return;
        }
        self.copies[from as usize].push(to);
        let passed = std::mem::take(&mut self.cells[from as usize].passed);
        if self.cells[to as usize].all.union(&passed) {
            self.mark(to);
        }
        self.cells[from as usize].passed = passed;
        if !self.cells[from as usize].all.is_empty() {
            self.mark(from);
        }
    }

    pub fn add_memory_copy(&mut self, to: Node, from: Node, size: Option<u64>) {
        if to == NONE || from == NONE {
            return;
        }
        let index = self.memory_copies.len() as u32;
        self.memory_copies.push(MemoryCopy {
            to,
            from,
            size,
            done: FxHashSet::default(),
            hub: NONE,
            seen: Default::default(),
        });
        for node in [to, from] {
            let node = self.find(node);
            self.uses[node as usize].copies.push(index);
            self.renew(node);
        }
    }

    /// Processes everything that a node points to again, for a new use.
    pub fn renew(&mut self, node: Node) {
        let node = self.find(node);
        self.cells[node as usize].used = SparseSet::new();
        if !self.cells[node as usize].all.is_empty() {
            self.mark(node);
        }
    }

    /// Whether there was time to solve all constraints.
    pub fn solve(&mut self, is_over: &dyn Fn() -> bool) -> bool {
        loop {
            self.settle_fresh_cells();
            if self.changed.is_empty() {
                return true;
            }
            let order = self.collapse_cycles();
            if !self.pass_on(&order, is_over) || !self.use_all(&order, is_over) {
                return false;
            }
        }
    }

    /// Merges strongly connected copies into one node; returns all nodes in topological order.
    fn collapse_cycles(&mut self) -> Vec<Node> {
        let len = self.parents.len() as Node;
        for node in 0..len {
            if self.parents[node as usize] == node {
                let mut copies = std::mem::take(&mut self.copies[node as usize]);
                for to in &mut copies {
                    *to = self.find(*to);
                }
                copies.sort_unstable();
                copies.dedup();
                copies.retain(|&to| to != node);
                self.copies[node as usize] = copies;
            }
        }
        let parents = &self.parents;
        let roots = (0..len).filter(|&node| parents[node as usize] == node);
        let components = base::components(len as usize, roots, |node, visit| {
            self.copies[node as usize].iter().for_each(|&to| visit(to));
        });
        let mut order = Vec::with_capacity(components.len());
        for component in components.into_iter().rev() {
            let first = component[0];
            for &other in &component[1..] {
                self.unify(other, first);
            }
            order.push(first);
        }
        order
    }

    fn pass_on(&mut self, order: &[Node], is_over: &dyn Fn() -> bool) -> bool {
        for (done, &node) in order.iter().enumerate() {
            if done % PATIENCE == 0 && is_over() {
                return false;
            }
            let cells = &self.cells[node as usize];
            if self.copies[node as usize].is_empty() {
                continue;
            }
            let new = cells.all.difference(&cells.passed);
            if new.is_empty() {
                continue;
            }
            let copies = std::mem::take(&mut self.copies[node as usize]);
            for &to in &copies {
                let to = self.find(to);
                if to != node && self.cells[to as usize].all.union(&new) {
                    self.mark(to);
                }
            }
            self.copies[node as usize] = copies;
            let cells = &mut self.cells[node as usize];
            cells.passed.union(&new);
        }
        true
    }

    fn use_all(&mut self, order: &[Node], is_over: &dyn Fn() -> bool) -> bool {
        for node in std::mem::take(&mut self.changed) {
            self.is_changed[node as usize] = false;
        }
        for (done, &node) in order.iter().enumerate() {
            if done % PATIENCE == 0 && is_over() {
                return false;
            }
            let node = self.find(node);
            if self.uses[node as usize].is_empty() {
                continue;
            }
            let cells = &self.cells[node as usize];
            let new = cells.all.difference(&cells.used);
            if new.is_empty() {
                continue;
            }
            self.cells[node as usize].used.union(&new);
            self.use_new(node, &new);
        }
        true
    }

    /// Processes the uses of a node, for cells that it newly points to.
    fn use_new(&mut self, node: Node, new: &SparseSet) {
        let uses = std::mem::take(&mut self.uses[node as usize]);
        let mut cells: Vec<CellId> =
            new.iter().map(|cell| self.resolve(CellId::from_u32(cell))).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut moved: Vec<Vec<u32>> = vec![Vec::new(); uses.offsets.len()];
        for &cell in &cells {
            let content = self.content(cell);
            uses.loads.iter().for_each(|&to| self.copy(content, to));
            uses.stores.iter().for_each(|&from| self.copy(from, content));
            let object = self.objects.object_of(cell);
            uses.wide_loads.iter().for_each(|&to| self.flow_from_all(object, to));
            uses.wide_stores.iter().for_each(|&from| self.flow_into_all(object, from));
            for (&(_, distance), moved) in uses.offsets.iter().zip(&mut moved) {
                moved.extend(self.offset(cell, distance).map(CellId::as_u32));
            }
            if let ObjectKind::Function(function) = self.objects.objects[object].kind {
                for &call in &uses.calls {
                    self.call_function(call, function);
                }
            }
            if uses.escapes {
                self.escape(object, node);
            }
        }
        for (&(to, _), moved) in uses.offsets.iter().zip(moved) {
            self.point_all(to, moved);
        }
        for &copy in &uses.copies {
            self.copy_memory(copy as usize);
        }
        let kept = self.find(node);
        let added = std::mem::take(&mut self.uses[kept as usize]);
        self.uses[kept as usize] = uses;
        self.uses[kept as usize].append(added);
        if kept != node {
            self.renew(kept);
        }
    }

    /// The cell at a distance from another one.
    fn offset(&mut self, cell: CellId, distance: Distance) -> Option<CellId> {
        let cell = self.resolve(cell);
        let crate::objects::Cell { object, offset } = self.objects.cells[cell];
        if matches!(self.objects.objects[object].kind, ObjectKind::Function(_)) {
            return None;
        }
        let types = &self.module.types;
        let target = (offset as i64).wrapping_add(distance.bytes);
        if distance.scale != 0 {
            let at = self.objects.fold(types, object, target).map_or(offset, |fold| fold.offset);
            if !self.objects.is_element(types, object, at, distance.scale) {
                let shape = self.objects.indexed(object, distance.scale);
                self.reshape(object, shape);
            }
        }
        self.cell_at(object, target)
    }

    /// Adds a node's pointers to every cell of an object.
    pub fn flow_into_all(&mut self, object: ObjectId, from: Node) {
        let flows = self.flows.entry(object).or_default();
        if flows.into_all.contains(&from) {
            return;
        }
        flows.into_all.push(from);
        for (_, cell) in self.objects.objects[object].cells.clone() {
            let content = self.content(cell);
            self.copy(from, content);
        }
    }

    /// Adds the pointers in every cell of an object to a node.
    pub fn flow_from_all(&mut self, object: ObjectId, to: Node) {
        let flows = self.flows.entry(object).or_default();
        if flows.from_all.contains(&to) {
            return;
        }
        flows.from_all.push(to);
        for (_, cell) in self.objects.objects[object].cells.clone() {
            let content = self.content(cell);
            self.copy(content, to);
        }
    }

    /// Connects new cells to what flows through their objects.
    fn settle_fresh_cells(&mut self) {
        while let Some(cell) = self.fresh_cells.pop() {
            let cell = self.resolve(cell);
            let object = self.objects.object_of(cell);
            let Some(flows) = self.flows.get(&object).cloned() else { continue };
            let content = self.content(cell);
            flows.into_all.iter().for_each(|&from| self.copy(from, content));
            flows.from_all.iter().for_each(|&to| self.copy(content, to));
            for pair in flows.pairs {
                self.copy_cell(cell, pair);
            }
        }
    }

    fn copy_memory(&mut self, index: usize) {
        let MemoryCopy { to, from, size, .. } = self.memory_copies[index];
        let (to, from) = (self.find(to), self.find(from));
        let targets = self.cells[to as usize].all.clone();
        let sources = self.cells[from as usize].all.clone();
        if self.memory_copies[index].hub == NONE && targets.len() * sources.len() > MANY_PAIRS {
            self.memory_copies[index].hub = self.node();
        }
        let hub = self.memory_copies[index].hub;
        if hub != NONE {
            let (old_targets, old_sources) = std::mem::take(&mut self.memory_copies[index].seen);
            for cell in targets.difference(&old_targets).iter() {
                let object = self.objects.object_of(CellId::from_u32(cell));
                self.flow_into_all(object, hub);
            }
            for cell in sources.difference(&old_sources).iter() {
                let object = self.objects.object_of(CellId::from_u32(cell));
                self.flow_from_all(object, hub);
            }
            self.memory_copies[index].seen = (targets, sources);
            return;
        }
        for target in targets.iter() {
            for source in sources.iter() {
                if self.memory_copies[index].done.insert((target, source)) {
                    self.copy_pair(CellId::from_u32(target), CellId::from_u32(source), size);
                }
            }
        }
    }

    fn copy_pair(&mut self, target: CellId, source: CellId, size: Option<u64>) {
        let target = self.objects.cells[self.resolve(target)];
        let source = self.objects.cells[self.resolve(source)];
        let pair = (source.offset, target.object, target.offset, size);
        self.flows.entry(source.object).or_default().pairs.push(pair);
        for (_, cell) in self.objects.objects[source.object].cells.clone() {
            self.copy_cell(cell, pair);
        }
    }

    fn copy_cell(&mut self, cell: CellId, pair: (u64, ObjectId, u64, Option<u64>)) {
        let (start, target, offset, size) = pair;
        let cell = self.resolve(cell);
        let crate::objects::Cell { object, offset: at } = self.objects.cells[cell];
        let types = &self.module.types;
        let slack = self.objects.fold(types, object, start as i64).map_or(0, |fold| fold.slack);
        let inside = slack == u64::MAX
            || at >= start
                && size.is_none_or(|size| at < start.saturating_add(size).saturating_add(slack));
        if !inside {
            return;
        }
        let distance = (at as i64).wrapping_sub(start as i64).wrapping_add(offset as i64);
        if let Some(to) = self.cell_at(target, distance) {
            let (from, to) = (self.content(cell), self.content(to));
            self.copy(from, to);
        }
    }

    pub fn finish(mut self) -> PointsTo {
        let len = self.parents.len() as Node;
        let sets: Vec<u32> = (0..len).map(|node| self.find(node)).collect();
        let kept = self.kept();
        for targets in self.targets.values_mut() {
            for list in [&mut targets.functions, &mut targets.externals, &mut targets.callbacks] {
                list.sort_unstable();
                list.dedup();
            }
        }
        PointsTo {
            objects: self.objects,
            cells: self.cell_parents,
            values: self.values,
            sets,
            contents: self.cells.into_iter().map(|cells| cells.all).collect(),
            cell_nodes: self.cell_nodes,
            constants: self.constants,
            made: self.made,
            targets: self.targets,
            kept,
            redirects: self.redirects,
        }
    }

    /// Functions that the library keeps and calls later.
    fn kept(&mut self) -> Vec<FuncId> {
        let signals = ObjectKind::Library(library::SIGNALS);
        let Some(&object) = self.made.get(&signals) else { return Vec::new() };
        let mut kept = Vec::new();
        for (_, cell) in self.objects.objects[object].cells.clone() {
            let content = self.content(cell);
            let node = self.find(content);
            for cell in self.cells[node as usize].all.iter() {
                let object = self.objects.object_of(CellId::from_u32(cell));
                if let ObjectKind::Function(function) = self.objects.objects[object].kind {
                    kept.push(function);
                }
            }
        }
        kept.sort_unstable();
        kept.dedup();
        kept
    }
}

/// A cheap test for the commonest repetition.
trait Recent {
    fn contains_recent(&self, node: Node) -> bool;
}

impl Recent for Vec<Node> {
    fn contains_recent(&self, node: Node) -> bool {
        self.iter().rev().take(8).any(|&known| known == node)
    }
}

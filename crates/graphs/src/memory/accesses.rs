//! Which cells each instruction reads and writes by itself.

use base::entity::{PrimaryMap, filled};
use ir::{Body, Builtin, Call, Callee, FuncId, InstId, Module, Op, Operand};
use library::{Depth, Effect, Fact, Which};
use rustc_hash::FxHashMap;

use super::{Access, SetId};
use crate::call_graph::CallGraph;
use crate::objects::{CellId, ObjectId, ObjectKind, cells_in_range};
use crate::points_to::PointsTo;
use crate::points_to::constraints::constant;

pub(super) struct Found {
    pub sets: PrimaryMap<SetId, Box<[CellId]>>,
    pub accesses: PrimaryMap<FuncId, FxHashMap<InstId, Access>>,
}

pub(super) fn find(module: &Module, points_to: &PointsTo, calls: &CallGraph) -> Found {
    let mut finder = Finder {
        module,
        points_to,
        calls,
        sets: PrimaryMap::new(),
        index: FxHashMap::default(),
        by_class: FxHashMap::default(),
    };
    finder.intern(Vec::new());
    let mut accesses = PrimaryMap::with_capacity(module.functions.len());
    for (id, function) in module.functions.iter() {
        let mut found = FxHashMap::default();
        if let Some(body) = function.body() {
            for &inst in body.blocks.values().flat_map(|block| &block.insts) {
                if let Some(access) = finder.access(id, body, inst) {
                    found.insert(inst, access);
                }
            }
        }
        accesses.push(found);
    }
    Found { sets: finder.sets, accesses }
}

struct Finder<'a> {
    module: &'a Module,
    points_to: &'a PointsTo,
    calls: &'a CallGraph,
    sets: PrimaryMap<SetId, Box<[CellId]>>,
    index: FxHashMap<Box<[CellId]>, SetId>,
    /// Sets of accesses by the class of the address and the size.
    by_class: FxHashMap<(u32, Option<u64>), SetId>,
}

/// Cells read, written and prepared.
#[derive(Default)]
struct Cells {
    reads: Vec<CellId>,
    writes: Vec<CellId>,
    prepares: Vec<CellId>,
}

impl Finder<'_> {
    fn intern(&mut self, mut cells: Vec<CellId>) -> SetId {
        cells.sort_unstable();
        cells.dedup();
        let cells = cells.into_boxed_slice();
        match self.index.get(&cells) {
            Some(&set) => set,
            None => {
                let set = self.sets.push(cells.clone());
                self.index.insert(cells, set);
                set
            }
        }
    }

    /// The cells of `size` bytes at an address, or of everything after it without a size.
    fn range(&self, function: FuncId, address: Operand, size: Option<u64>) -> Vec<CellId> {
        let mut cells = Vec::new();
        for cell in self.points_to.targets_of(function, address) {
            let types = &self.module.types;
            cells.extend(cells_in_range(&self.points_to.objects, types, cell, size));
        }
        cells
    }

    fn range_set(&mut self, function: FuncId, address: Operand, size: Option<u64>) -> SetId {
        let class = self.points_to.class_of(function, address);
        if let Some(class) = class
            && let Some(&set) = self.by_class.get(&(class, size))
        {
            return set;
        }
        let set = self.intern(self.range(function, address, size));
        if let Some(class) = class {
            self.by_class.insert((class, size), set);
        }
        set
    }

    fn access(&mut self, function: FuncId, body: &Body, id: InstId) -> Option<Access> {
        let inst = &body.insts[id];
        let types = &self.module.types;
        let result = inst.result.map(|value| types.store_size(body.values[value].ty));
        match &inst.op {
            Op::Load { address, .. } => {
                let reads = self.range_set(function, *address, result);
                Some(self.plain(reads, SetId::EMPTY))
            }
            Op::Store { address, value, .. } => {
                let size = types.store_size(body.operand_type(*value));
                let writes = self.range_set(function, *address, Some(size));
                let replaces = self.replaces(function, *address, size);
                Some(Access { replaces, ..self.plain(SetId::EMPTY, writes) })
            }
            Op::AtomicRmw { address, value, .. }
            | Op::CompareExchange { address, new: value, .. } => {
                let size = types.store_size(body.operand_type(*value));
                let both = self.range_set(function, *address, Some(size));
                Some(self.plain(both, both))
            }
            Op::VaArg { list } => {
                let cells = self.reach(self.points_to.targets_of(function, *list));
                let writes = self.range_set(function, *list, None);
                let reads = self.intern(cells);
                Some(self.plain(reads, writes))
            }
            Op::Call(call) | Op::Invoke { call, .. } => self.call(function, body, id, call),
            // Nothing else touches memory.
            _ => None,
        }
    }

    fn plain(&self, reads: SetId, writes: SetId) -> Access {
        let cells = self.sets[reads].len().max(self.sets[writes].len()) as u32;
        Access { reads, writes, replaces: false, prepares: SetId::EMPTY, cells }
    }

    /// Whether a store of `size` bytes overwrites all of the only cell it may refer to.
    fn replaces(&self, function: FuncId, address: Operand, size: u64) -> bool {
        let [cell] = self.points_to.targets_of(function, address)[..] else { return false };
        let objects = &self.points_to.objects;
        let one = match objects.objects[objects.object_of(cell)].kind {
            ObjectKind::Global(_) => true,
            ObjectKind::Local(owner, _) => !self.calls.is_recursive(owner),
            _ => false,
        };
        one && objects.is_single(&self.module.types, cell).is_some_and(|whole| whole <= size)
    }

    fn call(&mut self, function: FuncId, body: &Body, id: InstId, call: &Call) -> Option<Access> {
        let mut cells = Cells::default();
        match &call.callee {
            Callee::Builtin(builtin) => {
                return self.builtin(function, body, *builtin, call);
            }
            Callee::Asm(_) => {
                for arg in &call.args {
                    let pointed = self.range(function, arg.value, None);
                    cells.reads.extend(&pointed);
                    cells.writes.extend(pointed);
                }
            }
            Callee::Function(_) | Callee::Indirect(_) => {
                self.passing(function, id, call, &mut cells);
                let targets = self.points_to.calls(function, id)?;
                for &callee in &targets.externals {
                    self.external(function, id, call, callee, &mut cells);
                }
            }
        }
        let reads = self.intern(cells.reads);
        let writes = self.intern(cells.writes);
        let prepares = self.intern(cells.prepares);
        if [reads, writes, prepares] == [SetId::EMPTY; 3] {
            return None;
        }
        Some(Access { prepares, ..self.plain(reads, writes) })
    }

    /// Structs that are passed by value are copied before the call.
    fn passing(&self, function: FuncId, id: InstId, call: &Call, cells: &mut Cells) {
        for (index, arg) in call.args.iter().enumerate() {
            let Some(byval) = arg.byval else { continue };
            cells.reads.extend(self.range(function, arg.value, Some(byval.size)));
            let targets = self.points_to.calls(function, id);
            for &callee in targets.iter().flat_map(|targets| &targets.functions) {
                let kind = ObjectKind::Copy(callee, index as u32);
                cells.prepares.extend(self.cells_of(kind));
            }
        }
    }

    fn cells_of(&self, kind: ObjectKind) -> impl Iterator<Item = CellId> + '_ {
        let object = self.points_to.object(kind);
        let cells = object.map(|object| &self.points_to.objects.objects[object].cells[..]);
        cells.unwrap_or_default().iter().map(|&(_, cell)| cell)
    }

    fn builtin(
        &mut self,
        function: FuncId,
        body: &Body,
        builtin: Builtin,
        call: &Call,
    ) -> Option<Access> {
        let arg = |index: usize| call.args.get(index).map(|arg| arg.value);
        match builtin {
            Builtin::Memcpy | Builtin::Memmove => {
                let size = arg(2).and_then(|size| constant(body, size));
                let writes = self.range_set(function, arg(0)?, size);
                let reads = self.range_set(function, arg(1)?, size);
                Some(self.plain(reads, writes))
            }
            Builtin::Memset => {
                let size = arg(2).and_then(|size| constant(body, size));
                let writes = self.range_set(function, arg(0)?, size);
                Some(self.plain(SetId::EMPTY, writes))
            }
            Builtin::VaCopy => {
                let writes = self.range_set(function, arg(0)?, None);
                let reads = self.range_set(function, arg(1)?, None);
                Some(self.plain(reads, writes))
            }
            Builtin::VaStart => {
                let mut cells = self.range(function, arg(0)?, None);
                cells.extend(self.cells_of(ObjectKind::Varargs(function)));
                let writes = self.intern(cells);
                Some(self.plain(SetId::EMPTY, writes))
            }
            // The others compute on values only.
            _ => None,
        }
    }

    /// Everything reachable from some cells, including these.
    fn reach(&self, start: Vec<CellId>) -> Vec<CellId> {
        let objects = &self.points_to.objects;
        let mut seen: PrimaryMap<ObjectId, bool> = filled(objects.objects.len(), false);
        let mut stack: Vec<_> = start.iter().map(|&cell| objects.object_of(cell)).collect();
        let mut cells = Vec::new();
        while let Some(object) = stack.pop() {
            if std::mem::replace(&mut seen[object], true) {
                continue;
            }
            for &(_, cell) in &objects.objects[object].cells {
                cells.push(cell);
                let next = self.points_to.contents_of(cell);
                stack.extend(next.into_iter().map(|cell| objects.object_of(cell)));
            }
        }
        cells
    }

    /// What a function without code does.
    fn external(
        &self,
        function: FuncId,
        id: InstId,
        call: &Call,
        callee: FuncId,
        cells: &mut Cells,
    ) {
        let callee = &self.module.functions[callee];
        let Some(effects) = library::model(&callee.name) else {
            let known = self.cells_of(ObjectKind::Unknown).collect();
            let all = self.reach(known);
            cells.reads.extend(&all);
            cells.writes.extend(all);
            return;
        };
        let named = callee.params.len();
        let meant = |which: Which, depth: Depth| {
            let chosen = call.args.iter().enumerate().filter(|&(index, _)| match which {
                Which::One(one) => index == one,
                Which::Unnamed => index >= named,
                Which::All => true,
            });
            let pointed = chosen.flat_map(|(_, arg)| match depth {
                Depth::Pointee => self.range(function, arg.value, None),
                Depth::Reachable => self.reach(self.points_to.targets_of(function, arg.value)),
            });
            pointed.collect::<Vec<CellId>>()
        };
        let one = |index: usize| meant(Which::One(index), Depth::Pointee);
        for effect in effects {
            match *effect {
                Effect::Reads(which, depth) => cells.reads.extend(meant(which, depth)),
                Effect::Writes(which, depth) => cells.writes.extend(meant(which, depth)),
                Effect::Copies(to, from) => {
                    cells.writes.extend(one(to));
                    cells.reads.extend(one(from));
                }
                Effect::Stores(to, _) | Effect::Allocates(to) => cells.writes.extend(one(to)),
                Effect::KeepsInside(from) => cells.reads.extend(one(from)),
                Effect::ReadsState(state) => cells.reads.extend(self.state(state)),
                Effect::WritesState(state) => cells.writes.extend(self.state(state)),
                Effect::Returns(library::Returned::Resized(from)) => {
                    cells.reads.extend(one(from));
                    cells.writes.extend(self.cells_of(ObjectKind::Heap(function, id)));
                }
                // Values, not memory.
                Effect::Returns(_) | Effect::Calls(..) | Effect::Keeps(_) | Effect::Ends(_) => {}
            }
        }
        // A call reads what it prints, and writes what it allocates with zeros.
        if library::has(&callee.name, Fact::Zeroes) {
            cells.writes.extend(self.cells_of(ObjectKind::Heap(function, id)));
        }
    }

    fn state(&self, state: u32) -> impl Iterator<Item = CellId> + '_ {
        let state = match state {
            library::CONSOLE if self.points_to.redirects => library::FILES,
            state => state,
        };
        self.cells_of(ObjectKind::Library(state))
    }
}

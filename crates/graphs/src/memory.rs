//! What instructions and functions read and write in memory.
//!
//! Cells that no access distinguishes form a region. A region is *ordered* if its definitions are
//! followed along control flow and through calls; *unordered* if every definition is assumed to
//! reach every use, which is sound but coarser; *idle* if nothing reads it or nothing writes it.
//! Regions are unordered if functions that may run at any time touch them, and if following them
//! through all calls would exceed the budget: the most expensive ones first.

mod accesses;

use base::entity::{PrimaryMap, entity_impl, filled};
use base::sets::BitSet;
use ir::{FuncId, InstId, Module};
use rustc_hash::FxHashMap;

use crate::call_graph::CallGraph;
use crate::names;
use crate::objects::{CellId, ObjectKind};
use crate::points_to::PointsTo;

/// Memory that no access distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);
entity_impl!(RegionId, "m");

/// A set of regions that some access refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);
entity_impl!(SetId, "set");

impl SetId {
    pub const EMPTY: SetId = SetId(0);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracking {
    Idle,
    Ordered,
    Unordered,
}

#[derive(Clone, Debug)]
pub struct Region {
    pub cells: Vec<CellId>,
    pub tracking: Tracking,
    /// The function to whose activation the memory belongs, if it has only one at a time.
    pub owner: Option<FuncId>,
}

/// The effect of one instruction on memory, without the functions it calls.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub reads: SetId,
    pub writes: SetId,
    /// Whether the write replaces the whole content of its only region.
    pub replaces: bool,
    /// Copies of arguments that are made before a call.
    pub prepares: SetId,
    /// How many cells the access may mean.
    pub cells: u32,
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub regions: PrimaryMap<RegionId, Region>,
    pub sets: PrimaryMap<SetId, Box<[RegionId]>>,
    accesses: PrimaryMap<FuncId, FxHashMap<InstId, Access>>,
    modifies: PrimaryMap<FuncId, BitSet<RegionId>>,
    references: PrimaryMap<FuncId, BitSet<RegionId>>,
    region_of: PrimaryMap<CellId, Option<RegionId>>,
}

/// The budget for following regions through calls.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Pairs of a call and a region that it passes.
    pub pairs: u64,
    /// Pairs of regions that a call may connect, over all calls.
    pub connections: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { pairs: 4_000_000, connections: 12_000_000 }
    }
}

impl Memory {
    pub fn new(module: &Module, points_to: &PointsTo, calls: &CallGraph, budget: Budget) -> Memory {
        let found = accesses::find(module, points_to, calls);
        let (regions, region_of) = partition(points_to, &found.sets);
        let mut sets = PrimaryMap::with_capacity(found.sets.len());
        for cells in found.sets.values() {
            let mut set: Vec<RegionId> = cells.iter().filter_map(|&cell| region_of[cell]).collect();
            set.sort_unstable();
            set.dedup();
            sets.push(set.into_boxed_slice());
        }
        let mut memory = Memory {
            regions,
            sets,
            accesses: found.accesses,
            modifies: PrimaryMap::new(),
            references: PrimaryMap::new(),
            region_of,
        };
        memory.find_owners(points_to, calls);
        memory.find_idle();
        memory.summarise(module, calls);
        memory.choose_tracking(module, points_to, calls, budget);
        memory
    }

    pub fn access(&self, function: FuncId, inst: InstId) -> Option<&Access> {
        self.accesses[function].get(&inst)
    }

    /// The regions that a call of a function may change, as its callers see it.
    pub fn modified(&self, function: FuncId) -> impl Iterator<Item = RegionId> + '_ {
        self.exported(function, &self.modifies)
    }

    /// The regions that a call of a function may read, as its callers see it.
    pub fn referenced(&self, function: FuncId) -> impl Iterator<Item = RegionId> + '_ {
        self.exported(function, &self.references)
    }

    /// Whether a function or what it calls may read a region.
    pub fn may_read(&self, function: FuncId, region: RegionId) -> bool {
        self.references[function].contains(region)
    }

    pub fn may_write(&self, function: FuncId, region: RegionId) -> bool {
        self.modifies[function].contains(region)
    }

    /// The regions that a function and what it calls access, ascending.
    pub fn touched(&self, function: FuncId) -> Vec<RegionId> {
        let mut all = self.modifies[function].clone();
        all.union(&self.references[function]);
        all.iter().collect()
    }

    pub fn region_of(&self, cell: CellId) -> Option<RegionId> {
        self.region_of.get(cell).copied().flatten()
    }

    fn exported<'s>(
        &'s self,
        function: FuncId,
        sets: &'s PrimaryMap<FuncId, BitSet<RegionId>>,
    ) -> impl Iterator<Item = RegionId> + 's {
        sets[function].iter().filter(move |&region| self.regions[region].owner != Some(function))
    }

    /// The name of a region: that of its first cell.
    pub fn name(&self, module: &Module, points_to: &PointsTo, region: RegionId) -> String {
        let cells = &self.regions[region].cells;
        match cells[..] {
            [] => String::new(),
            [cell] => names::cell(module, &points_to.objects, cell),
            [cell, ..] => {
                let more = cells.len() - 1;
                format!("{} and {more} more", names::cell(module, &points_to.objects, cell))
            }
        }
    }

    fn find_owners(&mut self, points_to: &PointsTo, calls: &CallGraph) {
        for region in self.regions.values_mut() {
            let mut owners = region.cells.iter().map(|&cell| {
                let object = points_to.objects.object_of(cell);
                match points_to.objects.objects[object].kind {
                    ObjectKind::Local(function, _) | ObjectKind::Varargs(function) => {
                        Some(function)
                    }
                    _ => None,
                }
            });
            let first = owners.next().flatten();
            let alone = first.is_some_and(|function| !calls.is_recursive(function));
            region.owner = first.filter(|_| alone && owners.all(|owner| owner == first));
        }
    }

    /// Memory that is only written, or only read, carries no values.
    fn find_idle(&mut self) {
        let mut read = BitSet::new(self.regions.len());
        let mut written = BitSet::new(self.regions.len());
        for function in self.accesses.keys() {
            let (reads, writes) = self.directly(function);
            read.union(&reads);
            written.union(&writes);
        }
        for (id, region) in self.regions.iter_mut() {
            let active = read.contains(id) && written.contains(id);
            region.tracking = if active { Tracking::Ordered } else { Tracking::Idle };
        }
    }

    /// The regions that a function's own instructions read and write.
    fn directly(&self, function: FuncId) -> (BitSet<RegionId>, BitSet<RegionId>) {
        let mut reads = BitSet::new(self.regions.len());
        let mut writes = BitSet::new(self.regions.len());
        let mut accesses: Vec<&Access> = self.accesses[function].values().collect();
        accesses.sort_unstable_by_key(|access| (access.reads, access.writes, access.prepares));
        accesses.dedup_by_key(|access| (access.reads, access.writes, access.prepares));
        for access in accesses {
            for &region in self.sets[access.reads].iter() {
                reads.insert(region);
            }
            for set in [access.writes, access.prepares] {
                for &region in self.sets[set].iter() {
                    writes.insert(region);
                }
            }
        }
        (reads, writes)
    }

    /// What functions read and write, including everything that they call.
    fn summarise(&mut self, module: &Module, calls: &CallGraph) {
        let empty = BitSet::new(self.regions.len());
        self.modifies = filled(module.functions.len(), empty.clone());
        self.references = filled(module.functions.len(), empty);
        for component in calls.components() {
            let mut reads = BitSet::new(self.regions.len());
            let mut writes = BitSet::new(self.regions.len());
            for &function in component {
                let (own_reads, own_writes) = self.directly(function);
                reads.union(&own_reads);
                writes.union(&own_writes);
                let mut callees: Vec<FuncId> =
                    calls.callees(function).iter().map(|&(_, callee)| callee).collect();
                callees.sort_unstable();
                callees.dedup();
                for callee in callees.into_iter().filter(|callee| !component.contains(callee)) {
                    self.add_exported(callee, &mut reads, &mut writes);
                }
            }
            for region in self.regions.keys() {
                if self.regions[region].tracking == Tracking::Idle {
                    reads.remove(region);
                    writes.remove(region);
                }
            }
            for &function in component {
                self.references[function] = reads.clone();
                self.modifies[function] = writes.clone();
            }
        }
    }

    fn add_exported(
        &self,
        callee: FuncId,
        reads: &mut BitSet<RegionId>,
        writes: &mut BitSet<RegionId>,
    ) {
        reads.union(&self.references[callee]);
        writes.union(&self.modifies[callee]);
        for set in [&self.references[callee], &self.modifies[callee]] {
            for region in set.iter() {
                if self.regions[region].owner == Some(callee) {
                    reads.remove(region);
                    writes.remove(region);
                }
            }
        }
    }

    fn choose_tracking(
        &mut self,
        module: &Module,
        points_to: &PointsTo,
        calls: &CallGraph,
        budget: Budget,
    ) {
        let ends = module.constructors.iter().chain(&module.destructors).map(|&(_, f)| f);
        for function in ends.chain(points_to.kept.iter().copied()) {
            for region in self.touched(function) {
                self.regions[region].tracking = Tracking::Unordered;
            }
        }
        let mut costs = self.costs(module, calls);
        costs.sort_unstable();
        let users = self.users(module);
        let mut counts: PrimaryMap<FuncId, u64> = filled(module.functions.len(), 0);
        let mut rest = budget;
        for (pairs, region) in costs {
            let users = &users[region];
            let connections = users.iter().map(|&user| {
                let calls = calls.callers(user).len() as u64;
                calls * (2 * counts[user] + 1)
            });
            let connections = connections.sum::<u64>();
            if pairs > rest.pairs || connections > rest.connections {
                self.regions[region].tracking = Tracking::Unordered;
                continue;
            }
            rest.pairs -= pairs;
            rest.connections -= connections;
            users.iter().for_each(|&user| counts[user] += 1);
        }
    }

    /// For each region, the functions that pass it to and from their callers.
    fn users(&self, module: &Module) -> PrimaryMap<RegionId, Vec<FuncId>> {
        let mut users: PrimaryMap<RegionId, Vec<FuncId>> = filled(self.regions.len(), Vec::new());
        for function in module.functions.keys() {
            for region in self.touched(function) {
                if self.regions[region].owner != Some(function) {
                    users[region].push(function);
                }
            }
        }
        users
    }

    /// How often each ordered region is passed to or from a call.
    fn costs(&self, module: &Module, calls: &CallGraph) -> Vec<(u64, RegionId)> {
        let mut costs: PrimaryMap<RegionId, u64> = filled(self.regions.len(), 0);
        for (id, function) in module.functions.iter() {
            let Some(body) = function.body() else { continue };
            let blocks = body.blocks.len() as u64;
            for region in self.touched(id) {
                costs[region] += 2 + blocks / 4;
            }
            for calls in calls.callees(id).chunk_by(|a, b| a.0 == b.0) {
                let mut all = BitSet::new(self.regions.len());
                for &(_, callee) in calls {
                    all.union(&self.modifies[callee]);
                    all.union(&self.references[callee]);
                }
                all.iter().for_each(|region| costs[region] += 2);
            }
        }
        let ordered = self.regions.iter();
        let ordered = ordered.filter(|(_, region)| region.tracking == Tracking::Ordered);
        ordered.map(|(id, _)| (costs[id], id)).collect()
    }
}

/// Divides the cells into regions: two cells are in one if they are in the same sets.
fn partition(
    points_to: &PointsTo,
    sets: &PrimaryMap<SetId, Box<[CellId]>>,
) -> (PrimaryMap<RegionId, Region>, PrimaryMap<CellId, Option<RegionId>>) {
    let mut classes: PrimaryMap<CellId, u32> = filled(points_to.objects.len(), 0);
    let mut sizes: Vec<u32> = vec![u32::MAX];
    let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
    for cells in sets.values() {
        moved.clear();
        for &cell in cells {
            let class = &mut classes[cell];
            let next = sizes.len() as u32;
            let new = *moved.entry(*class).or_insert_with(|| {
                sizes.push(0);
                next
            });
            *class = new;
            sizes[new as usize] += 1;
        }
    }
    let mut regions: PrimaryMap<RegionId, Region> = PrimaryMap::new();
    let mut region_of: PrimaryMap<CellId, Option<RegionId>> = filled(classes.len(), None);
    let mut known: FxHashMap<u32, RegionId> = FxHashMap::default();
    for (cell, &class) in classes.iter().filter(|&(_, &class)| class != 0) {
        let region = *known.entry(class).or_insert_with(|| {
            regions.push(Region { cells: Vec::new(), tracking: Tracking::Ordered, owner: None })
        });
        regions[region].cells.push(cell);
        region_of[cell] = Some(region);
    }
    (regions, region_of)
}

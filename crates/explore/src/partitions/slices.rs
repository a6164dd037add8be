//! Relevant slices of one run: what instances depend on, by data, by control, and potentially.
//!
//! Definition 3 of the thesis, after Agrawal et al. (1993) and Gyimóthy et al. (1999): an instance
//! depends potentially on a decision if another outcome might have written something that the
//! instance reads. Which decisions may write what is known statically (`tables`). Besides, a read
//! of memory depends on all later writes that may have gone to the same place if their address had
//! been another one. Every input whose run agrees with this one on all decisions of a slice
//! computes the members of the slice in the same way, from the input.

use base::entity::SecondaryMap;
use exec::Program;
use ir::{BlockId, FuncId, InstId};
use rustc_hash::FxHashMap;
use trace::instances::{InstanceId, Instances, Kind};

use crate::edges::block_of;
use crate::tables::{Governed, SliceTables, meet};

/// A slice that grows.
pub(super) struct Slice<'r> {
    pub instances: &'r Instances,
    tables: &'r SliceTables,
    program: &'r Program,
    members: SecondaryMap<InstanceId, bool>,
    waiting: Vec<InstanceId>,
    /// By set of regions: decisions and writes that may write to one of them, ascending.
    writers: FxHashMap<u32, Vec<InstanceId>>,
}

impl<'r> Slice<'r> {
    pub fn new(
        instances: &'r Instances,
        tables: &'r SliceTables,
        program: &'r Program,
    ) -> Slice<'r> {
        let mut members = SecondaryMap::new();
        members.resize(instances.all.len());
        Slice {
            instances,
            tables,
            program,
            members,
            waiting: Vec::new(),
            writers: FxHashMap::default(),
        }
    }

    pub fn contains(&self, instance: InstanceId) -> bool {
        self.members[instance]
    }

    /// What a decision governs; `None` if unknown.
    pub fn governed(&self, decision: InstanceId) -> Option<&'r Governed> {
        let instance = &self.instances.all[decision];
        match instance.kind {
            Kind::Call => self.tables.call(instance.function, instance.inst),
            _ => {
                let block = self.block(instance.function, instance.inst)?;
                self.tables.decision(instance.function, block)
            }
        }
    }

    fn block(&self, function: FuncId, inst: InstId) -> Option<BlockId> {
        block_of(self.program, function, inst)
    }

    /// Adds an instance and everything that it depends on.
    pub fn add(&mut self, instance: InstanceId) {
        self.reach(instance);
        while let Some(instance) = self.waiting.pop() {
            self.follow(instance);
        }
    }

    fn reach(&mut self, instance: InstanceId) {
        if !std::mem::replace(&mut self.members[instance], true) && instance != InstanceId::START {
            self.waiting.push(instance);
        }
    }

    fn follow(&mut self, instance: InstanceId) {
        let instances = self.instances;
        let data = &instances.all[instance];
        self.reach(data.control);
        for &source in instances.sources(instance) {
            self.reach(source);
            self.follow_slot(source, instance);
        }
        let (reads, _) = self.tables.access(data.function, data.inst);
        let is_reader = matches!(data.kind, Kind::Load | Kind::Transfer | Kind::Shim(_));
        if is_reader && reads != 0 && data.since != InstanceId::NEVER {
            self.follow_memory(reads, data.since, instance);
        }
    }

    /// Decisions between the write of a local variable and its use that may write it.
    fn follow_slot(&mut self, source: InstanceId, user: InstanceId) {
        let data = &self.instances.all[source];
        let Kind::Slot(slot) = data.kind else { return };
        let decisions = &self.instances.of_activation[data.activation as usize];
        let first = decisions.partition_point(|&decision| decision <= source);
        for &decision in decisions[first..].iter().take_while(|&&decision| decision < user) {
            let may_write = self
                .governed(decision)
                .is_none_or(|governed| governed.slots.binary_search(&slot).is_ok());
            if may_write {
                self.reach(decision);
            }
        }
    }

    /// Decisions and writes before a read of memory that may write what it reads.
    fn follow_memory(&mut self, reads: u32, since: InstanceId, user: InstanceId) {
        if !self.writers.contains_key(&reads) {
            let writers = self.writers_of(reads);
            self.writers.insert(reads, writers);
        }
        let writers = std::mem::take(self.writers.entry(reads).or_default());
        let first = writers.partition_point(|&writer| writer <= since);
        for &writer in writers[first..].iter().take_while(|&&writer| writer < user) {
            self.reach(writer);
        }
        self.writers.insert(reads, writers);
    }

    fn writers_of(&self, reads: u32) -> Vec<InstanceId> {
        let regions = self.tables.set(reads);
        let may_write = |&decision: &InstanceId| {
            self.governed(decision).is_none_or(|governed| meet(&governed.regions, regions))
        };
        let decisions = self.instances.decisions.iter().copied().filter(may_write);
        let writes = self.instances.writes.iter().copied();
        let writes = writes.filter(|&write| meet(self.written(write), regions));
        let mut all: Vec<InstanceId> = decisions.chain(writes).collect();
        all.sort_unstable();
        all
    }

    /// The regions that an instance may write.
    pub fn written(&self, write: InstanceId) -> &'r [u32] {
        let data = &self.instances.all[write];
        self.tables.set(self.tables.access(data.function, data.inst).1)
    }

    /// The regions that an instance may read.
    pub fn read(&self, reader: InstanceId) -> &'r [u32] {
        let data = &self.instances.all[reader];
        self.tables.set(self.tables.access(data.function, data.inst).0)
    }
}

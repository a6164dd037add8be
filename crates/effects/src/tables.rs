//! Static knowledge about two versions that slices of runs need: what decisions govern, what
//! instructions read and write, and what the change may affect.
//!
//! A statement is affected if it is in the forward slice of the changes, in its own version or
//! through its counterpart in the other.

use std::collections::BTreeSet;

use base::entity::{EntityRef, SecondaryMap};
use base::{Both, Version};
use explore::tables::{FunctionTable, Governed, SliceTables};
use graphs::may_define::Variable;
use graphs::memory::SetId;
use graphs::{Cfg, ControlDependence, Direction, DominatorTree, MayDefine, NodeId};
use graphs::{ProgramGraphs, Slice};
use ir::{Body, Callee, FuncId, InstId, Op, SlotId, StatementId};
use trace::Matching;

use crate::versions::Versions;

/// The tables of both versions.
pub fn tables(versions: &Versions, matching: &Matching) -> Both<SliceTables> {
    let graphs = versions.graphs();
    let affected = affected(&graphs, matching);
    Version::BOTH.map(|version| {
        let (graphs, affected) = (&graphs[version], &affected[version]);
        Tables { graphs, version, matching, affected }.all()
    })
}

/// By version and statement, whether a change may affect it.
fn affected(
    graphs: &Both<ProgramGraphs<'_>>,
    matching: &Matching,
) -> Both<SecondaryMap<StatementId, bool>> {
    let mut affected: Both<SecondaryMap<StatementId, bool>> = Default::default();
    let mut seeds = Version::BOTH.map(|version| matching.changes(version).collect::<Vec<_>>());
    while seeds.iter().any(|seeds| !seeds.is_empty()) {
        let mut next: Both<Vec<StatementId>> = Default::default();
        for version in Version::BOTH {
            let there = version.other();
            let from = std::mem::take(&mut seeds[version]);
            let sdg = &graphs[version].sdg;
            let slice = Slice::of_statements(sdg, from.iter().copied(), Direction::Forward);
            for statement in slice.statements(sdg).into_iter().chain(from) {
                let is_new = !std::mem::replace(&mut affected[version][statement], true);
                let other = matching.counterpart(version, statement).filter(|_| is_new);
                next[there].extend(other.filter(|&other| !affected[there][other]));
            }
        }
        seeds = next;
    }
    affected
}

/// What may happen in a piece of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Executes {
    changed: bool,
    affected: bool,
}

impl Executes {
    fn join(&mut self, other: Executes) {
        self.changed |= other.changed;
        self.affected |= other.affected;
    }
}

struct Tables<'a> {
    graphs: &'a ProgramGraphs<'a>,
    version: Version,
    matching: &'a Matching,
    affected: &'a SecondaryMap<StatementId, bool>,
}

impl Tables<'_> {
    fn all(&self) -> SliceTables {
        let module = self.graphs.module;
        let mut sets: Vec<Box<[u32]>> = Vec::new();
        for set in self.graphs.memory.sets.values() {
            sets.push(set.iter().map(|region| region.as_u32()).collect());
        }
        let executes = self.executes();
        let functions = module.functions.keys();
        let functions = functions.map(|id| self.function(id, &executes, &mut sets)).collect();
        let others = module.functions.iter().filter(|(id, _)| !module.is_own(*id));
        let mut known = others.filter_map(|(_, function)| library::find(&function.name));
        SliceTables {
            is_structured: !known.any(library::Function::is_unstructured),
            functions,
            sets,
            affected: module.statements.keys().map(|id| self.affected[id]).collect(),
        }
    }

    /// By function, what may be executed in a call of it.
    fn executes(&self) -> SecondaryMap<FuncId, Executes> {
        let mut executes: SecondaryMap<FuncId, Executes> = SecondaryMap::new();
        for (statement, data) in self.graphs.module.statements.iter() {
            executes[data.function].join(self.statement(statement));
        }
        // Mutually recursive functions are in one component; callees come first.
        for component in self.graphs.calls.components() {
            let mut all = Executes::default();
            for &function in component {
                all.join(executes[function]);
                for &(_, callee) in self.graphs.calls.callees(function) {
                    all.join(executes[callee]);
                }
            }
            component.iter().for_each(|&id| executes[id] = all);
        }
        executes
    }

    fn statement(&self, statement: StatementId) -> Executes {
        Executes {
            changed: self.matching.is_changed(self.version, statement),
            affected: self.affected[statement],
        }
    }

    fn function(
        &self,
        function: FuncId,
        executes: &SecondaryMap<FuncId, Executes>,
        sets: &mut Vec<Box<[u32]>>,
    ) -> FunctionTable {
        let module = self.graphs.module;
        let Some(body) = module.functions[function].body() else {
            return FunctionTable::default();
        };
        let mut table =
            FunctionTable { decisions: vec![None; body.blocks.len()], ..FunctionTable::default() };
        for &inst in body.blocks.values().flat_map(|block| &block.insts) {
            self.access(function, inst, &mut table, sets);
            if is_indirect(&body.insts[inst].op) {
                let governed = self.call(function, inst, executes, &table, sets);
                table.calls.insert(inst, governed);
            }
        }
        self.decisions(function, body, executes, &mut table);
        table
    }

    fn access(
        &self,
        function: FuncId,
        inst: InstId,
        table: &mut FunctionTable,
        sets: &mut Vec<Box<[u32]>>,
    ) {
        let Some(access) = self.graphs.memory.access(function, inst) else { return };
        let mut writes = access.writes.as_u32();
        if access.prepares != SetId::EMPTY {
            let parts = [access.writes, access.prepares].map(|set| sets[set.index()].clone());
            let all: BTreeSet<u32> = parts.iter().flat_map(|part| part.iter().copied()).collect();
            writes = sets.len() as u32;
            sets.push(all.into_iter().collect());
        }
        table.accesses.insert(inst, (access.reads.as_u32(), writes));
    }

    /// What a call through a pointer governs by choosing a function.
    fn call(
        &self,
        function: FuncId,
        inst: InstId,
        executes: &SecondaryMap<FuncId, Executes>,
        table: &FunctionTable,
        sets: &[Box<[u32]>],
    ) -> Governed {
        let mut regions: BTreeSet<u32> = BTreeSet::new();
        let mut all = Executes::default();
        if let Some(targets) = self.graphs.points_to.calls(function, inst) {
            for &callee in targets.functions.iter().chain(&targets.callbacks) {
                regions.extend(self.graphs.memory.modified(callee).map(|region| region.as_u32()));
                all.join(executes[callee]);
            }
        }
        let (_, writes) = table.accesses.get(&inst).copied().unwrap_or_default();
        regions.extend(sets[writes as usize].iter());
        Governed {
            slots: Box::default(),
            regions: regions.into_iter().collect(),
            changed: all.changed,
            affected: all.affected,
        }
    }

    fn decisions(
        &self,
        function: FuncId,
        body: &Body,
        executes: &SecondaryMap<FuncId, Executes>,
        table: &mut FunctionTable,
    ) {
        let Some(cfg) = self.graphs.cfg(function) else { return };
        let post = DominatorTree::of_postdominance(&cfg);
        // Nothing is known about functions with endless loops.
        if cfg.reverse_postorder().iter().any(|&node| !post.contains(node)) {
            return;
        }
        let control = ControlDependence::new(&cfg, &post);
        let defined = MayDefine::new(self.graphs.analyses(), function, &cfg, &control);
        for (node, data) in cfg.nodes.iter().filter(|&(node, _)| node != cfg.exit()) {
            let last = cfg.last_inst(body, node);
            let is_decision = last.is_some_and(|last| {
                matches!(
                    body.insts[last].op,
                    Op::Branch { .. } | Op::Switch { .. } | Op::IndirectJump { .. }
                )
            });
            if !is_decision {
                continue;
            }
            let (mut slots, mut regions) = (BTreeSet::<SlotId>::new(), BTreeSet::<u32>::new());
            for &(_, outcome) in cfg.successors(node) {
                for variable in defined.variables(node, outcome) {
                    match variable {
                        Variable::Slot(slot) => drop(slots.insert(slot)),
                        Variable::Region(region) => drop(regions.insert(region.as_u32())),
                    }
                }
            }
            let all = self.below(function, body, &cfg, &control, node, executes);
            table.decisions[data.block.index()] = Some(Governed {
                slots: slots.into_iter().collect(),
                regions: regions.into_iter().collect(),
                changed: all.changed,
                affected: all.affected,
            });
        }
    }

    /// What may be executed in everything that depends on a decision.
    fn below(
        &self,
        function: FuncId,
        body: &Body,
        cfg: &Cfg,
        control: &ControlDependence,
        decision: NodeId,
        executes: &SecondaryMap<FuncId, Executes>,
    ) -> Executes {
        let mut seen: BTreeSet<NodeId> = BTreeSet::new();
        let mut waiting = vec![decision];
        let mut all = Executes::default();
        while let Some(node) = waiting.pop() {
            for &(child, _) in control.children(node) {
                if !seen.insert(child) {
                    continue;
                }
                waiting.push(child);
                for &inst in cfg.insts(body, child) {
                    all.join(self.statement(body.insts[inst].statement));
                    let Some(targets) = self.graphs.points_to.calls(function, inst) else {
                        continue;
                    };
                    for &callee in targets.functions.iter().chain(&targets.callbacks) {
                        all.join(executes[callee]);
                    }
                }
            }
        }
        all
    }
}

fn is_indirect(op: &Op) -> bool {
    matches!(op, Op::Call(call) if matches!(call.callee, Callee::Indirect(_)))
}

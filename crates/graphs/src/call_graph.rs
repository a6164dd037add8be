//! The call graph of a program, and how its calls end.
//!
//! From the targets that points-to analysis found. Callees come before their callers, as far as
//! recursion allows. Calls by unknown code and by the library's own functions count as calls of the
//! instruction that allows them.

use base::components;
use base::entity::{PrimaryMap, filled};
use ir::{FuncId, InstId, Module};
use library::End;

use crate::cfg::Ending;
use crate::points_to::{PointsTo, call_of};

#[derive(Clone, Debug)]
pub struct CallGraph {
    /// For each function, its calls of functions with code, by instruction.
    callees: PrimaryMap<FuncId, Vec<(InstId, FuncId)>>,
    callers: PrimaryMap<FuncId, Vec<(FuncId, InstId)>>,
    /// Strongly connected functions, callees first.
    components: Vec<Vec<FuncId>>,
    recursive: PrimaryMap<FuncId, bool>,
    halts: PrimaryMap<FuncId, bool>,
    jumps: PrimaryMap<FuncId, bool>,
    returns: PrimaryMap<FuncId, bool>,
}

impl CallGraph {
    pub fn new(module: &Module, points_to: &PointsTo) -> CallGraph {
        let len = module.functions.len();
        let mut graph = CallGraph {
            callees: filled(len, Vec::new()),
            callers: filled(len, Vec::new()),
            components: Vec::new(),
            recursive: filled(len, false),
            halts: filled(len, false),
            jumps: filled(len, false),
            returns: filled(len, true),
        };
        for (id, function) in module.functions.iter() {
            let Some(body) = function.body() else { continue };
            for &inst in body.blocks.values().flat_map(|block| &block.insts) {
                let Some(targets) = points_to.calls(id, inst) else { continue };
                for &callee in targets.functions.iter().chain(&targets.callbacks) {
                    graph.callees[id].push((inst, callee));
                    graph.callers[callee].push((id, inst));
                }
            }
        }
        graph.find_components(len);
        graph.find_endings(module, points_to);
        graph
    }

    fn find_components(&mut self, len: usize) {
        let found = components(len, 0..len as u32, |node, visit| {
            let callees = &self.callees[FuncId::from_u32(node)];
            callees.iter().for_each(|(_, callee)| visit(callee.as_u32()));
        });
        for component in found {
            let component: Vec<FuncId> = component.into_iter().map(FuncId::from_u32).collect();
            for &id in &component {
                let calls_itself = self.callees[id].iter().any(|&(_, callee)| callee == id);
                self.recursive[id] = component.len() > 1 || calls_itself;
            }
            self.components.push(component);
        }
    }

    /// Whether functions may end the program, may jump out, and may return at all.
    fn find_endings(&mut self, module: &Module, points_to: &PointsTo) {
        for component in self.components.clone() {
            let mut changed = true;
            while changed {
                changed = false;
                for &id in &component {
                    let Some(body) = module.functions[id].body() else { continue };
                    let (mut halts, mut jumps) = (false, false);
                    for &inst in body.blocks.values().flat_map(|block| &block.insts) {
                        let ending = self.ending(module, points_to, id, inst);
                        halts |= ending.halts || !ending.returns && !ending.jumps;
                        jumps |= ending.jumps;
                    }
                    changed |= halts != self.halts[id] || jumps != self.jumps[id];
                    self.halts[id] = halts;
                    self.jumps[id] = jumps;
                }
            }
            // Recursive functions count as returning.
            if let [id] = component[..]
                && let Some(body) = module.functions[id].body()
                && !self.recursive[id]
            {
                let cfg =
                    crate::cfg::Cfg::new(body, |inst| self.ending(module, points_to, id, inst));
                let returning = cfg.reverse_postorder().into_iter().any(|node| {
                    let last = cfg.last_inst(body, node);
                    last.is_some_and(|last| matches!(body.insts[last].op, ir::Op::Return { .. }))
                });
                // A function that does not terminate counts as returning, as a loop counts as ending.
                let ends = self.halts[id] || self.jumps[id];
                self.returns[id] = returning || !ends;
            }
        }
    }

    /// How an instruction may end; those that are not calls return.
    pub fn ending(
        &self,
        module: &Module,
        points_to: &PointsTo,
        function: FuncId,
        inst: InstId,
    ) -> Ending {
        let Some(body) = module.functions[function].body() else { return Ending::RETURNS };
        if call_of(&body.insts[inst].op).is_none() {
            return Ending::RETURNS;
        }
        let Some(targets) = points_to.calls(function, inst) else { return Ending::RETURNS };
        let mut ending = Ending { returns: false, halts: false, jumps: false, sets: false };
        for &callee in &targets.functions {
            ending.returns |= self.returns[callee];
            ending.halts |= self.halts[callee];
            ending.jumps |= self.jumps[callee];
        }
        for &callee in &targets.callbacks {
            ending.halts |= self.halts[callee];
            ending.jumps |= self.jumps[callee];
        }
        for &callee in &targets.externals {
            match library::end(&module.functions[callee].name) {
                Some(End::Exits) => ending.halts = true,
                Some(End::Jumps) => ending.jumps = true,
                Some(End::Sets) => ending.sets = true,
                None => ending.returns = true,
            }
        }
        // A call without a known target counts as returning.
        if targets.functions.is_empty() && targets.externals.is_empty() {
            ending.returns = true;
        }
        ending
    }

    /// Calls in a function, with one entry for each function with code that may be called.
    pub fn callees(&self, function: FuncId) -> &[(InstId, FuncId)] {
        &self.callees[function]
    }

    pub fn callers(&self, function: FuncId) -> &[(FuncId, InstId)] {
        &self.callers[function]
    }

    /// Mutually recursive functions, together; callees come first.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function]
    }

    /// Whether a call of a function may not return.
    pub fn may_halt(&self, function: FuncId) -> bool {
        self.halts[function] || self.jumps[function]
    }
}

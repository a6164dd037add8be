//! All analyses of one program, each computed on first use.

use std::sync::{Arc, OnceLock};

use ir::{FuncId, Module};

use crate::call_graph::CallGraph;
use crate::cfg::Cfg;
use crate::memory::{Budget, Memory};
use crate::pdg::Pdg;
use crate::points_to::PointsTo;
use crate::sdg::{Analyses, Sdg, cfg_of};

/// The graphs of one module computed so far. The owner of a module keeps this beside it, so that no
/// graph is computed twice.
#[derive(Clone, Debug, Default)]
pub struct GraphCache {
    calls: OnceLock<(Arc<PointsTo>, Arc<CallGraph>)>,
    dependences: OnceLock<(Arc<Memory>, Arc<Sdg>)>,
}

/// A module with its call graph.
#[derive(Clone, Debug)]
pub struct ProgramCalls<'m> {
    pub module: &'m Module,
    pub points_to: Arc<PointsTo>,
    pub calls: Arc<CallGraph>,
}

/// A module with its analyses.
#[derive(Clone, Debug)]
pub struct ProgramGraphs<'m> {
    pub module: &'m Module,
    pub points_to: Arc<PointsTo>,
    pub calls: Arc<CallGraph>,
    pub memory: Arc<Memory>,
    pub sdg: Arc<Sdg>,
}

impl GraphCache {
    /// The call graph of the module, which must always be the same one.
    pub fn calls<'m>(&self, module: &'m Module) -> ProgramCalls<'m> {
        self.calls_within(module, &|| false).expect("nothing ends the analysis early")
    }

    /// The same, unless it `is_over` before.
    pub fn calls_within<'m>(
        &self,
        module: &'m Module,
        is_over: &dyn Fn() -> bool,
    ) -> Option<ProgramCalls<'m>> {
        let (points_to, calls) = match self.calls.get() {
            Some(known) => known,
            None => {
                let points_to = PointsTo::within(module, is_over)?;
                let calls = CallGraph::new(module, &points_to);
                // Another thread may have been faster; its graph is the same.
                self.calls.get_or_init(|| (Arc::new(points_to), Arc::new(calls)))
            }
        };
        let (points_to, calls) = (Arc::clone(points_to), Arc::clone(calls));
        Some(ProgramCalls { module, points_to, calls })
    }

    /// All graphs of the module, which must always be the same one.
    pub fn graphs<'m>(&self, module: &'m Module) -> ProgramGraphs<'m> {
        let ProgramCalls { points_to, calls, .. } = self.calls(module);
        let (memory, sdg) = self.dependences.get_or_init(|| {
            let memory = Memory::new(module, &points_to, &calls, Budget::default());
            let sdg = Sdg::new(Analyses {
                module,
                points_to: &points_to,
                calls: &calls,
                memory: &memory,
            });
            (Arc::new(memory), Arc::new(sdg))
        });
        let (memory, sdg) = (Arc::clone(memory), Arc::clone(sdg));
        ProgramGraphs { module, points_to, calls, memory, sdg }
    }
}

impl<'m> ProgramCalls<'m> {
    pub fn new(module: &'m Module) -> ProgramCalls<'m> {
        GraphCache::default().calls(module)
    }
}

impl<'m> ProgramGraphs<'m> {
    pub fn new(module: &'m Module) -> ProgramGraphs<'m> {
        GraphCache::default().graphs(module)
    }

    pub fn analyses(&self) -> Analyses<'_> {
        let ProgramGraphs { module, points_to, calls, memory, .. } = self;
        Analyses { module, points_to, calls, memory }
    }

    pub fn pdg(&self, function: FuncId) -> Pdg {
        Pdg::new(self.analyses(), &self.sdg, function)
    }

    /// The control-flow graph of a function with code.
    pub fn cfg(&self, function: FuncId) -> Option<Cfg> {
        cfg_of(self.analyses(), function)
    }
}

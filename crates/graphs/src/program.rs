//! All analyses of one program, one after the other.

use ir::{FuncId, Module};

use crate::call_graph::CallGraph;
use crate::cfg::Cfg;
use crate::memory::{Budget, Memory};
use crate::pdg::Pdg;
use crate::points_to::PointsTo;
use crate::sdg::{Analyses, Sdg, cfg_of};

/// A module with what is known about it.
#[derive(Clone, Debug)]
pub struct ProgramGraphs<'m> {
    pub module: &'m Module,
    pub points_to: PointsTo,
    pub calls: CallGraph,
    pub memory: Memory,
    pub sdg: Sdg,
}

impl<'m> ProgramGraphs<'m> {
    pub fn new(module: &'m Module) -> ProgramGraphs<'m> {
        ProgramGraphs::with_budget(module, Budget::default())
    }

    pub fn with_budget(module: &'m Module, budget: Budget) -> ProgramGraphs<'m> {
        let points_to = PointsTo::new(module);
        let calls = CallGraph::new(module, &points_to);
        let memory = Memory::new(module, &points_to, &calls, budget);
        let sdg =
            Sdg::new(Analyses { module, points_to: &points_to, calls: &calls, memory: &memory });
        ProgramGraphs { module, points_to, calls, memory, sdg }
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

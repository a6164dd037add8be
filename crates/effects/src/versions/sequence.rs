//! In which orders the changes between two versions can be executed, and how complex that is.

use base::Version;
use changes::drawing::draw;
use changes::interactions::{InteractionGraph, TwoBuilds};
use changes::points::ChangePoints;
use changes::sequence::BuildSequences;
use graphs::Drawing;
use ir::{FuncId, Module};

use super::Versions;
use super::impact::outputs;

impl Versions {
    /// The change sequence graph of NEW with interaction locations, as a drawing; its title has the
    /// cyclomatic change complexity.
    pub fn sequences(&self) -> Drawing {
        let (old, new) = (&self.old.module, &self.new.module);
        let (graph, complexity) = self.sequence_graph();
        draw(&graph, old, new, &format!("changes, CyCC {complexity}"))
    }

    /// The graph itself, and the complexity.
    pub(crate) fn sequence_graph(&self) -> (InteractionGraph, u64) {
        let (old, new) = (&self.old.module, &self.new.module);
        let entry = main_of(new);
        let points = ChangePoints::new(&self.alignment, old, new, Version::New);
        let blocks = BuildSequences::new(&self.new.calls(), &points, entry);
        let [old_graphs, new_graphs] = &self.graphs();
        let builds =
            TwoBuilds { alignment: &self.alignment, old: old_graphs, new: new_graphs, entry };
        let mut shown = outputs(new);
        shown.retain(|&statement| self.new.is_own(new.statements[statement].function));
        let graph = InteractionGraph::new(builds, &shown, |function| self.new.is_own(function));
        (graph, blocks.graph.cyclomatic_complexity())
    }
}

fn main_of(module: &Module) -> Option<FuncId> {
    let mut functions = module.functions.iter();
    functions.find(|(_, of)| of.name == "main" && of.body().is_some()).map(|(id, _)| id)
}

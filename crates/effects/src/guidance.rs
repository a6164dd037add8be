//! Static knowledge about two versions, as the tables that strategies look up: edges that cannot
//! matter to the change, and control dependence.

use base::Version;
use base::entity::EntityRef;
use base::parallel::both;
use changes::branches::{Branch, BranchIndex};
use changes::irrelevant::IrrelevantBranches;
use changes::points::{ChangePoints, successors};
use changes::versions::{Alignment, Change, FunctionPair};
use explore::control::{ControlGraph, Decision, FunctionControl};
use explore::edges::Edge;
use explore::guidance::{Guidance, Target};
use explore::relevance::Relevance;
use graphs::{Cfg, ControlDependence, DominatorTree, NodeId, Outcome, ProgramCalls};
use ir::{BlockId, Body, FuncId, InstId, Module, Op, StatementId};

use crate::versions::{Versions, postdominators};

/// The most groups of changed statements that are targets of their own.
const MOST_TARGETS: usize = 64;

/// All tables of two versions, with their entries.
pub fn guidance(versions: &Versions, entries: [FuncId; 2]) -> Guidance {
    let modules = [&versions.old.module, &versions.new.module];
    let alignment = &versions.alignment;
    let [old, new] = both(|version| {
        let calls = versions.side(version).calls();
        let relevance = (version == Version::New)
            .then(|| relevance(alignment, modules[Version::Old], &calls, entries[version]));
        (Deciding(&calls).all_control(), postdominators(calls.module), relevance)
    });
    let (control, postdominators) = ([old.0, new.0], [old.1, new.1]);
    Guidance {
        matching: versions.matching(),
        relevance: new.2.unwrap_or_default(),
        targets: targets(alignment, &control, modules, entries),
        postdominators,
        control,
        slicing: None,
    }
}

/// The edges of NEW that cannot matter to the change.
fn relevance(
    alignment: &Alignment,
    old: &Module,
    calls: &ProgramCalls<'_>,
    entry: FuncId,
) -> Relevance {
    let new = calls.module;
    let points = ChangePoints::new(alignment, old, new, Version::New);
    let irrelevant = IrrelevantBranches::new(calls, &points, Some(entry));
    let mut relevance = Relevance::new();
    for branch in BranchIndex::all(new) {
        let Branch { function, block, successor } = branch;
        let Some(body) = new.functions[function].body() else { continue };
        let edge = Edge { function, from: block, to: successors(body, block)[successor] };
        if irrelevant.propagation(branch) {
            relevance.set_unaffected(edge);
        } else if irrelevant.execution(branch) {
            relevance.set_outside(edge);
        }
    }
    // Two branches to the same block count as the one that matters.
    for branch in BranchIndex::all(new).into_iter().filter(|&branch| !irrelevant.execution(branch))
    {
        let Branch { function, block, successor } = branch;
        let Some(body) = new.functions[function].body() else { continue };
        relevance.unset(Edge { function, from: block, to: successors(body, block)[successor] });
    }
    relevance
}

/// One target for each group of neighbouring changes: in NEW, or in OLD if NEW has nothing of it.
/// Those reachable by calls from the entry come first.
fn targets(
    alignment: &Alignment,
    control: &[ControlGraph; 2],
    modules: [&Module; 2],
    entries: [FuncId; 2],
) -> Vec<Target> {
    let called = Version::BOTH.map(|version| control[version].called_from(entries[version]));
    let is_called = |pair: &FunctionPair| {
        Version::BOTH.into_iter().any(|version| called[version].contains(&pair.of(version)))
    };
    let (first, rest): (Vec<_>, Vec<_>) =
        alignment.functions.iter().partition(|pair| is_called(pair));
    let mut targets = Vec::new();
    for pair in first.into_iter().chain(rest) {
        for group in groups(pair).into_iter().take(MOST_TARGETS - targets.len()) {
            let new: Vec<StatementId> = group.iter().filter_map(Change::in_new).collect();
            let old: Vec<StatementId> = group.iter().filter_map(Change::in_old).collect();
            let (version, statements) =
                if new.is_empty() { (Version::Old, old) } else { (Version::New, new) };
            let module = modules[version];
            let place = |&statement: &StatementId| {
                let at = &module.statements[statement];
                (at.function, at.block)
            };
            let places: Vec<(FuncId, BlockId)> = statements.iter().map(place).collect();
            let distances = control[version].distances(&places);
            targets.push(Target { version, statements, distances });
        }
    }
    targets
}

/// Changes that follow each other without a gap in the lines of their version.
fn groups(pair: &FunctionPair) -> Vec<&[Change]> {
    let is_near = |one: &Change, other: &Change| {
        let near = |a: Option<StatementId>, b: Option<StatementId>| match (a, b) {
            (Some(a), Some(b)) => a.as_u32().abs_diff(b.as_u32()) <= 2,
            _ => false,
        };
        near(one.in_new(), other.in_new()) || near(one.in_old(), other.in_old())
    };
    pair.changes.chunk_by(is_near).collect()
}

/// Computes control dependence of the whole program from the call graph.
struct Deciding<'a>(&'a ProgramCalls<'a>);

impl Deciding<'_> {
    /// Control dependence of the whole program.
    fn all_control(&self) -> ControlGraph {
        ControlGraph {
            functions: self.0.module.functions.keys().map(|id| self.control(id)).collect(),
        }
    }

    fn control(&self, function: FuncId) -> FunctionControl {
        let Some(body) = self.0.module.functions[function].body() else {
            return FunctionControl::default();
        };
        let ending = |inst| self.0.calls.ending(self.0.module, &self.0.points_to, function, inst);
        let cfg = Cfg::new(body, ending);
        let post = DominatorTree::of_postdominance(&cfg);
        let dependence = ControlDependence::new(&cfg, &post);
        let blocks = body.blocks.len();
        let mut control = FunctionControl {
            parents: vec![Default::default(); blocks],
            unconditional: vec![false; blocks],
            callers: Vec::new(),
        };
        for (node, of) in cfg.nodes.iter().filter(|&(node, _)| node != cfg.exit()) {
            let at = of.block.index();
            control.unconditional[at] |=
                post.contains(Cfg::ENTRY) && post.dominates(node, Cfg::ENTRY);
            for &(parent, outcome) in dependence.parents(node) {
                let decisions = self.decisions(function, body, &cfg, parent, outcome);
                control.parents[at].extend(decisions);
            }
        }
        for parents in &mut control.parents {
            parents.sort_unstable();
            parents.dedup();
        }
        let place =
            |&(caller, inst): &(FuncId, InstId)| Some((caller, self.block_of(caller, inst)?));
        control.callers = self.0.calls.callers(function).iter().filter_map(place).collect();
        control
    }

    /// The decisions of a node that another depends on.
    fn decisions(
        &self,
        function: FuncId,
        body: &Body,
        cfg: &Cfg,
        parent: NodeId,
        outcome: Outcome,
    ) -> Vec<Decision> {
        let block = cfg.nodes[parent].block;
        let plain = Decision { function, block, to: None };
        match outcome {
            Outcome::Returns | Outcome::Halts | Outcome::Resumes | Outcome::Unwinds => {
                let last = cfg.last_inst(body, parent);
                let callees = self.0.calls.callees(function).iter();
                let called = callees.filter(|(inst, _)| Some(*inst) == last);
                called.flat_map(|&(_, callee)| self.ends(callee)).chain([plain]).collect()
            }
            _ => {
                let way = cfg.successors(parent).iter().find(|(_, way)| *way == outcome);
                let to = way.map(|&(to, _)| cfg.nodes[to].block);
                vec![Decision { to, ..plain }]
            }
        }
    }

    /// The blocks at which a function returns.
    fn ends(&self, function: FuncId) -> Vec<Decision> {
        let Some(body) = self.0.module.functions[function].body() else { return Vec::new() };
        let returns = |block: &BlockId| {
            let last = body.blocks[*block].insts.last();
            last.is_some_and(|&last| matches!(body.insts[last].op, Op::Return { .. }))
        };
        let blocks = body.blocks.keys().filter(returns);
        blocks.map(|block| Decision { function, block, to: None }).collect()
    }

    fn block_of(&self, function: FuncId, inst: InstId) -> Option<BlockId> {
        let body = self.0.module.functions[function].body()?;
        Some(self.0.module.statements.get(body.insts.get(inst)?.statement)?.block)
    }
}

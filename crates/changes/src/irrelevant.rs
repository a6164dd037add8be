//! Branches that exploration need not take, because no difference is behind them.
//!
//! Taneja, Xie, Tillmann, de Halleux (2011), §4.4, on the control-flow graph of the whole program.
//! B_E, *execution*: after such a branch no change can be executed. B_P, *propagation*: besides, no
//! path leads from a change to the branch, so that no differing value can arrive there; B_P is part
//! of B_E. The paper considers only what is behind a branch; a branch whose own decision is changed
//! is no member here, because taking it executes the change.
//!
//! Reachability is that of [`graphs::Icfg`]: calls and returns match. It ignores which paths are
//! feasible.

use graphs::{Icfg, ProgramCalls, SegmentId};
use ir::{Body, FuncId};

use crate::branches::{Branch, BranchIndex};
use crate::points::{ChangePoints, successors};

/// For each branch of a program, whether it is irrelevant.
#[derive(Clone, Debug)]
pub struct IrrelevantBranches {
    index: BranchIndex,
    execution: Vec<bool>,
    propagation: Vec<bool>,
}

impl IrrelevantBranches {
    /// The irrelevant branches of the program that starts with `entry`; without it, any function
    /// may be called first.
    pub fn new(calls: &ProgramCalls<'_>, points: &ChangePoints, entry: Option<FuncId>) -> Self {
        let module = calls.module;
        let icfg = Icfg::new(module, &calls.points_to, &calls.calls, entry);
        let index = BranchIndex::new(module);
        let targets = points.segments(module, &icfg);
        let reaching = icfg.reaching(&targets);
        let within = icfg.reaching_within(&targets);
        let entries = |function: &FuncId| icfg.first_of(*function, Body::ENTRY);
        let handlers: Vec<SegmentId> = icfg.at_any_time().iter().filter_map(entries).collect();
        let always = handlers.iter().any(|&entry| within.contains(entry));
        let mut sources = points.segments_behind(module, &icfg);
        if !sources.is_empty() {
            sources.extend(handlers);
        }
        let reached = icfg.reachable_from(&sources);
        let mut table = IrrelevantBranches {
            execution: vec![false; index.len()],
            propagation: vec![false; index.len()],
            index,
        };
        if always {
            return table;
        }
        for (at, branch) in BranchIndex::all(module).into_iter().enumerate() {
            let Branch { function, block, successor } = branch;
            let Some(body) = module.functions[function].body() else { continue };
            let target = successors(body, block).get(successor).copied();
            let target = target.and_then(|to| icfg.first_of(function, to));
            let (Some(target), Some(decision)) = (target, icfg.last_of(function, block)) else {
                continue;
            };
            let is_changed = points.contains_way(function, block, successor)
                || decides_by_change(body, block, points);
            table.execution[at] = !is_changed && !reaching.contains(target);
            table.propagation[at] = table.execution[at] && !reached.contains(decision);
        }
        table
    }

    /// Whether no change can be executed after a branch. False if there is no such branch.
    pub fn execution(&self, branch: Branch) -> bool {
        self.index.branch(branch).is_some_and(|at| self.execution[at])
    }

    /// Whether, besides, no differing value can arrive at a branch. False if there is no such
    /// branch.
    pub fn propagation(&self, branch: Branch) -> bool {
        self.index.branch(branch).is_some_and(|at| self.propagation[at])
    }

    /// How many branches are irrelevant for execution, and for propagation.
    pub fn counts(&self) -> (usize, usize) {
        let count = |of: &[bool]| of.iter().filter(|&&is| is).count();
        (count(&self.execution), count(&self.propagation))
    }
}

fn decides_by_change(body: &Body, block: ir::BlockId, points: &ChangePoints) -> bool {
    let last = body.blocks[block].insts.last();
    last.is_some_and(|&inst| points.contains(body.insts[inst].statement))
}

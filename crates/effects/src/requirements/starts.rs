//! Where partial runs start: at the entry of a change, in both versions, within the same calls.
//!
//! A changed statement that exists in both versions is its own place in both. One that exists in one
//! version only is, in the other, where that goes on: at the first statement behind it that both
//! have. If several may follow, the one that all others come behind is meant.

use base::Version;
use base::entity::EntityRef;
use changes::versions::Change;
use exec::Program;
use exec::code::{Op, Pc};
use explore::partial::Activation;
use graphs::{Cfg, DominatorTree};
use ir::{FuncId, InstId, Module, StatementId};
use trace::Matching;
use trace::chains::Point;

use crate::versions::Versions;

/// The most ways by which a function is called.
const MOST_CONTEXTS: usize = 8;
/// The most calls in one of them.
const MOST_CALLS: usize = 12;

/// A start in both versions.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// In the version of the change, and in the other one if it has such a place.
    pub here: Vec<Activation>,
    pub there: Option<Vec<Activation>>,
}

/// The starts of a change.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    pub all: Vec<Start>,
    /// The statement where the other version starts.
    pub there: Option<StatementId>,
    /// Whether the function is called in further ways.
    pub has_more: bool,
}

/// Finds starts.
pub(super) struct Finder<'a> {
    pub versions: &'a Versions,
    pub matching: &'a Matching,
    pub programs: [&'a Program; 2],
}

impl Finder<'_> {
    fn module(&self, version: Version) -> &Module {
        &self.versions.side(version).module
    }

    pub fn starts(&self, Point { version, statement }: Point) -> Starts {
        let mut starts = Starts::default();
        let Some((function, pc)) = self.programs[version].place_of(statement) else {
            return starts;
        };
        let other = version.other();
        starts.there =
            self.counterpart(version, statement).or_else(|| self.behind(version, statement));
        let there = starts.there.and_then(|there| self.programs[other].place_of(there));
        let mut contexts = Vec::new();
        self.contexts(version, &mut vec![(function, None)], &mut contexts, &mut starts.has_more);
        for context in contexts {
            let Some(here) = self.frames(version, &context, pc) else {
                starts.has_more = true;
                continue;
            };
            let there = there.and_then(|(_, pc)| {
                self.frames(other, &self.other_context(version, &context)?, pc)
            });
            starts.all.push(Start { here, there });
        }
        starts
    }

    /// A statement of the other version at the same place.
    fn counterpart(&self, version: Version, statement: StatementId) -> Option<StatementId> {
        let changes = self.versions.alignment.functions.iter().flat_map(|pair| &pair.changes);
        let mut moved = changes.filter(|change| matches!(change, Change::Moved { .. }));
        if moved.any(|change| change.of(version) == Some(statement)) {
            return None;
        }
        self.matching.counterpart(version, statement)
    }

    /// Where the other version is when this one is about to execute a statement of its own.
    fn behind(&self, version: Version, statement: StatementId) -> Option<StatementId> {
        let module = self.module(version);
        let data = &module.statements[statement];
        let body = module.functions[data.function].body()?;
        let cfg = Cfg::of_blocks(body);
        let mut seen = vec![false; body.blocks.len()];
        let insts = &body.blocks[data.block].insts;
        let first = insts.iter().position(|&inst| body.insts[inst].statement == statement)?;
        let mut open = vec![(data.block, first)];
        let mut found: Vec<StatementId> = Vec::new();
        while let Some((block, from)) = open.pop() {
            let mut rest = body.blocks[block].insts[from..].iter();
            let shared = rest.find_map(|&inst| {
                let at = body.insts[inst].statement;
                (at != statement).then(|| self.counterpart(version, at)).flatten()
            });
            if let Some(shared) = shared {
                found.push(shared);
                continue;
            }
            for &(next, _) in cfg.successors(cfg.first_of(block)) {
                let next = cfg.nodes[next].block;
                if cfg.nodes[cfg.first_of(next)].insts.is_empty() {
                    continue;
                }
                if !std::mem::replace(&mut seen[next.index()], true) {
                    open.push((next, 0));
                }
            }
        }
        self.first_of(version.other(), &found)
    }

    /// The statement that all others come behind.
    fn first_of(&self, version: Version, all: &[StatementId]) -> Option<StatementId> {
        let module = self.module(version);
        let function = module.statements[*all.first()?].function;
        let body = module.functions[function].body()?;
        let cfg = Cfg::of_blocks(body);
        let dominators = DominatorTree::new(&cfg);
        let position = |statement: StatementId| {
            let block = module.statements[statement].block;
            let insts = &body.blocks[block].insts;
            let at = insts.iter().position(|&inst| body.insts[inst].statement == statement);
            (cfg.first_of(block), at.unwrap_or(0))
        };
        let is_before = |one: StatementId, other: StatementId| {
            let ((a, first), (b, second)) = (position(one), position(other));
            if a == b { first <= second } else { dominators.dominates(a, b) }
        };
        all.iter().copied().find(|&one| all.iter().all(|&other| is_before(one, other)))
    }

    /// The ways by which the entry comes to call a function, which is the last of the stack.
    fn contexts(
        &self,
        version: Version,
        stack: &mut Vec<(FuncId, Option<InstId>)>,
        found: &mut Vec<Vec<(FuncId, Option<InstId>)>>,
        has_more: &mut bool,
    ) {
        let Some(&(function, _)) = stack.last() else { return };
        if function == self.programs[version].entry {
            if found.len() >= MOST_CONTEXTS {
                *has_more = true;
                return;
            }
            found.push(stack.iter().rev().copied().collect());
            return;
        }
        let calls = self.versions.side(version).calls();
        for &(caller, inst) in calls.calls.callers(function) {
            let is_again = stack.iter().any(|(on, _)| *on == caller);
            if is_again || stack.len() >= MOST_CALLS || found.len() >= MOST_CONTEXTS {
                *has_more = true;
                continue;
            }
            stack.push((caller, Some(inst)));
            self.contexts(version, stack, found, has_more);
            stack.pop();
        }
    }

    /// The same calls in the other version.
    fn other_context(
        &self,
        version: Version,
        context: &[(FuncId, Option<InstId>)],
    ) -> Option<Vec<(FuncId, Option<InstId>)>> {
        let other = version.other();
        let mut calls = context.iter().zip(context.iter().skip(1));
        let same = |&(function, inst): &(FuncId, Option<InstId>), callee: Option<FuncId>| {
            let there = self.matching.function(version, function)?;
            let Some(inst) = inst else { return Some((there, None)) };
            let of = |version: Version, function: FuncId, callee: FuncId, at: StatementId| {
                let calls = self.versions.side(version).calls();
                let all = calls.calls.callees(function).to_vec();
                let body = self.module(version).functions[function].body()?;
                let mut all: Vec<InstId> = all
                    .into_iter()
                    .filter(|&(inst, to)| to == callee && body.insts[inst].statement == at)
                    .map(|(inst, _)| inst)
                    .collect();
                all.sort_unstable();
                Some(all)
            };
            let callee = callee?;
            let statement = self.module(version).functions[function].body()?.insts[inst].statement;
            let position =
                of(version, function, callee, statement)?.iter().position(|&one| one == inst)?;
            let (callee, at) =
                (self.matching.function(version, callee)?, self.counterpart(version, statement)?);
            let inst = of(other, there, callee, at)?.get(position).copied()?;
            Some((there, Some(inst)))
        };
        let mut found: Vec<_> =
            calls.by_ref().map(|(one, next)| same(one, Some(next.0))).collect::<Option<_>>()?;
        found.push(same(context.last()?, None)?);
        Some(found)
    }

    /// The frames of calls, the last at an operation.
    fn frames(
        &self,
        version: Version,
        context: &[(FuncId, Option<InstId>)],
        last: Pc,
    ) -> Option<Vec<Activation>> {
        let frame = |&(function, inst): &(FuncId, Option<InstId>)| {
            let Some(inst) = inst else { return Some(Activation { function, pc: last }) };
            let code = self.programs[version].code(function);
            let pc = code.ops.iter().zip(&code.origins).position(|(op, &origin)| {
                origin == inst && matches!(op, Op::Call { .. } | Op::CallIndirect { .. })
            })?;
            Some(Activation { function, pc: pc as Pc })
        };
        context.iter().map(frame).collect()
    }
}

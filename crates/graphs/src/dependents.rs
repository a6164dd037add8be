//! What depends on a statement directly, also across calls.
//!
//! From the system dependence graph, on statements, as in the chains of runs: an argument gets to
//! the statements that use the parameter, a result to those that use the call, and a decision to
//! what is executed in the functions that are called under it, without a statement in between.
//! Which value a path chooses, as in `a ? b : c`, depends on the decision that chooses the path.
//! Functions that are not the program's `own` count as part of the statement that calls them. A
//! walk enters calls or leaves functions, but does not leave again what it entered.
//!
//! Reached through memory that only the library accesses, a statement is missed; everything else
//! that a run can show is found, and more.

use std::collections::BTreeSet;

use base::entity::EntityRef;
use ir::{BlockId, Body, Callee, FuncId, InstId, Op, Operand, StatementId};
use rustc_hash::FxHashSet;

use crate::cfg::Outcome;
use crate::pdg::Reason;
use crate::program::ProgramGraphs;
use crate::sdg::{Key, Kind, Label, VertexId};

/// The most vertices that a walk visits.
const MOST_VERTICES: usize = 20_000;

/// Clang's name of the variable that holds a function's result.
const RESULT: &str = "retval";

/// Finds what depends on statements of one program.
pub struct Dependents<'a> {
    graphs: &'a ProgramGraphs<'a>,
    is_own: &'a dyn Fn(FuncId) -> bool,
}

/// Whether a walk has entered a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Free,
    Down,
}

struct Walk {
    from: StatementId,
    changed: bool,
    stack: Vec<(VertexId, Option<Reason>, Way)>,
    seen: FxHashSet<(VertexId, Option<Reason>, Way)>,
    found: BTreeSet<(StatementId, Reason)>,
}

impl<'a> Dependents<'a> {
    pub fn new(
        graphs: &'a ProgramGraphs<'a>,
        is_own: &'a dyn Fn(FuncId) -> bool,
    ) -> Dependents<'a> {
        Dependents { graphs, is_own }
    }

    /// The statements that depend on one. The arguments of a `changed` statement count as defined
    /// by it.
    pub fn of(&self, statement: StatementId, changed: bool) -> BTreeSet<(StatementId, Reason)> {
        let sdg = &self.graphs.sdg;
        let mut walk = Walk {
            from: statement,
            changed,
            stack: Vec::new(),
            seen: FxHashSet::default(),
            found: BTreeSet::new(),
        };
        for &vertex in sdg.of_statement(statement) {
            match sdg.vertices[vertex].kind {
                Kind::Inst(_) | Kind::Copies(_) if changed || !self.passes(vertex) => {
                    walk.push(vertex, None, Way::Free);
                }
                Kind::ActualOut(call) if !self.calls_own(call) => {
                    walk.push(vertex, None, Way::Free);
                }
                Kind::ActualIn(_) if changed => self.enter(vertex, Some(Reason::Value), &mut walk),
                _ => {}
            }
        }
        for &vertex in sdg.of_statement(statement) {
            for (chosen, outcome) in self.chosen(vertex) {
                if outcome != Outcome::Always {
                    self.reach(chosen, Reason::Control(outcome), Way::Free, false, &mut walk);
                }
            }
        }
        while let Some((vertex, reason, way)) = walk.stack.pop() {
            if walk.seen.len() > MOST_VERTICES {
                break;
            }
            self.go_on(vertex, reason, way, &mut walk);
        }
        walk.found
    }

    fn calls_own(&self, call: crate::sdg::CallId) -> bool {
        self.graphs.sdg.calls[call].callees.iter().any(|&callee| (self.is_own)(callee))
    }

    fn go_on(&self, vertex: VertexId, reason: Option<Reason>, way: Way, walk: &mut Walk) {
        let sdg = &self.graphs.sdg;
        let at = sdg.vertices[vertex];
        if let Kind::FormalOut = at.kind {
            if way == Way::Free && sdg.key(vertex) != Some(Key::Halt) {
                let reason = reason.or(Some(Reason::Value));
                for actual in sdg.actuals(vertex) {
                    walk.push(actual, reason, Way::Free);
                }
            }
            return;
        }
        let repeats = matches!(at.kind, Kind::Merge(_));
        for (to, label) in sdg.dependents(vertex) {
            let function = sdg.vertices[to].function().or(at.function());
            if self.is_own_argument(to, label, walk) {
                continue;
            }
            let Some(reason) = self.reason(function, label, reason) else { continue };
            self.reach(to, reason, way, repeats, walk);
        }
    }

    /// Whether a value is an argument of a call in the statement itself. It depends on what defined
    /// it and not on this statement, unless that is changed.
    fn is_own_argument(&self, to: VertexId, label: Label, walk: &Walk) -> bool {
        let at = self.graphs.sdg.vertices[to];
        let is_value = matches!(label, Label::Value | Label::Within);
        matches!(at.kind, Kind::ActualIn(_))
            && is_value
            && !walk.changed
            && at.statement() == Some(walk.from)
    }

    fn reach(&self, to: VertexId, reason: Reason, way: Way, repeats: bool, walk: &mut Walk) {
        let sdg = &self.graphs.sdg;
        let at = sdg.vertices[to];
        match at.kind {
            Kind::Inst(_) | Kind::Copies(_) => {
                let (Some(statement), Some(function)) = (at.statement(), at.function()) else {
                    return;
                };
                if !(self.is_own)(function) {
                    return;
                }
                let is_itself = statement == walk.from && !repeats && !reason.is_control();
                if self.passes(to) || !self.acts(function, statement) {
                    walk.push(to, Some(reason), way);
                } else if !is_itself {
                    walk.found.insert((statement, reason));
                }
                if reason.is_control() {
                    self.enter_called(to, reason, walk);
                    for (chosen, outcome) in self.chosen(to) {
                        if outcome == Outcome::Always {
                            self.reach(chosen, reason, way, false, walk);
                        }
                    }
                }
            }
            Kind::ActualIn(call) => {
                self.enter(to, Some(reason), walk);
                if let Some(Key::Region(region)) = sdg.key(to)
                    && sdg.passes_unchanged(call, region)
                {
                    let outs = &sdg.calls[call].outs;
                    let found = outs.binary_search_by_key(&Key::Region(region), |&(key, _)| key);
                    if let Ok(out) = found {
                        walk.push(outs[out].1, Some(reason), way);
                    }
                }
            }
            _ => walk.push(to, Some(reason), way),
        }
    }

    /// A dependence gets to what a call passes.
    fn enter(&self, actual: VertexId, reason: Option<Reason>, walk: &mut Walk) {
        let sdg = &self.graphs.sdg;
        for formal in sdg.formals(actual) {
            let function = sdg.vertices[formal].function();
            if function.is_some_and(|function| (self.is_own)(function)) {
                walk.push(formal, reason, Way::Down);
            } else if let (Some(statement), Some(reason)) =
                (sdg.vertices[actual].statement(), reason)
                && statement != walk.from
            {
                walk.found.insert((statement, reason));
            }
        }
    }

    /// A decision gets to what a call executes.
    fn enter_called(&self, call: VertexId, reason: Reason, walk: &mut Walk) {
        let sdg = &self.graphs.sdg;
        for entry in sdg.formals(call) {
            let function = sdg.vertices[entry].function();
            if function.is_some_and(|function| (self.is_own)(function)) {
                walk.push(entry, Some(reason), Way::Down);
            }
        }
    }

    fn inst(&self, vertex: VertexId) -> Option<(&Body, FuncId, InstId)> {
        let at = self.graphs.sdg.vertices[vertex];
        let Kind::Inst(inst) = at.kind else { return None };
        let function = at.function()?;
        Some((self.graphs.module.functions[function].body()?, function, inst))
    }

    /// The values that a path chooses by the jump or decision at the end of a block.
    fn chosen(&self, vertex: VertexId) -> Vec<(VertexId, Outcome)> {
        let Some((body, _, inst)) = self.inst(vertex) else { return Vec::new() };
        let ways: Vec<(BlockId, Outcome)> = match &body.insts[inst].op {
            Op::Jump { target } => vec![(*target, Outcome::Always)],
            Op::Branch { then, otherwise, .. } => {
                vec![(*then, Outcome::True), (*otherwise, Outcome::False)]
            }
            Op::Switch { default, cases, .. } => {
                let cases = cases.iter().map(|&(value, to)| (to, Outcome::Case(value)));
                cases.chain([(*default, Outcome::Default)]).collect()
            }
            _ => return Vec::new(),
        };
        let statements = &self.graphs.module.statements;
        let block = statements[body.insts[inst].statement].block;
        let mut found = Vec::new();
        for (target, outcome) in ways {
            for &phi in &body.blocks[target].insts {
                let data = &body.insts[phi];
                let Op::Phi { incoming } = &data.op else { break };
                if incoming.iter().any(|(from, _)| *from == block) {
                    let sdg = &self.graphs.sdg;
                    let is_phi = |&id: &VertexId| match sdg.vertices[id].kind {
                        Kind::Inst(one) => one == phi,
                        _ => false,
                    };
                    let mut vertices = sdg.of_statement(data.statement).iter().copied();
                    found.extend(vertices.find(is_phi).map(|id| (id, outcome)));
                }
            }
        }
        found
    }

    /// Whether an instruction only passes an argument or result on.
    fn passes(&self, vertex: VertexId) -> bool {
        let Some((body, function, inst)) = self.inst(vertex) else { return false };
        match &body.insts[inst].op {
            Op::WriteSlot { value, .. } | Op::Store { value, .. } => {
                self.is_parameter(function, *value)
            }
            Op::ReadSlot { slot } => body.slots[*slot].name == RESULT,
            Op::Return { value: Some(Operand::Value(value)) } => {
                let mut insts = body.insts.values();
                let defining = insts.find(|inst| inst.result == Some(*value));
                matches!(defining.map(|inst| &inst.op),
                    Some(Op::ReadSlot { slot }) if body.slots[*slot].name == RESULT)
            }
            _ => false,
        }
    }

    fn is_parameter(&self, function: FuncId, operand: Operand) -> bool {
        let Operand::Value(value) = operand else { return false };
        let params = &self.graphs.module.functions[function].params;
        value.index() < params.len()
    }

    /// Whether a statement does more than to compute values or to jump.
    fn acts(&self, function: FuncId, statement: StatementId) -> bool {
        let module = self.graphs.module;
        let Some(body) = module.functions[function].body() else { return false };
        let block = module.statements[statement].block;
        let insts = body.blocks[block].insts.iter();
        let mut own = insts.filter(|&&inst| body.insts[inst].statement == statement);
        own.any(|&inst| match &body.insts[inst].op {
            Op::WriteSlot { .. } | Op::Store { .. } => true,
            Op::AtomicRmw { .. } | Op::CompareExchange { .. } | Op::Phi { .. } => true,
            Op::Call(call) => !matches!(call.callee, Callee::Builtin(_)) || writes(&call.callee),
            Op::Jump { .. } => false,
            op => op.is_terminator(),
        })
    }

    /// Why something depends on the start, given the label of the last step.
    fn reason(
        &self,
        function: Option<FuncId>,
        label: Label,
        before: Option<Reason>,
    ) -> Option<Reason> {
        match (label, before) {
            (Label::Within, before) => before,
            (_, Some(before)) => Some(before),
            (Label::Value, None) => Some(Reason::Value),
            (Label::Slot(slot), None) => Some(Reason::Slot(function?, slot)),
            (Label::Region(region), None) => Some(Reason::Region(region)),
            (Label::Control(outcome), None) => Some(Reason::Control(outcome)),
        }
    }
}

fn writes(callee: &Callee) -> bool {
    use ir::Builtin::{Memcpy, Memmove, Memset};
    matches!(callee, Callee::Builtin(Memcpy | Memmove | Memset))
}

impl Walk {
    fn push(&mut self, vertex: VertexId, reason: Option<Reason>, way: Way) {
        if self.seen.insert((vertex, reason, way)) {
            self.stack.push((vertex, reason, way));
        }
    }
}

//! The program dependence graph of a function on statements.
//!
//! The dependences between the instructions of a function's statements, without the vertices in
//! between: a definition of a variable is connected with the uses that it reaches, a decision with
//! everything that it decides. A statement with a call defines and uses what the called functions
//! do; a value that a call may leave unchanged reaches across the call.

use std::collections::BTreeSet;

use ir::{FuncId, Module, StatementId};

use crate::cfg::Outcome;
use crate::memory::RegionId;
use crate::sdg::{Analyses, Key, Kind, Label, Sdg, VertexId};

/// Why a statement depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    Control(Outcome),
    Slot(FuncId, ir::SlotId),
    Region(RegionId),
    /// A part of an expression that extends over several statements.
    Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dependence {
    pub from: StatementId,
    pub to: StatementId,
    pub reason: Reason,
}

#[derive(Clone, Debug)]
pub struct Pdg {
    pub function: FuncId,
    /// Ascending.
    pub statements: Vec<StatementId>,
    /// Ascending, without repetition.
    pub dependences: Vec<Dependence>,
}

impl Pdg {
    pub fn new(analyses: Analyses<'_>, sdg: &Sdg, function: FuncId) -> Pdg {
        let module = analyses.module;
        let own = module.statements.iter().filter(|(_, s)| s.function == function);
        let statements = own.map(|(id, _)| id).collect();
        let mut projection =
            Projection { analyses, sdg, function, found: BTreeSet::new(), seen: Vec::new() };
        projection.run();
        Pdg { function, statements, dependences: projection.found.into_iter().collect() }
    }

    /// The dependences on a statement.
    pub fn dependents(&self, statement: StatementId) -> impl Iterator<Item = &Dependence> {
        let start = self.dependences.partition_point(|d| d.from < statement);
        self.dependences[start..].iter().take_while(move |d| d.from == statement)
    }

    /// Sequences of dependences that begin at a statement, of bounded length and without visiting a
    /// statement twice. Those that are part of a longer one are left out unless they have the
    /// requested length.
    pub fn chains(&self, start: StatementId, length: usize) -> Vec<Vec<Dependence>> {
        let mut chains = Vec::new();
        let mut chain: Vec<Dependence> = Vec::new();
        self.extend(start, start, length, &mut chain, &mut chains);
        chains
    }

    fn extend(
        &self,
        start: StatementId,
        at: StatementId,
        length: usize,
        chain: &mut Vec<Dependence>,
        chains: &mut Vec<Vec<Dependence>>,
    ) {
        if chain.len() == length {
            return chains.push(chain.clone());
        }
        for &dependence in self.dependents(at) {
            let visited = dependence.to == start || chain.iter().any(|d| d.to == dependence.to);
            if !visited {
                chain.push(dependence);
                self.extend(start, dependence.to, length, chain, chains);
                chain.pop();
            }
        }
    }
}

impl Reason {
    pub fn is_control(self) -> bool {
        matches!(self, Reason::Control(_))
    }

    /// The name of the variable that carries the dependence; empty for a decision.
    pub fn variable(self, analyses: Analyses<'_>) -> String {
        let Analyses { module, points_to, memory, .. } = analyses;
        match self {
            Reason::Slot(function, slot) => slot_name(module, function, slot),
            Reason::Region(region) => memory.name(module, points_to, region),
            Reason::Control(_) | Reason::Value => String::new(),
        }
    }
}

fn slot_name(module: &Module, function: FuncId, slot: ir::SlotId) -> String {
    let body = module.functions[function].body();
    match body.and_then(|body| body.slots.get(slot)) {
        Some(slot) if slot.name == "retval" => "return value".to_owned(),
        Some(slot) => slot.name.clone(),
        None => String::new(),
    }
}

struct Projection<'a> {
    analyses: Analyses<'a>,
    sdg: &'a Sdg,
    function: FuncId,
    found: BTreeSet<Dependence>,
    /// When each vertex was last seen, by the number of the search.
    seen: Vec<u32>,
}

impl Projection<'_> {
    fn run(&mut self) {
        let vertices: Vec<VertexId> = self.sdg.vertices_of(self.function).collect();
        let Some(&first) = vertices.first() else { return };
        self.seen = vec![u32::MAX; vertices.len()];
        for (number, &vertex) in vertices.iter().enumerate() {
            if let Some(from) = self.owner(vertex) {
                self.search(first, number as u32, vertex, from);
            }
        }
    }

    /// The statement that defines or uses the variable of a vertex.
    fn owner(&self, vertex: VertexId) -> Option<StatementId> {
        match self.sdg.vertices[vertex].kind {
            Kind::Inst(_) | Kind::Copies(_) | Kind::ActualIn(_) => {
                self.sdg.vertices[vertex].statement()
            }
            Kind::ActualOut(call) => {
                let body = self.analyses.module.functions[self.function].body()?;
                Some(body.insts[self.sdg.calls[call].inst].statement)
            }
            _ => None,
        }
    }

    fn search(&mut self, first: VertexId, number: u32, start: VertexId, from: StatementId) {
        // Each step: a vertex that belongs to no statement, and why it was reached.
        let mut stack: Vec<(VertexId, Option<Reason>)> = vec![(start, None)];
        while let Some((vertex, reason)) = stack.pop() {
            for (to, label) in self.sdg.dependents(vertex) {
                let Some(reason) = self.reason(label, reason) else { continue };
                // From one execution of a statement to the next, a variable passes a merge.
                let repeats = matches!(self.sdg.vertices[vertex].kind, Kind::Merge(_));
                self.note(from, to, reason, repeats);
                self.pass(first, number, to, reason, &mut stack);
            }
        }
    }

    fn note(&mut self, from: StatementId, to: VertexId, reason: Reason, repeats: bool) {
        if let Some(owner) = self.owner(to)
            && (owner != from || reason.is_control() || repeats)
        {
            self.found.insert(Dependence { from, to: owner, reason });
        }
    }

    /// Continues from a vertex between statements.
    fn pass(
        &mut self,
        first: VertexId,
        number: u32,
        to: VertexId,
        reason: Reason,
        stack: &mut Vec<(VertexId, Option<Reason>)>,
    ) {
        if self.sdg.vertices[to].function() != Some(self.function) {
            return;
        }
        let at = (to.as_u32() - first.as_u32()) as usize;
        let passes = matches!(self.sdg.vertices[to].kind, Kind::Merge(_) | Kind::Node(_));
        if passes {
            // A node may be reached with several outcomes; a merge has one variable.
            if self.seen[at] != number || matches!(reason, Reason::Control(_)) {
                self.seen[at] = number;
                stack.push((to, Some(reason)));
            }
        } else if let (Kind::ActualIn(call), Some(Key::Region(region))) =
            (self.sdg.vertices[to].kind, self.sdg.key(to))
            && self.sdg.passes_unchanged(call, region)
            && self.seen[at] != number
        {
            self.seen[at] = number;
            let outs = &self.sdg.calls[call].outs;
            let out = outs.binary_search_by_key(&Key::Region(region), |&(key, _)| key);
            if let Ok(out) = out {
                stack.push((outs[out].1, Some(reason)));
            }
        }
    }

    /// Why something depends on the start, given the label of the last step.
    fn reason(&self, label: Label, before: Option<Reason>) -> Option<Reason> {
        match (label, before) {
            (Label::Within, before) => before,
            (_, Some(before)) => Some(before),
            (Label::Value, None) => Some(Reason::Value),
            (Label::Slot(slot), None) => Some(Reason::Slot(self.function, slot)),
            (Label::Region(region), None) => Some(Reason::Region(region)),
            (Label::Control(outcome), None) => Some(Reason::Control(outcome)),
        }
    }
}

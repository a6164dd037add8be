//! The system dependence graph: what every instruction of a program depends on.
//!
//! Horwitz, Reps, Binkley (1990). Vertices are instructions, the nodes of control-flow graphs, and
//! what is passed between functions: formal and actual, in and out, for parameters, results,
//! ordered regions of memory, and whether a call returns. Definitions reach uses through merge
//! vertices, one for each place where versions of a variable meet (Cytron et al., 1991). Unordered
//! regions are vertices of their own that belong to no function. Summary edges are kept once per
//! function: which of its inputs reach which of its outputs (Reps et al., 1994).
//!
//! Not sensitive to faults, or to termination other than by calls that do not return.

mod build;
mod ssa;
mod summary;

use base::entity::{PrimaryMap, SecondaryMap, entity_impl};
use base::sets::BitMatrix;
use ir::{FuncId, InstId, Module, SlotId, StatementId};

use crate::call_graph::CallGraph;
use crate::cfg::{Cfg, NodeId, Outcome};
use crate::memory::{Memory, RegionId, SetId};
use crate::points_to::PointsTo;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(u32);
entity_impl!(VertexId, "x");

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(u32);
entity_impl!(CallId, "call");

/// What is passed between a call and a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    Param(u32),
    /// All variadic arguments.
    Varargs,
    Region(RegionId),
    Return,
    /// Whether the call returns.
    Halt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Entry,
    Node(NodeId),
    Inst(InstId),
    FormalIn,
    FormalOut,
    ActualIn(CallId),
    ActualOut(CallId),
    /// Copying the structs that a call passes by value.
    Copies(InstId),
    /// In a node, several definitions of a variable meet, or an optional one meets those before it.
    Merge(NodeId),
    /// An unordered region.
    Unordered(RegionId),
    /// Everything that some access may write (or read) of unordered regions.
    Written(SetId),
    Read(SetId),
    /// The values that `longjmp` passes to `setjmp`.
    Jump,
}

#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub kind: Kind,
    function: u32,
    statement: u32,
}

impl Vertex {
    /// `None` for vertices of the program as a whole.
    pub fn function(&self) -> Option<FuncId> {
        (self.function != ABSENT).then(|| FuncId::from_u32(self.function))
    }

    /// The statement that is in a slice if the vertex is.
    pub fn statement(&self) -> Option<StatementId> {
        (self.statement != ABSENT).then(|| StatementId::from_u32(self.statement))
    }
}

const ABSENT: u32 = u32::MAX;

/// Why one vertex depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// An unnamed value, within or between statements.
    Value,
    Slot(SlotId),
    Region(RegionId),
    /// By a decision with an outcome.
    Control(Outcome),
    /// By being part of what is executed together.
    Within,
}

/// A label in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packed(u32);

#[derive(Clone, Debug)]
pub struct CallSite {
    pub function: FuncId,
    pub inst: InstId,
    pub vertex: VertexId,
    /// Functions with code that may be called, also by external ones in between.
    pub callees: Vec<FuncId>,
    /// Ascending by key.
    pub ins: Vec<(Key, VertexId)>,
    pub outs: Vec<(Key, VertexId)>,
    /// How each callee's inputs and outputs correspond to these.
    links: Vec<Link>,
}

/// How the places of a call and of a callee correspond; [`ABSENT`] for those without a counterpart.
#[derive(Clone, Debug, Default)]
struct Link {
    /// For each input (output) of the call, the place among the callee's.
    ins: Box<[u32]>,
    outs: Box<[u32]>,
    /// For each input (output) of the callee, the vertex of the call.
    actual_ins: Box<[u32]>,
    actual_outs: Box<[u32]>,
}

impl Link {
    fn new(site: &CallSite, part: &Part) -> Link {
        let place = |list: &[(Key, VertexId)], key: Key| {
            list.binary_search_by_key(&key, |&(known, _)| known).map_or(ABSENT, |at| at as u32)
        };
        let vertex =
            |list: &[(Key, VertexId)], key: Key| lookup(list, key).map_or(ABSENT, VertexId::as_u32);
        Link {
            ins: site.ins.iter().map(|&(key, _)| place(&part.ins, key)).collect(),
            outs: site.outs.iter().map(|&(key, _)| place(&part.outs, key)).collect(),
            actual_ins: part.ins.iter().map(|&(key, _)| vertex(&site.ins, key)).collect(),
            actual_outs: part.outs.iter().map(|&(key, _)| vertex(&site.outs, key)).collect(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Where the vertices of the function are.
    start: u32,
    end: u32,
    /// Ascending by key.
    pub ins: Vec<(Key, VertexId)>,
    pub outs: Vec<(Key, VertexId)>,
    callers: Vec<CallId>,
    /// Inputs by outputs, and the other way round.
    by_input: BitMatrix,
    by_output: BitMatrix,
    /// Regions that may pass through a call unchanged.
    unchanged: Vec<RegionId>,
}

/// Edges by their start.
#[derive(Clone, Debug, Default)]
struct Adjacency {
    starts: Vec<u32>,
    edges: Vec<(VertexId, Packed)>,
}

impl Adjacency {
    fn of(&self, vertex: VertexId) -> &[(VertexId, Packed)] {
        let at = vertex.0 as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The inputs of a dependence graph.
#[derive(Clone, Copy, Debug)]
pub struct Analyses<'a> {
    pub module: &'a Module,
    pub points_to: &'a PointsTo,
    pub calls: &'a CallGraph,
    pub memory: &'a Memory,
}

#[derive(Clone, Debug)]
pub struct Sdg {
    pub vertices: PrimaryMap<VertexId, Vertex>,
    pub calls: PrimaryMap<CallId, CallSite>,
    parts: PrimaryMap<FuncId, Part>,
    forward: Adjacency,
    backward: Adjacency,
    outcomes: Vec<Outcome>,
    by_statement: SecondaryMap<StatementId, Vec<VertexId>>,
}

impl Sdg {
    pub fn new(analyses: Analyses<'_>) -> Sdg {
        let mut sdg = build::build(analyses);
        summary::summarise(&mut sdg, analyses.calls);
        sdg
    }

    pub fn part(&self, function: FuncId) -> &Part {
        &self.parts[function]
    }

    pub fn entry(&self, function: FuncId) -> Option<VertexId> {
        let part = self.part(function);
        (part.start < part.end).then_some(VertexId(part.start))
    }

    /// The vertices of a function.
    pub fn vertices_of(&self, function: FuncId) -> impl Iterator<Item = VertexId> + use<> {
        let part = self.part(function);
        (part.start..part.end).map(VertexId)
    }

    /// The vertices of a statement, ascending.
    pub fn of_statement(&self, statement: StatementId) -> &[VertexId] {
        &self.by_statement[statement]
    }

    /// What depends on a vertex within its function, or through unordered memory.
    pub fn dependents(&self, vertex: VertexId) -> impl Iterator<Item = (VertexId, Label)> + '_ {
        self.forward.of(vertex).iter().map(|&(to, label)| (to, self.unpack(label)))
    }

    /// What a vertex depends on within its function, or through unordered memory.
    pub fn dependences(&self, vertex: VertexId) -> impl Iterator<Item = (VertexId, Label)> + '_ {
        self.backward.of(vertex).iter().map(|&(from, label)| (from, self.unpack(label)))
    }

    pub fn edge_count(&self) -> usize {
        self.forward.edges.len()
    }

    /// The key of a formal or actual vertex.
    pub fn key(&self, vertex: VertexId) -> Option<Key> {
        // Vertices were made in the order of keys.
        let found = |list: &[(Key, VertexId)]| {
            let at = list.binary_search_by_key(&vertex, |&(_, known)| known).ok()?;
            Some(list[at].0)
        };
        let at = self.vertices[vertex];
        match at.kind {
            Kind::FormalIn => found(&self.part(at.function()?).ins),
            Kind::FormalOut => found(&self.part(at.function()?).outs),
            Kind::ActualIn(call) => found(&self.calls[call].ins),
            Kind::ActualOut(call) => found(&self.calls[call].outs),
            _ => None,
        }
    }

    /// The vertices in the callees that an actual vertex leads to, or comes from.
    pub(crate) fn formals(&self, vertex: VertexId) -> Vec<VertexId> {
        let (call, input) = match self.vertices[vertex].kind {
            Kind::ActualIn(call) => (call, true),
            Kind::ActualOut(call) => (call, false),
            Kind::Inst(_) => return self.entries_called(vertex),
            _ => return Vec::new(),
        };
        let Some(key) = self.key(vertex) else { return Vec::new() };
        let lists = self.calls[call].callees.iter().map(|&callee| {
            let part = self.part(callee);
            if input { &part.ins } else { &part.outs }
        });
        lists.filter_map(|list| lookup(list, key)).collect()
    }

    fn entries_called(&self, vertex: VertexId) -> Vec<VertexId> {
        let callees = self.call_at(vertex).map(|call| &self.calls[call].callees[..]);
        let callees = callees.unwrap_or_default().iter();
        callees.filter_map(|&callee| self.entry(callee)).collect()
    }

    /// The call that an instruction's vertex makes, if functions with code may be called.
    pub fn call_at(&self, vertex: VertexId) -> Option<CallId> {
        // Calls were found in the order of vertices.
        let sites = self.calls.values().as_slice();
        let at = sites.binary_search_by_key(&vertex, |site| site.vertex).ok()?;
        Some(CallId(at as u32))
    }

    /// The vertices in the callers that a formal vertex, or an entry, leads to or comes from.
    pub(crate) fn actuals(&self, vertex: VertexId) -> Vec<VertexId> {
        let at = self.vertices[vertex];
        let Some(function) = at.function() else { return Vec::new() };
        let callers = self.part(function).callers.iter().map(|&call| &self.calls[call]);
        match at.kind {
            Kind::Entry => callers.map(|call| call.vertex).collect(),
            Kind::FormalIn => {
                let Some(key) = self.key(vertex) else { return Vec::new() };
                callers.filter_map(|call| lookup(&call.ins, key)).collect()
            }
            Kind::FormalOut => {
                let Some(key) = self.key(vertex) else { return Vec::new() };
                callers.filter_map(|call| lookup(&call.outs, key)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Visits the outputs of a call that an input of it reaches through the called functions.
    pub(crate) fn summary_forward(&self, vertex: VertexId, mut visit: impl FnMut(VertexId)) {
        let Kind::ActualIn(call) = self.vertices[vertex].kind else { return };
        let site = &self.calls[call];
        let position = (vertex.0 - site.ins[0].1.0) as usize;
        for (&callee, link) in site.callees.iter().zip(&site.links) {
            let outputs = &self.part(callee).by_input;
            visit_row(outputs, link.ins[position], &link.actual_outs, &mut visit);
        }
    }

    /// Visits the inputs of a call that reach an output of it through the called functions.
    pub(crate) fn summary_backward(&self, vertex: VertexId, mut visit: impl FnMut(VertexId)) {
        let Kind::ActualOut(call) = self.vertices[vertex].kind else { return };
        let site = &self.calls[call];
        let position = (vertex.0 - site.outs[0].1.0) as usize;
        for (&callee, link) in site.callees.iter().zip(&site.links) {
            let inputs = &self.part(callee).by_output;
            visit_row(inputs, link.outs[position], &link.actual_ins, &mut visit);
        }
    }

    /// Whether a call may leave a region unchanged.
    pub(crate) fn passes_unchanged(&self, call: CallId, region: RegionId) -> bool {
        let mut callees = self.calls[call].callees.iter();
        callees.any(|&callee| self.part(callee).unchanged.binary_search(&region).is_ok())
    }

    fn unpack(&self, label: Packed) -> Label {
        let index = label.0 & Packed::INDEX;
        match label.0 >> 30 {
            1 => Label::Slot(SlotId::at(index)),
            2 => Label::Region(RegionId::from_u32(index)),
            3 => Label::Control(self.outcomes[index as usize]),
            _ if index == 1 => Label::Within,
            _ => Label::Value,
        }
    }
}

impl Packed {
    const INDEX: u32 = (1 << 30) - 1;
    const VALUE: Packed = Packed(0);
    const WITHIN: Packed = Packed(1);

    fn slot(slot: SlotId) -> Packed {
        Packed(1 << 30 | slot.as_u32())
    }

    fn region(region: RegionId) -> Packed {
        Packed(2 << 30 | region.as_u32())
    }

    fn control(outcome: usize) -> Packed {
        Packed(3 << 30 | outcome as u32)
    }
}

fn lookup(list: &[(Key, VertexId)], key: Key) -> Option<VertexId> {
    let at = list.binary_search_by_key(&key, |&(known, _)| known).ok()?;
    Some(list[at].1)
}

/// The control-flow graph of a function, given how calls end.
pub fn cfg_of(analyses: Analyses<'_>, function: FuncId) -> Option<Cfg> {
    let Analyses { module, points_to, calls, .. } = analyses;
    let body = module.functions[function].body()?;
    Some(Cfg::new(body, |inst| calls.ending(module, points_to, function, inst)))
}

/// Visits what a row of a relation stands for at a call.
fn visit_row(relation: &BitMatrix, row: u32, actuals: &[u32], visit: &mut impl FnMut(VertexId)) {
    if row == ABSENT {
        return;
    }
    let found = relation.row(row as usize).map(|at| actuals[at]);
    found.filter(|&actual| actual != ABSENT).for_each(|actual| visit(VertexId(actual)));
}

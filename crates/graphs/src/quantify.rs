//! Static quantified slices: how likely each statement of a forward slice is affected.
//!
//! After Santelices and Harrold (2010). A dependence propagates an effect with a probability that
//! is the product of three: that control gets from its source to its target, with all outcomes of a
//! decision equally likely; that both access the same memory, out of all that either may access;
//! and that information flows, which is certain for data and less likely for decisions. A statement
//! is affected unless all dependences fail to propagate the effect. Only dependences on more likely
//! vertices count, so that an effect does not reinforce itself in a cycle.
//!
//! An estimate for ranking: it knows no values, and assumes that branches are independent.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use base::entity::EntityRef;
use ir::{FuncId, StatementId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfg::{Cfg, NodeId};
use crate::control::ControlDependence;
use crate::dominators::DominatorTree;
use crate::program::ProgramGraphs;
use crate::sdg::{Kind, Label, VertexId};
use crate::slice::{Direction, Slice, crossings};

/// The probability that a decision changes when its operands do.
const CONTROL: f64 = 0.5;
/// The probability that two accesses of an array mean the same element.
const ELEMENT: f64 = 0.5;
/// Less likely effects are not followed further; what they reach gets at least this probability.
const LEAST: f64 = 1e-6;

/// A statement and the probability that it is affected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affected {
    pub statement: StatementId,
    pub probability: f64,
}

/// The statements of the forward slice of some vertices, most likely first.
pub fn quantify(graphs: &ProgramGraphs<'_>, start: &[VertexId]) -> Vec<Affected> {
    let slice = Slice::new(&graphs.sdg, start, Direction::Forward);
    let statements = graphs.module.statements.len();
    let units = statements + graphs.sdg.vertices.len();
    let mut quantifier = Quantifier {
        graphs,
        slice: &slice,
        chances: vec![Chances::default(); units],
        settled: vec![false; units],
        counted: FxHashSet::default(),
        queue: BinaryHeap::new(),
        functions: FxHashMap::default(),
    };
    quantifier.run(start);
    let mut ranked: Vec<Affected> = Vec::new();
    for statement in slice.statements(&graphs.sdg) {
        let chances = quantifier.chances[statement.index()];
        ranked.push(Affected { statement, probability: chances.probability().max(LEAST) });
    }
    // Equally likely ones stay in the order of the program.
    ranked.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    ranked
}

/// What is affected as a whole: a statement, or a vertex that belongs to none.
type Unit = usize;

struct Quantifier<'a> {
    graphs: &'a ProgramGraphs<'a>,
    slice: &'a Slice,
    chances: Vec<Chances>,
    settled: Vec<bool>,
    /// Dependences that were counted: a variable that is read twice is one reason.
    counted: FxHashSet<(Unit, Unit, Label)>,
    queue: BinaryHeap<Candidate>,
    functions: FxHashMap<FuncId, Control>,
}

/// The probability that effects reach a unit.
#[derive(Clone, Copy, Debug)]
struct Chances {
    /// With everything executed together.
    together: f64,
    /// The probability that no other dependence propagates an effect.
    failing: f64,
}

impl Default for Chances {
    fn default() -> Chances {
        Chances { together: 0.0, failing: 1.0 }
    }
}

impl Chances {
    fn probability(&self) -> f64 {
        1.0 - (1.0 - self.together) * self.failing
    }
}

/// A unit in the queue, by the known probability that it is affected.
struct Candidate {
    probability: f64,
    unit: Unit,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Candidate) -> Ordering {
        let likely = self.probability.total_cmp(&other.probability);
        likely.then_with(|| other.unit.cmp(&self.unit))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Candidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Candidate) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl Quantifier<'_> {
    fn unit(&self, vertex: VertexId) -> Unit {
        match self.graphs.sdg.vertices[vertex].statement() {
            Some(statement) => statement.index(),
            None => self.graphs.module.statements.len() + vertex.index(),
        }
    }

    /// The vertices of a unit that are in the slice.
    fn members(&self, unit: Unit) -> Vec<VertexId> {
        let statements = self.graphs.module.statements.len();
        match unit.checked_sub(statements) {
            Some(vertex) => vec![VertexId::from_u32(vertex as u32)],
            None => {
                let all = self.graphs.sdg.of_statement(StatementId::from_u32(unit as u32));
                all.iter().copied().filter(|&vertex| self.slice.contains(vertex)).collect()
            }
        }
    }

    fn run(&mut self, start: &[VertexId]) {
        for &vertex in start {
            let unit = self.unit(vertex);
            self.chances[unit].together = 1.0;
            self.queue.push(Candidate { probability: 1.0, unit });
        }
        while let Some(Candidate { unit, .. }) = self.queue.pop() {
            if !std::mem::replace(&mut self.settled[unit], true) {
                for vertex in self.members(unit) {
                    self.pass_on(unit, vertex);
                }
            }
        }
    }

    fn pass(&mut self, from: Unit, to: VertexId, probability: f64, label: Label) {
        let unit = self.unit(to);
        let settled = self.settled[unit];
        if settled || !self.slice.contains(to) || probability < LEAST {
            return;
        }
        let chances = &mut self.chances[unit];
        match label {
            Label::Within => chances.together = chances.together.max(probability),
            label if self.counted.insert((from, unit, label)) => {
                chances.failing *= 1.0 - probability;
            }
            _ => return,
        }
        let probability = chances.probability();
        self.queue.push(Candidate { probability, unit });
    }

    fn pass_on(&mut self, unit: Unit, vertex: VertexId) {
        let sdg = &self.graphs.sdg;
        let probability = self.chances[unit].probability();
        let edges: Vec<(VertexId, Label)> = sdg.dependents(vertex).collect();
        for (to, label) in edges {
            let factor = match label {
                Label::Control(_) => CONTROL,
                // What is executed together, and parts of one expression.
                Label::Within | Label::Value => 1.0,
                Label::Slot(_) => self.reaching(vertex, to),
                Label::Region(_) => self.reaching(vertex, to) * self.meeting(to),
            };
            self.pass(unit, to, probability * factor, label);
        }
        let (callees, callers) = crossings(sdg, vertex, true);
        for to in callees.into_iter().chain(callers) {
            self.pass(unit, to, probability, Label::Value);
        }
    }

    /// The probability that an access means the memory that it shares with another.
    fn meeting(&self, vertex: VertexId) -> f64 {
        let at = self.graphs.sdg.vertices[vertex];
        let (Kind::Inst(inst), Some(function)) = (at.kind, at.function()) else { return 1.0 };
        let Some(access) = self.graphs.memory.access(function, inst) else { return 1.0 };
        let objects = &self.graphs.points_to.objects;
        let mut regions = self.graphs.memory.sets[access.reads].iter();
        let cells = regions.clone().flat_map(|&region| &self.graphs.memory.regions[region].cells);
        let single =
            cells.clone().all(|&cell| objects.is_single(&self.graphs.module.types, cell).is_some());
        let many = regions.next().map_or(1, |_| access.cells.max(1));
        let same = if single { 1.0 } else { ELEMENT };
        same / f64::from(many)
    }

    /// The probability that control gets from one vertex to another of the same function.
    fn reaching(&mut self, from: VertexId, to: VertexId) -> f64 {
        let (a, b) = (self.graphs.sdg.vertices[from], self.graphs.sdg.vertices[to]);
        let (Some(function), Some(same)) = (a.function(), b.function()) else { return 1.0 };
        if function != same {
            return 1.0;
        }
        let graphs = self.graphs;
        let control =
            self.functions.entry(function).or_insert_with(|| Control::new(graphs, function));
        match (control.node_of(graphs, from), control.node_of(graphs, to)) {
            (Some(a), Some(b)) => control.reaching(a, b),
            _ => 1.0,
        }
    }
}

/// The control flow of a function, as needed for probabilities.
struct Control {
    cfg: Cfg,
    post: DominatorTree,
    dependence: ControlDependence,
    /// The node of every instruction.
    nodes: FxHashMap<ir::InstId, NodeId>,
}

impl Control {
    fn new(graphs: &ProgramGraphs<'_>, function: FuncId) -> Control {
        let body = graphs.module.functions[function].body();
        let cfg = graphs.cfg(function);
        let (Some(body), Some(cfg)) = (body, cfg) else {
            unreachable!("a vertex belongs to a function with code")
        };
        let post = DominatorTree::of_postdominance(&cfg);
        let dependence = ControlDependence::new(&cfg, &post);
        let mut nodes = FxHashMap::default();
        for node in cfg.nodes.keys() {
            nodes.extend(cfg.insts(body, node).iter().map(|&inst| (inst, node)));
        }
        Control { cfg, post, dependence, nodes }
    }

    fn node_of(&self, graphs: &ProgramGraphs<'_>, vertex: VertexId) -> Option<NodeId> {
        match graphs.sdg.vertices[vertex].kind {
            Kind::Merge(node) => Some(node),
            Kind::Inst(inst) | Kind::Copies(inst) => self.nodes.get(&inst).copied(),
            Kind::ActualIn(call) | Kind::ActualOut(call) => {
                self.nodes.get(&graphs.sdg.calls[call].inst).copied()
            }
            _ => None,
        }
    }

    /// The product over the decisions that lead to `to` and not to `from`, nearest first.
    fn reaching(&self, from: NodeId, to: NodeId) -> f64 {
        let mut probability = 1.0;
        let mut at = to;
        let mut seen = vec![false; self.cfg.len()];
        while !self.post.dominates(at, from) && !std::mem::replace(&mut seen[at.index()], true) {
            let Some(&(decision, _)) = self.dependence.parents(at).first() else { break };
            let outcomes: Vec<NodeId> =
                self.cfg.successors(decision).iter().map(|&(to, _)| to).collect();
            let leading = self.dependence.children(decision).iter();
            let leading = leading.filter(|&&(child, _)| child == at).count().max(1);
            probability *= leading as f64 / outcomes.len().max(leading) as f64;
            at = decision;
        }
        probability
    }
}

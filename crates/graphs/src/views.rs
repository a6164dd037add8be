//! Drawings of the analyses: control flow, dominators, calls, dependence.
//!
//! Shows statements by their lines. The drawing of a system dependence graph has one box for each
//! statement and for each value passed between functions.

use std::collections::{BTreeMap, BTreeSet};

use ir::{FuncId, Module, StatementId};

use crate::cfg::{Cfg, NodeId, Outcome};
use crate::dominators::DominatorTree;
use crate::drawing::{Drawing, Style};
use crate::pdg::Reason;
use crate::program::ProgramGraphs;
use crate::sdg::{Key, Kind, VertexId};

/// The control-flow graph of a function.
pub fn cfg(module: &Module, function: FuncId, cfg: &Cfg) -> Drawing {
    let mut drawing = Drawing::new(module.functions[function].display_name());
    let reachable: BTreeSet<NodeId> = cfg.reverse_postorder().into_iter().collect();
    let boxes = boxes(&mut drawing, module, function, cfg, |node| reachable.contains(&node));
    for (&node, &from) in &boxes {
        let mut ways: BTreeMap<NodeId, Vec<String>> = BTreeMap::new();
        for &(to, outcome) in cfg.successors(node) {
            let label =
                if outcome == Outcome::Always { String::new() } else { outcome.to_string() };
            ways.entry(to).or_default().push(label);
        }
        for (to, labels) in ways {
            if let Some(&to) = boxes.get(&to) {
                drawing.add_line(from, to, labels.join(", "), Style::Solid);
            }
        }
    }
    drawing
}

/// The tree of dominators, or of post-dominators, of a function.
pub fn dominators(module: &Module, function: FuncId, cfg: &Cfg, tree: &DominatorTree) -> Drawing {
    let mut drawing = Drawing::new(module.functions[function].display_name());
    let boxes = boxes(&mut drawing, module, function, cfg, |node| tree.contains(node));
    for (&node, &from) in &boxes {
        for child in tree.children(node) {
            drawing.add_line(from, boxes[child], "", Style::Solid);
        }
    }
    drawing
}

/// A box for each of some nodes.
fn boxes(
    drawing: &mut Drawing,
    module: &Module,
    function: FuncId,
    cfg: &Cfg,
    is_drawn: impl Fn(NodeId) -> bool,
) -> BTreeMap<NodeId, usize> {
    let drawn = cfg.nodes.keys().filter(|&node| is_drawn(node));
    let label = |node| node_label(module, function, cfg, node);
    drawn.map(|node| (node, drawing.add_box(node_name(cfg, node), label(node)))).collect()
}

fn node_name(cfg: &Cfg, node: NodeId) -> String {
    if node == cfg.exit() { "exit".to_owned() } else { node.to_string() }
}

fn node_label(module: &Module, function: FuncId, cfg: &Cfg, node: NodeId) -> String {
    let Some(body) = module.functions[function].body() else { return String::new() };
    let mut lines: Vec<u32> = Vec::new();
    for &inst in cfg.insts(body, node) {
        let line = module.statements[body.insts[inst].statement].span.line;
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let name = if node == cfg.exit() || cfg.first_of(cfg.nodes[node].block) != node {
        ""
    } else {
        &body.blocks[cfg.nodes[node].block].name
    };
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    match (lines.len(), name.is_empty()) {
        (0, _) => String::new(),
        (1, true) => format!("line {}", lines[0]),
        (1, false) => format!("{name}\nline {}", lines[0]),
        (_, true) => format!("lines {}", lines.join(", ")),
        (_, false) => format!("{name}\nlines {}", lines.join(", ")),
    }
}

/// Which functions call which; dashed if a pointer or the library is in between.
pub fn call_graph(graphs: &ProgramGraphs<'_>, wanted: impl Fn(FuncId) -> bool) -> Drawing {
    let module = graphs.module;
    let mut drawing = Drawing::new("calls");
    let mut boxes = BTreeMap::new();
    let mut calls: BTreeMap<(FuncId, FuncId), bool> = BTreeMap::new();
    for (id, function) in module.functions.iter().filter(|&(id, _)| wanted(id)) {
        let Some(body) = function.body() else { continue };
        calls_of(graphs, id, body, &mut calls);
        boxes.entry(id).or_insert_with(|| drawing.add_box(function.display_name(), ""));
    }
    for &(_, callee) in calls.keys() {
        let name = module.functions[callee].display_name();
        boxes.entry(callee).or_insert_with(|| drawing.add_box(name, ""));
    }
    for (&(from, to), &direct) in &calls {
        let style = if direct { Style::Solid } else { Style::Dashed };
        let label = if direct { "" } else { "by pointer" };
        drawing.add_line(boxes[&from], boxes[&to], label, style);
    }
    drawing
}

fn calls_of(
    graphs: &ProgramGraphs<'_>,
    function: FuncId,
    body: &ir::Body,
    calls: &mut BTreeMap<(FuncId, FuncId), bool>,
) {
    for &inst in body.blocks.values().flat_map(|block| &block.insts) {
        let Some(targets) = graphs.points_to.calls(function, inst) else { continue };
        let call = crate::points_to::call_of(&body.insts[inst].op);
        let named = call.is_some_and(|call| matches!(call.callee, ir::Callee::Function(_)));
        for &callee in targets.functions.iter().chain(&targets.externals) {
            *calls.entry((function, callee)).or_default() |= named;
        }
        for &callee in &targets.callbacks {
            calls.entry((function, callee)).or_default();
        }
    }
}

/// Statements of a function and their dependences; those by control are solid, by data dashed.
pub fn pdg(graphs: &ProgramGraphs<'_>, function: FuncId) -> Drawing {
    let mut drawing = Drawing::new(graphs.module.functions[function].display_name());
    let pdg = graphs.pdg(function);
    let mut boxes = BTreeMap::new();
    for &statement in &pdg.statements {
        let label = statement_label(graphs.module, statement);
        boxes.insert(statement, drawing.add_box(statement.to_string(), label));
    }
    for dependence in &pdg.dependences {
        let (label, style) = match dependence.reason {
            Reason::Control(outcome) => (outcome.to_string(), Style::Solid),
            reason => (reason.variable(graphs.analyses()), Style::Dashed),
        };
        if let (Some(&from), Some(&to)) = (boxes.get(&dependence.from), boxes.get(&dependence.to)) {
            drawing.add_line(from, to, label, style);
        }
    }
    drawing
}

fn statement_label(module: &Module, statement: StatementId) -> String {
    format!("line {}", module.statements[statement].span.line)
}

/// Statements of some functions with what is passed between them.
pub fn sdg(graphs: &ProgramGraphs<'_>, wanted: impl Fn(FuncId) -> bool) -> Drawing {
    let mut view = SdgView {
        graphs,
        drawing: Drawing::new("dependences"),
        statements: BTreeMap::new(),
        passed: BTreeMap::new(),
    };
    let functions: Vec<FuncId> = graphs.module.functions.keys().filter(|&f| wanted(f)).collect();
    for &function in functions.iter().filter(|&&f| graphs.sdg.entry(f).is_some()) {
        view.add_function(function);
    }
    view.add_memory();
    for &function in &functions {
        view.connect(graphs.sdg.vertices_of(function).collect());
    }
    let memory = view.passed.keys().copied();
    view.connect(memory.filter(|&v| graphs.sdg.vertices[v].function().is_none()).collect());
    view.drawing
}

struct SdgView<'a> {
    graphs: &'a ProgramGraphs<'a>,
    drawing: Drawing,
    statements: BTreeMap<StatementId, usize>,
    passed: BTreeMap<VertexId, usize>,
}

impl SdgView<'_> {
    fn add_function(&mut self, function: FuncId) {
        let sdg = &self.graphs.sdg;
        let name = self.graphs.module.functions[function].display_name();
        for vertex in sdg.vertices_of(function) {
            let label = match sdg.vertices[vertex].kind {
                Kind::Entry => format!("entry of {name}"),
                Kind::FormalIn => format!("{name} gets {}", self.key(function, vertex)),
                Kind::FormalOut => format!("{name} gives {}", self.key(function, vertex)),
                Kind::ActualIn(_) => format!("passes {}", self.key(function, vertex)),
                Kind::ActualOut(_) => format!("takes {}", self.key(function, vertex)),
                Kind::Inst(_) | Kind::Copies(_) => {
                    if let Some(statement) = sdg.vertices[vertex].statement() {
                        self.statement(statement, name);
                    }
                    continue;
                }
                _ => continue,
            };
            let place = self.drawing.add_box(vertex.to_string(), label);
            self.passed.insert(vertex, place);
        }
    }

    /// Boxes for unordered regions, and for jumps between functions.
    fn add_memory(&mut self) {
        let graphs = self.graphs;
        for (vertex, content) in graphs.sdg.vertices.iter() {
            let label = match content.kind {
                Kind::Unordered(region) => {
                    graphs.memory.name(graphs.module, &graphs.points_to, region)
                }
                Kind::Jump if graphs.sdg.dependents(vertex).next().is_some() => "jumps".to_owned(),
                _ => continue,
            };
            let place = self.drawing.add_box(vertex.to_string(), label);
            self.passed.insert(vertex, place);
        }
    }

    fn statement(&mut self, statement: StatementId, function: &str) -> usize {
        if let Some(&place) = self.statements.get(&statement) {
            return place;
        }
        let line = self.graphs.module.statements[statement].span.line;
        let label = format!("{function}, line {line}");
        let place = self.drawing.add_box(statement.to_string(), label);
        self.statements.insert(statement, place);
        place
    }

    fn key(&self, function: FuncId, vertex: VertexId) -> String {
        let graphs = self.graphs;
        match graphs.sdg.key(vertex) {
            Some(Key::Param(index)) => {
                let sdg = &graphs.sdg;
                let callee = match sdg.vertices[vertex].kind {
                    Kind::ActualIn(call) => sdg.calls[call].callees.first().copied(),
                    _ => Some(function),
                };
                let params = callee.map(|callee| &graphs.module.functions[callee].params);
                let param = params.and_then(|params| params.get(index as usize));
                match param {
                    Some(param) if !param.name.is_empty() => param.name.clone(),
                    _ => format!("argument {index}"),
                }
            }
            Some(Key::Varargs) => "unnamed arguments".to_owned(),
            Some(Key::Region(region)) => {
                graphs.memory.name(graphs.module, &graphs.points_to, region)
            }
            Some(Key::Return) => "its result".to_owned(),
            Some(Key::Halt) => "its end".to_owned(),
            None => String::new(),
        }
    }

    fn connect(&mut self, vertices: Vec<VertexId>) {
        let sdg = &self.graphs.sdg;
        let mut lines: BTreeSet<(usize, usize, &'static str)> = BTreeSet::new();
        for vertex in vertices {
            let Some(from) = self.place(vertex) else { continue };
            for to in self.reached(vertex) {
                if to != from {
                    lines.insert((from, to, ""));
                }
            }
            sdg.summary_forward(vertex, |to| {
                lines.extend(self.place(to).map(|to| (from, to, "summary")));
            });
            let (callees, callers) = crate::slice::crossings(sdg, vertex, true);
            for to in callees.into_iter().chain(callers) {
                lines.extend(self.place(to).map(|to| (from, to, "call")));
            }
        }
        for (from, to, label) in lines {
            let style = match label {
                "" => Style::Solid,
                "call" => Style::Dashed,
                _ => Style::Dotted,
            };
            self.drawing.add_line(from, to, label, style);
        }
    }

    fn place(&self, vertex: VertexId) -> Option<usize> {
        let own = self.passed.get(&vertex);
        let statement = || self.graphs.sdg.vertices[vertex].statement();
        own.or_else(|| self.statements.get(&statement()?)).copied()
    }

    /// The boxes that depend on a vertex, with nothing drawn between them.
    fn reached(&self, vertex: VertexId) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![vertex];
        while let Some(at) = stack.pop() {
            for (to, _) in self.graphs.sdg.dependents(at) {
                match self.place(to) {
                    Some(place) => {
                        found.insert(place);
                    }
                    None if seen.insert(to) => stack.push(to),
                    None => {}
                }
            }
        }
        found
    }
}

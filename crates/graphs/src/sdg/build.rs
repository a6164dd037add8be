//! Makes the vertices and edges of a system dependence graph, function by function.

use base::entity::{EntityRef, PrimaryMap, SecondaryMap, filled};
use ir::{Body, Builtin, Call, Callee, FuncId, InstId, Op, Operand, StatementId, Types, ValueId};
use library::End;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ssa::{Event, Variables};
use super::{
    ABSENT, Adjacency, Analyses, CallId, CallSite, Key, Kind, Link, Packed, Part, Sdg, Vertex,
    VertexId,
};
use crate::cfg::{Cfg, NodeId, Outcome};
use crate::control::ControlDependence;
use crate::dominators::DominatorTree;
use crate::memory::{Memory, RegionId, SetId, Tracking};
use crate::points_to::{Targets, call_of};

const NO_VERTEX: VertexId = VertexId(u32::MAX);

pub(super) fn build(analyses: Analyses<'_>) -> Sdg {
    let mut builder = Builder {
        analyses,
        vertices: PrimaryMap::new(),
        calls: PrimaryMap::new(),
        parts: filled(analyses.module.functions.len(), Part::default()),
        edges: Vec::new(),
        outcomes: Vec::new(),
        outcome_index: FxHashMap::default(),
        unordered: FxHashMap::default(),
        sets: FxHashMap::default(),
        jump: NO_VERTEX,
    };
    builder.add_globals();
    for (id, function) in analyses.module.functions.iter() {
        if let Some(body) = function.body() {
            builder.add_function(id, body);
        }
    }
    builder.finish()
}

pub(super) struct Builder<'a> {
    pub analyses: Analyses<'a>,
    pub vertices: PrimaryMap<VertexId, Vertex>,
    calls: PrimaryMap<CallId, CallSite>,
    parts: PrimaryMap<FuncId, Part>,
    edges: Vec<(VertexId, VertexId, Packed)>,
    outcomes: Vec<Outcome>,
    outcome_index: FxHashMap<Outcome, usize>,
    unordered: FxHashMap<RegionId, VertexId>,
    sets: FxHashMap<(SetId, bool), VertexId>,
    jump: VertexId,
}

/// The state of building one function's vertices.
pub(super) struct Place<'b> {
    pub function: FuncId,
    pub body: &'b Body,
    pub cfg: Cfg,
    pub dominators: DominatorTree,
    pub order: Vec<NodeId>,
    /// Vertices of instructions and nodes; [`NO_VERTEX`] for unreachable ones.
    insts: PrimaryMap<InstId, VertexId>,
    nodes: PrimaryMap<NodeId, VertexId>,
    /// Where values come from.
    values: PrimaryMap<ValueId, VertexId>,
    sites: FxHashMap<InstId, CallId>,
    /// What copies the structs that calls pass by value.
    copies: FxHashMap<InstId, VertexId>,
}

impl Builder<'_> {
    pub fn vertex(
        &mut self,
        kind: Kind,
        function: Option<FuncId>,
        statement: Option<StatementId>,
    ) -> VertexId {
        self.vertices.push(Vertex {
            kind,
            function: function.map_or(ABSENT, |function| function.as_u32()),
            statement: statement.map_or(ABSENT, |statement| statement.as_u32()),
        })
    }

    pub fn edge(&mut self, from: VertexId, to: VertexId, label: Packed) {
        if from != NO_VERTEX && to != NO_VERTEX {
            self.edges.push((from, to, label));
        }
    }

    /// Vertices that belong to no function.
    fn add_globals(&mut self) {
        self.jump = self.vertex(Kind::Jump, None, None);
        let memory = self.analyses.memory;
        for (region, content) in memory.regions.iter() {
            if content.tracking == Tracking::Unordered {
                let vertex = self.vertex(Kind::Unordered(region), None, None);
                self.unordered.insert(region, vertex);
            }
        }
    }

    /// The vertex that connects an access with all unordered regions of a set.
    fn set_vertex(&mut self, set: SetId, writes: bool) -> VertexId {
        if let Some(&vertex) = self.sets.get(&(set, writes)) {
            return vertex;
        }
        let memory = self.analyses.memory;
        let regions = memory.sets[set].iter().copied();
        let regions: Vec<RegionId> = regions.filter(|&r| is_unordered(memory, r)).collect();
        if regions.is_empty() {
            self.sets.insert((set, writes), NO_VERTEX);
            return NO_VERTEX;
        }
        let kind = if writes { Kind::Written(set) } else { Kind::Read(set) };
        let vertex = self.vertex(kind, None, None);
        for region in regions {
            let hub = self.unordered[&region];
            if writes {
                self.edge(vertex, hub, Packed::region(region))
            } else {
                self.edge(hub, vertex, Packed::region(region))
            }
        }
        self.sets.insert((set, writes), vertex);
        vertex
    }

    fn add_function(&mut self, function: FuncId, body: &Body) {
        let Some(cfg) = super::cfg_of(self.analyses, function) else { return };
        // Vertices of sets belong to no function, and a function's vertices must follow each other.
        self.add_sets(function, body, &cfg);
        let start = self.vertices.next_key();
        let entry = self.vertex(Kind::Entry, Some(function), None);
        let order = cfg.reverse_postorder();
        let mut place = Place {
            function,
            body,
            dominators: DominatorTree::new(&cfg),
            order,
            insts: filled(body.insts.len(), NO_VERTEX),
            nodes: filled(cfg.len(), NO_VERTEX),
            values: filled(body.values.len(), NO_VERTEX),
            sites: FxHashMap::default(),
            copies: FxHashMap::default(),
            cfg,
        };
        self.add_formals(&mut place);
        self.add_nodes(&mut place);
        self.add_sites(&mut place);
        self.add_control(&place, entry);
        self.add_values(&place);
        let events = self.events(&place);
        let variables = self.variables(&place);
        let unchanged = self.number_versions(&place, &variables, &events);
        let part = &mut self.parts[function];
        part.unchanged = unchanged;
        part.start = start.as_u32();
        part.end = self.vertices.next_key().as_u32();
    }

    fn add_sets(&mut self, function: FuncId, body: &Body, cfg: &Cfg) {
        let memory = self.analyses.memory;
        for node in cfg.reverse_postorder() {
            for &inst in cfg.insts(body, node) {
                if let Some(access) = memory.access(function, inst) {
                    self.set_vertex(access.reads, false);
                    self.set_vertex(access.writes, true);
                    self.set_vertex(access.prepares, true);
                }
            }
        }
    }

    fn add_formals(&mut self, place: &mut Place<'_>) {
        let function = place.function;
        let Analyses { module, memory, calls, .. } = self.analyses;
        let declared = &module.functions[function];
        let mut ins: Vec<Key> = (0..declared.params.len() as u32).map(Key::Param).collect();
        if declared.variadic {
            ins.push(Key::Varargs);
        }
        let ordered = |region: &RegionId| memory.regions[*region].tracking == Tracking::Ordered;
        let mut touched: Vec<RegionId> = memory.modified(function).filter(ordered).collect();
        let mut outs: Vec<Key> = touched.iter().copied().map(Key::Region).collect();
        touched.extend(memory.referenced(function).filter(ordered));
        touched.sort_unstable();
        touched.dedup();
        ins.extend(touched.into_iter().map(Key::Region));
        if declared.returns != Types::VOID {
            outs.push(Key::Return);
        }
        if calls.may_halt(function) {
            outs.push(Key::Halt);
        }
        let ins: Vec<(Key, VertexId)> = ins
            .into_iter()
            .map(|key| (key, self.vertex(Kind::FormalIn, Some(function), None)))
            .collect();
        for &(key, vertex) in &ins {
            if let Key::Param(index) = key
                && let Some(value) = place.values.get_mut(ValueId::at(index))
            {
                *value = vertex;
            }
        }
        let outs = outs
            .into_iter()
            .map(|key| (key, self.vertex(Kind::FormalOut, Some(function), None)))
            .collect();
        let part = &mut self.parts[function];
        (part.ins, part.outs) = (ins, outs);
    }

    fn add_nodes(&mut self, place: &mut Place<'_>) {
        for &node in &place.order {
            if node == place.cfg.exit() {
                continue;
            }
            let vertex = self.vertex(Kind::Node(node), Some(place.function), None);
            place.nodes[node] = vertex;
            for &inst in place.cfg.insts(place.body, node) {
                let content = &place.body.insts[inst];
                let statement = Some(content.statement).filter(|_| computes(place, node, inst));
                let at = self.vertex(Kind::Inst(inst), Some(place.function), statement);
                self.edge(vertex, at, Packed::WITHIN);
                place.insts[inst] = at;
                if let Some(value) = content.result {
                    place.values[value] = at;
                }
            }
        }
    }

    fn add_control(&mut self, place: &Place<'_>, entry: VertexId) {
        let post = DominatorTree::of_postdominance(&place.cfg);
        let control = ControlDependence::new(&place.cfg, &post);
        for &node in &place.order {
            let vertex = place.nodes[node];
            if control.parents(node).is_empty() {
                self.edge(entry, vertex, Packed::WITHIN);
            }
            for &(decision, outcome) in control.parents(node) {
                let label = self.outcome(outcome);
                let decision = self.decision(place, decision);
                self.edge(decision, vertex, label);
            }
        }
    }

    /// The vertex that decides how control leaves a node.
    fn decision(&self, place: &Place<'_>, node: NodeId) -> VertexId {
        let Some(last) = place.cfg.last_inst(place.body, node) else { return NO_VERTEX };
        let site = place.sites.get(&last);
        let halt = site.and_then(|&site| super::lookup(&self.calls[site].outs, Key::Halt));
        halt.unwrap_or(place.insts[last])
    }

    fn outcome(&mut self, outcome: Outcome) -> Packed {
        let next = self.outcomes.len();
        let index = *self.outcome_index.entry(outcome).or_insert(next);
        if index == next {
            self.outcomes.push(outcome);
        }
        Packed::control(index)
    }

    /// Vertices for what is passed to and from calls of functions with code.
    fn add_sites(&mut self, place: &mut Place<'_>) {
        for node in place.order.clone() {
            for &inst in place.cfg.insts(place.body, node) {
                let Some(call) = call_of(&place.body.insts[inst].op) else { continue };
                let targets = self.analyses.points_to.calls(place.function, inst);
                let Some(targets) = targets else { continue };
                if !targets.functions.is_empty() || !targets.callbacks.is_empty() {
                    let site = self.add_site(place, inst, call, targets);
                    place.sites.insert(inst, site);
                }
            }
        }
    }

    fn add_site(
        &mut self,
        place: &mut Place<'_>,
        inst: InstId,
        call: &Call,
        targets: &Targets,
    ) -> CallId {
        let memory = self.analyses.memory;
        let mut callees = [&targets.functions[..], &targets.callbacks[..]].concat();
        callees.sort_unstable();
        callees.dedup();
        let (ins, outs) = self.passed(call, &callees);
        let statement = place.body.insts[inst].statement;
        let id = self.calls.next_key();
        let function = Some(place.function);
        let mut actual_ins = Vec::with_capacity(ins.len());
        for key in ins {
            let used = match key {
                Key::Region(region) => callees.iter().any(|&c| memory.may_read(c, region)),
                _ => true,
            };
            let owner = used.then_some(statement);
            actual_ins.push((key, self.vertex(Kind::ActualIn(id), function, owner)));
        }
        let vertex = place.insts[inst];
        if call.args.iter().any(|arg| arg.byval.is_some()) {
            let copies = self.vertex(Kind::Copies(inst), function, Some(statement));
            self.edge(vertex, copies, Packed::WITHIN);
            place.copies.insert(inst, copies);
        }
        let mut actual_outs = Vec::with_capacity(outs.len());
        for key in outs {
            let owner = (key == Key::Return).then_some(statement);
            let out = self.vertex(Kind::ActualOut(id), function, owner);
            self.edge(vertex, out, Packed::WITHIN);
            actual_outs.push((key, out));
        }
        for &callee in &callees {
            self.parts[callee].callers.push(id);
        }
        if let Some(value) = place.body.insts[inst].result
            && let Some(out) = super::lookup(&actual_outs, Key::Return)
        {
            place.values[value] = out;
        }
        self.calls.push(CallSite {
            function: place.function,
            inst,
            vertex,
            callees,
            ins: actual_ins,
            outs: actual_outs,
            links: Vec::new(),
        })
    }

    /// What a call passes to and takes from functions, ascending.
    fn passed(&self, call: &Call, callees: &[FuncId]) -> (Vec<Key>, Vec<Key>) {
        let Analyses { module, memory, calls, .. } = self.analyses;
        let mut ins = FxHashSet::default();
        let mut outs = FxHashSet::default();
        let ordered = |region: &RegionId| memory.regions[*region].tracking == Tracking::Ordered;
        for &callee in callees {
            let declared = &module.functions[callee];
            ins.extend((0..declared.params.len() as u32).map(Key::Param));
            if declared.variadic && call.args.len() > declared.params.len() {
                ins.insert(Key::Varargs);
            }
            for region in memory.modified(callee).filter(ordered) {
                ins.insert(Key::Region(region));
                outs.insert(Key::Region(region));
            }
            ins.extend(memory.referenced(callee).filter(ordered).map(Key::Region));
            if declared.returns != Types::VOID {
                outs.insert(Key::Return);
            }
            if calls.may_halt(callee) {
                outs.insert(Key::Halt);
            }
        }
        (sorted(ins), sorted(outs))
    }

    /// Edges from values to the instructions and calls that use them.
    fn add_values(&mut self, place: &Place<'_>) {
        for &node in &place.order {
            for &inst in place.cfg.insts(place.body, node) {
                let vertex = place.insts[inst];
                match call_of(&place.body.insts[inst].op) {
                    Some(call) => self.add_call_values(place, inst, vertex, call),
                    None => place.body.insts[inst].op.operands(|operand| {
                        self.edge(place.source(operand), vertex, Packed::VALUE);
                    }),
                }
                self.add_ends(place, inst, vertex);
            }
        }
    }

    fn add_call_values(&mut self, place: &Place<'_>, inst: InstId, vertex: VertexId, call: &Call) {
        if let Callee::Indirect(callee) = call.callee {
            self.edge(place.source(callee), vertex, Packed::VALUE);
        }
        let targets = self.analyses.points_to.calls(place.function, inst);
        let inside = targets.is_some_and(|targets| !targets.functions.is_empty());
        let outside = self.is_outside(place, inst);
        let site = place.sites.get(&inst).map(|&site| self.calls[site].clone());
        for (index, arg) in call.args.iter().enumerate() {
            let mut source = place.source(arg.value);
            if outside {
                self.edge(source, vertex, Packed::VALUE);
            }
            let Some(site) = site.as_ref().filter(|_| inside) else { continue };
            let mut named = super::lookup(&site.ins, Key::Param(index as u32));
            if arg.byval.is_some()
                && let Some(&copies) = place.copies.get(&inst)
            {
                // The callee gets the address of its own copy, which is always the same.
                self.edge(source, copies, Packed::VALUE);
                (source, named) = (copies, None);
            }
            let varargs = super::lookup(&site.ins, Key::Varargs);
            for to in named.into_iter().chain(varargs) {
                self.edge(source, to, Packed::VALUE);
            }
        }
        let Some(site) = site else { return };
        // Code without source passes anything to functions.
        let calls_back = targets.is_some_and(|targets| !targets.callbacks.is_empty());
        if calls_back {
            for &(key, to) in &site.ins {
                if matches!(key, Key::Param(_) | Key::Varargs) {
                    self.edge(vertex, to, Packed::VALUE);
                }
            }
        }
    }

    /// Edges that concern how a function ends, and jumps between functions.
    fn add_ends(&mut self, place: &Place<'_>, inst: InstId, vertex: VertexId) {
        let outs = &self.parts[place.function].outs;
        let halt = super::lookup(outs, Key::Halt).unwrap_or(NO_VERTEX);
        let returned = super::lookup(outs, Key::Return).unwrap_or(NO_VERTEX);
        match &place.body.insts[inst].op {
            Op::Return { .. } => return self.edge(vertex, returned, Packed::VALUE),
            Op::Unreachable | Op::Resume { .. } => {
                return self.edge(vertex, halt, Packed::WITHIN);
            }
            Op::Call(call) if call.callee == Callee::Builtin(Builtin::VaStart) => {
                let ins = &self.parts[place.function].ins;
                let varargs = super::lookup(ins, Key::Varargs).unwrap_or(NO_VERTEX);
                return self.edge(varargs, vertex, Packed::VALUE);
            }
            _ => {}
        }
        if let Some(&site) = place.sites.get(&inst)
            && let Some(out) = super::lookup(&self.calls[site].outs, Key::Halt)
        {
            self.edge(out, halt, Packed::WITHIN);
        }
        let targets = self.analyses.points_to.calls(place.function, inst);
        for &callee in targets.iter().flat_map(|targets| &targets.externals) {
            match library::end(&self.analyses.module.functions[callee].name) {
                Some(End::Exits) => self.edge(vertex, halt, Packed::WITHIN),
                Some(End::Jumps) => {
                    self.edge(vertex, halt, Packed::WITHIN);
                    self.edge(vertex, self.jump, Packed::VALUE);
                }
                Some(End::Sets) => self.edge(self.jump, vertex, Packed::VALUE),
                None => {}
            }
        }
    }

    fn variables(&self, place: &Place<'_>) -> Variables {
        let memory = self.analyses.memory;
        let ordered = |region: &RegionId| memory.regions[*region].tracking == Tracking::Ordered;
        let regions = memory.touched(place.function).into_iter().filter(ordered).collect();
        let ins = &self.parts[place.function].ins;
        Variables::new(place.body.slots.len(), regions, ins)
    }

    /// Definitions and uses of slots and ordered regions, in the order of execution, by node.
    fn events(&mut self, place: &Place<'_>) -> Vec<Vec<Event>> {
        let variables = self.variables(place);
        let mut events = vec![Vec::new(); place.cfg.len()];
        for &node in &place.order {
            for &inst in place.cfg.insts(place.body, node) {
                self.inst_events(place, &variables, inst, &mut events[node.index()]);
            }
        }
        let outs = &self.parts[place.function].outs;
        for &(key, vertex) in outs {
            if let Key::Region(region) = key
                && let Some(variable) = variables.of_region(region)
            {
                events[place.cfg.exit().index()].push(Event::Use { variable, vertex });
            }
        }
        events
    }

    fn inst_events(
        &mut self,
        place: &Place<'_>,
        variables: &Variables,
        inst: InstId,
        events: &mut Vec<Event>,
    ) {
        let vertex = place.insts[inst];
        match place.body.insts[inst].op {
            Op::ReadSlot { slot } => {
                return events.push(Event::Use { variable: slot.as_u32(), vertex });
            }
            Op::WriteSlot { slot, .. } => {
                let variable = slot.as_u32();
                return events.push(Event::Define { variable, vertex, replaces: true });
            }
            _ => {}
        }
        let memory = self.analyses.memory;
        let access = memory.access(place.function, inst).copied();
        if let Some(access) = access {
            // A read for a copy to the callee is not part of the call itself.
            let copies = place.copies.get(&inst).copied().unwrap_or(vertex);
            let readers =
                if self.is_outside(place, inst) { vec![vertex, copies] } else { vec![copies] };
            let from = self.set_vertex(access.reads, false);
            readers.iter().for_each(|&reader| self.edge(from, reader, Packed::VALUE));
            for (set, writer) in [(access.writes, vertex), (access.prepares, copies)] {
                let to = self.set_vertex(set, true);
                self.edge(writer, to, Packed::VALUE);
            }
            for &region in memory.sets[access.reads].iter() {
                if let Some(variable) = variables.of_region(region) {
                    let uses = readers.iter().map(|&vertex| Event::Use { variable, vertex });
                    events.extend(uses);
                }
            }
            for &region in memory.sets[access.prepares].iter() {
                if let Some(variable) = variables.of_region(region) {
                    events.push(Event::Define { variable, vertex: copies, replaces: false });
                }
            }
        }
        if let Some(&site) = place.sites.get(&inst) {
            self.site_events(variables, site, events);
        }
        if let Some(access) = access {
            let replaces = access.replaces && memory.sets[access.writes].len() == 1;
            for &region in memory.sets[access.writes].iter() {
                let replaces = replaces && memory.regions[region].cells.len() == 1;
                if let Some(variable) = variables.of_region(region) {
                    events.push(Event::Define { variable, vertex, replaces });
                }
            }
        }
    }

    /// Whether an instruction does something besides calling functions with code.
    fn is_outside(&self, place: &Place<'_>, inst: InstId) -> bool {
        let targets = self.analyses.points_to.calls(place.function, inst);
        targets.is_none_or(|targets| {
            !targets.externals.is_empty()
                || !targets.callbacks.is_empty()
                || targets.functions.is_empty()
        })
    }

    fn site_events(&self, variables: &Variables, site: CallId, events: &mut Vec<Event>) {
        for &(key, vertex) in &self.calls[site].ins {
            if let Key::Region(region) = key
                && let Some(variable) = variables.of_region(region)
            {
                events.push(Event::Use { variable, vertex });
            }
        }
        for &(key, vertex) in &self.calls[site].outs {
            if let Key::Region(region) = key
                && let Some(variable) = variables.of_region(region)
            {
                events.push(Event::Define { variable, vertex, replaces: true });
            }
        }
    }

    fn finish(self) -> Sdg {
        let Builder { vertices, mut calls, parts, mut edges, outcomes, .. } = self;
        for site in calls.values_mut() {
            let parts = site.callees.iter().map(|&callee| &parts[callee]);
            site.links = parts.map(|part| Link::new(site, part)).collect();
        }
        edges.sort_unstable();
        edges.dedup();
        let forward = adjacency(vertices.len(), edges.iter().copied());
        let backward = adjacency(vertices.len(), edges.iter().map(|&(a, b, label)| (b, a, label)));
        drop(edges);
        let mut by_statement: SecondaryMap<StatementId, Vec<VertexId>> = SecondaryMap::new();
        for (id, vertex) in vertices.iter() {
            if let Some(statement) = vertex.statement() {
                by_statement[statement].push(id);
            }
        }
        Sdg { vertices, calls, parts, forward, backward, outcomes, by_statement }
    }
}

impl Place<'_> {
    /// The source of an operand; none if it is a constant.
    fn source(&self, operand: Operand) -> VertexId {
        match operand {
            Operand::Value(value) => self.value(value),
            Operand::Const(_) => NO_VERTEX,
        }
    }

    fn value(&self, value: ValueId) -> VertexId {
        self.values[value]
    }
}

/// Whether an instruction does something that a reader sees. A jump at the end of a block may be
/// just the closing brace; a jump that is all that a decision leads to is a `break` or the like.
fn computes(place: &Place<'_>, node: NodeId, inst: InstId) -> bool {
    match place.body.insts[inst].op {
        Op::Jump { .. } => {
            place.cfg.insts(place.body, node).len() == 1 && place.cfg.predecessors(node).len() == 1
        }
        _ => true,
    }
}

fn sorted(keys: FxHashSet<Key>) -> Vec<Key> {
    let mut keys: Vec<Key> = keys.into_iter().collect();
    keys.sort_unstable();
    keys
}

fn is_unordered(memory: &Memory, region: RegionId) -> bool {
    memory.regions[region].tracking == Tracking::Unordered
}

fn adjacency(
    len: usize,
    edges: impl Iterator<Item = (VertexId, VertexId, Packed)> + Clone,
) -> Adjacency {
    let mut starts = vec![0u32; len + 1];
    for (from, ..) in edges.clone() {
        starts[from.index() + 1] += 1;
    }
    for at in 0..len {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut list = vec![(NO_VERTEX, Packed::VALUE); starts[len] as usize];
    for (from, to, label) in edges {
        let at = &mut next[from.index()];
        list[*at as usize] = (to, label);
        *at += 1;
    }
    Adjacency { starts, edges: list }
}

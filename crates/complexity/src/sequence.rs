//! The change sequence graph: in which orders changed basic blocks can be executed.
//!
//! Böhme (2014), definition 14 and algorithm 7: vertices are the program's entry and exit and all
//! changed blocks; an edge leads from one to another if control may pass from the first to the
//! second without a third in between. The published algorithm follows calls but no returns, and
//! passes a call even if every path through the callee executes a change. Here the definition
//! decides, and paths match calls and returns. As in the algorithm, there is no edge from entry to
//! exit for paths without any change.
//!
//! Does not know where blocks come from. Callers that are not among the procedures do nothing but
//! call.

use base::components;

/// A procedure with its basic blocks; the first block is entered first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Procedure {
    pub blocks: Vec<Block>,
    /// It may be called from outside, or the program begins there.
    pub is_root: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub is_changed: bool,
    /// In the order of execution.
    pub calls: Vec<Call>,
    pub successors: Vec<usize>,
    /// Control may return to the caller after this block.
    pub returns: bool,
    /// The program may end after this block.
    pub exits: bool,
    /// Control may leave for any block that resumes: `longjmp`.
    pub jumps: bool,
    /// Control may come here from a block that jumps: after a `setjmp`.
    pub resumes: bool,
}

/// A call of one of several procedures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    pub targets: Vec<usize>,
    /// The block may be executed without it.
    pub is_skippable: bool,
}

/// A vertex of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vertex {
    Entry,
    Changed { procedure: usize, block: usize },
    Exit,
}

/// The graph, with entry and exit unless nothing is changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSequenceGraph {
    pub vertices: Vec<Vertex>,
    /// Number of pairs of vertices with an edge.
    pub edge_count: u64,
    /// Connected components, whatever the direction of edges; entry and exit are in one.
    pub components: u64,
    /// The edges by index of the vertices, in order; none if there are more than a million, as in
    /// large changes to code that is recursive throughout.
    pub edges: Vec<(u32, u32)>,
}

/// The largest number of edges that are kept.
const MAX_EDGES: u64 = 1 << 20;

impl ChangeSequenceGraph {
    pub fn new(procedures: &[Procedure]) -> ChangeSequenceGraph {
        let mut vertices = vec![Vertex::Entry];
        for (procedure, of) in procedures.iter().enumerate() {
            let changed = of.blocks.iter().enumerate().filter(|(_, block)| block.is_changed);
            vertices.extend(changed.map(|(block, _)| Vertex::Changed { procedure, block }));
        }
        if vertices.len() == 1 {
            return ChangeSequenceGraph::default();
        }
        vertices.push(Vertex::Exit);
        let ways = Ways::new(procedures, &vertices);
        let found = ways.edges(vertices.len());
        let Edges { count: edge_count, mut kept, components, .. } = found;
        kept.sort_unstable();
        ChangeSequenceGraph { vertices, edge_count, components, edges: kept }
    }

    /// CyCC = E − N + 2P (definition 15); 0 if nothing is changed.
    pub fn cyclomatic_complexity(&self) -> u64 {
        (self.edge_count + 2 * self.components).saturating_sub(self.vertices.len() as u64)
    }
}

/// The edges found so far.
struct Edges {
    count: u64,
    kept: Vec<(u32, u32)>,
    components: u64,
    /// A forest over the vertices whose trees are the components.
    parent: Vec<u32>,
}

impl Edges {
    fn new(vertices: usize) -> Edges {
        // In McCabe's measure the exit leads back to the entry, so both are connected even if no
        // change leads to or comes from one of them.
        let mut parent: Vec<u32> = (0..vertices as u32).collect();
        if let Some(exit) = parent.last_mut() {
            *exit = 0;
        }
        Edges { count: 0, kept: Vec::new(), components: vertices as u64 - 1, parent }
    }

    fn add(&mut self, from: u32, to: u32) {
        self.count += 1;
        if self.count <= MAX_EDGES {
            self.kept.push((from, to))
        } else {
            self.kept = Vec::new()
        }
        let (from, to) = (root(&mut self.parent, from), root(&mut self.parent, to));
        if from != to {
            self.parent[from as usize] = to;
            self.components -= 1;
        }
    }
}

fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        let above = parent[parent[at as usize] as usize];
        parent[at as usize] = above;
        at = above;
    }
    at
}

/// No vertex.
const NONE: u32 = u32::MAX;
/// The number of targets searched at once, in words of 64.
const WORDS: usize = 8;

/// Paths between changes, as a graph of points: the entry of a block, each of its calls, its end;
/// the end of a procedure. Each point exists twice. In the *outer* copy the callers are unknown: a
/// path that reaches the end of a procedure continues after any of its calls. In the *inner* copy
/// the path entered the procedure by a call, and continues after that call.
struct Ways {
    successors: Vec<Vec<u32>>,
    /// The vertex at a point, where the path ends.
    vertex_at: Vec<u32>,
    /// For each vertex, the points where its paths begin.
    starts: Vec<Vec<u32>>,
}

struct Points {
    /// First point of each block of each procedure, in the outer copy; the last is the end.
    of_block: Vec<Vec<u32>>,
    count: u32,
}

impl Points {
    fn new(procedures: &[Procedure]) -> Points {
        let mut count = 1;
        let mut of_block = Vec::with_capacity(procedures.len());
        for procedure in procedures {
            let mut points = Vec::with_capacity(procedure.blocks.len() + 1);
            for block in &procedure.blocks {
                points.push(count);
                count += 2 + block.calls.len() as u32;
            }
            points.push(count);
            count += 1;
            of_block.push(points);
        }
        Points { of_block, count }
    }

    fn entry(&self, procedure: usize, block: usize) -> u32 {
        self.of_block[procedure][block]
    }

    fn end(&self, procedure: usize) -> u32 {
        self.of_block[procedure].last().copied().unwrap_or(0)
    }
}

impl Ways {
    fn new(procedures: &[Procedure], vertices: &[Vertex]) -> Ways {
        let points = Points::new(procedures);
        let passable = transparent(procedures);
        let inner = points.count;
        let exit = vertices.len() as u32 - 1;
        let mut ways = Ways {
            successors: vec![Vec::new(); 2 * points.count as usize],
            vertex_at: vec![NONE; 2 * points.count as usize],
            starts: vec![Vec::new(); vertices.len()],
        };
        // Point 0 is the end of the program, in both copies.
        ways.vertex_at[0] = exit;
        ways.vertex_at[inner as usize] = exit;
        for (vertex, at) in vertices.iter().enumerate() {
            if let Vertex::Changed { procedure, block } = *at {
                let entry = points.entry(procedure, block);
                ways.vertex_at[entry as usize] = vertex as u32;
                ways.vertex_at[(entry + inner) as usize] = vertex as u32;
                ways.starts[vertex].push(entry + 1);
            }
        }
        let resumed = resumed(procedures, &points);
        for (index, procedure) in procedures.iter().enumerate() {
            if procedure.is_root && !procedure.blocks.is_empty() {
                ways.starts[0].push(points.entry(index, 0) + inner);
                ways.add(points.end(index), 0);
            }
            for (block, of) in procedure.blocks.iter().enumerate() {
                ways.add_block(&points, index, block, of, &passable);
                if of.jumps {
                    ways.add_jumps(points.entry(index, block), of, inner, &resumed);
                }
            }
        }
        ways
    }

    /// The caller of the procedure that a jump leads to is unknown.
    fn add_jumps(&mut self, entry: u32, of: &Block, inner: u32, resumed: &[u32]) {
        let end = entry + 1 + of.calls.len() as u32;
        for from in [end, end + inner] {
            resumed.iter().for_each(|&to| self.add(from, to));
        }
    }

    fn add(&mut self, from: u32, to: u32) {
        self.successors[from as usize].push(to);
    }

    fn add_block(
        &mut self,
        points: &Points,
        procedure: usize,
        block: usize,
        of: &Block,
        passable: &[bool],
    ) {
        let inner = points.count;
        let entry = points.entry(procedure, block);
        for copy in [0, inner] {
            self.add(entry + copy, entry + 1 + copy);
        }
        let mut point = entry + 1;
        for call in &of.calls {
            let passes = call.is_skippable
                || call.targets.is_empty()
                || call.targets.iter().any(|&target| passable[target]);
            for copy in [0, inner] {
                if passes {
                    self.add(point + copy, point + 1 + copy);
                }
                for &target in &call.targets {
                    self.add(point + copy, points.entry(target, 0) + inner);
                }
            }
            for &target in &call.targets {
                self.add(points.end(target), point + 1);
            }
            point += 1;
        }
        for copy in [0, inner] {
            for &successor in &of.successors {
                self.add(point + copy, points.entry(procedure, successor) + copy);
            }
            if of.returns && copy == 0 {
                self.add(point, points.end(procedure));
            }
            if of.exits {
                self.add(point + copy, 0);
            }
        }
    }

    /// All pairs of vertices with a path between them that meets no third.
    fn edges(&self, vertices: usize) -> Edges {
        let order = self.components();
        let mut edges = Edges::new(vertices);
        let mut first = 0;
        while first < vertices {
            self.edges_to(first as u32, &order, &mut edges);
            first += WORDS * 64;
        }
        edges
    }

    /// Edges to the vertices from `first` on, as many as are searched at once.
    fn edges_to(&self, first: u32, order: &Components, edges: &mut Edges) {
        let mut reached = vec![[0u64; WORDS]; order.members.len()];
        for (component, members) in order.members.iter().enumerate() {
            let mut bits = [0u64; WORDS];
            for &point in members {
                if self.vertex_at[point as usize] != NONE {
                    // A path ends here; what follows belongs to paths from the vertex.
                    set(&mut bits, self.vertex_at[point as usize], first);
                    continue;
                }
                for &next in &self.successors[point as usize] {
                    let other = order.of_point[next as usize] as usize;
                    if other != component {
                        let theirs = reached[other];
                        bits.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours |= theirs);
                    }
                }
            }
            reached[component] = bits;
        }
        for (from, starts) in self.starts.iter().enumerate() {
            let mut bits = [0u64; WORDS];
            for &start in starts {
                let theirs = reached[order.of_point[start as usize] as usize];
                bits.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours |= theirs);
            }
            for (word, bits) in bits.iter().enumerate() {
                let mut rest = *bits;
                while rest != 0 {
                    let to = first + word as u32 * 64 + rest.trailing_zeros();
                    // A path without a change is no sequence of changes.
                    if !(from == 0 && to as usize == self.starts.len() - 1) {
                        edges.add(from as u32, to);
                    }
                    rest &= rest - 1;
                }
            }
        }
    }

    /// Strongly connected components, each after those it leads to. Points of changed blocks end
    /// paths and are components of their own.
    fn components(&self) -> Components {
        let count = self.successors.len();
        let members = components(count, 0..count as u32, |point, visit| {
            if self.vertex_at[point as usize] == NONE {
                self.successors[point as usize].iter().for_each(|&next| visit(next));
            }
        });
        let mut of_point = vec![NONE; count];
        for (component, members) in members.iter().enumerate() {
            members.iter().for_each(|&point| of_point[point as usize] = component as u32);
        }
        Components { of_point, members }
    }
}

fn set(bits: &mut [u64; WORDS], vertex: u32, first: u32) {
    if let Some(at) = vertex.checked_sub(first)
        && let Some(word) = bits.get_mut(at as usize / 64)
    {
        *word |= 1 << (at % 64);
    }
}

struct Components {
    of_point: Vec<u32>,
    members: Vec<Vec<u32>>,
}

/// The points where control continues after a jump.
fn resumed(procedures: &[Procedure], points: &Points) -> Vec<u32> {
    let mut resumed = Vec::new();
    for (index, procedure) in procedures.iter().enumerate() {
        let blocks = procedure.blocks.iter().enumerate().filter(|(_, block)| block.resumes);
        resumed.extend(blocks.map(|(block, _)| points.entry(index, block)));
    }
    resumed
}

/// The procedures with a path that executes no change.
fn transparent(procedures: &[Procedure]) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); procedures.len()];
    for (caller, procedure) in procedures.iter().enumerate() {
        for target in procedure.blocks.iter().flat_map(|b| &b.calls).flat_map(|c| &c.targets) {
            if callers[*target].last() != Some(&caller) {
                callers[*target].push(caller);
            }
        }
    }
    let mut passable = vec![false; procedures.len()];
    let mut waiting: Vec<usize> = (0..procedures.len()).rev().collect();
    while let Some(index) = waiting.pop() {
        if !passable[index] && passes(&procedures[index], &passable) {
            passable[index] = true;
            waiting.extend(callers[index].iter().filter(|&&caller| !passable[caller]));
        }
    }
    passable
}

fn passes(procedure: &Procedure, passable: &[bool]) -> bool {
    let mut seen = vec![false; procedure.blocks.len()];
    let mut waiting = vec![0];
    while let Some(index) = waiting.pop() {
        let Some(block) = procedure.blocks.get(index) else { continue };
        if std::mem::replace(&mut seen[index], true) || block.is_changed {
            continue;
        }
        let blocked = block.calls.iter().any(|call| {
            !call.is_skippable
                && !call.targets.is_empty()
                && !call.targets.iter().any(|&target| passable[target])
        });
        if blocked {
            continue;
        }
        if block.returns {
            return true;
        }
        waiting.extend(&block.successors);
    }
    false
}

#[cfg(test)]
mod tests;

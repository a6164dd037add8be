//! Slices over realizable paths: what may be affected by, or may affect, some vertices.
//!
//! Horwitz, Reps, Binkley (1990), both phases in one walk. First the walk stays in its function or
//! ascends to callers, and passes calls by their summaries; then it descends from everything seen
//! into calls, but not up again. Through unordered memory, a walk may continue anywhere.

use base::sets::BitSet;
use ir::StatementId;

use crate::sdg::{Sdg, VertexId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Backward,
}

/// The vertices of a slice.
#[derive(Clone, Debug)]
pub struct Slice {
    vertices: BitSet<VertexId>,
}

impl Slice {
    /// Everything that depends on some vertices, or that they depend on, including these.
    pub fn new(sdg: &Sdg, start: &[VertexId], direction: Direction) -> Slice {
        let mut walk = Walk {
            sdg,
            direction,
            // Whether a vertex was reached so that callers may be next, or not.
            up: BitSet::new(sdg.vertices.len()),
            down: BitSet::new(sdg.vertices.len()),
            stack: Vec::new(),
        };
        start.iter().for_each(|&vertex| walk.reach(vertex, true));
        while let Some((vertex, up)) = walk.stack.pop() {
            walk.go_on(vertex, up);
        }
        let mut vertices = walk.up;
        vertices.union(&walk.down);
        Slice { vertices }
    }

    /// The slice of whole statements.
    pub fn of_statements(
        sdg: &Sdg,
        statements: impl IntoIterator<Item = StatementId>,
        direction: Direction,
    ) -> Slice {
        let start: Vec<VertexId> = statements
            .into_iter()
            .flat_map(|statement| sdg.of_statement(statement).iter().copied())
            .collect();
        Slice::new(sdg, &start, direction)
    }

    /// Everything on a path from some vertices to others: in the forward slice of the former and in
    /// the backward slice of the latter.
    pub fn chop(sdg: &Sdg, from: &[VertexId], to: &[VertexId]) -> Slice {
        let forward = Slice::new(sdg, from, Direction::Forward);
        let backward = Slice::new(sdg, to, Direction::Backward);
        let mut vertices = BitSet::new(sdg.vertices.len());
        for vertex in forward.vertices.iter().filter(|&at| backward.vertices.contains(at)) {
            vertices.insert(vertex);
        }
        Slice { vertices }
    }

    pub fn contains(&self, vertex: VertexId) -> bool {
        self.vertices.contains(vertex)
    }

    pub fn contains_statement(&self, sdg: &Sdg, statement: StatementId) -> bool {
        sdg.of_statement(statement).iter().any(|&vertex| self.contains(vertex))
    }

    /// Ascending.
    pub fn vertices(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.vertices.iter()
    }

    /// The statements of the slice, ascending.
    pub fn statements(&self, sdg: &Sdg) -> Vec<StatementId> {
        let found = self.vertices().filter_map(|vertex| sdg.vertices[vertex].statement());
        let mut statements: Vec<StatementId> = found.collect();
        statements.sort_unstable();
        statements.dedup();
        statements
    }
}

struct Walk<'s> {
    sdg: &'s Sdg,
    direction: Direction,
    up: BitSet<VertexId>,
    down: BitSet<VertexId>,
    stack: Vec<(VertexId, bool)>,
}

impl Walk<'_> {
    fn reach(&mut self, vertex: VertexId, up: bool) {
        // A walk that may also ascend sees everything that the other sees.
        if self.up.contains(vertex) {
            return;
        }
        let new = if up { self.up.insert(vertex) } else { self.down.insert(vertex) };
        if new {
            self.stack.push((vertex, up));
        }
    }

    fn go_on(&mut self, vertex: VertexId, up: bool) {
        let sdg = self.sdg;
        let own = sdg.vertices[vertex].function();
        let forward = self.direction == Direction::Forward;
        let mut step = |to: VertexId| {
            // After unordered memory, and jumps, the walk may continue in any context.
            let anywhere = own.is_none() || sdg.vertices[to].function().is_none();
            self.reach(to, up || anywhere);
        };
        if forward {
            sdg.dependents(vertex).for_each(|(to, _)| step(to))
        } else {
            sdg.dependences(vertex).for_each(|(from, _)| step(from))
        }
        if forward {
            sdg.summary_forward(vertex, |to| self.reach(to, up))
        } else {
            sdg.summary_backward(vertex, |to| self.reach(to, up))
        }
        let (callees, callers) = crossings(sdg, vertex, forward);
        callees.into_iter().for_each(|to| self.reach(to, false));
        if up {
            callers.into_iter().for_each(|to| self.reach(to, true));
        }
    }
}

/// The vertices that a vertex leads to in its callees, and in the callers of its function.
pub(crate) fn crossings(
    sdg: &Sdg,
    vertex: VertexId,
    forward: bool,
) -> (Vec<VertexId>, Vec<VertexId>) {
    use crate::sdg::Kind;
    match (sdg.vertices[vertex].kind, forward) {
        (Kind::ActualIn(_) | Kind::Inst(_), true) | (Kind::ActualOut(_), false) => {
            (sdg.formals(vertex), Vec::new())
        }
        (Kind::FormalOut, true) | (Kind::FormalIn | Kind::Entry, false) => {
            (Vec::new(), sdg.actuals(vertex))
        }
        _ => (Vec::new(), Vec::new()),
    }
}

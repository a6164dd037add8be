//! The change sequence graph of NEW, drawn: in which orders the changes can be executed.

use changes::points::{ChangePoint, ChangePoints};
use changes::sequence::Vertex;
use changes::sequence::builds::BuildSequences;
use changes::versions::Version;
use graphs::Drawing;
use graphs::drawing::Style;
use ir::FuncId;

use super::{VersionError, Versions};

impl Versions {
    /// The graph, with the places of its vertices in NEW. A run begins with `main`; without one,
    /// with any function that is visible outside.
    pub fn sequence_graph(&self) -> Result<Drawing, VersionError> {
        let (old, new) = (&self.old.module, &self.new.module);
        let points = ChangePoints::new(&self.alignment, old, new, Version::New);
        let main = new.functions.iter().find(|(_, function)| function.name == "main");
        let main = main.filter(|(_, function)| function.body().is_some());
        let sequences = BuildSequences::new(new, &points, main.map(|(id, _)| id));
        let graph = &sequences.graph;
        if graph.edges.is_empty() && graph.edge_count > 0 {
            return Err(VersionError::TooManySequences { edges: graph.edge_count });
        }
        let complexity = graph.cyclomatic_complexity();
        let mut drawing = Drawing::new(format!("change sequence graph, CyCC {complexity}"));
        for (index, &vertex) in graph.vertices.iter().enumerate() {
            match (vertex, sequences.place(vertex)) {
                (Vertex::Entry, _) => drawing.add_box("entry", ""),
                (Vertex::Exit, _) => drawing.add_box("exit", ""),
                (_, place) => {
                    let label = place.map(|(function, points)| self.label(function, points));
                    drawing.add_box(format!("c{index}"), label.unwrap_or_default())
                }
            };
        }
        for &(from, to) in &graph.edges {
            drawing.add_line(from as usize, to as usize, "", Style::Solid);
        }
        Ok(drawing)
    }

    /// A function and the lines of changes in it.
    fn label(&self, function: FuncId, points: &[ChangePoint]) -> String {
        let mut lines: Vec<String> = Vec::new();
        for &point in points {
            let line = match point {
                ChangePoint::Statement(statement) => {
                    self.new.place(statement).map(|place| format!("line {}", place.line))
                }
                ChangePoint::Behind(statement) => {
                    self.new.place(statement).map(|place| format!("behind line {}", place.line))
                }
                ChangePoint::Way { .. } => Some("on a branch".to_owned()),
                ChangePoint::Entry(_) => Some("at the beginning".to_owned()),
            };
            lines.extend(line.filter(|line| !lines.contains(line)));
        }
        format!("{}: {}", self.new.name(function), lines.join(", "))
    }
}

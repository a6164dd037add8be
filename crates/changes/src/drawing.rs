//! Draws the change sequence graph with interaction locations.

use graphs::Drawing;
use graphs::drawing::Style;
use ir::{Module, Span, StatementId};

use crate::interactions::{InteractionGraph, InteractionVertex};

/// A drawing of a graph of changes between two modules. Boxes have function and line as labels,
/// with `old` before lines of OLD; edges of influence are dashed.
pub fn draw(graph: &InteractionGraph, old: &Module, new: &Module, title: &str) -> Drawing {
    let mut drawing = Drawing::new(title);
    for vertex in &graph.vertices {
        let (name, label) = match vertex {
            InteractionVertex::Entry => ("entry".to_owned(), ""),
            InteractionVertex::Exit => ("exit".to_owned(), ""),
            InteractionVertex::Changed(statements) => (place(new, statements), "changed"),
            InteractionVertex::Missing(statements) => {
                (format!("old {}", place(old, statements)), "deleted")
            }
            InteractionVertex::Signature(function) => {
                (new.functions[*function].display_name().to_owned(), "signature")
            }
            InteractionVertex::Location(statements) => (place(new, statements), "changes may meet"),
            InteractionVertex::Output(statements) => (place(new, statements), "output"),
        };
        drawing.add_box(name, label);
    }
    for &(from, to) in &graph.order {
        drawing.add_line(from, to, "", Style::Solid);
    }
    for &(from, to) in &graph.influence {
        drawing.add_line(from, to, "affects", Style::Dashed);
    }
    drawing
}

/// The place of a line's statements. Macros and includes may put lines of several files into a
/// function; then the file is shown as well.
fn place(module: &Module, statements: &[StatementId]) -> String {
    let Some(&first) = statements.first() else { return String::new() };
    let statement = &module.statements[first];
    let function = &module.functions[statement.function];
    let file = |span: Span| span.scope.map(|scope| module.scopes[scope].file);
    let line = statement.span.line;
    let name = function.display_name();
    match file(statement.span) {
        Some(other) if file(function.span) != Some(other) => {
            format!("{name}:{}:{line}", module.files[other].name)
        }
        _ => format!("{name}:{line}"),
    }
}

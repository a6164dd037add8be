//! Complexity as JSON: an array with an object per change, or one object for an error.

use complexity::measure::{FunctionChange, VertexLabel};
use complexity::text::compare::Lines;
use serde_json::{Value, json};

use super::{ErrorReport, Measured, text};
use crate::pieces::written;

/// The values of the member `schema` for a change and for an error.
pub const SCHEMA: &str = "ripple.complexity/1";
pub const ERROR_SCHEMA: &str = "ripple.error-complexity/1";

pub fn json(measured: &[Measured]) -> String {
    let values: Vec<Value> = measured.iter().map(change).collect();
    written(&values)
}

pub fn error_json(report: &ErrorReport) -> String {
    written(&json!({
        "schema": ERROR_SCHEMA,
        "cycc": report.fix.complexity.cycc,
        "cloc": report.fix.complexity.cloc(),
        "life_span_days": report.life_span,
        "fix": change(&report.fix),
        "introduced": report.introduced.as_ref().map(change),
    }))
}

fn change(measured: &Measured) -> Value {
    let found = &measured.complexity;
    let commit = measured.commit.as_ref();
    let declarations = found.declarations.iter().map(|(file, declaration)| {
        json!({
            "file": file,
            "kind": format!("{:?}", declaration.kind).to_lowercase(),
            "name": declaration.name,
            "line": declaration.line,
            "cloc": declaration.lines.total(),
        })
    });
    let unparsed = found.unparsed.iter().map(|unparsed| {
        json!({
            "file": unparsed.file,
            "function": unparsed.function,
            "line": unparsed.line,
            "reason": unparsed.reason,
        })
    });
    let skipped = measured
        .skipped
        .iter()
        .map(|skipped| json!({"path": skipped.path, "reason": skipped.reason.describe()}));
    json!({
        "schema": SCHEMA,
        "commit": commit.map(|commit| &commit.id),
        "subject": commit.map(|commit| &commit.subject),
        "author": commit.map(|commit| &commit.author),
        "time": commit.map(|commit| commit.time),
        "merge": commit.is_some_and(|commit| commit.parents > 1),
        "cycc": found.cycc,
        "cloc": found.cloc(),
        "lines": lines(&found.lines),
        "functions": found.functions.iter().map(function).collect::<Vec<_>>(),
        "declarations": declarations.collect::<Vec<_>>(),
        "unparsed": unparsed.collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
        "graph": {
            "nodes": found.graph.vertices.len(),
            "edges": found.graph.edge_count,
            "components": found.graph.components,
            "blocks": blocks(&found.labels),
        },
    })
}

fn function(function: &FunctionChange) -> Value {
    json!({
        "file": function.file,
        "name": function.name,
        "change": text::kind(function.kind),
        "first_line": function.first_line,
        "last_line": function.last_line,
        "cycc": function.cycc,
        "cloc": function.lines.total(),
        "blocks": function.blocks,
        "lines": lines(&function.lines),
        "statements": lines(&function.statements),
    })
}

fn lines(lines: &Lines) -> Value {
    json!({"added": lines.added, "deleted": lines.deleted, "modified": lines.modified})
}

/// How many changed blocks are in functions, and how many are something else.
fn blocks(labels: &[VertexLabel]) -> Value {
    let count = |fits: fn(&VertexLabel) -> bool| labels.iter().filter(|label| fits(label)).count();
    json!({
        "in_functions": count(|label| matches!(label, VertexLabel::Block { .. })),
        "deleted_functions": count(|label| matches!(label, VertexLabel::DeletedFunction { .. })),
        "declarations": count(|label| matches!(label, VertexLabel::Declarations { .. })),
    })
}

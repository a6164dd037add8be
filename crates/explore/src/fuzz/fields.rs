//! The parts of an input that are changed as a whole: numbers, texts, counts.

use inputs::{Cell, CellId, End, Layout, Role, Source};

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number, choice, count or anything else in one cell.
    Scalar(usize),
    /// Consecutive cells, a byte each.
    Text { first: usize, count: usize, end: End },
}

/// All parts of inputs of a layout, in their order.
pub fn fields(layout: &Layout) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut known = vec![false; layout.cells.len()];
    if let Some(count) = layout.arg_count {
        add_scalar(count, &mut fields, &mut known);
    }
    let files = layout.files.iter().map(|(_, source)| source);
    for source in layout.args.iter().chain(&layout.stdin).chain(files) {
        add_source(source, &mut fields, &mut known);
    }
    add_rest(layout, &mut fields, &known);
    fields
}

fn add_scalar(cell: CellId, fields: &mut Vec<Field>, known: &mut [bool]) {
    known[cell.position()] = true;
    fields.push(Field::Scalar(cell.position()));
}

fn add_source(source: &Source, fields: &mut Vec<Field>, known: &mut [bool]) {
    match source {
        Source::Literal(_) => {}
        Source::Decimal { cell, .. } | Source::Choice { cell, .. } => {
            add_scalar(*cell, fields, known);
        }
        Source::Bytes { cells, end } => {
            if let End::Length(length) = end {
                known[length.position()] = true;
            }
            known[cells.positions()].fill(true);
            let (first, count) = (cells.first.position(), cells.count as usize);
            fields.push(Field::Text { first, count, end: *end });
        }
        Source::Lines { count, lines } => {
            if let Some(count) = count {
                add_scalar(*count, fields, known);
            }
            for line in lines {
                add_source(line, fields, known);
            }
        }
    }
}

/// Parameters of a function: bytes in a row are a text, everything else stands alone.
fn add_rest(layout: &Layout, fields: &mut Vec<Field>, known: &[bool]) {
    let cells: Vec<&Cell> = layout.cells.values().collect();
    let mut position = 0;
    while position < cells.len() {
        let bytes = (position..cells.len())
            .take_while(|&next| !known[next] && cells[next].role == Role::Byte)
            .count();
        if bytes > 1 {
            fields.push(Field::Text { first: position, count: bytes, end: End::Last });
        } else if !known[position] && cells[position].domain.count() > 1 {
            fields.push(Field::Scalar(position));
        }
        position += bytes.max(1);
    }
}

//! The fields of an input: numbers, texts, counts. Mutations change them as a whole.

use inputs::{Cell, CellId, End, Layout, Role, Source};

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number, choice, count or anything else in one cell.
    Scalar(usize),
    /// Consecutive cells, one per byte.
    Text { first: usize, count: usize, end: End },
    /// Parts of the same shape, one after the other: lines or arguments. A cell may have their
    /// number. Their own parts are fields as well.
    Rows { first: usize, stride: usize, rows: usize, count: Option<usize> },
}

/// All parts of inputs of a layout, in their order.
pub fn fields(layout: &Layout) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut known = vec![false; layout.cells.len()];
    if let Some(count) = layout.arg_count {
        add_scalar(count, &mut fields, &mut known);
    }
    add_rows(layout, &layout.args, layout.arg_count, &mut fields);
    let files = layout.files.iter().map(|(_, source)| source);
    for source in layout.args.iter().chain(&layout.stdin).chain(files) {
        add_source(layout, source, &mut fields, &mut known);
    }
    add_rest(layout, &mut fields, &known);
    fields
}

/// For each field that is part of a row: the cell with the number of rows, and the row's index.
/// The field is part of an input only if that number is greater than the index.
pub fn rows_of(layout: &Layout, fields: &[Field]) -> Vec<Option<(usize, u64)>> {
    let mut rows = vec![None; layout.cells.len()];
    let mut mark = |sources: &[Source], count: Option<CellId>| {
        let Some(count) = count else { return };
        for (row, source) in sources.iter().enumerate() {
            if let Some((first, cells)) = span(source) {
                rows[first..first + cells].fill(Some((count.position(), row as u64)));
            }
        }
    };
    mark(&layout.args, layout.arg_count);
    let files = layout.files.iter().map(|(_, source)| source);
    for source in layout.stdin.iter().chain(files) {
        if let Source::Lines { count, lines } = source {
            mark(lines, *count);
        }
    }
    let of = |field: &Field| match field {
        Field::Scalar(first) | Field::Text { first, .. } => rows[*first],
        Field::Rows { .. } => None,
    };
    fields.iter().map(of).collect()
}

fn add_scalar(cell: CellId, fields: &mut Vec<Field>, known: &mut [bool]) {
    known[cell.position()] = true;
    fields.push(Field::Scalar(cell.position()));
}

fn add_source(layout: &Layout, source: &Source, fields: &mut Vec<Field>, known: &mut [bool]) {
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
            add_rows(layout, lines, *count, fields);
            for line in lines {
                add_source(layout, line, fields, known);
            }
        }
    }
}

/// Adds rows if these sources have the same shape and contiguous cells.
fn add_rows(layout: &Layout, sources: &[Source], count: Option<CellId>, fields: &mut Vec<Field>) {
    let spans: Vec<Option<(usize, usize)>> = sources.iter().map(span).collect();
    let Some(&Some((first, stride))) = spans.first() else { return };
    let follows = |(row, span): (usize, &Option<(usize, usize)>)| {
        *span == Some((first + row * stride, stride))
            && (0..stride).all(|offset| {
                let cell = |at: usize| &layout.cells[CellId::at(at as u32)];
                let (here, there) = (cell(first + offset), cell(first + row * stride + offset));
                here.domain == there.domain
            })
    };
    if sources.len() > 1 && spans.iter().enumerate().all(follows) {
        let (rows, count) = (sources.len(), count.map(CellId::position));
        fields.push(Field::Rows { first, stride, rows, count });
    }
}

/// The first cell of a source and their number, if they are contiguous.
fn span(source: &Source) -> Option<(usize, usize)> {
    match source {
        Source::Decimal { cell, .. } | Source::Choice { cell, .. } => Some((cell.position(), 1)),
        Source::Bytes { cells, end } => {
            let (first, count) = (cells.first.position(), cells.count as usize);
            match end {
                End::Length(length) if length.position() + 1 == first => {
                    Some((first - 1, count + 1))
                }
                End::Length(length) if length.position() == first + count => {
                    Some((first, count + 1))
                }
                End::Length(_) => None,
                End::Last | End::Zero => Some((first, count)),
            }
        }
        Source::Literal(_) | Source::Lines { .. } => None,
    }
}

/// Parameters of a function: consecutive bytes are a text, everything else is a scalar.
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

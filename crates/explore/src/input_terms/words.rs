//! The meaning of a layout's cells, for readable conditions.

use inputs::{Cell, CellId, Cells, End, Layout, Object, Role, Source};
use smt::chain::IntervalSet;
use smt::people::{Entry, Glossary, Meaning, Text, TextEnd, word};
use smt::{TermId, Terms, VarId};

/// The glossary of a layout whose cells are these terms.
pub(super) fn glossary(terms: &Terms, layout: &Layout, cells: &[TermId]) -> Glossary {
    let mut words = Words { terms, cells, glossary: Glossary::new() };
    for (cell, &term) in layout.cells.values().zip(cells) {
        if let Some(variable) = terms.variable_of(term) {
            words.glossary.add(variable, entry(cell));
        }
    }
    for (index, source) in layout.args.iter().enumerate() {
        words.add_source(&format!("arg{}", index + 1), source, layout);
    }
    if let Some(source) = &layout.stdin {
        words.add_source("stdin", source, layout);
    }
    for (name, source) in &layout.files {
        words.add_source(name, source, layout);
    }
    for object in layout.objects.values() {
        words.add_string(object, layout);
    }
    words.glossary
}

fn entry(cell: &Cell) -> Entry {
    let is_signed = cell.domain.is_signed();
    let meaning = match cell.role {
        Role::Float if matches!(cell.bits, 32 | 64) => Meaning::Float,
        Role::Byte if cell.bits == 8 => Meaning::Character { is_signed },
        _ => Meaning::Number { is_signed },
    };
    Entry { name: name(cell), meaning, allowed: allowed(cell) }
}

/// The thing that a count counts.
fn name(cell: &Cell) -> Option<String> {
    if cell.role != Role::Count {
        return None;
    }
    if cell.name == "args.count" {
        return Some("number of arguments".to_owned());
    }
    let length = cell.name.strip_suffix(".length").map(|of| format!("length of {of}"));
    length.or_else(|| Some(format!("number of lines of {}", cell.name.strip_suffix(".lines")?)))
}

fn allowed(cell: &Cell) -> IntervalSet {
    let encode = |number: i128| cell.domain.encode(number);
    let intervals = cell.domain.ranges().iter().flat_map(|&(low, high)| {
        // The bits of negative numbers come after those of the others.
        if low < 0 && high >= 0 {
            vec![(encode(low), encode(-1)), (0, encode(high))]
        } else {
            vec![(encode(low), encode(high))]
        }
    });
    IntervalSet::of(cell.bits, intervals.collect())
}

struct Words<'a> {
    terms: &'a Terms,
    cells: &'a [TermId],
    glossary: Glossary,
}

impl Words<'_> {
    fn variable(&self, cell: CellId) -> Option<VarId> {
        self.terms.variable_of(*self.cells.get(cell.position())?)
    }

    fn add_source(&mut self, name: &str, source: &Source, layout: &Layout) {
        match source {
            Source::Choice { cell, texts } => {
                let names = texts.iter().map(|text| word(text)).collect();
                if let Some(variable) = self.variable(*cell) {
                    let allowed = allowed(&layout.cells[*cell]);
                    let meaning = Meaning::Choice(names);
                    self.glossary.replace(variable, Entry { name: None, meaning, allowed });
                }
            }
            Source::Bytes { cells, end } => {
                let end = match end {
                    End::Last => Some(TextEnd::Last),
                    End::Zero => Some(TextEnd::Zero),
                    End::Length(cell) => self.variable(*cell).map(TextEnd::Length),
                };
                if let (Some(characters), Some(end)) = (self.characters(*cells), end) {
                    self.glossary.add_text(Text { name: name.to_owned(), characters, end });
                }
            }
            Source::Lines { lines, .. } => {
                for (index, line) in lines.iter().enumerate() {
                    self.add_source(&format!("{name}.line{}", index + 1), line, layout);
                }
            }
            Source::Literal(_) | Source::Decimal { .. } => {}
        }
    }

    fn characters(&self, cells: Cells) -> Option<Vec<VarId>> {
        cells.iter().map(|cell| self.variable(cell)).collect()
    }

    /// Memory with characters and a terminating zero is a string.
    fn add_string(&mut self, object: &Object, layout: &Layout) {
        let count = object.pieces.len();
        let is_character = |(index, piece): (usize, &inputs::Piece)| {
            piece.bytes() == Some((index as u64, 1)) && layout.cells[piece.cell].role == Role::Byte
        };
        let is_string = object.pointers.is_empty()
            && object.fixed.len() == count + 1
            && object.fixed.last() == Some(&0)
            && object.pieces.iter().enumerate().all(is_character);
        let Some(name) = object.name.strip_prefix('*').filter(|_| is_string) else { return };
        let characters = object.pieces.iter().map(|piece| self.variable(piece.cell));
        if let Some(characters) = characters.collect() {
            let (name, end) = (name.to_owned(), TextEnd::Zero);
            self.glossary.add_text(Text { name, characters, end });
        }
    }
}

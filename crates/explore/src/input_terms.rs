//! The terms of an input space, and concolic runs with these terms attached to their input.

mod attach;
mod text;
mod words;

use std::sync::Arc;

use exec::concolic::Concolic;
use exec::{Machine, Stop};
use inputs::{Cell, CellId, Derived, Layout, Source};
use smt::people::Glossary;
use smt::{Model, Sort, TermId, Terms, VarId};
use trace::Harness;

use self::attach::Attached;
use self::text::{FileTerms, TextTerms, file_terms, text_terms};
use crate::cells::CellFrom;

/// Lengths and capacities are compared in this many bits, so that all of them fit into a signed
/// number.
const WIDE: u32 = 64;

/// The terms of an input space, for one table of terms.
#[derive(Clone, Debug)]
pub struct InputTerms {
    /// By cell.
    pub cells: Vec<TermId>,
    /// By cell, the value that it stands for; the same unless it depends on others.
    pub values: Vec<TermId>,
    /// What holds for every input of the space.
    pub domain: Vec<TermId>,
    /// What the variables of this space stand for.
    pub words: Arc<Glossary>,
    /// By variable, the cell that it is.
    positions: Vec<Option<u32>>,
    args: Vec<Option<TextTerms>>,
    stdin: Option<FileTerms>,
    files: Vec<Option<FileTerms>>,
}

impl InputTerms {
    pub fn new(terms: &mut Terms, layout: &Layout) -> InputTerms {
        let cells: Vec<TermId> =
            layout.cells.values().map(|cell| variable(terms, &cell.name, cell.bits)).collect();
        let domain = layout
            .cells
            .values()
            .zip(&cells)
            .map(|(cell, &term)| domain_condition(terms, cell, term))
            .filter(|&condition| condition != Terms::TRUE)
            .collect();
        let words = Arc::new(words::glossary(terms, layout, &cells));
        InputTerms::with_cells(terms, layout, cells, (domain, words))
    }

    /// The terms of a version whose cells come from the cells of this space.
    pub fn of_version(&self, terms: &mut Terms, layout: &Layout, from: &[CellFrom]) -> InputTerms {
        let cells = from.iter().zip(layout.cells.values()).map(|(from, cell)| match from {
            CellFrom::Fixed(value) => terms.constant(cell.bits, *value),
            CellFrom::Common { position, domain } => {
                let term = self.cells[*position];
                // The same number in the width of the version.
                match terms.width(term) {
                    width if width > cell.bits => terms.trunc(term, cell.bits),
                    width if width == cell.bits => term,
                    _ if domain.is_signed() => terms.sext(term, cell.bits),
                    _ => terms.zext(term, cell.bits),
                }
            }
        });
        let cells = cells.collect();
        let space = (self.domain.clone(), Arc::clone(&self.words));
        InputTerms::with_cells(terms, layout, cells, space)
    }

    fn with_cells(
        terms: &mut Terms,
        layout: &Layout,
        cells: Vec<TermId>,
        (domain, words): (Vec<TermId>, Arc<Glossary>),
    ) -> InputTerms {
        let mut of = |source: &Source| text_terms(terms, &cells, source);
        let args = layout.args.iter().map(&mut of).collect();
        let mut file = |source: &Source| file_terms(terms, &cells, source);
        let stdin = layout.stdin.as_ref().and_then(&mut file);
        let files = layout.files.iter().map(|(_, source)| file(source)).collect();
        let values = settled(terms, layout, &cells);
        let positions = positions(terms, &cells);
        InputTerms { cells, values, domain, words, positions, args, stdin, files }
    }

    /// Starts a concolic run.
    pub fn start<'p>(
        &self,
        harness: &mut Harness<'p>,
        machine: &mut Machine<'p, Concolic>,
        assignment: &[u64],
    ) -> Result<(), Stop> {
        harness.start_with(machine, assignment, &mut Attached { terms: self, assignment })
    }

    /// The assignment as a model.
    pub fn model(&self, terms: &Terms, assignment: &[u64]) -> Model {
        let mut model = Model::new();
        for (&cell, &value) in self.cells.iter().zip(assignment) {
            if let Some(variable) = terms.variable_of(cell) {
                model.set(variable, value);
            }
        }
        model
    }

    /// The assignment of a model.
    pub fn assignment(&self, terms: &Terms, model: &Model) -> Box<[u64]> {
        let value = |&cell: &TermId| {
            terms.variable_of(cell).map_or(0, |variable: VarId| model.get(variable))
        };
        self.cells.iter().map(value).collect()
    }

    /// Where the assignment of a model differs from that of another one: positions and values.
    pub fn changes(&self, model: &Model, from: &Model) -> Box<[(u32, u64)]> {
        let change = |(variable, value): (VarId, u64)| {
            let position = self.positions.get(variable.0 as usize).copied().flatten();
            position.map(|position| (position, value))
        };
        model.changes(from).filter_map(change).collect()
    }
}

/// The cells that variables are, by variable.
fn positions(terms: &Terms, cells: &[TermId]) -> Vec<Option<u32>> {
    let mut positions = Vec::new();
    for (position, &cell) in (0..).zip(cells) {
        if let Some(variable) = terms.variable_of(cell) {
            let index = variable.0 as usize;
            positions.resize(positions.len().max(index + 1), None);
            positions[index] = Some(position);
        }
    }
    positions
}

/// The values that cells stand for; see [`Layout::settled`].
fn settled(terms: &mut Terms, layout: &Layout, cells: &[TermId]) -> Vec<TermId> {
    let mut values = cells.to_vec();
    for Derived { cell, nulls, most, is_below } in &layout.derived {
        let (bits, mut value) = (layout.cells[*cell].bits, values[cell.position()]);
        if let Some(most) = most {
            let limit = values[most.position()];
            let wide = |terms: &mut Terms, id: CellId, term: TermId| {
                let is_signed = layout.cells[id].domain.is_signed();
                if is_signed { terms.sext(term, WIDE) } else { terms.zext(term, WIDE) }
            };
            let (number, mut most) = (wide(terms, *cell, value), wide(terms, *most, limit));
            if *is_below {
                let (one, zero) = (terms.constant(WIDE, 1), terms.constant(WIDE, 0));
                let before = terms.sub(most, one);
                let is_positive = terms.sgt(most, zero);
                most = terms.ite(is_positive, before, zero);
            }
            let is_more = terms.sgt(number, most);
            let most = terms.trunc(most, bits);
            value = terms.ite(is_more, most, value);
        }
        for null in nulls {
            let is_null = terms.trunc(values[null.position()], 1);
            let zero = terms.constant(bits, 0);
            value = terms.ite(is_null, zero, value);
        }
        values[cell.position()] = value;
    }
    values
}

/// That a cell has one of its allowed values.
fn domain_condition(terms: &mut Terms, cell: &Cell, term: TermId) -> TermId {
    if cell.domain.is_full() {
        return Terms::TRUE;
    }
    let mut any = Terms::FALSE;
    for &(low, high) in cell.domain.ranges() {
        let low = terms.constant(cell.bits, cell.domain.encode(low));
        let high = terms.constant(cell.bits, cell.domain.encode(high));
        let (above, below) = if cell.domain.is_signed() {
            (terms.sge(term, low), terms.sle(term, high))
        } else {
            (terms.uge(term, low), terms.ule(term, high))
        };
        let within = terms.and(above, below);
        any = terms.or(any, within);
    }
    any
}

/// The variable of a cell. If a member has another width in the other version, that is another
/// variable.
fn variable(terms: &mut Terms, name: &str, bits: u32) -> TermId {
    let sort = Sort::Bits(bits);
    match terms.find_variable(name).map(|known| terms.variable_info(known).sort) {
        Some(known) if known != sort => terms.variable(&format!("{name} ({bits} bits)"), sort),
        _ => terms.variable(name, sort),
    }
}

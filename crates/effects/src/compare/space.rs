//! The input space that two versions have in common.
//!
//! Whole programs get the same arguments, input and files, so their spaces are the same. The
//! parameters of a function may differ: they are matched by name, values that only one version
//! knows are left out, and what has no counterpart gets a fixed value, zero where it is allowed.

use explore::CellFrom;
use inputs::{Cell, Domain, Layout};

/// What the common space is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommonSpace {
    /// How many cells vary.
    pub cells: usize,
    /// How many inputs there are; `None` if more than fit.
    pub size: Option<u128>,
    /// What only OLD and what only NEW has, fixed.
    pub only: [Vec<String>; 2],
    /// What both have with other values allowed.
    pub narrowed: Vec<String>,
}

/// Narrows NEW's space to the common one. Gives where OLD's cells come from, unless the spaces
/// are the same.
pub(super) fn common(old: &Layout, new: &mut Layout) -> (Option<Vec<CellFrom>>, CommonSpace) {
    let same = |(a, b): (&Cell, &Cell)| a == b;
    let are_same =
        old.cells.len() == new.cells.len() && old.cells.values().zip(new.cells.values()).all(same);
    let mut space = CommonSpace::default();
    let mut cells = None;
    if !are_same {
        let find = |name: &str, layout: &Layout| {
            layout.cells.iter().find(|(_, cell)| cell.name == name).map(|(id, _)| id)
        };
        let names: Vec<String> = new.cells.values().map(|cell| cell.name.clone()).collect();
        for name in &names {
            let Some(id) = find(name, new) else { continue };
            match find(name, old) {
                Some(other) => {
                    let theirs = &old.cells[other].domain;
                    let cell = &mut new.cells[id];
                    match intersection(cell, theirs) {
                        Some(domain) if domain == cell.domain => {}
                        Some(domain) => {
                            cell.domain = domain;
                            space.narrowed.push(name.clone());
                        }
                        None => fix(cell, &mut space.only[1]),
                    }
                }
                None => fix(&mut new.cells[id], &mut space.only[1]),
            }
        }
        let from = old.cells.values().map(|cell| {
            let id = find(&cell.name, new);
            let fits = id.filter(|&id| intersection(&new.cells[id], &cell.domain).is_some());
            match fits {
                Some(id) => CellFrom::Common {
                    position: id.position(),
                    domain: new.cells[id].domain.clone(),
                },
                None => {
                    space.only[0].push(cell.name.clone());
                    CellFrom::Fixed(cell.domain.plain())
                }
            }
        });
        cells = Some(from.collect());
    }
    space.size = new.size();
    space.cells = new.cells.values().filter(|cell| cell.domain.count() > 1).count();
    (cells, space)
}

fn fix(cell: &mut Cell, fixed: &mut Vec<String>) {
    fixed.push(cell.name.clone());
    let number = cell.domain.decode(cell.domain.plain());
    if let Some(domain) = Domain::range(cell.bits, cell.domain.is_signed(), number..=number) {
        cell.domain = domain;
    }
}

/// The numbers that both allow, as values of the cell.
fn intersection(cell: &Cell, other: &Domain) -> Option<Domain> {
    let both = cell.domain.ranges().iter().flat_map(|&(low, high)| {
        let overlaps = other.ranges().iter().map(move |&(from, to)| low.max(from)..=high.min(to));
        overlaps.filter(|range| !range.is_empty())
    });
    Domain::union(cell.bits, cell.domain.is_signed(), both)
}

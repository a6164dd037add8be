//! The input space that two or more versions have in common.
//!
//! Whole programs get the same arguments, input and files, so their spaces are the same. The
//! parameters of a function may differ: they are matched by name, values that not all versions
//! allow are omitted, and a parameter without a counterpart in all others gets a fixed value, zero
//! if that is allowed.

use std::collections::BTreeSet;

use explore::CellFrom;
use inputs::{Alias, Assumption, Cell, CellId, Derived, Domain, Layout, Role};

/// The common space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommonSpace {
    /// How many cells vary.
    pub cells: usize,
    /// How many inputs there are; `None` if more than fit.
    pub size: Option<u128>,
    /// By version, the parts that not all versions have, which are fixed.
    pub only: Vec<Vec<String>>,
    /// Parts that all have, but with different allowed values.
    pub narrowed: Vec<String>,
    /// What is assumed about parameters.
    pub assumptions: Vec<Assumption>,
    /// What could be assumed, but is not.
    pub lifted: Vec<Assumption>,
    /// Parameters that may be the same object.
    pub aliases: Vec<Alias>,
}

impl CommonSpace {
    /// The parts of a version that not all versions have.
    pub fn only_in(&self, version: usize) -> &[String] {
        self.only.get(version).map_or(&[], |names| &names[..])
    }
}

/// The sources of a version's cells; one to one from the common space if `None`.
pub(crate) type Cells = Option<Vec<CellFrom>>;

/// Narrows the newest version's space to the common one. Returns the sources of the cells of each
/// older version, unless the spaces are all the same.
pub(crate) fn common(older: &[&Layout], newest: &mut Layout) -> (Vec<Cells>, CommonSpace) {
    let are_same = older.iter().all(|layout| is_same(layout, newest));
    let mut space = CommonSpace { only: vec![Vec::new(); older.len() + 1], ..Default::default() };
    let mut cells = vec![None; older.len()];
    if !are_same {
        narrow(older, newest, &mut space);
        for (version, layout) in older.iter().enumerate() {
            cells[version] = Some(origins(layout, newest, &mut space, version));
        }
    }
    space.assumptions = newest.assumptions().to_vec();
    space.lifted = newest.lifted().to_vec();
    let varies = |(_, cell): &&(Alias, CellId)| newest.cells[*cell].domain.count() > 1;
    space.aliases = newest.aliases.iter().filter(varies).map(|(alias, _)| alias.clone()).collect();
    space.size = newest.size();
    space.cells = newest.cells.values().filter(|cell| cell.domain.count() > 1).count();
    (cells, space)
}

fn is_same(one: &Layout, other: &Layout) -> bool {
    let same = |(a, b): (&Cell, &Cell)| a == b;
    one.cells.len() == other.cells.len()
        && one.cells.values().zip(other.cells.values()).all(same)
        && ties(one) == ties(other)
}

/// Restricts the newest version's cells to the values that all versions have for them.
fn narrow(older: &[&Layout], newest: &mut Layout, space: &mut CommonSpace) {
    let ids: Vec<CellId> = newest.cells.iter().map(|(id, _)| id).collect();
    let limits = limits(newest);
    let unlike = Unlike::between(older, newest);
    for id in ids {
        let cell = &newest.cells[id];
        let others: Option<Vec<&Cell>> =
            older.iter().map(|layout| counterpart(cell, layout)).collect();
        let all = others.and_then(|others| Some((shared(cell, &others)?, others)));
        let cell = &mut newest.cells[id];
        match all {
            Some((domain, others)) => {
                let domain = unlike.without(cell, domain);
                let has_more = |other: &&Cell| other.domain.ranges() != domain.ranges();
                if has_more(&&*cell) || others.iter().any(has_more) {
                    space.narrowed.push(cell.name.clone());
                }
                cell.domain = domain;
            }
            None => fix(cell, limits.contains(&id), &mut space.only[older.len()]),
        }
    }
}

/// Dependences between cells that not all versions have: pointers that make numbers zero if they
/// are null, and numbers that limit others. The same input would have different values in each.
#[derive(Default)]
struct Unlike {
    nulls: BTreeSet<String>,
    limits: BTreeSet<String>,
}

impl Unlike {
    fn between(older: &[&Layout], newest: &Layout) -> Unlike {
        let mut unlike = Unlike::default();
        let newest = ties(newest);
        let all: Vec<_> = older.iter().map(|layout| ties(layout)).collect();
        for (_, nulls, most, _) in all.iter().flat_map(|ties| ties.symmetric_difference(&newest)) {
            unlike.nulls.extend(nulls.iter().map(|&name| name.to_owned()));
            unlike.limits.extend(most.map(str::to_owned));
        }
        unlike
    }

    /// The values with which a cell does not influence others.
    fn without(&self, cell: &Cell, domain: Domain) -> Domain {
        let name = cell.name.as_str();
        let only = |number: i128| Domain::range(cell.bits, domain.is_signed(), number..=number);
        let narrowed = match (self.nulls.contains(name), self.limits.contains(name)) {
            (true, _) => only(0),
            (false, true) => only(domain.bounds().1),
            (false, false) => None,
        };
        narrowed.unwrap_or(domain)
    }
}

/// Which cells depend on which others, by their names.
fn ties(layout: &Layout) -> BTreeSet<(&str, Vec<&str>, Option<&str>, bool)> {
    let name = |cell: CellId| layout.cells[cell].name.as_str();
    let tie = |derived: &Derived| {
        let nulls: Vec<&str> = derived.nulls.iter().map(|&null| name(null)).collect();
        (name(derived.cell), nulls, derived.most.map(name), derived.is_below)
    };
    layout.derived.iter().map(tie).collect()
}

/// The sources of an older version's cells.
fn origins(
    layout: &Layout,
    newest: &Layout,
    space: &mut CommonSpace,
    version: usize,
) -> Vec<CellFrom> {
    let fixed = space.only[space.only.len() - 1].clone();
    let limits = limits(layout);
    let origin = |(id, cell): (CellId, &Cell)| {
        let mut all = newest.cells.iter();
        let found = all.find(|(_, other)| other.name == cell.name && !fixed.contains(&cell.name));
        match found {
            Some((id, other)) => {
                CellFrom::Common { position: id.position(), domain: other.domain.clone() }
            }
            None => {
                space.only[version].push(cell.name.clone());
                CellFrom::Fixed(fixed_value(cell, limits.contains(&id)))
            }
        }
    };
    layout.cells.iter().map(origin).collect()
}

/// The cell of a version with the same name and meaning.
fn counterpart<'l>(cell: &Cell, layout: &'l Layout) -> Option<&'l Cell> {
    let other = layout.cells.values().find(|other| other.name == cell.name)?;
    let is_number = |cell: &Cell| matches!(cell.role, Role::Number | Role::Byte);
    let is_alike = cell.role == other.role && cell.bits == other.bits;
    // Numbers are the same in any width; other bits are not.
    (is_alike || is_number(cell) && is_number(other)).then_some(other)
}

/// The numbers that all allow, as values of the cell.
fn shared(cell: &Cell, others: &[&Cell]) -> Option<Domain> {
    let mut domain = cell.domain.clone();
    for other in others {
        domain = intersection(cell, &domain, &other.domain)?;
    }
    Some(domain)
}

/// Cells that others must not exceed.
fn limits(layout: &Layout) -> Vec<CellId> {
    layout.derived.iter().filter_map(|derived| derived.most).collect()
}

/// The value of a cell that not all versions have. A limit must not restrict others: they would be
/// less than in versions without the limit.
fn fixed_value(cell: &Cell, is_limit: bool) -> u64 {
    if is_limit { cell.domain.encode(cell.domain.bounds().1) } else { cell.domain.plain() }
}

fn fix(cell: &mut Cell, is_limit: bool, fixed: &mut Vec<String>) {
    fixed.push(cell.name.clone());
    let number = cell.domain.decode(fixed_value(cell, is_limit));
    if let Some(domain) = Domain::range(cell.bits, cell.domain.is_signed(), number..=number) {
        cell.domain = domain;
    }
}

/// The numbers that are in both, as values of the cell.
fn intersection(cell: &Cell, one: &Domain, other: &Domain) -> Option<Domain> {
    let both = one.ranges().iter().flat_map(|&(low, high)| {
        let overlaps = other.ranges().iter().map(move |&(from, to)| low.max(from)..=high.min(to));
        overlaps.filter(|range| !range.is_empty())
    });
    Domain::union(cell.bits, cell.domain.is_signed(), both)
}

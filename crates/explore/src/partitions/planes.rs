//! Pictures of the partitions: planes through the input space, as grids of inputs.
//!
//! Two cells vary and all others are fixed at one input, the representative of a different
//! partition if there is one. An axis has all values of a small domain; of a larger one those at
//! which conditions change their truth and those of representatives, besides evenly spaced values.
//! A plane shows what is proved for these inputs and says nothing about others.

use std::collections::BTreeSet;
use std::time::Duration;

use inputs::{CellId, Role};
use smt::Evaluator;
use smt::chain::interval_set;

use super::explorer::Explorer;
use super::lookup::Lookup;
use crate::budget::Stopwatch;
use crate::proved::{Axis, Partition, Plane, Planes, Square, Verdict};

/// The most axes, and the most values along each.
const MOST_AXES: usize = 8;
const MOST_VALUES: usize = 25;
/// The most cells to consider as axes.
const MOST_CELLS: usize = 200;
/// The most checks of an input against a partition, over all planes.
const MOST_CHECKS: usize = 8_000_000;
/// The most time for all planes together.
const MOST_DRAWING: Duration = Duration::from_secs(2);
/// The most partitions whose conditions suggest values.
const MOST_ASKED: usize = 200;

impl Explorer<'_> {
    /// Planes through the results so far; `None` if there are none, or no cell has an axis. Only
    /// the first few if there is not much time.
    pub fn planes(&self, patience: Duration) -> Option<Planes> {
        let (watch, patience) = (Stopwatch::start(), patience.min(MOST_DRAWING));
        let list = &self.found().list;
        let is_different = |one: &&Partition| one.verdict == Verdict::Different;
        let held = list.iter().find(is_different).or(list.first())?.input.clone();
        let mut axes = self.axes();
        let mut pairs: Vec<(usize, Option<usize>)> = Vec::new();
        for y in 1..axes.len() {
            pairs.extend((0..y).map(|x| (x, Some(y))));
        }
        if axes.len() == 1 {
            pairs.push((0, None));
        }
        let squares = MOST_VALUES * MOST_VALUES;
        let most = (MOST_CHECKS / (squares * list.len())).max(1);
        pairs.truncate(most);
        let last = pairs.iter().map(|(x, y)| y.unwrap_or(*x)).max()?;
        axes.truncate(last + 1);
        let mut evaluator = Evaluator::new();
        let lookup = Lookup::new(list, 0..list.len());
        let mut square = |input: &[u64]| {
            let model = self.inputs().model(self.terms(), input);
            match lookup.find(&mut evaluator, self.terms(), &model).map(|at| &list[at].verdict) {
                None => Square::Left,
                Some(Verdict::Equal(_)) => Square::Equal,
                Some(Verdict::Different) => Square::Different,
                Some(Verdict::Unknown(_)) => Square::Unknown,
            }
        };
        let mut plane = |(x, y): (usize, Option<usize>)| {
            let rows = y.map_or(&[0][..], |y| &axes[y].values);
            let mut squares = Vec::new();
            let mut input = held.clone();
            for &row in rows {
                if let Some(y) = y {
                    input[axes[y].cell] = row;
                }
                for &value in &axes[x].values {
                    input[axes[x].cell] = value;
                    squares.push(square(&input));
                }
            }
            Plane { x, y, squares }
        };
        let mut planes: Vec<Plane> = Vec::new();
        for pair in pairs {
            if !planes.is_empty() && watch.elapsed() > patience {
                break;
            }
            planes.push(plane(pair));
        }
        // Planes that show more come first; the order of the axes decides ties.
        planes.sort_by_key(|plane| {
            let sorts: BTreeSet<Square> = plane.squares.iter().copied().collect();
            std::cmp::Reverse(sorts.len())
        });
        Some(Planes { axes, held, planes })
    }

    /// The cells that have an axis: those in conditions come first.
    fn axes(&self) -> Vec<Axis> {
        let cells = self.layout().cells.iter().take(MOST_CELLS);
        let is_number =
            |role: Role| matches!(role, Role::Number | Role::Byte | Role::Count | Role::Choice);
        let mut axes: Vec<(bool, Axis)> = cells
            .filter(|(_, cell)| is_number(cell.role) && cell.domain.count() > 1)
            .map(|(id, _)| self.axis(id))
            .collect();
        axes.sort_by_key(|(matters, axis)| (!matters, axis.cell));
        axes.truncate(MOST_AXES);
        let mut axes: Vec<Axis> = axes.into_iter().map(|(_, axis)| axis).collect();
        axes.sort_by_key(|axis| axis.cell);
        axes
    }

    /// The axis of a cell, and whether a condition contains the cell.
    fn axis(&self, id: CellId) -> (bool, Axis) {
        let cell = &self.layout().cells[id];
        let (domain, position) = (&cell.domain, id.position());
        let ends = self.ends(position);
        let list = self.found().list.iter().take(MOST_ASKED);
        let shown = list.map(|one| domain.decode(one.input[position]));
        let mut numbers: BTreeSet<i128> = BTreeSet::new();
        let count = domain.count();
        if count <= MOST_VALUES as u128 {
            numbers.extend((0..count).map(|nth| domain.decode(domain.nth(nth))));
        } else {
            let (least, most) = domain.bounds();
            numbers.extend([least, most]);
            let wanted = ends.iter().copied().chain(shown);
            for number in wanted.filter(|number| domain.contains_number(*number)) {
                if numbers.len() < 2 * MOST_VALUES / 3 {
                    numbers.insert(number);
                }
            }
            let rest = (MOST_VALUES - numbers.len()) as u128;
            let spread = (1..=rest).map(|part| domain.nth(count / (rest + 1) * part));
            numbers.extend(spread.map(|bits| domain.decode(bits)));
        }
        let numbers: Vec<i128> = numbers.into_iter().collect();
        let values = numbers.iter().map(|&number| domain.encode(number)).collect();
        let axis = Axis { cell: position, name: cell.name.clone(), values, numbers };
        (!ends.is_empty(), axis)
    }

    /// Numbers at which conditions on this cell alone change their truth, those of different
    /// partitions first.
    fn ends(&self, position: usize) -> Vec<i128> {
        let terms = self.terms();
        let Some(variable) = terms.variable_of(self.inputs().cells[position]) else {
            return Vec::new();
        };
        let id = CellId::at(position as u32);
        let domain = &self.layout().cells[id].domain;
        let list = &self.found().list;
        let is_different = |one: &&Partition| one.verdict == Verdict::Different;
        let (first, second) = (list.iter().filter(is_different), list.iter());
        let mut ends: Vec<i128> = Vec::new();
        for partition in first.chain(second).take(MOST_ASKED) {
            for &condition in &partition.conditions {
                let set = interval_set(terms, condition).filter(|(of, _)| *of == variable);
                let Some((_, set)) = set else { continue };
                for bits in set.intervals.iter().flat_map(|&(first, last)| [first, last]) {
                    let number = domain.decode(bits);
                    for near in [number - 1, number, number + 1] {
                        if domain.contains_number(near) && !ends.contains(&near) {
                            ends.push(near);
                        }
                    }
                }
            }
            if ends.len() > 4 * MOST_VALUES {
                break;
            }
        }
        ends
    }
}

//! The strategy `random`: inputs drawn from the space, on the plain machine.
//!
//! Prefers boundary values and small mutations of earlier inputs to the middle of a domain. A run
//! is kept if it covered something new or ended in a new fault; what it kept says nothing about
//! what else there may be, so it is never complete.

use base::Random;
use base::entity::EntityRef;
use exec::concolic::JUMPED;
use exec::observer::At;
use exec::{Machine, Observer, Program, Stop};
use inputs::{Cell, Layout};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use trace::Harness;

use crate::budget::{Spending, Stopped};
use crate::exploration::{Effort, Exploration, Options, cover};
use crate::worker::{Found, Gap};

/// Runs without any budget.
const DEFAULT_RUNS: u64 = 100_000;

/// The outcomes of branches, and the name of the whole path.
#[derive(Default)]
struct Ways {
    covered: Vec<Vec<u8>>,
    is_new: bool,
    path: FxHasher,
    conditions: u32,
}

impl Ways {
    fn start(&mut self) {
        self.is_new = false;
        self.path = FxHasher::default();
        self.conditions = 0;
    }

    fn mark(&mut self, at: At<'_>, place: usize, bit: u8) {
        let function = at.code.function.index();
        if function >= self.covered.len() {
            self.covered.resize(function + 1, Vec::new());
        }
        let places = &mut self.covered[function];
        if place >= places.len() {
            places.resize(place + 1, 0);
        }
        self.is_new |= places[place] & bit == 0;
        places[place] |= bit;
        self.path.write_u64(((function as u64) << 32 | place as u64) << 3 | u64::from(bit));
        self.conditions = self.conditions.saturating_add(1);
    }
}

impl Observer for Ways {
    fn branch(&mut self, at: At<'_>, taken: bool) {
        self.mark(at, at.pc, 1 << u8::from(taken));
    }

    fn jump(&mut self, at: At<'_>, target: u32) {
        self.mark(at, target as usize, JUMPED);
    }
}

pub(crate) fn explore(
    program: &Program,
    layout: &Layout,
    seeds: &[Box<[u64]>],
    options: &Options,
    spending: &Spending,
) -> Exploration {
    let mut harness = Harness::new(program, layout, &options.name);
    let idle = exec::Input::default();
    let mut machine = Machine::idle(program, &idle, options.limits, Ways::default());
    let mut random = Random::new(options.seed | 1);
    let mut kept: Vec<Box<[u64]>> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut result = Exploration::default();
    let most = match (&options.budget.time, options.budget.runs) {
        (None, None) => DEFAULT_RUNS,
        _ => u64::MAX,
    };
    let mut stopped = Stopped::Runs;
    let cells: Vec<&Cell> = layout.cells.values().collect();
    for run in 0..most {
        if run % 64 == 0
            && let Some(reason) = spending.exhausted()
        {
            stopped = reason;
            break;
        }
        let assignment = match seeds.get(run as usize) {
            Some(seed) => seed.clone(),
            None => assignment(&mut random, &cells, &kept),
        };
        machine.observer.start();
        let stop = harness.run(&mut machine, &assignment);
        result.effort.runs += 1;
        let path = machine.observer.path.finish();
        let is_new_path = seen.insert(path);
        let covers_new = machine.observer.is_new;
        let is_fault = matches!(stop, Stop::Fault(_));
        spending.progress.add(1, is_new_path.into(), u64::from(is_fault && is_new_path));
        if covers_new {
            kept.push(assignment.clone());
        }
        if is_new_path {
            let conditions = machine.observer.conditions;
            result.paths.push(Found { assignment, stop, path, conditions, covers_new });
        }
    }
    result.gaps = vec![Gap::Stopped(stopped), Gap::Sampled];
    cover(&mut result.covered, &machine.observer.covered);
    result.effort = Effort { runs: result.effort.runs, ..result.effort };
    result
}

/// A new input: some cells of a kept one mutated, or all drawn.
fn assignment(random: &mut Random, cells: &[&Cell], kept: &[Box<[u64]>]) -> Box<[u64]> {
    if kept.is_empty() || cells.is_empty() || random.below(4) == 0 {
        return cells.iter().map(|cell| value(random, cell)).collect();
    }
    let mut assignment = kept[random.below(kept.len())].clone();
    for _ in 0..=random.below(3) {
        let position = random.below(cells.len());
        assignment[position] = match random.below(4) {
            0 => near(random, cells[position], assignment[position]),
            1 => {
                let other = assignment[random.below(cells.len())];
                if cells[position].domain.contains(other) { other } else { assignment[position] }
            }
            _ => value(random, cells[position]),
        };
    }
    assignment
}

fn value(random: &mut Random, cell: &Cell) -> u64 {
    let domain = &cell.domain;
    let (low, high) = domain.bounds();
    let number = match random.below(8) {
        0 => low,
        1 => high,
        2 => 0,
        3 => 1,
        4 => i128::from(random.next() as i8),
        5 => i128::from(random.next() as i16),
        _ => return domain.nth(u128::from(random.next())),
    };
    if domain.contains_number(number) {
        domain.encode(number)
    } else {
        domain.nth(u128::from(random.next()))
    }
}

fn near(random: &mut Random, cell: &Cell, value: u64) -> u64 {
    let number = cell.domain.decode(value) + [-1, 1, 2, -2][random.below(4)];
    if cell.domain.contains_number(number) { cell.domain.encode(number) } else { value }
}

//! Faults that an exploration found: one for each kind and place, with a small input.

use std::time::Duration;

use exec::stop::{Fault, Site};
use exec::{Machine, Program, Stop, Unobserved};
use inputs::{Cell, CellId, Layout, Role};

use crate::budget::{Spending, Stopwatch};
use crate::explorer::Options;
use crate::harness::Harness;
use crate::worker::Found;

/// Runs that making one input smaller may take.
const MOST_RUNS: usize = 2_000;
/// Time that making all inputs smaller may take although the budget is spent.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);
/// Numbers up to here are all tried.
const SMALL: i128 = 9;

/// A fault and an input that shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultFound {
    pub fault: Box<Fault>,
    /// As small as could be made.
    pub assignment: Box<[u64]>,
    /// On how many paths it happens.
    pub paths: u64,
}

/// What makes two faults the same: what kind it is, and where.
fn key(fault: &Fault) -> (std::mem::Discriminant<exec::stop::FaultKind>, Option<Site>) {
    (std::mem::discriminant(&fault.kind), fault.stack.first().copied())
}

pub(crate) fn collect_faults(
    program: &Program,
    layout: &Layout,
    paths: &[Found],
    options: &Options,
    spending: &Spending,
) -> Vec<FaultFound> {
    let mut faults: Vec<FaultFound> = Vec::new();
    for found in paths {
        let Stop::Fault(fault) = &found.stop else { continue };
        match faults.iter_mut().find(|other| key(&other.fault) == key(fault)) {
            Some(known) => known.paths += 1,
            None => faults.push(FaultFound {
                fault: fault.clone(),
                assignment: found.assignment.clone(),
                paths: 1,
            }),
        }
    }
    if faults.is_empty() {
        return faults;
    }
    let mut harness = Harness::new(program, layout, &options.name);
    let idle = exec::Input::default();
    let mut machine = Machine::idle(program, &idle, options.limits, Unobserved);
    let watch = Stopwatch::start();
    let patience = patience(spending);
    let is_over = || spending.progress.is_stopped() || watch.elapsed() >= patience;
    for found in &mut faults {
        minimise(&mut harness, &mut machine, found, &is_over);
    }
    faults
}

/// How long all inputs may take to be made smaller: what is left of the budget.
fn patience(spending: &Spending) -> Duration {
    match spending.budget.time {
        Some(time) => time.saturating_sub(spending.elapsed()).max(LEAST_PATIENCE),
        None => Duration::MAX,
    }
}

/// Makes the values of an input smaller one by one, and equal ones together, as long as the
/// fault stays.
fn minimise<'p>(
    harness: &mut Harness<'p>,
    machine: &mut Machine<'p, Unobserved>,
    found: &mut FaultFound,
    is_over: &dyn Fn() -> bool,
) {
    let wanted = key(&found.fault);
    let layout = harness.layout;
    let mut fails = |assignment: &[u64]| {
        let stop = match harness.start(machine, assignment) {
            Ok(()) => machine.run(),
            Err(stop) => stop,
        };
        match stop {
            Stop::Fault(fault) if key(&fault) == wanted => Some(fault),
            _ => None,
        }
    };
    let mut progress = true;
    let mut tried = 0;
    while progress {
        progress = false;
        for (id, cell) in layout.cells.iter() {
            let position = id.position();
            let values = simpler(cell.role, &cell.domain, found.assignment[position]);
            let equal = equal_cells(layout, &found.assignment, id);
            let alone = values.iter().map(|&value| (&equal[..1], value));
            let together = values.iter().map(|&value| (&equal[..], value));
            let together = together.filter(|(positions, _)| positions.len() > 1);
            for (positions, value) in alone.chain(together) {
                tried += 1;
                if tried > MOST_RUNS || is_over() {
                    return;
                }
                let mut smaller = found.assignment.clone();
                positions.iter().for_each(|&position| smaller[position] = value);
                if let Some(fault) = fails(&smaller) {
                    found.assignment = smaller;
                    found.fault = fault;
                    progress = true;
                    break;
                }
            }
        }
    }
}

/// The position of a cell, and those of its like with the same value.
fn equal_cells(layout: &Layout, assignment: &[u64], id: CellId) -> Vec<usize> {
    let cell = &layout.cells[id];
    let is_like = |other: &&Cell| other.role == cell.role && other.domain == cell.domain;
    let value = assignment[id.position()];
    let mut positions = vec![id.position()];
    // Bytes are too often equal to tell anything.
    if cell.role == Role::Number {
        let others = layout.cells.iter().filter(|(other, _)| *other != id);
        let equal =
            others.filter(|(other, cell)| is_like(cell) && assignment[other.position()] == value);
        positions.extend(equal.map(|(other, _)| other.position()));
    }
    positions
}

/// Values that people find simpler than this one, the simplest first.
fn simpler(role: Role, domain: &inputs::Domain, value: u64) -> Vec<u64> {
    let number = domain.decode(value);
    let candidates: Vec<i128> = match role {
        // The end of a text, then plain characters.
        Role::Byte => [0, 'a' as i128, '0' as i128, ' ' as i128].to_vec(),
        Role::Float => vec![0],
        _ => {
            let mut smaller: Vec<i128> = (0..=SMALL).collect();
            smaller.extend((1..i128::BITS).map(|shift| number >> shift).filter(|n| *n != 0));
            smaller.push(number - number.signum());
            smaller
        }
    };
    let rank = |number: i128| match role {
        Role::Byte => [0, 'a' as i128, '0' as i128, ' ' as i128]
            .iter()
            .position(|&simple| simple == number)
            .unwrap_or(usize::MAX) as u128,
        _ => number.unsigned_abs(),
    };
    let is_simpler = |&other: &i128| domain.contains_number(other) && rank(other) < rank(number);
    let mut values: Vec<u64> =
        candidates.iter().filter(|n| is_simpler(n)).map(|&n| domain.encode(n)).collect();
    values.dedup();
    values
}

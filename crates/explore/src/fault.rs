//! Faults that an exploration found: one for each kind and place, with a small input.

use exec::stop::{Fault, Site};
use exec::{Machine, Program, Stop, Unobserved};
use inputs::{Layout, Role};

use crate::budget::Spending;
use crate::explorer::Options;
use crate::harness::Harness;
use crate::worker::Found;

/// Runs that making one input smaller may take.
const MOST_RUNS: usize = 2_000;

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
    for found in &mut faults {
        if spending.progress.is_stopped() {
            break;
        }
        minimise(&mut harness, &mut machine, found);
    }
    faults
}

/// Makes the values of an input smaller one by one, as long as the fault stays.
fn minimise<'p>(
    harness: &mut Harness<'p>,
    machine: &mut Machine<'p, Unobserved>,
    found: &mut FaultFound,
) {
    let wanted = key(&found.fault);
    let layout = harness.layout;
    let mut runs = 0;
    let mut fails = |assignment: &[u64]| {
        runs += 1;
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
            for value in simpler(cell.role, &cell.domain, found.assignment[position]) {
                tried += 1;
                if tried > MOST_RUNS {
                    return;
                }
                let mut smaller = found.assignment.clone();
                smaller[position] = value;
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

/// Values that people find simpler than this one, the simplest first.
fn simpler(role: Role, domain: &inputs::Domain, value: u64) -> Vec<u64> {
    let number = domain.decode(value);
    let candidates: Vec<i128> = match role {
        // The end of a text, then plain characters.
        Role::Byte => [0, 'a' as i128, '0' as i128, ' ' as i128].to_vec(),
        Role::Float => vec![0],
        _ => {
            let mut smaller = vec![0, 1];
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
    let is_simpler =
        |&other: &i128| domain.contains_number(other) && rank(other) < rank(number);
    let mut values: Vec<u64> =
        candidates.iter().filter(|n| is_simpler(n)).map(|&n| domain.encode(n)).collect();
    values.dedup();
    values
}

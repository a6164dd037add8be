//! Faults that an exploration found: one for each kind and place, with a small input.

use std::time::Duration;

use exec::stop::{Fault, Site};
use exec::{Machine, Program, Stop, Unobserved};
use inputs::Layout;
use trace::Harness;

use crate::budget::{Spending, Stopwatch};
use crate::exploration::{FaultFound, Options};
use crate::smaller::minimise;
use crate::worker::Found;

/// The most runs to minimise one input.
const MOST_RUNS: usize = 2_000;
/// Time to minimise all inputs even if the budget is exhausted.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);

/// The identity of a fault: its kind and place.
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
        let wanted = key(&found.fault);
        let FaultFound { fault, assignment, .. } = found;
        let mut keeps = |smaller: &[u64]| match harness.run(&mut machine, smaller) {
            Stop::Fault(other) if key(&other) == wanted => {
                *fault = other;
                true
            }
            _ => false,
        };
        minimise(layout, assignment, MOST_RUNS, &is_over, &mut keeps);
    }
    faults
}

/// The time to minimise all inputs: the rest of the budget.
fn patience(spending: &Spending) -> Duration {
    match spending.budget.time {
        Some(time) => time.saturating_sub(spending.elapsed()).max(LEAST_PATIENCE),
        None => Duration::MAX,
    }
}

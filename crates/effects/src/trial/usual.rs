//! The default budget of a search and the default observables.

use std::time::Duration;

use explore::Budget;
use trace::Observe;

pub(crate) fn usual_budget() -> Budget {
    Budget { time: Some(Duration::from_secs(60)), ..Budget::default() }
}

/// Of a single run.
pub(crate) fn usual_limits() -> exec::Limits {
    exec::Limits { steps: 5_000_000, memory: 1 << 28, output: 1 << 20, depth: 1 << 14 }
}

pub(crate) fn usual_observe() -> Observe {
    Observe { ub: true, ..Observe::default() }
}

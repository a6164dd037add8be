//! How long a native program takes, from repeated runs.
//!
//! Measures from start to end of the process, so it includes the loader. The caller compares
//! numbers of one machine in one run; nothing here judges them.

use std::time::Duration;

use crate::error::SourceError;
use crate::native::NativeProgram;
use crate::run::{Invocation, Limits, NativeRun, run_native};

/// Durations of repeated runs, shortest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    pub sorted: Vec<Duration>,
}

impl Timing {
    pub fn shortest(&self) -> Duration {
        self.sorted.first().copied().unwrap_or_default()
    }

    pub fn median(&self) -> Duration {
        let middle = self.sorted.len() / 2;
        self.sorted.get(middle).copied().unwrap_or_default()
    }
}

/// Runs the program `runs` times (at least once) after one warm-up run. Returns the durations and
/// the last run, whose end the caller should check.
pub fn time_native(
    program: &NativeProgram,
    invocation: &Invocation,
    limits: &Limits,
    runs: usize,
) -> Result<(Timing, NativeRun), SourceError> {
    let mut last = run_native(program, invocation, limits)?;
    let mut sorted = Vec::with_capacity(runs.max(1));
    for _ in 0..runs.max(1) {
        last = run_native(program, invocation, limits)?;
        sorted.push(last.duration);
    }
    sorted.sort();
    Ok((Timing { sorted }, last))
}

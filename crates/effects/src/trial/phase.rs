//! The phases of the work, and how long they take.

use std::sync::Mutex;
use std::time::Duration;

use explore::Stopwatch;

/// The current phase, for observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Building,
    /// Runs known inputs again.
    Resuming,
    /// With this strategy.
    Searching(&'static str),
    /// On native programs.
    Replaying,
    Checking,
    Explaining,
    /// Collecting what a report with sources and graphs shows.
    Illustrating,
}

/// Time by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseTimes {
    pub building: Duration,
    pub searching: Duration,
    pub confirming: Duration,
    pub explaining: Duration,
    pub illustrating: Duration,
}

impl PhaseTimes {
    fn of(&mut self, phase: Phase) -> &mut Duration {
        match phase {
            Phase::Building => &mut self.building,
            Phase::Resuming | Phase::Searching(_) => &mut self.searching,
            Phase::Replaying | Phase::Checking => &mut self.confirming,
            Phase::Explaining => &mut self.explaining,
            Phase::Illustrating => &mut self.illustrating,
        }
    }
}

/// Receives each phase when it begins.
pub(crate) struct PhaseClock(Mutex<State>);

struct State {
    phase: Phase,
    since: Stopwatch,
    times: PhaseTimes,
}

impl PhaseClock {
    pub fn start(phase: Phase) -> PhaseClock {
        let (since, times) = (Stopwatch::start(), PhaseTimes::default());
        PhaseClock(Mutex::new(State { phase, since, times }))
    }

    pub fn enter(&self, phase: Phase) {
        // A clock that was poisoned by a panic is useless.
        let Ok(mut state) = self.0.lock() else { return };
        let State { phase: before, since, times } = &mut *state;
        *times.of(*before) += since.elapsed();
        (*before, *since) = (phase, Stopwatch::start());
    }

    /// Everything until now.
    pub fn times(&self) -> PhaseTimes {
        let Ok(state) = self.0.lock() else { return PhaseTimes::default() };
        let mut times = state.times;
        *times.of(state.phase) += state.since.elapsed();
        times
    }
}

//! How far an exploration is, in words.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use effects::explore::Phase;
use explore::Progress;
use indicatif::HumanCount;

use crate::progress::{Line, Moment};

/// A line that says how far it is. Gone when dropped.
pub struct Display {
    phase: Arc<AtomicU8>,
    _line: Line,
}

impl Display {
    pub fn start(progress: &Progress, budget: Option<Duration>, quiet: bool) -> Display {
        let phase = Arc::new(AtomicU8::new(Phase::Building as u8));
        let (progress, shared) = (progress.clone(), Arc::clone(&phase));
        let mut since = None;
        let line = Line::start(quiet, move || {
            let message = message(&progress, shared.load(Relaxed), budget, &mut since);
            Moment { message, spent: None }
        });
        Display { phase, _line: line }
    }

    pub fn tell(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }
}

fn message(
    progress: &Progress,
    phase: u8,
    budget: Option<Duration>,
    since: &mut Option<Instant>,
) -> String {
    let now = progress.snapshot();
    match phase {
        phase if phase == Phase::Building as u8 => "building".to_owned(),
        phase if phase == Phase::Exploring as u8 => {
            let spent = since.get_or_insert_with(Instant::now).elapsed().as_secs();
            let of = budget.map(|time| format!(" of {} s", time.as_secs())).unwrap_or_default();
            format!(
                "{spent}{of}: {} runs, {} paths, {} faults, {} inputs waiting",
                HumanCount(now.runs),
                HumanCount(now.paths),
                HumanCount(now.faults),
                HumanCount(now.waiting)
            )
        }
        _ => format!("{} paths; replaying tests natively", HumanCount(now.paths)),
    }
}

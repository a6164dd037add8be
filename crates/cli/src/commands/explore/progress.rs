//! How far an exploration is, in words.

use std::time::{Duration, Instant};

use effects::trial::Phase;
use explore::Progress;
use indicatif::HumanCount;

use crate::progress::Moment;

/// What the line says in each phase.
pub fn moments(budget: Option<Duration>) -> impl FnMut(&Progress, Phase) -> Moment + Send {
    let mut since = None;
    move |progress, phase| Moment {
        message: message(progress, phase, budget, &mut since),
        spent: None,
    }
}

fn message(
    progress: &Progress,
    phase: Phase,
    budget: Option<Duration>,
    since: &mut Option<Instant>,
) -> String {
    let now = progress.snapshot();
    match phase {
        Phase::Building => "building".to_owned(),
        Phase::Searching(_) => {
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

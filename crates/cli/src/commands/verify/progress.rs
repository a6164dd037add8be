//! How far a verification is, in words.

use std::time::{Duration, Instant};

use effects::trial::Phase;
use explore::Progress;
use indicatif::HumanCount;

use crate::progress::{Moment, doing};

/// What the line says in each phase.
pub fn moments(budget: Option<Duration>) -> impl FnMut(&Progress, Phase) -> Moment + Send {
    let since = Instant::now();
    move |progress, phase| moment(progress, phase, budget, since.elapsed())
}

fn moment(progress: &Progress, phase: Phase, budget: Option<Duration>, spent: Duration) -> Moment {
    let now = progress.snapshot();
    let doing = match phase {
        Phase::Building => {
            return Moment { message: "building all versions".to_owned(), spent: None };
        }
        Phase::Resuming => {
            return Moment { message: doing(phase).to_owned(), spent: None };
        }
        _ => doing(phase),
    };
    let of = budget.map(|time| format!(" of {} s", time.as_secs())).unwrap_or_default();
    let proved = match now.proved {
        Some(share) => format!(", {}.{} % of all inputs", share / 10, share % 10),
        None => String::new(),
    };
    let message = format!(
        "{}{of}: {doing}, {} partitions ({} different){proved}, {} regions left",
        spent.as_secs(),
        HumanCount(now.paths),
        HumanCount(now.faults),
        HumanCount(now.waiting)
    );
    let share = |time: Duration| (spent.as_millis() * 1000 / time.as_millis().max(1)) as u64;
    Moment { message, spent: budget.map(share) }
}

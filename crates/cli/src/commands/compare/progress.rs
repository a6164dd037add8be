//! How far a comparison is, in words.

use std::time::{Duration, Instant};

use effects::trial::Phase;
use explore::Progress;
use indicatif::HumanCount;

use crate::progress::{Moment, doing};

/// What the line says in each phase.
pub fn moments(budget: Option<Duration>) -> impl FnMut(&Progress, Phase) -> Moment + Send {
    let mut speed = Speed { since: Instant::now(), last: (Instant::now(), 0), rate: 0 };
    move |progress, phase| moment(progress, phase, budget, &mut speed)
}

/// Runs a second, over the last second or so.
struct Speed {
    since: Instant,
    last: (Instant, u64),
    rate: u64,
}

impl Speed {
    fn update(&mut self, runs: u64) -> u64 {
        let (when, before) = self.last;
        let time = when.elapsed();
        if time >= Duration::from_secs(1) {
            self.rate = (runs.saturating_sub(before) as f64 / time.as_secs_f64()) as u64;
            self.last = (Instant::now(), runs);
        }
        self.rate
    }
}

fn moment(
    progress: &Progress,
    phase: Phase,
    budget: Option<Duration>,
    speed: &mut Speed,
) -> Moment {
    let now = progress.snapshot();
    let spent = speed.since.elapsed();
    let rate = speed.update(now.runs);
    let doing = match phase {
        Phase::Building => {
            return Moment { message: "building both versions".to_owned(), spent: None };
        }
        Phase::Resuming => {
            return Moment { message: doing(phase).to_owned(), spent: None };
        }
        _ => doing(phase),
    };
    let of = budget.map(|time| format!(" of {} s", time.as_secs())).unwrap_or_default();
    let mut message = format!("{}{of}: {doing}, {} runs", spent.as_secs(), HumanCount(now.runs));
    if rate > 0 {
        message.push_str(&format!(" ({}/s)", HumanCount(rate)));
    }
    message.push_str(&format!(", {} that differ", HumanCount(now.faults)));
    if let Some(proved) = now.proved {
        message.push_str(&format!(", {}.{} % proved", proved / 10, proved % 10));
    }
    let share = |time: Duration| (spent.as_millis() * 1000 / time.as_millis().max(1)) as u64;
    Moment { message, spent: budget.map(share) }
}

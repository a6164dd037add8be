//! How far an exploration is, on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use effects::explore::Phase;
use explore::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::output;

/// 128 + SIGINT.
const INTERRUPTED: i32 = 130;
/// How often the line is drawn anew.
const PACE: Duration = Duration::from_millis(100);

/// Lets the first Ctrl-C end the exploration with what it has, and the second one everything.
pub fn stop_on_interrupt(progress: &Progress, quiet: bool) -> anyhow::Result<()> {
    let progress = progress.clone();
    let handler = move || {
        if progress.is_stopped() {
            quit();
        }
        progress.stop();
        if !quiet {
            output::note("interrupted: finishing with what was found; once more to quit at once");
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")
}

#[allow(clippy::exit)] // The user does not want to wait for anything.
fn quit() -> ! {
    std::process::exit(INTERRUPTED)
}

/// A line that says how far it is; nothing if nobody watches. Gone when dropped.
pub struct Display {
    phase: Arc<AtomicU8>,
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Display {
    pub fn start(progress: &Progress, budget: Option<Duration>, quiet: bool) -> Display {
        let phase = Arc::new(AtomicU8::new(0));
        if quiet || !std::io::stderr().is_terminal() {
            return Display { phase, line: None };
        }
        let (end, ended) = mpsc::channel();
        let (progress, shared) = (progress.clone(), Arc::clone(&phase));
        let thread = thread::spawn(move || {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            let mut since = None;
            while ended.recv_timeout(PACE) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(message(&progress, shared.load(Relaxed), budget, &mut since));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Display { phase, line: Some((end, thread)) }
    }

    pub fn tell(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.line.take() {
            // The thread ends when it is told or when nobody can tell it any more.
            drop(end);
            let _ = thread.join();
        }
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

//! The progress line of a search, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use effects::trial::Phase;
use explore::{Progress, Snapshot};
use indicatif::{ProgressBar, ProgressStyle};
use source::BuildProgress;

use crate::output;

/// 128 + SIGINT.
const INTERRUPTED: i32 = 130;
/// How often the line is redrawn.
const PACE: Duration = Duration::from_millis(100);
const WITHOUT_BAR: &str = "{spinner} {msg}";
const WITH_BAR: &str = "{spinner} [{bar:24}] {msg}";

/// The first Ctrl-C ends the search with what it has found, the second one the process.
fn stop_on_interrupt(progress: &Progress, quiet: bool) -> anyhow::Result<()> {
    let progress = progress.clone();
    let handler = move || {
        if progress.is_stopped() {
            quit();
        }
        progress.stop();
        if !quiet {
            output::note(
                "interrupted: finishing with what was found; press Ctrl-C again to quit at once",
            );
        }
    };
    ctrlc::set_handler(handler).context("cannot handle Ctrl-C")
}

#[allow(clippy::exit)] // The user does not want to wait for anything.
fn quit() -> ! {
    std::process::exit(INTERRUPTED)
}

/// What Ripple is doing, in words.
fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Building => "building",
        Phase::Resuming => "reading the saved state",
        Phase::Searching(how) => how,
        Phase::Replaying => "replaying natively",
        Phase::Checking => "checking",
        Phase::Explaining => "explaining",
        Phase::Illustrating => "drawing",
    }
}

/// Does interruptible work while a line shows its progress: the time, the phase, and what `detail`
/// says of the counters.
pub fn watch<Done>(
    quiet: bool,
    budget: Option<Duration>,
    mut detail: impl FnMut(&Snapshot) -> String + Send + 'static,
    work: impl FnOnce(&Progress, &(dyn Fn(Phase) + Sync)) -> Done,
) -> anyhow::Result<Done> {
    let progress = Progress::new();
    let mut since = None;
    let mut moment = move |progress: &Progress, phase| {
        if matches!(phase, Phase::Building | Phase::Resuming) {
            return Moment { message: doing(phase).to_owned(), spent: None };
        }
        let spent = since.get_or_insert_with(Instant::now).elapsed();
        let of = budget.map(|time| format!(" of {}", time.as_secs())).unwrap_or_default();
        let detail = detail(&progress.snapshot());
        let message = format!("{}{of} s: {}, {detail}", spent.as_secs(), doing(phase));
        let share = |time: Duration| (spent.as_millis() * 1000 / time.as_millis().max(1)) as u64;
        Moment { message, spent: budget.map(share) }
    };
    stop_on_interrupt(&progress, quiet)?;
    let phase = Arc::new(Mutex::new(Phase::Building));
    let (watched, shared) = (progress.clone(), Arc::clone(&phase));
    let line = Line::start(quiet, move || {
        let phase = *shared.lock().unwrap_or_else(PoisonError::into_inner);
        moment(&watched, phase)
    });
    let done = work(&progress, &|now| {
        *phase.lock().unwrap_or_else(PoisonError::into_inner) = now;
    });
    drop(line);
    Ok(done)
}

/// Does work that builds something, while a line shows how far the build is.
pub fn while_building<Done>(
    quiet: bool,
    doing: String,
    work: impl FnOnce(&(dyn Fn(BuildProgress) + Sync)) -> Done,
) -> Done {
    let compilers = Arc::new(AtomicUsize::new(0));
    let shared = Arc::clone(&compilers);
    let since = Instant::now();
    let line = Line::start(quiet, move || {
        let (count, seconds) = (shared.load(Ordering::Relaxed), since.elapsed().as_secs());
        Moment { message: format!("{seconds} s: {doing}, {count} compiler runs"), spent: None }
    });
    let done = work(&|progress| compilers.store(progress.compilers, Ordering::Relaxed));
    drop(line);
    done
}

/// What the line shows at one moment.
struct Moment {
    message: String,
    /// The share of the budget that is spent, in thousandths; without it there is no bar.
    spent: Option<u64>,
}

/// The progress line, on a terminal only. Dropping it clears it.
struct Line(Option<(Sender<()>, JoinHandle<()>)>);

impl Line {
    fn start(quiet: bool, mut now: impl FnMut() -> Moment + Send + 'static) -> Line {
        if quiet || !std::io::stderr().is_terminal() {
            return Line(None);
        }
        let (end, ended) = mpsc::channel();
        let thread = thread::spawn(move || {
            let bar = ProgressBar::new(1000);
            while ended.recv_timeout(PACE) == Err(RecvTimeoutError::Timeout) {
                let Moment { message, spent } = now();
                let template = if spent.is_some() { WITH_BAR } else { WITHOUT_BAR };
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style.progress_chars("=> "));
                }
                bar.set_position(spent.unwrap_or(0).min(1000));
                bar.set_message(message);
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Line(Some((end, thread)))
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            // The thread ends when its channel closes.
            drop(end);
            let _ = thread.join();
        }
    }
}

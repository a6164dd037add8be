//! How far a search is, on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use effects::trial::Phase;
use explore::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// 128 + SIGINT.
const INTERRUPTED: i32 = 130;
/// How often the line is drawn anew.
const PACE: Duration = Duration::from_millis(100);
const WITHOUT_BAR: &str = "{spinner} {msg}";
const WITH_BAR: &str = "{spinner} [{bar:24}] {msg}";

/// Lets the first Ctrl-C end the search with what it has, and the second one everything.
fn stop_on_interrupt(progress: &Progress, quiet: bool) -> anyhow::Result<()> {
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

/// What is being done, in words.
pub fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Building => "building",
        Phase::Resuming => "taking up what is known",
        Phase::Searching(how) => how,
        Phase::Replaying => "replaying natively",
        Phase::Checking => "checking",
        Phase::Explaining => "explaining",
        Phase::Illustrating => "drawing",
    }
}

/// Does some work that can be interrupted and says what it is at, while a line shows how far it
/// is.
pub fn watch<Done>(
    quiet: bool,
    mut moment: impl FnMut(&Progress, Phase) -> Moment + Send + 'static,
    work: impl FnOnce(&Progress, &(dyn Fn(Phase) + Sync)) -> Done,
) -> anyhow::Result<Done> {
    let progress = Progress::new();
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

/// What the line says at one moment.
pub struct Moment {
    pub message: String,
    /// Which share of the budget is spent, in thousandths; no bar is drawn without.
    pub spent: Option<u64>,
}

/// A line that says how far it is; nothing if nobody watches. Gone when dropped.
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
            // The thread ends when it is told or when nobody can tell it any more.
            drop(end);
            let _ = thread.join();
        }
    }
}

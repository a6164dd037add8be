//! The process that does the work: case after case, on a thread with the stack of a main thread.
//! Reports its findings to its supervisor on standard output, and the current case in a file, in
//! case it does not survive it.

use std::collections::BTreeMap;
use std::io::{Seek, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, anyhow};

use super::corpus::Corpus;
use super::random::for_case;
use super::target::{Target, Trier, Wrong};
use super::{allocation, mutate, watch};

/// How long one case may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(10);
/// The stack of a process's main thread on Linux.
const STACK: usize = 8 << 20;

static CASE: AtomicU64 = AtomicU64::new(0);
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// The orders of a worker.
#[derive(Clone, Debug)]
pub struct Orders {
    pub target: Target,
    pub seed: u64,
    /// The first case.
    pub first: u64,
    pub time: Duration,
    /// The file for the number of the current case.
    pub progress: PathBuf,
}

/// The text of a case.
pub fn text_of(corpus: &Corpus, target: Target, seed: u64, case: u64) -> Vec<u8> {
    mutate::mutant(corpus, &mut for_case(seed, case), target.damage())
}

/// Works until the time is over.
pub fn work(root: &Path, orders: Orders) -> anyhow::Result<ExitCode> {
    let corpus = Corpus::load(root)?;
    let mut trier = Trier::new(root, orders.target)?;
    let mut progress = fs::File::create(&orders.progress).context("the file for the progress")?;
    prepare();
    on_big_stack(move || {
        let end = Instant::now() + orders.time;
        let mut tally = Tally::default();
        let mut next_report = Instant::now() + Duration::from_secs(1);
        for case in orders.first.. {
            CASE.store(case, Relaxed);
            progress.rewind()?;
            progress.write_all(&case.to_le_bytes())?;
            let text = text_of(&corpus, orders.target, orders.seed, case);
            let start = Instant::now();
            match attempt(&mut trier, &text, orders.seed ^ case) {
                Ok(outcome) => tally.count(&outcome),
                Err(Wrong { kind, what }) => {
                    tally.count("failure");
                    println!("fail\t{case}\t{kind}\t{what}");
                }
            }
            tally.note(case, start.elapsed());
            if Instant::now() > next_report {
                tally.print();
                next_report = Instant::now() + Duration::from_secs(1);
            }
            if Instant::now() > end {
                break;
            }
        }
        tally.print();
        Ok(ExitCode::SUCCESS)
    })
}

/// Tries one file.
pub fn check_file(root: &Path, target: Target, file: &Path) -> anyhow::Result<ExitCode> {
    let text = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let mut trier = Trier::new(root, target)?;
    prepare();
    on_big_stack(move || {
        let seed = super::report::seed_of(&text).unwrap_or(0);
        Ok(match attempt(&mut trier, &text, seed) {
            Ok(outcome) => {
                println!("ok\t{outcome}");
                ExitCode::SUCCESS
            }
            Err(Wrong { kind, what }) => {
                println!("fail\t0\t{kind}\t{what}");
                ExitCode::FAILURE
            }
        })
    })
}

fn prepare() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let message = text.or(payload.downcast_ref::<&str>().copied()).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(format!("{place}: {message}"));
        }
    }));
    allocation::start_counting();
    watch::start(TIME_LIMIT, || {
        println!("fail\t{}\thang\tmore than {} s", CASE.load(Relaxed), TIME_LIMIT.as_secs());
        // The only way to end a thread that does not end by itself.
        std::process::abort();
    });
}

fn attempt(trier: &mut Trier, text: &[u8], seed: u64) -> Result<String, Wrong> {
    let tried = panic::catch_unwind(AssertUnwindSafe(|| watch::timed(|| trier.check(text, seed))));
    tried.unwrap_or_else(|_| {
        let what = PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
        let what = what.replace(['\n', '\t'], " ");
        Err(Wrong { kind: "panic", what })
    })
}

fn on_big_stack(act: impl FnOnce() -> anyhow::Result<ExitCode> + Send) -> anyhow::Result<ExitCode> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, act)?;
        thread.join().map_err(|_| anyhow!("the worker itself panicked"))?
    })
}

/// How cases ended, and which took longest.
#[derive(Debug, Default)]
struct Tally {
    counts: BTreeMap<String, u64>,
    slowest: (Duration, u64),
}

impl Tally {
    fn count(&mut self, outcome: &str) {
        *self.counts.entry(outcome.to_owned()).or_default() += 1;
    }

    fn note(&mut self, case: u64, time: Duration) {
        self.slowest = self.slowest.max((time, case));
    }

    fn print(&self) {
        for (outcome, count) in &self.counts {
            println!("count\t{outcome}\t{count}");
        }
        println!("slowest\t{}\t{}", self.slowest.1, self.slowest.0.as_millis());
    }
}

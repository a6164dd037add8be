//! Inputs on which one version ends and the other does not within its bounds.
//!
//! A long run may still end. During the search, such inputs are run natively to their end, one
//! after the other, as long as there is time. The results of both native programs are then compared
//! like those of any other input; a version that still does not end is not known to be more than
//! slower.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

use base::Version;
use base::parallel::both;
use explore::pair::Slow;
use explore::{Pair, Stopwatch};
use inputs::Test;
use source::SourceError;
use trace::Observe;
use trace::outcome::Observable;

use crate::trial::{Native, Runner, natives_differ};

/// An input on which a version is much slower than the other.
#[derive(Clone, Debug)]
pub struct Slower {
    pub test: Test,
    /// The version that did not end within its bounds.
    pub version: Version,
    /// Steps of OLD and NEW on the machine, until the end or the bound.
    pub steps: [u64; 2],
    pub natively: Natively,
}

/// The native result of such an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Natively {
    /// Both end and behave the same.
    Same,
    /// A version did not end, in at least this many seconds.
    Unfinished { seconds: u64 },
    /// They differ, and behave differently each time.
    Undetermined,
    /// There was no time for it.
    NotRun,
}

/// Such an input and its result.
pub(super) struct Settled {
    pub slow: Slow,
    pub tests: [Test; 2],
    /// What differs and the runs of both, if both end and behave the same each time.
    pub differs: Option<(Observable, [Native; 2])>,
    /// The run of NEW with its own positions, if it is explored with those of OLD.
    pub written: Option<Native>,
    pub natively: Natively,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Slow>,
    /// Whether no more will come.
    is_closed: bool,
    settled: Vec<Settled>,
    error: Option<SourceError>,
}

/// Runs inputs natively that others submit.
pub(super) struct Slowly<'a> {
    runners: [&'a Runner<'a>; 2],
    /// NEW with its own positions, if it is explored with those of OLD.
    written: Option<&'a Runner<'a>>,
    pair: &'a Pair<'a>,
    observe: &'a Observe,
    /// Whether there is a reason to continue.
    is_wanted: &'a (dyn Fn() -> bool + Sync),
    queue: Mutex<Queue>,
    news: Condvar,
}

impl<'a> Slowly<'a> {
    pub fn new(
        runners: [&'a Runner<'a>; 2],
        written: Option<&'a Runner<'a>>,
        pair: &'a Pair<'a>,
        observe: &'a Observe,
        is_wanted: &'a (dyn Fn() -> bool + Sync),
    ) -> Slowly<'a> {
        let (queue, news) = (Mutex::default(), Condvar::new());
        Slowly { runners, written, pair, observe, is_wanted, queue, news }
    }

    pub fn add(&self, slow: &Slow) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // Two arenas may submit the same one.
        let is_known = |one: &Slow| one.assignment == slow.assignment;
        if !queue.waiting.iter().chain(queue.settled.iter().map(|one| &one.slow)).any(is_known) {
            queue.waiting.push_back(slow.clone());
            self.news.notify_one();
        }
    }

    /// No more will come.
    fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        self.news.notify_one();
    }

    /// Runs submitted inputs, until there are no more or nobody wants them.
    pub fn work(&self) {
        while let Some(slow) = self.next() {
            let settled = self.settle(slow);
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            match settled {
                Ok(settled) => queue.settled.push(settled),
                Err(error) => queue.error = Some(error),
            }
        }
    }

    fn next(&self) -> Option<Slow> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(slow) = queue.waiting.pop_front() {
                return Some(slow);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The results of all of them.
    pub fn settled(&self) -> Result<Vec<Settled>, SourceError> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.error.take().map_or_else(|| Ok(std::mem::take(&mut queue.settled)), Err)
    }

    fn settle(&self, slow: Slow) -> Result<Settled, SourceError> {
        let tests = tests_of(self.pair, self.runners, &slow.assignment);
        let natively = Natively::NotRun;
        let mut settled = Settled { slow, tests, differs: None, written: None, natively };
        if !(self.is_wanted)() {
            return Ok(settled);
        }
        let watch = Stopwatch::start();
        let natives = self.run(&settled.tests)?;
        let seconds = watch.elapsed().as_secs();
        if natives.iter().any(|native| native.status().is_none()) {
            if seconds > 0 {
                settled.natively = Natively::Unfinished { seconds };
            }
            return Ok(settled);
        }
        settled.natively = Natively::Same;
        if let Some(differs) = natives_differ(self.observe, &natives[0], &natives[1]) {
            if self.run(&settled.tests)? == natives {
                self.settle_as_written(&mut settled, differs, natives)?;
            } else {
                settled.natively = Natively::Undetermined;
            }
        }
        Ok(settled)
    }

    /// A difference must be one between the programs as written, with their own positions.
    fn settle_as_written(
        &self,
        settled: &mut Settled,
        differs: Observable,
        natives: [Native; 2],
    ) -> Result<(), SourceError> {
        if let Some(runner) = self.written {
            let watch = Stopwatch::start();
            let run = || runner.run_while(&settled.tests[1], self.is_wanted);
            let [first, second] = both(|_| run());
            let (first, second) = (first?, second?);
            if first.status().is_none() || second.status().is_none() {
                settled.natively = Natively::Unfinished { seconds: watch.elapsed().as_secs() };
                return Ok(());
            }
            if first != second {
                settled.natively = Natively::Undetermined;
                return Ok(());
            }
            if natives_differ(self.observe, &natives[0], &first).is_none() {
                return Ok(());
            }
            settled.written = Some(first);
        }
        settled.differs = Some((differs, natives));
        Ok(())
    }

    /// Both versions, in parallel.
    fn run(&self, tests: &[Test; 2]) -> Result<[Native; 2], SourceError> {
        let run =
            |version: Version| self.runners[version].run_while(&tests[version], self.is_wanted);
        let [old, new] = both(run);
        Ok([old?, new?])
    }
}

/// Closes the queue when dropped.
pub(super) struct Closing<'a>(pub &'a Slowly<'a>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// An input of the common space as a test of each version.
pub(super) fn tests_of(
    pair: &Pair<'_>,
    runners: [&Runner<'_>; 2],
    assignment: &[u64],
) -> [Test; 2] {
    let mut own = Vec::new();
    Version::BOTH.map(|version| {
        pair.side(version).assignment_into(assignment, &mut own);
        let subject = runners[version].subject;
        let input = subject.layout.decode(&own);
        subject.native_test(&Test { input, ..Test::default() }, &own)
    })
}

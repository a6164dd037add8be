//! The strategy `partitions`: explores partitions and runs the input of each on both versions.

use base::Version;
use smt::PathCounts;

use super::Subject;
use super::explorer::Explorer;
use crate::budget::Stopped;
use crate::guidance::Guidance;
use crate::pair::{Advance, Arena, Proof, Searcher, Side};
use crate::proved::{Summary, Wanted};
use crate::saved::StateError;
use crate::symbolic::Seeds;

/// Inputs to draw from a partition to check it.
const SAMPLES: usize = 6;

/// The exploration of two versions' partitions as a strategy among others.
pub struct Partitioning<'p> {
    explorer: Explorer<'p>,
    /// The effort that was already charged.
    runs: u64,
    questions: PathCounts,
    /// Lines of the explorer's state that were already passed on.
    kept: usize,
    /// How many times the usual conflicts a query may take: more and more once all easier ones are
    /// answered.
    patience: u32,
}

/// The factor by which patience grows.
const MORE_PATIENCE: u32 = 16;

impl<'p> Partitioning<'p> {
    /// Begins with the given inputs.
    pub fn new(
        arena: &Arena<'p>,
        name: &[u8],
        given: &[Box<[u64]>],
        guidance: &'p Guidance,
    ) -> Partitioning<'p> {
        let mut explorer = explorer(arena, name, guidance);
        explorer.start(&Seeds::new(arena.pair.layout(), given, false).take(arena));
        Partitioning { explorer, runs: 0, questions: PathCounts::default(), kept: 0, patience: 1 }
    }

    /// Resumes from the lines of an earlier search, which are numbered. Runs its inputs on both
    /// versions, too.
    pub fn resume(
        arena: &mut Arena<'p>,
        name: &[u8],
        lines: &[(usize, &str)],
        guidance: &'p Guidance,
    ) -> Result<Partitioning<'p>, StateError> {
        let mut explorer = explorer(arena, name, guidance);
        explorer.resume_lines(lines)?;
        for input in explorer.inputs_run() {
            if arena.exhausted() == Some(Stopped::Interrupted) {
                break;
            }
            arena.try_input(input);
        }
        let (runs, questions) = (explorer.spent().0, explorer.questions());
        let kept = explorer.saved_lines();
        Ok(Partitioning { explorer, runs, questions, kept, patience: 1 })
    }
}

/// A query that may take more conflicts.
fn patient(question: smt::Budget, times: u32) -> smt::Budget {
    let conflicts = question.conflicts.map(|conflicts| conflicts.saturating_mul(times));
    smt::Budget { conflicts, ..question }
}

fn explorer<'p>(arena: &Arena<'p>, name: &[u8], guidance: &'p Guidance) -> Explorer<'p> {
    let subjects = Version::BOTH.map(|version| {
        let Side { concolic: program, layout, caller, cells, .. } = *arena.pair.side(version);
        Subject { program, layout, caller, cells }
    });
    let (observe, question) = (arena.observe.clone(), arena.question());
    let mut explorer =
        Explorer::new(&subjects, name, arena.limits, observe, question, Some(guidance));
    explorer.keep_hard();
    explorer
}

impl Searcher for Partitioning<'_> {
    fn name(&self) -> &'static str {
        "partitions"
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        let explorer = &mut self.explorer;
        explorer.set_question(patient(arena.question(), self.patience));
        let until = arena.effort.work().saturating_add(work);
        while arena.effort.work() < until && arena.exhausted().is_none() {
            if explorer.is_done() {
                if !explorer.reopen() {
                    return Advance::Done;
                }
                self.patience = self.patience.saturating_mul(MORE_PATIENCE);
                explorer.set_question(patient(arena.question(), self.patience));
            }
            if let Some(stepped) = explorer.step() {
                arena.try_input(&stepped.input);
                // Debug builds may take the time to check proofs.
                if cfg!(debug_assertions) {
                    let mut differs = |input: &[u64]| arena.probe(input).is_some();
                    let number = stepped.partition;
                    let wrong = explorer.counterexample(number, SAMPLES, 1, &mut differs);
                    assert!(wrong.is_none(), "{wrong:?} breaks what its partition claims");
                }
            }
            if explorer.saved_lines() > self.kept {
                arena.keep(|| explorer.saved_since(self.kept));
                self.kept = explorer.saved_lines();
            }
            let (runs, questions) = (explorer.spent().0, explorer.questions());
            arena.charge_concolic(runs - self.runs);
            arena.charge_questions(&self.questions, &questions);
            (self.runs, self.questions) = (runs, questions);
        }
        explorer.tell(arena.progress());
        Advance::More
    }

    fn proof(&self) -> Option<Proof> {
        Some(self.explorer.proof())
    }

    fn summary(&mut self, tests: &[Box<[u64]>], wanted: Wanted) -> Option<Summary> {
        self.explorer.set_tests(tests);
        self.explorer.summary(wanted)
    }
}

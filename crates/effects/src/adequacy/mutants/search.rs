//! Whether a mutant does the same as NEW on the whole input space, and inputs on which it may not.
//!
//! Explores partitions of NEW and the mutant within a budget of runs, so that the result does not
//! depend on the time; the first partition that differs ends the exploration.

use exec::{Instrumentation, Limits, Program};
use explore::partitions::{Explorer, Subject, explore_watched};
use explore::proved::Verdict;
use explore::{Budget, Progress, Stopwatch};
use ir::Module;

use super::super::runs::Ran;
use super::super::{NAME, Options};
use crate::pairing::Ready;
use crate::versions::Versions;

/// Steps of an exploration, conflicts of the solver per query, and explorations of one request.
const MOST_RUNS: u64 = 400;
const MOST_CONFLICTS: u32 = 2_000;
const MOST_SEARCHES: usize = 200;
/// Steps of a run.
const MOST_STEPS: u64 = 1_000_000;
/// Inputs of tests to begin with.
const MOST_TESTS: usize = 16;

/// What an exploration found.
pub(super) enum Found {
    /// Both do the same on all inputs.
    Equal,
    /// They may differ on these inputs; none, if nothing is known.
    Candidates(Vec<Box<[u64]>>),
}

/// Explores mutants.
pub(super) struct Search<'a> {
    options: &'a Options,
    ready: &'a Ready<'a>,
    /// NEW with all statements marked, if it can be run this way.
    original: Option<Program>,
    tests: Vec<Box<[u64]>>,
    progress: &'a Progress,
    watch: &'a Stopwatch,
    /// How many explorations are left.
    left: usize,
}

impl<'a> Search<'a> {
    pub fn new(
        options: &'a Options,
        versions: &Versions,
        ready: &'a Ready<'a>,
        ran: &Ran,
        progress: &'a Progress,
        watch: &'a Stopwatch,
    ) -> Search<'a> {
        let entry = &ready.new.program.module.functions[ready.new.program.entry].name;
        let original = marked(versions.new.module.clone(), entry);
        let reaching = ran.tests.iter().filter(|test| !test.reached.is_empty());
        let tests = reaching.map(|test| test.assignment.clone()).take(MOST_TESTS).collect();
        Search { options, ready, original, tests, progress, watch, left: MOST_SEARCHES }
    }

    /// `None` if there is no budget left for it.
    pub fn examine(&mut self, mutant: Module, entry: &str) -> Option<Found> {
        let time = match self.options.budget.time {
            Some(time) => Some(time.checked_sub(self.watch.elapsed())?),
            None => None,
        };
        if self.left == 0 || self.progress.is_stopped() {
            return None;
        }
        self.left -= 1;
        let original = self.original.as_ref()?;
        let mutant = marked(mutant, entry)?;
        let side = self.ready.new_side();
        let subject = |program| Subject {
            program,
            layout: side.layout,
            caller: side.caller,
            cells: side.cells,
        };
        let subjects = [subject(original), subject(&mutant)];
        let budget = Budget {
            time,
            runs: Some(MOST_RUNS),
            conflicts: Some(MOST_CONFLICTS),
            ..self.options.budget.clone()
        };
        let Options { limits, observe, .. } = self.options;
        let limits = Limits { steps: limits.steps.min(MOST_STEPS), ..*limits };
        let question = smt::Budget::default();
        let mut explorer = Explorer::new(&subjects, NAME, limits, observe.clone(), question, None);
        explorer.start(&self.tests);
        let differs = |explorer: &Explorer<'_>| {
            let list = &explorer.found().list;
            list.last().is_some_and(|partition| partition.verdict == Verdict::Different)
        };
        let look_on = |explorer: &Explorer<'_>| if differs(explorer) { Err(()) } else { Ok(()) };
        // Numbers of an exploration are none of tests.
        let own = Progress::new();
        let ended = explore_watched(&mut explorer, budget, &own, look_on);
        if ended == Ok(None) && explorer.found().proves_equality() {
            return Some(Found::Equal);
        }
        let list = explorer.found().list.iter();
        let different = list.filter(|partition| partition.verdict == Verdict::Different);
        Some(Found::Candidates(different.map(|partition| partition.input.clone()).collect()))
    }
}

fn marked(module: Module, entry: &str) -> Option<Program> {
    Program::new(module, entry, Instrumentation { statements: true }).ok()
}

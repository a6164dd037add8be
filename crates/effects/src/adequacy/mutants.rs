//! Small edits of the changed statements of NEW, and whether tests notice them.
//!
//! Each mutant is NEW with one instruction altered in the IR; nothing is rebuilt. The tests that
//! reach the statement run on the machine, and are compared with their runs of NEW. If none notices
//! the mutant, its partitions are explored within a small budget (`search`): either they prove that it
//! does the same as NEW on all of the input space, or they show an input that a test could have, or it
//! stays undecided. Differences are not replayed natively.

mod edits;
mod search;

use base::Version;
use exec::{Instrumentation, Limits, Program, Stop};
use explore::pair::Plain;
use explore::{Progress, Side, Stopwatch};
use inputs::Input;
use inputs::snapshot::Comparer;
use ir::{FuncId, InstId, Module};
use trace::chains::Point;

use super::runs::{Ran, TestRun};
use super::{NAME, Options};
use crate::pairing::Ready;
use crate::trial::{Place, Places};
use crate::versions::Versions;

pub use edits::Edit;

use self::edits::{Mutation, mutations};
use self::search::{Found, Search};

/// The most mutants.
const MOST_MUTANTS: usize = 1_000;
/// The most steps of a run: an edit of a loop's condition may make it endless.
const MOST_STEPS: u64 = 5_000_000;

/// An edit of a changed statement, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    pub place: Place,
    pub edit: Edit,
    pub fate: Fate,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// A test notices it: its number from 0.
    Killed { test: usize },
    /// These many tests reach it, and none notices it; a test with this input would.
    Survived { tests: usize, input: Box<Input> },
    /// It does the same as NEW on all of the input space.
    Equivalent,
    /// No test reaches it.
    Unreached,
    /// A run does not end within its bounds, or the budget ended.
    Undecided,
    /// These many tests reach it, and none notices it; whether an input would is not known.
    Unnoticed { tests: usize },
}

/// All mutants in the order of their statements.
pub(super) fn mutants(
    options: &Options,
    versions: &Versions,
    ready: &Ready<'_>,
    points: &[Point],
    ran: &Ran,
    progress: &Progress,
    watch: &Stopwatch,
) -> Vec<Mutant> {
    let module = &versions.new.module;
    let places = ready.new.places();
    let limits = Limits { steps: options.limits.steps.min(MOST_STEPS), ..options.limits };
    let mut trial = Trial {
        options,
        ready,
        places,
        limits,
        original: Plain::new(ready.new_side(), NAME, limits, options.observe.leaks),
        comparer: Comparer::default(),
        search: Search::new(options, versions, ready, ran, progress, watch),
    };
    let is_over = || {
        let is_spent = options.budget.time.is_some_and(|time| watch.elapsed() >= time);
        is_spent || progress.is_stopped()
    };
    let mut mutants = Vec::new();
    for point in points.iter().filter(|point| point.version == Version::New) {
        let tests: Vec<(usize, &TestRun)> =
            ran.tests.iter().enumerate().filter(|(_, test)| test.reached.contains(point)).collect();
        let function = module.statements[point.statement].function;
        for (inst, edit, mutation) in mutations(module, point.statement) {
            if mutants.len() >= MOST_MUTANTS {
                return mutants;
            }
            let Some(place) = trial.places.of_statement(point.statement) else { continue };
            let fate = match tests.is_empty() {
                true => Fate::Unreached,
                false if is_over() => Fate::Undecided,
                false => trial.fate(module, (function, inst), mutation, &tests),
            };
            mutants.push(Mutant { place, edit, fate });
        }
    }
    mutants
}

/// Runs mutants and NEW.
struct Trial<'a> {
    options: &'a Options,
    ready: &'a Ready<'a>,
    places: Places<'a>,
    limits: Limits,
    original: Plain<'a>,
    comparer: Comparer,
    search: Search<'a>,
}

impl Trial<'_> {
    fn fate(
        &mut self,
        module: &Module,
        at: (FuncId, InstId),
        mutation: Mutation,
        tests: &[(usize, &TestRun)],
    ) -> Fate {
        let mut module = module.clone();
        mutation.apply(&mut module, at);
        let entry = &self.ready.new.program.module.functions[self.ready.new.program.entry].name;
        let Ok(program) = Program::new(module, entry, Instrumentation::default()) else {
            return Fate::Undecided;
        };
        let side = Side { program: &program, concolic: &program, ..self.ready.new_side() };
        let mut mutant = Plain::new(side, NAME, self.limits, self.options.observe.leaks);
        let mut is_known = true;
        for &(number, test) in tests {
            self.original.run(&test.assignment);
            mutant.run(&test.assignment);
            let (one, other) = (self.original.seen(), mutant.seen());
            let contrast = self.options.observe.contrast(&one, &other, &mut self.comparer);
            if contrast.differs().is_some_and(|observable| !observable.is_silent()) {
                return Fate::Killed { test: number };
            }
            is_known &= has_ended(self.original.stop()) && has_ended(mutant.stop());
        }
        if !is_known {
            return Fate::Undecided;
        }
        let Some(found) = self.search.examine(program.module.clone(), entry) else {
            return Fate::Unnoticed { tests: tests.len() };
        };
        match found {
            Found::Equal => Fate::Equivalent,
            Found::Candidates(inputs) => {
                let noticed = inputs.iter().find(|input| {
                    self.original.run(input);
                    mutant.run(input);
                    let (one, other) = (self.original.seen(), mutant.seen());
                    let contrast = self.options.observe.contrast(&one, &other, &mut self.comparer);
                    contrast.differs().is_some_and(|observable| !observable.is_silent())
                });
                match noticed {
                    Some(input) => {
                        let input = Box::new(self.ready.new.layout.decode(input));
                        Fate::Survived { tests: tests.len(), input }
                    }
                    None => Fate::Unnoticed { tests: tests.len() },
                }
            }
        }
    }
}

fn has_ended(stop: &Stop) -> bool {
    matches!(stop, Stop::Exit(_) | Stop::Signal(_) | Stop::Fault(_))
}

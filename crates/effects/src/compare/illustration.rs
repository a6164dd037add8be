//! What a report with sources and graphs shows besides the differences themselves: the texts of
//! both versions with annotated lines, what the given tests do with the change, and drawings of the
//! change.
//!
//! Collected only on request, because it takes runs and analyses that the verdict does not need.
//! Omissions are counted, never silent.

mod diff;
mod functions;
mod pictures;
mod runs;
mod sources;
mod trials;

use std::time::Duration;

use base::Version;
use explore::pair::Arena;
use explore::{Stopwatch, affordable_events};
use graphs::Drawing;
use inputs::Test;

use super::{Observable, Witness};
use crate::marked::Tracing;
use crate::versions::Versions;

pub use self::diff::ChangeText;
use self::sources::Texts;

/// Time for runs of witnesses, and as much for those of tests: at most, and even if the budget is
/// exhausted.
pub(super) const MOST_TIME: Duration = Duration::from_secs(2);
pub(super) const LEAST_TIME: Duration = Duration::from_millis(200);
/// The largest program in statements for which graphs are made.
pub(super) const MOST_STATEMENTS: usize = 30_000;
/// The most changes to follow.
const MOST_CHANGES: usize = 400;

/// What is shown besides the differences.
#[derive(Clone, Debug, Default)]
pub struct Illustration {
    /// In the order of their names.
    pub files: Vec<SourceFile>,
    /// Lines that witnesses executed and infected; without those for which there was no time.
    pub runs: Vec<RunLines>,
    /// The given tests' runs.
    pub tests: Vec<TestRun>,
    /// Given tests that were not run, because there are too many or they are not in the space.
    pub tests_left_out: usize,
    pub pictures: Vec<Picture>,
    /// Whether the possible effects of the change are known. If not, the program is too large, or
    /// there was no time.
    pub has_effects: bool,
    /// The change as people know it.
    pub change: ChangeText,
}

/// A file of either version, or of both.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// Its name in NEW, or else in OLD.
    pub name: String,
    pub sides: [Option<SideFile>; 2],
}

/// A file of one version. Lines are ascending.
#[derive(Clone, Debug, Default)]
pub struct SideFile {
    /// As in places.
    pub name: String,
    /// `None` if it could not be read.
    pub text: Option<Vec<u8>>,
    /// Lines with statements.
    pub code: Vec<u32>,
    pub changed: Vec<u32>,
    /// Lines that the change may affect, including the changed ones.
    pub affected: Vec<u32>,
    /// By first line.
    pub functions: Vec<FunctionLines>,
}

/// A function with code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionLines {
    pub name: String,
    pub first: u32,
    /// The last line with a statement.
    pub last: u32,
    /// Whether it is changed, on the way of an explained difference, or calls one that is.
    pub matters: bool,
}

/// A line of a file: the file's number, and the line.
pub type FileLine = (usize, u32);

/// What a run on one input did, in OLD and in NEW. Ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLines {
    /// The input, like that of a witness.
    pub assignment: Box<[u64]>,
    pub executed: [Vec<FileLine>; 2],
    /// Lines whose state or decisions differ from those of the other version.
    pub infected: [Vec<FileLine>; 2],
    /// Whether the run was too long to be followed to its end.
    pub truncated: bool,
}

/// The run of a given test.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// Among all tests given, from 1.
    pub number: usize,
    pub test: Test,
    /// Numbers of the changes that it executes, in either version.
    pub changes: Vec<usize>,
    /// What differs on it between runs of the machine.
    pub differs: Option<Observable>,
}

/// The subject of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// In which orders changes can be executed, and where they may interfere; with the cyclomatic
    /// change complexity.
    Sequences { complexity: u64 },
    /// The dependences in a changed function.
    Dependences { function: String },
}

/// A drawing whose boxes are places of the source.
#[derive(Clone, Debug)]
pub struct Picture {
    pub subject: Subject,
    pub drawing: Drawing,
    /// By box.
    pub boxes: Vec<BoxMeaning>,
    /// Boxes that are omitted because there would be too many.
    pub left_out: usize,
}

/// What a box stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoxMeaning {
    pub at: Option<(Version, FileLine)>,
    pub changed: bool,
    pub affected: bool,
}

impl Illustration {
    /// The run of a witness.
    pub fn run_of(&self, witness: &Witness) -> Option<&RunLines> {
        // The same numbers mean something else in another space.
        let is_it = |run: &&RunLines| run.assignment == witness.assignment;
        self.runs.iter().filter(|_| witness.builds.is_none()).find(is_it)
    }
}

/// What is shown without a run: the texts with annotated lines, and drawings. Made during the
/// search.
pub(super) struct Setting<'v> {
    texts: Texts<'v>,
    pictures: Vec<Picture>,
    has_effects: bool,
}

impl<'v> Setting<'v> {
    /// Omits whatever needs graphs if it `is_over` before they are made.
    pub fn new(versions: &'v Versions, is_over: &dyn Fn() -> bool) -> Setting<'v> {
        let mut texts = Texts::new(versions);
        let modules = [&versions.old.module, &versions.new.module];
        let statements: usize = modules.iter().map(|module| module.statements.len()).sum();
        let is_small = statements <= MOST_STATEMENTS && versions.numbered.len() <= MOST_CHANGES;
        let has_effects = is_small && texts.mark_affected(is_over);
        let pictures =
            if has_effects { pictures::draw(versions, &texts, is_over) } else { Vec::new() };
        Setting { texts, pictures, has_effects }
    }
}

/// The sources alone, if nothing had to run.
pub(super) fn sources_of(versions: &Versions) -> Illustration {
    let texts = Texts::new(versions);
    Illustration { files: texts.finish(&[]), has_effects: true, ..Illustration::default() }
}

/// Adds the runs of witnesses and of tests, each within this time if there is a bound.
pub(super) fn illustrate(
    setting: Setting<'_>,
    arena: &mut Arena<'_>,
    versions: &Versions,
    tests: &[Test],
    witnesses: &[Witness],
    tracing: &Tracing<'_>,
    time: Option<Duration>,
) -> Illustration {
    let Setting { texts, pictures, has_effects } = setting;
    let watch = Stopwatch::start();
    let runs = witnesses.iter().filter_map(|witness| {
        let left = time.map(|time| time.saturating_sub(watch.elapsed()));
        let events =
            left.map_or(runs::MOST_EVENTS, |left| affordable_events(left, runs::MOST_EVENTS));
        let lines = || runs::lines(tracing, &arena.pair, &witness.assignment, &texts, events);
        left.is_none_or(|left| !left.is_zero()).then(lines).flatten()
    });
    let runs = runs.collect();
    let (tests, tests_left_out) = trials::run(arena, versions, tests, time);
    let files = texts.finish(witnesses);
    let change = ChangeText::default();
    Illustration { files, runs, tests, tests_left_out, pictures, has_effects, change }
}

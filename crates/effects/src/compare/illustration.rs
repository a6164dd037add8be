//! What a report with sources and graphs shows besides the differences themselves: the texts of
//! both versions with what is known about their lines, what the given tests do with the change,
//! and drawings of the change.
//!
//! Gathered only if somebody asks, because it takes runs and analyses that the verdict does not
//! need. What is too much to gather is counted, never silently left out.

mod pictures;
mod runs;
mod sources;
mod trials;

use std::time::Duration;

use base::Version;
use explore::Stopwatch;
use explore::pair::Arena;
use graphs::Drawing;
use inputs::Test;

use super::marked::Tracing;
use super::{Observable, Witness};
use crate::versions::Versions;

use self::sources::Texts;

/// Time that runs of witnesses may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// Statements of a program beyond which no graphs are made of it.
const MOST_STATEMENTS: usize = 30_000;
/// Changes that are followed at most.
const MOST_CHANGES: usize = 400;

/// What is shown besides the differences.
#[derive(Clone, Debug, Default)]
pub struct Illustration {
    /// In the order of their names.
    pub files: Vec<SourceFile>,
    /// Lines that witnesses executed and infected; not for those that there was no time for.
    pub runs: Vec<RunLines>,
    /// What the given tests do.
    pub tests: Vec<TestRun>,
    /// Given tests that were not run, because there are too many or they are not in the space.
    pub tests_left_out: usize,
    pub pictures: Vec<Picture>,
    /// Whether it was found out what the change may affect. If not, the program is too large, or
    /// there was no time for it.
    pub has_effects: bool,
}

/// A file of either version, or of both.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// What it is called in NEW, or else in OLD.
    pub name: String,
    pub sides: [Option<SideFile>; 2],
}

/// A file of one version. Lines are ascending.
#[derive(Clone, Debug, Default)]
pub struct SideFile {
    /// As places have it.
    pub name: String,
    /// Nothing if it could not be read.
    pub text: Option<Vec<u8>>,
    /// Lines with statements.
    pub code: Vec<u32>,
    pub changed: Vec<u32>,
    /// Lines that the change may affect; the changed ones are among them.
    pub affected: Vec<u32>,
}

/// A line of a file: the file's number, and the line.
pub type FileLine = (usize, u32);

/// What a run on one input did, in OLD and in NEW. Ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLines {
    /// The input, as that of a witness.
    pub assignment: Box<[u64]>,
    pub executed: [Vec<FileLine>; 2],
    /// Lines whose state or decisions differ from those of the other version.
    pub infected: [Vec<FileLine>; 2],
    /// Whether the run was too long to be followed to its end.
    pub truncated: bool,
}

/// What a given test does.
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

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// In which orders changes can be executed, and where they may meet; with the cyclomatic
    /// change complexity.
    Sequences { complexity: u64 },
    /// What depends on what in a changed function.
    Dependences { function: String },
}

/// A drawing whose boxes are places of the source.
#[derive(Clone, Debug)]
pub struct Picture {
    pub subject: Subject,
    pub drawing: Drawing,
    /// By box.
    pub boxes: Vec<BoxMeaning>,
    /// Boxes that are not drawn because there would be too many.
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
    /// What a witness did.
    pub fn run_of(&self, witness: &Witness) -> Option<&RunLines> {
        // The numbers of another space mean something else.
        let is_it = |run: &&RunLines| run.assignment == witness.assignment;
        self.runs.iter().filter(|_| witness.builds.is_none()).find(is_it)
    }
}

/// What is shown without a run: the texts with what is known about their lines, and drawings.
/// Made while the search is under way.
pub(super) struct Setting<'v> {
    texts: Texts<'v>,
    pictures: Vec<Picture>,
    has_effects: bool,
}

impl<'v> Setting<'v> {
    /// What takes graphs is left out if it `is_over` before they are made.
    pub fn new(versions: &'v Versions, is_over: &dyn Fn() -> bool) -> Setting<'v> {
        let mut texts = Texts::new(versions);
        let modules = [&versions.old.module, &versions.new.module];
        let statements: usize = modules.iter().map(|module| module.statements.len()).sum();
        let is_small = statements <= MOST_STATEMENTS && versions.numbered.len() <= MOST_CHANGES;
        let has_effects = is_small && texts.mark_affected(is_over);
        let pictures = match has_effects {
            true => pictures::draw(versions, &texts, is_over),
            false => Vec::new(),
        };
        Setting { texts, pictures, has_effects }
    }
}

/// The sources alone, where nothing had to be run.
pub(super) fn sources_of(versions: &Versions) -> Illustration {
    let texts = Texts::new(versions);
    Illustration { files: texts.finish(), has_effects: true, ..Illustration::default() }
}

/// Adds what witnesses and tests do.
pub(super) fn illustrate(
    setting: Setting<'_>,
    arena: &mut Arena<'_>,
    versions: &Versions,
    tests: &[Test],
    witnesses: &[Witness],
    tracing: &Tracing<'_>,
) -> Illustration {
    let Setting { texts, pictures, has_effects } = setting;
    let watch = Stopwatch::start();
    let runs = witnesses.iter().filter_map(|witness| {
        let is_late = watch.elapsed() >= PATIENCE;
        let lines = || runs::lines(tracing, &arena.pair, &witness.assignment, &texts);
        (!is_late).then(lines).flatten()
    });
    let runs = runs.collect();
    let (tests, tests_left_out) = trials::run(arena, versions, tests);
    Illustration { files: texts.finish(), runs, tests, tests_left_out, pictures, has_effects }
}

//! The exploration of one program, as a user requests it.
//!
//! Loads the program, determines what may vary, explores, keeps some of the inputs as tests, and
//! runs every kept test again: on the machine for its output and coverage, and natively to check
//! the machine. A path whose native run differs is a bug in Ripple and is reported as such; a fault
//! of the program is reported with the behaviour of the native program. Results are plain data;
//! other code words them.

pub mod coverage;
pub mod replay;
mod rerun;
pub(crate) mod select;

use std::path::PathBuf;

use exec::Stop;
use exec::stop::{Bound, Unsupported};
use explore::{Effort, Exploration, Gap, Options, Progress};
use inputs::{Alias, Assumption, Origin, Space, Test};
use source::NativeProgram;

use crate::error::Error;
use crate::trial::{Fault, Misfit, Phase, Place, Places, Runner, Scope, Subject, Target};

pub use coverage::{Coverage, FileCoverage};
pub use replay::Replay;
pub use rerun::MachineOutcome;

/// The program to explore, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub scope: Scope<'a>,
    pub files: &'a [PathBuf],
    pub options: Options,
    /// How many tests to keep at most; faults are always kept.
    pub most_tests: usize,
}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Explored {
    pub files: Vec<PathBuf>,
    pub entry: Option<String>,
    /// Where the input space comes from.
    pub origin: Origin,
    /// The part of it that was chosen rather than declared.
    pub chosen: Space,
    /// What is assumed about parameters.
    pub assumptions: Vec<Assumption>,
    /// Parameters that may be the same object.
    pub aliases: Vec<Alias>,
    /// Tests that are not in the space.
    pub misfits: Vec<Misfit>,
    pub ends: Ends,
    /// Why there may be more paths; empty if all were found.
    pub gaps: Vec<Incomplete>,
    pub faults: Vec<FoundFault>,
    pub tests: Vec<KeptTest>,
    /// Paths without a kept test.
    pub left_out: u64,
    pub coverage: Coverage,
    pub effort: Effort,
    /// The C text that calls the entry, if it is not `main`.
    pub harness: Option<String>,
    /// The program on which tests were replayed.
    pub native: NativeProgram,
}

impl Explored {
    pub fn paths(&self) -> u64 {
        let Ends { exited, faulted, unsupported, exhausted } = self.ends;
        exited + faulted + unsupported + exhausted
    }

    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Tests on which the machine and the native program do not agree.
    pub fn internal_errors(&self) -> impl Iterator<Item = &KeptTest> {
        self.tests.iter().filter(|test| matches!(test.replay, Replay::Disagrees { .. }))
    }

    /// Whether any run ended by itself or by a fault.
    pub fn is_conclusive(&self) -> bool {
        self.ends.exited + self.ends.faulted > 0
    }
}

/// How many paths had which ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub exited: u64,
    pub faulted: u64,
    pub unsupported: u64,
    pub exhausted: u64,
}

/// Why an exploration may have missed something, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incomplete {
    pub gap: Gap,
    pub place: Option<Place>,
}

/// A fault of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFault {
    pub fault: Fault,
    /// The number of paths with this fault.
    pub paths: u64,
    /// Which of the tests shows it.
    pub test: usize,
}

/// Why a test is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Fault,
    /// It covers something that no test before it does.
    Covers,
    /// It takes a path of its own.
    Path,
}

/// An input that takes a path of its own, and what it does.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptTest {
    pub test: Test,
    pub assignment: Box<[u64]>,
    pub why: Why,
    /// The test in the form for the native program: for a function, as input of the harness.
    pub native_test: Test,
    /// The memory of parameters and global variables, by name, for formats that show it.
    pub memory: Vec<(String, Vec<u8>)>,
    pub machine: MachineOutcome,
    pub replay: Replay,
}

/// Explores a program. If `progress` is told to stop, the result is what was found so far.
pub fn explore(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Explored, Error> {
    tell(Phase::Building);
    let Request { scope, files, options, .. } = request;
    let target = Target { scope: scope.clone(), files, common: None };
    let subject = Subject::load(&target)?;
    tell(Phase::Searching("exploring"));
    let found =
        explore::explore(&subject.program, &subject.layout, &subject.seeds, options, progress)?;
    let runner = Runner::new(&subject);
    let selection = select::select(&subject.layout, &found, request.most_tests);
    tell(Phase::Replaying);
    let rerun = rerun::rerun(&subject, &selection, options)?;
    let replays = replay::replay(&runner, &selection, &rerun, options.jobs)?;
    let ends = ends(&found);
    let kept = selection.len() as u64;
    let tests: Vec<KeptTest> = selection
        .into_iter()
        .zip(rerun.outcomes)
        .zip(replays)
        .map(|((selected, machine), replay)| KeptTest {
            native_test: subject.native_test(&selected.test, &selected.assignment),
            memory: subject.memory(&selected.assignment),
            test: selected.test,
            assignment: selected.assignment,
            why: selected.why,
            machine,
            replay,
        })
        .collect();
    let paths = found.paths.len() as u64;
    Ok(Explored {
        files: files.to_vec(),
        entry: scope.entry.map(str::to_owned),
        origin: subject.origin,
        chosen: subject.chosen(scope.flags)?,
        assumptions: subject.layout.assumptions().to_vec(),
        aliases: subject.layout.aliases.iter().map(|(alias, _)| alias.clone()).collect(),
        ends,
        gaps: gaps(&found.gaps, &runner.places),
        faults: faults(&found, &runner.places),
        tests,
        left_out: paths.saturating_sub(kept),
        coverage: coverage::measure(&runner.places, &found.covered, &rerun.statements),
        effort: found.effort,
        misfits: subject.misfits,
        harness: subject.harness.map(|harness| harness.text.clone()),
        native: subject.native,
    })
}

fn ends(found: &Exploration) -> Ends {
    let mut ends = Ends::default();
    for path in &found.paths {
        let count = match path.stop {
            Stop::Exit(_) | Stop::Signal(_) => &mut ends.exited,
            Stop::Fault(_) => &mut ends.faulted,
            Stop::Unsupported(_) => &mut ends.unsupported,
            Stop::Exhausted(_) => &mut ends.exhausted,
        };
        *count += 1;
    }
    ends
}

fn gaps(gaps: &[Gap], places: &Places<'_>) -> Vec<Incomplete> {
    let mut told: Vec<Incomplete> = Vec::with_capacity(gaps.len());
    for gap in gaps {
        let site = match gap {
            Gap::Pinned { pin } => Some(pin.site),
            Gap::Diverged { site } => *site,
            Gap::Unknown { site, .. } | Gap::ManyValues { site } | Gap::Contradiction { site } => {
                Some(*site)
            }
            Gap::Unsupported(unsupported) => {
                let Unsupported { site, .. } = **unsupported;
                site
            }
            Gap::Exhausted(Bound::Steps | Bound::Memory | Bound::Output | Bound::Depth)
            | Gap::Stopped(_)
            | Gap::Sampled => None,
        };
        told.push(Incomplete { gap: gap.clone(), place: site.map(|site| places.of(site)) });
    }
    told
}

/// Faults in the order of their tests.
fn faults(found: &Exploration, places: &Places<'_>) -> Vec<FoundFault> {
    let all = found.faults.iter().enumerate();
    let fault = |(test, found): (usize, &explore::FaultFound)| FoundFault {
        fault: Fault::new(&found.fault, places),
        paths: found.paths,
        test,
    };
    all.map(fault).collect()
}

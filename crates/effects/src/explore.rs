//! The exploration of one program, as a user asks for it.
//!
//! Loads the program, finds out what may vary, explores, keeps some of the inputs as tests, and
//! runs every kept test again: on the machine for what it prints and covers, and natively to see
//! that the machine is right. A path whose native run differs is a fault of ours and is reported
//! as such; a fault of the program is reported with what the native program did. Results are
//! plain data; words are made elsewhere.

pub mod coverage;
pub(crate) mod place;
pub mod replay;
mod rerun;
pub(crate) mod select;
pub(crate) mod subject;

use std::path::PathBuf;
use std::sync::OnceLock;

use exec::stop::{Bound, FaultKind, Unsupported};
use exec::{Program, Stop};
use explore::{Effort, Exploration, Gap, Options, Progress};
use inputs::{Alias, Assumption, Evidence, Flags, Mismatch, Origin, Test};
use source::{NativeProgram, SourceError};
use thiserror::Error;

use crate::program::{LoadError, Loader};

pub use coverage::{Coverage, FileCoverage};
pub use place::Place;
pub use replay::{NativeOutcome, Replay};
pub use rerun::MachineOutcome;

use self::place::Places;
use self::subject::Subject;

/// What a user wants explored.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub loader: Loader<'a>,
    pub files: &'a [PathBuf],
    /// The function to explore instead of `main`.
    pub entry: Option<&'a str>,
    pub flags: &'a Flags,
    pub tests: &'a [Test],
    /// How versions use the parameters of the entry, if there are several; else the files are
    /// looked at alone.
    pub evidence: Option<&'a OnceLock<Evidence>>,
    pub options: Options,
    /// How many tests to keep at most; faults are always kept.
    pub most_tests: usize,
    /// Symbols of global variables that are observed after a call of the function, if that is
    /// not for the function itself to say.
    pub observed: Option<&'a OnceLock<Vec<String>>>,
}

#[derive(Debug, Error)]
pub enum ExploreError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Input(#[from] inputs::Error),
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Arguments are those of `main`.
    #[error("a function has parameters, not arguments; with --entry, say --param instead of {0}")]
    ArgumentsOfFunction(&'static str),
    /// Parameters without a function.
    #[error("{0} speaks of one function; name it with --entry")]
    NoEntry(&'static str),
    /// A function can be called natively from its C text only.
    #[error("`{0}` is not defined in any of the C files, so it cannot be called natively")]
    NoSource(String),
    #[error(transparent)]
    WorkerPanicked(#[from] explore::WorkerPanicked),
}

impl ExploreError {
    /// Whether the program as given does not build.
    pub fn is_build_failure(&self) -> bool {
        match self {
            ExploreError::Load(error) => error.is_build_failure(),
            ExploreError::Source(error) => error.is_build_failure(),
            _ => false,
        }
    }
}

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Explored {
    pub files: Vec<PathBuf>,
    pub entry: Option<String>,
    /// Where the input space comes from.
    pub origin: Origin,
    /// What is taken for granted about parameters.
    pub assumptions: Vec<Assumption>,
    /// Parameters that may be the same object.
    pub aliases: Vec<Alias>,
    /// Tests that are not in the space.
    pub misfits: Vec<Misfit>,
    pub ends: Ends,
    /// Why there may be more paths; nothing if all were found.
    pub gaps: Vec<Incomplete>,
    pub faults: Vec<FoundFault>,
    pub tests: Vec<KeptTest>,
    /// Paths of which no test was kept.
    pub left_out: u64,
    pub coverage: Coverage,
    pub effort: Effort,
    /// The C text that calls the entry, if it is not `main`.
    pub harness: Option<String>,
    /// What tests were replayed on.
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

/// How many paths ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub exited: u64,
    pub faulted: u64,
    pub unsupported: u64,
    pub exhausted: u64,
}

/// A test that is not in the space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Counted from 1.
    pub number: usize,
    pub name: Option<String>,
    pub mismatch: Mismatch,
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
    pub kind: FaultKind,
    /// The name of the object concerned, if it is a local variable.
    pub local: Option<String>,
    /// Innermost call first.
    pub stack: Vec<Place>,
    pub allocated: Option<Place>,
    pub freed: Option<Place>,
    /// On how many paths it happens.
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
    /// The test as the native program takes it: for a function, as input of the harness.
    pub native_test: Test,
    /// The memory of parameters and global variables, by name, for formats that show it.
    pub memory: Vec<(String, Vec<u8>)>,
    pub machine: MachineOutcome,
    pub replay: Replay,
}

/// What is being done, for those who wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Building,
    Exploring,
    Replaying,
}

/// Explores a program. What is found so far is the result if `progress` is told to stop.
pub fn explore(
    request: &Request<'_>,
    progress: &Progress,
    tell: &dyn Fn(Phase),
) -> Result<Explored, ExploreError> {
    tell(Phase::Building);
    let subject = Subject::load(request)?;
    tell(Phase::Exploring);
    let found = explore::explore(
        &subject.program,
        &subject.layout,
        &subject.seeds,
        &request.options,
        progress,
    )?;
    let places = Places::new(&subject.program, request.loader.compiler);
    let selection = select::select(&subject.layout, &found, request.most_tests);
    tell(Phase::Replaying);
    let rerun = rerun::rerun(&subject, &selection, &request.options)?;
    let replays = replay::replay(request, &subject, &selection, &rerun)?;
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
        files: request.files.to_vec(),
        entry: request.entry.map(str::to_owned),
        origin: subject.origin,
        assumptions: subject.layout.assumptions().to_vec(),
        aliases: subject.layout.aliases.iter().map(|(alias, _)| alias.clone()).collect(),
        ends,
        gaps: gaps(&found.gaps, &places),
        faults: faults(&found, &places, &subject.program),
        tests,
        left_out: paths.saturating_sub(kept),
        coverage: coverage::measure(&subject.program, &places, &found.covered, &rerun.statements),
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
fn faults(found: &Exploration, places: &Places<'_>, program: &Program) -> Vec<FoundFault> {
    let all = found.faults.iter().enumerate();
    all.map(|(test, found)| {
        let fault = &found.fault;
        let local = fault.allocated.and_then(|site| program.local_name(site));
        FoundFault {
            kind: fault.kind.clone(),
            local: local.map(str::to_owned),
            stack: fault.stack.iter().map(|&site| places.of(site)).collect(),
            allocated: fault.allocated.map(|site| places.of(site)),
            freed: fault.freed.map(|site| places.of(site)),
            paths: found.paths,
            test,
        }
    })
    .collect()
}

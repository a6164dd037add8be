//! The versions to verify, ready for concolic runs.
//!
//! What changed is known between neighbours; tables that guide an exploration are for exactly two
//! versions.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use exec::{Instrumentation, Program};
use explore::CellFrom;
use explore::guidance::Guidance;
use explore::partitions::Subject;
use inputs::{Evidence, Harness, Layout, Origin, Space};
use ir::{FuncId, Module, StatementId};
use source::{Checkout, Compiler};

use super::tables::tables;
use super::{Request, VerifyError};
use crate::compare::guidance::guidance;
use crate::explore::ExploreError;
use crate::explore::subject;
use crate::observed::observed_in;
use crate::program::{Libc, LoadError, Loader};
use crate::space::{Cells, CommonSpace, common};
use crate::versions::{HunkMeaning, Side, Versions, Ways};

/// What each version is loaded with.
pub(super) struct Sources {
    compilers: Vec<Compiler>,
    /// Variables that are observed after a call of a function, known once versions are loaded.
    observed: OnceLock<Vec<String>>,
    /// How all versions use the parameters of the entry, once they are loaded.
    evidence: OnceLock<Evidence>,
}

impl Sources {
    pub fn new(request: &Request<'_>) -> Sources {
        let compiler = request.loader.compiler;
        let compilers = request.versions.iter().map(|version| version.compiler(compiler));
        Sources {
            compilers: compilers.collect(),
            observed: OnceLock::new(),
            evidence: OnceLock::new(),
        }
    }

    /// The same, with the versions' own positions; nothing if they are these already.
    pub fn as_written(request: &Request<'_>) -> Option<Sources> {
        let compiler = request.loader.compiler;
        let moved = request.versions.iter().any(|version| !version.held_positions().is_empty());
        let written = request.versions.iter().map(|version| version.as_written());
        moved.then(|| Sources {
            compilers: written.map(|one| one.compiler(compiler)).collect(),
            observed: OnceLock::new(),
            evidence: OnceLock::new(),
        })
    }

    /// Each version as a subject of its own.
    pub fn singles<'a>(&'a self, request: &'a Request<'a>) -> Vec<crate::explore::Request<'a>> {
        let all = self.compilers.iter().zip(request.versions);
        let single = |(compiler, checkout): (&'a Compiler, &'a Checkout)| {
            let cflags = request.loader.cflags.clone();
            crate::explore::Request {
                loader: Loader { compiler, cflags, libc: Libc::Open },
                files: &checkout.files,
                entry: request.entry,
                flags: request.flags,
                tests: request.tests,
                evidence: Some(&self.evidence),
                options: explore::Options { limits: request.options.limits, ..Default::default() },
                most_tests: 1,
                observed: Some(&self.observed),
            }
        };
        all.map(single).collect()
    }
}

pub(super) struct Subjects {
    versions: Vec<Loaded>,
    /// By version, what changed between it and its neighbours.
    changed: Vec<Vec<StatementId>>,
    /// Whether nothing that the programs do changed from the first to the last.
    pub is_unchanged: bool,
    /// How the common space is made.
    pub space: CommonSpace,
    pub origin: Origin,
    /// What was chosen of it rather than declared.
    pub chosen: Space,
    /// The tests that are in the space.
    pub tests: Vec<Box<[u64]>>,
    /// For two versions.
    pub guidance: Option<Guidance>,
    /// From each version to the next.
    pub steps: Vec<Change>,
}

/// What changed from a version to the next.
pub(super) struct Change {
    pub hunks: Vec<HunkMeaning>,
    pub ways: Ways,
}

/// One version.
pub(super) struct Loaded {
    pub program: Program,
    /// Its own; of the newest version, the common one.
    layout: Layout,
    /// Where its cells come from; one to one from the common space if nothing is said.
    cells: Cells,
    /// How the function is called natively, unless it is `main`.
    caller: Option<Harness>,
    /// By function, whether it is the program's own, and not one of the C library.
    own: Vec<bool>,
}

impl Subjects {
    pub fn load(
        request: &Request<'_>,
        singles: &[crate::explore::Request<'_>],
    ) -> Result<Subjects, VerifyError> {
        if request.versions.len() < 2 {
            return Err(VerifyError::TooFew);
        }
        // What is wrong about the flags alone is said before anything is compiled.
        let at = |number: usize| move |cause| VerifyError::Side { number, cause };
        subject::check_flags(&singles[0]).map_err(at(0))?;
        let mut sides = Vec::new();
        for (number, single) in singles.iter().enumerate() {
            let checkout = &request.versions[number];
            let loaded = single.loader.load(single.files);
            let module = loaded.map_err(ExploreError::from).map_err(at(number))?.module;
            sides.push(Side { checkout: checkout.clone(), module });
        }
        if let (Some(entry), Some(observed)) = (request.entry, singles[0].observed) {
            observed.get_or_init(|| observed_in(entry, request.flags, &sides));
        }
        if let (Some(entry), Some(evidence)) = (request.entry, singles[0].evidence) {
            let modules = sides.iter().map(|side| &side.module);
            evidence.get_or_init(|| Evidence::of(modules, entry));
        }
        let (mut versions, mut known) = (Vec::new(), (Origin::Declared, Space::default()));
        for (number, (single, side)) in singles.iter().zip(&sides).enumerate() {
            let (loaded, its_space) = load_one(single, side).map_err(at(number))?;
            versions.push(loaded);
            known = its_space;
        }
        let (origin, chosen) = known;
        let space = share(&mut versions);
        let changes = Changes::between(sides, request, &versions)?;
        let Changes { changed, is_unchanged, guidance, steps } = changes;
        let tests = Vec::new();
        let mut subjects = Subjects {
            versions,
            changed,
            is_unchanged,
            space,
            origin,
            chosen,
            tests,
            guidance,
            steps,
        };
        subjects.tests = tests_in(request, subjects.layout());
        Ok(subjects)
    }

    /// The common space: that of the newest version.
    pub fn layout(&self) -> &Layout {
        &self.versions[self.versions.len() - 1].layout
    }

    /// Where the cells of a version come from.
    pub fn cells(&self, version: usize) -> Option<&[CellFrom]> {
        self.versions[version].cells.as_deref()
    }

    pub fn subjects(&self) -> Vec<Subject<'_>> {
        let all = self.versions.iter();
        all.map(|Loaded { program, layout, cells, caller, .. }| Subject {
            program,
            layout,
            caller: caller.as_ref(),
            cells: cells.as_deref(),
        })
        .collect()
    }

    pub fn program(&self, version: usize) -> &Program {
        &self.versions[version].program
    }

    pub fn is_own(&self, version: usize, function: FuncId) -> bool {
        self.versions[version].own.get(function.as_u32() as usize).is_some_and(|&own| own)
    }

    pub fn count(&self) -> usize {
        self.versions.len()
    }

    pub fn changed(&self) -> Vec<Vec<StatementId>> {
        self.changed.clone()
    }
}

/// What is known of neighbours.
struct Changes {
    changed: Vec<Vec<StatementId>>,
    is_unchanged: bool,
    guidance: Option<Guidance>,
    steps: Vec<Change>,
}

impl Changes {
    fn between(
        sides: Vec<Side>,
        request: &Request<'_>,
        versions: &[Loaded],
    ) -> Result<Changes, VerifyError> {
        let loader = Loader { libc: Libc::Open, ..request.loader.clone() };
        let mut steps = Vec::new();
        let count = sides.len();
        let mut changed: Vec<BTreeSet<StatementId>> = vec![BTreeSet::new(); count];
        let (mut is_unchanged, mut known) = (true, None);
        let mut rest = sides.into_iter();
        let mut old = rest.next();
        for (number, new) in rest.enumerate() {
            let Some(before) = old.take() else { break };
            let both = Versions::of(before, new);
            is_unchanged &= both.alignment.is_empty();
            steps.push(Change {
                hunks: both.hunks_soon(&loader)?,
                ways: Ways::new(&both, request.entry),
            });
            let matching = both.matching();
            for (index, version) in explore::Version::BOTH.into_iter().enumerate() {
                changed[number + index].extend(matching.changes(version));
            }
            if count == 2 {
                let entries = [0, 1].map(|index: usize| versions[index].program.entry);
                let guidance = guidance(&both, entries);
                let wanted = request.options.slices;
                let slicing = wanted.then(|| tables(&both, &guidance.matching));
                known = Some(Guidance { slicing, ..guidance });
            }
            old = Some(both.new);
        }
        let changed = changed.into_iter().map(|of| of.into_iter().collect()).collect();
        Ok(Changes { changed, is_unchanged, guidance: known, steps })
    }
}

/// A version, and where its space comes from with what was chosen of it.
fn load_one(
    single: &crate::explore::Request<'_>,
    side: &Side,
) -> Result<(Loaded, (Origin, Space)), ExploreError> {
    let own = side.module.functions.keys().map(|function| side.is_own(function)).collect();
    if single.entry.is_some() {
        let subject = subject::Subject::with_module(single, side.module.clone())?;
        let program = subject.instrumented()?;
        let known = (subject.origin, subject.chosen(single.flags, single.tests)?);
        let (layout, caller) = (subject.layout, subject.harness.map(Arc::unwrap_or_clone));
        return Ok((Loaded { program, layout, cells: None, caller, own }, known));
    }
    let (space, origin) = single.flags.program_space(single.tests)?;
    let program = marked(side.module.clone(), "main")?;
    let loaded = Loaded { program, layout: space.layout(), cells: None, caller: None, own };
    Ok((loaded, (origin, space)))
}

/// Traces and slices see all statements.
fn marked(module: Module, entry: &str) -> Result<Program, LoadError> {
    Ok(Program::new(module, entry, Instrumentation { statements: true })?)
}

/// Lets versions take their input from what they have in common.
fn share(versions: &mut [Loaded]) -> CommonSpace {
    let Some((newest, older)) = versions.split_last_mut() else { return CommonSpace::default() };
    let layouts: Vec<&Layout> = older.iter().map(|version| &version.layout).collect();
    let (cells, space) = common(&layouts, &mut newest.layout);
    older.iter_mut().zip(cells).for_each(|(version, cells)| version.cells = cells);
    space
}

/// The tests that are in the space.
fn tests_in(request: &Request<'_>, layout: &Layout) -> Vec<Box<[u64]>> {
    let tests = request.tests.iter().filter_map(|test| layout.encode(&test.input).ok());
    tests.filter(|test| layout.contains(test)).map(Vec::into_boxed_slice).collect()
}

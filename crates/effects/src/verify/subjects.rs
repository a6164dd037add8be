//! The versions to verify, ready for concolic runs.
//!
//! Changes are known between neighbours; tables that guide an exploration are for exactly two
//! versions.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::entity::EntityRef;
use exec::{Instrumentation, Program};
use explore::CellFrom;
use explore::guidance::Guidance;
use explore::partitions::{Explorer, Subject};
use explore::proved::Partition;
use inputs::{Harness, Layout, Origin, Space};
use ir::{FuncId, Module, StatementId};

use super::Request;
use crate::error::Error;
use crate::guidance::guidance;
use crate::program::{Libc, Loader};
use crate::proved::Described;
use crate::space::{Cells, CommonSpace, common};
use crate::tables::tables;
use crate::trial::{self, Scope, Sources, Target, check_flags};
use crate::versions::{HunkMeaning, Side, Versions, Ways};

/// The sources of the versions, followed by the same with their own positions, if some have those
/// of another.
pub(super) fn sources<'a>(request: &Request<'a>) -> Sources<'a> {
    let mut sources = Sources::new(Libc::Open);
    for version in request.versions {
        sources.add(&request.scope, version);
    }
    if request.versions.iter().any(|version| !version.held_positions().is_empty()) {
        for version in request.versions {
            sources.add_written(&request.scope, version);
        }
    }
    sources
}

pub(super) struct Subjects {
    versions: Vec<Loaded>,
    /// By version, what changed between it and its neighbours.
    changed: Vec<Vec<StatementId>>,
    /// Whether the behaviour of the programs did not change from the first to the last.
    pub is_unchanged: bool,
    /// How the common space was derived.
    pub space: CommonSpace,
    pub origin: Origin,
    /// The part of it that was chosen rather than declared.
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
    /// Its own; for the newest version, the common one.
    layout: Layout,
    /// The sources of its cells; one to one from the common space if `None`.
    cells: Cells,
    /// The native caller of the function, unless it is `main`.
    caller: Option<Harness>,
    /// By function, whether it is the program's own, and not one of the C library.
    own: Vec<bool>,
}

impl Subjects {
    pub fn load(request: &Request<'_>, sources: &Sources<'_>) -> Result<Subjects, Error> {
        if request.versions.len() < 2 {
            return Err(Error::TooFewVersions);
        }
        // Report errors in the flags before compiling anything.
        let at = |number: usize| Error::of(format!("v{number}"));
        let targets = sources.targets(&request.scope);
        check_flags(&targets[0]).map_err(at(0))?;
        let mut sides = Vec::new();
        for (number, checkout) in request.versions.iter().enumerate() {
            let target = &targets[number];
            let loaded = target.scope.loader.load(target.files);
            let module = loaded.map_err(at(number))?.module;
            sides.push(Side::new(checkout.clone(), module));
        }
        sources.learn(&request.scope, &sides);
        let (mut versions, mut known) = (Vec::new(), (Origin::Declared, Space::default()));
        for (number, (target, side)) in targets.iter().zip(&sides).enumerate() {
            let (loaded, its_space) = load_one(target, side).map_err(at(number))?;
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

    /// By version, the sources of its cells.
    pub fn all_cells(&self) -> Vec<Option<&[CellFrom]>> {
        self.versions.iter().map(|version| version.cells.as_deref()).collect()
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

    pub fn describe(&self, explorer: &Explorer<'_>, one: &Partition) -> Described {
        let versions = 0..one.changes.len();
        let modules: Vec<&Module> = versions.map(|number| &self.program(number).module).collect();
        let is_own = |version: usize, function| self.is_own(version, function);
        Described::new(explorer.told(one), self.layout(), &modules, &is_own)
    }

    pub fn program(&self, version: usize) -> &Program {
        &self.versions[version].program
    }

    pub fn is_own(&self, version: usize, function: FuncId) -> bool {
        self.versions[version].own.get(function.index()).is_some_and(|&own| own)
    }

    pub fn count(&self) -> usize {
        self.versions.len()
    }

    pub fn changed(&self) -> Vec<Vec<StatementId>> {
        self.changed.clone()
    }
}

/// What is known about neighbours.
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
    ) -> Result<Changes, Error> {
        let loader = Loader { libc: Libc::Open, ..request.scope.loader.clone() };
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
                hunks: both.hunks_soon(&loader, &|| false)?,
                ways: Ways::new(&both, request.scope.entry),
            });
            let matching = both.matching();
            for (index, version) in base::Version::BOTH.into_iter().enumerate() {
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

/// A version, and the origin of its space with the part that was chosen.
fn load_one(target: &Target<'_>, side: &Side) -> Result<(Loaded, (Origin, Space)), Error> {
    let own = side.module.functions.keys().map(|function| side.is_own(function)).collect();
    let Scope { entry, flags, .. } = &target.scope;
    if entry.is_some() {
        let subject = trial::Subject::with_module(target, side.module.clone())?;
        let program = subject.instrumented()?;
        let known = (subject.origin, subject.chosen(flags)?);
        let (layout, caller) = (subject.layout, subject.harness.map(Arc::unwrap_or_clone));
        return Ok((Loaded { program, layout, cells: None, caller, own }, known));
    }
    let (space, origin) = target.program_space(&side.module)?;
    let program = marked(side.module.clone(), "main")?;
    let loaded = Loaded { program, layout: space.layout(), cells: None, caller: None, own };
    Ok((loaded, (origin, space)))
}

/// Traces and slices see all statements.
fn marked(module: Module, entry: &str) -> Result<Program, Error> {
    Ok(Program::new(module, entry, Instrumentation { statements: true })?)
}

/// Lets versions take their input from the common space.
fn share(versions: &mut [Loaded]) -> CommonSpace {
    let Some((newest, older)) = versions.split_last_mut() else { return CommonSpace::default() };
    let layouts: Vec<&Layout> = older.iter().map(|version| &version.layout).collect();
    let (cells, space) = common(&layouts, &mut newest.layout);
    older.iter_mut().zip(cells).for_each(|(version, cells)| version.cells = cells);
    space
}

/// The tests that are in the space.
fn tests_in(request: &Request<'_>, layout: &Layout) -> Vec<Box<[u64]>> {
    let tests = request.scope.tests.iter().filter_map(|test| layout.encode(&test.input).ok());
    tests.filter(|test| layout.contains(test)).map(Vec::into_boxed_slice).collect()
}

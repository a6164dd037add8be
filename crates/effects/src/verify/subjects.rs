//! The versions to verify, ready for concolic runs.

use exec::{Instrumentation, Program};
use explore::guidance::Guidance;
use explore::partitions::Subject;
use inputs::{Harness, Layout, Origin};
use ir::Module;

use super::tables::tables;
use super::{Request, VerifyError};
use crate::compare::guidance::guidance;
use crate::explore::ExploreError;
use crate::explore::subject;
use crate::program::{Libc, LoadError, Loader};
use crate::versions::{Side, Versions};

pub(super) struct Subjects {
    versions: Vec<Loaded>,
    pub layout: Layout,
    pub origin: Origin,
    /// The input to begin with.
    pub first: Box<[u64]>,
    /// The tests that are in the space.
    pub tests: Vec<Box<[u64]>>,
    /// For two versions.
    pub guidance: Option<Guidance>,
}

/// One version.
pub(super) struct Loaded {
    pub program: Program,
    /// How the function is called natively, unless it is `main`.
    caller: Option<Harness>,
}

impl Subjects {
    pub fn load(request: &Request<'_>) -> Result<Subjects, VerifyError> {
        if request.versions.len() < 2 {
            return Err(VerifyError::TooFew);
        }
        let loader = Loader { libc: Libc::Open, ..request.loader.clone() };
        let mut sides = Vec::new();
        for checkout in request.versions {
            sides.push(Side::load(&loader, checkout, "a version")?);
        }
        let mut versions = Vec::new();
        let mut common: Option<(Layout, Origin)> = None;
        for (index, side) in sides.iter().enumerate() {
            let at = |cause| VerifyError::Side { number: index + 1, cause };
            let (loaded, layout, origin) = load_one(request, side).map_err(at)?;
            match &common {
                Some((known, _)) if !is_same(known, &layout) => {
                    return Err(VerifyError::OtherInput { number: index + 1 });
                }
                Some(_) => {}
                None => common = Some((layout, origin)),
            }
            versions.push(loaded);
        }
        let (layout, origin) = common.ok_or(VerifyError::TooFew)?;
        let tests = tests_in(request, &layout);
        let first = tests.first().cloned().unwrap_or_else(|| plain_input(&layout));
        let guidance = match <[Side; 2]>::try_from(sides) {
            Ok([old, new]) => {
                let entry = versions[1].program.entry;
                let versions = Versions::of(old, new);
                let guidance = guidance(&versions, entry);
                let wanted = request.options.slices;
                let slicing = wanted.then(|| tables(&versions, &guidance.matching));
                Some(Guidance { slicing, ..guidance })
            }
            Err(_) => None,
        };
        Ok(Subjects { versions, layout, origin, first, tests, guidance })
    }

    pub fn subjects(&self) -> Vec<Subject<'_>> {
        let all = self.versions.iter();
        all.map(|Loaded { program, caller }| Subject {
            program,
            layout: &self.layout,
            caller: caller.as_ref(),
        })
        .collect()
    }

    pub fn program(&self, version: usize) -> &Program {
        &self.versions[version].program
    }
}

fn load_one(request: &Request<'_>, side: &Side) -> Result<(Loaded, Layout, Origin), ExploreError> {
    let compiler = side.checkout.compiler(request.loader.compiler);
    let loader = Loader { compiler: &compiler, libc: Libc::Open, ..request.loader.clone() };
    let single = crate::explore::Request {
        loader,
        files: &side.checkout.files,
        entry: request.entry,
        flags: request.flags,
        tests: request.tests,
        options: explore::Options { limits: request.options.limits, ..Default::default() },
        most_tests: 1,
    };
    subject::check_flags(&single)?;
    if request.entry.is_some() {
        let subject = subject::Subject::with_module(&single, side.module.clone())?;
        let program = subject.instrumented()?;
        let (layout, origin) = (subject.layout.clone(), subject.origin);
        return Ok((Loaded { program, caller: subject.harness }, layout, origin));
    }
    let (space, origin) = request.flags.program_space(request.tests)?;
    let program = marked(side.module.clone(), "main")?;
    Ok((Loaded { program, caller: None }, space.layout(), origin))
}

/// Traces and slices see all statements.
fn marked(module: Module, entry: &str) -> Result<Program, LoadError> {
    Ok(Program::new(module, entry, Instrumentation { statements: true })?)
}

fn is_same(one: &Layout, other: &Layout) -> bool {
    let cells = one.cells.values().zip(other.cells.values());
    one.cells.len() == other.cells.len() && cells.into_iter().all(|(a, b)| a == b)
}

/// The tests that are in the space.
fn tests_in(request: &Request<'_>, layout: &Layout) -> Vec<Box<[u64]>> {
    let fits = |test: &Vec<u64>| {
        layout.cells.iter().all(|(id, cell)| cell.domain.contains(test[id.position()]))
    };
    let tests = request.tests.iter().filter_map(|test| layout.encode(&test.input).ok());
    tests.filter(fits).map(Vec::into_boxed_slice).collect()
}

fn plain_input(layout: &Layout) -> Box<[u64]> {
    layout.cells.values().map(|cell| cell.domain.plain()).collect()
}

//! Both versions, compiled, laid side by side, and ready to run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use inputs::Evidence;
use ir::Module;
use source::Compiler;

use super::{CompareError, Request};
use crate::both::both;
use crate::explore::ExploreError;
use crate::explore::subject::{Subject, check_entry, check_flags};
use crate::observed::observed_in;
use crate::program::{Libc, Loader};
use crate::versions::Versions;

/// What each version is loaded with: a compiler in its own directory.
pub(super) struct Requests<'a> {
    /// Of OLD, NEW and the golden version.
    compilers: Vec<Compiler>,
    /// Of NEW with its own positions.
    written: Compiler,
    request: &'a Request<'a>,
    /// Variables that are observed after a call of a function, known once versions are loaded.
    observed: OnceLock<Vec<String>>,
    /// How both versions use the parameters of the entry.
    evidence: OnceLock<Evidence>,
}

impl<'a> Requests<'a> {
    pub fn new(request: &'a Request<'a>) -> Requests<'a> {
        let compiler = request.loader.compiler;
        let checkouts = [request.old, request.new].into_iter().chain(request.golden);
        let compilers = checkouts.map(|checkout| checkout.compiler(compiler)).collect();
        let written = request.new.as_written().compiler(compiler);
        let (observed, evidence) = (OnceLock::new(), OnceLock::new());
        Requests { compilers, written, request, observed, evidence }
    }

    /// The same versions, asked for otherwise; what is known of them once they are loaded is known.
    pub fn like<'b>(&self, request: &'b Request<'b>) -> Requests<'b> {
        let (observed, evidence) = (self.observed.clone(), self.evidence.clone());
        Requests { observed, evidence, ..Requests::new(request) }
    }

    /// NEW with its own positions, if it was compiled with those of OLD.
    pub fn explore_written(&self) -> Option<crate::explore::Request<'_>> {
        let moved = !self.request.new.held_positions().is_empty();
        moved.then(|| self.explore_files(&self.written, &self.request.new.files))
    }

    /// A version as a subject of its own; the third is the golden one.
    pub fn explore(&self, index: usize) -> crate::explore::Request<'_> {
        let Request { old, new, golden, .. } = *self.request;
        let checkouts = [old, new, golden.unwrap_or(new)];
        self.explore_files(&self.compilers[index], &checkouts[index].files)
    }

    /// Other files as a subject of their own, with a compiler in their directory.
    pub fn explore_files<'f>(
        &'f self,
        compiler: &'f Compiler,
        files: &'f [PathBuf],
    ) -> crate::explore::Request<'f> {
        let Request { entry, flags, tests, ref loader, ref options, .. } = *self.request;
        crate::explore::Request {
            loader: Loader { compiler, cflags: loader.cflags.clone(), libc: Libc::Quick },
            files,
            entry,
            flags,
            tests,
            evidence: Some(&self.evidence),
            options: explore::Options { limits: options.limits, ..explore::Options::default() },
            most_tests: 1,
            observed: Some(&self.observed),
        }
    }

    /// Observes the variables that the entry of either version may write to.
    fn observe(&self, versions: &Versions) {
        if let Some(entry) = self.request.entry {
            let (flags, sides) = (self.request.flags, [&versions.old, &versions.new]);
            self.observed.get_or_init(|| observed_in(entry, flags, sides));
        }
    }

    pub fn compiler(&self, index: usize) -> &Compiler {
        &self.compilers[index]
    }

    /// How both versions use the parameters of the entry, once they are loaded.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.get()
    }

    pub fn request(&self) -> &'a Request<'a> {
        self.request
    }
}

/// What the versions are called where one of them is at fault.
pub(super) const NAMES: [&str; 3] = ["OLD", "NEW", "the golden version"];

/// Loads both versions and lays them side by side.
pub(super) fn load(requests: &Requests<'_>) -> Result<Versions, CompareError> {
    let request = requests.request();
    // What is wrong about the flags alone is said before anything is compiled.
    let of = |cause| CompareError::Side { which: NAMES[1], cause };
    check_flags(&requests.explore(1)).map_err(of)?;
    let loader = Loader { libc: Libc::Quick, ..request.loader.clone() };
    let [old, new] = Versions::sides(&loader, request.old, request.new)?;
    let modules = [&old.module, &new.module];
    if let Some(entry) = request.entry {
        requests.evidence.get_or_init(|| Evidence::of(modules, entry));
        // A function that cannot be called is refused before the versions are laid side by side,
        // unless it need not be called because nothing changed.
        for (index, module) in modules.into_iter().enumerate().filter(|_| differ_plainly(modules)) {
            let of = |cause| CompareError::Side { which: NAMES[index], cause };
            check_entry(&requests.explore(index), module, entry).map_err(of)?;
        }
    }
    let versions = Versions::of(old, new);
    requests.observe(&versions);
    Ok(versions)
}

/// Whether a function has more or less code in one version than in the other, which is quick to
/// tell.
fn differ_plainly([old, new]: [&Module; 2]) -> bool {
    let size = |function: &ir::Function| Some(function.body()?.insts.len());
    let known: BTreeMap<&str, usize> = old
        .functions
        .values()
        .filter_map(|function| Some((function.name.as_str(), size(function)?)))
        .collect();
    new.functions.values().any(|function| {
        let before = known.get(function.name.as_str());
        before.is_some_and(|&before| size(function).is_some_and(|after| after != before))
    })
}

/// Another version, if there is one, ready to be run natively: the golden one, or NEW as it is
/// written.
pub(super) fn other<'a>(
    request: Option<&'a crate::explore::Request<'a>>,
    which: &'static str,
) -> Result<Option<Subject<'a>>, CompareError> {
    let of = |cause| CompareError::Side { which, cause };
    request.map(Subject::load).transpose().map_err(of)
}

/// Makes both versions ready to run and builds their native programs, side by side.
pub(super) fn subjects<'a>(
    requests: [&'a crate::explore::Request<'a>; 2],
    versions: &Versions,
) -> Result<[Subject<'a>; 2], CompareError> {
    let Versions { old, new, .. } = versions;
    let load = |index: usize| {
        let module = [old, new][index].module.clone();
        let of = |cause: ExploreError| CompareError::Side { which: NAMES[index], cause };
        Subject::with_module(requests[index], module).map_err(of)
    };
    let [old, new] = both(load);
    Ok([old?, new?])
}

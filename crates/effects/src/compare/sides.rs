//! Both versions, compiled, aligned, and ready to run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::Version;
use base::parallel::both;
use explore::Pair;
use inputs::Overrides;
use ir::Module;
use source::Compiler;
use trace::Matching;

use super::Request;
use crate::error::Error;
use crate::program::{Libc, Loader};
use crate::space::{Cells, CommonSpace, common};
use crate::trial::{Sources, Subject, Target, check_entry, check_flags};
use crate::versions::Versions;

/// The number of NEW with its own positions, and of the golden version; OLD and NEW are 0 and 1.
const WRITTEN: usize = 2;
const GOLDEN: usize = 3;

/// The comparison, and its sources.
pub(super) struct Requests<'a> {
    pub request: &'a Request<'a>,
    sources: &'a Sources<'a>,
}

/// The sources of a request's versions.
pub(super) fn sources<'a>(request: &Request<'a>) -> Sources<'a> {
    let Request { ref scope, old, new, golden, .. } = *request;
    let mut sources = Sources::new(Libc::Quick);
    sources.add(scope, old);
    sources.add(scope, new);
    sources.add_written(scope, new);
    golden.map(|golden| sources.add(scope, golden));
    sources
}

impl<'a> Requests<'a> {
    pub fn new(request: &'a Request<'a>, sources: &'a Sources<'a>) -> Requests<'a> {
        Requests { request, sources }
    }

    /// The same versions in another request; shares what is known about them.
    pub fn like<'b>(&'b self, request: &'b Request<'b>) -> Requests<'b> {
        Requests { request, sources: self.sources }
    }

    /// Shares what is known about the program's inputs with other requests for versions of it.
    pub fn share_with(&self, other: &Requests<'_>) {
        if let Some(room) = self.sources.common.room.get() {
            other.sources.common.room.get_or_init(|| room.clone());
        }
    }

    /// NEW with its own positions, if it was compiled with those of OLD.
    pub fn written(&self) -> Option<Target<'_>> {
        let moved = !self.request.new.held_positions().is_empty();
        moved.then(|| self.target(WRITTEN))
    }

    pub fn golden(&self) -> Option<Target<'_>> {
        self.request.golden.map(|_| self.target(GOLDEN))
    }

    /// OLD or NEW.
    pub fn target(&self, number: usize) -> Target<'_> {
        self.sources.target(&self.request.scope, number)
    }

    /// Other files, with a compiler in their directory.
    pub fn other<'f>(&'f self, compiler: &'f Compiler, files: &'f [PathBuf]) -> Target<'f> {
        self.sources.other(&self.request.scope, compiler, files)
    }

    /// How both versions use the parameters of the entry, once they are loaded.
    pub fn overrides(&self) -> Result<Overrides, Error> {
        self.target(1).overrides()
    }
}

/// The names of the versions in error messages.
const NAMES: [&str; 3] = ["OLD", "NEW", "the golden version"];

/// Loads and aligns both versions.
pub(super) fn load(requests: &Requests<'_>) -> Result<Versions, Error> {
    let Request { scope, old, new, .. } = requests.request;
    // Report errors in the flags before compiling anything.
    check_flags(&requests.target(1)).map_err(Error::of(NAMES[1]))?;
    let loader = Loader { libc: Libc::Quick, ..scope.loader.clone() };
    let sides = Versions::sides(&loader, old, new)?;
    requests.sources.learn(scope, &sides);
    let modules = sides.each_ref().map(|side| &side.module);
    if let Some(entry) = scope.entry {
        // Reject a function that cannot be called before aligning the versions, unless it need not
        // be called because nothing changed.
        for (index, module) in modules.into_iter().enumerate().filter(|_| differ_plainly(modules)) {
            let checked = check_entry(&requests.target(index), module, entry);
            checked.map_err(Error::of(NAMES[index]))?;
        }
    }
    let [old, new] = sides;
    Ok(Versions::of(old, new))
}

/// Whether a function has more or less code in one version than in the other, which is quick to
/// check.
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

/// Another version, if there is one, ready for native runs: the golden one, or NEW as written.
fn other<'a>(
    target: Option<&'a Target<'a>>,
    which: &'static str,
) -> Result<Option<Subject<'a>>, Error> {
    target.map(Subject::load).transpose().map_err(Error::of(which))
}

/// Makes both versions ready to run and builds their native programs, in parallel.
fn subjects<'a>(
    targets: [&'a Target<'a>; 2],
    versions: &Versions,
) -> Result<[Subject<'a>; 2], Error> {
    let Versions { old, new, .. } = versions;
    let load = |version: Version| {
        let module = [old, new][version].module.clone();
        Subject::with_module(targets[version], module).map_err(Error::of(NAMES[version as usize]))
    };
    let [old, new] = both(load);
    Ok([old?, new?])
}

/// The targets of the versions.
pub(super) struct Targets<'t> {
    old: Target<'t>,
    new: Target<'t>,
    golden: Option<Target<'t>>,
    written: Option<Target<'t>>,
}

impl<'t> Targets<'t> {
    pub fn of(requests: &'t Requests<'_>) -> Targets<'t> {
        Targets {
            old: requests.target(0),
            new: requests.target(1),
            golden: requests.golden(),
            written: requests.written(),
        }
    }
}

/// Versions that are ready to run.
pub(super) struct Ready<'t> {
    /// With changed statements marked.
    pub old: Subject<'t>,
    /// Its space is the common one.
    pub new: Subject<'t>,
    pub golden: Option<Subject<'t>>,
    /// NEW with its own positions, if it is run with those of OLD.
    pub written: Option<Subject<'t>>,
    /// The sources of OLD's cells.
    cells: Cells,
    pub space: CommonSpace,
}

impl<'t> Ready<'t> {
    pub fn load(
        targets: &'t Targets<'t>,
        versions: &Versions,
        matching: &Matching,
    ) -> Result<Ready<'t>, Error> {
        let golden = other(targets.golden.as_ref(), NAMES[2])?;
        let written = other(targets.written.as_ref(), NAMES[1])?;
        let [old, mut new] = subjects([&targets.old, &targets.new], versions)?;
        let (cells, space) = common(&[&old.layout], &mut new.layout);
        Ok(Ready {
            old: old.marked(matching.changes(Version::Old)),
            new: new.marked(matching.changes(Version::New)),
            golden,
            written,
            cells: cells.into_iter().next().flatten(),
            space,
        })
    }

    pub fn pair<'s>(&'s self, matching: &'s Matching) -> Pair<'s> {
        let (old, new) = (self.old.side(self.cells.as_deref()), self.new.side(None));
        Pair { old, new, matching }
    }
}

//! Two versions for a driver: compiled, aligned, and ready to run on common inputs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use base::parallel::both;
use base::{Both, Version};
use explore::{Pair, Side};
use inputs::Overrides;
use ir::Module;
use source::{Checkout, Compiler};
use trace::Matching;

use crate::error::Error;
use crate::program::{Libc, Loader};
use crate::space::{Cells, CommonSpace, common};
use crate::trial::{Scope, Sources, Subject, Target, check_entry, check_flags};
use crate::versions::Versions;

/// The number of NEW with its own positions, and of the golden version; OLD and NEW are 0 and 1.
const WRITTEN: usize = 2;
const GOLDEN: usize = 3;

/// The versions of a request, and their sources.
pub(crate) struct Pairing<'a> {
    pub scope: &'a Scope<'a>,
    pub old: &'a Checkout,
    pub new: &'a Checkout,
    golden: Option<&'a Checkout>,
    sources: &'a Sources<'a>,
}

/// The sources of two versions, and of the golden one, if there is one.
pub(crate) fn sources<'a>(
    scope: &Scope<'a>,
    [old, new]: Both<&'a Checkout>,
    golden: Option<&'a Checkout>,
) -> Sources<'a> {
    let mut sources = Sources::new(Libc::Quick);
    sources.add(scope, old);
    sources.add(scope, new);
    sources.add_written(scope, new);
    golden.map(|golden| sources.add(scope, golden));
    sources
}

impl<'a> Pairing<'a> {
    pub fn new(
        scope: &'a Scope<'a>,
        [old, new]: Both<&'a Checkout>,
        golden: Option<&'a Checkout>,
        sources: &'a Sources<'a>,
    ) -> Pairing<'a> {
        Pairing { scope, old, new, golden, sources }
    }

    /// The same versions with another scope; shares what is known about them.
    pub fn with_scope<'b>(&'b self, scope: &'b Scope<'b>) -> Pairing<'b> {
        Pairing { scope, ..*self }
    }

    /// Shares what is known about the program's inputs with others for versions of it.
    pub fn share_with(&self, other: &Pairing<'_>) {
        if let Some(room) = self.sources.common.room.get() {
            other.sources.common.room.get_or_init(|| room.clone());
        }
    }

    /// NEW with its own positions, if it was compiled with those of OLD.
    pub fn written(&self) -> Option<Target<'_>> {
        let moved = !self.new.held_positions().is_empty();
        moved.then(|| self.target(WRITTEN))
    }

    pub fn golden(&self) -> Option<Target<'_>> {
        self.golden.map(|_| self.target(GOLDEN))
    }

    /// OLD or NEW.
    pub fn target(&self, number: usize) -> Target<'_> {
        self.sources.target(self.scope, number)
    }

    /// Other files, with a compiler in their directory.
    pub fn other<'f>(&'f self, compiler: &'f Compiler, files: &'f [PathBuf]) -> Target<'f> {
        self.sources.other(self.scope, compiler, files)
    }

    /// How both versions use the parameters of the entry, once they are loaded.
    pub fn overrides(&self) -> Result<Overrides, Error> {
        self.target(1).overrides()
    }

    /// Loads and aligns both versions.
    pub fn load(&self) -> Result<Versions, Error> {
        let Pairing { scope, old, new, .. } = self;
        // Report errors in the flags before compiling anything.
        check_flags(&self.target(1)).map_err(Error::of(NAMES[1]))?;
        let loader = Loader { libc: Libc::Quick, ..scope.loader.clone() };
        let sides = Versions::sides(&loader, old, new)?;
        self.sources.learn(scope, &sides);
        let modules = sides.each_ref().map(|side| &side.module);
        if let Some(entry) = scope.entry {
            // Reject a function that cannot be called before aligning the versions, unless it need not
            // be called because nothing changed.
            for (index, module) in
                modules.into_iter().enumerate().filter(|_| differ_plainly(modules))
            {
                let checked = check_entry(&self.target(index), module, entry);
                checked.map_err(Error::of(NAMES[index]))?;
            }
        }
        let [old, new] = sides;
        Ok(Versions::of(old, new))
    }
}

/// The names of the versions in error messages.
const NAMES: [&str; 3] = ["OLD", "NEW", "the golden version"];

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
pub(crate) struct Targets<'t> {
    old: Target<'t>,
    new: Target<'t>,
    golden: Option<Target<'t>>,
    written: Option<Target<'t>>,
}

impl<'t> Targets<'t> {
    pub fn of(pairing: &'t Pairing<'_>) -> Targets<'t> {
        Targets {
            old: pairing.target(0),
            new: pairing.target(1),
            golden: pairing.golden(),
            written: pairing.written(),
        }
    }
}

/// Versions that are ready to run.
pub(crate) struct Ready<'t> {
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

    /// OLD for runs on the machine.
    pub fn old_side(&self) -> Side<'_> {
        self.old.side(self.cells.as_deref())
    }

    /// NEW for runs on the machine.
    pub fn new_side(&self) -> Side<'_> {
        self.new.side(None)
    }

    pub fn pair<'s>(&'s self, matching: &'s Matching) -> Pair<'s> {
        let (old, new) = (self.old_side(), self.new_side());
        Pair { old, new, matching }
    }
}

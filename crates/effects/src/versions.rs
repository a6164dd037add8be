//! Two aligned versions of a program: what changed, and what that may affect.
//!
//! A version is what `source` checks out: the C files of one program. Results are plain data with
//! places in the source; nothing is executed.

mod builds;
mod cause;
mod changed;
mod hunks;
mod impact;
mod matching;
mod outputs;
mod regions;
mod sequence;
mod standing;

use base::parallel::both;
use base::{Both, Version};
use changes::versions::{Alignment, Change, align};
use graphs::{GraphCache, ProgramCalls, ProgramGraphs};
use ir::{FuncId, Module, StatementId};
use source::Checkout;

use crate::error::Error;
use crate::program::Loader;

pub(crate) use builds::advance;
pub use builds::{BuildDependence, BuildDependences, Direction, Needs, build_dependences};
pub use cause::{Cause, CauseKind};
pub use changed::{
    ChangedFunction, ChangedGlobal, ChangedStatement, Changes, NamedFunction, NotAChange,
};
pub use changes::versions::Why;
pub use hunks::{HunkEffect, HunkMeaning};
pub use impact::{AffectedFunction, AffectedLine, Impact, Meeting, Prediction, predict};
pub use matching::postdominators;
pub use outputs::{AffectedOutput, OutputKind};
pub use regions::{ChangedRegion, RegionLines};
pub use source::{Configurations, Hunk, HunkId, HunkKind, Inactive};
pub(crate) use standing::{Evidence, Ways};
pub use standing::{HunkStatus, Reach, Standing};

/// One version, loaded.
pub struct Side {
    pub checkout: Checkout,
    pub module: Module,
    graphs: GraphCache,
}

/// Both versions, aligned.
pub struct Versions {
    pub old: Side,
    pub new: Side,
    pub alignment: Alignment,
    /// Changed statements in the order of NEW, then added functions.
    pub numbered: Vec<NumberedChange>,
}

/// A place in the source of one version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

/// A change of one statement, or an added function: what `impact` follows and hunks consist of.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberedChange {
    /// From 1.
    pub number: usize,
    pub kind: ChangeKind,
    /// The function that contains it, or that was added.
    pub function: String,
    pub is_function: bool,
    pub old: Option<Place>,
    pub new: Option<Place>,
    pub why: Option<Why>,
    pub old_statement: Option<StatementId>,
    pub new_statements: Vec<StatementId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Added,
    Deleted,
    Modified,
    Moved,
}

impl Side {
    pub fn new(checkout: Checkout, module: Module) -> Side {
        Side { checkout, module, graphs: GraphCache::default() }
    }

    /// Loads a version, in its own directory and with its own flags.
    pub fn load(
        loader: &Loader<'_>,
        checkout: &Checkout,
        which: &'static str,
    ) -> Result<Side, Error> {
        let compiler = checkout.compiler(loader.compiler);
        let loader = Loader { compiler: &compiler, ..loader.clone() };
        let loaded = loader.load(&checkout.files);
        let module = loaded.map_err(|cause| Error::Build { which, cause: Box::new(cause) })?.module;
        Ok(Side::new(checkout.clone(), module))
    }

    /// The call graph, made on demand.
    pub fn calls(&self) -> ProgramCalls<'_> {
        self.graphs.calls(&self.module)
    }

    /// The same, unless it `is_over` before.
    pub(crate) fn calls_within(&self, is_over: &dyn Fn() -> bool) -> Option<ProgramCalls<'_>> {
        self.graphs.calls_within(&self.module, is_over)
    }

    /// All graphs, made on demand.
    pub fn graphs(&self) -> ProgramGraphs<'_> {
        self.graphs.graphs(&self.module)
    }

    /// Whether a function is the program's own, and not one of the C library.
    pub fn is_own(&self, function: FuncId) -> bool {
        !self.module.in_archive(self.module.functions[function].span)
    }

    /// Where a statement is.
    pub fn place(&self, statement: StatementId) -> Option<Place> {
        let span = self.module.statements.get(statement)?.span;
        let file = self.module.scopes[span.scope?].file;
        Some(Place { file: self.module.files[file].name.clone(), line: span.line })
    }

    fn place_of_function(&self, function: FuncId) -> Option<Place> {
        let span = self.module.functions[function].span;
        let file = self.module.files[self.module.file_of(span)?].name.clone();
        Some(Place { file, line: span.line })
    }

    fn name(&self, function: FuncId) -> String {
        self.module.functions[function].display_name().to_owned()
    }
}

impl Versions {
    pub fn load(loader: &Loader<'_>, old: &Checkout, new: &Checkout) -> Result<Versions, Error> {
        let [old, new] = Versions::sides(loader, old, new)?;
        Ok(Versions::of(old, new))
    }

    /// Loads two versions.
    pub fn sides(loader: &Loader<'_>, old: &Checkout, new: &Checkout) -> Result<Both<Side>, Error> {
        let sides = [(old, "OLD"), (new, "NEW")];
        let [old, new] = both(|version| Side::load(loader, sides[version].0, sides[version].1));
        Ok([old?, new?])
    }

    /// Aligns two versions.
    pub fn of(old: Side, new: Side) -> Versions {
        let alignment = lay_side_by_side(&old, &new);
        let mut versions = Versions { old, new, alignment, numbered: Vec::new() };
        versions.numbered = versions.number();
        versions
    }

    pub fn side(&self, version: Version) -> &Side {
        [&self.old, &self.new][version]
    }

    /// The graphs of both versions.
    pub fn graphs(&self) -> Both<ProgramGraphs<'_>> {
        [self.old.graphs(), self.new.graphs()]
    }

    fn number(&self) -> Vec<NumberedChange> {
        let mut numbered = Vec::new();
        for pair in &self.alignment.functions {
            let function = self.new.name(pair.new);
            for change in &pair.changes {
                numbered.push(self.numbered_statement(numbered.len() + 1, &function, change));
            }
        }
        for &function in &self.alignment.added {
            let statements = self.new.module.statements.iter();
            let own = statements.filter(|(_, statement)| statement.function == function);
            numbered.push(NumberedChange {
                number: numbered.len() + 1,
                kind: ChangeKind::Added,
                function: self.new.name(function),
                is_function: true,
                old: None,
                new: self.new.place_of_function(function),
                why: None,
                old_statement: None,
                new_statements: own.map(|(id, _)| id).collect(),
            });
        }
        numbered
    }

    fn numbered_statement(&self, number: usize, function: &str, change: &Change) -> NumberedChange {
        let (kind, why) = match change {
            Change::Added { .. } => (ChangeKind::Added, None),
            Change::Deleted { .. } => (ChangeKind::Deleted, None),
            Change::Modified { why, .. } => (ChangeKind::Modified, Some(why.clone())),
            Change::Moved { .. } => (ChangeKind::Moved, None),
        };
        NumberedChange {
            number,
            kind,
            function: function.to_owned(),
            is_function: false,
            old: change.in_old().and_then(|statement| self.old.place(statement)),
            new: change.in_new().and_then(|statement| self.new.place(statement)),
            why,
            old_statement: change.in_old(),
            new_statements: change.in_new().into_iter().collect(),
        }
    }
}

/// Aligns the functions that are the program's own.
fn lay_side_by_side(old: &Side, new: &Side) -> Alignment {
    align(&old.module, &new.module, |version, _, function| [old, new][version].is_own(function))
}

//! What is proved about partitions of the input space of versions, as plain data.

use explore::proved::{Counts, DiffersWhen, Planes, Shares, Summary, Told, Verdict};
use inputs::{Input, Layout};
use ir::{FuncId, Module, StatementId};

use crate::versions::Place;

/// A partition, described.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// For people: infix, in the names of the input.
    pub condition: String,
    /// The same as a query in SMT-LIB, unless it is very long.
    pub smtlib: Option<String>,
    /// One of the inputs, as bits of its cells and in the form for a program.
    pub assignment: Box<[u64]>,
    pub input: Input,
    pub verdict: Verdict,
    /// By version: those with the same number behave the same.
    pub classes: Vec<usize>,
    /// By version, unless all behave the same: the observables. Parts that depend on the input are
    /// in braces.
    pub outputs: Vec<String>,
    /// By version: changed statements that the observables depend on.
    pub changes: Vec<Vec<Place>>,
    /// By version, if changes are executed without a visible effect: the statements at which their
    /// effect ends.
    pub stops: Vec<Vec<Place>>,
}

impl Described {
    /// A partition of versions with this layout and these modules. Places are only those of the
    /// program's own functions.
    pub(crate) fn new(
        told: Told,
        layout: &Layout,
        modules: &[&Module],
        is_own: &dyn Fn(usize, FuncId) -> bool,
    ) -> Described {
        let Told { partition, condition, smtlib } = told;
        let places = |all: &[Vec<StatementId>]| -> Vec<Vec<Place>> {
            let of = |(version, statements): (usize, &Vec<StatementId>)| {
                let module = modules[version];
                let place = |&at| {
                    let function = module.statements.get(at)?.function;
                    is_own(version, function).then(|| place(module, at))?
                };
                let mut places: Vec<Place> = statements.iter().filter_map(place).collect();
                places.sort();
                places.dedup();
                places
            };
            all.iter().enumerate().take(modules.len()).map(of).collect()
        };
        Described {
            condition,
            smtlib,
            input: layout.decode(&partition.input),
            changes: places(&partition.changes),
            stops: places(&partition.stops),
            assignment: partition.input,
            verdict: partition.verdict,
            classes: partition.classes,
            outputs: partition.outputs,
        }
    }
}

/// What is proved about two versions so far.
#[derive(Clone, Debug)]
pub struct Proved {
    pub counts: Counts,
    /// Regions that were not examined, or that the solver could not decide.
    pub left: usize,
    /// Whether the partitions cover the whole space.
    pub is_complete: bool,
    /// Whether both versions are proved equal on every input.
    pub is_equal: bool,
    /// The proved shares of the space.
    pub shares: Shares,
    /// When the versions differ, if there is a short predicate for it.
    pub differs_when: Option<DiffersWhen>,
    /// The most interesting ones first; not all if there are very many.
    pub partitions: Vec<Described>,
    /// Pictures, if they were requested, and the input that they pass through.
    pub planes: Option<(Planes, Input)>,
}

impl Proved {
    /// `is_own` says whether a function of a version is the program's own, and not one of the C
    /// library.
    pub(crate) fn new(
        summary: Summary,
        layout: &Layout,
        modules: [&Module; 2],
        is_own: &dyn Fn(usize, FuncId) -> bool,
    ) -> Proved {
        let Summary { counts, left, is_complete, is_equal, .. } = summary;
        let told = summary.partitions.into_iter();
        Proved {
            counts,
            left,
            is_complete,
            is_equal,
            shares: summary.shares,
            differs_when: summary.differs_when,
            partitions: told.map(|told| Described::new(told, layout, &modules, is_own)).collect(),
            planes: summary.planes.map(|planes| with_held(planes, layout)),
        }
    }
}

/// Pictures and the input that they pass through.
pub(crate) fn with_held(planes: Planes, layout: &Layout) -> (Planes, Input) {
    let held = layout.decode(&planes.held);
    (planes, held)
}

fn place(module: &Module, statement: StatementId) -> Option<Place> {
    let span = module.statements.get(statement)?.span;
    let file = module.scopes[span.scope?].file;
    Some(Place { file: module.files[file].name.clone(), line: span.line })
}

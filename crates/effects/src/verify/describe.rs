//! Partitions as plain data.

use explore::partitions::{Explorer, Partition, Told, Verdict};
use inputs::{Input, Layout};
use ir::{FuncId, Module, StatementId};

use super::subjects::Subjects;
use crate::versions::Place;

/// A partition, told.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// For people: infix, in the names of the input.
    pub condition: String,
    /// The same as a question in SMT-LIB, unless it is very long.
    pub smtlib: Option<String>,
    /// One of the inputs, as bits of its cells and as a program takes it.
    pub assignment: Box<[u64]>,
    pub input: Input,
    pub verdict: Verdict,
    /// By version: those with the same number show the same.
    pub classes: Vec<usize>,
    /// By version, unless all show the same: what is shown. What depends on the input is in
    /// braces.
    pub outputs: Vec<String>,
    /// By version: changed statements that what is shown depends on.
    pub changes: Vec<Vec<Place>>,
    /// By version, where changes are executed without an effect on what is shown: the statements
    /// at which their effect ends.
    pub stops: Vec<Vec<Place>>,
}

impl Described {
    /// A partition of versions with this layout and these modules. Places are told of functions
    /// that are the program's own.
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

impl Subjects {
    pub(super) fn describe(&self, explorer: &Explorer<'_>, one: &Partition) -> Described {
        let versions = 0..one.changes.len();
        let modules: Vec<&Module> = versions.map(|number| &self.program(number).module).collect();
        let is_own = |version: usize, function| self.is_own(version, function);
        Described::new(explorer.told(one), self.layout(), &modules, &is_own)
    }
}

fn place(module: &Module, statement: StatementId) -> Option<Place> {
    let span = module.statements.get(statement)?.span;
    let file = module.scopes[span.scope?].file;
    Some(Place { file: module.files[file].name.clone(), line: span.line })
}

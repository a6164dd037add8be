//! Partitions as plain data.

use explore::partitions::{Explorer, Partition, Told, Verdict};
use inputs::{Input, Layout};
use ir::{Module, StatementId};

use super::subjects::Subjects;
use crate::versions::Place;

/// A partition, told.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// For people: infix, in the names of the input.
    pub condition: String,
    /// The same as a question in SMT-LIB.
    pub smtlib: String,
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
    /// A partition of versions with this layout and these modules.
    pub(crate) fn new(told: Told, layout: &Layout, modules: &[&Module]) -> Described {
        let Told { partition, condition, smtlib } = told;
        let places = |all: &[Vec<StatementId>]| -> Vec<Vec<Place>> {
            let of = |(statements, module): (&Vec<StatementId>, &&Module)| {
                let mut places: Vec<Place> =
                    statements.iter().filter_map(|&at| place(module, at)).collect();
                places.sort();
                places.dedup();
                places
            };
            all.iter().zip(modules).map(of).collect()
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
        Described::new(explorer.told(one), &self.layout, &modules)
    }
}

fn place(module: &Module, statement: StatementId) -> Option<Place> {
    let span = module.statements.get(statement)?.span;
    let file = module.scopes[span.scope?].file;
    Some(Place { file: module.files[file].name.clone(), line: span.line })
}

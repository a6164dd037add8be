//! Partitions as plain data.

use explore::partitions::{Explorer, Partition, Verdict};
use inputs::Input;
use ir::StatementId;

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

impl Subjects {
    pub(super) fn describe(&self, explorer: &Explorer<'_>, one: &Partition) -> Described {
        let terms = explorer.terms();
        let places = |all: &[Vec<StatementId>]| -> Vec<Vec<Place>> {
            let of = |(version, statements): (usize, &Vec<StatementId>)| {
                let mut places: Vec<Place> =
                    statements.iter().filter_map(|&at| self.place(version, at)).collect();
                places.sort();
                places.dedup();
                places
            };
            all.iter().enumerate().map(of).collect()
        };
        Described {
            condition: one.people(terms),
            smtlib: one.smtlib(terms),
            assignment: one.input.clone(),
            input: self.layout.decode(&one.input),
            verdict: one.verdict.clone(),
            classes: one.classes.clone(),
            outputs: one.outputs.clone(),
            changes: places(&one.changes),
            stops: places(&one.stops),
        }
    }

    fn place(&self, version: usize, statement: StatementId) -> Option<Place> {
        let module = &self.program(version).module;
        let data = module.statements.get(statement)?;
        let (span, function) = (data.span, data.function);
        let file = module.scopes[span.scope?].file;
        // People have no part in the C library.
        self.is_own(version, function).then_some(())?;
        Some(Place { file: module.files[file].name.clone(), line: span.line })
    }
}

//! The lines of a module: statements of one function on one source line.

use std::collections::BTreeMap;

use base::entity::SecondaryMap;
use ir::{FileId, FuncId, Module, StatementId};

/// The number of a line, in the order of functions and of the text.
pub type LineId = usize;

#[derive(Clone, Debug)]
pub struct Lines {
    of: SecondaryMap<StatementId, u32>,
    lines: Vec<(FuncId, Vec<StatementId>)>,
}

impl Lines {
    pub fn new(module: &Module) -> Lines {
        let mut by_place: BTreeMap<(FuncId, Option<FileId>, u32), Vec<StatementId>> =
            BTreeMap::new();
        for (id, statement) in module.statements.iter() {
            let file = statement.span.scope.map(|scope| module.scopes[scope].file);
            let place = (statement.function, file, statement.span.line);
            by_place.entry(place).or_default().push(id);
        }
        let mut of = SecondaryMap::new();
        let mut lines = Vec::with_capacity(by_place.len());
        for ((function, ..), statements) in by_place {
            statements.iter().for_each(|&id| of[id] = lines.len() as u32);
            lines.push((function, statements));
        }
        Lines { of, lines }
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn of(&self, statement: StatementId) -> LineId {
        self.of[statement] as usize
    }

    pub fn function(&self, line: LineId) -> FuncId {
        self.lines[line].0
    }

    /// Ascending.
    pub fn statements(&self, line: LineId) -> &[StatementId] {
        &self.lines[line].1
    }
}

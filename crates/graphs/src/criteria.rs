//! Resolves what a user writes (`12`, `12:x`, `a.c:12`) to statements and vertices.

use std::collections::{BTreeMap, BTreeSet};

use ir::{FileId, InstId, Module, Op, StatementId};

use crate::error::GraphError;
use crate::memory::SetId;
use crate::names;
use crate::objects::ObjectKind;
use crate::program::ProgramGraphs;
use crate::sdg::{Key, Kind, VertexId};
use crate::slice::Direction;

/// A line, of a file if there are several, and a variable on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    pub file: Option<String>,
    pub line: u32,
    pub variable: Option<String>,
}

impl Criterion {
    pub fn line(line: u32) -> Criterion {
        Criterion { file: None, line, variable: None }
    }

    /// The statements of the line. Without a file it must be one of `files`.
    pub fn statements(
        &self,
        module: &Module,
        files: &[String],
    ) -> Result<Vec<StatementId>, GraphError> {
        self.statements_that(module, files, |_| true)
    }

    fn statements_that(
        &self,
        module: &Module,
        files: &[String],
        count: impl Fn(StatementId) -> bool,
    ) -> Result<Vec<StatementId>, GraphError> {
        let lines = lines(module, count);
        let asked: Vec<FileId> = match &self.file {
            Some(name) => find_files(module, name),
            None => files.iter().flat_map(|name| find_files(module, name)).collect(),
        };
        if asked.is_empty() {
            let missing = self.file.clone().or_else(|| files.first().cloned());
            return Err(missing.map_or(GraphError::NoStatements, GraphError::NoSuchFile));
        }
        let found: BTreeMap<FileId, &Vec<StatementId>> = asked
            .iter()
            .filter_map(|&file| Some((file, lines.get(&file)?.get(&self.line)?)))
            .collect();
        let mut names: Vec<String> =
            found.keys().map(|&file| module.files[file].name.clone()).collect();
        names.dedup();
        if names.len() > 1 {
            return Err(GraphError::Ambiguous { line: self.line, files: names });
        }
        if found.is_empty() {
            Err(self.missing(module, &lines, &asked))
        } else {
            Ok(found.into_values().flatten().copied().collect())
        }
    }

    fn missing(&self, module: &Module, lines: &Lines, asked: &[FileId]) -> GraphError {
        let present = asked.iter().filter_map(|file| Some((file, lines.get(file)?)));
        let all = present.flat_map(|(file, lines)| lines.keys().map(move |&line| (file, line)));
        match all.min_by_key(|&(file, line)| (line.abs_diff(self.line), *file, line)) {
            Some((&file, nearest)) => GraphError::NoStatement {
                file: module.files[file].name.clone(),
                line: self.line,
                nearest,
            },
            None => GraphError::NoStatements,
        }
    }

    /// The vertices to start from: for a variable, its definitions on the line when going forward,
    /// its uses when going backward, or the others if there are none.
    pub fn vertices(
        &self,
        graphs: &ProgramGraphs<'_>,
        files: &[String],
        direction: Direction,
    ) -> Result<Vec<VertexId>, GraphError> {
        // A closing brace is a statement to the compiler, but nothing can affect it.
        let computes = |statement| !graphs.sdg.of_statement(statement).is_empty();
        let statements = self.statements_that(graphs.module, files, computes)?;
        let Some(variable) = &self.variable else {
            let all = statements.iter().flat_map(|&s| graphs.sdg.of_statement(s));
            return Ok(all.copied().collect());
        };
        let mut found = Occurrences::default();
        for &statement in &statements {
            found.add(graphs, statement, variable);
        }
        let (first, second) = match direction {
            Direction::Forward => (found.definitions, found.uses),
            Direction::Backward => (found.uses, found.definitions),
        };
        let chosen = if first.is_empty() { second } else { first };
        if chosen.is_empty() {
            Err(GraphError::NoSuchVariable {
                line: self.line,
                variable: variable.clone(),
                variables: found.names.into_iter().collect(),
            })
        } else {
            Ok(chosen)
        }
    }
}

/// The statements of each line of each file.
type Lines = BTreeMap<FileId, BTreeMap<u32, Vec<StatementId>>>;

/// The statements that count, by file and line.
fn lines(module: &Module, count: impl Fn(StatementId) -> bool) -> Lines {
    let mut lines = Lines::new();
    for (id, statement) in module.statements.iter().filter(|&(id, _)| count(id)) {
        if let Some(file) = file_of(module, id) {
            let line = lines.entry(file).or_default().entry(statement.span.line).or_default();
            line.push(id);
        }
    }
    lines
}

/// The source file of a statement, if it has a position.
pub fn file_of(module: &Module, statement: StatementId) -> Option<FileId> {
    let span = module.statements[statement].span;
    let scope = span.scope.filter(|_| span.line != 0)?;
    Some(module.scopes[scope].file)
}

fn find_files(module: &Module, name: &str) -> Vec<FileId> {
    let matches = |known: &str| {
        known == name
            || known.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'))
            || name.strip_suffix(known).is_some_and(|rest| rest.ends_with('/'))
    };
    let own = module.files.iter().filter(|(_, file)| !file.in_archive);
    own.filter(|(_, file)| matches(&file.name)).map(|(id, _)| id).collect()
}

/// Where statements define and use a variable.
#[derive(Default)]
struct Occurrences {
    definitions: Vec<VertexId>,
    uses: Vec<VertexId>,
    /// All variables that occur.
    names: BTreeSet<String>,
}

impl Occurrences {
    fn add(&mut self, graphs: &ProgramGraphs<'_>, statement: StatementId, variable: &str) {
        for &vertex in graphs.sdg.of_statement(statement) {
            if let Kind::Inst(inst) = graphs.sdg.vertices[vertex].kind {
                self.add_inst(graphs, vertex, inst, variable);
            }
        }
    }

    fn add_inst(
        &mut self,
        graphs: &ProgramGraphs<'_>,
        vertex: VertexId,
        inst: InstId,
        variable: &str,
    ) {
        let Some(function) = graphs.sdg.vertices[vertex].function() else { return };
        let Some(body) = graphs.module.functions[function].body() else { return };
        match body.insts[inst].op {
            Op::ReadSlot { slot } => {
                self.note(&body.slots[slot].name, variable, vertex, false);
            }
            Op::WriteSlot { slot, .. } => {
                self.note(&body.slots[slot].name, variable, vertex, true);
            }
            _ => {}
        }
        if let Some(access) = graphs.memory.access(function, inst) {
            self.add_set(graphs, access.reads, variable, vertex, false);
            self.add_set(graphs, access.writes, variable, vertex, true);
        }
        if let Some(call) = graphs.sdg.call_at(vertex) {
            let site = &graphs.sdg.calls[call];
            for (list, defines) in [(&site.ins, false), (&site.outs, true)] {
                for &(key, actual) in list {
                    let used = !defines && graphs.sdg.vertices[actual].statement().is_some();
                    if let Key::Region(region) = key
                        && (defines || used)
                    {
                        self.add_region(graphs, region, variable, actual, defines);
                    }
                }
            }
        }
    }

    fn add_set(
        &mut self,
        graphs: &ProgramGraphs<'_>,
        set: SetId,
        variable: &str,
        vertex: VertexId,
        defines: bool,
    ) {
        for &region in graphs.memory.sets[set].iter() {
            self.add_region(graphs, region, variable, vertex, defines);
        }
    }

    fn add_region(
        &mut self,
        graphs: &ProgramGraphs<'_>,
        region: crate::memory::RegionId,
        variable: &str,
        vertex: VertexId,
        defines: bool,
    ) {
        for &cell in &graphs.memory.regions[region].cells {
            let objects = &graphs.points_to.objects;
            let kind = objects.objects[objects.object_of(cell)].kind;
            let named = matches!(kind, ObjectKind::Global(_) | ObjectKind::Local(..));
            if named {
                let name = names::object(graphs.module, kind);
                self.note(&name, variable, vertex, defines);
                let member = names::member(graphs.module, kind, objects.cells[cell].offset);
                if format!("{name}{member}") == variable && !member.is_empty() {
                    self.list(defines).push(vertex);
                }
            }
        }
    }

    fn note(&mut self, name: &str, variable: &str, vertex: VertexId, defines: bool) {
        if name == variable {
            self.list(defines).push(vertex);
        }
        if !name.is_empty() && name != "retval" && !name.starts_with('.') {
            self.names.insert(name.to_owned());
        }
    }

    fn list(&mut self, defines: bool) -> &mut Vec<VertexId> {
        if defines { &mut self.definitions } else { &mut self.uses }
    }
}

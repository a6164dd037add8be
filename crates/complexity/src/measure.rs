//! Change complexity of a set of changed files: CyCC and CLoC, without a build.
//!
//! From the texts of both versions of the files that differ: changed statements per function, the
//! changed basic blocks of the new version, the change sequence graph over them with calls resolved
//! by name, and its cyclomatic complexity. Reads the changed files only; a caller in another file
//! is unknown. Does not know repositories.

mod calls;
mod matching;

use std::collections::{BTreeMap, BTreeSet};

use crate::sequence::{self, ChangeSequenceGraph, Procedure, Vertex};
use crate::text::compare::{self, Changes, Lines};
use crate::text::declarations::{self, DeclarationChange, Names};
use crate::text::flow::{Flow, flow};
use crate::text::language::Language;
use crate::text::syntax::{Function, Tree};
use crate::text::unit::{DeclarationKind, Unit};

use calls::Calls;
use matching::Matching;

/// A file in two versions; `None` for a version that lacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileVersions<'t> {
    /// In the new version, or in the old one if the file was deleted.
    pub path: &'t str,
    pub old: Option<&'t str>,
    pub new: Option<&'t str>,
}

/// How complex a change is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Complexity {
    /// Cyclomatic change complexity.
    pub cycc: u64,
    /// Changed lines of code.
    pub lines: Lines,
    /// Changed functions, by file and line.
    pub functions: Vec<FunctionChange>,
    /// Changed declarations, by file and line.
    pub declarations: Vec<(String, DeclarationChange)>,
    /// Changed functions without known control flow. Each counts as one block.
    pub unparsed: Vec<Unparsed>,
    pub graph: ChangeSequenceGraph,
    /// The meaning of the graph's vertices, in their order.
    pub labels: Vec<VertexLabel>,
}

impl Complexity {
    pub fn cloc(&self) -> u64 {
        self.lines.total()
    }
}

/// A function that changed, or is affected by a changed declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionChange {
    pub file: String,
    pub name: String,
    pub kind: ChangeKind,
    /// In the new version, or in the old one if it was deleted.
    pub first_line: u32,
    pub last_line: u32,
    pub lines: Lines,
    pub statements: Lines,
    /// Changed basic blocks.
    pub blocks: u64,
    /// The complexity of this function's changes alone.
    pub cycc: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    Added,
    Deleted,
    Modified,
    /// Its text is the same; it uses a declaration that changed.
    Affected,
}

/// A function that could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unparsed {
    pub file: String,
    pub function: String,
    pub line: u32,
    pub reason: String,
}

/// The meaning of a vertex of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VertexLabel {
    Entry,
    Exit,
    /// Lines of changed statements of a block, or of the statement before a deletion.
    Block {
        file: String,
        function: String,
        lines: Vec<u32>,
    },
    /// A deleted function.
    DeletedFunction {
        file: String,
        function: String,
    },
    /// Declarations that no statement of the changed files uses.
    Declarations {
        file: String,
    },
}

/// The complexity of the changes between two versions of some files.
pub fn measure(files: &[FileVersions<'_>]) -> Complexity {
    let versions: Vec<Versions<'_>> = files.iter().filter_map(Versions::new).collect();
    let mut analysis =
        Analysis { versions: &versions, changed: Vec::new(), result: Complexity::default() };
    let matching = Matching::new(&versions);
    analysis.compare_functions(&matching);
    let orphans = analysis.compare_declarations();
    analysis.build_graph(&matching, &orphans);
    analysis.finish()
}

/// Both versions of a file, split into functions.
struct Versions<'t> {
    path: &'t str,
    old: Option<Unit<'t>>,
    new: Option<Unit<'t>>,
}

impl<'t> Versions<'t> {
    fn new(file: &FileVersions<'t>) -> Option<Versions<'t>> {
        let language = Language::of(file.path)?;
        let unit = |text| Unit::new(text, language);
        Some(Versions { path: file.path, old: file.old.map(unit), new: file.new.map(unit) })
    }
}

/// A function of the new version: the index of its file, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct FunctionRef {
    file: usize,
    function: usize,
}

/// A function of the new version with changes.
struct ChangedFunction {
    at: FunctionRef,
    kind: ChangeKind,
    tree: Tree,
    changes: Changes,
}

struct Analysis<'a, 't> {
    versions: &'a [Versions<'t>],
    changed: Vec<ChangedFunction>,
    result: Complexity,
}

impl<'t> Analysis<'_, 't> {
    fn new_function(&self, at: FunctionRef) -> Option<(&Unit<'t>, &Function)> {
        let unit = self.versions[at.file].new.as_ref()?;
        Some((unit, unit.functions.get(at.function)?))
    }

    fn old_function(&self, at: FunctionRef) -> Option<(&Unit<'t>, &Function)> {
        let unit = self.versions[at.file].old.as_ref()?;
        Some((unit, unit.functions.get(at.function)?))
    }

    /// Finds added, deleted and modified functions.
    fn compare_functions(&mut self, matching: &Matching) {
        for &(old, new) in &matching.modified {
            let (Some(before), Some(after)) = (self.old_function(old), self.new_function(new))
            else {
                continue;
            };
            let (old_tree, tree) = (before.0.parse(before.1), after.0.parse(after.1));
            let changes = compare::compare((before.0, &old_tree), (after.0, &tree));
            let kind = ChangeKind::Modified;
            self.changed.push(ChangedFunction { at: new, kind, tree, changes });
        }
        for &new in &matching.added {
            let Some((unit, function)) = self.new_function(new) else { continue };
            let tree = unit.parse(function);
            let changes = compare::all_new(unit, &tree);
            // A module without statements of its own is not an added function.
            if is_module(function) && changes.statements.total() == 0 {
                continue;
            }
            let kind = ChangeKind::Added;
            self.changed.push(ChangedFunction { at: new, kind, tree, changes });
        }
        self.changed.sort_by_key(|changed| changed.at);
        self.changed.retain(|changed| {
            let Changes { pieces, places, lines, .. } = &changed.changes;
            !pieces.is_empty() || !places.is_empty() || lines.total() > 0
        });
    }

    /// Marks the statements that use a changed declaration. Returns the files with declarations
    /// that nothing uses.
    fn compare_declarations(&mut self) -> BTreeSet<usize> {
        let mut affected = Affected::default();
        let mut waiting = Vec::new();
        for (file, versions) in self.versions.iter().enumerate() {
            for change in declarations::compare(versions.old.as_ref(), versions.new.as_ref()) {
                self.result.lines += change.lines;
                affected.add(file, versions.path, &change);
                waiting.push((file, change));
            }
        }
        if waiting.is_empty() {
            return BTreeSet::new();
        }
        let used = self.mark_uses(&affected);
        let mut orphans = BTreeSet::new();
        for (file, change) in waiting {
            let is_used =
                change.names.iter().chain(&change.members).any(|name| used.contains(name));
            // An added or deleted type does nothing by itself.
            let matters = change.kind != DeclarationKind::Type || change.in_old && change.in_new;
            if !is_used && matters {
                orphans.insert(file);
            }
            self.result.declarations.push((self.versions[file].path.to_owned(), change));
        }
        orphans
    }

    /// Marks statements that use changed declarations as changed; returns the names that are used.
    fn mark_uses(&mut self, affected: &Affected) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        let index: BTreeMap<FunctionRef, usize> =
            self.changed.iter().enumerate().map(|(index, changed)| (changed.at, index)).collect();
        let mut found = Vec::new();
        for (file, versions) in self.versions.iter().enumerate() {
            let Some(unit) = &versions.new else { continue };
            let names = affected.visible(file, unit.language);
            if names.iter().all(|names| names.is_empty()) {
                continue;
            }
            let is_use = |&at: &usize| names.iter().any(|names| names.has_use(unit, at));
            for (number, function) in unit.functions.iter().enumerate() {
                let mut tokens = unit.own_tokens(function).into_iter().flatten();
                if !tokens.any(|at| is_use(&at)) {
                    continue;
                }
                let at = FunctionRef { file, function: number };
                let mut fresh = None;
                let changed = match index.get(&at) {
                    Some(&index) => &mut self.changed[index],
                    None => fresh.insert(ChangedFunction::unchanged(at, unit.parse(function))),
                };
                for (id, piece) in changed.tree.pieces.iter().enumerate() {
                    let uses: Vec<usize> =
                        piece.ranges.iter().cloned().flatten().filter(is_use).collect();
                    if uses.iter().any(|&at| affected.changes_meaning(unit.word(at))) {
                        changed.changes.pieces.insert(id);
                    }
                    used.extend(uses.into_iter().map(|at| unit.word(at).to_owned()));
                }
                found.extend(fresh.filter(|fresh| !fresh.changes.pieces.is_empty()));
            }
        }
        self.changed.extend(found);
        self.changed.sort_by_key(|changed| changed.at);
        used
    }

    fn build_graph(&mut self, matching: &Matching, orphans: &BTreeSet<usize>) {
        let changed: BTreeSet<FunctionRef> =
            self.changed.iter().map(|changed| changed.at).collect();
        let calls = Calls::new(self.versions, &changed);
        let mut procedures = Vec::new();
        let mut labels: Vec<Vec<VertexLabel>> = Vec::new();
        let by_ref: BTreeMap<FunctionRef, usize> =
            self.changed.iter().enumerate().map(|(index, changed)| (changed.at, index)).collect();
        for &at in &calls.relevant {
            let Some((unit, function)) = self.new_function(at) else { continue };
            let index = by_ref.get(&at).copied();
            let parsed;
            let (tree, changes) = match index {
                Some(index) => (&self.changed[index].tree, Some(&self.changed[index].changes)),
                None => {
                    parsed = unit.parse(function);
                    (&parsed, None)
                }
            };
            let nothing = Changes::default();
            let changes = changes.unwrap_or(&nothing);
            let flow = flow(unit, tree, &changes.places);
            let problem = flow.problem.clone();
            let (procedure, blocks) = match &problem {
                None => procedure(&calls, at, unit, tree, changes, &flow),
                Some(_) => opaque(index.is_some()),
            };
            let names = (self.versions[at.file].path.to_owned(), function.qualified_name());
            let label = |lines: Vec<u32>| VertexLabel::Block {
                file: names.0.clone(),
                function: names.1.clone(),
                lines,
            };
            labels.push(blocks.into_iter().map(label).collect());
            if let Some(index) = index {
                let change = self.describe(index, &procedure, problem.is_some());
                if let Some(problem) = problem {
                    self.result.unparsed.push(Unparsed {
                        file: names.0,
                        function: names.1,
                        line: change.first_line,
                        reason: problem.to_string(),
                    });
                }
                self.result.lines += change.lines;
                self.result.functions.push(change);
            }
            procedures.push(procedure);
        }
        calls.mark_roots(self.versions, &mut procedures);
        self.add_deleted(matching, &mut procedures, &mut labels);
        for &file in orphans {
            procedures.push(single_block());
            labels.push(vec![VertexLabel::Declarations {
                file: self.versions[file].path.to_owned(),
            }]);
        }
        self.set_graph(&procedures, labels);
    }

    fn set_graph(&mut self, procedures: &[Procedure], mut labels: Vec<Vec<VertexLabel>>) {
        let graph = ChangeSequenceGraph::new(procedures);
        self.result.cycc = graph.cyclomatic_complexity();
        let take = |vertex: &Vertex| match *vertex {
            Vertex::Entry => VertexLabel::Entry,
            Vertex::Exit => VertexLabel::Exit,
            Vertex::Changed { procedure, block } => {
                let number =
                    procedures[procedure].blocks[..block].iter().filter(|b| b.is_changed).count();
                std::mem::replace(&mut labels[procedure][number], VertexLabel::Entry)
            }
        };
        self.result.labels = graph.vertices.iter().map(take).collect();
        self.result.graph = graph;
    }

    /// A deleted function is one block at its old place: the outermost level.
    fn add_deleted(
        &mut self,
        matching: &Matching,
        procedures: &mut Vec<Procedure>,
        labels: &mut Vec<Vec<VertexLabel>>,
    ) {
        for &at in &matching.deleted {
            let Some((unit, function)) = self.old_function(at) else { continue };
            let tree = unit.parse(function);
            let (lines, statements) = compare::all_deleted(unit, &tree);
            if is_module(function) && statements.total() == 0 {
                continue;
            }
            let file = self.versions[at.file].path.to_owned();
            let name = function.qualified_name();
            let change = FunctionChange {
                file: file.clone(),
                name: name.clone(),
                kind: ChangeKind::Deleted,
                first_line: function.first_line,
                last_line: function.last_line,
                lines,
                statements,
                blocks: 1,
                cycc: 1,
            };
            self.result.lines += lines;
            self.result.functions.push(change);
            procedures.push(single_block());
            labels.push(vec![VertexLabel::DeletedFunction { file, function: name }]);
        }
    }

    fn describe(&self, index: usize, procedure: &Procedure, is_opaque: bool) -> FunctionChange {
        let changed = &self.changed[index];
        let alone = Procedure {
            is_root: true,
            blocks: procedure.blocks.iter().map(without_calls).collect(),
        };
        let cycc = ChangeSequenceGraph::new(std::slice::from_ref(&alone)).cyclomatic_complexity();
        let blocks = procedure.blocks.iter().filter(|block| block.is_changed).count() as u64;
        let function = self.new_function(changed.at).map(|(_, function)| function);
        FunctionChange {
            file: self.versions[changed.at.file].path.to_owned(),
            name: function.map_or_else(String::new, Function::qualified_name),
            kind: changed.kind,
            first_line: function.map_or(0, |f| f.first_line),
            last_line: function.map_or(0, |f| f.last_line),
            lines: changed.changes.lines,
            statements: changed.changes.statements,
            blocks,
            cycc: if is_opaque { 1 } else { cycc },
        }
    }

    fn finish(mut self) -> Complexity {
        self.result.functions.sort_by(|a, b| {
            (&a.file, a.first_line, &a.name).cmp(&(&b.file, b.first_line, &b.name))
        });
        self.result
    }
}

/// Names of changed declarations, by visibility.
#[derive(Default)]
struct Affected {
    /// Names visible in the file itself.
    own: BTreeMap<usize, Names>,
    /// Names visible in all files of a family of languages.
    shared: BTreeMap<Language, Names>,
    /// Names that the old version has, and those that the new one has. Everything that uses a name
    /// added by this change is new itself.
    before: BTreeSet<String>,
    after: BTreeSet<String>,
}

impl Affected {
    fn add(&mut self, file: usize, path: &str, change: &DeclarationChange) {
        let family = Language::of(path).map_or(Language::C, Language::family);
        let is_header = Language::is_header(path);
        let names = change.names.iter().cloned();
        let members = change.members.iter().cloned();
        if change.in_old {
            self.before.extend(names.clone().chain(members.clone()));
        }
        if change.in_new {
            self.after.extend(names.clone().chain(members.clone()));
        }
        let own = self.own.entry(file).or_default();
        own.members.extend(members.clone());
        own.names.extend(names.clone());
        // Other files see the definitions of a C file only through a header.
        if is_header || family != Language::Cpp {
            self.shared.entry(family).or_default().names.extend(names);
        }
        if is_header {
            self.shared.entry(family).or_default().members.extend(members);
        }
    }

    fn visible(&self, file: usize, language: Language) -> Vec<&Names> {
        self.own.get(&file).into_iter().chain(self.shared.get(&language.family())).collect()
    }

    fn changes_meaning(&self, name: &str) -> bool {
        self.before.contains(name) && self.after.contains(name)
    }
}

impl ChangedFunction {
    fn unchanged(at: FunctionRef, tree: Tree) -> ChangedFunction {
        ChangedFunction { at, kind: ChangeKind::Affected, tree, changes: Changes::default() }
    }
}

fn is_module(function: &Function) -> bool {
    function.head.is_empty()
}

fn without_calls(block: &sequence::Block) -> sequence::Block {
    sequence::Block { calls: Vec::new(), ..block.clone() }
}

fn single_block() -> Procedure {
    opaque(true).0
}

/// A function of one block, without lines to show.
fn opaque(is_changed: bool) -> (Procedure, Vec<Vec<u32>>) {
    let block = sequence::Block { is_changed, returns: true, ..sequence::Block::default() };
    let lines = if is_changed { vec![Vec::new()] } else { Vec::new() };
    (Procedure { blocks: vec![block], is_root: true }, lines)
}

/// The blocks of a function for the graph, and the lines of those that changed.
fn procedure(
    calls: &Calls,
    at: FunctionRef,
    unit: &Unit<'_>,
    tree: &Tree,
    changes: &Changes,
    flow: &Flow,
) -> (Procedure, Vec<Vec<u32>>) {
    let mut blocks = Vec::with_capacity(flow.blocks.len());
    let mut lines = Vec::new();
    for block in &flow.blocks {
        let changed: Vec<_> =
            block.pieces.iter().filter(|piece| changes.pieces.contains(piece)).collect();
        let is_changed = !changed.is_empty() || !block.places.is_empty();
        if is_changed {
            let starts = changed.iter().filter_map(|piece| tree.pieces[**piece].ranges.first());
            let mut of: Vec<u32> = starts.map(|range| unit.line(range.start)).collect();
            if of.is_empty() {
                let near =
                    block.pieces.first().and_then(|piece| tree.pieces[*piece].ranges.first());
                of.extend(near.map(|range| unit.line(range.start)));
            }
            of.dedup();
            lines.push(of);
        }
        let of_pieces = block.pieces.iter().flat_map(|piece| &tree.pieces[*piece].calls);
        let calls = of_pieces.map(|call| calls.call(at, unit, call));
        let calls = calls.filter(|call| !call.targets.is_empty());
        blocks.push(sequence::Block {
            is_changed,
            calls: calls.collect(),
            successors: block.successors.clone(),
            returns: block.returns,
            exits: block.exits,
            ..sequence::Block::default()
        });
    }
    (Procedure { blocks, is_root: true }, lines)
}

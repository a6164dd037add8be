//! Positions, scopes, files, variables and functions of the source, from metadata.
//!
//! Reads nodes when an instruction, a variable or a global mentions them. Follows chains of scopes
//! and of inlined calls without recursion, because they may be long in generated code; broken
//! chains end in "unknown".

use base::entity::PrimaryMap;
use ir::{DebugType, DebugTypeId, FileId, Scope, ScopeId, SourceFile, Span};
use rustc_hash::FxHashMap;

use crate::metadata::{Node, Nodes, number, reference, string};

pub(crate) struct DebugReader<'t> {
    pub(crate) nodes: Nodes<'t>,
    pub files: PrimaryMap<FileId, SourceFile>,
    pub scopes: PrimaryMap<ScopeId, Scope>,
    pub types: PrimaryMap<DebugTypeId, DebugType>,
    file_ids: FxHashMap<u32, Option<FileId>>,
    file_scopes: FxHashMap<FileId, ScopeId>,
    /// By scope and place of inlining.
    scope_ids: FxHashMap<(u32, Option<u32>), Option<ScopeId>>,
    /// By position of the node: 0, or one more than the index into `spans`.
    span_of: Vec<u32>,
    spans: Vec<Span>,
    pub(crate) type_ids: FxHashMap<u32, DebugTypeId>,
    /// Types with an id that are still to be read.
    pub(crate) pending_types: Vec<(u32, DebugTypeId)>,
    /// How many more bytes may be made from nodes that are used many times.
    budget: usize,
}

/// A function or global as in the source.
pub(crate) struct Described {
    pub name: String,
    pub ty: Option<DebugTypeId>,
    pub span: Span,
}

pub(crate) struct DescribedVariable {
    pub name: String,
    pub ty: Option<DebugTypeId>,
    pub scope: Option<ScopeId>,
    pub line: u32,
    pub parameter: u32,
}

#[derive(Clone, Copy, Default)]
struct Location {
    line: u32,
    column: u32,
    scope: Option<u32>,
    inlined_at: Option<u32>,
}

impl<'t> DebugReader<'t> {
    pub fn new(text: &'t [u8], entries: Vec<(u32, u32)>) -> DebugReader<'t> {
        let nodes = Nodes::new(text, entries);
        DebugReader {
            span_of: vec![0; nodes.len()],
            nodes,
            files: PrimaryMap::new(),
            scopes: PrimaryMap::new(),
            types: PrimaryMap::new(),
            file_ids: FxHashMap::default(),
            file_scopes: FxHashMap::default(),
            scope_ids: FxHashMap::default(),
            spans: Vec::new(),
            type_ids: FxHashMap::default(),
            pending_types: Vec::new(),
            budget: text.len().saturating_mul(16) + (1 << 16),
        }
    }

    /// Whether that many bytes may be produced or read: nodes that are used many times could
    /// otherwise become much larger than their text.
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        let rest = self.budget.checked_sub(bytes);
        self.budget = rest.unwrap_or(0);
        rest.is_some()
    }

    /// A node of the given kind, if it may be used once more.
    pub(crate) fn take(&mut self, number: u32, kind: &[u8]) -> Option<Node<'t>> {
        let node = self.nodes.get(number).filter(|node| node.kind == kind)?;
        self.spend(node.len()).then_some(node)
    }

    fn known_span(&self, number: u32) -> Option<Span> {
        match self.span_of[self.nodes.position(number)?] {
            0 => None,
            index => Some(self.spans[index as usize - 1]),
        }
    }

    /// The position that a `!DILocation` describes.
    #[inline]
    pub fn span(&mut self, number: u32) -> Span {
        match self.known_span(number) {
            Some(span) => span,
            None => self.new_span(number),
        }
    }

    fn new_span(&mut self, number: u32) -> Span {
        // From the inside out, then resolved from the outside in.
        let mut chain = vec![(number, self.location(number))];
        while let Some((_, Location { inlined_at: Some(outer), .. })) = chain.last().copied() {
            // A cycle would make the chain longer than there are nodes.
            if self.known_span(outer).is_some() || chain.len() > self.nodes.len() {
                break;
            }
            chain.push((outer, self.location(outer)));
        }
        let mut span = Span::NONE;
        for (number, location) in chain.into_iter().rev() {
            let scope = location.scope.and_then(|scope| self.scope(scope, location.inlined_at));
            span = Span { scope, line: location.line, column: location.column };
            self.keep_span(number, span);
        }
        span
    }

    fn keep_span(&mut self, number: u32, span: Span) {
        let Some(position) = self.nodes.position(number) else { return };
        if self.span_of[position] == 0 {
            self.spans.push(span);
            // There are fewer nodes than bytes of text, hence fewer than 2^32.
            self.span_of[position] = self.spans.len() as u32;
        }
    }

    fn location(&self, number: u32) -> Location {
        let mut location = Location::default();
        if let Some(node) = self.nodes.get(number)
            && node.kind == b"DILocation"
        {
            node.fields(|name, value| match name {
                b"line" => location.line = self::number(value),
                b"column" => location.column = self::number(value),
                b"scope" => location.scope = reference(value),
                b"inlinedAt" => location.inlined_at = reference(value),
                _ => {}
            });
        }
        location
    }

    pub fn scope(&mut self, number: u32, inlined_at: Option<u32>) -> Option<ScopeId> {
        if let Some(known) = self.scope_ids.get(&(number, inlined_at)) {
            return *known;
        }
        let mut blocks = Vec::new();
        let mut current = number;
        let mut parent = loop {
            if let Some(known) = self.scope_ids.get(&(current, inlined_at)) {
                break *known;
            }
            let Some(node) = self.nodes.get(current) else { break None };
            let block = matches!(node.kind, b"DILexicalBlock" | b"DILexicalBlockFile");
            if !block {
                let root = self.root_scope(node, inlined_at);
                self.scope_ids.insert((current, inlined_at), root);
                break root;
            }
            let raw = raw_scope(node);
            blocks.push((current, raw.file, raw.line));
            match raw.scope {
                Some(outer) if blocks.len() <= self.nodes.len() => current = outer,
                _ => break None,
            }
        };
        for (number, file, line) in blocks.into_iter().rev() {
            parent = parent.filter(|_| self.spend(size_of::<Scope>())).map(|outer| {
                let file = file.and_then(|file| self.file(file)).unwrap_or(self.scopes[outer].file);
                let line = if line == 0 { self.scopes[outer].line } else { line };
                self.scopes.push(Scope { file, line, parent, function: None, inlined_at: None })
            });
            self.scope_ids.insert((number, inlined_at), parent);
        }
        parent
    }

    /// The scope of a function, or of a file for declarations outside of functions.
    fn root_scope(&mut self, node: Node<'t>, inlined_at: Option<u32>) -> Option<ScopeId> {
        if !self.spend(size_of::<Scope>() + node.len()) {
            return None;
        }
        let raw = raw_scope(node);
        let file = raw.file.and_then(|file| self.file(file));
        if node.kind != b"DISubprogram" {
            return file.map(|file| self.file_scope(file));
        }
        let inlined_at = inlined_at.and_then(|number| self.known_span(number));
        Some(self.scopes.push(Scope {
            file: file?,
            line: raw.line,
            parent: None,
            function: Some(raw.name),
            inlined_at,
        }))
    }

    fn file_scope(&mut self, file: FileId) -> ScopeId {
        let scopes = &mut self.scopes;
        *self.file_scopes.entry(file).or_insert_with(|| {
            scopes.push(Scope { file, line: 0, parent: None, function: None, inlined_at: None })
        })
    }

    fn file(&mut self, number: u32) -> Option<FileId> {
        if let Some(known) = self.file_ids.get(&number) {
            return *known;
        }
        let id = self.nodes.get(number).filter(|node| node.kind == b"DIFile").map(|node| {
            let mut file =
                SourceFile { directory: String::new(), name: String::new(), in_archive: false };
            node.fields(|name, value| match name {
                b"filename" => file.name = string(value),
                b"directory" => file.directory = string(value),
                _ => {}
            });
            self.files.push(file)
        });
        self.file_ids.insert(number, id);
        id
    }

    /// The source's view of a function: its `!DISubprogram`.
    pub fn subprogram(&mut self, number: u32) -> Option<Described> {
        let node = self.take(number, b"DISubprogram")?;
        let raw = raw_scope(node);
        let scope = self.scope(number, None);
        let ty = raw.ty.map(|ty| self.ty(ty));
        Some(Described { name: raw.name, ty, span: Span { scope, line: raw.line, column: 0 } })
    }

    /// The source's view of a global: its `!DIGlobalVariableExpression`.
    pub fn global(&mut self, number: u32) -> Option<Described> {
        let mut variable = None;
        let node = self.nodes.get(number)?;
        let node = if node.kind == b"DIGlobalVariableExpression" {
            node.fields(|name, value| {
                if name == b"var" {
                    variable = reference(value);
                }
            });
            self.nodes.get(variable?)?
        } else {
            node
        };
        if node.kind != b"DIGlobalVariable" || !self.spend(node.len()) {
            return None;
        }
        let raw = raw_scope(node);
        let file = raw.file.and_then(|file| self.file(file)).map(|file| self.file_scope(file));
        // A static variable of a function belongs to the function's scope.
        let inner = raw.scope.filter(|scope| {
            self.nodes.get(*scope).is_some_and(|node| {
                matches!(node.kind, b"DISubprogram" | b"DILexicalBlock" | b"DILexicalBlockFile")
            })
        });
        let scope = inner.and_then(|scope| self.scope(scope, None)).or(file);
        let ty = raw.ty.map(|ty| self.ty(ty));
        Some(Described { name: raw.name, ty, span: Span { scope, line: raw.line, column: 0 } })
    }

    /// A `!DILocalVariable`, at the place that `location` describes.
    pub fn variable(&mut self, number: u32, location: Option<u32>) -> Option<DescribedVariable> {
        let node = self.take(number, b"DILocalVariable")?;
        let raw = raw_scope(node);
        let inlined_at = location.and_then(|location| {
            self.span(location);
            self.location(location).inlined_at
        });
        let scope = raw.scope.and_then(|scope| self.scope(scope, inlined_at));
        let ty = raw.ty.map(|ty| self.ty(ty));
        Some(DescribedVariable { name: raw.name, ty, scope, line: raw.line, parameter: raw.arg })
    }

    /// `file:line` of a position, for messages.
    pub fn place(&self, span: Span) -> Option<String> {
        let file = &self.files[self.scopes[span.scope?].file];
        (span.line != 0).then(|| format!("{}:{}", file.name, span.line))
    }
}

/// The fields that scopes, variables and functions have in common.
#[derive(Default)]
struct Raw {
    name: String,
    scope: Option<u32>,
    file: Option<u32>,
    ty: Option<u32>,
    line: u32,
    arg: u32,
}

fn raw_scope(node: Node<'_>) -> Raw {
    let mut raw = Raw::default();
    node.fields(|name, value| match name {
        b"name" => raw.name = string(value),
        b"scope" => raw.scope = reference(value),
        b"file" => raw.file = reference(value),
        b"type" => raw.ty = reference(value),
        b"line" => raw.line = number(value),
        b"arg" => raw.arg = number(value),
        _ => {}
    });
    raw
}

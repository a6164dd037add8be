//! The state of reading a module: symbols, globals, aliases, headers of functions.
//!
//! Reads named types, metadata nodes and aliases when something mentions them. Bodies are read
//! elsewhere, with this state.

mod constants;
mod functions;
mod globals;

pub(crate) use functions::Header;

use std::ops::Range;

use base::entity::PrimaryMap;
use ir::{Const, Definition, FuncId, Function, Global, GlobalId, Linkage, Span, TypedConst, Types};
use rustc_hash::FxHashMap;

use globals::GlobalHead;

use crate::cursor::{Cursor, Fault, Parsed, text_of};
use crate::debug::DebugReader;
use crate::index::{Index, count_lines};
use crate::intrinsics::{Intrinsic, intrinsic};
use crate::labels::{Labels, labels};
use crate::types::TypeReader;
use crate::{Problem, ReadError};

#[derive(Clone, Copy)]
pub(crate) enum Symbol {
    Function(FuncId),
    Global(GlobalId),
    /// An alias, by its position among them.
    Alias(u32),
    /// A declared function `llvm.…`, by its position in the index.
    Intrinsic(u32, Option<Intrinsic>),
    /// A list for the compiler's own use.
    Dropped,
}

pub(crate) struct Reader<'t> {
    pub text: &'t [u8],
    pub index: Index<'t>,
    pub types: TypeReader<'t>,
    pub debug: DebugReader<'t>,
    pub symbols: FxHashMap<&'t [u8], Symbol>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FuncId, Function>,
    /// Where the text of each function is in the index, if it has one.
    sources: PrimaryMap<FuncId, Option<u32>>,
    pub alias_heads: Vec<(GlobalHead<'t>, AliasState)>,
    labels: FxHashMap<FuncId, Labels<'t>>,
    pub constructors: Vec<(u32, FuncId)>,
    pub destructors: Vec<(u32, FuncId)>,
    /// How many more elements may be made from texts such as `splat`.
    budget: usize,
    pub problems: Vec<Problem>,
}

/// Where the body of a function is in the text.
pub(crate) struct BodyText {
    pub range: Range<usize>,
    /// The line of its opening brace.
    pub line: u32,
}

pub(crate) enum AliasState {
    Pending,
    Busy,
    Known(Box<TypedConst>),
    Failed,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t [u8]) -> Result<Reader<'t>, ReadError> {
        let mut index = Index::new(text)?;
        let types = TypeReader::new(text, &index.types, index.data_layout);
        let nodes = std::mem::take(&mut index.nodes);
        Ok(Reader {
            text,
            types,
            debug: DebugReader::new(text, nodes),
            symbols: FxHashMap::default(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::with_capacity(index.functions.len()),
            sources: PrimaryMap::with_capacity(index.functions.len()),
            alias_heads: Vec::new(),
            labels: FxHashMap::default(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            budget: text.len() + (1 << 20),
            problems: Vec::new(),
            index,
        })
    }

    pub fn define_symbol(
        &mut self,
        name: &'t [u8],
        symbol: Symbol,
        line: u32,
    ) -> Result<(), ReadError> {
        match self.symbols.insert(name, symbol) {
            None => Ok(()),
            Some(_) => Err(ReadError::Duplicate { line, name: text_of(name) }),
        }
    }

    pub fn declare_functions(&mut self) -> Result<(), ReadError> {
        for position in 0..self.index.functions.len() {
            let item = &self.index.functions[position];
            let (name, line, defined) = (item.name, item.line, item.body.is_some());
            let symbol = if name.starts_with(b"llvm.") && !defined {
                Symbol::Intrinsic(position as u32, intrinsic(&name[5..]))
            } else {
                Symbol::Function(self.add_function(position as u32))
            };
            self.define_symbol(name, symbol, line)?;
        }
        Ok(())
    }

    /// A function without type and body, to be read later.
    fn add_function(&mut self, position: u32) -> FuncId {
        let name = text_of(self.index.functions[position as usize].name);
        self.push_function(name, Linkage::External, Definition::Declaration, Some(position))
    }

    /// A function that is known by name only.
    pub fn add_unreadable(
        &mut self,
        name: &[u8],
        linkage: Linkage,
        reason: String,
        line: u32,
    ) -> FuncId {
        self.push_function(text_of(name), linkage, Definition::Unreadable { reason, line }, None)
    }

    fn push_function(
        &mut self,
        name: String,
        linkage: Linkage,
        definition: Definition,
        source: Option<u32>,
    ) -> FuncId {
        self.sources.push(source);
        self.functions.push(Function {
            name,
            linkage,
            returns: Types::VOID,
            params: Vec::new(),
            variadic: false,
            source_name: None,
            debug_type: None,
            span: Span::NONE,
            definition,
        })
    }

    /// Reads the header of a function. Returns the place of its body without reading it; `None` for
    /// a declaration and for an unreadable header.
    pub fn read_header(&mut self, id: FuncId) -> Option<(Header<'t>, BodyText)> {
        let item = &self.index.functions[self.sources[id]? as usize];
        let (at, end, line) = (item.at, item.end, item.line);
        let (range, body_line, cut) = (item.body.clone(), item.body_line, item.cut);
        let header = self.header(id, Cursor::new(&self.text[..end], at));
        let header = header.and_then(|header| {
            if cut {
                let reason = "the text ends inside the function".into();
                return Err(Box::new(Fault { at, reason }));
            }
            Ok(header)
        });
        match header {
            Ok(header) => Some((header, BodyText { range: range?, line: body_line })),
            Err(fault) => {
                self.unreadable(id, &fault, at, line, None);
                None
            }
        }
    }

    /// Marks a function as not understood. `at` and `line` are a place before the fault.
    pub fn unreadable(
        &mut self,
        id: FuncId,
        fault: &Fault,
        at: usize,
        line: u32,
        source: Option<String>,
    ) {
        let end = fault.at.clamp(at, self.text.len());
        let line = line + count_lines(&self.text[at..end]);
        let mut reason = fault.reason.to_string();
        if let Some(source) = source {
            reason.push_str(&format!(" (from {source})"));
        }
        let name = &self.functions[id].name;
        self.problems.push(Problem { line, reason: format!("function {name}: {reason}") });
        self.functions[id].definition = Definition::Unreadable { reason, line };
    }

    /// The function of a declared intrinsic without a counterpart in the IR.
    pub fn intrinsic_function(&mut self, name: &'t [u8], position: u32) -> FuncId {
        let id = self.add_function(position);
        self.symbols.insert(name, Symbol::Function(id));
        // A declaration has no body that would be lost.
        self.read_header(id);
        id
    }

    /// The address of a symbol.
    pub fn symbol_constant(
        &mut self,
        at: &Cursor<'t>,
        name: &'t [u8],
        depth: u32,
    ) -> Parsed<Const> {
        match self.symbols.get(name) {
            Some(&Symbol::Function(id)) => Ok(Const::Function(id)),
            Some(&Symbol::Global(id)) => Ok(Const::Global(id)),
            Some(&Symbol::Alias(position)) => Ok(self.alias_target(at, position, depth)?.value),
            Some(&Symbol::Intrinsic(position, _)) => {
                Ok(Const::Function(self.intrinsic_function(name, position)))
            }
            Some(Symbol::Dropped) | None => {
                at.fault(format!("@{} is not defined", String::from_utf8_lossy(name)))
            }
        }
    }

    pub fn block_constant(
        &mut self,
        at: &Cursor<'t>,
        function: &'t [u8],
        label: &'t [u8],
    ) -> Parsed<Const> {
        let Some(&Symbol::Function(id)) = self.symbols.get(function) else {
            return at.fault("the address of a block of an unknown function is taken");
        };
        let source = self.sources[id].map(|position| &self.index.functions[position as usize]);
        let Some(body) = source.and_then(|item| item.body.clone()) else {
            return at.fault("the address of a block of a declared function is taken");
        };
        let text = self.text;
        let labels = self.labels.entry(id).or_insert_with(|| labels(text, body));
        match labels.by_name.get(label) {
            Some(&block) => Ok(Const::Block(id, block)),
            None => at.fault("the address of an unknown block is taken"),
        }
    }

    /// Charges the budget for constants that are larger than their text.
    pub fn spend(&mut self, c: &Cursor<'t>, elements: u32) -> Parsed<()> {
        match self.budget.checked_sub(elements as usize) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => c.fault("constants are too large"),
        }
    }
}

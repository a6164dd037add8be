//! Modules, functions, bodies, globals and statements.

use base::entity::PrimaryMap;

use crate::named::named;
use crate::{
    BlockId, ConstId, DebugType, DebugTypeId, FileId, FuncId, GlobalId, Inst, InstId, Operand,
    Scope, ScopeId, SlotId, SourceFile, Span, StatementId, TypeId, TypedConst, Types, ValueId,
    Variable, inst::ByVal,
};

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub name: String,
    pub types: Types,
    pub files: PrimaryMap<FileId, SourceFile>,
    pub scopes: PrimaryMap<ScopeId, Scope>,
    pub debug_types: PrimaryMap<DebugTypeId, DebugType>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FuncId, Function>,
    pub aliases: Vec<Alias>,
    /// Functions run before `main` (after it, respectively), by ascending priority.
    pub constructors: Vec<(u32, FuncId)>,
    pub destructors: Vec<(u32, FuncId)>,
    /// Dense over the module, in the order of functions, blocks and instructions.
    pub statements: PrimaryMap<StatementId, Statement>,
}

impl Module {
    /// The file of a position, where it is known.
    pub fn file_of(&self, span: Span) -> Option<FileId> {
        Some(self.scopes.get(span.scope?)?.file)
    }

    /// Whether code or data at a position comes from a member of an archive. Anything without a
    /// known file is the program's.
    pub fn in_archive(&self, span: Span) -> bool {
        self.file_of(span).is_some_and(|file| self.files[file].in_archive)
    }

    /// Whether a function is the program's own: it has code, and not from an archive.
    pub fn is_own(&self, function: FuncId) -> bool {
        let function = &self.functions[function];
        function.body().is_some() && !self.in_archive(function.span)
    }
}

named! { Linkage {
    External "external",
    /// Visible in its own module only.
    Internal "internal",
    /// One of several equal or overridable definitions (weak, linkonce, selectany).
    Weak "weak",
    /// A tentative definition of C.
    Common "common",
    /// A body for inlining only; the real definition is elsewhere.
    AvailableExternally "available_externally",
    /// A declaration that may stay undefined; its address is then null.
    ExternWeak "extern_weak",
} }

#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub linkage: Linkage,
    pub ty: TypeId,
    pub align: u64,
    pub constant: bool,
    pub thread_local: bool,
    /// `None` for a declaration.
    pub init: Option<TypedConst>,
    /// Source name, type and position, where known.
    pub source_name: Option<String>,
    pub debug_type: Option<DebugTypeId>,
    pub span: Span,
}

/// A second name of a function or global.
#[derive(Clone, Debug)]
pub struct Alias {
    pub name: String,
    pub linkage: Linkage,
    pub target: TypedConst,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub linkage: Linkage,
    pub returns: TypeId,
    pub params: Vec<Param>,
    pub variadic: bool,
    pub source_name: Option<String>,
    pub debug_type: Option<DebugTypeId>,
    /// Scope and line of the definition.
    pub span: Span,
    pub definition: Definition,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub ty: TypeId,
    pub name: String,
    /// The callee gets the address of its own copy.
    pub byval: Option<ByVal>,
}

#[derive(Clone, Debug)]
pub enum Definition {
    Declaration,
    Body(Box<Body>),
    /// The reader could not parse the body; the rest of the module is valid.
    Unreadable {
        reason: String,
        /// Line in the text that was read.
        line: u32,
    },
}

impl Function {
    pub fn body(&self) -> Option<&Body> {
        match &self.definition {
            Definition::Body(body) => Some(body),
            Definition::Declaration | Definition::Unreadable { .. } => None,
        }
    }

    /// The name to show in messages.
    pub fn display_name(&self) -> &str {
        self.source_name.as_deref().unwrap_or(&self.name)
    }
}

/// The code of a function. The first values are the parameters, in order; the
/// first block is the entry.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub values: PrimaryMap<ValueId, Value>,
    pub consts: PrimaryMap<ConstId, TypedConst>,
    pub slots: PrimaryMap<SlotId, Slot>,
    pub blocks: PrimaryMap<BlockId, Block>,
    pub insts: PrimaryMap<InstId, Inst>,
    pub variables: Vec<Variable>,
}

impl Body {
    pub const ENTRY: BlockId = BlockId::at(0);

    pub fn operand_type(&self, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(value) => self.values[value].ty,
            Operand::Const(constant) => self.consts[constant].ty,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Value {
    pub ty: TypeId,
    /// The name in the text that was read, for messages; may be empty.
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct Slot {
    pub ty: TypeId,
    pub name: String,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub name: String,
    /// Ends with the only terminator; phis come first.
    pub insts: Vec<InstId>,
}

/// The instructions of one block that carry the same source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub function: FuncId,
    pub block: BlockId,
    /// Position of the first instruction that has one.
    pub span: Span,
}

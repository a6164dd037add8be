//! Source-level information: files, scopes, positions, types, variables.

use crate::named::named;
use crate::{DebugTypeId, FileId, ScopeId, SlotId, ValueId};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceFile {
    pub directory: String,
    pub name: String,
    /// Whether its code comes from a member of an archive. The linker sets it: a name proves
    /// nothing, because `#line` may give any name to any code.
    pub in_archive: bool,
}

/// A lexical scope. Scopes form trees whose roots are functions, or files for declarations outside
/// of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub file: FileId,
    pub line: u32,
    pub parent: Option<ScopeId>,
    /// Source name of the function, if the scope is a function's outermost one.
    pub function: Option<String>,
    /// Where the function was inlined, for the outermost scope of code that a compiler inlined.
    pub inlined_at: Option<Span>,
}

/// A position in the source. Line 0 means that the compiler gave none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    pub scope: Option<ScopeId>,
    pub line: u32,
    pub column: u32,
}

impl Span {
    pub const NONE: Span = Span { scope: None, line: 0, column: 0 };
}

named! { Encoding {
    Signed "signed",
    Unsigned "unsigned",
    SignedChar "signed_char",
    UnsignedChar "unsigned_char",
    Boolean "boolean",
    Float "float",
    /// A Unicode code point, as Rust's `char`.
    Utf "utf",
    Other "other",
} }

named! { Qualifier {
    Const "const",
    Volatile "volatile",
    Restrict "restrict",
    Atomic "atomic",
} }

/// A type as the programmer wrote it. Sizes and offsets are in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    Void,
    Base {
        name: String,
        bits: u64,
        encoding: Encoding,
    },
    Pointer {
        to: Option<DebugTypeId>,
    },
    Struct {
        name: String,
        bits: u64,
        members: Vec<DebugMember>,
    },
    Union {
        name: String,
        bits: u64,
        members: Vec<DebugMember>,
    },
    Array {
        element: Option<DebugTypeId>,
        lengths: Vec<Option<u64>>,
    },
    Enum {
        name: String,
        bits: u64,
        enumerators: Vec<(String, i128)>,
    },
    Typedef {
        name: String,
        to: Option<DebugTypeId>,
    },
    Qualified {
        qualifier: Qualifier,
        to: Option<DebugTypeId>,
    },
    Function {
        returns: Option<DebugTypeId>,
        params: Vec<Option<DebugTypeId>>,
    },
    /// An unsupported kind; its tag is kept for messages.
    Other {
        tag: String,
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugMember {
    pub name: String,
    pub ty: Option<DebugTypeId>,
    pub offset: u64,
    pub bits: u64,
    pub bit_field: bool,
}

/// A local variable or parameter of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub ty: Option<DebugTypeId>,
    pub scope: Option<ScopeId>,
    pub line: u32,
    /// 1-based position among the parameters; 0 for a local variable.
    pub parameter: u32,
    pub storage: Storage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Slot(SlotId),
    /// The value is the address of the variable's memory.
    Memory(ValueId),
    /// The value is the variable's value, from this definition on.
    Value(ValueId),
    /// The compiler kept no location.
    Unknown,
}

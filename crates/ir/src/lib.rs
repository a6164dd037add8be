//! Ripple's intermediate representation: types and layout, functions, slots, statements.
//!
//! A [`Module`] is built by a reader, finished once, and immutable from then on.
//! This crate does not know LLVM, execution or solvers.

pub mod constant;
pub mod debug;
pub mod ids;
pub mod inst;
pub mod link;
pub mod module;
mod named;
pub mod parse;
pub mod print;
pub mod promote;
pub mod references;
pub mod statements;
pub mod types;
pub mod verify;

pub use constant::{Const, TypedConst};
pub use debug::{
    DebugMember, DebugType, Encoding, Qualifier, Scope, SourceFile, Span, Storage, Variable,
};
pub use ids::{
    BlockId, ConstId, DebugTypeId, FileId, FuncId, GlobalId, InstId, ScopeId, SlotId, StatementId,
    TypeId, ValueId,
};
pub use inst::{
    Access, Argument, Asm, BinaryOp, Builtin, ByVal, Call, Callee, CastOp, CompareOp, Inst, Op,
    Operand, RmwOp, UnaryOp,
};
pub use link::{LinkError, Site, link, link_with_archive};
pub use module::{
    Alias, Block, Body, Definition, Function, Global, Linkage, Module, Param, Slot, Statement,
    Value,
};
pub use parse::{ParseError, parse};
pub use print::{print, print_statements};
pub use promote::promote;
pub use references::{Mention, References, undefined_symbols, visit_body, visit_const};
pub use types::{FloatKind, Layout, Type, Types};
pub use verify::{Place, Violation, verify};

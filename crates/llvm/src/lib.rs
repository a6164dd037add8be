//! Reads textual LLVM IR of any version in use and yields a module of our IR.
//!
//! The reader is tolerant: it skips attributes, flags and metadata that it does not know. A
//! function that it cannot understand becomes unreadable with a reason, and the rest of the module
//! is valid. It needs no LLVM library, runs nothing, and performs no analysis beyond promoting
//! scalars to slots and dividing statements.

mod body;
mod cursor;
mod debug;
mod debug_types;
mod fold;
mod index;
mod intrinsics;
mod labels;
mod literal;
mod metadata;
mod module;
mod offsets;
mod reader;
mod types;
mod wide;
mod words;

/// A module, and the parts of its text that were not understood.
#[derive(Clone, Debug)]
pub struct ReadModule {
    pub module: ir::Module,
    /// In the order of the text: unreadable functions, initialisers and aliases.
    pub problems: Vec<Problem>,
}

/// A piece of the text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line in the text, counted from 1.
    pub line: u32,
    pub reason: String,
}

/// Why a text as a whole is no module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("line {line}: this is not LLVM IR text: `{found}`")]
    NotIr { line: u32, found: String },
    #[error("this is LLVM bitcode; only its textual form can be read (clang -S -emit-llvm)")]
    Bitcode,
    #[error("the text is larger than 4 GiB")]
    TooLarge,
    #[error("line {line}: @{name} is defined twice")]
    Duplicate { line: u32, name: String },
}

/// Reads a module with the given `name`; the text need not be UTF-8.
pub fn read(name: &str, text: impl AsRef<[u8]>) -> Result<ReadModule, ReadError> {
    module::read(name, text.as_ref())
}

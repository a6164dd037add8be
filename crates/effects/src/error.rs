//! Why a question about programs cannot be answered.
//!
//! A finding about a program is no error. Each variant says whose matter it is.

use std::io;
use std::path::PathBuf;

use exec::ProgramError;
use explore::saved::StateError;
use ir::link::LinkError;
use source::SourceError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum Error {
    /// What was typed, the compiler, the files, or a native program that cannot be run; see there.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// What the compiler wrote, or the user's `.ll` file, cannot be read.
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: llvm::ReadError },
    /// The user's `.ll` file can be read, but says things that make no sense together.
    #[error("{}: this IR is not valid: {first}{}", path.display(), and_more(*more))]
    Invalid { path: PathBuf, first: String, more: usize },
    /// The native linker misses functions, too.
    #[error("nothing defines {}; add the file or the library that does", functions(.0))]
    UndefinedFunctions(Vec<String>),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A version does not build.
    #[error("{which} does not build: {cause}")]
    Build { which: &'static str, cause: Box<Error> },
    /// A version does not build, or its function cannot be called.
    #[error("{which}: {cause}")]
    Version { which: String, cause: Box<Error> },
    #[error("there must be at least two versions")]
    TooFewVersions,
    /// A line that was named has no code.
    #[error(transparent)]
    Line(#[from] graphs::GraphError),
    /// What was said about the input.
    #[error(transparent)]
    Input(#[from] inputs::Error),
    /// Arguments are those of `main`.
    #[error("a function has parameters, not arguments; with --entry, say --param instead of {0}")]
    ArgumentsOfFunction(&'static str),
    /// Parameters without a function.
    #[error("{0} speaks of one function; name it with --entry")]
    NoEntry(&'static str),
    /// A function can be called natively from its C text only.
    #[error("`{0}` is not defined in any of the C files, so it cannot be called natively")]
    NoSource(String),
    #[error("the state of the search cannot be saved: {0}")]
    Save(io::Error),
    /// The saved state is damaged or belongs to another search.
    #[error("the saved state cannot be taken up")]
    State(#[from] StateError),
    #[error(transparent)]
    WorkerPanicked(#[from] explore::WorkerPanicked),
}

impl Error {
    /// Whether a program as given does not build, as opposed to wrong use of a tool.
    pub fn is_build_failure(&self) -> bool {
        match self {
            Error::Source(error) => error.is_build_failure(),
            Error::UndefinedFunctions(_) | Error::Link(_) | Error::Program(_) => true,
            Error::Build { cause, .. } | Error::Version { cause, .. } => cause.is_build_failure(),
            _ => false,
        }
    }

    /// The same of a version.
    pub(crate) fn of(which: impl Into<String>) -> impl FnOnce(Error) -> Error {
        let which = which.into();
        move |cause| Error::Version { which, cause: Box::new(cause) }
    }
}

fn functions(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let noun = if names.len() == 1 { "the function" } else { "the functions" };
    format!("{noun} {}", names.join(", "))
}

fn and_more(more: usize) -> String {
    match more {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    }
}

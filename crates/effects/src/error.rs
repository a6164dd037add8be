//! Why a request about programs cannot be answered.
//!
//! A finding about a program is not an error. Each variant says whose fault it is.

use std::io;
use std::path::PathBuf;

use exec::ProgramError;
use explore::saved::StateError;
use ir::link::LinkError;
use source::SourceError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum Error {
    /// The command line, the compiler, the files, or a native program that cannot run.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// What the compiler wrote, or the user's `.ll` file, cannot be read.
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: llvm::ReadError },
    /// The user's `.ll` file can be read, but breaks the rules of the IR.
    #[error("{}: invalid IR: {first}{}", path.display(), and_more(*more))]
    Invalid { path: PathBuf, first: String, more: usize },
    /// The native linker would fail, too.
    #[error("undefined: {}; add the file or library that defines it", functions(.0))]
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
    /// What a program is can only be said of files that are compiled in one way.
    #[error(
        "the build compiles `{}` in several ways for the program {program}, which is not supported",
        file.display()
    )]
    CompiledTwice { program: String, file: PathBuf },
    #[error("there must be at least two versions")]
    TooFewVersions,
    /// The user named a line without code.
    #[error(transparent)]
    Line(#[from] graphs::GraphError),
    /// The declaration of the inputs, or a test.
    #[error(transparent)]
    Input(#[from] inputs::Error),
    /// Only `main` has arguments.
    #[error("{0} declares arguments of `main`; with --entry, use --param instead")]
    ArgumentsOfFunction(&'static str),
    /// Parameters without a function.
    #[error("{0} needs a function; name it with --entry")]
    NoEntry(&'static str),
    /// A native call needs the C text of the function.
    #[error("`{0}` is not defined in any of the C files, so it cannot be called natively")]
    NoSource(String),
    #[error("cannot save the state of the search: {0}")]
    Save(io::Error),
    /// The saved state is damaged or belongs to another search.
    #[error("cannot resume the saved state")]
    State(#[from] StateError),
    #[error(transparent)]
    WorkerPanicked(#[from] explore::WorkerPanicked),
}

impl Error {
    /// Whether the program does not build, as opposed to a usage error or a failing tool.
    pub fn is_build_failure(&self) -> bool {
        match self {
            Error::Source(error) => error.is_build_failure(),
            Error::UndefinedFunctions(_) | Error::Link(_) | Error::Program(_) => true,
            Error::Build { cause, .. } | Error::Version { cause, .. } => cause.is_build_failure(),
            _ => false,
        }
    }

    /// The error of a version.
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

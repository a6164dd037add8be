//! The one error type of this crate. Each variant says whose fault it is.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::confine::Step;
use crate::end::End;

/// Why something could not be found, compiled, built or run.
#[derive(Debug, Error)]
pub enum SourceError {
    /// No compiler is installed.
    #[error("no clang was found: neither `clang` nor any `clang-N` is on the PATH")]
    NoClang,
    /// The user named a compiler that does not exist.
    #[error("`{name}` (from {origin}) was not found or cannot be executed")]
    ClangMissing { name: String, origin: &'static str },
    /// The user named a solver that does not exist.
    #[error("the solver `{name}` was not found or cannot be executed")]
    SolverMissing { name: String },
    /// The user named a program that is not clang.
    #[error("`{}` is not clang: its `--version` says `{said}`", path.display())]
    NotClang { path: PathBuf, said: String },
    /// The compiler is older than anything we read.
    #[error("`{}` is clang {major}, and clang {oldest} or newer is needed", path.display())]
    ClangTooOld { path: PathBuf, major: u32, oldest: u32 },
    /// An input file cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    /// An input is a directory.
    #[error("`{}` is a directory, not a file", path.display())]
    IsDirectory { path: PathBuf },
    /// An input is neither C nor LLVM IR text.
    #[error("`{}` is neither a C file (.c, .i) nor LLVM IR text (.ll)", path.display())]
    UnknownKind { path: PathBuf },
    /// A file that should contain text does not.
    #[error("`{}` is not text: it holds bytes that are not UTF-8", path.display())]
    NotText { path: PathBuf },
    /// The compiler rejected some files. Its messages are kept verbatim.
    #[error("{}", Failures(.0))]
    DoesNotCompile(Vec<Failure>),
    /// The files compile, but do not make a program.
    #[error("the program does not link:\n{said}")]
    DoesNotLink { said: String },
    /// A program that must run on any machine does not run on this one.
    #[error("a native program was built, but running it ended with {end:?}")]
    DoesNotRun { end: End },
    /// The system cannot confine programs under test, and the user did not do without.
    #[error(
        "native programs would run unprotected, so they are not run: {lacking}; --no-sandbox runs them all the same"
    )]
    Unprotected { lacking: String },
    /// The caller asked for a file outside of a run's directory.
    #[error("`{name}` is not a relative file name inside the run's directory")]
    BadFileName { name: String },
    /// The user asked about commits outside of a repository.
    #[error("`{}` is not in a git repository", path.display())]
    NotARepository { path: PathBuf },
    /// The user named a revision that the repository does not have.
    #[error("there is no commit `{revision}` in this repository")]
    UnknownRevision { revision: String },
    /// The repository is a shallow clone without the needed commits.
    #[error(
        "the parents of commit {commit} are not in this shallow clone; `git fetch --deepen=1` gets them"
    )]
    Shallow { commit: String },
    /// The user named files or directories without anything to read.
    #[error("there is no C, C++, Rust, Java, JavaScript, TypeScript, Go or Python file in `{}` or `{}`", old.display(), new.display())]
    NoSources { old: PathBuf, new: PathBuf },
    /// The user named a file as one version and a directory as the other.
    #[error("`{}` and `{}` must both be files or both be directories", old.display(), new.display())]
    FileAndDirectory { old: PathBuf, new: PathBuf },
    /// The user named a version that is no existing file, and there is no repository.
    #[error("`{name}` is neither a file nor a directory, and `{}` is not in a git repository", directory.display())]
    NoSuchFile { name: String, directory: PathBuf },
    /// The user named a version that is neither an existing file nor a revision.
    #[error("`{name}` is neither a file or a directory nor a revision of this repository")]
    NoSuchVersion { name: String },
    /// The same in a shallow clone, which may just lack it.
    #[error(
        "`{name}` is neither a file or a directory nor a revision in this shallow clone; \
         `git fetch --unshallow` gets all revisions, `git fetch --deepen=1` one more"
    )]
    NotInShallow { name: String },
    /// A sparse work tree lacks a file that the other version has, with other contents.
    #[error(
        "`{}` is not in the sparse work tree and differs in {version}; compare revisions instead \
         of the work tree, or get the file with `git sparse-checkout disable`", path.display()
    )]
    OutsideSparse { path: PathBuf, version: String },
    /// The user selected a path that no version has.
    #[error("`{}` is neither in `{old}` nor in `{new}`", path.display())]
    PathNowhere { path: PathBuf, old: String, new: String },
    /// The user selected only paths that one version lacks.
    #[error("`{}` is not in `{version}`", path.display())]
    PathMissing { path: PathBuf, version: String },
    /// The user named a version without a C file.
    #[error("there is no C file in `{version}`")]
    NoCFiles { version: String },
    /// The user selected paths of a version that is a file.
    #[error("`{}` is a file, so paths behind `--` cannot select a part of it", file.display())]
    PathsOfFile { file: PathBuf },
    /// The user compares a revision with a file outside of the repository.
    #[error("`{}` is not in the work tree of this repository, so there is no revision of it", path.display())]
    OutsideWorkTree { path: PathBuf },
    /// The user's list of compiler commands is malformed.
    #[error("`{}` is no compilation database: {said}", path.display())]
    BadDatabase { path: PathBuf, said: String },
    /// The user named a record of a build that is none.
    #[error("`{}` is no recorded build: {said}", path.display())]
    BadBuild { path: PathBuf, said: String },
    /// The build of a version failed, or made nothing.
    #[error("the build of {version} with `{command}` failed: {why}\n{said}")]
    VersionNotBuilt { version: String, command: String, why: String, said: String },
    /// Versions are built below the cache.
    #[error("versions are built below the cache, and there is none; set --cache-dir DIR")]
    NoPlaceToBuild,
    /// The user wants a build confined, and the system cannot do that.
    #[error("the build cannot be confined, so it is not run: {lacking}")]
    BuildUnprotected { lacking: String },
    /// The user named a build command that does not exist.
    #[error("the build command `{name}` was not found or cannot be executed")]
    CommandMissing { name: String },
    /// The user's diff is malformed.
    #[error("`{}` is no unified diff: {said}", path.display())]
    Diff { path: PathBuf, said: String },
    /// Two revisions have no common ancestor, as far as the repository knows.
    #[error(
        "`{one}` and `{other}` have no commit in common; if this is a shallow clone, `git fetch --unshallow` gets the rest"
    )]
    NoMergeBase { one: String, other: String },
    /// The repository has no commits.
    #[error("the repository has no commits yet")]
    NoCommits,
    /// The repository is damaged, or of an unsupported kind.
    #[error("{doing}: {said}")]
    Git { doing: String, said: String },
    /// The operating system refused something unrelated to the input.
    #[error("{doing}: {cause}")]
    System { doing: String, cause: io::Error },
}

/// One file that the compiler rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub path: PathBuf,
    /// The compiler's standard error, verbatim.
    pub said: String,
    /// Whether the compiler ended by itself, so that a repetition would fail the same way.
    pub is_final: bool,
}

impl SourceError {
    /// Whether the version under test does not build, as opposed to a usage error or a failing
    /// tool.
    pub fn is_build_failure(&self) -> bool {
        matches!(
            self,
            Self::DoesNotCompile(_) | Self::DoesNotLink { .. } | Self::VersionNotBuilt { .. }
        )
    }

    /// A protection could not be set up.
    pub(crate) fn unprotected(step: Step, cause: io::Error) -> Self {
        let why = match step {
            Step::Privileges => "the system does not let processes give up their privileges",
            Step::Files => "the kernel offers no landlock, which protects files",
            Step::Calls => {
                "the kernel offers no supervised seccomp filters, which protect the rest"
            }
            Step::Supervisor => "system calls of other processes cannot be supervised",
        };
        Self::Unprotected { lacking: format!("{why} ({cause})") }
    }

    pub(crate) fn system(doing: impl Into<String>, cause: io::Error) -> Self {
        Self::System { doing: doing.into(), cause }
    }
}

struct Failures<'a>(&'a [Failure]);

impl fmt::Display for Failures<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(f, "`{}` does not compile:", one.path.display())?,
            many => write!(f, "{} files do not compile:", many.len())?,
        }
        for failure in self.0 {
            write!(f, "\n{}", failure.said.trim_end())?;
        }
        Ok(())
    }
}

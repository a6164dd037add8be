//! Everything that runs other programs: finding clang, compiling C to LLVM IR text, building
//! natively, and running native programs under limits; and everything that reads repositories.
//!
//! Input is files and flags, output is text, paths and outcomes as plain data. This crate does not
//! know any IR: LLVM IR is text that a compiler wrote. It does not print or read environment
//! variables; callers pass them in. It does read the clock and the working directory, because
//! compilers and caches need them.
//!
//! Linux on x86-64 only: it relies on process groups, pidfds, resource limits and ELF.

mod active;
mod artifact;
mod build;
mod building;
mod cache;
mod checkout;
mod clang;
mod compile;
mod conditions;
mod configuration;
mod confine;
mod database;
mod depfile;
mod dialect;
mod diff;
mod end;
mod error;
mod flags;
mod follow;
mod git;
mod hunk;
mod includes;
mod mains;
mod manifest;
mod native;
mod outside;
mod paths;
mod pipes;
mod probe;
mod programs;
mod protections;
mod record;
mod run;
mod sandbox;
mod scratch;
mod solver;
mod spawn;
mod timing;
mod tree;

pub use active::{Inactive, Seen, seen};
pub use build::{
    Build, DroppedFlag, LOG_VARIABLE, Language, Means, Product, ProductId, ProductKind,
    Progress as BuildProgress, Recorded, Recording, Tracing, Unit, UnitId, stand_in,
};
pub use building::{Building, detected_builds, is_build_file};
pub use cache::{Cache, Cleared, Contents, KindCount};
pub use checkout::{
    Absent, BuiltUnit, Checkout, HeldPosition, LeftOut, Revision, Selection, VersionBuild,
    call_all_alike, check_out, check_out_beside, check_out_both,
};
pub use clang::{Clang, OLDEST_MAJOR, Search, find_program};
pub use compile::{Compiler, IrText, Remedy, SourceText};
pub use configuration::{Configurations, hunks_between};
pub use confine::Confinement;
pub use diff::DiffLines;
pub use end::End;
pub use error::{Failure, SourceError};
pub use follow::{
    Attention, Call, Containment, Follow, PassOn, Process, ProcessId, Refusal, Watcher,
};
pub use git::{ChangedFile, Commit, FileChanges, Repository, SkipReason, Skipped};
pub use hunk::{Hunk, HunkId, HunkKind, Lines};
pub use includes::{IncludePaths, Inferred};
pub use native::{NativeProgram, Sanitizer};
pub use probe::Probe;
pub use programs::{Listed, Programs, Told, list_programs};
pub use protections::{Protection, protections};
pub use record::{
    Content, Execution, Executions, FileBefore, Flaw, ProgramName, Record, RecordLimits,
};
pub use run::{Invocation, Limits, NativeRun, run_native, run_native_while};
pub use solver::SmtSolver;
pub use timing::{Timing, time_native};
pub use tree::compare_trees;

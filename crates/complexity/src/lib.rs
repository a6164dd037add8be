//! How complex a change is, from the texts of both versions, without a build.
//!
//! `text` finds functions with basic blocks of statements in source text of eight languages,
//! `sequence` makes the change sequence graph over changed blocks of any origin, and `measure`
//! combines them. Does not know IR, builds, repositories or output formats.

pub mod measure;
pub mod sequence;
pub mod text;

pub use measure::{Complexity, FileVersions, measure};

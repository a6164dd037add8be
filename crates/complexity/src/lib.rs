//! How complex a change is, from the texts of both versions and without a build.
//!
//! `text` makes functions with basic blocks of statements from source text in eight languages,
//! `sequence` the change sequence graph over changed blocks, wherever they come from, and `measure`
//! puts them together. Knows no IR, no build, no repository and no output format.

pub mod measure;
pub mod sequence;
pub mod text;

pub use measure::{Complexity, FileVersions, measure};

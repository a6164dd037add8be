//! What changed between two versions: changed statements, the orders in which they can be
//! executed, and how complex the change is.
//!
//! `versions` aligns two builds in our IR. `complexity` measures a change from the texts of both
//! versions, without a build. `sequence` builds the change sequence graph from blocks, wherever
//! they come from. Nothing here runs a program, reads a file or knows of repositories.

pub mod complexity;
pub mod sequence;
pub mod text;
pub mod versions;

pub use versions::{Alignment, align};

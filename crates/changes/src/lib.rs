//! Two versions of a program: what changed between them.
//!
//! `versions` aligns two builds in our IR. Knows nothing of execution.

pub mod versions;

pub use versions::{Alignment, align};

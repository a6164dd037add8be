//! What a user asks for, as plain data: loading programs, exploring them, and comparing and
//! verifying versions.
//!
//! Knows nothing of output formats. Processes are run through `source` only.

mod both;
pub mod compare;
pub mod explore;
mod identity;
pub mod mathematics;
mod observed;
pub mod premises;
pub mod program;
pub mod proved;
mod space;
pub mod verify;
pub mod versions;

pub use program::{Libc, LoadError, Loaded, Loader};

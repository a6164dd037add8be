//! What a user asks for, as plain data: loading programs, running them, and comparing the
//! machine with native execution.
//!
//! Knows nothing of output formats. Processes are run through `source` only.

mod both;
pub mod compare;
pub mod conformance;
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

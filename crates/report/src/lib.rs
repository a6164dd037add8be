//! Results as text for people and for other programs.
//!
//! Takes plain data, gives text; one file for each format. Knows nothing of how results were
//! made and does no I/O.

pub mod changes;
pub mod explore;
pub mod impact;
mod native;
pub mod shell;
pub mod words;

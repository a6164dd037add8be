//! One file per command. Each has a `run` that gives the exit code.

pub mod completions;
pub mod complexity;
pub mod doctor;
pub mod dump;
pub mod explore;
pub mod run;
pub mod solve;

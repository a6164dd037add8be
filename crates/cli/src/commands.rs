//! One file per command. Each has a `run` that returns the exit code.

pub mod accept;
pub mod adequacy;
pub mod build;
pub mod cache;
pub mod changes;
pub mod compare;
pub mod completions;
pub mod complexity;
pub mod doctor;
pub mod dump;
pub mod explore;
pub mod graphs;
pub mod impact;
pub mod interact;
pub mod man;
pub mod programs;
pub mod record;
pub mod requirements;
pub mod run;
pub mod select;
pub mod slice;
pub mod solve;
pub mod study;
pub mod verify;

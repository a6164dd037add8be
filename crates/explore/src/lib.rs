//! Exploration: which inputs to try next.
//!
//! One loop for all strategies: take a candidate, run it, see where it went, and turn
//! conditions of its path around to get further candidates. Knows how to put an input in
//! place (`harness`), but nothing of source files, processes or reports.

pub mod candidate;
pub mod harness;
mod text;
pub mod worker;

pub use candidate::{Candidate, Frontier, Search};
pub use harness::{Harness, InputTerms};
pub use worker::{Found, Gap, Stopped, Unknown, Worker};

//! Exploration: which inputs to try next.
//!
//! One loop for all strategies: take a candidate, run it, see where it went, and turn
//! conditions of its path around to get further candidates. Knows how to put an input in
//! place (`harness`), but nothing of source files, processes or reports.

pub mod budget;
pub mod candidate;
pub mod control;
pub mod dart;
pub mod edges;
mod effect_tree;
pub mod explorer;
pub mod express;
pub mod fault;
pub mod fuzz;
pub mod guidance;
pub mod harness;
mod infection;
mod joint;
pub mod matching;
mod nearer;
pub mod pair;
pub mod partial;
pub mod partitions;
pub mod propagate;
mod random;
pub mod reach;
pub mod relevance;
mod result;
pub mod saved;
pub mod smaller;
mod symbolic;
mod text;
pub mod trace;
pub mod why;
pub mod worker;

pub use budget::{Budget, Progress, Snapshot, Stopwatch};
pub use candidate::{Candidate, Frontier, Search};
pub use exec::concolic::JUMPED;
pub use explorer::{Effort, Exploration, Options, Strategy, WorkerPanicked, explore};
pub use fault::FaultFound;
pub use harness::{Harness, InputTerms};
pub use matching::Matching;
pub use pair::{Advance, Arena, CellFrom, Finding, Observe, Outcome, Pair, Searcher, Side, Tried};
pub use partial::{Partial, PartialRun};
pub use partitions::{Partition, Partitioning, Partitions};
pub use result::Taker;
pub use worker::{Found, Gap, Stopped, Unknown, Worker};

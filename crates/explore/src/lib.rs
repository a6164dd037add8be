//! Exploration: chooses the next inputs to run.
//!
//! One loop for all strategies: take a candidate, run it, record its path, and negate conditions of
//! the path to get further candidates. Does not know source files, processes or reports.

pub mod budget;
pub mod candidate;
pub mod cells;
pub mod control;
pub mod dart;
pub mod edges;
pub mod exploration;
pub mod explorer;
pub mod express;
mod fault;
pub mod fuzz;
pub mod guidance;
mod input_terms;
mod joint;
mod nearer;
pub mod pair;
pub mod partial;
pub mod partitions;
pub mod propagate;
pub mod proved;
mod random;
pub mod reach;
pub mod relevance;
mod result;
pub mod saved;
pub mod smaller;
pub mod sweep;
mod symbolic;
pub mod tables;
pub mod worker;

pub use budget::{Budget, Progress, Snapshot, Stopped, Stopwatch, affordable_events};
pub use candidate::{Candidate, Frontier, Search};
pub use cells::CellFrom;
pub use exec::concolic::JUMPED;
pub use exploration::{Effort, Exploration, FaultFound, Options, Strategy};
pub use explorer::{WorkerPanicked, explore};
pub use input_terms::InputTerms;
pub use pair::{Advance, Arena, Finding, Pair, Searcher, Side, Tried};
pub use partial::{Partial, PartialRun, PathLimits};
pub use partitions::{Partitioning, Partitions};
pub use result::Taker;
pub use worker::{Found, Gap, Unknown, Worker};

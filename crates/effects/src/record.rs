//! Recorded executions as tests, and tests replayed on the machine.
//!
//! `convert` makes tests of what `source` recorded: paths become relative, executions with the same
//! input become one test. `replay` runs a test and compares it with what was recorded.

mod convert;
mod paths;
mod replay;

pub use convert::{Converted, convert};
pub use paths::Origin;
pub use replay::{Difference, Outcome, Part, Replay, replay, replay_all};

//! The result of an exploration, in all formats.

mod formats;
mod json;
mod lcov;
mod text;

pub use formats::{sarif, short};
pub use json::{SCHEMA, json};
pub use lcov::lcov;
pub use text::text;

use effects::explore::{Explored, KeptTest};

use crate::shell;

/// The input of a test, as typed: a command line, or a call of the function.
fn typed(explored: &Explored, test: &KeptTest) -> String {
    shell::typed(explored.entry.as_deref(), &explored.files, &test.test.input)
}

/// The share in percent, rounded down so that 100 means all.
fn percent(part: u64, whole: u64) -> u64 {
    (part * 100).checked_div(whole).unwrap_or(100)
}

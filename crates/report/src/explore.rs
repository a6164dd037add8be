//! What came of exploring one program, in all formats.

mod formats;
mod json;
mod lcov;
mod text;

pub use formats::{sarif, short};
pub use json::{FORMAT, json};
pub use lcov::lcov;
pub use text::text;

use effects::explore::{Explored, KeptTest};

use crate::shell;

/// What the program is called when it is built as people do.
pub fn program_name(explored: &Explored) -> String {
    let stem = explored.files.first().and_then(|file| file.file_stem());
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned());
    format!("./{}", stem.unwrap_or_else(|| "program".to_owned()))
}

/// The input of a test, as it is typed: a command line, or a call of the function.
fn typed(explored: &Explored, test: &KeptTest) -> String {
    match &explored.entry {
        Some(entry) => shell::call(entry, &test.test.input),
        None => shell::command_line(&program_name(explored), &test.test.input),
    }
}

/// The share in percent, rounded down so that 100 means all.
fn percent(part: u64, whole: u64) -> u64 {
    (part * 100).checked_div(whole).unwrap_or(100)
}

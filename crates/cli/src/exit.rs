//! What the exit codes mean.
//!
//! 0 no difference, or done; 1 different; 2 wrong use or a failing tool; 3 inconclusive; 4 a
//! version does not build. `ripple run` instead ends as the program does.

use std::process::ExitCode;

use source::SourceError;

/// Wrong use, or a tool that fails.
pub const FAILURE: u8 = 2;
/// A version does not compile or link.
pub const DOES_NOT_BUILD: u8 = 4;

/// The exit code of a command that failed.
pub fn code_of(error: &anyhow::Error) -> ExitCode {
    let builds = error.downcast_ref::<SourceError>().is_none_or(|error| !error.is_build_failure());
    ExitCode::from(if builds { FAILURE } else { DOES_NOT_BUILD })
}

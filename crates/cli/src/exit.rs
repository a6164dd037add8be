//! What the exit codes mean.
//!
//! 0 no difference, no fault, or done; 1 different, or a fault was found; 2 wrong use or a
//! failing tool; 3 inconclusive; 4 a version does not build. `ripple run` instead ends as the program does.

use std::process::ExitCode;

use effects::Error;

use crate::output;

/// Something was found: a difference, a fault, or a change above the limit.
pub const FOUND: u8 = 1;
/// Wrong use, or a tool that fails.
pub const FAILURE: u8 = 2;
/// Neither equal nor different: unsupported, or a bound was reached.
pub const INCONCLUSIVE: u8 = 3;
/// A version does not compile or link.
pub const DOES_NOT_BUILD: u8 = 4;

/// The verdict is equal, which was not to be said of a change that no run reached.
pub fn not_reached() -> ExitCode {
    output::note("note: no run reached the change, so the exit code is 3 (--require-reached)");
    ExitCode::from(INCONCLUSIVE)
}

/// 128 + SIGPIPE: the reader of a program's output went away.
pub const BROKEN_PIPE: u8 = 141;

/// The exit code of a command that failed.
pub fn code_of(error: &anyhow::Error) -> ExitCode {
    let failed = error.downcast_ref::<Error>().is_some_and(Error::is_build_failure);
    ExitCode::from(if failed { DOES_NOT_BUILD } else { FAILURE })
}

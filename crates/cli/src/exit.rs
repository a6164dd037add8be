//! Exit codes.
//!
//! 0 no difference, no fault, or success; 1 different, or a fault was found; 2 usage error, or a
//! tool failed; 3 inconclusive; 4 a version does not build. `ripple run` instead exits as the
//! program does.

use std::process::ExitCode;

use effects::Error;
use source::SourceError;

/// A difference, a fault, or a change above the limit.
pub const FOUND: u8 = 1;
/// A usage error, or a tool that failed.
pub const FAILURE: u8 = 2;
/// Neither equal nor different: something is unsupported, or a bound was reached.
pub const INCONCLUSIVE: u8 = 3;
/// A version does not compile or link.
pub const DOES_NOT_BUILD: u8 = 4;

/// 128 + SIGPIPE: the reader of the output closed the pipe.
pub const BROKEN_PIPE: u8 = 141;

/// The exit code of a command that failed.
pub fn code_of(error: &anyhow::Error) -> ExitCode {
    let failed = error.downcast_ref::<Error>().is_some_and(Error::is_build_failure)
        || error.downcast_ref::<SourceError>().is_some_and(SourceError::is_build_failure);
    ExitCode::from(if failed { DOES_NOT_BUILD } else { FAILURE })
}

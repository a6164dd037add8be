//! What the exit codes mean.
//!
//! 0 no difference, no fault, or done; 1 different, or a fault was found; 2 wrong use or a
//! failing tool; 3 inconclusive; 4 a version does not build. `ripple run` instead ends as the program does.

use std::process::ExitCode;

use effects::LoadError;
use effects::compare::CompareError;
use effects::explore::ExploreError;
use effects::verify::VerifyError;
use effects::versions::VersionError;
use source::SourceError;

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
    let failed = error.downcast_ref::<SourceError>().is_some_and(SourceError::is_build_failure)
        || error.downcast_ref::<LoadError>().is_some_and(LoadError::is_build_failure)
        || error.downcast_ref::<ExploreError>().is_some_and(ExploreError::is_build_failure)
        || error.downcast_ref::<CompareError>().is_some_and(CompareError::is_build_failure)
        || error.downcast_ref::<VerifyError>().is_some_and(VerifyError::is_build_failure)
        || error.downcast_ref::<VersionError>().is_some_and(VersionError::is_build_failure);
    ExitCode::from(if failed { DOES_NOT_BUILD } else { FAILURE })
}

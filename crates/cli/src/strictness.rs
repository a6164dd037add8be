//! Flags that demand more of the verdict *equal*, shared by `compare` and `verify`.

use std::process::ExitCode;

use crate::{exit, output};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Results")]
pub struct Strictness {
    /// Exit with 3 if the verdict is equal but no run reached the change
    #[arg(long)]
    require_reached: bool,

    /// Exit with 3 if the verdict is equal but the input space was not declared
    #[arg(long)]
    strict_space: bool,
}

impl Strictness {
    /// The exit code of an equal verdict.
    pub fn equal(&self, is_reached: bool, is_declared: bool) -> ExitCode {
        match self.objection(is_reached, is_declared) {
            None => ExitCode::SUCCESS,
            Some(objection) => {
                output::note(&format!("note: {objection}"));
                ExitCode::from(exit::INCONCLUSIVE)
            }
        }
    }

    /// Why an equal verdict does not suffice.
    pub fn objection(&self, is_reached: bool, is_declared: bool) -> Option<&'static str> {
        if self.require_reached && !is_reached {
            Some("no run reached the change, so the exit code is 3 (--require-reached)")
        } else if self.strict_space && !is_declared {
            Some(
                "the input space was not declared, so the exit code is 3 (--strict-space); declare \
                 it with --arg, --stdin, --file or --param",
            )
        } else {
            None
        }
    }
}

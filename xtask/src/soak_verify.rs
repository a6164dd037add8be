//! The part `verify` of `cargo xtask soak`: partitions of generated programs against all inputs.
//!
//! The check itself is a test that is too slow for every change; this runs it.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    if let Some(option) = options.first() {
        bail!("there is no option `{option}`");
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["test", "--release", "-p", "ripple-effects", "--test", "partitions"])
        .args(["--", "--ignored", "--nocapture"])
        .status()
        .context("cannot run cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

//! Flags that bound a search and each of its runs, shared by the commands that search for inputs.

use std::time::Duration;

use anyhow::bail;
use base::memory::{Bound, available};
use exec::Limits;
use explore::Budget;

use crate::config::Config;
use crate::duration;
use crate::size;

const USUAL_BUDGET: &str = "60s";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Budget")]
pub struct Bounds {
    /// Time for the search, without compiling: 500ms, 30s, 5m, 1h [default: 60s]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    budget: Option<String>,

    /// Maximum number of runs
    #[arg(long, value_name = "N")]
    max_runs: Option<u64>,

    /// Maximum solver time, summed over all threads
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    max_solver_time: Option<String>,

    /// Maximum memory of Ripple itself: 512M, 4G [default: three quarters of the free memory]
    #[arg(long, value_name = "BYTES", allow_hyphen_values = true)]
    max_memory_total: Option<String>,

    /// Maximum number of instructions per run
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,

    /// Maximum memory per run
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<u64>,

    /// Maximum output per run
    #[arg(long, value_name = "BYTES")]
    max_output: Option<u64>,

    /// Maximum call depth per run
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
}

impl Bounds {
    pub fn budget(&self, config: &Config) -> anyhow::Result<Budget> {
        let typed = self.budget.as_deref().map(|text| ("--budget", text));
        let configured = || config.budget.as_deref().map(|text| ("budget =", text));
        let (flag, text) = typed.or_else(configured).unwrap_or(("--budget", USUAL_BUDGET));
        check_counts(&[("--max-runs", self.max_runs)])?;
        let solver_time = self.max_solver_time.as_deref();
        Ok(Budget {
            time: Some(time(flag, text)?),
            runs: self.max_runs,
            solver_time: solver_time.map(|text| time("--max-solver-time", text)).transpose()?,
            memory: self.memory()?,
            ..Budget::default()
        })
    }

    /// What the whole process may use.
    fn memory(&self) -> anyhow::Result<Option<Bound>> {
        let Some(text) = &self.max_memory_total else {
            return Ok(available().map(|available| Bound::new(available / 4 * 3)));
        };
        match size::parse(text) {
            None => bail!("`--max-memory-total {text}` is not a size; write 512M or 4G"),
            Some(0) => bail!("`--max-memory-total {text}` leaves no memory; write a size like 4G"),
            Some(bytes) => Ok(Some(Bound::new(bytes))),
        }
    }

    /// Bounds of one run; `usual` where no flag is given.
    pub fn limits(&self, usual: Limits) -> anyhow::Result<Limits> {
        check_counts(&[
            ("--max-steps", self.max_steps),
            ("--max-memory", self.max_memory),
            ("--max-output", self.max_output),
            ("--max-depth", self.max_depth.map(u64::from)),
        ])?;
        Ok(Limits {
            steps: self.max_steps.unwrap_or(usual.steps),
            memory: self.max_memory.unwrap_or(usual.memory),
            output: self.max_output.unwrap_or(usual.output),
            depth: self.max_depth.unwrap_or(usual.depth),
        })
    }
}

/// Rejects counts of zero.
pub fn check_counts(counts: &[(&str, Option<u64>)]) -> anyhow::Result<()> {
    match counts.iter().find(|(_, count)| *count == Some(0)) {
        Some((flag, _)) => bail!("`{flag} 0` leaves nothing to do; give at least 1"),
        None => Ok(()),
    }
}

fn time(flag: &str, text: &str) -> anyhow::Result<Duration> {
    match duration::parse(text) {
        None => bail!("`{flag} {text}` is not a time; write 30s, 500ms, 5m or 1h"),
        Some(Duration::ZERO) => {
            bail!("`{flag} {text}` leaves no time to search; write a time like 30s")
        }
        Some(time) => Ok(time),
    }
}

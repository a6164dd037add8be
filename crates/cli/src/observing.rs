//! Flags that say what counts as a difference, shared by the commands that compare versions.

use anyhow::bail;
use clap::ValueEnum;
use explore::Observe;
use regex::bytes::Regex;
use serde::Deserialize;

use crate::config::Config;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is compared")]
pub struct Observing {
    /// What counts as a difference: some of stdout, stderr, exit, files, result [default: all of
    /// these]; with positions, __LINE__ and the like count where code only moved
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    observe: Vec<Observed>,

    /// Leave what matches out of everything that is compared; may be repeated
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    ignore_regex: Vec<String>,

    /// Take numbers for the same that are at most so many units in the last place apart
    /// [default: 0]
    #[arg(long, value_name = "ULPS")]
    float_tolerance: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Observed {
    Stdout,
    Stderr,
    Exit,
    Files,
    Result,
    /// Not one of all: it changes what the others show.
    Positions,
}

impl Observing {
    /// What was typed; where nothing was, what the project says.
    pub fn meant(&self, config: &Config) -> anyhow::Result<Observe> {
        let observed = if self.observe.is_empty() { &config.observe } else { &self.observe };
        let positions = observed.contains(&Observed::Positions);
        let is_all = observed.iter().all(|&what| what == Observed::Positions);
        let is_observed = |what| is_all || observed.contains(&what);
        let (flag, texts) = match self.ignore_regex.is_empty() {
            true => ("ignore-regex =", &config.ignore_regex),
            false => ("--ignore-regex", &self.ignore_regex),
        };
        let mut ignore = Vec::new();
        for text in texts {
            match Regex::new(text) {
                Ok(regex) => ignore.push(regex),
                Err(error) => {
                    let said = error.to_string();
                    let why = said.lines().last().unwrap_or(&said).trim_start_matches("error: ");
                    bail!("`{flag} {text}` is not a regular expression: {why}");
                }
            }
        }
        Ok(Observe {
            exit: is_observed(Observed::Exit),
            stdout: is_observed(Observed::Stdout),
            stderr: is_observed(Observed::Stderr),
            files: is_observed(Observed::Files),
            result: is_observed(Observed::Result),
            positions,
            ignore,
            tolerance: self.float_tolerance.or(config.float_tolerance).unwrap_or(0),
        })
    }
}

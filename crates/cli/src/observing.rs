//! Flags that define what counts as a difference, shared by the commands that compare versions.

use anyhow::bail;
use regex::bytes::Regex;
use trace::Observe;

use crate::config::{Config, Floats, Observed};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Comparison")]
pub struct Observing {
    /// What counts as a difference: stdout, stderr, exit, files, ub (undefined behaviour), and for
    /// a function result, memory, globals [default: all of these; verify: all but ub]; modifiers:
    /// `public` ignores static variables, `leaks` includes unreachable heap blocks, `positions`
    /// includes __LINE__ and the like where code only moved
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    observe: Vec<Observed>,

    /// Ignore text that matches REGEX in everything compared; repeatable
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    ignore_regex: Vec<String>,

    /// How to compare floating-point results of a function [default: value]
    #[arg(long, value_name = "HOW", value_enum)]
    float: Option<Floats>,

    /// Treat numbers at most ULPS units in the last place apart as equal [default: 0]
    #[arg(long, value_name = "ULPS")]
    float_tolerance: Option<u64>,
}

impl Observing {
    /// What to observe in a proof: undefined behaviour only on request, because such proofs need
    /// more partitions.
    pub fn meant_for_proofs(&self, config: &Config) -> anyhow::Result<Observe> {
        let observed = if self.observe.is_empty() { &config.observe } else { &self.observe };
        Ok(Observe { ub: observed.contains(&Observed::Ub), ..self.meant(config)? })
    }

    /// What to observe: the flags, or else the settings of the project.
    pub fn meant(&self, config: &Config) -> anyhow::Result<Observe> {
        let observed = if self.observe.is_empty() { &config.observe } else { &self.observe };
        let is_said = |what| observed.contains(&what);
        // Modifiers alone do not narrow what is observed.
        let is_addition = |what: &Observed| {
            matches!(what, Observed::Public | Observed::Leaks | Observed::Positions)
        };
        let names_nothing = observed.iter().all(is_addition);
        let is_observed = |what| names_nothing || is_said(what);
        let (flag, texts) = if self.ignore_regex.is_empty() {
            ("ignore-regex =", &config.ignore_regex)
        } else {
            ("--ignore-regex", &self.ignore_regex)
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
            memory: is_observed(Observed::Memory),
            globals: is_observed(Observed::Globals),
            internal: !is_said(Observed::Public),
            leaks: is_said(Observed::Leaks),
            nan_bits: self.float.or(config.float) == Some(Floats::NanBits),
            ub: is_observed(Observed::Ub),
            positions: is_said(Observed::Positions),
            ignore,
            tolerance: self.float_tolerance.or(config.float_tolerance).unwrap_or(0),
        })
    }
}

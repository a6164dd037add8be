//! Flags that say what counts as a difference, shared by the commands that compare versions.

use anyhow::bail;
use clap::ValueEnum;
use regex::bytes::Regex;
use serde::Deserialize;
use trace::Observe;

use crate::config::Config;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is compared")]
pub struct Observing {
    /// What counts as a difference: some of stdout, stderr, exit, files, for a function result,
    /// memory, globals, and ub (undefined behaviour) [default: all of these; verify: without ub];
    /// with `public`, static variables do not count; with `leaks`, heap blocks that nothing leads
    /// to count as well; with `positions`, __LINE__ and the like where code only moved
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    observe: Vec<Observed>,

    /// Leave what matches out of everything that is compared; may be repeated
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    ignore_regex: Vec<String>,

    /// How floating-point numbers that a function leaves are compared [default: value]
    #[arg(long, value_name = "HOW", value_enum)]
    float: Option<Floats>,

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
    /// What a function returns, with everything that leads to
    Result,
    /// Everything that a function's parameters lead to
    Memory,
    /// Global variables that a function may write to
    Globals,
    /// Undefined behaviour that one version alone has
    Ub,
    /// All that is said, but no static variables
    Public,
    /// All that is said, and heap blocks that nothing leads to
    Leaks,
    /// All that is said, with __LINE__ and the like where code only moved
    Positions,
}

/// How floating-point numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Floats {
    /// All numbers that are not a number are one value
    Value,
    /// Numbers that are not a number are told apart by their bits
    NanBits,
}

impl Observing {
    /// What was typed, for proofs: whether runs are defined is compared only where somebody asks
    /// for it, because such proofs need more partitions.
    pub fn meant_for_proofs(&self, config: &Config) -> anyhow::Result<Observe> {
        let observed = if self.observe.is_empty() { &config.observe } else { &self.observe };
        Ok(Observe { ub: observed.contains(&Observed::Ub), ..self.meant(config)? })
    }

    /// What was typed; where nothing was, what the project says.
    pub fn meant(&self, config: &Config) -> anyhow::Result<Observe> {
        let observed = if self.observe.is_empty() { &config.observe } else { &self.observe };
        let is_said = |what| observed.contains(&what);
        // Some only add to what counts, or take from it.
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

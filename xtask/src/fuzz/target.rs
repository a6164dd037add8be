//! How one text is tried, and what must hold.
//!
//! Reading: the reader ends, in proportionate memory, and its result can be verified and printed; a
//! valid module's text form reads back unchanged. Running: a text that reads and verifies is linked
//! with the C runtime and run within small bounds; the run ends like any run, again in
//! proportionate memory.

mod input;
mod running;

use std::path::Path;

use super::allocation::measured;
use super::mutate::Damage;
pub use running::Runner;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Read,
    Run,
}

/// How a case ended, if it ended well.
pub type Outcome = String;

/// A violation that is neither a panic nor a hang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub kind: &'static str,
    pub what: String,
}

/// The memory bound of the reader: a multiple of the text, and a base.
const READ_FACTOR: usize = 200;
const READ_BASIS: usize = 64 << 20;

impl Target {
    pub fn parse(word: &str) -> Option<Target> {
        match word {
            "read" => Some(Target::Read),
            "run" => Some(Target::Run),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Target::Read => "read",
            Target::Run => "run",
        }
    }

    pub fn damage(self) -> Damage {
        match self {
            Target::Read => Damage::Any,
            Target::Run => Damage::Gentle,
        }
    }
}

/// Tries texts one after the other.
pub enum Trier {
    Read,
    Run(Box<Runner>),
}

impl Trier {
    pub fn new(root: &Path, target: Target) -> anyhow::Result<Trier> {
        Ok(match target {
            Target::Read => Trier::Read,
            Target::Run => Trier::Run(Box::new(Runner::new(root)?)),
        })
    }

    /// Tries one text; `seed` controls everything else.
    pub fn check(&mut self, text: &[u8], seed: u64) -> Result<Outcome, Wrong> {
        match self {
            Trier::Read => read(text),
            Trier::Run(runner) => runner.check(text, seed),
        }
    }
}

fn read(text: &[u8]) -> Result<Outcome, Wrong> {
    let (read, peak) = measured(|| llvm::read("fuzz.ll", text));
    bounded(peak, READ_FACTOR * text.len() + READ_BASIS)?;
    let Ok(read) = read else { return Ok("refused".to_owned()) };
    let printed = read.module.to_string();
    if !ir::verify(&read.module).is_empty() {
        return Ok("read, invalid".to_owned());
    }
    match ir::parse(&printed) {
        Ok(again) if again.to_string() == printed => {}
        Ok(_) => return Err(wrong("round trip", "the text form is read back as another module")),
        Err(error) => return Err(wrong("round trip", error.to_string())),
    }
    let whole = read.problems.is_empty();
    Ok(if whole { "read, valid" } else { "read, valid but for some functions" }.to_owned())
}

fn bounded(peak: usize, bound: usize) -> Result<(), Wrong> {
    if peak > bound {
        Err(wrong("memory", format!("more than {} MB", bound >> 20)))
    } else {
        Ok(())
    }
}

fn wrong(kind: &'static str, what: impl Into<String>) -> Wrong {
    Wrong { kind, what: what.into() }
}

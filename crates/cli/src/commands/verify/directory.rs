//! The directory that the report and the state of an exploration are written to.
//!
//! A new exploration first creates a directory with the beginning of its state, and then adds a
//! line to the state with every step; so whatever ends the process leaves a state that lacks at
//! most the last step. In the end, a directory with the reports and the same state replaces it in
//! one step. A resumed exploration continues in its directory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use effects::verify::Verification;
use report::Look;

use crate::directory::{OutDirectory, Owner, is_report};
use crate::state;

const REPORT: &str = "verify.json";
const TEXT: &str = "verify.txt";
const PAGE: &str = "verify.html";
const STATE: &str = "state.txt";
/// The first words of a state.
const STATE_HEAD: &str = "ripple partitions ";

/// The directory, if there is one, and the state.
pub struct Results {
    out: Option<OutDirectory>,
    /// Whether to continue in the existing directory.
    resumes: bool,
    /// The file of the state, once it exists.
    state: Mutex<Option<File>>,
}

impl Results {
    pub fn nowhere() -> Results {
        Results { out: None, resumes: false, state: Mutex::new(None) }
    }

    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn at(path: &Path, resumes: bool) -> anyhow::Result<Results> {
        let out =
            OutDirectory::check(path, Owner { command: "verify", is_ours, by_default: true })?;
        Ok(Results { out: Some(out), resumes, state: Mutex::new(None) })
    }

    /// The state to resume, if any.
    pub fn earlier_state(&self) -> anyhow::Result<Option<String>> {
        let Some(out) = self.out.as_ref().filter(|_| self.resumes) else { return Ok(None) };
        let path = out.path().join(STATE);
        state::read(&path)?.ok_or_else(|| state::missing(&path)).map(Some)
    }

    /// Saves the state: first all of it so far, then the lines to add.
    pub fn keep(&self, lines: &str) -> io::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let path = out.path().join(STATE);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match &mut *state {
            // One unbuffered call: what was written outlives the process.
            Some(file) => file.write_all(lines.as_bytes()),
            None => self.begin(out, &path, lines).map(|file| *state = Some(file)),
        };
        kept.map_err(|error| named(&path, &error))
    }

    fn begin(&self, out: &OutDirectory, path: &Path, state: &str) -> io::Result<File> {
        if self.resumes {
            state::write_whole(path, state.as_bytes())?;
        } else {
            out.rotate(&|directory: &Path| fs::write(directory.join(STATE), state))?;
        }
        OpenOptions::new().append(true).open(path)
    }

    /// Writes the reports; returns whether there is a directory.
    pub fn write(&mut self, verification: &Verification) -> anyhow::Result<bool> {
        let Some(out) = &self.out else { return Ok(false) };
        let fill = |directory: &Path| fill(directory, verification);
        let written = match self.state.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            Some(_) => out.replace(&fill),
            // Nothing had to be explored.
            None => out.rotate(&fill),
        };
        written.with_context(|| out.cannot())?;
        Ok(true)
    }
}

/// An error that names its file.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn is_ours(path: &Path) -> bool {
    is_report(&path.join(REPORT), report::verify::SCHEMA)
        || state::begins_with(&path.join(STATE), STATE_HEAD)
}

fn fill(directory: &Path, verification: &Verification) -> io::Result<()> {
    fs::write(directory.join(REPORT), report::verify::json(verification))?;
    let text = report::verify::text(verification, None, Look::default());
    fs::write(directory.join(TEXT), text)?;
    fs::write(directory.join(PAGE), report::verify::html(verification))?;
    match &verification.found {
        Some(found) => fs::write(directory.join(STATE), &found.state),
        None => Ok(()),
    }
}

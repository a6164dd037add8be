//! The directory that the report and the state of an exploration are written to.
//!
//! A new exploration puts a new directory with the beginning of its state in place before its
//! first step, and adds a line to the state with every step; so whatever ends the process leaves
//! a state that has all steps but the last. In the end, a directory with the reports and the same
//! state takes its place in one move. An exploration that is taken up goes on in its directory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use effects::verify::Verification;
use report::Look;

use crate::directory::{OutDirectory, Owner};
use crate::state;

const REPORT: &str = "verify.json";
const TEXT: &str = "verify.txt";
const PAGE: &str = "verify.html";
const STATE: &str = "state.txt";
/// What a state begins with.
const STATE_HEAD: &str = "ripple partitions ";

/// Where results go, if anywhere.
pub struct Results {
    out: Option<OutDirectory>,
    /// Whether to go on in the directory that is there.
    resumes: bool,
    /// The state, once it is being written.
    state: Mutex<Option<File>>,
}

impl Results {
    pub fn nowhere() -> Results {
        Results { out: None, resumes: false, state: Mutex::new(None) }
    }

    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn at(path: &Path, resumes: bool) -> anyhow::Result<Results> {
        let out = OutDirectory::check(path, Owner { command: "verify", is_ours })?;
        Ok(Results { out: Some(out), resumes, state: Mutex::new(None) })
    }

    /// The state that is to be taken up, if one is.
    pub fn earlier_state(&self) -> anyhow::Result<Option<String>> {
        let Some(out) = self.out.as_ref().filter(|_| self.resumes) else { return Ok(None) };
        let path = out.path().join(STATE);
        state::read(&path)?.ok_or_else(|| state::missing(&path)).map(Some)
    }

    /// Keeps the whole state so far, and from then on lines that are to be added.
    pub fn keep(&self, lines: &str) -> io::Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let path = out.path().join(STATE);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match &mut *state {
            // In one call, and nothing is kept back: what was written outlives the process.
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

    /// Writes the reports; says whether they went anywhere.
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

/// An error that says what it is about.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn is_ours(path: &Path) -> bool {
    let kind = report::verify::SCHEMA.trim_end_matches(|c: char| c.is_ascii_digit());
    let marked = format!("\"schema\": \"{kind}");
    let is_report = |text: String| text.contains(&marked);
    fs::read_to_string(path.join(REPORT)).is_ok_and(is_report)
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

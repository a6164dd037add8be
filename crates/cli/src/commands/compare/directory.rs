//! The directory that the report, tests and scripts are written to, and the state of the search.
//!
//! While a comparison searches, its state grows in a file of its own beside the previous result,
//! which stays as it is. In the end, a directory with the new result and the whole state replaces
//! it in one step. So whatever ends the process leaves the previous result and the state. A short
//! search writes no such file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use effects::compare::{Compared, STATE_MARK};
use inputs::write_test;
use report::compare::Emitted;
use report::{Base, Look};

use crate::directory::{OutDirectory, Owner, is_report};
use crate::{output, state};

const REPORT: &str = "report.json";
/// The report of a comparison of several targets; each has a directory of its own.
const TARGETS: &str = "targets.json";
/// The state of the search that led to the result.
const STATE: &str = "state.txt";
/// The state of a running or killed search.
const UNFINISHED: &str = "unfinished.txt";
/// How long a search must take before its state is written to a file.
const WORTH_KEEPING: Duration = Duration::from_millis(200);

/// The directory and the state.
pub struct Results {
    out: OutDirectory,
    /// Strategies on several threads add lines.
    state: Mutex<State>,
}

/// The state of the search.
struct State {
    /// Empty if no search was needed.
    text: String,
    /// The time of the first line.
    since: Option<Instant>,
    growing: Growing,
}

/// The file of the state during the search.
enum Growing {
    NotYet,
    Into(File),
    /// It cannot be written, which was reported.
    Failed,
}

impl Results {
    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn at(path: &Path) -> anyhow::Result<Results> {
        let out =
            OutDirectory::check(path, Owner { command: "compare", is_ours, by_default: true })?;
        let state = State { text: String::new(), since: None, growing: Growing::NotYet };
        Ok(Results { out, state: Mutex::new(state) })
    }

    /// The state to resume: that of the last search, finished or not.
    pub fn earlier_state(&self) -> anyhow::Result<String> {
        let finished = self.out.path().join(STATE);
        let unfinished = state::read(&self.out.path().join(UNFINISHED))?;
        let earlier = unfinished.map_or_else(|| state::read(&finished), |state| Ok(Some(state)))?;
        earlier.ok_or_else(|| state::missing(&finished))
    }

    /// Adds whole lines to the state.
    pub fn keep(&self, lines: &str) {
        let mut state = self.state();
        state.text.push_str(lines);
        let since = *state.since.get_or_insert_with(Instant::now);
        let written = match &mut state.growing {
            Growing::NotYet if since.elapsed() < WORTH_KEEPING => return,
            Growing::NotYet => self.begin(&state.text).map(|file| state.growing = file),
            // One unbuffered call: what was written outlives the process.
            Growing::Into(file) => file.write_all(lines.as_bytes()),
            Growing::Failed => return,
        };
        if let Err(error) = written {
            state.growing = Growing::Failed;
            let path = self.out.path().join(UNFINISHED);
            let path = path.display();
            output::note(&format!("note: cannot save the state of the search to {path}: {error}"));
        }
    }

    /// Lines are added whole, so the state is valid even after a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the state so far, beside the previous result if there is one.
    fn begin(&self, state: &str) -> io::Result<Growing> {
        let path = self.out.path().join(UNFINISHED);
        if is_ours(self.out.path()) {
            state::write_whole(&path, state.as_bytes())?
        } else {
            self.out
                .replace(&|directory| fs::write(directory.join(UNFINISHED), state.as_bytes()))?
        }
        Ok(Growing::Into(OpenOptions::new().append(true).open(&path)?))
    }

    /// Puts a new result in place.
    pub fn write(
        &self,
        compared: &Compared,
        base: &Base,
        emitted: &[Emitted],
    ) -> anyhow::Result<()> {
        let state = self.state();
        let fill = |directory: &Path| {
            fill(directory, compared, base)?;
            fill_tests(directory, emitted)?;
            if state.text.is_empty() {
                Ok(())
            } else {
                fs::write(directory.join(STATE), &state.text)
            }
        };
        let has_only_state = is_ours(self.out.path()) && !has_report(self.out.path());
        let written = if has_only_state { self.out.replace(&fill) } else { self.out.rotate(&fill) };
        written.with_context(|| self.out.cannot())?;
        if matches!(state.growing, Growing::Into(_)) {
            // The new directory has all of it; a leftover file does no harm.
            let _ = fs::remove_file(self.out.before().join(UNFINISHED));
        }
        Ok(())
    }
}

/// The directory of a target, its result, tests and the state of its search.
pub type Part<'a> = (&'a str, &'a Compared, Vec<Emitted>, &'a str);

impl Results {
    /// Puts the results of several targets in place.
    pub fn write_several(
        &self,
        report: &str,
        parts: &[Part<'_>],
        base: &Base,
    ) -> anyhow::Result<()> {
        let fill_all = |directory: &Path| {
            fs::write(directory.join(TARGETS), report)?;
            for (name, compared, emitted, state) in parts {
                let own = directory.join(name);
                fs::create_dir(&own)?;
                fill(&own, compared, base)?;
                fill_tests(&own, emitted)?;
                if !state.is_empty() {
                    fs::write(own.join(STATE), state)?;
                }
            }
            Ok(())
        };
        self.out.rotate(&fill_all).with_context(|| self.out.cannot())
    }
}

fn is_ours(path: &Path) -> bool {
    has_report(path)
        || is_report(&path.join(TARGETS), report::targets::SCHEMA)
        || state::begins_with(&path.join(UNFINISHED), STATE_MARK)
}

fn has_report(path: &Path) -> bool {
    is_report(&path.join(REPORT), report::compare::SCHEMA)
}

fn fill(directory: &Path, compared: &Compared, base: &Base) -> io::Result<()> {
    fs::write(directory.join(REPORT), report::compare::json(compared))?;
    fs::write(directory.join("timing.json"), report::compare::timing(compared))?;
    let text = report::compare::text(compared, None, Look::default());
    fs::write(directory.join("report.txt"), text)?;
    fs::write(directory.join("report.sarif"), report::compare::sarif(compared, base))?;
    fs::write(directory.join("report.md"), report::compare::markdown(compared, base))?;
    fs::write(directory.join("report.html"), report::compare::html(compared))?;
    // Tests of other input spaces would not fit this one.
    let own = compared.witnesses.iter().filter(|witness| witness.builds.is_none());
    let lines = own.map(|witness| write_test(&witness.test) + "\n");
    fs::write(directory.join("tests.jsonl"), lines.collect::<String>())?;
    for (index, witness) in compared.witnesses.iter().enumerate() {
        let script = report::compare::script(compared, witness);
        fs::write(directory.join(report::compare::script_name(index)), script)?;
    }
    Ok(())
}

/// Tests, if `--emit` requests some.
fn fill_tests(directory: &Path, emitted: &[Emitted]) -> io::Result<()> {
    let files = emitted.iter().flat_map(|emitted| &emitted.files);
    let tests = directory.join("tests");
    for file in files {
        fs::create_dir_all(&tests)?;
        fs::write(tests.join(&file.name), &file.content)?;
    }
    Ok(())
}

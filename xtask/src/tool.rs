//! The tool as users run it: `ripple compare` on a pair of the examples, for benchmarks that time
//! the whole command.
//!
//! Figures come from the reports that the tool writes; nothing of Ripple is linked in here. A tool
//! that does not end long after its budget is killed, which is an answer like any other.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;
use testkit::pairs::{Example, Pair};
use testkit::subjects;

/// How long after its budget a comparison is killed.
const GRACE: Duration = Duration::from_secs(60);

pub struct Tool {
    path: PathBuf,
    /// The directory of reports.
    place: PathBuf,
}

/// The start of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The tests run first, and declare the inputs.
    Tests,
    /// Atoms declare the inputs, and there are no tests.
    Atoms,
}

/// One comparison.
pub struct Asked<'a> {
    pub example: &'a Example,
    pub pair: &'a Pair,
    pub space: Space,
    pub seed: u64,
    /// The tool's default if `None`.
    pub budget: Option<Duration>,
    pub options: &'a [&'a str],
}

/// The result of a comparison.
pub struct Answer {
    /// `None` if the tool had to be killed.
    pub status: Option<ExitStatus>,
    /// From the start of the process to its end.
    pub time: Duration,
    report: Value,
    timing: Value,
}

impl Tool {
    /// The tool as cargo built it, and a directory for its reports below the target directory.
    pub fn built(root: &Path, place: &str) -> anyhow::Result<Tool> {
        let target = subjects::target_directory(root);
        let path = target.join("release/ripple");
        if !path.exists() {
            bail!("build the tool first: cargo build --release");
        }
        let place = target.join(place);
        fs::create_dir_all(&place).context("cannot make a directory for reports")?;
        Ok(Tool { path, place })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A directory that benchmarks may write to.
    pub fn place(&self) -> &Path {
        &self.place
    }

    pub fn compare(&self, asked: &Asked<'_>) -> anyhow::Result<Answer> {
        let (out, printed) = (self.place.join("out"), self.place.join("report.json"));
        let mut command = Command::new(&self.path);
        command.arg("compare").args([&asked.pair.old, &asked.pair.new]);
        match asked.space {
            Space::Tests => {
                command.arg("--tests").arg(asked.example.directory.join("tests.jsonl"));
            }
            Space::Atoms => {
                command.args(&asked.example.atoms);
            }
        }
        if let Some(budget) = asked.budget {
            command.arg("--budget").arg(format!("{}ms", budget.as_millis()));
        }
        command.args(["--seed", &asked.seed.to_string(), "--format", "json", "--quiet"]);
        command.args(asked.options).arg("--out").arg(&out);
        command.stdin(Stdio::null()).stdout(File::create(&printed)?).stderr(Stdio::null());
        let limit = asked.budget.map(|budget| budget + GRACE);
        let (status, time) = timed(&mut command, limit)?;
        let is_done = status.is_some_and(|status| matches!(status.code(), Some(0 | 1 | 3)));
        if status.is_some() && !is_done {
            bail!("{} {}: the tool failed: {status:?}", asked.example.name, asked.pair.name());
        }
        let json = |path: &Path| -> anyhow::Result<Value> {
            Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
        };
        let (report, timing) = if is_done {
            (json(&printed)?, json(&out.join("timing.json"))?)
        } else {
            (Value::Null, Value::Null)
        };
        Ok(Answer { status, time, report, timing })
    }
}

/// How a command ends and after what time; no status if it was killed at the limit.
pub fn timed(
    command: &mut Command,
    limit: Option<Duration>,
) -> anyhow::Result<(Option<ExitStatus>, Duration)> {
    let start = Instant::now();
    let mut child = command.spawn().context("cannot run the tool")?;
    let Some(limit) = limit else {
        let status = child.wait()?;
        return Ok((Some(status), start.elapsed()));
    };
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((Some(status), start.elapsed()));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok((None, start.elapsed()));
        }
        thread::sleep(Duration::from_millis(2));
    }
}

impl Answer {
    pub fn is_different(&self) -> bool {
        self.report["verdict"] == "different"
    }

    /// Inputs that were run on both versions.
    pub fn runs(&self) -> u64 {
        self.report["effort"]["total"]["runs"].as_u64().unwrap_or(0)
    }

    pub fn phase(&self, name: &str) -> Duration {
        Duration::from_secs_f64(self.timing["phases"][name].as_f64().unwrap_or(0.0))
    }

    /// From the beginning of the search to the end of the replays; with `--first`, the time to the
    /// first confirmed difference.
    pub fn time_to_difference(&self) -> Option<Duration> {
        self.is_different().then(|| self.phase("searching") + self.phase("confirming"))
    }

    /// The strategy that found the first difference.
    pub fn found_by(&self) -> &str {
        self.report["witnesses"][0]["found_by"].as_str().unwrap_or("-")
    }

    pub fn witnesses(&self) -> &[Value] {
        self.report["witnesses"].as_array().map_or(&[], Vec::as_slice)
    }

    pub fn hunks(&self) -> &[Value] {
        self.report["hunks"].as_array().map_or(&[], Vec::as_slice)
    }
}

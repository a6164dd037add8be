//! One pair: checks the verdict of `ripple compare` against native runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use super::language::Interface;
use super::pair;

/// Time for the search, and how much longer the tool may take as a whole.
const BUDGET: &str = "2s";
const TOOL_TIME: Duration = Duration::from_secs(90);
const BUILD_TIME: Duration = Duration::from_secs(120);
const DRIVER_TIME: Duration = Duration::from_secs(120);
/// The most witnesses of one report to run.
const WITNESSES: usize = 5;

/// The required programs.
pub struct Tools {
    pub ripple: PathBuf,
    pub clang: PathBuf,
    /// The tool's cache of compiled files.
    pub cache: PathBuf,
}

/// A pair in a directory, with its driver's sources.
pub struct Trial<'a> {
    pub tools: &'a Tools,
    pub directory: &'a Path,
    pub interface: &'a Interface,
    /// The versions are equal by construction.
    pub equal: bool,
    pub inputs: u64,
}

/// The verdict, the native result, and whether they agree.
#[derive(Debug)]
pub struct Outcome {
    pub verdict: String,
    /// Native runs distinguish the versions.
    pub differs: bool,
    /// Inputs that were run natively.
    pub inputs: u64,
    /// Witnesses that the driver cannot express.
    pub unchecked: usize,
    /// A wrong verdict.
    pub wrong: Option<String>,
}

impl Trial<'_> {
    pub fn judge(&self, seed: u64) -> anyhow::Result<Outcome> {
        let verdict = self.compared()?;
        let (driver, seen) = self.natively(seed)?;
        let differs = seen.starts_with("differs");
        let mut outcome = Outcome {
            verdict,
            differs,
            inputs: seen.strip_prefix("ran ").and_then(|n| n.parse().ok()).unwrap_or(0),
            unchecked: 0,
            wrong: None,
        };
        outcome.wrong = match outcome.verdict.as_str() {
            _ if self.equal && differs => {
                bail!("the versions were made to be equal, and are not: {seen}")
            }
            "equal" if differs => Some(format!("said to be equal, but {seen}")),
            "different" if self.equal => Some("said to be different, but are equal".to_owned()),
            "different" => self.witnesses(&driver, &mut outcome.unchecked)?,
            "equal" | "accepted" | "inconclusive" => None,
            other => bail!("the tool says {other}"),
        };
        Ok(outcome)
    }

    /// Builds the driver and lets it draw inputs; returns its path and its last message.
    pub fn natively(&self, seed: u64) -> anyhow::Result<(PathBuf, String)> {
        let driver = self.build("driver", &["-O2", "-fno-finite-loops"])?;
        let (inputs, seed) = (self.inputs.to_string(), seed.to_string());
        let seen = self.driven(&driver, &["run", &inputs, &seed])?;
        Ok((driver, seen))
    }

    /// The verdict of the tool; its report is kept.
    fn compared(&self) -> anyhow::Result<String> {
        let out = self.directory.join("out");
        let mut command = Command::new(&self.tools.ripple);
        command.args(["compare", "old.c", "new.c", "--entry", "f", "--format", "json", "--quiet"]);
        command.args(["--budget", BUDGET, "--seed", "1"]).arg("--out").arg(&out);
        command.args(pair::flags(self.interface)).env("XDG_CACHE_HOME", &self.tools.cache);
        let (code, text) = self.bounded(&mut command, TOOL_TIME, "report.json")?;
        let report: Value = serde_json::from_str(&text).unwrap_or_default();
        match (code, report["verdict"].as_str()) {
            (Some(0 | 1 | 3), Some(verdict)) => Ok(verdict.to_owned()),
            _ => {
                let message = fs::read_to_string(self.directory.join("stderr")).unwrap_or_default();
                bail!("the tool ended with {code:?}: {}", message.trim())
            }
        }
    }

    fn build(&self, name: &str, flags: &[&str]) -> anyhow::Result<PathBuf> {
        let program = self.directory.join(name);
        let mut command = Command::new(&self.tools.clang);
        command.args(["-std=gnu11", "-w", "-I", "."]).args(flags);
        command.args(["driver.c", "-o"]).arg(&program);
        let (code, _) = self.bounded(&mut command, BUILD_TIME, "build.txt")?;
        if code != Some(0) {
            let message = fs::read_to_string(self.directory.join("stderr")).unwrap_or_default();
            bail!("the driver does not build: {}", message.lines().next().unwrap_or_default());
        }
        Ok(program)
    }

    /// The last line that the driver prints.
    fn driven(&self, driver: &Path, args: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(driver);
        command.args(args);
        let (code, text) = self.bounded(&mut command, DRIVER_TIME, "driver.txt")?;
        match (code, text.lines().next_back()) {
            (Some(0 | 1), Some(line)) => Ok(line.to_owned()),
            _ => bail!("the driver ended with {code:?}"),
        }
    }

    /// Runs every witness; returns the first that shows no difference.
    fn witnesses(&self, driver: &Path, unchecked: &mut usize) -> anyhow::Result<Option<String>> {
        let tests = inputs::read_tests(&self.directory.join("out/tests.jsonl"))?;
        let mut sanitized = None;
        for (number, test) in tests.iter().enumerate().take(WITNESSES) {
            let Some(words) = pair::words(self.interface, test) else {
                *unchecked += 1;
                continue;
            };
            let words: Vec<String> = words.iter().map(u64::to_string).collect();
            let args: Vec<&str> =
                ["one"].into_iter().chain(words.iter().map(String::as_str)).collect();
            if self.driven(driver, &args)?.starts_with("differs") {
                continue;
            }
            // One of them may do something undefined that only sanitizers detect.
            let checker = match &sanitized {
                Some(checker) => checker,
                None => sanitized.insert(self.build(
                    "sanitized",
                    &["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
                )?),
            };
            if !self.driven(checker, &args)?.starts_with("differs") {
                let input = words.join(" ");
                return Ok(Some(format!(
                    "said to be different, but witness {} shows the same: {input}",
                    number + 1
                )));
            }
        }
        Ok(None)
    }

    /// Runs a command in the directory for a bounded time: its exit code, and its output.
    fn bounded(
        &self,
        command: &mut Command,
        time: Duration,
        stdout: &str,
    ) -> anyhow::Result<(Option<i32>, String)> {
        let path = self.directory.join(stdout);
        command.current_dir(self.directory).stdin(Stdio::null());
        command.stdout(File::create(&path)?).stderr(File::create(self.directory.join("stderr"))?);
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let deadline = Instant::now() + time;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                None => {
                    // It may have ended by itself in the meantime.
                    let _ = child.kill();
                    child.wait()?;
                    bail!("{command:?} did not end within {time:?}");
                }
            }
        };
        let text = fs::read(path)?;
        Ok((status.code(), String::from_utf8_lossy(&text).into_owned()))
    }
}

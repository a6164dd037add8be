//! `cargo xtask bench large`: how long Ripple takes for a small edit of a large program, SQLite with
//! a driver of ours that runs SQL from standard input.
//!
//! Runs the tool from start to end, each command with an empty cache and again with what the first
//! run left there. Fails above the bars it prints. The sources are fetched, not ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use testkit::subjects;

use crate::tool::{Tool, timed};

const COLD_BAR: Duration = Duration::from_secs(60);
const WARM_BAR: Duration = Duration::from_secs(5);
/// A command that takes longer is killed.
const LIMIT: Duration = Duration::from_secs(600);
/// The edit: SQL's function `upper`.
const BEFORE: &str = "z1[i] = (char)sqlite3Toupper(z2[i]);";
const AFTER: &str = "z1[i] = (char)(i==2 ? z2[i] : sqlite3Toupper(z2[i]));";
const TEST: &str = r#"{"stdin": "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'one'), (2, 'two'); SELECT upper(b), a FROM t WHERE a > 1;"}"#;
const FLAGS: [&str; 3] = ["-w", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"];

pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let Some(subject) = subjects::subject(root, &subjects::SQLITE) else {
        println!("bench large is skipped: the sources of SQLite cannot be fetched");
        return Ok(ExitCode::SUCCESS);
    };
    let tool = Tool::built(root, "bench-large")?;
    let lines = prepare(root, &subject.join("sqlite3"), tool.place())?;
    println!("SQLite and its driver: {lines} lines with code in each version");
    println!("{:<10} {:>10} {:>10}", "command", "cold", "warm");
    let compare = ["--tests", "tests.jsonl", "--budget", "10s", "--first", "--no-out"];
    let commands = [("changes", &[][..], 1), ("impact", &[], 0), ("compare", &compare, 1)];
    let mut met = true;
    for (name, options, code) in commands {
        let cache = tool.place().join("cache");
        if cache.exists() {
            fs::remove_dir_all(&cache).context("cannot empty the cache")?;
        }
        let mut times = Vec::new();
        for bar in [COLD_BAR, WARM_BAR] {
            let time = measure(&tool, name, options, code)?;
            met &= time.is_some_and(|time| time <= bar);
            times.push(match time {
                Some(time) => format!("{:.1} s", time.as_secs_f64()),
                None => format!("> {} s", LIMIT.as_secs()),
            });
        }
        println!("{name:<10} {:>10} {:>10}", times[0], times[1]);
    }
    let (cold, warm) = (COLD_BAR.as_secs(), WARM_BAR.as_secs());
    println!("bar: {cold} s cold, {warm} s warm: {}", if met { "met" } else { "missed" });
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes both versions and the tests. Returns how many lines a version has that are not blank.
fn prepare(root: &Path, sources: &Path, place: &Path) -> anyhow::Result<usize> {
    let library = fs::read_to_string(sources.join("sqlite3.c")).context("SQLite is not there")?;
    if !library.contains(BEFORE) {
        bail!("this SQLite has no line `{BEFORE}`");
    }
    let driver = fs::read_to_string(root.join("bench/sqlite_shell.c"))?;
    for (version, text) in [("old", library.clone()), ("new", library.replace(BEFORE, AFTER))] {
        let directory: PathBuf = place.join(version);
        fs::create_dir_all(&directory).context("cannot make a directory for a version")?;
        fs::write(directory.join("sqlite3.c"), text)?;
        fs::write(directory.join("shell.c"), &driver)?;
        fs::copy(sources.join("sqlite3.h"), directory.join("sqlite3.h"))?;
    }
    fs::write(place.join("tests.jsonl"), TEST)?;
    let is_code = |line: &&str| !line.trim().is_empty();
    Ok(library.lines().chain(driver.lines()).filter(is_code).count())
}

/// The time of a command, which must end with this code; `None` if it took too long.
fn measure(
    tool: &Tool,
    name: &str,
    options: &[&str],
    code: i32,
) -> anyhow::Result<Option<Duration>> {
    let mut command = Command::new(tool.path());
    command.current_dir(tool.place()).args(["--cache-dir", "cache", "--quiet"]);
    command.args(FLAGS.map(|flag| format!("--cflags={flag}")));
    command.arg(name).args(options).args(["old", "new"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let (status, time) = timed(&mut command, Some(LIMIT))?;
    match status {
        Some(status) if status.code() == Some(code) => Ok(Some(time)),
        Some(status) => bail!("ripple {name} ended with {status}"),
        None => Ok(None),
    }
}
